"""Sentences of rules say the numbers that values state."""

from __future__ import annotations

import pytest

from interpreter.telling.sentences import sentence
from tests.rules import check_text

BASE = """\
ruleset base "Base" edition "1"
players us "Us"
rule 1 "Losses":
  "{limit} units, never {ceiling} of them. {limit} are enough."
  value limit = 8
  value ceiling = 20
  measure "Limit" = limit + ceiling
"""
LATER = (
    'ruleset later extends base\nrule 9 "More" amends 1:\n  value limit = 8 until turn 16, 14 from turn 17\n'
)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Eight units, never 20 of them. Eight are enough."),
        ("fr", "Huit units, never 20 of them. Huit are enough."),
    ],
)
def test_numbers_are_told_in_letters_up_to_twelve(language: str, expected: str) -> None:
    program = check_text(BASE).program
    assert program is not None
    assert sentence(program.rules[0].text, program, language) == expected


def test_the_sentence_follows_the_value_that_an_overlay_amends() -> None:
    program = check_text(BASE, LATER).program
    assert program is not None
    assert sentence("no more than {limit} units", program, "en") == "no more than eight or 14 units"


def test_what_is_no_value_stays_as_it_is() -> None:
    program = check_text(BASE).program
    assert program is not None
    assert sentence("{nobody} and {}", program, "en") == "{nobody} and {}"
