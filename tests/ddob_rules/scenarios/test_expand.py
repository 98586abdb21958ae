"""Shorter ways to write scenario data: like another, for each player, along a path, columns to the left."""

from __future__ import annotations

from pathlib import Path

from interpreter.geometry.grids import GridLayout, position
from interpreter.machine.scenario import PieceData, Scenario
from tests.ddob_rules.scenarios.test_scenario import HEXES, QUOTAS, load_text


def loaded(folder: Path, text: str) -> Scenario:
    scenario, diagnostics = load_text(folder, QUOTAS + text)
    assert [item.message for item in diagnostics] == [] and scenario is not None
    return scenario


def pieces(scenario: Scenario) -> dict[str, PieceData]:
    return {piece.id: piece for piece in scenario.pieces}


def codes(folder: Path, text: str) -> list[tuple[str, str]]:
    scenario, diagnostics = load_text(folder, QUOTAS + text)
    assert scenario is None
    return [(item.code, item.spans[0].span.text) for item in diagnostics]


LIKE = """\
templates:
  infantry:
    rifles: {owner: red, steps: 3, weapons: [rifle]}
    veterans: {like: rifles, steps: 4}
pieces:
  infantry:
    - {id: A, like: rifles, at: "0101"}
    - {id: B, like: veterans, owner: blue}
    - {id: C, like: A, count: 2, spent: yes}
"""


def test_a_piece_has_the_values_of_what_it_is_like_and_its_own_place(tmp_path: Path) -> None:
    found = pieces(loaded(tmp_path, HEXES + LIKE))
    assert list(found) == ["A", "B", "C#1", "C#2"]
    a, b, c = (dict(found[name].values) for name in ("A", "B", "C#2"))
    assert (a["owner"], a["steps"], b["owner"], b["steps"]) == (0, 3, 1, 4)
    assert b["weapons"] == a["weapons"] == c["weapons"]
    assert (found["A"].at, found["C#1"].at) == ("0101", "") and c["spent"] is True and "spent" not in a


def test_what_neither_it_nor_its_model_says_is_still_missing(tmp_path: Path) -> None:
    text = "templates: {infantry: {half: {owner: red}}}\npieces: {infantry: [{id: A, like: half}]}\n"
    assert [code for code, _ in codes(tmp_path, text)] == ["E0628"]


def test_a_model_must_be_there_and_not_be_like_itself(tmp_path: Path) -> None:
    assert codes(tmp_path, HEXES + LIKE.replace("like: A,", "like: rifle,")) == [("E0651", "rifle")]
    assert codes(tmp_path, "pieces: {infantry: [{id: A, like: B}, {id: B, like: A}]}\n") == [("E0652", "B")]


def test_pieces_for_each_player_who_takes_part(tmp_path: Path) -> None:
    item = '{for: player, id: "{player}-1", owner: "{player}", '
    item += 'steps: 1, title: "a {player}", draws: "hand({player})"}'
    found = pieces(loaded(tmp_path, f"pieces:\n  infantry:\n    - {item}\n"))
    assert list(found) == ["red-1", "blue-1"]
    one, other = (dict(piece.values) for piece in found.values())
    assert (one["owner"], other["owner"], one["draws"], other["draws"]) == (0, 1, "hand(red)", "hand(blue)")
    assert one["title"] == "a {player}"  # ids only: what people read is no template
    alone = loaded(tmp_path, f"players: [blue]\npieces:\n  infantry:\n    - {item}\n")
    assert list(pieces(alone)) == ["blue-1"]


def test_for_an_enum_that_is_not_there(tmp_path: Path) -> None:
    text = "pieces: {infantry: [{for: plyer, id: A, owner: red, steps: 1}]}\n"
    assert codes(tmp_path, text) == [("E0615", "plyer")]


def test_a_path_becomes_the_edges_between_its_spaces(tmp_path: Path) -> None:
    paths = '[["0101", "0102", "0103"], ["0102", "0103"], "0101|0201"]'
    text = f"edges:\n  hexside:\n    by:\n      road: {{yes: {paths}}}\n"
    scenario = loaded(tmp_path, HEXES + text)
    ends = [(edge.first, edge.second) for edge in scenario.edges]
    assert ends == [("0101", "0102"), ("0101", "0201"), ("0102", "0103")]
    assert all(edge.values == (("road", True),) for edge in scenario.edges)


def test_a_path_must_go_from_neighbour_to_neighbour(tmp_path: Path) -> None:
    text = "edges: {{hexside: {{by: {{road: {{yes: [{path}]}}}}}}}}\n"
    assert codes(tmp_path, HEXES + text.format(path='["0101", "0103"]')) == [("E0625", '"0103"')]
    assert codes(tmp_path, HEXES + text.format(path='["0101"]')) == [("E0653", '["0101"]')]
    assert codes(tmp_path, HEXES + text.format(path='["0101", "0199"]'))[0][0] == "E0622"


def test_columns_that_are_numbered_from_right_to_left(tmp_path: Path) -> None:
    text = HEXES.replace("    legend", "    first: [1, 3]\n    layout: {columns: leftward}\n    legend")
    scenario = loaded(tmp_path, text)
    assert [space.id for space in scenario.spaces] == ["0101", "0102", "0103", "0201", "0202", "0203"]
    assert scenario.grids[0].layout == GridLayout(shape="hex", columns="leftward")
    for shape in (
        GridLayout(shape="hex", columns="leftward"),
        GridLayout(shape="square", columns="leftward"),
    ):
        assert position(shape, 1, 3)[0] < position(shape, 1, 2)[0]
    flat = GridLayout(shape="hex", orientation="flat", columns="leftward")
    assert position(flat, 1, 3)[1] < position(flat, 1, 2)[1]
