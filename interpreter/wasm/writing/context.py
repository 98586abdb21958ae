"""What all functions of a module share while they are written: the program, the data of the game, memory."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.machine.game import Game
from interpreter.passes.analysis import column, identifier
from interpreter.passes.lowered import Lowered, StaticSteps
from interpreter.wasm.frames import Frame
from interpreter.wasm.layout import Layout, Table
from interpreter.wasm.shapes import Shapes, Span, Unsupported
from interpreter.wasm.writing.wat import Module


@dataclass(eq=False, slots=True)
class Context:
    game: Game
    lowered: Lowered
    module: Module
    shapes: Shapes
    layout: Layout
    definitions: dict[str, ir.Definition] = field(default_factory=dict)
    tables: dict[str, ir.Table] = field(default_factory=dict)
    priorities: dict[str, ir.Priority] = field(default_factory=dict)
    parameters: dict[str, tuple[ir.Parameter, ...]] = field(
        default_factory=dict
    )  # of procedures that run through
    enums: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()  # procedures that may end the game
    rows: frozenset[str] = frozenset()  # definitions of which it is known where they hold
    in_place: frozenset[str] = frozenset()  # definitions that are written where they are called
    frames: dict[str, Frame] = field(default_factory=dict)  # of procedures that may wait
    strides: tuple[int, ...] = ()  # by question: how many bytes an option takes
    sites: dict[ir.Site, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    _fixed: dict[str, Table] = field(default_factory=dict)
    _data: dict[object, int] = field(default_factory=dict)

    def site(self, site: ir.Site) -> int:
        """The number of a place in the rules, for failures."""
        return self.sites.setdefault(site, len(self.sites))

    def text(self, text: str) -> int:
        """Texts are numbers here: only whether they are the same can matter to rules."""
        return self.texts.setdefault(text, len(self.texts))

    def makes_text(self, e: object) -> bool:
        """Whether a text is put together while the game runs; those have no number."""
        for part in parts(e):
            match part:
                case ir.Format() | ir.Builtin(name="name_of"):
                    return True
                case ir.Call(name=name, type=ir.Type(tag="text")):
                    if self.makes_text(
                        self.definitions[name].body if name in self.definitions else self.tables[name].rows
                    ):
                        return True
        return False

    # ------------------------------------------------------------ the game's data, put into memory once

    def extent(self, kind: str) -> int:
        """All things of a kind, as a bit mask."""
        return int(self.game.namespace[identifier("M", kind)])

    def number_of(self, reference: ir.Ref) -> int:
        """The number of a thing that the rules mention by its id."""
        game, ident = self.game, reference.id
        numbers = game.piece_number if reference.type.tag == "piece" else game.place_number
        number = numbers.get(ident, -1)
        if number < 0:  # an untyped id may be either
            number = game.place_number.get(ident, game.piece_number.get(ident, -1))
        return number

    def given(self, variable: str) -> Any:
        """The value of a variable that no rule changes."""
        return self.game.namespace[identifier("G", variable)]

    def fixed_column(self, owner: str, attribute: str, enum: str) -> Table:
        """The table of an attribute that never changes."""
        name = column(owner, attribute, enum)
        known = self._fixed.get(name)
        if known is None:
            kind = next(one.type for one in self.game.code.layout.attributes if one.name == name)
            known = self._fixed[name] = self.table(self.game.namespace[f"F_{name}"], kind)
        return known

    def table(self, values: Sequence[Any], kind: ir.Type) -> Table:
        """A table of values; the last of them is for nothing, and comes first in memory."""
        size = 4 if kind.tag in ("list", "text") else self.shapes.size(kind)
        data = b"".join(self._encoded(value, kind, size) for value in (values[-1], *values[:-1]))
        place = self.module.fill(data)
        return Table(address=place + size, size=size, count=len(values) - 1, type=kind)

    def _encoded(self, value: Any, kind: ir.Type, size: int) -> bytes:
        match kind.tag:
            case "set":
                assert kind.element is not None
                return words_of(value, self.shapes.span(kind.element))
            case "list":
                assert kind.element is not None
                return struct.pack("<i", self.listed(value, kind.element))
            case "text":
                return struct.pack("<i", self.text(str(value)))
            case _:
                return int(value).to_bytes(size, "little", signed=True)

    def listed(self, items: Sequence[Any], element: ir.Type) -> int:
        """The address of a list that never changes."""
        key = ("list", element.tag, tuple(items))
        if key not in self._data:
            values = [self.text(str(item)) if element.tag == "text" else int(item) for item in items]
            if element.tag in ("set", "list"):
                raise Unsupported(f"a list of {element}")
            self._data[key] = self.module.fill(struct.pack(f"<{len(values) + 1}q", len(values), *values))
        return self._data[key]

    def lists(self, key: object, rows: Sequence[Sequence[int]]) -> int:
        """The address of pointers to lists, one for each thing; the last is for nothing and comes first."""
        if key not in self._data:
            places = [self.listed(row, ir.NUMBER) for row in (rows[-1], *rows[:-1])]
            self._data[key] = self.module.fill(struct.pack(f"<{len(places)}i", *places)) + 4
        return self._data[key]

    def sets(self, key: object, masks: Sequence[int], span: Span) -> int:
        """The address of sets, one for each thing; the last is for nothing and comes first."""
        if key not in self._data:
            data = b"".join(words_of(mask, span) for mask in (masks[-1], *masks[:-1]))
            self._data[key] = self.module.fill(data) + span.size
        return self._data[key]

    def halves(self, key: object, values: Sequence[int]) -> int:
        """The address of numbers of 32 bits; the last is for nothing and comes first."""
        if key not in self._data:
            numbers = (values[-1], *values[:-1])
            self._data[key] = self.module.fill(struct.pack(f"<{len(numbers)}i", *numbers)) + 4
        return self._data[key]

    def bytes(self, key: object, data: bytes) -> int:
        if key not in self._data:
            self._data[key] = self.module.fill(data)
        return self._data[key]

    def room(self, key: object, size: int) -> int:
        """The address of memory that is given out once under this key."""
        if key not in self._data:
            self._data[key] = self.module.reserve(size)
        return self._data[key]

    # ------------------------------------------------------------ the board

    @property
    def spaces(self) -> Span:
        return self.shapes.universe("space")

    def neighbours(self, kinds: int = -1) -> list[tuple[int, ...]]:
        """By place: the neighbours that are among these; the last is for nothing."""
        near = self.game.board.neighbour_list
        return [tuple(space for space in row if kinds >> space & 1) for row in near]

    def neighbour_sets(self, one_kind: bool) -> int:
        name = "NEAR" if one_kind else "NEIGHBOURS"
        return self.sets(("sets", name), self.game.namespace[name], self.spaces)

    def neighbour_lists(self, one_kind: bool) -> int:
        name = "NEAR_LIST" if one_kind else "NEIGHBOURS_LIST"
        return self.lists(("lists", name), self.game.namespace[name])

    def open_steps(self, steps: StaticSteps) -> tuple[int, int, list[tuple[int, ...]]]:
        """For steps that nothing changes: where it stands whether they are known, the address of pointers to
        their lists, and the steps that there could be.
        """
        kinds = 0
        for kind in steps.kinds:
            kinds |= self.extent(kind)
        rows = self.neighbours(kinds)
        key = ("open steps", steps.number)
        known = self.room((key, "known"), 8)
        if key not in self._data:
            ends = [0]
            for row in (rows[-1], *rows[:-1]):
                ends.append(ends[-1] + 8 + 8 * len(row))
            room = self.module.reserve(ends[-1])
            places = [room + start for start in ends[:-1]]
            self._data[key] = self.module.fill(struct.pack(f"<{len(places)}i", *places)) + 4
        return known, self._data[key], rows

    def steps(self) -> tuple[int, int]:
        """The address of where a step in each direction leads, and how many bytes a direction takes."""
        rows = self.game.namespace["STEP"]
        data = b"".join(struct.pack(f"<{len(row)}i", row[-1], *row[:-1]) for row in (rows[-1], *rows[:-1]))
        size = 4 * len(rows[0])
        return self.bytes("steps", data) + size + 4, size


def words_of(mask: int, span: Span) -> bytes:
    """A set as it lies in memory."""
    if mask < 0:  # in a frame: a slot that has no value yet
        return b"\xff" * span.size
    return (mask >> 64 * span.low & (1 << 64 * span.words) - 1).to_bytes(span.size, "little")
