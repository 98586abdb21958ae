"""From diagnostics, tables and data to what is printed: for people, for editors, for programs.

Colours and drawn tables are for terminals only; in a pipe everything is plain text. What is printed, and with
which exit code a command ends, is left to the commands.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import Literal, NoReturn

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from ddob_rules.diagnostics import Diagnostic
from ddob_rules.format import display_width
from ddob_rules.render import render_gnu, render_json, render_text

Form = Literal["text", "json", "gnu"]
FORMS: tuple[Form, ...] = ("text", "json", "gnu")

#: Exit codes of every command; misuse (2) is told by click itself.
FINDINGS = 1
_UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


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
            text = render_json(diagnostics)
        case "gnu":
            text = render_gnu(diagnostics)
        case "text":
            text = render_text(diagnostics, in_colour(error), language)
    click.echo(text, err=error, nl=False, color=in_colour(error))


def print_data(data: object) -> None:
    """Prints JSON. Paths that are not valid text are written as escapes."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table that fits the terminal; in a pipe, columns side by side and nothing cut off."""
    shown = [[harmless(cell) for cell in row] for row in rows]
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
        click.echo(_drawn(Markdown(text)), nl=False, color=True)
    else:
        click.echo(text.rstrip("\n"))


def _drawn(thing: Table | Markdown) -> str:
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
    click.echo(f"ddob: {harmless(message)}" + (f"; {harmless(advice)}" if advice else ""), err=True)
    raise click.exceptions.Exit(FINDINGS)
