"""Nothing that an author writes is obeyed by a terminal, whichever command prints it; JSON stays exact."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ddob_rules.cli
from tests.ddob_rules.cli.playing import ddob, pexpect, terminal

EVIL = "\x1b]0;title\x07\x1b[8m\x9b31m\u202e"
RULES = f"""\
ruleset evil "Evil{EVIL}"
players red "Red{EVIL}"

rule 1 "Cells{EVIL}":
  "Text{EVIL}."
  option fast "Fast{EVIL}"
  space cell on square board:
    stone: player = nothing
  measure "stones{EVIL}" = count(c in cell where c.stone = red)
  status "{{count(c in cell)}} cells{EVIL}"

rule 2 "Play{EVIL}":
  sequence turn:
    phase play "Play{EVIL}": red takes 1 action
  action place "Place{EVIL}" (c: cell) by p in play:
    shown as "put{EVIL} {{c}}"
    when c.stone = nothing  else "taken{EVIL}" (2)
    do:
      set c.stone to p
      say "placed{EVIL}"
      if count(d in cell where d.stone = red) > 1: p wins "luck{EVIL}"

example "one{EVIL}" of 2:
  given "evil"
  expect count(c in cell) = 4
"""
ABOVE = f"""\
ruleset above "Above{EVIL}" extends evil

rule A "More{EVIL}" amends 2:
  "Other{EVIL}."
  action place "Put{EVIL}" (c: cell) by p in play:
    when c.stone = nothing  else "gone{EVIL}" (2)
    do:
      set c.stone to p
      if count(d in cell where d.stone = red) > 2: p wins "skill{EVIL}"
"""
SCENARIO = """\
scenario: evil
title: "Scenario\\e]0;x\\a\\e[8m"
description: "Text\\e[8m"
ruleset: evil
boards:
  cell: {layout: {shape: square, adjacency: all}, numbering: "{letter}{row}", size: [1, 3]}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("evil", RULES), ("above", ABOVE)):
        Path(name).mkdir()
        Path(name, f"{name}.rules").write_text(text, encoding="utf-8")
    Path("evil", "scenarios").mkdir()
    Path("evil", "scenarios", "evil.yaml").write_text(SCENARIO, encoding="utf-8")


def assert_harmless(text: str) -> None:
    assert text
    assert [letter for letter in text if not letter.isprintable() and letter != "\n"] == []


@pytest.mark.parametrize(
    "line",
    [
        "check evil", "check evil --format gnu", "list", "rules above", "show above 2", "show evil 1",
        "diff evil above", "compile evil", "compile evil --show", "compile evil --show 2",
        "texts evil --lang fr", "run evil", "run evil --trace", "run evil --overlay above",
        "simulate evil -n 3", "fuzz evil -n 3", "test evil", "test evil --coverage",
        "run evil --option fats", "run evil --player reed=random", "check evil --lang fr", "play evil",
    ],
)  # fmt: skip
def test_no_command_prints_what_a_terminal_obeys(line: str) -> None:
    typed = "help\npieces\nlook a1\nwhy\nrule 2\nboard\ntry\n1\nwhy not place a1\nlog\nwhy a1\nshow a1\n2\n"
    result = ddob(*line.split(), typed=typed if line.startswith("play") else None)
    assert_harmless(result.output)


def test_saved_games_are_told_without_it() -> None:
    ddob("run", "evil", "--save", "game.json")
    assert_harmless(ddob("replay", "game.json").output)
    assert_harmless(ddob("replay", "game.json", "--ruleset", "above").output)
    assert_harmless(ddob("impact", "evil", "above", "game.json").output)


def test_data_is_exact_and_yet_obeyed_by_no_terminal() -> None:
    output = ddob("list", "--json").stdout
    assert_harmless(output)
    found = {entry["name"]: entry["title"] for entry in json.loads(output)["rulesets"]}
    assert found["evil"] == f"Evil{EVIL}"


def test_a_file_is_printed_to_the_letter_in_a_pipe_only(tmp_path: Path) -> None:
    assert EVIL in ddob("translate", "evil/evil.rules", "--to", "fr").stdout
    child = terminal("translate", "evil/evil.rules", "--to", "fr", folder=tmp_path)
    child.expect(pexpect.EOF)
    assert "règle 1" in child.before and "\x1b" not in child.before


def test_at_a_terminal_only_colours_of_our_own_are_left(tmp_path: Path) -> None:
    child = terminal("play", "evil", folder=tmp_path, colour=True)
    child.expect("> ")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    assert "]0;" not in re.sub("\ufffd\\]0;", "", child.before)
    assert "\x1b[8m" not in child.before and "\x9b" not in child.before


def test_commands_print_through_one_module_only() -> None:
    modules = sorted(Path(ddob_rules.cli.__file__).parent.glob("*.py"))
    assert len(modules) > 10
    printing = re.compile(r"click\.(s?echo|secho)\(|\bprint\(|std(out|err)\.write\(")
    assert [path.name for path in modules if printing.search(path.read_text())] == ["output.py"]
