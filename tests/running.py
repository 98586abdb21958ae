"""From texts to played games: every edition of the compiled code side by side, compared at every choice."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ddob_rules.scenarios.reading import load_scenario
from interpreter.compiler.compile import Code, compile_program
from interpreter.failures import Limits
from interpreter.ir import Program
from interpreter.machine.game import Game
from interpreter.machine.scenario import Scenario
from interpreter.machine.state import State
from tests.fast import Pair, pair
from tests.rules import check_text

#: journal, coverage: the editions that a program is compiled to.
EDITIONS = ((True, False), (False, False), (False, True))


@cache
def program_of(*texts: str) -> Program:
    """The program of a stack of rulesets, base first; the rules must have no errors."""
    checked = check_text(*texts)
    errors = [problem for problem in checked.problems if problem.severity == "error"]
    assert checked.program is not None and not errors, [
        (problem.code, problem.message, problem.primary and problem.primary.line) for problem in errors
    ]
    return checked.program


@cache
def _code(*texts: str, journal: bool, cover: bool) -> Code:
    """The code of such a program: many tests play the same rules."""
    return compile_program(program_of(*texts), journal=journal, cover=cover)


@cache
def _scenario(*texts: str, scenario: str) -> Scenario:
    """A scenario of such a program: all editions of the code play the same one."""
    return scenario_of(program_of(*texts), scenario)


def scenario_of(program: Program, text: str = "") -> Scenario:
    """The scenario that a YAML text describes; its header is put in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test.yaml"
        path.write_text(f"scenario: test\nruleset: {program.name}\n{text}", encoding="utf-8")
        scenario, problems = load_scenario(path, lambda name, overlays: (program, []), "test.yaml")
    assert scenario is not None, [(problem.code, problem.message) for problem in problems]
    return scenario


def play(
    *texts: str,
    scenario: str = "",
    options: Iterable[str] = (),
    limits: Limits | None = None,
    journal: bool = True,
    cover: bool = False,
) -> Game:
    """A game of a stack of rulesets, base first, each given as the text of its only file."""
    program = program_of(*texts)
    code = _code(*texts, journal=journal, cover=cover)
    return Game(program, _scenario(*texts, scenario=scenario), code, options=options, limits=limits)


@dataclass(eq=False, slots=True)
class Trial:
    """One game in all editions, kept in step. What holds of every choice is checked at every choice."""

    games: tuple[Game, ...]
    states: tuple[State, ...]
    seed: int
    fast: Pair | None = None  # the same game in the fast engine, where that plays it

    @property
    def state(self) -> State:
        return self.states[0]

    @property
    def keys(self) -> list[str]:
        """The options on offer."""
        choice = self.state.choice
        return [option.key for option in choice.options] if choice is not None else []

    @property
    def labels(self) -> list[str]:
        choice = self.state.choice
        return [option.label for option in choice.options] if choice is not None else []

    @property
    def asked(self) -> tuple[str, str]:
        """Who is asked, and what."""
        choice = self.state.choice
        return (choice.player, choice.prompt) if choice is not None else ("", "")

    def __getitem__(self, name: str) -> str:
        """What a variable of the rules is, as people see it."""
        variable = next(found for found in self.games[0].program.variables if found.name == name)
        return self.games[0].names.shown(getattr(self.state, f"v_{name}"), variable.type)

    def of(self, thing: str, attribute: str) -> object:
        """An attribute, as everybody-sees-everything shows it."""
        seen = self.state.view(None)
        for group in ("pieces", "spaces"):
            if thing in seen.get(group, {}):
                return seen[group][thing][attribute]
        raise KeyError(thing)

    def answer(self, *answers: str | int) -> Trial:
        """Answers questions, one after the other, by key, label or number."""
        for answer in answers:
            self._answer(answer)
        return self

    def _answer(self, answer: str | int) -> None:
        state = self.state
        found = answer if isinstance(answer, int) else self.games[0].find_option(state, answer)
        assert found is not None, f"`{answer}` is not among {self.keys} {self.labels}"
        before = state.hash()
        copies = [one.copy() for one in self.states]
        restored = [game.from_json(one.to_json()) for game, one in zip(self.games, self.states, strict=True)]
        for one in (*copies, *restored):
            one.apply(found)
        assert state.hash() == before, "a copy changed the state it was made from"
        for one in self.states:
            one.apply(found)
        assert len({one.hash() for one in (*self.states, *copies, *restored)}) == 1, f"after {answer}"
        if self.fast is not None:
            self.fast.take(found)
        self._check_shown()

    def check(self) -> None:
        """The editions agree, and all that is shown can be shown."""
        assert len({one.hash() for one in self.states}) == 1
        self._check_shown()

    def _check_shown(self) -> None:
        assert all(one.options == self.state.options for one in self.states)
        for one in self.states:
            choice = one.choice
            if choice is not None:
                assert choice.prompt is not None and choice.player and choice.rule
                assert len({option.key for option in choice.options}) <= len(choice.options)
        self.state.entries()
        self.state.view(None)

    def replayed(self) -> Trial:
        """Plays the same choices from the start and compares; returns itself."""
        for game, one in zip(self.games, self.states, strict=True):
            assert game.replay(self.seed, one.choices).hash() == one.hash()
        return self


def trial(
    *texts: str,
    scenario: str = "",
    options: Iterable[str] = (),
    seed: int = 0,
    answers: Iterable[str | int] = (),
) -> Trial:
    """A game in all editions, played to its first choice and then by these answers."""
    chosen = tuple(options)
    games = tuple(
        play(*texts, scenario=scenario, options=chosen, journal=journal, cover=cover)
        for journal, cover in EDITIONS
    )
    found = Trial(games, tuple(game.start(seed) for game in games), seed, pair(games[1], seed, chosen))
    found.check()
    return found.answer(*answers).replayed()


def values_of(
    rules: str, expressions: Iterable[str], *, scenario: str = "", options: Iterable[str] = ()
) -> Mapping[str, str]:
    """What expressions are, as people see them: written in an effect, and as definitions of their own."""
    wanted = list(expressions)
    lines = ["rule 99:"]
    for number, text in enumerate(wanted):
        lines.append(f"  define as_defined_{number}: text = name_of({text})")
        lines.append(f'  variable direct_{number}: text = ""')
        lines.append(f'  variable defined_{number}: text = ""')
    lines += ["  at start of turn:"]
    for number, text in enumerate(wanted):
        lines.append(f"    set direct_{number} to name_of({text})")
        lines.append(f"    set defined_{number} to as_defined_{number}")
    lines += ["    nobody wins"]
    played = trial(f"{rules}\n" + "\n".join(lines) + "\n", scenario=scenario, options=options)
    found = {}
    for number, text in enumerate(wanted):
        direct, defined = played[f"direct_{number}"], played[f"defined_{number}"]
        assert direct == defined, text
        found[text] = direct
    return found
