"""What a choice costs at the beginning and at the end of a long game, with and without a journal.

The game is pig, played by two who always roll: nobody ever scores, and every choice does the same work, so
whatever grows does so because the game, its list of choices or its journal has grown.
"""

from __future__ import annotations

import gc
from statistics import median
from time import process_time

from benchmarks.timing import Row, Sizes
from ddob_rules import load
from interpreter.failures import Limits
from interpreter.machine.game import Game
from interpreter.machine.state import State

_WINDOWS = 20  # parts of the game, of which the first and the last are compared


def endless_game(*, journal: bool, choices: int) -> Game:
    """The game, which may last so many choices."""
    return load("pig", journal=journal, limits=Limits(choices=choices + _WINDOWS))


def window_times(game: Game, choices: int) -> list[float]:
    """Seconds for each part of one long game."""
    gc.collect()
    state = game.start(1)
    window = max(1, choices // _WINDOWS)
    return [_window(state, window) for _ in range(_WINDOWS)]


def _window(state: State, choices: int) -> float:
    started = process_time()
    for _ in range(choices):
        state.take(0)
        state.copy()
    return process_time() - started


def measure(sizes: Sizes) -> list[Row]:
    """A row with and one without a journal."""
    rows = []
    for journal in (False, True):
        game = endless_game(journal=journal, choices=sizes.choices)
        games = [window_times(game, sizes.choices) for _ in range(max(3, sizes.rounds // 3))]
        words = "with a journal" if journal else "without a journal"
        window = max(1, sizes.choices // _WINDOWS)
        first, last = (median(times[part] for times in games) for part in (0, -1))
        rows.append(
            Row(
                subject=f"a choice and a copy, the last of {sizes.choices:,}, {words}",
                against="the first ones",
                ratio=median(times[-1] / times[0] for times in games),
                wanted="about 1",
                machine=f"{last / window * 1e6:.2f} to {first / window * 1e6:.2f} microseconds",
            )
        )
    return rows
