"""Breakthrough as idiomatic Python: from a source of randomness to the winner of one random game.

Rules: 8x8 squares; player 0's pawns fill the two lowest rows, player 1's the two highest. Player 0 begins. A
pawn moves one row ahead: straight onto an empty square, or diagonally onto an empty square or an enemy pawn,
which it captures. Who reaches the farthest row, or captures the last enemy pawn, wins. There is no draw, and
nobody is ever without a move: the diagonals ahead of a player's foremost pawn cannot hold a pawn of its own.

Leaves out any tuning: the board is a dict, and every pawn on it is looked at in every turn.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

Square = tuple[int, int]
Move = tuple[Square, Square]

SIZE = 8
AHEAD = [1, -1]
GOAL_ROW = [SIZE - 1, 0]
MIDGAME: list[Move] = [
    ((1, 3), (2, 3)),
    ((6, 5), (5, 4)),
    ((1, 6), (2, 5)),
    ((6, 1), (5, 2)),
    ((2, 3), (3, 3)),
    ((5, 4), (4, 4)),
    ((3, 3), (4, 4)),
    ((6, 2), (5, 3)),
    ((4, 4), (5, 3)),
    ((6, 4), (5, 3)),
    ((0, 7), (1, 6)),
    ((5, 3), (4, 2)),
]


def _starting_board() -> dict[Square, int]:
    rows = [(0, 0), (1, 0), (SIZE - 2, 1), (SIZE - 1, 1)]
    return {(row, column): owner for row, owner in rows for column in range(SIZE)}


@dataclass(slots=True, kw_only=True)
class Game:
    """A game in progress; the board holds occupied squares only."""

    board: dict[Square, int] = field(default_factory=_starting_board)
    player: int = 0
    pawns: list[int] = field(default_factory=lambda: [2 * SIZE, 2 * SIZE])
    last: Square | None = None

    def legal_moves(self) -> list[Move]:
        moves: list[Move] = []
        ahead = AHEAD[self.player]
        for square, owner in self.board.items():
            if owner != self.player:
                continue
            row, column = square
            straight = (row + ahead, column)
            if straight not in self.board:
                moves.append((square, straight))
            for side in (column - 1, column + 1):
                diagonal = (row + ahead, side)
                if 0 <= side < SIZE and self.board.get(diagonal) != self.player:
                    moves.append((square, diagonal))
        return moves

    def apply(self, move: Move) -> None:
        source, target = move
        if target in self.board:
            self.pawns[1 - self.player] -= 1
        del self.board[source]
        self.board[target] = self.player
        self.last = target
        self.player = 1 - self.player

    def winner(self) -> int | None:
        """Whoever moved last, if that move won: the other player's own moves did not."""
        mover = 1 - self.player
        if self.last is not None and self.last[0] == GOAL_ROW[mover]:
            return mover
        if self.pawns[self.player] == 0:
            return mover
        return None


def playout(rng: random.Random) -> int | None:
    """Play one uniformly random game; the winner's index (this game has no draw)."""
    game = Game()
    while True:
        game.apply(rng.choice(game.legal_moves()))
        winner = game.winner()
        if winner is not None:
            return winner


def playouts(count: int, seed: int) -> Counter[int | None]:
    """Play many random games from one seed and count the winners."""
    rng = random.Random(seed)
    return Counter(playout(rng) for _ in range(count))


def copyable() -> Game:
    """A game after twelve moves, three of them captures, to copy."""
    game = Game()
    for move in MIDGAME:
        game.apply(move)
    return game
