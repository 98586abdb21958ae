"""Connect four, from the columns' contents to moves, winner and counts.

Rules: seven columns of six cells. Player 0, then player 1, in turn, drops a disc into a column that is not
full; it comes to rest on the lowest empty cell. Four discs of one player in a row, a column or a diagonal win
at once. A full board without such a line is a draw.

A position is seven strings, one a column, of "0" and "1" from the bottom up. Leaves out whose turn it is: the
discs tell.

Published: the number of distinct positions after n plies (OEIS A212693), and the number of move sequences up
to eight plies (validation tests of RGCompiler, the compiler of the Regular Games language).
"""

from __future__ import annotations

from tests.oracles import plies

Position = tuple[str, ...]

ROWS = 6
COLUMNS = 7
START: Position = ("",) * COLUMNS
# Right, up, and both diagonals to the right; the opposite ways find the same lines from the other end.
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

# By number of plies, from 0. Published: OEIS A212693.
POSITION_COUNTS = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186)
# By number of plies, from 0. Published up to eight plies; all of them computed here and again by full
# recursion over a board of bits. 823536 is 7**7 less the seven ways to put a seventh disc into a column.
SEQUENCE_COUNTS = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572)


def player_to_move(position: Position) -> int:
    return sum(map(len, position)) % 2


def _cells(position: Position, player: int) -> set[tuple[int, int]]:
    """The cells of one player's discs, as (column, row)."""
    disc = str(player)
    return {
        (column, row)
        for column, discs in enumerate(position)
        for row, mark in enumerate(discs)
        if mark == disc
    }


def winner(position: Position) -> int | None:
    """Looks at every disc as the start of a line in each of four directions."""
    for player in (0, 1):
        cells = _cells(position, player)
        for column, row in cells:
            for run, rise in DIRECTIONS:
                if (
                    (column + run, row + rise) in cells
                    and (column + 2 * run, row + 2 * rise) in cells
                    and (column + 3 * run, row + 3 * rise) in cells
                ):
                    return player
    return None


def legal_moves(position: Position) -> list[int]:
    """The columns that may be played, 0 to 6; none when the game is over."""
    if winner(position) is not None:
        return []
    return [column for column, discs in enumerate(position) if len(discs) < ROWS]


def play(position: Position, column: int) -> Position:
    discs = position[column] + str(player_to_move(position))
    return (*position[:column], discs, *position[column + 1 :])


def successors(position: Position) -> list[Position]:
    return [play(position, column) for column in legal_moves(position)]


def perft(depth: int) -> int:
    """The number of move sequences of this length; a finished game is not continued."""
    return plies.sequence_count(START, successors, legal_moves, depth)


def position_count(depth: int) -> int:
    """The number of distinct positions after this many plies."""
    return len(plies.layer(START, successors, depth))
