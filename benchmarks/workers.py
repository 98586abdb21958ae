"""A series of random games shared by two processes, against one process that plays all; in both engines.

A toy is over in the blink in which the fast engine's result is handed over, so what sharing is worth to
somebody who waits is told by a large game, too.
"""

from __future__ import annotations

import os
from functools import partial
from statistics import median
from time import perf_counter

from benchmarks.timing import Row, Sizes
from ddob_rules import load
from ddob_rules.library.fast import fast_game
from interpreter.trials.simulation import simulate

_MOST_REPEATS = 3  # a series is long; more would not change the median


def series_seconds(name: str, games: int, workers: int, fast: bool) -> float:
    """How long a series takes, starting the processes included."""
    make = partial(load, name, journal=False)
    started = perf_counter()
    summary = simulate(make, {}, games=games, workers=workers, make_fast=fast_game if fast else None)
    assert summary.played == games and not summary.failures
    return perf_counter() - started


def measure(sizes: Sizes) -> list[Row]:
    """A row for each engine and game; a machine with one core has nothing to share."""
    return [
        _row(sizes, "breakthrough", "Python engine", sizes.series),
        _row(sizes, "breakthrough", "fast engine", 3 * sizes.series),
        _row(sizes, "first-waves", "fast engine", max(2, sizes.series // 20)),
    ]


def _row(sizes: Sizes, name: str, engine: str, games: int) -> Row:
    fast = engine == "fast engine"
    repeats = min(_MOST_REPEATS, sizes.rounds)
    pairs = [
        (series_seconds(name, games, 1, fast), series_seconds(name, games, 2, fast)) for _ in range(repeats)
    ]
    one, two = (median(pair[number] for pair in pairs) for number in (0, 1))
    return Row(
        subject=f"{games:,} random games of {name}, {engine}, 2 workers",
        against="1 worker",
        ratio=median(alone / shared for alone, shared in pairs),
        wanted="at least 1.8",
        machine=f"{two:.1f} to {one:.1f} s, {os.cpu_count() or 1} cores",
    )
