"""From two series of games with the same seeds to how they differ, with the uncertainty of the difference.

Games with the same seed are pairs: as far as the rules agree, they see the same luck. Pairs do not depend on
each other, so intervals of pairs hold whether or not the two games of a pair are alike; where they are, the
intervals are narrower than those of two unrelated series. Left out: which difference is the one that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from interpreter.trials.simulation import SIGMAS, Record, wilson

# Student's factor for one and two degrees of freedom; from three on, the expansion is good to a thousandth.
_FEW = {1: 12.706204736, 2: 4.302652730}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A share or a mean in both series. What a series does not have is None, and so is what is not known."""

    name: str
    first: float | None
    second: float | None
    difference: float | None = None  # second less first
    low: float | None = None  # the ends of the 95% interval of the difference
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How the second series differs from the first, in the games that both played to their end."""

    pairs: int
    same: int  # pairs that ended in the same way, after as many turns and choices
    wins: tuple[Difference, ...]  # shares by winners; the most frequent first
    numbers: tuple[Difference, ...]  # means: turns, choices, then measures


def compare(first: Sequence[Record], second: Sequence[Record]) -> Comparison:
    """Compares two series game by game, leaving out those that failed or that only one series has."""
    others = {record.number: record for record in second if not record.failure}
    pairs = [
        (record, others[record.number])
        for record in sorted(first, key=lambda record: record.number)
        if not record.failure and record.number in others
    ]
    numbers = [
        _means("turns", pairs, lambda record: record.turns),
        _means("choices", pairs, lambda record: record.choices),
        *(_measure(title, pairs) for title in _titles(pairs)),
    ]
    return Comparison(
        pairs=len(pairs),
        same=sum(_ending(one) == _ending(other) for one, other in pairs),
        wins=_wins(pairs),
        numbers=tuple(numbers) if pairs else (),
    )


_Pairs = Sequence[tuple[Record, Record]]


def _ending(record: Record) -> tuple[object, ...]:
    return record.winners, record.text, record.turns, record.choices, record.measures


# ---------------------------------------------------------------- shares


def _wins(pairs: _Pairs) -> tuple[Difference, ...]:
    counts: dict[str, int] = {}
    for pair in pairs:
        for record in pair:
            counts[record.winner] = counts.get(record.winner, 0) + 1
    names = sorted(counts, key=lambda name: (-counts[name], name))
    return tuple(_shares(name, pairs) for name in names)


def _shares(name: str, pairs: _Pairs) -> Difference:
    seen = [(one.winner == name, other.winner == name) for one, other in pairs]
    both, only_second = seen.count((True, True)), seen.count((False, True))
    only_first, total = seen.count((True, False)), len(seen)
    low, high = newcombe(both, only_first, only_second, total - both - only_first - only_second)
    first, second = (both + only_first) / total, (both + only_second) / total
    return Difference(
        name=name, first=first, second=second, difference=second - first, low=low, high=high
    )  # fmt: skip


def newcombe(both: int, only_first: int, only_second: int, neither: int) -> tuple[float, float]:
    """Newcombe's 95% interval for the second share less the first, of pairs (his method 10, of 1998).

    It joins Wilson's intervals of the two shares, and takes into account how far the pairs go together.
    """
    total = both + only_first + only_second + neither
    if total == 0:
        return -1.0, 1.0
    ones, others = both + only_first, both + only_second
    first, second = ones / total, others / total
    (low, high), (other_low, other_high) = wilson(ones, total), wilson(others, total)
    together = _together(both, only_first, only_second, neither)
    below, above = second - other_low, high - first
    left = sqrt(max(0.0, below * below - 2 * together * below * above + above * above))
    below, above = first - low, other_high - second
    right = sqrt(max(0.0, below * below - 2 * together * below * above + above * above))
    return second - first - left, second - first + right


def _together(both: int, only_first: int, only_second: int, neither: int) -> float:
    """How far two yes-or-no answers go together, from -1 to 1, a little less than seen where they do."""
    sides = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    if sides == 0:
        return 0.0
    product = both * neither - only_first * only_second
    half = (both + only_first + only_second + neither) / 2
    return (max(product - half, 0.0) if product > 0 else float(product)) / sqrt(sides)


# ---------------------------------------------------------------- means


def _titles(pairs: _Pairs) -> list[str]:
    return list(dict.fromkeys(title for pair in pairs for record in pair for title, _ in record.measures))


def _measure(title: str, pairs: _Pairs) -> Difference:
    known = [(dict(one.measures), dict(other.measures)) for one, other in pairs]
    values = [(one.get(title), other.get(title)) for one, other in known]
    shared = [(one, other) for one, other in values if one is not None and other is not None]
    if len(shared) == len(values):
        return _difference(title, shared)
    firsts = [one for one, _ in values if one is not None]
    seconds = [other for _, other in values if other is not None]
    return Difference(
        name=title, first=fmean(firsts) if firsts else None, second=fmean(seconds) if seconds else None
    )


def _means(name: str, pairs: _Pairs, number: Callable[[Record], int]) -> Difference:
    return _difference(name, [(number(one), number(other)) for one, other in pairs])


def _difference(name: str, values: list[tuple[int, int]]) -> Difference:
    if not values:
        return Difference(name=name, first=None, second=None)
    first, second = fmean(one for one, _ in values), fmean(other for _, other in values)
    changes = [other - one for one, other in values]
    middle = fmean(changes)
    if len(changes) < 2:
        return Difference(name=name, first=first, second=second, difference=middle)
    half = student(len(changes) - 1) * stdev(changes) / sqrt(len(changes))
    return Difference(
        name=name, first=first, second=second, difference=middle, low=middle - half, high=middle + half
    )  # fmt: skip


def student(degrees: int) -> float:
    """The factor of a 95% interval of a mean, by Student's distribution with so many degrees of freedom."""
    if degrees in _FEW:
        return _FEW[degrees]
    z = SIGMAS
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(degrees) ** exponent for exponent, term in enumerate(terms, start=1))
