"""Running the playing commands in a test: inside this process, in a pipe, and at a real terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from ddob_rules.cli import main

# It comes without types.
pexpect: Any = import_module("pexpect")
pyte: Any = import_module("pyte")

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "ddob_rules"]

#: A game whose first choice fails in one of its two cases.
BROKEN = """\
ruleset broken "Broken"
players red "Red", blue "Blue"

rule 1 "Cells":
  space cell on square board:
    stone: player = nothing

rule 2 "Play":
  sequence turn:
    phase play for each p in player: p takes 1 action
  define half(n: number): number = 10 / n rounded up
  action place "Place" (c: cell) by p in play:
    when c.stone = nothing  else "taken" (2)
    do:
      set c.stone to p
      if half(c.column - 2) > 0: p wins "luck"
"""
BROKEN_SCENARIO = """\
scenario: broken
title: Broken
ruleset: broken
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [1, 2]
"""


def write_broken(folder: Path) -> None:
    (folder / "broken" / "scenarios").mkdir(parents=True)
    (folder / "broken" / "broken.rules").write_text(BROKEN)
    (folder / "broken" / "scenarios" / "broken.yaml").write_text(BROKEN_SCENARIO)


def ddob(*words: str, typed: str | None = None) -> Result:
    """The command, inside this process; whatever happens, nobody sees a traceback."""
    result = CliRunner().invoke(main, list(words), input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    assert result.exit_code in (0, 1, 2, 130), result.output
    return result


def environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DDOB")}
    return {
        **kept,
        "DDOB_DATA": os.environ["DDOB_DATA"],
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "LINES": "50",
    }


def pipe(*words: str, typed: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command as a program of its own that reads from a pipe."""
    return subprocess.run(
        [*COMMAND, *words],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(),
        timeout=60,
    )


def terminal(*words: str, folder: Path, colour: bool = False, rows: int = 50, columns: int = 100) -> Any:
    """The command at a terminal, as pexpect gives it."""
    surroundings = {**environment(), "COLUMNS": str(columns), "LINES": str(rows)}
    if colour:
        del surroundings["NO_COLOR"]
    return pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *words],
        cwd=str(folder),
        env=surroundings,
        encoding="utf-8",
        timeout=60,
        dimensions=(rows, columns),
    )
