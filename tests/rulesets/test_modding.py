"""The house rules of docs/modding.md: short, without findings, and the game changes as the page says."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from ddob_rules import load
from ddob_rules.compare.diff import diff
from ddob_rules.examples import run_examples
from ddob_rules.loading import Loaded, load_game, load_ruleset
from ddob_rules.reports.render import render_text
from ddob_rules.resources import rulesets_folder
from interpreter.machine.state import State
from interpreter.telling.facts import TurnBegan
from tests.docs.pages import DOCS, Block, blocks_of

FOLDER = rulesets_folder() / "examples"
SCENARIOS = {
    "marsh": "first-waves-marsh",
    "rangers": "rangers-lead-the-way",
    "destroyers": "first-waves-destroyers",
}
#: The rules of the game that each of them says it changes, apart from adding its own.
CHANGED = {
    "marsh": {"6.3", "T"},
    "rangers": {"4", "5.3", "5.11", "7.3", "7.4", "9.3", "10.1", "13.1", "13.11", "13.2"},
    "destroyers": {"2.3", "4", "E"},
}
EASTERNMOST_COLUMN = 26
_EXCERPTS = [block for block in blocks_of(DOCS / "modding.md") if block.language == "text"]


@cache
def loaded(name: str) -> Loaded:
    return load_ruleset(name)


def played(name: str, seed: int) -> State:
    """A random game, at its end."""
    state = load(SCENARIOS[name]).start(seed=seed)
    generator = random.Random(seed)
    while state.choice is not None:
        state.apply(generator.choice(state.choice.options))
    return state


def rules_of(name: str) -> Path:
    return FOLDER / name / f"{name}.rules"


@pytest.mark.parametrize("name", SCENARIOS)
def test_house_rules_have_fewer_than_forty_lines(name: str) -> None:
    assert len(rules_of(name).read_text(encoding="utf-8").splitlines()) < 40


@pytest.mark.parametrize("name", SCENARIOS)
def test_house_rules_check_without_findings_and_their_examples_pass(name: str) -> None:
    ruleset = loaded(name)
    assert render_text(ruleset.problems) == ""
    assert render_text(load_game(SCENARIOS[name]).problems) == ""
    assert ruleset.checked is not None
    outcomes = run_examples(ruleset.checked).outcomes
    assert len(outcomes) >= 5
    assert "".join(render_text(outcome.problems) for outcome in outcomes) == ""


@pytest.mark.parametrize("name", SCENARIOS)
def test_house_rules_change_the_rules_they_say_and_no_others(name: str) -> None:
    base, own = loaded("ddob").checked, loaded(name).checked
    assert base is not None and own is not None
    changed = {change.rule for change in diff(base, own)}
    assert {rule for rule in changed if rule[0] not in "MRN"} == CHANGED[name]


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_games_with_house_rules_end_with_a_winner(name: str) -> None:
    state = played(name, seed=1)
    assert state.over
    assert state.winners != ()


def test_no_unit_of_the_house_scenario_moves_out_of_its_part_of_the_map() -> None:
    moves = [entry.text for entry in played("rangers", seed=2).journal if entry.what == "place"]
    columns = {int(found[1]) for text in moves if (found := re.search(r" -> \d\d(\d\d)$", text))}
    assert columns
    assert min(columns) >= EASTERNMOST_COLUMN


def test_the_destroyers_fire_from_turn_eight_and_not_before() -> None:
    turn, turns = 0, set()
    for entry in [entry for seed in range(3, 6) for entry in played("destroyers", seed).journal]:
        if isinstance(entry.fact, TurnBegan):
            turn = entry.fact.turn
        elif entry.what == "variable salvoes" and entry.rule == "N3":
            turns.add(turn)
    assert turns
    assert min(turns) >= 8


@pytest.mark.parametrize("block", [pytest.param(block, id=block.place) for block in _EXCERPTS])
def test_what_the_page_shows_stands_in_the_files(block: Block) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*") if path.is_file()]
    assert any(block.text in text for text in texts)
