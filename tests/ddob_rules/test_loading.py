"""Rules that are read again in the same process, and rules that are not there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ddob_rules.loading import RulesProblem, load, load_game, load_ruleset

ROOT = Path(__file__).parents[2]


def reason(scenario: Path) -> str:
    game = load_game(str(scenario)).game
    assert game is not None
    state = game.start(0).apply("mark(a1)")
    refusal = game.why_not_raw(state, 1, (0, 0))
    assert refusal is not None
    return refusal.text


def test_text_that_has_changed_is_read_anew(tmp_path: Path) -> None:
    folder = tmp_path / "tic-tac-toe"
    shutil.copytree(ROOT / "rulesets/classics/tic-tac-toe", folder)
    scenario, rules = folder / "scenarios/tic-tac-toe.yaml", folder / "tic-tac-toe.rules"
    assert reason(scenario) == "the cell is already marked"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("the cell is already marked", "somebody was here"), encoding="utf-8")
    assert reason(scenario) == "somebody was here"


@pytest.mark.parametrize("written", ["normandie", "normandie_1945"])
def test_ruleset_to_extend_is_offered_as_rules_write_it(tmp_path: Path, written: str) -> None:
    file = tmp_path / "house.rules"
    file.write_text(f'ruleset house "House rules" extends {written}\n', encoding="utf-8")
    with pytest.raises(RulesProblem) as caught:
        load("normandie-cotentin", overlays=[str(file)])
    assert [(one.code, one.help) for one in caught.value.problems] == [
        ("E0512", "did you mean `normandie_1944`?")
    ]


def test_without_its_base_an_overlay_is_told_that_alone(tmp_path: Path) -> None:
    file = tmp_path / "house.rules"
    rule = "rule H.1 amends 5.1:\n  value divisions_controlled = control_range\n"
    file.write_text(f'ruleset house "House rules" extends normandie\n\n{rule}', encoding="utf-8")
    assert [one.code for one in load_ruleset(str(file)).problems] == ["E0512"]
