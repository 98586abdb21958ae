"""No Python file of the two packages knows a game: none of a shipped ruleset's own words turns up in one.

A ruleset's words are the parts of the names it declares, of its own name and of its title. Words that belong
to the language, to the intermediate form, to Python or to everyday English are nobody's own.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import yaml

from ddob_rules.check.values.builtins import BUILTINS
from ddob_rules.library.finding import RulesetEntry, rulesets
from ddob_rules.resources import rulesets_folder
from interpreter import ir
from tests.looping import each
from tests.shipped import shipped_program

TOP = Path(__file__).resolve().parent.parent
PACKAGES = (TOP / "interpreter", TOP / "ddob_rules")
# Shorter words are directions, letters and numbers, and parts of other words.
_SHORTEST = 3


# Words that a ruleset uses in its names, and that the code has a use of its own for: of games at large, of
# terminals, of programming, of English; and the command. A word belongs here only if its use in the code has
# nothing to do with that game; otherwise the code is wrong.
_EVERYDAY = """
    position side rank symbol colour marker event playing partner hand hexes die box letter moved hold
    ground connect pool route cross port north west
    red blue green yellow white black
    report command depth level length total chain branch below hit drop reserve advance building flood
    machine primary complete limited cleared trail closed stacked passed
    can must two four five second off now later need held carried doubled plain single same other odd
    double known unknown hidden alone near far beside elsewhere ahead longest circle touches light mine home
    east arrives happening general centre behind here out close wide onward way
    stand waiting called joined brought acting active direct lead quiet guard force movement
    their worth decisive counter section entries axis post french printing variant runner growth figure
    use fresh half free third service dispatch signal cutter tool able regular mission
    cut stage beyond spent full support campaign leader picked fate verdict served mirrored
    ddob
"""


@cache
def words_of(text: str) -> frozenset[str]:
    """The words in a text, in small letters, without a plural s; names in any case style are taken apart."""
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", text)
    return frozenset(_singular(word.lower()) for word in found if len(word) >= _SHORTEST)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > _SHORTEST else word


def vocabulary(program: ir.Program) -> set[str]:
    """The words of a ruleset's names: all parts of the names of things, and other names that are one word.

    Things are players, values, kinds, dice and the game itself. What has a value or is done is often called
    by a phrase (`lowest_empty`), whose parts are everybody's. What is true or not is no noun, nor is a
    procedure.
    """
    things = [program.name, program.title]
    things += [player.name for player in program.players]
    things += [name for enum in program.enums for name in (enum.name, *enum.values)]
    things += [kind.name for kind in program.kinds]
    things += [dice.name for dice in program.dice]
    others = [entry.name for kind in program.kinds for entry in kind.attributes if entry.type != ir.FLAG]
    others += [entry.name for entry in program.variables if entry.type != ir.FLAG]
    others += [entry.name for entry in program.definitions if entry.type != ir.FLAG]
    for named in (program.options, program.tables, program.priorities, program.actions):
        others += [entry.name for entry in named]
    others += [name for name, _ in program.phases]
    names = things + [name for name in others if name.isalpha()]
    return {word for name in names for word in words_of(name)}


@cache
def shared_words() -> frozenset[str]:
    """Words that are nobody's own: of the language, the intermediate form, Python, and everyday English."""
    texts = [_EVERYDAY, *BUILTINS, *_python_names(), *_names_in_ir()]
    for path in sorted((TOP / "grammar").glob("*.lark")):
        texts.append(re.sub(r"//.*", "", path.read_text(encoding="utf-8")))
    for path in sorted((TOP / "grammar" / "keywords").glob("*.yaml")):
        texts += [str(value) for value in yaml.safe_load(path.read_text(encoding="utf-8")).values()]
    return frozenset(word for text in texts for word in words_of(text))


def _python_names() -> list[str]:
    kinds: tuple[type, ...] = (str, list, dict, set, int)
    return [*keyword.kwlist, *dir(builtins), *(name for kind in kinds for name in dir(kind))]


def _names_in_ir() -> list[str]:
    return [name for path in sorted(Path(ir.__file__).parent.glob("*.py")) for name in _names_in(path)]


def _names_in(path: Path) -> list[str]:
    """The names of classes, functions and fields in a file; not its comments, which could hold anything."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Name(id=name) | ast.arg(arg=name):
                found.append(name)
            case _:
                pass
    return found


@cache
def own_words(entry: RulesetEntry) -> frozenset[str]:
    """The words of a ruleset that only a game can have brought."""
    return frozenset(vocabulary(shipped_program(entry.name)) - shared_words())


def places(words: frozenset[str], folders: Iterable[Path]) -> list[str]:
    """Where Python files under the folders use one of the words."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                for word in sorted(words_of(line) & words):
                    found.append(f"{path.relative_to(folder.parent)}:{number}: `{word}`")
    return found


def test_no_ruleset_brings_a_word_that_the_code_knows() -> None:
    found: list[str] = []
    for entry in rulesets(rulesets_folder()):
        found += [f"{place} is a word of {entry.name}" for place in places(own_words(entry), PACKAGES)]
    assert found == []


def test_shipped_rulesets_have_words_of_their_own() -> None:
    for entry in each(rulesets(rulesets_folder())):
        assert own_words(entry), f"nothing of {entry.name} is looked for"


def test_word_planted_in_the_code_is_found(tmp_path: Path) -> None:
    entry = next(entry for entry in rulesets(rulesets_folder()) if entry.name == "breakthrough")
    code = tmp_path / "interpreter"
    code.mkdir()
    (code / "planted.py").write_text(
        "class PawnKeeper:\n    count = 1\n\n\ndef first_pawn() -> str:\n    return 'Pawns!'  # a pawn\n"
    )
    found = [f"interpreter/planted.py:{line}: `pawn`" for line in (1, 5, 6)]
    assert places(own_words(entry), [code]) == found


def test_words_that_only_games_use_are_not_shared() -> None:
    nouns = {"german", "american", "bunker", "medal", "pawn", "stone", "poker", "infantry", "tank", "omaha"}
    assert not nouns & shared_words()


def test_names_are_taken_apart_into_words() -> None:
    assert words_of("GermanUnit.first_waves, HTTPServer 'règles' x1") == {
        "german", "unit", "first", "wave", "http", "server", "règle",
    }  # fmt: skip
