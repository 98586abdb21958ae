"""The commands that play many games: simulate (how do they end) and fuzz (does anything go wrong)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from ddob_rules.book import normal
from ddob_rules.cli.games import (
    Opened,
    json_option,
    open_game,
    players_option,
    rule_options,
    seat_kinds,
    seed_option,
    store_save,
)
from ddob_rules.cli.output import FINDINGS, harmless, print_data, print_table, stop
from ddob_rules.cli.targets import language_option, overlay_option
from ddob_rules.identity import rule_hashes
from ddob_rules.library import RulesetEntry, rulesets
from ddob_rules.loading import RulesProblem, load, load_game
from interpreter.failures import REFUSED, RuleFailure
from interpreter.fuzz import Finding, FuzzReport, NotAllowed
from interpreter.fuzz import fuzz as play_random_games
from interpreter.game import Game
from interpreter.saves import Save, Taken, offered, record
from interpreter.simulation import Outcome, Spread, Summary
from interpreter.simulation import simulate as play_series

_INTERRUPTED = 130
# Overlays that change the same thing in no order, and options that exclude each other.
_CONFLICTS = {"E0503", "E0642"}
# A person waits for a hundred games; more are asked for by those who need them.
_GAMES = 100

Report = Callable[[int, int], None]


@click.command(short_help="Play many games and count how they end.")
@click.argument("scenario")
@click.option("games", "-n", "--games", type=click.IntRange(min=1), default=_GAMES, show_default=True)
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@seed_option
@players_option
@rule_options
@overlay_option
@json_option
@language_option
def simulate(
    scenario: str,
    games: int,
    workers: int,
    seed: int,
    players: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[str, ...],
    as_json: bool,
    language: str,
) -> None:
    """Play many games, and print how they end, with 95% confidence intervals.

    The same seed gives the same games, however many workers share them.

    \b
    Example:  ddob simulate my-game -n 1000 --workers 2
    """
    opened = open_game(scenario, options=options, overlays=overlays, language=language)
    kinds = seat_kinds(players, opened.game)
    begun = time.perf_counter()
    # The workers cannot be handed a game: each of them loads it.
    make_game = partial(load, scenario, options=options, overlays=overlays, journal=False)
    with progress("games") as report:
        summary = play_series(make_game, kinds, games=games, seed=seed, workers=workers, on_progress=report)
    seconds = time.perf_counter() - begun
    if as_json:
        print_data(_summary_data(opened, summary, kinds, seed, workers, seconds))
    else:
        _print_summary(opened, summary, seed, seconds)
    if summary.interrupted:
        raise click.exceptions.Exit(_INTERRUPTED)
    if summary.failures:
        raise click.exceptions.Exit(FINDINGS)


@contextmanager
def progress(what: str) -> Iterator[Report | None]:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report


def _summary_data(
    opened: Opened, summary: Summary, kinds: dict[str, str], seed: int, workers: int, seconds: float
) -> dict[str, object]:
    game = opened.game
    return {
        "scenario": game.scenario.name,
        "ruleset": game.program.name,
        "options": sorted(game.options),
        "seed": seed,
        "players": {name: kinds.get(name, "random") for name in game.players},
        "games": summary.games,
        "played": summary.played,
        "results": [_outcome_data(outcome) for outcome in summary.outcomes],
        "wins": [_outcome_data(outcome) for outcome in summary.wins],
        "turns": _spread_data(summary.turns),
        "choices": _spread_data(summary.choices),
        "scores": dict(summary.scores),
        "measures": {title: _spread_data(spread) for title, spread in summary.measures},
        "failures": summary.failures,
        "first_failure": summary.first_failure,
        "interrupted": summary.interrupted,
        "seconds": round(seconds, 3),
        "workers": workers,
    }


def _outcome_data(outcome: Outcome) -> dict[str, object]:
    return {
        "winners": outcome.winners,
        "text": outcome.text,
        "count": outcome.count,
        "share": outcome.share,
        "low": outcome.low,
        "high": outcome.high,
    }


def _spread_data(spread: Spread | None) -> dict[str, object] | None:
    return None if spread is None else {"mean": spread.mean, "low": spread.low, "high": spread.high}


def _print_summary(opened: Opened, summary: Summary, seed: int, seconds: float) -> None:
    name = opened.game.scenario.name
    click.echo(harmless(f"{name}: {summary.played} of {summary.games} games, seed {seed}, {seconds:.1f} s"))
    click.echo()
    print_table(("Winner", "Games", "Share", "95% interval"), _rows(summary.wins))
    if any(outcome.text for outcome in summary.outcomes):
        click.echo()
        rows = [
            (row[0], outcome.text, *row[1:])
            for row, outcome in zip(_rows(summary.outcomes), summary.outcomes, strict=True)
        ]
        print_table(("Winner", "How", "Games", "Share", "95% interval"), rows)
    click.echo()
    for what, spread in (("turns", summary.turns), ("choices", summary.choices), *summary.measures):
        if spread is not None:
            told = f"{what}: {spread.mean:.1f} on average, {spread.low:g} to {spread.high:g}"
            click.echo(harmless(told))
    if summary.scores and not summary.measures:
        click.echo(harmless("score: " + ", ".join(f"{name} {mean:.2f}" for name, mean in summary.scores)))
    if summary.failures:
        click.echo(harmless(f"{summary.failures} failed; the first one: {summary.first_failure}"))
    if summary.interrupted:
        click.echo("interrupted")


def _rows(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    return [
        (each.winners, str(each.count), f"{each.share:.1%}", f"{each.low:.1%} to {each.high:.1%}")
        for each in outcomes
    ]


# ---------------------------------------------------------------- fuzz


@click.command(short_help="Play random games and look for what goes wrong.")
@click.argument("scenario")
@click.option("games", "-n", "--games", type=click.IntRange(min=1), default=_GAMES, show_default=True)
@click.option("--out", default=".", metavar="DIR", help="Where games that show a finding are saved.")
@seed_option
@json_option
@language_option
def fuzz(scenario: str, games: int, out: str, seed: int, as_json: bool, language: str) -> None:
    """Play random games over random options and overlays, and look for what goes wrong.

    It finds crashes, dead ends, games that do not end, positions that do not survive saving, and hidden
    information that can be seen. Each finding is saved as a game; `ddob replay` shows it again.

    \b
    Example:  ddob fuzz my-game -n 1000 --out findings
    """
    opened = open_game(scenario, language=language)
    make_game = partial(_fuzzed_game, scenario)
    with progress("games") as report:
        found = play_random_games(
            make_game,
            options=[option.name for option in opened.source.program.options],
            overlays=_overlays_for(opened),
            games=games,
            seed=seed,
            on_progress=report,
        )
    files = _save_findings(opened, found.findings, Path(out))
    if as_json:
        print_data(_fuzz_data(opened, found, files, seed))
    else:
        _print_findings(opened, found, files, seed)
    if found.findings:
        raise click.exceptions.Exit(FINDINGS)
    if found.interrupted:
        raise click.exceptions.Exit(_INTERRUPTED)


def _fuzzed_game(scenario: str, options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
    """The game; not allowed where two overlays change the same thing and nobody says which comes first."""
    try:
        game = load(scenario, options=options, overlays=overlays)
        game.start(0)
        return game
    except RuleFailure as failure:
        if failure.code == REFUSED:
            raise NotAllowed from failure
        return game  # playing it shows this again, as a finding
    except RulesProblem as problem:
        errors = {found.code for found in problem.problems if found.severity == "error"}
        if errors and errors <= _CONFLICTS:
            raise NotAllowed from problem
        raise


def _overlays_for(opened: Opened) -> list[str]:
    """The rulesets that build on this one alone, and that its scenario can be played with."""
    stack = set(opened.source.program.stack)
    found = []
    for entry in rulesets():
        if entry.name in stack or not _mentions(entry, stack):
            continue
        game = load_game(opened.word, overlays=(entry.name,)).game
        if game is not None and set(game.program.stack) == stack | {entry.name}:
            found.append(entry.name)
    return found


def _mentions(entry: RulesetEntry, stack: set[str]) -> bool:
    """Whether the line that names a ruleset names one of the stack too; reading it all would take long."""
    for path in entry.files:
        text = path.read_text(encoding="utf-8", errors="replace")
        for line in text.split("\n"):
            words = [normal(word.strip(",")) for word in line.split("#")[0].split()]
            if words[1:2] == [entry.name] and stack & set(words[2:]):
                return True
    return False


def _save_findings(opened: Opened, findings: Sequence[Finding], folder: Path) -> list[str]:
    files: list[str] = []
    for number, finding in enumerate(findings, start=1):
        save = _reproduction(opened.word, finding)
        if save is None:
            files.append("")
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            stop(f"`{folder}` cannot be written: {(problem.strerror or str(problem)).lower()}")
        kind = finding.kind.replace(" ", "-")
        path = str(folder / f"ddob-{opened.game.scenario.name}-{kind}-{number}.save.json")
        store_save(path, save, opened.language)
        files.append(path)
    return files


def _reproduction(word: str, finding: Finding) -> Save | None:
    """The game that shows a finding; None if not even the game can be made."""
    loaded = load_game(word, options=finding.options, overlays=finding.overlays)
    if loaded.game is None or loaded.checked is None:
        return None
    rules = rule_hashes(loaded.checked)
    return save_of(loaded.game, finding, word, rules)


def save_of(game: Game, finding: Finding, word: str, rules: dict[str, str]) -> Save:
    """The save of a game whose last choice may make the rules fail."""
    whole = partial(record, game, finding.seed, scenario=word, rules=rules, overlays=finding.overlays)
    try:
        return whole(choices=finding.choices)
    except RuleFailure:
        if not finding.choices:
            return _unbegun(game, finding, word, rules)
    *before, last = finding.choices
    save = whole(choices=before)
    keys = offered(game.replay(finding.seed, before))
    taken = Taken(key=keys[last], options=len(keys), digest=save.end)
    return replace(save, choices=(*save.choices, taken), end="", hash="", finished=False)


def _unbegun(game: Game, finding: Finding, word: str, rules: dict[str, str]) -> Save:
    """A game that fails before its first choice."""
    return Save(
        scenario=word,
        scenario_hash=game.scenario.hash,
        ruleset=game.program.name,
        stack=game.program.stack,
        program_hash=game.program.hash,
        rules=rules,
        options=tuple(sorted(game.options)),
        overlays=finding.overlays,
        seed=finding.seed,
    )


def _fuzz_data(opened: Opened, found: FuzzReport, files: list[str], seed: int) -> dict[str, object]:
    return {
        "scenario": opened.game.scenario.name,
        "ruleset": opened.game.program.name,
        "seed": seed,
        "games": found.games,
        "choices": found.choices,
        "interrupted": found.interrupted,
        "findings": [
            {
                "kind": finding.kind,
                "message": finding.message,
                "seed": finding.seed,
                "options": list(finding.options),
                "overlays": list(finding.overlays),
                "choices": len(finding.choices),
                "file": file,
            }
            for finding, file in zip(found.findings, files, strict=True)
        ],
    }


def _print_findings(opened: Opened, found: FuzzReport, files: list[str], seed: int) -> None:
    for finding, file in zip(found.findings, files, strict=True):
        with_what = [*finding.options, *finding.overlays]
        under = f" (with {', '.join(with_what)})" if with_what else ""
        click.echo(harmless(f"{finding.kind}: {finding.message}{under}"))
        if file:
            click.echo(harmless(f"  after {len(finding.choices)} choices: ddob replay {file}"))
    name = opened.game.scenario.name
    count = len(found.findings)
    told = "no findings" if not count else "1 finding" if count == 1 else f"{count} findings"
    click.echo(harmless(f"{name}: {found.games} games, {found.choices} choices, seed {seed}: {told}"))
    if found.interrupted:
        click.echo("interrupted")


COMMANDS = (simulate, fuzz)
