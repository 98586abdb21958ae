"""From an old and a new stretch of rules to one text that shows both, with the words around what differs.

`… choose from [things -> x in things where near(x)] or none …`: nothing that differs is cut off.
What an amendment calls `base` is told as what it is to a reader: as before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

#: Both texts together: what is shorter is shown whole, the old text before the new one.
_SHORT = 90
#: An old text up to this length is repeated before one that says `as before`.
_REPEATED = 60
#: Of what is the same, so much stays on each side of a difference.
_CONTEXT = 32
#: Two texts that have less than this in common are told one after the other.
_ALIKE = 0.55
#: Differences with fewer words than this between them are told as one.
_NEAR = 6
#: With more differences than this, the eye loses the thread: the texts are told one after the other.
_MOST_MARKS = 3

_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"\s*|\w+\s*|[^\w\s]\s*")
_QUOTED = re.compile(r"(\"(?:[^\"\\]|\\.)*\")")
_BASE = re.compile(r"\bbase\b")
_SIGNS = "+-*/<>=≤≥≠"
_JOINING = {"et": "and", "ou": "or"}
_LANGUAGES = {
    "en": {
        "before": "as before", "then": "as before, and then: {rest}", "last": "{rest}; then as before",
        "+": "as before, plus {rest}", "-": "as before, less {rest}", "*": "as before, times {rest}",
        "and": "as before, and {rest}", "or": "as before, or {rest}",
    },
    "fr": {
        "before": "comme avant", "then": "comme avant, puis : {rest}", "last": "{rest} ; puis comme avant",
        "+": "comme avant, plus {rest}", "-": "comme avant, moins {rest}", "*": "comme avant, fois {rest}",
        "and": "comme avant, et {rest}", "or": "comme avant, ou {rest}",
    },
}  # fmt: skip


@dataclass(slots=True)
class _Stretch:
    """Tokens of both texts, from and to; `same` if they are the same."""

    same: bool
    a: int
    b: int
    c: int
    d: int


def compared(old: str, new: str, language: str = "en") -> str:
    """Both texts as one; an empty one is a dash."""
    if calls_base(new):
        after = as_before(new, language)
        return f"{old} -> {after}" if len(old) <= _REPEATED and not calls_base(old) else after
    whole = f"{old or '-'} -> {new or '-'}"
    if len(whole) <= _SHORT or not old or not new:
        return whole
    before, now = _TOKEN.findall(old), _TOKEN.findall(new)
    stretches = _stretches(before, now)
    shared = sum(stretch.b - stretch.a for stretch in stretches if stretch.same)
    marks = sum(not stretch.same for stretch in stretches)
    if 2 * shared < _ALIKE * (len(before) + len(now)) or marks > _MOST_MARKS:
        return whole
    return _marked(stretches, before, now)


def calls_base(text: str) -> bool:
    """Whether a text leans on the version before it."""
    return any(_BASE.search(part) for part in _QUOTED.split(text)[::2])


def as_before(text: str, language: str = "en") -> str:
    """The text with `base` in a reader's words."""
    words = _LANGUAGES["fr" if language == "fr" else "en"]
    if text == "base":
        return words["before"]
    for pattern, key in ((r"base; (.*)", "then"), (r"(.*); base", "last")):
        found = re.fullmatch(pattern, text)
        if found is not None and not calls_base(found.group(1)):
            return words[key].format(rest=found.group(1))
    joined = re.fullmatch(r"base (and|or|et|ou|[-+*]) (.*)", text)
    if joined is not None and not calls_base(joined.group(2)):
        word, rest = joined.groups()
        return words[_JOINING.get(word, word)].format(rest=rest)
    parts = _QUOTED.split(text)
    parts[::2] = [_spelt(part, words["before"]) for part in parts[::2]]
    return "".join(parts)


def _spelt(text: str, before: str) -> str:
    """`base` in the middle of a sum needs brackets to be read as one thing."""

    def one(found: re.Match[str]) -> str:
        left, right = text[: found.start()].rstrip(), text[found.end() :].lstrip()
        tight = (left[-1:] or " ") in _SIGNS or (right[:1] or " ") in _SIGNS
        return f"({before})" if tight else before

    return _BASE.sub(one, text)


# ---------------------------------------------------------------- marks


def _stretches(old: list[str], new: list[str]) -> list[_Stretch]:
    """What is the same and what is not, in turn; each difference has words on both sides of its arrow."""
    first, second = ([token.strip() for token in tokens] for tokens in (old, new))
    found: list[_Stretch] = []
    for tag, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        same = tag == "equal"
        small = same and b - a < _NEAR and found and b < len(old)
        if found and not found[-1].same and (small or not same):
            found[-1].b, found[-1].d = b, d
        else:
            found.append(_Stretch(same, a, b, c, d))
    for number, stretch in enumerate(found):
        if not stretch.same and (stretch.a == stretch.b or stretch.c == stretch.d):
            _widen(found, number)
    return [stretch for stretch in found if stretch.b > stretch.a or stretch.d > stretch.c]


def _widen(found: list[_Stretch], number: int) -> None:
    """Takes a word from what follows, or from what comes before at the end of the texts."""
    stretch = found[number]
    if number + 1 < len(found):
        stretch.b, stretch.d = stretch.b + 1, stretch.d + 1
        found[number + 1].a, found[number + 1].c = stretch.b, stretch.d
    elif number:
        stretch.a, stretch.c = stretch.a - 1, stretch.c - 1
        found[number - 1].b, found[number - 1].d = stretch.a, stretch.c


def _marked(stretches: list[_Stretch], old: list[str], new: list[str]) -> str:
    text = ""
    for number, stretch in enumerate(stretches):
        now = "".join(new[stretch.c : stretch.d])
        if stretch.same:
            if number + 1 < len(stretches) and old[stretch.b - 1] != old[stretch.b - 1].rstrip():
                now = now.rstrip() + " "
            text += _shortened(now, first=number == 0, last=number == len(stretches) - 1)
        else:
            gap = " " if now != now.rstrip() else ""
            text += f"[{''.join(old[stretch.a : stretch.b]).rstrip()} -> {now.rstrip()}]{gap}"
    return text.rstrip()


def _shortened(text: str, *, first: bool, last: bool) -> str:
    """What is the same, cut at words where it is far from any difference."""
    if len(text) <= (1 if first or last else 2) * _CONTEXT + 8:
        return text
    head = "" if first else text[:_CONTEXT].rpartition(" ")[0]
    tail = "" if last else text[-_CONTEXT:].partition(" ")[2]
    return f"{head}{' ' if head else ''}…{' ' if tail else ''}{tail}"
