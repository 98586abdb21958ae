"""From the spaces of a kind to where they are drawn: centres on a plane, for every sort of board.

Grids lie as they are printed. Tracks and boxes are put in rows. A network has no places of its own: its
spaces are put into layers by how far they are from one end of it, so that lines between them stay short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Literal

from interpreter.geometry.boards import Board
from interpreter.geometry.grids import GridLayout, position

Cell = Literal["hex-pointy", "hex-flat", "square", "box", "dot"]

# The distance of two rows of hexes whose neighbours in a row are 1 apart.
_ROW = 0.8660
# A row of boxes longer than this is broken.
_LONGEST_ROW = 16


@dataclass(frozen=True, slots=True)
class Shape:
    """Centres in whole steps; one step is `step` wide and high, where neighbours on a grid are 1 apart."""

    cell: Cell
    step: tuple[float, float]
    x: tuple[int, ...]
    y: tuple[int, ...]


def on_grid(layout: GridLayout, places: Sequence[tuple[int, int]]) -> Shape:
    """Cells of a grid, by their printed rows and columns."""
    plane = [position(layout, row, column) for row, column in places]
    if layout.shape == "square":
        return _placed("square", (1.0, 1.0), plane)
    if layout.orientation == "pointy":
        return _placed("hex-pointy", (0.5, _ROW), plane)
    return _placed("hex-flat", (_ROW, 0.5), [(across, along) for along, across in plane])


def in_rows(count: int, track: bool) -> Shape:
    """Boxes side by side: a track as long as it can be, other boxes in a block."""
    length = min(count, _LONGEST_ROW) if track else min(_LONGEST_ROW, ceil(sqrt(count)) * 2)
    length = max(1, length)
    return _placed("box", (1.0, 1.0), [(number % length, number // length) for number in range(count)])


def as_network(board: Board, spaces: Sequence[int]) -> Shape:
    """Spaces in layers from one end of the network, each near those it is joined to."""
    inside = {space: number for number, space in enumerate(spaces)}
    joined = [[inside[other] for other in board.neighbour_list[space] if other in inside] for space in spaces]
    places: list[tuple[int, int]] = [(0, 0)] * len(spaces)
    down = 0
    for part in _parts(joined):
        layers = _layers(joined, part)
        height = max(map(len, layers))
        for column, layer in enumerate(layers):
            for row, number in enumerate(layer):
                places[number] = (2 * column, down + height - len(layer) + 2 * row)
        down += 2 * height
    return _placed("dot", (0.75, 0.75), places)


def _placed(cell: Cell, step: tuple[float, float], places: Sequence[tuple[int, int]]) -> Shape:
    left, top = min((x for x, _ in places), default=0), min((y for _, y in places), default=0)
    return Shape(cell, step, tuple(x - left for x, _ in places), tuple(y - top for _, y in places))


def _parts(joined: Sequence[Sequence[int]]) -> list[list[int]]:
    """The spaces that hang together, part by part."""
    seen: set[int] = set()
    parts = []
    for number in range(len(joined)):
        if number not in seen:
            part = [space for layer in _distances(joined, number) for space in layer]
            seen |= set(part)
            parts.append(part)
    return parts


def _layers(joined: Sequence[Sequence[int]], part: Sequence[int]) -> list[list[int]]:
    """A part by distance from its far end; in a layer, each near those of the layer before."""
    end = min(_distances(joined, part[0])[-1])
    layers = _distances(joined, end)
    row = {end: 0.0}
    for before, layer in zip(layers, layers[1:], strict=False):
        ends = set(before)
        wish = {number: _mean([row[other] for other in joined[number] if other in ends]) for number in layer}
        layer.sort(key=lambda number: (wish[number], number))
        row.update({number: place - (len(layer) - 1) / 2 for place, number in enumerate(layer)})
    return layers


def _distances(joined: Sequence[Sequence[int]], start: int) -> list[list[int]]:
    layers, seen = [[start]], {start}
    while True:
        following = sorted({other for number in layers[-1] for other in joined[number]} - seen)
        if not following:
            return layers
        seen |= set(following)
        layers.append(following)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
