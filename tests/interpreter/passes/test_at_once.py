"""Victories that do not wait: nothing is done after the change that decides the game."""

from __future__ import annotations

import pytest

from tests.running import Trial, trial

HEADER = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum weather: sun, rain
  piece unit:
    owner: player
    steps: number = 3
    tired: flag = no each turn
  space town in network
  pile lost of unit
  deck cards of unit
  each player:
    points: number = 0
  variable story: text = ""
  variable n: number = 0
  procedure tell(what: text): set story to "{story}{what} "
  procedure more(further: number):
    increase n by further
    tell("more")
  define left(p: player): number = count(u in unit where u.owner = p and u.at in town)
  table forecast(w: weather) -> effect:
    | w    | does       |
    | sun  | more(5)    |
    | rain | tell("wet") |
rule 2:
  sequence turn:
    phase march for each p in player: p takes 1 action
"""
SCENARIO = """\
turns: 2
boards: {town: {spaces: {caen: {}, bayeux: {}}, links: [[caen, bayeux]]}}
pieces:
  unit:
    - {id: A, owner: us, at: caen}
    - {id: B, owner: us, at: caen}
    - {id: C, owner: them, at: bayeux}
    - {id: D, owner: them, at: cards}
"""


def run(condition: str, effects: str, *answers: str, more: str = "") -> Trial:
    body = "".join(f"      {line}\n" for line in effects.splitlines())
    rules = (
        f"{HEADER}  action act by p in march:\n    do:\n{body}{more}"
        f'  victory enough as soon as {condition}: them wins "enough"\n'
    )
    return trial(rules, scenario=SCENARIO, answers=("act()", *answers))


@pytest.mark.parametrize(
    ("condition", "effects"),
    [
        ("n >= 5", 'set n to 5\ntell("late")'),
        ("n >= 5", "more(5)"),
        ("n >= 5", "forecast(sun)"),
        ("n >= 5", 'repeat up to 9 times:\n  increase n by 1\n  if n >= 5: tell("late")'),
        ("us.points > 0", 'increase us.points by 1\ntell("late")'),
        (
            "some u in unit where u.steps = 0",
            'for each u in unit: set u.steps to 0\ntell("late")\nset n to 1',
        ),
        ("left(us) = 0", 'put {u in unit where u.owner = us} in lost\ntell("late")'),
        ("size(lost) = 1", 'put {u in unit where u.owner = us} in lost\ntell("late")'),
        ("no cards", 'let drawn = draw from cards\ntell("late")'),
    ],
)
def test_nothing_is_done_after_the_change_that_decides(condition: str, effects: str) -> None:
    found = run(condition, effects)
    assert found.state.over and found.state.winners == ("them",)
    assert found["story"] == "" and found["n"] in ("0", "5")


def test_change_that_is_taken_back_by_the_next_one_has_decided_all_the_same() -> None:
    found = run("n >= 5", "increase n by 5\ndecrease n by 5")
    assert found.state.winners == ("them",) and found["n"] == "5"


def test_victory_that_waits_does_not_see_what_the_same_action_takes_back() -> None:
    rules = (
        f"{HEADER}  action act by p in march:\n    do:\n      increase n by 5\n      decrease n by 5\n"
        '  victory enough when n >= 5: them wins "enough"\n'
    )
    assert not trial(rules, scenario=SCENARIO, answers=("act()",)).state.over


def test_nobody_is_asked_after_the_change_that_decides() -> None:
    found = run("n >= 5", 'increase n by 5\nlet again = choose yes or no by p "Again?"\nif again: set n to 0')
    assert found.state.over and found["n"] == "5"


def test_change_between_two_questions_decides() -> None:
    effects = 'let again = choose yes or no by p "Again?"\nif again: more(5)\ntell("late")'
    assert run("n >= 5", effects, "yes").state.over
    assert not run("n >= 5", effects, "no").state.over


def test_trigger_does_not_come_to_what_follows_the_change() -> None:
    more = '  trigger hurt(u: unit) after u.steps changes: tell("hurt")\n'
    found = run("some u in unit where u.steps = 0", "for each u in unit: set u.steps to 0", more=more)
    assert found.state.over and found["story"] == ""


def test_turn_that_comes_decides_before_anything_happens_in_it() -> None:
    more = '  at start of turn: tell("turn {turn}")\n'
    found = run("turn = 2", "decrease n by 1", "act()", more=more)
    assert found.state.winners == ("them",) and found["story"] == "turn 1 "


def test_nobody_wins_while_the_position_is_set_up() -> None:
    more = "  setup:\n    more(5)\n    forecast(sun)\n    set n to 0\n"
    found = run("n >= 5", "increase n by 1", more=more)
    assert not found.state.over and found["story"] == "more more "
