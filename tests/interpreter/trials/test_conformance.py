"""Recorded games of every shipped scenario: both engines play them to the same positions."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ddob_rules.library.fast import fast_game
from ddob_rules.library.finding import rulesets, scenarios
from ddob_rules.loading import load
from ddob_rules.resources import rulesets_folder
from interpreter.ir.seats import count_of
from interpreter.machine.game import Game
from interpreter.trials.conformance import Recording, digest, first_difference, position, read_recording
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame, Runner
from tests.looping import each
from tests.places import SCENARIOS, TESTS
from tests.shipped import shipped_program

FOLDER = TESTS / "conformance"
FILES = sorted(FOLDER.glob("*.jsonl"))
#: What a scenario is played with in any case.
_OPTIONS = re.compile(r"^options: \[(.*)\]", re.MULTILINE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_games_are_played_the_same_by_both_engines(path: Path) -> None:
    recordings = [read_recording(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert recordings
    games: dict[tuple[tuple[str, ...], ...], tuple[Game, Runner | None]] = {}
    for found in recordings:
        key = (found.overlays, found.options)
        if key not in games:
            game = load(found.scenario, overlays=found.overlays, options=found.options, journal=False)
            games[key] = (game, runner_of(game))
        game, runner = games[key]
        where = f"{found.options} {found.overlays} seed {found.seed}, choice"
        difference = first_difference(game, found) if runner is None else of_both(game, runner, found)
        assert difference is None, f"{where} {difference}"


def runner_of(game: Game) -> Runner | None:
    """The game in the fast engine, which plays all that is shipped; None where that is not installed."""
    fast = fast_game(game)
    assert (fast is not None) == host.available()
    return fast.runner() if fast is not None else None


def of_both(game: Game, runner: Runner, recording: Recording) -> str | None:
    """As `first_difference`, in both engines side by side."""
    state = game.start(recording.seed)
    runner.start(recording.seed)
    for number, expected in enumerate(recording.digests):
        if digest(state) != expected:
            return f"{number}"
        # Positions are compared sooner than digests are made.
        there = runner.state()
        if position(there) != position(state) and digest(there) != expected:
            return f"{number}, fast engine"
        if number < len(recording.choices):
            state.take(recording.choices[number])
            runner.take(recording.choices[number])
    return None


def test_every_shipped_scenario_is_recorded() -> None:
    shipped = scenarios(rulesets_folder())
    assert {path.stem for path in FILES} == {entry.name for entry in shipped}
    assert {entry.path for entry in shipped} == set(SCENARIOS)


def test_every_option_of_the_shipped_rules_is_played_in_a_recorded_game() -> None:
    programs = [shipped_program(entry.name) for entry in each(rulesets(rulesets_folder()))]
    named = {option.name for program in programs for option in program.options}
    played = {name for path in SCENARIOS for name in _OPTIONS.findall(path.read_text(encoding="utf-8"))}
    chosen = {name for names in played for name in names.split(", ")}
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            chosen.update(read_recording(line).options)
    assert {name for name in named if count_of(name) is None} - chosen == set()


def test_another_game_than_the_recorded_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = read_recording((FOLDER / "pig.jsonl").read_text(encoding="utf-8").splitlines()[0])
    game = load("pig", journal=False)
    assert first_difference(game, recording) is None
    before = len(recording.choices) - 1
    state = game.replay(recording.seed, recording.choices[:-1])
    other = next(option for option in range(len(state.options)) if option != recording.choices[-1])
    elsewhere = replace(recording, choices=(*recording.choices[:-1], other))
    assert first_difference(game, elsewhere) == len(recording.choices)
    if host.available():
        runner = FastGame(game).runner()
        assert of_both(game, runner, elsewhere) == f"{len(recording.choices)}"
        usual = runner.take
        monkeypatch.setattr(
            runner, "take", lambda option: usual(other if runner.choices == before else option)
        )
        assert of_both(game, runner, recording) == f"{before + 1}, fast engine"
