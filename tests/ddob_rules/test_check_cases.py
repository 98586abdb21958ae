"""Every diagnostic of the checker, shown by small programs; codes, fixtures and pages compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddob_rules.diagnostics import catalogue
from ddob_rules.expressions import Expressions
from ddob_rules.parse import parse_expression
from ddob_rules.resources import error_page
from ddob_rules.scope import Here, Scope
from ddob_rules.source import Source
from interpreter import ir
from tests.rules import check_text, program_texts

CASES = Path(__file__).parent.parent / "cases"
CHECK = CASES / "check"
MARK = re.compile(r"### (?P<codes>[EW]\d{4}(?: [EW]\d{4})*)$")

# What no text file can show, and the tests that show it.
SHOWN_BY_A_TEST = {
    "test_source.py": {
        "E0001",
        "E0002",
        "E0003",
        "E0004",
        "E0005",
        "E0007",
        "E0008",
        "E0009",
        "E0010",
    },
    "cli/test_bad_input.py": {"E0006"},
    "test_parse.py": {"E0107"},
    "test_check_cases.py": {"E0221"},
    "test_examples.py": {"E0707", *(f"E07{number}" for number in range(21, 32))},
    "../interpreter/test_failures.py": {f"E07{number:02}" for number in (1, 2, 3, 4, 5, 6, 8, 9)},
    "../interpreter/test_saves.py": {f"E07{number}" for number in range(10, 18)},
}


def programs(pattern: str) -> list[object]:
    """One parameter for each program of the files."""
    return [
        pytest.param(books, id=f"{path.stem}:{start}")
        for path in sorted(CHECK.glob(pattern))
        for start, books in program_texts(path.read_text(encoding="utf-8"))
    ]


def expected(books: list[str]) -> list[tuple[int, int, str]]:
    """Book, line and code of every mark."""
    return sorted(
        (number, line, code)
        for number, text in enumerate(books, start=1)
        for line, content in enumerate(text.split("\n"), start=1)
        if (found := MARK.search(content))
        for code in found["codes"].split()
    )


def actual(books: list[str]) -> list[tuple[int, int, str]]:
    found = []
    for problem in check_text(*books).problems:
        place = problem.primary
        assert place is not None, problem
        number = int(place.source.path.removeprefix("book-").removesuffix(".rules"))
        found.append((number, place.line, problem.code))
    return sorted(found)


@pytest.mark.parametrize("books", programs("[EW]*.rules"))
def test_program_gives_the_marked_diagnostics_and_no_others(books: list[str]) -> None:
    wanted = expected(books)
    assert wanted, "no line of this program is marked"
    assert actual(books) == wanted


@pytest.mark.parametrize("path", sorted(CHECK.glob("[EW]*.rules")), ids=lambda path: path.stem)
def test_file_shows_the_code_it_is_named_after(path: Path) -> None:
    for _, books in program_texts(path.read_text(encoding="utf-8")):
        assert path.stem in {code for _, _, code in expected(books)}


@pytest.mark.parametrize("books", programs("good-*.rules"))
def test_good_program_gives_no_diagnostics(books: list[str]) -> None:
    checked = check_text(*books)
    assert checked.problems == []
    assert checked.program is not None


def test_name_that_the_scenario_does_not_have_is_reported() -> None:
    checked = check_text('ruleset r "R"\nrule 1:\n  piece unit\n')
    checked.words.ids = {"A/1": ir.Type("piece", ("unit",))}
    source = Source("example.rules", '"A/2"')
    item, _ = parse_expression(source, 0, len(source.text), "en")
    Expressions(Here(checked.books[0].rules[0], checked.words), Scope()).of(item, ir.Type("piece"))
    assert [problem.code for problem in checked.words.problems] == ["E0221"]
    assert checked.words.problems[0].help == "did you mean `A/1`?"


@pytest.mark.parametrize("written, meant", [("cout", "count"), ("sze", "size"), ("dobule", "double")])
def test_slip_in_a_word_of_the_language_gets_a_suggestion(written: str, meant: str) -> None:
    rules = f'ruleset r "R"\nrule 1:\n  define double(n: number): number = 2 * n\n  value x = {written}(1)\n'
    assert [problem.help for problem in check_text(rules).problems] == [f"did you mean `{meant}`?"]


@pytest.mark.parametrize(("name", "codes"), SHOWN_BY_A_TEST.items())
def test_code_without_a_fixture_is_in_its_test(name: str, codes: set[str]) -> None:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    assert sorted(code for code in codes if code not in text) == []


def test_codes_fixtures_and_pages_are_the_same_lists() -> None:
    codes = set(catalogue())
    fixtures = {path.stem for path in CASES.rglob("*") if re.fullmatch(r"[EW]\d{4}", path.stem)}
    shown = fixtures.union(*SHOWN_BY_A_TEST.values())
    pages = {code for code in codes if error_page(code) is not None}
    folder = Path(__file__).parent.parent.parent / "docs" / "errors"
    assert sorted(codes - shown) == []
    assert sorted(shown - codes) == []
    assert sorted(codes - pages) == []
    assert sorted({path.stem for path in folder.glob("[EW]*.md")} - codes) == []
