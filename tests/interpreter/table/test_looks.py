"""What rulesets say of looks, as it comes to the table; and how large a table is."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter.machine.game import Game
from interpreter.table import book_of, table_of
from interpreter.telling.names import as_read
from tests.looping import each
from tests.running import play

ROOT = Path(__file__).resolve().parents[3]

RULES = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "Units":
  "What there is."
  enum division: first "1st Division", second
  enum crossing: stream, cliff
  space hex on square board:
    wet: flag optional
    drawn with pattern "waves" if it.wet otherwise "", label "{it.row}"
  edge hexside between hex, hex:
    crossings: set of crossing optional
    road: flag optional
    drawn with sides it.crossings, roads it.road
  piece unit:
    owner: player
    division: division
    strength: number seen by owner
    steps: number = 2
    tired: flag = no
    drawn with symbol "armour" if it.steps > 1 otherwise "infantry",
      numbers "{it.strength}-{it.steps}", steps it.steps of 3
    marked as "worn out" when it.steps < 2
  card order:
    worth: number
  pile orders of order
  variable storms: number = 1
  status "Storms" value storms of 4
  sequence turn:
    phase go for each p in player: p may take actions
  action shell "Shell" (h: hex) by p in go:
    started by {u in unit where u.owner = p}
    do: decrease (the(u in unit where u.owner = p)).steps by 1
"""
SCENARIO = """
boards:
  hex:
    layout: {shape: square}
    numbering: "{letter}{row}"
    legend: {".": {}, "~": {wet: yes}}
    rows:
      - ". . ~"
edges:
  hexside:
    a1|b1: {crossings: [stream, cliff], road: yes}
pieces:
  unit:
    - {id: red-tank-1, owner: red, division: first, strength: 7, at: a1}
    - {id: B/2, owner: blue, division: second, strength: 8, at: c1}
  order:
    - {id: move-out, count: 2, worth: 1, at: orders}
"""


@pytest.fixture(name="game")
def a_game() -> Game:
    return play(RULES, scenario=SCENARIO)


def seen(game: Game, seat: str, *answers: int) -> dict[str, Any]:
    state = game.start(1)
    for answer in answers:
        state.take(answer)
    return table_of(state, seat, book=book_of(game))


def test_a_counter_has_symbol_numbers_steps_and_marks(game: Game) -> None:
    fresh = seen(game, "red")["things"]["red-tank-1"]
    assert (fresh["nums"], fresh["steps"], fresh["of"]) == ("7-2", 2, 3)
    assert "symbol" not in fresh and "marks" not in fresh
    assert book_of(game)["prints"]["unit"]["symbols"] == ["armour", "armour"]
    worn = seen(game, "red", 0)["things"]["red-tank-1"]
    assert (worn["symbol"], worn["marks"], worn["nums"]) == ("infantry", ["worn out"], "7-1")


def test_the_book_says_what_the_numbers_on_counters_stand_for(game: Game) -> None:
    assert book_of(game)["kinds"]["unit"]["numbers"] == "strength-steps"
    defined = play(
        RULES.replace("{it.strength}-", "{might_of(it)} ").replace(
            "  card order:", "  define might_of(u: unit): number = u.strength + 1\n  card order:"
        ),
        scenario=SCENARIO,
    )
    assert book_of(defined)["kinds"]["unit"]["numbers"] == "might steps"


def test_what_a_seat_may_not_see_is_not_drawn_for_it(game: Game) -> None:
    assert seen(game, "blue")["things"]["red-tank-1"]["nums"] == "?-2"


def test_spaces_have_patterns_and_labels_and_lines_lie_between_them(game: Game) -> None:
    book = book_of(game)
    board = book["boards"][0]
    looks = [board["grounds"][ground] for ground in board["ground"]]
    assert [look.get("pattern") for look in looks] == [None, None, "waves"]
    assert {look["label"] for look in looks} == {"1"}
    assert [(line["name"], line["as"]) for line in book["lines"]] == [
        ("stream", "side"), ("cliff", "side"), ("hexside", "way"),
    ]  # fmt: skip
    assert book["edges"] == [[0, 1], [0, 1], [0, 1]]


def test_a_status_has_a_number_and_how_high_it_can_be(game: Game) -> None:
    assert seen(game, "red")["status"] == [{"text": "Storms", "value": 1, "of": 4}]


def test_an_act_is_started_by_pieces_that_it_does_not_name(game: Game) -> None:
    act = next(act for act in seen(game, "red")["question"]["acts"] if act["act"] == "shell")
    assert act["by"] == {"a1": ["red-tank-1"], "b1": ["red-tank-1"], "c1": ["red-tank-1"]}


def test_values_have_titles_and_cards_one_name(game: Game) -> None:
    table = seen(game, "red")
    assert table["things"]["red-tank-1"]["name"] == "Red tank 1"
    assert {table["things"][f"move-out#{number}"]["name"] for number in (1, 2)} == {"Move out"}
    facts = {column["title"]: column["values"] for column in book_of(game)["prints"]["unit"]["facts"]}
    assert facts["division"] == ["1st Division", "second"]


@pytest.mark.parametrize(
    ("ident", "copied", "read"),
    [
        ("recon-right#2", True, "Recon right"), ("offensive#16", False, "Offensive 16"),
        ("dog_white_2", False, "Dog white 2"), ("E/2/16", False, "E/2/16"), ("WN62", False, "WN62"),
        ("101/506", False, "101/506"), ("Pegasus Bridge", False, "Pegasus Bridge"),
        ("infanterie-alliée-4", False, "Infanterie alliée 4"), ("r1", False, "r1"), ("b", False, "b"),
    ],
)  # fmt: skip
def test_names_are_read_as_people_write_them(ident: str, copied: bool, read: str) -> None:
    assert as_read(ident, copied) == read


@pytest.mark.parametrize(("part", "limit"), [("book", 12), ("table", 6), ("news", 1.5)])
def test_what_is_sent_is_small(part: str, limit: float) -> None:
    """In KB, gzipped: the limits of a phone on a slow line."""
    for name in each(("first-waves", "pegasus-bridge", "tic-tac-toe")):
        data = json.loads((ROOT / f"tests/fixtures/table/{name}.{part}.json").read_text("utf-8"))
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        assert len(gzip.compress(text.encode())) <= limit * 1024, name


def test_the_page_knows_the_words_that_rules_may_use() -> None:
    """`drawn with symbol` is checked against a list of ours: the page must know the same words."""
    known = yaml.safe_load((ROOT / "grammar/drawings.yaml").read_text("utf-8"))
    for sort in each(("symbols", "patterns")):
        words: dict[str, set[str]] = {}
        for language in ("en", "fr"):
            text = (ROOT / f"ddob_rules/serve/web/words/{language}.js").read_text("utf-8")
            found = re.search(rf"export const {sort} = \{{(.*?)\}};", text, re.DOTALL)
            assert found is not None
            for name, spoken in re.findall(r'(\w+): "([^"]*)"', found[1]):
                words.setdefault(name, set()).update(spoken.split())
        assert {name: {name, *spoken} for name, spoken in known[sort].items()} == {
            name: {name, *spoken} for name, spoken in words.items()
        }
