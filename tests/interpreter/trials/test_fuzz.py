"""Random games find what is wrong, and say how to get there again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ddob_rules import load
from interpreter.failures import Limits, RuleFailure
from interpreter.ir.seats import count_option
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.seating import player_bounds
from interpreter.machine.state import State
from interpreter.trials.fuzz import Finding, _combination, fuzz
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from tests.interpreter.secret_game import RULES, secret_game

MakeGame = Callable[[tuple[str, ...], tuple[str, ...]], Game]


def from_rules(folder: Path, rules: str = RULES) -> MakeGame:
    return lambda options, overlays: secret_game(folder, rules, options)


def changed(old: str, new: str) -> str:
    assert old in RULES
    return RULES.replace(old, new)


def kinds(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.kind for finding in findings}


def test_sound_game_has_no_findings(tmp_path: Path) -> None:
    report = fuzz(from_rules(tmp_path), options=("long", "short"), games=12, seed=1, every=3)
    assert report.findings == ()
    assert report.games == 12
    assert report.choices > 100


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "pig", "connect-four"])
def test_shipped_game_has_no_findings(name: str) -> None:
    assert fuzz(lambda options, overlays: load(name, options=options), games=3, seed=2).findings == ()


def test_options_that_exclude_each_other_are_not_combined(tmp_path: Path) -> None:
    asked: set[tuple[str, ...]] = set()

    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        asked.add(options)
        return secret_game(tmp_path, RULES, options)

    fuzz(make, options=("long", "short", "unheard_of"), games=25, every=1000)
    assert asked == {(), ("long",), ("short",)}


def test_no_more_players_are_tried_than_a_scenario_has_seats() -> None:
    counts = [count_option(number) for number in range(1, 13)]

    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        return load("dice-training", options=options, limits=Limits(choices=3))

    assert player_bounds(make((), ()).program, make((), ()).scenario) == (2, 4)
    assert set(_combination(make((), ()), counts, Chance(3))) <= set(counts[1:4])
    tried = {name for seed in range(30) for name in _combination(make((), ()), counts, Chance(seed))}
    assert tried == set(counts[1:4])


def test_overlays_are_tried_in_all_ways() -> None:
    asked: set[tuple[str, ...]] = set()

    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        asked.add(overlays)
        return load("tic-tac-toe")

    fuzz(make, overlays=("one", "two"), games=25, every=1000)
    assert asked == {(), ("one",), ("two",), ("one", "two")}


def test_game_that_cannot_be_made_is_a_finding() -> None:
    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        raise ValueError("these do not go together")

    report = fuzz(make, games=3)
    assert [(finding.kind, finding.message) for finding in report.findings] == [
        ("load", "these do not go together")
    ]
    assert report.games == 0


def test_failing_rule_is_found_and_can_be_reached_again(tmp_path: Path) -> None:
    make = from_rules(tmp_path, changed("set p.bid to amount", "set p.bid to 6 / amount rounded down"))
    report = fuzz(make, games=5)
    assert kinds(report.findings) == {"crash"}
    finding = report.findings[0]
    assert "rule 3: a number was divided by zero" in finding.message
    with pytest.raises(RuleFailure):
        make(finding.options, finding.overlays).replay(finding.seed, finding.choices)


def test_game_without_an_end_is_a_runaway() -> None:
    report = fuzz(lambda options, overlays: load("pig", limits=Limits(choices=20)), games=3)
    assert kinds(report.findings) == {"runaway"}


def test_question_to_nobody_is_a_dead_end(tmp_path: Path) -> None:
    rules = changed(
        'choose number from 0 to 5 by p "How much?"',
        'choose number from 0 to 5 by last_played.giver "How much?"',
    )
    rules = rules.replace("    rank: number\n", "    rank: number\n    giver: player = nothing\n", 1)
    report = fuzz(from_rules(tmp_path, rules), games=2)
    assert kinds(report.findings) == {"dead end"}


def test_hidden_piece_on_offer_is_a_leak(tmp_path: Path) -> None:
    rules = changed(
        "    set p.bid to amount\n", "    set p.bid to amount\n    let wanted = choose from c in stock by p\n"
    )
    report = fuzz(from_rules(tmp_path, rules), games=3)
    assert kinds(report.findings) == {"leak"}
    assert "ann is offered pieces that it cannot see, by rule 3" in {
        finding.message for finding in report.findings
    }


def test_hidden_piece_in_a_variable_is_a_leak(tmp_path: Path) -> None:
    rules = changed(
        "    set p.bid to amount\n", "    set p.bid to amount\n    set last_played to top(hand(p))\n"
    )
    report = fuzz(from_rules(tmp_path, rules), games=3)
    assert kinds(report.findings) == {"leak"}
    assert any("the variable last_played" in finding.message for finding in report.findings)


def test_prompt_that_tells_a_secret_is_a_leak(tmp_path: Path) -> None:
    rules = changed('by p "How much?"', 'by p "How much? The storm is {storm}"')
    report = fuzz(from_rules(tmp_path, rules), games=4, every=1)
    assert {finding.message for finding in report.findings} == {
        f"what {seat} sees of choice depends on what it cannot see" for seat in ("ann", "ben")
    }


def broken_copy(game: Game) -> Game:
    """A game whose copies share a column with the state they come from."""
    original: Callable[[State], State] = game.state_class.copy

    def copy(state: State) -> State:
        result = original(state)
        setattr(result, "at", state.at)  # noqa: B010
        return result

    setattr(game.state_class, "copy", copy)  # noqa: B010
    return game


def test_copy_that_is_not_independent_is_found(tmp_path: Path) -> None:
    report = fuzz(lambda options, overlays: broken_copy(secret_game(tmp_path)), games=1, every=1)
    assert "copy" in kinds(report.findings)


def test_position_that_is_not_saved_whole_is_found() -> None:
    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        game = load("pig")
        original = game.from_json

        def forgetful(text: str) -> State:
            state = original(text)
            state.rng += 1
            return state

        game.from_json = forgetful  # type: ignore[method-assign]
        return game

    assert kinds(fuzz(make, games=1).findings) == {"save"}


def test_game_that_is_not_the_same_twice_is_found() -> None:
    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        game = load("pig")
        original = game.start
        started: list[int] = []

        def unsteady(seed: int = 0) -> State:
            started.append(seed)
            return original(seed + len(started) - 1)

        game.start = unsteady  # type: ignore[method-assign]
        return game

    assert kinds(fuzz(make, games=1, every=1000).findings) == {"replay"}


def test_interrupt_tells_what_was_found() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    report = fuzz(lambda options, overlays: load("tic-tac-toe"), games=50, on_progress=interrupt)
    assert report.interrupted
    assert report.games == 1


BID, MINED = "set p.bid to amount", "set mine.mined to yes"
DIVIDED = "set p.bid to amount / p.bid rounded down"  # which is 0
#: What each engine plays in the place of a line, and what is said of it.
OTHERWISE = {
    "start": (MINED, MINED, f"{MINED}\n    set storm to 6", "storm is 5 in one engine and 6 in the other"),
    "choice": (BID, BID, "set p.bid to amount + 1", "bid"),
    "failure of one": (BID, DIVIDED, BID, "only the Python engine says"),
    "failure of the other": (BID, BID, DIVIDED, "only the fast engine says"),
    "failure at another line": (BID, f"set storm to 5\n    {DIVIDED}", DIVIDED, "one engine says"),
    "start that fails": (MINED, "set storm to 1 / 0 rounded down", MINED, "only the Python engine"),
}


@pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")
@pytest.mark.parametrize("line, here, there, told", OTHERWISE.values(), ids=OTHERWISE)
def test_engines_that_differ_are_found(tmp_path: Path, line: str, here: str, there: str, told: str) -> None:
    other = FastGame(secret_game(tmp_path, changed(line, there))).stored()
    make = from_rules(tmp_path, changed(line, here))
    report = fuzz(make, games=3, every=1000, make_fast=lambda game: FastGame(game, other))
    found = [finding.message for finding in report.findings if finding.kind == "engines"]
    assert found and all(told in message for message in found)


@pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")
@pytest.mark.parametrize("line", [DIVIDED, BID])
def test_engines_that_fail_alike_do_not_differ(tmp_path: Path, line: str) -> None:
    report = fuzz(from_rules(tmp_path, changed(BID, line)), games=6, every=1000, make_fast=FastGame)
    assert kinds(report.findings) == ({"crash"} if line == DIVIDED else set())
