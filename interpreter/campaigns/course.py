"""Where a campaign stands: the games that have ended, what they hand on, which is next, and who leads.

A course is data that does not change; a game that ends makes a new one. Its first game has the seed of the
campaign, the others have seeds derived from that and their number, so that one number gives all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.campaigns.carrying import Carried, carried_from, carrying
from interpreter.campaigns.plan import Branch, Campaign, Stage
from interpreter.failures import BadState
from interpreter.machine.chance import derive
from interpreter.machine.game import Game
from interpreter.machine.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A game of a campaign, as it ended."""

    stage: str
    seed: int
    seats: tuple[str, ...]
    winners: tuple[str, ...]
    lost: bool
    points: tuple[tuple[str, int], ...]
    measures: tuple[tuple[str, int], ...]
    text: str
    turns: int
    choices: int
    hash: str

    @property
    def drawn(self) -> bool:
        return not self.winners and not self.lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    campaign: Campaign
    seed: int
    ended: tuple[Ended, ...] = ()
    carried: Mapping[str, Any] = field(default_factory=dict)

    @property
    def next(self) -> Stage | None:
        """The game that is to be played now; None when the campaign is over."""
        stages = self.campaign.stages
        if not self.ended:
            return stages[0]
        last = self.campaign.stage(self.ended[-1].stage)
        for branch in last.branches:
            if self._holds(branch, self.ended[-1]):
                return self.campaign.stage(branch.to) if branch.to else None
        following = stages.index(last) + 1
        return stages[following] if following < len(stages) else None

    @property
    def over(self) -> bool:
        return self.next is None

    @property
    def next_seed(self) -> int:
        """The seed of the game that is to be played now."""
        number = len(self.ended)
        return derive(self.seed, number) if number else self.seed

    def begun(self, game: Game) -> Game:
        """The game that is to be played now, with what those before it hand on."""
        return carrying(game, self.carried) if self.carried else game

    def after(self, game: Game, state: State) -> Course:
        """The course when the game that was to be played has come to this end."""
        stage = self.next
        if stage is None or state.result is None:
            raise BadState("no game of the campaign has ended")
        ended = Ended(
            stage=stage.name, seed=self.next_seed, seats=game.seats, winners=state.winners, lost=state.lost,
            points=state.ranking, measures=game.measures(state), text=state.ending, turns=state.turn,
            choices=state.count, hash=state.hash(),
        )  # fmt: skip
        return replace(self, ended=(*self.ended, ended), carried=self._handed_on(game, state))

    def _handed_on(self, game: Game, state: State) -> Carried:
        """What the game hands on, with what it did not know of: that waits for a game that does."""
        found: Carried = {key: value for key, value in self.carried.items()}
        for key, value in carried_from(game, state).items():
            if self.campaign.carries is not None and key not in self.campaign.carries:
                continue
            found[key] = {**found.get(key, {}), **value} if isinstance(value, dict) else value
        return found

    # ------------------------------------------------------------ who leads

    def standing(self) -> tuple[tuple[str, int], ...]:
        """The players with their points so far, the best first; none where only the last game counts."""
        score = self.campaign.score
        if score.sort == "last" or not self.ended:
            return ()
        points = dict.fromkeys((seat for ended in self.ended for seat in ended.seats), 0)
        for ended in self.ended:
            for player, gained in self._gained(ended):
                if player in points:
                    points[player] += gained
        return tuple(sorted(points.items(), key=lambda one: -one[1]))

    def _gained(self, ended: Ended) -> tuple[tuple[str, int], ...]:
        match self.campaign.score.sort:
            case "wins":
                return tuple((name, 1) for name in ended.winners)
            case "points":
                return ended.points
            case _:
                told = dict(ended.measures)
                return tuple((name, told.get(title, 0)) for name, title in self.campaign.score.measures)

    def leaders(self) -> tuple[str, ...]:
        """Those with most points, or who won the last game where that decides; nobody if all have lost it."""
        if not self.ended:
            return ()
        if self.campaign.score.sort == "last":
            return self.ended[-1].winners
        standing = self.standing()
        best = standing[0][1] if standing else 0
        leading = tuple(name for name, points in standing if points == best)
        alone = len(standing) == 1 and (best > 0 or self.campaign.score.sort != "wins")
        return leading if alone or len(leading) < len(standing) else ()

    def _holds(self, branch: Branch, ended: Ended) -> bool:
        told = dict(ended.measures)
        wanted = branch.measure
        number = told.get(wanted.measure, 0) if wanted is not None else 0
        return (
            (not branch.winner or branch.winner in ended.winners)
            and (not branch.leader or branch.leader in self.leaders())
            and branch.lost in (None, ended.lost)
            and branch.drawn in (None, ended.drawn)
            and (
                wanted is None
                or (
                    (wanted.low is None or number >= wanted.low)
                    and (wanted.high is None or number <= wanted.high)
                )
            )
        )
