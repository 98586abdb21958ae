"""A game in the fast engine: one module for all, and runners that each play one position at a time."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from weakref import WeakMethod

from interpreter import ir
from interpreter.failures import REFUSED, RuleFailure
from interpreter.machine import randomness
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.passes.lower import lower
from interpreter.wasm import host
from interpreter.wasm.plan import COPIES, Plan
from interpreter.wasm.positions import ListTooLong, Positions
from interpreter.wasm.runtime import core as runtime

#: The copy that is kept of a position before something is tried.
BEFORE = COPIES - 1
#: The copy of the state that was put last: the next one differs from it but little.
LAST = COPIES - 3
#: A list that turns out to be too long for its place gets room for so many times its length.
_GROWTH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A module as it can be kept on disk: plain data and compiled code."""

    plan: Plan
    code: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a playout is played: see `players.playouts`."""

    luck: int  # the state of the game's generator
    mind: int  # that of the players
    careful: int  # how many answers are tried to what the option itself asks
    tries: int  # how many options are tried for each choice after that
    longest: int  # how many choices it has at most
    shortest: int = (
        -1
    )  # from so many on, it ends when a turn has gone by since turn and phase; -1: it does not
    turn: int = 0
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """How far a step is thought through: see `players.foresight`."""

    of_action: int  # questions that follow an action
    of_answer: int  # and an answer
    answers: int  # how many are tried to each
    of_others: int  # answers of others that are waited for


class FastGame:
    """A game as a module. It does not change, but for lists that need more room."""

    def __init__(
        self, game: Game, stored: Stored | None = None, exported: bool = False, watched: bool = False
    ) -> None:
        self.game = game
        self.exported = exported  # every definition can be called from outside
        self.watched = watched  # every function says when it runs
        code = host.code_from_stored(stored.code) if stored is not None else None
        if stored is not None and code is not None:
            self.plan, self.code = stored.plan, code
        else:
            self._build(0)
        self.positions = Positions(self.plan, game)

    def _build(self, longest: int) -> None:
        # Whoever plays a module that is kept does not need it, and it takes a while to load.
        from interpreter.wasm.compile import compile_wasm

        lowered = lower(self.game.program)
        self.plan = compile_wasm(self.game, lowered, longest, self.exported, self.watched)
        self.code = host.code_from_text(self.plan.text)

    def stored(self) -> Stored:
        """What another process makes the same of, quickly."""
        return Stored(plan=self.plan, code=self.code.stored())

    def make_room(self, length: int) -> None:
        """A module in which lists may be longer; runners of the old one are of no use then."""
        self._build(max(_GROWTH * length, _GROWTH * self.plan.longest))
        self.positions = Positions(self.plan, self.game)

    def runner(self) -> Runner:
        return Runner(self)


class Runner:
    """A module with memory of its own, in which one position is played at a time."""

    def __init__(self, fast: FastGame) -> None:
        self.fast = fast
        self.game = fast.game
        self._sides = bytes(16 * len(self.game.players))
        self._template = fast.game.template
        self._set_up()

    def _set_up(self) -> None:
        plan = self.plan = self.fast.plan
        asked = ((_weakly(self._barriers), 2, True), (_weakly(self._line), 3, False))
        self.instance = host.Instance(self.fast.code, asked)
        memory = self.instance.memory
        for place, data in plan.filled:
            memory[place : place + len(data)] = data
        self._free = plan.arena
        self._kept: set[int] = set()
        self._last: dict[str, object] = {}
        self._write_sides()
        function = self.instance.function
        self._start, self._take, self._play = function("start"), function("take"), function("play")
        self._many, self._score = function("many"), function("score")
        self._refuel, self._save, self._restore = function("refuel"), function("save"), function("restore")
        self._glance, self._worth, self._weigh = function("glance"), function("worth"), function("weigh")
        self._step = function("step")
        self._measures = [
            (
                function(f"measure_{number}"),
                function(f"measured_{number}") if one.condition is not None else None,
            )
            for number, one in enumerate(self.game.program.measures)
        ]
        self._write_template()

    def _write_template(self) -> None:
        clock = self.instance.number("clock")
        clock = self.fast.positions.write(self.instance.memory, self._template, clock, self.plan.template)
        self.instance.set_number("clock", clock)

    def begin_from(self, template: State) -> None:
        """From now on games begin with these values, as those of a campaign do."""
        self._template = template
        try:
            self._write_template()
        except ListTooLong as problem:
            self.fast.make_room(problem.length)
            self._set_up()

    # ------------------------------------------------------------ what the board is asked for

    def _barriers(self, first: int, second: int) -> int:
        """Writes the steps that can block a line, once for each pair of spaces."""
        steps = self.game.board.barriers_between(first, second)
        numbers = [number for step in steps for number in (len(step), *step)]
        data = struct.pack(f"<{len(numbers) + 1}i", *numbers, -1)
        memory = self.instance.memory
        if self._free + len(data) > self.plan.copies:
            size = 4 * len(self.game.place_ids) ** 2
            memory[self.plan.seen : self.plan.seen + size] = bytes(size)
            self._free = self.plan.arena
        place = self._free
        memory[place : place + len(data)] = data
        self._free += len(data)
        return place

    def _line(self, first: int, second: int, into: int) -> None:
        mask = 0
        for step in self.game.board.line(first, second) if first >= 0 and second >= 0 else ():
            for space in step:
                mask |= 1 << space
        size = self.fast.positions.shapes.universe("space").size
        self.instance.memory[into : into + size] = mask.to_bytes(size, "little")

    # ------------------------------------------------------------ playing

    def start(self, seed: int) -> None:
        """A new game, played to its first choice."""
        self._again(lambda: self._start(signed(randomness.start(seed))))

    def take(self, option: int) -> None:
        """Takes the option with this number, which must exist, and goes on to the next choice."""
        self._from_here(lambda: self._take(option))

    def play(self, seed: int, most: int) -> None:
        """Plays on at random, as the players do that the seed gives; at most so many choices."""
        self._from_here(lambda: self._play(signed(randomness.start(seed)), most))

    def play_game(self, seed: int) -> None:
        """A whole game at random: the one that this seed gives everywhere."""

        def whole() -> None:
            self._start(signed(randomness.start(seed)))
            self._play(signed(randomness.start(seed)), self.game.limits.choices + 1)

        self._again(whole)

    def play_many(self, games: int, seed: int) -> tuple[int, list[int]]:
        """Whole games at random: how many choices they had, and who won how many; last, those nobody won."""
        plan, players = self.plan, len(self.game.players)
        struct.pack_into("<Q", self.instance.memory, plan.playing, randomness.start(seed))
        self.instance.memory[plan.wins : plan.wins + 8 * (players + 1)] = bytes(8 * (players + 1))
        choices = self._again(lambda: self._many(games, plan.wins))
        return choices, [self.word(plan.wins + 8 * number) for number in range(players + 1)]

    def glance(self, option: int, copy: int) -> None:
        """Takes an option and goes on, but lists no actions; what comes of it is to be looked at only.

        `copy`: the number of a copy of the position.
        """
        self._from_here(lambda: self._glance(option), copy)

    def sit(self, own: Sequence[int], foes: Sequence[int]) -> None:
        """Says who plays with whom: for each player a mask of his own side, and one of the others."""
        masks = [mask for pair in zip(own, foes, strict=True) for mask in pair]
        self._sides = struct.pack(f"<{len(masks)}Q", *masks)
        self._write_sides()

    def _write_sides(self) -> None:
        self.instance.memory[self.plan.sides : self.plan.sides + len(self._sides)] = self._sides

    def worth(self, player: int) -> int:
        """What the position is worth to a player: his lead, and far more or less for a game won or lost."""
        return self._checked(lambda: self._worth(player))

    def step(self, copy: int, option: int, mind: int, thought: Thought) -> tuple[int, bool]:
        """An option as a step from a copy: its worth, and whether it is sure.

        Raises:
            RuleFailure: the rules cannot go on.
        """

        def play() -> int:
            struct.pack_into("<Q", self.instance.memory, self.plan.playing, mind)
            return self._step(
                self._place(copy), option, thought.of_action, thought.of_answer, thought.answers,
                thought.of_others,
            )  # fmt: skip

        worth = self._from_here(play, copy)
        return worth, bool(self.word(self.plan.leads))

    def weigh(self, copy: int, option: int, player: int, terms: Terms) -> tuple[int, int, int, int, bool]:
        """A playout from a copy of a position: see `players.playouts`."""
        number = self.fast.positions.numbers.get(terms.phase, -1)
        while True:
            plan = self.plan
            struct.pack_into("<Q", self.instance.memory, plan.playing, terms.mind)
            arguments = (
                plan.copies + copy * plan.copy_size, signed(terms.luck), option, player, terms.careful,
                terms.tries, terms.longest, terms.shortest, terms.turn, number,
            )  # fmt: skip
            try:
                fate = self._checked(partial(self._weigh, *arguments))
            except ListTooLong as problem:
                self.restore(copy)
                self.save(BEFORE)
                self._make_room(problem.length, BEFORE)
                continue
            near, far = self.word(plan.leads), self.word(plan.leads + 8)
            return fate, near, far, self.word(plan.layout.turn), self.over

    def score(self, player: int) -> int:
        """What the ruleset says that the position is worth for a player."""
        self._refuel()
        return self._checked(lambda: self._score(player))

    def measures(self) -> tuple[tuple[str, int], ...]:
        """As `Game.measures`."""
        measures = self.game.program.measures
        titles = [str(one.title.value) for one in measures if isinstance(one.title, ir.Const)]
        if len(titles) < len(measures):
            return self.game.measures(self.state())  # a sentence with values is worded there
        self._refuel()
        found = zip(titles, self._measures, strict=True)
        return tuple((title, self._checked(measure)) for title, (measure, told) in found if self._told(told))

    def _told(self, condition: Callable[[], int] | None) -> bool:
        return condition is None or bool(self._checked(condition))

    def save(self, copy: int) -> None:
        """Keeps the position as the copy with this number."""
        self._kept.add(copy)
        self._save(self._place(copy))

    def restore(self, copy: int) -> None:
        self._restore(self._place(copy))

    def _place(self, copy: int) -> int:
        return self.plan.copies + copy * self.plan.copy_size

    # ------------------------------------------------------------ positions

    def put(self, state: State) -> None:
        """Goes on from a state of the Python engine."""
        try:
            self._write(state)
        except ListTooLong as problem:
            self.fast.make_room(problem.length)
            self._set_up()
            self._write(state)

    def _write(self, state: State) -> None:
        if self._last:
            self.restore(LAST)
        before, self._last = self._last, {}  # if writing fails, nothing is known of what lies there
        clock = self.instance.number("clock")
        clock = self.fast.positions.write(self.instance.memory, state, clock, before=before)
        self.instance.set_number("clock", clock)
        self._last = before
        self._save(self._place(LAST))

    def state(self) -> State:
        """The position as a state of the Python engine; the way to it is not in it."""
        return self.fast.positions.read(self.instance.memory, self.game.template.copy())

    def set_chance(self, word: int) -> None:
        struct.pack_into("<Q", self.instance.memory, self.plan.layout.chance, word)

    def half(self, place: int) -> int:
        return int(struct.unpack_from("<i", self.instance.memory, place)[0])

    def word(self, place: int) -> int:
        return int(struct.unpack_from("<q", self.instance.memory, place)[0])

    @property
    def over(self) -> bool:
        return bool(self.half(self.plan.layout.over))

    @property
    def winners(self) -> int:
        return self.word(self.plan.layout.winners)

    @property
    def player(self) -> int:
        return self.half(self.plan.layout.player)

    @property
    def options(self) -> int:
        """How many options there are."""
        return self.half(self.plan.layout.offered)

    @property
    def choices(self) -> int:
        """How many choices were made."""
        return self.word(self.plan.layout.choices)

    # ------------------------------------------------------------ failures

    def _again(self, play: Callable[[], int | None]) -> int:
        """Plays from the start; anew, with more room, if a list grew too long for its place."""
        while True:
            try:
                return self._checked(play)
            except ListTooLong as problem:
                self.fast.make_room(problem.length)
                self._set_up()

    def _from_here(self, play: Callable[[], int | None], copy: int = BEFORE) -> int:
        """Plays on; anew from the same position, with more room, if a list grew too long for its place."""
        if copy == BEFORE:
            self.save(BEFORE)
        while True:
            try:
                return self._checked(play)
            except ListTooLong as problem:
                self._make_room(problem.length, copy)

    def _make_room(self, length: int, before: int) -> None:
        """Goes on in a module with more room, with the copies that were kept."""
        kept = {}
        for copy in self._kept:
            self.restore(copy)
            kept[copy] = self.state()
        self.fast.make_room(length)
        self._set_up()
        for copy, state in kept.items():
            self._write(state)
            self.save(copy)
        self.restore(before)

    def _checked(self, play: Callable[[], int | None]) -> int:
        try:
            return play() or 0
        except host.Stopped as problem:
            failure = self._failure()
            if failure is None:
                raise
            self.instance.set_number("code", 0)
            self.instance.set_number("brief", 0)
            raise failure from problem

    def _failure(self) -> Exception | None:
        """What went wrong, told at the rule's line as the Python engine tells it."""
        code, number = self.instance.number("code"), self.instance.number("site")
        if code == runtime.TOO_LONG:
            return ListTooLong(number)
        site = self.plan.sites[number] if 0 <= number < len(self.plan.sites) else None
        site = site if site is not None and site.rule else None
        limits = self.game.limits
        match code:
            case 0:
                return None
            case runtime.DIVIDED_BY_ZERO:
                return RuleFailure("E0701", site)
            case runtime.STEPS:
                return RuleFailure("E0702", site, limit=limits.steps)
            case runtime.CHOICES:
                return RuleFailure("E0703", site, limit=limits.choices)
            case runtime.NO_ROW:
                return RuleFailure("E0704", site, values=self._noted(site))
            case runtime.NUMBER:
                return RuleFailure("E0705", site, limit=limits.number)
            case runtime.COLLECTION:
                return RuleFailure("E0706", site, limit=limits.collection)
            case runtime.STANDSTILL:
                turn = self.word(self.plan.layout.turn)
                return RuntimeError(f"turn {turn}: the game stands still without a choice")
            case runtime.REFUSED:
                return RuleFailure(REFUSED, site)
            case _:
                return RuleFailure("E0708", site, text="MemoryError")

    def _noted(self, site: ir.Site | None) -> str:
        """The values that a table has no row for."""
        kinds = next(kinds for known, kinds in self.plan.rows if known == site)
        values = [self.word(self.plan.noted + 8 * number) for number in range(len(kinds))]
        return ", ".join(
            str(bool(value) if kind.tag == "flag" else value)
            for value, kind in zip(values, kinds, strict=True)
        )


def _weakly(method: Callable[..., int | None]) -> Callable[..., int | None]:
    """What wasmtime may call, it keeps as long as the instance: the method would keep its runner for ever."""
    known = WeakMethod(method)

    def call(*numbers: int) -> int | None:
        found = known()
        assert found is not None  # it is the runner who has called the module
        return found(*numbers)

    return call


def signed(word: int) -> int:
    """The same 64 bits as a number that WebAssembly takes."""
    return word - (1 << 64) if word >> 63 else word
