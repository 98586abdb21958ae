"""Breakthrough tuned by hand: from a source of randomness to the winner of one random game.

Rules: 8x8 squares; player 0's pawns fill the two lowest rows, player 1's the two highest. Player 0 begins. A
pawn moves one row ahead: straight onto an empty square, or diagonally onto an empty square or an enemy pawn,
which it captures. Who reaches the farthest row, or captures the last enemy pawn, wins. There is no draw, and
nobody is ever without a move: the diagonals ahead of a player's foremost pawn cannot hold a pawn of its own.

The board is a flat list with one square beyond its edge, each side's pawns are a list of squares, the three
squares ahead of each square are worked out beforehand, and everything in the loop is a local variable. Leaves
out every check: nobody can pass an illegal move in.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

Move = tuple[int, int]  # the square left, the square entered
Ahead = list[tuple[int, int, int]]  # by square: straight, to the lower column, to the higher

SIZE = 8
SQUARES = SIZE * SIZE
EMPTY = 2
# What stands for every square beyond the edge: its owner is nobody one could capture from.
OUTSIDE = SQUARES
WALL = 3
STARTING_BOARD = [*[0] * (2 * SIZE), *[EMPTY] * (SQUARES - 4 * SIZE), *[1] * (2 * SIZE), WALL]
MIDGAME: list[Move] = [
    (11, 19),
    (53, 44),
    (14, 21),
    (49, 42),
    (19, 27),
    (44, 36),
    (27, 36),
    (50, 43),
    (36, 43),
    (52, 43),
    (7, 14),
    (43, 34),
]


def _ahead(step: int) -> Ahead:
    """The squares ahead of each square, for the player whose pawns change the row by `step`."""

    def square(row: int, column: int) -> int:
        return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else OUTSIDE

    places = [divmod(number, SIZE) for number in range(SQUARES)]
    return [
        (square(row + step, column), square(row + step, column - 1), square(row + step, column + 1))
        for row, column in places
    ]


AHEAD = (_ahead(1), _ahead(-1))
GOALS = (frozenset(range(SQUARES - SIZE, SQUARES)), frozenset(range(SIZE)))


@dataclass(slots=True, kw_only=True)
class Position:
    """Who owns each square, row by row from the lowest, each side's pawns, and who is to move."""

    board: list[int]
    pawns: list[list[int]]
    player: int


def legal_moves(board: list[int], mine: list[int], ahead: Ahead, enemy: int) -> list[Move]:
    """All moves of the pawns `mine`, when nobody has won yet."""
    moves: list[Move] = []
    add = moves.append
    for source in mine:
        straight, lower, higher = ahead[source]
        if board[straight] == EMPTY:
            add((source, straight))
        owner = board[lower]
        if owner == EMPTY or owner == enemy:
            add((source, lower))
        owner = board[higher]
        if owner == EMPTY or owner == enemy:
            add((source, higher))
    return moves


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index (this game has no draw)."""
    draw = rng.random
    board = STARTING_BOARD[:]
    mine, theirs = list(range(2 * SIZE)), list(range(SQUARES - 2 * SIZE, SQUARES))
    ahead, ahead_of_theirs = AHEAD
    goal, goal_of_theirs = GOALS
    player, enemy = 0, 1
    while True:
        moves = legal_moves(board, mine, ahead, enemy)
        source, target = moves[int(draw() * len(moves))]
        if target in goal:
            return player
        board[source] = EMPTY
        if board[target] == enemy:
            theirs.remove(target)
            if not theirs:
                return player
        board[target] = player
        mine[mine.index(source)] = target
        mine, theirs = theirs, mine
        ahead, ahead_of_theirs = ahead_of_theirs, ahead
        goal, goal_of_theirs = goal_of_theirs, goal
        player, enemy = enemy, player


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter([playout(rng) for _ in range(count)])


def copyable() -> Position:
    """A game after twelve moves, three of them captures, to copy; the same as the plain version's."""
    board = STARTING_BOARD[:]
    for ply, (source, target) in enumerate(MIDGAME):
        board[source], board[target] = EMPTY, ply % 2
    pawns = [[square for square, owner in enumerate(board) if owner == player] for player in (0, 1)]
    return Position(board=board, pawns=pawns, player=0)
