"""Hints at the table: the same by both engines, at every sort of question."""

from __future__ import annotations

import re

import pytest

from ddob_rules.loading import load
from interpreter.ir.seats import count_option
from interpreter.machine.chance import Chance
from interpreter.table.asking import hints
from interpreter.table.seen import Seen
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.glances import look_quickly


@pytest.mark.skipif(not host.available(), reason="no wasmtime here")
@pytest.mark.parametrize(
    ("scenario", "players", "choices"), [("pig", 0, 12), ("reversi", 0, 8), ("omaha-beach-dice", 2, 12)]
)
def test_a_hint_beside_players_of_the_computer_is_the_usual_one(
    scenario: str, players: int, choices: int
) -> None:
    options = (count_option(players),) if players else ()
    plain = load(scenario, options=options, journal=False)
    # One that is loaded again is another game: the first goes on to look ahead as it did.
    quick = load(scenario, options=options, journal=False)
    look_quickly(quick, FastGame(quick).runner())
    usual, state, chance = plain.start(1), quick.start(1), Chance(1)
    asked = set()
    while state.count < choices and not state.over:
        seat = quick.player_name(state.player)
        found = hints(Seen(state.copy(), seat))
        assert found and found == hints(Seen(usual.copy(), seat))
        told = [int(number) for hint in found for number in re.findall(r"(-?\d+) then", hint["why"])]
        assert told == sorted(told, reverse=True)
        asked.add(quick.code.asks[state.ask].sort)
        option = chance.below(len(state.options))
        state.take(option)
        usual.take(option)
    assert "offer" in asked or len(asked) > 1
