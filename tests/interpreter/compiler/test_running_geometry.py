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
  define island: box = "island"
  define c2: cell = "c2"
  define b3: cell = "b3"
  define isigny: town = "isigny"
  # The names are crossed on purpose: what a definition calls its things must not matter where it is asked.
  define near(u: unit, c: cell): flag = u.range <= 2 and close(c, u)
  define close(u: cell, c: unit): flag = distance(c.at, u) <= 2
  way anywhere over space from x to y: when yes
  way at_a_price over space from x to y: cost 1
  way round_woods over cell from x to y: when not y.wood
  way two_round_woods over cell from x to y:
    when not y.wood
    up to 2
  way dear over cell from x to y:
    cost 2
    up to 3
  way slow_in_woods over cell from x to y:
    cost 2 if y.wood otherwise 1
    up to 2
  way no_river over cell from x to y:
    when not edge(x, y).river
    cost 1
    up to 1
  way halting over cell from x to y:
    when yes
    up to 3
    stop where y = b1
  way free over cell from x to y:
    when yes
    cost 0
  way forbidden over cell from x to y: cost -1
  way one_round_woods over cell from x to y:
    when not y.wood
    up to 1
  way out_of_no_wood over cell from x to y: when not x.wood
  way threes over cell from x to y: cost 3
  way threes_to_11 over cell from x to y:
    cost 3
    up to 11
  way inland over town from x to y: when not y.port
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
    "neighbours(store)": "Camp",
    "neighbours(nowhere)": "nothing",
    "neighbours(in_heap.at)": "nothing",
    "neighbours(A.at)": "b1, a2, Store",
    "neighbours(caen)": "Bayeux",
    "neighbours(alone)": "0102, 0201",
    "{c in cell where adjacent(c, a1)}": "b1, a2",
    "{c in cell where adjacent(store, c)}": "a1",
    "{x in box where adjacent(x, a1)}": "Store",
    "{t in town where adjacent(t, store)}": "Caen",
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
    "ring(store, 1)": "Camp",
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
    "reach(anywhere, in_heap.at)": "heap",
    "price(anywhere, in_heap.at, a1)": "1000000",
    "price(anywhere, a1, in_heap.at)": "1000000",
    "reach(at_a_price, in_heap.at)": "heap",
    "sight(from in_heap.at to a1, x where no)": "no",
    "sight(from store to a1, x where no)": "no",
    "edge(in_heap.at, a1) = nothing": "yes",
    "the lowest(u in unit by distance(u.at, in_heap.at))": "D",
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
    "reach(round_woods, a1)": "a1, b1, c1, a2, c2, a3, b3",
    "reach(two_round_woods, a1)": "a1, b1, c1, a2, a3",
    "reach(dear, a1)": "a1, b1, a2",
    "reach(slow_in_woods, a1)": "a1, b1, c1, a2, a3",
    "reach(no_river, a1)": "a1, a2",
    "reach(halting, a1)": "a1, b1, a2, b2, c2, a3, b3",
    "reach(free, a1)": "a1, b1, c1, a2, b2, c2, a3, b3, c3",
    "reach(forbidden, a1)": "a1",
    "reach(anywhere, nowhere)": "nothing",
    "reach(one_round_woods, {a1, c3})": "a1, b1, a2, c2, b3, c3",
    "price(anywhere, {a1, c3}, b1)": "1",
    "size(reach(anywhere, {}))": "0",
    "price(out_of_no_wood, a1, c3)": "4",
    "price(round_woods, a1, c3)": "1000000",
    "price(threes, a1, c3)": "12",
    "price(threes_to_11, a1, c3)": "1000000",
    "price(threes, a1, a1)": "0",
    "price(threes_to_11, a1, c3) = nothing": "yes",
    "nothing != price(threes, a1, c3)": "yes",
    "distance(a1, island) = nothing": "yes",
    "path(round_woods, a1, c2)": "b1, c1, c2",
    "path(slow_in_woods, a1, c1)": "b1, c1",
    "path(threes_to_11, a1, c3)": "nothing",
    "path(free, a1, c3)": "b1, c1, c2, c3",
    "path(threes, a1, a1)": "nothing",
    "path(threes, nowhere, a1)": "nothing",
    "path(threes, a1, nowhere)": "nothing",
    "path(anywhere, {a1, c3}, b3)": "b3",
    "path(inland, caen, isigny)": "Bayeux, Isigny",
    "size(path(halting, a1, c1))": "0",
    "joined(round_woods, a1, c2)": "yes",
    "joined(round_woods, a1, c3)": "no",
    "joined(round_woods, {a1, c3}, {b2, c3})": "yes",
    "joined(round_woods, {a1, b1}, {b2, c3})": "no",
    "joined(round_woods, nowhere, a1)": "no",
    "joined(round_woods, a1, nowhere)": "no",
    "price(threes, a1, nowhere)": "1000000",
    "price(threes, nowhere, a1)": "1000000",
    "reach(inland, caen)": "Caen, Bayeux, Isigny",
    "size(reach(anywhere, A.at))": "14",
    "sight(from a1 to a3, x where x.wood)": "yes",
    "sight(from a1 to c3, x where x.wood)": "no",
    "sight(from a1 to nowhere, x where x.wood)": "no",
    "sight(from a1 to b1, x where yes)": "yes",
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
  define march(u: unit): set of hex = reach(cheap_hexes, u.at)
  define drive(u: unit): set of hex = reach(two_hexes, u.at)
  define travel(h: hex): set of hex or box = reach(roads, h)
  define plainly(h: hex): number = size(reach(hexes, h))
  define held: set of hex = {u.at for u in unit}
  way cheap_hexes over hex from x to y: when y.cost = 1
  way two_hexes over hex from x to y:
    cost 1
    up to 2
  way roads over hex or box from x to y: when yes
  way hexes over hex from x to y: when yes
  way twos over hex or box from x to y: cost 2
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
    "near_boxes(A)": "Paris",
    "boxes_of(A.at)": "Paris",
    "around(far)": "Paris",
    "neighbours(A.at)": "0101, Paris",
    "close(A)": "0101, 0102",
    "march(A)": "0101, 0102",
    "march(P)": "0101, 0102, 0104",
    "drive(A)": "0101, 0102",
    "plainly(start)": "2",
    "travel(start)": "0101, 0102, 0104, Paris",
    "price(hexes, start, far)": "1000000",
    "price(roads, start, paris)": "2",
    "price(twos, paris, start)": "4",
    "price(roads, P.at, far)": "1",
    "held": "0102",
}


def test_sets_of_a_kind_hold_spaces_of_that_kind() -> None:
    """Boxes and towns that are linked to a hex are no hexes, so nobody marches there by a set of hexes."""
    assert values_of(LINKED, OF_THE_KIND, scenario=LINKS) == OF_THE_KIND
