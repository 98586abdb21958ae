"""What a briefing says of how to win: only what the scenario and its options leave possible."""

from __future__ import annotations

import pytest

from ddob_rules.loading import load
from interpreter.table.aims import rules_that_end
from interpreter.table.book import book_of
from tests.running import play

RULES = """\
ruleset races "Races"
players us "Us", them "Them"
option long "A long race" (5)
rule 1 "Words":
  variable race: flag = no
  variable tired: flag = no
  sequence turn:
    phase run: us may take up to 1 action
  action sleep by us in run:
    do: set tired to yes
rule 2 "The race":
  "Whoever runs wins."
  at end of run:
    if race and turn > 1: finish()
  procedure finish: us wins "first"
rule 3 "The wait":
  "Whoever waits wins."
  victory waited when not race and turn > 2: them wins
rule 4 "Sleep":
  "Whoever sleeps loses."
  at end of run:
    if not tired: stop
    otherwise if turn > 3: them wins
rule 5 "The end":
  "A long race is a draw."
  at end of turn:
    if long and turn > 3: nobody wins
    if not long and turn > 4: nobody wins "late"
"""


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        ("", (), ["3", "4", "5"]),
        ("variables: {race: yes}\n", (), ["2", "4", "5"]),
        ("variables: {race: yes}\n", ("long",), ["2", "4", "5"]),
    ],
)
def test_endings_that_cannot_come_are_left_out(
    data: str, options: tuple[str, ...], expected: list[str]
) -> None:
    assert rules_that_end(play(RULES, scenario="turns: 5\n" + data, options=options)) == expected


def test_a_rule_whose_only_ending_needs_an_option() -> None:
    rules = RULES.replace('    if not long and turn > 4: nobody wins "late"\n', "")
    assert rules_that_end(play(rules, scenario="turns: 5\n")) == ["3", "4"]
    assert rules_that_end(play(rules, scenario="turns: 5\n", options=("long",))) == ["3", "4", "5"]


def test_conditions_may_be_called_by_name() -> None:
    rules = RULES.replace("  variable tired", "  define waiting: flag = not race\n  variable tired")
    rules = rules.replace("when not race and turn", "when waiting and turn")
    assert rules_that_end(play(rules, scenario="turns: 5\n")) == ["3", "4", "5"]
    assert rules_that_end(play(rules, scenario="turns: 5\nvariables: {race: yes}\n")) == ["2", "4", "5"]


def test_scenarios_of_one_game_have_endings_of_their_own() -> None:
    race, breakout = (set(rules_that_end(load(f"normandie-{name}"))) for name in ("cotentin", "cobra"))
    assert "11.1-victory" in race - breakout and {"11.3", "11.3-automatic"} <= breakout - race


@pytest.mark.parametrize(("turns", "phases"), [("{first: 0, last: 2}", ["Dawn", "Day"]), ("3", ["Day"])])
def test_phases_of_turns_that_a_scenario_does_not_have_are_no_part_of_its_turn(
    turns: str, phases: list[str]
) -> None:
    rules = """\
ruleset days "Days"
players us "Us"
rule 1 "Turn":
  sequence turn:
    phase dawn "Dawn" when turn = 0
    phase day "Day" when turn >= 0
    phase never "Never" when turn > 20
"""
    brief = book_of(play(rules, scenario=f"turns: {turns}\n"), "en")["brief"]
    assert [title for title, _ in brief["turn"]] == phases
    assert brief["turns"] == 3
