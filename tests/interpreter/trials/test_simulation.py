"""Series of games: the same whoever plays them, and honest about how sure they are."""

from __future__ import annotations

import pickle
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules import load
from interpreter.failures import Limits
from interpreter.machine.game import Game
from interpreter.trials.simulation import Record, simulate, summary_of, wilson

pig = partial(load, "pig", journal=False)
squares = partial(load, "tic-tac-toe", journal=False)


def short_pig() -> Game:
    return load("pig", journal=False, limits=Limits(choices=80))


def test_measures_of_a_series_are_averaged() -> None:
    records = [Record(number=n, measures=(("points", n), ("losses", 4))) for n in range(3)]
    game = load("tic-tac-toe", journal=False)
    found = dict(summary_of(game, 3, records, False).measures)
    assert (found["points"].mean, found["points"].low, found["points"].high) == (1.0, 0, 2)
    assert found["losses"].mean == 4


def test_number_of_workers_does_not_matter() -> None:
    alone = simulate(pig, {"ann": "greedy:1"}, games=9, seed=3)
    assert simulate(pig, {"ann": "greedy:1"}, games=9, seed=3, workers=2) == alone
    assert alone.played == alone.games == 9
    assert not alone.interrupted


def test_a_game_of_a_series_is_handed_over_whole() -> None:
    record = Record(
        number=7, winners=("ann",), lost=True, points=(("ann", 3),), text="3 points", turns=4, choices=9,
        scores=(3, 1), measures=(("coins", 2),), hash="ab", failure="none", stages=(("pig", "ann"),),
    )  # fmt: skip
    assert pickle.loads(pickle.dumps(record)) == record


def test_seed_matters() -> None:
    assert simulate(pig, {}, games=10, seed=1) != simulate(pig, {}, games=10, seed=2)


def test_games_of_a_series_do_not_depend_on_its_length() -> None:
    short, long = (simulate(squares, {}, games=games, seed=5) for games in (1, 40))
    assert short.outcomes[0].winners in {outcome.winners for outcome in long.outcomes}
    assert sum(outcome.count for outcome in long.outcomes) == 40
    assert sum(outcome.share for outcome in long.wins) == pytest.approx(1)


def test_better_player_wins_more() -> None:
    summary = simulate(squares, {"cross": "greedy"}, games=60, seed=1)
    best = summary.wins[0]
    assert best.winners == "cross"
    assert best.low > 0.5
    assert (
        summary.choices is not None
        and 5 <= summary.choices.low <= summary.choices.mean <= summary.choices.high <= 9
    )


def test_wins_are_counted_whatever_the_text() -> None:
    summary = simulate(pig, {}, games=40, seed=1)
    assert {outcome.winners for outcome in summary.wins} == {"ann", "ben"}
    assert len(summary.outcomes) > 2
    assert dict(summary.scores).keys() == {"ann", "ben"}


def test_failures_are_counted_and_the_first_is_told() -> None:
    summary = simulate(short_pig, {}, games=20, seed=1)
    assert 0 < summary.failures < 20
    assert "did not end within 80 choices" in summary.first_failure
    assert sum(outcome.count for outcome in summary.outcomes) == 20 - summary.failures


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupt_tells_what_was_played(workers: int) -> None:
    def interrupt(done: int, total: int) -> None:
        assert total == 1000
        if done == 3:
            raise KeyboardInterrupt

    summary = simulate(squares, {}, games=1000, seed=1, workers=workers, on_progress=interrupt)
    assert summary.interrupted
    assert summary.played == 3


def test_no_game_is_a_series_too() -> None:
    summary = simulate(squares, {}, games=0, seed=1, workers=4)
    assert (summary.played, summary.outcomes, summary.turns) == (0, (), None)


def test_unknown_player_or_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no player `circle` in this game; there are cross, nought"):
        simulate(squares, {"circle": "random"}, games=1, seed=1)
    with pytest.raises(ValueError, match="the kinds are"):
        simulate(squares, {"cross": "clever"}, games=1, seed=1)


@given(total=st.integers(1, 10**6), part=st.floats(0, 1))
def test_interval_holds_the_share(total: int, part: float) -> None:
    count = round(total * part)
    low, high = wilson(count, total)
    assert 0 <= low <= count / total <= high <= 1


def test_interval_is_the_published_one() -> None:
    assert list(wilson(10, 20)) == pytest.approx([0.2993, 0.7007], abs=1e-4)
    assert list(wilson(0, 10)) == pytest.approx([0, 0.2775], abs=1e-4)
