"""The commands that play many games: simulate (how do they end) and fuzz (does anything go wrong)."""

from __future__ import annotations

import json
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

from ddob_rules.cli.campaigns import OpenCampaign, make_campaign, play_campaigns, refuse_for_campaigns
from ddob_rules.cli.games import (
    Opened,
    json_option,
    number_option,
    open_game,
    players_chosen,
    players_option,
    rule_options,
    seed_option,
    store_save,
)
from ddob_rules.cli.output import FINDINGS, INTERRUPTED, harmless, print_data, print_table, stop, tell
from ddob_rules.cli.phrases import counted
from ddob_rules.cli.plotting import plot_of, require_matplotlib
from ddob_rules.cli.reached import added_to, coverage_data, coverage_file_option, print_coverage
from ddob_rules.cli.series import (
    Series,
    Setting,
    Side,
    comparison_data,
    coverage_of,
    csv_of,
    other_side,
    play_sides,
    print_comparison,
    told_fast_game,
)
from ddob_rules.cli.targets import language_option, overlay_option
from ddob_rules.cli.writing import write_whole
from ddob_rules.compare.identity import rule_hashes
from ddob_rules.library.finding import CampaignEntry, RulesetEntry, find_campaign, rulesets
from ddob_rules.loading import RulesProblem, load, load_game
from ddob_rules.stack.book import normal
from interpreter.campaigns.carrying import carrying
from interpreter.failures import REFUSED, RuleFailure
from interpreter.ir.seats import count_of
from interpreter.machine.game import Game
from interpreter.records.saves import Save, Taken, offered, record
from interpreter.trials.campaigns import stages_of
from interpreter.trials.cluster import NoCluster, on_ray
from interpreter.trials.comparison import compare
from interpreter.trials.coverage import Coverage
from interpreter.trials.fuzz import EVERY, Finding, FuzzReport, NotAllowed
from interpreter.trials.fuzz import fuzz as play_random_games
from interpreter.trials.fuzz import fuzz_campaign as play_random_campaigns
from interpreter.trials.simulation import Outcome, Record, Spread, Summary, Venue, outcomes_of

# Overlays that change the same thing in no order, options that exclude each other, more players than can be.
_CONFLICTS = {"E0503", "E0642", "E0661"}
# A person waits for a hundred games; more are asked for by those who need them.
_GAMES = 100

Report = Callable[[int, int], None]


@click.command(short_help="Play many games and count how they end.")
@click.argument("scenario")
@click.option("games", "-n", "--games", type=click.IntRange(min=1), default=_GAMES, show_default=True)
@click.option(
    "--against", metavar="SCENARIO",
    help="Play this with the same seeds too, and tell the difference; `+errata` is the same with an overlay.",
)  # fmt: skip
@click.option(
    "against_options", "--against-option", multiple=True, metavar="NAME",
    help="Play the other side with this option; may be repeated.",
)  # fmt: skip
@click.option("each", "--each", metavar="FILE", help="Write a line of JSON for each game.")
@click.option("table", "--csv", metavar="FILE", help="Write a table with a row for each game.")
@click.option(
    "picture", "--plot", metavar="FILE.svg", help="Draw the numbers, and who has won by which turn."
)
@click.option("--coverage", is_flag=True, help="Tell what the games reached, and what they never did.")
@coverage_file_option
@click.option(
    "--workers", type=click.IntRange(1, 256),
    help="Processes; one, unless a cluster has more.",
)  # fmt: skip
@click.option(
    "--on", "cluster", metavar="ray[=ADDRESS]",
    help="Play on a Ray cluster: on this machine, or on the one at the address.",
)  # fmt: skip
@click.option(
    "--engine", type=click.Choice(("wasm", "python")), default="wasm", show_default=True,
    help="Who plays; the games are the same.",
)  # fmt: skip
@seed_option
@players_option
@rule_options
@overlay_option
@json_option
@language_option
def simulate(
    scenario: str,
    games: int,
    against: str | None,
    against_options: tuple[str, ...],
    each: str | None,
    table: str | None,
    picture: str | None,
    coverage: bool,
    coverage_file: str | None,
    workers: int | None,
    cluster: str | None,
    engine: str,
    seed: int,
    players: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[str, ...],
    as_json: bool,
    language: str,
) -> None:
    """Play many games, and print how they end, with 95% confidence intervals.

    The same seed gives the same games, however many workers share them: game K of seed S is the game that
    `ddob run --seed S+K` plays. A scenario may come with overlays, as in `my-game+errata`.

    \b
    Example:  ddob simulate my-game -n 1000 --workers 2
              ddob simulate my-game --against +errata
    """
    coverage = coverage or coverage_file is not None
    campaign = find_campaign(scenario)
    if campaign is not None:
        refuse_for_campaigns(
            scenario, language, against=against, against_option=against_options, csv=table, plot=picture,
            coverage=coverage, on=cluster,
        )  # fmt: skip
        whole = OpenCampaign.of(campaign, options, overlays, language)
        _simulate_campaigns(whole, players, games, seed, workers or 1, engine == "wasm", each, as_json)
        return
    setting = Setting(
        games=games, seed=seed, workers=workers or 1, players=players, language=language,
        venue=_venue(cluster, workers), fast=engine == "wasm", cover=coverage,
    )  # fmt: skip
    sides = [Side.of(scenario, options, overlays)]
    if against is not None or against_options:
        sides.append(other_side(scenario, against, (*options, *against_options), overlays))
    if each and len(sides) > 1:
        raise click.UsageError("--each is of one series; --csv has both sides of --against")
    if coverage and len(sides) > 1:
        raise click.UsageError("--coverage is of one series; leave out --against")
    if sides[0] == sides[-1] and len(sides) > 1:
        told = "`--against +errata` lays an overlay on one of them"
        raise click.UsageError(f"both sides would be {sides[0].label}; {told}")
    if picture:
        if not picture.lower().endswith(".svg"):
            raise click.BadParameter(f"`{picture}` does not end in .svg", param_hint="--plot")
        require_matplotlib()
    with progress("games", games * len(sides)) as report:
        try:
            series = play_sides(sides, setting, report)
        except NoCluster as problem:
            stop(str(problem))
    if each:
        _write_each(each, series[0].records, seed)
    if table:
        write_whole(Path(table), csv_of(series, seed))
    if picture:
        write_whole(Path(picture), plot_of(series))
    reached = _reached(coverage_of(series[0]), coverage_file, language) if coverage else None
    compared = compare(series[0].records, series[1].records) if len(series) > 1 else None
    if as_json:
        data = [_summary_data(one, setting) for one in series]
        if reached is not None:
            data[0]["coverage"] = coverage_data(reached)
        print_data(data[0] if compared is None else comparison_data(compared, data, series))
    elif compared is None:
        _print_summary(series[0].opened.game.scenario.name, series[0].summary, series[0].seconds, seed)
        if reached is not None:
            print_coverage(reached, language)
    else:
        print_comparison(compared, series, seed)
    if any(one.summary.interrupted for one in series):
        raise click.exceptions.Exit(INTERRUPTED)
    if any(one.summary.failures for one in series):
        raise click.exceptions.Exit(FINDINGS)


def _simulate_campaigns(
    whole: OpenCampaign, players: tuple[str, ...], games: int, seed: int, workers: int, fast: bool,
    each: str | None, as_json: bool,
) -> None:  # fmt: skip
    """A series of campaigns: how they end, and how each of their games does."""
    begun = time.perf_counter()
    with progress("campaigns", games) as report:
        summary, records = play_campaigns(
            whole, players, games=games, seed=seed, workers=workers, fast=fast, report=report
        )
    seconds = time.perf_counter() - begun
    stages = stages_of(whole.campaign, records)
    if each:
        _write_each(each, records, seed)
    if as_json:
        told = [
            {"game": name, "played": len(won), "wins": [_outcome_data(one) for one in _won(won)]}
            for name, won in stages
        ]
        head = {"campaign": whole.campaign.name, "ruleset": whole.campaign.ruleset, "seed": seed}
        print_data({**head, **_counted_data(summary), "stages": told, "seconds": round(seconds, 3)})
    else:
        _print_summary(whole.campaign.name, summary, seconds, seed, "campaigns")
        tell()
        rows = [(name, *row) for name, won in stages for row in _rows(_won(won))]
        print_table(("Game", "Winner", "Games", "Share", "95% interval"), rows)
    if summary.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    if summary.failures:
        raise click.exceptions.Exit(FINDINGS)


def _won(winners: list[str]) -> tuple[Outcome, ...]:
    return outcomes_of([(winner, "") for winner in winners])


def _venue(cluster: str | None, workers: int | None) -> Venue | None:
    """Where a series is played, from the word after --on."""
    if cluster is None:
        return None
    where, equals, address = cluster.partition("=")
    if where != "ray" or (equals and not address):
        raise click.BadParameter(f"`{cluster}` is neither `ray` nor `ray=ADDRESS`", param_hint="--on")
    try:
        return on_ray(address, workers)
    except NoCluster as problem:
        stop(str(problem))


def _write_each(path: str, records: Sequence[Record], seed: int) -> None:
    """One line a game, in the order of the games; the file is written whole or not at all."""
    lines = [json.dumps(_record_data(record, seed), ensure_ascii=False) for record in records]
    try:
        write_whole(Path(path), "\n".join(lines) + "\n")
    except OSError as problem:
        raise click.ClickException(f"{path}: {problem.strerror}") from problem


def _record_data(record: Record, seed: int) -> dict[str, object]:
    found: dict[str, object] = {"seed": seed + record.number}
    if record.failure:
        return {**found, "failure": record.failure}
    return {
        **found,
        "winners": list(record.winners),
        **({"lost": True} if record.lost else {}),
        **({"points": dict(record.points)} if record.points else {}),
        "text": record.text,
        "turns": record.turns,
        "choices": record.choices,
        "hash": record.hash,
        "measures": dict(record.measures),
    }


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Report | None]:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report


def _summary_data(series: Series, setting: Setting) -> dict[str, object]:
    game, summary, kinds = series.opened.game, series.summary, series.kinds
    return {
        "scenario": game.scenario.name,
        "ruleset": game.program.name,
        "options": sorted(game.options),
        "seed": setting.seed,
        "players": {name: kinds.get(name, "random") for name in game.seats},
        **_counted_data(summary),
        "seconds": round(series.seconds, 3),
        "workers": setting.workers,
    }


def _counted_data(summary: Summary) -> dict[str, object]:
    return {
        "games": summary.games,
        "played": summary.played,
        "results": [_outcome_data(outcome) for outcome in summary.outcomes],
        "wins": [_outcome_data(outcome) for outcome in summary.wins],
        "turns": _spread_data(summary.turns),
        "choices": _spread_data(summary.choices),
        "scores": dict(summary.scores),
        "measures": {title: _spread_data(spread) for title, spread in summary.measures},
        "points": {name: _spread_data(spread) for name, spread in summary.points},
        "failures": summary.failures,
        "first_failure": summary.first_failure,
        "interrupted": summary.interrupted,
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


def _print_summary(name: str, summary: Summary, seconds: float, seed: int, what: str = "games") -> None:
    tell(harmless(f"{name}: {summary.played} of {summary.games} {what}, seed {seed}, {seconds:.1f} s"))
    tell()
    print_table(("Winner", "Games", "Share", "95% interval"), _rows(summary.wins))
    if any(outcome.text for outcome in summary.outcomes):
        tell()
        rows = [
            (row[0], outcome.text, *row[1:])
            for row, outcome in zip(_rows(summary.outcomes), summary.outcomes, strict=True)
        ]
        print_table(("Winner", "How", "Games", "Share", "95% interval"), rows)
    tell()
    for what, spread in (("turns", summary.turns), ("choices", summary.choices), *summary.measures):
        if spread is not None:
            told = f"{what}: {spread.mean:.1f} on average, {spread.low:g} to {spread.high:g}"
            tell(harmless(told))
    for name, spread in summary.points:
        tell(harmless(f"points of {name}: {spread.mean:.1f} on average, {spread.low:g} to {spread.high:g}"))
    if summary.scores and not summary.measures:
        tell(harmless("score: " + ", ".join(f"{name} {mean:.2f}" for name, mean in summary.scores)))
    if summary.failures:
        tell(harmless(f"{summary.failures} failed; the first one: {summary.first_failure}"))
    if summary.interrupted:
        tell("interrupted")


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
@click.option(
    "--every", type=click.IntRange(min=1), default=EVERY, show_default=True, metavar="N",
    help="Look closely at every Nth position, and at each question when it first comes up; "
    "fewer looks, more games.",
)  # fmt: skip
@click.option("--engines", is_flag=True, help="Play every game in both engines, and compare at every choice.")
@click.option("--coverage", is_flag=True, help="Tell what the games reached, and what they never did.")
@coverage_file_option
@number_option
@seed_option
@json_option
@language_option
def fuzz(
    scenario: str,
    games: int,
    out: str,
    every: int,
    engines: bool,
    coverage: bool,
    coverage_file: str | None,
    number: int | None,
    seed: int,
    as_json: bool,
    language: str,
) -> None:
    """Play random games over random options, numbers of players and overlays, and look for what goes wrong.

    It finds crashes, dead ends, games that do not end, positions that do not survive saving, and hidden
    information that can be seen. Each finding is saved as a game; `ddob replay` shows it again.

    \b
    Example:  ddob fuzz my-game -n 1000 --out findings
    """
    coverage = coverage or coverage_file is not None
    if engines and coverage:
        raise click.UsageError("--coverage is told by the Python engine alone; leave out --engines")
    fixed = players_chosen(number)
    campaign = find_campaign(scenario)
    if campaign is not None:
        refuse_for_campaigns(scenario, language, engines=engines, coverage=coverage)
        _fuzz_campaigns(campaign, fixed, games, seed, every, out, as_json, language)
        return
    opened = open_game(scenario, options=fixed, language=language)
    make_game = partial(_fuzzed_game, scenario, coverage, fixed)
    known = [option.name for option in opened.source.program.options]
    with progress("games") as report:
        found = play_random_games(
            make_game,
            options=[name for name in known if not fixed or count_of(name) is None],
            overlays=_overlays_for(opened),
            games=games,
            seed=seed,
            every=every,
            make_fast=told_fast_game if engines else None,
            on_progress=report,
        )
    files = _save_findings(opened.word, opened.game.scenario.name, found.findings, Path(out), language)
    reached = _reached(found.coverage, coverage_file, language) if found.coverage is not None else None
    if as_json:
        print_data(_fuzz_data(opened, found, files, seed, reached))
    else:
        _print_findings(opened.game.scenario.name, found, files, seed)
        if reached is not None:
            print_coverage(reached, language)
    if found.findings:
        raise click.exceptions.Exit(FINDINGS)
    if found.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _fuzz_campaigns(
    entry: CampaignEntry,
    fixed: tuple[str, ...],
    games: int,
    seed: int,
    every: int,
    out: str,
    as_json: bool,
    language: str,
) -> None:
    """Random campaigns, with any number of players that all their games are for."""
    whole = OpenCampaign.of(entry, fixed, (), language)
    numbers = [fixed] if fixed else whole.player_options()
    with progress("campaigns") as report:
        found = play_random_campaigns(
            partial(make_campaign, whole.word), options=numbers, games=games, seed=seed, every=every,
            on_progress=report,
        )  # fmt: skip
    files = _save_findings(whole.word, whole.campaign.name, found.findings, Path(out), language)
    if as_json:
        head = {"campaign": whole.campaign.name, "ruleset": whole.campaign.ruleset}
        print_data({**head, **_findings_data(found, files, seed)})
    else:
        _print_findings(whole.campaign.name, found, files, seed)
    if found.findings:
        raise click.exceptions.Exit(FINDINGS)
    if found.interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


def _fuzzed_game(
    scenario: str, cover: bool, fixed: tuple[str, ...], options: tuple[str, ...], overlays: tuple[str, ...]
) -> Game:
    """The game; not allowed where two overlays change the same thing and nobody says which comes first."""
    try:
        game = load(scenario, options=(*fixed, *options), overlays=overlays, cover=cover)
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


def _save_findings(
    word: str, name: str, findings: Sequence[Finding], folder: Path, language: str
) -> list[str]:
    files: list[str] = []
    for number, finding in enumerate(findings, start=1):
        save = _reproduction(finding.scenario or word, finding)
        if save is None:
            files.append("")
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            stop(f"`{folder}` cannot be written: {(problem.strerror or str(problem)).lower()}")
        kind = finding.kind.replace(" ", "-")
        path = str(folder / f"ddob-{name}-{kind}-{number}.save.json")
        store_save(path, save, language)
        files.append(path)
    return files


def _reproduction(word: str, finding: Finding) -> Save | None:
    """The game that shows a finding; None if not even the game can be made."""
    loaded = load_game(word, options=finding.options, overlays=finding.overlays)
    if loaded.game is None or loaded.checked is None:
        return None
    rules = rule_hashes(loaded.checked)
    game = carrying(loaded.game, finding.carried) if finding.carried else loaded.game
    return save_of(game, finding, word, rules)


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
        carried=finding.carried,
    )


def _reached(found: Coverage, file: str | None, language: str) -> Coverage:
    """What was reached: by these games, or by all that a file adds up."""
    return added_to(file, found, language) if file is not None else found


def _fuzz_data(
    opened: Opened, found: FuzzReport, files: list[str], seed: int, reached: Coverage | None
) -> dict[str, object]:
    return {
        **({"coverage": coverage_data(reached)} if reached is not None else {}),
        "scenario": opened.game.scenario.name,
        "ruleset": opened.game.program.name,
        **_findings_data(found, files, seed),
    }


def _findings_data(found: FuzzReport, files: list[str], seed: int) -> dict[str, object]:
    return {
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


def _print_findings(name: str, found: FuzzReport, files: list[str], seed: int) -> None:
    for finding, file in zip(found.findings, files, strict=True):
        with_what = [*finding.options, *finding.overlays]
        under = f" (with {', '.join(with_what)})" if with_what else ""
        tell(harmless(f"{finding.kind}: {finding.message}{under}"))
        if file:
            tell(harmless(f"  after {counted('en', 'choices', len(finding.choices))}: ddob replay {file}"))
    count = len(found.findings)
    told = "no findings" if not count else "1 finding" if count == 1 else f"{count} findings"
    played = f"{counted('en', 'games', found.games)}, {counted('en', 'choices', found.choices)}"
    tell(harmless(f"{name}: {played}, seed {seed}: {told}"))
    if found.interrupted:
        tell("interrupted")


COMMANDS = (simulate, fuzz)
