"""Tic-tac-toe as idiomatic Python: from a source of randomness to the winner of one random game.

Rules: on a board of 3x3 cells player 0, then player 1, in turn, marks an empty cell. Three marks of one
player in a row, a column or a diagonal win at once. A full board without such a line is a draw.

Leaves out any tuning: the board is a dict, and all eight lines are looked at after every move.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

Cell = tuple[int, int]

SIZE = 3
CELLS: list[Cell] = [(row, column) for row in range(SIZE) for column in range(SIZE)]
LINES: list[list[Cell]] = [
    *[[(row, column) for column in range(SIZE)] for row in range(SIZE)],
    *[[(row, column) for row in range(SIZE)] for column in range(SIZE)],
    [(step, step) for step in range(SIZE)],
    [(step, SIZE - 1 - step) for step in range(SIZE)],
]


@dataclass(slots=True, kw_only=True)
class Game:
    """A game in progress; the board holds marked cells only."""

    board: dict[Cell, int] = field(default_factory=dict)
    player: int = 0

    def legal_moves(self) -> list[Cell]:
        return [cell for cell in CELLS if cell not in self.board]

    def apply(self, cell: Cell) -> None:
        self.board[cell] = self.player
        self.player = 1 - self.player

    def winner(self) -> int | None:
        for first, second, third in LINES:
            owner = self.board.get(first)
            if owner is not None and owner == self.board.get(second) == self.board.get(third):
                return owner
        return None


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index, or None for a draw."""
    game = Game()
    while moves := game.legal_moves():
        game.apply(rng.choice(moves))
        winner = game.winner()
        if winner is not None:
            return winner
    return None


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter(playout(rng) for _ in range(count))


def copyable() -> Game:
    """A game after four moves, to copy."""
    game = Game()
    for cell in [(1, 1), (0, 0), (0, 2), (2, 0)]:
        game.apply(cell)
    return game
