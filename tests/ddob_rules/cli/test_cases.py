"""Runs the tables of cases for the command: files, arguments, and what must be printed, left and returned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.loading import load_game
from ddob_rules.reports.render import render_gnu

CASES = Path(__file__).parents[2] / "cases" / "cli"
#: The quick one, if it is there: these files are read whenever tests are collected.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KNOWN = {"name", "files", "args", "input", "expected", "contains", "error", "exit_code", "after", "options"}


def cases() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.yaml")):
        table = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)
        for case in table["cases"]:
            files = {**table.get("files", {}), **case.get("files", {})}
            found.append(pytest.param({**case, "files": files}, path.stem, id=f"{path.stem}: {case['name']}"))
    return found


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("case", "file"), cases())
def test_case(case: dict[str, Any], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(case) <= KNOWN
    write(tmp_path, case["files"])
    monkeypatch.chdir(tmp_path)
    output, error, exit_code = options_case(case) if "options" in case else command_case(case)
    assert exit_code == case.get("exit_code", 0), output + error
    if "expected" in case:
        assert output == case["expected"]
    for text in case.get("contains", []):
        assert text in output
    for text in case.get("error", []):
        assert text in error
    for name, text in case.get("after", {}).items():
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    if file[0] in "EW" and file[1:].isdigit():
        assert file in output + error, "the case does not show the code that its file is named after"


def command_case(case: dict[str, Any]) -> tuple[str, str, int]:
    result = CliRunner().invoke(main, [str(word) for word in case["args"]], input=case.get("input"))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout, result.stderr, result.exit_code


def options_case(case: dict[str, Any]) -> tuple[str, str, int]:
    """Options are chosen where games are loaded."""
    loaded = load_game(case["args"][0], options=tuple(case["options"]))
    return render_gnu(loaded.problems), "", 0 if loaded.game is not None else 1
