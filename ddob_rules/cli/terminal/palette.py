"""From the name of a colour to the numbers terminals know: one for letters, one for what is under them.

Which thing has which colour is said by the rules. Values that are no colours get one each, by their place in
their list, so that at least different values look different. For eyes and screens without colours, sides have
a letter of their name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from string import ascii_uppercase, digits

from ddob_rules.resources import grammar_table

# What stands for values that name no colour, in order; apart enough to be told from each other.
_OTHERS = (203, 75, 84, 227, 177, 80)
_OTHERS_UNDER = (88, 25, 28, 100, 90, 30)


@dataclass(frozen=True, slots=True)
class Tint:
    """A colour: for letters, and for what light letters can be read on."""

    text: int
    under: int


@cache
def _named() -> dict[str, Tint]:
    found: dict[str, Tint] = {}
    for entry in grammar_table("colours.yaml")["colours"]:
        for name in entry["names"]:
            found[name] = Tint(entry["text"], entry["under"])
    return found


def tint(name: str | None, values: Sequence[str] = ()) -> Tint | None:
    """The colour of this name; of a value that is no colour's name, the one for its place among `values`."""
    if not name:
        return None
    known = _named().get(name.casefold())
    if known is not None or name not in values:
        return known
    return other_tint(values.index(name))


def other_tint(number: int) -> Tint:
    """A colour for what has none of its own: the same number, the same colour."""
    return Tint(_OTHERS[number % len(_OTHERS)], _OTHERS_UNDER[number % len(_OTHERS)])


def side_signs(titles: Sequence[str]) -> list[str]:
    """A sign for each side, all different; words that all names begin with tell nobody apart."""
    words = [title.split() for title in titles]
    alike = len(list(takewhile(lambda each: len(set(each)) == 1, zip(*words, strict=False))))
    found: list[str] = []
    for each in words:
        wanted = _letters(each[alike:] if len(words) > 1 and len(each) > alike else each)
        found.append(next((letter for letter in wanted if letter not in found), "?"))
    return found


def _letters(words: Sequence[str]) -> Iterator[str]:
    """Those that may stand for a name, the best first."""
    initials = "".join(word[0] for word in words)
    for letter in f"{initials}{''.join(words)}{ascii_uppercase}{digits}".upper():
        if letter.isalnum():
            yield letter
