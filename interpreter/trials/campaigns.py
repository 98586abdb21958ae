"""From players and a number of campaigns to how they ended, and what goes wrong on the way.

Campaign number k of a series from seed S is the one that seed S + k gives wherever it is played. Every game
in it is played as the game alone would be, from the values that those before it hand on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from interpreter.campaigns.course import Course
from interpreter.campaigns.plan import Campaign
from interpreter.failures import RuleFailure
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.kinds import make_player
from interpreter.trials.engines import MakeFast
from interpreter.trials.simulation import (
    ALL_LOST,
    NOBODY,
    Progress,
    Record,
    Summary,
    gathered,
    play_out,
    records_of,
    summary_of,
)
from interpreter.wasm.engine import Runner
from interpreter.wasm.glances import look_quickly

#: The plan and its games by name; other processes call it to have their own.
MakeCampaign = Callable[[], tuple[Campaign, Mapping[str, Game]]]


def simulate_campaign(
    make: MakeCampaign,
    kinds: Mapping[str, str],
    *,
    games: int,
    seed: int = 0,
    workers: int = 1,
    make_fast: MakeFast | None = None,
    on_progress: Progress | None = None,
) -> tuple[Summary, list[Record]]:
    """Plays so many campaigns, as `simulate` plays games; each counts as one record."""
    here = _Given.of(make, make_fast)
    first = next(iter(here.games.values()))
    series = _Series(make, make_fast, tuple(kinds.get(name, "random") for name in first.players), seed)
    for kind in series.kinds:
        make_player(kind, 0)
    begin = partial(records_of, series, here, games, min(workers, games))
    records, interrupted = gathered(begin, games, on_progress, None)
    return summary_of(first, games, records, interrupted), records


@dataclass(frozen=True, slots=True)
class _Given:
    """A campaign, its games, and who plays them in the fast engine if that plays."""

    campaign: Campaign
    games: Mapping[str, Game]
    runners: Mapping[str, Runner]

    @classmethod
    def of(cls, make: MakeCampaign, make_fast: MakeFast | None) -> _Given:
        campaign, games = make()
        runners: dict[str, Runner] = {}
        for name, game in games.items():
            fast = make_fast(game) if make_fast is not None else None
            if fast is not None:
                look_quickly(game, fast.runner())
                runners[name] = fast.runner()
        return cls(campaign, games, runners)


@dataclass(frozen=True, slots=True)
class _Series:
    make: MakeCampaign
    make_fast: MakeFast | None
    kinds: tuple[str, ...]
    seed: int

    def hand(self, given: _Given | None = None) -> _Hand:
        return _Hand(self, given if given is not None else _Given.of(self.make, self.make_fast))


@dataclass(frozen=True, slots=True)
class _Hand:
    """Plays campaigns of a series, in whichever process."""

    series: _Series
    given: _Given

    def play(self, numbers: Iterable[int]) -> Iterator[Record]:
        return (self._record(number) for number in numbers)

    def _record(self, number: int) -> Record:
        course = Course(campaign=self.given.campaign, seed=self.series.seed + number)
        try:
            while (stage := course.next) is not None:
                game = course.begun(self.given.games[stage.name])
                state = self._game(game, self.given.runners.get(stage.name), course.next_seed)
                course = course.after(game, state)
        except RuleFailure as failure:
            return Record(number=number, failure=str(failure))
        except Exception as problem:  # told like a fault of the rules, and the series goes on
            return Record(number=number, failure=f"{type(problem).__name__}: {problem}")
        return record_of(course, number)

    def _game(self, game: Game, runner: Runner | None, seed: int) -> State:
        if runner is None or any(kind != "random" for kind in self.series.kinds):
            return play_out(game, self.series.kinds, seed)
        runner.begin_from(game.template)
        runner.play_game(seed)
        return runner.state()


def record_of(course: Course, number: int) -> Record:
    """A campaign that is over, told as one game: turns and choices in all, measures game by game."""
    last = course.ended[-1]
    stages = [
        (one.stage, ", ".join(one.winners) or (ALL_LOST if one.lost else NOBODY)) for one in course.ended
    ]
    by_last = course.campaign.score.sort == "last"
    return Record(
        number=number,
        winners=course.leaders(),
        lost=by_last and last.lost,
        points=course.standing(),
        text=last.text if by_last else "",
        turns=sum(one.turns for one in course.ended),
        choices=sum(one.choices for one in course.ended),
        measures=tuple(
            (f"{one.stage}: {title}", value) for one in course.ended for title, value in one.measures
        ),
        hash=hashlib.sha256(" ".join(one.hash for one in course.ended).encode()).hexdigest(),
        stages=tuple(stages),
    )


def stages_of(campaign: Campaign, records: Sequence[Record]) -> list[tuple[str, list[str]]]:
    """Each game of a campaign with who won it, as often as it was played."""
    return [
        (stage.name, [winner for record in records for name, winner in record.stages if name == stage.name])
        for stage in campaign.stages
    ]
