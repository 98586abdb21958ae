"""How deep the typed form is: what is deeper than generated code may be is a finding, not a failure."""

from __future__ import annotations

from collections.abc import Iterator

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


def check_nesting(program: ir.Program, merged: Merged) -> list[Diagnostic]:
    """Where rules are nested too deeply; of each rule the first place."""
    first: dict[str, ir.Site] = {}
    for body in _bodies(program):
        site = _too_deep(*body)
        if site is not None:
            first.setdefault(site.rule, site)
    return [report("E0106", _span(site, merged), rule=rule) for rule, site in first.items()]


def _bodies(program: ir.Program) -> Iterator[tuple[object, ir.Site, int, int]]:
    """Whatever becomes one function: where it stands, and how deep that begins."""
    for definition in program.definitions:
        yield definition.body, definition.site, 0, 0
    for table in program.tables:
        for row in table.rows:
            yield row, table.site, 0, 0
    for procedure in program.procedures:
        yield procedure.body, procedure.site, 0, 0
    for priority in program.priorities:
        yield (priority.criteria, priority.player), priority.site, 0, 0
    for action in program.actions:
        loops = len(action.parameters)
        for number, condition in enumerate(action.conditions):  # each stands inside those before it
            yield condition, action.site, loops + number, loops
        yield (action.label, action.by), action.site, loops, loops
        yield action.body, action.site, 0, 0
    for victory in program.victories:
        yield (victory.condition, victory.body), victory.site, 0, 0
    yield (program.score, program.measures, program.status, program.kinds), ir.NOWHERE, 0, 0


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
