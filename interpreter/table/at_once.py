"""What all are asked at once, seen from each seat: nobody need wait until those before have answered.

The rules ask one after the other, and what is answered is sealed. Since nothing that one is asked depends on
what another seals, a player who comes later can be asked now: in a position in which those before him have
answered anything. What he answers is kept, and taken when it is his turn. Left out: keeping it.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.failures import RuleFailure
from interpreter.machine.state import State

# So many questions of others are passed over.
_MOST = 2000


def is_asked_at_once(state: State) -> bool:
    """Whether what is asked now is asked of several, who do not see what the others answer."""
    return state.result is None and bool(state.options) and bool(state.game.code.asks[state.ask].at_once)


def positions_ahead(state: State, player: int, answers: Sequence[int] = ()) -> list[State]:
    """Where a player is asked in this round: before each of his answers, and after the last of them.

    There are as many positions as answers if he is asked nothing more; none if he is not asked at all, or is
    the one whom the rules ask now. What has one answer only is not asked.
    """
    if not is_asked_at_once(state) or state.player == player:
        return []
    found: list[State] = []
    now, left = state.copy(), list(answers)
    for _ in range(_MOST):
        option = 0
        if now.player == player and len(now.options) > 1:
            found.append(now.copy())
            if not left:
                break
            option = left.pop(0)
        before = now.copy()
        try:
            now.take(option)
        except (RuleFailure, IndexError):
            return []
        if not same_round(before, now):
            break
    return found


def same_round(before: State, now: State) -> bool:
    """Whether all are still asked the same: the same loop, and not begun again."""
    if not is_asked_at_once(now) or len(now.stack) != len(before.stack):
        return False
    asked, asked_before = (one.game.code.asks[one.ask] for one in (now, before))
    if (asked.at_once, asked.site.rule) != (asked_before.at_once, asked_before.site.rule):
        return False
    items, come_to = asked.at_once
    old, new = before.stack[-1], now.stack[-1]
    return bool(old[items] == new[items] and old[come_to] <= new[come_to])
