"""Any shipped file, damaged in any way: diagnostics, never a Python exception."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ddob_rules.check.program import check
from ddob_rules.library.finding import RulesetEntry, rulesets
from ddob_rules.loading import load_ruleset
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.reports.render import render_text
from ddob_rules.resources import rulesets_folder
from ddob_rules.scenarios.reading import load_scenario
from ddob_rules.stack.book import book_from_sources, ruleset_files
from ddob_rules.syntax.source import Source, source_from_bytes
from interpreter.compiler.compile import compile_program
from interpreter.ir import Program
from tests.places import SCENARIOS

# Enough to meet every sort of damage in every file; some thousands in all.
MUTATIONS = 60
JUNK = [
    "(",
    ")",
    "|",
    ":",
    '"',
    "{",
    "}",
    "..",
    "=",
    "when",
    "nothing",
    "0",
    "-1",
    "base",
    "\t",
    "é",
    "\n",
    "    ",
    "turn",
]
SHIPPED = [entry for entry in rulesets(rulesets_folder())]


def mutate(text: str, chance: random.Random) -> str:
    """One to three small damages: of characters, words or lines."""
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        number = chance.randrange(len(lines))
        line = lines[number]
        words = line.split(" ")
        spot = chance.randrange(len(words))
        match chance.randrange(8):
            case 0:
                del lines[number]
            case 1:
                lines.insert(number, line)
            case 2:
                words[spot] = chance.choice(JUNK)
                lines[number] = " ".join(words)
            case 3:
                del words[spot]
                lines[number] = " ".join(words)
            case 4:
                other = chance.randrange(len(lines))
                lines[number], lines[other] = lines[other], lines[number]
            case 5:
                place = chance.randrange(len(line) + 1)
                lines[number] = line[:place] + chance.choice(JUNK) + line[place:]
            case 6:
                lines[number] = " " * chance.randrange(12) + line.lstrip()
            case _:
                place = chance.randrange(len(line) + 1)
                lines[number] = line[:place] + line[place + 1 :]
        text = "\n".join(lines) or "\n"
    return text


def check_damaged(entry: RulesetEntry, name: Path, text: str) -> None:
    """Checks a ruleset with one file damaged; compiles it if the damage left it whole."""
    sources = []
    problems: list[Diagnostic] = []
    for path in entry.files:
        content = text if path == name else path.read_text(encoding="utf-8")
        source, found = source_from_bytes(content.encode(), str(path))
        problems.extend(found)
        if source is not None:
            sources.append(source)
    book, found = book_from_sources(sources, entry.folder, problems)
    if book is None:
        assert found
        render_text(found)
        return
    base = load_ruleset(book.extends[0].text).checked if book.extends else None
    checked = check([*(base.books if base is not None else []), book])
    render_text(checked.problems)
    if checked.program is not None:
        compile_program(checked.program, journal=False)


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_damaged_rules_give_diagnostics(entry: RulesetEntry) -> None:
    checked = load_ruleset(str(entry.folder)).checked
    assert checked is not None
    # An overlay is checked with all that it extends.
    lines = sum(len(source.lines) for book in checked.books for source in book.files)
    every = 1 + lines // 1000  # of a large ruleset, some of the files
    for path in ruleset_files(entry.folder)[::every]:
        text = path.read_text(encoding="utf-8")
        count = max(1, MUTATIONS * 60 // lines)  # a large ruleset takes long to check
        for seed in range(count):
            damaged = mutate(text, random.Random(f"{path.name} {seed}"))
            try:
                check_damaged(entry, path, damaged)
            except Exception as problem:  # pragma: no cover - only when the checker has a bug
                raise AssertionError(f"{path.name}, mutation {seed}: {problem!r}\n{damaged}") from problem


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_damaged_scenarios_give_diagnostics(path: Path, tmp_path: Path) -> None:
    programs: dict[str, tuple[Program | None, list[Diagnostic]]] = {}

    def program_for(name: str, overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
        key = " ".join((name, *overlays))
        if key not in programs:
            loaded = load_ruleset(name, overlays)
            programs[key] = (loaded.program, loaded.problems)
        return programs[key]

    text = path.read_text(encoding="utf-8")
    target = tmp_path / path.name
    for seed in range(20 if "classics" in path.parts else 2):  # large maps take long to check
        target.write_text(mutate(text, random.Random(f"{path.name} {seed}")), encoding="utf-8")
        _, found = load_scenario(target, program_for)
        render_text(found)


def test_damage_is_really_done() -> None:
    text = "rule 1:\n  value x = 1\n"
    damaged = {mutate(text, random.Random(seed)) for seed in range(200)}
    assert len(damaged) > 100
    assert Source("x", text).text == text
