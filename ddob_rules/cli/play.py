"""The commands that play one game: run (by itself, told turn by turn) and play (at the terminal)."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace

import click

from ddob_rules.cli.answers import Refused
from ddob_rules.cli.campaigns import (
    OpenCampaign,
    begun_save,
    campaign_of_save,
    followed,
    keep_as_campaign,
    kept_campaign,
    run_campaign,
)
from ddob_rules.cli.games import (
    HUMAN,
    Opened,
    failure_diagnostic,
    json_option,
    load_any,
    open_game,
    players_option,
    rule_options,
    seat_kinds,
    seed_option,
    stop_at,
    store_save,
)
from ddob_rules.cli.keeping import continued, games_folder, resumed, taken_up
from ddob_rules.cli.kept_games import campaign_name, shown_name, when_of
from ddob_rules.cli.narration import Telling, play_out
from ddob_rules.cli.output import INTERRUPTED, harmless, print_data, stop, tell
from ddob_rules.cli.phrases import counted, phrase
from ddob_rules.cli.targets import language_option, overlay_option
from ddob_rules.cli.terminal.table import Table
from ddob_rules.library.finding import find_campaign, find_scenario
from ddob_rules.resources import default_scenario
from ddob_rules.stack.book import normal
from interpreter.campaigns.course import Course
from interpreter.campaigns.saves import CampaignSave
from interpreter.failures import RuleFailure
from interpreter.records.diaries import Diary, Writer, all_diaries, in_use, waiting
from interpreter.records.saves import Save
from interpreter.records.session import Session

# A seed that can be read out and typed again.
_SEEDS = 1_000_000
_YES = "yo"  # the first letters of a yes


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

    The same seed and players give the same game. Numbers in brackets are those of rules. What lies face down
    has no name in the story; --trace tells everything. A scenario may come with overlays, as in
    `my-game+errata`.

    \b
    Example:  ddob run my-game --seed 7 --trace
    """
    campaign = find_campaign(scenario)
    if campaign is not None:
        run_campaign(campaign, seed, players, options, overlays, trace, save_file, as_json, language)
        return
    opened = open_game(scenario, options=options, overlays=overlays, language=language)
    given = seat_kinds(players, opened.game)
    telling = Telling(opened, seed, trace, as_json)
    try:
        session = Session(opened.game, seed)
    except RuleFailure as failure:
        stop_at([failure_diagnostic(failure, language)], language)
    try:
        play_out(session, given, telling)
    except RuleFailure as failure:
        telling.rest(session.state)
        _store(opened, session, given, save_file)
        stop_at([failure_diagnostic(failure, language)], language)
    except KeyboardInterrupt:
        telling.rest(session.state)
        # What was played so far is not thrown away.
        table = Table(opened, session, given, terminal=False, language=language, unsaved=True)
        _store(opened, session, given, save_file) if save_file else table.keep()
        table.keeper.leave_alone()
        raise
    _store(opened, session, given, save_file)
    telling.end(session)
    if as_json:
        print_data(telling.record(session, given))


def _store(opened: Opened, session: Session, kinds: dict[str, str], path: str | None) -> None:
    if path:
        store_save(path, opened.save(session.seed, session.choices, kinds), opened.language)


@click.command(short_help="Play a game here, at the terminal.")
@click.argument("scenario", required=False)
@click.option("--seed", type=int, help="Any whole number; a new one for each game if left out.")
@players_option
@rule_options
@overlay_option
@click.option("going_on", "--continue", is_flag=True, help="Go on with the game that you left last.")
@click.option("anew", "--new", is_flag=True, help="Begin a new game even if one of this name is kept.")
@click.option("load_file", "--load", metavar="FILE", help="Go on with a saved game.")
@click.option("save_file", "--save", metavar="FILE", help="Save the game here when you leave.")
@click.option("--ask-always", is_flag=True, help="Ask even where there is but one option.")
@click.option("--plain", is_flag=True, help="No map and no columns: sentences, for those who listen.")
@language_option
def play(
    scenario: str | None,
    seed: int | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[str, ...],
    going_on: bool,
    anew: bool,
    load_file: str | None,
    save_file: str | None,
    ask_always: bool,
    plain: bool,
    language: str,
) -> None:
    """Play a game here: seats that are not given to a player of some KIND are yours.

    Type the number of an option, or `help`. Every choice is kept as it is made, so a game that you leave or
    that is cut off can be gone on with: `--continue`. `ddob saves` lists them; SCENARIO may be one of these,
    or come with overlays, as in `my-game+errata`.

    \b
    Example:  ddob play my-game --player second=search
    """
    if going_on and (anew or load_file is not None):
        raise click.UsageError("--continue goes neither with --new nor with --load")
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    kept = None
    if going_on:
        kept = _last_kept(scenario, language)
    elif terminal and not anew and load_file is None and seed is None:
        kept = _offered(scenario or default_scenario(), options, overlays, language)
    sitting = _Sitting(save_file, terminal, ask_always, plain, language)
    if kept is not None:
        _go_on(kept, players, sitting)
        return
    saved = load_any(load_file, language) if load_file is not None else None
    if isinstance(saved, CampaignSave):
        _go_on_campaign(saved, load_file or "", players, sitting)
        return
    save = saved
    campaign = find_campaign(scenario) if scenario is not None and save is None else None
    if campaign is not None:
        whole = OpenCampaign.of(campaign, options, overlays, language)
        begun = begun_save(whole, secrets.randbelow(_SEEDS) if seed is None else seed, {})
        _play_campaign(whole, begun, Course(campaign=whole.campaign, seed=begun.seed), players, sitting)
        return
    if save is not None:
        _same_game(scenario, save, load_file or "", language)
        scenario, options, overlays = save.scenario, save.options, save.overlays
    opened = open_game(scenario or default_scenario(), options=options, overlays=overlays, language=language)
    kinds = _seats(opened, save.players if save is not None else {}, players)
    session = _session(opened, save, load_file or "", seed)
    table = sitting.table(opened, session, kinds, file=load_file or "", recap=save is not None)
    _sit_down(table, save_file)


@dataclass(frozen=True, slots=True)
class _Sitting:
    """How somebody wants to play, whatever the game is."""

    save_file: str | None
    terminal: bool
    ask_always: bool
    plain: bool
    language: str

    def table(
        self, opened: Opened, session: Session, kinds: dict[str, str], *, file: str = "", recap: bool = False
    ) -> Table:
        return Table(
            opened, session, kinds, terminal=self.terminal, language=self.language, file=file,
            ask_always=self.ask_always, plain=self.plain, recap=recap,
        )  # fmt: skip


def _go_on(kept: Diary, players: tuple[str, ...], sitting: _Sitting) -> None:
    """Plays a kept game from where it was left."""
    language = sitting.language
    try:
        # Read once more: only who has the lock knows that nobody has gone on since.
        diary, writer = taken_up(kept.path, language)
        with closing(writer):
            if diary.campaign:
                _go_on_kept_campaign(diary, writer, players, sitting)
                return
            head = diary.head
            opened = open_game(head.scenario, options=head.options, overlays=head.overlays, language=language)
            session = continued(opened, diary, language)
            table = sitting.table(opened, session, _seats(opened, head.players, players), recap=True)
            table.keeper.writer = writer
            choices = counted(language, "choices", len(diary.made))
            _sit_down(table, sitting.save_file, phrase(language, "gone on", name=diary.id, choices=choices))
    except Refused as refusal:
        stop(str(refusal))
    except RuleFailure as failure:
        stop_at([failure_diagnostic(failure, language)], language)


def _last_kept(word: str | None, language: str) -> Diary:
    """The game that was left last; of those that a word names, if there is one."""
    found = all_diaries(games_folder())
    for diary in (*(one for one in found if word == one.id), *waiting(found)):
        if word in (None, diary.id) or _is_of(diary, word or ""):
            return diary
    stop(phrase(language, "nothing kept"))


def _offered(word: str, options: tuple[str, ...], overlays: tuple[str, ...], language: str) -> Diary | None:
    """The unfinished game of this name that was left last, if whoever sits at the terminal wants to go on."""
    for diary in waiting(all_diaries(games_folder())):
        asked_for = set(overlays) <= {*diary.head.overlays} and set(options) <= {*diary.head.options}
        if not _is_of(diary, word) or not asked_for or in_use(diary.path):
            continue
        turn = counted(language, "turns", diary.turn)
        choices = counted(language, "choices", len(diary.made))
        question = phrase(
            language, "offer", name=shown_name(diary), turn=turn, choices=choices, when=when_of(diary)
        )
        try:
            answer = input(harmless(question)).strip().casefold()
        except EOFError:
            return None
        return diary if not answer or answer[0] in _YES else None
    return None


def _is_of(diary: Diary, word: str) -> bool:
    """Whether a game is one of the scenario, or of the campaign, that a word names."""
    if diary.campaign:
        named = find_campaign(word)
        return named is not None and named.name == normal(campaign_name(diary))
    if normal(word) == normal(diary.head.name):
        return True
    entry = find_scenario(word)
    return entry is not None and entry.name == normal(diary.head.name)


# ---------------------------------------------------------------- campaigns


def _play_campaign(
    opened: OpenCampaign,
    before: CampaignSave,
    course: Course,
    players: tuple[str, ...],
    sitting: _Sitting,
    table: Table | None = None,
    ident: str = "",
) -> None:
    """Plays a campaign from where it stands, game after game; `table` has the game that is under way.

    The diary of a game begins before that of the game before is closed: the border is never without one.
    """
    title = opened.campaign.title
    if table is None:
        table = _table_of(opened, before, course, players, sitting)
        ident = keep_as_campaign(table.keeper, before)
    while table is not None:
        following = None
        try:
            _welcome(table, sitting.save_file, "\n".join(filter(None, (title, opened.head(course)))))
            _play(table, sitting.save_file)
            machines = HUMAN not in table.kinds.values()
            if not table.session.state.over or not (table.onward or machines):
                return
            given = {name: kind for name, kind in table.kinds.items() if kind != HUMAN}
            before = replace(before, games=(*before.games, table.record()), players=given)
            course = opened.after(course, table.session)
            tell()
            tell(harmless(opened.standing(course)))
            tell()
            if course.over:
                table.keeper.campaign_over(table.session)
            else:
                following = _table_of(opened, before, course, players, sitting)
                keep_as_campaign(following.keeper, before, ident)
                following.keeper.begin(following.session)
        finally:
            table.keeper.leave_alone()
        table, title = following, ""


def _table_of(
    opened: OpenCampaign, before: CampaignSave, course: Course, players: tuple[str, ...], sitting: _Sitting
) -> Table:
    """The game of a campaign that is to be played now, from its beginning."""
    game = opened.open(course)
    kinds = _seats(game, before.players, players)
    try:
        table = sitting.table(game, Session(game.game, course.next_seed), kinds)
    except RuleFailure as failure:
        stop_at([failure_diagnostic(failure, opened.language)], opened.language)
    table.before = before
    return table


def _go_on_kept_campaign(diary: Diary, writer: Writer, players: tuple[str, ...], sitting: _Sitting) -> None:
    before = kept_campaign(diary.head.campaign, diary.id)
    opened = campaign_of_save(before, diary.id, sitting.language)
    course = followed(opened, before, diary.id).course
    if course.next is None:
        stop(opened.standing(course))
    game = opened.open(course)
    session = continued(game, diary, sitting.language)
    kinds = _seats(game, {**before.players, **diary.head.players}, players)
    table = sitting.table(game, session, kinds, recap=True)
    table.before, table.keeper.writer = before, writer
    keep_as_campaign(table.keeper, before, diary.campaign)
    _play_campaign(opened, before, course, players, sitting, table, diary.campaign)


def _go_on_campaign(save: CampaignSave, path: str, players: tuple[str, ...], sitting: _Sitting) -> None:
    """Plays a saved campaign from where it was left."""
    try:
        opened = campaign_of_save(save, path, sitting.language)
        before = replace(save, games=tuple(game for game in save.games if game.finished))
        course = followed(opened, before, path).course
        if course.next is None:
            stop(opened.standing(course))
        table, ident = None, ""
        if len(before.games) < len(save.games):
            game = opened.open(course)
            session = resumed(game, save.games[-1], path, sitting.language)
            table = sitting.table(game, session, _seats(game, save.players, players), file=path, recap=True)
            table.before = before
            ident = keep_as_campaign(table.keeper, before)
        _play_campaign(opened, before, course, players, sitting, table, ident)
    except Refused as refusal:
        stop(str(refusal))


def _welcome(table: Table, save_file: str | None, more: str = "") -> None:
    game = table.opened.game
    title, name = game.names.scenario_title(), game.scenario.name
    head = phrase(table.language, "head", title=title, scenario=name, seed=table.session.seed)
    tell("\n".join([harmless(head), *map(harmless, more.splitlines()), ""]))
    if table.terminal and not table.session.choices:
        table.opening = True
    if save_file is not None:
        table.stamp(save_file)


def _sit_down(table: Table, save_file: str | None, more: str = "") -> None:
    _welcome(table, save_file, more)
    try:
        _play(table, save_file)
    finally:
        table.keeper.leave_alone()


def _play(table: Table, save_file: str | None) -> None:
    try:
        table.play()
    except KeyboardInterrupt:
        tell()
        _leave(table, save_file, True)
        raise click.exceptions.Exit(INTERRUPTED) from None
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
            table.keeper.drop()
            return
        except Refused as refusal:
            tell(f"ddob: {harmless(str(refusal))}", err=True)
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


def _seats(opened: Opened, before: Mapping[str, str], words: tuple[str, ...]) -> dict[str, str]:
    """Who plays what: as given, else as saved, else machines for automated seats, humans for others."""
    game = opened.game
    seats = [player for player in game.program.players if player.name in game.seats]
    kinds = {seat.name: "random" if seat.automated else HUMAN for seat in seats}
    saved = [f"{name}={kind}" for name, kind in before.items() if name in kinds]
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
