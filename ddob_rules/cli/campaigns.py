"""Campaigns at the command line: one game after the other, told, played, proven and counted."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

import click

from ddob_rules.campaigns import LoadedCampaign, load_campaign
from ddob_rules.cli.answers import Refused
from ddob_rules.cli.games import (
    Opened,
    failure_diagnostic,
    open_game,
    save_diagnostic,
    seat_kinds,
    stop_at,
)
from ddob_rules.cli.keeping import Keeper, lasting_overlay
from ddob_rules.cli.narration import Telling, play_out
from ddob_rules.cli.output import FINDINGS, harmless, print_data, stop, tell
from ddob_rules.cli.phrases import counted, phrase
from ddob_rules.cli.series import told_fast_game
from ddob_rules.library.finding import CampaignEntry, find_campaign
from interpreter import ir
from interpreter.campaigns.course import Course, Ended
from interpreter.campaigns.plan import Campaign, Stage
from interpreter.campaigns.saves import (
    CampaignSave,
    Followed,
    campaign_data,
    campaign_from_data,
    follow,
    write_campaign,
)
from interpreter.failures import RuleFailure
from interpreter.ir.seats import count_option
from interpreter.machine.game import Game
from interpreter.machine.seating import player_bounds
from interpreter.records.saves import BadSave, Save
from interpreter.records.session import Session
from interpreter.trials.campaigns import simulate_campaign
from interpreter.trials.simulation import Progress, Record, Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCampaign:
    """A campaign whose games are ready to play, in the language of whoever plays."""

    word: str
    campaign: Campaign
    loaded: LoadedCampaign
    options: tuple[str, ...]
    overlays: tuple[str, ...]
    language: str

    @classmethod
    def of(
        cls, entry: CampaignEntry, options: tuple[str, ...], overlays: tuple[str, ...], language: str
    ) -> OpenCampaign:
        """Ends the command if the campaign cannot be played."""
        loaded = load_campaign(entry, options=options, overlays=overlays, language=language)
        if loaded.campaign is None:
            stop_at(loaded.problems, language)
        return cls.made(entry, loaded, options, overlays, language)

    @classmethod
    def made(
        cls,
        entry: CampaignEntry,
        loaded: LoadedCampaign,
        options: tuple[str, ...],
        overlays: tuple[str, ...],
        language: str,
    ) -> OpenCampaign:
        """One of which nothing is wrong."""
        assert loaded.campaign is not None
        word = entry.name if entry.shipped else str(entry.path.resolve())
        return cls(
            word=word, campaign=loaded.campaign, loaded=loaded, options=options, overlays=overlays,
            language=language,
        )  # fmt: skip

    def plain(self, stage: Stage) -> Game:
        """A game of it as its author wrote it: what it leads to must not depend on a language."""
        return self.loaded.game(stage.name)

    @property
    def first(self) -> Game:
        return self.plain(self.campaign.stages[0])

    def player_options(self) -> list[tuple[str, ...]]:
        """Every number of players that all its games are for; one empty choice where all always play."""
        games = [self.plain(stage) for stage in self.campaign.stages]
        bounds = [found for game in games if (found := player_bounds(game.program, game.scenario))]
        if not bounds:
            return [()]
        fewest, most = max(low for low, _ in bounds), min(high for _, high in bounds)
        return [(count_option(number),) for number in range(fewest, most + 1)]

    def open(self, course: Course) -> Opened:
        """The game that is to be played now."""
        stage = course.next
        assert stage is not None
        chosen = (*self.options, *stage.options)
        opened = open_game(stage.scenario, options=chosen, overlays=self.overlays, language=self.language)
        return opened.begun(course.carried)

    def after(self, course: Course, session: Session) -> Course:
        """The course once a game of it is over."""
        stage = course.next
        assert stage is not None
        game = course.begun(self.plain(stage))
        return course.after(game, game.replay(session.seed, session.choices))

    # ------------------------------------------------------------ telling

    def head(self, course: Course) -> str:
        stage = course.next
        assert stage is not None
        title = self.plain(stage).scenario.title
        number = len(course.ended) + 1
        return phrase(self.language, "game of", number=number, title=title, scenario=stage.name)

    def standing(self, course: Course) -> str:
        """Where the campaign stands after a game, or how it has ended."""
        points = ", ".join(f"{self._title(name)} {number}" for name, number in course.standing())
        told = self.result(course) if not points or course.over else ""
        text = "; ".join(part for part in (told, points) if part)
        if course.over:
            return phrase(self.language, "campaign over", text=text)
        return phrase(self.language, "standing", number=len(course.ended), text=text)

    def result(self, course: Course) -> str:
        winners = ", ".join(self._title(name) for name in course.leaders())
        last = course.ended[-1]
        by_last = self.campaign.score.sort == "last"
        if winners:
            told = phrase(self.language, "campaign won", players=winners)
        else:
            lost = by_last and last.lost
            told = phrase(self.language, "campaign lost" if lost else "campaign drawn")
        return f"{told} ({last.text})" if by_last and last.text else told

    def _title(self, player: str) -> str:
        names = self.first.names
        return names.shown(self.first.players.index(player), ir.PLAYER)

    def data(self, course: Course, kinds: Mapping[str, str]) -> dict[str, object]:
        return {
            "campaign": self.campaign.name,
            "ruleset": self.campaign.ruleset,
            "options": list(self.options),
            "seed": course.seed,
            "players": {name: kinds.get(name, "random") for name in self.first.seats},
            "standing": dict(course.standing()),
            "winners": list(course.leaders()) if course.over else [],
            "over": course.over,
            "carried": dict(course.carried),
            "results": [_ended_data(one) for one in course.ended],
        }


def _ended_data(ended: Ended) -> dict[str, object]:
    return {
        "game": ended.stage, "seed": ended.seed, "winners": list(ended.winners), "lost": ended.lost,
        "text": ended.text, "points": dict(ended.points), "measures": dict(ended.measures),
        "turns": ended.turns, "choices": ended.choices, "hash": ended.hash,
    }  # fmt: skip


def refuse_for_campaigns(word: str, language: str, **options: object) -> None:
    """Options that are about single games, given for a campaign, are misuse."""
    for name, value in options.items():
        if value:
            shown = "--" + name.replace("_", "-")
            raise click.UsageError(phrase(language, "single games", option=shown, name=word))


# ---------------------------------------------------------------- run


def run_campaign(
    entry: CampaignEntry,
    seed: int,
    players: tuple[str, ...],
    options: tuple[str, ...],
    overlays: tuple[str, ...],
    trace: bool,
    save_file: str | None,
    as_json: bool,
    language: str,
) -> None:
    """Plays a campaign to its end and tells it, game after game, with the standing after each."""
    opened = OpenCampaign.of(entry, options, overlays, language)
    kinds = seat_kinds(players, opened.first)
    saves: list[Save] = []
    course = Course(campaign=opened.campaign, seed=seed)
    games: list[dict[str, object]] = []
    if not as_json:
        tell(harmless(phrase(language, "head", title=opened.campaign.title, scenario=entry.name, seed=seed)))
    try:
        while course.next is not None:
            course = _run_one(opened, course, kinds, trace, as_json, saves, games)
    except RuleFailure as failure:
        _store(opened, course, kinds, saves, save_file)
        stop_at([failure_diagnostic(failure, language)], language)
    except KeyboardInterrupt:
        _store(opened, course, kinds, saves, save_file)
        raise
    _store(opened, course, kinds, saves, save_file)
    if as_json:
        print_data({**opened.data(course, kinds), "games": games})


def _run_one(
    opened: OpenCampaign, course: Course, kinds: dict[str, str], trace: bool, as_json: bool,
    saves: list[Save], games: list[dict[str, object]],
) -> Course:  # fmt: skip
    game = opened.open(course)
    if not as_json:
        tell()
        tell(harmless(opened.head(course)))
    telling = Telling(game, course.next_seed, trace, as_json)
    session = Session(game.game, course.next_seed)
    try:
        play_out(session, kinds, telling)
    except RuleFailure:
        telling.rest(session.state)
        raise
    finally:
        saves.append(game.save(session.seed, session.choices, kinds))
    telling.end(session)
    after = opened.after(course, session)
    if as_json:
        games.append(telling.record(session, kinds))
    else:
        tell()
        tell(harmless(opened.standing(after)))
    return after


def _store(
    opened: OpenCampaign, course: Course, kinds: Mapping[str, str], saves: Iterable[Save], path: str | None
) -> None:
    if path is not None:
        save = replace(begun_save(opened, course.seed, kinds), games=tuple(saves))
        try:
            write_campaign(path, save)
        except BadSave as problem:
            stop_at([save_diagnostic(problem, opened.language)], opened.language)


def begun_save(opened: OpenCampaign, seed: int, kinds: Mapping[str, str]) -> CampaignSave:
    """A campaign before its first game."""
    overlays = tuple(map(lasting_overlay, opened.overlays))
    return CampaignSave(
        campaign=opened.word, seed=seed, options=opened.options, overlays=overlays, players=dict(kinds)
    )


# ---------------------------------------------------------------- going on with one


def campaign_of_save(save: CampaignSave, path: str, language: str) -> OpenCampaign:
    """The campaign of a save; ends the command if it is not there."""
    entry = find_campaign(save.campaign)
    if entry is None:
        stop(phrase(language, "other game", path=path, theirs=save.campaign, ours="-"))
    return OpenCampaign.of(entry, save.options, save.overlays, language)


def followed(opened: OpenCampaign, save: CampaignSave, path: str) -> Followed:
    """A save, played again; `Refused` if its games do not follow from one another under today's rules."""
    found = follow(opened.campaign, opened.plain, save)
    if found.astray is not None or (found.replays and found.replays[-1].stopped is not None):
        number = found.astray + 1 if found.astray is not None else len(found.replays)
        raise Refused(phrase(opened.language, "not its turn", number=number, path=path))
    return found


def kept_campaign(head: Mapping[str, Any], path: str) -> CampaignSave:
    """What the diary of a game says of the campaign that it is one of; `Refused` if that is no campaign."""
    try:
        return campaign_from_data(head.get("before"), path)
    except BadSave as problem:
        raise Refused(str(problem)) from problem


def keep_as_campaign(keeper: Keeper, before: CampaignSave, ident: str = "") -> str:
    """Lets the diary of a game say which campaign it is one of; returns what that is called there."""
    ident = ident or f"{before.campaign.rpartition('/')[2]}-{secrets.token_hex(4)}"
    keeper.campaign = {"id": ident, "number": len(before.games), "before": campaign_data(before)}
    return ident


# ---------------------------------------------------------------- replay


def replay_campaign(save: CampaignSave, file: str, as_json: bool, language: str) -> None:
    """Proves a saved campaign: every game, and that each follows from those before it."""
    opened = campaign_of_save(save, file, language)
    found = follow(opened.campaign, opened.plain, save)
    bad = next((number for number, one in enumerate(found.replays) if not one.proven), found.astray)
    choices = sum(len(game.choices) for game in save.games)
    if bad is None:
        games = counted(language, "games", len(save.games))
        told = phrase(language, "campaign proven", games=games, choices=counted(language, "choices", choices))
    else:
        told = phrase(language, "not its turn", number=bad + 1, path=file)
    if as_json:
        data = {
            "file": file,
            "proven": bad is None,
            "games": len(save.games),
            "choices": choices,
            "text": told,
        }
        print_data({**data, **opened.data(found.course, save.players)})
    else:
        tell(harmless(f"{file}: {told}"))
    if bad is not None:
        raise click.exceptions.Exit(FINDINGS)


# ---------------------------------------------------------------- many campaigns


def make_campaign(
    word: str, options: tuple[str, ...] = (), overlays: tuple[str, ...] = (), journal: bool = True
) -> tuple[Campaign, Mapping[str, Game]]:
    """A campaign for a process that plays many; whoever asks has seen before that it can be played."""
    entry = find_campaign(word)
    assert entry is not None
    loaded = load_campaign(entry, options=options, overlays=overlays, journal=journal)
    if loaded.campaign is None:
        _broken(loaded)
    return loaded.campaign, {name: loaded.game(name) for name in loaded.games}


def _broken(loaded: LoadedCampaign) -> NoReturn:
    raise RuntimeError("; ".join(problem.message for problem in loaded.problems))


def play_campaigns(
    opened: OpenCampaign,
    players: tuple[str, ...],
    *,
    games: int,
    seed: int,
    workers: int,
    fast: bool,
    report: Progress | None,
) -> tuple[Summary, list[Record]]:
    """A series of campaigns, each a record of its own."""
    kinds = seat_kinds(players, opened.first)
    make = partial(make_campaign, opened.word, opened.options, opened.overlays, False)
    return simulate_campaign(
        make, kinds, games=games, seed=seed, workers=workers,
        make_fast=told_fast_game if fast else None, on_progress=report,
    )  # fmt: skip
