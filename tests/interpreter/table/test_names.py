"""What the rules call things: pieces where they lie, spaces, kinds; and what a name may not tell."""

from __future__ import annotations

from typing import Any

from interpreter.machine.game import Game
from interpreter.table import book_of, table_of
from interpreter.table.asking import length_of, why_not
from interpreter.table.seen import Seen
from interpreter.table.story import story_of
from interpreter.telling.names import as_read, place_as_read
from tests.running import play

RULES = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "Forts":
  "What there is."
  space field on square board:
    fort: text optional
  space box:
    number: number
    named as "day {it.number}"
  piece gun:
    strength: number hidden
    titled as "big gun"
    named as NAME
  piece scout:
    owner: player
    named as "scout of {it.owner}"
  enum season: dry "the dry season", wet
  variable tries: number = 0
rule 2 "Go":
  "Something happens."
  sequence turn:
    phase go for each p in player: p may take actions
    phase weather for each s in season: red may take actions
  action look "Look" (g: gun) by p in go:
    shown as "look at {g}"
    do: flip g face up
  action wait "Wait" (f: field) by p in weather:
    do: increase tries by 1
  action ask "Ask" by p in go:
    do:
      let two = choose 1 to 2 from field by p "Which fields?"
"""
BY_PLACE = '"fort {it.at.fort}" if it.at in field otherwise ""'
SCENARIO = """
boards:
  field:
    layout: {shape: square}
    numbering: "{letter}{row}"
    size: [3, 1]
    spaces:
      a1: {fort: Alpha}
      a2: {fort: Beta}
  box:
    spaces:
      le_mans: {number: 3}
pieces:
  gun:
    - {id: gun-1, at: a1, strength: 4}
    - {id: gun-2, at: a2, strength: 5}
    - {id: gun-3, at: a2, strength: 6}
  scout:
    - {id: scout-1, at: a3, owner: red}
turns: 4
"""


def named(name: str) -> Game:
    return play(RULES.replace("NAME", name), scenario=SCENARIO)


def names(game: Game, state: Any = None) -> list[str]:
    table = table_of(state or game.start(), "red", book=book_of(game))
    return sorted(thing["name"] for thing in table["things"].values())


def test_a_piece_that_lies_face_down_is_called_by_its_place() -> None:
    assert names(named(BY_PLACE)) == ["fort Alpha", "fort Beta", "fort Beta (2)", "scout of Red"]


def test_the_name_is_the_same_in_options_and_story() -> None:
    game = named(BY_PLACE)
    state = game.start()
    assert state.choice is not None
    labels = [option.label for option in state.choice.options]
    assert labels[:3] == ["look at fort Alpha", "look at fort Beta", "look at fort Beta (2)"]
    state.apply(state.choice.options[0])
    told = [line["text"] for line in story_of(Seen(state, "red"))]
    assert "Red: look at fort Alpha" in told
    assert "fort Alpha is Gun 1, strength 4" in told
    assert "fort Alpha" in names(game, state)


def test_a_name_that_would_tell_what_is_hidden_is_not_used() -> None:
    game = named('"gun of {it.strength}"')
    assert names(game) == ["Big gun in a1", "Big gun in a2", "Big gun in a2 (2)", "scout of Red"]


def test_a_name_that_names_the_piece_itself_is_not_used() -> None:
    assert names(named('"the {it}"'))[0] == "Big gun in a1"


def test_spaces_and_kinds_have_names_too() -> None:
    book = book_of(named(BY_PLACE))
    boxes = next(board for board in book["boards"] if board["id"] == "box")
    assert boxes["titles"] == ["day 3"] and book["kinds"]["gun"]["title"] == "Big gun"


def test_ids_of_places_are_read_as_words() -> None:
    joined = [place_as_read(name) for name in ("DogRed6", "Omaha12", "OmahaBunker1", "Home", "WN62", "Bx1")]
    assert joined == ["Dog Red 6", "Omaha 12", "Omaha Bunker 1", "Home", "WN62", "Bx1"]
    assert as_read("à-l'assaut#2", copied=True) == "À l'assaut"
    read = [place_as_read(name) for name in ("le_mans", "pas-de-calais", "rennes", "T1", "0712", "b", "ER6")]
    assert read == ["Le Mans", "Pas de Calais", "Rennes", "T1", "0712", "b", "ER6"]


def test_a_question_says_for_what_its_phase_is_gone_through() -> None:
    game = named(BY_PLACE)
    state = game.start()
    while state.phase != "weather":
        assert state.choice is not None
        state.apply(state.choice.options[-1])
    table = table_of(state, "red", book=book_of(game))
    assert table["question"]["text"] == table["phase"] == "weather: the dry season"


def test_a_question_says_how_many_may_be_chosen() -> None:
    game = named(BY_PLACE)
    state = game.start()
    state.apply(game.find_option(state, "ask()") or 0)
    question = table_of(state, "red", book=book_of(game))["question"]
    assert (question["least"], question["most"]) == (1, 2)
    state.take(0)
    question = table_of(state, "red", book=book_of(game))["question"]
    assert "least" not in question and question["most"] == 1


def test_why_not_names_what_is_asked_instead() -> None:
    game = named(BY_PLACE)
    state = game.start()
    state.apply(game.find_option(state, "ask()") or 0)
    (reason,) = why_not(Seen(state, "red"), ["scout-1"])
    assert reason.title == "" and "Which fields?" in reason.text and reason.rule == "2"


def test_what_was_told_is_not_told_again_in_the_next_news() -> None:
    game = named(BY_PLACE)
    state = game.start()
    state.take(0)
    assert story_of(Seen(state, "red"), length_of(state)) == []
