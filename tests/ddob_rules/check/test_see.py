"""`see`: a rule that holds only a sentence says where its mechanism stands."""

from __future__ import annotations

from ddob_rules.cli.rulebook import rule_lines
from tests.rules import check_text

BASE = """\
ruleset base "Base" edition "1"
players us "Us"
rule 1 "Fire":
  value hits = 2
  sequence turn:
    phase fire: end_it()
  procedure end_it:
    if hits > 1: nobody wins
rule 2 "Units, not stacks" see 1:
  "Each unit is hit by itself."
"""


def test_the_program_knows_it() -> None:
    program = check_text(BASE).program
    assert program is not None
    assert {rule.id: rule.see for rule in program.rules} == {"1": (), "2": ("1",)}


def test_who_amends_such_a_rule_with_something_new_is_told_where_to_look() -> None:
    overlay = 'ruleset more extends base\nrule 9 "More" amends 2:\n  value strikes = 3\n'
    (problem,) = [found for found in check_text(BASE, overlay).problems if found.code == "E0514"]
    assert problem.help == "the mechanism stands elsewhere: amend 1"


TABLES = """\
ruleset base "Base" edition "1"
players us "Us"
rule 8.2 "Weapons":
  enum branch: infantry, tank
  table range(branch: branch) -> number:
    | branch   | range |
    | infantry | 1     |
    | tank     | 3     |
  measure "Range" = range(tank)
rule 8.27 "Tanks" see 8.2 (range[tank]):
  "Tanks fire far."
"""


def test_show_prints_the_row_that_a_rule_points_at() -> None:
    checked = check_text(TABLES)
    assert checked.problems == []
    lines = rule_lines(checked.merged, checked.merged.rules["8.27"], "en")
    assert lines[-4:] == [
        "see 8.2 Weapons   (book-1.rules:3)",
        "  |   table range(branch: branch) -> number:",
        "  |     | branch   | range |",
        "  |     | tank     | 3     |",
    ]


def test_who_amends_it_is_told_which_row_to_amend() -> None:
    overlay = 'ruleset more extends base\nrule 9 "More" amends 8.27:\n  value strikes = 3\n'
    (problem,) = [found for found in check_text(TABLES, overlay).problems if found.code == "E0514"]
    assert problem.help == "the mechanism stands elsewhere: amend 8.2 (range[tank])"
