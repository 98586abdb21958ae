"""Breakthrough with lists of moves from tables: from a source of randomness to the winner of one random game.

Rules: 8x8 squares; player 0's pawns fill the two lowest rows, player 1's the two highest. Player 0 begins. A
pawn moves one row ahead: straight onto an empty square, or diagonally onto an empty square or an enemy pawn,
which it captures. Who reaches the farthest row, or captures the last enemy pawn, wins. There is no draw, and
nobody is ever without a move: the diagonals ahead of a player's foremost pawn cannot hold a pawn of its own.

Each side is a flat list of eight rows, eight bits each. The moves of a row in one direction are one table
lookup by the bit pattern of the squares that can be entered, so a turn's list is joined from ready-made
pieces. Leaves out every check: nobody can pass an illegal move in.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

# The row left, the bit left, the row entered, the bit entered.
Move = tuple[int, int, int, int]
# By pattern of bits entered: the moves.
MoveTable = list[list[Move]]

SIZE = 8
FULL_ROW = 0xFF
STARTING_ROWS = ([FULL_ROW, FULL_ROW, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, FULL_ROW, FULL_ROW])
AHEAD = (1, -1)
GOAL_ROW = (SIZE - 1, 0)
MIDGAME_ROWS = ([0x7F, 0xF7, 0x20, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0x04, 0x04, 0xC9, FULL_ROW])


def _move_table(player: int, row: int, shift: int) -> MoveTable:
    """Moves of one player out of one row that change the column by `shift`."""
    table: MoveTable = []
    for entered in range(FULL_ROW + 1):
        columns = [column for column in range(SIZE) if entered >> column & 1 and 0 <= column - shift < SIZE]
        table.append([(row, 1 << column - shift, row + AHEAD[player], 1 << column) for column in columns])
    return table


def _row_tables(player: int) -> list[tuple[int, int, MoveTable, MoveTable, MoveTable]]:
    """For every row but the goal: the row, the next, and the moves straight, to lower, to higher columns."""
    rows = [row for row in range(SIZE) if row != GOAL_ROW[player]]
    tables: list[tuple[int, int, MoveTable, MoveTable, MoveTable]] = []
    for row in rows:
        straight, lower, higher = (_move_table(player, row, shift) for shift in (0, -1, 1))
        tables.append((row, row + AHEAD[player], straight, lower, higher))
    return tables


ROW_TABLES = (_row_tables(0), _row_tables(1))


@dataclass(slots=True, kw_only=True)
class Position:
    """Each side's rows as bits, its number of pawns, and who is to move."""

    rows: list[list[int]]
    pawns: list[int]
    player: int


def legal_moves(mine: list[int], theirs: list[int], player: int) -> list[Move]:
    """All moves of `player`, who owns the rows `mine`, when nobody has won yet."""
    moves: list[Move] = []
    for row, next_row, straight, lower, higher in ROW_TABLES[player]:
        pawns = mine[row]
        if pawns:
            own = mine[next_row]
            moves += straight[pawns & ~(own | theirs[next_row])]
            moves += lower[pawns >> 1 & ~own]
            moves += higher[pawns << 1 & FULL_ROW & ~own]
    return moves


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index (this game has no draw)."""
    draw = rng.random
    mine, theirs = STARTING_ROWS[0][:], STARTING_ROWS[1][:]
    my_pawns = their_pawns = 2 * SIZE
    player = 0
    while True:
        moves = legal_moves(mine, theirs, player)
        row, source, row_entered, target = moves[int(draw() * len(moves))]
        if row_entered == GOAL_ROW[player]:
            return player
        mine[row] ^= source
        mine[row_entered] |= target
        if theirs[row_entered] & target:
            theirs[row_entered] ^= target
            their_pawns -= 1
            if not their_pawns:
                return player
        mine, theirs = theirs, mine
        my_pawns, their_pawns = their_pawns, my_pawns
        player ^= 1


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter([playout(rng) for _ in range(count)])


def copyable() -> Position:
    """A game after twelve moves, three of them captures, to copy; the same as the plain version's."""
    rows = [side[:] for side in MIDGAME_ROWS]
    return Position(rows=rows, pawns=[sum(row.bit_count() for row in side) for side in rows], player=0)
