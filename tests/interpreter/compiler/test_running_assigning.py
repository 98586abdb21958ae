"""Assigning: as many pairs as possible, each by its own priority, worked out anew after each."""

from __future__ import annotations

from tests.running import Trial, trial

RULES = """\
ruleset guns "Guns"
players us "Us"
rule 1 "Words":
  piece gun:
    rounds: number
    reach: set of number
  define open_to(g: gun, t: target): flag = t.place in g.reach and not t.sunk
  piece target:
    place: number
    worth: number
    sunk: flag = no
  variable story: text = ""
rule 2 "Fire":
  priority best(g: gun) for t: target:
    prefer highest t.worth
    otherwise us chooses "Which?"
  sequence turn:
    phase fire:
      assign to each g in gun up to g.rounds of t in target where open_to(g, t) by best(g):
        mark t as sunk
        set story to "{story}{g}>{t} "
"""


def fire(guns: str, targets: str, answers: tuple[str, ...] = (), rules: str = RULES) -> Trial:
    scenario = f"turns: 1\npieces:\n  gun: [{guns}]\n  target: [{targets}]\n"
    return trial(rules, scenario=scenario, answers=answers)


TWO = "{id: X, place: 1, worth: 5}, {id: Y, place: 2, worth: 3}"


def test_who_has_a_choice_leaves_what_only_another_can_reach() -> None:
    guns = "{id: A, rounds: 1, reach: [1, 2]}, {id: B, rounds: 1, reach: [1]}"
    assert fire(guns, TWO)["story"] == "A>Y B>X "


def test_without_need_each_takes_what_its_priority_says() -> None:
    guns = "{id: A, rounds: 1, reach: [1, 2]}, {id: B, rounds: 1, reach: [1, 2]}"
    assert fire(guns, TWO)["story"] == "A>X B>Y "


def test_nobody_takes_more_than_the_limit() -> None:
    three = f"{TWO}, {{id: Z, place: 1, worth: 1}}"
    assert fire("{id: A, rounds: 2, reach: [1, 2]}", three)["story"] == "A>X A>Y "
    assert fire("{id: A, rounds: 0, reach: [1, 2]}", three)["story"] == ""


def test_what_is_left_equal_is_chosen() -> None:
    targets = "{id: X, place: 1, worth: 3}, {id: Y, place: 2, worth: 3}"
    assert fire("{id: A, rounds: 1, reach: [1, 2]}", targets, ("Y",))["story"] == "A>Y "


def test_the_block_may_change_what_is_possible() -> None:
    all_sunk = RULES.replace("mark t as sunk", "for each other in target: mark other as sunk")
    guns = "{id: A, rounds: 2, reach: [1, 2]}, {id: B, rounds: 2, reach: [1, 2]}"
    assert fire(guns, TWO, rules=all_sunk)["story"] == "A>X "


def test_a_long_chain_is_untangled() -> None:
    guns = ", ".join(f"{{id: G{n}, rounds: 1, reach: [{n}, {n + 1}]}}" for n in range(1, 5))
    targets = ", ".join(f"{{id: T{n}, place: {n}, worth: {n}}}" for n in range(1, 5))
    assert fire(guns, targets)["story"] == "G1>T1 G2>T2 G3>T3 G4>T4 "
