"""What happened, as data: the journal of a state is a chain of these, newest first.

`site` is the number of the place in the rules that it cites. Things, places and values are the numbers
inside; `journal` is where they become words. Games keep a fact as a plain tuple, the number of its class and
then its fields: that costs a playing game the least, and becomes a fact when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter import ir


@dataclass(frozen=True, slots=True)
class TurnBegan:
    turn: int


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """`each`: whom or what it is gone through for."""

    site: int
    phase: str
    each: tuple[tuple[ir.Type, Any], ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """An action was taken. It cites its own rule. `label` is how the rules said then that it reads."""

    action: int
    player: int
    arguments: tuple[Any, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece went from a place to a place; nowhere is -1. Drawing is a move too."""

    site: int
    piece: int
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Changed:
    """An attribute of a thing, known by its column, is another now."""

    site: int
    column: str
    thing: int
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class VariableChanged:
    site: int
    variable: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Rolled:
    """What dice show: a value, or as many as were rolled. A roll may have a title, or be that of a piece.

    `column` is then the attribute in which the piece shows it; without a piece it is -1.
    """

    site: int
    dice: str
    result: Any
    title: str
    piece: int
    column: str


@dataclass(frozen=True, slots=True)
class Shuffled:
    site: int


@dataclass(frozen=True, slots=True)
class Said:
    site: int
    text: str


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A rule came up of which only a `todo` is written."""

    site: int
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended; the winners are a set. Without any, it is a draw, unless all have lost."""

    site: int
    winners: int
    lost: bool


#: What changes a thing, or a variable.
Change = Moved | Changed | VariableChanged
Fact = TurnBegan | PhaseBegan | Acted | Change | Rolled | Shuffled | Said | Unwritten | Ended
Kept = tuple[Any, ...]  # the number of a class and the fields of a fact
#: A list that grows at its head and is shared by copies.
Journal = tuple[Kept, "Journal"] | None

_CLASSES: tuple[type[Fact], ...] = (
    TurnBegan, PhaseBegan, Acted, Moved, Changed, VariableChanged, Rolled, Shuffled, Said, Unwritten, Ended,
)  # fmt: skip
#: By their names, as generated code knows them.
NUMBERS = {fact.__name__: number for number, fact in enumerate(_CLASSES)}
TURN_BEGAN, ACTED, MOVED = NUMBERS["TurnBegan"], NUMBERS["Acted"], NUMBERS["Moved"]


def newest_first(journal: Journal, since: Journal = None) -> Iterator[Fact]:
    """The facts that came after the journal was `since`."""
    while journal is not None and journal is not since:
        number, *fields = journal[0]
        yield _CLASSES[number](*fields)
        journal = journal[1]
