"""Random games of three classics: how many of ours are played in the time of one of an opponent's.

All draw from Python's own generator, so that chance costs everybody the same. Ours run without a journal, in
two ways: as mass simulation does (`Game.playout`), and choice by choice, with a state that could be copied or
saved at each of them. Only the first is held against a goal.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median
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
from benchmarks.timing import Row, Sizes, interleaved, ratio, repeated
from ddob_rules import load
from interpreter.game import Game

GAMES: dict[str, tuple[ModuleType, ModuleType, ModuleType]] = {
    "tic-tac-toe": (plain_tictactoe, tuned_tictactoe, tables_tictactoe),
    "connect-four": (plain_connect_four, tuned_connect_four, tables_connect_four),
    "breakthrough": (plain_breakthrough, tuned_breakthrough, tables_breakthrough),
}
_OPPONENTS = {
    "plain": ("plain Python", "at least 2"),
    "tuned": ("Python tuned by hand", "at least 1"),
    "tables": ("Python with tables of moves", "as it is"),
    "openspiel": ("OpenSpiel's Python API", "as it is"),
}
_WAYS = {"ours": "random games of", "choices": "random games, choice by choice, of"}


def play_by_choices(game: Game, draw: Callable[[], float]) -> None:
    """One uniformly random game that stops at each choice."""
    state = game.start(0)
    take = state.take
    while state.result is None:
        take(int(draw() * len(state.options)))


def openspiel_playout(name: str, rng: random.Random) -> Callable[[], object] | None:
    """A function that plays one random game of OpenSpiel's, if that is installed."""
    try:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    game: Any = pyspiel.load_game(name.replace("-", "_"))
    draw = rng.random

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(draw() * len(moves))])

    return play


def measure(sizes: Sizes) -> list[Row]:
    """A row for each game and opponent."""
    return [row for name in GAMES for row in _measure(name, sizes)]


def _measure(name: str, sizes: Sizes) -> list[Row]:
    rng = random.Random(1)
    game = load(name, journal=False)
    plain, tuned, tables = GAMES[name]
    contestants = {
        "ours": repeated(lambda: game.playout(0, rng.random)),
        "choices": repeated(lambda: play_by_choices(game, rng.random)),
        "plain": repeated(lambda: plain.playout(rng)),
        "tuned": repeated(lambda: tuned.playout(rng)),
        "tables": repeated(lambda: tables.playout(rng)),
    }
    foreign = openspiel_playout(name, rng)
    if foreign is not None:
        contestants["openspiel"] = repeated(foreign)
    found = interleaved(contestants, sizes)
    return [_row(f"{words} {name}", found, way, key) for way, words in _WAYS.items() for key in _OPPONENTS]


def _row(subject: str, found: dict[str, list[float]], way: str, opponent: str) -> Row:
    against, wanted = _OPPONENTS[opponent]
    known = opponent in found
    return Row(
        subject=subject,
        against=against,
        ratio=ratio(found[opponent], found[way]) if known else None,
        wanted=wanted if way == "ours" else "as it is",
        machine=_speeds(found[way], found[opponent]) if known else "not installed",
    )


def _speeds(ours: list[float], theirs: list[float]) -> str:
    return f"{1 / median(ours):,.0f} to {1 / median(theirs):,.0f} games/s"
