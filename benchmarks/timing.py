"""From contestants to ratios: everything that is compared takes turns in one run, and the median counts.

A machine gets faster and slower while it measures. Contestants that take turns share that, so their ratio
holds where a time would not. Where one process does the work, its processor time is taken, which leaves out
what other programs do meanwhile. Left out: any claim about time itself, but for a remark on one machine.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import process_time

# Does a number of pieces of work, and gives the seconds that took.
Timed = Callable[[int], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the report. `ratio` is None where an opponent is not installed."""

    subject: str
    against: str
    ratio: float | None
    wanted: str
    machine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is done. Seconds are those of one turn of one contestant."""

    rounds: int
    seconds: float
    series: int  # games that workers share
    lines: tuple[int, int]  # of the rules whose check is timed
    choices: int  # of the long game
    loads: int  # of each kind, with and without a cache
    games: int  # whole games of a large ruleset


FULL = Sizes(rounds=15, seconds=0.2, series=20_000, lines=(2_000, 20_000), choices=60_000, loads=5, games=60)
QUICK = Sizes(rounds=5, seconds=0.02, series=300, lines=(300, 3_000), choices=5_000, loads=1, games=3)


@contextmanager
def only_new_objects() -> Iterator[None]:
    """Nobody pays for what was there before either: collections do not look at it."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def repeated(work: Callable[[], object]) -> Timed:
    """Times a piece of work done again and again."""

    def timed(count: int) -> float:
        turns = range(count)
        started = process_time()
        for _ in turns:
            work()
        return process_time() - started

    return timed


def interleaved(contestants: Mapping[str, Timed], sizes: Sizes) -> dict[str, list[float]]:
    """Seconds for one piece of work of each, round by round; each round begins with another contestant."""
    with only_new_objects():
        counts = {name: _count(timed, sizes.seconds) for name, timed in contestants.items()}
        names = list(contestants)
        found: dict[str, list[float]] = {name: [] for name in names}
        for number in range(sizes.rounds):
            first = number % len(names)
            for name in [*names[first:], *names[:first]]:
                gc.collect()  # nobody pays for what another left behind
                found[name].append(contestants[name](counts[name]) / counts[name])
    return found


def ratio(opponent: list[float], ours: list[float]) -> float:
    """How many times as fast as the opponent we are: the median over the rounds."""
    return median(theirs / mine for theirs, mine in zip(opponent, ours, strict=True))


def _count(timed: Timed, seconds: float) -> int:
    """How often to do the work in a turn, so that the turn takes about that long."""
    count = 1
    while (taken := timed(count)) < seconds / 4:
        count *= 4
    return max(1, round(count * seconds / taken))
