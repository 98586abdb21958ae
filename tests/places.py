"""Where things lie that tests read."""

from __future__ import annotations

import re
from pathlib import Path

from ddob_rules.resources import rulesets_folder

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
CASES = TESTS / "cases"
#: The shipped scenarios by their files, so that tests can be listed without reading them.
SCENARIOS = sorted(rulesets_folder().rglob("scenarios/*.yaml"))


def _rules_of(path: Path) -> tuple[str, ...]:
    """The lines of a scenario that say by which rules it is played; none if those of another one."""
    return tuple(
        re.findall(r"^(?:ruleset|rules|overlays):.*", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


#: Of the scenarios that are played by the same rules, one.
ONE_OF_EACH = sorted({rules: path for path in reversed(SCENARIOS) if (rules := _rules_of(path))}.values())
