"""From a ruleset to what is wrong with it, found by playing at random and looking closely on the way.

Games are played under random options and overlays. At every few choices, and at every question when it first
comes up, the position is tried: does it survive being saved, are copies independent, can a seat see what it
must not. Left out: whether the rules are those of the book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.campaigns.course import Course
from interpreter.campaigns.plan import Campaign
from interpreter.failures import BadChoice, RuleFailure
from interpreter.ir.seats import count_of
from interpreter.machine.chance import Chance, derive
from interpreter.machine.game import Game
from interpreter.machine.seating import player_bounds
from interpreter.machine.state import State
from interpreter.trials.coverage import Coverage, Tally, Watch
from interpreter.trials.engines import Follower, MakeFast
from interpreter.trials.leaks import leaks

MakeGame = Callable[[tuple[str, ...], tuple[str, ...]], Game]  # options, overlays
Progress = Callable[[int, int], None]  # games finished, games asked for

Kind = Literal["load", "crash", "dead end", "runaway", "save", "copy", "replay", "leak", "engines"]

# Choices by which a copy and a restored position are played on, to see that they stay the same.
_ONWARD = 6
#: Choices from one close look to the next. Most of the time of a large game goes into these looks.
EVERY = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something wrong, and how to get there: the options and overlays to load, the seed, and the choices."""

    kind: Kind
    message: str
    seed: int
    options: tuple[str, ...]
    overlays: tuple[str, ...]
    choices: tuple[int, ...]
    scenario: str = ""  # of a game of a campaign,
    carried: Mapping[str, Any] = field(default_factory=dict)  # and what those before it had handed on


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzReport:
    """What a run came to. Of findings that are alike the first one is told; `games` counts those played."""

    games: int
    choices: int
    findings: tuple[Finding, ...]
    interrupted: bool
    coverage: Coverage | None = None  # where the games were made to say what they reach


class NotAllowed(Exception):
    """These overlays or options do not go together, as the rules say: no finding, but no game either."""


def fuzz(
    make_game: MakeGame,
    *,
    options: Sequence[str] = (),
    overlays: Sequence[str] = (),
    games: int = 100,
    seed: int = 0,
    every: int = EVERY,
    most_findings: int = 20,
    make_fast: MakeFast | None = None,
    on_progress: Progress | None = None,
) -> FuzzReport:
    """Plays random games over random sets of options and overlays, and looks closely at each `every`th one.

    Options that a game does not have, or that exclude each other, are not combined, nor are overlays of which
    `make_game` says `NotAllowed`. It stops at `most_findings`. With `make_fast`, the fast engine plays every
    game beside the other one, and they are compared at every choice.
    """
    run = _Run(make_game=make_game, every=max(1, every), make_fast=make_fast)
    interrupted = False
    try:
        for number in range(games):
            chance = Chance(derive(seed, number))
            run.play(chance, options, overlays)
            if on_progress is not None:
                on_progress(number + 1, games)
            if len(run.findings) >= most_findings:
                break
    except KeyboardInterrupt:
        interrupted = True
    findings = tuple(run.findings.values())
    coverage = run.tally.coverage() if run.tally.games else None
    return FuzzReport(
        games=run.games, choices=run.choices, findings=findings, interrupted=interrupted, coverage=coverage
    )  # fmt: skip


def fuzz_campaign(
    make: Callable[[tuple[str, ...]], tuple[Campaign, Mapping[str, Game]]],
    *,
    options: Sequence[tuple[str, ...]],
    games: int = 100,
    seed: int = 0,
    every: int = EVERY,
    most_findings: int = 20,
    on_progress: Progress | None = None,
) -> FuzzReport:
    """Plays random campaigns, each with one of these sets of options; every game is looked at closely."""
    run = _Run(make_game=_no_game, every=max(1, every))
    made: dict[tuple[str, ...], tuple[Campaign, Mapping[str, Game]]] = {}
    interrupted = False
    try:
        for number in range(games):
            chance = Chance(derive(seed, number))
            chosen = chance.pick(options)
            if chosen not in made:
                made[chosen] = make(chosen)
            _play_campaign(run, *made[chosen], chosen, chance)
            if on_progress is not None:
                on_progress(number + 1, games)
            if len(run.findings) >= most_findings:
                break
    except KeyboardInterrupt:
        interrupted = True
    coverage = run.tally.coverage() if run.tally.games else None
    return FuzzReport(
        games=run.games, choices=run.choices, findings=tuple(run.findings.values()), interrupted=interrupted,
        coverage=coverage,
    )  # fmt: skip


def _no_game(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
    raise NotAllowed  # games of a campaign are made beforehand


def _play_campaign(
    run: _Run, campaign: Campaign, games: Mapping[str, Game], options: tuple[str, ...], chance: Chance
) -> None:
    course = Course(campaign=campaign, seed=chance.word() >> 1)
    while (stage := course.next) is not None:
        game = course.begun(games[stage.name])
        run.games += 1
        own = (*options, *stage.options)
        state = _Play(
            run=run, game=game, options=own, overlays=(), seed=course.next_seed, scenario=stage.scenario
        ).play(chance)
        if state is None:
            return
        course = course.after(game, state)


@dataclass(eq=False, slots=True)
class _Run:
    make_game: MakeGame
    every: int
    loaded: dict[tuple[tuple[str, ...], tuple[str, ...]], Game | None] = field(default_factory=dict)
    not_allowed: set[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=set)
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    games: int = 0
    choices: int = 0
    make_fast: MakeFast | None = None
    followers: dict[int, Follower | None] = field(default_factory=dict)  # by the identity of a loaded game
    asked: dict[tuple[object, ...], set[int]] = field(default_factory=dict)  # questions, by what is played

    def follower(self, game: Game) -> Follower | None:
        """The game in the fast engine, if that is to play it and can."""
        if self.make_fast is None:
            return None
        if id(game) not in self.followers:
            fast = self.make_fast(game)
            self.followers[id(game)] = Follower(fast.runner()) if fast is not None else None
        return self.followers[id(game)]

    def play(self, chance: Chance, options: Sequence[str], overlays: Sequence[str]) -> None:
        chosen_overlays = tuple(name for name in overlays if chance.below(2))
        base = self.load((), chosen_overlays)
        while base is None and chosen_overlays and self.refused((), chosen_overlays):
            # Not all overlays go together: with one less, they may.
            spare = chance.pick(chosen_overlays)
            chosen_overlays = tuple(name for name in chosen_overlays if name != spare)
            base = self.load((), chosen_overlays)
        if base is None:
            return
        chosen = tuple(sorted(_combination(base, options, chance)))
        game = self.load(chosen, chosen_overlays)
        if game is not None:
            self.games += 1
            _Play(
                run=self, game=game, options=chosen, overlays=chosen_overlays, seed=chance.word() >> 1
            ).play(chance)

    def load(self, options: tuple[str, ...], overlays: tuple[str, ...]) -> Game | None:
        key = (options, overlays)
        if key not in self.loaded:
            try:
                self.loaded[key] = self.make_game(options, overlays)
            except NotAllowed:
                self.loaded[key] = None
                self.not_allowed.add(key)
            except Exception as problem:  # whatever stops a game from being made is a finding, not the end
                self.loaded[key] = None
                self.add("load", str(problem), 0, options, overlays, ())
        return self.loaded[key]

    def refused(self, options: tuple[str, ...], overlays: tuple[str, ...]) -> bool:
        return (options, overlays) in self.not_allowed

    def add(
        self,
        kind: Kind,
        message: str,
        seed: int,
        options: tuple[str, ...],
        overlays: tuple[str, ...],
        choices: Sequence[int],
        scenario: str = "",
        carried: Mapping[str, Any] | None = None,
    ) -> None:
        finding = Finding(
            kind=kind, message=message, seed=seed, options=options, overlays=overlays, choices=tuple(choices),
            scenario=scenario, carried=carried or {},
        )  # fmt: skip
        self.findings.setdefault((kind, message), finding)


def _combination(game: Game, options: Sequence[str], chance: Chance) -> Iterator[str]:
    """Some of the options, none of which excludes another, and no more or fewer players than can be."""
    known = {option.name: option for option in game.program.options}
    taken = set(game.scenario.options)  # how many play if nobody says so is not yet chosen
    fewest, most = player_bounds(game.program, game.scenario) or (0, 0)
    for name in chance.shuffled([name for name in options if name in known]):
        count = count_of(name)
        if count is not None and not fewest <= count <= most:
            continue
        excluded = any(name in known[other].conflicts for other in taken if other in known)
        if chance.below(2) and not excluded and not taken & set(known[name].conflicts):
            taken.add(name)
            yield name


@dataclass(eq=False, slots=True)
class _Play:
    """One game, played at random."""

    run: _Run
    game: Game
    options: tuple[str, ...]
    overlays: tuple[str, ...]
    seed: int
    scenario: str = ""  # of a game of a campaign

    def play(self, chance: Chance) -> State | None:
        """The end of the game, if it came to one."""
        if not self.game.code.cover:
            return self._play(chance, None)
        watch = Watch(self.game)
        state = self._play(chance, watch)
        self.run.tally.add(self.game, watch.seen())
        return state

    def _play(self, chance: Chance, watch: Watch | None) -> State | None:
        aside = watch.looking_away if watch is not None else nullcontext
        follower = self.run.follower(self.game)
        try:
            state = self.game.start(self.seed)
        except Exception as problem:
            self._failed(problem, [])
            if follower is not None:
                self._compared(follower.start(problem, self.seed), [])
            return None
        if follower is not None and self._compared(follower.start(state, self.seed), []):
            follower = None  # there is no saying what they would do from different positions
        asked = self.run.asked.setdefault((self.scenario, self.options, self.overlays), set())
        option = 0
        try:
            while state.result is None and self._can_go_on(state):
                if state.count % self.run.every == 0 or state.ask not in asked:
                    asked.add(state.ask)
                    with aside():
                        self.look(state, chance)
                self.run.choices += 1
                option = chance.below(len(state.options))
                if watch is not None:
                    watch.takes(state, option)
                state.take(option)
                if follower is not None and self._compared(follower.take(state, option), state.choices):
                    follower = None
        except Exception as problem:
            self._failed(problem, state.choices)
            if follower is not None:
                self._compared(follower.take(problem, option), state.choices)
            return None
        with aside():
            self._replay(state)
        return state if state.over else None

    def look(self, state: State, chance: Chance) -> None:
        """Tries one position in every way."""
        before = state.hash()
        assert state.choice is not None
        told = (state.choice.prompt, [option.label for option in state.choice.options])
        self._save(state, before, chance)
        if state.hash() != before or told != (
            state.choice.prompt,
            [option.label for option in state.choice.options],
        ):
            self._add("copy", "playing on with a copy changes the position it was made from", state)
        for message in leaks(self.game, state, chance):
            self._add("leak", message, state)

    def _save(self, state: State, before: str, chance: Chance) -> None:
        """A copy and a restored position must be the same, and stay so."""
        copy, restored = state.copy(), self.game.from_json(state.to_json())
        if copy.hash() != before:
            self._add("copy", "a copy differs from its position", state)
        if (
            restored.hash() != before
            or restored.options != state.options
            or restored.choices != state.choices
        ):
            self._add("save", "a position differs after saving and loading", state)
            return
        for _ in range(_ONWARD):
            if copy.result is not None or not copy.options:
                break
            index = chance.below(len(copy.options))
            try:
                copy.take(index)
            except Exception as problem:
                self._failed(problem, copy.choices)
                return
            restored.take(index)
            if copy.hash() != restored.hash() or copy.options != restored.options:
                self._add("save", f"a loaded position goes on differently at rule {_rule(copy)}", state)
                return

    def _compared(self, differs: str, choices: Sequence[int]) -> bool:
        """Whether the engines differ, which is a finding."""
        if differs:
            self.run.add("engines", differs, self.seed, self.options, self.overlays, choices)
        return bool(differs)

    def _can_go_on(self, state: State) -> bool:
        if state.options and 0 <= state.player < len(self.game.players):
            return True
        what = "there is nothing to choose" if not state.options else "nobody is there to choose"
        self._add("dead end", f"{what} at rule {_rule(state)}", state)
        return False

    def _replay(self, state: State) -> None:
        try:
            same = self.game.replay(self.seed, state.choices).hash() == state.hash()
        except (BadChoice, RuleFailure):
            same = False
        if not same:
            self._add("replay", "the same seed and choices lead to another position", state)

    def _failed(self, problem: Exception, choices: Sequence[int]) -> None:
        kind: Kind = "crash"
        message = f"{type(problem).__name__}: {problem}"
        if isinstance(problem, RuleFailure):
            message = str(problem)
            kind = "runaway" if problem.code == "E0703" else "crash"
        self._note(kind, message, choices)

    def _add(self, kind: Kind, message: str, state: State) -> None:
        self._note(kind, message, state.choices)

    def _note(self, kind: Kind, message: str, choices: Sequence[int]) -> None:
        self.run.add(
            kind, message, self.seed, self.options, self.overlays, choices, self.scenario, self.game.carried
        )


def _rule(state: State) -> str:
    return state.game.code.asks[state.ask].site.rule if state.ask >= 0 else "-"
