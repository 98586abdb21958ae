"""Hex, from a filled or partly filled board to its winner.

Rules: a rhombus of size x size hexagons. Player 0, then player 1, in turn, takes an empty cell. Player 0 wins
by joining the first row to the last with a chain of neighbouring cells, player 1 by joining the first column
to the last. There is no draw.

A cell is (row, column); its neighbours are those in its row, in its column, and on one diagonal: (row - 1,
column + 1) and (row + 1, column - 1). Leaves out the swap rule.

Published: on 2x2 cells 1, 4, 12, 24, 12, 0 move sequences of length 0 to 5 (validation tests of RGCompiler,
the compiler of the Regular Games language).
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.oracles import plies

Cell = tuple[int, int]
Taken = frozenset[tuple[Cell, int]]

NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def joins_sides(board: Mapping[Cell, int], size: int, player: int) -> bool:
    """Whether this player's cells join the two sides that are theirs to join."""
    frontier = [cell for cell, owner in board.items() if owner == player and cell[player] == 0]
    seen = set(frontier)
    while frontier:
        cell = frontier.pop()
        if cell[player] == size - 1:
            return True
        for rise, run in NEIGHBOURS:
            neighbour = (cell[0] + rise, cell[1] + run)
            if neighbour not in seen and board.get(neighbour) == player:
                seen.add(neighbour)
                frontier.append(neighbour)
    return False


def winner(board: Mapping[Cell, int], size: int) -> int | None:
    """The player whose chain is complete, if there is one yet."""
    for player in (0, 1):
        if joins_sides(board, size, player):
            return player
    return None


def legal_moves(board: Mapping[Cell, int], size: int) -> list[Cell]:
    """The empty cells in ascending order; none when the game is over."""
    if winner(board, size) is not None:
        return []
    return [(row, column) for row in range(size) for column in range(size) if (row, column) not in board]


def perft(size: int, depth: int) -> int:
    """The number of move sequences of this length; a finished game is not continued."""

    def moves(taken: Taken) -> list[Cell]:
        return legal_moves(dict(taken), size)

    def successors(taken: Taken) -> list[Taken]:
        player = len(taken) % 2
        return [taken | {(cell, player)} for cell in moves(taken)]

    empty: Taken = frozenset()
    return plies.sequence_count(empty, successors, moves, depth)
