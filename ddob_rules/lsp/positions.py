"""Places: from lines and columns as editors count them to ours, and back; from paths to addresses, and back.

Editors count from 0, and a letter beyond the first 65,536 as two, unless they agree on something else. What
an editor asks about may lie beyond the end of a line or of the text: the nearest place that exists is meant.
"""

from __future__ import annotations

import os.path
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from ddob_rules.resources import rulesets_folder
from ddob_rules.syntax.source import Source, Span

Encoding = types.PositionEncodingKind | str | None


class Ruler:
    """Counts letters as the editor does."""

    def __init__(self, encoding: Encoding = types.PositionEncodingKind.Utf16) -> None:
        self._name = {"utf-8": "utf-8", "utf-32": "utf-32-le"}.get(str(getattr(encoding, "value", encoding)))

    def length(self, text: str) -> int:
        """How long a text is for the editor."""
        if text.isascii() or self._name == "utf-32-le":
            return len(text)
        if self._name == "utf-8":
            return len(text.encode("utf-8", "replace"))
        return sum(2 if ord(letter) > 0xFFFF else 1 for letter in text)

    def letters(self, line: str, length: int) -> int:
        """How many letters of a line so long a stretch are; not more than there are."""
        if line.isascii():
            return min(max(length, 0), len(line))
        count = 0
        for number, letter in enumerate(line):
            if count >= length:
                return number
            count += self.length(letter)
        return len(line)

    def offset(self, source: Source, position: types.Position) -> int:
        line = min(max(position.line, 0), len(source.lines) - 1)
        text = source.lines[line]
        return source.offset(line + source.first_line, self.letters(text, position.character) + 1)

    def position(self, source: Source, offset: int) -> types.Position:
        line, column = source.position(offset)
        return types.Position(line - 1, self.length(source.line_text(line)[: column - 1]))

    def range(self, span: Span) -> types.Range:
        source = span.source
        return types.Range(
            self.position(source, span.start), self.position(source, max(span.start, span.end))
        )

    def finding_range(self, span: Span) -> types.Range:
        """At least one letter, or there is nothing to underline."""
        found = self.range(span)
        if found.start == found.end:
            found.end = types.Position(found.start.line, found.start.character + 1)
        return found


def path_of(uri: str) -> Path | None:
    """The file of an address; None if it is of something else, such as a text without a name."""
    if not uri.startswith("file:"):
        return None
    path = to_fs_path(uri)
    try:
        return Path(os.path.realpath(path)) if path else None
    except ValueError:
        return None


def uri_of(path: Path) -> str:
    return from_fs_path(str(path)) or path.as_uri()


def file_of(shown: str) -> Path:
    """The file that is shown under a path: as it is, from the current folder, or of the shipped rulesets."""
    path = Path(shown)
    if not path.is_absolute() and not path.exists():
        shipped = rulesets_folder()
        beside = shipped.parent / shown
        path = beside if beside.exists() else shipped / Path(*path.parts[1:])
    return Path(os.path.realpath(path))
