"""The page about the base game: its table of chapters says what is in the files."""

from __future__ import annotations

import re
from pathlib import Path

from ddob_rules.resources import rulesets_folder

FOLDER = rulesets_folder() / "ddob"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "ddob.md"
_ROW = re.compile(r"^\| [^|]+ \| \[([\w-]+)\.rules\]\(\S+\) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)


def _count(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text, re.MULTILINE))


def test_every_file_of_rules_is_in_the_table_with_what_it_holds() -> None:
    rows = {name: (int(rules), int(lines)) for name, rules, lines, _ in _ROW.findall(PAGE.read_text("utf-8"))}
    files = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.rules")}
    assert {name: rules for name, (rules, _) in rows.items()} == {
        name: _count("^rule ", text) for name, text in files.items()
    }
    # Lines come and go with a comment; a table that is roughly right is honest enough.
    for name, (_, lines) in rows.items():
        assert abs(files[name].count("\n") - lines) <= max(5, lines // 10), name


def test_the_table_counts_every_example() -> None:
    told = sum(int(examples) for *_, examples in _ROW.findall(PAGE.read_text("utf-8")))
    there = sum(
        _count("^example ", path.read_text("utf-8")) for path in (FOLDER / "examples").glob("*.rules")
    )
    assert told == there


def test_the_readings_on_the_page_are_in_the_notes() -> None:
    page, notes = PAGE.read_text("utf-8"), (FOLDER / "NOTES.md").read_text("utf-8")
    readings = page.split("## Readings that matter")[1].split("## ")[0]
    noted = {
        number.strip()
        for row in re.findall(r"^\| ([^|]+) \|", notes, re.MULTILINE)
        for number in row.split(",")
    }
    told = set(re.findall(r"^\| ([\w.-]*\d[\w.-]*|4-cards) \|", readings, re.MULTILINE))
    assert len(told) == 10
    assert told <= noted
