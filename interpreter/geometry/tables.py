"""What is looked up about a board again and again: areas, straight rows, open steps. Found by need."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.geometry.boards import Board


class Areas(dict[int, tuple[int, ...]]):
    """By space: those at most so far away."""

    def __init__(self, board: Board, limit: int) -> None:
        super().__init__()
        self._board = board
        self._limit = limit

    def __missing__(self, space: int) -> tuple[int, ...]:
        mask = self._board.within(space, self._limit) if space < self._board.count else 0
        found = self[space] = tuple(index for index in range(mask.bit_length()) if mask >> index & 1)
        return found


def row_table(board: Board, length: int, places: int) -> list[tuple[tuple[int, ...], ...]]:
    """For each place the straight rows of that length through it; nothing has none."""
    found: list[list[tuple[int, ...]]] = [[] for _ in range(places + 1)]
    for row in board.lines(length) if 1 < length <= 100 else ():
        for space in row:
            found[space].append(row)
    return [tuple(rows) for rows in found]


class OpenSteps(dict[int, int]):
    """By space: those of its neighbours, among some, to which a test lets one step, as a set."""

    def __init__(self, board: Board, among: int, test: Callable[[int, int], bool]) -> None:
        super().__init__()
        self._board, self._among, self._test = board, among, test

    def __missing__(self, space: int) -> int:
        near = [other for other in self._board.neighbour_list[space] if self._among >> other & 1]
        found = self[space] = sum(1 << other for other in near if self._test(space, other))
        return found
