"""From a value as written and the type that is wanted to the value as the interpreter encodes it.

What has the wrong form was told by the schema, so it is passed over in silence here (and remembered); what
is told here is ids that mean nothing, or something of the wrong kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ddob_rules.library.yamldoc import (
    MOST_DIAGNOSTICS,
    Node,
    ScalarNode,
    SequenceNode,
    entries_of,
    first_line,
    plain_value,
)
from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.schema import enum_values, pile_ids
from ddob_rules.scenarios.schema_problems import type_words
from ddob_rules.syntax.source import Span
from interpreter.ir import Attribute, Kind, Program, Type
from interpreter.machine.scenario import Value, Values

LARGEST_NUMBER = 10**12
# Comparing an id with some thousand others takes its time; after so many unknown ones it helps no more.
_MOST_SUGGESTIONS = 20

_FLAGS = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
# A set of these is one number, a bit for each value; sets of anything else are tuples.
_NOTHING = ("none", "", "~", "null", "Null", "NULL")


@dataclass(slots=True, kw_only=True)
class Encoder:
    """Knows what there is to refer to; `spaces_known` is false if a mistake in the boards hides spaces."""

    program: Program
    language: str = "en"
    spaces: dict[str, Kind] = field(default_factory=dict)
    pieces: dict[str, Kind] = field(default_factory=dict)
    piles: dict[str, Kind] = field(default_factory=dict)
    spaces_known: bool = True
    pieces_known: bool = True
    diagnostics: list[Diagnostic] = field(default_factory=list)
    passed_over: list[Node] = field(default_factory=list)
    _suggestions: int = 0
    _enums: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.piles = pile_ids(self.program)

    def report(
        self,
        code: str,
        *places: Span | Label,
        help: str | None = None,
        notes: Iterable[str] = (),
        **arguments: str,
    ) -> None:
        if len(self.diagnostics) < MOST_DIAGNOSTICS:
            made = report(code, *places, language=self.language, help=help, notes=notes, **arguments)
            self.diagnostics.append(made)

    def attributes(self, declared: tuple[Attribute, ...], given: Mapping[str, Node]) -> Values:
        """The values that are given for attributes, in the order in which those are declared."""
        values: list[tuple[str, Value]] = []
        for attribute in declared:
            node = given.get(attribute.given_as)
            if attribute.family and node is not None:
                entry = entries_of(node).get(attribute.key)
                node = entry.value if entry is not None else None
            if node is None or (attribute.optional and self._is_nothing(attribute.type, node)):
                continue
            value = self.value(attribute.type, node)
            if value is not None:
                values.append((attribute.name, value))
        return tuple(values)

    def value(self, wanted: Type, node: Node) -> Value | None:
        """The encoded value; None if it cannot be one, which was told or is remembered."""
        match wanted.tag:
            case "set":
                return self._set(wanted, node)
            case "list":
                return self._list(wanted, node)
            case _ if isinstance(node, ScalarNode):
                value = self._single(wanted, node)
            case _:
                value = None
        if value is None:
            self.passed_over.append(node)
        return value

    def place(self, node: ScalarNode) -> Kind | None:
        """The kind of the space or pile with an id."""
        found = self.spaces.get(node.text) or self.piles.get(node.text)
        if found is None and self.spaces_known:
            self.unknown(node, "place", [*self.spaces, *self.piles])
        return found

    def unknown(self, node: ScalarNode, expected: str, candidates: Iterable[str]) -> None:
        """Tell that nothing has an id."""
        advice = ""
        self._suggestions += 1
        if self._suggestions <= _MOST_SUGGESTIONS:
            advice = did_you_mean(node.text, candidates, self.language)
        words = type_words(expected, self.language)
        self.report("E0622", first_line(node.span), help=advice, id=node.text, expected=words)

    def names(self, enum: str) -> tuple[str, ...]:
        if enum not in self._enums:
            self._enums[enum] = enum_values(self.program, enum)
        return self._enums[enum]

    def _is_nothing(self, wanted: Type, node: Node) -> bool:
        if not isinstance(node, ScalarNode) or node.text not in _NOTHING:
            return False
        own = wanted.tag == "enum" and node.text in self.names(wanted.names[0])
        return not own and (node.plain or node.text == "none")

    def _single(self, wanted: Type, node: ScalarNode) -> Value | None:
        match wanted.tag:
            case "number":
                number = plain_value(node)
                whole = isinstance(number, int) and not isinstance(number, bool)
                return number if whole and abs(number) <= LARGEST_NUMBER else None  # type: ignore
            case "flag":
                return _FLAGS.get(node.text.lower())
            case "text":
                return node.text
            case "enum":
                names = self.names(wanted.names[0])
                return names.index(node.text) if node.text in names else None
            case "piece":
                return self._reference(wanted, node, self.pieces, self.pieces_known)
            case "space":
                return self._reference(wanted, node, self.spaces, self.spaces_known)
            case "pile":
                return self._reference(wanted, node, self.piles, True)
            case "edge":
                return node.text
            case _:
                return None

    def _reference(
        self, wanted: Type, node: ScalarNode, known: Mapping[str, Kind], complete: bool
    ) -> str | None:
        kind = known.get(node.text)
        if kind is None:
            if complete:
                self.unknown(node, wanted.tag, known)
        elif wanted.names and kind.name not in wanted.names:
            if not complete:
                return None
            expected = " | ".join(wanted.names)
            place = first_line(node.span)
            self.report("E0623", place, id=node.text, kind=kind.name, expected=expected)
        else:
            return node.text
        return None

    def _set(self, wanted: Type, node: Node) -> Value | None:
        values = self._elements(wanted, node.items if isinstance(node, SequenceNode) else (node,))
        if values is None:
            return None
        if wanted.element is not None and wanted.element.tag == "enum":
            return sum(1 << index for index in values if isinstance(index, int))
        return tuple(values)

    def _list(self, wanted: Type, node: Node) -> Value | None:
        if not isinstance(node, SequenceNode) or wanted.element is None:
            self.passed_over.append(node)
            return None
        values = [self.value(wanted.element, item) for item in node.items]
        known = [value for value in values if value is not None]
        return tuple(known) if len(known) == len(values) else None

    def _elements(self, wanted: Type, items: tuple[Node, ...]) -> list[Value] | None:
        values: dict[Value, Node] = {}
        complete = True
        for item in items:
            value = self.value(wanted.element, item) if wanted.element is not None else None
            if value is None:
                complete = False
            elif value in values:
                self.listed_twice(item, values[value])
            else:
                values[value] = item
        return list(values) if complete else None

    def listed_twice(self, item: Node, before: Node) -> None:
        """Tell that a list names the same thing twice."""
        text = item.text if isinstance(item, ScalarNode) else item.span.text
        self.report("E0636", first_line(item.span), Label(first_line(before.span)), value=text)
