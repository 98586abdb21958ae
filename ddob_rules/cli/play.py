"""The commands that play one game: run (by itself, told turn by turn) and play (at the terminal)."""

from __future__ import annotations

import secrets
import sys

import click

from ddob_rules.cli.answers import Refused
from ddob_rules.cli.games import (
    HUMAN,
    Opened,
    automatic_choice,
    failure_diagnostic,
    json_option,
    load_save,
    open_game,
    players_option,
    rule_options,
    seat_kinds,
    seed_option,
    stop_at,
    store_save,
)
from ddob_rules.cli.keeping import resumed
from ddob_rules.cli.output import harmless, print_data, stop
from ddob_rules.cli.phrases import counted, phrase
from ddob_rules.cli.story import Story, trace_line, trace_record
from ddob_rules.cli.table import Table
from ddob_rules.cli.targets import language_option, overlay_option
from ddob_rules.library import find_scenario
from ddob_rules.resources import default_scenario
from interpreter.failures import RuleFailure
from interpreter.journal import Entry
from interpreter.saves import Save
from interpreter.session import Session
from interpreter.state import Chain, State

_INTERRUPTED = 130
# A seed that can be read out and typed again.
_SEEDS = 1_000_000


@click.command(short_help="Play a game to its end and tell it.")
@click.argument("scenario", default=default_scenario)
@seed_option
@players_option
@rule_options
@overlay_option
@click.option("--trace", is_flag=True, help="Every single change, with its rule, file, line and ruleset.")
@click.option("save_file", "--save", metavar="FILE", help="Save the game.")
@json_option
@language_option
def run(
    scenario: str,
    seed: int,
    players: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[str, ...],
    trace: bool,
    save_file: str | None,
    as_json: bool,
    language: str,
) -> None:
    """Play a game to its end, and tell it turn by turn with the rules that made it happen.

    The same seed and players give the same game. Numbers in brackets are those of rules.

    \b
    Example:  ddob run my-game --seed 7 --trace
    """
    opened = open_game(scenario, options=options, overlays=overlays, language=language)
    given = seat_kinds(players, opened.game)
    telling = _Telling(opened, seed, trace, as_json)
    try:
        session = Session(opened.game, seed)
    except RuleFailure as failure:
        stop_at([failure_diagnostic(failure, language)], language)
    try:
        _play_out(session, given, telling)
    except RuleFailure as failure:
        telling.rest(session.state)
        _store(opened, session, given, save_file)
        stop_at([failure_diagnostic(failure, language)], language)
    except KeyboardInterrupt:
        telling.rest(session.state)
        # What was played so far is not thrown away.
        table = Table(opened, session, given, terminal=False, language=language, unsaved=True)
        _store(opened, session, given, save_file) if save_file else table.keep()
        raise
    _store(opened, session, given, save_file)
    telling.end(session, given)


def _play_out(session: Session, kinds: dict[str, str], telling: _Telling) -> None:
    telling.news(session.state)
    while not session.state.over:
        state = session.state
        kind = kinds.get(state.game.player_name(state.player), "random")
        session.apply(automatic_choice(state, kind, session.seed))
        telling.news(session.state)


def _store(opened: Opened, session: Session, kinds: dict[str, str], path: str | None) -> None:
    if path:
        store_save(path, opened.save(session.seed, session.choices, kinds), opened.language)


class _Telling:
    """Prints a game while it is played."""

    def __init__(self, opened: Opened, seed: int, trace: bool, as_json: bool) -> None:
        self.opened = opened
        self.trace = trace
        self.as_json = as_json
        self.told = 0
        self.since: Chain = None
        self.traced: list[Entry] = []
        self.story = Story(opened.game, opened.language)
        if not as_json:
            title, name = opened.game.names.scenario_title(), opened.game.scenario.name
            head = phrase(opened.language, "head", title=title, scenario=name, seed=seed)
            click.echo(f"{harmless(head)}\n")

    def news(self, state: State) -> None:
        """Prints what is new since the last time."""
        if self.as_json and not self.trace:
            return
        entries = _fresh(state, self.since, self.told)
        self.since = state.happened
        self.told += len(entries)
        if self.as_json:
            self.traced += entries
        elif self.trace:
            for entry in entries:
                click.echo(trace_line(entry))
        else:
            for line in self.story.lines(entries, state, more=True):
                click.echo(line)

    def rest(self, state: State) -> None:
        """Prints what was held back because more of the same might have followed."""
        for line in self.story.rest(state):
            click.echo(line)

    def end(self, session: Session, kinds: dict[str, str]) -> None:
        state = session.state
        self.rest(state)
        if self.as_json:
            print_data(self._record(session, kinds))
            return
        language = self.opened.language
        turns, choices = counted(language, "turns", state.turn), counted(language, "choices", state.count)
        click.echo(f"\n{phrase(language, 'length', turns=turns, choices=choices)}")
        for title, value in self.opened.game.measures(state):
            click.echo(harmless(phrase(language, "measure", title=title, value=value)))

    def _record(self, session: Session, kinds: dict[str, str]) -> dict[str, object]:
        state, game = session.state, self.opened.game
        assert state.result is not None
        found: dict[str, object] = {
            "scenario": game.scenario.name,
            "ruleset": game.program.name,
            "stack": list(game.program.stack),
            "options": sorted(game.options),
            "seed": session.seed,
            "players": {name: kinds.get(name, "random") for name in game.players},
            "result": {"winners": list(state.winners), "text": state.result[1]},
            "choices": state.count,
            "turns": state.turn,
            "measures": dict(game.measures(state)),
            # Of the game in its own language: texts are part of a position, translations must not be.
            "hash": self.opened.source.replay(session.seed, session.choices).hash(),
        }
        return {**found, "journal": [trace_record(entry) for entry in self.traced]} if self.trace else found


def _fresh(state: State, since: Chain, count: int) -> list[Entry]:
    """What the journal has gained since it was `since`, when it had `count` entries."""
    raw = []
    link = state.happened
    while link is not None and link is not since:
        raw.append(link[0])
        link = link[1]
    return [state.game.names.entry(count + number, item) for number, item in enumerate(reversed(raw))]


@click.command(short_help="Play a game here, at the terminal.")
@click.argument("scenario", required=False)
@click.option("--seed", type=int, help="Any whole number; a new one for each game if left out.")
@players_option
@rule_options
@overlay_option
@click.option("load_file", "--load", metavar="FILE", help="Go on with a saved game.")
@click.option("save_file", "--save", metavar="FILE", help="Save the game here when you leave.")
@click.option("--ask-always", is_flag=True, help="Ask even where there is but one option.")
@language_option
def play(
    scenario: str | None,
    seed: int | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[str, ...],
    load_file: str | None,
    save_file: str | None,
    ask_always: bool,
    language: str,
) -> None:
    """Play a game here: seats that are not given to a player of some KIND are yours.

    Type the number of an option, or `help`. A game that you leave early is kept and can be gone on with.

    \b
    Example:  ddob play my-game --player second=search
    """
    save = load_save(load_file, language) if load_file is not None else None
    if save is not None:
        _same_game(scenario, save, load_file or "", language)
        scenario, options, overlays = save.scenario, save.options, save.overlays
    opened = open_game(scenario or default_scenario(), options=options, overlays=overlays, language=language)
    kinds = _seats(opened, save, players)
    session = _session(opened, save, load_file or "", seed)
    table = Table(
        opened,
        session,
        kinds,
        terminal=sys.stdin.isatty() and sys.stdout.isatty(),
        language=language,
        file=load_file or "",
        ask_always=ask_always,
    )
    head = phrase(
        language,
        "head",
        title=opened.game.names.scenario_title(),
        scenario=opened.game.scenario.name,
        seed=session.seed,
    )
    click.echo(f"{harmless(head)}\n")
    _sit_down(table, save_file)


def _sit_down(table: Table, save_file: str | None) -> None:
    try:
        table.play()
    except KeyboardInterrupt:
        click.echo()
        _leave(table, save_file, True)
        raise click.exceptions.Exit(_INTERRUPTED) from None
    except click.exceptions.Exit:
        # The rules failed where nobody could choose otherwise.
        _leave(table, save_file, True)
        raise
    _leave(table, save_file, table.terminal)


def _leave(table: Table, save_file: str | None, keep: bool) -> None:
    """Saves the game where it was asked for; what cannot be saved there, or was not asked for, is kept."""
    if save_file is not None:
        try:
            table.save(save_file)
            return
        except Refused as refusal:
            click.echo(f"ddob: {harmless(str(refusal))}", err=True)
            table.keep()
            raise click.exceptions.Exit(1) from refusal
    if keep:
        table.keep()


def _same_game(scenario: str | None, save: Save, path: str, language: str) -> None:
    """A scenario that is named beside a save must be that of the save."""
    if scenario is None or scenario == save.scenario:
        return
    named, saved = find_scenario(scenario), find_scenario(save.scenario)
    if named is None or saved is None or named.path.resolve() != saved.path.resolve():
        stop(phrase(language, "other game", path=path, theirs=save.scenario, ours=scenario))


def _seats(opened: Opened, save: Save | None, words: tuple[str, ...]) -> dict[str, str]:
    """Who plays what: as given, else as saved, else machines for automated seats, humans for others."""
    game = opened.game
    kinds = {seat.name: "random" if seat.automated else HUMAN for seat in game.program.players}
    saved = [f"{name}={kind}" for name, kind in save.players.items()] if save is not None else []
    return {**kinds, **seat_kinds(saved, game, human=True), **seat_kinds(words, game, human=True)}


def _session(opened: Opened, save: Save | None, path: str, seed: int | None) -> Session:
    try:
        if save is not None:
            return resumed(opened, save, path, opened.language)
        return Session(opened.game, secrets.randbelow(_SEEDS) if seed is None else seed)
    except Refused as refusal:
        stop(str(refusal))
    except RuleFailure as failure:
        stop_at([failure_diagnostic(failure, opened.language)], opened.language)


COMMANDS = (run, play)
