"""Who sees what: each clause of `seen by` grants sight, and clauses add up."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import Game
from interpreter.machine.chance import Chance
from interpreter.players.determinize import sample
from interpreter.telling.views import view_of
from tests.running import play

RULES = """\
ruleset scouts "Scouts" edition "1"
players red "Red", blue "Blue", green "Green"
rule 1 "Scouts":
  space field on square board
  piece scout seen by owner seen by everyone when not it.concealed:
    owner: player
    concealed: flag = yes
    orders: number = 7 untold seen by owner seen by green when it.spied_on
    spied_on: flag = no
    ammunition: number seen by red, blue when not it.concealed seen by green
  variable wind: number = 3 seen by green seen by everyone when turn > 1 each turn
  pile plans of scout seen by red seen by blue when wind > 3
  sequence turn:
    phase scouting for each p in player: p takes 1 action
  action show "Show" (u: scout) by p in scouting:
    when u.owner = p and u.concealed
    do: unmark u as concealed
  action spy "Spy" (u: scout) by p in scouting:
    when p = green and not u.spied_on
    do: mark u as spied_on
  action wait "Wait" by p in scouting:
    do: increase wind by 1
"""
SCENARIO = """\
boards:
  field:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [2, 2]
pieces:
  scout:
    - {id: one, owner: red, ammunition: 5, at: a1}
    - {id: two, owner: blue, ammunition: 6, at: b1}
    - {id: drawn, owner: blue, ammunition: 4, concealed: no, at: plans}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return play(RULES, scenario=SCENARIO)


def seen(game: Game, keys: list[str], seat: str) -> dict[str, Any]:
    state = game.start(1)
    for key in keys:
        assert state.choice is not None
        state.take([option.key for option in state.choice.options].index(key))
    return view_of(game, state, seat)


def test_a_piece_is_seen_by_its_owner_however_it_lies(game: Game) -> None:
    for keys in ([], ["show(one)"]):
        pieces = seen(game, keys, "red")["pieces"]
        assert pieces["one"]["orders"] == 7


def test_what_no_clause_grants_is_seen_by_nobody(game: Game) -> None:
    for seat in ("blue", "green"):
        found = seen(game, [], seat)
        assert "one" not in found["pieces"]
        assert found["unknown"]["scout at a1"] == 1


def test_a_second_clause_adds_to_the_first(game: Game) -> None:
    for seat in ("blue", "green"):
        pieces = seen(game, ["show(one)"], seat)["pieces"]
        assert pieces["one"]["orders"] is None
        assert pieces["one"]["ammunition"] == 5
    pieces = seen(game, ["show(one)", "show(two)", "spy(one)"], "green")["pieces"]
    assert pieces["one"]["orders"] == 7 and pieces["two"]["orders"] is None


def test_variables_and_piles_have_clauses_too(game: Game) -> None:
    def wind(keys: list[str], seat: str) -> object:
        return seen(game, keys, seat)["variables"]["wind"]

    assert [wind([], seat) for seat in ("red", "green")] == [None, 3]
    assert wind(["wait()", "wait()", "wait()"], "red") == 3  # turn 2: as it was at first
    piles = {seat: seen(game, ["wait()"], seat)["piles"]["plans"] for seat in ("red", "blue", "green")}
    assert piles == {"red": ["drawn"], "blue": ["drawn"], "green": 1}
    assert seen(game, [], "blue")["piles"]["plans"] == 1


def test_players_of_the_computer_do_not_know_what_no_clause_grants(game: Game) -> None:
    state = game.start(1)
    for seat in ("red", "blue", "green"):
        drawn = sample(game, state, seat, Chance(3))
        assert view_of(game, drawn, seat) == view_of(game, state, seat)
