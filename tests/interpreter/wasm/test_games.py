"""Whole games in the fast engine: those that the Python engine plays."""

from __future__ import annotations

import pytest

from ddob_rules.loading import load
from interpreter.trials.simulation import play_out
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame

pytestmark = pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "pig", "small-breakthrough"])
def test_a_seed_gives_the_game_that_it_gives_everywhere(name: str) -> None:
    game = load(name, journal=False)
    runner = FastGame(game).runner()
    for seed in (0, 1, 2**64 + 3, -5):
        expected = play_out(game, ["random"] * len(game.players), seed)
        runner.play_game(seed)
        assert runner.over and runner.choices == expected.count
        assert runner.state().data() == expected.data()


@pytest.mark.parametrize("name", ["connect-four", "pig", "kuhn-poker"])
def test_a_game_can_change_engines_at_every_choice(name: str) -> None:
    game = load(name, journal=False)
    runner = FastGame(game).runner()
    state = game.start(7)
    runner.start(7)
    changes = 0
    while not runner.over:
        option = state.count % runner.options
        runner.put(state)
        runner.take(option)
        state = runner.state()
        state.take((state.count * 3) % len(state.options)) if state.options else None
        runner.put(state)
        assert runner.state().data() == state.data()
        changes += 1
    assert changes > 1 and state.result is not None


def test_copies_are_put_back_as_they_were() -> None:
    game = load("reversi", journal=False)
    runner = FastGame(game).runner()
    runner.start(3)
    kept = []
    for copy in range(8):
        runner.save(copy)
        kept.append(runner.state().data())
        for _ in range(3):
            runner.take(runner.options - 1)
    for copy in reversed(range(8)):
        runner.restore(copy)
        assert runner.state().data() == kept[copy]
        runner.take(0)


def test_many_games_are_counted_by_winner() -> None:
    game = load("tic-tac-toe", journal=False)
    runner = FastGame(game).runner()
    choices, wins = runner.play_many(300, 5)
    assert sum(wins) == 300 and 300 * 5 <= choices <= 300 * 9
    assert wins[0] > wins[1] > 0 and wins[2] > 0
    assert runner.play_many(300, 5) == (choices, wins)


def test_a_module_that_was_kept_plays_the_same() -> None:
    game = load("kuhn-poker", journal=False)
    fast = FastGame(game)
    again = FastGame(game, fast.stored())
    first, second = fast.runner(), again.runner()
    for seed in range(5):
        first.play_game(seed)
        second.play_game(seed)
        assert first.state().data() == second.state().data()
