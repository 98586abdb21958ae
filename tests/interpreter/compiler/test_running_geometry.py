"""Boards in rules: neighbours and distances, searches, sight, matching, edges, and boards that are joined."""

from __future__ import annotations

import pytest

from tests.running import trial, values_of

RULES = """\
ruleset r "R"
players us
rule 1:
  piece unit:
    range: number
  space cell on square board:
    wood: flag optional
    cost: number = 1
  space hex on hex board
  space town in network:
    port: flag = no
  space hour on track
  space box
  edge side between cell, cell:
    river: flag
    bridge: flag = no
    toll: number = 2
  pile heap of unit
  sequence turn:
    phase one
  define a1: cell = "a1"
  define b1: cell = "b1"
  define c1: cell = "c1"
  define a3: cell = "a3"
  define c3: cell = "c3"
  define b2: cell = "b2"
  define store: box = "store"
  define camp: box = "camp"
  define caen: town = "caen"
  define nowhere: cell = next_space(a1, w)
  define in_heap: unit = top(heap)
  define alone: hex = "0101"
  # The names are crossed on purpose: what a definition calls its things must not matter where it is asked.
  define near(u: unit, c: cell): flag = u.range <= 2 and close(c, u)
  define close(u: cell, c: unit): flag = distance(c.at, u) <= 2
"""
SCENARIO = """\
boards:
  cell:
    layout: {shape: square, adjacency: orthogonal}
    numbering: "{letter}{row}"
    legend: {".": {}, "w": {wood: yes}}
    rows:
      - ". . ."
      - ". w ."
      - ". . w"
  hex:
    layout: {shape: hex, orientation: pointy, shifted: even}
    rows: [". . .", " . . ."]
    legend: {".": {}}
  town:
    spaces: {caen: {port: yes}, bayeux: {}, isigny: {}}
    links: [[caen, bayeux], [bayeux, isigny]]
  hour:
    spaces: [1, 2, 3]
  box:
    spaces: {store: {}, camp: {}, island: {}}
    links: [[store, a1], [store, caen], [store, camp]]
edges:
  side:
    a1|b1: {river: yes}
    b1|c1: {river: no, bridge: yes, toll: 5}
pieces:
  unit:
    - {id: A, range: 1, at: a1}
    - {id: B, range: 2, at: c3}
    - {id: C, range: 3, at: store}
    - {id: D, range: 1, at: heap}
    - {id: E, range: 1}
"""
EXPECTED = {
    "neighbours(b2)": "b1, a2, c2, b3",
    "neighbours(a1)": "b1, a2",
    "neighbours(store)": "camp",
    "neighbours(nowhere)": "nothing",
    "neighbours(in_heap.at)": "nothing",
    "neighbours(A.at)": "b1, a2, store",
    "neighbours(caen)": "bayeux",
    "neighbours(alone)": "0102, 0201",
    "{c in cell where adjacent(c, a1)}": "b1, a2",
    "{c in cell where adjacent(store, c)}": "a1",
    "{x in box where adjacent(x, a1)}": "store",
    "{t in town where adjacent(t, store)}": "caen",
    "{c in cell where not adjacent(c, a1) and c.row = 1}": "a1, c1",
    "count(neighbours(a1))": "2",
    "{u in unit where adjacent(u.at, b1)}": "A",
    "{u in unit where not adjacent(b1, u.at)}": "B, C, D, E",
    "{u in unit where distance(u.at, b1) <= 1}": "A",
    "{u in unit where distance(u.at, b1) <= 2}": "A, C",
    "{u in unit where distance(c1, u.at) <= 2}": "A, B",
    "{u in unit where not distance(u.at, b1) <= 2}": "B, D, E",
    "{u in unit where distance(u.at, nowhere) <= 2}": "nothing",
    "{u in unit where distance(u.at, in_heap.at) <= 2}": "D",
    "{u in unit where near(u, b1)}": "A",
    "some u in unit where near(u, c3)": "yes",
    "{c in cell where some u in unit where near(u, c) and u.range = 2}": "c1, b2, c2, a3, b3, c3",
    "adjacent(a1, store)": "yes",
    "adjacent(a1, b2)": "no",
    "adjacent(nowhere, nowhere)": "no",
    "distance(a1, c3)": "4",
    "distance(a1, a1)": "0",
    "distance(a1, store)": "1",
    "distance(c3, caen)": "6",
    "distance(a1, alone)": "1000000",
    "distance(nowhere, a1)": "1000000",
    "distance(in_heap.at, a1)": "1000000",
    "distance(E.at, E.at)": "1000000",
    "spaces_within(a1, 1)": "a1, b1, a2",
    "spaces_within(a1, 0)": "a1",
    "spaces_within(nowhere, 3)": "nothing",
    "spaces_within(in_heap.at, 3)": "heap",
    "ring(a1, 2)": "c1, b2, a3",
    "ring(store, 1)": "camp",
    "ring(nowhere, 1)": "nothing",
    "next_space(a1, e)": "b1",
    "next_space(a1, s)": "a2",
    "next_space(a1, se)": "b2",
    "next_space(a1, n)": "nothing",
    "next_space(next_space(a1, n), s)": "nothing",
    "next_space(store, e)": "nothing",
    "next_space(in_heap.at, e)": "nothing",
    "opposite(ne)": "sw",
    "next_space(alone, se)": "0201",
    "line_between(a1, a3)": "a2",
    "line_between(in_heap.at, a3)": "nothing",
    "line_between(a3, in_heap.at)": "nothing",
    "line_between(store, a3)": "nothing",
    "ring(in_heap.at, 1)": "nothing",
    "size(lines_through(in_heap.at, 3))": "0",
    "reachable(from in_heap.at, x to y where yes)": "heap",
    "reachable(from in_heap.at to a1, x to y where yes)": "1000000",
    "reachable(from a1 to in_heap.at, x to y where yes)": "1000000",
    "reachable(from in_heap.at, x to y costing 1)": "heap",
    "sight(from in_heap.at to a1, x where no)": "no",
    "sight(from store to a1, x where no)": "no",
    "edge(in_heap.at, a1) = nothing": "yes",
    "nearest(u in unit to in_heap.at)": "D",
    "along(from in_heap.at, e, x while yes)": "nothing",
    "in_heap.at.row": "0",
    "adjacent(in_heap.at, a1)": "no",
    "line_between(nowhere, a3)": "nothing",
    "size(lines_through(b2, 3))": "4",
    "size(lines_through(a1, 3))": "3",
    "size(lines_through(store, 3))": "0",
    "size(lines_through(nowhere, 3))": "0",
    "along(from a1, e, x while x.cost = 1)": "b1, c1",
    "along(from a1, s, x while x != a3)": "a2",
    "along(from a1, n, x while yes)": "nothing",
    "along(from nowhere, e, x while yes)": "nothing",
    "count(x in along(from a1, e, x while yes) where x = c1)": "1",
    "some x in along(from a1, s, y while yes) where x.wood": "no",
    "every x in along(from a1, s, y while yes) has not x.wood": "yes",
    "edge(a1, b1).river": "yes",
    "edge(b1, a1).river": "yes",
    "edge(b1, c1).river": "no",
    "edge(b1, c1).bridge": "yes",
    "edge(a1, b1).bridge": "no",
    "edge(b1, c1).toll": "5",
    "edge(a1, b1).toll": "2",
    "edge(a1, c1).toll": "0",
    "edge(a1, c1) = nothing": "yes",
    "edge(nowhere, a1).toll": "0",
    "reachable(from a1, x to y where not y.wood)": "a1, b1, c1, a2, c2, a3, b3",
    "reachable(from a1, x to y where not y.wood, within 2)": "a1, b1, c1, a2, a3",
    "reachable(from a1, x to y costing 2, within 3)": "a1, b1, a2",
    "reachable(from a1, x to y costing 2 if y.wood otherwise 1, within 2)": "a1, b1, c1, a2, a3",
    "reachable(from a1, x to y where not edge(x, y).river costing 1, within 1)": "a1, a2",
    "reachable(from a1, x to y where yes, within 3, stopping where y = b1)": "a1, b1, a2, b2, c2, a3, b3",
    "reachable(from a1, x to y where yes costing 0)": "a1, b1, c1, a2, b2, c2, a3, b3, c3",
    "reachable(from a1, x to y costing -1)": "a1",
    "reachable(from nowhere, x to y where yes)": "nothing",
    "reachable(from {a1, c3}, x to y where not y.wood, within 1)": "a1, b1, a2, c2, b3, c3",
    "reachable(from {a1, c3} to b1, x to y where yes)": "1",
    "size(reachable(from {}, x to y where yes))": "0",
    "reachable(from a1 to c3, x to y where not x.wood)": "4",
    "reachable(from a1 to c3, x to y where not y.wood)": "1000000",
    "reachable(from a1 to c3, x to y costing 3)": "12",
    "reachable(from a1 to c3, x to y costing 3, within 11)": "1000000",
    "reachable(from a1 to a1, x to y costing 3)": "0",
    "reachable(from a1 to nowhere, x to y costing 3)": "1000000",
    "reachable(from nowhere to a1, x to y costing 3)": "1000000",
    "reachable(from caen, x to y where not y.port)": "caen, bayeux, isigny",
    "size(reachable(from A.at, x to y where yes))": "14",
    "sight(from a1 to a3, x where x.wood)": "yes",
    "sight(from a1 to c3, x where x.wood)": "no",
    "sight(from a1 to nowhere, x where x.wood)": "no",
    "sight(from a1 to b1, x where yes)": "yes",
    "matching(u in unit to v in cell where u.at = v)": "2",
    "matching(u in unit to v in {a1, b1, c1} where distance(u.at, v) <= u.range)": "3",
    "matching(u in unit to v in unit where u.range > v.range, up to 2)": "4",
    "distance(x1, x3)": "2",
    "neighbours(x1)": "2",
}  # fmt: skip
MORE = """\
  define A: unit = the lowest(u in unit by 1)
  define E: unit = the highest(u in unit where u.at = nothing by 1)
  define x1: hour = the(h in hour where yes)
  define x3: hour = the highest(h in hour by distance(x1, h))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return dict(values_of(RULES + MORE, EXPECTED, scenario=SCENARIO))


@pytest.mark.parametrize("text", EXPECTED)
def test_expression(found: dict[str, str], text: str) -> None:
    assert found[text] == EXPECTED[text]


def test_edges_change_in_play() -> None:
    rules = RULES + (
        "  variable seen: number = 0\n  setup:\n"
        "    set edge(a1, b1).toll to 7\n    mark edge(b1, a1) as bridge\n"
        "    increase edge(a1, c1).toll by 9\n    set seen to edge(b1, a1).toll\n"
        "    if edge(a1, b1).bridge: increase seen by 100\n  at start of turn: nobody wins\n"
    )
    assert trial(rules + MORE, scenario=SCENARIO)["seen"] == "107"


LINKED = """\
ruleset r "R"
players us
rule 1:
  piece unit
  space hex on hex board:
    cost: number = 1
  space box
  space town in network
  sequence turn:
    phase one
  define A: unit = "A"
  define P: unit = "P"
  define start: hex = "0101"
  define far: hex = "0104"
  define paris: box = "paris"
  define near(u: unit): set of hex = neighbours(u.at)
  define near_boxes(u: unit): set of box = (neighbours(u.at))
  define boxes_of(h: hex): set of box = neighbours(h)
  define around(h: hex): set of hex or box = neighbours(h)
  define close(u: unit): set of hex = spaces_within(u.at, 1)
  define march(u: unit): set of hex = reachable(from u.at, x to y where y.cost = 1)
  define drive(u: unit): set of hex = reachable(from u.at, x to y costing 1, within 2)
  define travel(h: hex): set of hex or box = reachable(from h, x to y where yes)
  define plainly(h: hex): number = size(reachable(from h, x to y where yes))
  define held: set of hex = {u.at for u in unit}
"""
LINKS = """\
boards:
  hex:
    layout: {shape: hex, orientation: pointy, shifted: even}
    legend: {".": {}, "-": none}
    rows: [". . - ."]
  box:
    spaces: [paris]
    links: [[paris, "0102"], [paris, "0104"]]
  town:
    spaces: [caen]
    links: [[caen, "0101"]]
pieces:
  unit: [{id: A, at: "0102"}, {id: P, at: paris}]
"""
OF_THE_KIND = {
    "near(A)": "0101",
    "near(P)": "0102, 0104",
    "near_boxes(A)": "paris",
    "boxes_of(A.at)": "paris",
    "around(far)": "paris",
    "neighbours(A.at)": "0101, paris",
    "close(A)": "0101, 0102",
    "march(A)": "0101, 0102",
    "march(P)": "0101, 0102, 0104",
    "drive(A)": "0101, 0102",
    "plainly(start)": "2",
    "travel(start)": "0101, 0102, 0104, paris",
    "reachable(from start to far, x to y where yes)": "1000000",
    "reachable(from start to paris, x to y where yes)": "2",
    "reachable(from paris to start, x to y costing 2)": "4",
    "reachable(from P.at to far, x to y where yes)": "1",
    "held": "0102",
}


def test_sets_of_a_kind_hold_spaces_of_that_kind() -> None:
    """Boxes and towns that are linked to a hex are no hexes, so nobody marches there by a set of hexes."""
    assert values_of(LINKED, OF_THE_KIND, scenario=LINKS) == OF_THE_KIND
