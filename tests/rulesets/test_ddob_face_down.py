"""German counters on the beach: before they are revealed, nobody reads which of them lies where."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from ddob_rules import load
from ddob_rules.cli.terminal.story import Story, entries_since
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.trials.leaks import leaks
from interpreter.telling.showing import Showing
from interpreter.machine.state import State
from interpreter.telling.facts import Changed, newest_first
from tests.ddob_rules.cli.playing import ddob

HIDING = ("german_unit", "depth_marker")


@cache
def loaded(scenario: str) -> Game:
    return load(scenario)


def never_turned(state: State) -> list[str]:
    """The counters that nobody has seen face up so far."""
    game = state.game
    faces = getattr(game.start(0), "p_face_up")  # noqa: B009
    turned = {
        game.piece_ids[fact.thing]
        for fact in newest_first(state.happened)
        if isinstance(fact, Changed) and fact.column == "p_face_up" and fact.new
    }
    return [
        ident
        for number, (ident, kind) in enumerate(zip(game.piece_ids, game.piece_kind, strict=True))
        if kind in HIDING and ident not in turned and not faces[number]
    ]


def read(state: State, since: int) -> str:
    """All that the player can read now."""
    game = state.game
    showing = Showing(game, state, "us")
    parts: list[object] = [game.view(state, "us"), showing.status()]
    parts.append([showing.piece(piece) for piece in range(len(game.piece_ids))])
    parts.append(list(Story(game).lines(entries_since(state, since, "us"), state, "us")))
    if state.choice is not None and state.choice.player == "us":
        parts.append([(option.key, option.label) for option in state.choice.options])
        parts.append(state.choice.prompt)
    return json.dumps(parts, ensure_ascii=False)


def named(text: str, idents: list[str]) -> list[str]:
    # `rockets` is a calibre as well, and calibres can be seen.
    words = set(re.findall(r"[\w/-]+", text)) - {"rockets"}
    return [ident for ident in idents if ident in words]


@pytest.mark.parametrize(
    ("scenario", "seed", "choices"), [("first-waves", 4, 168), ("beyond-the-beach", 1, 60)]
)
def test_a_counter_that_nobody_has_turned_is_named_nowhere(scenario: str, seed: int, choices: int) -> None:
    game = loaded(scenario)
    state, chance = game.start(seed), Chance(seed)
    since = looked = 0
    while not state.over and state.count < choices:
        if state.count % 5 == 0:
            assert named(read(state, since), never_turned(state)) == []
            since = len(game.entries(state))
            looked += 1
        state.take(chance.below(len(state.options)))
    assert looked > 10
    assert len(never_turned(state)) < len(never_turned(game.start(seed)))


@pytest.mark.parametrize("scenario", ["first-waves", "beyond-the-beach"])
def test_the_game_reads_the_same_with_other_counters_face_down(scenario: str) -> None:
    game = loaded(scenario)
    state, chance = game.start(3), Chance(3)
    for _ in range(12):
        assert leaks(game, state, chance) == []
        for _ in range(6):
            if not state.over:
                state.take(chance.below(len(state.options)))


def test_an_attack_says_what_the_counter_is() -> None:
    game = loaded("first-waves")
    state, chance = game.start(4), Chance(4)
    lines: list[str] = []
    while not state.over:
        state.take(chance.below(len(state.options)))
    lines = list(Story(game).lines(entries_since(state, 0, "us"), state, "us"))
    assert any(re.search(r"WN\d\d(?: [NS])? is [^,]+, strength \d, needs ", line) for line in lines)
    assert any(re.search(r"Setting up: German unit -> \d{4}, \d{4}, ", line) for line in lines)


def test_the_story_in_french_has_no_names_either() -> None:
    story = ddob("run", "first-waves", "--seed", "1", "--lang", "fr").stdout
    assert "Mise en place : Unité allemande -> 0531" in story
    assert re.search(r"WN\d\d(?: [NS])? est [^,]+, puissance \d", story)
    assert named(story.partition("Tour 1")[0], list(loaded("first-waves").piece_ids)) == []
