"""From text to tokens: words, numbers, texts and the layout (line ends and indentation).

Blocks are opened by a colon at the end of a line and made of deeper indented lines; a deeper indented line
after any other line continues it. Which terminal a word stands for is decided by the parser, which knows what
can come next: this stage only says what the characters are. Comments are left out; the formatter finds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ddob_rules.diagnostics import Diagnostic, report
from ddob_rules.source import Source, Span
from ddob_rules.words import PUNCTUATION

# Deeper nesting than a person can read; it also keeps every later stage's recursion bounded.
MAXIMUM_INDENTATION = 24
MAXIMUM_BRACKETS = 40
MAXIMUM_LINE_TOKENS = 2_000

_SYMBOLS = "|".join(re.escape(symbol) for symbol in PUNCTUATION)
_TOKEN = re.compile(
    rf"""(?P<space>[ \t]+)
    |(?P<comment>\#[^\n]*)
    |(?P<newline>\n)
    |(?P<string>"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*")
    |(?P<number>[0-9]+(?![\w]))
    |(?P<word>[^\W\d]\w*(?:['’][^\W\d]\w*)*)
    |(?P<symbol>{_SYMBOLS})
    |(?P<mixed>[0-9]\w*)""",
    re.VERBOSE,
)
RULE_ID = re.compile(r"\w+(?:[.\-]\w+)*")


@dataclass(frozen=True, slots=True)
class Raw:
    """A piece of text: sort is word, number, string, symbol, mixed, newline, indent, dedent or end."""

    sort: str
    text: str
    start: int
    end: int


class Lexer:
    """Cuts one stretch of a source into raw tokens; mistakes are collected in `problems`."""

    def __init__(self, source: Source, start: int, end: int, language: str) -> None:
        self.source = source
        self.text = source.text
        self.end = end
        self.language = language
        self.problems: list[Diagnostic] = []
        self.brackets: list[int] = []  # where those that are open stand
        self._position = start

    def tokens(self) -> Iterator[Raw]:
        levels = [0]
        brackets = self.brackets
        count = 0
        opened = False  # the last token of the line before was a colon outside brackets
        started = False
        last = self._position  # the end of the last token, where its line and the blocks after it end
        for raw in self._pieces():
            if raw.sort == "newline":
                continue
            if raw.sort == "indentation":
                if brackets:
                    continue
                width = len(raw.text)
                if not started:
                    started = True
                    continue
                if width > levels[-1] and not opened:
                    continue  # a continued line
                count = 0
                yield Raw("newline", "", last, last)
                if width > levels[-1]:
                    if len(levels) > MAXIMUM_INDENTATION:
                        self._report("E0106", raw.start, raw.end)
                        return
                    levels.append(width)
                    yield Raw("indent", "", raw.end, raw.end)
                else:
                    while width < levels[-1]:
                        levels.pop()
                        yield Raw("dedent", "", last, last)
                    if width != levels[-1]:
                        self._report("E0103", raw.start, raw.end)
                        return
                opened = False
                continue
            count += 1
            if count > MAXIMUM_LINE_TOKENS:
                self._report("E0107", raw.start, raw.end, limit=MAXIMUM_LINE_TOKENS)
                return
            if raw.sort == "symbol":
                if raw.text in "([{":
                    brackets.append(raw.start)
                    if len(brackets) > MAXIMUM_BRACKETS:
                        self._report("E0108", raw.start, raw.end, limit=MAXIMUM_BRACKETS)
                        return
                elif raw.text in ")]}" and brackets:
                    brackets.pop()
            opened = raw.text == ":" and raw.sort == "symbol" and not brackets
            started = True
            yield raw
            last = self._position  # the reader may have taken more words than the token given to it
        if brackets:
            self._report("E0105", brackets[-1], brackets[-1] + 1)
            return
        if started:
            yield Raw("newline", "", last, last)
            for _ in levels[1:]:
                yield Raw("dedent", "", last, last)
        yield Raw("end", "", last, last)

    def rule_id(self, raw: Raw) -> Raw | None:
        """Reads a rule number where one is expected, taking back the token that was read there."""
        found = RULE_ID.match(self.text, raw.start, self.end)
        if found is None:
            return None
        self._position = found.end()
        return Raw("rule", found.group(), found.start(), found.end())

    def phrase(self, raw: Raw, rest: tuple[str, ...]) -> Raw | None:
        """Reads the further words of a phrase, if they stand here on the same line."""
        position = raw.end
        for word in rest:
            found = re.compile(rf"[ ]+{re.escape(word)}(?!\w)").match(self.text, position, self.end)
            if found is None:
                return None
            position = found.end()
        self._position = position
        return Raw("word", self.text[raw.start : position], raw.start, position)

    def _pieces(self) -> Iterator[Raw]:
        line_start = True
        while self._position < self.end:
            start = self._position
            if line_start:
                match = re.compile(r"[ \t]*").match(self.text, start, self.end)
                assert match is not None
                stop = match.end()
                self._position = stop
                line_start = False
                if stop < self.end and self.text[stop] not in "\n#":
                    if "\t" in match.group():
                        self._report("E0102", start, stop)
                        return
                    yield Raw("indentation", match.group(), start, stop)
                continue
            found = _TOKEN.match(self.text, start, self.end)
            if found is None:
                stop = self._unreadable(start)
                self._position = stop
                continue
            self._position = found.end()
            sort = found.lastgroup or ""
            if sort == "newline":
                line_start = True
            if sort not in ("space", "comment", "newline"):
                yield Raw(sort, found.group(), found.start(), found.end())

    def _unreadable(self, start: int) -> int:
        if self.text[start] == '"':
            stop = self.text.find("\n", start, self.end)
            stop = self.end if stop < 0 else stop
            self._report("E0104", start, min(stop, start + 40))
            return stop
        self._report("E0101", start, start + 1, character=self.text[start])
        return start + 1

    def _report(self, code: str, start: int, end: int, **arguments: str | int) -> None:
        span = Span(self.source, start, max(end, start + 1))
        self.problems.append(
            report(
                code, span, language=self.language, **{name: str(value) for name, value in arguments.items()}
            )
        )
