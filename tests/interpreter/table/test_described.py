"""Things and spaces are told by what has changed, and come out as if they were described from nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ddob_rules.loading import load_game
from interpreter.machine.game import Game
from interpreter.table import Describing, book_of, table_of
from interpreter.table.changes import dependence_of
from interpreter.telling.showing import reads_of
from tests.interpreter.face_down_game import RULES as FACE_DOWN
from tests.interpreter.face_down_game import SCENARIO
from tests.interpreter.secret_game import secret_game
from tests.running import play

#: Pieces face down, hands and decks, dice that lie nowhere, looks that read what stands beside, networks.
GAMES = ["first-waves", "pegasus-bridge", "normandie-cotentin", "overlord-a-1-solo", "kuhn-poker", "easy-fox"]


def loaded(name: str) -> Game:
    game = load_game(name).game
    assert game is not None
    return game


def play_described(game: Game, seed: int, choices: int) -> int:
    """Plays at random; compares at every choice for a seat in turn. How many things were the same objects."""
    book, chance, state = book_of(game), Random(seed), game.start(seed)
    seats = (*game.seats, "")
    describing = {seat: Describing(game, book) for seat in seats}
    before: dict[str, dict[str, object]] = {}
    same = 0
    for number in range(choices):
        seat = seats[number * 2 // 3 % len(seats)]  # so that some see two positions in a row, and miss others
        table = table_of(state, seat, book=book, story=False, describing=describing[seat])
        whole = table_of(state, seat, book=book, story=False)
        assert table == whole
        assert [*table["things"], *table["spaces"]] == [*whole["things"], *whole["spaces"]]
        known = before.get(seat, {})
        same += sum(thing is known.get(ident) for ident, thing in table["things"].items())
        before[seat] = table["things"]
        if state.over:
            break
        state.take(chance.randrange(len(state.options)))
    return same


@pytest.mark.parametrize("name", GAMES)
def test_a_table_told_by_its_changes_is_the_whole_table(name: str) -> None:
    assert play_described(loaded(name), 5, 24) > 0


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_face_down_and_what_is_secret_comes_out_the_same(seed: int, tmp_path: Path) -> None:
    play_described(play(FACE_DOWN, scenario=SCENARIO), seed, 40)  # all of it is described anew
    assert play_described(secret_game(tmp_path), seed, 40) > 0


def test_a_thing_reads_its_own_values_and_those_of_others() -> None:
    game = loaded("first-waves")
    hexes = dependence_of(game).kinds["hex"]
    assert "inside" in hexes.own  # whether an empty position stands there depends on what is in it
    assert "turn" in hexes.wide and "at" not in hexes.wide  # the tide


def test_what_goes_through_all_things_reads_those_of_others_whatever_it_calls_them() -> None:
    game = play("""\
ruleset shades "Shades"
players red "Red", blue "Blue"
rule 1 "Things":
  piece man:
    steps: number = 1
    shown as "{it.steps} {count(it in man where it.steps > 1)}"
  sequence turn:
    phase go for each p in {red, blue}: p takes 1 action
  action rest "Rest" () by p in go:
    do:
      for each m in man: set m.steps to m.steps + 1
""")
    look = next(kind.look for kind in game.program.kinds if kind.name == "man")
    assert look is not None
    own, wide = reads_of(look.text, game)
    assert own == {"p_steps"} and wide == {"p_steps"}
