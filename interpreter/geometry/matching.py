"""Turn "who may take what, and how many" into an assignment that gives out as much as possible.

Left nodes take right nodes, each at most as many as its capacity; a right node is taken at most once.
Right nodes are bits, so what a left node may take is an integer with bit i set for right node i.

Of all largest assignments the one made here uses the lowest right nodes: node 0 is used if any largest
assignment uses it, then node 1 if any that agrees so far does, and so on. Earlier left nodes are served
first. Left out: weights, and minimum shares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Partners = Callable[[int], int] | Sequence[int]
"""What a left node may take: asked by node, or listed in the order of the left nodes."""


def _no_count(steps: int) -> None:
    pass


def matching(
    left: Sequence[int],
    partners: Partners,
    capacity: Sequence[int],
    spend: Callable[[int], object] = _no_count,
) -> dict[int, tuple[int, ...]]:
    """The right nodes, ascending, that each left node takes in a largest assignment.

    Args:
        left: different nodes, in order of service; every one is a key of the answer.
        capacity: in the order of `left`; below 0 counts as 0.
        spend: told how many steps are made; it may raise to end the search.

    Raises:
        ValueError: a left node comes twice, or the lengths differ.
    """
    wanted = [partners(node) for node in left] if callable(partners) else list(partners)
    if len(set(left)) != len(left) or not len(left) == len(wanted) == len(capacity):
        raise ValueError("left nodes must differ, and partners and capacity must be as many as they are")
    taken: list[list[int]] = [[] for _ in left]
    holder: dict[int, int] = {}
    every = 0
    for mask in wanted:
        every |= mask
    for right in range(every.bit_length()):
        if every >> right & 1:
            _give(right, wanted, capacity, taken, holder, spend)
    return {node: tuple(sorted(rights)) for node, rights in zip(left, taken, strict=True)}


def matching_size(
    left: Sequence[int],
    partners: Partners,
    capacity: Sequence[int],
    spend: Callable[[int], object] = _no_count,
) -> int:
    """How many right nodes a largest assignment gives out."""
    return sum(len(rights) for rights in matching(left, partners, capacity, spend).values())


def _give(
    right: int,
    wanted: Sequence[int],
    capacity: Sequence[int],
    taken: list[list[int]],
    holder: dict[int, int],
    spend: Callable[[int], object],
) -> None:
    """Find a taker for one more right node, moving others along if need be; none loses its place for good.

    A right node that finds no taker now would find none later either, so one try each is enough.
    """
    receives: dict[int, int] = {}
    queue = [right]
    for offered in queue:
        spend(len(wanted))
        for index, mask in enumerate(wanted):
            if index in receives or not mask >> offered & 1:
                continue
            receives[index] = offered
            if len(taken[index]) < capacity[index]:
                _move_along(index, receives, taken, holder)
                return
            queue.extend(taken[index])


def _move_along(index: int, receives: dict[int, int], taken: list[list[int]], holder: dict[int, int]) -> None:
    """Let a left node with room receive what it was offered, and so on back to the new right node."""
    following: int | None = index
    while following is not None:
        offered = receives[following]
        previous = holder.get(offered)
        if previous is not None:
            taken[previous].remove(offered)
        taken[following].append(offered)
        holder[offered] = following
        following = previous
