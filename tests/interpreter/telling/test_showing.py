"""How things look to a seat, as the rules say it."""

from __future__ import annotations

from interpreter.telling.showing import Showing
from tests.running import play
from tests.telling_game import RULES, SCENARIO


def test_a_thing_reads_as_the_rules_say_and_what_is_hidden_as_a_question_mark() -> None:
    game = play(RULES, scenario=SCENARIO)
    state = game.start(seed=1)
    number = game.piece_number["r1"]
    assert Showing(game, state, "red").piece(number) == "r1 3:4"
    assert Showing(game, state, "blue").piece(number) == "r1 3:?"
    assert Showing(game, state, None).piece(number) == "r1 3:4"


def test_what_a_definition_reads_of_the_thing_is_hidden_too() -> None:
    rules = RULES.replace(
        'shown as "{it} {it.steps}:{it.power}"', 'shown as "{it} {secret(it)}{open(it)}"'
    ) + (
        "rule 9:\n  define secret(x: unit): number = deeper(x) + 1\n"
        "  define deeper(y: unit): number = y.power\n  define open(x: unit): number = x.steps\n"
    )
    game = play(rules, scenario=SCENARIO)
    state = game.start(seed=1)
    number = game.piece_number["r1"]
    assert Showing(game, state, "blue").piece(number) == "r1 ?3"
    assert Showing(game, state, "red").piece(number) == "r1 53"


def test_spaces_colours_and_the_status() -> None:
    game = play(RULES, scenario=SCENARIO)
    state = game.start(seed=1)
    showing = Showing(game, state, "red")
    assert showing.space(game.place_number["t1"]) == "~"
    assert showing.space_colour(game.place_number["t1"]) == "blue"
    assert showing.piece_colour(game.piece_number["b9"]) == "blue"
    assert showing.space(game.place_number["post"]) is None
    assert showing.piece(game.piece_number["o1"]) is None
    assert showing.status() == ["Wind 0"]


def test_a_hidden_variable_is_not_in_the_status() -> None:
    rules = RULES.replace("variable wind: number = 0", "variable wind: number = 0 seen by blue")
    game = play(rules, scenario=SCENARIO)
    state = game.start(seed=1)
    assert Showing(game, state, "red").status() == ["Wind ?"]
    assert Showing(game, state, "blue").status() == ["Wind 0"]


def test_a_look_that_cannot_be_worked_out_does_not_end_the_game() -> None:
    rules = RULES.replace('"{it} {it.steps}:{it.power}"', '"{it} {1 / it.steps rounded up}"')
    game = play(rules, scenario=f"{SCENARIO}".replace("power: 4", "power: 4, steps: 0"))
    state = game.start(seed=1)
    assert Showing(game, state, "red").piece(game.piece_number["r1"]) == "r1 ?"


def test_looking_changes_nothing() -> None:
    game = play(RULES, scenario=SCENARIO)
    state = game.start(seed=1)
    before = state.hash()
    showing = Showing(game, state, "red")
    for number in range(len(game.piece_ids)):
        showing.piece(number)
    showing.status()
    assert state.hash() == before
