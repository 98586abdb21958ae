"""Two engines side by side: a game in the fast engine follows the choices of one in the Python engine."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.failures import RuleFailure
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.wasm.engine import FastGame, Runner

#: Makes a game ready for the fast engine; None if that leaves it to the other.
MakeFast = Callable[[Game], FastGame | None]


class Follower:
    """A game in the fast engine, and what it does otherwise."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner

    def start(self, state: State, seed: int) -> str:
        """Begins a game that has begun there; the difference, empty if there is none."""
        return self._tried(lambda: self.runner.start(seed), state)

    def take(self, state: State, option: int) -> str:
        """Takes the option that was taken there."""
        return self._tried(lambda: self.runner.take(option), state)

    def fails(self, problem: Exception, option: int) -> str:
        """Takes the option that failed there."""
        try:
            self.runner.take(option)
        except RuleFailure as failure:
            return "" if _same(problem, failure) else f"one engine says {problem}, the other {failure}"
        return f"only one engine says {problem}"

    def _tried(self, play: Callable[[], None], state: State) -> str:
        try:
            play()
        except RuleFailure as failure:
            return f"only the fast engine says {failure}"
        return difference(state, self.runner.state())


def difference(expected: State, found: State) -> str:
    """The first part of a position in which two engines differ, in a few words."""
    parts, others = expected.data(), found.data()
    for name, value in parts.items():
        if others[name] == value:
            continue
        if not isinstance(value, dict):
            return f"{name} is {_short(value)} in one engine and {_short(others[name])} in the other"
        for inner, one in value.items():
            if others[name][inner] != one:
                return (
                    f"{inner} is {_short(one)} in one engine and {_short(others[name][inner])} in the other"
                )
    return ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _same(problem: Exception, failure: RuleFailure) -> bool:
    return isinstance(problem, RuleFailure) and (problem.code, problem.site) == (failure.code, failure.site)
