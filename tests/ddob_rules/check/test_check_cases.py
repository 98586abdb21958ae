"""Every diagnostic of the checker, shown by small programs; codes, fixtures and pages compared."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ddob_rules.check.scope import Here, Scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.reports.diagnostics import catalogue
from ddob_rules.resources import error_page
from ddob_rules.syntax.parse import parse_expression
from ddob_rules.syntax.source import Source
from interpreter import ir
from tests.looping import each
from tests.places import CASES, ROOT, TESTS
from tests.rules import check_text, program_texts

CHECK = CASES / "check"
MARK = re.compile(r"### (?P<codes>[EW]\d{4}(?: [EW]\d{4})*)$")

# What no text file can show, and the tests that show it.
SHOWN_BY_A_TEST = {
    "syntax/test_source.py": {
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
    "syntax/test_parse.py": {"E0107"},
    "check/test_check_cases.py": {"E0221"},
    "test_campaigns.py": {f"E06{number}" for number in range(73, 84)},
    "test_odds.py": {f"E075{number}" for number in range(4)},
    "test_examples.py": {
        "E0256",
        "E0385",
        "E0389",
        "E0707",
        "E0719",
        *(f"E07{number}" for number in range(21, 33)),
    },
    "../interpreter/machine/test_failures.py": {f"E07{number:02}" for number in (1, 2, 3, 4, 5, 6, 8, 9, 18)},
    "../interpreter/records/test_saves.py": {f"E07{number}" for number in range(10, 18)},
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
    for _, books in each(program_texts(path.read_text(encoding="utf-8"))):
        assert path.stem in {code for _, _, code in expected(books)}


@pytest.mark.parametrize("books", programs("good-*.rules"))
def test_good_program_gives_no_diagnostics(books: list[str]) -> None:
    checked = check_text(*books)
    assert checked.problems == []
    assert checked.program is not None


def test_name_that_the_scenario_does_not_have_is_reported() -> None:
    checked = check_text('ruleset r "R"\nrule 1:\n  piece unit\n')
    words = replace(checked.words, ids={"A/1": ir.Type("piece", ("unit",))})
    source = Source("example.rules", '"A/2"')
    item, _ = parse_expression(source, 0, len(source.text), "en")
    assert item is not None
    Expressions(Here(checked.books[0].rules[0], words), Scope()).of(item, ir.Type("piece"))
    assert [problem.code for problem in words.problems] == ["E0221"]
    assert words.problems[0].help == "did you mean `A/1`?"


def test_missing_name_of_a_removed_rule_is_told_at_the_removal_with_who_needs_it() -> None:
    walk = "rule 1:\n  sequence turn:\n    phase walk\n  at end of walk:\n    if limit > 2: nobody wins\n"
    base = f'ruleset r "R"\nplayers us\n{walk}rule 2:\n  value limit = 3\n'
    (problem,) = check_text(base, 'ruleset s "S" extends r\nrule A removes 2\n').problems
    places = [(label.span.source.path, label.span.line, label.text) for label in problem.spans]
    assert places == [
        ("book-2.rules", 2, ""),
        ("book-1.rules", 7, "rule 1 needs `limit`"),
        ("book-1.rules", 9, "declared in rule 2"),
    ]


def test_misspelt_amendment_gets_a_suggestion() -> None:
    base = 'ruleset r "R"\nplayers us\nrule 1:\n  value limit = 3\n'
    (problem,) = check_text(base, 'ruleset s "S" extends r\nrule A amends 1:\n  value limti = 2\n').problems
    assert (problem.code, problem.help) == ("E0514", "did you mean `limit`?")


def test_an_amendment_of_no_value_there_is_told_the_values_there_are() -> None:
    base = 'ruleset r "R"\nplayers us\nrule 1:\n  value limit = 3\n  define reach_in(n: number): number = n\n'
    overlay = 'ruleset s "S" extends r\nrule A amends 1:\n  value reach_im = 2\n'
    (problem,) = check_text(base, overlay).problems
    assert (problem.code, problem.help) == ("E0514", "the values there are: `limit`")


_COSTS = """\
ruleset base "Base"
rule 1:
  table cost(n: number, m: number) -> number:
    | n    | 1 | 2 |
    | 1..3 | 3 | 4 |
    | 4+   | 2 | 5 |
  chart terrain:
    | terrain | cost | shelter: flag |
    | woods   | 2    | yes           |
    | clear   | 1    | no            |
"""


@pytest.mark.parametrize(
    ("table", "edit", "at", "told"),
    [
        ("terrain", "set [wods, cost] to 3", "wods", "did you mean `woods`?"),
        ("terrain", "set [woods, shelters] to no", "shelters", "did you mean `shelter`?"),
        ("terrain", "set [hill, cost] to 3", "hill", "there are `woods`, `clear`"),
        ("terrain", "set [woods] to 3", "woods", "write the cells just as"),
        ("cost", "set [7, 1] to 3", "7", "there are `1..3`, `4+`"),
        ("cost", "set [4+, 9] to 3", "9", "there are `1`, `2`"),
    ],
)
def test_of_a_row_or_column_that_is_not_there_the_wrong_name_is_told(
    table: str, edit: str, at: str, told: str
) -> None:
    overlay = f'ruleset more "More" extends base\nrule 2 amends 1:\n  in table {table}:\n    {edit}\n'
    (problem,) = check_text(_COSTS, overlay).problems
    assert problem.code == "E0303" and problem.primary is not None
    assert problem.primary.text == at
    assert problem.help is not None and problem.help.startswith(told)


@pytest.mark.parametrize("written, meant", [("cout", "count"), ("sze", "size"), ("dobule", "double")])
def test_slip_in_a_word_of_the_language_gets_a_suggestion(written: str, meant: str) -> None:
    rules = f'ruleset r "R"\nrule 1:\n  define double(n: number): number = 2 * n\n  value x = {written}(1)\n'
    assert [problem.help for problem in check_text(rules).problems] == [f"did you mean `{meant}`?"]


@pytest.mark.parametrize(("name", "codes"), SHOWN_BY_A_TEST.items())
def test_code_without_a_fixture_is_in_its_test(name: str, codes: set[str]) -> None:
    text = (TESTS / "ddob_rules" / name).read_text(encoding="utf-8")
    assert sorted(code for code in codes if code not in text) == []


def test_codes_fixtures_and_pages_are_the_same_lists() -> None:
    codes = set(catalogue())
    fixtures = {path.stem for path in CASES.rglob("*") if re.fullmatch(r"[EW]\d{4}", path.stem)}
    shown = fixtures.union(*SHOWN_BY_A_TEST.values())
    pages = {code for code in codes if error_page(code) is not None}
    folder = ROOT / "docs" / "errors"
    assert sorted(codes - shown) == []
    assert sorted(shown - codes) == []
    assert sorted(codes - pages) == []
    assert sorted({path.stem for path in folder.glob("[EW]*.md")} - codes) == []
