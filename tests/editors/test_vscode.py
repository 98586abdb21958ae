"""The VS Code extension: colours from the word lists, snippets that are rules, a package that installs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.syntax.parser import Parser
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.words import languages, words
from tests.looping import each

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors/vscode"
MODULES = Path(os.environ.get("DDOB_NODE_MODULES", EXTENSION / "node_modules"))
_STOP = re.compile(r"\$\{\d+:([^}]*)\}|\$\{?\d+\}?")

ENGLISH = """\
# a remark
rule 6.31 "Fire":
  "Units fire. {count(unit)} of them."
  define strong(u: unit): flag = u.steps >= 2
    for each u in unit where u.order = no:
"""
FRENCH = """\
langue fr
règle 6.31 "Tir":
  définir fort(u: unit): oui_non = u.steps >= 2
    pour chaque u de unit:
"""


def tokens(text: str) -> list[tuple[str, str]]:
    """The pieces of a text with the last of their scopes, as an editor would colour them."""
    node = shutil.which("node")
    if node is None or not (MODULES / "vscode-textmate").is_dir():
        pytest.skip("needs node and vscode-textmate: npm install in editors/vscode")
    grammar = EXTENSION / "syntaxes/ddob.tmLanguage.json"
    command = [node, str(Path(__file__).with_name("tokens.mjs")), str(grammar), str(MODULES)]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    return [
        (piece.strip(), scope) for line in json.loads(ran.stdout) for piece, scope in line if piece.strip()
    ]


def test_colours_are_made_from_the_word_lists_as_they_are() -> None:
    ran = subprocess.run([sys.executable, str(ROOT / "scripts/vscode-grammar"), "--check"], check=False)
    assert ran.returncode == 0, "run scripts/vscode-grammar"


def test_words_are_coloured_in_english() -> None:
    found = tokens(ENGLISH)
    assert ("# a remark", "comment.line.number-sign.ddob") in found
    assert ("rule", "keyword.other.rule.ddob") in found
    assert ("6.31", "entity.name.section.ddob") in found
    assert ("define", "storage.type.ddob") in found and ("strong", "entity.name.function.ddob") in found
    assert ("steps", "variable.other.property.ddob") in found
    assert ("order", "variable.other.property.ddob") in found  # a keyword elsewhere
    assert ("for each" in dict(found)) or {"for", "each"} <= set(dict(found))
    assert dict(found)["count"] == "keyword.other.ddob"  # between braces
    assert dict(found)[">="] == "keyword.operator.ddob"
    assert any(piece == "Units fire." and scope == "string.quoted.double.ddob" for piece, scope in found)


def test_words_are_coloured_in_french_where_the_file_is() -> None:
    found = dict(tokens(FRENCH))
    assert found["règle"] == "keyword.other.rule.ddob"
    assert found["définir"] == "storage.type.ddob" and found["fort"] == "entity.name.function.ddob"
    assert found["oui_non"] == "support.function.ddob"
    english = dict(tokens(FRENCH.replace("langue fr\n", "")))
    assert english.get("définir") != "storage.type.ddob"


def test_every_declaring_word_is_in_the_colours() -> None:
    grammar = json.loads((EXTENSION / "syntaxes/ddob.tmLanguage.json").read_text("utf-8"))
    for language in each(languages()):
        pattern = json.dumps(grammar["repository"][f"in-{language}"], ensure_ascii=False)
        for terminal in ("_DEFINE", "_TABLE", "_PROCEDURE", "_ACTION", "_PIECE", "_ENUM", "_VARIABLE"):
            assert words(language).spellings[terminal][0] in pattern


def snippets() -> list[Any]:
    found = []
    for language in languages():
        for name, snippet in json.loads((EXTENSION / f"snippets/{language}.json").read_text("utf-8")).items():
            found.append(pytest.param(language, snippet, id=f"{language} {name}"))
    return found


@pytest.mark.parametrize(("language", "snippet"), snippets())
def test_a_snippet_is_a_piece_of_rules(language: str, snippet: dict[str, Any]) -> None:
    lines = [_STOP.sub(lambda found: found[1] or "", line).rstrip() for line in snippet["body"]]
    text = "\n".join(line for line in lines if line.strip()) + "\n"
    vocabulary = words(language)
    whole = [vocabulary.spellings[name][0] for name in ("_RULE", "_EXAMPLE")]
    if not text.startswith(tuple(whole)):
        inner = "".join(f"  {line}\n" for line in text.splitlines())
        text = f'{whole[0]} 1 "Title":\n{inner}'
    parser = Parser(Source("snippet", text), 0, len(text), vocabulary, "start")
    assert parser.run() is not None, [problem.message for problem in parser.problems]


def test_the_manifest_names_files_that_are_there() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    parts = manifest["contributes"]
    named = [manifest["main"], *(one["configuration"] for one in parts["languages"])]
    named += [one["path"] for one in (*parts["grammars"], *parts["snippets"])]
    for name in each(named):
        assert (EXTENSION / name).is_file(), name
    code = (EXTENSION / "extension.js").read_text("utf-8")
    for command in each(parts["commands"]):
        assert f'"{command["command"]}"' in code


@pytest.mark.slow
def test_the_package_installs_without_a_market(tmp_path: Path) -> None:
    node, tool = shutil.which("node"), MODULES / "@vscode/vsce/vsce"
    if node is None or not tool.is_file():
        pytest.skip("needs node and vsce: npm install in editors/vscode")
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    shutil.copytree(MODULES, folder / "node_modules", symlinks=True)
    command = [
        node,
        str(tool),
        "package",
        "--out",
        "made.vsix",
        "--allow-missing-repository",
        "--no-git-tag-version",
    ]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    names = zipfile.ZipFile(folder / "made.vsix").namelist()
    assert "extension/extension.js" in names
    assert "extension/syntaxes/ddob.tmLanguage.json" in names
    assert any(name.startswith("extension/node_modules/vscode-languageclient/") for name in names)
    assert not any("/@vscode/vsce/" in name for name in names)
