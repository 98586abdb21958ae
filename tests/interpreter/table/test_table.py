"""The table of a seat: what is sent is what the schema says, and nothing that the seat may not see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ddob_rules.loading import load_game
from interpreter.machine.game import Game
from interpreter.table import book_of, merged, news_between, table_of
from tests.looping import each
from tests.running import play

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "ddob_rules/serve/table.schema.json").read_text("utf-8"))


def validator(part: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]})


def loaded(name: str) -> Game:
    game = load_game(name).game
    assert game is not None
    return game


def leaves(tree: Any) -> list[int]:
    return [tree] if isinstance(tree, int) else [number for part in tree.values() for number in leaves(part)]


@pytest.mark.parametrize("file", sorted((ROOT / "tests/fixtures/table").glob("*.json")), ids=lambda f: f.name)
def test_samples_are_as_the_schema_says(file: Path) -> None:
    part = file.name.split(".")[1].replace("after", "table")
    validator(part).validate(json.loads(file.read_text("utf-8")))


@pytest.mark.parametrize("name", ["tic-tac-toe", "hex", "kuhn-poker", "pig", "easy-fox", "pegasus-bridge"])
def test_every_table_of_a_game_is_as_the_schema_says(name: str) -> None:
    game = loaded(name)
    book = book_of(game)
    validator("book").validate(book)
    state = game.start(3)
    for number in range(25):
        for seat in (*game.seats, ""):
            table = table_of(state, seat, book=book)
            validator("table").validate(table)
            question = table["question"]
            if question is not None:
                answers = sorted(number for act in question["acts"] for number in leaves(act["tree"]))
                assert answers == list(range(len(state.options)))
        if state.over:
            break
        state.take(number * 5 % len(state.options))


def test_news_make_the_next_table_of_the_one_before() -> None:
    game = loaded("pegasus-bridge")
    book = book_of(game)
    state = game.start(2)
    before = table_of(state, "allies", book=book)
    for number in range(40):
        if state.over:
            break
        state.take(number * 5 % len(state.options))
        after = table_of(state, "allies", book=book)
        news = news_between(before, after)
        validator("news").validate(news)
        made = merged(before, json.loads(json.dumps(news)))
        shown = {key: value for key, value in made.items() if key != "story"}
        assert shown == json.loads(json.dumps({k: v for k, v in after.items() if k != "story"}))
        assert made["story"] == [*before["story"], *news["story"]]
        assert news["story"] == [line for line in after["story"] if line["n"] > before["told"]]
        before = after


def test_every_space_has_a_place_of_its_own() -> None:
    for name in ("first-waves", "pegasus-bridge", "tic-tac-toe"):
        for board in each(book_of(loaded(name))["boards"]):
            places = list(zip(board["x"], board["y"], strict=True))
            assert len(set(places)) == len(places) == len(board["ids"])


def test_boxes_lie_near_the_spaces_that_they_belong_to() -> None:
    game = loaded("first-waves")
    board = next(board for board in book_of(game)["boards"] if board["id"] == "position")
    near = dict(zip(board["ids"], board["near"], strict=True))
    printed = game.columns[next(name for name, c in game.columns.items() if c.attribute == "position")]
    values = game.values(game.start(0), printed)
    spaces = {space.id: values[number] for number, space in enumerate(game.spaces) if space.kind == "hex"}
    assert any(near.values())
    assert all(game.place_ids[spaces[space]] == box for box, space in near.items() if space)


CUPS = """\
ruleset cups "Cups"
players ann "Ann"
rule 1 "Cups":
  dice sign: moon, sun, star
  piece cup untold:
    owner: player
    sign: sign = moon
    shown as "{it.sign}"
  sequence turn:
    phase pour: pour_out()
  procedure pour_out():
    roll cup
    let again = choose several from c in cup by ann "Which again?"
    roll again
"""
TWO_CUPS = "pieces:\n  cup:\n    - {id: left_cup, owner: ann}\n    - {id: right_cup, owner: ann}\n"


def test_pieces_that_lie_on_no_board_are_called_with_how_they_read() -> None:
    game = play(CUPS, scenario=TWO_CUPS)
    state = game.start(1)
    table = table_of(state, "ann", book=book_of(game))
    validator("table").validate(table)
    words = table["question"]["words"]
    assert set(words) == {"left_cup", "right_cup"}
    assert {text.partition(": ")[2] for text in words.values()} <= {"moon", "sun", "star"}
    labels = [option.label for option in game.option_list(state)]
    assert [label.partition(": ")[0] for label in labels[:2]] == ["Left cup", "Right cup"]
    assert table["question"]["labels"][:2] == list(words.values()) == labels[:2]
    assert game.find_option(state, "Left cup") == game.find_option(state, labels[0]) == 0
    plain = play(CUPS, scenario=TWO_CUPS, journal=False)
    assert [option.label for option in plain.option_list(plain.start(1))][:2] == ["Left cup", "Right cup"]


def test_what_a_roll_has_told_is_not_told_again_later() -> None:
    game = play(CUPS, scenario=TWO_CUPS)
    lines: list[str] = []
    for seed in range(6):
        state = game.start(seed)
        first = table_of(state, "ann", book=book_of(game))
        state.apply("left_cup")
        state.apply("done")
        later = table_of(state, "ann", book=book_of(game), since=first["told"])
        lines += [line["text"] for line in later["story"]]
    assert lines and not [text for text in lines if "->" in text]
