"""Breakthrough, from the places of the pawns to moves, winner and counts.

Rules: 8x8 squares; player 0's pawns fill the two lowest rows, player 1's the two highest. Player 0 begins. A
pawn moves one row ahead: straight onto an empty square, or diagonally onto an empty square or an enemy pawn,
which it captures. Who reaches the farthest row, or captures the last enemy pawn, wins. There is no draw, and
nobody is ever without a move: the diagonals ahead of a player's foremost pawn cannot hold a pawn of its own.

A square is (row, column), row 0 the lowest. Leaves out other sizes of board.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles import plies

Square = tuple[int, int]
Move = tuple[Square, Square]

SIZE = 8

# By number of plies, from 0. Published up to six plies (validation tests of RGCompiler, the compiler of the
# Regular Games language). Computed up to five plies by this module, by full recursion over a dict of squares
# and by full recursion over rows of bits; for six plies by the last alone.
SEQUENCE_COUNTS = (1, 22, 484, 11132, 256036, 6182818, 149264638)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The squares of both players' pawns, first player's first, and who is to move."""

    pawns: tuple[frozenset[Square], frozenset[Square]]
    player: int


def _rows(*rows: int) -> frozenset[Square]:
    return frozenset((row, column) for row in rows for column in range(SIZE))


START = Position(pawns=(_rows(0, 1), _rows(SIZE - 2, SIZE - 1)), player=0)


def winner(position: Position) -> int | None:
    first, second = position.pawns
    if not second or any(row == SIZE - 1 for row, _ in first):
        return 0
    if not first or any(row == 0 for row, _ in second):
        return 1
    return None


def legal_moves(position: Position) -> list[Move]:
    """Moves as (from, to), in ascending order; none when the game is over."""
    if winner(position) is not None:
        return []
    mine, theirs = position.pawns[position.player], position.pawns[1 - position.player]
    step = 1 if position.player == 0 else -1
    moves: list[Move] = []
    for row, column in sorted(mine):
        for target in ((row + step, column + side) for side in (-1, 0, 1)):
            straight = target[1] == column
            blocked = target in mine or (straight and target in theirs)
            if 0 <= target[1] < SIZE and not blocked:
                moves.append(((row, column), target))
    return moves


def play(position: Position, move: Move) -> Position:
    source, target = move
    mine = position.pawns[position.player] - {source} | {target}
    theirs = position.pawns[1 - position.player] - {target}
    pawns = (mine, theirs) if position.player == 0 else (theirs, mine)
    return Position(pawns=pawns, player=1 - position.player)


def successors(position: Position) -> list[Position]:
    return [play(position, move) for move in legal_moves(position)]


def perft(depth: int) -> int:
    """The number of move sequences of this length; a finished game is not continued."""
    return plies.sequence_count(START, successors, legal_moves, depth)
