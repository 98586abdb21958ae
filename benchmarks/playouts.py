"""Random games of three classics: how many of ours are played in the time of one of an opponent's.

The Python engine plays choice by choice, without a journal, with a state that could be copied or saved at
each of them; it and the opponents draw from Python's own generator, so that chance costs them the same. The
fast engine plays many games in one call, its steps counted as in every game; so does OpenSpiel's own
evaluator, in C++, from the start of the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
from time import process_time
from types import ModuleType
from typing import Any

from benchmarks.opponents import (
    plain_breakthrough,
    plain_connect_four,
    plain_tictactoe,
    tables_breakthrough,
    tables_connect_four,
    tables_tictactoe,
    tuned_breakthrough,
    tuned_connect_four,
    tuned_tictactoe,
)
from benchmarks.timing import Row, Sizes, Timed, interleaved, ratio, repeated
from ddob_rules import load
from ddob_rules.library.fast import fast_game
from interpreter.machine.game import Game

GAMES: dict[str, dict[str, ModuleType]] = {
    "tic-tac-toe": {"plain": plain_tictactoe, "tuned": tuned_tictactoe, "tables": tables_tictactoe},
    "connect-four": {"plain": plain_connect_four, "tuned": tuned_connect_four, "tables": tables_connect_four},
    "breakthrough": {"plain": plain_breakthrough, "tuned": tuned_breakthrough, "tables": tables_breakthrough},
}
#: Games that only OpenSpiel has too.
_MORE = ("hex", "reversi")
_OPPONENTS = {
    "plain": "plain Python",
    "tuned": "Python tuned by hand",
    "tables": "Python with tables of moves",
    "openspiel": "OpenSpiel's Python API",
    "rollouts": "OpenSpiel's own rollouts in C++",
}
_ROLLOUTS = 1000
#: OpenSpiel's names, where they are others than ours.
_THEIRS = {"hex": "hex(board_size=11)", "reversi": "othello"}
#: How many times as fast the fast engine should be.
_WANTED = {
    "tuned": dict.fromkeys(("tic-tac-toe", "connect-four", "breakthrough"), "at least 10"),
    "openspiel": {
        "tic-tac-toe": "at least 12", "connect-four": "at least 12", "breakthrough": "at least 5",
        "hex": "at least 5", "reversi": "at least 5",
    },
    "rollouts": dict.fromkeys(
        ("tic-tac-toe", "connect-four", "breakthrough", "hex", "reversi"), "at least 1.5"
    ),
}  # fmt: skip


def play_by_choices(game: Game, draw: Callable[[], float]) -> None:
    """One uniformly random game that stops at each choice."""
    state = game.start(0)
    take = state.take
    while state.result is None:
        take(int(draw() * len(state.options)))


def _openspiel() -> Any:
    """OpenSpiel, or None where it is not installed."""
    try:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return pyspiel


def _their_game(pyspiel: Any, name: str) -> Any:
    return pyspiel.load_game(_THEIRS.get(name) or name.replace("-", "_"))


def openspiel_playout(name: str, rng: random.Random) -> Callable[[], object] | None:
    """A function that plays one random game of OpenSpiel's, if that is installed."""
    pyspiel = _openspiel()
    if pyspiel is None:
        return None
    game = _their_game(pyspiel, name)
    draw = rng.random

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(draw() * len(moves))])

    return play


def openspiel_rollouts(name: str, rng: random.Random) -> Timed | None:
    """Random games inside OpenSpiel: its tree search looks once at the start, by a thousand of them."""
    pyspiel = _openspiel()
    if pyspiel is None:
        return None
    game = _their_game(pyspiel, name)
    start = game.new_initial_state()

    def timed(count: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=_ROLLOUTS, seed=rng.getrandbits(30))
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, rng.getrandbits(30), False)
        looks = max(1, round(count / _ROLLOUTS))
        started = process_time()
        for _ in range(looks):
            bot.step(start)
        return (process_time() - started) * count / (looks * _ROLLOUTS)

    return timed


def many_games(game: Game, rng: random.Random) -> Timed | None:
    """Plays many random games in one call, if the fast engine is there."""
    fast = fast_game(game)
    if fast is None:
        return None
    runner = fast.runner()

    def timed(count: int) -> float:
        seed = rng.getrandbits(60)
        started = process_time()
        runner.play_many(count, seed)
        return process_time() - started

    return timed


def measure(sizes: Sizes) -> list[Row]:
    """A row for each game, engine and opponent."""
    return [row for name in (*GAMES, *_MORE) for row in _measure(name, sizes)]


def _measure(name: str, sizes: Sizes) -> list[Row]:
    rng = random.Random(1)
    game = load(name, journal=False)
    contestants = {"python": repeated(lambda: play_by_choices(game, rng.random))}
    fast = many_games(game, rng)
    if fast is not None:
        contestants["fast"] = fast
    for key, module in GAMES.get(name, {}).items():
        contestants[key] = repeated(lambda module=module: module.playout(rng))  # type: ignore[misc]
    foreign = openspiel_playout(name, rng)
    if foreign is not None:
        contestants["openspiel"] = repeated(foreign)
    rollouts = openspiel_rollouts(name, rng)
    if rollouts is not None:
        contestants["rollouts"] = rollouts
    found = interleaved(contestants, sizes)
    opponents = [key for key in _OPPONENTS if key in GAMES.get(name, {}) or key in ("openspiel", "rollouts")]
    rows = [
        _row(f"random games of {name}, Python engine", found, "python", key, "as it is")
        for key in opponents
        if key != "rollouts"  # which is no Python
    ]
    wanted = {key: _WANTED.get(key, {}).get(name, "as it is") for key in opponents}
    return rows + [
        _row(f"random games of {name}, fast engine", found, "fast", key, wanted[key]) for key in opponents
    ]


def _row(subject: str, found: dict[str, list[float]], ours: str, opponent: str, wanted: str) -> Row:
    known = opponent in found and ours in found
    return Row(
        subject=subject,
        against=_OPPONENTS[opponent],
        ratio=ratio(found[opponent], found[ours]) if known else None,
        wanted=wanted,
        machine=_speeds(found[ours], found[opponent]) if known else "not installed",
    )


def _speeds(ours: list[float], theirs: list[float]) -> str:
    return f"{1 / median(ours):,.0f} to {1 / median(theirs):,.0f} games/s"
