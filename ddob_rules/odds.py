"""Odds: how likely what an example expects is, when nobody says what the dice show.

The `given` and `when` of an example are run with free dice, draws and shuffles, but for what `dice show` and
`answer` fix. Where the tree of chance is small all of it is walked, and the odds are exact; after each line
positions that are alike become one, so what no longer matters costs nothing. Otherwise so many runs are
sampled. Questions that no answer fits are answered at random, or by a player of the computer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Any, Literal

from ddob_rules.examples import Expectation, Prepared, Ready, Step, expect, fix, opening_of
from interpreter.machine.chance import Chance, derive
from interpreter.machine.game import Game
from interpreter.machine.scripted import Choose, play_script, run_procedure
from interpreter.machine.state import State, restore
from interpreter.players.kinds import make_player
from interpreter.trials.outcomes import Outcomes
from interpreter.trials.simulation import wilson

Answering = Literal["random", "greedy"]
Verdicts = tuple[bool, ...]
Holds = Callable[[Verdicts], bool]
#: So many runs of a line make a tree that is walked; more are sampled.
MOST_RUNS = 100_000


class TooLarge(Exception):
    """The tree of chance has more ways than are walked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How likely something is: exactly, or as a share of samples with its 95% interval."""

    text: str
    share: float
    exact: Fraction | None = None
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The odds of each `expect` line, and of all together; `asked` if somebody had to answer a question."""

    lines: tuple[Odds, ...]
    together: Odds
    runs: int
    exact: bool
    asked: bool


def exact_odds(
    ready: Ready, example: Prepared, answering: Answering, seed: int, most: int = MOST_RUNS
) -> Found:
    """The odds by walking the whole tree.

    Raises:
        TooLarge: it has more than so many ways.
        RuleFailure: on some way the rules fail.
    """
    return _Walk(ready, example, answering, seed, most).found()


def sampled_odds(ready: Ready, example: Prepared, answering: Answering, seed: int, runs: int) -> Found:
    """The odds as shares of so many runs; run K has the chance of seed S + K."""
    game = ready.game(example)
    answers = _Answers(answering, None)
    seen: dict[Verdicts, int] = {}
    for number in range(runs):
        chance = Chance(derive(seed + number, 0))
        answers.begin(seed + number, chance.below)
        verdicts = _whole(game, example, seed + number, answers)
        seen[verdicts] = seen.get(verdicts, 0) + 1

    def odds(text: str, holds: Holds) -> Odds:
        count = sum(many for verdicts, many in seen.items() if holds(verdicts))
        low, high = wilson(count, runs)
        return Odds(text=text, share=count / runs, low=low, high=high)

    return _told(example, odds, runs, False, answers.asked)


def _told(
    example: Prepared, odds: Callable[[str, Holds], Odds], runs: int, exact: bool, asked: bool
) -> Found:
    texts = [expectation.text for expectation in example.expectations]
    lines = tuple(odds(text, itemgetter(number)) for number, text in enumerate(texts))
    return Found(lines=lines, together=odds("", all), runs=runs, exact=exact, asked=asked)


# ---------------------------------------------------------------- one run


class _Answers:
    """Answers what an example leaves open; `plain` is the game with dice of its own, to think in."""

    def __init__(self, kind: Answering, plain: Game | None) -> None:
        self.kind = kind
        self.plain = plain
        self.asked = False
        self.seed = 0
        self.pick: Callable[[int], int] = lambda count: 0

    def begin(self, seed: int, pick: Callable[[int], int]) -> None:
        self.seed, self.pick = seed, pick

    def choose(self, state: State) -> int:
        self.asked = True
        if self.kind == "random":
            return self.pick(len(state.options))
        return make_player(self.kind, derive(self.seed, state.player, state.count)).choose(
            self._to_think(state)
        )

    def _to_think(self, state: State) -> State:
        """The position where trying out what dice may show disturbs nobody."""
        if self.plain is None:
            return state
        thought = self.plain.template.copy()
        restore(thought, state.data())
        thought.rng = derive(self.seed, state.count)
        return thought


def _whole(game: Game, example: Prepared, seed: int, answers: _Answers) -> Verdicts:
    """All lines of an example, one after the other."""
    state = opening_of(game, example, seed)
    position = _Position(state, state.copy(), False, ())
    for line in example.script:
        position = _after(game, example, line, position, answers.choose)
    return position.verdicts


@dataclass(frozen=True, slots=True)
class _Position:
    """Where an example stands: now, before its first `when` or `expect`, and what has been found so far."""

    state: State
    before: State
    begun: bool
    verdicts: Verdicts


def _after(
    game: Game, example: Prepared, line: Step | Expectation, at: _Position, choose: Choose
) -> _Position:
    """The position after a line; the state of the one before it is used up."""
    state, before, begun = at.state, at.before, at.begun
    if not begun and not (isinstance(line, Step) and line.given):
        fix(game, example, state)
        before, begun = state.copy(), True
    game.refuel(state)
    if isinstance(line, Expectation):
        wrong: list[str] = []
        expect(game, example, line, before, state, lambda code, *_, **__: wrong.append(code))
        return _Position(state, before, begun, (*at.verdicts, not wrong))
    if state.result is None:
        run_procedure(game, state, line.name, choose)
        if example.plays:
            play_script(game, state, choose)
    state.script = ()
    return _Position(state, before, begun, at.verdicts)


# ---------------------------------------------------------------- the whole tree


class _Walk:
    """Goes through an example line by line, with all positions that there can be and how likely each is."""

    def __init__(self, ready: Ready, example: Prepared, answering: Answering, seed: int, most: int) -> None:
        self.example = example
        self.source = Outcomes()
        self.game = ready.game(example, self.source)
        self.answers = _Answers(answering, ready.game(example))
        self.answers.begin(seed, self.source.choose)
        self.most = most
        self.runs = 0
        # Only an example that says so looks at what else has changed.
        self.looks_back = any(line.sort == "nothing else" for line in example.expectations)

    def found(self) -> Found:
        frontier = self._spread({(): (Fraction(1), None)}, lambda _: self._opening(), self._key)
        *first, last = self._pieces()
        for piece in first:
            frontier = self._spread(frontier, partial(self._lines, piece), self._key)
        before = self.runs
        # Nothing follows, so it does not matter which positions these are.
        ends = self._spread(frontier, partial(self._lines, last), lambda at: at.verdicts)

        def odds(text: str, holds: Holds) -> Odds:
            exact = sum((share for verdicts, (share, _) in ends.items() if holds(verdicts)), Fraction(0))
            return Odds(text=text, share=float(exact), exact=exact, low=float(exact), high=float(exact))

        return _told(self.example, odds, self.runs - before, True, self.answers.asked)

    def _pieces(self) -> list[list[Step | Expectation]]:
        """The lines, cut before each that does something."""
        pieces: list[list[Step | Expectation]] = [[]]
        for line in self.example.script:
            if isinstance(line, Step):
                pieces.append([])
            pieces[-1].append(line)
        return pieces

    def _opening(self) -> _Position:
        state = opening_of(self.game, self.example)
        return _Position(state, state, False, ())

    def _lines(self, lines: list[Step | Expectation], at: _Position | None) -> _Position:
        assert at is not None
        position = _Position(at.state.copy(), at.before, at.begun, at.verdicts)
        for line in lines:
            position = _after(self.game, self.example, line, position, self.answers.choose)
        return position

    def _spread(
        self,
        frontier: dict[Any, tuple[Fraction, _Position | None]],
        act: Callable[[_Position | None], _Position],
        key_of: Callable[[_Position], Any],
    ) -> dict[Any, tuple[Fraction, _Position | None]]:
        """Every position after something was done in every way; positions that are alike become one."""
        found: dict[Any, tuple[Fraction, _Position | None]] = {}
        for weight, at in frontier.values():
            self.source.forget()
            more = True
            while more:
                self.runs += 1
                if self.runs > self.most:
                    raise TooLarge
                self.source.begin()
                position = act(at)
                share = weight * self.source.probability
                key = key_of(position)
                known = found.get(key)
                found[key] = (share, position) if known is None else (known[0] + share, known[1])
                more = self.source.advance()
        return found

    def _key(self, position: _Position) -> Any:
        before = position.before.hash() if self.looks_back and position.begun else ""
        return position.state.hash(), position.state.script, before, position.verdicts
