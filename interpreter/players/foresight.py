"""From what a player sees to the options in order of worth: one step ahead, by how far its side leads then.

A step is an option with all that it asks its own player on the way, each question answered by what is best in
turn. Where all choose at once, the others answer anything, so that something comes of the choice. A game won
is better than any lead, a game lost worse; without a score only these are seen. Left out: what the others do
then.
"""

from __future__ import annotations

from interpreter.compiler.blocks import PASS
from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.state import State
from interpreter.players.determinize import Worlds
from interpreter.players.playouts import is_action
from interpreter.players.sides import Sides
from interpreter.wasm.engine import Thought
from interpreter.wasm.glances import Glance

# How many questions that follow an action, or an answer, are thought through, and with how many answers.
# And how many answers of others are waited for, where all are asked the same before anything comes of it.
_THOUGHT = Thought(of_action=12, of_answer=3, answers=12, of_others=60)


def ranked(worlds: Worlds, sides: Sides, samples: int, chance: Chance) -> list[int]:
    """The options, the best first, of equals any; each is looked at about `samples` times.

    All are looked at in the same positions, which are drawn from what the player knows. Those that come out
    better are looked at more often: else the one that was lucky once would be taken.
    """
    looks = [_Look() for _ in worlds.secrets.state.options]
    left = list(chance.shuffled(range(len(looks))))
    stages = max(1, (len(left) - 1).bit_length())
    share = samples * len(left) // stages
    worse: list[int] = []
    while len(left) > 1:
        for _ in range(max(1, share // len(left))):
            if not all(looks[option].settled for option in left):
                _look_again(worlds, sides, [(option, looks[option]) for option in left], chance)
        left.sort(key=lambda option: looks[option].value, reverse=True)
        half = (len(left) + 1) // 2
        left, worse = left[:half], left[half:] + worse
    return left + worse


def _look_again(worlds: Worlds, sides: Sides, looks: list[tuple[int, _Look]], chance: Chance) -> None:
    position = worlds.next(chance)
    for option, look in looks:
        if not look.settled:
            look.add(position, option, sides, chance)
            look.settled = look.settled and worlds.secrets.none


class _Look:
    """What an option led to so far."""

    __slots__ = ("count", "ends", "lead", "settled")

    def __init__(self) -> None:
        self.count = 0
        self.ends = 0
        self.lead = 0
        self.settled = False  # looking again would show the same

    @property
    def value(self) -> tuple[float, float]:
        """Games won less those lost, then the lead; on average."""
        count = self.count or 1
        return self.ends / count, self.lead / count

    def add(self, position: State, option: int, sides: Sides, chance: Chance) -> None:
        """Looks once more."""
        try:
            (ends, lead), sure = _weighed(position, option, sides, chance)
        except RuleFailure:
            return  # a drawn position need not be a possible one; the game itself will tell
        self.count += 1
        self.ends += ends
        self.lead += lead
        self.settled = sure


def _weighed(position: State, option: int, sides: Sides, chance: Chance) -> tuple[tuple[int, int], bool]:
    """What a step is worth, and whether no chance was in it. The fast engine does the same in its module."""
    if isinstance(position, Glance):
        return position.step(sides.own, sides.foes, option, chance, _THOUGHT)
    after = step_ahead(position, option, sides, chance)
    return sides.worth(after, position.player), after.rng == position.rng


def step_ahead(position: State, option: int, sides: Sides, chance: Chance) -> State:
    """The position that an option is weighed by; not one to play on from."""
    after = _carried_out(position, option, sides, chance)
    # Passing is weighed by the position as it is, not by what the others then do with it.
    return position if position.options[option] == PASS and after.result is None else after


def _carried_out(position: State, option: int, sides: Sides, chance: Chance) -> State:
    """The position when the option is taken, with what it then asks its own player."""
    game, player = position.game, position.player
    after = game.look_ahead(position, option)
    if position.options[option] == PASS:
        return after
    for _ in range(_THOUGHT.of_action if is_action(position) else _THOUGHT.of_answer):
        if not after.options or after.player != player or is_action(after):
            break
        answers = chance.shuffled(range(len(after.options)))[: _THOUGHT.answers]
        found = [game.look_ahead(after, answer) for answer in answers]
        after = found[0] if len(found) == 1 else max(found, key=lambda one: sides.worth(one, player))
    return after if is_action(position) else _answered_by_others(after, position)


def _answered_by_others(after: State, position: State) -> State:
    """The others answer anything, but the same whichever option is looked at."""
    chance = Chance(position.rng)
    for _ in range(_THOUGHT.of_others):
        if not after.options or after.ask != position.ask or after.player == position.player:
            break
        after = position.game.look_ahead(after, chance.below(len(after.options)))
    return after
