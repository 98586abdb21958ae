"""Boards of hexes, squares, points and mixtures: neighbours, distance, rings, rays, lines, sight, edges."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.boards import Board, Grid, GridLayout

relaxed = settings(deadline=None, max_examples=40)

POINTY_EVEN = GridLayout(shape="hex", orientation="pointy", shifted="even")
LAYOUTS = [
    POINTY_EVEN,
    GridLayout(shape="hex", orientation="pointy", shifted="odd"),
    GridLayout(shape="hex", orientation="flat", shifted="even"),
    GridLayout(shape="hex", orientation="flat", shifted="odd"),
    GridLayout(shape="square", adjacency="orthogonal"),
    GridLayout(shape="square", adjacency="all"),
]
HEX_LAYOUTS = LAYOUTS[:4]
layouts = st.sampled_from(LAYOUTS)

OPPOSITE = {"n": "s", "ne": "sw", "e": "w", "se": "nw", "s": "n", "sw": "ne", "w": "e", "nw": "se"}


def rectangle(layout: GridLayout, rows: int, columns: int, first: tuple[int, int] = (1, 1)) -> Grid:
    row, column = first
    return Grid(layout, {i: (row + i // columns, column + i % columns) for i in range(rows * columns)})


def members(mask: int) -> list[int]:
    return [space for space in range(mask.bit_length()) if mask >> space & 1]


@st.composite
def full_boards(draw: st.DrawFn) -> Board:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    first = draw(st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
    return Board(rows * columns, [rectangle(draw(layouts), rows, columns, first)], [])


@st.composite
def mixed_boards(draw: st.DrawFn) -> Board:
    """Up to two grids with holes, some spaces on no grid, and links between any of them."""
    cells = st.lists(st.tuples(st.integers(-2, 4), st.integers(-2, 4)), unique=True, max_size=14)
    grids, count = [], 0
    for _ in range(draw(st.integers(0, 2))):
        places = draw(cells)
        grids.append(Grid(draw(layouts), {count + i: place for i, place in enumerate(places)}))
        count += len(places)
    count += draw(st.integers(1, 6))
    space = st.integers(0, count - 1)
    links = draw(st.lists(st.tuples(space, space).filter(lambda ends: ends[0] != ends[1]), max_size=12))
    return Board(count, grids, links)


any_board = st.one_of(full_boards(), mixed_boards())


def fewest_steps(board: Board, start: int) -> dict[int, int]:
    found = {start: 0}
    queue = [start]
    for here in queue:
        for space in board.neighbour_list[here]:
            if space not in found:
                found[space] = found[here] + 1
                queue.append(space)
    return found


def at(grid: Grid, spaces: Sequence[int]) -> set[tuple[int, int]]:
    return {grid.cells[space] for space in spaces}


def test_neighbours_follow_the_printed_map_when_even_rows_are_shifted() -> None:
    grid = rectangle(POINTY_EVEN, 10, 20)
    board = Board(200, [grid], [])
    number = {cell: space for space, cell in grid.cells.items()}
    around_odd = at(grid, board.neighbour_list[number[5, 13]])
    around_even = at(grid, board.neighbour_list[number[4, 13]])
    assert around_odd == {(5, 12), (5, 14), (4, 12), (4, 13), (6, 12), (6, 13)}
    assert around_even == {(4, 12), (4, 14), (3, 13), (3, 14), (5, 13), (5, 14)}
    assert board.step["se"][number[4, 13]] == number[5, 14]
    assert board.step["nw"][number[5, 13]] == number[4, 12]


def test_neighbours_follow_the_printed_map_when_odd_columns_of_flat_hexes_are_shifted() -> None:
    grid = rectangle(GridLayout(shape="hex", orientation="flat", shifted="odd"), 6, 6)
    board = Board(36, [grid], [])
    number = {cell: space for space, cell in grid.cells.items()}
    assert at(grid, board.neighbour_list[number[3, 3]]) == {(2, 3), (4, 3), (3, 2), (4, 2), (3, 4), (4, 4)}
    assert at(grid, board.neighbour_list[number[3, 4]]) == {(2, 4), (4, 4), (2, 3), (3, 3), (2, 5), (3, 5)}
    assert board.step["sw"][number[3, 3]] == number[4, 2]


@relaxed
@given(any_board)
def test_neighbours_are_mutual_and_ascending(board: Board) -> None:
    assert len(board.neighbours) == len(board.neighbour_list) == board.count + 1
    for space in range(board.count):
        around = board.neighbour_list[space]
        assert list(around) == sorted(set(around)) == members(board.neighbours[space])
        assert space not in around
        assert all(space in board.neighbour_list[other] for other in around)


@relaxed
@given(any_board)
def test_step_in_the_opposite_direction_leads_back(board: Board) -> None:
    assert set(board.DIRECTIONS) <= set(board.step) == set(OPPOSITE)
    for name, following in board.step.items():
        assert len(following) == board.count + 1
        for space in range(board.count):
            if following[space] >= 0:
                assert name in board.DIRECTIONS
                assert board.step[OPPOSITE[name]][following[space]] == space


def test_squares_touching_at_a_corner_are_neighbours_only_if_the_layout_says_so() -> None:
    orthogonal = Board(9, [rectangle(GridLayout(shape="square"), 3, 3)], [])
    every = Board(9, [rectangle(GridLayout(shape="square", adjacency="all"), 3, 3)], [])
    assert orthogonal.neighbour_list[4] == (1, 3, 5, 7)
    assert every.neighbour_list[4] == (0, 1, 2, 3, 5, 6, 7, 8)
    assert orthogonal.distance(0, 8) == 4
    assert every.distance(0, 8) == 2
    assert orthogonal.step["se"][0] == 4


@relaxed
@given(full_boards())
def test_distance_on_a_full_board_is_the_fewest_steps(board: Board) -> None:
    for start in range(board.count):
        found = fewest_steps(board, start)
        assert [board.distance(start, end) for end in range(board.count)] == [
            found[end] for end in range(board.count)
        ]


@relaxed
@given(full_boards(), st.data())
def test_distance_is_a_metric(board: Board, data: st.DataObject) -> None:
    space = st.integers(0, board.count - 1)
    a, b, c = data.draw(space), data.draw(space), data.draw(space)
    assert board.distance(a, b) == board.distance(b, a)
    assert (board.distance(a, b) == 0) == (a == b)
    assert board.distance(a, c) <= board.distance(a, b) + board.distance(b, c)


@relaxed
@given(mixed_boards())
def test_distance_without_a_common_grid_is_the_fewest_steps(board: Board) -> None:
    for start in range(board.count):
        found = fewest_steps(board, start)
        for end in range(board.count):
            assert board.distance(start, end) == board.distance(end, start)
            if board.grid_of[start] < 0 or board.grid_of[start] != board.grid_of[end]:
                assert board.distance(start, end) == found.get(end, -1)


def test_distance_on_a_grid_passes_over_holes_and_takes_no_links() -> None:
    ends = Board(2, [Grid(POINTY_EVEN, {0: (1, 1), 1: (1, 5)})], [])
    assert ends.distance(0, 1) == 4
    assert ends.neighbours[0] == 0
    tunnel = Board(2, [Grid(POINTY_EVEN, {0: (1, 1), 1: (1, 5)})], [(0, 1)])
    assert tunnel.distance(0, 1) == 4
    assert tunnel.neighbour_list[0] == (1,)


def test_hexes_boxes_and_points_are_joined_by_links() -> None:
    grid = rectangle(POINTY_EVEN, 2, 2)
    board = Board(7, [grid], [(3, 4), (4, 5), (5, 4)])
    assert board.neighbour_list[4] == (3, 5)
    assert board.distance(0, 5) == board.distance(0, 3) + 2
    assert board.distance(0, 6) == -1
    assert board.grid_of == [0, 0, 0, 0, -1, -1, -1, -1]


def test_two_grids_keep_their_own_directions() -> None:
    square = Grid(GridLayout(shape="square"), {4: (1, 1), 5: (2, 1)})
    board = Board(6, [rectangle(POINTY_EVEN, 2, 2), square], [])
    assert board.DIRECTIONS == ("e", "ne", "nw", "w", "sw", "se", "n", "s")
    assert board.step["s"] == [-1, -1, -1, -1, 5, -1, -1]
    assert board.distance(0, 4) == -1


@relaxed
@given(any_board)
def test_nothing_is_near_nothing(board: Board) -> None:
    for space in (-1, 0):
        assert board.distance(-1, space) == board.distance(space, -1) == -1
        assert board.line(-1, space) == board.line(space, -1) == ()
        assert not board.sight(-1, space, lambda _: False)
        assert not board.sight(space, -1, lambda _: False)
        assert board.edge_of(-1, space) == board.edge_of(space, -1) == -1
        assert board.pair(-1, space) == board.pair(space, -1) == -1
    assert board.within(-1, 3) == board.ring(-1, 0) == 0
    assert board.neighbours[-1] == 0 and board.neighbour_list[-1] == ()
    assert all(board.step[name][-1] == -1 and board.ray(-1, name) == () for name in board.step)


@relaxed
@given(any_board, st.integers(-1, 8))
def test_within_and_ring_hold_the_spaces_at_that_distance(board: Board, n: int) -> None:
    for space in range(board.count):
        away = [board.distance(space, other) for other in range(board.count)]
        assert members(board.within(space, n)) == [i for i, d in enumerate(away) if 0 <= d <= n]
        assert members(board.ring(space, n)) == [i for i, d in enumerate(away) if d == n >= 0]


@relaxed
@given(st.sampled_from(HEX_LAYOUTS), st.integers(1, 4), st.integers(5, 7), st.integers(5, 7))
def test_ring_inside_a_large_hex_board_has_six_spaces_a_step(
    layout: GridLayout, n: int, row: int, column: int
) -> None:
    board = Board(121, [rectangle(layout, 11, 11)], [])
    middle = (row - 1) * 11 + column - 1
    assert board.ring(middle, n).bit_count() == 6 * n
    assert board.within(middle, n).bit_count() == 1 + 3 * n * (n + 1)


@relaxed
@given(any_board)
def test_ray_follows_steps_to_the_end(board: Board) -> None:
    for space in range(board.count):
        for name, following in board.step.items():
            chain = (space, *board.ray(space, name), -1)
            assert all(following[here] == there for here, there in zip(chain, chain[1:], strict=False))


def test_ray_ends_at_a_hole() -> None:
    board = Board(3, [Grid(POINTY_EVEN, {0: (1, 1), 1: (1, 2), 2: (1, 4)})], [])
    assert board.ray(0, "e") == (1,)


@relaxed
@given(any_board, st.integers(0, 4))
def test_lines_are_all_straight_runs_each_once(board: Board, length: int) -> None:
    runs = set()
    for space in range(board.count):
        for name in board.DIRECTIONS:
            run = (space, *board.ray(space, name)[: max(0, length - 1)])
            if board.grid_of[space] >= 0 and len(run) == length:
                runs.add(min(run, run[::-1]))
    assert board.lines(length) == tuple(sorted(runs))


def test_lines_count_rows_columns_and_diagonals_of_squares() -> None:
    board = Board(9, [rectangle(GridLayout(shape="square"), 3, 3)], [])
    assert len(board.lines(3)) == 8
    assert (2, 4, 6) in board.lines(3)
    assert len(board.lines(1)) == 9
    assert board.lines(0) == board.lines(4) == ()


@relaxed
@given(any_board)
def test_line_back_is_the_line_reversed(board: Board) -> None:
    for a in range(board.count):
        for b in range(board.count):
            assert board.line(a, b) == board.line(b, a)[::-1]
            assert all(step == tuple(sorted(step)) and len(step) <= 2 for step in board.line(a, b))


@relaxed
@given(full_boards())
def test_line_along_a_direction_is_the_ray(board: Board) -> None:
    for space in range(board.count):
        for name in board.DIRECTIONS:
            ray = board.ray(space, name)
            for length, end in enumerate(ray):
                assert board.line(space, end) == tuple((between,) for between in ray[:length])


def test_line_leaves_out_places_off_the_board_and_keeps_their_step() -> None:
    # Rows 1 and 3, column 2: the line between runs along the edge of (2, 1) and (2, 2).
    both = Board(4, [Grid(POINTY_EVEN, {0: (1, 2), 1: (3, 2), 2: (2, 1), 3: (2, 2)})], [])
    one = Board(3, [Grid(POINTY_EVEN, {0: (1, 2), 1: (3, 2), 2: (2, 1)})], [])
    none = Board(2, [Grid(POINTY_EVEN, {0: (1, 2), 1: (3, 2)})], [])
    assert both.line(0, 1) == ((2, 3),)
    assert one.line(0, 1) == ((2,),)
    assert none.line(0, 1) == ((),)


def test_sight_along_an_edge_is_blocked_only_from_both_sides_and_never_from_off_the_board() -> None:
    both = Board(4, [Grid(POINTY_EVEN, {0: (1, 2), 1: (3, 2), 2: (2, 1), 3: (2, 2)})], [])
    one = Board(3, [Grid(POINTY_EVEN, {0: (1, 2), 1: (3, 2), 2: (2, 1)})], [])
    assert both.sight(0, 1, lambda space: space == 2)
    assert both.sight(0, 1, lambda space: space == 3)
    assert not both.sight(0, 1, lambda space: True)
    assert one.sight(0, 1, lambda space: True)


def test_sight_is_blocked_by_a_space_on_the_line_but_not_by_its_ends() -> None:
    board = Board(3, [rectangle(POINTY_EVEN, 1, 3)], [])
    assert board.sight(0, 2, lambda space: space != 1)
    assert not board.sight(0, 2, lambda space: space == 1)
    assert board.sight(0, 0, lambda space: True)


def test_spaces_that_share_no_grid_do_not_see_each_other() -> None:
    board = Board(4, [rectangle(POINTY_EVEN, 1, 2)], [(1, 2), (2, 3)])
    assert not board.sight(1, 2, lambda space: False)
    assert not board.sight(2, 3, lambda space: False)
    assert board.line(1, 2) == ()


@relaxed
@given(any_board, st.integers(0, 2**40))
def test_sight_is_mutual(board: Board, blocking: int) -> None:
    def blocks(space: int) -> bool:
        return bool(blocking >> space & 1)

    for a in range(board.count):
        for b in range(a):
            assert board.sight(a, b, blocks) == board.sight(b, a, blocks)


@relaxed
@given(any_board)
def test_edges_number_the_adjacent_pairs_densely(board: Board) -> None:
    assert board.edge_count == len(board.edge_ends) == len(board.edge_index)
    assert board.edge_ends == sorted(board.edge_ends)
    for a in range(board.count):
        for b in range(board.count):
            edge = board.edge_of(a, b)
            assert edge == board.edge_of(b, a)
            assert (edge >= 0) == (b in board.neighbour_list[a])
            if edge >= 0:
                assert board.edge_ends[edge] == (min(a, b), max(a, b))
                assert board.edge_index[min(a, b), max(a, b)] == edge


def test_pair_numbers_all_pairs_densely_in_either_order() -> None:
    board = Board(6, [], [])
    numbers = [board.pair(a, b) for a in range(6) for b in range(a)]
    assert sorted(numbers) == list(range(15))
    assert all(board.pair(a, b) == board.pair(b, a) for a in range(6) for b in range(6))
    assert board.pair(2, 2) == -1


def test_board_without_spaces_can_be_built() -> None:
    board = Board(0, [], [])
    assert board.distance(-1, -1) == -1
    assert board.lines(1) == ()
    assert board.edge_count == 0


@pytest.mark.parametrize(
    ("grids", "links"),
    [
        ([Grid(POINTY_EVEN, {3: (1, 1)})], []),
        ([Grid(POINTY_EVEN, {-1: (1, 1)})], []),
        ([Grid(POINTY_EVEN, {0: (1, 1), 1: (1, 1)})], []),
        ([Grid(POINTY_EVEN, {0: (1, 1)}), Grid(POINTY_EVEN, {0: (1, 1)})], []),
        ([], [(0, 3)]),
        ([], [(-1, 0)]),
        ([], [(1, 1)]),
    ],
)
def test_board_that_contradicts_itself_is_refused(grids: list[Grid], links: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="space"):
        Board(3, grids, links)
