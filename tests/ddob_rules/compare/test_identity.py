"""What a rule does, apart from how it is written."""

from __future__ import annotations

import pytest

from ddob_rules.compare.identity import rule_hashes
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.translate import translate_source
from tests.rules import check_text

RULES = """ruleset small "Small"
players us "Us", them "Them" automated
rule 1 "Things":
  "Some text."
  enum colour: red, green
  space cell on square board:
    owner_mark: player = nothing
rule 2 "Play":
  sequence turn:
    phase play "Playing" for each p in player: p takes 1 action
  action take(c: cell) by p in play:
    when c.owner_mark = nothing else "taken" (2)
    shown as "take {c}"
    do:
      set c.owner_mark to p
      say "done"
      if limit >= 3: p wins "by far"
rule 3 "Limit":
  value limit = (1 + 1) until turn 4, 3 from turn 5
option fast "Fast" (3)
"""


def hashes(*texts: str) -> dict[str, str]:
    checked = check_text(*texts)
    errors: list[Diagnostic] = [problem for problem in checked.problems if problem.severity == "error"]
    assert errors == []
    return rule_hashes(checked)


def changed(text: str) -> set[str]:
    before, after = hashes(RULES), hashes(text)
    return {rule for rule in {*before, *after} if before.get(rule) != after.get(rule)}


def test_every_rule_has_a_short_hash() -> None:
    found = hashes(RULES)
    assert set(found) == {"1", "2", "3", "option fast", "players"}
    assert all(len(value) == 12 for value in found.values())
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Things"', '"All things"'),
        ('"Some text."', '"Other text."'),
        ('  "Some text."\n', ""),
        (' "Playing"', ""),
        ('"taken" (2)', '"is taken" (2, 3)'),
        (' else "taken" (2)', ""),
        ('    shown as "take {c}"\n', ""),
        ('say "done"', 'say "ready"'),
        (' "by far"', ""),
        ("(1 + 1)", "1 + 1"),
        ("limit >= 3", "limit ≥ 3"),
        ('"Fast" (3)', '"Quick" (2)'),
        ('us "Us"', 'us "We"'),
        ("enum colour: red, green", "enum colour:   red,  green  # two"),
    ],
)
def test_words_and_layout_change_no_hash(old: str, new: str) -> None:
    assert old in RULES
    assert changed(RULES.replace(old, new)) == set()


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("red, green", "green, red", "1"),
        ("c.owner_mark = nothing else", "c.owner_mark != p else", "2"),
        ("p takes 1 action", "p takes 2 actions", "2"),
        ("(1 + 1)", "1 - 1", "3"),
        ("until turn 4, 3 from turn 5", "until turn 5, 3 from turn 6", "3"),
        (" automated", "", "players"),
    ],
)
def test_change_of_what_a_rule_does_changes_its_hash_only(old: str, new: str, rule: str) -> None:
    assert old in RULES
    assert changed(RULES.replace(old, new)) == {rule}


def test_amendment_has_its_own_hash_and_leaves_the_amended_rule_its_own() -> None:
    overlay = (
        'ruleset more "More" extends small\nrule 9 "Longer" amends 3 when turn > {turn}:\n  value limit = 5\n'
    )
    base, early, late = (
        hashes(RULES),
        hashes(RULES, overlay.format(turn=3)),
        hashes(RULES, overlay.format(turn=4)),
    )
    assert {rule: value for rule, value in early.items() if rule != "9"} == base
    assert early["9"] != late["9"]


def test_replaced_rule_is_no_longer_there() -> None:
    overlay = 'ruleset more "More" extends small\nrule 9 "Longer" replaces 3:\n  value limit = 5\n'
    assert set(hashes(RULES, overlay)) == {"1", "2", "9", "option fast", "players"}


def test_french_rules_have_the_hashes_of_english_ones() -> None:
    french, problems = translate_source(Source("small.rules", RULES), "fr")
    assert problems == []
    assert "règle 1" in french
    assert hashes(french) == hashes(RULES)
