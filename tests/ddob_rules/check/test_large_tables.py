"""Gaps of a table are looked for as long as an author waits; a larger table is taken as it is."""

from __future__ import annotations

import pytest

from tests.rules import check_text


@pytest.mark.parametrize(("rows", "found"), [(200, ["E0310"]), (2000, [])])
def test_large_table_is_not_judged(rows: int, found: list[str]) -> None:
    lines = "".join(f"    | {2 * n} | {n} |\n" for n in range(rows))
    text = f'ruleset r "R"\nrule 1:\n  table t(n: number) -> number:\n    | n | r |\n{lines}'
    problems = check_text(text).problems
    assert [problem.code for problem in problems if problem.severity == "error"] == found
