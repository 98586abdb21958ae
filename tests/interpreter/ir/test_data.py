"""The typed form as JSON: read back without loss, played from alone, and refused when it is not whole."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ddob_rules.loading import load_compiled
from interpreter.compiler.compile import compile_program
from interpreter.ir.data import BadData, read, written
from interpreter.machine.game import Game
from tests.running import program_of, scenario_of

RULES = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum mood: calm, wary
  space cell on square board
  piece unit:
    owner: player
    mood: mood = calm
  dice d6: 1..6
  sequence turn:
    phase act for each p in player: p takes 2 actions
  way walk over cell from a to b:
    when distance(a, b) = 1
    up to 2
  define near(u: unit): set of cell = reach(walk, u.at)
  action move "Move" (u: unit, to: cell) by p in act:
    when u.owner = p else "not yours"
    when to in near(u)
    do:
      put u on to
      let n = roll d6
      if n > 4: set u.mood to wary
      say "{u} rolls {n}"
  victory tired as soon as count(u in unit where u.mood = wary) > 1: nobody wins "all are tired"
"""
SCENARIO = """\
turns: 9
boards: {cell: {numbering: "{letter}{row}", size: [3, 3]}}
pieces: {unit: [{id: A, owner: us, at: a1}, {id: B, owner: them, at: c3}]}
"""


def test_program_is_read_back_whole() -> None:
    program = program_of(RULES)
    assert read(written(program)) == program


@pytest.mark.parametrize("name", ["ddob-extended", "memoire-44", "hex"])
def test_shipped_rules_are_read_back_whole(name: str) -> None:
    program = load_compiled(name).program
    assert program is not None and len(program.rules) > 2
    assert read(written(program)) == program


def test_game_is_played_from_the_json_alone() -> None:
    program = program_of(RULES)
    copy = read(written(program))
    scenario = scenario_of(program, SCENARIO)
    games = [Game(one, scenario, compile_program(one)) for one in (program, copy)]
    states = [game.start(3) for game in games]
    taken = 0
    while not states[0].over:
        for state in states:
            state.take(taken * 7 % len(state.options))
        assert states[0].hash() == states[1].hash()
        taken += 1
    first, second = ([str(entry) for entry in state.journal] for state in states)
    assert taken > 2 and first == second


#: What is put in the place of a part of the whole.
DAMAGES = [
    {"ddob": "save"}, {"version": 99}, {"program": {}}, {"types": []}, {"sites": []},
    {"program": {"is": "Program"}}, {"program": {"is": "os"}},
]  # fmt: skip


@pytest.mark.parametrize("changes", DAMAGES, ids=str)
def test_what_is_not_whole_is_refused(changes: dict[str, Any]) -> None:
    data = json.loads(written(program_of(RULES)))
    with pytest.raises(BadData):
        read(json.dumps(data | changes))


@pytest.mark.parametrize("name, other", [("is", "Quantify Forget"), ("gather", "count steal")])
def test_unknown_word_is_refused(name: str, other: str) -> None:
    known, unknown = (f'"{name}":"{word}"' for word in other.split())
    text = written(program_of(RULES))
    assert known in text
    with pytest.raises(BadData):
        read(text.replace(known, unknown))


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000], ids=["nothing", "list", "empty", "deep"])
def test_what_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(BadData):
        read(text)
