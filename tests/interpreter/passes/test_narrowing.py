"""Collections made smaller before conditions are asked: the same values as where all of them are asked."""

from __future__ import annotations

import random

import pytest

from interpreter.machine.game import Game
from tests.running import EDITIONS, Trial, play

RULES = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum mood: calm, wary
  space cell on square board:
    area: set of cell
    mood: mood = calm
  space box
  piece unit:
    owner: player
    strength: number = 2
  sequence turn:
    phase act for each p in player: p takes 2 actions
  define seen(s: cell, t: cell): flag = s.row = t.row - 1 or s.column = t.column + 1
  define target(s: cell, u: unit): flag = u.at in cell and seen(s, u.at) and u.strength > 0
  define targets(s: cell): set of unit = {u in unit where target(s, u)}
  define gathered(s: cell): set of unit = {u in unit where u.at in s.area and u.strength > 0}
  define wary_ones: set of cell = {t in cell where t.mood = wary}
  priority strongest for u: unit:
    prefer highest u.strength
  procedure match -> number:
    let pairs = 0
    assign to each s in wary_ones up to 1 of u in unit where target(s, u) by strongest: increase pairs by 1
    give pairs
  define moody: number = count(s in cell where s.mood = wary and count(gathered(s)) + count(targets(s)) > 1)
  variable told: number = 0
  variable alike: number = 0
  action march "March" (u: unit, to: cell) by p in act:
    when u.owner = p
    when u.at = nothing or distance(u.at, to) <= 2
    do:
      put u on to
      for each s in cell: set s.mood to wary if s.row = to.row otherwise calm
      let matched = match()
      set told to 1000 * matched + 100 * moody + 10 * count(targets(to)) + count(gathered(to))
      set alike to told
      set alike to told
  action leave "Leave" (u: unit) by p in act:
    when u.owner = p and u.at in cell
    do:
      remove u
      decrease u.strength by 1
      let matched = match()
      set told to matched + count(targets(nothing))
"""


def games(size: int) -> tuple[Game, ...]:
    cells = [f"{'abcdefghijkl'[column]}{row + 1}" for row in range(size) for column in range(size)]
    areas = "\n".join(
        f"      {cell}: {{area: [{', '.join(cells[number : number + 2])}]}}"
        for number, cell in enumerate(cells)
    )
    units = "\n".join(
        f"    - {{id: u{number}, owner: {('us', 'them')[number % 2]}, at: {cells[number * 2 % len(cells)]}}}"
        for number in range(8)
    )
    scenario = f"""\
turns: 6
boards:
  cell:
    layout: {{shape: square, adjacency: all}}
    numbering: "{{letter}}{{row}}"
    size: [{size}, {size}]
    spaces:
{areas}
pieces:
  unit:
{units}
"""
    return tuple(play(RULES, scenario=scenario, journal=journal, cover=cover) for journal, cover in EDITIONS)


@pytest.mark.parametrize("size", [3, 6])
def test_smaller_collections_give_the_same_values_in_every_edition(size: int) -> None:
    made = games(size)
    source = made[1].code.source
    assert "inside_where(" in source and "inside_of(" in source
    for seed in range(4):
        trial = Trial(made, tuple(game.start(seed) for game in made), seed)
        chance = random.Random(seed)
        while not trial.state.over:
            trial.answer(chance.randrange(len(trial.state.options)))
            trial.check()
