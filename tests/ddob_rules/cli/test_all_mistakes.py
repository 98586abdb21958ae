"""`ddob check` tells all mistakes in one run, in rules and in data, and each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.cli.checking import Examination

NAME = "mygame"
RULES, DATA = f"{NAME}.rules", f"{NAME}.yaml"


def found(tmp_path: Path, *edits: tuple[str, str]) -> list[tuple[str, str, int]]:
    """The findings about the game that `ddob new` makes, with these edits in its files."""
    folder = tmp_path / NAME
    assert CliRunner().invoke(main, ["new", str(folder)]).exit_code == 0
    for old, new in edits:
        path = next(path for path in sorted(folder.rglob("*.*")) if old in path.read_text("utf-8"))
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    work = Examination()
    work.target(str(folder))
    places = [(problem.code, problem.primary) for problem in work.problems]
    return [(code, Path(span.source.path).name, span.line) for code, span in places if span is not None]


def test_slips_in_two_rules_and_in_the_scenario_are_three_findings(tmp_path: Path) -> None:
    assert found(
        tmp_path,
        ("in neighbours(u.at)", "in neigbours(u.at)"),
        ("distance(u.at, target.at)", "distance(u.at, targt.at)"),
        ("{id: R2, owner: red", "{id: R2, ownr: red"),
    ) == [("E0201", RULES, 24), ("E0201", RULES, 39), ("E0612", DATA, 21)]


def test_one_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    assert found(
        tmp_path,
        ("    when to in neighbours(u.at)", "    when ] to in neighbours(u.at)"),
        ("distance(u.at, target.at)", "distance(u.at, targt.at)"),
        ("turns: 20", "turns 20"),
        ("{id: R2, owner: red", "{id: R2, owner red"),
    ) == [("E0111", RULES, 24), ("E0201", RULES, 39), ("E0117", DATA, 4), ("E0117", DATA, 21)]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("boards:", "boards", 5),
        ("pieces:", "pieces", 18),
        ("turns: 20", "turns:20", 4),
        ("hex:\n", "hex\n", 6),
    ],
)
def test_a_colon_that_data_lacks_is_one_finding(tmp_path: Path, old: str, new: str, line: int) -> None:
    assert found(tmp_path, (old, new)) == [("E0117", DATA, line)]


DECLARED = ["enum", "space", "piece", "sequence", "action move", "dice", "procedure", "define", "victory"]


@pytest.mark.parametrize("word", DECLARED)
def test_a_declaration_that_cannot_be_read_is_missed_nowhere(tmp_path: Path, word: str) -> None:
    codes = [code for code, _, _ in found(tmp_path, (f"  {word} ", f"  ] {word} "))]
    assert codes == ["E0111"]


def test_a_word_that_the_rules_have_wrong_is_no_mistake_of_the_scenario(tmp_path: Path) -> None:
    assert found(tmp_path, ("    owner: player", "    owner: plyer")) == [("E0220", RULES, 10)]
