"""Turn the offset between two cells into the cells that the straight line between their centres crosses.

A cell counts as crossed when the line enters its interior, however little of it. Two hexes count
together, as one step, when the line runs exactly along the edge they share. A cell that the line only
touches at a corner is not crossed; so a line of squares that passes exactly through a corner goes from
one square to the diagonal one with no step between them. All arithmetic is exact, so the line back is
always the same line reversed.

Left out: which cells exist and which of them block; `geometry` knows the spaces and asks its caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from interpreter.geometry.grids import GridLayout, Position, directions

Steps = tuple[tuple[Position, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """The outline of one cell on a plane stretched so that all corners have whole coordinates.

    Stretching keeps straight lines straight, so the true proportions of a hex do not matter here.
    """

    stretch: Position
    corners: tuple[Position, ...]
    neighbours: tuple[Position, ...]


_CELLS: Mapping[str, _Cell] = {
    "hex": _Cell(
        stretch=(1, 3),
        corners=((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
        neighbours=tuple(directions(GridLayout(shape="hex")).values()),
    ),
    "square": _Cell(
        stretch=(2, 2),
        corners=((-1, -1), (1, -1), (1, 1), (-1, 1)),
        neighbours=tuple(directions(GridLayout(shape="square")).values()),
    ),
}


# Unbounded, but a board has only so many different offsets, and boards of one shape share them.
@cache
def crossed(shape: Literal["hex", "square"], offset: Position) -> Steps:
    """The offsets of the cells strictly between a cell and the one at `offset`, step by step."""
    if offset == (0, 0):
        return ()
    cell = _CELLS[shape]
    start, end = _entry(cell, (0, 0), offset), _entry(cell, offset, offset)
    assert start is not None and end is not None  # the line passes through both centres
    entries: dict[Position, Fraction] = {(0, 0): start}
    frontier = [(0, 0)]
    while frontier:
        here = frontier.pop()
        for along, across in cell.neighbours:
            place = here[0] + along, here[1] + across
            if place in entries:
                continue
            entry = _entry(cell, place, offset)
            if entry is not None and start < entry < end:
                entries[place] = entry
                frontier.append(place)
    del entries[0, 0]
    return _by_entry(entries)


def _by_entry(entries: Mapping[Position, Fraction]) -> Steps:
    """Group cells entered at the same point: the two on either side of an edge the line runs along."""
    steps: dict[Fraction, list[Position]] = {}
    for place, entry in sorted(entries.items(), key=lambda item: (item[1], item[0])):
        steps.setdefault(entry, []).append(place)
    return tuple(tuple(step) for step in steps.values())


def _entry(cell: _Cell, place: Position, offset: Position) -> Fraction | None:
    """How far along the line from the origin to `offset` the cell at `place` begins; None if not crossed."""
    stretch_along, stretch_across = cell.stretch
    ahead = offset[0] * stretch_along, offset[1] * stretch_across
    centre = place[0] * stretch_along, place[1] * stretch_across
    corners = [(centre[0] + along, centre[1] + across) for along, across in cell.corners]
    sides = [ahead[0] * across - ahead[1] * along for along, across in corners]
    inside = min(sides) < 0 < max(sides)
    along_an_edge = sides.count(0) == 2
    if not inside and not along_an_edge:
        return None
    reach = [ahead[0] * along + ahead[1] * across for along, across in corners]
    return min(
        Fraction(reach[i - 1] * sides[i] - reach[i] * sides[i - 1], sides[i] - sides[i - 1])
        for i in range(len(corners))
        if sides[i - 1] * sides[i] <= 0 and sides[i - 1] != sides[i]
    )
