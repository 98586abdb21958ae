"""A text as it was probably meant: the author's own with a few stretches replaced.

What is read in the mended text is told at its place in the author's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A stretch of the author's text and what takes its place."""

    start: int
    end: int
    text: str


class Mended:
    """A text with edits, none of which overlap."""

    def __init__(self, text: str, edits: Iterable[Edit] = ()) -> None:
        self._marks: list[tuple[int, int, Edit]] = []  # where the new text begins and ends, for each edit
        pieces, last, length = [], 0, 0
        for edit in sorted(edits):
            pieces += [text[last : edit.start], edit.text]
            begin = length + edit.start - last
            length, last = begin + len(edit.text), edit.end
            self._marks.append((begin, length, edit))
        self.text = "".join([*pieces, text[last:]])

    def original(self, place: int) -> int:
        """Where a place of the mended text is in the author's own; of new text, it is where that begins."""
        shift = 0
        for begin, end, edit in self._marks:
            if place <= begin:
                break
            if place < end:
                return edit.start
            shift = edit.end - end
        return place + shift
