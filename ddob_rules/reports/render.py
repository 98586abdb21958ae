"""From diagnostics to text: for people (with a caret under the mistake), for editors, and for programs.

Author text is made harmless on the way: characters that could move the cursor or reverse the reading order
are shown as visible marks. Sorting is left to the collector: diagnostics are shown in the order given.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ddob_rules.reports.diagnostics import Diagnostic, Label, Severity
    from ddob_rules.syntax.source import Span

# A longer source line is shown as a window of this many characters around the caret.
LONGEST_SHOWN_LINE = 160
# How much of a window stands before the caret: enough to recognise the place, leaving most for what follows.
_BEFORE_CARET = 60
_TAB = 4
_CUT = "…"

# Terminals reorder text at these, so that a line could look like another than the one that is read.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"

_STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "hint": "1;36",
    "message": "1",
    "gutter": "34",
    "other": "36",
    "help": "32",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    severity: dict[Severity, str]
    count: dict[Severity, tuple[str, str]]
    # French writes a space before a colon.
    colon: str
    rule: str
    note: str
    help: str
    more: str


_ENGLISH = _Words(
    severity={"error": "error", "warning": "warning", "hint": "hint"},
    count={"error": ("error", "errors"), "warning": ("warning", "warnings"), "hint": ("hint", "hints")},
    colon=":",
    rule="rule",
    note="note",
    help="help",
    more="more",
)
_FRENCH = _Words(
    severity={"error": "erreur", "warning": "avertissement", "hint": "conseil"},
    count={
        "error": ("erreur", "erreurs"),
        "warning": ("avertissement", "avertissements"),
        "hint": ("conseil", "conseils"),
    },
    colon=" :",
    rule="règle",
    note="note",
    help="aide",
    more="plus",
)


def render_text(diagnostics: Iterable[Diagnostic], colour: bool = False, language: str = "en") -> str:
    """The form for people: a block for each diagnostic, then a count; empty if there are none."""
    shown = list(diagnostics)
    if not shown:
        return ""
    words = _words(language)
    blocks = ["\n".join(_block(diagnostic, words, colour)) for diagnostic in shown]
    return "\n\n".join([*blocks, summary(shown, language)]) + "\n"


def render_gnu(diagnostics: Iterable[Diagnostic]) -> str:
    """The form that editors and build tools read: one line each, always with the English severity."""
    return "".join(f"{_gnu_place(each)}{each.severity}: {_one_line(each)}\n" for each in diagnostics)


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """The form for programs: a list of objects; a span's `text` is what is said about it."""
    text = json.dumps([_record(diagnostic) for diagnostic in diagnostics], ensure_ascii=False, indent=2)
    # A path that is not valid text holds lone surrogates, which cannot be written; their escapes can.
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def summary(diagnostics: Iterable[Diagnostic], language: str = "en") -> str:
    """A count such as "2 errors, 1 warning"; empty if there is nothing to count."""
    words = _words(language)
    severities = [diagnostic.severity for diagnostic in diagnostics]
    order: tuple[Severity, ...] = ("error", "warning", "hint")
    counts = [(severities.count(severity), words.count[severity]) for severity in order]
    return ", ".join(f"{number} {forms[number > 1]}" for number, forms in counts if number)


def _words(language: str) -> _Words:
    return _FRENCH if language == "fr" else _ENGLISH


def _block(diagnostic: Diagnostic, words: _Words, colour: bool) -> list[str]:
    numbers = [label.span.line for label in diagnostic.spans]
    width = max([2, *(len(str(number)) for number in numbers)])
    head = f"{words.severity[diagnostic.severity]}[{diagnostic.code}]"
    message = _paint(f"{words.colon} {_visible(diagnostic.message)}", "message", colour)
    lines = [_paint(head, diagnostic.severity, colour) + message]
    for index, label in enumerate(diagnostic.spans):
        origin = label.origin or (f"{words.rule} {diagnostic.rule}" if diagnostic.rule and not index else "")
        repeated = index > 0 and _on_the_same_line(diagnostic.spans[index - 1], label)
        style = "other" if index else diagnostic.severity
        lines += _place(label, "" if repeated else origin, repeated, width, style, colour)
    for note in diagnostic.notes:
        lines += _remark(words.note + words.colon, note, width, "message", colour)
    if diagnostic.help:
        lines += _remark(words.help + words.colon, diagnostic.help, width, "help", colour)
    lines += _remark(words.more + words.colon, f"ddob explain {diagnostic.code}", width, "gutter", colour)
    return lines


def _on_the_same_line(first: Label, second: Label) -> bool:
    """Whether the second label can go under the line already shown; a window may not reach it."""
    span = second.span
    return (
        not second.origin
        and first.span.source.path == span.source.path
        and first.span.line == span.line
        and len(span.source.line_text(span.line)) <= LONGEST_SHOWN_LINE
    )


def _place(label: Label, origin: str, repeated: bool, width: int, style: str, colour: bool) -> list[str]:
    """The lines for one label: where, the source line, the caret; the caret alone if `repeated`."""
    span = label.span
    if not span.source.text:
        # The diagnostic is about the file as such: there is no line to show.
        return [_where(_visible(span.source.path), origin, width, colour)]
    line, column = span.source.position(span.start)
    shown, blank, carets = _line_and_carets(span)
    number, no_number = (_paint(f"{text:>{width}} |", "gutter", colour) for text in (str(line), ""))
    mark = _paint(f"{carets} {_visible(label.text)}".rstrip(), style, colour)
    caret_line = f"{no_number} {' ' * blank}{mark}"
    if repeated:
        return [caret_line]
    where = _where(f"{_visible(span.source.path)}:{line}:{column}", origin, width, colour)
    return [where, f"{number} {shown}".rstrip(), caret_line]


def _where(place: str, origin: str, width: int, colour: bool) -> str:
    arrow = _paint("-->", "gutter", colour)
    return f"{' ' * width}{arrow} {place}" + (f"   {_visible(origin)}" if origin else "")


def _remark(head: str, text: str, width: int, style: str, colour: bool) -> list[str]:
    """A note or the help; further lines of it stand under the first."""
    first, *rest = (_visible(line) for line in text.split("\n"))
    indent = " " * (width + 1)
    return [f"{indent}{_paint(head, style, colour)} {first}"] + [
        f"{indent}{' ' * len(head)} {line}".rstrip() for line in rest
    ]


def _line_and_carets(span: Span) -> tuple[str, int, str]:
    """The line as shown, how many columns of blank come before the carets, and the carets."""
    line, column = span.source.position(span.start)
    cells = _cells(span.source.line_text(line))
    start = column - 1
    # Of several lines the first is shown; an empty span, or one at the line's end, gets one caret.
    end = min(start + max(span.end - span.start, 1), max(len(cells), start + 1))
    first, last = _window(start, len(cells))
    left = _CUT if first else ""
    right = _CUT if last < len(cells) else ""
    blank = len(left) + _columns(cells[first:start])
    carets = "^" * max(1, _columns(cells[start : min(end, max(last, start + 1))]))
    return left + "".join(cells[first:last]) + right, blank, carets


def _window(start: int, length: int) -> tuple[int, int]:
    """Which characters of a line to show so that `start` is among them."""
    if length <= LONGEST_SHOWN_LINE:
        return 0, length
    room = LONGEST_SHOWN_LINE - 2 * len(_CUT)
    first = max(0, min(start - _BEFORE_CARET, length - room))
    return first, min(length, first + room)


def _cells(line: str) -> list[str]:
    """What to show for each character of a line, tabs filled up with blanks."""
    cells: list[str] = []
    column = 0
    for character in line:
        cell = " " * (_TAB - column % _TAB) if character == "\t" else _visible_character(character)
        column += _columns([cell])
        cells.append(cell)
    return cells


def _columns(cells: Sequence[str]) -> int:
    """How many columns of a terminal the cells take."""
    return sum(map(display_width, cells))


def display_width(text: str) -> int:
    """How many columns of a terminal the text takes: East Asian wide letters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_character_columns, text))


def _character_columns(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _visible(text: str) -> str:
    """The text on one line, with nothing in it that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible_character, re.sub(r"[\t\n]", " ", text)))


def _visible_character(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x20:
        # Unicode has a picture for each control character, in the same order.
        return chr(0x2400 + code)
    if character in _DIRECTION_MARKS or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return _UNPRINTABLE
    return character


def _paint(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if colour else text


def _gnu_place(diagnostic: Diagnostic) -> str:
    span = diagnostic.primary
    if span is None:
        return "ddob: "
    line, column = span.source.position(span.start)
    return f"{_visible(span.source.path)}:{line}:{column}: "


def _one_line(diagnostic: Diagnostic) -> str:
    return f"{_visible(diagnostic.message)} [{diagnostic.code}]"


def _record(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "rule": diagnostic.rule,
        "notes": list(diagnostic.notes),
        "spans": [_span_record(label) for label in diagnostic.spans],
    }


def _span_record(label: Label) -> dict[str, object]:
    span = label.span
    return {
        "file": span.source.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "text": label.text,
    }
