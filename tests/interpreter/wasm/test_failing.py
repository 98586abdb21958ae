"""Failures in the fast engine: the same code, rule and line as in the Python engine."""

from __future__ import annotations

import pytest

from interpreter.failures import Limits, RuleFailure
from interpreter.machine.game import Game
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.shapes import Unsupported
from tests.interpreter.machine.test_failures import FAILING, HEADER, LIMITS, SCENARIO, place
from tests.running import play

pytestmark = pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")

#: What no module can do: texts that are kept, and running out of memory by the hand of a test.
LEFT_OUT = ("E0708", "E0718")


def both(game: Game, option: str) -> tuple[RuleFailure, RuleFailure]:
    """What the engines say of an option that fails."""
    state = game.start()
    number = game.find_option(state, option)
    assert number is not None
    runner = FastGame(game).runner()
    runner.start(0)
    with pytest.raises(RuleFailure) as expected:
        state.take(number)
    with pytest.raises(RuleFailure) as found:
        runner.take(number)
    return expected.value, found.value


@pytest.mark.parametrize("code", [code for code in FAILING if code not in LEFT_OUT])
def test_a_failure_names_the_same_rule_and_line(code: str) -> None:
    text = HEADER + FAILING[code].removeprefix("\n")
    expected, found = both(play(text, scenario=SCENARIO, limits=LIMITS, journal=False), "fail()")
    assert found.code == expected.code == code and found.site == expected.site
    assert found.site is not None and found.site.line == place(text)
    if code != "E0709":  # whose words the Python engine finds
        assert str(found) == str(expected)


def test_a_runner_goes_on_after_a_failure() -> None:
    text = HEADER + FAILING["E0702"].removeprefix("\n")
    game = play(text, scenario=SCENARIO, limits=LIMITS, journal=False)
    runner = FastGame(game).runner()
    for _ in range(3):
        runner.start(0)
        with pytest.raises(RuleFailure):
            runner.take(1)
        runner.start(0)
        runner.take(0)
        assert runner.state().data() == game.start(0).apply(0).data()


def test_a_game_that_never_ends_is_told() -> None:
    game = play(HEADER + '  option idle "Idle"\n', scenario=SCENARIO, limits=Limits(choices=5), journal=False)
    runner = FastGame(game).runner()
    with pytest.raises(RuleFailure) as caught:
        runner.play_game(0)
    assert caught.value.code == "E0703"


def test_texts_that_are_kept_are_left_to_the_other_engine() -> None:
    text = HEADER + FAILING["E0718"].removeprefix("\n")
    with pytest.raises(Unsupported):
        FastGame(play(text, scenario=SCENARIO, journal=False))


def test_a_list_that_grows_gets_more_room() -> None:
    text = HEADER + (
        "  variable long: list of number\n  action fail by us in play:\n    do:\n"
        "      repeat 300 times: set long to long + numbers(1, 2)\n"
        "  action short by us in play:\n    do: set long to numbers(1, 3)\n"
    )
    game = play(text, scenario=SCENARIO, journal=False)
    state = game.start(1)
    runner = FastGame(game).runner()
    for option in ("short()", "fail()", "fail()"):
        number = game.find_option(state, option)
        assert number is not None
        runner.put(state)
        runner.take(number)
        state.take(number)
        assert runner.state().data() == state.data()
