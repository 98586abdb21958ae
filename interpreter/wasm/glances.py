"""Positions to look ahead with: they stand where states do for whoever weighs options, and play in a runner.

All glances of a desk share its runner. The one that was used last lies where positions are played; the others
are copies, and a copy is taken only when another is used. Nothing of the way to a position is kept.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from threading import get_ident
from typing import Any

from interpreter.compiler.blocks import DONE as DONE_OPTION
from interpreter.compiler.blocks import PASS as PASS_OPTION
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.wasm.engine import BEFORE, LAST, Runner, Terms, Thought
from interpreter.wasm.plan import COPIES, THINKING
from interpreter.wasm.writing.values import DONE, PASS


class Desk:
    """Where glances are made; for them it stands in the place of the game."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.code = runner.game.code
        self.free = [number for number in range(COPIES) if number not in (BEFORE, LAST, THINKING)]
        self.thread = get_ident()
        self.lying: Glance | None = None  # whose position is the one that is played
        self.changed = False  # since its copy was taken
        self.seated: tuple[Sequence[int], Sequence[int]] | None = None

    def glance(self, state: State) -> State | Glance:
        """The state, to be played on with quickly; itself if there are too many glances already.

        A desk is for one thread: others, who may want to look ahead at the same time, get the state itself.
        """
        if not self.free or get_ident() != self.thread:
            return state
        made = Glance(self, self.free.pop())
        self.lay(None)
        self.runner.put(state)
        self.lying, self.changed = made, True
        return made

    def lay(self, glance: Glance | None) -> None:
        """Puts a position where it is played, and keeps the one that was there."""
        if self.lying is glance and glance is not None:
            return
        if self.lying is not None and self.changed:
            self.runner.save(self.lying.copy_number)
        self.lying, self.changed = glance, False
        if glance is not None:
            self.runner.restore(glance.copy_number)

    def seat(self, own: Sequence[int], foes: Sequence[int]) -> None:
        """Says who plays with whom from now on."""
        if self.seated != (own, foes):
            self.runner.sit(own, foes)
            self.seated = (own, foes)

    def dropped(self, glance: Glance) -> None:
        self.free.append(glance.copy_number)
        if self.lying is glance:
            self.lying, self.changed = None, False

    def look_ahead(self, position: Glance, option: int) -> Glance:
        """As `Game.look_ahead`."""
        after = position.copy()
        self.lying, self.changed = after, True
        try:
            self.runner.glance(option, after.copy_number)
        except BaseException:
            self.lying, self.changed = None, False
            del after  # the failure would keep it, and there are only so many
            raise
        return after

    def score(self, position: Glance, player: int) -> int | None:
        if self.runner.game.program.score is None:
            return None
        self.lay(position)
        return self.runner.score(player)


class Glance:
    """One position. It has of a state what is needed to weigh options."""

    __slots__ = ("_options", "copy_number", "game")

    def __init__(self, desk: Desk, copy_number: int) -> None:
        self.game = desk
        self.copy_number = copy_number
        self._options: list[Any] | None = None

    def __del__(self) -> None:
        self.game.dropped(self)

    def copy(self) -> Glance:
        desk = self.game
        if not desk.free:
            raise RuntimeError("too many positions are looked at")
        desk.lay(self)
        if desk.changed:
            desk.runner.save(self.copy_number)
            desk.changed = False
        made = Glance(desk, desk.free.pop())
        desk.runner.save(made.copy_number)
        return made

    def take(self, option: int) -> None:
        desk = self.game
        desk.lay(self)
        desk.changed = True
        self._options = None
        desk.runner.take(option)

    def worth(self, own: Sequence[int], foes: Sequence[int], player: int) -> tuple[int, int]:
        """1 for a game won or -1 for one lost, and the lead: see `players.sides`."""
        desk = self.game
        desk.lay(self)
        desk.seat(own, foes)
        return _unpacked(desk.runner.worth(player))

    def step(
        self, own: Sequence[int], foes: Sequence[int], option: int, mind: int, thought: Thought
    ) -> tuple[tuple[int, int], bool]:
        """What an option is worth to who takes it, as a step, and whether that is sure."""
        desk = self._set_aside(own, foes)
        worth, sure = desk.runner.step(self.copy_number, option, mind, thought)
        return _unpacked(worth), sure

    def weigh(
        self, own: Sequence[int], foes: Sequence[int], option: int, player: int, terms: Terms
    ) -> tuple[int, int, int, int, bool]:
        """A playout: how it ended, the lead after the option and at the end, the turn, whether it is over."""
        desk = self._set_aside(own, foes)
        return desk.runner.weigh(self.copy_number, option, player, terms)

    def _set_aside(self, own: Sequence[int], foes: Sequence[int]) -> Desk:
        """Nothing lies where positions are played then but what the runner puts there itself."""
        desk = self.game
        if desk.lying is self and desk.changed:
            desk.runner.save(self.copy_number)
        desk.lying, desk.changed = None, False
        desk.seat(own, foes)
        return desk

    @property
    def result(self) -> tuple[int, int, tuple[Any, ...]] | None:
        self.game.lay(self)
        runner = self.game.runner
        if not runner.over:
            return None
        return runner.winners, runner.half(runner.plan.layout.ending), ()

    @property
    def player(self) -> int:
        self.game.lay(self)
        return self.game.runner.player

    @property
    def ask(self) -> int:
        self.game.lay(self)
        return self.game.runner.half(self.game.runner.plan.layout.ask)

    @property
    def depth(self) -> int:
        """How far the procedures that are under way reach."""
        self.game.lay(self)
        return self.game.runner.half(self.game.runner.plan.layout.free)

    @property
    def rng(self) -> int:
        self.game.lay(self)
        return self.game.runner.word(self.game.runner.plan.layout.chance) & (1 << 64) - 1

    @rng.setter
    def rng(self, word: int) -> None:
        self.game.lay(self)
        self.game.changed = True
        self.game.runner.set_chance(word)

    @property
    def options(self) -> Sequence[Any]:
        if self._options is None:
            self.game.lay(self)
            self._options = _options(self.game.runner)
        return self._options


def _unpacked(worth: int) -> tuple[int, int]:
    """How the game ended, and the lead."""
    ends = (worth + (1 << 59)) >> 60
    return ends, worth - (ends << 60)


def _options(runner: Runner) -> list[Any]:
    """The options as a state has them, but for flags, which are numbers."""
    count = runner.options
    if not count:
        return []
    plan = runner.plan
    sort, _, size = plan.questions[runner.half(plan.layout.ask)]
    width = size // 8
    numbers = struct.unpack_from(f"<{count * width}q", runner.instance.memory, plan.layout.options)
    if sort != "offer":
        return [DONE_OPTION if number == DONE else number for number in numbers]
    return [
        PASS_OPTION
        if numbers[start] == PASS
        else numbers[start : start + 1 + len(plan.actions[numbers[start]])]
        for start in range(0, count * width, width)
    ]


def look_quickly(game: Game, runner: Runner) -> None:
    """From now on players of this game look ahead in the fast engine."""
    game.glances = Desk(runner).glance
