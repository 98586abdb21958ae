"""Rules that are read again in the same process."""

from __future__ import annotations

import shutil
from pathlib import Path

from ddob_rules.loading import load_game

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
