"""From a question to the part of a map that is shown with it: what matters, the nearest first.

How a part is drawn is left to `board`; what is still on the screen, to who knows what was printed since.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ddob_rules.cli.board import Drawing
from ddob_rules.cli.focus import nearest_first, on_grid


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a map as it was drawn."""

    part: Drawing
    lines: list[str]
    about: frozenset[str]  # what it was to show, whether there was room for it or not


def window(whole: Drawing, about: Iterable[str], centre: str, room: int) -> Window:
    """The part that holds the most of these places in so many lines. What is nearest to the centre stays."""
    order = nearest_first(whole.game, sorted(about), centre)
    found: tuple[int, Window] | None = None
    for tight in (False, True):
        held, one = _largest(replace(whole, tight=tight), order, room)
        if found is None or held > found[0]:
            found = held, one
        if held == len(order):
            break
    assert found is not None
    return found[1]


def _largest(whole: Drawing, order: list[str], room: int) -> tuple[int, Window]:
    """The longest beginning of a list of places that fits, and its drawing; 0 if not even the first does."""

    def drawn(count: int) -> tuple[bool, Window]:
        part = replace(whole, about=frozenset(order[:count]))
        lines = part.lines()
        fits = len(lines) <= room and part.holds(frozenset(order[:count]))
        return fits, Window(part, lines, frozenset(order))

    fits, best = drawn(len(order))
    if fits or len(order) < 2:
        return (len(order) if fits else 0), best
    fits, best = drawn(1)
    if not fits:
        return 0, best
    low, high = 1, len(order)  # the first fits, all of them do not
    while high - low > 1:
        middle = (low + high) // 2
        fits, one = drawn(middle)
        low, high, best = (middle, high, one) if fits else (low, middle, best)
    return low, best


def unchanged(before: Window, whole: Drawing, about: frozenset[str]) -> bool:
    """Whether a window shows these places as they are now, or those of them that had room in it."""
    again = replace(whole, about=before.part.about, tight=before.part.tight, room=before.part.room)
    beside = {place for place in about if not on_grid(whole.game, whole.view, [place])}
    shown = before.part.about or frozenset()
    if not beside <= shown or again.lines() != before.lines:
        return False
    return again.holds(about) or (about <= before.about and bool((about - beside) & shown))
