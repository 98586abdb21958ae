"""A series on a Ray cluster of this machine: the same games, whoever dies. In other processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from interpreter.trials.cluster import NoCluster, on_ray
from tests.ddob_rules.cli.playing import COMMAND, ddob

ROOT = Path(__file__).parents[3]
#: Ray is a large package, so `[test]` does not bring it; `pip install -e ".[ray]"` does.
needs_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="ray is not installed: pip install -e '.[ray]'"
)

#: Plays a series on two processes, and kills one of them when the first game is told. A process notes its id
#: when it makes its game ready.
KILLING = """
import json, os, signal, sys, time
from functools import partial
from pathlib import Path
from ddob_rules.loading import load
from interpreter.trials.cluster import on_ray
from interpreter.trials.simulation import simulate

folder, games = Path(sys.argv[1]), int(sys.argv[2])

def note(game):
    (folder / str(os.getpid())).touch()
    return None

killed = []

def kill(record):
    numbers.append(record.number)
    deadline = time.monotonic() + 30
    while not killed and time.monotonic() < deadline:
        others = [int(path.name) for path in folder.iterdir() if int(path.name) != os.getpid()]
        if len(others) == 2:
            os.kill(others[0], signal.SIGKILL)
            killed.append(others[0])
        time.sleep(0.01)

numbers = []
make = partial(load, "pig", journal=False)
found = simulate(make, {}, games=games, seed=3, make_fast=note, venue=on_ray(workers=2), on_record=kill)
alone = simulate(make, {}, games=games, seed=3)
print(json.dumps({
    "killed": len(killed), "processes": len(list(folder.iterdir())) - 1, "numbers": sorted(numbers),
    "same": found == alone, "played": found.played,
}))
"""


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


@needs_ray
@pytest.mark.slow
def test_a_worker_that_is_killed_loses_no_game_and_doubles_none(tmp_path: Path) -> None:
    (tmp_path / "pids").mkdir()
    done = run(sys.executable, "-c", KILLING, str(tmp_path / "pids"), "300", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["killed"] == 1
    assert found["processes"] == 3, "another one took its place"
    assert found["numbers"] == list(range(300))
    assert found["same"] and found["played"] == 300


@needs_ray
@pytest.mark.slow
def test_the_command_prints_the_same_table_on_a_cluster(tmp_path: Path) -> None:
    """With rules that lie in the current folder."""
    (tmp_path / "sooner.rules").write_text(
        'ruleset sooner "Sooner" extends pig\n\nrule S.1 "Half the way" amends 4:\n  value goal = 50\n'
    )
    words = (*COMMAND, "simulate", "pig+sooner", "-n", "20", "--seed", "4", "--json")
    here, there = run(*words, folder=tmp_path), run(*words, "--on", "ray", "--workers", "2", folder=tmp_path)
    assert there.returncode == 0, there.stderr
    alone, shared = json.loads(here.stdout), json.loads(there.stdout)
    assert {**alone, "seconds": 0, "workers": 0} == {**shared, "seconds": 0, "workers": 0}


def test_without_ray_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(NoCluster, match="pip install"):
        on_ray()
    result = ddob("simulate", "pig", "-n", "1", "--on", "ray")
    assert result.exit_code == 1
    assert "ray is not installed" in result.stderr and "ddob-rules[ray]" in result.stderr


@pytest.mark.parametrize("word", ["", "spark", "ray=", "rays"])
def test_another_place_than_ray_is_refused(word: str) -> None:
    result = ddob("simulate", "pig", "-n", "1", "--on", word)
    assert result.exit_code == 2
    assert "neither `ray` nor `ray=ADDRESS`" in result.stderr


class Nowhere(ModuleType):
    """Ray, where no cluster answers."""

    def is_initialized(self) -> bool:
        return False

    def init(self, address: str, **settings: object) -> None:
        raise ConnectionError("nobody answers\nsecond line")


@pytest.mark.parametrize("word, address", [("ray", "local"), ("ray=10.0.0.1:6379", "10.0.0.1:6379")])
def test_a_cluster_that_is_not_there_is_told(
    word: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", Nowhere("ray"))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    result = ddob("simulate", "pig", "-n", "1", "--on", word)
    assert result.exit_code == 1
    assert result.stderr.endswith(f"there is no Ray cluster at `{address}`: nobody answers\n")
