"""A small game of counters that lie face down, for tests.

Counters come out of a bag onto a board, two of them onto the same cell. Blinds have an owner, who knows them.
"""

from __future__ import annotations

RULES = """\
ruleset blinds "Blinds"
players red "Red", blue "Blue", fate "Fate" automated
rule 1 "Counters":
  piece counter:
    pool: near | far
    strength: number hidden
    trap: flag optional hidden
    hurt: flag = no
    shown as "{it}={it.strength}"
  piece blind:
    owner: player
    size: number hidden
  bag reserve of counter untold
  space cell on square board
  variable target: counter = nothing
  variable found: number = 0
rule 2 "Set-up":
  setup:
    for each c in cell:
      let drawn = draw from reserve
      put drawn on c
    let another = draw from reserve
    put another on the(cell)
rule 3 "Search":
  sequence turn:
    phase search for each p in {red, blue}: p takes 1 action
  action probe "Probe" (c: counter) by p in search:
    when c.at in cell  else "it is not on the board"
    when not c.face_up  else "{c} is known" (1)
    shown as "Look at {c}"
    do:
      set target to c
      say "{p} looks at {c}"
      flip c face up
      increase found by c.strength
      if c.trap: flip counter at c.at face down
  action poke "Poke" (c: counter) by p in search:
    when c.at in cell and not c.hurt
    do: mark c as hurt
  action take_away "Take away" (c: counter) by p in search:
    when c.at in cell and c.hurt
    do:
      set target to nothing
      flip c face down
      put c in reserve
  action spy "Spy" (b: blind) by p in search:
    do:
      flip b face up
  score(p) = found
"""

SCENARIO = """\
turns: 4
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [2, 2]
pieces:
  counter:
    - {id: adder, pool: near, strength: 1, at: reserve}
    - {id: bear, pool: near, strength: 2, at: reserve}
    - {id: cobra, pool: near, strength: 3, trap: yes, at: reserve}
    - {id: deer, pool: near, strength: 4, at: reserve}
    - {id: eagle, pool: far, strength: 5, at: reserve}
    - {id: fox, pool: far, strength: 6, trap: yes, at: reserve}
    - {id: goose, pool: far, strength: 7, at: reserve}
  blind:
    - {id: left, owner: red, size: 1, at: b2}
    - {id: right, owner: blue, size: 2, at: b2}
"""

COUNTERS = ("adder", "bear", "cobra", "deer", "eagle", "fox", "goose")
