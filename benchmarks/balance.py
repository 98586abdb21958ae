"""Is it fair? Series of games by players of the computer, kept game by game, as a table with intervals.

    python -m benchmarks.balance PAGE [--series NAME ...] [--games N] [--player KIND] [--kept FOLDER]

A page has its own list of games (`PAGES`), and its table stands between two marks. Each game that is over is
a line of JSON in the folder, as `ddob simulate --each` writes them: series of large games take days, so they
are kept with the project, and whoever has time plays on. A series goes on only if its first game is still
played as it was; if rules or players have changed, it begins anew. In the table, rows of series without games
stay as they are. Left out: how strong the players are, which `benchmarks.players` tells.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.players import parted, put
from ddob_rules import load
from ddob_rules.library.fast import fast_game
from interpreter.ir.seats import count_option
from interpreter.trials.comparison import student
from interpreter.trials.simulation import Record, simulate, wilson

#: Where series are kept.
KEPT = Path(__file__).parent / "kept"

_GERMAN, _ALLIED = "germans", "allies"
_BATTLES = (
    "pegasus-bridge", "sainte-mere-eglise", "sword-beach", "pointe-du-hoc", "omaha-first-wave",
    "mont-mouchet", "vassieux", "cobra", "luttich", "toulon", "paris", "montelimar", "arnhem-bridge",
    "arracourt", "st-vith", "saverne", "omaha-overlord",
)  # fmt: skip
_RAIDS = ("a-1", "a-2", "a-3", "b-1", "b-2", "c-1", "c-2", "c-3", "c-1-v2", "c-2-v2", "c-3-v2")
_EXTENDED = ("", "+ddob-inerd-extended", "+ddob-fr-extended")


#: A series, and the games of it that are over.
Games = tuple[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a page tells: the games, and whose wins are counted."""

    file: str
    games: tuple[str, ...]  # scenarios with overlays and a number of players, as in `my-game+errata:3`
    side: str = ""  # none: a game counts as won if anybody wins it
    seats: tuple[str, ...] = ()  # who is played by the kind of player asked for; none: everybody
    levels: bool = False  # whether there are levels of victory: then each ending has a line


PAGES = {
    "memoire-44": Page(
        file="docs/memoire-44.md", games=_BATTLES, side=_ALLIED, seats=(_ALLIED, "axis"),
    ),
    "ddob": Page(
        file="docs/ddob.md",
        games=(
            *(f"first-waves{one}" for one in ("", "+ddob-extended", "+ddob-inerd", "+ddob-fr")),
            *(f"{name}{one}" for name in ("omaha", "beyond-the-beach") for one in _EXTENDED),
        ),
        side=_GERMAN,
        seats=("us",),
    ),
    "normandie-1944": Page(
        file="docs/normandie-1944.md",
        games=(
            *(f"normandie-{name}" for name in ("cotentin", "cobra", "campaign")),
            *(f"normandie-{name}-three" for name in ("cobra", "campaign")),
        ),
        levels=True,
    ),
    "dday-dice": Page(
        file="docs/dday-dice.md",
        games=(
            *(f"omaha-beach-dice:{number}" for number in (1, 2, 3, 4)),
            *(f"overlord-{raid[:3]}-solo{raid[3:]}" for raid in _RAIDS),
            *(f"overlord-{raid}:{number}" for number in (2, 3, 4, 6) for raid in _RAIDS),
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kept:
    """The games of a series that are over, on disk."""

    file: Path

    def games(self) -> list[dict[str, Any]]:
        """In the order of their seeds; a line that was torn off counts for nothing."""
        found = {}
        for line in self.file.read_text(encoding="utf-8").splitlines() if self.file.exists() else ():
            try:
                game = json.loads(line)
            except ValueError:
                continue
            found[game["seed"]] = game
        return [found[seed] for seed in sorted(found)]

    def add(self, seed: int, record: Record) -> None:
        line = json.dumps(_told(seed, record), ensure_ascii=False)
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write("\n" * _is_torn(self.file) + line + "\n")

    def begin_anew(self) -> None:
        self.file.unlink()


def _told(seed: int, record: Record) -> dict[str, Any]:
    """What is kept of a game."""
    return {
        "seed": seed, "winners": list(record.winners), "text": record.text, "turns": record.turns,
        "choices": record.choices, "measures": dict(record.measures), "failure": record.failure,
    }  # fmt: skip


def _is_torn(file: Path) -> bool:
    return file.exists() and not (file.read_bytes() or b"\n").endswith(b"\n")


def played(
    page: Page, name: str, kept: Kept, kind: str, games: int, tell: Callable[[str], None] = print
) -> None:
    """Plays the games of a series that are not there yet, one after the other."""
    known = kept.games()
    if not games:
        return
    stack, _, number = name.partition(":")
    scenario, *overlays = stack.split("+")
    options = (count_option(int(number)),) if number else ()
    loaded = load(scenario, overlays=overlays, options=options, journal=False)
    people = [player.name for player in loaded.program.players if not player.automated]
    kinds = dict.fromkeys(page.seats or [seat for seat in loaded.seats if seat in people], kind)

    def play(first: int, count: int, note: Callable[[int, Record], None]) -> None:
        simulate(
            lambda: loaded, kinds, games=count, seed=first, make_fast=fast_game,
            on_record=lambda record: note(first + record.number, record),
        )  # fmt: skip

    if known:
        again: list[dict[str, Any]] = []
        play(known[0]["seed"], 1, lambda seed, record: again.append(_told(seed, record)))
        if not all(known[0].items() <= game.items() for game in again):  # older ones have no choices
            tell(f"{name}: game {known[0]['seed']} is played otherwise now; the series begins anew")
            kept.begin_anew()
            known = []
    for first, count in _runs(_missing(known, games)):
        play(first, count, kept.add)


def _missing(known: Sequence[dict[str, Any]], games: int) -> list[int]:
    there = {game["seed"] for game in known}
    return [seed for seed in range(games) if seed not in there]


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow each other, as the first and how many."""
    first = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or numbers[place] != numbers[place - 1] + 1:
            yield numbers[first], place - first
            first = place


def table(page: Page, found: Sequence[Games], before: str = "") -> str:
    """Wins with Wilson's interval and means with Student's; rows of before where no game is there."""
    old = [line for line in before.splitlines() if line.startswith("|")]
    played = [(name, games) for name, games in found if games]
    titles = [cell.strip() for cell in old[0].split("|")[6:-1]] if old else []
    heads, rows = _levels(played) if page.levels else _shares(page, played, titles)
    known = {_series(row) for row in rows}
    rows += [row for row in old[2:] if _series(row) not in known]
    order = {name: number for number, (name, _) in enumerate(found)}
    rows.sort(key=lambda row: order.get(_series(row), len(order)))
    return "\n".join([*heads, *rows]) + "\n"


def _series(row: str) -> str:
    """The series that a row of the table tells of."""
    return row.split("|")[1].strip()


def _shares(page: Page, found: Sequence[Games], before: Sequence[str]) -> tuple[list[str], list[str]]:
    """A head and a line for each series, with a column for every measure; those of before come first."""
    titles = list(dict.fromkeys([*before, *(title for _, games in found for title in games[0]["measures"])]))
    won = f"Wins of {page.side}" if page.side else "Won"
    heads = ["Scenario", "Games", won, "95% interval", "Turns", *titles]
    lines = []
    for name, games in found:
        wins = sum(page.side in game["winners"] if page.side else bool(game["winners"]) for game in games)
        low, high = wilson(wins, len(games))
        cells = [name, str(len(games)), f"{wins / len(games):.0%}", f"{low:.0%} to {high:.0%}"]
        cells.append(f"{mean(game['turns'] for game in games):.1f}")
        for title in titles:
            told = [game["measures"][title] for game in games if title in game["measures"]]
            cells.append(_mean(told) if told else "")
        lines.append("| " + " | ".join(cells) + " |")
    return ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)], lines


def _levels(found: Sequence[Games]) -> tuple[list[str], list[str]]:
    """A head, and a line for each way in which games of a series ended, the most frequent first."""
    heads = [
        "| Scenario | Who wins | How | Games | Share | 95% interval |",
        "| --- | --- | --- |" + " ---: |" * 3,
    ]
    lines = []
    for name, games in found:
        ends = Counter((", ".join(game["winners"]) or "nobody", game["text"]) for game in games)
        for (winners, text), count in ends.most_common():
            low, high = wilson(count, len(games))
            share = f"{count / len(games):.0%} | {low:.0%} to {high:.0%}"
            lines.append(f"| {name} | {winners} | {text} | {count} of {len(games)} | {share} |")
    return heads, lines


def _mean(numbers: Sequence[float]) -> str:
    if len(numbers) < 2:
        return f"{mean(numbers):.1f}"
    return f"{mean(numbers):.1f} ± {student(len(numbers) - 1) * stdev(numbers) / sqrt(len(numbers)):.1f}"


def _file(name: str, kind: str) -> str:
    """A name that every system takes."""
    return f"{name}.{kind}.jsonl".replace(":", "-")


def main(arguments: Sequence[str] | None = None, tell: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description="Series of games by the computer's players, as a table.")
    parser.add_argument("page", choices=sorted(PAGES))
    parser.add_argument("--series", nargs="+", help="those of the page to play; all, if none is named")
    parser.add_argument("--games", type=int, default=200, help="of each series; 0 plays none")
    parser.add_argument("--player", default="greedy", help="who plays")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where games are kept")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    chosen = parser.parse_args(arguments)
    chosen.kept.mkdir(exist_ok=True)
    page = PAGES[chosen.page]
    series = [(name, Kept(chosen.kept / _file(name, chosen.player))) for name in page.games]
    for name, kept in series:
        if chosen.series and name not in chosen.series:
            continue
        played(page, name, kept, chosen.player, chosen.games, tell)
    mark = "balance" if chosen.player == "greedy" else f"balance {chosen.player}"
    text = table(page, [(name, kept.games()) for name, kept in series], parted(Path(page.file), mark)[1])
    tell(text)
    if chosen.write:
        put(Path(page.file), text, mark)


if __name__ == "__main__":
    main()
