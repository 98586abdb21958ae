"""Random games of three classics: how many of ours are played in the time of one of an opponent's.

All draw from Python's own generator, so that chance costs everybody the same. Ours run without a journal.
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


def play_at_random(game: Game, draw: Callable[[], float]) -> None:
    """One uniformly random game."""
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
        "ours": repeated(lambda: play_at_random(game, rng.random)),
        "plain": repeated(lambda: plain.playout(rng)),
        "tuned": repeated(lambda: tuned.playout(rng)),
        "tables": repeated(lambda: tables.playout(rng)),
    }
    foreign = openspiel_playout(name, rng)
    if foreign is not None:
        contestants["openspiel"] = repeated(foreign)
    found = interleaved(contestants, sizes)
    rows = []
    for key, (against, wanted) in _OPPONENTS.items():
        rows.append(
            Row(
                subject=f"random games of {name} per second",
                against=against,
                ratio=ratio(found[key], found["ours"]) if key in found else None,
                wanted=wanted,
                machine=_speeds(found["ours"], found[key]) if key in found else "not installed",
            )
        )
    return rows


def _speeds(ours: list[float], theirs: list[float]) -> str:
    return f"{1 / median(ours):,.0f} to {1 / median(theirs):,.0f} games/s"
