"""A check that remembers the last one finds what a check from scratch finds, and makes the same program."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from ddob_rules.check import memory
from ddob_rules.check.memory import Memory
from ddob_rules.check.program import Checked, check
from ddob_rules.check.scope import Vocabulary
from ddob_rules.check.values import definitions, expressions
from ddob_rules.library.finding import RulesetEntry, rulesets
from ddob_rules.reports.render import render_gnu
from ddob_rules.resources import rulesets_folder
from ddob_rules.stack.book import Book, book_from_sources, normal
from ddob_rules.syntax.items import Items
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import Source
from tests.docs.pages import DOCS, blocks_of
from tests.shipped import shipped_ruleset

_WORD = re.compile(r"\w+|[^\w\s]")
_EXTENDS = re.compile(r"^ruleset .* extends (.+)$", re.MULTILINE)
_LAYER = """\
ruleset layer "Layer" edition "1" extends ridge

rule 3-mud "Mud" amends 3:
  define muddy: flag = turn > 2
  action move also:
    when not muddy  else "too much mud" (3)

rule 4-hard "Hard hits" amends 4 when turn > 1:
  procedure hit(u: unit, n: number): decrease u.steps by n + 1
"""


def _ridge() -> str:
    return next(one.text for one in blocks_of(DOCS / "language.md") if one.names.get("prelude") == "ridge")


class Rules:
    """Rules that are edited: checked with a memory, and from scratch."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.items = Items()
        self.memory = Memory()

    def remembered(self) -> Checked:
        return check(self._books(self.items.parse), memory=self.memory)

    def from_scratch(self) -> Checked:
        return check(self._books(parse_file))

    def _books(self, parse: object) -> list[Book]:
        found = []
        for number, text in enumerate(self.texts):
            source = Source(f"{number}.rules", text)
            book, _ = book_from_sources([source], Path(), (), parse)  # type: ignore[arg-type]
            if book is not None:
                found.append(book)
        return found


def assert_same(rules: Rules) -> None:
    one, other = rules.remembered(), rules.from_scratch()
    assert render_gnu(one.problems) == render_gnu(other.problems)
    assert one.program == other.program
    assert one.words.used == other.words.used


def _edited(text: str, chance: random.Random) -> str:
    """Somebody types: a word more, less or another, a line more or less, a rule elsewhere."""
    lines = text.split("\n")
    number = chance.randrange(len(lines))
    match chance.randrange(7):
        case 0:
            lines.insert(number, "")
        case 1:
            del lines[number]
        case 2:
            lines.insert(number, lines[number])
        case 3:
            lines.insert(number, "# a remark")
        case kind:
            found = list(_WORD.finditer(lines[number]))
            if found:
                place = chance.choice(found)
                other = chance.choice(_WORD.findall(text))
                new = {4: "", 5: other, 6: f"{place[0]} {other}"}[kind]
                lines[number] = lines[number][: place.start()] + new + lines[number][place.end() :]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_remembered_is_what_would_be_found(seed: int) -> None:
    chance = random.Random(seed)
    whole = (_ridge(), _LAYER)
    rules = Rules(*whole)
    assert_same(rules)
    for step in range(60):
        which = chance.randrange(2)
        before = rules.texts[which]
        rules.texts[which] = whole[which] if step % 6 == 5 else _edited(before, chance)
        if rules._books(parse_file):
            assert_same(rules)


def test_a_body_is_read_again_only_if_it_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(_ridge() + '\nrule 8 "Sums":\n  define one: number = 1\n  define two: number = one + 1\n')
    assert rules.remembered().program is not None
    built: list[str] = []
    usual = expressions.Expressions

    class Watched(usual):  # type: ignore[misc, valid-type]
        def __init__(self, here: object, scope: object) -> None:
            built.append(here.rule.id)  # type: ignore[attr-defined]
            super().__init__(here, scope)

    monkeypatch.setattr(definitions, "Expressions", Watched)
    rules.remembered()
    assert built == []
    rules.texts[0] = rules.texts[0].replace("one + 1", "one + 2")
    rules.remembered()
    assert set(built) == {"8"}


def test_a_word_that_changes_is_noticed_where_it_is_used() -> None:
    rules = Rules(_ridge())
    rules.remembered()
    rules.texts[0] = rules.texts[0].replace("steps: number = 2", "steps: flag = no")
    assert {problem.code for problem in rules.remembered().problems} >= {"E0210"}
    assert_same(rules)


@pytest.mark.slow
def test_a_large_ruleset_is_remembered_as_it_is() -> None:
    folders = [path for path in rulesets_folder().iterdir() if path.is_dir()]
    texts = ["\n".join(file.read_text("utf-8") for file in sorted(path.glob("*.rules"))) for path in folders]
    rules = Rules(max(texts, key=len))
    chance = random.Random(1)
    for _ in range(3):
        assert_same(rules)
        rules.texts[0] = _edited(rules.texts[0], chance)


class _Watching(Memory):
    """Compares what bodies can read before they are checked with the same after it."""

    def know(self, words: Vocabulary) -> None:
        super().know(words)
        self.words, self.before = words, memory._told(words)


def _uppermost() -> list[RulesetEntry]:
    """The shipped rulesets that no other extends: the others are checked below them."""
    known = rulesets(rulesets_folder())
    heads = [_EXTENDS.search(file.read_text("utf-8")) for entry in known for file in entry.files]
    below = {normal(name) for head in heads if head is not None for name in head[1].split(", ")}
    return [entry for entry in known if entry.name not in below]


@pytest.mark.slow
@pytest.mark.parametrize("entry", [pytest.param(one, id=one.name) for one in _uppermost()])
def test_bodies_leave_nothing_in_the_words_but_what_is_remembered(entry: RulesetEntry) -> None:
    loaded = shipped_ruleset(entry.name)
    assert loaded.checked is not None
    watching = _Watching()
    check(loaded.checked.books, memory=watching)
    assert watching.before == memory._told(watching.words)
    again = check(loaded.checked.books, memory=watching)
    assert again.program == loaded.program
    assert again.words.shifted == loaded.checked.words.shifted
