"""From a French catalogue to what it gets wrong, and from a scenario to a game as its players read it.

What is asked of one ruleset or one game stands in the tests that use this.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from ddob_rules.translations.catalogue import TEXT, catalogue_for, catalogue_problems, own_words, review, texts_of
from ddob_rules.loading import load_game
from ddob_rules.check.program import Checked
from interpreter.machine.game import Game
from interpreter.telling.names import place_as_read

# Words that no French sentence has, and that English ones can hardly do without.
ENGLISH = frozenset(
    "the of to is are was has have it its with which who what where does how many and by from an at in "
    "unit steps step turn wins loses hits moves attack fire card event landing delayed disrupted revealed "
    "east west north south left right losses nobody none nothing yes no pass done".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r"\{[^{}]*\}")


@cache
def loaded(scenario: str, language: str) -> tuple[Game, Checked]:
    found = load_game(scenario, language=language)
    assert found.game is not None and found.checked is not None
    return found.game, found.checked


# ---------------------------------------------------------------- catalogues


def unfinished(checked: Checked) -> list[str]:
    """What is missing, stale or wrong in the French of a ruleset."""
    left = review(checked, "fr")
    problems = [problem.message for problem in catalogue_problems(checked, "fr")]
    return [*left.missing, *left.stale, *problems]


def with_other_numbers(checked: Checked) -> list[str]:
    """The rules and texts that cite other rules or numbers in French."""
    assert checked.program is not None
    french = catalogue_for(checked, "fr")
    return [
        key
        for key, source in texts_of(checked.program).items()
        if key.startswith(("rule ", TEXT)) and not _same(_NUMBER, french.get(key, source), source)
    ]


def with_other_values(checked: Checked) -> list[str]:
    """The texts that leave out, repeat or add a value in French."""
    french = catalogue_for(checked, "fr")
    return [key for key, text in french.items() if key.startswith(TEXT) and not _same(_VALUE, text, key)]


def _same(pattern: re.Pattern[str], one: str, other: str) -> bool:
    return sorted(pattern.findall(one)) == sorted(pattern.findall(other))


# ---------------------------------------------------------------- games


@dataclass(slots=True)
class Course:
    """A game as it was played, and what its players read."""

    keys: list[tuple[str, ...]]
    end: dict[str, Any]
    winners: tuple[str, ...]
    read: list[str]


@cache
def played(scenario: str, language: str, seed: int) -> Course:
    game, _ = loaded(scenario, language)
    state, chooser = game.start(seed=seed), random.Random(seed)
    course = Course([], {}, (), [])
    while (choice := state.choice) is not None:
        course.keys.append((choice.player, choice.rule, *(option.key for option in choice.options)))
        course.read += [choice.prompt, *(option.label for option in choice.options)]
        state.take(chooser.randrange(len(choice.options)))
    course.read += [entry.text for entry in state.journal]
    course.read.append(state.ending)
    course.end = state.data()
    course.winners = state.winners
    return course


def english_in(course: Course) -> list[str]:
    """The texts of a game with an English word in them."""
    return sorted({text for text in course.read if _small_words(text) & ENGLISH})


def _small_words(text: str) -> set[str]:
    # Words in capitals are designations of units: AT/16, HQ.
    return {word.lower() for word in _WORD.findall(text) if not word.isupper()}


def untouched(scenario: str, seed: int) -> list[str]:
    """The texts of a game that read the same in both languages, though nobody has said that they should."""
    game, checked = loaded(scenario, "fr")
    assert checked.program is not None
    sources, titles = texts_of(checked.program), catalogue_for(checked, "fr")
    # Some words are those of both languages: combat, division.
    alike = [title for key, title in titles.items() if title == sources.get(key)]
    # A place that has no title is called what its id says, in whichever language.
    places = map(place_as_read, game.place_ids)
    known = set(
        _WORD.findall(" ".join([*game.piece_ids, *game.place_ids, *places, *own_words("fr").values(), *alike]))
    )
    french, english = played(scenario, "fr", seed).read, played(scenario, "en", seed).read
    return sorted(
        {
            told
            for told, source in zip(french, english, strict=True)
            if told == source and not {word for word in _WORD.findall(told) if len(word) > 2} <= known
        }
    )
