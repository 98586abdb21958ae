"""Who plays with whom, and what the end of a game is to each."""

from __future__ import annotations

import pytest

from ddob_rules import load
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.sides import DRAWN, LOST, WON, Sides
from interpreter.trials.simulation import play_out
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.glances import look_quickly
from tests.interpreter.toys import BLIND_FLOOD, DESERT, FLOOD, HARVEST, SIEGE, TEAMS, TOYS
from tests.running import play


def ended(game: Game, winners: int, *, lost: bool = False, ranked: bool = False) -> State:
    """A game that is over, by a sentence of this sort."""
    state = game.start(1)
    sorts = [(ending.lost, bool(ending.ranking)) for ending in game.endings]
    state.result = (winners, sorts.index((lost, ranked)), ())
    return state


def fates(game: Game, state: State) -> list[int]:
    sides = Sides(game, game.start(1))
    return [sides.fate(state, number) for number in range(len(game.players))]


def test_what_all_have_lost_is_lost_and_what_all_have_won_is_won() -> None:
    game = play(FLOOD, journal=False)
    assert fates(game, ended(game, 0, lost=True)) == [LOST] * 3
    assert fates(game, ended(game, 0b111)) == [WON] * 3
    assert fates(game, game.start(1)) == [DRAWN] * 3


def test_against_each_other_one_wins_or_it_is_a_draw() -> None:
    game = load("tic-tac-toe", journal=False)
    assert fates(game, ended(game, 0b01)) == [WON, LOST]
    assert fates(game, ended(game, 0)) == [DRAWN, DRAWN]


def test_a_team_wins_and_a_first_place_that_is_shared_is_a_draw() -> None:
    game = play(TEAMS, journal=False)
    assert fates(game, ended(game, 0b0101, ranked=True)) == [WON, LOST, WON, LOST]
    assert fates(game, ended(game, 0b1111, ranked=True)) == [DRAWN] * 4


@pytest.mark.parametrize(
    ("rules", "own", "foes"),
    [
        (FLOOD, [0b111] * 3, [0] * 3),
        (SIEGE, [0b01, 0b10], [0b10, 0b01]),
        (TEAMS, [0b0101, 0b1010] * 2, [0b1010, 0b0101] * 2),
    ],
)
def test_sides_are_teams_or_all_who_win_and_lose_together(
    rules: str, own: list[int], foes: list[int]
) -> None:
    game = play(rules, journal=False)
    sides = Sides(game, game.start(1))
    assert (sides.own, sides.foes) == (own, foes)


def test_a_score_that_is_the_same_for_all_counts_by_itself() -> None:
    game = play(DESERT, journal=False)
    state = game.start(1)
    sides = Sides(game, state)
    assert sides.foes == [0, 0]
    before = sides.lead(state, 0)
    assert sides.lead(state.apply("run()"), 0) == before + 4 - 3


def test_scores_count_for_the_side_and_against_the_other() -> None:
    game = play(TEAMS, journal=False)
    state = game.start(1)
    sides = Sides(game, state)
    before = [sides.lead(state, number) for number in range(4)]
    after = state.apply("give(cid)")
    assert [sides.lead(after, number) - old for number, old in enumerate(before)] == [4, -4, 4, -4]


@pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")
@pytest.mark.parametrize("name", sorted(TOYS))
def test_both_engines_weigh_and_choose_the_same(name: str) -> None:
    slow, quick = (play(TOYS[name], journal=False) for _ in range(2))
    look_quickly(quick, FastGame(quick).runner())
    for kind in ("greedy", "search:12"):
        kinds = [kind] * len(slow.players)
        assert play_out(quick, kinds, 3).choices == play_out(slow, kinds, 3).choices


def won(rules: str, kind: str, games: int) -> int:
    game = play(rules, journal=False)
    if host.available():
        look_quickly(game, FastGame(game).runner())
    kinds = [kind] * len(game.players)
    return sum(bool(play_out(game, kinds, seed).winners) for seed in range(games))


@pytest.mark.parametrize("rules", [FLOOD, BLIND_FLOOD, DESERT])
def test_search_wins_together_where_players_at_random_mostly_lose(rules: str) -> None:
    assert won(rules, "random", 12) <= 8
    assert won(rules, "search:60", 12) >= 9


@pytest.mark.parametrize("kind", ["greedy", "search:40"])
def test_who_plays_alone_for_points_does_not_end_the_game_to_win_it(kind: str) -> None:
    game = play(HARVEST, journal=False)
    assert fates(game, ended(game, 0b1, ranked=True)) == [DRAWN]
    barns = [dict(play_out(game, [kind], seed).ranking)["ann"] for seed in range(6)]
    chance = [dict(play_out(game, ["random"], seed).ranking)["ann"] for seed in range(6)]
    assert min(barns) >= 6 and sum(barns) > sum(chance)
