"""Sets of small numbers, each the bits of one whole number: from members to sets, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import compress

_KEPT_MEMBERS = 400_000  # of remembered sets; then the memory starts afresh
_FEW = 6  # members that are found faster one by one than by going through all digits
_DIGITS = bytes(digit == ord("1") for digit in range(256))

Members = Callable[[int], tuple[int, ...]]  # from a set to its members in order


def bit(index: int) -> int:
    return 1 << index if index >= 0 else 0


def make_bits() -> Members:
    """A function from a set to its members in order; the same sets come up again, so it remembers."""
    return _Members({0: ()}).__getitem__


class _Members(dict[int, tuple[int, ...]]):
    """The members of each set that was asked for; at most so many are remembered."""

    room = _KEPT_MEMBERS

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if mask.bit_count() < _FEW:
            members = []
            rest = mask
            while rest:
                low = rest & -rest
                members.append(low.bit_length() - 1)
                rest ^= low
            found = tuple(members)
        else:
            digits = bin(mask)[:1:-1].encode().translate(_DIGITS)
            found = tuple(compress(range(len(digits)), digits))
        self.room -= len(found) + 1
        if self.room < 0:
            self.clear()
            self.room = _KEPT_MEMBERS
            self[0] = ()
        self[mask] = found
        return found


def list_mask(items: Iterable[int]) -> int:
    mask = 0
    for index in items:
        mask |= bit(index)
    return mask
