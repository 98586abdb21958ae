"""Every diagnostic of the checker, shown by small programs; and the lists of codes, fixtures and pages compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddob_rules.diagnostics import catalogue
from ddob_rules.resources import error_page
from tests.rules import check_text, program_texts

CASES = Path(__file__).parent.parent / "cases"
CHECK = CASES / "check"
MARK = re.compile(r"### (?P<codes>[EW]\d{4}(?: [EW]\d{4})*)$")

# What no text file can show, and the test that shows it.
SHOWN_BY_A_TEST: dict[str, str] = {}


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


def test_codes_fixtures_and_pages_are_the_same_lists() -> None:
    codes = set(catalogue())
    fixtures = {path.stem for path in CASES.rglob("*") if re.fullmatch(r"[EW]\d{4}", path.stem)}
    shown = fixtures | set(SHOWN_BY_A_TEST)
    pages = {code for code in codes if error_page(code) is not None}
    folder = Path(__file__).parent.parent.parent / "docs" / "errors"
    assert sorted(codes - shown) == []
    assert sorted(shown - codes) == []
    assert sorted(codes - pages) == []
    assert sorted({path.stem for path in folder.glob("*.md")} - codes) == []
