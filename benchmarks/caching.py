"""Loading a ruleset again, from its cache, against loading it for the first time; each in a new process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.checking import SCENARIO, large_rules
from benchmarks.timing import Row, Sizes

_PROGRAM = """\
import sys
from time import perf_counter
from ddob_rules import load
started = perf_counter()
load(sys.argv[1])
print(perf_counter() - started)
"""
_TOP = Path(__file__).resolve().parent.parent


def load_seconds(scenario: str, cache: Path) -> float:
    """How long a new process takes to load a scenario, with its cache in a folder; without its own start."""
    paths = [str(_TOP), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "DDOB_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(paths)}
    finished = subprocess.run(
        [sys.executable, "-c", _PROGRAM, scenario],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(finished.stdout)


def measure(sizes: Sizes) -> list[Row]:
    """A row for a short shipped game, and one for a long ruleset."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        path = write_large(folder, sizes.lines[0])
        lines = f"{path.parent.parent.joinpath('large.rules').read_text().count(chr(10)):,} lines"
        return [
            _measure("breakthrough", "breakthrough", folder, sizes),
            _measure(f"a ruleset of {lines}", str(path), folder, sizes),
        ]


def write_large(folder: Path, lines: int) -> Path:
    """Writes a large ruleset with a scenario into a folder; the path of the scenario."""
    ruleset = folder / "large"
    (ruleset / "scenarios").mkdir(parents=True)
    (ruleset / "large.rules").write_text(large_rules(lines), encoding="utf-8")
    path = ruleset / "scenarios" / "large.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path


def _measure(subject: str, scenario: str, folder: Path, sizes: Sizes) -> Row:
    pairs = []
    for _ in range(sizes.loads):
        with TemporaryDirectory(dir=folder) as cache:
            pairs.append((load_seconds(scenario, Path(cache)), load_seconds(scenario, Path(cache))))
    return Row(
        subject=f"second load of {subject}, from the cache",
        against="the first load",
        ratio=median(first / second for first, second in pairs),
        wanted="at least 10",
        machine=f"{median(b for _, b in pairs) * 1e3:.0f} to {median(a for a, _ in pairs) * 1e3:.0f} ms",
    )
