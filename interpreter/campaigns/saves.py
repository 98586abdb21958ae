"""From a campaign to a save and back: the saves of its games, one after the other, with a checksum.

Every game proves itself as a save does. That each one began with what those before it handed on, and that it
was its turn, is proven by following the course once more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter.campaigns.course import Course
from interpreter.campaigns.plan import Campaign, Stage
from interpreter.machine.game import Game
from interpreter.records.replays import Replay, replay
from interpreter.records.saves import (
    BadSave,
    Save,
    checksum,
    save_data,
    save_from_data,
    write_data,
)

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSave:
    """A campaign as far as it was played; of its games only the last may be unfinished."""

    campaign: str  # name or path, as it was given
    seed: int
    options: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    players: Mapping[str, str] = field(default_factory=dict)
    games: tuple[Save, ...] = ()


def campaign_data(save: CampaignSave) -> dict[str, Any]:
    """The save as plain data, with its checksum."""
    data: dict[str, Any] = {
        "ddob": "campaign", "version": VERSION, "campaign": save.campaign, "seed": save.seed,
        "options": list(save.options), "overlays": list(save.overlays), "players": dict(save.players),
        "games": [save_data(game) for game in save.games],
    }  # fmt: skip
    return {**data, "checksum": checksum(data)}


def is_campaign(data: object) -> bool:
    return isinstance(data, dict) and data.get("ddob") == "campaign"


def campaign_from_data(data: object, path: str) -> CampaignSave:
    """The save that plain data hold; `path` is for the message if they hold none."""
    if not isinstance(data, dict) or not is_campaign(data):
        raise BadSave("E0713", path=path)
    if data.get("version") != VERSION:
        raise BadSave("E0714", path=path, version=str(data.get("version"))[:20], known=VERSION)
    if data.get("checksum") != checksum({key: value for key, value in data.items() if key != "checksum"}):
        raise BadSave("E0715", path=path)
    for name, kind in (
        ("campaign", str),
        ("seed", int),
        ("options", list),
        ("overlays", list),
        ("games", list),
    ):
        if type(data.get(name)) is not kind:
            raise BadSave("E0716", path=path, field=name)
    players = data.get("players")
    words = [*data["options"], *data["overlays"]]
    if not isinstance(players, dict) or not all(
        isinstance(word, str) for word in (*words, *players.values())
    ):
        raise BadSave("E0716", path=path, field="players")
    return CampaignSave(
        campaign=data["campaign"], seed=data["seed"], options=tuple(data["options"]),
        overlays=tuple(data["overlays"]), players=players,
        games=tuple(save_from_data(game, path) for game in data["games"]),
    )  # fmt: skip


def write_campaign(path: Path | str, save: CampaignSave) -> None:
    write_data(path, campaign_data(save))


# ---------------------------------------------------------------- following it again


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A campaign played again: where it stands, and how its games went; the last may differ or be unfinished.

    `astray` is the number of the first game that was not to be played, or began with other values.
    """

    course: Course
    replays: tuple[Replay, ...] = ()
    astray: int | None = None

    @property
    def proven(self) -> bool:
        return self.astray is None and all(one.proven for one in self.replays)


def follow(campaign: Campaign, game_of: Callable[[Stage], Game], save: CampaignSave) -> Followed:
    """Plays the games of a save again, as far as each ends as it did and leads to the next."""
    course = Course(campaign=campaign, seed=save.seed)
    replays: list[Replay] = []
    for number, one in enumerate(save.games):
        stage = course.next
        if stage is None:
            return Followed(course=course, replays=tuple(replays), astray=number)
        game = course.begun(game_of(stage))
        if (one.seed, dict(one.carried)) != (course.next_seed, dict(course.carried)):
            return Followed(course=course, replays=tuple(replays), astray=number)
        found = replay(game, one)
        replays.append(found)
        if found.state is None or found.stopped is not None or not found.state.over:
            astray = number + 1 if number + 1 < len(save.games) else None
            return Followed(course=course, replays=tuple(replays), astray=astray)
        course = course.after(game, found.state)
    return Followed(course=course, replays=tuple(replays))
