"""The fast engine against the Python engine: choices of large games, a copy of a position, one whole command.

A copy is the one that look-aheads make inside the module; a call from Python for each would take longer than
the copy. A command is `ddob simulate NAME -n 1`, from its start to its answer, with the compiled module and
all else in the cache. Left out: random games of small games, which have opponents of their own (`playouts`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from statistics import median
from time import process_time

from benchmarks.omaha import midgame
from benchmarks.series import by_choices, per_choice, timed
from benchmarks.timing import Row, Sizes, Timed, interleaved, ratio, repeated
from ddob_rules import load
from interpreter.machine.state import State
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame, Runner

#: The large games, and how many of each the Python engine plays in a round; the fast one plays more.
GAMES = {"first-waves": 4, "pegasus-bridge": 2, "normandie-campaign": 1}
_MORE = 20
_FULL = 60  # games, where sizes are full
_COPIED = "first-waves"
_MOST_ROUNDS = 5  # a round is several whole games, or starts two processes
_COPIES = """
  (func (export "copies") (param $to i32) (param $count i32)
    (loop $again
      (call $save (local.get $to))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $again (i32.gt_s (local.get $count) (i32.const 0)))))
)
"""


def measure(sizes: Sizes) -> list[Row]:
    """Rows for choices, copies and a command, if the fast engine is there."""
    if not host.available():
        return [_missing("choices of random games"), _missing("a copy"), _missing("simulate")]
    fewer = replace(sizes, rounds=min(_MOST_ROUNDS, sizes.rounds))
    return [*(_choices(name, games, fewer) for name, games in GAMES.items()), _copy(sizes), _command(fewer)]


def _missing(subject: str) -> Row:
    return Row(
        subject=f"{subject} by the fast engine",
        against="the Python engine",
        ratio=None,
        wanted="as it is",
        machine="not installed",
    )


def _choices(name: str, games: int, sizes: Sizes) -> Row:
    game = load(name, journal=False)
    runner, play = FastGame(game).runner(), by_choices(game)
    games = max(1, games * sizes.games // _FULL)
    found: dict[str, list[float]] = {"fast": [], "python": []}
    play(0)
    runner.play_many(1, 0)
    for seed in range(sizes.rounds):
        found["fast"].append(per_choice([timed(partial(_many, runner, _MORE * games), seed)]))
        found["python"].append(per_choice([timed(play, seed * games + k) for k in range(games)]))
    return Row(
        subject=f"choices of random games of {name} by the fast engine per second",
        against="the Python engine",
        ratio=ratio(found["python"], found["fast"]),
        wanted="as it is",
        machine=f"{1 / median(found['fast']):,.0f} to {1 / median(found['python']):,.0f} choices/s",
    )


def _many(runner: Runner, games: int, seed: int) -> int:
    return runner.play_many(games, seed)[0]


def _copy(sizes: Sizes) -> Row:
    state = midgame(load(_COPIED, journal=False))
    found = interleaved({"fast": copies_inside(state), "python": repeated(state.copy)}, sizes)
    return Row(
        subject=f"copies of a position of {_COPIED} inside the fast engine per second",
        against="the Python engine",
        ratio=ratio(found["python"], found["fast"]),
        wanted="at least 10",
        machine=f"{median(found['fast']) * 1e6:.2f} to {median(found['python']) * 1e6:.2f} microseconds",
    )


def copies_inside(state: State) -> Timed:
    """Copies a position again and again, all in one call of the module."""
    fast = FastGame(state.game)
    fast.code = host.code_from_text(fast.plan.text.rstrip().removesuffix(")") + _COPIES)
    runner = fast.runner()
    runner.put(state)
    copies = runner.instance.function("copies")

    def copied(count: int) -> float:
        started = process_time()
        copies(runner.plan.copies, count)
        return process_time() - started

    return copied


def _command(sizes: Sizes) -> Row:
    for engine in ("wasm", "python"):
        _simulated(engine, 1)  # what is kept in the cache is there then
    found = interleaved({one: partial(_simulated, one) for one in ("wasm", "python")}, sizes)
    return Row(
        subject=f"`ddob simulate {_COPIED} -n 1`, fast engine, its module in the cache",
        against="the Python engine",
        ratio=ratio(found["python"], found["wasm"]),
        wanted="at least 1",
        machine=f"{median(found['wasm']):.2f} to {median(found['python']):.2f} s",
    )


def _simulated(engine: str, count: int) -> float:
    """The processor time of as many commands."""
    command = [sys.executable, "-m", "ddob_rules", "simulate", _COPIED, "-n", "1", "--engine", engine]
    before = _of_children()
    for _ in range(count):
        subprocess.run(command, check=True, capture_output=True)
    return _of_children() - before


def _of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system
