"""From a seed to a generator that is carried along: what players and simulations draw from.

It is the stream of `randomness` with its state kept. A game's own chance is part of its state and never comes
from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from interpreter.machine import randomness

Item = TypeVar("Item")


def derive(seed: int, *numbers: int) -> int:
    """Another seed for each way of counting on from one: game 3 of a series, seat 1 of that game."""
    for number in numbers:
        folded = 2 * number if number >= 0 else -2 * number - 1
        seed = randomness.start(randomness.start(seed) + (folded << 64))
    return seed


class Chance:
    """A stream of random numbers from a seed."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = randomness.start(seed)

    @classmethod
    def at(cls, state: int) -> Chance:
        """A stream that goes on from a state."""
        stream = cls.__new__(cls)
        stream.state = state
        return stream

    def below(self, count: int) -> int:
        self.state, value = randomness.below(self.state, count)
        return value

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        self.state, order = randomness.shuffled(self.state, items)
        return order

    def word(self) -> int:
        """64 random bits."""
        self.state, value = randomness.advance(self.state)
        return value
