"""A large game, as random games play it: choices and copies per second, growth, and where the time goes."""

from __future__ import annotations

import copy
import random
from functools import partial
from statistics import median

from benchmarks.rules_profile import Looks, can_look, profiled, profiled_fast
from benchmarks.series import by_choices, per_choice, taking_turns, timed
from benchmarks.timing import Row, Sizes, interleaved, ratio, repeated
from ddob_rules import load
from interpreter.compiler.compile import compile_program
from interpreter.failures import Limits
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.wasm import host

SCENARIO = "first-waves"
WHOLE = "all its time"  # what a share is a share of
_MIDGAME = 100  # choices before a position is copied
_FAST_GAMES = 20  # of the fast engine for one of the other
_TOP = 8  # rules that are named
_MOST_ROUNDS = 5  # a round is several whole games


def measure(sizes: Sizes) -> list[Row]:
    """Rows for choices, copies, growth and rules."""
    game = load(SCENARIO, journal=False)
    rows = [*_choices(game, sizes), _copies(game, sizes), _growth(game, sizes)]
    if can_look():
        rows += _rules(profiled(game, partial(_play_all, game, sizes.games)), "")
    if host.available():
        games = _FAST_GAMES * sizes.games  # as long as those of the other engine
        rows += _rules(profiled_fast(game, lambda runner: runner.play_many(games, 1)), ", fast engine")
    return rows


def forgetful(game: Game) -> Game:
    """The same game, which works out every definition anew whenever somebody asks."""
    code = compile_program(game.program, journal=False, remember=False)
    limits = Limits(steps=10**9)  # it takes many more than a game that remembers
    return Game(game.program, game.scenario, code, options=game.options, limits=limits)


def midgame(game: Game) -> State:
    """A position after many random choices."""
    rng = random.Random(2)
    state = game.start(0)
    for _ in range(_MIDGAME):
        state.apply(rng.randrange(len(state.options)))
    assert state.result is None
    return state


def _choices(game: Game, sizes: Sizes) -> list[Row]:
    rounds = min(_MOST_ROUNDS, sizes.rounds)
    found = taking_turns(
        {
            "ours": by_choices(game),
            "forgetful": by_choices(forgetful(game)),
        },
        rounds,
        max(1, sizes.games // (2 * rounds)),
    )
    against = {"forgetful": "with nothing remembered"}
    return [
        Row(
            subject=f"choices of random games of {SCENARIO} per second",
            against=words,
            ratio=ratio(found[key], found["ours"]),
            wanted="as it is",
            machine=f"{1 / median(found['ours']):,.0f} to {1 / median(found[key]):,.0f} choices/s",
        )
        for key, words in against.items()
    ]


def _copies(game: Game, sizes: Sizes) -> Row:
    state = midgame(game)
    data = state.data()
    found = interleaved({"ours": repeated(state.copy), "data": repeated(lambda: copy.deepcopy(data))}, sizes)
    return Row(
        subject=f"copies of a position of {SCENARIO} per second",
        against="deepcopy of its data",
        ratio=ratio(found["data"], found["ours"]),
        wanted="at least 50",
        machine=f"{1 / median(found['ours']):,.0f} to {1 / median(found['data']):,.0f} copies/s",
    )


def _growth(game: Game, sizes: Sizes) -> Row:
    """The longest third of random games against the shortest; both were played in turn, as they came."""
    play = by_choices(game)
    games = [timed(play, seed) for seed in range(max(3, sizes.games))]
    games.sort(key=lambda played: played.choices)
    third = len(games) // 3
    short, long = games[:third], games[-third:]
    lengths = [sum(played.choices for played in part) // third for part in (long, short)]
    times = [per_choice(part) * 1e6 for part in (long, short)]
    return Row(
        subject=f"a choice in the longest third of {len(games)} random games of {SCENARIO}",
        against="in the shortest third",
        ratio=times[0] / times[1],
        wanted="about 1",
        machine=f"{times[0]:.0f} to {times[1]:.0f} microseconds; {lengths[0]} to {lengths[1]} choices",
    )


def _play_all(game: Game, games: int) -> None:
    play = by_choices(game)
    for seed in range(games):
        play(seed)


def _rules(looks: Looks, engine: str) -> list[Row]:
    """Shares of the time: of listing options, and of the rules that take most of it.

    Which rules these are changes from run to run, so no row is called by them.
    """
    total = max(1, looks.total)
    rows = [_share(f"listing options{engine}", looks.listing, total, "below 0.5")]
    for number, (rule, count) in enumerate(looks.rules.most_common(_TOP), 1):
        what = f"the rule that takes most, number {number}{engine}"
        which = f"rule {rule}, {looks.function(rule)}: "
        rows.append(_share(what, count, total, "as it is", which))
    return rows


def _share(what: str, count: int, total: int, wanted: str, which: str = "") -> Row:
    return Row(
        subject=f"time of {SCENARIO} in {what}",
        against=WHOLE,
        ratio=count / total,
        wanted=wanted,
        machine=f"{which}{count:,} of {total:,} looks",
    )
