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

    def start(self, state: State | Exception, seed: int) -> str:
        """Begins the game that began there, or failed to; the difference, empty if there is none."""
        return self._compared(lambda: self.runner.start(seed), state)

    def take(self, state: State | Exception, option: int) -> str:
        """Takes the option that was taken there, or that failed."""
        return self._compared(lambda: self.runner.take(option), state)

    def _compared(self, play: Callable[[], None], expected: State | Exception) -> str:
        try:
            play()
        except Exception as problem:
            return _other_failure(expected, problem)
        if isinstance(expected, Exception):
            return f"only the Python engine says {expected}"
        return difference(expected, self.runner.state())


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


def _other_failure(expected: State | Exception, found: Exception) -> str:
    """How a failure of the fast engine differs from what came of it in the other."""
    if not isinstance(expected, Exception):
        return f"only the fast engine says {found}"
    if isinstance(expected, RuleFailure) and isinstance(found, RuleFailure):
        same = (expected.code, expected.site) == (found.code, found.site)
    else:
        same = (type(expected), str(expected)) == (type(found), str(found))
    return "" if same else f"one engine says {expected}, the other {found}"
