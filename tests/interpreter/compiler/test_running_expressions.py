"""Expressions, worked out: operators, quantifiers, operations on sets and lists, and what nothing is."""

from __future__ import annotations

import pytest

from tests.running import trial, values_of

RULES = """\
ruleset r "R"
players us "Us", them "Them"
option night "Night"
option fog "Fog"
rule 1:
  enum colour: red, green, blue
  piece unit:
    owner: player
    size: number
    colour: colour optional
    elite: flag optional
    steps: number = 3
    tired: flag = no
    friend: unit = nothing
  piece leader:
    owner: player
    steps: number = 1
  space cell on square board:
    cost: number = 1
  space box in network
  each player:
    points: number = 4
    rank: number
  pile heap of unit
  bag empty_bag of unit
  dice d6: 1..6
  value early = 2 until turn 3, 1 turns 4 to 6, 3 from turn 7
  variable first: unit = nothing
  variable list_of_units: list of unit
  variable lost: flag = no
  sequence turn:
    phase one
  define anybody: unit or leader = boss
  define boss: leader = the highest(l in leader by l.steps)
  define by_id(n: number): unit = the lowest(u in unit where u.size = n by 1)
  define nobody: unit = the lowest(u in unit where u.size = 99 by 1)
  define corner: cell = "c1"
  define double(n: number): number = 2 * n
  define grade(n: number): colour:
    red when n < 2
    green when n in 2..4 or n = 9
    blue when n < 9
    otherwise nothing
  define pair(a: unit, b: unit): set of unit = {a, b}
  define stack: list of unit = [by_id(2), by_id(1), by_id(2)]
"""
SCENARIO = """\
options: [night]
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [3, 3]
  box:
    spaces: {store: {}, attic: {}, island: {}}
    links: [[store, a1], [store, attic]]
pieces:
  unit:
    - {id: A, owner: us, size: 1, colour: red, elite: yes, at: a1}
    - {id: B, owner: us, size: 2, colour: blue, at: a1, steps: 5}
    - {id: C, owner: them, size: 3, at: c3, tired: yes}
    - {id: D, owner: them, size: 4, colour: red, at: heap}
    - {id: E, owner: us, size: 5, friend: A}
  leader:
    - {id: L, owner: us, at: a1}
    - {id: M, owner: them, at: store, steps: 4}
each:
  player: {us: {rank: 1}, them: {rank: 2, points: -3}}
"""
EXPECTED = {
    # numbers
    "2 + 3 * 4 - 1": "13",
    "(2 + 3) * 4": "20",
    "-3 + 1": "-2",
    "-(3 - 5)": "2",
    "7 / 2 rounded down": "3",
    "7 / 2 rounded up": "4",
    "7 / 2 rounded nearest": "4",
    "-7 / 2 rounded down": "-4",
    "-7 / 2 rounded up": "-3",
    "-7 / 2 rounded nearest": "-3",
    "8 / 3 rounded nearest": "3",
    "7 / 3 rounded nearest": "2",
    "double(double(3))": "12",
    "[grade(1), grade(3), grade(7), grade(9)]": "red, green, blue, green",
    "grade(12) = nothing": "yes",
    "absolute(2 - 9)": "7",
    "lowest_of(4, 2, 3)": "2",
    "highest_of(4, 2, 7)": "7",
    "1 if 2 > 3 otherwise 4 if 3 > 2 otherwise 5": "4",
    "1000 * 1000 * 1000": "1000000000",
    # flags
    "yes and not no": "yes",
    "no or 1 = 2": "no",
    "1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 3 != 4": "yes",
    "red < blue": "yes",
    "green > blue": "no",
    "3 in 2..4": "yes",
    "5 in 2..4": "no",
    "2 in 2..2": "yes",
    "from turn 1": "yes",
    "from turn 2": "no",
    "until turn 1": "yes",
    "turns 2 to 4": "no",
    "turn": "1",
    "night": "yes",
    "fog": "no",
    "early": "2",
    # attributes, and those of nothing
    "by_id(2).steps": "5",
    "by_id(1).steps": "3",
    "by_id(1).elite": "yes",
    "by_id(2).elite": "no",
    "by_id(3).colour": "nothing",
    "by_id(1).at": "a1",
    "by_id(4).at": "heap",
    "by_id(5).at": "nothing",
    "by_id(5).friend.steps": "3",
    "by_id(5).friend.friend": "nothing",
    "nobody": "nothing",
    "nobody.steps": "0",
    "nobody.tired": "no",
    "nobody.size": "0",
    "nobody.elite": "no",
    "nobody.at": "nothing",
    "nobody.at.cost": "0",
    "nobody.owner": "nothing",
    "nobody.owner.points": "0",
    "nobody.friend.friend.steps": "0",
    "nobody = nothing": "yes",
    "first != nothing": "no",
    "us.points + them.points": "1",
    "by_id(3).owner.rank": "2",
    "corner.row + corner.column": "4",
    "nobody.at.row": "0",
    # sets
    'unit at "a1"': "A, B",
    'leader at "a1"': "L",
    "unit at nothing": "E",
    "unit at heap": "D",
    "unit at nobody.at": "E",
    "{u in unit where u.owner = us}": "A, B, E",
    "{u in unit where u.owner != us}": "C, D",
    '{u in unit where u.at = "a1" and u.size > 1}': "B",
    '{u in unit where u.at != "a1"}': "C, D, E",
    "{u in unit where not u.elite}": "B, C, D, E",
    "{u in unit where u.colour = nothing}": "C, E",
    "{u in unit where u.colour != nothing}": "A, B, D",
    "{u in unit where u.colour in {red, green}}": "A, D",
    "{u in unit where u in pair(by_id(1), nobody)}": "A",
    "{u in unit where u not in pair(by_id(1), by_id(2))}": "C, D, E",
    "{u in unit where u = by_id(3)}": "C",
    "{u in unit where u != by_id(3)}": "A, B, D, E",
    "{u in unit where u in stack}": "A, B",
    "count(u in unit where u in stack)": "2",
    "sum(u.size for u in unit where u in stack)": "3",
    "size(stack)": "3",
    "{u.size for u in (stack + [by_id(3)] + [])}": "2, 1, 2, 3",
    "size([] + stack)": "3",
    "count(u in stack where u.size = 2)": "2",
    "{u.size for u in stack}": "2, 1, 2",
    "anybody in unit": "no",
    "anybody in leader": "yes",
    "anybody not in {u in unit where u.size > 0}": "yes",
    "count(x in (unit + leader) where x in leader)": "2",
    "count(x in (unit + leader) where x in stack)": "2",
    "{u in unit where u = anybody}": "nothing",
    "count(u in unit where u = anybody)": "0",
    "count(u in leader where u = anybody)": "1",
    "some u in unit where u = anybody": "no",
    "some p in player where p = us and p.points > 1": "yes",
    "{u.colour for u in unit}": "red, blue",
    "{u.at for u in unit where u.owner = us}": "a1",
    "{u.size * 2 for u in unit where u.owner = us}": "2, 4, 10",
    "{red, blue, red}": "red, blue",
    "{}": "nothing",
    'unit at "a1" + unit at "c3"': "A, B, C",
    'unit at "a1" - {by_id(1)}': "B",
    "{red, green} - {green, blue}": "red",
    "pair(nobody, nobody) = {}": "yes",
    "by_id(1) in pair(by_id(1), by_id(2))": "yes",
    "nobody in pair(by_id(1), by_id(2))": "no",
    "nobody not in pair(by_id(1), by_id(2))": "yes",
    "by_id(4) in heap": "yes",
    "by_id(1) in heap": "no",
    'by_id(1) at "a1"': "yes",
    'by_id(1) at "c3"': "no",
    "by_id(5) at nothing": "yes",
    'unit at "b2" = {}': "yes",
    'size(unit at "a1")': "2",
    "size(heap)": "1",
    "top(heap)": "D",
    "top(empty_bag)": "nothing",
    'the(unit at "a1")': "A",
    "the(stack)": "B",
    "the(u in unit where u.size > 9)": "nothing",
    # lists
    "item([10, 20, 30], 2)": "20",
    "item([10, 20, 30], 0)": "0",
    "item([10, 20, 30], 4)": "0",
    "item([10, 20, 30], -1)": "0",
    "item([10, 20, 30], blue)": "30",
    "item(stack, 1)": "B",
    "item(stack, 9)": "nothing",
    "item({u in unit where u.owner = us}, 2)": "B",
    "numbers(2, 5)": "2, 3, 4, 5",
    "numbers(5, 2)": "nothing",
    "sum(n * n for n in numbers(1, 4))": "30",
    "count(n in [1, 1, 2] where n = 1)": "2",
    "3 in [1, 2, 3]": "yes",
    "4 not in [1, 2, 3]": "yes",
    "the([4, 5])": "4",
    "the(u in stack where u.size < 2)": "A",
    "the(unit where it.size > 1)": "B",
    "by_id(1) is tired": "no",
    "by_id(1) is not tired and not nobody.tired": "yes",
    "nobody is elite": "no",
    # quantifiers
    "some unit": "yes",
    "some u in unit where u.size = 9": "no",
    'some unit at "a1" where it.size = 2': "yes",
    'no unit at "b2"': "yes",
    "no u in unit where u.tired": "no",
    "every u in unit has u.size > 0": "yes",
    "every u in unit where u.owner = them has u.tired": "no",
    'every u in unit at "b2" has no': "yes",
    "count(unit)": "5",
    "count(unit where it.owner = them)": "2",
    'count(unit at "a1")': "2",
    "count(player)": "2",
    "count(colour)": "3",
    "count(heap)": "1",
    "count(cell)": "9",
    "count(box)": "3",
    "sum(u.size for u in unit)": "15",
    'sum(u.size for u in unit at "b2")': "0",
    "sum(it.steps for unit where it.owner = us)": "11",
    "sum(count(v in unit where v.size < u.size) for u in unit)": "10",
    "most(u.steps for u in unit)": "5",
    "least(u.steps for u in unit)": "3",
    "most(0 - u.steps for u in unit)": "-3",
    'most(u.steps for u in unit at "b2")': "0",
    'least(u.steps for u in unit at "b2")': "1000000",
    "the highest(u in unit by u.size)": "E",
    "the lowest(u in unit by u.size)": "A",
    "the highest(u in unit by u.steps)": "B",
    "the lowest(u in unit by u.steps)": "A",
    "the lowest(unit where it.size > 2 by it.steps)": "C",
    'the highest(u in unit at "b2" by u.size)': "nothing",
    'the lowest(u in unit where u.at != nothing by distance(u.at, "c3"))': "C",
    # texts
    "name_of(by_id(1))": "A",
    "name_of(us)": "Us",
    "nothing": "nothing",
    # whoever plays
    "next_player(us)": "Them",
    "next_player(them)": "Us",
    "next_player(nobody.owner)": "nothing",
    "last_turn": "0",
    "game_over": "no",
    "winners": "nothing",
}  # fmt: skip


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return dict(values_of(RULES, EXPECTED, scenario=SCENARIO))


@pytest.mark.parametrize("text", EXPECTED)
def test_expression(found: dict[str, str], text: str) -> None:
    assert found[text] == EXPECTED[text]


NAMED = """ruleset r "R"
players us "Us"
rule 1 "All":
  piece unit:
    steps: number = 3
  define said(u: unit): text = "a {u}"
  sequence turn:
    phase go: us takes 1 action
  action march(u: unit) by us in go:
    when CONDITION
    do: increase u.steps by 1
"""


@pytest.mark.parametrize(
    ("condition", "offered"),
    [
        ('"{u}" = "A"', ["march(A)"]),
        ('said(u) = "a B"', ["march(B)"]),
        ("size({}) = 0", ["march(A)", "march(B)"]),
        ("count({}) > 0 or u.steps > 9", []),
    ],
)
def test_conditions_may_look_at_names_and_at_nothing(condition: str, offered: list[str]) -> None:
    rules = NAMED.replace("CONDITION", condition)
    game = trial(rules, scenario="turns: 1\npieces: {unit: [{id: A}, {id: B}]}\n")
    assert [key for key in game.keys if key.startswith("march")] == offered
