"""From an unknown word and the words that would have been known to the one that was probably meant.

One helper for every "did you mean". It knows no dictionary: only the candidates it is given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

#: Words that somebody asks about, and what would have been known in their place.
_listening: dict[str, dict[str, None]] = {}


@contextmanager
def listening(word: str) -> Iterator[dict[str, None]]:
    """Gathers the candidates for a word that nobody knows: what an editor can offer where the word stands."""
    _listening[word] = {}
    try:
        yield _listening[word]
    finally:
        _listening.pop(word, None)


#: So many letters of a word tell which one was begun.
_BEGUN = 4


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to `word`, the first of equals, or None if none is near enough to be meant.

    Case, accents, `_`, `-` and blanks do not count; otherwise one letter in three may be wrong. A word
    that is only begun is meant too, if just one candidate begins with it.
    """
    candidates = list(candidates)
    if word in _listening:
        _listening[word].update(dict.fromkeys(candidates))
    plain = _plain(word)
    best: str | None = None
    # One more than allowed; a candidate must come in below it to be taken.
    bound = (len(plain) + 1) // 3 + 1
    for candidate in candidates:
        if candidate == word:
            continue
        found = _distance(plain, _plain(candidate), bound)
        if found < bound:
            best, bound = candidate, found
    if best is None and len(plain) >= _BEGUN:
        begun = {candidate for candidate in candidates if _plain(candidate).startswith(plain)} - {word}
        return begun.pop() if len(begun) == 1 else None
    return best


def did_you_mean(word: str, candidates: Iterable[str], language: str = "en") -> str:
    """A question that offers the nearest candidate, or an empty text."""
    found = suggest(word, candidates)
    if found is None:
        return ""
    return f"vouliez-vous dire `{found}` ?" if language == "fr" else f"did you mean `{found}`?"


_QUESTION = re.compile(r"(?:did you mean|vouliez-vous dire) `([^`]+)`")


def meant_in(advice: str) -> str | None:
    """The candidate that such a question offers; None if the advice is no such question."""
    found = _QUESTION.match(advice)
    return found[1] if found is not None else None


def _plain(word: str) -> str:
    if word.isascii():
        letters = word.lower()
    else:
        decomposed = unicodedata.normalize("NFKD", word.casefold())
        letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return letters.replace("_", "").replace("-", "").replace(" ", "")


def _distance(first: str, second: str, bound: int) -> int:
    """How many letters to add, drop, change or swap with the next one; `bound` if it is that many or more."""
    if abs(len(first) - len(second)) >= bound:
        return bound
    before: list[int] = []
    above = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        current = [row]
        for column, other in enumerate(second, start=1):
            cost = min(above[column] + 1, current[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        # A swap reaches back two rows, so both must be hopeless before giving up.
        if min(current) >= bound and min(above) >= bound:
            return bound
        before, above = above, current
    return min(above[-1], bound)
