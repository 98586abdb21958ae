"""From the texts of a file, one after the other, to its trees: what did not change is not read again.

A file is cut at its unindented lines, and each item is a source of its own that knows in which line of the
file it begins. An item that an edit leaves alone keeps its tree; one that moves up or down gets the same tree
with other lines. This is for those who read a file again at every key, as an editor does. Others read a file
once, with `parse_file`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ddob_rules.syntax.mending import ReadItem, read_item
from ddob_rules.syntax.nodes.node import relocated
from ddob_rules.syntax.nodes.rules import Start
from ddob_rules.syntax.parse import ParsedFile, item_stretches, parse_file, parse_items
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.words import Words

_Key = tuple[str, str]  # the language and the text of an item


@dataclass(frozen=True, slots=True)
class _Read:
    line: int
    item: ReadItem


@dataclass(slots=True)
class Items:
    """The items of each file, as they were read last."""

    _files: dict[str, ParsedFile] = field(default_factory=dict)
    _items: dict[str, dict[_Key, _Read]] = field(default_factory=dict)

    def parse(self, source: Source) -> ParsedFile:
        """What `parse_file` gives, but with a source for each item."""
        last = self._files.get(source.path)
        if last is not None and last.source.text == source.text:
            return last
        before = self._items.get(source.path) or _first(source)
        now: dict[_Key, _Read] = {}

        def read(start: int, end: int, vocabulary: Words) -> ReadItem:
            text, line = source.text[start:end], source.position(start)[0]
            key = (vocabulary.language, text)
            found = _at(before.get(key), source.path, text, line) or _new(source.path, text, line, vocabulary)
            now[key] = found
            return found.item

        parsed = parse_items(source, read)
        self._files[source.path], self._items[source.path] = parsed, now
        return parsed


def _first(source: Source) -> dict[_Key, _Read]:
    """Trees that are on the disk are not read again, only cut into items."""
    parsed = parse_file(source)
    stretches = item_stretches(source)
    if parsed.problems or len(parsed.items) != len(stretches):
        return {}
    found: dict[_Key, _Read] = {}
    for tree, (start, end) in zip(parsed.items, stretches, strict=True):
        text, line = source.text[start:end], source.position(start)[0]
        moved = relocated(tree, Source(source.path, text, line), start)
        assert isinstance(moved, Start)
        found[parsed.language, text] = _Read(line, ReadItem(moved))
    return found


def _at(found: _Read | None, path: str, text: str, line: int) -> _Read | None:
    """An item that was read before, in the line where it stands now."""
    if found is None or found.line == line:
        return found
    if found.item.tree is None or found.item.problems:
        return None  # what is wrong with it is told in other lines
    moved = relocated(found.item.tree, Source(path, text, line), 0)
    assert isinstance(moved, Start)
    return _Read(line, ReadItem(moved))


def _new(path: str, text: str, line: int, vocabulary: Words) -> _Read:
    return _Read(line, read_item(Source(path, text, line), 0, len(text), vocabulary))
