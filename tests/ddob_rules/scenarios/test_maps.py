"""Drawing boards: signs to spaces, numbering, and what adjoins what."""

from __future__ import annotations

import pytest

from ddob_rules.library.yamldoc import MappingNode, read_yaml
from ddob_rules.scenarios.maps import DrawnBoard, draw_board, grid_neighbours, space_id
from ddob_rules.syntax.source import Source
from interpreter.ir import Kind
from interpreter.machine.scenario import GridData

HEX = Kind(name="hex", owner="space", board="hex")
SQUARE = Kind(name="field", owner="space", board="square")
NETWORK = Kind(name="town", owner="space", board="network")

LEGEND = 'legend: {"~": {t: sea}, ".": {t: land}}\n'
HOLES = 'legend: {"~": {t: sea}, ".": {t: land}, " ": none}\n'


def draw(kind: Kind, text: str) -> DrawnBoard:
    node, diagnostics = read_yaml(Source("map.yaml", text))
    assert isinstance(node, MappingNode) and diagnostics == []
    return draw_board(kind, node, node.span)


def ids(board: DrawnBoard) -> list[str]:
    assert board.diagnostics == []
    return [cell.id for cell in board.cells]


def codes(board: DrawnBoard) -> list[str]:
    return [item.code for item in board.diagnostics]


@pytest.mark.parametrize("rows", ['["~ .", " . ~"]', '["~.", ".~"]', '["  ~   .", " .~"]'])
def test_cells_may_stand_apart_or_together_and_rows_may_be_indented(rows: str) -> None:
    board = draw(HEX, LEGEND + f"rows: {rows}")
    assert ids(board) == ["0101", "0102", "0201", "0202"]
    assert [cell.origin.text for cell in board.cells] == ['"~"', '"."', '"."', '"~"']


def test_signs_of_several_characters_stand_apart() -> None:
    board = draw(HEX, "legend: {sea: {}, wo: {}, x: none}\nrows: [sea x wo]")
    assert ids(board) == ["0101", "0103"]


def test_a_sign_for_none_leaves_a_hole() -> None:
    board = draw(HEX, 'legend: {".": {}, "-": none}\nrows: [". - .", "- ."]')
    assert ids(board) == ["0101", "0103", "0202"]


def test_a_blank_sign_in_a_drawing_with_gaps_is_two_blanks_wide() -> None:
    board = draw(HEX, HOLES + 'rows: ["~   .", " .   ~", "   ~"]')
    assert ids(board) == ["0101", "0103", "0201", "0203", "0302"]


def test_a_blank_sign_in_a_drawing_without_gaps_is_one_blank_wide() -> None:
    assert ids(draw(SQUARE, HOLES + 'rows: ["~~ .", " .."]')) == ["0101", "0102", "0104", "0202", "0203"]


def test_a_cell_between_two_columns_is_an_error() -> None:
    board = draw(HEX, HOLES + 'rows: ["~ .  ."]')
    assert codes(board) == ["E0639"]
    assert board.diagnostics[0].spans[0].span.text == "."


def test_an_unknown_sign_is_told_once_at_its_place() -> None:
    board = draw(HEX, LEGEND + 'rows: ["~ # #", "# #"]')
    assert codes(board) == ["E0629"]
    assert (board.diagnostics[0].spans[0].span.line, board.diagnostics[0].spans[0].span.column) == (2, 11)


def test_the_first_cell_may_have_any_printed_number() -> None:
    board = draw(HEX, LEGEND + 'first: [4, 12]\nrows: ["~ .", "."]')
    assert [(cell.id, cell.row, cell.column) for cell in board.cells] == [
        ("0412", 4, 12),
        ("0413", 4, 13),
        ("0512", 5, 12),
    ]


def test_a_single_space_overrides_the_legend_and_must_exist() -> None:
    board = draw(HEX, LEGEND + 'rows: ["~ ."]\nspaces: {0102: {t: woods, x: 1}}')
    assert list(board.cells[1].attributes) == ["t", "x"]
    assert board.cells[1].attributes["t"].span.text == "woods"
    board = draw(HEX, LEGEND + 'rows: ["~ ."]\nspaces: {0103: {}}')
    assert codes(board) == ["E0622"]
    assert board.diagnostics[0].help == "did you mean `0101`?"


@pytest.mark.parametrize(
    ("numbering", "row", "column", "expected"),
    [
        ("{row:02}{column:02}", 4, 13, "0413"),
        ("{letter}{row}", 8, 1, "a8"),
        ("{Letter}{row}", 8, 26, "Z8"),
        ("{letter}-{row:03}", 1, 27, "aa-001"),
        ("{letter}", 1, 0, None),
        ("{row", 1, 1, None),
        ("{row:2}", 1, 1, None),
        ("{row:x}{column}", 1, 1, None),
        ("{row.real}", 1, 1, None),
        ("{0}", 1, 1, None),
        ("plain", 1, 1, None),
    ],
)
def test_ids_are_made_from_row_and_column(
    numbering: str, row: int, column: int, expected: str | None
) -> None:
    assert space_id(numbering, row, column) == expected


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        (SQUARE, 'size: [2, 2]\nrows: ["."]', "E0631"),
        (SQUARE, 'size: [2, 2]\nlegend: {".": {}}', "E0631"),
        (SQUARE, 'rows: ["."]', "E0613"),
        (SQUARE, "first: [1, 1]", "E0613"),
        (SQUARE, "layout: {shape: hex}\nsize: [1, 1]", "E0630"),
        (SQUARE, "layout: {orientation: flat}\nsize: [1, 1]", "E0632"),
        (HEX, "layout: {adjacency: all}\nsize: [1, 1]", "E0632"),
        (NETWORK, "layout: {shape: hex}", "E0632"),
        (HEX, 'numbering: "{line}"\nsize: [1, 1]', "E0633"),
        (HEX, 'numbering: "{row}"\nsize: [2, 2]', "E0634"),
        (HEX, "size: [1000, 1000]", "E0609"),
    ],
)
def test_a_board_that_makes_no_sense_is_told(kind: Kind, text: str, code: str) -> None:
    assert codes(draw(kind, text)) == [code]


def test_a_network_lists_its_spaces_and_links() -> None:
    board = draw(NETWORK, "note: rough\nspaces: {b: {size: 3}, a: , note: x}\nlinks: [[b, a]]")
    assert ids(board) == ["b", "a"]
    assert board.grid is None
    assert [(one.text, other.text) for one, other in board.links] == [("b", "a")]


def test_neighbours_follow_the_layout() -> None:
    grid = GridData(kind="hex", shape="hex", orientation="pointy", shifted="even", adjacency="orthogonal")
    around = [(row, column) for row in range(3, 8) for column in range(10, 17)]
    neighbours = [cell for cell in around if grid_neighbours(grid, (5, 13), cell)]
    assert neighbours == [(4, 12), (4, 13), (5, 12), (5, 14), (6, 12), (6, 13)]
    square = GridData(kind="f", shape="square", orientation="pointy", shifted="even", adjacency="all")
    assert grid_neighbours(square, (1, 1), (2, 2)) and not grid_neighbours(square, (1, 1), (1, 1))


def test_wrongly_formed_boards_are_passed_over_in_silence() -> None:
    for text in (
        "rows: 3\nlegend: 4",
        "size: [a]",
        "links: [[a], 3]\nsize: [1, 1]",
        "layout: 1\nsize: [1, 1]",
    ):
        assert draw(HEX, text).diagnostics == []
