"""Sets by value: after every change they are what they would be if made anew; and looks at places."""

from __future__ import annotations

import random

import pytest

from interpreter.machine.game import Game
from interpreter.machine.state import State
from tests.running import play

RULES = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum mood: calm, wary, afraid
  piece unit:
    owner: player
    tired: flag = no
    mood: mood = nothing
  piece leader:
    owner: player
    tired: flag = yes
  space cell on square board:
    held: player = nothing
  sequence turn:
    phase act for each p in player: p takes 2 actions
  action rest "Rest" (u: unit) by p in act:
    when u.tired and u.owner = p
    do:
      set u.tired to no
      set u.mood to calm if u.mood = nothing otherwise nothing
  action march "March" (u: unit, to: cell) by p in act:
    when u.owner = p
    when not u.tired
    when to in neighbours(u.at)
    when no x in unit at to where x.owner = p
    when to.held != p or no unit at to
    do:
      put u on to
      set to.held to p
      set u.tired to yes
      for each l in leader where l.tired: set l.tired to no
      for each x in unit where x.mood = calm: set x.mood to wary
      if every c in cell has c.held = p: p wins "all of it"
      if turn > 12: nobody wins "enough"
  define rested(p: player): number = count(u in unit where u.owner = p and not u.tired)
  define wary_ones: number = count(u in unit where u.mood = wary)
  score(p) = rested(p) + count(c in cell where c.held = p) + wary_ones
"""
SCENARIO = """\
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [4, 3]
pieces:
  unit:
    - {id: u1, owner: us, at: a1}
    - {id: u2, owner: us, at: b1}
    - {id: t1, owner: them, at: a4}
    - {id: t2, owner: them, at: b4}
  leader:
    - {id: l1, owner: us, at: a2}
"""


def kept(state: State) -> dict[str, list[int]]:
    return {name: getattr(state, name) for name in state.MEMORIES if name.startswith("w_")}


def made_anew(game: Game, state: State) -> dict[str, list[int]]:
    other = state.copy()
    for keep in game.namespace["KEEPERS"]:
        keep(other)
    return kept(other)


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_sets_are_what_they_would_be_if_made_anew(journal: bool, seed: int) -> None:
    game = play(RULES, scenario=SCENARIO, journal=journal)
    state, chance = game.start(seed), random.Random(seed)
    assert kept(state)
    while not state.over:
        state.apply(chance.randrange(len(state.options)))
        known = {name: sets for name, sets in kept(state).items() if sets is not None}
        fresh = made_anew(game, state)
        assert known == {name: fresh[name] for name in known}


def test_copies_do_not_share_their_sets() -> None:
    game = play(RULES, scenario=SCENARIO, journal=False)
    state = game.start(0)
    before = {name: list(sets) for name, sets in kept(state).items()}
    state.copy().apply(0)
    assert kept(state) == before


def test_state_from_json_goes_on_with_sets_of_its_own() -> None:
    game = play(RULES, scenario=SCENARIO, journal=False)
    state = game.start(0)
    for _ in range(5):
        state.apply(len(state.options) - 1)
    other = game.from_json(state.to_json())
    for _ in range(5):
        for one in (state, other):
            one.apply(len(one.options) // 2)
        assert other.hash() == state.hash()


def test_values_by_sets_are_values_one_by_one() -> None:
    game = play(RULES, scenario=SCENARIO, journal=False)
    state, chance = game.start(1), random.Random(1)
    while not state.over:
        pieces = game.view(state, None)["pieces"].values()
        units = [piece for piece in pieces if "mood" in piece]
        wary = sum(unit["mood"] == "wary" for unit in units)
        assert game.evaluate(state, "wary_ones") == wary
        state.apply(chance.randrange(len(state.options)))
    assert state.count > 2


def test_every_option_on_offer_is_allowed_and_no_other() -> None:
    game = play(RULES, scenario=SCENARIO, journal=False)
    state, chance = game.start(2), random.Random(2)
    while not state.over:
        choice = state.choice
        assert choice is not None
        offered = {option.key for option in choice.options}
        for unit in ("u1", "u2", "t1", "t2"):
            for space in game.place_ids:
                allowed = state.why_not("march", unit, space) is None
                assert (f"march({unit}, {space})" in offered) == allowed
        state.apply(chance.randrange(len(state.options)))
    assert state.count > 2
