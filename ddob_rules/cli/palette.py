"""From the name of a colour to the numbers terminals know: one for letters, one for what is under them.

Which thing has which colour is said by the rules. Values that are no colours get one each, by their place in
their list, so that at least different values look different.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

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
