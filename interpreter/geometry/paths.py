"""Turn a board and a condition or cost for each step into the spaces that can be reached, and the way there.

Conditions and costs are asked with (from, to) for two neighbours, so a step may be allowed one way only.
Every search visits a space once, so it ends whatever the caller answers, also when steps cost nothing.
A search may begin in several spaces at once. The starts are always part of the answer; from none nothing is
reached.

Left out: what makes a step legal or dear, and straight lines (`sight`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from heapq import heappop, heappush

from interpreter.geometry.boards import Board

StepCost = Callable[[int, int], int]
"""The cost of a step from one space to a neighbour; below 0 the step is forbidden."""

Neighbours = Sequence[Sequence[int]]
"""By space: where a step from it may lead."""


def flood(
    steps: Mapping[int, int], start_mask: int, allowed_mask: int, limit: int | None = None, halt_mask: int = 0
) -> int:
    """The set of spaces that at most `limit` steps through allowed spaces lead to.

    The starts count even if they are not allowed. `steps` has the spaces, as a set, to which a space leads.
    Whoever enters one of the `halt_mask` goes no further; a start never stops anybody.
    """
    reached = frontier = start_mask
    taken = 0
    while frontier and (limit is None or taken < limit):
        spread = 0
        while frontier:
            lowest = frontier & -frontier
            spread |= steps[lowest.bit_length() - 1]
            frontier ^= lowest
        frontier = spread & allowed_mask & ~reached
        reached |= frontier
        frontier &= ~halt_mask
        taken += 1
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
    seen = bytearray(len(near))  # as `reached`, but sooner looked up
    reached = 0
    for start in starts:
        seen[start] = 1
        reached |= 1 << start
    frontier = list(starts)
    taken = 0
    while frontier and (limit is None or taken < limit):
        following = []
        for here in frontier:
            for space in near[here]:
                if not seen[space] and can_step(here, space):
                    seen[space] = 1
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
) -> tuple[dict[int, int], dict[int, int]]:
    """The lowest cost of reaching each space within the budget, and from where each is entered.

    The cheapest space is settled first, of equally cheap ones the lowest; a space is entered from the one
    that first offered the lowest cost.

    Args:
        stops: a space where movement ends once it is entered; a start never stops it.
        neighbours: by space, those that a step may lead to, where not all of the board's are meant.
    """
    near = board.neighbour_list if neighbours is None else neighbours
    final: dict[int, int] = {}
    entered: dict[int, int] = {}
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
                entered[space] = here
                heappush(heap, (total, space))
    return final, entered


def way_to(goal: int, reached: Container[int], entered: Mapping[int, int]) -> tuple[int, ...]:
    """The spaces from the start, left out, to the goal; () if it was not reached, or is a start."""
    way: list[int] = []
    here = goal
    while here in reached and here in entered:
        way.append(here)
        here = entered[here]
    return tuple(reversed(way))
