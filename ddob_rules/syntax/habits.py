"""Habits of other languages: what authors write out of habit, and what is written here instead.

The table is text, `grammar/habits.yaml`. Whether a mended text can be read is for others to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ddob_rules.resources import grammar_table
from ddob_rules.syntax.grammar import STRING
from ddob_rules.syntax.words import Words, words

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")
_LONGEST_LINE = 2_000  # nobody writes longer ones out of habit, and every place of a line is looked at
#: What may stand before a comment: a `#` in a text begins none.
_CODE = re.compile(rf'(?:[^"#\n]++|{STRING})*+')


@dataclass(frozen=True, slots=True)
class Habit:
    written: re.Pattern[str]
    write: str | None
    help: str


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of a text that was written out of habit; `meant` is None where the cure is not mechanical."""

    start: int
    end: int
    meant: str | None
    help: str


def habits_at(text: str, place: int, language: str) -> Iterator[Found]:
    """What an author may have written out of habit where reading failed, the likeliest first."""
    first = text.rfind("\n", 0, place) + 1
    if _line_end(text, place) - first > _LONGEST_LINE:
        return
    code = _CODE.match(text, first)
    last = code.end() if code is not None and code.end() > place else _line_end(text, place)
    last -= len(text[first:last]) - len(text[first:last].rstrip())
    for habit in _habits(language):
        for start in range(first, place + 1):
            found = habit.written.match(text, start, last)
            if found is not None and _reaches(found, text, place):
                yield _found(habit, found)
                break


def habit_of_name(text: str, start: int, end: int, language: str) -> Found | None:
    """The habit that a name which nobody knows is one of."""
    for habit in _habits(language):
        found = habit.written.match(text, start, _line_end(text, end))
        if found is not None and found.end() == end:
            return _found(habit, found)
    return None


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _reaches(found: re.Match[str], text: str, place: int) -> bool:
    if "here" in found.re.groupindex:
        return found.start("here") <= place < found.end("here")
    return found.end() > place or (found.end() <= place and not text[found.end() : place].strip())


def _found(habit: Habit, found: re.Match[str]) -> Found:
    meant = found.expand(habit.write) if habit.write is not None else None
    return Found(found.start(), found.end(), meant, habit.help)


@cache
def _habits(language: str) -> tuple[Habit, ...]:
    vocabulary = words(language)
    raw = grammar_table("habits.yaml")
    return tuple(_habit(entry, vocabulary) for entry in raw)


def _habit(entry: dict[str, object], vocabulary: Words) -> Habit:
    write, advice = entry.get("write"), entry.get("help")
    said = str(advice[vocabulary.language]) if isinstance(advice, dict) else ""
    return Habit(
        re.compile(_worded(str(entry["written"]), vocabulary, quoted=True)),
        _worded(str(write), vocabulary) if write is not None else None,
        _worded(said, vocabulary),
    )


def _worded(template: str, vocabulary: Words, quoted: bool = False) -> str:
    """The template with the words of the language."""

    def word(found: re.Match[str]) -> str:
        spellings = vocabulary.spellings.get(found[1])
        spelling = spellings[0] if spellings is not None else vocabulary.builtin[found[1]]
        return re.escape(spelling) if quoted else spelling

    return _PLACEHOLDER.sub(word, template)
