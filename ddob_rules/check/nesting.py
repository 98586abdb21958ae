"""How deep the typed form is: what is deeper than generated code may be is a finding, not a failure."""

from __future__ import annotations

from collections.abc import Iterator

from ddob_rules.check.memory import Memory
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.source import Span
from interpreter import ir
from interpreter.ir.walk import inner_names

#: Parts of a body inside one another. Python takes 100 levels of indentation and 200 of brackets.
DEEPEST = 64
#: Loops inside one another. Python takes 20, and small definitions bring some of their own.
MOST_LOOPS = 10

_LOOPS = (ir.ForEach, ir.Repeat, ir.Quantify, ir.Along)


def check_nesting(program: ir.Program, merged: Merged, memory: Memory) -> list[Diagnostic]:
    """Where rules are nested too deeply; of each rule the first place."""
    first: dict[str, ir.Site] = {}
    rest = (program.score, program.measures, program.status, program.kinds)
    for site in [site for part in _parts(program) for site in memory.fact(_sites, part)] + _sites(rest):
        first.setdefault(site.rule, site)
    return [report("E0106", _span(site, merged), rule=rule) for rule, site in first.items()]


_Part = ir.Definition | ir.Table | ir.Procedure | ir.Priority | ir.Action | ir.Victory


def _parts(program: ir.Program) -> Iterator[_Part]:
    yield from program.definitions
    yield from program.tables
    yield from program.procedures
    yield from program.priorities
    yield from program.actions
    yield from program.victories


def _sites(part: object) -> list[ir.Site]:
    """Where the bodies of a part are too deep, one place for each."""
    return [site for body in _bodies(part) if (site := _too_deep(*body)) is not None]


def _bodies(part: object) -> Iterator[tuple[object, ir.Site, int, int]]:
    """Whatever becomes one function: where it stands, and how deep that begins."""
    match part:
        case ir.Definition() | ir.Procedure():
            yield part.body, part.site, 0, 0
        case ir.Table():
            for row in part.rows:
                yield row, part.site, 0, 0
        case ir.Priority():
            yield (part.criteria, part.player), part.site, 0, 0
        case ir.Action():
            loops = len(part.parameters)
            for number, condition in enumerate(part.conditions):  # each stands inside those before it
                yield condition, part.site, loops + number, loops
            yield (part.label, part.by), part.site, loops, loops
            yield part.body, part.site, 0, 0
        case ir.Victory():
            yield (part.condition, part.body), part.site, 0, 0
        case _:
            yield part, ir.NOWHERE, 0, 0


def _too_deep(body: object, site: ir.Site, depth: int, loops: int) -> ir.Site | None:
    """The place of the first part that is too deep, or of what it stands in."""
    if loops > MOST_LOOPS:
        return site
    waiting: list[tuple[object, ir.Site, int, int]] = [(body, site, depth, loops)]
    while waiting:
        item, near, depth, loops = waiting.pop()
        if isinstance(item, tuple):
            waiting.extend((part, near, depth, loops) for part in item)
            continue
        names = inner_names(type(item))
        if names is None:
            continue
        own = getattr(item, "site", None)
        near = own if isinstance(own, ir.Site) and own.rule else near
        depth, loops = depth + 1, loops + isinstance(item, _LOOPS)
        if depth > DEEPEST or loops > MOST_LOOPS:
            return near
        waiting.extend((getattr(item, name), near, depth, loops) for name in names)
    return None


def _span(site: ir.Site, merged: Merged) -> Span:
    rules = [rule for book in merged.books for rule in book.rules]
    for rule in rules:
        if rule.span.source.path == site.file:
            line = rule.span.source.line_span(site.line)
            return Span(line.source, line.start + len(line.text) - len(line.text.lstrip()), line.end)
    return rules[0].span
