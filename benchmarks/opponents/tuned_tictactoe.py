"""Tic-tac-toe tuned by hand: from a source of randomness to the winner of one random game.

Rules: on a board of 3x3 cells player 0, then player 1, in turn, marks an empty cell. Three marks of one
player in a row, a column or a diagonal win at once. A full board without such a line is a draw.

The board is a flat list, everything in the loop is a local variable, and only the lines through the last mark
are looked at. Leaves out every check: nobody can pass an illegal move in.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

EMPTY = 2
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
# By cell: the other two cells of each line through it.
OTHERS: list[list[tuple[int, ...]]] = [
    [tuple(other for other in line if other != cell) for line in LINES if cell in line] for cell in range(9)
]


@dataclass(slots=True, kw_only=True)
class Position:
    """Who owns each cell, row by row, and who is to move."""

    board: list[int]
    player: int


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index, or None for a draw."""
    draw = rng.random
    others = OTHERS
    board = [EMPTY] * 9
    player = 0
    while moves := [cell for cell, owner in enumerate(board) if owner == EMPTY]:
        cell = moves[int(draw() * len(moves))]
        board[cell] = player
        for first, second in others[cell]:
            if board[first] == player and board[second] == player:
                return player
        player ^= 1
    return None


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter([playout(rng) for _ in range(count)])


def copyable() -> Position:
    """A game after four moves, to copy; the same as the plain version's."""
    board = [EMPTY] * 9
    for ply, cell in enumerate((4, 0, 2, 6)):
        board[cell] = ply % 2
    return Position(board=board, player=0)
