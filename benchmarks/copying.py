"""Copies of a position half-way through a game: `state.copy()` against `copy.deepcopy` of the same data."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from statistics import median

from benchmarks.playouts import GAMES
from benchmarks.timing import Row, Sizes, interleaved, ratio, repeated
from ddob_rules import load
from interpreter.machine.state import State

# As many moves as the opponents' own positions to copy are deep.
_MOVES = {"tic-tac-toe": 4, "connect-four": 14, "breakthrough": 12}


def midgame(name: str) -> State:
    """A position of the game after a few random moves."""
    rng = random.Random(2)
    state = load(name, journal=False).start(0)
    for _ in range(_MOVES[name]):
        state.apply(rng.randrange(len(state.options)))
    assert state.result is None
    return state


def measure(sizes: Sizes) -> list[Row]:
    """Two rows a game: our own position as plain data, and the plain opponent's position."""
    return [row for name in GAMES for row in _measure(name, sizes)]


def _measure(name: str, sizes: Sizes) -> list[Row]:
    state = midgame(name)
    data, opponent = state.data(), GAMES[name]["plain"].copyable()
    found = interleaved(
        {
            "ours": repeated(state.copy),
            "data": repeated(_deep(data)),
            "opponent": repeated(_deep(opponent)),
        },
        sizes,
    )
    subject = f"copies of a position of {name} per second"
    whose = {
        "data": ("deepcopy of its data", "at least 50"),
        "opponent": ("deepcopy of plain Python's", "as it is"),
    }
    return [
        Row(
            subject=subject,
            against=against,
            ratio=ratio(found[key], found["ours"]),
            wanted=wanted,
            machine=f"{median(found['ours']) * 1e6:.2f} to {median(found[key]) * 1e6:.2f} microseconds",
        )
        for key, (against, wanted) in whose.items()
    ]


def _deep(position: object) -> Callable[[], object]:
    return lambda: copy.deepcopy(position)
