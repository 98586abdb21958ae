"""What a table of cases cannot show: new games that play, lists, colours, files that survive, quiet ends."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner, Result

from ddob_rules import load
from ddob_rules.cli import main
from ddob_rules.cli import output as printing
from ddob_rules.cli.writing import write_whole
from ddob_rules.resources import rulesets_folder

ROOT = Path(__file__).parents[3]
COMMANDS = main.list_commands(click.Context(main))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DDOB_DEBUG", "NO_COLOR", "DDOB_LANG"):
        monkeypatch.delenv(name, raising=False)


def run(*words: str, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == exit_code, result.output
    return result


# ---------------------------------------------------------------- new


@pytest.mark.parametrize("name", ["my-game", "My_Game", "1944", "Débarquement", "deep/in/here", "été"])
def test_new_ruleset_checks_without_findings_and_is_in_the_house_style(name: str) -> None:
    run("new", name)
    assert run("check", name, "--strict").stdout == "5 rules, 1 scenario: no findings\n"
    run("fmt", "--check", name)


def test_new_ruleset_plays_to_its_end() -> None:
    run("new", "skirmish", "--title", 'The "Mill"')
    game = load("skirmish")
    for seed in range(5):
        state = game.start(seed=seed)
        while not state.over:
            state.take((seed * 7 + len(state.options) // 2) % len(state.options))
        assert state.result is not None


def test_new_title_is_kept_and_made_harmless() -> None:
    run("new", "mill", "--title", 'The "Old"\n\\Mill')
    found = json.loads(run("list", "--json").stdout)
    assert [entry["title"] for entry in found["rulesets"] if entry["name"] == "mill"] == ["The 'Old' Mill"]


def test_new_refuses_a_folder_with_something_in_it() -> None:
    Path("full").mkdir()
    Path("full/notes.txt").write_text("mine", encoding="utf-8")
    result = run("new", "full", exit_code=1)
    assert "not an empty folder" in result.stderr
    assert os.listdir("full") == ["notes.txt"]
    run("new", "full/notes.txt", exit_code=1)


def test_new_takes_an_empty_folder() -> None:
    Path("empty").mkdir()
    run("new", "empty")
    run("check", "empty")


# ---------------------------------------------------------------- list, schema, diff, help


def test_list_has_what_is_shipped_and_what_is_here() -> None:
    run("new", "mine")
    found = json.loads(run("list", "--json").stdout)
    assert set(found) == {"rulesets", "scenarios", "campaigns"}
    rulesets = {entry["name"]: entry for entry in found["rulesets"]}
    scenarios = {entry["name"]: entry for entry in found["scenarios"]}
    assert set(rulesets["mine"]) == {"name", "title", "folder", "shipped"}
    assert set(scenarios["mine"]) == {"name", "title", "ruleset", "file", "shipped"}
    assert (rulesets["mine"]["shipped"], rulesets["tic-tac-toe"]["shipped"]) == (False, True)
    assert (scenarios["mine"]["shipped"], scenarios["tic-tac-toe"]["shipped"]) == (False, True)
    assert Path(scenarios["mine"]["file"]).is_file()
    assert "tic-tac-toe" in run("list").stdout


def test_schema_is_one_that_the_scenario_meets() -> None:
    from jsonschema import Draft202012Validator

    run("new", "mine")
    schema = json.loads(run("schema", "mine").stdout)
    Draft202012Validator.check_schema(schema)
    data = yaml.safe_load(Path("mine/scenarios/mine.yaml").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(data)) == []


def test_difference_of_a_ruleset_and_its_overlay_names_the_rule() -> None:
    run("new", "mine")
    Path("errata").mkdir()
    text = 'ruleset errata "Errata" extends mine\n\nrule 9 "Tougher" amends 5:\n  score(p) = strength(p)\n'
    Path("errata/errata.rules").write_text(text, encoding="utf-8")
    assert "9" in run("diff", "mine", "mine+errata").stdout
    assert json.loads(run("diff", "mine", "errata", "--json").stdout)
    assert json.loads(run("diff", "mine", "mine", "--json").stdout) == []
    assert "did you mean `mine`?" in run("diff", "mine", "mien", exit_code=1).stderr


def test_a_copy_that_kept_its_name_is_not_compared_with_itself() -> None:
    shutil.copytree(rulesets_folder() / "classics" / "pig", "my-pig")
    found = run("diff", "pig", "my-pig", exit_code=1)
    assert "are the same folder" in found.stderr and "after `ruleset`" in found.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_shows_an_example(command: str) -> None:
    text = run(command, "--help").stdout
    assert f"Example:  ddob {command} " in text or f"Example:  ddob {command}\n" in text
    assert len(text.splitlines()) < 40


def test_every_command_that_a_module_has_is_one_of_ddob() -> None:
    folder = Path(printing.__file__).parents[1]
    modules = [path for path in folder.rglob("*.py") if "\nCOMMANDS = (" in path.read_text(encoding="utf-8")]
    names = [".".join(("ddob_rules", *path.relative_to(folder).with_suffix("").parts)) for path in modules]
    found = [command.name for name in names for command in import_module(name).COMMANDS]
    assert len(names) > 5 and sorted(found) == sorted(COMMANDS)


def test_the_command_is_there_before_the_parser_and_the_engines() -> None:
    script = "import sys, ddob_rules.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert not {"lark", "wasmtime", "ddob_rules.loading"} & set(loaded.split())


def test_rules_as_data_name_every_rule_of_a_shipped_ruleset() -> None:
    found = json.loads(run("rules", "tic-tac-toe", "--json").stdout)
    wanted = "id title file line ruleset amends amended_by when text mechanism see".split()
    assert all(list(record) == wanted for record in found)
    assert [record["id"] for record in found][:2] == ["1", "2"]


# ---------------------------------------------------------------- files


def test_formatting_keeps_permissions_and_links() -> None:
    real, link = Path("real.rules"), Path("link.rules")
    real.write_text("ruleset   a\n", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    run("fmt", "link.rules")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "ruleset a\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_failed_write_leaves_the_old_file_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    Path("a.rules").write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(click.exceptions.Exit):
        write_whole(Path("a.rules"), "new")
    assert os.listdir() == ["a.rules"]
    assert Path("a.rules").read_text(encoding="utf-8") == "old"


def test_file_in_no_folder_cannot_be_written() -> None:
    with pytest.raises(click.exceptions.Exit):
        write_whole(Path("no/such/folder/a.rules"), "new")


def test_around_the_shipped_rulesets_only_those_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ddob_rules.cli.checking.rulesets_folder", lambda: tmp_path / "rulesets")
    run("new", "rulesets/good")
    Path("fixtures").mkdir()
    Path("fixtures/bad.rules").write_text("ruleset   bad  wrong\n", encoding="utf-8")
    run("check")
    assert run("fmt").stdout == ""


# ---------------------------------------------------------------- how it looks


@pytest.mark.parametrize(
    ("terminal", "variables", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colours_are_for_terminals_whose_user_wants_them(
    terminal: bool, variables: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert printing.in_colour() is expected


def test_terminal_gets_a_drawn_table_and_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    printing.print_table(("Rule", "Title"), [("1", "[bold]Board[/bold]")])
    printing.print_page("# A page\n")
    shown = capsys.readouterr().out
    assert "[bold]Board[/bold]" in shown, "an author's brackets are no markup"
    assert "─" in shown and "# A page" not in shown


def test_text_that_a_terminal_would_obey_is_made_harmless() -> None:
    assert printing.harmless("a\x1b[31mb\u202ec\nd") == "a�[31mb�c d"
    assert printing.plain_table(("A", "B"), [("漢", "x")]) == "A   B\n漢  x\n"


# ---------------------------------------------------------------- ends


def test_mistake_of_ours_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("ddob_rules.cli.authors.rulesets", broken)
    result = run("list", exit_code=70)
    assert result.stderr == "ddob: this is a mistake in ddob itself, please report it: KeyError: 'oops'\n"
    monkeypatch.setenv("DDOB_DEBUG", "1")
    assert "Traceback" in run("list", exit_code=70).stderr


def test_interruption_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ddob_rules.cli.authors.rulesets", interrupted)
    assert run("list", exit_code=130).output == ""


def test_closed_pipe_is_quiet() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "ddob_rules", "explain"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_terminal_without_accents_is_no_reason_to_stop() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "ddob_rules", "explain", "--lang", "fr"]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
