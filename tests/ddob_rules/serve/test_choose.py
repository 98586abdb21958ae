"""What a click or a typed line means, by the cases that hold for every face of the table."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests/cases/choose/clicks.json"
WEB = ROOT / "ddob_rules/serve/web"

cases = json.loads(CASES.read_text(encoding="utf-8"))

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@cache
def results() -> dict[str, dict[str, Any]]:
    node = shutil.which("node")
    assert node is not None
    runner = Path(__file__).with_name("choose.mjs")
    done = subprocess.run(
        [node, str(runner), str(WEB / "choose.js"), str(CASES)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return {part: {case["name"]: case for case in told[part]} for part in ("played", "typed")}


@pytest.mark.parametrize("case", cases["cases"], ids=lambda case: case["name"])
def test_clicks(case: dict[str, Any]) -> None:
    result = results()["played"][case["name"]]
    if "lit" in case:
        assert result["lit"] == sorted(case["lit"])
    assert len(result["clicks"]) == len(case["clicks"])
    for wanted, got in zip(case["clicks"], result["clicks"], strict=True):
        expected = {key: value for key, value in wanted.items() if key != "on"}
        if "lit" in expected:
            expected["lit"] = sorted(expected["lit"])
        assert {key: got.get(key) for key in expected} == expected


@pytest.mark.parametrize("case", cases["lines"], ids=lambda case: case["name"])
def test_lines(case: dict[str, Any]) -> None:
    result = results()["typed"][case["name"]]
    expected = {key: value for key, value in case.items() if key not in ("question", "line")}
    assert {key: result.get(key) for key in expected} == expected
