"""The players that a scenario leaves out: what they would be asked is passed over, as if they were not there.

The code of a ruleset is the same for all its scenarios, so it stops for everybody. In a game that somebody is
left out of, its blocks are put into functions that go on where nobody sits. Games with all their players do
not come here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

from interpreter.compiler.blocks import DONE, PASS

if TYPE_CHECKING:
    from interpreter.compiler.blocks import Ask
    from interpreter.machine.state import State

Block = Callable[["State", list[Any]], bool | None]


def passing(block: Block, absent: Collection[int], asks: Sequence[Ask]) -> Block:
    """The block, but a question to somebody who is not there is answered by choosing nothing."""

    @wraps(block)
    def passed(state: State, frame: list[Any]) -> bool | None:
        stopped = block(state, frame)
        if not stopped or state.player not in absent:
            return stopped
        state.answer = _nothing(state, asks[state.ask])
        state.options, state.player, state.ask = [], -1, -1
        return None

    return passed


def _nothing(state: State, ask: Ask) -> Any:
    """The answer that comes closest to none: nothing, empty, no, the lowest number, the first of equals."""
    match ask.sort:
        case "offer":
            return PASS
        case "some":
            return DONE
        case "one":
            return -1
        case "yes":
            return False
        case "menu":
            return len(ask.labels)  # after its last line
        case _:
            return state.options[0]
