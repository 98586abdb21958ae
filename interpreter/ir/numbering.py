"""The order of rule numbers: as the decimals of one rulebook, or as the outline of another."""

from __future__ import annotations

import re

Order = tuple[tuple[int, int, str], ...]


def rule_order(number: str, outline: bool = False) -> Order:
    """Sorts rule numbers: 6.31 stands under 6.3 and before 6.4, digit by digit, and letters come last.

    In an `outline` what stands between two dots is a number of its own, so that 6.10 comes after 6.9.
    """
    parts: list[tuple[int, int, str]] = []
    for position, part in enumerate(re.split(r"[.\-]", number)):
        letters = part.lstrip("0123456789")
        digits = part[: len(part) - len(letters)]
        if digits and position and not outline:
            parts.extend((0, int(digit), "") for digit in digits)
        elif digits:
            parts.append((0, int(digits[:9]), ""))
        if letters:
            parts.append((1, 0, letters))
    return tuple(parts)
