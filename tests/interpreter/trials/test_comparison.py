"""Two series with the same seeds: how they differ, and how sure that is."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.trials.comparison import Difference, compare, newcombe, student
from interpreter.trials.simulation import Record, wilson


def record(number: int, winner: str = "ann", points: int = 0, turns: int = 1) -> Record:
    return Record(number=number, winners=(winner,), turns=turns, measures=(("points", points),))


def test_a_series_does_not_differ_from_itself() -> None:
    series = [record(number, "ann" if number % 3 else "ben", number, number) for number in range(30)]
    found = compare(series, list(reversed(series)))
    assert (found.pairs, found.same) == (30, 30)
    for each in (*found.wins, *found.numbers):
        assert each.difference == 0
        assert each.low is not None and each.high is not None
        assert each.low <= 0 <= each.high
    assert [each.name for each in found.numbers] == ["turns", "choices", "points"]
    assert found.numbers[2].low == found.numbers[2].high == 0


def test_a_constant_difference_is_certain_however_wide_the_series() -> None:
    first = [record(number, points=number * 7 % 50) for number in range(20)]
    second = [record(number, points=number * 7 % 50 + 3) for number in range(20)]
    points = compare(first, second).numbers[2]
    assert (points.difference, points.low, points.high) == (3, 3, 3)


def test_the_interval_of_a_mean_is_the_one_of_the_textbook() -> None:
    changes = [2, 4, 4, 4, 5, 5, 7, 9]  # mean 5, standard deviation 2.138, t of 7 is 2.3646
    series = [[record(n, points=change * side) for n, change in enumerate(changes)] for side in (0, 1)]
    points = compare(*series).numbers[2]
    half = 2.3646 * sqrt(32 / 7) / sqrt(8)
    assert (points.first, points.second, points.difference) == (0, 5, 5)
    assert [points.low, points.high] == pytest.approx([5 - half, 5 + half], abs=1e-3)


@pytest.mark.parametrize(
    "degrees, factor", [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (99, 1.9842)]
)
def test_students_factor_is_the_published_one(degrees: int, factor: float) -> None:
    assert student(degrees) == pytest.approx(factor, rel=1.5e-3)


def test_games_that_failed_or_are_missing_make_no_pair() -> None:
    first = [record(0), record(1), Record(number=2, failure="divided by zero"), record(3)]
    second = [record(0), Record(number=1, failure="runaway"), record(2), record(4)]
    found = compare(first, second)
    assert found.pairs == 1
    assert [each.low for each in found.numbers] == [None, None, None]  # one pair says nothing of the spread


def test_no_pairs_are_told_as_such() -> None:
    found = compare([record(0)], [record(1)])
    assert (found.pairs, found.wins, found.numbers) == (0, (), ())


def test_a_measure_that_one_side_lacks_has_no_difference() -> None:
    first = [Record(number=n, measures=(("losses", 4),)) for n in range(3)]
    second = [Record(number=n, measures=(("points", 5),)) for n in range(3)]
    found = compare(first, second).numbers[2:]
    assert found == (
        Difference(name="losses", first=4, second=None),
        Difference(name="points", first=None, second=5),
    )


def test_shares_are_of_pairs() -> None:
    first = [record(n, "ann" if n < 6 else "ben") for n in range(10)]
    second = [record(n, "ann" if n < 8 else "ben") for n in range(10)]
    ann, ben = compare(first, second).wins
    assert (ann.name, ann.first, ann.second) == ("ann", 0.6, 0.8)
    assert ann.difference == pytest.approx(0.2)
    assert ann.low is not None and ben.high is not None
    assert ben.high == pytest.approx(-ann.low)


@given(cells=st.tuples(*[st.integers(0, 500)] * 4))
def test_interval_of_shares_holds_the_difference_and_mirrors(cells: tuple[int, int, int, int]) -> None:
    both, first, second, neither = cells
    total = max(1, sum(cells))
    low, high = newcombe(*cells)
    assert -1 - 1e-9 <= low <= (second - first) / total + 1e-9
    assert (second - first) / total - 1e-9 <= high <= 1 + 1e-9
    mirrored = newcombe(both, second, first, neither)
    assert [-mirrored[1], -mirrored[0]] == pytest.approx([low, high])


def test_pairs_that_have_nothing_in_common_get_the_interval_of_two_series() -> None:
    """Then it joins the two intervals of Wilson: a square of both, without what they share."""
    assert newcombe(42, 14, 18, 6) == pytest.approx(
        (0.05 - sqrt((0.75 - wilson(60, 80)[0]) ** 2 + (wilson(56, 80)[1] - 0.7) ** 2),
         0.05 + sqrt((0.7 - wilson(56, 80)[0]) ** 2 + (wilson(60, 80)[1] - 0.75) ** 2))
    )  # fmt: skip


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.9])
def test_interval_of_shares_is_right_as_often_as_it_says(alike: float) -> None:
    """Pairs that share their luck in part; the true difference is 0.15."""
    random, held, rounds = Random(1), 0, 1500
    for _ in range(rounds):
        cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for _ in range(60):
            luck = random.random()
            other = luck if random.random() < alike else random.random()
            cells[luck < 0.5, other < 0.65] += 1
        low, high = newcombe(*cells.values())
        held += low <= 0.15 <= high
    assert 0.93 <= held / rounds <= 0.985
