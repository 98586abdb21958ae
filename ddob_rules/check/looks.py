"""From `shown as`, `status` and `measure` to how things look on the board, and to what is told of a game.

They are read when all words and signatures are known, because they may ask for any of them. Nothing in play
depends on them; what a seat may not see is kept out of them when they are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ddob_rules.check.editions import test_of
from ddob_rules.check.scope import Held, Here, Scope, Vocabulary
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.vocabulary import in_force, lines_of
from ddob_rules.reports.diagnostics import Label
from ddob_rules.stack.book import Kind
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.nodes import rules
from ddob_rules.syntax.nodes.expressions import Expression
from interpreter import ir


def read_looks(merged: Merged, words: Vocabulary) -> None:
    """The looks of pieces, cards and spaces; that of a later ruleset takes the place of an earlier one."""
    for entry in merged.of_kind("piece", "card", "space"):
        before: tuple[str, rules.Look] | None = None
        for declaration in in_force(entry) if entry.name in words.kinds else ():
            for line in lines_of(declaration):
                if not isinstance(line, rules.Look):
                    continue
                here = Here(declaration.rule, words)
                if before is not None and before[0] == here.rule.ruleset:
                    here.error("E0206", line, Label(before[1].span, "the first one"), name="shown as")
                before = here.rule.ruleset, line
                kind = words.kinds[entry.name]
                words.kinds[entry.name] = replace(kind, look=_look(here, line, kind))


def _look(here: Here, line: rules.Look, kind: ir.Kind) -> ir.Look:
    scope = Scope()
    scope.add("it", ir.Type("space" if kind.owner == "space" else "piece", (kind.name,)))
    return ir.Look(
        text=Expressions(here, scope).of(line.shown, ir.TEXT),
        colour=_colour(Expressions(here, scope), line.coloured) if line.coloured is not None else None,
        site=here.site(line),
    )


def _colour(values: Expressions, place: Expression) -> ir.Expression:
    """Any value of an enum, or a text."""
    found = values.of(place)
    if found.type.tag != "enum":
        values.expect(found.type, ir.TEXT, place)
    return found


def build_status(merged: Merged, words: Vocabulary) -> tuple[ir.Status, ...]:
    """The lines above the board, in the order of their rules."""
    return tuple(
        ir.Status(
            text=Expressions(here, Scope()).of(place.value, ir.TEXT),
            condition=_condition(here, of_the_rule, place.condition),
            site=here.site(place),
        )
        for here, place, of_the_rule in _additions(merged, words, rules.Status)
    )


def build_measures(merged: Merged, words: Vocabulary) -> tuple[ir.Measure, ...]:
    """The numbers that are told of a finished game, in the order of their rules."""
    found = []
    for here, place, of_the_rule in _additions(merged, words, rules.Measure):
        values = Expressions(here, Scope())
        found.append(
            ir.Measure(
                title=values.text(place.title),
                value=values.number(place.value),
                condition=_condition(here, of_the_rule),
                site=here.site(place),
            )
        )
    return tuple(found)


def _additions(
    merged: Merged, words: Vocabulary, kind: type[Kind]
) -> Iterator[tuple[Here, Kind, Expression | None]]:
    """Declarations of a kind that is never replaced, in the order of rules, with the rules' conditions."""
    for version in sorted(merged.additions, key=lambda version: merged.order(version.rule.id)):
        if version.declaration is not None and isinstance(version.declaration.node, kind):
            yield Here(version.rule, words), version.declaration.node, version.condition


def _condition(here: Here, *tests: Expression | None) -> ir.Expression | None:
    held = [Held(test, here.rule) for test in tests if test is not None]
    return test_of(here.vocabulary, Scope(), held)
