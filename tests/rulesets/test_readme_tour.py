"""The tour of the README: the line it names is there, and the change does what the page says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.resources import rulesets_folder


def ddob(*words: str) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_hit_limit_can_be_changed_as_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(rulesets_folder() / "ddob", tmp_path / "ddob-before")
    shutil.copytree(rulesets_folder() / "ddob", tmp_path / "here/rulesets/ddob")
    monkeypatch.chdir(tmp_path / "here")
    fire = Path("rulesets/ddob/06-fire.rules")
    lines = fire.read_text(encoding="utf-8").split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith("  define hit_limit("))
    lines[place] = "  define hit_limit(p: position): number = 1"
    fire.write_text("\n".join(lines), encoding="utf-8")
    assert "no findings" in ddob("check", "ddob")
    told = ddob("diff", "../ddob-before", "ddob").splitlines()
    assert told == [
        "6.31 Hit limit, changed",
        "  - hit_limit: count(effective(p)) + count(effective_depth(p)) -> 1",
    ]
    assert "victory points:" in ddob("simulate", "first-waves", "-n", "2")
