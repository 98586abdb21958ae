"""Other pieces in the places of some, everywhere in a state: piles, attributes, variables, frames, options.

The values that change in play stay with the place, as they do when two counters change places under their
markers. What is printed on a piece goes with the piece. Who may be exchanged for whom is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from interpreter import ir
from interpreter.compiler.blocks import DONE
from interpreter.passes.analysis import identifier

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

# Where something stands in a frame or in an action, and its type.
_Slots = tuple[tuple[int, ir.Type], ...]


def exchange(game: Game, state: State, identity: dict[int, int]) -> None:
    """Puts other pieces in the places of some, everywhere in the state; `identity` must be one to one."""
    naming = _naming(game)
    exchanged = _Exchanged(game, identity)
    for name, kind in naming.columns:
        exchanged.put_into(getattr(state, name), kind)
    for name in naming.own:
        _move(getattr(state, name), identity)
    _move(state.at, identity)
    first_pile = len(game.spaces)
    for place in {state.at[piece] for piece in identity}:
        if place >= first_pile:
            state.order[place - first_pile] = exchanged.items(state.order[place - first_pile])
        if place >= 0:
            state.inside[place] = exchanged.members(state.inside[place])
    for name, kind in naming.variables:
        setattr(state, name, exchanged.value(getattr(state, name), kind))
    for frame in state.stack:
        for slot, kind in naming.frames.get(frame[0], ()):
            if slot < len(frame):
                frame[slot] = exchanged.value(frame[slot], kind)
    state.options = _renamed_options(game, state, exchanged)


def offered_pieces(game: Game, state: State) -> frozenset[int]:
    """The pieces that the options on offer name."""
    noted = _Noted(game)
    _renamed_options(game, state, noted)
    return frozenset(noted.found)


class _Exchanged:
    """Values with other pieces in them; a slot that is not yet filled stays so."""

    def __init__(self, game: Game, identity: dict[int, int]) -> None:
        self.game = game
        self.identity = identity
        self.moved = sum(1 << piece for piece in identity)

    def value(self, value: Any, kind: ir.Type) -> Any:
        if isinstance(value, tuple):
            return self.items(value)
        if value < 0:
            return value
        return self.members(value) if kind.tag == "set" else self.piece(value)

    def piece(self, piece: int) -> int:
        return self.identity.get(piece, piece)

    def items(self, pieces: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(self.piece, pieces))

    def members(self, pieces: int) -> int:
        there = pieces & self.moved
        if there:
            pieces &= ~there
            for piece in self.game.members(there):
                pieces |= 1 << self.identity[piece]
        return pieces

    def put_into(self, column: list[Any], kind: ir.Type) -> None:
        """Changes many values, most of which name nobody who is exchanged."""
        if kind.tag == "piece" and self.identity.keys().isdisjoint(column):
            return
        column[:] = [self.value(value, kind) for value in column]


class _Noted(_Exchanged):
    """Changes nothing, and notes which pieces there are."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, {})
        self.found: set[int] = set()

    def piece(self, piece: int) -> int:
        self.found.add(piece)
        return piece

    def members(self, pieces: int) -> int:
        self.found.update(self.game.members(pieces))
        return pieces


@dataclass(frozen=True, slots=True)
class _Naming:
    """Where in the positions of a game pieces are named, or something of each piece stands."""

    columns: tuple[tuple[str, ir.Type], ...]
    own: tuple[str, ...]  # columns with a value for each piece
    variables: tuple[tuple[str, ir.Type], ...]
    frames: dict[int, _Slots]  # by block
    actions: tuple[_Slots, ...]


_NAMINGS: WeakKeyDictionary[Game, _Naming] = WeakKeyDictionary()


def _naming(game: Game) -> _Naming:
    found = _NAMINGS.get(game)
    if found is None:
        found = _NAMINGS[game] = _make_naming(game)
    return found


def _make_naming(game: Game) -> _Naming:
    program = game.program
    changing = [entry for entry in game.code.layout.attributes if not entry.fixed]
    frames = {block: _slots(kind for _, kind in locals_) for block, locals_ in game.code.frames}
    return _Naming(
        columns=tuple((entry.name, entry.type) for entry in changing if entry.type.names_pieces),
        own=tuple(entry.name for entry in changing if entry.owner == "piece"),
        variables=tuple(
            (identifier("v", one.name), one.type) for one in program.variables if one.type.names_pieces
        ),
        frames={block: slots for block, slots in frames.items() if slots},
        actions=tuple(_slots(one.type for one in action.parameters) for action in program.actions),
    )


def _slots(kinds: Iterable[ir.Type]) -> _Slots:
    """Which values that stand behind a number name pieces."""
    return tuple((slot, kind) for slot, kind in enumerate(kinds, start=1) if kind.names_pieces)


def _renamed_options(game: Game, state: State, exchanged: _Exchanged) -> list[Any]:
    if state.ask < 0:
        return state.options
    ask = game.code.asks[state.ask]
    if ask.sort == "offer":
        actions = _naming(game).actions
        return [_renamed_action(option, actions, exchanged) for option in state.options]
    if not ask.type.names_pieces:
        return state.options
    return [option if option == DONE else exchanged.value(option, ask.type) for option in state.options]


def _renamed_action(
    option: tuple[Any, ...], actions: tuple[_Slots, ...], exchanged: _Exchanged
) -> tuple[Any, ...]:
    slots = actions[option[0]] if option else ()
    if not slots:
        return option
    values = list(option)
    for slot, kind in slots:
        values[slot] = exchanged.value(values[slot], kind)
    return tuple(values)


def _move(column: list[Any], identity: dict[int, int]) -> None:
    before = [column[old] for old in identity]
    for new, value in zip(identity.values(), before, strict=True):
        column[new] = value
