"""The errata sheet: sentences before and after, by number, with code only on request."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.check.program import Checked, check
from ddob_rules.cli import main
from ddob_rules.compare.errata import Errata, as_html, as_markdown, errata
from ddob_rules.stack.book import book_from_sources
from ddob_rules.syntax.source import Source

BASE = """ruleset small "Small" edition "1"
players us "Us"
rule 1 "Things":
  space cell on square board:
    owner_mark: player = nothing
  variable level: number = 1
  sequence turn:
    phase first: us takes 1 action
rule 2 "Taking":
  "A cell that nobody has may be taken."
  value limit = 3
  define few(c: cell): flag = level < limit
  action take(c: cell) by p in first:
    when c.owner_mark = nothing else "taken" (2)
    when few(c) else "too many" (2.5)
    do: set c.owner_mark to p
rule 2.5 "How many":
  "Three at most."
rule 2.6 "Weak hands":
  "They are told by their marks."
rule 10 "End":
  "Six is the end."
  victory end when level > 5: us wins
"""
OVER = """ruleset over "Over <b>" extends small
rule 2.5-over "Any number" amends 2:
  "As many as one likes."
  action take also:
    without (2.5)
rule 2.6-over "Strong hands" amends 2:
  "They are told by their grip."
  define few(c: cell): flag = yes
rule 10-over "Sooner" replaces 10:
  "Four is the end."
  victory end when level > 3: us wins
"""


def checked(*texts: str) -> Checked:
    books = []
    for number, text in enumerate(texts):
        book, problems = book_from_sources([Source(f"{number}.rules", text)], Path("."))
        assert book is not None and not problems
        books.append(book)
    result = check(books)
    assert result.program is not None, result.problems
    return result


@pytest.fixture(scope="module")
def sheet() -> Errata:
    return errata(checked(BASE), checked(BASE, OVER))


def test_before_is_the_sentence_that_changes_not_that_of_the_mechanism(sheet: Errata) -> None:
    told = {entry.rules[0]: (entry.before, entry.now) for entry in sheet.entries}
    assert told["2.5", "How many"] == (("Three at most.",), "As many as one likes.")
    assert told["2.6", "Weak hands"] == (("They are told by their marks.",), "They are told by their grip.")
    assert told["10", "End"] == (("Six is the end.",), "Four is the end.")


def test_entries_stand_in_the_order_of_numbers(sheet: Errata) -> None:
    assert [entry.rules[0][0] for entry in sheet.entries] == ["2.5", "2.6", "10"]


def test_only_what_is_wholly_gone_is_crossed_out(sheet: Errata) -> None:
    assert "~~Six is the end.~~" in as_markdown(sheet)
    assert "**Before**: Three at most." in as_markdown(sheet)
    assert "<del>Six is the end.</del>" in as_html(sheet)


def test_code_stands_on_the_sheet_on_request_only(sheet: Errata) -> None:
    assert all(not entry.lines for entry in sheet.entries)
    whole = errata(checked(BASE), checked(BASE, OVER), code=True)
    assert any("few" in line for entry in whole.entries for line in entry.lines)


def test_a_number_that_changes_under_the_same_sentence_is_told() -> None:
    newer = BASE.replace("limit = 3", "limit = 4")
    (entry,) = errata(checked(BASE), checked(newer)).entries
    assert (entry.rules, entry.stays) == ((("2", "Taking"),), "A cell that nobody has may be taken.")
    assert entry.lines == ("value limit: 3 -> 4",)


def test_another_sentence_of_the_same_rule() -> None:
    newer = BASE.replace("Three at most.", "Three, not more.")
    (entry,) = errata(checked(BASE), checked(newer)).entries
    assert (entry.before, entry.now, entry.lines) == (("Three at most.",), "Three, not more.", ())


def test_nothing_changes() -> None:
    same = errata(checked(BASE), checked(BASE), "fr")
    assert "Rien ne change." in as_html(same) and "Rien ne change." in as_markdown(same)


def test_texts_are_escaped(sheet: Errata) -> None:
    assert "Over &lt;b&gt;" in as_html(sheet) and "Over <b>" not in as_html(sheet)
    assert "Over \\<b\\>" in as_markdown(sheet)


def test_french(sheet: Errata) -> None:
    text = as_markdown(errata(checked(BASE), checked(BASE, OVER), "fr"))
    assert "**Avant** : Three at most." in text and "*Remplacée par 10-over Sooner*" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [("sheet.pdf", "neither an .html nor a .md"), ("no/where/sheet.md", "there is no folder")],
)
def test_a_file_that_cannot_be_written_is_told_at_once(tmp_path: Path, name: str, said: str) -> None:
    result = CliRunner().invoke(
        main, ["diff", "tic-tac-toe", "misere-tic-tac-toe", "--sheet", str(tmp_path / name)]
    )
    assert result.exit_code == 1 and said in result.output
    assert not any(tmp_path.iterdir())


def test_the_command_writes_the_sheet(tmp_path: Path) -> None:
    target = tmp_path / "sheet.html"
    result = CliRunner().invoke(main, ["diff", "tic-tac-toe", "misere-tic-tac-toe", "--sheet", str(target)])
    assert result.exit_code == 0, result.output
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
