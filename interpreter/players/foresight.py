"""From what a player sees to the options in order of worth: one step ahead, by the ruleset's own score.

A step is an option with all that it asks its own player on the way, each question answered by what is best in
turn. A game won is better than any score, a game lost worse; without a score only these are seen. Left out:
what the others do then.
"""

from __future__ import annotations

from interpreter.compiler.blocks import PASS
from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.state import State
from interpreter.players.determinize import Secrets

# How many questions that follow an action, or an answer, are thought through, and with how many answers.
_OF_AN_ACTION = 12
_OF_AN_ANSWER = 3
_ANSWERS = 12


def ranked(secrets: Secrets, samples: int, chance: Chance) -> list[int]:
    """The options, the best first, of equals any; each is looked at about `samples` times.

    All are looked at in the same positions, which are drawn from what the player knows. Those that come out
    better are looked at more often: else the one that was lucky once would be taken.
    """
    looks = [_Look() for _ in secrets.state.options]
    left = list(chance.shuffled(range(len(looks))))
    stages = max(1, (len(left) - 1).bit_length())
    share = samples * len(left) // stages
    worse: list[int] = []
    while len(left) > 1:
        for _ in range(max(1, share // len(left))):
            _look_again(secrets, [(option, looks[option]) for option in left], chance)
        left.sort(key=lambda option: looks[option].value, reverse=True)
        half = (len(left) + 1) // 2
        left, worse = left[:half], left[half:] + worse
    return left + worse


def _look_again(secrets: Secrets, looks: list[tuple[int, _Look]], chance: Chance) -> None:
    if all(look.settled for _, look in looks):
        return
    position = secrets.game.glance(secrets.draw(chance))
    for option, look in looks:
        if not look.settled:
            look.add(position, option, secrets.none, chance)


class _Look:
    """What an option led to so far."""

    __slots__ = ("count", "ends", "score", "settled")

    def __init__(self) -> None:
        self.count = 0
        self.ends = 0
        self.score = 0
        self.settled = False  # looking again would show the same

    @property
    def value(self) -> tuple[float, float]:
        """Games won less those lost, then the score; on average."""
        count = self.count or 1
        return self.ends / count, self.score / count

    def add(self, position: State, option: int, certain: bool, chance: Chance) -> None:
        """Looks once more; `certain` if the player knows everything but the chance to come."""
        try:
            after = step_ahead(position, option, chance)
        except RuleFailure:
            return  # a drawn position need not be a possible one; the game itself will tell
        ends, score = worth(after, position.player)
        self.count += 1
        self.ends += ends
        self.score += score
        self.settled = certain and after.rng == position.rng


def step_ahead(position: State, option: int, chance: Chance) -> State:
    """The position that an option is weighed by; not one to play on from."""
    after = _carried_out(position, option, chance)
    # Passing is weighed by the position as it is, not by what the others then do with it.
    return position if position.options[option] == PASS and after.result is None else after


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
        # Each is weighed while it lies there: a position that is put aside has to be fetched again.
        best: tuple[tuple[int, int], State] | None = None
        for answer in answers:
            one = game.look_ahead(after, answer)
            value = worth(one, player)
            if best is None or value > best[0]:
                best = value, one
        assert best is not None
        after = best[1]
    return after


def _is_action(state: State) -> bool:
    return state.game.code.asks[state.ask].sort == "offer"


def worth(state: State, player: int) -> tuple[int, int]:
    """1 for a game won or -1 for one lost, and the score."""
    if state.result is not None and state.result[0]:
        return (1 if state.result[0] >> player & 1 else -1), 0
    return 0, state.game.score(state, player) or 0
