"""From diagnostics, tables and data to what is printed: for people, for editors, for programs.

Colours and drawn tables are for terminals only; in a pipe everything is plain text. What is printed, and with
which exit code a command ends, is left to the commands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Literal, NoReturn

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.reports.render import display_width, render_gnu, render_json, render_text
from ddob_rules.resources import rulesets_folder

Form = Literal["text", "json", "gnu"]
FORMS: tuple[Form, ...] = ("text", "json", "gnu")

#: Exit codes of every command; misuse (2) is told by click itself.
FINDINGS = 1
INTERRUPTED = 130
_UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"
_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")
# A first column, with the gap behind it.
_COLUMN = re.compile(r" *\S+(?: \S+)*  +(?=\S)")
# A file of a shipped ruleset, as it is shown from any folder.
_SHIPPED = re.compile(r"(?<![\w./-])rulesets/([\w./-]+\.(?:rules|yaml))")
_places = {"shipped": False}
_told = {"lines": 0}
# Delete, the second set of control characters, and those that turn the direction of reading.
_OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def in_colour(error: bool = False) -> bool:
    """Whether the stream is a terminal whose user wants colours."""
    stream = sys.stderr if error else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_diagnostics(
    diagnostics: Iterable[Diagnostic], form: Form = "text", language: str = "en", *, error: bool = False
) -> None:
    """Prints diagnostics; `error` sends them to standard error, where the output is something else."""
    match form:
        case "json":
            text = _escaped(render_json(diagnostics))
        case "gnu":
            text = render_gnu(diagnostics)
        case "text":
            text = render_text(diagnostics, in_colour(error), language)
    if form == "text":
        _note_places(text)
    click.echo(text, err=error, nl=False, color=in_colour(error))


def tell(text: str = "", *, err: bool = False, painted: bool = False) -> None:
    """Prints lines; whatever is in them that a terminal would obey is shown as a mark instead.

    Every command prints through here or through its neighbours, so that no author's text needs to be trusted.
    `painted` lets colours through, and nothing else: who paints has made the text itself harmless before.
    """
    _note_places(text)
    parts = _COLOUR.split(text) if painted else [text]
    shown = "".join(part if number % 2 else harmless_lines(part) for number, part in enumerate(parts))
    if (sys.stderr if err else sys.stdout).isatty():
        width = shutil.get_terminal_size((100, 24)).columns
        shown = "\n".join(part for line in shown.split("\n") for part in fitted(line, width))
    note_lines(shown.count("\n") + 1)
    click.echo(shown, err=err, color=painted or None)


def note_lines(count: int) -> None:
    """So many lines have come onto the screen, by somebody's typing, too."""
    _told["lines"] += count


def lines_told() -> int:
    """How many lines were told so far, by which one knows what is still on the screen."""
    return _told["lines"]


def fitted(line: str, width: int) -> list[str]:
    """A line in pieces that fit, broken between words and never in one; colours take no room."""
    if display_width(_COLOUR.sub("", line)) <= width:
        return [line]
    head = _COLUMN.match(line)
    if head is not None and len(head[0]) < width // 2:
        # Of two columns the second is broken, and stays where it is.
        rest = fitted(line[len(head[0]) :], width - len(head[0]))
        return [head[0] + rest[0], *(" " * len(head[0]) + part.lstrip() for part in rest[1:])]
    margin = " " * (len(line) - len(line.lstrip(" ")))
    found: list[str] = []
    current, length = margin, len(margin)
    for word in line.split():
        needed = display_width(_COLOUR.sub("", word))
        if current.strip() and length + 1 + needed > width:
            found.append(current)
            current, length = f"{margin}  ", len(margin) + 2
        blank = " " if current.strip() else ""
        current, length = f"{current}{blank}{word}", length + len(blank) + needed
    return [*found, current]


def _note_places(text: str) -> None:
    """Remembers if files of the shipped rulesets were named that are not where they seem to be from here."""
    if not _places["shipped"] and "rulesets/" in text:
        elsewhere = [name for name in _SHIPPED.findall(text) if not Path("rulesets", name).exists()]
        _places["shipped"] = any((rulesets_folder() / name).exists() for name in elsewhere)


def tell_the_copy() -> None:
    """Says once, at the end, which copy of the shipped rulesets was read, if its files were named."""
    if _places["shipped"]:
        _places["shipped"] = False
        tell(f"(rulesets/ is {rulesets_folder()})", err=True)


_FORGET_SCROLLED = "\033[3J"


def clear_screen() -> None:
    """Leaves nothing on the screen, nor above it.

    The lines above go last: some terminals move what is cleared from the screen to there.
    """
    click.clear()
    click.echo(_FORGET_SCROLLED, nl=False)


def tell_exactly(text: str) -> None:
    """Prints a text that is to be a file: to the letter in a pipe; nobody pipes into a terminal."""
    # `color`: click would take colours out of it in a pipe, and what is a file's is to stay in it.
    click.echo(harmless_lines(text) if sys.stdout.isatty() else text, nl=False, color=True)


def print_data(data: object) -> None:
    """Prints JSON. Paths that are not valid text are written as escapes, and so is what terminals obey."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    click.echo(_escaped(text).encode("utf-8", "backslashreplace").decode("utf-8"))


def _escaped(text: str) -> str:
    """JSON that says the same; JSON's own writer escapes only the first 32 characters."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table that fits the terminal; in a pipe, columns side by side and nothing cut off."""
    shown = [[harmless(cell) for cell in row] for row in rows]
    _note_places("\n".join(cell for row in shown for cell in row))
    if not sys.stdout.isatty():
        click.echo(plain_table(headings, shown), nl=False)
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")  # a number or a path with its end cut off helps nobody
    for row in shown:
        table.add_row(*(Text(cell) for cell in row))
    click.echo(_drawn(table), nl=False, color=True)


def print_page(text: str) -> None:
    """Prints a page of Markdown, laid out on a terminal and as it stands in a pipe."""
    if sys.stdout.isatty():
        from rich.markdown import Markdown  # which few commands need, and which takes a while to load

        click.echo(_drawn(Markdown(text)), nl=False, color=True)
    else:
        click.echo(text.rstrip("\n"))


def _drawn(thing: RenderableType) -> str:
    """Drawn into memory, so that everything is printed in the same way."""
    file = StringIO()
    console = Console(file=file, force_terminal=in_colour(), no_color=not in_colour(), width=Console().width)
    console.print(thing)
    return file.getvalue()


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [list(headings), *map(list, rows)]
    widths = [max(display_width(line[column]) for line in lines) for column in range(len(headings))]
    padded = (
        [cell + " " * (width - display_width(cell)) for cell, width in zip(line, widths, strict=True)]
        for line in lines
    )
    return "".join("  ".join(line).rstrip() + "\n" for line in padded)


def harmless(text: str) -> str:
    """The text on one line, with nothing in it that a terminal would obey."""
    if text.isascii() and text.isprintable():
        return text
    shown = text.replace("\t", " ").replace("\n", " ")
    return "".join(letter if letter.isprintable() else _UNPRINTABLE for letter in shown)


def shown_path(path: Path) -> str:
    """The path from the current folder, if it lies below it."""
    here = Path.cwd()
    return harmless(str(path.relative_to(here) if path.is_relative_to(here) else path))


def harmless_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines."""
    return "\n".join(harmless(line) for line in text.split("\n"))


def stop(message: str, advice: str = "") -> NoReturn:
    """Ends the command with a sentence on standard error and the exit code of findings."""
    tell(f"ddob: {message}" + (f"; {advice}" if advice else ""), err=True)
    raise click.exceptions.Exit(FINDINGS)
