"""The house style: what it looks like, and that it changes nothing but the looks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules.reports.render import display_width
from ddob_rules.syntax.format import format_source
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import LONGEST_LINE, Source
from tests.places import CASES

FORMATTED = sorted((CASES / "format").glob("*.rules"))
EVERY_CONSTRUCT = (CASES / "parse" / "every-construct.rules").read_text(encoding="utf-8")
COMMENT = re.compile(r"#.*")


def formatted(text: str) -> str:
    return format_source(Source("a.rules", text))[0]


@pytest.mark.parametrize("path", FORMATTED, ids=lambda path: str(path.stem))
def test_case_comes_out_as_expected(path: Path) -> None:
    given_text, expected = path.read_text(encoding="utf-8").split("# output\n")
    assert formatted(given_text) == expected
    assert formatted(expected) == expected


def test_file_in_the_house_style_stays_as_it_is() -> None:
    assert format_source(Source("a.rules", EVERY_CONSTRUCT)) == (EVERY_CONSTRUCT, [])


def test_file_with_a_mistake_stays_as_it_is() -> None:
    text = "rule   1 :\n    valu x=1\n"
    unchanged, problems = format_source(Source("a.rules", text))
    assert unchanged == text
    assert [problem.code for problem in problems] == ["E0111"]


def test_mixed_tabs_and_spaces_are_left_to_the_author() -> None:
    text = "rule 1:\n\tprocedure p:\n        stop\n"
    unchanged, problems = format_source(Source("a.rules", text))
    assert unchanged == text
    assert [problem.code for problem in problems] == ["E0102"]


def test_one_huge_cell_does_not_blow_up_the_table() -> None:
    rows = "    | a |\n" * 50
    text = f'rule 1:\n  chart x:\n    | "{"x" * 5_000}" |\n{rows}'
    assert formatted(text) == text


def test_line_that_would_grow_too_long_is_left_alone() -> None:
    text = f'rule 1:\n  "{"x" * (LONGEST_LINE - 5)}" # end\n'
    assert formatted(text) == text


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("é", 1), ("e\u0301", 1), ("日本", 4), ("", 0)])
def test_width_is_counted_in_columns(text: str, width: int) -> None:
    assert display_width(text) == width


@st.composite
def respaced(draw: st.DrawFn) -> str:
    """A rule of the sample with other blanks between its words, other indentation and more comments."""
    text = draw(st.sampled_from(EVERY_CONSTRUCT.split("\n\n")))
    step = draw(st.integers(1, 7))
    lines: list[str] = []
    for line in text.split("\n"):
        words = line.lstrip(" ")
        depth = (len(line) - len(words)) * step
        if "#" not in line and '"' not in line:
            words = words.replace(" ", " " * draw(st.integers(1, 3)))
        if draw(st.booleans()):
            words += draw(
                st.sampled_from([" ", "#note", "   # note", "\n", "\n\n\n", "\n# note", "\n     #note"])
            )
        lines.append(" " * depth + words)
    return "\n".join(lines)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(respaced())
def test_meaning_and_comments_are_kept_and_the_second_time_changes_nothing(text: str) -> None:
    before = parse_file(Source("a.rules", text))
    after = formatted(text)
    assert parse_file(Source("a.rules", after)).items == before.items
    assert [found.rstrip() for found in COMMENT.findall(after)] == [f.rstrip() for f in COMMENT.findall(text)]
    if not before.problems:
        assert formatted(after) == after
        assert not re.search(r"[ \t]$|\n\n\n", after, re.MULTILINE)
        assert after.endswith("\n") and not after.endswith("\n\n")
