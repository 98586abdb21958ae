"""How many play: a ruleset may be for 1 to 4 players, and each number is an option that excludes the others.

So everything that carries options (saves, links, examples, fuzzing) carries the number of players. No option
of an author can have such a name, since names have no blanks.
"""

from __future__ import annotations

import re

from interpreter.ir.program import Option

_COUNT = re.compile(r"([1-9][0-9]{0,2}) players?")


def count_option(number: int) -> str:
    """The name of the option that so many play."""
    return f"{number} player" if number == 1 else f"{number} players"


def count_of(option: str) -> int | None:
    """How many play with an option; None if it is about something else."""
    found = _COUNT.fullmatch(option)
    return int(found[1]) if found is not None and count_option(int(found[1])) == option else None


def count_options(fewest: int, most: int) -> tuple[Option, ...]:
    """An option for each number of players, none if all of them always play."""
    names = [count_option(number) for number in range(fewest, most + 1)] if fewest else []
    return tuple(
        Option(name=name, title=name, conflicts=tuple(other for other in names if other != name))
        for name in names
    )
