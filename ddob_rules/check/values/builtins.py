"""The library that every ruleset may call: names, parameters and results. How they run is not told here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter import ir

_SPACE = ir.Type("space")
_SPACES = ir.set_of(_SPACE)


@dataclass(frozen=True, slots=True)
class Builtin:
    """`like`: the result takes the type of that argument (of its elements with `like_element`)."""

    parameters: tuple[ir.Type | Literal["collection", "any", "way", "spaces"], ...]
    result: ir.Type
    explanation: str
    like: int | None = None
    like_element: bool = False
    more: bool = False  # further arguments like the last


BUILTINS: dict[str, Builtin] = {
    "distance": Builtin(
        (_SPACE, _SPACE), ir.NUMBER, "the number of steps between two spaces; nothing if there is no way"
    ),
    "adjacent": Builtin((_SPACE, _SPACE), ir.FLAG, "whether two spaces touch"),
    "neighbours": Builtin((_SPACE,), _SPACES, "the spaces that touch a space", like=0),
    "spaces_within": Builtin(
        (_SPACE, ir.NUMBER), _SPACES, "the spaces at most so far away, itself included", like=0
    ),
    "ring": Builtin((_SPACE, ir.NUMBER), _SPACES, "the spaces exactly so far away", like=0),
    "next_space": Builtin(
        (_SPACE, ir.DIRECTION), _SPACE, "the space one step in a direction, or nothing", like=0
    ),
    "line_between": Builtin(
        (_SPACE, _SPACE), _SPACES, "the spaces between two that the straight line crosses", like=0
    ),
    "lines_through": Builtin(
        (_SPACE, ir.NUMBER),
        ir.list_of(ir.list_of(_SPACE)),
        "the straight rows of so many spaces that a space is part of",
    ),
    "reach": Builtin(
        ("way", "spaces"), _SPACES, "the spaces that a way leads to from a space or several, those included"
    ),
    "price": Builtin(
        ("way", "spaces", _SPACE), ir.NUMBER, "what the cheapest way costs; nothing if there is none"
    ),
    "path": Builtin(
        ("way", "spaces", _SPACE), ir.list_of(_SPACE),
        "the spaces that the cheapest way leads over, in order, the first left out; none if there is no way",
    ),
    "joined": Builtin(
        ("way", "spaces", "spaces"), ir.FLAG, "whether a way leads from one to the other"
    ),
    "item": Builtin(
        ("collection", "any"),
        ir.Type("piece"),
        "the thing at a place in a list, counted from 1, or the one for an enum value; "
        "nothing if there is none",
        like=0,
        like_element=True,
    ),
    "opposite": Builtin((ir.DIRECTION,), ir.DIRECTION, "the direction that leads back"),
    "directions": Builtin((), ir.set_of(ir.DIRECTION), "the directions of the board"),
    "size": Builtin(("collection",), ir.NUMBER, "how many there are in a set, list or pile"),
    "top": Builtin(
        (ir.Type("pile"),), ir.Type("piece"), "the top of a pile, or nothing", like=0, like_element=True
    ),
    "lowest_of": Builtin((ir.NUMBER,), ir.NUMBER, "the lowest of the numbers", more=True),
    "highest_of": Builtin((ir.NUMBER,), ir.NUMBER, "the highest of the numbers", more=True),
    "absolute": Builtin((ir.NUMBER,), ir.NUMBER, "the number without its sign"),
    "numbers": Builtin((ir.NUMBER, ir.NUMBER), ir.list_of(ir.NUMBER), "the numbers from one to the other"),
    "next_player": Builtin((ir.PLAYER,), ir.PLAYER, "the player whose turn is next in order"),
    "last_turn": Builtin((), ir.NUMBER, "the last turn of the scenario, 0 if it has none"),
    "game_over": Builtin((), ir.FLAG, "whether the game has ended"),
    "winners": Builtin((), ir.set_of(ir.PLAYER), "who has won"),
    "name_of": Builtin(("any",), ir.TEXT, "the name of a piece, a space or a value"),
}  # fmt: skip
