"""The shelf: rulesets that were read and checked before, of which only what has changed is read again.

For each file the source is kept until the file, or the draft of it, is another; for each ruleset the book.
The memory of the last check of a stack is the desk's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ddob_rules.check.memory import Memory
from ddob_rules.check.program import check
from ddob_rules.library.finding import RulesetEntry, find_ruleset, rulesets
from ddob_rules.loading import Reading
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.stack.book import Book, book_from_sources, header_of, read_sources
from ddob_rules.syntax.drafts import draft_of
from ddob_rules.syntax.items import Items
from ddob_rules.syntax.source import Source

_Stamp = tuple[int, int] | bytes | None
_ReadBook = tuple[Book | None, list[Diagnostic]]


@dataclass(slots=True)
class Shelf:
    items: Items = field(default_factory=Items)
    _entries: dict[tuple[str, Path | None], RulesetEntry | None] = field(default_factory=dict)
    _everything: list[RulesetEntry] | None = None
    _sources: dict[Path, tuple[_Stamp, Source | None, list[Diagnostic]]] = field(default_factory=dict)
    _books: dict[tuple[tuple[Path, ...], Path], tuple[list[Source], _ReadBook]] = field(default_factory=dict)

    def reading(self, memory: Memory) -> Reading:
        return Reading(self.find, self.read, partial(check, memory=memory, noting=True))

    def look_again(self) -> None:
        """Files may have come or gone: rulesets are looked for again."""
        self._entries.clear()
        self._everything = None

    def everything(self) -> list[RulesetEntry]:
        """Every ruleset in sight."""
        if self._everything is None:
            self._everything = rulesets()
        return self._everything

    def find(self, name: str, near: Path | None) -> RulesetEntry | None:
        key = (name, near)
        if key not in self._entries:
            self._entries[key] = find_ruleset(name, near=near)
        return self._entries[key]

    def parents(self, entry: RulesetEntry) -> tuple[str, ...]:
        """What a ruleset extends, by its header alone."""
        for path in entry.files:
            source, _ = self._source(path, entry.folder)
            header = header_of(source) if source is not None else None
            if header is not None:
                return tuple(name.text for name in header.extends.names) if header.extends is not None else ()
        return ()

    def read(self, paths: Iterable[Path], folder: Path) -> _ReadBook:
        """A ruleset; the same book as the last time if no file of it has changed."""
        files = tuple(paths)
        read = [self._source(path, folder) for path in files]
        sources = [source for source, _ in read if source is not None]
        problems = [problem for _, found in read for problem in found]
        known = self._books.get((files, folder))
        if known is not None and not problems and _same(known[0], sources):
            return known[1]
        made = book_from_sources(sources, folder, problems, self.items.parse)
        self._books[files, folder] = (sources, made)
        return made

    def _source(self, path: Path, folder: Path) -> tuple[Source | None, list[Diagnostic]]:
        stamp = _stamp(path)
        known = self._sources.get(path)
        if known is None or stamp is None or known[0] != stamp:
            sources, found = read_sources([path], folder)
            known = (stamp, sources[0] if sources else None, found)
            self._sources[path] = known
        return known[1], known[2]


def _stamp(path: Path) -> _Stamp:
    """What is another when the file is."""
    draft = draft_of(path)
    if draft is not None:
        return draft
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _same(one: list[Source], other: list[Source]) -> bool:
    return len(one) == len(other) and all(left is right for left, right in zip(one, other, strict=True))
