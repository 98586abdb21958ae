"""An interrupt ends `ddob` with exit code 130 and no traceback, whenever it comes: with real processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ddob_rules.cli.playing import environment

SLOW = ("--player", "white=search:2000", "--player", "black=search:2000")


def started(*words: str, folder: Path, options: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *options, "-m", "ddob_rules", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**environment(), "PYTHONUNBUFFERED": "1", "DDOB_CACHE": os.environ["DDOB_CACHE"]},
        start_new_session=True,
    )


#: A line about a module that was loaded, or the end of one that was being written when the interrupt came.
_IMPORTED = re.compile(r"import time:| *[a-z_][\w.]*$")


def until_loading(child: subprocess.Popen[str], module: str) -> None:
    """Waits until a module is loaded; only those of plain import statements are told."""
    assert child.stderr is not None
    assert any(line.split("|")[-1].strip() == module for line in child.stderr)


def interrupted(child: subprocess.Popen[str]) -> tuple[int, list[str]]:
    os.killpg(child.pid, signal.SIGINT)
    try:
        _, rest = child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # or it would take a processor from all tests that follow
        raise
    return child.returncode, [line for line in rest.splitlines() if not _IMPORTED.match(line)]


@pytest.mark.parametrize(
    "module", ["ddob_rules.command", "click", "ddob_rules.reports.diagnostics", "rich.table"]
)
def test_interrupt_while_starting(tmp_path: Path, module: str) -> None:
    child = started("run", "pig", folder=tmp_path, options=("-X", "importtime"))
    until_loading(child, module)
    assert interrupted(child) == (130, [])


@pytest.mark.parametrize(
    "words",
    [
        ("run", "breakthrough", *SLOW),
        ("run", "breakthrough", *SLOW, "--json"),
        ("simulate", "breakthrough", "-n", "50000000", "--workers", "2"),
        ("fuzz", "breakthrough", "-n", "500000"),
        ("test", "ddob", "ddob-extended"),
        ("play", "breakthrough"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_interrupt_while_a_command_runs(tmp_path: Path, words: tuple[str, ...]) -> None:
    child = started(*words, folder=tmp_path, options=("-X", "importtime"))
    until_loading(child, "ddob_rules.command")
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(1)
    code, told = interrupted(child)
    assert code == 130
    assert len(told) <= 1, told


TAKEN_AWAY = """
import os, signal
import ddob_rules.cli

class Held:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass

def busy(prog_name):
    Held()
    while True:
        pass

ddob_rules.cli.main = busy
from ddob_rules.command import main
main()
"""


def test_interrupt_while_an_object_is_taken_away(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", TAKEN_AWAY],
        capture_output=True, text=True, cwd=tmp_path, env=environment(), timeout=60,
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (130, "")
