"""Boards in plain text, and numbers that mean what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click
import pytest

from ddob_rules import load
from ddob_rules.cli.answers import chosen, in_columns, listed
from ddob_rules.cli.terminal.board import Drawing, every_piece_line, thing_lines
from ddob_rules.cli.terminal.palette import side_signs
from interpreter.machine.game import Game
from tests.looping import each

RULES = """\
ruleset field "Field"
players red "Red", blue "Blue"

rule 1 "Field":
  space cell on hex board:
    height: number
  space box
  piece unit:
    owner: player
    steps: number = 2

rule 2 "Play":
  sequence turn:
    phase play for each p in player: p takes 1 action
  action stay "Stay" by p in play:
    do: nobody wins "peace"
"""
SCENARIO = """\
scenario: field
title: Field
ruleset: field
boards:
  cell:
    layout: {shape: hex, orientation: flat, shifted: even}
    numbering: "{column:02}{row:02}"
    legend: {".": {height: 1}}
    rows: [". . .", ". . ."]
  box:
    spaces: [reserve]
pieces:
  unit:
    - {id: a-long-name-of-a-unit, owner: red, at: "0101"}
    - {id: u2, owner: blue, at: "0101"}
    - {id: u3, owner: blue, at: reserve}
"""


@pytest.fixture
def field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    return made(tmp_path, monkeypatch, RULES, SCENARIO)


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str, scenario: str) -> Game:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "field" / "scenarios").mkdir(parents=True)
    (tmp_path / "field" / "field.rules").write_text(rules)
    (tmp_path / "field" / "scenarios" / "field.yaml").write_text(scenario)
    return load("field")


def test_columns_of_flat_hexes_are_shifted_down(field: Game) -> None:
    view = field.view(field.start(), "red")
    lines = Drawing(field, view).lines()
    assert [line.split() for line in lines[:4]] == [
        ["[A", "long…+1]", "0301"],
        ["0201"],
        ["0102", "0302"],
        ["0202"],
    ]
    assert lines[0].index("0301") > lines[1].index("0201") > lines[2].index("0102")
    assert lines[4] == "Reserve: u3"


def test_columns_numbered_from_right_to_left_are_drawn_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = SCENARIO.replace("shifted: even}", "shifted: even, columns: leftward}\n    first: [1, 3]")
    game = made(tmp_path, monkeypatch, RULES, scenario)
    lines = Drawing(game, game.view(game.start(), "red")).lines()
    assert [line.split() for line in lines[:4]] == [
        ["0301", "[A", "long…+1]"],
        ["0201"],
        ["0302", "0102"],
        ["0202"],
    ]
    assert [space.id for space in game.spaces[:3]] == ["0101", "0201", "0301"]


def test_columns_have_their_headings_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = (
        SCENARIO.replace(
            "{shape: hex, orientation: flat, shifted: even}",
            "{shape: square, columns: leftward}\n    first: [1, 3]",
        )
        .replace("{column:02}{row:02}", "{letter}{row}")
        .replace('"0101"', "a1")
    )
    game = made(tmp_path, monkeypatch, RULES.replace("hex board", "square board"), scenario)
    lines = Drawing(game, game.view(game.start(), "red")).lines()
    assert lines[0].split() == ["c", "b", "a"] and lines[2].split() == ["2", "·", "·", "·"]


def test_names_wider_than_the_terminal_become_the_letters_of_their_sides(field: Game) -> None:
    view = field.view(field.start(), "red")
    narrow, wide = Drawing(field, view, width=20), Drawing(field, view, width=60)
    assert [line.split() for line in narrow.lines()[:2]] == [["[R+1]", "0301"], ["0201"]]
    assert narrow.sides() == [("R", "Red"), ("B", "Blue")]
    assert wide.sides() == [] and "[A long" in wide.lines()[0]


def test_a_board_on_the_narrowest_terminal_becomes_a_list(field: Game) -> None:
    view = field.view(field.start(), "red")
    lines = Drawing(field, view, width=12).lines()
    assert lines[0] == "0101: A long name of a unit, u2"
    assert "0102:" in lines


def test_a_grid_that_is_wider_than_the_screen_winds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = " ".join("." * 14)
    scenario = SCENARIO.replace('[". . .", ". . ."]', f'["{row}", "{row}"]')
    game = made(tmp_path, monkeypatch, RULES, scenario)
    lines = Drawing(game, game.view(game.start(), "red"), width=40).lines()
    assert max(map(len, lines)) <= 40 and lines.count("") == 1
    spaces = [space.id for space in game.spaces if space.kind == "cell" and space.id != "0101"]
    assert all(" ".join(lines).split().count(ident) == 1 for ident in each(spaces))


@pytest.mark.parametrize(
    ("titles", "signs"),
    [
        (["Red", "Blue"], "RB"),
        (["Allies", "Axis"], "AX"),
        (["Player 1", "Player 2", "Player 3"], "123"),
        (["Blue", "Black", "B"], "BLA"),
        (["Ann", "Ann"], "AN"),
        (["Only"], "O"),
        ([], ""),
        (["…", "-"], "AB"),
    ],
)
def test_every_side_has_a_letter_of_its_own(titles: list[str], signs: str) -> None:
    assert side_signs(titles) == list(signs)


def test_colours_change_nothing_but_the_colour(field: Game) -> None:
    view = field.view(field.start(), "red")
    plain, coloured = (Drawing(field, view, colour=colour).lines() for colour in (False, True))
    assert plain != coloured
    assert plain == [click.unstyle(line) for line in coloured]


def test_everything_seen_of_a_thing_is_told(field: Game) -> None:
    view = field.view(field.start(), "red")
    assert thing_lines(field, view, "u2") == ["u2: kind unit, at 0101, owner Blue, steps 2"]
    assert thing_lines(field, view, "0101") == ["0101: height 1", "A long name of a unit, u2"]
    assert thing_lines(field, view, "nothing like it") == []
    assert len(every_piece_line(field, view, "en")) == 3


@dataclass
class Answer:
    """An option without a game."""

    index: int
    key: str
    label: str
    arguments: tuple[str, ...]


@dataclass
class Question:
    """A choice without a game."""

    sort: str
    options: tuple[Answer, ...]

    def __len__(self) -> int:
        return len(self.options)


def question(sort: str, *labels: str) -> Any:
    options = [Answer(number, label, label, (label,)) for number, label in enumerate(labels)]
    return cast(Any, Question(sort, tuple(options)))


def test_a_number_is_chosen_by_itself_and_not_by_its_place() -> None:
    numbers = question("number", "0", "2", "4")
    assert listed(numbers) == ["0", "2", "4"]
    found = chosen(numbers, "2")
    assert found is not None and found.label == "2"
    assert chosen(numbers, "1") is None


def test_other_options_are_chosen_by_their_place_first() -> None:
    pieces = question("one", "2", "1")
    found = chosen(pieces, "1")
    assert found is not None and found.label == "2"


def test_options_of_the_same_name_need_their_number() -> None:
    twins = question("one", "twin", "twin")
    assert chosen(twins, "twin") is None
    found = chosen(twins, "2")
    assert found is not None and found.index == 1


def test_columns_are_read_downwards() -> None:
    assert in_columns(["a", "b", "c", "d", "e"], 14) == ["  a   c   e", "  b   d"]
    assert in_columns([], 10) == []
