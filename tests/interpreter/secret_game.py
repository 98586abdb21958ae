"""A small game with every sort of secret, for tests.

Hands, decks, counters that lie face down, counters of which only a value is hidden, hidden values of spaces,
players and variables, dice, and questions inside questions.
"""

from __future__ import annotations

import os
from pathlib import Path

from ddob_rules import load
from interpreter.machine.game import Game

RULES = """\
ruleset secret_game "Secret game" edition "1"
players ann "Ann", ben "Ben"

option long "Long hands" (2) conflicts with short "hands are long or short"
option short "Short hands" (2)

rule 1 "Things":
  card trump:
    rank: number
  card event:
    title: text
  deck stock of trump
  pile hand of trump for each player seen by owner
  deck events of event
  pile played of trump
  piece counter seen by everyone when it.open:
    strength: number
    open: flag = no
    wounds: number = 0
  piece scout:
    side: player
    speed: number seen by everyone when it.shown seen by ann when it.side = ann seen by ben when it.side = ben
    shown: flag = no
  space cell on square board:
    mined: flag = no seen by nobody
  each player:
    points: number = 0
    bid: number = 0 seen by nobody
  variable storm: number = 5 seen by nobody
  variable last_played: trump = nothing
  dice d6: 1..6

rule 2 "Deal":
  setup:
    shuffle stock
    shuffle events
    for each p in player: deal(p)
    let mine = pick at random from c in cell
    set mine.mined to yes
  procedure deal(p: player):
    repeat (3 if long otherwise 1 if short otherwise 2) times:
      let drawn = draw from stock
      put drawn in hand(p)

rule 3 "Play":
  sequence turn:
    phase bidding for each p in player: make_bid(p)
    phase play for each p in player: p takes 1 action
    phase ending when turn >= 3: finish()
  procedure make_bid(p: player):
    let amount = choose number from 0 to 5 by p "How much?"
    set p.bid to amount
  action discard "Discard" (c: trump) by p in play:
    when c in hand(p)  else "it is not in your hand"
    do:
      for each k in hand(p): consider(p, k, c)
      put c on played
      set last_played to c
      increase p.points by c.rank
      let rolled = roll d6
      increase p.points by rolled
      let drawn = draw from stock
      put drawn in hand(p)
  action turn_over "Turn over" (c: cell) by p in play:
    when some u in counter at c where not u.open  else "nothing lies face down there"
    do:
      let u = the(w in counter at c where not w.open)
      mark u as open
      increase p.points by u.strength
  procedure consider(p: player, k: trump, c: trump):
    if k != c:
      let sure = choose yes or no by p "Keep {k}?"
      if not sure: decrease p.points by 1
  procedure finish():
    increase ann.points by storm
    if ann.points > ben.points: ann wins "more points"
    if ben.points > ann.points: ben wins "more points"
    nobody wins "a draw"
  score(p) = p.points
"""

SCENARIO = """\
scenario: secret-game
title: Secret game
ruleset: secret-game
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [3, 3]
pieces:
  trump:
    - {id: t1, rank: 1, at: stock}
    - {id: t2, rank: 2, at: stock}
    - {id: t3, rank: 3, at: stock}
    - {id: t4, rank: 4, at: stock}
    - {id: t5, rank: 5, at: stock}
    - {id: t6, rank: 6, at: stock}
    - {id: t7, rank: 7, at: stock}
    - {id: t8, rank: 8, at: stock}
    - {id: t9, rank: 9, at: stock}
  event:
    - {id: rain, title: rain, at: events}
    - {id: wind, title: wind, at: events}
    - {id: snow, title: snow, at: events}
  counter:
    - {id: k1, strength: 1, at: a1}
    - {id: k2, strength: 2, at: b1}
    - {id: k3, strength: 3, at: c1}
    - {id: k4, strength: 4, at: c1}
  scout:
    - {id: s1, side: ann, speed: 1, at: a3}
    - {id: s2, side: ann, speed: 2, at: b3}
    - {id: s3, side: ben, speed: 3, at: c3}
"""


def secret_game(
    folder: Path, rules: str = RULES, options: tuple[str, ...] = (), journal: bool = True
) -> Game:
    """The game, or a changed one, from files in this folder."""
    (folder / "secret.rules").write_text(rules, encoding="utf-8")
    (folder / "secret.yaml").write_text(SCENARIO, encoding="utf-8")
    here = Path.cwd()
    os.chdir(folder)
    try:
        return load(str(folder / "secret.yaml"), options=options, journal=journal)
    finally:
        os.chdir(here)
