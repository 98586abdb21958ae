"""A small game on a hex map with all that is told or shown: bookkeeping, looks, a status, secrets."""

from __future__ import annotations

RULES = """\
ruleset told "Told" edition "1"
players red "Red", blue "Blue"

rule 1 "Things":
  enum ground: grass, lake
  chart ground:
    | ground | sign: text | tint: text |
    | grass  | "."        | "green"    |
    | lake   | "~"        | "blue"     |
  space cell on hex board:
    ground: ground
    mined: flag = no
    shown as "{it.ground.sign}" coloured by it.ground.tint
  space camp:
    covers: set of cell
  piece unit:
    owner: player
    steps: number = 3 untold
    tired: flag = no each turn told
    acted: flag = no each turn untold
    power: number seen by owner
    shown as "{it} {it.steps}:{it.power}" coloured by it.owner
  card order untold:
    worth: number
  deck orders of order
  pile used of order
  pile lost of unit untold
  variable shots: number = 0 untold
  variable wind: number = 0
  dice d6: 1..6
  status "Wind {wind}"
  status "Storm" when wind > 1

rule 2 "Play":
  sequence turn:
    phase orders "Orders" for each p in player: p may take actions
    phase night "Night" for each g in ground
  action march "March" (u: unit, to: cell) by p in orders:
    shown as "{u} marches to {to}"
    when u.owner = p  else "not yours"
    when adjacent(u.at, to)  else "too far"
    when not u.acted  else "it has acted"
    do:
      mark u as acted
      mark u as tired
      put u on to
  action fire "Fire" (u: unit) by p in orders:
    when u.owner = p
    do:
      mark u as acted
      increase shots by 1
      let rolled = roll d6
      say "It rolls {rolled}"
      if rolled > 3: hit(u)
  action draw_one "Draw" by p in orders:
    do:
      let drawn = draw from orders
      put drawn on used
      increase wind by drawn.worth
  action rout "Rout" by p in orders:
    do:
      for each u in unit where u.owner = p: mark u as tired
      for each u in unit where u.owner = p: put u on "a1"
      for each u in unit where u.owner != p: put u on lost

rule 3 "Hits":
  procedure hit(u: unit):
    decrease u.steps by 1
    say "{u} loses a step"
  procedure drift(u: unit, to: cell):
    say "{u} drifts to {to}"
    put u on to
  action float "Float" (u: unit) by p in orders:
    when u.owner = p
    do: drift(u, "c1")
"""
SCENARIO = """\
title: Told
boards:
  cell:
    layout: {shape: hex, orientation: pointy, shifted: even}
    numbering: "{letter}{row}"
    legend: {".": {ground: grass}, "~": {ground: lake}}
    rows:
      - ". . . . . . . . . . . . . . . . . . . ~"
      - " . . . . . . . . . . . . . . . . . . . ~"
      - ". . . . . . . . . . . . . . . . . . . ~"
      - " . . . . . . . . . . . . . . . . . . . ~"
  camp:
    spaces:
      post: {covers: [b1, b2, c2]}
pieces:
  unit:
    - {id: r1, owner: red, power: 4, at: b2}
    - {id: r2, owner: red, power: 5, at: b2}
    - {id: r3, owner: red, power: 6, at: c2}
    - {id: b9, owner: blue, power: 7, at: s3}
  order:
    - {id: o1, worth: 1, at: orders}
    - {id: o2, worth: 2, at: orders}
    - {id: o3, worth: 3, at: orders}
    - {id: o4, worth: 4, at: orders}
"""
FILE = f"scenario: told-scenario\nruleset: told\n{SCENARIO}"
