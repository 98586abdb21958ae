"""Cells crossed by a straight line, compared with a slow answer from another definition of a cell.

A cell is the region nearer to its own centre than to any other. So the line is cut wherever it is equally
far from two centres, and the middle of every piece is asked which centres are nearest.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.grids import GridLayout, Position, directions
from interpreter.geometry.sight import crossed

Shape = Literal["hex", "square"]

relaxed = settings(deadline=None, max_examples=40)
shapes: st.SearchStrategy[Shape] = st.sampled_from(["hex", "square"])


@st.composite
def shapes_and_offsets(draw: st.DrawFn) -> tuple[Shape, Position]:
    shape = draw(shapes)
    along, across = draw(st.integers(-9, 9)), draw(st.integers(-5, 5))
    if shape == "hex" and (along + across) % 2:
        along += 1
    return shape, (along, across)


def slowly_crossed(shape: Shape, offset: Position) -> tuple[tuple[Position, ...], ...]:
    # Rows of hexes lie closer together than hexes in a row: this is true distance, up to a factor.
    weight = 3 if shape == "hex" else 1

    def squared(place: Position, t: Fraction) -> Fraction:
        return (place[0] - offset[0] * t) ** 2 + weight * (place[1] - offset[1] * t) ** 2

    centres = [
        (along, across)
        for along in range(min(0, offset[0]) - 2, max(0, offset[0]) + 3)
        for across in range(min(0, offset[1]) - 1, max(0, offset[1]) + 2)
        if shape == "square" or (along + across) % 2 == 0
    ]
    cuts = {Fraction(0), Fraction(1)}
    for place in centres:
        for along, across in directions(GridLayout(shape=shape)).values():
            other = place[0] + along, place[1] + across
            at_start = squared(place, Fraction(0)) - squared(other, Fraction(0))
            change = squared(place, Fraction(1)) - squared(other, Fraction(1)) - at_start
            if change and 0 < -at_start / change < 1:
                cuts.add(-at_start / change)
    ordered = sorted(cuts)
    steps: list[tuple[Position, ...]] = []
    for begin, end in zip(ordered, ordered[1:], strict=False):
        middle = (begin + end) / 2
        nearest = min(squared(place, middle) for place in centres)
        step = tuple(sorted(place for place in centres if squared(place, middle) == nearest))
        if not steps or steps[-1] != step:
            steps.append(step)
    return tuple(steps[1:-1])


@relaxed
@given(shapes_and_offsets())
def test_crossed_cells_are_those_nearest_to_some_piece_of_the_line(case: tuple[Shape, Position]) -> None:
    shape, offset = case
    assert crossed(shape, offset) == slowly_crossed(shape, offset)


@relaxed
@given(shapes_and_offsets())
def test_line_back_crosses_the_same_cells_in_reverse(case: tuple[Shape, Position]) -> None:
    shape, (along, across) = case
    back = crossed(shape, (-along, -across))
    moved = tuple(tuple(sorted((a + along, b + across) for a, b in step)) for step in back)
    assert crossed(shape, (along, across)) == moved[::-1]


def test_line_between_adjacent_cells_crosses_nothing() -> None:
    assert crossed("hex", (1, 1)) == ()
    assert crossed("hex", (0, 0)) == ()
    assert crossed("square", (1, 0)) == ()


def test_line_along_an_edge_takes_the_hexes_on_both_sides_as_one_step() -> None:
    assert crossed("hex", (0, 2)) == (((-1, 1), (1, 1)),)
    assert crossed("hex", (0, 4)) == (((-1, 1), (1, 1)), ((0, 2),), ((-1, 3), (1, 3)))


def test_line_can_cross_more_hexes_than_the_distance_counts() -> None:
    assert crossed("hex", (5, 1)) == (((2, 0),), ((3, 1),))
    # Distance 4, so three hexes on a shortest way between; the line zigzags through four.
    assert crossed("hex", (7, 1)) == (((2, 0),), ((3, 1),), ((4, 0),), ((5, 1),))


def test_line_of_squares_through_a_corner_has_no_step_there() -> None:
    assert crossed("square", (1, 1)) == ()
    assert crossed("square", (3, 3)) == (((1, 1),), ((2, 2),))
    assert crossed("square", (3, 1)) == (((1, 0),), ((2, 1),))
    assert crossed("square", (2, 1)) == (((1, 0),), ((1, 1),))
