"""`ddob replay`, `ddob impact` and `ddob record`: what saved games prove, and what becomes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ddob_rules.cli.playing import ROOT, ddob


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def saved() -> str:
    ddob("run", "tic-tac-toe", "--seed", "1", "--save", "game.json")
    return "game.json"


def test_a_save_is_proven(saved: str) -> None:
    result = ddob("replay", saved)
    assert result.exit_code == 0
    assert "proven: all 7 choices play the same" in result.stdout
    found = json.loads(ddob("replay", saved, "--json").stdout)
    assert found["proven"] and found["hash"] == found["expected_hash"]


def test_under_other_rules_the_responsible_one_is_named(saved: str) -> None:
    result = ddob("replay", saved, "--ruleset", "misere-tic-tac-toe")
    assert result.exit_code == 1
    assert "because of rule M" in result.stdout
    assert "`Nought wins` instead of `Cross wins`" in result.stdout
    found = json.loads(ddob("replay", saved, "--ruleset", "misere-tic-tac-toe", "--json").stdout)
    assert (found["proven"], found["difference"]["rule"]) == (False, "M")


def test_a_foreign_ruleset_is_told(saved: str) -> None:
    assert ddob("replay", saved, "--ruleset", "pig").exit_code == 1
    result = ddob("replay", saved, "--ruleset", "nothing-like-it")
    assert result.exit_code == 1
    assert "E0512" in result.stderr


@pytest.mark.parametrize("command", ["replay", "record"])
def test_an_edited_or_missing_save_is_told(saved: str, command: str) -> None:
    text = Path(saved).read_text()
    Path("edited.json").write_text(text.replace('"seed": 1', '"seed": 2'))
    Path("short.json").write_text(text[: len(text) // 2])
    for file, code in (("edited.json", "E0715"), ("short.json", "E0711"), ("missing.json", "E0710")):
        result = ddob(command, file)
        assert result.exit_code == 1
        assert code in result.stderr


def test_impact_tells_of_every_save_even_if_one_cannot_be_read(saved: str) -> None:
    result = ddob("impact", "tic-tac-toe", "misere-tic-tac-toe", "missing.json", saved)
    assert result.exit_code == 1
    assert f"{saved}: differs after the last choice" in result.stdout
    assert "E0710" in result.stderr
    found = json.loads(ddob("impact", "tic-tac-toe", "misere-tic-tac-toe", saved, "--json").stdout)
    assert (found[0]["save"], found[0]["rule"]) == (saved, "M")


def test_impact_of_no_change_is_none(saved: str) -> None:
    result = ddob("impact", "tic-tac-toe", "tic-tac-toe", saved)
    assert result.exit_code == 0
    assert "unchanged: all 7 choices play the same" in result.stdout


def test_impact_needs_rulesets_that_are_there(saved: str) -> None:
    result = ddob("impact", "tic-tac-toe", "tic-tac-two", saved)
    assert result.exit_code == 1
    assert "E0512" in result.stderr


@pytest.mark.parametrize("scenario", ["tic-tac-toe", "pig", "kuhn-poker", "reversi"])
def test_a_recorded_game_is_an_example_that_passes(scenario: str, tmp_path: Path) -> None:
    ddob("run", scenario, "--seed", "6", "--save", "game.json")
    example = ddob("record", "game.json", "--title", 'A "short" game').stdout
    assert example.startswith('example "A \\"short\\" game" of ')
    folder = tmp_path / "copy"
    folder.mkdir()
    rules = ROOT / "rulesets" / "classics" / scenario / f"{scenario}.rules"
    (folder / f"{scenario}.rules").write_text(
        rules.read_text(encoding="utf-8") + "\n" + example, encoding="utf-8"
    )
    result = ddob("test", scenario, "--only", "short")
    assert result.stdout == "1 example passed\n", result.stdout


def test_a_game_in_progress_can_be_recorded() -> None:
    ddob("play", "tic-tac-toe", "--seed", "1", "--save", "game.json", typed="a1\nb1\n")
    assert ddob("record", "game.json", "-o", "out.rules").stdout == "out.rules\n"
    text = Path("out.rules").read_text()
    assert "  expect not game_over\n  expect turn = 2\n" in text


def test_a_seed_that_examples_cannot_say_is_told() -> None:
    ddob("run", "tic-tac-toe", "--seed", "-1", "--save", "game.json")
    result = ddob("record", "game.json")
    assert result.exit_code == 1
    assert "an example cannot have the seed -1" in result.stderr
