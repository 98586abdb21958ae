"""From what somebody wants to play to a game in progress, new or kept; and what there is to want.

A wish names a scenario of the list: no text of a request is ever a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ddob_rules.cli.answers import Refused
from ddob_rules.cli.campaigns import OpenCampaign, kept_campaign
from ddob_rules.cli.games import HUMAN, Opened, failure_diagnostic, in_language
from ddob_rules.cli.keeping import continued, lasting_overlay, lasting_word
from ddob_rules.library.finding import (
    CampaignEntry,
    RulesetEntry,
    ScenarioEntry,
    campaigns,
    find_campaign,
    find_ruleset,
    read_header,
    rulesets,
    scenarios,
)
from ddob_rules.loading import load_game
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.reports.render import render_text
from ddob_rules.serve.campaigns import Under, begun, gone_on, opened_campaign
from ddob_rules.serve.playing import No, Playing
from ddob_rules.serve.words import word
from ddob_rules.stack.book import header_of, normal, read_sources
from ddob_rules.translations.catalogue import titles_of_data
from interpreter.failures import RuleFailure
from interpreter.ir import Option
from interpreter.ir.seats import count_of
from interpreter.machine.game import Game
from interpreter.machine.seating import player_bounds
from interpreter.players.kinds import make_player
from interpreter.records.diaries import (
    BadDiary,
    Diary,
    InUse,
    Writer,
    all_diaries,
    begin,
    go_on,
    head_of,
    read_diary,
)
from interpreter.records.session import Session
from interpreter.table import book_of, table_of

#: Who may play a seat besides people.
COMPUTERS = ("random", "greedy", "search")
#: What begins the name of a campaign where scenarios are named as well.
CAMPAIGN = "campaign "
# Nobody reads more kept games than these.
_MOST_KEPT = 200


# Choices after which everybody who plays has been asked something, as a rule.
_TRIED = 60

Stamps = dict[Path, tuple[int, int]]


def stamps(files: Iterable[Path]) -> Stamps:
    """When files were last changed, and how long they are."""
    found: Stamps = {}
    for file in files:
        try:
            known = file.stat()
        except OSError:
            continue
        found[file] = (known.st_mtime_ns, known.st_size)
    return found


class Findings(Exception):
    """What is wrong with rules that somebody wants to play."""

    def __init__(self, problems: list[Diagnostic], language: str) -> None:
        super().__init__()
        self.data = findings_of(problems, language)


def findings_of(problems: list[Diagnostic], language: str) -> list[dict[str, Any]]:
    """Findings as a page shows them, each also as `ddob check` prints it."""
    found = []
    for problem in problems:
        data: dict[str, Any] = {
            "code": problem.code,
            "text": problem.message,
            "error": problem.severity == "error",
            "told": render_text([problem], False, language),
        }
        if problem.help:
            data["help"] = problem.help
        if problem.rule:
            data["rule"] = problem.rule
        if problem.primary is not None:
            data["file"], data["line"] = problem.primary.source.path, problem.primary.line
        found.append(data)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A game that somebody wants to play."""

    scenario: str
    options: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    seed: int = 0
    seats: dict[str, str] = field(default_factory=dict)  # me, link, or a kind of computer


class Library:
    """What can be played here, and the games that are kept."""

    def __init__(
        self,
        folder: Path,
        language: str,
        own: tuple[ScenarioEntry, ...] = (),
        number: tuple[str, ...] = (),
        campaign: CampaignEntry | None = None,
        *,
        on_opened: Callable[[], None] = lambda: None,
    ) -> None:
        self.folder = folder
        self.language = language
        self.own = own
        self.campaign = campaign  # that the command was started with
        self.number = number  # the option that says how many play what the command was started with
        self.stamps: dict[int, Stamps] = {}  # of the files of what was opened
        self._on_opened = on_opened  # told when rules were read that will stay
        self._opened: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Opened] = {}
        self._campaigns: dict[tuple[str, tuple[str, ...], tuple[str, ...]], OpenCampaign] = {}
        self._details: dict[tuple[str, tuple[str, ...], tuple[str, ...]], tuple[Game, dict[str, Any]]] = {}

    # ------------------------------------------------------------ what there is

    def scenarios(self) -> dict[str, ScenarioEntry]:
        """By name; those that the command was started with first."""
        return {entry.name: entry for entry in (*scenarios(), *self.own)}

    def campaigns(self) -> dict[str, CampaignEntry]:
        """By the name that a wish gives."""
        own = (self.campaign,) if self.campaign is not None else ()
        return {f"{CAMPAIGN}{entry.name}": entry for entry in (*campaigns(), *own)}

    def rulesets(self) -> dict[str, RulesetEntry]:
        return {entry.name: entry for entry in rulesets()}

    def listed(self) -> dict[str, Any]:
        """The start page: games with their scenarios, and the kept games, the last one first."""
        titles = {name: entry.title for name, entry in self.rulesets().items()}
        said = {name: self._said(entry) for name, entry in self.rulesets().items()}
        games: dict[str, dict[str, Any]] = {}
        for name, entry in self.scenarios().items():
            title = titles.get(entry.ruleset, entry.ruleset)
            game = games.setdefault(
                entry.ruleset, {"id": entry.ruleset, "title": title, "scenarios": [], "campaigns": []}
            )
            called = said.get(entry.ruleset, {}).get(f"scenario {name}", entry.title)
            game["scenarios"].append({"id": name, "title": called, "own": not entry.shipped})
        for name, campaign in self.campaigns().items():
            if campaign.ruleset in games:
                title = said.get(campaign.ruleset, {}).get(name, campaign.title)
                games[campaign.ruleset]["campaigns"].append({"id": name, "title": title})
        kept = [_kept(diary) for diary in _newest(all_diaries(self.folder))[:_MOST_KEPT]]
        own = [entry.name for entry in self.own]
        own += [f"{CAMPAIGN}{self.campaign.name}"] if self.campaign is not None else []
        return {"language": self.language, "first": own, "games": list(games.values()), "kept": kept,
                "computers": list(COMPUTERS)}  # fmt: skip

    def _said(self, entry: RulesetEntry) -> Mapping[str, str]:
        return titles_of_data(entry.folder, self.language) if self.language != "en" else {}

    def _said_of(self, campaign: OpenCampaign) -> Mapping[str, str]:
        entry = self.rulesets().get(normal(campaign.campaign.ruleset))
        return self._said(entry) if entry is not None else {}

    def details(self, name: str, options: tuple[str, ...], overlays: tuple[str, ...]) -> dict[str, Any]:
        """A scenario or campaign: seats, options, overlays that fit it, and how it looks at the start."""
        key = (name, options, overlays)
        if key not in self._details:
            self._details[key] = self._detailed(name, options, overlays)
        game, found = self._details[key]
        return {**found, "overlays": self._overlays(game)}  # somebody may just have written one

    def _detailed(
        self, name: str, options: tuple[str, ...], overlays: tuple[str, ...]
    ) -> tuple[Game, dict[str, Any]]:
        campaign = self.opened_campaign(name, options, overlays) if name.startswith(CAMPAIGN) else None
        opened = self._first(campaign) if campaign is not None else self.opened(name, options, overlays)
        game = opened.game
        book = book_of(game, self.language)
        return game, {
            "id": name,
            "title": book["title"],
            "game": book["game"],
            "brief": book["brief"],
            "players": _asked_or_not(game, book["players"]),
            "options": [
                {"id": option.name, "title": _title(option, self.language), "rules": list(option.rules),
                 "conflicts": list(option.conflicts), "reason": option.reason,
                 "on": option.name in game.options, "fixed": option.name in game.scenario.options}
                for option in game.program.options
                if _can_be(option, game)
            ],
            **({"campaign": _campaign(campaign, self._said_of(campaign))} if campaign is not None else {}),
            "book": book,
            "table": table_of(game.start(0), book=book, story=False),
        }  # fmt: skip

    def _overlays(self, game: Game) -> list[dict[str, Any]]:
        """Rulesets that may be laid on these: those that extend one of them."""
        found = []
        for name, entry in self.rulesets().items():
            below = _below(entry)
            if name not in game.program.stack and below & set(game.program.stack):
                found.append({"id": name, "title": entry.title})
        return found

    # ------------------------------------------------------------ opening

    def opened(self, name: str, options: tuple[str, ...] = (), overlays: tuple[str, ...] = ()) -> Opened:
        """A scenario of the list, ready to play; loaded once."""
        if name in {entry.name for entry in self.own} and all(count_of(option) is None for option in options):
            options = (*options, *self.number)
        key = (name, tuple(sorted(options)), overlays)
        if key not in self._opened:
            entry = self.scenarios().get(name)
            if entry is None or not set(overlays) <= set(self.rulesets()):
                raise No(word(self.language, "no such game"))
            place = name if entry.shipped else str(entry.path)
            return self._opened.setdefault(key, self.loaded(place, options, overlays))
        return self._opened[key]

    def opened_campaign(
        self, name: str, options: tuple[str, ...] = (), overlays: tuple[str, ...] = ()
    ) -> OpenCampaign:
        """A campaign of the list with all its games; loaded once."""
        entry = self.campaigns().get(name)
        if entry is None or not set(overlays) <= set(self.rulesets()):
            raise No(word(self.language, "no such game"))
        return self._open_campaign(entry, options, overlays)

    def _open_campaign(
        self, entry: CampaignEntry, options: tuple[str, ...], overlays: tuple[str, ...]
    ) -> OpenCampaign:
        key = (str(entry.path), tuple(sorted(options)), overlays)
        if key not in self._campaigns:
            found = opened_campaign(entry, options, overlays, self.language)
            if isinstance(found, list):
                raise Findings(found, self.language)
            self._campaigns[key] = found
        return self._campaigns[key]

    def _first(self, campaign: OpenCampaign) -> Opened:
        stage = campaign.campaign.stages[0]
        return self._stage(stage.scenario, (*campaign.options, *stage.options), campaign.overlays)

    def _stage(self, place: str, options: tuple[str, ...], overlays: tuple[str, ...]) -> Opened:
        """A game by what opens it from anywhere; loaded once."""
        key = (place, tuple(sorted(options)), overlays)
        # Pictures are made beside it: of two that load the same, both go on with one.
        return self._opened.get(key) or self._opened.setdefault(key, self.loaded(place, options, overlays))

    def _game_of(self, under: Under) -> Opened:
        """The game of a campaign that is to be played now."""
        stage = under.course.next
        if stage is None:
            raise No(word(self.language, "campaign over"))
        options = (*under.opened.options, *stage.options)
        plain = self._stage(stage.scenario, options, under.opened.overlays)
        opened = plain.begun(under.course.carried)
        self.stamps[id(opened)] = self.stamps[id(plain)]
        return opened

    def loaded(self, place: str, options: tuple[str, ...], overlays: tuple[str, ...]) -> Opened:
        """A scenario by name or path, read anew; `Findings` if it cannot be played."""
        try:
            found = load_game(place, options=options, overlays=overlays, language=self.language)
        except RuleFailure as failure:
            raise Findings([failure_diagnostic(failure, self.language)], self.language) from failure
        if found.game is None:
            raise Findings(found.problems, self.language)
        opened = Opened(
            word=place, game=in_language(found.game, found, self.language), source=found.game, loaded=found,
            overlays=overlays, language=self.language,
        )  # fmt: skip
        files = watched(opened)
        self.stamps[id(opened)] = stamps(files)
        found.hold(file for file in files if file.suffix == ".rules")
        self._on_opened()
        return opened

    def forget(self, opened: Opened) -> None:
        """Rules have changed: the next to open them reads them anew."""
        self._campaigns.clear()
        self._details.clear()
        self._opened = {key: known for key, known in self._opened.items() if known is not opened}

    def begin(self, wish: Wish) -> Playing:
        """A new game, or the first one of a campaign, with its diary."""
        if not wish.scenario.startswith(CAMPAIGN):
            opened = self.opened(wish.scenario, wish.options, wish.overlays)
            return self._begun(opened, wish.seed, _kinds(opened, wish.seats))
        campaign = self.opened_campaign(wish.scenario, wish.options, wish.overlays)
        kinds = _kinds(self._first(campaign), wish.seats)
        under = begun(campaign, wish.seed, _computers(kinds))
        return self._begun(self._game_of(under), under.course.next_seed, kinds, under)

    def _begun(self, opened: Opened, seed: int, kinds: dict[str, str], under: Under | None = None) -> Playing:
        session = Session(opened.game, seed)
        head = head_of(
            opened.source, seed, scenario=lasting_word(opened.word),
            overlays=tuple(map(lasting_overlay, opened.overlays)), players=_computers(kinds),
            campaign=under.head() if under is not None else None,
        )  # fmt: skip
        writer = begin(self.folder, head, session)
        return Playing(writer.path.stem, opened, session, writer, kinds, under)

    def onward(self, playing: Playing) -> Playing | str:
        """The next game of a campaign, or the name of its table if somebody has gone on already."""
        under = playing.under
        if under is None or not playing.state.over:
            raise No(word(self.language, "not over"))
        for diary in all_diaries(self.folder):
            if diary.campaign == under.ident and diary.number == under.number + 1:
                return diary.id
        played = playing.opened.save(playing.session.seed, playing.session.choices, _computers(playing.kinds))
        after = under.after(playing.session, played)
        return self._begun(self._game_of(after), after.course.next_seed, dict(playing.kinds), after)

    def diary(self, ident: str) -> Diary | None:
        """A kept game by its name among those that are there."""
        return next((diary for diary in all_diaries(self.folder) if diary.id == ident), None)

    def go_on(self, ident: str) -> Playing:
        """A kept game, where it was left."""
        try:
            diary, writer = go_on(self._kept(ident))
        except InUse:
            raise No(word(self.language, "in use")) from None
        except (OSError, BadDiary) as problem:
            raise No(word(self.language, "broken").format(why=str(problem))) from problem
        try:
            return self._standing(diary, writer)
        except No:
            writer.close()
            raise

    def look_at(self, ident: str) -> Playing:
        """A kept game as it stands, for a picture of it: it stays free for whoever wants to play it."""
        try:
            return self._standing(read_diary(self._kept(ident)), None)
        except (OSError, BadDiary) as problem:
            raise No(word(self.language, "broken").format(why=str(problem))) from problem

    def _kept(self, ident: str) -> Path:
        known = self.diary(ident)
        if known is None:
            raise No(word(self.language, "no such table"))
        return known.path

    def _standing(self, diary: Diary, writer: Writer | None) -> Playing:
        try:
            under = self._campaign_of(diary) if diary.campaign else None
            opened = self._game_of(under) if under is not None else self._of(diary)
            session = continued(opened, diary, self.language)
        except (Refused, Findings) as problem:
            why = problem.data[0]["text"] if isinstance(problem, Findings) else str(problem)
            raise No(word(self.language, "broken").format(why=why)) from problem
        players = diary.head.players
        kinds = {
            player.name: players.get(player.name, "random" if player.automated else HUMAN)
            for player in opened.game.program.players
            if player.name in opened.game.seats
        }
        return Playing(diary.id, opened, session, writer, kinds, under, diary.sealed)

    def _campaign_of(self, diary: Diary) -> Under:
        before = kept_campaign(diary.head.campaign, diary.id)
        entry = find_campaign(before.campaign)
        if entry is None:
            raise Refused(word(self.language, "no such game"))
        return gone_on(self._open_campaign(entry, before.options, before.overlays), diary)

    def _of(self, diary: Diary) -> Opened:
        head = diary.head
        # Its own options, not those of the scenario, were asked for; to ask for both is the same.
        return self._stage(head.scenario, head.options, head.overlays)


def _title(option: Option, language: str) -> str:
    count = count_of(option.name)
    if count is None:
        return option.title
    return word(language, "one player" if count == 1 else "players").format(count=count)


def _asked_or_not(game: Game, players: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The seats; `later` are those that a short try does not ask anything: perhaps only other options do."""
    state, chance, asked = game.start(0), Random(0), set()
    for _ in range(_TRIED):
        if state.choice is None:
            break
        asked.add(state.choice.player)
        try:
            state.take(chance.randrange(len(state.options)))
        except RuleFailure:
            break
    return [player if player["id"] in asked else {**player, "later": True} for player in players]


def _can_be(option: Option, game: Game) -> bool:
    """Whether a scenario leaves an option open: so many may not be able to play it."""
    count, bounds = count_of(option.name), player_bounds(game.program, game.scenario)
    return count is None or (bounds is not None and bounds[0] <= count <= bounds[1])


def _kind(who: str, automated: bool) -> str:
    if automated:
        return who if who in COMPUTERS else "random"
    if who in ("me", "link"):
        return HUMAN
    make_player(who, 0)
    return who


def _kinds(opened: Opened, seats: dict[str, str]) -> dict[str, str]:
    """Who plays each seat."""
    return {
        seat: _kind(seats.get(seat, "me"), player.automated)
        for player in opened.game.program.players
        if (seat := player.name) in opened.game.seats
    }


def _computers(kinds: dict[str, str]) -> dict[str, str]:
    return {seat: kind for seat, kind in kinds.items() if kind != HUMAN}


def _campaign(campaign: OpenCampaign, said: Mapping[str, str]) -> dict[str, Any]:
    plan = campaign.campaign
    scenarios = [campaign.plain(stage).scenario for stage in plan.stages]
    key = f"campaign {plan.name}"
    return {
        "title": said.get(key, plan.title),
        "text": said.get(f"{key} description", plan.description),
        "games": [said.get(f"scenario {scenario.name}", scenario.title) for scenario in scenarios],
    }


def _newest(diaries: list[Diary]) -> list[Diary]:
    """All kept games, but of each campaign only the one that is played now."""
    last: dict[str, int] = {}
    for diary in diaries:
        last[diary.campaign] = max(diary.number, last.get(diary.campaign, 0))
    return [diary for diary in diaries if not diary.campaign or diary.number == last[diary.campaign]]


def _kept(diary: Diary) -> dict[str, Any]:
    of_campaign = {"campaign": diary.number + 1, "onward": diary.over and not diary.closed}
    return {
        **(of_campaign if diary.campaign else {}),
        "table": diary.id,
        "scenario": diary.head.name,
        "turn": diary.turn,
        "choices": len(diary.made),
        "player": diary.player,
        "over": diary.over,
        "when": int(diary.when),
    }


def _below(entry: RulesetEntry) -> set[str]:
    """The rulesets that one says it extends."""
    sources, _ = read_sources(entry.files, entry.folder)
    header = next((found for source in sources if (found := header_of(source)) is not None), None)
    names = header.extends.names if header is not None and header.extends is not None else ()
    return {normal(name.text) for name in names}


def watched(opened: Opened) -> list[Path]:
    """The files that a game was made of: rules of its stack, its scenario, and their data."""
    scenario = opened.game.scenario
    entry = next((found for found in scenarios() if found.name == scenario.name), None)
    path = Path(opened.word) if Path(opened.word).is_file() else entry.path if entry is not None else None
    near = path.resolve().parent.parent if path is not None else None
    found: dict[Path, None] = {}
    for name in (*opened.game.program.stack, *opened.overlays):
        ruleset = find_ruleset(name, near=near)
        if ruleset is not None:
            found.update(dict.fromkeys(file.resolve() for file in ruleset.files))
            found.update(
                dict.fromkeys(file.resolve() for file in sorted((ruleset.folder / "data").glob("*.yaml")))
            )
    if path is not None:
        found[path.resolve()] = None
        header = read_header(path)
        if header is not None and header.rules is not None:
            found[header.rules.resolve()] = None
    return list(found)
