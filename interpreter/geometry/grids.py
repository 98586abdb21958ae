"""Turn printed row and column numbers into plane coordinates in which geometry is plain arithmetic.

Every grid is laid on an integer plane `(along, across)`. Squares use `(column, row)`. Hexes use doubled
coordinates: the axis on which the hexes of one line lie side by side counts two per hex, so that the
half-hex shift of every other line is one. For pointy hexes that axis is the row, for flat hexes the
column, so both orientations share one plane and differ only in the names of their directions. Rows grow
southward, columns eastward.

Left out: what spaces exist, and links between spaces that the grid does not make; `geometry` adds those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Position = tuple[int, int]
"""A place on the plane, `(along, across)`, or the difference of two places."""

_POINTY: Mapping[str, Position] = {
    "e": (2, 0),
    "ne": (1, -1),
    "nw": (-1, -1),
    "w": (-2, 0),
    "sw": (-1, 1),
    "se": (1, 1),
}
_FLAT: Mapping[str, Position] = {
    "n": (-2, 0),
    "ne": (-1, 1),
    "se": (1, 1),
    "s": (2, 0),
    "sw": (1, -1),
    "nw": (-1, -1),
}
_SQUARE: Mapping[str, Position] = {
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}
_ORTHOGONAL = ("n", "e", "s", "w")

ALL_DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""Every direction name that some layout uses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridLayout:
    """How a grid is printed: the shape of its cells, how they are shifted, and which of them touch."""

    shape: Literal["hex", "square"]
    orientation: Literal["pointy", "flat"] = "pointy"
    """Hexes only: which way a corner points, up (pointy) or sideways (flat)."""
    shifted: Literal["odd", "even"] = "even"
    """Hexes only: the rows (pointy) or columns (flat), by printed number, moved half a hex right or down."""
    adjacency: Literal["orthogonal", "all"] = "orthogonal"
    """Squares only: whether squares that touch at a corner are adjacent."""
    columns: Literal["rightward", "leftward"] = "rightward"
    """Which way the printed numbers of columns run."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The spaces of one grid: space number to printed (row, column). Any integers; holes are allowed."""

    layout: GridLayout
    cells: Mapping[int, tuple[int, int]]


def directions(layout: GridLayout) -> Mapping[str, Position]:
    """The direction names of a layout, in their fixed order, each with its step on the plane."""
    if layout.shape == "square":
        return _SQUARE
    return _POINTY if layout.orientation == "pointy" else _FLAT


def adjacent_directions(layout: GridLayout) -> tuple[str, ...]:
    """The directions in which the next space is a neighbour."""
    if layout.shape == "square" and layout.adjacency == "orthogonal":
        return _ORTHOGONAL
    return tuple(directions(layout))


def position(layout: GridLayout, row: int, column: int) -> Position:
    """Where the cell printed as (row, column) lies on the plane."""
    if layout.columns == "leftward":
        column = -column
    if layout.shape == "square":
        return column, row
    line, place = (row, column) if layout.orientation == "pointy" else (column, row)
    parity = 0 if layout.shifted == "even" else 1
    return 2 * place + (1 if line % 2 == parity else 0), line


def plane_distance(layout: GridLayout, first: Position, second: Position) -> int:
    """The fewest steps between two places on an endless grid without holes."""
    along = abs(first[0] - second[0])
    across = abs(first[1] - second[1])
    if layout.shape == "hex":
        # Each step across also moves one along, for free; what remains goes two at a time.
        return across + max(0, along - across) // 2
    return max(along, across) if layout.adjacency == "all" else along + across
