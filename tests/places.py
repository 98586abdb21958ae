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


def _one_of_each(keys: str) -> list[Path]:
    """One of the scenarios with the same lines of these; none that has the lines of another one."""
    found: dict[tuple[str, ...], Path] = {}
    for path in SCENARIOS:
        said = re.findall(rf"^(?:{keys}):.*", path.read_text(encoding="utf-8"), re.MULTILINE)
        if said:
            found.setdefault(tuple(said), path)
    return sorted(found.values())


#: Of the scenarios that are played by the same rules, one; and one of each ruleset.
ONE_OF_EACH = _one_of_each("ruleset|rules|overlays")
ONE_OF_EACH_RULESET = _one_of_each("ruleset")
