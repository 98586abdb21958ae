"""Reversi, from a board to moves, flips, score and counts.

Rules: 8x8 squares; player 0 (dark) begins and starts on (3, 4) and (4, 3), player 1 on (3, 3) and (4, 4). A
move puts a disc on an empty square so that at least one straight line of enemy discs, in any of eight
directions, lies between it and another disc of the mover; all discs of all such lines change sides. A player
who has no such move must pass, and may not otherwise. The game ends when neither can move; the player with
more discs wins.

A square is (row, column). A forced pass is a move of its own ply, written `None`. Leaves out time and
handicaps.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles import plies

Square = tuple[int, int]

SIZE = 8
SQUARES = frozenset((row, column) for row in range(SIZE) for column in range(SIZE))
DIRECTIONS = [(rise, run) for rise in (-1, 0, 1) for run in (-1, 0, 1) if (rise, run) != (0, 0)]

# By number of plies, from 0. Published by Aart Bik (aartbik.com, "Perft for Reversi"), confirmed there by
# others. Passes first occur at nine plies, finished games at eleven; whether those still count matters only
# from there on.
SEQUENCE_COUNTS = (1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The squares of both players' discs, first player's first, and who is to move."""

    discs: tuple[frozenset[Square], frozenset[Square]]
    player: int


START = Position(discs=(frozenset({(3, 4), (4, 3)}), frozenset({(3, 3), (4, 4)})), player=0)


def flips(position: Position, square: Square) -> set[Square]:
    """The enemy discs that change sides when the player to move puts a disc here."""
    mine, theirs = position.discs[position.player], position.discs[1 - position.player]
    flipped: set[Square] = set()
    if square in mine or square in theirs:
        return flipped
    for rise, run in DIRECTIONS:
        line: list[Square] = []
        row, column = square[0] + rise, square[1] + run
        while (row, column) in theirs:
            line.append((row, column))
            row, column = row + rise, column + run
        if (row, column) in mine:
            flipped.update(line)
    return flipped


def _placements(position: Position) -> list[Square]:
    """The squares where the player to move may put a disc, in ascending order: only next to an enemy disc."""
    taken = position.discs[0] | position.discs[1]
    theirs = position.discs[1 - position.player]
    beside = {(row + rise, column + run) for row, column in theirs for rise, run in DIRECTIONS} - taken
    return [square for square in sorted(beside & SQUARES) if flips(position, square)]


def _passed(position: Position) -> Position:
    return Position(discs=position.discs, player=1 - position.player)


def legal_moves(position: Position) -> list[Square | None]:
    """The squares that may be played; only `None` when a pass is forced; nothing when the game is over."""
    placements = _placements(position)
    if placements:
        return list(placements)
    return [None] if _placements(_passed(position)) else []


def play(position: Position, move: Square | None) -> Position:
    if move is None:
        return _passed(position)
    flipped = flips(position, move)
    mine = position.discs[position.player] | flipped | {move}
    theirs = position.discs[1 - position.player] - flipped
    discs = (mine, theirs) if position.player == 0 else (theirs, mine)
    return Position(discs=discs, player=1 - position.player)


def score(position: Position) -> tuple[int, int]:
    """The number of discs of each player."""
    return len(position.discs[0]), len(position.discs[1])


def winner(position: Position) -> int | None:
    """Who won, once the game is over; None for a draw, and while the game lasts."""
    first, second = score(position)
    if legal_moves(position) or first == second:
        return None
    return 0 if first > second else 1


def successors(position: Position) -> list[Position]:
    return [play(position, move) for move in legal_moves(position)]


def perft(depth: int) -> int:
    """The number of move sequences of this length; a finished game is not continued."""
    return plies.sequence_count(START, successors, legal_moves, depth)
