"""What leaves for another seat: enough to show a table, and nothing that the seat may not know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from ddob_rules import load
from interpreter import Game, State
from interpreter.machine.chance import Chance
from interpreter.players.determinize import sample
from interpreter.telling.seats import position_for
from interpreter.telling.views import Sight

SEED = 987_654_321_123
# Pieces whose kinds are hidden while they lie face down: hands, decks, draw piles.
GAMES = ["kuhn-poker", "pegasus-bridge", "omaha"]


@cache
def game(name: str) -> Game:
    return load(name)


def positions(name: str, count: int = 25) -> Iterator[State]:
    state = game(name).start(SEED)
    chance = Chance(1)
    for number in range(count):
        if state.over:
            return
        if number % 6 == 0:
            yield state
        state.take(chance.below(len(state.options)))


def numbers(data: Any) -> Iterator[int]:
    """Every number that is large enough to be a seed or a part of a generator."""
    if isinstance(data, dict | list | tuple):
        for item in data.values() if isinstance(data, dict) else data:
            yield from numbers(item)
    elif type(data) is int and data > 1_000_000:
        yield data


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_in_it(name: str) -> None:
    looked_at = 0
    for state in positions(name):
        for seat in game(name).players:
            text = json.dumps(position_for(state, seat), ensure_ascii=False)
            sight = Sight(game(name), state, seat)
            options = state.choice.options if state.choice is not None else ()
            offered = {argument for option in options for argument in option.arguments}
            for number, ident in enumerate(game(name).piece_ids):
                if not sight.piece(number) and ident not in offered and len(ident) > 3:
                    looked_at += 1
                    assert f'"{ident}"' not in text and f"({ident}" not in text, (seat, ident)
            assert str(SEED) not in text and state.hash() not in text
            assert "chance" not in json.loads(text) and "choices" not in json.loads(text)
            secret = set(numbers(state.data()))
            assert secret and not any(str(each) in text for each in secret)
    assert looked_at > 3


@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_same_whatever_happens_out_of_sight(name: str) -> None:
    compared = 0
    for number, state in enumerate(positions(name)):
        for seat in game(name).players:
            other = sample(game(name), state, seat, Chance(number), veiled=False)
            assert other.data() != state.data()  # at least the chance to come is another
            assert position_for(other, seat) == position_for(state, seat)
            compared += 1
    assert compared > 1


def test_it_is_enough_to_show_a_table_and_to_answer() -> None:
    state = game("pegasus-bridge").start(SEED)
    mine, theirs = (position_for(state, seat) for seat in ("allies", "axis"))
    assert len(mine["view"]["piles"]["hand(allies)"]) == 6
    assert (theirs["view"]["piles"]["hand(allies)"], len(theirs["view"]["piles"]["hand(axis)"])) == (6, 2)
    assert theirs["choice"] == {"player": "allies", "rule": mine["choice"]["rule"]}
    option = mine["choice"]["options"][-1]
    assert option["label"] and option["number"] == len(mine["choice"]["options"]) - 1
    assert state.copy().apply(option["number"]) == state.copy().apply(option["key"])
    assert mine["shown"]["pieces"] and mine["mark"] != theirs["mark"]


def test_nobody_is_no_seat() -> None:
    state = game("kuhn-poker").start(SEED)
    for seat in (None, "", "dealer"):
        with pytest.raises(ValueError, match="there is no seat"):
            position_for(state, seat)  # type: ignore[arg-type]
