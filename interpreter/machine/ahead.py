"""From a position and an option to the position at the next choice, without listing what can be done there.

Listing actions is where large games spend their time, and who only wants to know what a position is worth
needs no list. So the blocks of a game are run in a world in which listing actions is the end of it.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State


class _Listing(BaseException):
    """The game has come to where it would list actions, which is no failure of its rules."""


def _stop_listing(*_: object) -> None:
    raise _Listing


def brief_blocks(namespace: dict[str, Any], blocks: list[Any]) -> list[Any]:
    """The blocks of a game, made anew so that they stop where they would list actions."""
    space = dict(namespace)
    for name in namespace:
        if name.startswith("offer_"):
            space[name] = _stop_listing
    return [FunctionType(block.__code__, space, block.__name__, block.__defaults__) for block in blocks]


def look_ahead(game: Game, blocks: list[Any], state: State, option: int) -> State:
    """A copy that has taken the option and gone on; see `Game.look_ahead`."""
    after = state.copy()
    after.answer = after.options[option]
    after.count += 1
    try:
        game.run(after, blocks)
    except _Listing:
        after.options = []
    return after
