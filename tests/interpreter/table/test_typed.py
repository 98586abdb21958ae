"""What a typed line means, by the cases that hold for every face of the table."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from interpreter.table.typed import AskBack, NotUnderstood, Play, Select, WhyNot, understood

CASES = json.loads((Path(__file__).parents[2] / "cases/choose/clicks.json").read_text("utf-8"))
DOES = {
    Play: "play",
    Select: "select",
    AskBack: "ask back",
    WhyNot: "why not",
    NotUnderstood: "not understood",
}


@pytest.mark.parametrize("case", CASES["lines"], ids=lambda case: case["name"])
def test_lines(case: dict[str, Any]) -> None:
    names = CASES["names"]
    question = CASES["questions"][case["question"]]
    meaning = understood(question, lambda ident: str(names.get(ident, ident)), CASES["known"], case["line"])
    got = json.loads(json.dumps({"does": DOES[type(meaning)], **asdict(meaning)}))
    expected = {key: value for key, value in case.items() if key not in ("question", "line", "name")}
    assert {key: got.get(key) for key in expected} == expected
