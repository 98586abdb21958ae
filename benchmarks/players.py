"""How well the computer's players play: games of random, greedy and search, as a table with intervals.

    python -m benchmarks.players [NAME ...] [--who KIND ...] [--games N] [--seconds S] [--page FILE]

A line is a series of games: some seats are played by one kind, the others by another. In games against each
other the two change seats with every game. Each series ends after N games, or S seconds of processor time.
In a page the lines of other games stay as they are. Left out: how strong a person would be.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from time import process_time

from ddob_rules import load
from interpreter.ir.seats import count_option
from interpreter.machine.game import Game
from interpreter.players.sides import WON, Sides
from interpreter.trials.comparison import student
from interpreter.trials.simulation import play_out
from interpreter.wasm.engine import FastGame
from interpreter.wasm.glances import look_quickly
from tests.interpreter.toys import TOYS
from tests.running import play

KINDS = ("random", "greedy", "search")
PAIRS = (("greedy", "random"), ("search", "greedy"))
#: Games in which all who choose are on one side: each kind plays them for itself.
TOGETHER = (
    "flood", "blind-flood", "desert", "siege", "harvest", "first-waves", "omaha", "omaha-beach-dice for 1",
    "omaha-beach-dice for 2", "overlord-a-1-solo", "overlord-b-1-solo", "overlord-c-1-solo",
)  # fmt: skip
#: Games against each other: one kind plays one side, the other kind the other.
AGAINST = (
    "teams", "tic-tac-toe", "misere-tic-tac-toe", "connect-four", "small-breakthrough", "breakthrough",
    "reversi", "hex", "pig", "kuhn-poker", "training-ground", "pegasus-bridge", "sainte-mere-eglise",
    "pointe-du-hoc", "normandie-cotentin", "overlord-a-1 for 2",
)  # fmt: skip
_MORE_THAN_ENOUGH = 10_000
_HEAD = (
    "| game | who | against | games | won | 95% interval | turns | seconds |",
    "| --- | --- | --- | ---: | ---: | --- | ---: | ---: |",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A series: what the first kind made of it, from 0 (all lost) to 1, or its points, game by game."""

    game: str
    kind: str
    other: str
    results: tuple[float, ...]
    turns: tuple[int, ...]
    seconds: float  # of processor time
    points: bool = False  # played alone for points, so there is nothing to win

    @property
    def interval(self) -> tuple[float, float]:
        low, high = interval(self.results, shares=not self.points)
        return (low, high) if self.points else (max(0.0, low), min(1.0, high))


def interval(numbers: Sequence[float], *, shares: bool = True) -> tuple[float, float]:
    """The 95% interval of a mean: for shares of games won Wilson's, which also holds for few games."""
    total, middle = len(numbers), mean(numbers)
    if shares and all(0 <= number <= 1 for number in numbers):
        square = 1.96**2
        half = 1.96 * sqrt(middle * (1 - middle) / total + square / (4 * total * total))
        centre, scale = middle + square / (2 * total), 1 + square / total
        return (centre - half) / scale, (centre + half) / scale
    half = student(total - 1) * stdev(numbers) / sqrt(total) if total > 1 else float("inf")
    return middle - half, middle + half


def made(name: str) -> Game:
    """A game by its name, or `NAME for N` players, ready for players who look ahead quickly."""
    scenario, _, number = name.partition(" for ")
    options = (count_option(int(number)),) if number else ()
    game = play(TOYS[name], journal=False) if name in TOYS else load(scenario, options=options, journal=False)
    look_quickly(game, FastGame(game).runner())
    return game


def lines(name: str, games: int, seconds: float, who: Sequence[str] = KINDS) -> Iterator[Line]:
    """The series of a game in which these kinds are measured."""
    game = made(name)
    pairs = [(kind, kind) for kind in KINDS] if name in TOGETHER else PAIRS
    for kinds in pairs:
        if kinds[0] in who:
            yield _series(game, name, kinds, games, seconds)


def _series(game: Game, name: str, kinds: tuple[str, str], games: int, seconds: float) -> Line:
    begun = process_time()
    results, points, turns = [], list[int | None](), []
    for seed in islice(count(), games):
        one = seed % 2 if kinds[0] != kinds[1] else 0
        result, gained, turn = _played(game, kinds, one, seed)
        results.append(result)
        points.append(gained)
        turns.append(turn)
        if process_time() - begun > seconds and seed % 2:
            break
    alone = any(gained is not None for gained in points)
    if alone:
        results = [gained or 0 for gained in points]  # a game that is lost brings none
    return Line(
        game=name, kind=kinds[0], other=kinds[1] if kinds[1] != kinds[0] else "", results=tuple(results),
        turns=tuple(turns), seconds=(process_time() - begun) / len(results), points=alone,
    )  # fmt: skip


def _played(game: Game, kinds: tuple[str, str], one: int, seed: int) -> tuple[float, int | None, int]:
    """What a game was to the first kind, which plays the side of the first or of the second seat.

    With the points, where somebody played alone for them, and the last turn.
    """
    seats = [number for number, player in enumerate(game.program.players) if not player.automated]
    seats = [number for number in seats if game.present >> number & 1]
    sides = Sides(game, game.start(seed))
    first = seats[one] if kinds[0] != kinds[1] else seats[0]
    mine = sides.own[first]
    players = [kinds[0] if mine >> number & 1 else kinds[1] for number in range(len(game.players))]
    state = play_out(game, players, seed)
    points = dict(state.ranking).get(game.players[first]) if not sides.foes[first] else None
    return sides.fate(state, first) / WON, points, state.turn


def table(rows: Iterable[str]) -> str:
    """Rows as a Markdown table."""
    return "\n".join((*_HEAD, *rows)) + "\n"


def row(line: Line) -> str:
    """A line of the table."""
    low, high = line.interval
    other = f"`{line.other}`" if line.other else "the game"
    return (
        f"| {line.game} | `{line.kind}` | {other} | {len(line.results)} | {_told(line, mean(line.results))} "
        f"| {_told(line, low)} to {_told(line, high)} | {mean(line.turns):.1f} | {line.seconds:.2f} |"
    )


def _told(line: Line, number: float) -> str:
    return f"{number:.1f} points" if line.points else f"{number:.0%}"


def put(page: Path, rows: str, name: str = "players") -> None:
    """Puts a table between its marks."""
    before, _, after = parted(page, name)
    page.write_text(f"{before}<!-- {name} -->\n{rows}<!-- /{name} -->{after}", encoding="utf-8")


def add(page: Path, line: Line) -> None:
    """Puts a line into the table of a page beside its game, in place of what its kind made of it before."""
    text = parted(page, "players")[1]
    rows = {_series_of(one): one for one in text.splitlines() if one.startswith("|") and one not in _HEAD}
    rows[_series_of(row(line))] = row(line)
    games = list(dict.fromkeys(game for game, _ in rows))
    put(page, table(rows[one] for one in sorted(rows, key=lambda one: games.index(one[0]))))


def _series_of(text: str) -> tuple[str, str]:
    """The game of a row of the table, and who played it."""
    game, kind = (cell.strip() for cell in text.split("|")[1:3])
    return game, kind


def parted(page: Path, name: str) -> tuple[str, str, str]:
    """What stands before the marks of a page, between and after them."""
    before, _, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->")
    between, _, after = rest.partition(f"<!-- /{name} -->")
    return before, between, after


def main(arguments: Sequence[str] | None = None, tell: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description="Games of the computer's players, as a table.")
    parser.add_argument("names", nargs="*", help="games; all without any")
    parser.add_argument("--who", nargs="+", choices=KINDS, default=KINDS, help="is measured; all without any")
    parser.add_argument("--games", type=int, default=100, help="of each series at most")
    parser.add_argument("--seconds", type=float, default=_MORE_THAN_ENOUGH, help="of each series, about")
    parser.add_argument("--page", type=Path, help="a page to put the table into")
    chosen = parser.parse_args(arguments)
    for name in chosen.names or (*TOGETHER, *AGAINST):
        for line in lines(name, chosen.games, chosen.seconds, chosen.who):
            tell(row(line))
            if chosen.page is not None:
                add(chosen.page, line)


if __name__ == "__main__":
    main()
