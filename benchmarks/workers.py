"""A series of random games shared by two processes, against one process that plays them all."""

from __future__ import annotations

import os
from functools import partial
from statistics import median
from time import perf_counter

from benchmarks.timing import Row, Sizes
from ddob_rules import load
from interpreter.trials.simulation import simulate

_MOST_REPEATS = 3  # a series is long; more would not change the median


def series_seconds(games: int, workers: int) -> float:
    """How long a series takes, starting the processes included."""
    started = perf_counter()
    summary = simulate(partial(load, "breakthrough", journal=False), {}, games=games, workers=workers)
    assert summary.played == games and not summary.failures
    return perf_counter() - started


def measure(sizes: Sizes) -> list[Row]:
    """One row; a machine with one core has nothing to share."""
    repeats = min(_MOST_REPEATS, sizes.rounds)
    pairs = [(series_seconds(sizes.series, 1), series_seconds(sizes.series, 2)) for _ in range(repeats)]
    one, two = (median(pair[number] for pair in pairs) for number in (0, 1))
    return [
        Row(
            subject=f"{sizes.series:,} random games of breakthrough, 2 workers",
            against="1 worker",
            ratio=median(alone / shared for alone, shared in pairs),
            wanted="at least 1.7",
            machine=f"{two:.1f} to {one:.1f} s, {os.cpu_count() or 1} cores",
        )
    ]
