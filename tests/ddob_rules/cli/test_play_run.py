"""`ddob run`: a whole game, told in words or as data, and kept if asked."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ddob_rules import load
from interpreter.records.saves import read_save
from tests.ddob_rules.cli.playing import ROOT, ddob, write_broken

GOLDEN = ROOT / "tests" / "cases" / "cli" / "run-tic-tac-toe.txt"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_game_is_told_turn_by_turn_with_the_numbers_of_rules() -> None:
    assert ddob("run", "tic-tac-toe", "--seed", "1").stdout == GOLDEN.read_text(encoding="utf-8")


def test_a_scenario_may_come_with_overlays() -> None:
    plain, stacked, laid = (
        json.loads(ddob("run", *words, "--seed", "1", "--json").stdout)
        for words in (
            ["tic-tac-toe"],
            ["tic-tac-toe+misere-tic-tac-toe"],
            ["tic-tac-toe", "--overlay", "misere-tic-tac-toe"],
        )
    )
    assert stacked == laid and stacked["result"] != plain["result"]
    wrong = ddob("run", "tic-tac-toe+misere-tic-tac-to", "--seed", "1")
    assert wrong.exit_code == 1 and "there is no ruleset `misere-tic-tac-to`" in wrong.stdout + wrong.stderr


def test_data_has_what_programs_need() -> None:
    found = json.loads(ddob("run", "tic-tac-toe", "--seed", "1", "--json").stdout)
    assert {"scenario", "ruleset", "seed", "result", "choices", "turns", "hash"} <= set(found)
    assert found["result"] == {"winners": ["cross"], "text": "three in a row"}
    assert (found["seed"], found["choices"], found["turns"]) == (1, 7, 4)
    assert "journal" not in found


def test_the_trace_has_every_entry_of_the_journal_with_its_place() -> None:
    output = ddob("run", "tic-tac-toe", "--seed", "1", "--trace").stdout
    assert "space mark: a1: mark Cross  [2]" in output
    assert "  (tic-tac-toe)" in output
    journal = json.loads(ddob("run", "tic-tac-toe", "--seed", "1", "--trace", "--json").stdout)["journal"]
    assert len(journal) == len([line for line in output.splitlines() if line.startswith("   ")])
    assert [entry["number"] for entry in journal] == list(range(len(journal)))


def test_without_a_scenario_there_is_one_to_begin_with() -> None:
    assert json.loads(ddob("run", "--json").stdout)["scenario"] == "first-waves"


@pytest.mark.parametrize("seed", ["x", "1.5", "", "9" * 5_000])
def test_a_seed_that_is_no_number_is_misuse(seed: str) -> None:
    result = ddob("run", "tic-tac-toe", "--seed", seed)
    assert result.exit_code == 2
    assert "--seed" in result.stderr


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers())
def test_any_integer_is_a_seed_and_gives_the_same_game_again(seed: int) -> None:
    first, second = (ddob("run", "kuhn-poker", "--seed", str(seed), "--json").stdout for _ in range(2))
    assert first == second


def test_another_language_is_another_story_of_the_same_game() -> None:
    plain, french = (
        json.loads(ddob("run", "pig", "--seed", "3", "--json", "--lang", language).stdout)
        for language in ("en", "fr")
    )
    assert plain["hash"] == french["hash"]
    assert "Tour 1" in ddob("run", "pig", "--seed", "3", "--lang", "fr").stdout


def test_players_are_chosen_by_name_or_title() -> None:
    found = json.loads(ddob("run", "tic-tac-toe", "--player", "Cross=greedy", "--json").stdout)
    assert found["players"] == {"cross": "greedy", "nought": "random"}


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("cros=greedy", "did you mean `cross`?"),
        ("cross=greedie", "did you mean `greedy`?"),
        ("cross", "NAME=KIND"),
        ("cross=human", "there is no player `human`"),
    ],
)
def test_players_that_do_not_exist_are_misuse(word: str, told: str) -> None:
    result = ddob("run", "tic-tac-toe", "--player", word)
    assert result.exit_code == 2
    assert told in result.stderr


def test_unknown_scenarios_and_options_are_told() -> None:
    assert "did you mean `tic-tac-toe`?" in ddob("run", "tic-tac-to").stderr
    result = ddob("run", "tic-tac-toe", "--option", "fog")
    assert result.exit_code == 1
    assert "E0641" in result.stderr


def test_a_save_leads_to_the_same_position() -> None:
    found = json.loads(ddob("run", "reversi", "--seed", "5", "--save", "game.json", "--json").stdout)
    save = read_save("game.json")
    assert (save.hash, save.finished, len(save.choices)) == (found["hash"], True, found["choices"])
    assert load("reversi").replay(5, []).hash() != save.hash


def test_a_save_that_cannot_be_written_is_told_and_harms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("precious")
    result = ddob("run", "tic-tac-toe", "--save", "file/game.json")
    assert result.exit_code == 1
    assert "E0717" in result.stderr
    assert Path("file").read_text() == "precious"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = ddob("run", "tic-tac-toe", "--save", "file")
    assert result.exit_code == 1
    assert "no space left on device" in result.stderr
    assert Path("file").read_text() == "precious"
    assert os.listdir() == ["file"]


def test_rules_that_fail_are_told_at_their_line(tmp_path: Path) -> None:
    write_broken(tmp_path)
    results = [ddob("run", "broken", "--seed", str(seed), "--save", "game.json") for seed in range(8)]
    failed = next(result for result in results if result.exit_code == 1)
    assert "error[E0701]" in failed.stderr
    assert "broken/broken.rules:1" in failed.stderr
    assert "half(" in failed.stderr
    assert read_save("game.json").ruleset == "broken"
