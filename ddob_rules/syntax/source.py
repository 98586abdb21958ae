"""From a path to a source text, and from a character offset to the line and column a person would count.

Whatever is wrong with the file itself (missing, binary, wrongly encoded, far too large) is told here, so that
later stages may rely on clean text whose lines end in a line feed. What the text means is left to them.
"""

from __future__ import annotations

import stat
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.syntax.drafts import draft_of

#: Megabytes. A long rulebook is well under one; more than this is the wrong file, and would be slow.
LARGEST_FILE = 8
LARGEST_RULES = 1
MEGABYTE = 1024 * 1024
# No person writes such a line; a generated file may, and a column number in it would help nobody.
LONGEST_LINE = 20_000

_UTF_8_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the path to show for it."""

    path: str
    text: str = field(repr=False)
    #: A source may be a stretch of a file, such as one rule: its lines are counted as those of the file.
    first_line: int = 1
    lines: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Only "\n" ends a line: form feeds and Unicode separators do not, in editors or here.
        lines = tuple(self.text.split("\n"))
        starts = tuple(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        object.__setattr__(self, "lines", lines)
        object.__setattr__(self, "_starts", starts)

    def line_text(self, number: int) -> str:
        """The text of a line counted from 1, without its line end; empty for a line that does not exist."""
        index = number - self.first_line
        return self.lines[index] if 0 <= index < len(self.lines) else ""

    def line_span(self, number: int) -> Span:
        """The span of a line counted from 1, without its line end."""
        index = number - self.first_line
        start = self._starts[index]
        return Span(self, start, start + len(self.lines[index]))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column of a character offset, both counted from 1."""
        offset = min(max(offset, 0), len(self.text))
        index = bisect_right(self._starts, offset) - 1
        return index + self.first_line, offset - self._starts[index] + 1

    def offset(self, line: int, column: int) -> int:
        """The character offset of a line and a column, counted from 1; the nearest if there is none."""
        index = min(max(line - self.first_line, 0), len(self.lines) - 1)
        return self._starts[index] + min(max(column - 1, 0), len(self.lines[index]))


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """A stretch of a source, from the character offset `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    # Spans are compared and hashed by the thousand; path and line stand for the source, whose text is long.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        if self.start != other.start or self.end != other.end:
            return False
        one, two = self.source, other.source
        return one is two or (one.path == two.path and one.first_line == two.first_line)

    def __hash__(self) -> int:
        return hash((self.source.path, self.source.first_line, self.start, self.end))

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column just after the last character."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The smallest span that holds this one and another of the same source."""
        one, two = self.source, other.source
        if one.path != two.path or one.first_line != two.first_line:
            raise ValueError(f"spans of {self.source.path} and {other.source.path} cannot be joined")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


def whole_file(path: str) -> Span:
    """A place for diagnostics about a file as such, whose text is unknown or does not matter."""
    return Span(Source(path, ""), 0, 0)


def read_source(
    path: Path, shown: str | None = None, *, language: str = "en"
) -> tuple[Source | None, list[Diagnostic]]:
    """Read a text file; if something keeps it from being read, give no source but the diagnostics."""
    shown = str(path) if shown is None else shown
    data = _read_bytes(path, shown, language)
    if isinstance(data, Diagnostic):
        return None, [data]
    return source_from_bytes(data, shown, language=language)


def source_from_bytes(
    data: bytes, shown: str, *, language: str = "en"
) -> tuple[Source | None, list[Diagnostic]]:
    """The same for bytes that are already in memory, such as standard input."""
    refused = _refuse_bytes(data, shown, language)
    if refused is not None:
        return None, [refused]
    source = Source(shown, _with_plain_line_ends(data.removeprefix(_UTF_8_MARK).decode("utf-8")))
    for number, line in enumerate(source.lines, start=1):
        if len(line) > LONGEST_LINE:
            return None, [_long_line(source.line_span(number), language)]
    return source, []


def _read_bytes(path: Path, shown: str, language: str) -> bytes | Diagnostic:
    place = whole_file(shown)
    draft = draft_of(path)
    if draft is not None:
        return draft
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return report("E0002", place, language=language, path=shown)
        if not stat.S_ISREG(mode):
            # Reading a device or a pipe may never end.
            return report("E0009", place, language=language, path=shown)
        with path.open("rb") as file:
            # One byte over the limit is enough to know that the file is too large.
            return file.read(_largest(shown) * MEGABYTE + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        # A path that no file system can hold (it contains a NUL) raises ValueError.
        return report("E0001", place, language=language, path=shown, help=_nearby_file(path, language))
    except PermissionError:
        return report("E0003", place, language=language, path=shown)
    except OSError as error:
        reason = (error.strerror or "").lower()
        return report("E0008", place, language=language, path=shown, reason=reason)


def _largest(shown: str) -> int:
    return LARGEST_RULES if shown.endswith(".rules") else LARGEST_FILE


def _nearby_file(path: Path, language: str) -> str | None:
    """A question about the file that was probably meant; None, for the usual advice, if nothing is close."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except (OSError, ValueError):
        return None
    return did_you_mean(path.name, names, language) or None


def _refuse_bytes(data: bytes, shown: str, language: str) -> Diagnostic | None:
    place = whole_file(shown)
    if len(data) > _largest(shown) * MEGABYTE:
        return report("E0006", place, language=language, path=shown, limit=_largest(shown))
    if data.startswith(_UTF_16_MARKS):
        return report("E0010", place, language=language, path=shown)
    if b"\0" in data:
        return report("E0005", place, language=language, path=shown, byte=data.index(b"\0") + 1)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _wrong_encoding(data, error.start, shown, language)
    return None


def _long_line(place: Span, language: str) -> Diagnostic:
    return report(
        "E0007",
        place,
        language=language,
        path=place.source.path,
        line=place.line,
        length=place.end - place.start,
        limit=LONGEST_LINE,
    )


def _wrong_encoding(data: bytes, start: int, shown: str, language: str) -> Diagnostic:
    mark = len(_UTF_8_MARK) if data.startswith(_UTF_8_MARK) else 0
    before = _with_plain_line_ends(data[mark:start].decode("utf-8"))
    # The rest of the text is only shown, never parsed, so characters lost in it do no harm.
    source = Source(shown, _with_plain_line_ends(data[mark:].decode("utf-8", errors="replace")))
    place = Span(source, len(before), len(before) + 1)
    return report("E0004", place, language=language, path=shown, byte=start + 1, line=place.line)


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
