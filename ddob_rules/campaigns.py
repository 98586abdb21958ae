"""Campaigns: from a YAML file to a checked plan of games, and the games themselves, ready to play.

The schema says what a campaign file may hold; names of scenarios, games, players and measures are looked up
here, in the games that they are about. Diagnostics are returned, never printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ddob_rules.library.finding import CampaignEntry, ScenarioEntry, find_scenario, read_header, scenarios
from ddob_rules.library.headers import read_scenario_file, texts
from ddob_rules.library.yamldoc import (
    MappingNode,
    Node,
    ScalarNode,
    first_line,
    items_of,
    plain_value,
    text_of,
)
from ddob_rules.loading import LoadedGame, load_game
from ddob_rules.reports.diagnostics import Diagnostic, Label, Problems, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.resources import grammar_file
from ddob_rules.scenarios.schema_problems import problems as schema_problems
from ddob_rules.stack.book import normal
from interpreter import ir
from interpreter.campaigns.carrying import words_carried
from interpreter.campaigns.plan import Bounds, Branch, Campaign, Score, ScoreSort, Stage
from interpreter.machine.game import Game

#: What `next` calls the end of the campaign.
END = "end"


@dataclass(frozen=True, slots=True)
class LoadedCampaign:
    """A campaign with its games, or why there is none."""

    campaign: Campaign | None
    games: dict[str, LoadedGame]
    problems: list[Diagnostic]

    def game(self, stage: str) -> Game:
        found = self.games[stage].game
        assert found is not None
        return found


@cache
def _schema_text() -> str:
    return grammar_file("campaign.schema.json").read_text(encoding="utf-8")


def campaign_schema() -> dict[str, Any]:
    """The JSON Schema of campaign files."""
    schema: dict[str, Any] = json.loads(_schema_text())
    return schema


@dataclass(frozen=True, slots=True)
class Part:
    """What a campaign must know of a game in it; there is no program if the game cannot be played."""

    program: ir.Program | None
    seats: tuple[str, ...]
    problems: list[Diagnostic]


#: From what opens a scenario and the options that it is played with.
PartOf = Callable[[str, tuple[str, ...]], Part]


def load_campaign(
    entry: CampaignEntry,
    *,
    options: tuple[str, ...] = (),
    overlays: tuple[str, ...] = (),
    journal: bool = True,
    cover: bool = False,
    language: str = "en",
) -> LoadedCampaign:
    """Reads and checks a campaign and makes every game in it; there is no plan if anything is wrong."""
    made: dict[tuple[str, tuple[str, ...]], LoadedGame] = {}

    def part_of(word: str, own: tuple[str, ...]) -> Part:
        loaded = made[word, own] = load_game(
            word, options=(*options, *own), overlays=overlays, journal=journal, cover=cover,
            language=language, translated=False,
        )  # fmt: skip
        game = loaded.game
        return Part(game.program if game else None, game.seats if game else (), loaded.problems)

    campaign, problems = read_campaign_file(entry.path, part_of, language)
    stages = campaign.stages if campaign is not None else ()
    games = {stage.name: made[stage.scenario, stage.options] for stage in stages}
    return LoadedCampaign(campaign, games, problems)


def read_campaign_file(
    path: Path, part_of: PartOf, language: str = "en"
) -> tuple[Campaign | None, list[Diagnostic]]:
    """A campaign, checked against its games, however these are had; there is none if anything is wrong."""
    file = read_scenario_file(path, language=language)
    found = Problems()
    found.extend(file.diagnostics)
    if file.root is not None:
        found.extend(schema_problems(campaign_schema(), file.root, language=language))
    if file.root is None or found.has_errors:
        return None, list(found)
    reading = _Reading(file.root, path, language, found)
    reading.load(part_of)
    campaign = None if found.has_errors else reading.campaign(file.shown)
    return (None if found.has_errors else campaign), list(found)


def scenarios_of(entry: CampaignEntry) -> list[str]:
    """What opens the scenarios of a campaign, as far as they can be found."""
    root = read_scenario_file(entry.path).root
    if root is None:
        return []
    reading = _Reading(root, entry.path, "en", Problems())
    words = [text_of(_get(node, "scenario")) for node in items_of(root.get("games"))]
    return [str(found.path) for word in words if (found := reading.scenario(word)) is not None]


@dataclass(slots=True)
class _Reading:
    """Goes through a file that has the form of a campaign."""

    root: MappingNode
    path: Path
    language: str
    found: Problems
    games: dict[str, Part] = field(default_factory=dict)
    places: dict[str, Node] = field(default_factory=dict)  # of the games, by name
    words: dict[str, str] = field(default_factory=dict)  # what opens the scenario of each game

    # ------------------------------------------------------------ games

    def load(self, part_of: PartOf) -> None:
        ruleset = normal(text_of(self.root.get("ruleset")))
        for node in items_of(self.root.get("games")):
            said = _get(node, "scenario")
            name = _name(node)
            if name in self.games:
                self._wrong("E0674", _get(node, "name") or said, Label(_place(self.places[name])), name=name)
                continue
            scenario = self.scenario(text_of(said))
            if scenario is None:
                known = [*self._beside(), *(one.name for one in scenarios() if one.ruleset == ruleset)]
                advice = did_you_mean(normal(text_of(said)), known, self.language)
                self._wrong("E0673", said, name=text_of(said), help=advice or None)
                continue
            self.places[name] = node
            self.words[name] = _lasting(scenario)
            self.games[name] = part_of(self.words[name], texts(_get(node, "options")))
            self._check_game(self.games[name], said, ruleset)

    def scenario(self, word: str) -> ScenarioEntry | None:
        """The scenario of a name: the one beside the campaign before any other."""
        beside = self._beside().get(normal(word))
        if beside is not None:
            return find_scenario(str(beside))
        return find_scenario(word) if not word.endswith((".yaml", ".yml")) else None

    def _beside(self) -> dict[str, Path]:
        """The scenarios that lie beside the campaign, by name."""
        folder = self.path.resolve().parent.parent / "scenarios"
        headers = [read_header(path) for path in sorted(folder.glob("*.yaml"))]
        return {normal(header.name): header.path for header in headers if header is not None}

    def _check_game(self, part: Part, said: Node | None, ruleset: str) -> None:
        self.found.extend(part.problems)
        if part.program is None:
            return
        if ruleset not in map(normal, part.program.stack):
            self._wrong("E0675", said, name=text_of(said), ruleset=ruleset)
        first = next(game for game in self.games.values() if game.program is not None)
        if part.seats != first.seats:
            ours, theirs = ", ".join(part.seats), ", ".join(first.seats)
            self._wrong("E0676", said, name=text_of(said), ours=ours, theirs=theirs)

    # ------------------------------------------------------------ the plan

    def campaign(self, shown: str) -> Campaign:
        name = text_of(self.root.get("campaign"))
        stages = tuple(self._stage(stage) for stage in self.games)
        self._reached(stages)
        return Campaign(
            name=name,
            title=text_of(self.root.get("title")) or name,
            description=text_of(self.root.get("description")),
            ruleset=text_of(self.root.get("ruleset")),
            stages=stages,
            score=self._score(self.root.get("score")),
            carries=self._carries(self.root.get("carries")),
            file=shown,
        )

    def _stage(self, name: str) -> Stage:
        node = self.places[name]
        return Stage(
            name=name,
            scenario=self.words[name],
            options=texts(_get(node, "options")),
            branches=tuple(self._branch(name, branch) for branch in items_of(_get(node, "next"))),
        )

    def _branch(self, stage: str, node: Node) -> Branch:
        target = _get(node, "game")
        to, order = text_of(target), list(self.games)
        if to != END and to not in self.games:
            advice = did_you_mean(to, [*order[order.index(stage) + 1 :], END], self.language)
            self._wrong("E0677", target, name=to, help=advice or None)
        elif to != END and order.index(to) <= order.index(stage):
            self._wrong("E0678", target, Label(_place(self.places[to])), name=to)
        when = _get(node, "when")
        game = self.games[stage]
        return Branch(
            to="" if to == END else to,
            winner=self._player(_get(when, "winner"), game),
            leader=self._player(_get(when, "leader"), game),
            lost=_flag(_get(when, "lost")),
            drawn=_flag(_get(when, "drawn")),
            measure=self._bounds(when, game),
        )

    def _bounds(self, when: Node | None, game: Part) -> Bounds | None:
        title, low, high = _get(when, "measure"), _get(when, "at_least"), _get(when, "at_most")
        if title is None:
            for node in (low, high):
                if node is not None:
                    self._wrong("E0681", node)
            return None
        if low is None and high is None:
            self._wrong("E0681", title)
        return Bounds(measure=self._measure(title, game), low=_number(low), high=_number(high))

    def _player(self, node: Node | None, game: Part) -> str:
        name = text_of(node)
        if node is not None and name not in game.seats:
            advice = did_you_mean(name, list(game.seats), self.language)
            self._wrong("E0679", node, name=name, help=advice or None)
        return name

    def _measure(self, node: Node, *games: Part) -> str:
        """The title of a measure that one of the games tells."""
        title = text_of(node)
        titles = [one.title for game in games if game.program is not None for one in game.program.measures]
        known = [str(one.value) for one in titles if isinstance(one, ir.Const)]
        if title not in known and len(known) == len(titles):  # others are only known when they are told
            advice = did_you_mean(title, known, self.language)
            self._wrong("E0680", node, name=title, help=advice or None)
        return title

    def _score(self, node: Node | None) -> Score:
        if not isinstance(node, MappingNode):
            sort: ScoreSort = "wins"
            match text_of(node):
                case "points":
                    sort = "points"
                case "last":
                    sort = "last"
            return Score(sort=sort)
        games = list(self.games.values())
        measures = _get(node, "measures")
        entries = measures.entries.values() if isinstance(measures, MappingNode) else ()
        told = [(self._player(entry.key, games[0]), self._measure(entry.value, *games)) for entry in entries]
        return Score(sort="measures", measures=tuple(told))

    def _carries(self, node: Node | None) -> tuple[str, ...] | None:
        if node is None:
            return None
        programs = [game.program for game in self.games.values() if game.program is not None]
        known = list(dict.fromkeys(word for program in programs for word in words_carried(program)))
        found: list[str] = []
        for item in items_of(node):
            meant = [word for word in known if text_of(item) in (word, word.partition(".")[2])]
            if not meant:
                short = [word.partition(".")[2] or word for word in known]
                advice = did_you_mean(text_of(item), [*known, *short], self.language)
                self._wrong("E0682", item, name=text_of(item), help=advice or None)
            found += meant
        return tuple(found)

    def _reached(self, stages: tuple[Stage, ...]) -> None:
        """A game that nothing leads to is a mistake in the branches."""
        if self.found.has_errors:
            return
        reached = {stages[0].name}
        for stage, following in zip(stages, (*stages[1:], None), strict=True):
            if stage.name not in reached:
                self._wrong("E0683", _get(self.places[stage.name], "scenario"), name=stage.name)
            reached.update(branch.to for branch in stage.branches)
            if following is not None and not any(_always(branch) for branch in stage.branches):
                reached.add(following.name)

    def _wrong(
        self, code: str, node: Node | None, *others: Label, help: str | None = None, **told: str
    ) -> None:
        place = _place(node if node is not None else self.root)
        self.found.add(report(code, place, *others, language=self.language, help=help, **told))


def _lasting(scenario: ScenarioEntry) -> str:
    """What opens a scenario from any folder, and a shipped one on any machine."""
    known = find_scenario(scenario.name)
    same = known is not None and known.shipped and known.path.resolve() == scenario.path.resolve()
    return scenario.name if same else str(scenario.path)


def _always(branch: Branch) -> bool:
    return branch == Branch(to=branch.to)


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, MappingNode) else None


def _name(node: Node) -> str:
    """What a game is called within its campaign."""
    return text_of(_get(node, "name")) or text_of(_get(node, "scenario"))


def _place(node: Node) -> Any:
    return first_line(node.span)


def _flag(node: Node | None) -> bool | None:
    value = plain_value(node) if isinstance(node, ScalarNode) else None
    return {"yes": True, "no": False}.get(str(value), bool(value)) if value is not None else None


def _number(node: Node | None) -> int | None:
    value = plain_value(node) if node is not None else None
    return value if isinstance(value, int) else None
