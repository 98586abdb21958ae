"""Random games in all editions, step by step: every shipped ruleset, and the checker's good programs.

An edition is made of rules, so one scenario is played of those that have the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ddob_rules.loading import code_of, load_game
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from tests.places import CASES, ONE_OF_EACH
from tests.rules import program_texts
from tests.running import EDITIONS, Trial, play

CHECK = CASES / "check"

_MOST = 12  # choices; the editions differ, if at all, early


def _good() -> list[object]:
    return [
        pytest.param(tuple(books), id=f"{path.stem}:{start}")
        for path in sorted(CHECK.glob("good-*.rules"))
        for start, books in program_texts(path.read_text(encoding="utf-8"))
    ]


def step_by_step(games: tuple[Game, ...], seed: int) -> None:
    played = Trial(games, tuple(game.start(seed) for game in games), seed)
    played.check()
    chance = Chance(seed)
    for _ in range(_MOST):
        if played.state.over:
            break
        played.answer(chance.below(len(played.state.options)))
    played.replayed()


def shipped(path: str) -> tuple[Game, ...]:
    """A shipped game in all editions; those that other tests play too are compiled once for all of them."""
    found: list[Game] = []
    for journal, cover in EDITIONS:
        if cover:
            code = code_of(found[-1].program, journal=journal, cover=cover)
            found.append(Game(found[-1].program, found[-1].scenario, code))
        else:
            loaded = load_game(path, journal=journal)
            assert loaded.game is not None, [problem.message for problem in loaded.problems][:3]
            found.append(loaded.game)
    return tuple(found)


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.stem)
def test_editions_of_a_shipped_game_agree(path: Path) -> None:
    step_by_step(shipped(str(path)), seed=5)


@pytest.mark.parametrize("books", _good())
def test_editions_of_a_good_program_agree(books: tuple[str, ...]) -> None:
    pieces = "turns: 20\n"
    games = tuple(play(*books, scenario=pieces, journal=journal, cover=cover) for journal, cover in EDITIONS)
    for seed in range(3):
        step_by_step(games, seed)
