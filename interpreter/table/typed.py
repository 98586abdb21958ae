"""From a typed line to what it means: `[thing] [act] [thing ...]`, where a part of a name may do.

The page has the same in its own language; the cases in `tests/cases/choose` hold for both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

#: So many are asked back at most.
ASKED_BACK = 9


@dataclass(frozen=True, slots=True)
class Play:
    """An answer."""

    o: int


@dataclass(frozen=True, slots=True)
class Select:
    """Things that were named; more is needed for an answer."""

    picked: tuple[str, ...]
    answers: tuple[int, ...]  # those that are still possible


@dataclass(frozen=True, slots=True)
class AskBack:
    """A word that fits several things equally well."""

    word: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Things that are there, but that no answer takes together."""

    things: tuple[str, ...]
    act: str


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    word: str


Meaning = Play | Select | AskBack | WhyNot | NotUnderstood


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its number, its act, what it names in order, and what starts it."""

    o: int
    act: int
    path: tuple[str, ...]
    by: tuple[str, ...]

    def missing(self, chosen: Sequence[str]) -> list[str]:
        return [name for name in self.path if name not in chosen]


# The longest name that is typed as several words.
_MOST_WORDS = 5
#: A word that fits a name this well is the name itself, or a part of it.
SAME, PART = 4, 2


def answers_of(question: dict[str, Any]) -> list[Answer]:
    """All answers to a question, in the order of its acts."""
    found: list[Answer] = []
    for number, act in enumerate(question["acts"]):
        _collect(act, number, act["tree"], (), found)
    return found


def _collect(act: dict[str, Any], number: int, tree: Any, path: tuple[str, ...], found: list[Answer]) -> None:
    if isinstance(tree, int):
        by = act.get("by", {}).get(path[0], ()) if path else ()
        found.append(Answer(tree, number, path, tuple(by)))
        return
    for name, rest in tree.items():
        _collect(act, number, rest, (*path, name), found)


def understood(
    question: dict[str, Any],
    name_of: Callable[[str], str],
    known: Iterable[str],
    line: str,
    picked: Sequence[str] = (),
) -> Meaning:
    """What a line means; `known` is everything on the table, `picked` what was named before.

    A thing may have several names: `name_of` gives one a line.
    """
    left = [answer for answer in answers_of(question) if _fits_all(answer, picked)]
    chosen = list(picked)
    act = ""
    words = line.split()
    rest = 0  # words that a name of several words has used up
    for number, word in enumerate(words):
        if rest:
            rest -= 1
            continue
        things = _unique(name for answer in left for name in (*answer.missing(chosen), *answer.by))
        acts = _unique(answer.act for answer in left)
        titles = [number for number in acts if like(word, question["acts"][number]["title"]) >= PART]
        word, rest = _longest(words[number:], things, name_of)
        best, names = fitting(word, things, name_of)
        if titles and best < 4:
            left = [answer for answer in left if answer.act in titles]
            act = question["acts"][titles[0]]["act"] if len(titles) == 1 else ""
        elif len(names) == 1:
            chosen.append(names[0])
            left = [answer for answer in left if _fits_all(answer, names)]
        elif len(names) > 1:
            return AskBack(word, tuple(names[:ASKED_BACK]))
        else:
            there = _unique(known)
            found = [(later, fitting(later, there, name_of)[1]) for later in words[number:]]
            strange = next((later for later, others in found if not others), None)
            if strange is not None:
                return NotUnderstood(strange)
            return WhyNot((*chosen, *(others[0] for _, others in found)), act)
    whole = [answer for answer in left if not answer.missing(chosen)]
    if len(left) == 1 or len(whole) == 1:
        return Play((whole if len(whole) == 1 else left)[0].o)
    return Select(tuple(chosen), tuple(answer.o for answer in left))


def _longest(words: Sequence[str], things: Sequence[str], name_of: Callable[[str], str]) -> tuple[str, int]:
    """The first word, or the first few if one thing has them in its name; and how many more they are."""
    for count in range(min(_MOST_WORDS, len(words)), 1, -1):
        joined = " ".join(words[:count])
        best, names = fitting(joined, things, name_of)
        if best >= PART and len(names) == 1:
            return joined, count - 1
    return words[0], 0


def _unique(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


def _fits_all(answer: Answer, things: Sequence[str]) -> bool:
    return all(thing in answer.path or thing in answer.by for thing in things)


def fitting(word: str, things: Sequence[str], name_of: Callable[[str], str]) -> tuple[int, list[str]]:
    """How well a word fits, and the things that it fits best."""
    named = [name_of(thing) for thing in things]
    ranked = [
        max(*(like(word, name) for name in names.split("\n")), SAME if like(word, thing) == SAME else 0)
        for thing, names in zip(things, named, strict=True)
    ]
    best = max(ranked, default=0)
    if best == 0:
        return 0, []
    found = [thing for thing, rank in zip(things, ranked, strict=True) if rank == best]
    # Copies of a card have one name: any of them will do.
    return best, found[:1] if len({name_of(thing) for thing in found}) == 1 else found


def like(word: str, name: str) -> int:
    """How well a word fits a name: 4 the same, 3 its beginning, 2 a part, 1 its letters in order, 0 not."""
    short, long = (re.sub(r"[-_]", " ", text.lower()) for text in (word, name))
    if short == long:
        return SAME
    if long.startswith(short):
        return 3
    if short in long:
        return PART
    bare, at = re.sub(r"[\W_]", "", long), 0
    for letter in re.sub(r"[\W_]", "", short):
        at = bare.find(letter, at) + 1
        if at == 0:
            return 0
    return 1 if at > 0 else 0
