"""From a start position and its successors to counts ply by ply.

A layer maps each position after n moves to the number of move sequences that lead there, so one walk gives
both published kinds of number: sequences ("perft") and distinct positions. A finished game is counted in the
layer of its last move and has no successors. Leaves out any knowledge of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sized
from typing import TypeVar

Position = TypeVar("Position", bound=Hashable)


def layer(
    start: Position, successors: Callable[[Position], Iterable[Position]], depth: int
) -> Counter[Position]:
    """The positions after exactly `depth` moves, each with its number of move sequences."""
    current: Counter[Position] = Counter({start: 1})
    for _ in range(depth):
        following: Counter[Position] = Counter()
        for position, sequences in current.items():
            for successor in successors(position):
                following[successor] += sequences
        current = following
    return current


def sequence_count(
    start: Position,
    successors: Callable[[Position], Iterable[Position]],
    legal_moves: Callable[[Position], Sized],
    depth: int,
) -> int:
    """The number of move sequences of exactly this length; moves of the last ply are counted, not played."""
    if depth == 0:
        return 1
    before_last = layer(start, successors, depth - 1)
    return sum(sequences * len(legal_moves(position)) for position, sequences in before_last.items())
