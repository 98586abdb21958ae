"""From players and a number of games to how the games ended: shares with their uncertainty, lengths, scores.

Game number k of a series from seed S is the game that seed S + k gives wherever it is played, so it does not
matter how many processes share the work. Left out: how long it took, which is not the same twice.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields
from math import sqrt
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from operator import attrgetter
from time import monotonic
from typing import Any, Protocol, cast

from interpreter.failures import RuleFailure
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.kinds import Player, choice_of, make_player
from interpreter.trials.coverage import Seen, Watch
from interpreter.trials.engines import MakeFast
from interpreter.wasm.engine import FastGame, Runner
from interpreter.wasm.glances import look_quickly

MakeGame = Callable[[], Game]
Progress = Callable[[int, int], None]  # games finished, games asked for

#: Who wins a game without a winner, and one that all have lost.
NOBODY = "nobody"
ALL_LOST = "everybody lost"

# A process tells what it has played so often, in seconds: each message costs as much as a short game.
_TELL = 0.2
# A process takes so many games at once at most, and leaves enough for the others.
_SHARE = 64

# The factor of a 95% interval.
SIGMAS = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The mean and the ends of a list of numbers."""

    mean: float
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One way for a game to end, how often it did, and the 95% interval of its share in the long run."""

    winners: str  # names joined by commas, or "nobody", or "everybody lost"
    text: str
    count: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What came of a series. Shares and means are of the games that were played to their end."""

    games: int  # asked for
    played: int  # to the end, or to a failure
    wins: tuple[Outcome, ...]  # by winners alone, whatever the text; the most frequent first
    outcomes: tuple[Outcome, ...]  # by winners and text
    turns: Spread | None
    choices: Spread | None
    scores: tuple[tuple[str, float], ...]  # player, mean score; none if the ruleset has no score
    measures: tuple[tuple[str, Spread], ...]  # the numbers that the ruleset tells of a game
    failures: int
    first_failure: str
    interrupted: bool
    points: tuple[tuple[str, Spread], ...] = ()  # of players, in games that ended with a rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One game of a series, as plain data that another process can hand over."""

    number: int
    winners: tuple[str, ...] = ()
    lost: bool = False  # by all
    points: tuple[tuple[str, int], ...] = ()  # of the players, the best first, if they are ranked
    text: str = ""
    turns: int = 0
    choices: int = 0
    scores: tuple[int, ...] = ()
    measures: tuple[tuple[str, int], ...] = ()
    hash: str = ""  # of the last position
    failure: str = ""
    seen: Seen | None = None  # in coverage runs: what it reached
    stages: tuple[tuple[str, str], ...] = ()  # of a campaign: its games, and who won each

    @property
    def winner(self) -> str:
        """The names of the winners, joined by commas, or "nobody", or "everybody lost"."""
        return ", ".join(self.winners) or (ALL_LOST if self.lost else NOBODY)

    def __reduce__(self) -> tuple[Callable[..., Record], tuple[Any, ...]]:
        """By its values alone: handing records over must not cost more than playing short games."""
        return _record_of, _VALUES(self)


_NAMES = tuple(entry.name for entry in fields(Record))
_VALUES = attrgetter(*_NAMES)


def _record_of(*values: Any) -> Record:
    return Record(**dict(zip(_NAMES, values, strict=True)))


def play_out(game: Game, players: Sequence[Player | str], seed: int, watch: Watch | None = None) -> State:
    """Plays a game to its end; `players`, or the kinds of those of ours, in the order of the ruleset's."""
    state = game.start(seed)
    while state.result is None:
        if not state.options:
            raise RuntimeError(f"turn {state.turn}: the game stands still without a choice")
        if watch is None:
            state.take(_choice(players[state.player], seed, state))
            continue
        with watch.looking_away():
            index = _choice(players[state.player], seed, state)
        watch.takes(state, index)
        state.take(index)
    return state


def _choice(player: Player | str, seed: int, state: State) -> int:
    return choice_of(player, seed, state) if isinstance(player, str) else player.choose(state)


def simulate(
    make_game: MakeGame,
    kinds: Mapping[str, str],
    *,
    games: int,
    seed: int = 0,
    workers: int = 1,
    make_fast: MakeFast | None = None,
    venue: Venue | None = None,
    on_progress: Progress | None = None,
    on_record: Callable[[Record], None] | None = None,
) -> Summary:
    """Plays a series of games. `kinds` says of what kind each player is; those left out play at random.

    With `make_fast`, the fast engine plays; the games are the same. `on_record` is told each game as it is
    finished, which with several workers is in no order. With more than one worker, `make_game` and
    `make_fast` must be picklable: functions of a module, or a `functools.partial` of one. An interrupt from
    the keyboard ends the series early; what was played is still told. `venue` plays elsewhere, such as on
    a cluster, and `workers` is then its own business.

    Raises:
        ValueError: a kind of player or a player's name does not exist.
    """
    game = make_game()
    unknown = sorted(set(kinds) - set(game.seats))
    if unknown:
        raise ValueError(f"there is no player `{unknown[0]}` in this game; there are {', '.join(game.seats)}")
    chosen = tuple(kinds.get(name, "random") for name in game.players)
    series = Series(make_game, make_fast, chosen, seed)
    for kind in series.kinds:
        make_player(kind, 0)

    def begin() -> AbstractContextManager[Iterable[Record]]:
        here = _Given(game, make_fast(game) if make_fast is not None else None)
        if venue is not None:
            return venue(series, game, games)
        return records_of(series, here, games, min(workers, games))

    records, interrupted = gathered(begin, games, on_progress, on_record)
    return summary_of(game, games, records, interrupted)


def gathered(
    begin: Callable[[], AbstractContextManager[Iterable[Record]]],
    games: int,
    on_progress: Progress | None,
    on_record: Callable[[Record], None] | None,
) -> tuple[list[Record], bool]:
    """The games of a series in their order, and whether an interrupt from the keyboard ended it early."""
    records: list[Record] = []
    interrupted = False
    try:
        with begin() as found:
            for record in found:
                records.append(record)
                if on_record is not None:
                    on_record(record)
                if on_progress is not None:
                    on_progress(len(records), games)
    except KeyboardInterrupt:
        interrupted = True
    records.sort(key=lambda record: record.number)
    return records, interrupted


# ---------------------------------------------------------------- playing


@dataclass(frozen=True, slots=True)
class Series:
    """What every game of a series has in common; other processes are handed it."""

    make_game: MakeGame
    make_fast: MakeFast | None
    kinds: tuple[str, ...]
    seed: int

    def hand(self, given: _Given | None = None) -> Hand:
        return Hand(self, given)


class Playing(Protocol):
    """A series, whatever is played in it: what a process needs to know to play its share."""

    def hand(self, given: Any = None) -> Plays: ...


class Plays(Protocol):
    def play(self, numbers: Iterable[int]) -> Iterator[Record]: ...


@dataclass(frozen=True, slots=True)
class _Given:
    """A game, and the same in the fast engine if that plays."""

    game: Game
    fast: FastGame | None

    def runner(self) -> Runner | None:
        """Who plays whole games at random, and looks ahead for players who do."""
        if self.fast is None:
            return None
        look_quickly(self.game, self.fast.runner())
        return self.fast.runner()


class Hand:
    """Plays games of a series, in whichever process; makes the game ready unless that is given."""

    def __init__(self, series: Series, given: _Given | None = None) -> None:
        if given is None:
            game = series.make_game()
            given = _Given(game, series.make_fast(game) if series.make_fast is not None else None)
        self._series, self._game, self._runner = series, given.game, given.runner()

    def play(self, numbers: Iterable[int]) -> Iterator[Record]:
        return (_play(self._game, self._runner, self._series, number) for number in numbers)


#: Another way to play a series: the games 0 to N - 1 as they are finished. Leaving the context ends it.
Venue = Callable[[Series, Game, int], AbstractContextManager[Iterable[Record]]]


@contextmanager
def records_of(series: Playing, here: Any, games: int, workers: int) -> Iterator[Iterable[Record]]:
    """The games as they are finished. Leaving the context ends all processes that still play."""
    if workers <= 1:
        yield series.hand(here).play(range(games))
        return
    context, given = _context(here)
    next_game = context.Value("q", 0)
    size = min(_SHARE, max(1, games // (workers * 16)))
    processes: list[BaseProcess] = []
    readers: list[Connection] = []
    try:
        for _ in range(workers):
            reader, writer = context.Pipe(duplex=False)
            shares = _Shares(next_game, games, size)
            process = context.Process(target=_work, args=(series, given, shares, writer), daemon=True)  # type: ignore[attr-defined]
            process.start()
            writer.close()  # the process has its own; with this one open, its end would not be noticed
            processes.append(process)
            readers.append(reader)
        yield _gathered(readers, games)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()
        for reader in readers:
            reader.close()


def _context(here: Any) -> tuple[BaseContext, Any]:
    """How processes are started, and the game that they find there. A twin of this process has it already.

    Where there are no twins, or other threads run that a twin would lack, processes build it afresh.
    """
    if sys.platform == "linux" and threading.active_count() == 1:
        return get_context("fork"), here
    return get_context("spawn"), None


@dataclass(frozen=True, slots=True)
class _Shares:
    """The numbers of the games that are left, which all processes take from."""

    next_game: Any  # a number in memory that processes share
    games: int
    size: int

    def __iter__(self) -> Iterator[int]:
        while True:
            with self.next_game.get_lock():
                first = self.next_game.value
                self.next_game.value = first + self.size
            if first >= self.games:
                return
            yield from range(first, min(first + self.size, self.games))


def _gathered(readers: list[Connection], games: int) -> Iterator[Record]:
    """What the processes send, as it comes."""
    waiting: list[Connection] = list(readers)
    found = 0
    while found < games:
        for reader in cast("list[Connection]", wait(waiting)):
            try:
                batch: list[Record] = reader.recv()
            except EOFError:
                waiting.remove(reader)
                if not waiting:
                    raise RuntimeError("the processes that play ended before their games did") from None
                continue
            found += len(batch)
            yield from batch


def _work(series: Playing, given: Any, numbers: Iterable[int], writer: Connection) -> None:
    """What a process does: builds the game unless it has it, plays its share, and tells now and then."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # the process that started this one hears it and ends this one
    played: list[Record] = []
    told = monotonic()
    for record in series.hand(given).play(numbers):
        played.append(record)
        if monotonic() - told > _TELL:
            writer.send(played)
            played, told = [], monotonic()
    writer.send(played)
    writer.close()


def _play(game: Game, runner: Runner | None, series: Series, number: int) -> Record:
    watch = Watch(game) if game.code.cover else None
    seats = [game.players.index(name) for name in game.seats]
    try:
        if runner is not None and watch is None and all(kind == "random" for kind in series.kinds):
            runner.play_game(series.seed + number)
            measures, state = runner.measures(), runner.state()
            scores = [runner.score(player) for player in seats] if game.program.score is not None else []
        else:
            state = play_out(game, series.kinds, series.seed + number, watch)
            measures = game.measures(state)
            scores = [score for player in seats if (score := game.score(state, player)) is not None]
    except RuleFailure as failure:
        return Record(number=number, failure=str(failure), seen=_seen(watch))
    except (
        Exception
    ) as problem:  # a fault of the interpreter is told like one of the rules, and the series goes on
        failed = f"{type(problem).__name__}: {problem}"
        return Record(number=number, failure=failed, seen=_seen(watch))
    assert state.result is not None
    return Record(
        number=number, winners=state.winners, lost=state.lost, points=state.ranking, text=state.ending,
        turns=state.turn, choices=state.count,
        scores=tuple(scores), measures=measures,
        hash=state.hash(), seen=_seen(watch),
    )  # fmt: skip


def _seen(watch: Watch | None) -> Seen | None:
    return watch.seen() if watch is not None else None


# ---------------------------------------------------------------- counting


def summary_of(game: Game, games: int, records: list[Record], interrupted: bool) -> Summary:
    finished = [record for record in records if not record.failure]
    failed = [record for record in records if record.failure]
    return Summary(
        games=games,
        played=len(records),
        wins=outcomes_of([(record.winner, "") for record in finished]),
        outcomes=outcomes_of([(record.winner, record.text) for record in finished]),
        points=_points(game, finished),
        turns=_spread([record.turns for record in finished]),
        choices=_spread([record.choices for record in finished]),
        scores=_scores(game, finished),
        measures=_measures(finished),
        failures=len(failed),
        first_failure=failed[0].failure if failed else "",
        interrupted=interrupted,
    )


def outcomes_of(ends: list[tuple[str, str]]) -> tuple[Outcome, ...]:
    counts: dict[tuple[str, str], int] = {}
    for key in ends:
        counts[key] = counts.get(key, 0) + 1
    found = []
    for (winners, text), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        low, high = wilson(count, len(ends))
        share = count / len(ends)
        found.append(Outcome(winners=winners, text=text, count=count, share=share, low=low, high=high))
    return tuple(found)


def _spread(numbers: list[int]) -> Spread | None:
    if not numbers:
        return None
    return Spread(mean=sum(numbers) / len(numbers), low=min(numbers), high=max(numbers))


def _scores(game: Game, records: list[Record]) -> tuple[tuple[str, float], ...]:
    if not records or not records[0].scores:
        return ()
    columns = zip(*(record.scores for record in records), strict=True)
    return tuple((name, sum(column) / len(records)) for name, column in zip(game.seats, columns, strict=True))


def _measures(records: list[Record]) -> tuple[tuple[str, Spread], ...]:
    found: dict[str, list[int]] = {}
    for record in records:
        for title, value in record.measures:
            found.setdefault(title, []).append(value)
    spreads = ((title, _spread(numbers)) for title, numbers in found.items())
    return tuple((title, spread) for title, spread in spreads if spread is not None)


def _points(game: Game, records: list[Record]) -> tuple[tuple[str, Spread], ...]:
    ranked = [dict(record.points) for record in records if record.points]
    spreads = ((name, _spread([points[name] for points in ranked])) for name in game.seats)
    return tuple((name, spread) for name, spread in spreads if spread is not None)


def wilson(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95% interval for a share of which `count` of `total` were seen."""
    if total == 0:
        return 0.0, 1.0
    share, square = count / total, SIGMAS * SIGMAS
    middle = share + square / (2 * total)
    half = SIGMAS * sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    low, high = (middle - half) / scale, (middle + half) / scale
    # Where all or none were seen, the end is exact; the formula is off by a rounding error.
    return (0.0 if count == 0 else low), (1.0 if count == total else high)
