"""The whole of "D-Day at Omaha Beach" in French words, and one chapter written in French by hand.

Keywords are translated, names and texts are not: what players read in French is the catalogue's business.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules import load
from ddob_rules.cli import main
from ddob_rules.examples import run_examples
from ddob_rules.loading import load_ruleset
from ddob_rules.reports.render import render_text
from ddob_rules.resources import rulesets_folder
from interpreter.machine.choice import Option
from interpreter.machine.game import Game
from interpreter.players.kinds import RandomPlayer
from interpreter.machine.state import State

ENGLISH = rulesets_folder() / "ddob"
CHAPTER = Path(__file__).parents[1] / "cases" / "chapters" / "omaha-francais"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def rules_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.rules"))


def texts_of(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in rules_in(folder)}


def play_alike(one: Game, other: Game, seed: int) -> tuple[State, State]:
    """The ends of two games whose players are given the same chances; every question must be the same."""
    games = one.start(seed=seed), other.start(seed=seed)
    players = RandomPlayer(seed), RandomPlayer(seed)
    while not games[0].over:
        assert [option.key for option in options(games[0])] == [option.key for option in options(games[1])]
        for game, player in zip(games, players, strict=True):
            game.apply(player.choose(game))
    return games


def options(state: State) -> Sequence[Option]:
    assert state.choice is not None
    return state.choice.options


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the ruleset with every file of rules translated by the command."""
    folder = tmp_path_factory.mktemp("french") / "ddob"
    shutil.copytree(ENGLISH, folder)
    for path in rules_in(folder):
        run("translate", str(path), "--to", "fr", "--write")
    return folder


def test_every_file_is_in_french(french: Path) -> None:
    texts = texts_of(french)
    assert texts.keys() == texts_of(ENGLISH).keys()
    for text in texts.values():
        assert text.startswith("language fr\n")
        assert "\nrule " not in text and "\nexample " not in text and "\n  define " not in text


def test_french_rules_and_scenarios_check_without_findings(french: Path) -> None:
    assert "no findings" in run("check", str(french), "--lang", "en")


def test_french_rules_compile_to_the_same_program(french: Path) -> None:
    translated, original = load_ruleset(str(french)).program, load_ruleset("ddob").program
    assert translated is not None and original is not None
    assert translated.hash == original.hash


def test_french_rules_are_in_the_house_style(french: Path) -> None:
    run("fmt", "--check", str(french))


def test_french_examples_hold(french: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(french.parent)
    loaded = load_ruleset(str(french))
    assert loaded.checked is not None
    outcomes = run_examples(loaded.checked, only="strongpoint").outcomes
    assert len(outcomes) > 10
    assert "\n".join(render_text(outcome.problems) for outcome in outcomes if not outcome.passed) == ""


def test_french_rules_give_the_same_game(french: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    english = load("first-waves")
    monkeypatch.chdir(french.parent)
    ends = play_alike(english, load(str(french / "scenarios" / "first-waves.yaml")), 3)
    assert ends[0].hash() == ends[1].hash()


def test_translated_back_it_is_the_same_text(french: Path, tmp_path: Path) -> None:
    back = tmp_path / "ddob"
    shutil.copytree(french, back)
    for path in rules_in(back):
        run("translate", str(path), "--to", "en", "--write")
    assert texts_of(back) == texts_of(ENGLISH)


def test_chapter_written_in_french_checks_without_findings() -> None:
    assert "no findings" in run("check", str(CHAPTER), "--lang", "en")
    run("fmt", "--check", str(CHAPTER))


def test_examples_of_the_chapter_written_in_french_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHAPTER.parent)
    loaded = load_ruleset(str(CHAPTER))
    assert loaded.checked is not None
    outcomes = run_examples(loaded.checked).outcomes
    assert [outcome.passed for outcome in outcomes] == [True, True]


def test_chapter_written_in_french_gives_the_same_games() -> None:
    english, french = load("first-waves"), load("first-waves", overlays=[str(CHAPTER)])
    assert french.program.stack == ("ddob", "omaha-francais")
    for seed in (1, 2):
        ends = play_alike(english, french, seed)
        assert ends[1].over
        assert ends[0].winners == ends[1].winners
