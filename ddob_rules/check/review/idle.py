"""What is idle: values that nobody reads, phases that no game reaches, games that nobody can win; names of
pieces and spaces that no scenario has; examples that show nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddob_rules.check.memory import Memory
from ddob_rules.check.review.contradictions import first_turn
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import Book, RuleBlock
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.nodes import Leaf, Node, effects, rules
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.source import Span
from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.machine.scenario import Scenario

#: How texts name a value: `{x}`, or a formula with it.
_BRACE = "{"
_QUOTE = '"'


def unread(merged: Merged, memory: Memory) -> list[Diagnostic]:
    """Each `let` whose value is worked out and never looked at again."""
    procedures = {entry.name for entry in merged.of_kind("procedure")}
    rules = [rule for book in merged.books for rule in book.rules]
    return [
        report("W0206", let.name.span, language=rule.language, rule=rule.id, name=let.name.text)
        for rule in rules
        for declaration in rule.declarations
        for let in memory.fact(_unread, declaration.node)
        if not procedures & {part.text for part in let.value.walk() if isinstance(part, Leaf)}
    ]


def _unread(declared: Node) -> list[effects.Let]:
    lets = [part for part in declared.walk() if isinstance(part, effects.Let)]
    # What is asked, rolled or drawn happens although nobody looks at it, and so does what a procedure does.
    plain = [let for let in lets if isinstance(let.value, Expression)]
    if not plain:
        return []
    named = {id(let.name) for let in lets}
    leaves = [part for part in declared.walk() if isinstance(part, Leaf) and id(part) not in named]
    read = {leaf.text for leaf in leaves if leaf.terminal == "NAME"}
    texts = " ".join(leaf.text for leaf in leaves if leaf.terminal == "STRING" and _BRACE in leaf.text)
    return [let for let in plain if let.name.text not in read and let.name.text not in texts]


_EXPECTED = (rules.Expect, rules.ExpectNothingElse, rules.ExpectOffered, rules.ExpectNotOffered)


def doubtful_examples(book: Book) -> Iterator[Diagnostic]:
    """Examples that hold whatever the rules do, and those that cannot be told apart by their titles."""
    titles: dict[str, Leaf] = {}
    for block in book.examples:
        title = block.node.title
        same = titles.setdefault(block.title, title)
        if same is not title:
            yield report("W0210", title.span, same.span, language=block.language, title=block.title)
        if not any(isinstance(part, _EXPECTED) for part in block.node.parts):
            yield report("W0209", title.span, language=block.language, title=block.title)


def never_won(program: ir.Program, book: Book) -> Diagnostic | None:
    """That no rule of a game ever says who has won, or that nobody has."""
    bodies = [
        *(procedure.body for procedure in program.procedures),
        *(action.body for action in program.actions),
        *(victory.body for victory in program.victories),
    ]
    if not program.phases or any(isinstance(part, ir.EndGame) for body in bodies for part in parts(body)):
        return None
    return report("W0205", book.span, language=book.language)


def after_the_end(
    program: ir.Program, merged: Merged, places: dict[str, Span], last: int
) -> Iterator[Diagnostic]:
    """Phases that wait for a turn after the last one of all scenarios."""
    conditions: dict[str, list[ir.Expression | None]] = {}
    for procedure in program.procedures:
        for name, condition in _guarded(procedure.body):
            conditions.setdefault(name, []).append(condition)
    for name, guards in conditions.items():
        place, turns = places.get(name), [first_turn(guard) if guard is not None else 0 for guard in guards]
        if place is None or min(turns) <= last:
            continue
        rule = _rule_at(merged.books, place)
        if rule is not None:
            phase, turn = name.removeprefix("phase "), min(turns)
            yield report(
                "W0204", place, language=rule.language, rule=rule.id, name=phase, turn=turn, last=last
            )


def in_no_scenario(
    program: ir.Program, merged: Merged, scenarios: Iterable[Scenario]
) -> Iterator[Diagnostic]:
    """Ids of pieces and spaces that rules name and no scenario has; told where they are named first."""
    known = {kind.name for kind in program.kinds}
    for scenario in scenarios:
        known |= {piece.id for piece in scenario.pieces} | {space.id for space in scenario.spaces}
        known |= {pile for pile, _ in scenario.piles}
    named = {(part.id, part.site) for part in parts(program) if isinstance(part, ir.Ref)}
    for name, site in sorted(named, key=lambda one: (one[1].file, one[1].line, one[1].column)):
        rule = next((rule for book in merged.books for rule in book.rules if rule.id == site.rule), None)
        if name in known or rule is None or rule.node is None:
            continue
        source = rule.node.span.source
        start = source.offset(site.line, site.column)
        end = start + len(name) + 2 * (source.text[start : start + 1] == _QUOTE)
        advice = did_you_mean(name, sorted(known), rule.language) or None
        place = Span(source, start, end)
        yield report("W0208", place, language=rule.language, rule=rule.id, name=name, help=advice)
        known.add(name)


def _guarded(body: Iterable[object]) -> Iterator[tuple[str, ir.Expression | None]]:
    """The phases that a body performs, each with the condition right above it."""
    guarded: set[int] = set()
    inside = [part for part in parts(tuple(body)) if isinstance(part, (ir.If, ir.Perform))]
    for part in inside:
        if isinstance(part, ir.If):
            for step in part.then:
                if isinstance(step, ir.Perform) and step.name.startswith("phase "):
                    guarded.add(id(step))
                    yield step.name, part.condition
    for part in inside:
        if isinstance(part, ir.Perform) and part.name.startswith("phase ") and id(part) not in guarded:
            yield part.name, None


def _rule_at(books: list[Book], place: Span) -> RuleBlock | None:
    for book in books:
        for rule in book.rules:
            span = rule.node.span if rule.node is not None else None
            if span is not None and span.source is place.source and span.start <= place.start < span.end:
                return rule
    return None
