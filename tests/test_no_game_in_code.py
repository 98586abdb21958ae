"""No Python file of the two packages knows a game: none of a shipped ruleset's own words turns up in one.

A ruleset's words are the parts of the names it declares, of its own name and of its title. Words that belong to
the language, to the intermediate form, to Python or to everyday English are nobody's own.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

from ddob_rules.builtins import BUILTINS
from ddob_rules.library import RulesetEntry, rulesets
from ddob_rules.loading import load_ruleset
from ddob_rules.resources import rulesets_folder
from interpreter import ir

TOP = Path(__file__).resolve().parent.parent
PACKAGES = (TOP / "interpreter", TOP / "ddob_rules")
# Shorter ones are directions, letters and numbers, and parts of other words.
_SHORTEST = 3


EVERYDAY: frozenset[str] = frozenset()


def words_of(text: str) -> set[str]:
    """The words in a text, in small letters and without a plural s; names in any case style are taken apart."""
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", text)
    return {_singular(word.lower()) for word in found if len(word) >= _SHORTEST}


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > _SHORTEST else word


def vocabulary(program: ir.Program) -> set[str]:
    """The words of every name that a ruleset declares."""
    names = [program.name, program.title]
    names += [player.name for player in program.players]
    names += [name for enum in program.enums for name in (enum.name, *enum.values)]
    names += [name for kind in program.kinds for name in (kind.name, *(a.name for a in kind.attributes))]
    for named in (
        program.variables, program.dice, program.options, program.definitions, program.tables,
        program.priorities, program.procedures, program.actions, program.victories,
    ):  # fmt: skip
        names += [entry.name for entry in named]
    names += [name for name, _ in program.phases]
    return {word for name in names for word in words_of(name)}


@cache
def shared_words() -> frozenset[str]:
    """Words that are nobody's own: of the language, of the intermediate form, of Python, and everyday ones."""
    grammar = TOP / "grammar"
    texts = [path.read_text(encoding="utf-8") for path in sorted(grammar.glob("*.lark"))]
    texts += [path.read_text(encoding="utf-8") for path in sorted((grammar / "keywords").glob("*"))]
    texts.append((grammar / "scenario.schema.json").read_text(encoding="utf-8"))
    texts.append(Path(ir.__file__).read_text(encoding="utf-8"))
    texts += [*BUILTINS, *keyword.kwlist, *dir(builtins), *dir(str), *dir(list), *dir(dict), *dir(re)]
    return frozenset(word for text in texts for word in words_of(text)) | EVERYDAY


def own_words(entry: RulesetEntry) -> set[str]:
    """The words of a ruleset that only a game can have brought."""
    program = load_ruleset(str(entry.folder)).program
    assert program is not None, f"{entry.name} does not check"
    return vocabulary(program) - shared_words()


def places(words: set[str], folders: Iterable[Path]) -> list[str]:
    """Where Python files under the folders use one of the words."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                for word in sorted(words_of(line) & words):
                    found.append(f"{path.relative_to(folder.parent)}:{number}: `{word}`")
    return found
