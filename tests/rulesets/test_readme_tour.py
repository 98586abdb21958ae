"""The tour of the README: the line it names is there, and the change does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS
from tests.docs.tour import README, change_the_rule, ddob, pack, tables_printed, with_tables


def test_the_hit_limit_can_be_changed_as_the_readme_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    change_the_rule()
    assert "no findings" in ddob("check", "ddob")
    told = ddob("diff", "../ddob-before", "ddob").splitlines()
    assert told == [
        "6.31 Hit limit, changed",
        "  - hit_limit: count(effective(p)) + count(effective_depth(p)) -> 1",
    ]


def test_the_tables_are_what_the_tour_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    page = README.read_text(encoding="utf-8")
    # After a change of the rules, `scripts/docs` puts in what is printed now.
    assert with_tables(page, tables_printed()) == page


def test_readme_and_tutorial_can_be_followed_in_one_folder() -> None:
    pages = [README, DOCS / "tutorial.md"]
    made = [
        name
        for page in pages
        for name in re.findall(r"ddob new (\S+?)[`\s]", page.read_text(encoding="utf-8"))
    ]
    assert len(made) == 2 and len(set(made)) == 2
