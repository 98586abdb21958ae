"""Reading on after a mistake: an item is mended as it was probably meant, so that what follows is read too.

A mend counts only if the text can then be read further. Where none does, the declaration with the mistake is
left out, and its words are told to later stages, which do not miss what stands there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.syntax.edits import Edit, Mended
from ddob_rules.syntax.habits import Found, habits_at
from ddob_rules.syntax.nodes.rules import Start
from ddob_rules.syntax.parser import Mistake, Parser, Typed
from ddob_rules.syntax.source import Source, Span
from ddob_rules.syntax.words import Words

# An item with more mistakes is something else than rules; telling all of them helps nobody.
_MOST_MISTAKES = 20
_WORD = re.compile(r"[\w.\-]+")
_CODE_LINE = re.compile(r"^([ \t]*)[^\s#]", re.MULTILINE)
_BLANK = re.compile(r"(?:\s|#[^\n]*)*")


@dataclass(frozen=True, slots=True)
class ReadItem:
    """The tree of an item, if there is one, what is wrong with it, and the words of what was left out."""

    tree: Start | None
    problems: tuple[Diagnostic, ...] = ()
    unread: frozenset[str] = frozenset()


def read_item(
    source: Source, start: int, end: int, vocabulary: Words, tokens: list[Typed] | None = None
) -> ReadItem:
    """An item of a file, from where it begins to where the next one does.

    Its tokens, up to a mistake if there is one, are added to those that are there.
    """
    work = _Work(source, start, end, vocabulary)
    tree = work.read(tokens)
    return ReadItem(tree, tuple(work.problems), frozenset(work.unread))


def words_in(text: str) -> set[str]:
    """The names and numbers that stand in a text."""
    return {part for word in _WORD.findall(text) for part in (word, *re.split(r"\W", word)) if part}


class _Work:
    def __init__(self, source: Source, start: int, end: int, vocabulary: Words) -> None:
        self.source, self.start, self.end = source, start, end
        self.words = vocabulary
        self.language = vocabulary.language
        self.edits: tuple[Edit, ...] = ()
        self.problems: list[Diagnostic] = []
        self.unread: set[str] = set()

    def read(self, tokens: list[Typed] | None) -> Start | None:
        while True:
            parser = self._parser(())
            tree = parser.run()
            if tokens is not None and not self.edits:
                tokens.extend(parser.tokens)
            if isinstance(tree, Start):
                return tree
            assert parser.mistake is not None
            if self._nothing_left():
                return None
            mended = self._mend(parser.mistake) or self._leave_out(parser.mistake.place)
            if not mended or len(self.problems) >= _MOST_MISTAKES:
                self.unread |= words_in(self.source.text[self.start : self.end])
                return None

    def _parser(self, more: tuple[Edit, ...]) -> Parser:
        edits = (*self.edits, *more)
        return Parser(self.source, self.start, self.end, self.words, "start", edits)

    def _nothing_left(self) -> bool:
        inside = (Edit(edit.start - self.start, edit.end - self.start, edit.text) for edit in self.edits)
        text = Mended(self.source.text[self.start : self.end], inside).text
        return bool(self.edits) and _BLANK.fullmatch(text) is not None

    def _mend(self, mistake: Mistake) -> bool:
        """Finds out what was meant: the finding says it, and the edits, if there are any, do it."""
        for finding, edits in self._meant(mistake):
            if not edits or self._reads_on(mistake, edits):
                self.problems.append(finding)
                self.edits += edits
                return bool(edits)
        self.problems.append(mistake.finding)
        return False

    def _meant(self, mistake: Mistake) -> Iterator[tuple[Diagnostic, tuple[Edit, ...]]]:
        for habit in habits_at(self.source.text, mistake.place, self.language):
            finding = report_habit(self.source, habit, self.language)
            if habit.meant is None:
                yield finding, ()
            else:
                yield finding, (Edit(habit.start, habit.end, habit.meant),)
        if mistake.wants_colon is not None:
            place = mistake.wants_colon
            yield missing_colon(self.source, place, self.language), (Edit(place, place, ":"),)
        if mistake.goes_on:
            yield too_deep(self.source, mistake.place, self.language), lined_up(self.source, mistake.place)
        if mistake.edits:
            yield mistake.finding, mistake.edits

    def _reads_on(self, mistake: Mistake, edits: tuple[Edit, ...]) -> bool:
        """Whether the text can be read further with these edits: past the mistake, or past its line."""
        if any(edit.start < other.end and other.start < edit.end for edit in edits for other in self.edits):
            return False
        parser = self._parser(edits)
        if parser.run() is not None or parser.mistake is None:
            return True
        colon = edits[0].text == ":" and edits[0].start == edits[0].end
        line = self.source.text.find("\n", mistake.place)
        return parser.mistake.place > (line if colon and line >= 0 else mistake.place)

    def _leave_out(self, place: int) -> bool:
        """Puts an empty sentence in the place of the declaration with the mistake; a header cannot go."""
        stretch = self._declaration(place)
        if stretch is None:
            return False
        start, end = stretch
        self.unread |= words_in(self.source.text[start:end])
        # What was put in behind the last word, as a sign that closes a text, goes with it.
        line = self.source.text[end : self.source.line_span(self.source.position(end)[0]).end]
        behind = end + len(line) - len(line.lstrip(" \t"))
        self.edits = tuple(edit for edit in self.edits if not start <= edit.start <= behind)
        self.edits += (Edit(start, end, '""'),)
        return True

    def _declaration(self, place: int) -> tuple[int, int] | None:
        """The stretch of the declaration of a rule that a place is in: its lines, without the indentation."""
        text = self.source.text[self.start : self.end]
        if not text.startswith(self.words.spellings["_RULE"]):
            return None
        lines = [found for found in _code_lines(text) if found.start() > 0]
        if not lines:
            return None
        width = len(lines[0][1])
        starts = [self.start + found.end(1) for found in lines if len(found[1]) <= width]
        start = max((begin for begin in starts if begin <= place), default=None)
        if start is None or any(edit.start <= start < edit.end for edit in self.edits):
            return None
        following = min((begin for begin in starts if begin > start), default=self.end)
        return start, start + len(self.source.text[start:following].rstrip())


def report_habit(source: Source, habit: Found, language: str, rule: str = "") -> Diagnostic:
    """The finding about a habit; where the cure is mechanical, `edit` is what to put in its place."""
    place = Span(source, habit.start, habit.end)
    arguments = {} if habit.meant is None else {"edit": habit.meant}
    return report(
        "E0116", place, language=language, rule=rule, help=habit.help or None, text=place.text.strip(),
        meant=(habit.meant or "").strip(), **arguments,
    )  # fmt: skip


def missing_colon(source: Source, place: int, language: str, sign: str = ":") -> Diagnostic:
    return report("E0117", Span(source, place, place), language=language, sign=sign)


def too_deep(source: Source, place: int, language: str) -> Diagnostic:
    """A line that begins something of its own, and is read as going on with the line above it."""
    above, here = _code_lines(source.text[: place + 1])[-2:]
    word = _WORD.match(source.text, here.end(1))
    span = Span(source, here.end(1), word.end() if word is not None else here.end())
    before = Span(source, above.end(1), source.line_span(source.position(above.start())[0]).end)
    return report("E0118", span, before, language=language)


def lined_up(source: Source, place: int) -> tuple[Edit, ...]:
    """The line at a place and those below that are as deep, moved to where the line above them stands."""
    lines = _code_lines(source.text)
    here = bisect_right(lines, place, key=re.Match.start) - 1
    width = len(lines[here][1])
    above = next((len(line[1]) for line in reversed(lines[:here]) if len(line[1]) < width), width)
    deep = takewhile(lambda line: len(line[1]) >= width, lines[here:])
    return tuple(Edit(line.start(), line.start() + width - above, "") for line in deep)


def _code_lines(text: str) -> list[re.Match[str]]:
    return list(_CODE_LINE.finditer(text))
