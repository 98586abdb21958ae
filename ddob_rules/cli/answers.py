"""From what is offered to a numbered list, and from a typed line to the option that it means."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from ddob_rules.reports.render import display_width
from interpreter.machine.choice import Choice, Option


class Refused(Exception):
    """What was typed cannot be done; the text says why. Nothing has changed."""


def _handles(choice: Choice) -> list[str]:
    """What is typed for each option: its number, or the number that it is."""
    if choice.sort == "number":
        return [option.label for option in choice.options]
    return [str(number) for number in range(1, len(choice) + 1)]


def listed(choice: Choice, told: Mapping[int, str] | None = None) -> list[str]:
    """The options with what is typed for each; `told` is how some of them read, by their number."""
    handles = _handles(choice)
    more = told or {}
    widest = max((len(handle) for handle in handles), default=0)
    pairs = zip(handles, choice.options, strict=True)
    return [
        handle
        if handle == option.label
        else f"{handle:>{widest}}) {harmless(more.get(number, option.label))}"
        for number, (handle, option) in enumerate(pairs)
    ]


def chosen(choice: Choice, line: str, language: str) -> Option | None:
    """The option that a line means, or None if it means none."""
    options = choice.options
    if not line:
        return options[0] if len(options) == 1 else None
    handles = _handles(choice)
    if line in handles:
        return options[handles.index(line)]
    wanted = line.casefold()
    for text_of in (_key, _label, _arguments):
        found = [option for option in options if text_of(option).casefold() == wanted]
        if len(found) == 1:
            return found[0]
    if line.lstrip("-").isdigit():
        raise Refused(phrase(language, "no option", number=line[:20], count=len(options)))
    return None


def _key(option: Option) -> str:
    return option.key


def _label(option: Option) -> str:
    return option.label


def _arguments(option: Option) -> str:
    """`a1` is enough where only one option is about it."""
    return " ".join(map(str, option.arguments))


def in_columns(texts: Sequence[str], width: int) -> list[str]:
    """Texts side by side, read down the columns, as many as fit."""
    if not texts:
        return []
    widest = max(map(display_width, texts)) + 3
    # A short list is easier to read as a list.
    columns = max(1, (width - 2) // widest) if len(texts) > 4 else 1
    height = -(-len(texts) // columns)
    lines = []
    for row in range(height):
        cells = texts[row::height]
        lines.append("  " + "".join(cell + " " * (widest - display_width(cell)) for cell in cells).rstrip())
    return lines


def words(text: str) -> list[str]:
    """`mark(a1, b2)` and `mark a1 b2` are the same; quotes hold names with blanks together."""
    try:
        return shlex.split(re.sub(r"[(),]", " ", text))
    except ValueError:
        return text.split()
