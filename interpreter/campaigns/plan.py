"""What a campaign is: its games in order, where each leads to, and how the whole is scored.

Plain data, made by the author tools from YAML. A game leads to one further down the list only, so a campaign
always ends. How a campaign stands is the business of `course`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: wins: a point for each game won; points: those of the rankings; measures: numbers that the rules tell;
#: last: who wins the last game wins the campaign.
ScoreSort = Literal["wins", "points", "measures", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A measure of the game that has ended, and between which numbers it must lie."""

    measure: str
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """What may follow a game, if all that it asks for is so; it asks for nothing if it has no conditions."""

    to: str  # the name of a game further down; empty for the end of the campaign
    winner: str = ""  # he is among those who won the game
    leader: str = ""  # he is among those who have most points so far
    lost: bool | None = None  # all have lost the game, or have not
    drawn: bool | None = None  # nobody has won or lost it
    measure: Bounds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One game of a campaign. The first branch that holds says what follows; without any, the next one."""

    name: str
    scenario: str  # its name, or the path to it
    options: tuple[str, ...] = ()
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    sort: ScoreSort = "wins"
    measures: tuple[tuple[str, str], ...] = ()  # player, title of a measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    name: str
    title: str
    description: str
    ruleset: str
    stages: tuple[Stage, ...]
    score: Score = Score()
    carries: tuple[str, ...] | None = None  # of what rules carry over; None is all of it
    file: str = ""

    def stage(self, name: str) -> Stage:
        return next(stage for stage in self.stages if stage.name == name)
