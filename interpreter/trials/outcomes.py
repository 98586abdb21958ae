"""A source of chance that goes through all that can happen: every die, draw and shuffle, outcome by outcome.

Whoever uses it runs the same piece of a game again and again. Each run takes one way through the tree of
chance, and `advance` leads on to the next, until all have been taken. How likely a way is follows from how
many outcomes each draw on it had, for a draw gives all of them alike.

A shuffled deck has more orders than anybody can go through, so its order is left open until a card is drawn,
which is then any of those left. Games for which that is too much still are for sampling.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

Item = TypeVar("Item")

#: The cards between these two lie in no order yet.
_OPEN, _CLOSED = -1, -2


class Outcomes:
    """Takes the place of `randomness` in a game; the state of chance in its positions does not change."""

    def __init__(self) -> None:
        self._taken: list[int] = []
        self._counts: list[int] = []
        self._next = 0

    def begin(self) -> None:
        """Before a run: along the way that is to be taken now."""
        self._next = 0

    def advance(self) -> bool:
        """After a run: to the next way; false if that was the last, and all begins anew."""
        del self._taken[self._next :], self._counts[self._next :]
        while self._taken and self._taken[-1] + 1 == self._counts[-1]:
            self._taken.pop()
            self._counts.pop()
        if not self._taken:
            return False
        self._taken[-1] += 1
        return True

    def forget(self) -> None:
        """The next run begins anew, wherever the last one led."""
        self._taken.clear()
        self._counts.clear()
        self._next = 0

    @property
    def probability(self) -> Fraction:
        """Of the way that was taken."""
        whole = 1
        for count in self._counts[: self._next]:
            whole *= count
        return Fraction(1, whole)

    def choose(self, count: int) -> int:
        """One of so many, all of them alike."""
        if count == 1:
            return 0
        if self._next == len(self._taken):
            self._taken.append(0)
            self._counts.append(count)
        self._next += 1
        return self._taken[self._next - 1]

    # ------------------------------------------------------------ as a source

    def below(self, state: int, n: int) -> tuple[int, int]:
        return state, self.choose(n)

    def shuffled(self, state: int, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
        return self.picks(state, items, len(items))

    def picks(self, state: int, items: Sequence[Item], k: int) -> tuple[int, tuple[Item, ...]]:
        order = list(items)
        found = [order.pop(self.choose(len(order))) for _ in range(max(0, min(k, len(order))))]
        return state, tuple(found)

    def stirred(self, state: int, pile: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """The pile in no order; sorted, so that piles that are alike are equal."""
        pieces = sorted(piece for piece in pile if piece >= 0)
        return state, (_OPEN, *pieces, _CLOSED) if len(pieces) > 1 else tuple(pieces)

    def settled(self, pile: tuple[int, ...]) -> tuple[int, ...]:
        end = pile.index(_CLOSED)
        pieces, below = list(pile[1:end]), pile[end + 1 :]
        if not pieces:
            return self.settled(below) if below and below[0] == _OPEN else below
        first = pieces.pop(self.choose(len(pieces)))
        return (first, _OPEN, *pieces, _CLOSED, *below) if len(pieces) > 1 else (first, *pieces, *below)
