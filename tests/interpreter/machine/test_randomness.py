"""The stream is pinned, uniform, and follows its written description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.machine.randomness import advance, below, picks, shuffled, start

relaxed = settings(deadline=None)
states = st.integers(0, 2**64 - 1)

# Values that chance exceeds once in a thousand, by degrees of freedom.
CHI_SQUARE_LIMIT = {1: 10.83, 2: 13.82, 5: 20.52, 11: 31.26, 23: 49.73, 51: 87.97}


def chi_square(seen: Iterable[Hashable], kinds: int) -> float:
    counts = Counter(seen)
    assert len(counts) <= kinds
    expected = counts.total() / kinds
    missing = (kinds - len(counts)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (
            0,
            [
                0xA706DD2F4D197E6F,
                0xB382A305F4414F5E,
                0x631A9154FBABF717,
                0xA80ABA8C86640906,
                0xC9B5AE106698F0BB,
            ],
        ),
        (
            1,
            [
                0x64684C4F0FD784B4,
                0x15AFA6CC98416E0C,
                0xD79B1B9DBD70E170,
                0x8EA264D0125C8328,
                0xF3E26A9D3D2FB8AC,
            ],
        ),
        (
            2**64 - 1,
            [
                0x8A5A4C9C6FBC2B1B,
                0xDB38BFDB3BB62910,
                0x2764829D713BE9BA,
                0x63857C3DE618AAA6,
                0x0A40DAD7A67E0D0D,
            ],
        ),
    ],
)
def test_first_values_of_a_seed_never_change(seed: int, expected: list[int]) -> None:
    state, values = start(seed), []
    for _ in range(5):
        state, value = advance(state)
        values.append(value)
    assert values == expected


def test_values_are_those_of_splitmix64() -> None:
    # Published test values of splitmix64 for the plain counter 1234567.
    state, values = 1234567, []
    for _ in range(3):
        state, value = advance(state)
        values.append(value)
    assert values == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_small_negative_and_huge_seeds_all_begin_differently() -> None:
    seeds = [*range(-500, 500), *(2**k + i for k in (63, 64, 65, 128, 1000) for i in (-1, 0, 1))]
    seeds += [-seed for seed in seeds if seed > 500]
    states = {start(seed) for seed in seeds}
    assert len(states) == len(set(seeds))
    assert all(0 <= state < 2**64 for state in states)


def test_neighbouring_seeds_give_unrelated_first_rolls() -> None:
    rolls = [below(start(seed), 6)[1] for seed in range(6000)]
    assert chi_square(rolls, 6) < CHI_SQUARE_LIMIT[5]
    same = [first == second for first, second in zip(rolls, rolls[1:], strict=False)]
    assert 850 < sum(same) < 1150


@relaxed
@given(states, st.integers(1, 2**64))
def test_below_follows_its_written_description(state: int, n: int) -> None:
    expected_state, value = advance(state)
    while value * n % 2**64 < 2**64 % n:
        expected_state, value = advance(expected_state)
    assert below(state, n) == (expected_state, value * n // 2**64)
    assert 0 <= below(state, n)[1] < n


@pytest.mark.parametrize("n", [2, 6, 12, 52])
def test_below_is_uniform(n: int) -> None:
    state, seen = start(n), []
    for _ in range(n * 500):
        state, value = below(state, n)
        seen.append(value)
    assert chi_square(seen, n) < CHI_SQUARE_LIMIT[n - 1]


def test_below_is_uniform_where_many_values_must_be_refused() -> None:
    # Without refusing, every third result would come twice as often as the others.
    n = 3 * 2**62
    state, seen = start(3), []
    for _ in range(6000):
        state, value = below(state, n)
        seen.append(value % 3)
    assert chi_square(seen, 3) < CHI_SQUARE_LIMIT[2]


def test_successive_rolls_are_independent() -> None:
    state, seen = start(11), []
    for _ in range(6000):
        state, first = below(state, 3)
        state, second = below(state, 4)
        seen.append((first, second))
    assert chi_square(seen, 12) < CHI_SQUARE_LIMIT[11]


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_below_refuses_a_range_it_cannot_draw_from(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw below"):
        below(0, n)


@relaxed
@given(states, st.lists(st.integers(), max_size=12))
def test_shuffled_keeps_the_items_and_leaves_its_argument_alone(state: int, items: list[int]) -> None:
    before = list(items)
    following, order = shuffled(state, items)
    assert sorted(order) == sorted(items)
    assert items == before
    assert (following == state) == (len(items) < 2)
    assert shuffled(state, tuple(items)) == (following, order)


def test_every_order_is_as_likely() -> None:
    state, seen = start(4), []
    for _ in range(6000):
        state, order = shuffled(state, "abcd")
        seen.append(order)
    assert set(seen) == set(permutations("abcd"))
    assert chi_square(seen, 24) < CHI_SQUARE_LIMIT[23]


@relaxed
@given(states, st.lists(st.integers(), unique=True, max_size=10), st.integers(-1, 12))
def test_picks_are_different_items_and_never_more_than_there_are(
    state: int, items: list[int], k: int
) -> None:
    following, drawn = picks(state, items, k)
    assert len(drawn) == len(set(drawn)) == max(0, min(k, len(items)))
    assert set(drawn) <= set(items)
    assert (following == state) == (not drawn)


def test_every_ordered_pick_is_as_likely() -> None:
    state, seen = start(5), []
    for _ in range(6000):
        state, drawn = picks(state, "abcd", 2)
        seen.append(drawn)
    assert set(seen) == set(permutations("abcd", 2))
    assert chi_square(seen, 12) < CHI_SQUARE_LIMIT[11]


def test_shuffles_and_picks_of_a_seed_never_change() -> None:
    state = start(7)
    state, order = shuffled(state, range(10))
    state, drawn = picks(state, range(10), 4)
    assert order == (0, 4, 3, 7, 6, 2, 5, 8, 1, 9)
    assert drawn == (7, 0, 2, 1)
    assert state == 8321249682900923215
