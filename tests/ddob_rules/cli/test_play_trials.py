"""`ddob simulate` and `ddob fuzz`: many games, and what goes wrong in them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.ddob_rules.cli.playing import ddob, pipe, write_broken


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_series_tells_how_games_end_with_intervals() -> None:
    result = ddob("simulate", "tic-tac-toe", "-n", "50", "--seed", "3")
    assert result.exit_code == 0
    assert "50 of 50 games" in result.stdout
    assert "95% interval" in result.stdout
    assert result.stderr == ""


def test_data_of_a_series_adds_up() -> None:
    found = json.loads(ddob("simulate", "tic-tac-toe", "-n", "40", "--json").stdout)
    assert {"games", "results", "seconds", "workers"} <= set(found)
    assert sum(result["count"] for result in found["results"]) == found["games"] == 40
    for result in found["results"]:
        assert 0 <= result["low"] <= result["share"] <= result["high"] <= 1


def test_workers_share_the_same_games(tmp_path: Path) -> None:
    words = ("simulate", "pig", "-n", "12", "--seed", "4", "--json")
    alone, shared = (
        json.loads(pipe(*words, "--workers", count, typed="", folder=tmp_path).stdout) for count in ("1", "2")
    )
    assert shared["workers"] == 2
    assert {**alone, "seconds": 0, "workers": 0} == {**shared, "seconds": 0, "workers": 0}


@pytest.mark.parametrize("words", [("-n", "0"), ("-n", "many"), ("--workers", "0"), ("--player", "x=random")])
def test_misuse_of_a_series_is_told(words: tuple[str, ...]) -> None:
    assert ddob("simulate", "tic-tac-toe", *words).exit_code == 2


def test_failures_in_a_series_are_counted(tmp_path: Path) -> None:
    write_broken(tmp_path)
    result = ddob("simulate", "broken", "-n", "20", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found["failures"] > 0
    assert "broken.rules:1" in found["first_failure"]


def test_a_sound_ruleset_has_no_findings() -> None:
    result = ddob("fuzz", "kuhn-poker", "-n", "5")
    assert result.exit_code == 0
    assert "no findings" in result.stdout
    assert os.listdir() == []


def test_a_finding_is_saved_as_a_game_that_shows_it(tmp_path: Path) -> None:
    write_broken(tmp_path)
    result = ddob("fuzz", "broken", "-n", "10", "--out", "findings", "--json")
    assert result.exit_code == 1
    finding = json.loads(result.stdout)["findings"][0]
    assert finding["kind"] == "crash"
    again = ddob("replay", finding["file"])
    assert again.exit_code == 1
    assert "divided by zero" in again.stdout
    assert f"ddob replay {finding['file']}" in ddob("fuzz", "broken", "-n", "10", "--out", "findings").stdout


def test_findings_that_cannot_be_saved_are_told(tmp_path: Path) -> None:
    write_broken(tmp_path)
    Path("file").write_text("")
    result = ddob("fuzz", "broken", "-n", "10", "--out", "file/inside")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
