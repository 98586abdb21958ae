"""Where things lie that tests read."""

from __future__ import annotations

from pathlib import Path

from ddob_rules.resources import rulesets_folder

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
CASES = TESTS / "cases"
#: The shipped scenarios by their files, so that tests can be listed without reading them.
SCENARIOS = sorted(rulesets_folder().rglob("scenarios/*.yaml"))
