"""Searches by sets: they find what the condition says; only what sets can answer is searched so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.passes.lower import lower
from interpreter.passes.steps import ALWAYS
from tests.running import play, values_of

RULES = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum ground: clear, wood, mud
  piece unit:
    owner: player
    tired: flag = no
    home: cell = nothing
  space cell on square board:
    ground: ground
    wet: flag = no
  variable eastern_row: number = 2
  variable widest: number = 7
  variable forbidden: set of cell = {}
  variable scout: unit = nothing
  sequence turn:
    phase act for each p in player: p takes 1 action
  action flood by p in act:
    do: for each c in cell where c.row = turn: mark c as wet
  action close by p in act:
    do: set widest to 3
  define corner: cell = the(c in cell where c.row = 1 and c.column = 1)
  define scouting: flag = scout != nothing and scout.at in cell and eastern_row > 0
  define here: cell = the(u in unit where u.owner = them).at
  define held(p: player): set of cell = {u.at for u in unit where u.owner = p}
  define zone(p: player): set of cell = {c in cell where some x in neighbours(c) where x in held(p)}
  define usable(c: cell): flag = c.column >= eastern_row - 1 and c.ground != mud
  define hostile(p: player, c: cell): flag = c in held(p) or (p != us and some u in unit at c where u.tired)
  define safe(p: player, c: cell): flag = usable(c) and not hostile(p, c) and (c not in zone(p) or c.wet)
  define near(c: cell, limit: number): flag = distance(c, corner) <= limit
  setup:
    for each c in cell where (c.row + 2 * c.column) / 3 rounded down = 4: mark c as wet
"""
SCENARIO = """\
turns: 3
variables: {eastern_row: 1, scout: u3}
boards:
  cell:
    numbering: "{letter}{row}"
    legend: {".": {ground: clear}, "m": {ground: mud}, "w": {ground: wood}}
    rows: ["....m....", ".w.......", "....m....", "....m....", ".m.......", ".........", ".w......."]
pieces:
  unit:
    - {id: u1, owner: us, at: c3}
    - {id: u2, owner: us, at: f5, tired: yes, home: d3}
    - {id: u3, owner: them, at: h6, home: g4}
"""
BY_SETS = [
    "y.ground != mud", "usable(y)", "safe(us, y)", "safe(them, y)", "x.row <= y.row and safe(us, y)",
    "y in held(us) or not hostile(us, y)", "y.wet or y.ground = clear", "(us = them or y not in zone(us))",
    "no u in unit at y where u.owner = us", "no u in unit where u.home = y and u.tired",
    "y.column < 7 or some u in unit where y = u.home and u.owner != us",
]  # fmt: skip
ONE_BY_ONE = [
    "x.wet = y.wet", "y in zone(us) or x in zone(us)", "near(y, widest)",
    "y.row / (y.column - 1) rounded down < 4",
]  # fmt: skip
ENDS = ["y in zone(us)", "y.wet or hostile(them, y)", "y.column = 4", "some u in unit where u.home = y"]


def way(step: str) -> str:
    return (
        f"  way walk over cell from x to y: when {step}\n"
        f"  way stroll over cell from x to y:\n    when {step}\n    up to 3\n"
    )


@pytest.mark.parametrize("step", BY_SETS + ONE_BY_ONE[:-1])
def test_what_can_be_reached_is_the_same_by_sets(step: str) -> None:
    searches = [
        f"reach({one}, {start})"
        for start in ("corner", "here", "{corner, here}", "held(us)")
        for one in ("walk", "stroll")
    ]
    found = values_of(RULES + way(step), searches, scenario=SCENARIO)
    assert len(set(found.values())) > 2


def stopping(end: str) -> str:
    return (
        f"  way walk over cell from x to y:\n    when usable(y)\n    stop where {end}\n"
        "  way stroll over cell from x to y:\n"
        f"    when y.row >= x.row - 1\n    stop where {end}\n    up to 3\n"
    )


@pytest.mark.parametrize("end", [*ENDS, "near(y, widest)"])
def test_what_ends_a_movement_is_the_same_by_sets(end: str) -> None:
    searches = [
        f"reach({one}, {start})"
        for start in ("corner", "here", "{corner, here}", "zone(us)")
        for one in ("walk", "stroll")
    ]
    found = values_of(RULES + stopping(end), searches, scenario=SCENARIO)
    assert len(set(found.values())) > 2


@pytest.mark.parametrize(
    "end, by_sets",
    [
        *((one, True) for one in ENDS),
        ("near(y, widest)", False),
        ("y.row / y.column rounded down = 1", False),
    ],
)
def test_only_ends_of_movement_that_sets_can_tell_become_sets(end: str, by_sets: bool) -> None:
    rules = RULES + stopping(end) + "  define free: set of cell = reach(walk, corner)\n"
    searches = [
        part
        for part in parts(lower(play(rules, scenario=SCENARIO).program).program)
        if isinstance(part, ir.Reach)
    ]
    assert [(part.halts is not None, part.stop is None) for part in searches] == [(by_sets, by_sets)]


def test_where_pieces_are_is_found_once_for_all_searches() -> None:
    rules = RULES + (
        "  define ours(c: cell): flag = some u in unit at c where u.owner = us and u is not tired\n"
        "  define owned(p: player, c: cell): flag = some x in unit at c where x.owner = p\n"
        "  way one over cell from x to y: when not ours(y)\n"
        "  way other(p: player) over cell from x to y:\n"
        "    when y.ground = clear and not ours(y)\n    stop where owned(p, y)\n"
        "  define free(p: player): set of cell = reach(one, corner) + reach(other(p), corner)\n"
    )
    game = play(rules, scenario=SCENARIO)
    lowered = lower(game.program)
    before = {definition.name for definition in game.program.definitions}
    made = {one.name: one for one in lowered.program.definitions if one.name not in before}
    assert sorted(len(one.parameters) for one in made.values()) == [0, 1]
    assert made.keys() <= lowered.analysis.remembered.keys()
    calls = [part.name for part in parts(lowered.program) if isinstance(part, ir.Call) and part.name in made]
    assert sorted(calls.count(name) for name in made) == [1, 2]
    found = values_of(rules, ["free(us)", "free(them)", "reach(other(us), here)"], scenario=SCENARIO)
    assert len(set(found.values())) > 1


def test_what_a_search_finds_may_be_what_another_is_given() -> None:
    rules = RULES + (
        "  way clear_of_us over cell from x to y: when no u in unit at y where u.owner = us\n"
        "  way inside(area: set of cell) over cell from x to y: when y in area\n"
        "  way ending(area: set of cell) over cell from x to y:\n    when usable(y)\n"
        "    stop where y in area\n"
    )
    area = "reach(clear_of_us, corner)"
    found = values_of(
        rules, [f"reach(inside({area}), here)", f"reach(ending({area}), here)"], scenario=SCENARIO
    )
    assert len(set(found.values())) == 2


@pytest.mark.parametrize(
    "step, by_sets", [*((one, True) for one in BY_SETS), *((one, False) for one in ONE_BY_ONE)]
)
def test_only_conditions_that_sets_can_answer_become_sets(step: str, by_sets: bool) -> None:
    game = play(RULES + way(step) + "  define free: set of cell = reach(walk, corner)\n", scenario=SCENARIO)
    searches = [part for part in parts(lower(game.program).program) if isinstance(part, ir.Reach)]
    assert [part.within is not None for part in searches] == [by_sets]
    assert [part.condition is None for part in searches] == [by_sets]


def test_what_never_changes_of_a_step_is_known_once_for_all_searches() -> None:
    rules = RULES + (
        "  way one over cell from x to y: when usable(y) and y not in zone(us)\n"
        "  way other over cell from a to b: when usable(b) and b.wet\n"
        "  way third over cell from x to y: when y.wet\n"
        "  define free: set of cell = reach(one, corner) + reach(other, here) + reach(third, here)\n"
    )
    lowered = lower(play(rules, scenario=SCENARIO).program)
    searches = [part for part in parts(lowered.program) if isinstance(part, ir.Reach)]
    assert len(searches) == 3
    assert sorted(part.steps for part in searches) == [0, 0, 1]
    assert [one.test == ALWAYS for one in lowered.steps] == [False, True]


def test_variables_that_no_rule_changes_are_what_the_scenario_says() -> None:
    found = values_of(RULES, ["eastern_row", "size(forbidden)", "widest", "scout"], scenario=SCENARIO)
    assert list(found.values()) == ["1", "0", "7", "u3"]
    program = play(RULES, scenario=SCENARIO).program
    hidden = replace(
        program,
        variables=tuple(
            replace(one, carried=True) if one.name == "eastern_row" else one for one in program.variables
        ),
    )
    for one, names in ((program, {"eastern_row"}), (hidden, set())):
        lowered = lower(one).program
        assert {part.name for part in parts(lowered) if isinstance(part, ir.Given)} == names
        # What names a piece stays with the position: who looks ahead may not know which piece it is.
        assert any(isinstance(part, ir.Global) and part.name == "scout" for part in parts(lowered))
