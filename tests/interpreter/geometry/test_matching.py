"""Largest assignments, compared with trying every assignment on small cases."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.matching import matching, matching_size

relaxed = settings(deadline=None, max_examples=100)

RIGHTS = 5


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    left = draw(st.lists(st.integers(0, 40), unique=True, max_size=4))
    wanted = draw(st.lists(st.integers(0, 2**RIGHTS - 1), min_size=len(left), max_size=len(left)))
    capacity = draw(st.lists(st.integers(-1, 3), min_size=len(left), max_size=len(left)))
    return left, wanted, capacity


def best_rights(wanted: list[int], capacity: list[int]) -> tuple[int, ...]:
    """Of all assignments, the largest set of right nodes used; of those of one size, the lowest."""
    takers = [[None, *(i for i, mask in enumerate(wanted) if mask >> right & 1)] for right in range(RIGHTS)]
    used_sets = [
        tuple(right for right, taker in enumerate(choice) if taker is not None)
        for choice in product(*takers)
        if all(choice.count(i) <= max(0, room) for i, room in enumerate(capacity))
    ]
    return min(used_sets, key=lambda used: (-len(used), used))


@relaxed
@given(cases())
def test_matching_is_as_large_and_as_low_as_can_be(case: tuple[list[int], list[int], list[int]]) -> None:
    left, wanted, capacity = case
    expected = best_rights(wanted, capacity)
    actual = matching(left, wanted, capacity)
    assert sorted(right for rights in actual.values() for right in rights) == list(expected)
    assert matching_size(left, wanted, capacity) == len(expected)


@relaxed
@given(cases())
def test_matching_respects_partners_and_capacity(case: tuple[list[int], list[int], list[int]]) -> None:
    left, wanted, capacity = case
    actual = matching(left, wanted, capacity)
    assert list(actual) == left
    for node, mask, room in zip(left, wanted, capacity, strict=True):
        assert len(actual[node]) <= max(0, room)
        assert list(actual[node]) == sorted(actual[node])
        assert all(mask >> right & 1 for right in actual[node])


@relaxed
@given(cases())
def test_partners_may_be_asked_by_node_or_listed(case: tuple[list[int], list[int], list[int]]) -> None:
    left, wanted, capacity = case
    by_node = dict(zip(left, wanted, strict=True))
    assert matching(left, lambda node: by_node[node], capacity) == matching(left, wanted, capacity)


def test_earlier_choice_is_moved_so_that_more_are_taken() -> None:
    # Node 7 could take 0 or 1, node 9 only 0.
    assert matching([7, 9], [0b11, 0b01], [1, 1]) == {7: (1,), 9: (0,)}


def test_long_chain_of_moves_is_followed() -> None:
    # Each wants its own number or the next, and the last only number 0: all others must move by one.
    size = 2000
    wanted = [0b11 << i for i in range(size)] + [1]
    actual = matching(range(size + 1), wanted, [1] * (size + 1))
    assert actual == {**{i: (i + 1,) for i in range(size)}, size: (0,)}


def test_nobody_or_nothing_to_take_gives_an_empty_assignment() -> None:
    assert matching([], [], []) == {}
    assert matching([4], [0], [2]) == {4: ()}
    assert matching([4], [0b1], [-1]) == {4: ()}


def test_mismatched_or_repeated_left_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="left nodes"):
        matching([1, 1], [1, 1], [1, 1])
    with pytest.raises(ValueError, match="left nodes"):
        matching([1, 2], [1], [1, 1])
    with pytest.raises(ValueError, match="left nodes"):
        matching([1, 2], [1, 1], [1])
