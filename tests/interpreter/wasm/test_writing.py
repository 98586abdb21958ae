"""What only the module is written for: searches by words, definitions in the place of their calls."""

from __future__ import annotations

import pytest

from interpreter.passes.lower import lower
from interpreter.wasm import host
from interpreter.wasm.compile import compile_wasm
from tests.running import play, values_of

pytestmark = pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")

RULES = """\
ruleset r "R"
players us "Us"
rule 1:
  enum ground: clear, wood, mud
  space cell on square board:
    ground: ground = clear
  variable wanted: ground = clear
  sequence turn:
    phase wait for each p in player: p takes 1 action
  action rest by p in wait:
    do: set wanted to wood
  define corner: cell = the(c in cell where c.row = 1 and c.column = 1)
  define middle: cell = the(c in cell where c.row = 6 and c.column = 4)
  define how_many(g: ground): number = count(c in cell where c.ground = g)
  define dry(c: cell, d: direction): flag =
      next_space(c, d) != nothing and c.ground != mud
      and some x in along(from c, d, y while y.ground != mud) where x.ground = wood and x.row + 1 > c.row - 8
  setup:
    for each c in cell where (c.row + 2 * c.column) / 3 rounded down = 4: set c.ground to wood
    for each c in cell where c.column = 5 and c.row < 8: set c.ground to mud
"""
SCENARIO = 'turns: 3\nboards: {cell: {numbering: "{letter}{row}", size: [9, 9]}}\n'
WAYS = """\
  way walk over cell from x to y: when {step}
  way stroll over cell from x to y:
    when {step}
    up to 2
"""
STEPS = [
    "y.ground = clear", "y.ground = wanted", "y.ground != mud", "y.ground != mud and y.ground = clear",
    "y.ground = x.ground", "y.ground = clear and y.row > 1",
]  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_what_can_be_reached_is_the_same_by_words(step: str) -> None:
    starts = ("corner", "middle", "{corner, middle}", "{c in cell where c.row = 1}")
    searches = [f"reach({way}, {start})" for start in starts for way in ("walk", "stroll")]
    rules = RULES + WAYS.format(step=step)
    found = values_of(rules, [*searches, *(f"count({one})" for one in searches)], scenario=SCENARIO)
    assert len(set(found.values())) > 3


@pytest.mark.parametrize("step, by_words", list(zip(STEPS, [True] * 4 + [False] * 2, strict=True)))
def test_only_steps_that_depend_on_sets_alone_are_taken_by_words(step: str, by_words: bool) -> None:
    rules = RULES + WAYS.format(step=step) + "  define free: set of cell = reach(walk, corner)\n"
    game = play(rules, scenario=SCENARIO, journal=False)
    assert ("(local $near_" in compile_wasm(game, lower(game.program)).text) == by_words


def test_small_definitions_are_written_where_they_are_called() -> None:
    rules = RULES + "  define dries(c: cell): number = count(d in directions where dry(c, d))\n"
    found = values_of(rules, ["dries(corner)", "dries(middle)"], scenario=SCENARIO)
    assert len(set(found.values())) > 1
    game = play(rules, scenario=SCENARIO, journal=False)
    assert "$d_dry " not in compile_wasm(game, lower(game.program)).text
    assert "$d_dry " in compile_wasm(game, lower(game.program), exported=True).text
