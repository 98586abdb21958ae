"""Looking ahead in the fast engine: players choose as they do in the Python engine."""

from __future__ import annotations

import pytest

from ddob_rules.loading import load
from interpreter.failures import RuleFailure
from interpreter.players.kinds import choice_of
from interpreter.trials.simulation import play_out
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.glances import Desk, Glance, look_quickly
from tests.interpreter.machine.test_failures import FAILING, HEADER, LIMITS, SCENARIO
from tests.running import play

pytestmark = pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("kuhn-poker", "search:12"),
        ("tic-tac-toe", "search:20"),
        ("pig", "search:8"),
        ("small-breakthrough", "greedy:1"),
    ],
)
def test_players_choose_the_same(name: str, kind: str) -> None:
    slow, quick = load(name, journal=False), load(name, journal=False)
    look_quickly(quick, FastGame(quick).runner())
    for seed in (1, 2):
        kinds = [kind, *["random"] * (len(slow.players) - 1)]
        expected = play_out(slow, kinds, seed)
        assert play_out(quick, kinds, seed).choices == expected.choices


@pytest.mark.parametrize("name", ["training-ground", "dice-training"])
def test_a_step_with_all_that_it_asks_is_thought_through_alike(name: str) -> None:
    """With hands that are hidden, answers to be found, and choices that all make at once."""
    slow, quick = load(name, journal=False), load(name, journal=False)
    look_quickly(quick, FastGame(quick).runner())
    states, asked = [slow.start(3), quick.start(3)], set()
    for _ in range(24):
        first, second = [choice_of("greedy:1", 3, state) for state in states]
        assert first == second
        asked.add(states[0].ask)
        for state in states:
            state.take(first)
    assert len(asked) > 2


def test_looking_changes_nothing_that_is_looked_from() -> None:
    game = load("reversi", journal=False)
    desk = Desk(FastGame(game).runner())
    state = game.start(1)
    position = desk.glance(state)
    assert isinstance(position, Glance)
    for option in range(len(state.options)):
        after = desk.look_ahead(position, option)
        assert not after.options and after.result is None
        further = position.copy()
        further.take(option)
        expected = state.copy()
        expected.take(option)
        assert list(further.options) == expected.options and further.player == expected.player
        assert list(position.options) == state.options
    assert len(desk.free) > 40


def test_a_failure_ahead_leaves_the_rest_as_it_was() -> None:
    text = HEADER + FAILING["E0702"].removeprefix("\n")
    game = play(text, scenario=SCENARIO, limits=LIMITS, journal=False)
    desk = Desk(FastGame(game).runner())
    state = game.start(0)
    position = desk.glance(state)
    assert isinstance(position, Glance)
    for _ in range(60):  # more than there are copies
        with pytest.raises(RuleFailure):
            desk.look_ahead(position, 1)
        position.copy().take(0)
    assert list(position.options) == state.options


@pytest.mark.parametrize("name", ["kuhn-poker", "reversi", "hex"])
def test_what_is_put_after_another_position_is_the_whole_of_it(name: str) -> None:
    """Only what differs is written, and what is remembered of the rest still holds."""
    game = load(name, journal=False)
    runner = FastGame(game).runner()
    one, other = game.start(1), game.start(2)
    compared = 0
    while one.result is None and other.result is None and compared < 40:
        for state in (one, other):
            runner.put(state)
            assert runner.state().hash() == state.hash()
            state.take(compared % len(state.options))
            runner.take(compared % runner.options)
            assert runner.state().hash() == state.hash()
        compared += 1
    assert compared >= 2
