"""The wheel carries everything a game needs, and works where there is no checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this repository, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(TOP)]
    finished = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds, and nothing else of this project."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def _ddob(installed: Path, elsewhere: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(installed), "DDOB_CACHE": "off"}
    finished = subprocess.run(
        [sys.executable, "-m", "ddob_rules", *arguments],
        env=environment,
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def _files(folder: Path) -> set[str]:
    """The files that belong to the project: what a hidden folder or a cache holds does not."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in paths if not any(part.startswith((".", "__")) for part in path.parts)}


@pytest.mark.parametrize(
    ("checkout", "packed"),
    [
        ("grammar", "ddob_rules/_grammar"),
        ("rulesets", "ddob_rules/_rulesets"),
        ("docs/errors", "ddob_rules/_errors"),
        ("ddob_rules/templates", "ddob_rules/templates"),
    ],
)
def test_wheel_contains_every_data_file(installed: Path, checkout: str, packed: str) -> None:
    expected = _files(TOP / checkout)
    assert expected
    assert expected <= _files(installed / packed)


def test_wheel_contains_no_tests_and_no_benchmarks(installed: Path) -> None:
    found = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert found == {"ddob_rules", "interpreter"}


def test_wheel_lists_the_shipped_rulesets_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    listed = json.loads(_ddob(installed, tmp_path, "list", "--json"))
    assert "tic-tac-toe" in {scenario["name"] for scenario in listed["scenarios"]}


def test_wheel_checks_a_shipped_game_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    _ddob(installed, tmp_path, "check", "tic-tac-toe")


def test_wheel_plays_a_shipped_game_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    played = json.loads(_ddob(installed, tmp_path, "run", "tic-tac-toe", "--seed", "1", "--json"))
    assert played["scenario"] == "tic-tac-toe"
    assert played["result"]
