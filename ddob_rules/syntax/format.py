"""From a rules file to the same rules laid out in the one house style, for `ddob fmt`.

Only blanks, blank lines and the place of the language line change: comments, line breaks and words stay as
the author wrote them, and the result is parsed again to prove that it means the same. Long lines stay long.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.reports.render import display_width
from ddob_rules.syntax import grammar
from ddob_rules.syntax.parse import LANGUAGE_LINE, ParsedFile, parse_with_tokens
from ddob_rules.syntax.parser import Typed
from ddob_rules.syntax.source import LONGEST_LINE, Source

_STEP = "  "
# A continued line stands deeper than the block that may follow it, so that the two are not confused.
_CONTINUED = _STEP * 2
# A wider cell would push the bars of every other row off the screen: it sticks out instead.
_WIDEST_ALIGNED_CELL = 120

_OPENING = frozenset({"_LPAR", "_LSQB", "_LBRACE"})
_TIGHT_BEFORE = frozenset({"_RPAR", "_RSQB", "_RBRACE", "_COMMA", "_COLON", "_DOT", "_DOTDOT"})
_TIGHT_AFTER = _OPENING | {"_DOT", "_DOTDOT"}
# What an operand can end with; a minus after anything else is a sign and not a subtraction.
_OPERAND_END = frozenset(
    "NAME NUMBER RATIO STRING YES NO TURN AT UP DOWN NEAREST _NOTHING _BASE"
    " _RPAR _RSQB _RBRACE RULE_ID".split()
)
_LAYOUT = frozenset({"_NEWLINE", "_INDENT", "_DEDENT", "$END"})
_LEADING_BLANKS = re.compile(r"^[ \t]+(?=[^ \t\n])", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line that is not blank. `width` is how far it was indented, `depth` its level of blocks."""

    number: int
    width: int
    depth: int = 0
    continued: bool = False
    before: Typed | None = None  # the last token of the line that this one continues
    tokens: list[Typed] = field(default_factory=list)
    comment: str = ""
    blank_before: bool = False
    alone: bool = False  # the only line of its top-level item

    @property
    def starts_item(self) -> bool:
        return bool(self.tokens) and self.depth == 0 and not self.continued

    @property
    def top_comment(self) -> bool:
        return not self.tokens and self.depth == 0 and not self.continued


def format_source(source: Source) -> tuple[str, list[Diagnostic]]:
    """The text in the house style; if it has mistakes, the text as it is and what is wrong with it."""
    parsed, _ = parse_with_tokens(_with_spaces(source))
    if parsed.problems:
        return source.text, list(parse_with_tokens(source)[0].problems)
    text = layout(parsed)
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        return source.text, []
    again, _ = parse_with_tokens(Source(source.path, text))
    if again.items != parsed.items or again.language != parsed.language:
        return source.text, list(again.problems)
    return text, []


def _with_spaces(source: Source) -> Source:
    """Tabs as indentation are unambiguous only in a file that indents with nothing else."""
    if "\t" not in source.text:
        return source
    blanks = set("".join(_LEADING_BLANKS.findall(source.text)))
    if blanks != {"\t"}:
        return source
    return Source(source.path, _LEADING_BLANKS.sub(lambda found: _STEP * len(found.group()), source.text))


def layout(parsed: ParsedFile) -> str:
    """A file without mistakes in the house style; that it means the same is for the caller to prove."""
    heading, lines = _language_line(parsed, _lines(parsed))
    lines = _with_blank_lines(_with_comment_depths(lines))
    aligned = _aligned_rows(lines)
    written: list[str] = []
    for line in lines:
        if line.blank_before and written:
            written.append("")
        written.append(_write(line, aligned.get(line.number)))
    return "\n".join([*heading, *written]) + "\n"


def _language_line(parsed: ParsedFile, lines: list[_Line]) -> tuple[list[str], list[_Line]]:
    """The language line comes first, alone: then adding, changing or removing it leaves all else in place."""
    found = LANGUAGE_LINE.match(parsed.source.text)
    if found is None:
        return [], lines
    number = parsed.source.position(found.start("line"))[0]
    kept = [line for line in lines if line.number != number or line.comment]
    kept = [replace(line, width=0) if line.number == number else line for line in kept]
    return [f"language {found.group('name')}", ""], kept


def _lines(parsed: ParsedFile) -> list[_Line]:
    """Every line that is not blank, with the tokens on it; comments do not have their depth yet."""
    with_tokens = _token_lines(parsed)
    lines: list[_Line] = []
    blank = False
    for number, text in enumerate(parsed.source.lines, start=1):
        line = with_tokens.get(number) or _Line(number=number, width=_indentation(text))
        rest = text
        if line.tokens:
            rest = text[line.tokens[-1].end - parsed.source.line_span(number).start :]
        comment = rest[rest.find("#") :].rstrip() if "#" in rest else ""
        if line.tokens or comment:
            lines.append(replace(line, comment=comment, blank_before=blank and bool(lines)))
        elif text.strip():
            lines.append(line)  # the language line, which has no tokens
        blank = not text.strip()
    return lines


def _indentation(text: str) -> int:
    return len(text.expandtabs(8)) - len(text.expandtabs(8).lstrip(" "))


def _token_lines(parsed: ParsedFile) -> dict[int, _Line]:
    lines: dict[int, _Line] = {}
    depth = 0
    before: Typed | None = None  # the last token, if it is of the same logical line
    item: list[int] = []
    for token in parsed.tokens:
        if token.terminal in _LAYOUT:
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(token.terminal, 0)
            before = None if token.terminal == "_NEWLINE" else before
            if token.terminal == "$END":
                if len(item) == 1:
                    lines[item[0]] = replace(lines[item[0]], alone=True)
                item = []
            continue
        number, column = parsed.source.position(token.start)
        if number not in lines:
            continued = before is not None
            line = _Line(number=number, width=column - 1, depth=depth, continued=continued, before=before)
            lines[number] = line
            item.append(number)
        lines[number].tokens.append(token)
        before = token
    return lines


def _with_comment_depths(lines: list[_Line]) -> list[_Line]:
    """A comment belongs to the line below, unless it was indented like the block that ends above it."""
    placed: list[_Line] = []
    next_code = _next_code(lines)
    widths = [0]  # how far the author indented each open level
    for index, line in enumerate(lines):
        if line.tokens:
            if not line.continued:
                del widths[line.depth :]
                widths.append(line.width)
            placed.append(line)
            continue
        below = next_code[index]
        if below is not None and (below.continued or below.depth >= len(widths)):
            placed.append(replace(line, depth=below.depth, continued=below.continued))
            continue
        least = below.depth if below is not None else 0
        fitting = [depth for depth in range(least, len(widths)) if widths[depth] <= line.width]
        placed.append(replace(line, depth=max(fitting, default=least)))
    return placed


def _next_code(lines: list[_Line]) -> list[_Line | None]:
    found: list[_Line | None] = []
    below: _Line | None = None
    for line in reversed(lines):
        found.append(below)
        below = line if line.tokens else below
    return found[::-1]


def _with_blank_lines(lines: list[_Line]) -> list[_Line]:
    """One blank line above each top-level item and its comments; one-line items may stand together."""
    result = list(lines)
    for index, line in enumerate(result):
        if not line.starts_item:
            continue
        first = index
        while first > 0 and not result[first].blank_before and result[first - 1].top_comment:
            first -= 1
        if first == 0:
            continue
        above = result[first - 1]
        together = line.alone and above.alone and above.starts_item
        if not together:
            result[first] = replace(result[first], blank_before=True)
    return result


def _write(line: _Line, row: str | None) -> str:
    indentation = _STEP * line.depth + (_CONTINUED if line.continued else "")
    code = row if row is not None else _spaced(line.tokens, before=line.before)
    between = _STEP if code and line.comment else ""
    return f"{indentation}{code}{between}{line.comment}"


def _spaced(tokens: Sequence[Typed], *, before: Typed | None = None, after: Typed | None = None) -> str:
    """The tokens with the blanks between them; `before` and `after` are their neighbours, if any."""
    written = ""
    around = [before, *tokens, after]
    for index, token in enumerate(tokens):
        if index > 0:
            written += _gap(around[index - 1], tokens[index - 1], token, around[index + 2])
        written += token.text
    return written


def _gap(before: Typed | None, left: Typed, right: Typed, after: Typed | None) -> str:
    """The blanks between two tokens of a line; the tokens around them tell signs from operators."""
    if left.terminal in _TIGHT_AFTER or right.terminal in _TIGHT_BEFORE or left.text.endswith(("'", "’")):
        return ""
    if right.terminal == "_LPAR" and left.terminal in _callable():
        return ""
    if right.terminal == "_LSQB" and left.terminal == "NAME":
        return ""
    if left.terminal == "MINUS" and (before is None or before.terminal not in _OPERAND_END):
        return ""
    if right.terminal == "PLUS" and after is not None and after.terminal in ("_BAR", "_COMMA", "_RSQB"):
        return ""
    return "  " if right.terminal == "_ELSE" else " "


@cache
def _callable() -> frozenset[str]:
    """What a bracket may follow as in a call: the grammar writes the two side by side."""
    return frozenset(re.findall(r"(_?[A-Z][A-Z_]*)\s+\[?_LPAR", grammar.text()))


def _aligned_rows(lines: list[_Line]) -> dict[int, str]:
    """The rows of each table, by line number, with their bars one below the other."""
    written: dict[int, str] = {}
    group: list[_Line] = []
    for line, below in zip(lines, _next_code(lines), strict=True):
        if not line.tokens:
            continue
        is_row = _is_row(line, below)
        if group and not (is_row and group[-1].depth == line.depth):
            written.update(_align(group))
            group = []
        if is_row:
            group.append(line)
    written.update(_align(group))
    return written


def _is_row(line: _Line, below: _Line | None) -> bool:
    """Whether a line is a whole row of a table; a row broken over several lines is left as it is."""
    if line.continued or line.tokens[-1].terminal != "_BAR" or (below is not None and below.continued):
        return False
    return any(token.terminal == "_BAR" for token in line.tokens[:2])


def _align(rows: list[_Line]) -> dict[int, str]:
    cells = {row.number: _cells(row.tokens) for row in rows}
    widths: list[int] = []
    for _, texts in cells.values():
        for column, text in enumerate(texts):
            if column == len(widths):
                widths.append(0)
            width = display_width(text)
            widths[column] = max(widths[column], width if width <= _WIDEST_ALIGNED_CELL else 0)
    return {number: lead + _row(texts, widths) for number, (lead, texts) in cells.items()}


def _row(texts: list[str], widths: list[int]) -> str:
    padded = (text + " " * (width - display_width(text)) for text, width in zip(texts, widths, strict=False))
    return "| " + " | ".join(padded) + " |"


def _cells(tokens: Sequence[Typed]) -> tuple[str, list[str]]:
    """What stands before the first bar, and the text of each cell."""
    bars = [index for index, token in enumerate(tokens) if token.terminal == "_BAR"]
    lead = "".join(f"{token.text} " for token in tokens[: bars[0]])
    pairs = zip(bars, bars[1:], strict=False)
    return lead, [_spaced(tokens[left + 1 : right], after=tokens[right]) for left, right in pairs]
