"""From a series to its games, played on the machines of a Ray cluster.

A share of games is one task: its records come all or not at all, and Ray does a task again if the process or
the machine that had it dies. So no game is lost, and none is counted twice. The rules travel with the task; a
machine needs no files of its author, only the same edition of this package. Left out: starting a cluster over
several machines, which is Ray's own business.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

from interpreter import ir
from interpreter.compiler.compile import compile_program
from interpreter.failures import Limits
from interpreter.machine.game import Game
from interpreter.machine.scenario import Scenario
from interpreter.trials.simulation import Hand, Record, Series, Venue

# So often a share is begun anew when whoever plays it dies; then it is the share that kills.
_RETRIES = 20
# A task has so many games at most; it costs about as much as a short game to send one.
_SHARE = 64


class NoCluster(Exception):
    """Ray is not installed, cannot be reached, or gave up; the text says which."""


def on_ray(address: str = "", workers: int | None = None) -> Venue:
    """A way to play a series on a cluster: the one at the address, or one on this machine.

    `workers` bounds how many processes play at once; without it, all processors of the cluster do.

    Raises:
        NoCluster: Ray is not installed.
    """
    try:
        ray = import_module("ray")
    except ImportError as problem:
        raise NoCluster("ray is not installed; `pip install 'ddob-rules[ray]'` installs it") from problem
    return partial(_records, ray, address, workers)


@contextmanager
def _records(
    ray: Any, address: str, workers: int | None, series: Series, game: Game, games: int
) -> Iterator[Iterable[Record]]:
    own = not ray.is_initialized()
    if own:
        _connect(ray, address, workers)
    try:
        yield _gathered(ray, workers, series, game, games)
    finally:
        if own:
            ray.shutdown()


def _connect(ray: Any, address: str, workers: int | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what is played here is told to nobody
    there = address or os.environ.get("RAY_ADDRESS", "") or "local"
    local = {"num_cpus": workers, "include_dashboard": False} if there == "local" else {}
    try:
        ray.init(address=there, log_to_driver=False, configure_logging=False, **local)
    except Exception as problem:  # Ray says in many ways that there is nobody
        reason = str(problem).strip().split("\n")[0] or type(problem).__name__
        raise NoCluster(f"there is no Ray cluster at `{there}`: {reason}") from problem


def _gathered(ray: Any, workers: int | None, series: Series, game: Game, games: int) -> Iterator[Record]:
    """The games as tasks are finished. Not more tasks are sent than keep everybody busy."""
    most = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    size = min(_SHARE, max(1, games // (most * 16)))
    shares = iter(range(first, min(first + size, games)) for first in range(0, games, size))
    carried = ray.put(replace(series, make_game=_maker(game)))
    task = ray.remote(_share).options(max_retries=_RETRIES, num_cpus=1)
    waiting: list[Any] = []
    try:
        while True:
            for share in islice(shares, 2 * most - len(waiting)):
                waiting.append(task.remote(carried.hex(), [carried], share))  # in a list, it is not fetched
            if not waiting:
                return
            done, waiting = ray.wait(waiting, num_returns=1)
            yield from ray.get(done[0])
    except ray.exceptions.RayError as problem:
        reason = str(problem).strip().split("\n")[0] or type(problem).__name__
        raise NoCluster(f"the cluster gave up: {reason}") from problem


def _maker(game: Game) -> partial[Game]:
    return partial(
        _made, game.program, game.scenario, tuple(sorted(game.options)), game.limits, game.code.cover
    )  # fmt: skip


def _made(
    program: ir.Program, scenario: Scenario, options: tuple[str, ...], limits: Limits, cover: bool
) -> Game:
    code = compile_program(program, journal=False, cover=cover)
    return Game(program, scenario, code, options=options, limits=limits)


# A process keeps what plays the series that it was asked for last.
_kept: dict[str, Hand] = {}


def _share(name: str, carried: list[Any], numbers: range) -> list[Record]:
    """What a process of the cluster does; the series is fetched once, and its game made ready once."""
    if name not in _kept:
        _kept.clear()
        _kept[name] = Hand(import_module("ray").get(carried[0]))
    return list(_kept[name].play(numbers))
