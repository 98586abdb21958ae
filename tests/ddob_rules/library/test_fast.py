"""Games in the fast engine, by modules that are kept: they are those of the rules as they are now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ddob_rules.cli.playing import ddob


def test_a_number_of_a_chart_that_changes_makes_another_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ddob("new", "skirmish").exit_code == 0
    words = ("simulate", "skirmish", "-n", "40", "--json")
    before = json.loads(ddob(*words).stdout)
    path = Path("skirmish/skirmish.rules")
    text = path.read_text(encoding="utf-8")
    row = next(line for line in text.split("\n") if line.strip().startswith("| clear"))
    assert row.count("4") == 1
    path.write_text(text.replace(row, row.replace("4", "2")), encoding="utf-8")
    fast, slow = (json.loads(ddob(*words, "--engine", engine).stdout) for engine in ("wasm", "python"))
    assert fast["results"] == slow["results"] != before["results"]
