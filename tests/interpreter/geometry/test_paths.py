"""Reachability and cheapest ways, compared with brute force on small random networks and grids."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.boards import Board, Grid, GridLayout
from interpreter.geometry.paths import cheapest, flood, reachable, way_to
from interpreter.geometry.tables import OpenSteps

relaxed = settings(deadline=None, max_examples=60)

Costs = dict[tuple[int, int], int]
budgets = st.one_of(st.none(), st.integers(-1, 8))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A few hexes or squares, and points, with links between any of them."""
    layout = draw(
        st.sampled_from(
            [
                GridLayout(shape="hex"),
                GridLayout(shape="hex", orientation="flat", shifted="odd"),
                GridLayout(shape="square"),
            ]
        )
    )
    cells = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), unique=True, max_size=5))
    count = len(cells) + draw(st.integers(1, 3))
    space = st.integers(0, count - 1)
    links = draw(st.lists(st.tuples(space, space).filter(lambda ends: ends[0] != ends[1]), max_size=6))
    return Board(count, [Grid(layout, dict(enumerate(cells)))], links)


def draw_costs(data: st.DataObject, board: Board) -> Costs:
    """A cost for each step each way; often equal, nothing, or forbidden."""
    steps = [(a, b) for a in range(board.count) for b in board.neighbour_list[a]]
    prices = data.draw(st.lists(st.integers(-1, 3), min_size=len(steps), max_size=len(steps)))
    return dict(zip(steps, prices, strict=True))


def priced(costs: Costs) -> Callable[[int, int], int]:
    return lambda here, there: costs[here, there]


def simple_paths(
    board: Board, costs: Costs, stopping: int, path: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    yield path
    if len(path) > 1 and stopping >> path[-1] & 1:
        return
    for space in board.neighbour_list[path[-1]]:
        if space not in path and costs[path[-1], space] >= 0:
            yield from simple_paths(board, costs, stopping, (*path, space))


def price(costs: Costs, path: tuple[int, ...]) -> int:
    return sum(costs[step] for step in zip(path, path[1:], strict=False))


@relaxed
@given(boards(), st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), budgets)
def test_flood_reaches_what_allowed_steps_through_allowed_spaces_join(
    board: Board, starts: int, allowed: int, closed: int, limit: int | None
) -> None:
    starts &= (1 << board.count) - 1

    def can_leave(here: int, there: int) -> bool:
        return not closed >> here & 1 and here != there

    expected = reachable(
        board,
        [space for space in range(board.count) if starts >> space & 1],
        lambda here, there: allowed >> there & 1 == 1 and can_leave(here, there),
        limit,
    )
    assert flood(OpenSteps(board, -1, can_leave), starts, allowed, limit) == expected


@relaxed
@given(boards(), st.integers(1, 255), st.integers(0, 255), st.integers(0, 255), budgets)
def test_flood_goes_no_further_from_where_movement_ends(
    board: Board, starts: int, allowed: int, halts: int, limit: int | None
) -> None:
    starts &= (1 << board.count) - 1
    expected, _ = cheapest(
        board,
        [space for space in range(board.count) if starts >> space & 1],
        lambda here, there: 1 if allowed >> there & 1 else -1,
        max(0, limit) if limit is not None else None,
        lambda space: halts >> space & 1 == 1,
    )
    steps = OpenSteps(board, -1, lambda here, there: here != there)
    assert flood(steps, starts, allowed, limit, halts) == sum(1 << space for space in expected)


def test_flood_keeps_starts_that_are_not_allowed() -> None:
    steps = OpenSteps(Board(4, [], [(0, 1), (1, 2), (2, 3)]), 0b1111, lambda here, there: True)
    assert flood(steps, 0b0001, 0b1010) == 0b0011
    assert flood(steps, 0, 0b1111) == 0
    assert flood(steps, 0b0001, 0b1111, 2) == 0b0111
    assert (
        flood(OpenSteps(Board(4, [], [(0, 1), (1, 2)]), 0b0010, lambda here, there: True), 1, 0b1111)
        == 0b0011
    )


@relaxed
@given(boards(), budgets, st.data())
def test_reachable_agrees_with_trying_all_ways(board: Board, limit: int | None, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, board.count - 1))
    costs = draw_costs(data, board)
    expected = 1 << start
    for path in simple_paths(board, costs, 0, (start,)):
        if limit is None or len(path) - 1 <= limit:
            expected |= 1 << path[-1]
    assert reachable(board, (start,), lambda here, there: costs[here, there] >= 0, limit) == expected


@relaxed
@given(boards(), budgets, st.integers(0, 255), st.data())
def test_cheapest_agrees_with_trying_all_ways(
    board: Board, budget: int | None, stopping: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, board.count - 1))
    costs = draw_costs(data, board)
    expected = {start: 0}
    for path in simple_paths(board, costs, stopping, (start,)):
        total = price(costs, path)
        if budget is None or total <= budget:
            expected[path[-1]] = min(total, expected.get(path[-1], total))
    actual, _ = cheapest(board, (start,), priced(costs), budget, lambda space: bool(stopping >> space & 1))
    assert actual == expected


@relaxed
@given(boards(), budgets, st.integers(0, 255), st.data())
def test_the_way_is_one_of_the_cheapest(
    board: Board, budget: int | None, stopping: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, board.count - 1))
    goal = data.draw(st.integers(0, board.count - 1))
    costs = draw_costs(data, board)
    ways = [
        (price(costs, path), path)
        for path in simple_paths(board, costs, stopping, (start,))
        if path[-1] == goal and (budget is None or price(costs, path) <= budget or len(path) == 1)
    ]
    reached, entered = cheapest(
        board, (start,), priced(costs), budget, lambda space: bool(stopping >> space & 1)
    )
    way = way_to(goal, reached, entered)
    if not ways:
        assert way == ()
    else:
        assert (start, *way) in [path for cost, path in ways if cost == min(ways)[0]]


def test_movement_ends_where_it_is_stopped_but_not_at_the_start() -> None:
    board = Board(4, [], [(0, 1), (1, 2), (2, 3)])
    costs, entered = cheapest(board, (1,), lambda here, there: 1, None, lambda space: space in (1, 2))
    assert costs == {1: 0, 0: 1, 2: 1}
    assert way_to(3, costs, entered) == ()
    assert way_to(2, costs, entered) == (2,)


def test_steps_that_cost_nothing_end() -> None:
    board = Board(4, [], [(0, 3), (3, 1), (1, 2), (2, 0)])
    free, entered = cheapest(board, (0,), lambda here, there: 0)
    assert free == {0: 0, 1: 0, 2: 0, 3: 0}
    assert reachable(board, (0,), lambda here, there: True) == 0b1111
    assert way_to(1, free, entered) == (2, 1)


def test_cost_may_differ_by_direction() -> None:
    board = Board(2, [], [(0, 1)])

    def downhill(here: int, there: int) -> int:
        return 1 if here < there else -1

    assert cheapest(board, (0,), downhill) == ({0: 0, 1: 1}, {1: 0})
    assert cheapest(board, (1,), downhill) == ({1: 0}, {})


def test_search_may_begin_in_several_spaces_at_once() -> None:
    board = Board(4, [], [(0, 1), (1, 2), (2, 3)])
    both = reachable(board, (0, 3), lambda here, there: False)
    assert both == 0b1001
    assert cheapest(board, (0, 3), lambda here, there: 2, 2)[0][3] == 0


def test_from_nothing_nothing_is_reached() -> None:
    board = Board(2, [], [(0, 1)])
    assert reachable(board, (), lambda here, there: True) == 0
    assert cheapest(board, (), lambda here, there: 1) == ({}, {})
