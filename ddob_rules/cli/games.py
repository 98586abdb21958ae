"""From words on the command line to games ready to play and who plays them; from failures to diagnostics.

Whatever cannot be loaded, read or written is printed here and ends the command. What is done with a game is
left to the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import click

from ddob_rules.cli.output import FINDINGS, harmless, print_diagnostics
from ddob_rules.cli.phrases import file_reason
from ddob_rules.cli.targets import parts_of
from ddob_rules.compare.identity import rule_hashes
from ddob_rules.library.fast import fast_game
from ddob_rules.loading import LoadedGame, load_game
from ddob_rules.reports.diagnostics import Diagnostic, catalogue, placeholders, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.resources import rulesets_folder
from ddob_rules.syntax.source import Source, Span, read_source, whole_file
from ddob_rules.translations.catalogue import catalogue_for, translated_program
from interpreter.campaigns.carrying import carrying
from interpreter.campaigns.saves import CampaignSave, campaign_from_data, is_campaign
from interpreter.compiler.compile import compile_program
from interpreter.failures import RuleFailure
from interpreter.ir import Site
from interpreter.ir.seats import count_option
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.kinds import choice_of, make_player
from interpreter.records.saves import (
    BadSave,
    Save,
    read_data,
    read_save,
    record,
    save_from_data,
    write_save,
)
from interpreter.telling.names import Names
from interpreter.wasm.glances import look_quickly

HUMAN = "human"
_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A game as its players read it, and as its author wrote it: hashes and saves come from the latter."""

    word: str  # the scenario, as it was given
    game: Game
    source: Game
    loaded: LoadedGame
    overlays: tuple[str, ...]
    language: str

    @cached_property
    def rules(self) -> dict[str, str]:
        """The hash of every rule; reading the rules again for it waits until somebody asks."""
        checked = self.loaded.checked
        return rule_hashes(checked) if checked is not None else {}

    def begun(self, carried: Mapping[str, Any]) -> Opened:
        """The same, but it begins with what games before it have handed on."""
        if not carried:
            return self
        return replace(self, game=carrying(self.game, carried), source=carrying(self.source, carried))

    def save(self, seed: int, choices: Iterable[int], players: Mapping[str, str]) -> Save:
        """The save of a game that was played with these choices."""
        return record(
            self.source,
            seed,
            choices,
            scenario=self.word,
            rules=self.rules,
            overlays=self.overlays,
            players=players,
        )


def open_game(
    word: str,
    *,
    options: tuple[str, ...] = (),
    overlays: tuple[str, ...] = (),
    language: str = "en",
    ruleset: str | None = None,
) -> Opened:
    """A scenario, perhaps as `my-game+errata`, ready to play; ends the command if it cannot be played."""
    word, above = parts_of(word)
    overlays = (*above, *overlays)
    try:
        loaded = load_game(word, options=options, overlays=overlays, language=language, ruleset=ruleset)
    except RuleFailure as failure:
        stop_at([failure_diagnostic(failure, language)], language)
    if loaded.game is None:
        stop_at(loaded.problems, language)
    spoken = in_language(loaded.game, loaded, language)
    return Opened(
        word=word,
        game=spoken,
        source=loaded.game,
        loaded=loaded,
        overlays=overlays,
        language=language,
    )


def in_language(game: Game, loaded: LoadedGame, language: str) -> Game:
    """The game with its texts in a language, as far as they are translated."""
    if language == game.program.language or loaded.checked is None:
        return game
    texts = catalogue_for(loaded.checked, language)
    if not texts:
        return game
    program = translated_program(game.program, texts, language)
    # Not the code that is kept by the hash of its program: that one is in the language of the source.
    spoken = Game(program, game.scenario, compile_program(program), options=game.options, limits=game.limits)
    spoken.names = Names(program, game.scenario, spoken, texts)
    spoken.namespace["shown"] = spoken.names.writer()
    return spoken


def stop_at(problems: Iterable[Diagnostic], language: str) -> NoReturn:
    """Prints diagnostics and ends the command."""
    print_diagnostics(problems, language=language, error=True)
    raise click.exceptions.Exit(FINDINGS)


# ---------------------------------------------------------------- failures


def failure_diagnostic(failure: RuleFailure, language: str) -> Diagnostic:
    """A failure of the rules, told at the line of the rule that was running."""
    entry = catalogue()[failure.code]
    wanted = placeholders(entry.message(language)) | placeholders(entry.help(language))
    arguments: dict[str, Any] = {**dict.fromkeys(wanted, "-"), **failure.arguments}
    place = (line_span(failure.site),) if failure.site is not None else ()
    rule = failure.site.rule if failure.site is not None else ""
    return report(failure.code, *place, language=language, rule=rule, **arguments)


def line_span(site: Site) -> Span:
    """The line of a site, without its margin; an empty line with its number if the file cannot be read."""
    # The files of shipped rulesets are shown as seen from above the folder that holds them all.
    shipped = rulesets_folder() / Path(site.file).relative_to(Path(site.file).parts[0])
    path = Path(site.file) if Path(site.file).exists() else shipped
    source, _ = read_source(path, site.file)
    if source is None or site.line > len(source.lines):
        source = Source(site.file, "\n" * (site.line - 1))
    whole = source.line_span(site.line)
    margin = len(whole.text) - len(whole.text.lstrip())
    return Span(source, whole.start + margin, whole.end)


# ---------------------------------------------------------------- saved games


def load_save(path: str, language: str) -> Save:
    """The saved game at a path; ends the command if there is none."""
    try:
        return read_save(path)
    except BadSave as problem:
        stop_at([save_diagnostic(problem, language)], language)


def load_any(path: str, language: str) -> Save | CampaignSave:
    """The saved game, or the saved campaign, at a path; ends the command if there is neither."""
    try:
        data = read_data(path)
        return campaign_from_data(data, path) if is_campaign(data) else save_from_data(data, path)
    except BadSave as problem:
        stop_at([save_diagnostic(problem, language)], language)


def store_save(path: str, save: Save, language: str) -> None:
    """Writes a saved game; ends the command if it cannot be written."""
    try:
        write_save(path, save)
    except BadSave as problem:
        stop_at([save_diagnostic(problem, language)], language)


def save_diagnostic(problem: BadSave, language: str) -> Diagnostic:
    place = whole_file(str(problem.arguments["path"]))
    arguments: dict[str, Any] = dict(problem.arguments)
    if "reason" in arguments:
        arguments["reason"] = file_reason(str(arguments["reason"]), language)
    return report(problem.code, place, language=language, **arguments)


# ---------------------------------------------------------------- players


def seat_kinds(words: Iterable[str], game: Game, *, human: bool = False) -> dict[str, str]:
    """Who plays which seat, from words of the form NAME=KIND; misuse is told as such."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, kind = word.partition("=")
        if not equals:
            raise click.BadParameter(f"`{word}` is not of the form NAME=KIND", param_hint="--player")
        try:
            if not (human and kind == HUMAN):
                make_player(kind, 0)
        except ValueError as problem:
            raise click.BadParameter(str(problem), param_hint="--player") from problem
        found[_seat(name, game)] = kind
    return found


def _seat(word: str, game: Game) -> str:
    wanted = word.strip().casefold()
    for player in game.program.players:
        if player.name in game.seats and wanted in (player.name.casefold(), player.title.casefold()):
            return player.name
    advice = did_you_mean(word, game.seats) or f"there are {', '.join(game.seats)}"
    told = harmless(f"there is no player `{word}` in this game; {advice}")  # names of authors are in it
    raise click.BadParameter(told, param_hint="--player")


def automatic_choice(state: State, kind: str, seed: int) -> int:
    """What a player of a kind chooses here; see `choice_of`. Who looks ahead does so in the fast engine."""
    game = state.game
    if kind != "random" and game.glances is None:
        fast = fast_game(game)
        if fast is not None:
            look_quickly(game, fast.runner())
        else:
            game.glances = _as_it_is
    return choice_of(kind, seed, state)


def _as_it_is(state: State) -> State:
    """How to look ahead where there is no quicker way."""
    return state


# ---------------------------------------------------------------- options of commands


def seed_option(command: _F) -> _F:
    add = click.option("--seed", type=int, default=0, show_default=True, help="Any whole number.")
    return add(command)


def players_option(command: _F) -> _F:
    add = click.option(
        "players", "--player", multiple=True, metavar="NAME=KIND",
        help="Who plays a seat: random, greedy or search; may be repeated.",
    )  # fmt: skip
    return add(command)


def rule_options(command: _F) -> _F:
    """`--option`, and `--players`: how many play is an option too, by the time a command sees it."""
    add = click.option(
        "options", "--option", multiple=True, metavar="NAME", help="Play with this option; may be repeated."
    )

    @wraps(command)
    def with_number(*arguments: Any, number: int | None, options: tuple[str, ...], **others: Any) -> Any:
        return command(*arguments, options=(*options, *players_chosen(number)), **others)

    return cast(_F, add(number_option(with_number)))


def number_option(command: _F) -> _F:
    add = click.option(
        "number", "--players", type=click.IntRange(1, 999), metavar="N",
        help="How many play, where the game leaves that open; as many as can, if not said.",
    )  # fmt: skip
    return add(command)


def players_chosen(number: int | None) -> tuple[str, ...]:
    """The option that says how many play, if somebody said so."""
    return (count_option(number),) if number is not None else ()


def json_option(command: _F) -> _F:
    return click.option("as_json", "--json", is_flag=True, help="For programs.")(command)
