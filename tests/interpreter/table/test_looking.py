"""What a player wants to know of a thing: the unusual first, then the usual, then what is printed on it."""

from __future__ import annotations

import pytest

from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.table.looking import Look, piece_look, space_look
from interpreter.table.seen import Seen
from tests.interpreter.face_down_game import RULES as BLINDS
from tests.interpreter.face_down_game import SCENARIO as BLIND_COUNTERS
from tests.running import play

RULES = """\
ruleset looks "Looks"
players red "Red", blue "Blue"
rule 1 "Things":
  enum ground: grass, mud
  space cell on square board:
    ground: ground
    holder: player = nothing
    shots: number = 0 untold
  space tower:
    covers: set of cell
  piece unit:
    speed: number
    horse: flag optional
    steps: number = 2
    fed: flag = yes
    ready: flag = yes
    moves: number = 3
    wounds: number = 0
    counted: number = 0 untold
    drawn with numbers "{it.speed}", steps it.steps of 2
    marked as "hungry" when not it.fed
rule 2 "Play":
  sequence turn:
    phase play: red takes 1 action
  action starve "Starve" (u: unit) by p in play:
    do:
      unmark u as fed
      decrease u.steps by 1
      increase u.counted by 1
      set u.moves to 0
      set the(cell).holder to red
"""
SCENARIO = """\
boards:
  cell:
    layout: {shape: square}
    numbering: "{letter}{row}"
    legend: {".": {ground: grass}}
    rows: [". ."]
  tower:
    spaces:
      keep: {covers: [a1, b1]}
pieces:
  unit:
    - {id: lancer, speed: 4, horse: yes, at: a1}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return play(RULES, scenario=SCENARIO)


def looked_at(state: State, seat: str = "red") -> Look:
    return piece_look(Seen(state, seat), state.game.piece_number["lancer"])


def test_a_fresh_piece_has_only_what_it_usually_has(game: Game) -> None:
    look = looked_at(game.start(1))
    assert (look.name, look.kind, look.place, look.reads) == ("lancer", "unit", "a1", "4")
    assert look.steps == (2, 2)
    assert look.now == (("steps", "2"), ("moves", "3"))
    assert look.printed == (("speed", "4"), ("horse", ""))


def test_what_is_not_as_usual_comes_first_also_if_nothing_is_left(game: Game) -> None:
    state = game.start(1)
    state.apply("starve(lancer)")
    look = looked_at(state)
    assert look.steps == (1, 2)
    assert look.now == (("hungry", ""), ("steps", "1"), ("fed", "no"), ("moves", "0"))


def test_spaces_have_no_bookkeeping_and_tell_that_they_reach_somewhere(game: Game) -> None:
    state = game.start(1)
    state.apply("starve(lancer)")
    seen = Seen(state, "red")
    cell = space_look(seen, game.place_number["a1"])
    assert (cell.now, cell.printed, cell.reaches) == ((("holder", "Red"),), (("ground", "grass"),), False)
    keep = space_look(seen, game.place_number["keep"])
    assert keep.reaches and keep.printed == ()


def test_of_what_lies_face_down_only_the_back_is_told() -> None:
    game = play(BLINDS, scenario=BLIND_COUNTERS)
    seen = Seen(game.start(3), "blue")
    look = piece_look(seen, game.piece_number["left"])
    assert look.name.startswith("Blind in b2") and look.printed == (("owner", "Red"),)
    own = piece_look(seen, game.piece_number["right"])
    assert dict(own.printed)["size"] == "2"
