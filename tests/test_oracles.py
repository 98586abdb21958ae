"""Self-checks of the oracles in `tests/oracles` and of the opponents in `benchmarks/opponents`.

Each is held against a published number, against exact arithmetic, or against a second program of another
build. Leaves out the interpreter: these checks must hold before anything is compared with it.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from types import ModuleType
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.opponents import (
    plain_breakthrough,
    plain_connect_four,
    plain_tictactoe,
    tables_breakthrough,
    tables_connect_four,
    tables_tictactoe,
    tuned_breakthrough,
    tuned_connect_four,
    tuned_tictactoe,
)
from tests.looping import each
from tests.oracles import breakthrough, connect_four, hex_game, kuhn, pig, reversi, tictactoe

Item = TypeVar("Item")

OPPONENTS = [
    plain_breakthrough,
    plain_connect_four,
    plain_tictactoe,
    tables_breakthrough,
    tables_connect_four,
    tables_tictactoe,
    tuned_breakthrough,
    tuned_connect_four,
    tuned_tictactoe,
]
SEEDS = st.integers(min_value=0, max_value=2**32)


class SharedStream(random.Random):
    """Chooses the way the faster games do, so that all take the same moves from the same seed."""

    def choice(self, seq: Sequence[Item]) -> Item:  # type: ignore[override]
        return seq[int(self.random() * len(seq))]


def test_tictactoe_has_the_published_number_of_games_and_positions() -> None:
    games = tictactoe.count_games()
    assert games == {0: 131184, 1: 77904, None: 46080}
    assert games.total() == 255168
    assert len(tictactoe.reachable_positions()) == 5478


def test_tictactoe_sequences_multiply_until_the_first_line_is_possible() -> None:
    assert [tictactoe.perft(depth) for depth in range(7)] == [1, 9, 72, 504, 3024, 15120, 54720]


def test_connect_four_has_the_published_number_of_positions_at_each_ply() -> None:
    counts = [connect_four.position_count(depth) for depth in range(7)]
    assert counts == list(connect_four.POSITION_COUNTS[:7])


def test_connect_four_sequence_counts_hold() -> None:
    assert [connect_four.perft(depth) for depth in (0, 1, 2, 4, 7)] == [1, 7, 49, 2401, 823536]


@pytest.mark.parametrize("moves", ["0010203", "0101010", "01122323363", "65544343303", "60101010"])
def test_connect_four_finds_a_line_in_each_direction(moves: str) -> None:
    position = connect_four.START
    for column in moves:
        assert connect_four.winner(position) is None
        position = connect_four.play(position, int(column))
    assert connect_four.winner(position) == (len(moves) - 1) % 2
    assert connect_four.legal_moves(position) == []


def test_breakthrough_counts_agree_with_a_recursion_over_the_plain_game() -> None:
    def sequences(game: plain_breakthrough.Game, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in game.legal_moves() if game.winner() is None else []:
            following = plain_breakthrough.Game(
                board=dict(game.board), player=game.player, pawns=[*game.pawns]
            )
            following.apply(move)
            total += sequences(following, depth - 1)
        return total

    counts = [sequences(plain_breakthrough.Game(), depth) for depth in range(4)]
    assert (
        counts == [breakthrough.perft(depth) for depth in range(4)] == list(breakthrough.SEQUENCE_COUNTS[:4])
    )
    assert breakthrough.perft(4) == breakthrough.SEQUENCE_COUNTS[4]


def test_reversi_has_the_published_number_of_sequences() -> None:
    assert [reversi.perft(depth) for depth in range(5)] == list(reversi.SEQUENCE_COUNTS[:5])
    assert reversi.perft(7) == 55092


def test_reversi_ends_in_nine_moves_when_one_side_is_wiped_out() -> None:
    position = reversi.START
    for name in "e6 f4 e3 f6 g5 d6 e7 f5 c5".split():
        move = (int(name[1]) - 1, "abcdefgh".index(name[0]))
        assert move in reversi.legal_moves(position)
        position = reversi.play(position, move)
    assert reversi.legal_moves(position) == []
    assert reversi.score(position) == (13, 0)
    assert reversi.winner(position) == 0


def test_reversi_player_without_a_placement_passes_and_only_then() -> None:
    discs = (frozenset({(0, 0)}), frozenset({(0, 1)}))
    stuck = reversi.Position(discs=discs, player=1)
    assert reversi.legal_moves(stuck) == [None]
    assert reversi.legal_moves(reversi.play(stuck, None)) == [(0, 2)]


@given(seed=SEEDS)
@settings(max_examples=5, deadline=None)
def test_reversi_random_game_adds_one_disc_a_placement_and_ends_with_nobody_able_to_move(seed: int) -> None:
    rng = random.Random(seed)
    position = reversi.START
    while moves := reversi.legal_moves(position):
        move = rng.choice(moves)
        before = sum(reversi.score(position))
        position = reversi.play(position, move)
        assert sum(reversi.score(position)) == before + (move is not None)
        assert not position.discs[0] & position.discs[1]
    assert reversi.legal_moves(reversi.Position(discs=position.discs, player=1 - position.player)) == []


@given(size=st.integers(min_value=1, max_value=7), seed=SEEDS)
@settings(max_examples=30, deadline=None)
def test_hex_filled_board_has_exactly_one_winner(size: int, seed: int) -> None:
    rng = random.Random(seed)
    board = {(row, column): rng.randrange(2) for row in range(size) for column in range(size)}
    assert hex_game.joins_sides(board, size, 0) != hex_game.joins_sides(board, size, 1)
    mirrored = {(column, row): 1 - owner for (row, column), owner in board.items()}
    winner = hex_game.winner(board, size)
    assert winner is not None
    assert hex_game.winner(mirrored, size) == 1 - winner


def test_hex_corner_of_the_long_diagonal_does_not_join() -> None:
    assert hex_game.winner({(0, 0): 0, (1, 1): 0}, 2) is None
    assert hex_game.winner({(0, 1): 0, (1, 0): 0}, 2) == 0
    assert hex_game.winner({(0, 1): 1, (1, 0): 1}, 2) == 1


def test_hex_has_the_published_number_of_sequences_on_four_cells() -> None:
    assert [hex_game.perft(2, depth) for depth in range(6)] == [1, 4, 12, 24, 12, 0]


def test_pig_turn_has_the_published_probabilities() -> None:
    published = {
        0: 0.624541,
        20: 0.099713,
        21: 0.094991,
        22: 0.074189,
        23: 0.054196,
        24: 0.035198,
        25: 0.017173,
    }
    assert {points: round(float(chance), 6) for points, chance in pig.turn_outcomes().items()} == published


@given(score=st.integers(min_value=0, max_value=99), hold_at=st.integers(min_value=1, max_value=30))
@settings(max_examples=10, deadline=None)
def test_pig_turn_probabilities_sum_to_one_and_stop_when_the_game_is_won(score: int, hold_at: int) -> None:
    outcomes = pig.turn_outcomes(score=score, hold_at=hold_at)
    enough = min(hold_at, 100 - score)
    assert sum(outcomes.values()) == 1
    assert all(points == 0 or enough <= points <= enough + 5 for points in outcomes)
    assert sum(pig.turn_probability(points, score=score, hold_at=hold_at) for points in range(40)) == 1


def test_pig_first_player_wins_as_often_as_simulated() -> None:
    rng = random.Random(20)
    points, weights = zip(
        *((points, float(chance)) for points, chance in pig.turn_outcomes().items()), strict=True
    )
    assert pig.first_player_wins(hold_at=1, target=1) == pytest.approx(6 / 7)

    def first_player_won() -> bool:
        # With a target of 20 a turn either wins or scores nothing: holding and winning coincide.
        player = 0
        while rng.choices(points, weights)[0] == 0:
            player = 1 - player
        return player == 0

    wins = sum(first_player_won() for _ in range(4000))
    assert wins / 4000 == pytest.approx(pig.first_player_wins(target=20), abs=0.025)


@given(alpha=st.fractions(min_value=0, max_value=Fraction(1, 3), max_denominator=60))
@settings(max_examples=8, deadline=None)
def test_kuhn_equilibria_have_the_published_value_and_nobody_gains_by_leaving_them(alpha: Fraction) -> None:
    first = kuhn.first_equilibrium(alpha)
    assert kuhn.expected_gain(first, kuhn.SECOND_EQUILIBRIUM) == kuhn.VALUE == Fraction(-1, 18)
    assert kuhn.least_gain_against(first) == kuhn.VALUE
    assert kuhn.best_gain_against(kuhn.SECOND_EQUILIBRIUM) == kuhn.VALUE


def test_kuhn_player_outside_the_family_can_be_exploited() -> None:
    never = (Fraction(0), Fraction(0), Fraction(0))
    assert kuhn.least_gain_against(kuhn.First(bet=never, call=never)) < kuhn.VALUE
    with pytest.raises(ValueError, match="between 0 and 1/3"):
        kuhn.first_equilibrium(Fraction(1, 2))


@pytest.mark.parametrize("module", OPPONENTS)
def test_opponent_repeats_itself_from_the_same_seed_and_can_be_copied(module: ModuleType) -> None:
    assert module.playouts(20, 3) == module.playouts(20, 3)
    assert module.playouts(20, 3).total() == 20
    game = module.copyable()
    assert copy.deepcopy(game) == game
    assert copy.deepcopy(game) is not game


@pytest.mark.parametrize("module", [plain_tictactoe, tuned_tictactoe, tables_tictactoe])
def test_tictactoe_opponent_wins_as_often_as_exact_odds_say(module: ModuleType) -> None:
    results: Counter[int | None] = module.playouts(2000, 11)
    for result, odds in each(tictactoe.random_play_odds().items()):
        assert results[result] / 2000 == pytest.approx(float(odds), abs=0.04)


@pytest.mark.parametrize(
    ("module", "published"),
    [
        (tuned_tictactoe, 0.6484),
        (tables_tictactoe, 0.6484),
        (tuned_connect_four, 0.5572),
        (tables_connect_four, 0.5572),
        (tuned_breakthrough, 0.5092),
        (tables_breakthrough, 0.5092),
    ],
)
def test_first_player_of_random_games_scores_as_published(module: ModuleType, published: float) -> None:
    # Published with the sequence counts of `tests/oracles/connect_four.py`; a draw scores one half.
    results: Counter[int | None] = module.playouts(800, 4)
    assert (results[0] + results[None] / 2) / 800 == pytest.approx(published, abs=0.05)


@pytest.mark.parametrize(
    ("plain", "faster"),
    [
        (plain_tictactoe, tuned_tictactoe),
        (plain_tictactoe, tables_tictactoe),
        (plain_connect_four, tuned_connect_four),
        (plain_connect_four, tables_connect_four),
    ],
)
def test_plain_and_faster_opponents_play_the_same_games_from_the_same_stream(
    plain: ModuleType, faster: ModuleType
) -> None:
    plain_stream, faster_stream = SharedStream(5), SharedStream(5)
    for _ in range(200):
        assert plain.playout(plain_stream) == faster.playout(faster_stream)
        assert plain_stream.getstate() == faster_stream.getstate()


@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_plain_connect_four_follows_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    game, position = plain_connect_four.Game(), connect_four.START
    while moves := connect_four.legal_moves(position):
        assert game.legal_moves() == moves
        move = rng.choice(moves)
        game.apply(move)
        position = connect_four.play(position, move)
        assert game.winner() == connect_four.winner(position)


def _bit_rows(position: breakthrough.Position, player: int) -> list[int]:
    rows = [0] * 8
    for row, column in position.pawns[player]:
        rows[row] |= 1 << column
    return rows


def _tables_breakthrough_moves(position: breakthrough.Position) -> list[breakthrough.Move]:
    """The moves of the version with tables, in its own order."""
    mine, theirs = (_bit_rows(position, player) for player in (position.player, 1 - position.player))
    return [
        ((row, source.bit_length() - 1), (row_entered, target.bit_length() - 1))
        for row, source, row_entered, target in tables_breakthrough.legal_moves(mine, theirs, position.player)
    ]


def _tuned_breakthrough_moves(
    position: breakthrough.Position, order: Sequence[int]
) -> list[breakthrough.Move]:
    """The tuned version's moves, in its own order, which is that of its list of pawns."""
    board = [2] * 64 + [3]
    for player in (0, 1):
        for row, column in position.pawns[player]:
            board[8 * row + column] = player
    ahead = tuned_breakthrough.AHEAD[position.player]
    moves = tuned_breakthrough.legal_moves(board, list(order), ahead, 1 - position.player)
    return [(divmod(source, 8), divmod(target, 8)) for source, target in moves]


@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_plain_breakthrough_and_that_with_tables_follow_the_oracle(seed: int) -> None:
    stream = SharedStream(seed)
    game, position = plain_breakthrough.Game(), breakthrough.START
    while moves := breakthrough.legal_moves(position):
        faster_moves = _tables_breakthrough_moves(position)
        assert sorted(game.legal_moves()) == sorted(faster_moves) == moves
        move = stream.choice(faster_moves)
        game.apply(move)
        position = breakthrough.play(position, move)
        assert game.winner() == breakthrough.winner(position)
    # The same stream again: the whole random game, which plays its moves in place, must end the same way.
    assert tables_breakthrough.playout(random.Random(seed)) == breakthrough.winner(position)


@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_tuned_breakthrough_follows_the_oracle(seed: int) -> None:
    stream = SharedStream(seed)
    position = breakthrough.START
    pawns = [list(range(16)), list(range(48, 64))]
    while moves := breakthrough.legal_moves(position):
        mine, theirs = pawns[position.player], pawns[1 - position.player]
        tuned_moves = _tuned_breakthrough_moves(position, mine)
        assert sorted(tuned_moves) == moves
        move = stream.choice(tuned_moves)
        source, target = (8 * row + column for row, column in move)
        mine[mine.index(source)] = target
        if target in theirs:
            theirs.remove(target)
        position = breakthrough.play(position, move)
    assert tuned_breakthrough.playout(random.Random(seed)) == breakthrough.winner(position)


def test_breakthrough_ends_when_the_last_pawn_is_captured() -> None:
    position = breakthrough.Position(pawns=(frozenset({(3, 3)}), frozenset({(4, 4)})), player=0)
    assert breakthrough.winner(breakthrough.play(position, ((3, 3), (4, 4)))) == 0
    game = plain_breakthrough.Game(board={(3, 3): 0, (4, 4): 1}, pawns=[1, 1])
    game.apply(((3, 3), (4, 4)))
    assert game.winner() == 0


def test_midgame_of_all_breakthrough_opponents_is_one_legal_position() -> None:
    position = breakthrough.START
    for move in plain_breakthrough.MIDGAME:
        assert move in breakthrough.legal_moves(position)
        position = breakthrough.play(position, move)
    plain, tables = plain_breakthrough.copyable(), tables_breakthrough.copyable()
    tuned = tuned_breakthrough.copyable()
    for player in (0, 1):
        assert position.pawns[player] == {square for square, owner in plain.board.items() if owner == player}
        assert _bit_rows(position, player) == tables.rows[player]
        assert position.pawns[player] == {divmod(square, 8) for square in tuned.pawns[player]}
        assert tuned.board.count(player) == len(tuned.pawns[player])
    assert plain.pawns == tables.pawns == [len(side) for side in tuned.pawns]
    assert breakthrough.winner(position) is None


def test_midgame_of_all_tictactoe_opponents_is_one_unfinished_position() -> None:
    plain, tables, tuned = plain_tictactoe.copyable(), tables_tictactoe.copyable(), tuned_tictactoe.copyable()
    assert plain.winner() is None
    for player in (0, 1):
        owned = [3 * row + column for (row, column), owner in plain.board.items() if owner == player]
        assert tables.sides[player] == sum(1 << cell for cell in owned)
        assert [cell for cell in range(9) if tuned.board[cell] == player] == sorted(owned)


def test_midgame_of_all_connect_four_opponents_is_one_unfinished_position() -> None:
    plain, tables = plain_connect_four.copyable(), tables_connect_four.copyable()
    tuned = tuned_connect_four.copyable()
    assert plain.legal_moves() == tables.open_columns
    assert plain.legal_moves() == [cell % 7 for cell in tuned.free if cell < 42]
    for player in (0, 1):
        owned = [cell for cell, owner in plain.board.items() if owner == player]
        assert tables.sides[player] == sum(1 << 7 * column + row for row, column in owned)
        assert sorted(owned) == [divmod(cell, 7) for cell in range(42) if tuned.board[cell] == player]
    position = connect_four.START
    for column in plain_connect_four.MIDGAME:
        assert column in connect_four.legal_moves(position)
        position = connect_four.play(position, column)
    assert connect_four.legal_moves(position)
