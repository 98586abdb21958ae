"""From the journal to the pieces that a seat saw when something happened, though it may not see them now.

A card that was played for all to see stays what it was when it is shuffled back. Only what the rules leave no
doubt about counts: a place that the seat may always look into, and a kind of piece that nobody hides. What
somebody sees under a condition alone is left out, and so is what is on its way and laid down nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.telling.facts import Acted, Changed, Fact, Moved, PhaseBegan, Rolled, TurnBegan, newest_first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter import ir
    from interpreter.machine.game import Game
    from interpreter.machine.state import State
    from interpreter.telling.views import Sight


class Openness:
    """What one seat saw. The journal is read from its end, and only as far back as somebody asks."""

    def __init__(self, game: Game, state: State, sight: Sight) -> None:
        self.game = game
        self.sight = sight
        self._at = list(state.at)  # where pieces were, at the moment that was reached
        self._facts = newest_first(state.happened)
        self._number = sum(1 for _ in newest_first(state.happened))  # of the entry that was read last
        self._later: set[int] = set()  # pieces that came to lie openly in the course of an action
        self._seen: dict[int, frozenset[int]] = {}

    def moved(self, fact: Moved) -> bool:
        """Whether a piece was seen where it came from or where it went."""
        return fact.piece >= 0 and self._open(fact.piece, fact.old, fact.new)

    def at(self, number: int) -> frozenset[int]:
        """The pieces of an entry that were seen then: what changed, or what an action brought to light."""
        while self._number > number:
            self._read(next(self._facts))
        return self._seen.get(number, frozenset())

    def _read(self, fact: Fact) -> None:
        self._number -= 1
        match fact:
            case Moved(piece=piece, old=old, new=new) if piece >= 0:
                if self._open(piece, new):
                    self._later.add(piece)
                elif new >= 0:
                    self._later.discard(piece)  # where it went first is what the action did with it
                self._at[piece] = old
            case Changed(column=column, thing=piece) | Rolled(column=column, piece=piece):
                if piece >= 0 and column and self._changes_openly(column, piece):
                    self._seen[self._number] = frozenset((piece,))
            case Acted():
                self._seen[self._number] = frozenset(self._later.intersection(self._named(fact)))
                self._later.clear()
            case TurnBegan() | PhaseBegan():
                self._later.clear()

    def _named(self, fact: Acted) -> Iterator[int]:
        parameters = self.game.program.actions[fact.action].parameters
        for value, parameter in zip(fact.arguments, parameters, strict=True):
            yield from self.game.names.pieces_in(value, parameter.type)

    def _changes_openly(self, name: str, piece: int) -> bool:
        """Whether all could read an attribute of a piece; which other piece it names is not looked into."""
        column = self.game.columns[name]
        if column.owner != "piece" or column.type.names_pieces:
            return False
        return self.game.piece_kind[piece] not in dict(column.seen) and self._open(piece, self._at[piece])

    def _open(self, piece: int, *places: int) -> bool:
        if not self._always(self.sight.kinds.get(self.game.piece_kind[piece]), None):
            return False
        return any(map(self._place, places))

    def _place(self, place: int) -> bool:
        """Whether the seat may look there at any time; what is nowhere is on its way, and not laid down."""
        kind = self.game.pile_kind.get(place)
        if kind is None:
            return place >= 0
        owner = self.game.pile_numbers[kind.name].index(place) if kind.each == "player" else None
        return self._always(self.sight.piles.get(kind.name), owner)

    def _always(self, rule: int | None, owner: int | None) -> bool:
        return rule is None or any(self._grants(grant, owner) for grant in self.sight.rules[rule].grants)

    def _grants(self, grant: ir.Grant, owner: int | None) -> bool:
        if grant.condition is not None:
            return False
        match grant.seers:
            case "everyone":
                return True
            case "owner":
                return owner is not None and owner == self.sight.number
            case "team" | "face":
                return False  # teams change, and so do sides
            case names:
                return self.sight.seat in names
