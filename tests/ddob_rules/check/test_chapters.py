"""Chapters of two published wargames, written out as rules: they must check without any finding."""

from __future__ import annotations

import pytest

from ddob_rules.check.program import check
from ddob_rules.reports.render import render_text
from ddob_rules.stack.book import Book, read_book, ruleset_files
from tests.places import CASES

CHAPTERS = CASES / "chapters"
STACKS = [("omaha",), ("omaha", "omaha-extended"), ("memoir",)]


def _book(name: str) -> Book:
    folder = CHAPTERS / name
    book, problems = read_book(ruleset_files(folder), folder)
    assert book is not None, render_text(problems)
    return book


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_chapters_check_without_any_finding(stack: tuple[str, ...]) -> None:
    checked = check([_book(name) for name in stack])
    assert render_text(checked.problems).strip() == ""
    assert checked.program is not None


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_every_rule_of_the_chapters_says_what_it_means_in_words(stack: tuple[str, ...]) -> None:
    rules = [rule for name in stack for rule in _book(name).rules]
    assert [rule.id for rule in rules if not rule.text] == []
