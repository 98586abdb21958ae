"""`ddob test` and `ddob compile`: examples, coverage, and the code that rules become."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ddob_rules.cli.playing import ROOT, ddob

GAME = """\
ruleset game "A Game"
players red "Red", blue "Blue"

rule 1 "Words":
  "Be kind."

rule 2 "Doubling":
  variable total: number = 1
  procedure double():
    if total > 10: set total to 0
    otherwise: set total to total * 2

rule 3 "Play":
  sequence turn:
    phase play for each p in player: p takes 1 action
  action wait "Wait" by p in play:
    do: double()
"""
EXAMPLES = """
example "It doubles" of 2:
  given "game"
  when double()
  expect total = 2

example "It does more" of 2:
  given "game"
  when double()
  expect total = 3
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_game(text: str) -> None:
    Path("game/scenarios").mkdir(parents=True, exist_ok=True)
    Path("game/game.rules").write_text(text)
    Path("game/scenarios/game.yaml").write_text("scenario: game\ntitle: A Game\nruleset: game\n")


def test_examples_are_run_and_failures_are_diagnostics() -> None:
    write_game(GAME + EXAMPLES)
    result = ddob("test")
    assert result.exit_code == 1
    assert "error[E0726]" in result.stdout
    assert result.stdout.endswith("1 example passed, 1 failed\n")


@pytest.mark.parametrize("target", ["game", "game/game.rules", "."])
def test_examples_are_found_by_name_and_path(target: str) -> None:
    write_game(GAME + EXAMPLES)
    result = ddob("test", target, "--only", "doubles")
    assert (result.exit_code, result.stdout) == (0, "1 example passed\n")


def test_examples_of_the_rules_that_a_scenario_brings_are_run_with_the_ruleset() -> None:
    write_game(GAME)
    Path("game/scenarios/tripled.yaml").write_text(
        "scenario: tripled\ntitle: Tripled\nruleset: game\nrules: tripled.rules\n"
    )
    Path("game/scenarios/tripled.rules").write_text(
        'ruleset game_tripled "Tripled" extends game\n\n'
        'rule S1 "Three times" amends 2:\n  procedure double(): set total to total * 3\n\n'
        'example "It triples" of S1:\n  given "tripled"\n  when double()\n  expect total = 3\n'
    )
    result = ddob("test", "game", "--coverage")
    assert result.exit_code == 0, result.stdout
    assert "1 example passed" in result.stdout


def test_data_has_every_example() -> None:
    write_game(GAME + EXAMPLES)
    found = json.loads(ddob("test", "game", "--json", "--coverage").stdout)
    assert (found["passed"], found["failed"]) == (1, 1)
    assert [example["passed"] for example in found["rulesets"][0]["examples"]] == [True, False]
    assert found["rulesets"][0]["untouched"][0]["rule"] == "2"


def test_a_ruleset_without_examples_is_told_and_does_not_fail() -> None:
    write_game(GAME)
    result = ddob("test")
    assert (result.exit_code, result.stdout) == (0, "game has no examples\n0 examples passed\n")


def test_a_folder_without_rulesets_is_misuse() -> None:
    assert ddob("test").exit_code == 2
    Path("empty").mkdir()
    assert ddob("test", "empty").exit_code == 2


def test_rules_with_errors_are_told_instead_of_tested() -> None:
    write_game(GAME + "\nrule 4:\n  value x = y\n")
    result = ddob("test")
    assert result.exit_code == 1
    assert "game.rules:20" in result.stdout


def test_coverage_names_what_no_example_touches() -> None:
    write_game(GAME + EXAMPLES)
    output = ddob("test", "game", "--coverage", "--only", "doubles").stdout
    assert "game.rules:10:" in output
    assert "if total > 10: set total to 0" in output
    assert "game.rules:11:" not in output


def test_shipped_rulesets_pass_their_own_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = ddob("test", "rulesets/classics")
    assert result.exit_code == 0, result.stdout
    assert "failed" not in result.stdout


def test_compiling_says_what_came_of_it() -> None:
    output = ddob("compile", "tic-tac-toe").stdout
    assert output.startswith("tic-tac-toe: ")
    assert "functions" in output and "blocks" in output and "choices" in output


def test_code_stands_below_its_rule() -> None:
    write_game(GAME)
    output = ddob("compile", "game", "--show", "2").stdout
    assert '# rule 2 "Doubling":\n#   variable total: number = 1\n' in output
    assert "def p_double(" in output
    assert "class GameState" not in output
    assert "def p_action" not in output


def test_all_code_is_shown_without_a_rule_and_is_python() -> None:
    for words in (("tic-tac-toe", "--show"), ("--show", "tic-tac-toe")):
        output = ddob("compile", *words).stdout
        compile(output, "shown", "exec")
        assert "class GameState" in output and '# rule 2 "Play":' in output


def test_a_rule_or_ruleset_that_is_not_there_is_told() -> None:
    result = ddob("compile", "tic-tac-toe", "--show", "33")
    assert result.exit_code == 1
    assert "there is no rule 33" in result.stderr
    assert ddob("compile", "tic-tac-two").exit_code == 1
    assert ddob("compile").exit_code == 2


def test_the_webassembly_of_a_rule_is_shown() -> None:
    result = ddob("compile", "tic-tac-toe", "--wasm", "--show", "2")
    assert result.exit_code == 0
    assert result.stdout.startswith("  ;; rule 2, ") and "(func $p_action.20.mark " in result.stdout
    whole = ddob("compile", "tic-tac-toe", "--wasm").stdout
    assert whole.startswith("(module") and "(func $below " in whole


@pytest.mark.parametrize(
    ("words", "told"), [(("tic-tac-toe", "--show", "99"), "no code"), (("nowhere",), "nowhere")]
)
def test_webassembly_that_is_not_there_is_told(words: tuple[str, ...], told: str) -> None:
    result = ddob("compile", "--wasm", *words)
    assert result.exit_code != 0 and told in result.stderr and "Traceback" not in result.stderr


def test_a_folder_of_rulesets_is_tested_whole_with_examples_in_folders_of_their_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        inner = tmp_path / "mine" / name
        (inner / "examples").mkdir(parents=True)
        (inner / "scenarios").mkdir()
        (inner / f"{name}.rules").write_text(GAME.replace("ruleset game", f"ruleset {name}"), "utf-8")
        (inner / "examples" / "all.rules").write_text(EXAMPLES.replace('"game"', f'"{name}"'), "utf-8")
        scenario = f"scenario: {name}\ntitle: {name}\nruleset: {name}\nturns: 2\n"
        (inner / "scenarios" / f"{name}.yaml").write_text(scenario, "utf-8")
    output = ddob("test", "mine").stdout
    assert "E0130" not in output and output.count("It does more") >= 2
