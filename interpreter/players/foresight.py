"""From what a player sees to the options in order of worth: one step ahead, by how far its side leads then.

A step is an option with all that it asks its own player on the way, each question answered by what is best in
turn. What an action asks the others on the way, or all at once, they answer with anything, so that something
comes of it: who judged it sooner would see what it costs himself, and not what it costs them. A game won
is better than any lead, a game lost worse; without a score only these are seen. An action that opens further
actions at once is worth what the best of these add to doing none of them. Left out: what the others do then.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.compiler.blocks import PASS
from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance, derive
from interpreter.machine.state import State
from interpreter.players.determinize import Worlds
from interpreter.players.playouts import is_action
from interpreter.players.sides import Sides
from interpreter.wasm.engine import Thought
from interpreter.wasm.glances import Glance

# How many questions that follow an action, or an answer, are thought through, and with how many answers.
# And how many answers of others are waited for, before anything comes of it.
_THOUGHT = Thought(of_action=30, of_answer=3, answers=12, of_others=60)
# While more than so many options are compared, fewer answers are tried to what each asks.
_FEW = 24
_HASTY = replace(_THOUGHT, answers=3)
# Of more things to do than so many, some are compared at once, and the best few thought about closely.
_MANY = 64
_GROUP = 32
_BEST = 8
# So many of the actions that an action opens are tried, and so many of the best count.
_OPENED = 12
_ADDED = 4
# When so many uses of an action came to the same in a second position, nothing hidden seems to matter to it.
_ALIKE = 6


def ranked(worlds: Worlds, sides: Sides, samples: int, chance: Chance, most: int = _MANY) -> list[int]:
    """The options, the best first, of equals any; each is looked at about `samples` times at most.

    Of many options that come to the same, passing is the best. Who may do more than `most` things, or pass,
    looks at some of them, drawn at random, and at the next ones only if he gains by none of these: what is
    left now can be done next.
    """
    options = worlds.secrets.state.options
    left = list(chance.shuffled(range(len(options))))
    if len(left) > _FEW:  # who could do so much, and gains nothing by any of it, leaves it
        left.sort(key=lambda option: options[option] != PASS)
    if len(left) <= most or options[left[0]] != PASS:
        return _compared(worlds, sides, samples, chance, left, _FEW)
    passing, left = left[0], left[1:]
    worse: list[int] = []
    while True:
        group, left = left[:_GROUP], left[_GROUP:]
        found = _compared(worlds, sides, samples, chance, [passing, *group], _BEST)
        if found[0] != passing or not left:
            return found + left + worse
        worse = found[1:] + worse


def _compared(
    worlds: Worlds, sides: Sides, samples: int, chance: Chance, left: list[int], few: int
) -> list[int]:
    """Some of the options, the best first, of equals the first; thought about closely when `few` are left.

    All are looked at in the same positions, which are drawn from what the player knows. Those that come out
    better are looked at more often, and more closely: else the one that was lucky once would be taken.
    """
    options = worlds.secrets.state.options
    mind = chance.word()
    looks: dict[int, _Look] = {}
    stages = max(1, (len(left) - 1).bit_length())
    share = samples * len(left) // stages
    worse: list[int] = []
    closeness = 0
    hidden = {_kind(option): _Hidden(worlds.secrets.none) for option in options}
    while len(left) > 1:
        thought = _THOUGHT if len(left) <= few else _HASTY
        if thought.answers != closeness:
            closeness = thought.answers
            looks = {
                option: _Look(option, derive(mind, option), thought, hidden[_kind(options[option])])
                for option in left
            }
        for _ in range(max(1, share // len(left))):
            _look_again(worlds, sides, [looks[option] for option in left], chance)
        left.sort(key=lambda option: looks[option].value, reverse=True)
        half = (len(left) + 1) // 2
        left, worse = left[:half], left[half:] + worse
    return left + worse


def _look_again(worlds: Worlds, sides: Sides, looks: list[_Look], chance: Chance) -> None:
    """Looks once more at all that could come out otherwise, in the same position."""
    if any(not look.settled for look in looks):
        position = worlds.next(chance)
        for look in looks:
            if not look.settled:
                look.add(position, sides)


def _kind(option: Any) -> tuple[Any, ...]:
    """Options of one kind are uses of one action; answers are all of one kind."""
    return option[:1] if isinstance(option, tuple) else ()


class _Hidden:
    """Whether what the player cannot see matters to options of a kind, as far as several positions show.

    And whether they open further actions, as the first of them shows.
    """

    __slots__ = ("alike", "matters", "opens")

    def __init__(self, none: bool) -> None:
        self.matters = not none
        self.opens: bool | None = None
        self.alike = 0  # options that came to the same in two positions; none yet came to another

    def compare(self, before: tuple[int, int] | None, after: tuple[int, int]) -> None:
        if before is not None and self.alike >= 0:
            self.alike = self.alike + 1 if before == after else -1
            self.matters = self.matters and self.alike < _ALIKE


class _Look:
    """What an option led to so far; each time the same answers are tried to what it asks."""

    __slots__ = ("count", "ends", "hidden", "last", "lead", "mind", "option", "same", "sure", "thought")

    def __init__(self, option: int, mind: int, thought: Thought, hidden: _Hidden) -> None:
        self.option = option
        self.mind = mind
        self.thought = thought
        self.hidden = hidden
        self.count = 0
        self.ends = 0
        self.lead = 0
        self.last: tuple[int, int] | None = None
        self.sure = False  # no chance was in it
        self.same = False  # twice

    @property
    def value(self) -> tuple[float, float]:
        """Games won less those lost, then the lead; on average."""
        count = self.count or 1
        return self.ends / count, self.lead / count

    @property
    def settled(self) -> bool:
        """Whether looking again would show the same: it needs no luck, and nothing hidden seems to matter."""
        return self.sure and (self.same or not self.hidden.matters)

    def add(self, position: State, sides: Sides) -> None:
        """Looks once more."""
        try:
            found, self.sure = self._found(position, sides)
        except RuleFailure:
            return  # a drawn position need not be a possible one; the game itself will tell
        self.count += 1
        self.ends += found[0]
        self.lead += found[1]
        self.same = found == self.last
        if self.sure:
            self.hidden.compare(self.last, found)
        self.last = found

    def _found(self, position: State, sides: Sides) -> tuple[tuple[int, int], bool]:
        kind = self.hidden
        if kind.opens is None or kind.opens:
            opened = _opened(position, self.option)
            kind.opens = opened is not None
            if opened is not None:
                return _best_opened(opened, sides, self.mind, self.thought), False
        return _weighed(position, self.option, sides, self.mind, self.thought)


def _opened(position: State, option: int) -> State | None:
    """The position after an action, if that has at once opened further actions of its player."""
    if position.options[option] == PASS or not is_action(position):
        return None
    after = position.copy()
    after.take(option)
    nested = bool(after.options) and after.player == position.player and after.depth > position.depth
    return after if nested and is_action(after) else None


def _best_opened(opened: State, sides: Sides, mind: int, thought: Thought) -> tuple[int, int]:
    """What an action is worth for what it opens: doing none of it, and what the best of it adds to that.

    What is best is found with another luck than the one to come. Of several things each counts less than the
    one before: the first may have used what the next one needs.
    """
    chance, player, luck = Chance.at(mind), opened.player, opened.rng
    acts = [option for option, act in enumerate(opened.options) if act != PASS]
    still = sides.worth(opened, player)
    minds = {option: derive(mind, option) for option in chance.shuffled(acts)[:_OPENED]}
    opened.rng = chance.word()
    found = {option: _weighed(opened, option, sides, own, thought)[0] for option, own in minds.items()}
    opened.rng = luck
    better = [option for option in found if found[option] > still]
    ends, lead = still
    if len(acts) < len(opened.options):
        ends, lead = sides.worth(opened.game.look_ahead(opened, len(opened.options) - 1), player)
    for place, option in enumerate(sorted(better, key=found.__getitem__, reverse=True)[:_ADDED], start=1):
        fate, then = _weighed(opened, option, sides, minds[option], thought)[0]
        ends, lead = max(ends, fate), lead + (then - still[1]) // place
    return ends, lead


def _weighed(
    position: State, option: int, sides: Sides, mind: int, thought: Thought
) -> tuple[tuple[int, int], bool]:
    """What a step is worth, and whether no chance was in it. The fast engine does the same in its module."""
    if isinstance(position, Glance):
        return position.step(sides.own, sides.foes, option, mind, thought)
    after, sure = _step(position, option, sides, mind, thought)
    return sides.worth(after, position.player), sure


def step_ahead(position: State, option: int, sides: Sides, mind: int) -> State:
    """The position that an option is weighed by; not one to play on from."""
    return _step(position, option, sides, mind, _THOUGHT)[0]


def _step(position: State, option: int, sides: Sides, mind: int, thought: Thought) -> tuple[State, bool]:
    after = position.game.look_ahead(position, option)
    if position.options[option] == PASS:
        # Weighed by the position as it is, not by what the others then do with it.
        after = position if after.result is None else after
        return after, after.rng == position.rng
    others = Chance(position.rng)  # the same whichever option is looked at
    before = others.state
    if is_action(position):
        after = _answered(after, position.player, sides, Chance.at(mind), others, thought)
        return after, after.rng == position.rng and others.state == before
    after = _answered(after, position.player, sides, Chance.at(mind), None, thought)
    after = _answered_at_once(after, position, others, thought)
    return after, after.rng == position.rng


def _answered(
    after: State, player: int, sides: Sides, chance: Chance, others: Chance | None, thought: Thought
) -> State:
    """The position when all is answered: by the player with what is best in turn, by others with anything."""
    game, own, foreign = after.game, thought.of_answer, 0
    if others is not None:  # something comes of an action only when they have answered, too
        own, foreign = thought.of_action, thought.of_others
    while after.options and not is_action(after):
        if after.player != player:
            if others is None or not foreign:
                break
            foreign -= 1
            after = game.look_ahead(after, others.below(len(after.options)))
        elif not own:
            break
        else:
            own -= 1
            answers = chance.shuffled(range(len(after.options)))[: thought.answers]
            found = [game.look_ahead(after, answer) for answer in answers]
            after = found[0] if len(found) == 1 else max(found, key=lambda one: sides.worth(one, player))
    return after


def _answered_at_once(after: State, position: State, others: Chance, thought: Thought) -> State:
    """The others answer anything to what all are asked."""
    for _ in range(thought.of_others):
        if not after.options or after.ask != position.ask or after.player == position.player:
            break
        after = position.game.look_ahead(after, others.below(len(after.options)))
    return after
