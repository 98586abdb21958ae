"""Finds inputs that no row of a table takes, or that two rows take, without trying every number there is.

Each parameter is reduced to a few sample values: all values of an enum or flag; for numbers the ends of
every range that a cell mentions, and their neighbours. Numbers beyond all that a column mentions are no
gap: dice and tracks end somewhere, and a table need not say what happens after that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ddob_rules.check.scope import Vocabulary
from interpreter import ir

# Beyond this many combinations a table is too large to be judged in the time an author waits.
_BUDGET = 300_000
# The same for samples, each of which is held against every row.
_MOST_TESTS = 2_000_000


@dataclass(frozen=True, slots=True)
class Accepts:
    """The constants that a cell accepts: those in any of its ranges, whose ends may be open."""

    ranges: tuple[tuple[int | None, int | None], ...]

    def __call__(self, value: int) -> bool:
        return any(
            (low is None or low <= value) and (high is None or value <= high) for low, high in self.ranges
        )

    @property
    def bounds(self) -> list[int]:
        return [bound for ends in self.ranges for bound in ends if bound is not None]


ANYTHING = Accepts(((None, None),))

Rows = Sequence[Sequence[Accepts]]
Domains = Sequence[tuple[int, ...]]


def samples_of(
    words: Vocabulary, kind: ir.Type, tests: Sequence[Accepts], beyond: bool
) -> tuple[int, ...] | None:
    """Values that stand for all the others, with some `beyond` the ends or not; None for other types."""
    if all(test == ANYTHING for test in tests):
        return (0,)  # nothing depends on it
    if kind == ir.FLAG:
        return (0, 1)
    if kind.tag == "enum":
        return tuple(range(len(words.enums[kind.names[0]].values)))
    if kind != ir.NUMBER:
        return None
    ends = sorted({bound for test in tests for bound in test.bounds})
    near = sorted({value + step for value in ends for step in (-1, 0, 1)}) or [0]
    if beyond or not ends:
        return tuple(near)
    return tuple(value for value in near if ends[0] <= value <= ends[-1])


def can_be_judged(domains: Domains, rows: Rows) -> bool:
    """Whether looking for gaps and overlaps takes no longer than an author waits."""
    return len(rows) * sum(map(len, domains)) <= _MOST_TESTS


def find_gap(domains: Domains, rows: Rows) -> tuple[int, ...] | None:
    """An input that no row takes."""
    for values, taken in _inputs(domains, rows, overlaps=False):
        if not taken:
            return values
    return None


def find_overlap(domains: Domains, rows: Rows) -> tuple[tuple[int, ...], int, int] | None:
    """An input that two rows take, and the two rows."""
    for values, taken in _inputs(domains, rows, overlaps=True):
        if taken & (taken - 1):
            first = (taken & -taken).bit_length() - 1
            rest = taken & (taken - 1)
            return values, first, (rest & -rest).bit_length() - 1
    return None


def hidden_rows(domains: Domains, rows: Rows) -> Iterator[tuple[int, int]]:
    """The rows that take nothing that one earlier row does not take, each with that row."""
    seen: list[tuple[int, list[set[int]]]] = []
    for number, row in enumerate(rows):
        taken = [
            {value for value in domain if test(value)} for domain, test in zip(domains, row, strict=True)
        ]
        for earlier, wider in seen:
            if all(mine <= theirs for mine, theirs in zip(taken, wider, strict=True)):
                yield number, earlier
                break
        seen.append((number, taken))


def _inputs(domains: Domains, rows: Rows, overlaps: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Combinations of samples with the set of rows that take each; what cannot matter is skipped."""
    masks = [
        [
            (value, sum(1 << number for number, row in enumerate(rows) if row[position](value)))
            for value in domain
        ]
        for position, domain in enumerate(domains)
    ]
    spent = 0

    def visit(position: int, values: tuple[int, ...], taken: int) -> Iterator[tuple[tuple[int, ...], int]]:
        nonlocal spent
        spent += 1
        if spent > _BUDGET:
            return
        if position == len(masks) or (not overlaps and not taken):
            rest = tuple(masks[later][0][0] for later in range(position, len(masks)))
            yield (*values, *rest), taken
            return
        if overlaps and not taken & (taken - 1):
            return
        for value, mask in masks[position]:
            yield from visit(position + 1, (*values, value), taken & mask)

    yield from visit(0, (), (1 << len(rows)) - 1)
