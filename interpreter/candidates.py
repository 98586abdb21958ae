"""From the moves that a map allows to those that a position allows, kept from choice to choice.

A move is a piece and a space. For each player there is a list of all moves that the map allows from where the
pieces stand, and beside it a list of keys: what stands at the space may allow the move or not, and `fit` says
by key which players it allows it. Whoever moves a piece changes its own few moves and the answers of two
spaces; going through the lists again is left to Python's own loops. What the rules say comes as functions
from generated code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.state import State

_KEPT_ANSWERS = 20_000  # sets of pieces whose answers are remembered; then the memory starts afresh
_BYTE, _BITS = 256, 8  # keys and players that bytes have room for

Move = tuple[int, int] | None  # None fills up the room of a piece
Flags = tuple[bool, ...]
Reached = list[list[tuple[int, int]]]  # by place: the spaces, each with the sort of the move


class Long(list[int]):
    """A list that is looked up in a table as bytes are, for games that bytes have no room for."""

    def translate(self, table: Any) -> Long:
        return Long([table[key] for key in self])


class _Player:
    """Whether a set of players holds one; for more players than bytes have room for."""

    def __init__(self, player: int) -> None:
        self._player = player

    def __getitem__(self, players: int) -> int:
        return players >> self._player & 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """The lists of a game that begins, and the tables for changing them."""

    opening: tuple[int, ...]  # where the pieces stand
    row: type[bytearray] | type[Long]
    moves: list[list[Move]]
    keys: list[Any]
    fit: Any
    tables: tuple[Any, ...]


class Candidates:
    """The moves of one action. It is made with the game, and filled when the first game begins."""

    def __init__(
        self,
        owners: list[int],
        players: int,
        source: Callable[[State, int, int], Iterable[int]],
        fixed: Callable[[State, int, int, int], Flags],
        fits: Callable[..., bool],
    ) -> None:
        """Whose the pieces are, and how many players there are; the spaces that a player reaches from one;
        what of the conditions nothing changes; and whether a set of pieces there allows the move."""
        self._owners = owners
        self._players = players
        self._source = source
        self._fixed = fixed
        self._fits = fits
        self._begun: _Begun | None = None

    def begin(self, S: State) -> tuple[Any, ...]:
        """The lists for a game that begins, and the tables for changing them."""
        at: list[int] = S.at
        begun = self._begun
        if begun is None or begun.opening != tuple(at):
            begun = self._begun = self._make(S, tuple(at))
        moves = [[*row] for row in begun.moves]
        return (moves, [begun.row(row) for row in begun.keys], begun.row(begun.fit), *begun.tables)

    def _make(self, S: State, opening: tuple[int, ...]) -> _Begun:
        inside: list[int] = S.inside
        places = len(inside) - 1  # the last element is nowhere
        owners = self._owners[: len(opening)]
        players = self._players
        sorts: dict[Flags, int] = {}
        reached: list[Reached] = [
            [self._reached(S, player, place, sorts) for place in range(places)] for player in range(players)
        ]
        reached.append([[] for _ in range(places)])  # nobody is the last player, and has no move
        width = max(len(row) for rows in reached for row in rows)
        size, never = len(sorts), len(sorts) * (places + 1)
        row = bytearray if never < _BYTE and players <= _BITS else Long
        keys = [_keys(rows, size, never, width, row) for rows in reached]
        moves = [_Moves(piece, reached[owner], width) for piece, owner in enumerate(owners)]
        answers = _Answers(
            lambda held: row(
                [sum(self._fits(S, p, held, *flags) << p for p in range(players)) for flags in sorts]
            )
        )
        begun_moves: list[list[Move]] = [[] for _ in reached]
        begun_keys: list[list[int]] = [[] for _ in reached]
        slots = []
        for piece, owner in enumerate(owners):
            slots.append(slice(len(begun_moves[owner]), len(begun_moves[owner]) + width))
            begun_moves[owner] += moves[piece][opening[piece]]
            begun_keys[owner] += keys[owner][opening[piece]]
        fit = [answer for held in inside for answer in answers[held]]
        fit += [0] * max(1, _BYTE - len(fit))  # bytes are looked up in tables of one size
        cells = [slice(place * size, (place + 1) * size) for place in range(places + 1)]
        only = [
            bytes(value >> player & 1 for value in range(_BYTE)) if row is bytearray else _Player(player)
            for player in range(players)
        ]
        tables = (only, cells, answers, slots, moves, [keys[owner] for owner in owners])
        return _Begun(opening=opening, row=row, moves=begun_moves, keys=begun_keys, fit=fit, tables=tables)

    def _reached(self, S: State, player: int, place: int, sorts: dict[Flags, int]) -> list[tuple[int, int]]:
        """The spaces that a player reaches from a place, each with the sort of the move."""
        return [
            (to, sorts.setdefault(self._fixed(S, player, place, to), len(sorts)))
            for to in self._source(S, player, place)
        ]


def _keys(rows: Reached, size: int, never: int, width: int, row: Callable[[list[int]], Any]) -> list[Any]:
    """By place, the keys of the moves from there; the last place is nowhere, from where there are none."""
    keys = [[to * size + sort for to, sort in moves] for moves in (*rows, [])]
    return [row([*found, *[never] * (width - len(found))]) for found in keys]


class _Moves(dict[int, tuple[Move, ...]]):
    """The moves of a piece by where it stands, as they are asked for."""

    def __init__(self, piece: int, reached: Reached, width: int) -> None:
        super().__init__({-1: (None,) * width})
        self._piece = piece
        self._reached = reached
        self._width = width

    def __missing__(self, place: int) -> tuple[Move, ...]:
        moves = [(self._piece, to) for to, _ in self._reached[place]]
        found = self[place] = (*moves, *[None] * (self._width - len(moves)))
        return found


class _Answers(dict[int, Any]):
    """For a set of pieces at a space, by sort of the move: the players that it allows it."""

    def __init__(self, work_out: Callable[[int], Any]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, held: int) -> Any:
        if len(self) > _KEPT_ANSWERS:
            self.clear()
        found = self[held] = self._work_out(held)
        return found
