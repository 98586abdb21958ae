"""From words on the command line to series of games, and from two series to a table of how they differ.

A side of a comparison is a scenario with overlays and options; both sides play the same seeds. How one series
is told is left to the command.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO

import click

from ddob_rules.cli.games import Opened, open_game, seat_kinds
from ddob_rules.cli.output import harmless, print_table, tell
from ddob_rules.cli.targets import parts_of
from ddob_rules.library.fast import fast_or_reason
from ddob_rules.loading import load
from interpreter.machine.game import Game
from interpreter.trials.comparison import Comparison, Difference
from interpreter.trials.coverage import Coverage, Tally
from interpreter.trials.simulation import Record, Summary, Venue
from interpreter.trials.simulation import simulate as play_series
from interpreter.wasm.engine import FastGame

Report = Callable[[int, int], None]

# What a spreadsheet would take for the beginning of a formula, were it the beginning of an author's text.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the sides of a comparison have in common."""

    games: int
    seed: int
    workers: int
    players: tuple[str, ...]
    language: str
    fast: bool  # in the fast engine, where that can
    cover: bool = False  # games say what they reach
    venue: Venue | None = None  # where they are played, if not here


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A scenario with what is laid over it and the options it is played with."""

    scenario: str
    overlays: tuple[str, ...]
    options: tuple[str, ...]

    @classmethod
    def of(cls, word: str, options: tuple[str, ...], overlays: tuple[str, ...]) -> Side:
        name, above = parts_of(word)
        return cls(scenario=name, overlays=(*above, *overlays), options=tuple(dict.fromkeys(options)))

    @property
    def label(self) -> str:
        with_options = f" ({', '.join(self.options)})" if self.options else ""
        return "+".join((self.scenario, *self.overlays)) + with_options


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The games of a side, in the order of their seeds, and what came of them."""

    side: Side
    opened: Opened
    kinds: dict[str, str]
    records: tuple[Record, ...]
    summary: Summary
    seconds: float


def other_side(
    scenario: str, against: str | None, options: tuple[str, ...], overlays: tuple[str, ...]
) -> Side:
    """What a series is compared with; `+errata` is the scenario itself with one more overlay."""
    word = against if against is not None else scenario
    if word.startswith("+"):
        name, above = parts_of(scenario)
        word, overlays = name, (*above, *overlays, *word[1:].split("+"))
    side = Side.of(word, options, overlays)
    if not side.scenario or "" in side.overlays:
        raise click.BadParameter(f"`{against}` does not name a scenario or overlay", param_hint="--against")
    return side


def play_sides(sides: Sequence[Side], setting: Setting, report: Report | None) -> list[Series]:
    """Plays the sides one after the other, as one piece of work. An interrupt ends them all."""
    ready = [
        _opened(side, setting) for side in sides
    ]  # so that a misspelling is told before games are played
    found: list[Series] = []
    for number, (side, (opened, kinds)) in enumerate(zip(sides, ready, strict=True)):

        def told(done: int, total: int, before: int = number * setting.games) -> None:
            if report is not None:
                report(before + done, total * len(sides))

        found.append(_played(side, opened, kinds, setting, told))
        if found[-1].summary.interrupted:
            break
    return found


def _opened(side: Side, setting: Setting) -> tuple[Opened, dict[str, str]]:
    opened = open_game(side.scenario, options=side.options, overlays=side.overlays, language=setting.language)
    return opened, seat_kinds(setting.players, opened.game)


def _played(side: Side, opened: Opened, kinds: dict[str, str], setting: Setting, report: Report) -> Series:
    begun = time.perf_counter()
    # The workers cannot be handed a game: each of them loads it.
    make_game = partial(
        load, side.scenario, options=side.options, overlays=side.overlays, journal=False, cover=setting.cover
    )  # fmt: skip
    records: list[Record] = []
    summary = play_series(
        make_game, kinds, games=setting.games, seed=setting.seed, workers=setting.workers,
        make_fast=told_fast_game if setting.fast else None, venue=setting.venue,
        on_progress=report, on_record=records.append,
    )  # fmt: skip
    records.sort(key=lambda record: record.number)
    seconds = time.perf_counter() - begun
    return Series(
        side=side, opened=opened, kinds=kinds, records=tuple(records), summary=summary, seconds=seconds
    )  # fmt: skip


def told_fast_game(game: Game) -> FastGame | None:
    """The game in the fast engine; one line says why not, if it cannot be."""
    fast, reason = fast_or_reason(game)
    if reason:
        tell(reason, err=True)
    return fast


def coverage_of(series: Series) -> Coverage:
    """What the games of a series reached, if they were played to say so."""
    side, tally = series.side, Tally()
    game = load(side.scenario, options=side.options, overlays=side.overlays, journal=False, cover=True)
    for record in series.records:
        if record.seen is not None:
            tally.add(game, record.seen)
    return tally.coverage()


# ---------------------------------------------------------------- a row a game


def csv_of(series: Sequence[Series], seed: int) -> str:
    """A table of all games; with two sides, the rows of the first come first."""
    titles = list(
        dict.fromkeys(title for one in series for record in one.records for title, _ in record.measures)
    )
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    heads = ("rules", "seed", "winners", "text", "turns", "choices", "hash", "failure")
    writer.writerow([*heads, *map(_plain, titles)])
    for one in series:
        for record in one.records:
            writer.writerow([_plain(one.side.label), seed + record.number, *_row(record, titles)])
    return file.getvalue()


def _row(record: Record, titles: Sequence[str]) -> list[object]:
    if record.failure:
        return ["", "", "", "", "", _plain(record.failure), *("" for _ in titles)]
    measures = dict(record.measures)
    told = [_plain(record.winner), _plain(record.text), record.turns, record.choices, record.hash, ""]
    return [*told, *(measures.get(title, "") for title in titles)]


def _plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


# ---------------------------------------------------------------- telling a difference


def print_comparison(compared: Comparison, series: Sequence[Series], seed: int) -> None:
    first, second = (one.side.label for one in series)
    seconds = sum(one.seconds for one in series)
    games = series[0].summary.games
    tell(
        harmless(f"{first} against {second}: {compared.pairs} of {games} pairs, seed {seed}, {seconds:.1f} s")
    )
    tell(f"{compared.same} pairs ended alike")
    heads = ("First", "Second", "Difference", "95% interval")
    tell()
    print_table(("Winner", *heads), [_told(each, _share) for each in compared.wins])
    tell()
    print_table(("On average", *heads), [_told(each, _number) for each in compared.numbers])
    for one in series:
        if one.summary.failures:
            told = (
                f"{one.side.label}: {one.summary.failures} failed; the first one: {one.summary.first_failure}"
            )
            tell(harmless(told))
        if one.summary.interrupted:
            tell("interrupted")


def _told(each: Difference, written: Callable[[float, bool], str]) -> tuple[str, ...]:
    values = [written(value, False) if value is not None else "-" for value in (each.first, each.second)]
    values.append(written(each.difference, True) if each.difference is not None else "-")
    if each.low is None or each.high is None:
        return (each.name, *values, "-")
    return (each.name, *values, f"{written(each.low, True)} to {written(each.high, True)}")


def _share(value: float, signed: bool) -> str:
    return f"{value:+.1%}" if signed else f"{value:.1%}"


def _number(value: float, signed: bool) -> str:
    return f"{value:+.2f}" if signed else f"{value:.2f}"


def comparison_data(
    compared: Comparison, summaries: Sequence[dict[str, object]], series: Sequence[Series]
) -> dict[str, object]:
    sides = [
        {"rules": one.side.label, "overlays": list(one.side.overlays), **data}
        for one, data in zip(series, summaries, strict=True)
    ]
    return {
        "sides": sides,
        "pairs": compared.pairs,
        "same": compared.same,
        "wins": [_difference_data(each) for each in compared.wins],
        "numbers": [_difference_data(each) for each in compared.numbers],
    }


def _difference_data(each: Difference) -> dict[str, object]:
    return {
        "name": each.name,
        "first": each.first,
        "second": each.second,
        "difference": each.difference,
        "low": each.low,
        "high": each.high,
    }
