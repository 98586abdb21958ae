"""Small games for players of the computer: won and lost together, alone against a foe, and in teams."""

from __future__ import annotations

#: All win or all lose: the boat must be ready before the water is too high. A score is one's own work.
FLOOD = """\
ruleset flood "Flood"
players ann "Ann", ben "Ben", cid "Cid"
rule 1:
  dice d6: 1..6
  variable water: number = 4
  variable boat: number = 0
  each player:
    work: number = 0
  sequence turn:
    phase act for each p in player: p takes 1 action
  at end of turn:
    let rain = roll d6
    increase water by rain
    if water > 12: everyone loses "the water"
    if boat >= 16: everyone wins "the boat"
  action bail "Bail" by p in act:
    do:
      decrease water by 3
      if water < 0: set water to 0
      increase p.work by 1
  action build "Build" by p in act:
    do:
      increase boat by 1
      increase p.work by 1
  action sleep "Sleep" by p in act:
    do: increase water by 0
  score(p) = p.work
"""

#: The same without a score: only the end of a game tells whether it was played well.
BLIND_FLOOD = "\n".join(line for line in FLOOD.split("\n") if "score" not in line)

#: The loss that all share is far off: the score says who is ahead, not whether the water lasts.
DESERT = """\
ruleset desert "Desert"
players ann "Ann", ben "Ben"
rule 1:
  dice d6: 1..6
  variable water: number = 26
  variable way: number = 0
  sequence turn:
    phase march for each p in player: p takes 1 action
  at end of turn:
    let heat = roll d6
    if heat = 6: decrease water by 1
    if way >= 24: everyone wins "out of the desert"
    if water < 1: everyone loses "no water"
    if turn = 14: everyone loses "too late"
  action run "Run" by p in march:
    do:
      increase way by 2
      decrease water by 3
  action walk "Walk" by p in march:
    do:
      increase way by 1
      decrease water by 1
  action dig "Dig" by p in march:
    do:
      let depth = roll d6
      if depth > 4: increase water by 2
  score(p) = 2 * way + water
"""

#: Alone against a foe whom nobody plays.
SIEGE = """\
ruleset siege "Siege"
players ann "Ann", foe "Foe" automated
rule 1:
  dice d6: 1..6
  variable walls: number = 7
  variable foes: number = 16
  sequence turn:
    phase stand: ann takes 2 actions
    phase storm: storm_walls()
  procedure storm_walls():
    let ladders = roll d6
    if ladders * 3 <= foes: decrease walls by 2
    if walls < 1: foe wins "the walls are down"
    if foes < 1: ann wins "they run"
    if turn = 9: foe wins "no food is left"
  action shoot "Shoot" by p in stand:
    do:
      let aim = roll d6
      if aim > 2: decrease foes by 1
  action sally "Sally" by p in stand:
    do:
      decrease walls by 1
      decrease foes by 2
  action mend "Mend" by p in stand:
    do:
      if walls < 9: increase walls by 1
  score(p) = (walls - foes) * (1 if p = ann otherwise -1)
"""

#: Two teams: a gift is worth more to a friend than what he who gives it could gain, until he has trained.
TEAMS = """\
ruleset relay "Relay"
players ann "Ann", ben "Ben", cid "Cid", dot "Dot"
rule 1:
  enum colour: red, blue
  chart player:
    | player | team: colour |
    | ann    | red          |
    | ben    | blue         |
    | cid    | red          |
    | dot    | blue         |
  each player:
    points: number = 0
    skill: number = 1
  define total(p: player): number = sum(q.points for q in player where q.team = p.team)
  sequence turn:
    phase act for each p in player: p takes 1 action
  at end of turn:
    if turn = 8: rank players by total "eight rounds"
  action gain "Gain" by p in act:
    do: increase p.points by p.skill
  action train "Train" by p in act:
    do: increase p.skill by 2
  action give "Give" (q: player) by p in act:
    when q != p  else "not to oneself" (1)
    do: increase q.points by 2
  score(p) = p.points
"""

#: Alone, for points: the game can be ended at any time, and nobody is there to be beaten.
HARVEST = """\
ruleset harvest "Harvest"
players ann "Ann"
rule 1:
  dice d6: 1..6
  variable ripe: number = 6
  each player:
    sheaves: number = 0
  define barn(p: player): number = p.sheaves
  sequence turn:
    phase reap: ann takes 1 action
  at end of turn:
    let sun = roll d6
    if sun > 2: increase ripe by 1
    if turn = 8: go_home()
  procedure go_home(): rank players by barn "home"
  action cut "Cut" by p in reap:
    do:
      increase p.sheaves by ripe / 2 rounded down
      set ripe to ripe / 2 rounded up
  action wait "Wait" by p in reap:
    do: increase ripe by 1
  action leave "Leave" by p in reap:
    do: go_home()
  score(p) = p.sheaves
"""

TOYS = {
    "flood": FLOOD,
    "blind-flood": BLIND_FLOOD,
    "desert": DESERT,
    "siege": SIEGE,
    "teams": TEAMS,
    "harvest": HARVEST,
}
