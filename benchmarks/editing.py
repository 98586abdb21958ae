"""What a key in an editor costs: a check after an edit in one rule, against a check of all from scratch.

Both begin with the text and end with the findings and the program; neither reads the disk.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.timing import Row, Sizes, ratio
from ddob_rules.check.memory import Memory
from ddob_rules.check.program import Checked, check
from ddob_rules.resources import rulesets_folder
from ddob_rules.stack.book import book_from_sources, ruleset_files
from ddob_rules.syntax.items import Items
from ddob_rules.syntax.mending import read_item
from ddob_rules.syntax.parse import ParsedFile, parse_items
from ddob_rules.syntax.source import Source

_RULESET = "ddob"
_HEADER = re.compile(r"^rule [^\n]*:\n", re.MULTILINE)
_EDITS = 5  # for one check from scratch


def shipped(name: str) -> list[Source]:
    """The files of a shipped ruleset."""
    return [Source(str(path), path.read_text("utf-8")) for path in ruleset_files(rulesets_folder() / name)]


def read_anew(source: Source) -> ParsedFile:
    """A file, with nothing remembered in memory or on disk."""
    return parse_items(source, partial(read_item, source))


class Edited:
    """The rules on somebody's screen, with a line in one of them that is typed again and again."""

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sources
        self.items, self.memory = Items(), Memory()
        self._value = 0
        self._place = len(sources) // 3
        header = _HEADER.search(sources[self._place].text)
        assert header is not None
        text = sources[self._place].text
        self._before, self._after = text[: header.end()], text[header.end() :]

    def remembered(self) -> Checked:
        book, _ = book_from_sources(self.sources, Path(), (), self.items.parse)
        assert book is not None
        return check([book], memory=self.memory)

    def from_scratch(self) -> Checked:
        book, _ = book_from_sources(self.sources, Path(), (), read_anew)
        assert book is not None
        return check([book])

    def type(self) -> None:
        """Another number in one line of one rule."""
        self._value += 1
        text = f"{self._before}  define typed: number = {self._value}\n{self._after}"
        self.sources[self._place] = Source(self.sources[self._place].path, text)


def measure(sizes: Sizes) -> list[Row]:
    """One row: how many times as fast an edit is checked as the whole."""
    edited = Edited(shipped(_RULESET))
    edited.type()
    edited.remembered()
    whole: list[float] = []
    typed: list[float] = []
    for _ in range(max(2, sizes.rounds // 3)):
        started = process_time()
        edited.from_scratch()
        whole.append(process_time() - started)
        started = process_time()
        for _ in range(_EDITS):
            edited.type()
            edited.remembered()
        typed.append((process_time() - started) / _EDITS)
    return [
        Row(
            subject=f"check after an edit in one rule of {_RULESET}",
            against="a check from scratch",
            ratio=ratio(whole, typed),
            wanted="at least 20",
            machine=f"{median(typed) * 1e3:.0f} against {median(whole) * 1e3:.0f} milliseconds",
        )
    ]
