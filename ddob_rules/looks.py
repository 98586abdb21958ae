"""From `shown as`, `status` and `measure` to how things look on the board, and to what is told of a game.

They are read when all words and signatures are known, because they may ask for any of them. Nothing in play
depends on them; what a seat may not see is kept out of them when they are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ddob_rules.diagnostics import Label
from ddob_rules.editions import test_of
from ddob_rules.expressions import Expressions
from ddob_rules.overlay import Merged
from ddob_rules.phases import rule_order
from ddob_rules.scope import Held, Here, Scope, Vocabulary
from ddob_rules.tree import Item, Node, Tree, leaf, node, tree
from interpreter import ir


def read_looks(merged: Merged, words: Vocabulary) -> None:
    """The looks of pieces, cards and spaces; that of a later ruleset takes the place of an earlier one."""
    for entry in merged.of_kind("piece", "card", "space"):
        before: tuple[str, Node] | None = None
        for version in (*entry.versions[-1:], *entry.edits):
            if version.declaration is None or entry.name not in words.kinds:
                continue
            for line in map(node, node(version.declaration.node.items[-1]).items):
                if line.kind != "look":
                    continue
                here = Here(version.rule, words)
                if before is not None and before[0] == version.rule.ruleset:
                    here.error("E0206", line, Label(before[1].span, "the first one"), name="shown as")
                before = version.rule.ruleset, line
                kind = words.kinds[entry.name]
                words.kinds[entry.name] = replace(kind, look=_look(here, line, kind))


def _look(here: Here, line: Node, kind: ir.Kind) -> ir.Look:
    scope = Scope()
    scope.add("it", ir.Type("space" if kind.owner == "space" else "piece", (kind.name,)))
    text, colour = line.items
    return ir.Look(
        text=Expressions(here, scope).of(text, ir.TEXT),
        colour=_colour(Expressions(here, scope), colour) if colour is not None else None,
        site=here.site(line),
    )


def _colour(values: Expressions, item: Item) -> ir.Expression:
    """Any value of an enum, or a text."""
    found = values.of(item)
    if found.type.tag != "enum":
        values.expect(found.type, ir.TEXT, tree(item))
    return found


def build_status(merged: Merged, words: Vocabulary) -> tuple[ir.Status, ...]:
    """The lines above the board, in the order of their rules."""
    found = []
    for here, place, of_the_rule in _additions(merged, words, "status"):
        text, own = place.items
        found.append(
            ir.Status(
                text=Expressions(here, Scope()).of(text, ir.TEXT),
                condition=_condition(here, of_the_rule, own),
                site=here.site(place),
            )
        )
    return tuple(found)


def build_measures(merged: Merged, words: Vocabulary) -> tuple[ir.Measure, ...]:
    """The numbers that are told of a finished game, in the order of their rules."""
    found = []
    for here, place, of_the_rule in _additions(merged, words, "measure"):
        values = Expressions(here, Scope())
        found.append(
            ir.Measure(
                title=values.text(leaf(place.items[0])),
                value=values.number(place.items[1]),
                condition=_condition(here, of_the_rule),
                site=here.site(place),
            )
        )
    return tuple(found)


def _additions(merged: Merged, words: Vocabulary, kind: str) -> Iterator[tuple[Here, Node, Tree | None]]:
    """Declarations of a kind that is never replaced, in the order of rules, with the rules' conditions."""
    for version in sorted(merged.additions, key=lambda version: rule_order(version.rule.id)):
        if version.declaration is not None and version.declaration.kind == kind:
            yield Here(version.rule, words), version.declaration.node, version.condition


def _condition(here: Here, *tests: Item) -> ir.Expression | None:
    held = [Held(test, here.rule) for test in tests if test is not None]
    return test_of(here.vocabulary, Scope(), held)
