"""Replays: the proof under the same rules, and under changed ones the first difference and its cause."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from ddob_rules.compare.identity import rule_hashes
from ddob_rules.loading import code_of
from interpreter import Game
from interpreter.ir import rule_order
from interpreter.machine.scenario import Scenario
from interpreter.records.replays import Difference, Replay, replay
from interpreter.records.saves import Save, record
from interpreter.records.suspects import changed_rules, leaning, suspects
from tests.rules import check_text

RULES = """ruleset race "Race"
players left "Left", right "Right"
rule 1 "Things":
  variable place: number = 0
  variable fuel: number = 9
  dice die: 1..6
rule 2 "Sequence":
  sequence turn:
    phase run for each p in player: p takes 1 action
rule 3 "Running":
  action step(n: pace) by p in run:
    when fuel >= cost(n) else "not enough fuel" (4)
    do:
      say "a step"
      decrease fuel by cost(n)
      let gain = roll die
      increase place by gain
      if place >= goal: p wins
  action rest by p in run:
    do: increase fuel by 1
rule 4 "Cost":
  enum pace: slow, fast
  define cost(n: pace): number = 2 if n = fast otherwise 1
rule 5 "Goal":
  value goal = 20
rule 6 "Weather":
  define unused: number = 3
  score(p) = unused
"""


@cache
def built(text: str = RULES) -> tuple[Game, dict[str, str]]:
    checked = check_text(text)
    assert checked.program is not None, [problem.message for problem in checked.problems]
    nothing: dict[str, Any] = {entry.name: () for entry in fields(Scenario)}
    texts = dict.fromkeys(("title", "description", "file"), "")
    empty = Scenario(
        **{
            **nothing,
            **texts,
            "name": "race",
            "ruleset": "race",
            "turns": None,
            "first_turn": 1,
            "hash": "none",
        }
    )
    return Game(checked.program, empty, code_of(checked.program)), rule_hashes(checked)


def saved(choices: list[str]) -> Save:
    game, hashes = built()
    return record(game, 5, choices, rules=hashes)


def under(text: str, save: Save, *, with_old: bool = True) -> Replay:
    game, hashes = built(text)
    return replay(game, save, rules=hashes, before=built()[0] if with_old else None)


def difference(text: str, save: Save, *, with_old: bool = True) -> Difference:
    found = under(text, save, with_old=with_old).difference
    assert found is not None
    return found


STEPS = ["step(slow)", "step(fast)", "rest()", "step(fast)"]


def test_same_rules_prove_the_same_game() -> None:
    found = replay(built()[0], saved(STEPS))
    assert (found.same_rules, found.proven, found.played, found.difference) == (True, True, 4, None)


def test_other_hash_under_the_same_rules_is_no_proof() -> None:
    found = replay(built()[0], replace(saved(STEPS), hash="0"))
    assert not found.proven
    assert found.difference is not None
    assert (found.difference.sort, found.difference.choice) == ("hash", 5)


def test_other_words_play_the_same() -> None:
    text = RULES.replace('say "a step"', 'say "one step more"').replace('"not enough fuel"', '"too little"')
    found = under(text, saved(STEPS))
    assert found.difference is None
    assert found.played == 4


def test_rule_that_is_never_reached_makes_no_difference() -> None:
    found = under(RULES.replace("goal = 20", "goal = 90"), saved(STEPS))
    assert (found.same_rules, found.proven, found.difference) == (False, False, None)


def test_renumbered_rule_makes_no_difference() -> None:
    assert under(RULES.replace('rule 3 "Running"', 'rule 7 "Running"'), saved(STEPS)).difference is None


def test_option_that_is_refused_names_the_reason_and_the_rule() -> None:
    text = RULES.replace("2 if n = fast", "12 if n = fast").replace(
        "define unused: number = 3", "define unused: number = 4"
    )
    for with_old in (True, False):
        found = under(text, saved(["step(slow)", "step(fast)", "rest()"]), with_old=with_old)
        # The offer is another one from the beginning, but the choices can be followed for a while.
        assert found.difference is not None and found.stopped is not None
        assert (found.difference.choice, found.difference.rules) == (1, ("4", "6"))
        assert (found.stopped.sort, found.stopped.choice, found.played) == ("not offered", 2, 1)
        assert str(found.stopped.refusal) == "not enough fuel (4)"
        assert (found.stopped.key, found.stopped.rule) == ("step(fast)", "4")


def test_an_option_whose_condition_cannot_be_worked_out_now_is_gone_without_a_reason() -> None:
    later = RULES.replace(
        'by p in run:\n    when fuel >= cost(n) else "not enough fuel" (4)',
        "by p in late_run:\n    when 12 / (9 - fuel) rounded down > 1",
    ).replace(
        "p takes 1 action\n",
        "p takes 1 action\n    phase late_run for each p in player when turn > 90: p takes 1 action\n",
    )
    assert "late_run:" in later and "phase late_run" in later
    found = under(later, saved(STEPS))
    assert found.stopped is not None and found.stopped.sort == "not offered"
    assert found.stopped.refusal is None and found.stopped.key.startswith("step")


def test_first_change_that_differs_is_known_with_the_old_game() -> None:
    found = difference(RULES.replace("increase fuel by 1", "increase fuel by 2"), saved(STEPS))
    assert (found.sort, found.choice, found.turn, found.phase) == ("happened", 4, 2, "run")
    assert found.old is not None and found.new is not None
    assert (found.old.fact, found.new.fact) == (
        ("variable fuel", "fuel", "6", "7"),
        ("variable fuel", "fuel", "6", "8"),
    )
    assert found.rule == "3"


def test_without_the_old_game_the_choice_and_the_rule_are_still_known() -> None:
    found = difference(
        RULES.replace("increase fuel by 1", "increase fuel by 2"), saved(STEPS), with_old=False
    )
    assert (found.sort, found.choice, found.rules) == ("otherwise", 4, ("3",))
    assert "3" in found.ran


def test_new_option_is_a_difference_of_what_is_offered() -> None:
    found = difference(RULES.replace("slow, fast", "slow, fast, mad"), saved(STEPS))
    assert (found.sort, found.choice, found.added, found.gone) == ("offered", 1, ("step(mad)",), ())
    assert found.rule == "4"


def test_game_that_ends_earlier_is_told() -> None:
    found = under(RULES.replace("goal = 20", "goal = 1"), saved(STEPS))
    assert found.stopped is not None
    assert (found.stopped.sort, found.stopped.choice, found.stopped.rule) == ("ended", 2, "5")


def test_difference_after_the_last_choice_is_noticed() -> None:
    found = difference(RULES.replace("goal = 20", "goal = 1"), saved(STEPS[:1]))
    assert (found.sort, found.choice) == ("happened", 2)


@pytest.mark.parametrize("choices", [["step(slow)"], ["step(slow)", "rest()"]])
def test_rules_that_fail_are_told_at_their_choice(choices: list[str]) -> None:
    text = RULES.replace("increase place by gain", "increase place by gain / (fuel - 8) rounded down")
    found = under(text, saved(choices))
    assert found.stopped is not None
    assert (found.stopped.sort, found.stopped.choice, found.stopped.rule) == ("failed", 2, "3")
    assert "divided by zero" in found.stopped.failure
    assert found.state is None


def test_without_hashes_no_rule_is_blamed() -> None:
    game, _ = built(RULES.replace("goal = 20", "goal = 1"))
    found = replay(game, saved(STEPS))
    assert found.difference is not None
    assert (found.difference.rule, found.difference.rules) == ("", ())


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        ({"finished": True, "winners": ("left",), "result": ""}, ("finished", "result")),
        ({"finished": True}, ("finished",)),
        ({"winners": ("right",)}, ("result",)),
        ({"result": "a landslide"}, ("result",)),
        ({"ruleset": "chess"}, ("ruleset",)),
        ({"stack": ("race", "cheats")}, ("stack",)),
        ({"players": {"nobody": "greedy"}}, ("players",)),
    ],
)
def test_a_save_is_proven_only_if_all_that_it_says_is_so(
    change: dict[str, Any], stated: tuple[str, ...]
) -> None:
    game, hashes = built()
    good = replace(saved(STEPS), rules=hashes)
    assert replay(game, good, rules=hashes).proven
    found = replay(game, replace(good, **change), rules=hashes)
    assert found.difference is not None
    assert (found.proven, found.difference.sort, found.difference.stated) == (False, "stated", stated)


def test_a_wrong_number_of_options_is_no_proof() -> None:
    good = saved(STEPS)
    second = replace(good.choices[1], options=good.choices[1].options + 1)
    found = replay(built()[0], replace(good, choices=(good.choices[0], second, *good.choices[2:])))
    assert found.difference is not None
    assert (found.proven, found.difference.sort, found.difference.choice) == (False, "stated", 2)


def test_replay_needs_a_journal() -> None:
    game, _ = built()
    silent = Game(game.program, game.scenario, code_of(game.program, journal=False))
    with pytest.raises(ValueError, match="journal"):
        replay(silent, saved(STEPS))


def test_changed_rules_are_those_that_differ_or_are_on_one_side_only() -> None:
    assert changed_rules({"1": "a", "2": "b", "3": "c"}, {"1": "a", "2": "x", "4": "d"}) == {"2", "3", "4"}


def test_suspicion_goes_from_what_ran_to_what_it_leans_on_to_the_rest() -> None:
    graph = {"3": frozenset({"5", "4"}), "5": frozenset({"9"})}
    assert suspects({"1", "4", "5", "3", "9", "10"}, ["3", ""], graph) == ("3", "4", "5", "9", "1", "10")


def test_rules_lean_on_what_they_call_and_on_what_amends_them() -> None:
    text = RULES + '\nrule 8 "Long race" amends 5 when turn > 9:\n  value goal = 30\n'
    graph = leaning(built(text)[0].program)
    assert {"1", "4", "8"} <= graph["3"]
    assert "5" in graph["8"]
    assert "8" in graph["5"]


def test_rule_numbers_sort_as_in_a_rulebook() -> None:
    numbers = ["T", "10", "6.4", "6.31", "6", "9" * 5000]
    assert sorted(numbers, key=rule_order) == ["6", "6.31", "6.4", "10", "9" * 5000, "T"]
