"""Tic-tac-toe, from a board to its moves, its winner and its whole game tree.

Rules: on a board of 3x3 cells player 0, then player 1, in turn, marks an empty cell. Three marks of one
player in a row, a column or a diagonal win at once. A full board without such a line is a draw.

A board is a string of nine characters, row by row: "0", "1" or "." for empty. Leaves out whose turn it is:
the marks tell.

Published: 255168 games, 131184 of them won by the first player, 77904 by the second, 46080 drawn; 5478
positions.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

from tests.oracles import plies

START = "." * 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def player_to_move(board: str) -> int:
    return (9 - board.count(".")) % 2


def winner(board: str) -> int | None:
    for first, second, third in LINES:
        if board[first] != "." and board[first] == board[second] == board[third]:
            return int(board[first])
    return None


def legal_moves(board: str) -> list[int]:
    """The cells that may be marked, 0 to 8 row by row; none when the game is over."""
    if winner(board) is not None:
        return []
    return [cell for cell, mark in enumerate(board) if mark == "."]


def play(board: str, cell: int) -> str:
    return board[:cell] + str(player_to_move(board)) + board[cell + 1 :]


def successors(board: str) -> list[str]:
    return [play(board, cell) for cell in legal_moves(board)]


def perft(depth: int) -> int:
    """The number of move sequences of this length."""
    return plies.sequence_count(START, successors, legal_moves, depth)


def reachable_positions() -> set[str]:
    """Every board that can arise, the empty one included."""
    return {board for depth in range(10) for board in plies.layer(START, successors, depth)}


@cache
def _games_from(board: str) -> tuple[int, int, int]:
    """Complete games from here: won by 0, won by 1, drawn."""
    boards = successors(board)
    if not boards:
        result = winner(board)
        return int(result == 0), int(result == 1), int(result is None)
    first, second, drawn = zip(*(_games_from(following) for following in boards), strict=True)
    return sum(first), sum(second), sum(drawn)


def count_games() -> Counter[int | None]:
    """All complete games by winner, None for a draw."""
    first, second, drawn = _games_from(START)
    return Counter({0: first, 1: second, None: drawn})


@cache
def random_play_odds(board: str = START) -> dict[int | None, Fraction]:
    """The exact probability of each winner when both players choose uniformly among their legal moves."""
    boards = successors(board)
    if not boards:
        return {winner(board): Fraction(1)}
    odds: dict[int | None, Fraction] = {}
    for following in boards:
        for result, probability in random_play_odds(following).items():
            odds[result] = odds.get(result, Fraction(0)) + probability / len(boards)
    return odds
