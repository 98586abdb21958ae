"""Tic-tac-toe with lists of moves from tables: from a source of randomness to the winner of one random game.

Rules: on a board of 3x3 cells player 0, then player 1, in turn, marks an empty cell. Three marks of one
player in a row, a column or a diagonal win at once. A full board without such a line is a draw.

A side is nine bits. Both "which cells are free" and "does this side have a line" are tables over all 512
patterns, so the list of legal moves of a turn is looked up, not built. Leaves out every check: nobody can
pass an illegal move in.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

PATTERNS = 1 << 9
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
# By pattern of marked cells: the free cells, each as its bit, in ascending order.
FREE = [[1 << cell for cell in range(9) if not marked >> cell & 1] for marked in range(PATTERNS)]
# By pattern of one side's cells: whether it holds a line.
HAS_LINE = [any(side & line == line for line in LINES) for side in range(PATTERNS)]


@dataclass(slots=True, kw_only=True)
class Position:
    """The sides' cells as bits, first player's first."""

    sides: list[int]
    player: int


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index, or None for a draw."""
    draw = rng.random
    free = FREE
    has_line = HAS_LINE
    mine = theirs = player = 0
    while moves := free[mine | theirs]:
        mine |= moves[int(draw() * len(moves))]
        if has_line[mine]:
            return player
        mine, theirs = theirs, mine
        player ^= 1
    return None


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter([playout(rng) for _ in range(count)])


def copyable() -> Position:
    """A game after four moves, to copy; the same as the plain version's."""
    return Position(sides=[1 << 4 | 1 << 2, 1 << 0 | 1 << 6], player=0)
