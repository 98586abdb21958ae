"""Whole games in the fast engine: those that the Python engine plays."""

from __future__ import annotations

import weakref

import pytest

from ddob_rules.loading import load
from interpreter.trials.simulation import play_out, simulate
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from tests.running import play

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


_MEASURED = """\
ruleset r "R"
players us "Us"
rule 1:
  variable spare: number = {spare}
  variable stays: number = 0
  measure "turns" = turn
  measure "{title}" = 10 / spare rounded down
  action stay by us in dawn:
    do: increase stays by 1
  sequence turn:
    phase dawn: us may take actions
rule 2 amends 1 when turn >= 2:
  measure "late" = 3
rule 3 amends 1 when turn < 2:
  measure "early" = 4
"""


@pytest.mark.parametrize("title", ["share", "share of {us}"])
def test_measures_are_those_of_the_python_engine(title: str) -> None:
    game = play(_MEASURED.format(title=title, spare=9), scenario="turns: 2\n", journal=False)
    runner = FastGame(game).runner()
    runner.play_game(1)
    told = title.format(us="Us")
    found = runner.measures()
    assert found == game.measures(runner.state())
    assert [name for name, _ in found] == ["turns", told, "late"] and found[0][1] == 2


def test_a_measure_that_cannot_be_worked_out_is_a_failure_of_its_game() -> None:
    game = play(_MEASURED.format(title="share", spare=0), scenario="turns: 2\n", journal=False)
    found = [simulate(lambda: game, {}, games=2, make_fast=make) for make in (None, FastGame)]
    assert [one.failures for one in found] == [2, 2]
    assert found[0].first_failure == found[1].first_failure and "rule 1" in found[0].first_failure


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


def test_a_runner_that_nobody_uses_is_gone_with_its_memory() -> None:
    runner = FastGame(load("tic-tac-toe", journal=False)).runner()
    runner.play_game(1)
    instance = weakref.ref(runner.instance)
    assert instance() is not None
    del runner
    assert instance() is None
