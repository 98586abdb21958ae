"""Other pieces in the places of some, everywhere in a state: piles, attributes, variables, frames, options.

The values that change in play stay with the place, as they do when two counters change places under their
markers. What is printed on a piece goes with the piece. Who may be exchanged for whom is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.compiler.blocks import DONE
from interpreter.passes.analysis import identifier

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

Rename = Callable[[int], int]
_SOME_PIECES = ir.set_of(ir.PIECE)


def exchange(game: Game, state: State, identity: dict[int, int]) -> None:
    """Puts other pieces in the places of some, everywhere in the state; `identity` must be one to one."""

    def new(piece: int) -> int:
        return identity.get(piece, piece)

    layout = game.code.layout
    for entry in layout.attributes:
        if not entry.fixed:
            column = getattr(state, entry.name)
            if entry.type.names_pieces:
                column[:] = _renamed_column(game, column, entry.type, identity)
            if entry.owner == "piece":
                _move(column, identity)
    _move(state.at, identity)
    first_pile = len(game.spaces)
    changed = {state.at[piece] for piece in identity}
    for place in changed:
        if place >= first_pile:
            state.order[place - first_pile] = tuple(new(piece) for piece in state.order[place - first_pile])
        if place >= 0:
            state.inside[place] = renamed(game, state.inside[place], _SOME_PIECES, new)
    for variable in game.program.variables:
        name = identifier("v", variable.name)
        if variable.type.names_pieces:
            setattr(state, name, renamed(game, getattr(state, name), variable.type, new))
    frames = dict(game.code.frames)
    for frame in state.stack:
        for slot, (_, kind) in enumerate(frames.get(frame[0], ()), start=1):
            if slot < len(frame):
                frame[slot] = renamed(game, frame[slot], kind, new)
    state.options = _renamed_options(game, state, new)


def renamed(game: Game, value: Any, kind: ir.Type, new: Rename) -> Any:
    """A value of a type, with other pieces in it; a slot not yet filled stays so."""
    if not kind.names_pieces or isinstance(value, int) and value < 0:
        return value
    if isinstance(value, tuple):
        return tuple(new(item) for item in value)
    if kind.tag == "set":
        mask = 0
        for piece in game.members(value):
            mask |= 1 << new(piece)
        return mask
    return new(value)


def _renamed_column(game: Game, column: list[Any], kind: ir.Type, identity: dict[int, int]) -> list[Any]:
    """As `renamed`, for many values; most of them name nobody who is exchanged."""
    if kind.tag == "piece":
        return [identity.get(value, value) for value in column]

    def new(piece: int) -> int:
        return identity.get(piece, piece)

    if kind.tag == "set":
        moved = sum(1 << piece for piece in identity)
        return [renamed(game, value, kind, new) if value & moved else value for value in column]
    return [renamed(game, value, kind, new) for value in column]


def offered_pieces(game: Game, state: State) -> list[int]:
    """The pieces that the options on offer name."""
    found: list[int] = []

    def note(piece: int) -> int:
        found.append(piece)
        return piece

    _renamed_options(game, state, note)
    return found


def _renamed_options(game: Game, state: State, new: Rename) -> list[Any]:
    if state.ask < 0:
        return state.options
    ask = game.code.asks[state.ask]
    if ask.sort == "offer":
        return [_renamed_action(game, option, new) for option in state.options]
    return [
        option if option == DONE else renamed(game, option, ask.type, new) for option in state.options
    ]  # fmt: skip


def _renamed_action(game: Game, option: tuple[Any, ...], new: Rename) -> tuple[Any, ...]:
    if not option:
        return option
    parameters = game.program.actions[option[0]].parameters
    values = zip(option[1:], parameters, strict=True)
    return (option[0], *(renamed(game, value, parameter.type, new) for value, parameter in values))


def _move(column: list[Any], identity: dict[int, int]) -> None:
    before = [column[old] for old in identity]
    for new, value in zip(identity.values(), before, strict=True):
        column[new] = value
