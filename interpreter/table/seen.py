"""One seat's eyes on one position: what things are called when they travel, and which values it sees.

A thing that the seat cannot tell from others travels as `?` with a number that is made of its place and its
rank there, so that it says nothing of which thing it is, and stays the same as long as nothing moves.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.telling.names import in_words
from interpreter.telling.showing import Showing, label_attributes
from interpreter.telling.views import BYSTANDER, Sight

if TYPE_CHECKING:
    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

Fact = tuple[str, str]
"""The title of an attribute, and its value in words."""


class Seen:
    """What a seat sees; `BYSTANDER` sees what everyone sees."""

    def __init__(self, state: State, seat: str = BYSTANDER) -> None:
        self.game: Game = state.game
        self.state = state
        self.seat = seat
        self.sight = Sight(self.game, state, seat)
        self.callings = self.game.callings(state, seat) if self.game.faced else None
        self._columns: dict[tuple[str, str, bool], list[Column]] = {}

    @cached_property
    def showing(self) -> Showing:
        return Showing(self.game, self.state, self.seat)

    # ------------------------------------------------------------ things

    def knows(self, piece: int) -> bool:
        """Whether the seat knows which piece this is."""
        return self.sight.piece(piece) and (self.callings is None or self.callings.known(piece))

    def thing(self, piece: int) -> str:
        """What a piece is called on its way to the seat."""
        if piece < 0:
            return ""
        if self.knows(piece):
            return self.game.piece_ids[piece]
        return self.unknown[piece]

    @cached_property
    def unknown(self) -> dict[int, str]:
        """The pieces that the seat cannot tell apart, each with its number."""
        hidden = [piece for piece in range(len(self.game.piece_ids)) if not self.knows(piece)]
        hidden.sort(key=self._rank)
        found: dict[int, str] = {}
        counted: dict[int, int] = {}
        for piece in hidden:
            place = self.state.at[piece]
            number = counted[place] = counted.get(place, 0) + 1
            found[piece] = f"?{place + 1}.{number}"
        return found

    def _rank(self, piece: int) -> tuple[Any, ...]:
        place, kind = self.state.at[piece], self.game.piece_kind[piece]
        if self.callings is not None and kind in self.game.faced and self.sight.piece(piece):
            return place, 0, *self.callings.rank(piece)
        # Not even its markers are seen: an order that has nothing to do with what it is.
        return place, 1, kind, _salted(self.game, piece)

    def piece(self, thing: str) -> int | None:
        """The piece that is called so on its way; None if the seat sees none."""
        if thing.startswith("?"):
            return next((piece for piece, name in self.unknown.items() if name == thing), None)
        piece = self.game.piece_number.get(thing)
        return piece if piece is not None and self.knows(piece) else None

    def name(self, piece: int) -> str:
        """The one word for a piece, wherever it is read."""
        if self.knows(piece) and self.callings is None:
            return self.game.names.piece_title(self.game.piece_ids[piece])
        if self.callings is not None and self.sight.piece(piece):
            return self.callings.title(piece)
        return self.game.names.kind_title(self.game.piece_kind[piece])

    def calling(self, value: Any, kind: ir.Type) -> str:
        """A value of a type as the seat's messages name it: the id of a thing, or a plain value."""
        if kind.tag == "piece":
            return self.thing(value)
        if kind.element is not None:
            items = self.game.items(value, kind)
            called = [self.calling(item, kind.element) for item in items]
            return ",".join(sorted(called) if kind.tag == "set" and kind.names_pieces else called)
        if kind.tag == "edge":
            ends = self.game.board.edge_ends[value] if value >= 0 else ()
            return "|".join(self.game.place_ids[end] for end in ends)
        return str(self.game.names.id(value, kind))

    def words(self, value: Any, kind: ir.Type) -> str:
        """A value in words, with pieces as the seat calls them."""
        names = self.game.names
        if kind.tag == "piece" and value >= 0 and not self.sight.piece(value):
            return self.name(value)
        return names.spoken(names.writer()(value, kind), self.callings)

    @cached_property
    def place_names(self) -> dict[str, str]:
        """By space: the name printed on the map there, where it is not what the space itself is called.

        It is a text of the space which the rules draw as its label.
        """
        found = {}
        for kind in self.game.program.kinds:
            read = label_attributes(self.game, kind) if kind.owner == "space" else frozenset()
            columns = [
                column
                for column in (self.columns("space", kind.name, printed=True) if read else ())
                if column.attribute in read and column.type == ir.TEXT
            ]
            for number, space in enumerate(self.game.spaces) if columns else ():
                named = next((str(self.value(column, number)) for column in columns), "")
                if space.kind == kind.name and named not in ("", self.game.names.place_title(space.id)):
                    found[space.id] = named
        return found

    # ------------------------------------------------------------ values

    def columns(self, owner: str, kind: str, *, printed: bool) -> list[Column]:
        """The attributes of a kind that are worth telling: those that never change, or the others."""
        known = self._columns.get((owner, kind, printed))
        if known is not None:
            return known
        untold = _untold(self.game, kind)
        found = self._columns[owner, kind, printed] = [
            column
            for column in self.game.code.layout.attributes
            if column.owner == owner
            and kind in column.kinds
            and " " not in column.attribute
            and column.attribute not in untold
            and column.attribute != "face_up"
            and is_printed(self.game, column) == printed
        ]
        return found

    def value(self, column: Column, number: int) -> Any:
        values = self.game.values(self.state, column)
        return values[number]

    def facts(self, owner: str, kind: str, number: int, *, printed: bool) -> list[Fact]:
        """The attributes of a thing that say something, in words."""
        found = []
        for column in self.columns(owner, kind, printed=printed):
            value = self.value(column, number)
            if is_empty(column.type, value) or not (printed or self.sight.attribute(column, number)):
                continue
            title = self.game.names.attribute_title(column.attribute)
            found.append((title, "" if value is True else self.words(value, column.type)))
        return found


def is_printed(game: Game, column: Column) -> bool:
    """Whether all may read an attribute and it never changes: it stands in the book then."""
    element = column.type.element.tag if column.type.element is not None else ""
    return column.fixed and not column.seen and not ("piece" in (column.type.tag, element) and game.faced)


def is_empty(kind: ir.Type, value: Any) -> bool:
    """Whether a value needs no telling: nothing is there."""
    if value is False or value == 0 and kind.tag == "number":
        return True
    match kind.tag:
        case "flag":
            return not bool(value)
        case "number" | "set":
            return bool(value == 0)
        case "text":
            return bool(value == "")
        case "list":
            return not value
        case _:
            return bool(value < 0)


def _untold(game: Game, kind: str) -> frozenset[str]:
    for entry in game.program.kinds:
        if entry.name == kind:
            return frozenset(attribute.name for attribute in entry.attributes if attribute.untold)
    return frozenset()


def _salted(game: Game, piece: int) -> str:
    return hashlib.sha256(f"{game.scenario.hash} {game.piece_ids[piece]}".encode()).hexdigest()


def title_of(name: str) -> str:
    """A name of the rules as a heading."""
    words = in_words(name)
    return words[:1].upper() + words[1:]
