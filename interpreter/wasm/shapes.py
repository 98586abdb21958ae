"""How values lie in memory: which words a set of a type can have, and how many bytes a value takes.

Things of a kind are numbered in one run, so a set of them needs only the words that the run touches. Words
have 64 things; word 0 holds things 0 to 63. "Nothing" is -1 and never a member.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter import ir
from interpreter.machine.game import Game
from interpreter.wasm.writing.wat import ValueType


class Unsupported(Exception):
    """Something that this engine cannot do; the Python engine plays the game instead."""


def value_type(kind: ir.Type) -> ValueType:
    """Numbers have 64 bits; flags, things, values of enums, texts and the addresses of lists 32."""
    return "i64" if kind.tag == "number" else "i32"


@dataclass(frozen=True, slots=True)
class Span:
    """The words that a set can have: from `low` up to `high`, that one left out."""

    low: int
    high: int

    @property
    def words(self) -> int:
        return self.high - self.low

    @property
    def size(self) -> int:
        return 8 * self.words

    def joined(self, other: Span) -> Span:
        if not self.words or not other.words:
            return self if self.words else other
        return Span(min(self.low, other.low), max(self.high, other.high))

    def common(self, other: Span) -> Span:
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Span(low, high) if low < high else Span(0, 0)


@dataclass(eq=False, slots=True)
class Shapes:
    """What a game's numbers mean for memory."""

    game: Game
    longest: int = 0  # of lists of numbers that a position holds
    _spans: dict[ir.Type, Span] = field(default_factory=dict)

    @property
    def pieces(self) -> int:
        return len(self.game.piece_ids)

    @property
    def places(self) -> int:
        return len(self.game.place_ids)

    def span(self, element: ir.Type) -> Span:
        """The words of a set of such things."""
        known = self._spans.get(element)
        if known is None:
            known = self._spans[element] = self._find_span(element)
        return known

    def _find_span(self, element: ir.Type) -> Span:
        match element.tag:
            case "enum":
                return _words(0, len(self.game.enums[element.names[0]].values))
            case "piece":
                return self._of_kinds(element.names, self.game.piece_kind)
            case "space":
                kinds = [space.kind for space in self.game.spaces]
                piles = [""] * (self.places - len(kinds))
                return self._of_kinds(element.names, kinds + piles)
            case "pile":
                return _words(0, self.places)
            case "edge":
                return _words(0, self.game.board.edge_count)
            case "flag":
                return _words(0, 2)
            case "nothing":
                return Span(0, 0)
            case _:
                raise Unsupported(f"a set of {element}")

    def _of_kinds(self, names: tuple[str, ...], kinds: list[str]) -> Span:
        known = {kind.name for kind in self.game.program.kinds if kind.owner != "pile"}
        if not names or not all(name in known for name in names):
            return _words(0, len(kinds))
        found = [number for number, kind in enumerate(kinds) if kind in names]
        return _words(found[0], found[-1] + 1) if found else Span(0, 0)

    def universe(self, tag: str) -> Span:
        """The words of a set of any things of this sort."""
        return self.span(ir.Type("piece" if tag == "piece" else "pile"))

    def count(self, kind: ir.Type) -> int:
        """How many different values of a type there are, nothing not counted."""
        match kind.tag:
            case "enum":
                return len(self.game.enums[kind.names[0]].values)
            case "flag":
                return 2
            case "piece":
                return self.pieces
            case "space" | "pile":
                return self.places
            case "edge":
                return self.game.board.edge_count
            case _:
                raise Unsupported(f"how many of {kind}")

    def capacity(self, kind: ir.Type) -> int:
        """How long a list may be that a position holds; the engine makes room when one grows longer."""
        assert kind.element is not None
        if kind.element.tag in ("piece", "space", "pile", "edge", "enum"):
            return max(8, self.count(kind.element), self.longest)
        return max(64, self.longest)

    def size(self, kind: ir.Type) -> int:
        """How many bytes a value takes in a column."""
        match kind.tag:
            case "number":
                return 8
            case "flag":
                return 1
            case "enum":
                return 1 if self.count(kind) < 127 else 2
            case "piece" | "space" | "pile" | "edge":
                return 2 if self.count(kind) < 32_000 else 4
            case "set":
                assert kind.element is not None
                return self.span(kind.element).size
            case "list":
                return 8 + 8 * self.capacity(kind)
            case _:
                return 4


def _words(first: int, end: int) -> Span:
    return Span(first // 64, -(-end // 64)) if end > first else Span(0, 0)


#: How a value of so many bytes is read, and written, by its type in a local.
LOADS = {1: "i32.load8_s", 2: "i32.load16_s", 4: "i32.load", 8: "i64.load"}
STORES = {1: "i32.store8", 2: "i32.store16", 4: "i32.store", 8: "i64.store"}
