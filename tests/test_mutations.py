"""Any shipped file, damaged in any way: diagnostics, never a Python exception.

And where a change makes other rules that are whole: both engines play those the same, failures included.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from ddob_rules.check.program import check
from ddob_rules.library.finding import RulesetEntry, rulesets
from ddob_rules.loading import load_ruleset
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.reports.render import render_text
from ddob_rules.resources import rulesets_folder, shown_path
from ddob_rules.scenarios.reading import load_scenario
from ddob_rules.stack.book import Book, book_from_sources, normal, ruleset_files
from ddob_rules.syntax.source import Source, source_from_bytes
from interpreter.compiler.compile import compile_program
from interpreter.failures import Limits, RuleFailure
from interpreter.ir import Program
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.trials.engines import Follower
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.shapes import Unsupported
from tests.places import SCENARIOS
from tests.shipped import shipped_rules, shipped_ruleset

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


@cache
def below(name: str) -> tuple[Book, ...]:
    """The books of a ruleset that a damaged one extends; they stay as they are."""
    known = {entry.name for entry in SHIPPED}
    return tuple(shipped_rules(normal(name)).books) if normal(name) in known else ()


def check_damaged(entry: RulesetEntry, name: Path, text: str) -> Program | None:
    """Checks a ruleset with one file damaged; the program, if the damage left it whole."""
    sources = []
    problems: list[Diagnostic] = []
    for path in entry.files:
        content = text if path == name else path.read_text(encoding="utf-8")
        source, found = source_from_bytes(content.encode(), shown_path(path))  # the others were read before
        problems.extend(found)
        if source is not None:
            sources.append(source)
    book, found = book_from_sources(sources, entry.folder, problems)
    if book is None:
        assert found
        render_text(found)
        return None
    checked = check([*(below(book.extends[0].text) if book.extends else ()), book])
    render_text(checked.problems)
    return checked.program


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_damaged_rules_give_diagnostics(entry: RulesetEntry) -> None:
    checked = shipped_rules(entry.name)
    # An overlay is checked with all that it extends.
    lines = sum(len(source.lines) for book in checked.books for source in book.files)
    every = 1 + lines // 1000  # of a large ruleset, some of the files
    for path in ruleset_files(entry.folder)[::every]:
        text = path.read_text(encoding="utf-8")
        count = max(1, MUTATIONS * 60 // lines)  # a large ruleset takes long to check
        for seed in range(count):
            damaged = mutate(text, random.Random(f"{path.name} {seed}"))
            try:
                program = check_damaged(entry, path, damaged)
                if program is not None:
                    compile_program(program, journal=False)
            except Exception as problem:  # pragma: no cover - only when the checker has a bug
                raise AssertionError(f"{path.name}, mutation {seed}: {problem!r}\n{damaged}") from problem


@cache
def program_for(name: str, overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
    plain = not overlays and normal(name) in {entry.name for entry in SHIPPED}
    loaded = shipped_ruleset(normal(name)) if plain else load_ruleset(name, overlays)
    return loaded.program, loaded.problems


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_damaged_scenarios_give_diagnostics(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    target = tmp_path / path.name
    for seed in range(20 if "classics" in path.parts else 2):  # large maps take long to check
        target.write_text(mutate(text, random.Random(f"{path.name} {seed}")), encoding="utf-8")
        _, found = load_scenario(target, program_for)
        render_text(found)


#: What stands for each other in a rule that stays whole.
ALIKE = [
    ("and", "or"), ("<", ">", "<=", ">=", "=", "!="), ("yes", "no"), ("increase", "decrease"), ("some", "no"),
    ("+", "-", "*"), ("first", "last"), ("most", "least"), ("where", "at"), ("if", "while"),
]  # fmt: skip
_WORDS = re.compile(r"[a-z_]+|\d+|[<>!]=|[-<>=+*]")


def alter(text: str, chance: random.Random) -> str:
    """One or two changes of what rules say: a number, a word for its like or for any other, a line."""
    lines = text.split("\n")
    numbers = [number for number, line in enumerate(lines) if line.startswith("   ")]
    words = sorted({word for number in numbers for word in _WORDS.findall(lines[number])})
    for _ in range(chance.randint(1, 2)):
        number = chance.choice(numbers)
        line = lines[number]
        found = list(_WORDS.finditer(line))
        known = [one for one in found if one[0].isdigit() or _likes(one[0])]
        match chance.randrange(12):
            case 0:
                lines[number] = lines[chance.choice(numbers)]
            case 1:
                lines[number] = f"{line}\n{line}"
            case 2:
                lines[number] = ""
            case case if known or (found and case == 3):
                old = chance.choice(found if case == 3 else known)
                new = chance.choice(words if case == 3 else _likes(old[0]) or _numbers(int(old[0])))
                lines[number] = f"{line[: old.start()]}{new}{line[old.end() :]}"
    return "\n".join(lines)


def _likes(word: str) -> tuple[str, ...]:
    return next((group for group in ALIKE if word in group), ())


def _numbers(number: int) -> list[str]:
    return ["0", "1", str(number + 1), str(10 * number), str(10**15 - 1)]


#: A scenario of each ruleset, and how many altered ones are tried: large ones take long to check.
PLAYED = {
    "breakthrough": 16, "connect-four": 16, "hex": 16, "kuhn-poker": 16, "pig": 16, "reversi": 16,
    "tic-tac-toe": 16, "dice-training": 2, "first-waves": 2, "training-ground": 3, "normandie-cotentin": 1,
}  # fmt: skip
#: Low bounds, so that what runs away is soon told.
LIMITS = Limits(steps=50_000, choices=200, collection=500)


def played_in_both(program: Program, scenario: Path, seed: int) -> str:
    """Plays some choices at random in both engines: `over`, `left out`, or the failure they agree on."""
    found, _ = load_scenario(scenario, lambda name, overlays: (program, []))
    if found is None:
        return "left out"
    game = Game(program, found, compile_program(program, journal=False), limits=LIMITS)
    try:
        follower = Follower(FastGame(game).runner())
    except Unsupported:
        return "left out"
    chance = random.Random(seed)
    came: State | Exception = outcome(partial(game.start, seed))
    difference = follower.start(came, seed)
    while isinstance(came, State) and came.result is None and came.options and came.count < 60:
        assert not difference, difference
        option = chance.randrange(len(came.options))
        came = outcome(partial(came.apply, option))
        difference = follower.take(came, option)
    assert not difference, difference
    return came.code if isinstance(came, RuleFailure) else "over"


def outcome(play: Callable[[], State]) -> State | Exception:
    try:
        return play()
    except RuleFailure as failure:
        return failure


def try_altered(scenario: str, seeds: range) -> Counter[str]:
    """Alters the rules of a scenario, once for each seed; how often its games came to what."""
    path = next(path for path in SCENARIOS if path.stem == scenario)
    entry = next(entry for entry in SHIPPED if entry.folder == path.parent.parent)
    files = [file for file in ruleset_files(entry.folder) if "\n  " in file.read_text(encoding="utf-8")]
    came: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(f"{scenario} {seed}")
        file = chance.choice(files)
        text = alter(file.read_text(encoding="utf-8"), chance)
        program = check_damaged(entry, file, text)
        try:
            came[played_in_both(program, path, seed) if program is not None else "not whole"] += 1
        except Exception as problem:
            raise AssertionError(f"{file.name}, alteration {seed}: {problem!r}\n{text}") from problem
    return came


@pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")
@pytest.mark.parametrize("scenario, most", PLAYED.items(), ids=PLAYED)
def test_altered_rules_are_played_the_same_by_both_engines(scenario: str, most: int) -> None:
    came = try_altered(scenario, range(most))
    assert came["over"], f"nothing was played: {came}"


def test_damage_is_really_done() -> None:
    text = "rule 1:\n  value x = 1\n"
    damaged = {mutate(text, random.Random(seed)) for seed in range(200)}
    assert len(damaged) > 100
    assert Source("x", text).text == text
