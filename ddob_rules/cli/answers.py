"""From what is offered to a numbered list, and from a typed line to the option that it means."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from ddob_rules.cli.terminal.focus import nearest_first
from ddob_rules.reports.render import display_width
from interpreter.machine.choice import Choice, Option
from interpreter.machine.game import Game

# As many answers are told when none of them was given.
_FEW = 12
# Of more, so many that are near what was named.
_NEAR = 6


class Refused(Exception):
    """What was typed cannot be done; the text says why. Nothing has changed."""


def handles(choice: Choice) -> list[str]:
    """What is typed for each option: its number, or the number that it is."""
    if choice.sort == "number":
        return [option.label for option in choice.options]
    return [str(number) for number in range(1, len(choice) + 1)]


def listed(choice: Choice, told: Mapping[int, str] | None = None) -> list[str]:
    """The options with what is typed for each; `told` is how some of them read, by their number."""
    typed = handles(choice)
    more = told or {}
    widest = max((len(handle) for handle in typed), default=0)
    pairs = zip(typed, choice.options, strict=True)
    return [
        handle
        if handle == option.label
        else f"{handle:>{widest}}) {harmless(more.get(number, option.label))}"
        for number, (handle, option) in enumerate(pairs)
    ]


def numbered(choice: Choice, line: str) -> Option | None:
    """The option that has this number in the list."""
    typed = handles(choice)
    return choice.options[typed.index(line)] if line in typed else None


def chosen(choice: Choice, line: str) -> Option | None:
    """The option that a line means, or None if it means none."""
    options = choice.options
    if not line:
        return options[0] if len(options) == 1 else None
    found_by_number = numbered(choice, line)
    if found_by_number is not None:
        return found_by_number
    wanted = line.casefold()
    for text_of in (_key, _label, _arguments):
        found = [option for option in options if text_of(option).casefold() == wanted]
        if len(found) == 1:
            return found[0]
    return None


def _key(option: Option) -> str:
    return option.key


def _label(option: Option) -> str:
    return option.label


def _arguments(option: Option) -> str:
    """`a1` is enough where only one option is about it."""
    return " ".join(map(str, option.arguments))


def none_of(choice: Choice, language: str, game: Game | None = None, place: str = "") -> str:
    """What was named is no answer to a question; the answers themselves if they are few, else those that are
    near the place that was named."""
    told = phrase(language, "asked now", prompt=f"{choice.prompt} [{choice.rule}]")
    return _with_answers(told, choice, language, game, place)


def not_among(word: str, choice: Choice, language: str, game: Game, place: str = "") -> str:
    """An action is possible, but what it asks then does not have this answer."""
    told = phrase(language, "not among", word=word, prompt=f"{choice.prompt} [{choice.rule}]")
    return _with_answers(told, choice, language, game, place)


def _with_answers(told: str, choice: Choice, language: str, game: Game | None, place: str) -> str:
    if len(choice) <= _FEW:
        names = ", ".join(option.label for option in choice.options)
        return phrase(language, "answers are", told=told, names=names)
    labels = {str(one.arguments[0]): one.label for one in choice.options if len(one.arguments) == 1}
    spaces = [name for name in labels if game is not None and _on_one_board(game, name, place)]
    if game is None or not spaces:
        return told
    near = ", ".join(labels[name] for name in nearest_first(game, spaces, place)[:_NEAR])
    return phrase(language, "answers near", told=told, names=near)


def _on_one_board(game: Game, one: str, other: str) -> bool:
    numbers = [game.place_number.get(name, -1) for name in (one, other)]
    kinds = [game.spaces[number].kind if 0 <= number < len(game.spaces) else "" for number in numbers]
    return kinds[0] == kinds[1] != ""


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
