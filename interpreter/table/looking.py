"""From a thing on the table to what a player wants to know of it: how it stands, then what is printed on it.

Left out is what says nothing: bookkeeping, flags that are as they usually are, and what is empty anyway. A
value that is not what it usually is comes first, also where that means that nothing is left of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.table.book import card_text, is_reach
from interpreter.table.seen import Fact, Seen, is_empty

if TYPE_CHECKING:
    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One thing as a seat sees it. A fact without a value is a flag that holds."""

    name: str
    kind: str
    place: str = ""  # where a piece is; empty if it is nowhere
    reads: str = ""  # what stands on its counter, if the rules say it
    signs: tuple[Fact, ...] = ()  # what signs among that mean now
    text: str = ""  # what a card does
    steps: tuple[int, int] | None = None  # how many, of how many
    now: tuple[Fact, ...] = ()
    printed: tuple[Fact, ...] = ()
    reaches: bool = False  # it refers to spaces of a board


def piece_look(seen: Seen, piece: int) -> Look:
    """A piece that the seat can see."""
    game = seen.game
    kind, place = game.piece_kind[piece], seen.state.at[piece]
    drawn = seen.showing.drawn(kind, piece)
    parts = dict(drawn)
    now, printed = _facts(seen, "piece", kind, piece)
    told = {title for title, _ in now}
    marks = [(str(value), "") for part, value in drawn if part == "mark" and value not in told]
    text = seen.showing.piece(piece)
    unusual = _unusual(seen, kind, piece)
    signs = [
        (sign, ", ".join(f"{title} {value}".strip() for title, value in meant))
        for sign, read in seen.showing.signs(piece)
        if (meant := [unusual[name] for name in read if name in unusual])
    ]
    return Look(
        name=seen.name(piece),
        kind=game.names.kind_title(kind),
        place=game.names.place_title(game.place_ids[place]) if place >= 0 else "",
        reads=text if text is not None else str(parts.get("numbers", "")),
        signs=tuple(signs),
        text=card_text(game, piece) if seen.knows(piece) else "",
        steps=(int(parts["steps"]), int(parts["of"])) if {"steps", "of"} <= parts.keys() else None,
        now=(*marks, *now),
        printed=tuple(_as_on_counter(seen, kind, printed)),
    )


def _as_on_counter(seen: Seen, kind: str, printed: list[Fact]) -> list[Fact]:
    """What is printed on a thing: first what its counter is made of, as it stands there."""
    title = seen.game.names.attribute_title
    order = [title(name) for name in seen.showing.attributes_read(kind)]
    return sorted(printed, key=lambda fact: order.index(fact[0]) if fact[0] in order else len(order))


def _unusual(seen: Seen, kind: str, piece: int) -> dict[str, Fact]:
    """By attribute: what is not as it usually is."""
    starts, found = _starts(seen.game, kind), dict[str, Fact]()
    for column in seen.columns("piece", kind, printed=False):
        start = starts.get(column.attribute)
        value = seen.value(column, piece)
        if start is not None and seen.sight.attribute(column, piece) and value != start.value:
            found[column.attribute] = _fact(seen, column, value)
    return found


def space_look(seen: Seen, number: int) -> Look:
    game, space = seen.game, seen.game.spaces[number]
    now, printed = _facts(seen, "space", space.kind, number)
    return Look(
        name=game.names.place_title(space.id),
        kind=game.names.kind_title(space.kind),
        now=tuple(now),
        printed=tuple(printed),
        reaches=any(
            is_reach(column.type) and not is_empty(column.type, seen.value(column, number))
            for column in seen.columns("space", space.kind, printed=True)
        ),
    )


def _facts(seen: Seen, owner: str, kind: str, number: int) -> tuple[list[Fact], list[Fact]]:
    """What is true of a thing now, the unusual first, and what is printed on it."""
    starts = _starts(seen.game, kind)
    unusual: list[Fact] = []
    usual: list[Fact] = []
    printed: list[Fact] = []
    for column in (*seen.columns(owner, kind, printed=True), *seen.columns(owner, kind, printed=False)):
        if not seen.sight.attribute(column, number) or (owner == "space" and is_reach(column.type)):
            continue
        value = seen.value(column, number)
        start = starts.get(column.attribute)
        differs = start is not None and value != start.value
        if column.fixed:
            printed += [] if is_empty(column.type, value) else [_fact(seen, column, value)]
        elif differs:
            unusual.append(_fact(seen, column, value))
        elif not is_empty(column.type, value) and (start is None or column.type != ir.FLAG):
            usual.append(_fact(seen, column, value))
    return [*unusual, *usual], printed


def _fact(seen: Seen, column: Column, value: Any) -> Fact:
    title = seen.game.names.attribute_title(column.attribute)
    return title, "" if value is True else seen.words(value, column.type)


def _starts(game: Game, kind: str) -> dict[str, ir.Const]:
    """The values that attributes of a kind usually have, where the rules say it plainly."""
    found = next(entry for entry in game.program.kinds if entry.name == kind)
    return {entry.name: entry.start for entry in found.attributes if isinstance(entry.start, ir.Const)}
