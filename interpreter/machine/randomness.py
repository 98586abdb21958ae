"""Turn a seed into a stream of random numbers whose whole state is one integer from 0 to 2**64 - 1.

The stream, exactly, so that another implementation can reproduce it. All arithmetic is modulo 2**64;
`>>` is a logical shift, `^` exclusive or.

    GAMMA     = 0x9E3779B97F4A7C15
    mix(z)    : z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
                z = (z ^ (z >> 27)) * 0x94D049BB133111EB
                return z ^ (z >> 31)
    start(s)  : fold s to a whole number, n = 2*s if s >= 0, else -2*s - 1 (exact, not modulo);
                write n in words of 64 bits, lowest first, at least one word, the last not 0 unless n is 0;
                state = 0, then for each word: state = mix((state ^ word) + GAMMA)
    advance   : state = state + GAMMA; the value is mix(state)          (this is splitmix64)
    below(n)  : advance to get v; product = v * n (exact, 128 bits); while the low 64 bits of product are
                less than 2**64 mod n, do so again; the result is the high 64 bits, product >> 64
    shuffled  : for i from the last place down to 1: swap places i and below(i + 1)
    picks(k)  : for i from 0 to k - 1: swap places i and i + below(length - i); the picks are places 0 to
                k - 1, in that order

Even below(1) advances once. Left out: floating point and secrecy; who knows the state knows the future.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")

_RANGE = 1 << 64
_WORD = _RANGE - 1
# An odd number near 2**64 divided by the golden ratio: the counter visits every state before it repeats.
_GAMMA = 0x9E3779B97F4A7C15


class Source(Protocol):
    """Where a game takes its chance from: this module, or one that goes through all outcomes (`outcomes`)."""

    def below(self, state: int, n: int, /) -> tuple[int, int]: ...

    def shuffled(self, state: int, items: Sequence[Item], /) -> tuple[int, tuple[Item, ...]]: ...

    def picks(self, state: int, items: Sequence[Item], k: int, /) -> tuple[int, tuple[Item, ...]]: ...

    def stirred(self, state: int, pile: tuple[int, ...], /) -> tuple[int, tuple[int, ...]]:
        """A shuffled pile; its order may be left open, which a number below 0 at its top says."""

    def settled(self, pile: tuple[int, ...], /) -> tuple[int, ...]:
        """A pile whose order was left open, with its top known."""


def start(seed: int) -> int:
    """The state that a seed, any integer, begins with; different for all seeds from -2**63 to 2**63 - 1."""
    folded = 2 * seed if seed >= 0 else -2 * seed - 1
    state = _mix((folded & _WORD) + _GAMMA & _WORD)
    folded >>= 64
    while folded:
        state = _mix((state ^ (folded & _WORD)) + _GAMMA & _WORD)
        folded >>= 64
    return state


def advance(state: int) -> tuple[int, int]:
    """The next state, and a value uniform in 0 to 2**64 - 1."""
    state = state + _GAMMA & _WORD
    return state, _mix(state)


def below(state: int, n: int) -> tuple[int, int]:
    """The next state, and a value exactly uniform in 0 to n - 1.

    Raises:
        ValueError: n is not in 1 to 2**64.
    """
    if not 1 <= n <= _RANGE:
        raise ValueError(f"cannot draw below {n}")
    state, value = advance(state)
    product = value * n
    # Each result owns the same number of values once the first (2**64 mod n) of its share are refused.
    refused = _RANGE % n
    while product & _WORD < refused:
        state, value = advance(state)
        product = value * n
    return state, product >> 64


def shuffled(state: int, items: Sequence[Item]) -> tuple[int, tuple[Item, ...]]:
    """The next state, and the items in an order drawn from all orders alike."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        state, chosen = below(state, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return state, tuple(order)


stirred = shuffled


def settled(pile: tuple[int, ...]) -> tuple[int, ...]:
    """Nothing is left open here."""
    return pile


def picks(state: int, items: Sequence[Item], k: int) -> tuple[int, tuple[Item, ...]]:
    """The next state, and k of the items in the order drawn; all of them if there are fewer than k."""
    order = list(items)
    size = len(order)
    drawn = max(0, min(k, size))
    for place in range(drawn):
        state, offset = below(state, size - place)
        chosen = place + offset
        order[place], order[chosen] = order[chosen], order[place]
    return state, tuple(order[:drawn])


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31
