"""How long `search` thinks in the fast engine, against `greedy` in the Python engine, at equal positions."""

from __future__ import annotations

from statistics import median

from benchmarks.timing import Row, Sizes, interleaved, ratio, repeated
from ddob_rules import load
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.kinds import choice_of
from interpreter.wasm.engine import FastGame
from interpreter.wasm.glances import look_quickly

_SCENARIO = "first-waves"
_POSITIONS = 8
_BETWEEN = 24  # choices from one position to the next


def measure(sizes: Sizes) -> list[Row]:
    """One row: a choice, on average over positions of a game at random."""
    slow, quick = load(_SCENARIO, journal=False), load(_SCENARIO, journal=False)
    look_quickly(quick, FastGame(quick).runner())
    found = interleaved(
        {
            "search": repeated(lambda: _think(_positions(quick), "search")),
            "greedy": repeated(lambda: _think(_positions(slow), "greedy")),
        },
        sizes,
    )
    each = {name: median(seconds) / _POSITIONS for name, seconds in found.items()}
    return [
        Row(
            subject=f"a choice of `search` in {_SCENARIO}",
            against="one of `greedy` in the Python engine",
            ratio=ratio(found["greedy"], found["search"]),
            wanted="at least 1",
            machine=f"{1000 * each['search']:.0f} to {1000 * each['greedy']:.0f} ms",
        )
    ]


def _positions(game: Game) -> list[State]:
    state, chance = game.start(7), Chance(7)
    found: list[State] = []
    while len(found) < _POSITIONS and not state.over:
        found.append(state.copy())
        for _ in range(_BETWEEN):
            if not state.over:
                state.take(chance.below(len(state.options)))
    return found


def _think(positions: list[State], kind: str) -> None:
    for state in positions:
        choice_of(kind, 7, state)
