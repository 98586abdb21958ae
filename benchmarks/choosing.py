"""Random games by options, as a program plays that shows some of them, against the same games by numbers.

An option is an object that could be worded; taking it must not cost what wording all of them would.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median

from benchmarks.playouts import GAMES
from benchmarks.timing import Row, Sizes, interleaved, ratio, repeated
from ddob_rules import load
from interpreter.machine.game import Game

_WANTED = {False: "at least 0.5", True: "at least 0.33"}


def play_by_options(game: Game, draw: Callable[[], float]) -> None:
    """One uniformly random game: asks for the options, takes one of them."""
    state = game.start(0)
    while (choice := state.choice) is not None:
        options = choice.options
        state.apply(options[int(draw() * len(options))])


def play_by_numbers(game: Game, draw: Callable[[], float]) -> None:
    """One uniformly random game: takes an option by its number."""
    state = game.start(0)
    while not state.over:
        state.apply(int(draw() * len(state.options)))


def measure(sizes: Sizes) -> list[Row]:
    """Two rows a game, without a journal and with one."""
    return [_measure(name, journal, sizes) for name in GAMES for journal in (False, True)]


def _measure(name: str, journal: bool, sizes: Sizes) -> Row:
    game, draw = load(name, journal=journal), random.Random(3).random
    found = interleaved(
        {
            "options": repeated(lambda: play_by_options(game, draw)),
            "numbers": repeated(lambda: play_by_numbers(game, draw)),
        },
        sizes,
    )
    return Row(
        subject=f"random games of {name} by options, {'with' if journal else 'without'} a journal",
        against="by numbers",
        ratio=ratio(found["numbers"], found["options"]),
        wanted=_WANTED[journal],
        machine=f"{1 / median(found['options']):,.0f} to {1 / median(found['numbers']):,.0f} games/s",
    )
