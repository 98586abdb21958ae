"""Recorded games of every shipped scenario: this engine plays them to the same positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ddob_rules.library.finding import scenarios
from ddob_rules.loading import load
from ddob_rules.resources import rulesets_folder
from interpreter.machine.game import Game
from interpreter.trials.conformance import first_difference, read_recording
from tests.places import SCENARIOS, TESTS

FOLDER = TESTS / "conformance"
FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_games_are_played_the_same(path: Path) -> None:
    recordings = [read_recording(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert recordings
    games: dict[tuple[tuple[str, ...], ...], Game] = {}
    for found in recordings:
        key = (found.overlays, found.options)
        if key not in games:
            games[key] = load(found.scenario, overlays=found.overlays, options=found.options, journal=False)
        game = games[key]
        difference = first_difference(game, found)
        assert difference is None, f"{found.options} {found.overlays} seed {found.seed}, choice {difference}"


def test_every_shipped_scenario_is_recorded() -> None:
    shipped = scenarios(rulesets_folder())
    assert {path.stem for path in FILES} == {entry.name for entry in shipped}
    assert {entry.path for entry in shipped} == set(SCENARIOS)


def test_another_game_than_the_recorded_one_is_noticed() -> None:
    recording = read_recording((FOLDER / "pig.jsonl").read_text(encoding="utf-8").splitlines()[0])
    game = load("pig", journal=False)
    assert first_difference(game, recording) is None
    state = game.replay(recording.seed, recording.choices[:-1])
    other = next(option for option in range(len(state.options)) if option != recording.choices[-1])
    elsewhere = replace(recording, choices=(*recording.choices[:-1], other))
    assert first_difference(game, elsewhere) == len(recording.choices)
