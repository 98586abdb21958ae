"""Procedures that carry out what other rules say: the story cites the rule that had it done."""

from __future__ import annotations

from tests.running import EDITIONS, Trial, play

RULES = """\
ruleset r "R"
players us "Us"
rule 1 "Losses":
  piece unit:
    steps: number = 3
  space sea
  space land
  pile losses of unit
  procedure lose(u: unit) citing the cause:
    decrease u.steps by 1
    if u.steps = 0: remove_for_good(u)
  procedure remove_for_good(u: unit) citing the cause:
    say "{u} is lost"
    ASKS
    put u on losses
rule 2 "Sequence":
  sequence turn:
    phase flood:
      for each u in unit at "the-sea": drown(u)
    phase act: us takes 1 action
rule 3 "Flood":
  procedure drown(u: unit): remove_for_good(u)
rule 4 "Fire":
  action shoot "Shoot" (u: unit) by p in act:
    when u.at in land
    do:
      lose(u)
      lose(u)
      lose(u)
"""
SCENARIO = """\
turns: 1
boards:
  sea: {spaces: [the-sea]}
  land: {spaces: [the-land]}
pieces:
  unit:
    - {id: a, at: the-sea}
    - {id: b, at: the-land}
"""


def cited(asks: str) -> list[tuple[str, str]]:
    rules = RULES.replace("    ASKS\n", asks)
    games = tuple(play(rules, scenario=SCENARIO, journal=journal, cover=cover) for journal, cover in EDITIONS)
    trial = Trial(games, tuple(game.start(1) for game in games), 1)
    while not trial.state.over:
        trial.check()
        trial.answer(0)
    trial.replayed()
    wanted = ("say", "place", "piece steps")
    return [(entry.text, entry.rule) for entry in trial.state.journal if entry.what in wanted]


def test_what_happens_cites_the_rule_that_caused_it() -> None:
    found = cited("")
    assert "a" in found[0][0] and "b" in found[-1][0]
    assert [rule for _, rule in found] == ["3"] * 2 + ["4"] * 5


def test_cause_is_known_after_a_question_too() -> None:
    asking = '    let sure = choose yes or no by us "Sure?"\n'
    assert cited(asking) == cited("")


def test_cause_survives_being_saved_in_the_middle() -> None:
    rules = RULES.replace("    ASKS\n", '    let sure = choose yes or no by us "Sure?"\n')
    game = play(rules, scenario=SCENARIO)
    state = game.start(1)
    restored = game.from_json(state.to_json()).apply(0)
    assert [entry.rule for entry in restored.journal if entry.what == "place"] == ["3"]
