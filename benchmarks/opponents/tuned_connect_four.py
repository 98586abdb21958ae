"""Connect four tuned by hand: from a source of randomness to the winner of one random game.

Rules: seven columns of six cells. Player 0, then player 1, in turn, drops a disc into a column that is not
full; it comes to rest on the lowest empty cell. Four discs of one player in a row, a column or a diagonal win
at once. A full board without such a line is a draw.

The board is a flat list, row by row from the lowest, everything in the loop is a local variable, and only the
lines through the last disc are looked at. Leaves out every check: nobody can pass an illegal move in.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

ROWS = 6
COLUMNS = 7
CELLS = ROWS * COLUMNS
EMPTY = 2
MIDGAME = (3, 3, 2, 4, 4, 2, 1, 0, 3, 3, 5, 6, 0, 4)


def _lines() -> list[list[int]]:
    """All lines of four cells."""
    lines: list[list[int]] = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for rise, run in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * rise < ROWS and 0 <= column + 3 * run < COLUMNS:
                    lines.append([(row + step * rise) * COLUMNS + column + step * run for step in range(4)])
    return lines


def _others(cell: int) -> list[tuple[int, ...]]:
    """The other three cells of each line through a cell that can be full when a disc is dropped there."""
    # Nothing lies above the last disc.
    lines = [line for line in _lines() if cell in line and cell + COLUMNS not in line]
    return [tuple(other for other in line if other != cell) for line in lines]


OTHERS = [_others(cell) for cell in range(CELLS)]


@dataclass(slots=True, kw_only=True)
class Position:
    """Who owns each cell, the next free cell of each column (beyond the board if full), who is to move."""

    board: list[int]
    free: list[int]
    player: int


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index, or None for a draw."""
    draw = rng.random
    others = OTHERS
    board = [EMPTY] * CELLS
    free = list(range(COLUMNS))
    player = 0
    while moves := [cell for cell in free if cell < CELLS]:
        cell = moves[int(draw() * len(moves))]
        free[cell % COLUMNS] = cell + COLUMNS
        board[cell] = player
        for first, second, third in others[cell]:
            if board[first] == player == board[second] == board[third]:
                return player
        player ^= 1
    return None


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter([playout(rng) for _ in range(count)])


def copyable() -> Position:
    """A game after fourteen moves, to copy; the same as the plain version's."""
    board = [EMPTY] * CELLS
    free = list(range(COLUMNS))
    for ply, column in enumerate(MIDGAME):
        board[free[column]] = ply % 2
        free[column] += COLUMNS
    return Position(board=board, free=free, player=len(MIDGAME) % 2)
