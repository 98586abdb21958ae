"""From spaces of a grid, each with a few lines of text, to a drawing: bricks for hexes, boxes for squares.

A row is as high as its fullest space needs. What is wider than the screen is cut into strips, one below the
other. Colours are laid on top of a drawing that can be read without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from ddob_rules.cli.output import harmless
from ddob_rules.cli.terminal.palette import Tint
from ddob_rules.reports.abbreviations import abbreviated
from ddob_rules.reports.render import display_width

# A space narrower than this is hard to see, and a wider one leaves too few of them on a screen.
_NARROWEST, WIDEST = 5, 11
#: Unless more of a map has room so: what goes on below its first line makes a whole row higher.
SPACIOUS = 15
# With room to spare, two short things lie side by side.
_SPACIOUS = 9
# More lines than this for one space would push its neighbours apart.
_HIGHEST = 6


@dataclass(frozen=True, slots=True)
class Written:
    """Some letters and their colour."""

    text: str
    tint: Tint | None = None
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Tile:
    """A space: where it lies, in half steps across and lines down, its heading and what lies on it."""

    across: int
    down: int
    heading: Written
    things: tuple[Written, ...] = ()


def drawn(tiles: Sequence[Tile], width: int, colour: bool, most: int = WIDEST) -> list[str]:
    """The lines of the drawing, in strips that fit the width; no space holds more than `most` letters."""
    if not tiles:
        return []
    inside = _inside(tiles, width, most)
    tiles = _fitted(tiles, inside)
    # Half a space is the shift of every other row of hexes, so that a space must be of even width.
    step = (inside + 2) // 2
    usable = max(2, _fitting(step, width)) // 2 * 2
    lines: list[str] = []
    first, last = min(tile.across for tile in tiles), max(tile.across for tile in tiles)
    strips = -(-(last - first + 1) // usable)
    # Strips of equal width: a last one of two columns would tear the map apart.
    share = -(-(last - first + 1) // strips)
    share += share % 2
    for number in range(strips):
        start = first + number * share
        chosen = [tile for tile in tiles if start <= tile.across < start + share]
        if chosen and lines:
            lines.append("")
        lines += _strip(chosen, start, step, colour)
    return lines


def cut_names(tiles: Sequence[Tile], width: int, most: int = WIDEST) -> dict[str, str]:
    """What is too wide for its space in such a drawing, with the letters that stand for it."""
    return _abbreviations(tiles, _inside(tiles, width, most)) if tiles else {}


def _abbreviations(tiles: Sequence[Tile], inside: int) -> dict[str, str]:
    headings = [tile.heading.text for tile in tiles]  # of which each has one line
    things = [thing.text for tile in tiles for thing in tile.things if not _broken(thing.text, inside)]
    return abbreviated((*headings, *things), inside)


def _fitted(tiles: Sequence[Tile], inside: int) -> list[Tile]:
    """The same spaces with nothing that is too wide for them."""
    short = _abbreviations(tiles, inside)

    def fitted(written: Written) -> Written:
        return replace(written, text=short.get(written.text, written.text))

    return [
        replace(tile, heading=fitted(tile.heading), things=tuple(map(fitted, tile.things))) for tile in tiles
    ]


def half_steps(tiles: Sequence[Tile], width: int, most: int = WIDEST) -> int:
    """How many half steps of a map of such spaces fit the width, if no space is wider than it must be."""
    widest = max(
        (display_width(each.text) for tile in tiles for each in (tile.heading, *tile.things)), default=0
    )
    return _fitting((min(most, max(_SPACIOUS, widest)) + 2) // 2, width) // 2 * 2


def _fitting(step: int, width: int) -> int:
    # The last space of a strip may begin half a space before its end, and then sticks out by that much.
    return (width - 1) // step - 1


def _inside(tiles: Sequence[Tile], width: int, most: int) -> int:
    """How many letters a space holds: as many as one thing needs, and room for two if the screen has it."""
    texts = [written.text for tile in tiles for written in (tile.heading, *tile.things)]
    widest = max((display_width(text) for text in texts), default=0)
    half_steps = max(tile.across for tile in tiles) + 2 - min(tile.across for tile in tiles)
    fitting = 2 * ((width - 1) // half_steps) - 1
    inside = min(most, max(_NARROWEST, widest, min(fitting, _SPACIOUS)))
    return inside + 1 - inside % 2


def _strip(tiles: Sequence[Tile], start: int, step: int, colour: bool) -> list[str]:
    inside = 2 * step - 1
    lines: list[str] = []
    for down in sorted({tile.down for tile in tiles}):
        row = sorted((tile for tile in tiles if tile.down == down), key=lambda tile: tile.across)
        packed = [_packed(tile.things, inside) for tile in row]
        height = max(len(things) for things in packed)
        for number in range(height + 1):
            lines.append(_line(row, packed, number, start, step, colour))
    return lines


def _line(
    row: Sequence[Tile],
    packed: Sequence[list[list[Written]]],
    number: int,
    start: int,
    step: int,
    colour: bool,
) -> str:
    """One line of text through a row: the headings, or what lies in the spaces at that height."""
    inside = 2 * step - 1
    text, length = "", 0
    for tile, things in zip(row, packed, strict=True):
        at = (tile.across - start) * step
        if at != length - 1 or not text:
            # A gap, or the beginning: the space before has closed itself.
            text += " " * (at - length) + "|"
            length = at + 1
        parts = [tile.heading] if number == 0 else things[number - 1] if number <= len(things) else []
        text += _filled(parts, inside, tile.heading.tint, colour) + "|"
        length += inside + 1
    return text


def _packed(things: Sequence[Written], inside: int) -> list[list[Written]]:
    """Things side by side as long as they fit; what has no room at all is counted."""
    lines: list[list[Written]] = []
    begun: list[int] = []  # how many things are on the lines up to each, with those that go on below
    for number, thing in enumerate(things, 1):
        first, *more = (Written(part, thing.tint, thing.marked) for part in _broken(thing.text, inside))
        used = sum(display_width(part.text) + 1 for part in lines[-1]) if lines else inside + 1
        if used + display_width(first.text) <= inside and not more:
            lines[-1].append(first)
            begun[-1] = number
        else:
            lines += [[first], *([part] for part in more)]
            begun += [number] * (1 + len(more))
    if len(lines) > _HIGHEST:
        # Half a thing would be taken for a whole one.
        shown = next((at for at in range(_HIGHEST - 1, 0, -1) if begun[at] > begun[at - 1]), 0)
        left = len(things) - (begun[shown - 1] if shown else 0)
        lines = [*lines[:shown], [Written(f"+{left}")]]
    return lines


def _broken(text: str, inside: int) -> list[str]:
    """What is too wide for its space goes on below it, from a blank or a hyphen on; empty if it cannot."""
    if display_width(text) <= inside:
        return [text]
    for sign, kept in ((" ", ""), ("-", "-")):
        head, found, tail = text.rpartition(sign)
        while found:
            if max(map(display_width, (head + kept, f" {tail}"))) <= inside:
                return [head + kept, f" {tail}"]
            head, found, more = head.rpartition(sign)
            tail = f"{more}{sign}{tail}"
    return []


def _filled(parts: Sequence[Written], inside: int, below: Tint | None, colour: bool) -> str:
    """Letters on the colour of their space, as wide as the space."""
    plain = " ".join(part.text for part in parts)
    rest = " " * (inside - display_width(plain))
    if not colour:
        return harmless(plain) + rest
    under = below.under if below is not None else None
    written = [
        click.style(
            harmless(part.text),
            fg=part.tint.text if part.tint is not None and part.tint is not below else "bright_white",
            bg=under,
            bold=part.tint is not below,
            reverse=part.marked or None,
        )
        for part in parts
    ]
    return click.style(" ", bg=under).join(written) + click.style(rest, bg=under)
