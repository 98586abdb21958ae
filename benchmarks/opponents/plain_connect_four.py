"""Connect four as idiomatic Python: from a source of randomness to the winner of one random game.

Rules: seven columns of six cells. Player 0, then player 1, in turn, drops a disc into a column that is not
full; it comes to rest on the lowest empty cell. Four discs of one player in a row, a column or a diagonal win
at once. A full board without such a line is a draw.

Leaves out any tuning: the board is a dict, and lines are walked cell by cell from the last disc.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

Cell = tuple[int, int]

ROWS = 6
COLUMNS = 7
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
MIDGAME = [3, 3, 2, 4, 4, 2, 1, 0, 3, 3, 5, 6, 0, 4]


@dataclass(slots=True, kw_only=True)
class Game:
    """A game in progress; row 0 is the lowest, and the board holds occupied cells only."""

    board: dict[Cell, int] = field(default_factory=dict)
    heights: list[int] = field(default_factory=lambda: [0] * COLUMNS)
    player: int = 0
    last: Cell | None = None

    def legal_moves(self) -> list[int]:
        return [column for column, height in enumerate(self.heights) if height < ROWS]

    def apply(self, column: int) -> None:
        self.last = (self.heights[column], column)
        self.board[self.last] = self.player
        self.heights[column] += 1
        self.player = 1 - self.player

    def winner(self) -> int | None:
        """Whoever dropped the last disc, if it completed a line: no other disc can have."""
        if self.last is None:
            return None
        owner = self.board[self.last]
        for rise, run in DIRECTIONS:
            if 1 + self._run_length(rise, run) + self._run_length(-rise, -run) >= 4:
                return owner
        return None

    def _run_length(self, rise: int, run: int) -> int:
        """How many discs of the same player follow the last one in this direction."""
        assert self.last is not None
        row, column = self.last
        owner = self.board[self.last]
        length = 0
        while self.board.get((row + rise, column + run)) == owner:
            row, column = row + rise, column + run
            length += 1
        return length


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
    """A game after fourteen moves, to copy."""
    game = Game()
    for column in MIDGAME:
        game.apply(column)
    return game
