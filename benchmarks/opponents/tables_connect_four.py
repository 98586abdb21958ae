"""Connect four on bit boards: from a source of randomness to the winner of one random game.

Rules: seven columns of six cells. Player 0, then player 1, in turn, drops a disc into a column that is not
full; it comes to rest on the lowest empty cell. Four discs of one player in a row, a column or a diagonal win
at once. A full board without such a line is a draw.

A side is one integer, seven bits a column of which the highest stays empty, so that four shifts find every
line. The list of open columns is the list of legal moves; it is kept from turn to turn and shrinks when a
column fills. Leaves out every check: nobody can pass an illegal move in.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

ROWS = 6
COLUMNS = 7
# One more than the rows: the empty bit on top keeps a column's discs from touching the next column's.
STRIDE = ROWS + 1
# The lowest bit of each column, and the bit above its highest cell: "next free cell" has this value when it
# is full.
FLOOR = [1 << column * STRIDE for column in range(COLUMNS)]
CEILING = [floor << ROWS for floor in FLOOR]
CELLS = ROWS * COLUMNS
# A line needs four discs of one player, so the seventh disc is the first that can end a game.
PLIES_WITHOUT_LINE = 6
MIDGAME = (3, 3, 2, 4, 4, 2, 1, 0, 3, 3, 5, 6, 0, 4)


@dataclass(slots=True, kw_only=True)
class Position:
    """The sides as bits, the next free cell of each column as a bit, and the columns that are not full."""

    sides: list[int]
    free: list[int]
    open_columns: list[int]
    player: int


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index, or None for a draw."""
    draw = rng.random
    ceiling = CEILING
    free = FLOOR[:]
    moves = list(range(COLUMNS))
    mine = theirs = 0
    for _ in range(PLIES_WITHOUT_LINE):
        # Six discs may fill a column, but only with the last of them: the list needs no care before that.
        column = moves[int(draw() * COLUMNS)]
        mine, theirs = theirs, mine | free[column]
        free[column] <<= 1
    if ceiling[column] == free[column]:
        moves.remove(column)
    player = PLIES_WITHOUT_LINE % 2
    while moves:
        column = moves[int(draw() * len(moves))]
        cell = free[column]
        mine |= cell
        pairs = mine & mine >> 1
        if pairs & pairs >> 2:
            return player
        pairs = mine & mine >> STRIDE
        if pairs & pairs >> 2 * STRIDE:
            return player
        pairs = mine & mine >> STRIDE - 1
        if pairs & pairs >> 2 * (STRIDE - 1):
            return player
        pairs = mine & mine >> STRIDE + 1
        if pairs & pairs >> 2 * (STRIDE + 1):
            return player
        free[column] = cell = cell << 1
        if cell == ceiling[column]:
            moves.remove(column)
        mine, theirs = theirs, mine
        player ^= 1
    return None


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter([playout(rng) for _ in range(count)])


def copyable() -> Position:
    """A game after fourteen moves, to copy; the same as the plain version's."""
    sides = [0, 0]
    free = FLOOR[:]
    for ply, column in enumerate(MIDGAME):
        sides[ply % 2] |= free[column]
        free[column] <<= 1
    open_columns = [column for column in range(COLUMNS) if free[column] != CEILING[column]]
    return Position(sides=sides, free=free, open_columns=open_columns, player=len(MIDGAME) % 2)
