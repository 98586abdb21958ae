"""From a position and an option to what the option is worth: one step ahead, by the ruleset's own score.

A step is an option with all that it asks its own player on the way, each question answered by what is best in
turn. A game won is better than any score, a game lost worse; without a score only these are seen. Left out:
what the others do then.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.chance import Chance
from interpreter.failures import RuleFailure
from interpreter.runtime import PASS
from interpreter.state import State

# How many questions that follow an action, or an answer, are thought through, and with how many answers.
_OF_AN_ACTION = 12
_OF_AN_ANSWER = 3
_ANSWERS = 12

#: Games won less those lost, then the score; on average over the positions looked at.
Value = tuple[float, float]


def values(positions: Sequence[State], certain: bool, chance: Chance) -> list[Value]:
    """What each option is worth. The positions look alike to the player; `certain` if they are the same."""
    return [_value(positions, option, certain, chance) for option in range(len(positions[0].options))]


def _value(positions: Sequence[State], option: int, certain: bool, chance: Chance) -> Value:
    found = []
    for position in positions:
        try:
            after = _carried_out(position, option, chance)
        except RuleFailure:
            continue  # a drawn position need not be a possible one; the game itself will tell
        # Passing is weighed by the position as it is, not by what the others then do with it.
        passed = position.options[option] == PASS and after.result is None
        found.append(worth(position if passed else after, position.player))
        if passed or (certain and after.rng == position.rng):
            break  # no secrets and no chance: the others would be the same
    count = len(found) or 1
    return sum(end for end, _ in found) / count, sum(score for _, score in found) / count


def _carried_out(position: State, option: int, chance: Chance) -> State:
    """The position when the option is taken, with what it then asks its own player."""
    game, player = position.game, position.player
    after = game.look_ahead(position, option)
    if position.options[option] == PASS:
        return after
    for _ in range(_OF_AN_ACTION if _is_action(position) else _OF_AN_ANSWER):
        if not after.options or after.player != player or _is_action(after):
            break
        answers = chance.shuffled(range(len(after.options)))[:_ANSWERS]
        following = [game.look_ahead(after, answer) for answer in answers]
        after = max(following, key=lambda one: worth(one, player))
    return after


def _is_action(state: State) -> bool:
    return state.game.code.asks[state.ask].sort == "offer"


def worth(state: State, player: int) -> tuple[int, int]:
    """1 for a game won or -1 for one lost, and the score."""
    if state.result is not None and state.result[0]:
        return (1 if state.result[0] >> player & 1 else -1), 0
    return 0, state.game.score(state, player) or 0
