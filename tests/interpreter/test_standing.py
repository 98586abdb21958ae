"""Options that stand from choice to choice: the same games as when every condition is asked again."""

from __future__ import annotations

import random

import pytest

from interpreter.game import Game
from interpreter.runtime import PASS
from tests.running import play

RULES = """\
ruleset r "R"
players us "Us", them "Them", others "Others"
rule 1:
  piece unit:
    owner: player
  space cell on square board
  sequence turn:
    phase act for each p in player: p takes 1 action
  define near(p: player, s: cell): set of cell = {t in neighbours(s) where p = us or t.row >= s.row}
  action march "March" (u: unit, to: cell) by p in act:
    when u.owner = p
    when to in near(p, u.at)
CONDITIONS
    do:
      for each x in unit at to where x.owner != p: put x on HOME
      put u on to
      if count(x in unit at to) = 3: p wins "gathered"
"""
#: Some is answered by the map, some by what stands at the space.
KEPT = (
    """\
    when no x in unit at to where x.owner = p
    when to.row != u.at.row or no unit at to""",
    """\
    when to.column != u.at.column or some x in unit at to where x.owner = p""",
    """\
    when not (to.row = u.at.row and some unit at to)""",
)
LAST_TURN = 30


def game_of(conditions: str, size: int, home: str = "nowhere") -> Game:
    rules = RULES.replace("CONDITIONS", conditions)
    rules = rules.replace("put x on HOME", "remove x" if home == "nowhere" else f"put x on {home}")
    spots = [("us", "a1"), ("us", "b2"), ("us", "c1"), ("them", "c3"), ("them", "d4"), ("them", "a4")]
    units = "\n".join(f"    - {{id: u{n}, owner: {who}, at: {at}}}" for n, (who, at) in enumerate(spots))
    scenario = f"""\
turns: {LAST_TURN}
boards:
  cell:
    layout: {{shape: square, adjacency: all}}
    numbering: "{{letter}}{{row}}"
    size: [{size}, {size}]
pieces:
  unit:
{units}
"""
    return play(rules, scenario=scenario, journal=False)


def end_by_choices(game: Game, seed: int) -> dict[str, object]:
    state, draw = game.start(seed), random.Random(seed).random
    while state.result is None:
        state.take(0 if state.options == [PASS] else int(draw() * len(state.options)))
    return state.data()


def compared(data: dict[str, object]) -> dict[str, object]:
    """What a finished game is, without the way to it."""
    return {key: data[key] for key in ("turn", "result", "columns", "variables")}


def keeps_moves(game: Game) -> bool:
    return "MOVES_0" in game.namespace


@pytest.mark.parametrize("size", [4, 12], ids=["few spaces", "more than a byte has room for"])
@pytest.mark.parametrize("home", ["nowhere", "u.at"])
@pytest.mark.parametrize("conditions", KEPT, ids=range(len(KEPT)))
def test_games_with_kept_moves_are_those_with_every_condition_asked(
    conditions: str, home: str, size: int
) -> None:
    game = game_of(conditions, size, home)
    assert keeps_moves(game)
    for seed in range(12):
        played = game.playout(seed, random.Random(seed).random)
        assert compared(played.data()) == compared(end_by_choices(game, seed))


@pytest.mark.parametrize(
    "condition",
    [
        "    when some x in unit at u.at where x != u",  # what stands elsewhere
        "    when turn < 20 or no unit at to",  # what changes by itself
        "    when 6 / to.row rounded down > 1",  # what might fail where nobody ever asks
    ],
)
def test_moves_are_not_kept_if_a_condition_asks_for_more(condition: str) -> None:
    game = game_of(condition, 4)
    assert not keeps_moves(game)
    played = game.playout(1, random.Random(1).random)
    assert compared(played.data()) == compared(end_by_choices(game, 1))
