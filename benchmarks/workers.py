"""A series of random games shared by two processes, against one process that plays all; in both engines."""

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
#: So many times as many games for the fast engine: of each, most of the time goes into telling it.
_MORE = 3


def series_seconds(games: int, workers: int, fast: bool = False) -> float:
    """How long a series takes, starting the processes included."""
    make = partial(load, "breakthrough", journal=False)
    started = perf_counter()
    summary = simulate(make, {}, games=games, workers=workers, make_fast=fast_game if fast else None)
    assert summary.played == games and not summary.failures
    return perf_counter() - started


def measure(sizes: Sizes) -> list[Row]:
    """A row for each engine; a machine with one core has nothing to share."""
    return [_row(sizes, "Python engine", 1), _row(sizes, "fast engine", _MORE)]


def _row(sizes: Sizes, engine: str, more: int) -> Row:
    games, fast = more * sizes.series, engine == "fast engine"
    repeats = min(_MOST_REPEATS, sizes.rounds)
    pairs = [(series_seconds(games, 1, fast), series_seconds(games, 2, fast)) for _ in range(repeats)]
    one, two = (median(pair[number] for pair in pairs) for number in (0, 1))
    return Row(
        subject=f"{games:,} random games of breakthrough, {engine}, 2 workers",
        against="1 worker",
        ratio=median(alone / shared for alone, shared in pairs),
        wanted="at least 1.8",
        machine=f"{two:.1f} to {one:.1f} s, {os.cpu_count() or 1} cores",
    )
