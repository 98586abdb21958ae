"""Printed coordinates to the plane: directions point where they say, and distance counts their steps."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.grids import (
    ALL_DIRECTIONS,
    GridLayout,
    adjacent_directions,
    directions,
    plane_distance,
    position,
)

relaxed = settings(deadline=None)

HEX_LAYOUTS = [
    GridLayout(shape="hex", orientation="pointy", shifted="even"),
    GridLayout(shape="hex", orientation="pointy", shifted="odd"),
    GridLayout(shape="hex", orientation="flat", shifted="even"),
    GridLayout(shape="hex", orientation="flat", shifted="odd"),
]
LAYOUTS = [
    *HEX_LAYOUTS,
    GridLayout(shape="square", adjacency="orthogonal"),
    GridLayout(shape="square", adjacency="all"),
]
layouts = st.sampled_from(LAYOUTS)
printed = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


def centre(layout: GridLayout, row: int, column: int) -> tuple[Fraction, Fraction]:
    """Where a cell is on paper, (east, south), in units of a cell, straight from what the layout says."""
    half = Fraction(1, 2)
    east, south = Fraction(column), Fraction(row)
    if layout.shape == "hex":
        line = row if layout.orientation == "pointy" else column
        if (line % 2 == 0) == (layout.shifted == "even"):
            if layout.orientation == "pointy":
                east += half
            else:
                south += half
    return east, south


def sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


@relaxed
@given(layouts, printed, printed)
def test_direction_leads_where_its_name_says(
    layout: GridLayout, here: tuple[int, int], there: tuple[int, int]
) -> None:
    start, end = position(layout, *here), position(layout, *there)
    step = end[0] - start[0], end[1] - start[1]
    east, south = (b - a for a, b in zip(centre(layout, *here), centre(layout, *there), strict=True))
    for name, towards in directions(layout).items():
        if towards == step:
            assert sign(east) == ("e" in name) - ("w" in name)
            assert sign(south) == ("s" in name) - ("n" in name)


@relaxed
@given(layouts, printed)
def test_every_direction_leads_to_a_printed_cell(layout: GridLayout, here: tuple[int, int]) -> None:
    row, column = here
    around = {position(layout, row + south, column + east) for south in (-1, 0, 1) for east in (-1, 0, 1)}
    along, across = position(layout, row, column)
    for step in directions(layout).values():
        assert (along + step[0], across + step[1]) in around


def test_direction_names_have_a_fixed_order() -> None:
    pointy, flat = GridLayout(shape="hex"), GridLayout(shape="hex", orientation="flat")
    assert tuple(directions(pointy)) == ("e", "ne", "nw", "w", "sw", "se")
    assert tuple(directions(flat)) == ("n", "ne", "se", "s", "sw", "nw")
    assert tuple(directions(GridLayout(shape="square"))) == ("n", "ne", "e", "se", "s", "sw", "w", "nw")
    assert set(ALL_DIRECTIONS) == {name for layout in LAYOUTS for name in directions(layout)}


@relaxed
@given(layouts, printed, printed)
def test_neighbouring_cells_are_those_at_distance_one(
    layout: GridLayout, here: tuple[int, int], there: tuple[int, int]
) -> None:
    start, end = position(layout, *here), position(layout, *there)
    steps = [directions(layout)[name] for name in adjacent_directions(layout)]
    adjacent = (end[0] - start[0], end[1] - start[1]) in steps
    assert adjacent == (plane_distance(layout, start, end) == 1)


@relaxed
@given(layouts, printed, printed, printed)
def test_plane_distance_is_a_metric(
    layout: GridLayout, first: tuple[int, int], second: tuple[int, int], third: tuple[int, int]
) -> None:
    a, b, c = (position(layout, *cell) for cell in (first, second, third))
    assert plane_distance(layout, a, b) == plane_distance(layout, b, a)
    assert (plane_distance(layout, a, b) == 0) == (first == second)
    assert plane_distance(layout, a, c) <= plane_distance(layout, a, b) + plane_distance(layout, b, c)
