"""Turn a board and a condition or cost for each step into the spaces that can be reached, and the way there.

Conditions and costs are asked with (from, to) for two neighbours, so a step may be allowed one way only.
Every search visits a space once, so it ends whatever the caller answers, also when steps cost nothing.
A search may begin in several spaces at once. The starts are always part of the answer; from none nothing is
reached.

Left out: what makes a step legal or dear, and straight lines (`sight`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush

from interpreter.geometry.boards import Board

StepCost = Callable[[int, int], int]
"""The cost of a step from one space to a neighbour; below 0 the step is forbidden."""

Neighbours = Sequence[Sequence[int]]
"""By space: where a step from it may lead."""


def flood(board: Board, start_mask: int, allowed_mask: int) -> int:
    """The set of spaces joined to the starts through allowed spaces; the starts count even if not allowed."""
    neighbours = board.neighbours
    reached = frontier = start_mask
    while frontier:
        spread = 0
        while frontier:
            lowest = frontier & -frontier
            spread |= neighbours[lowest.bit_length() - 1]
            frontier ^= lowest
        frontier = spread & allowed_mask & ~reached
        reached |= frontier
    return reached


def reachable(
    board: Board,
    starts: Sequence[int],
    can_step: Callable[[int, int], bool],
    limit: int | None = None,
    neighbours: Neighbours | None = None,
) -> int:
    """The set of spaces that at most `limit` allowed steps lead to, from any of the starts."""
    near = board.neighbour_list if neighbours is None else neighbours
    reached = 0
    for start in starts:
        reached |= 1 << start
    frontier = list(starts)
    taken = 0
    while frontier and (limit is None or taken < limit):
        following = []
        for here in frontier:
            for space in near[here]:
                if not reached >> space & 1 and can_step(here, space):
                    reached |= 1 << space
                    following.append(space)
        frontier = following
        taken += 1
    return reached


def cheapest(
    board: Board,
    starts: Sequence[int],
    cost: StepCost,
    budget: int | None = None,
    stops: Callable[[int], bool] | None = None,
    neighbours: Neighbours | None = None,
) -> dict[int, int]:
    """The lowest cost of reaching each space within the budget, in ascending order of cost, then space.

    Args:
        stops: a space where movement ends once it is entered; a start never stops it.
        neighbours: by space, those that a step may lead to, where not all of the board's are meant.
    """
    near = board.neighbour_list if neighbours is None else neighbours
    final: dict[int, int] = {}
    best = dict.fromkeys(starts, 0)
    heap = [(0, start) for start in sorted(starts)]
    while heap:
        spent, here = heappop(heap)
        if here in final:
            continue
        final[here] = spent
        if stops is not None and here not in starts and stops(here):
            continue
        for space in near[here]:
            if space in final:
                continue
            price = cost(here, space)
            total = spent + price
            if price < 0 or (budget is not None and total > budget):
                continue
            if space not in best or total < best[space]:
                best[space] = total
                heappush(heap, (total, space))
    # Steps that cost nothing can settle a lower space after a higher one of the same cost.
    return dict(sorted(final.items(), key=lambda item: (item[1], item[0])))


def cheapest_path(
    board: Board,
    start: int,
    goal: int,
    cost: StepCost,
    budget: int | None = None,
    stops: Callable[[int], bool] | None = None,
) -> tuple[int, ...]:
    """The cheapest way from start to goal, both included; () if there is none within the budget.

    Of equally cheap ways it is the one with the fewest steps, and of those the one that takes the lower
    space where they part.
    """
    if start < 0 or goal < 0:
        return ()
    remaining = _remaining(board, start, goal, cost, budget, stops)
    if start not in remaining:
        return ()
    path = [start]
    here = start
    while here != goal:
        spent, steps = remaining[here]
        here = next(
            space
            for space in board.neighbour_list[here]
            if space in remaining
            and (price := cost(here, space)) >= 0
            and (price + remaining[space][0], remaining[space][1] + 1) == (spent, steps)
        )
        path.append(here)
    return tuple(path)


def _remaining(
    board: Board,
    start: int,
    goal: int,
    cost: StepCost,
    budget: int | None,
    stops: Callable[[int], bool] | None,
) -> dict[int, tuple[int, int]]:
    """Cost and steps still to go to the goal, for every space nearer to it than the start, and the start.

    Searching from the goal is what lets the way be picked forward, by the lowest space at each parting.
    """
    final: dict[int, tuple[int, int]] = {}
    best = {goal: (0, 0)}
    heap = [(0, 0, goal)]
    while heap and start not in final:
        ahead, steps, here = heappop(heap)
        if here in final:
            continue
        final[here] = ahead, steps
        for space in board.neighbour_list[here]:
            if space in final or (space != start and stops is not None and stops(space)):
                continue
            price = cost(space, here)
            label = ahead + price, steps + 1
            if price < 0 or (budget is not None and label[0] > budget):
                continue
            if space not in best or label < best[space]:
                best[space] = label
                heappush(heap, (*label, space))
    return final
