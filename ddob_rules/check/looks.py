"""From `shown as`, `named as`, `drawn with`, `status` and `measure` to how things look and are called, and to
what is told of a game.

They are read when all words and signatures are known, because they may ask for any of them. Nothing in play
depends on them; what a seat may not see is kept out of them when they are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Literal, assert_never

from ddob_rules.check.editions import test_of
from ddob_rules.check.scope import Held, Here, Scope, Vocabulary
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.vocabulary import in_force, lines_of
from ddob_rules.reports.diagnostics import Label
from ddob_rules.resources import grammar_table
from ddob_rules.stack.book import Kind, text_of
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.nodes import Node, rules
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.source import Span
from interpreter import ir


def read_looks(merged: Merged, words: Vocabulary) -> None:
    """How pieces, cards, spaces and edges look; a later ruleset takes the place of an earlier one."""
    for entry in merged.of_kind("piece", "card", "record", "space", "edge"):
        if entry.name in words.kinds:
            looks = _Looks(words, entry.name)
            for declaration in in_force(entry):
                for line in lines_of(declaration):
                    if not isinstance(line, rules.AttributeLine):
                        looks.read(Here(declaration.rule, words), line)


class _Looks:
    """Reads how the things of one kind look, line by line."""

    def __init__(self, words: Vocabulary, name: str) -> None:
        self.words = words
        self.name = name
        self.owner = words.kinds[name].owner
        self.said: dict[str, tuple[str, Span]] = {}  # by what is said: in which ruleset, and where

    def read(self, here: Here, line: rules.Looks) -> None:
        kind = self.words.kinds[self.name]
        scope = Scope()
        scope.add("it", ir.Type("piece" if kind.owner == "card" else kind.owner, (kind.name,)))
        values = Expressions(here, scope)
        match line:
            case rules.Look():
                if kind.owner == "edge":
                    here.error("E0351", line, word="shown as", owner=_THINGS[kind.owner])
                self._once(here, line, "shown as")
                kind = replace(kind, look=_look(values, line, here.site(line)))
            case rules.Drawn():
                for part in line.parts:
                    kind = replace(kind, drawn=self._part(values, kind.drawn, part))
            case rules.Marked():
                if kind.owner not in _MARKED:
                    here.error("E0351", line, word="marked as", owner=_THINGS[kind.owner])
                mark = ir.Drawn(part="mark", value=_mark(values, line), site=here.site(line))
                kind = replace(kind, drawn=(*kind.drawn, mark))
            case rules.Named():
                if kind.owner == "edge":
                    here.error("E0351", line, word="named as", owner=_THINGS[kind.owner])
                self._once(here, line, "named as")
                name = ir.Drawn(part="name", value=values.of(line.text, ir.TEXT), site=here.site(line))
                others = (part for part in kind.drawn if part.part != "name")
                kind = replace(kind, drawn=(*others, name))
            case rules.Titled():
                self._once(here, line, "titled as")
                kind = replace(kind, title=text_of(line.title))
            case _:
                assert_never(line)
        self.words.kinds[self.name] = kind

    def _once(self, here: Here, line: Node, what: str) -> None:
        before = self.said.get(what)
        if before is not None and before[0] == here.rule.ruleset:
            here.error("E0206", line, Label(before[1], "the first one"), name=what)
        self.said[what] = here.rule.ruleset, line.span

    def _part(
        self, values: Expressions, before: tuple[ir.Drawn, ...], place: rules.DrawnPart
    ) -> tuple[ir.Drawn, ...]:
        """What was drawn before, with this part in the place of the same part of an earlier ruleset."""
        here, word = values.here, _PARTS[place.word.word.terminal]
        self._once(here, place, place.word.word.text)
        if self.owner not in _DRAWN[word]:
            here.error("E0351", place, word=place.word.word.text, owner=_THINGS[self.owner])
        made = [ir.Drawn(part=word, value=_value(values, word, place.value), site=here.site(place))]
        if place.of is not None:
            if word != "steps":
                here.error("E0352", place.of, word=place.word.word.text)
            made.append(ir.Drawn(part="of", value=values.number(place.of), site=here.site(place)))
        replaced = {"steps": ("steps", "of")}.get(word, (word,))
        return (*(part for part in before if part.part not in replaced), *made)


# What each part of a drawing can be said of, and what it is called in the grammar.
_Word = Literal["symbol", "numbers", "steps", "pattern", "label", "region", "sides", "roads"]
_PARTS: dict[str, _Word] = {
    "SYMBOL": "symbol", "NUMBERS": "numbers", "STEPS": "steps", "PATTERN": "pattern", "LABEL": "label",
    "REGION": "region", "SIDES": "sides", "ROADS": "roads",
}  # fmt: skip
_MARKED = ("piece", "card")
_DRAWN: dict[_Word, tuple[str, ...]] = {
    "symbol": _MARKED, "numbers": _MARKED, "steps": _MARKED, "pattern": ("space",), "label": ("space",),
    "region": ("space",), "sides": ("edge",), "roads": ("edge",),
}  # fmt: skip
_THINGS = {"piece": "a piece", "card": "a card", "space": "a space", "edge": "an edge"}


def _look(values: Expressions, line: rules.Look, site: ir.Site) -> ir.Look:
    return ir.Look(
        text=values.of(line.shown, ir.TEXT),
        colour=_named(values, line.coloured) if line.coloured is not None else None,
        site=site,
    )


def _named(values: Expressions, place: Expression) -> ir.Expression:
    """Any value of an enum, or a text."""
    found = values.of(place)
    if found.type.tag != "enum":
        values.expect(found.type, ir.TEXT, place)
    return found


def _value(values: Expressions, word: _Word, place: Expression) -> ir.Expression:
    match word:
        case "steps":
            return values.number(place)
        case "label":
            return values.of(place, ir.TEXT)
        case "numbers":
            found = values.of(place)
            if found.type.tag != "number":
                values.expect(found.type, ir.TEXT, place)
            return found
        case "symbol" | "pattern":
            found = _named(values, place)
            _check_known(values.here, word, found, place)
            return found
        case "region":
            return values.of(place)
        case "sides" | "roads":
            found = values.of(place)
            several = found.type.tag in ("set", "list") and found.type.element is not None
            of = found.type.element if several else found.type
            if of is not None and of.tag not in ("enum", "flag"):
                values.expect(of, ir.TEXT, place)
            return found
        case _:
            assert_never(word)


def _check_known(here: Here, word: str, value: ir.Expression, place: Expression) -> None:
    """A text that is written out must be one that can be drawn."""
    known = drawings()[f"{word}s"]
    for text in _written_out(value):
        if text and text not in known:
            here.error("E0350", place, word=word, name=text, known=", ".join(dict.fromkeys(known.values())))


def _written_out(value: ir.Expression) -> Iterator[str]:
    match value:
        case ir.Const(value=text) if value.type == ir.TEXT:
            yield str(text)
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from _written_out(then)
            yield from _written_out(otherwise)


@cache
def drawings() -> dict[str, dict[str, str]]:
    """By sort, the words for what can be drawn, in any language, with the name of each drawing."""
    read = grammar_table("drawings.yaml")
    return {
        sort: {word: name for name, words in entries.items() for word in (name, *words)}
        for sort, entries in read.items()
    }


def _mark(values: Expressions, line: rules.Marked) -> ir.Expression:
    """The text while its condition holds, else none."""
    text = values.of(line.text, ir.TEXT)
    if line.condition is None:
        return text
    nothing = ir.Const(value="", type=ir.TEXT)
    return ir.Conditional(condition=values.flag(line.condition), then=text, otherwise=nothing, type=ir.TEXT)


def build_status(merged: Merged, words: Vocabulary) -> tuple[ir.Status, ...]:
    """The lines above the board, in the order of their rules."""
    found = []
    for here, place, of_the_rule in _additions(merged, words, rules.Status):
        values = Expressions(here, Scope())
        found.append(
            ir.Status(
                text=values.of(place.text, ir.TEXT),
                condition=_condition(here, of_the_rule, place.condition),
                value=values.number(place.value) if place.value is not None else None,
                of=values.number(place.of) if place.of is not None else None,
                site=here.site(place),
            )
        )
    return tuple(found)


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
