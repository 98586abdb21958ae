"""The classics against facts known from elsewhere: counts, exact odds, and oracles of plain Python."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules import load
from ddob_rules.loading import load_game
from interpreter.machine.choice import Option
from interpreter.machine.game import Game
from interpreter.machine.state import State
from tests.oracles import breakthrough, connect_four, hex_game, kuhn, pig, reversi, tictactoe
from tests.looping import each

CLASSICS = ("tic-tac-toe", "connect-four", "breakthrough", "hex", "reversi", "pig", "kuhn-poker")
VARIANTS = ("misere-tic-tac-toe", "connect-five", "small-breakthrough")
HEX_SIZE = 11
ROOT = Path(__file__).parents[2]


@cache
def game_of(name: str) -> Game:
    return load(name, journal=False)


def played(name: str, *keys: str, seed: int = 0) -> State:
    """The position after these options were taken, each given by its key or its label."""
    state = game_of(name).start(seed=seed)
    for key in keys:
        state.apply(key)
    return state


def keys_of(state: State) -> list[str]:
    return [option.key for option in state.choice.options] if state.choice is not None else []


def winner_of(state: State) -> int | None:
    """The number of the only winner; None for a draw, and while the game lasts."""
    players = state.game.players
    return players.index(state.winners[0]) if len(state.winners) == 1 else None


def at_random(state: State, seed: int) -> Iterator[State]:
    """The state at every choice of a random game, and at its end."""
    generator = random.Random(seed)
    while not state.over:
        yield state
        state.take(generator.randrange(len(state.options)))
    yield state


# ---------------------------------------------------------------- what all of them share


@pytest.mark.parametrize("name", [*CLASSICS, *VARIANTS])
def test_rules_and_data_have_no_findings(name: str) -> None:
    assert load_game(name).problems == []


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_has_titles_texts_reasons_and_two_examples(name: str) -> None:
    loaded = load_game(name)
    assert loaded.checked is not None and loaded.checked.program is not None
    program = loaded.checked.program
    assert all(rule.title and rule.text for rule in program.rules)
    assert all(condition.reason is not None for action in program.actions for condition in action.conditions)
    assert len(loaded.checked.books[-1].examples) >= 2


@pytest.mark.parametrize("name", [*CLASSICS, *VARIANTS])
def test_every_choice_of_a_game_survives_being_written_and_read(name: str) -> None:
    game = game_of(name)
    looked_at = 0
    for seed in range(2):
        for state in at_random(game.start(seed=seed), seed):
            looked_at += 1
            again = game.from_json(state.to_json())
            assert again == state
            assert keys_of(again) == keys_of(state)
            assert again.choices == state.choices
    assert looked_at > 2


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.sampled_from(CLASSICS), st.integers(0, 10**6), st.integers(0, 40))
def test_a_game_that_was_read_goes_on_like_the_one_written(name: str, seed: int, stop: int) -> None:
    game = game_of(name)
    first = game.start(seed=seed)
    for number, _ in enumerate(at_random(first, seed)):
        if number == stop:
            break
    second = game.from_json(first.to_json())
    ends = [list(at_random(state, seed + 1))[-1] for state in (first, second)]
    assert ends[0].hash() == ends[1].hash()


def test_a_game_goes_on_in_another_process() -> None:
    state = game_of("kuhn-poker").start(seed=11)
    state.apply("check()")
    program = (
        "import sys; from ddob_rules import load; "
        "state = load('kuhn-poker', journal=False).from_json(sys.stdin.read()); "
        "state.apply('bet()').apply('call()'); print(state.hash(), *state.winners)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, input=state.to_json(), capture_output=True, text=True, check=True, cwd=ROOT
    )
    state.apply("bet()").apply("call()")
    assert done.stdout.split() == [state.hash(), *state.winners]


@pytest.mark.parametrize(
    ("name", "keys", "refused", "reason"),
    [
        ("tic-tac-toe", ["mark(b2)"], ("mark", "b2"), "the cell is already marked (2)"),
        ("connect-four", ["drop(a1)"] * 6, ("drop", "a1"), "the column is full (2)"),
        ("connect-four", [], ("drop", "a6"), "a disc is dropped in at the top (2)"),
        ("breakthrough", [], ("move", "b9", "a3"), "it is not your pawn (2)"),
        ("breakthrough", [], ("move", "w1", "a5"), "a pawn moves one row ahead (2)"),
        ("breakthrough", [], ("move", "w9", "a7"), "your own pawn stands there (2)"),
        ("hex", ["place(f6)"], ("place", "f6"), "there is a stone already (2)"),
        ("reversi", [], ("place", "d4"), "the square is taken (2)"),
        ("reversi", [], ("place", "e3"), "no enemy disc would be turned (3)"),
        ("pig", [], ("hold",), "roll first (2)"),
        ("kuhn-poker", [], ("call",), "there is no bet (3)"),
        ("kuhn-poker", ["bet()"], ("check",), "a bet must be called, or folded to (3)"),
        ("kuhn-poker", ["bet()"], ("bet",), "a bet is not raised (3)"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(
    name: str, keys: list[str], refused: tuple[str, ...], reason: str
) -> None:
    assert str(played(name, *keys).why_not(*refused)) == reason


def test_a_straight_capture_is_refused() -> None:
    moves = ["a7 to a6", "h2 to h3", "a6 to a5", "h3 to h4", "a5 to a4", "h4 to h5", "a4 to a3", "h5 to h6"]
    state = played("breakthrough", *moves)
    assert str(state.why_not("move", "w1", "a2")) == "a pawn captures only diagonally (3)"
    assert state.why_not("move", "w1", "b2") is None


# ---------------------------------------------------------------- agreement with the oracles


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """A second opinion on a game, and how to read an option as one of its moves."""

    start: Any
    legal_moves: Callable[[Any], list[Any]]
    play: Callable[[Any, Any], Any]
    winner: Callable[[Any], int | None]
    read: Callable[[Option], Any]


def place_of(name: str) -> tuple[int, int]:
    """The row and column of a space, from 0."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def _only_place(option: Option) -> tuple[int, int]:
    return place_of(str(option.arguments[0]))


def _tictactoe_move(option: Option) -> int:
    row, column = _only_place(option)
    return 3 * row + column


def _breakthrough_move(option: Option) -> breakthrough.Move:
    (start_row, start), (end_row, end) = map(place_of, option.label.split(" to "))
    return (7 - start_row, start), (7 - end_row, end)


def _hex_move(option: Option) -> hex_game.Cell:
    row, column = _only_place(option)
    return row, column - row // 2  # every other row of the sheet begins one column further


def _play_hex(board: dict[hex_game.Cell, int], cell: hex_game.Cell) -> dict[hex_game.Cell, int]:
    return {**board, cell: len(board) % 2}


ORACLES = {
    "tic-tac-toe": Oracle(
        start=tictactoe.START, legal_moves=tictactoe.legal_moves, play=tictactoe.play,
        winner=tictactoe.winner, read=_tictactoe_move,
    ),
    "connect-four": Oracle(
        start=connect_four.START, legal_moves=connect_four.legal_moves, play=connect_four.play,
        winner=connect_four.winner, read=lambda option: _only_place(option)[1],
    ),
    "breakthrough": Oracle(
        start=breakthrough.START, legal_moves=breakthrough.legal_moves, play=breakthrough.play,
        winner=breakthrough.winner, read=_breakthrough_move,
    ),
    "hex": Oracle(
        start={}, legal_moves=lambda board: hex_game.legal_moves(board, HEX_SIZE), play=_play_hex,
        winner=lambda board: hex_game.winner(board, HEX_SIZE), read=_hex_move,
    ),
    "reversi": Oracle(
        start=reversi.START, legal_moves=reversi.legal_moves, play=reversi.play, winner=reversi.winner,
        read=lambda option: None if option.key == "pass" else _only_place(option),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ORACLES)
@settings(derandomize=True, deadline=None, max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_moves_and_winner_of_a_game_are_those_of_the_oracle(name: str, seed: int) -> None:
    oracle = ORACLES[name]
    generator = random.Random(seed)
    state, position = game_of(name).start(), oracle.start
    while state.choice is not None:
        moves = [oracle.read(option) for option in state.choice.options]
        assert sorted(moves, key=repr) == sorted(oracle.legal_moves(position), key=repr)
        index = generator.randrange(len(moves))
        state.take(index)
        position = oracle.play(position, moves[index])
    assert oracle.legal_moves(position) == []
    assert winner_of(state) == oracle.winner(position)


def sequence_count(state: State, depth: int) -> int:
    """The number of sequences of this many choices; those of the last are counted, not taken."""
    if depth == 1:
        return len(state.options)
    total = 0
    for index in range(len(state.options)):
        following = state.copy()
        following.take(index)
        total += sequence_count(following, depth - 1)
    return total


@pytest.mark.parametrize(
    ("name", "counts", "deepest"),
    [
        ("connect-four", connect_four.SEQUENCE_COUNTS, 7),
        ("breakthrough", breakthrough.SEQUENCE_COUNTS, 4),
        ("reversi", reversi.SEQUENCE_COUNTS, 7),
    ],
)
def test_move_sequences_by_depth_are_as_many_as_published(
    name: str, counts: tuple[int, ...], deepest: int
) -> None:
    start = game_of(name).start()
    found = [sequence_count(start, depth) for depth in range(1, deepest + 1)]
    assert found == list(counts[1 : deepest + 1])


# ---------------------------------------------------------------- tic-tac-toe, all of it


def test_every_line_of_tic_tac_toe_agrees_with_the_oracle() -> None:
    start = game_of("tic-tac-toe").start()
    assert start.choice is not None
    assert [_tictactoe_move(option) for option in start.choice.options] == list(range(9))
    # The cells are numbered like the oracle's, so a raw option (action, cell) can be compared as it is.
    assert start.options == [(0, cell) for cell in range(9)]
    winner, legal_moves = cache(tictactoe.winner), cache(tictactoe.legal_moves)
    results: Counter[int | None] = Counter()

    def walk(state: State, board: str) -> None:
        assert [cell for _, cell in state.options] == legal_moves(board)
        if state.over:
            assert winner_of(state) == winner(board)
            results[winner(board)] += 1
        for index, (_, cell) in enumerate(state.options):
            following = state.copy()
            following.take(index)
            walk(following, tictactoe.play(board, cell))

    walk(start, tictactoe.START)
    assert results == tictactoe.count_games()
    assert results.total() == 255_168


def test_tic_tac_toe_has_5478_positions() -> None:
    layer = {state.hash(): state for state in [game_of("tic-tac-toe").start()]}
    total = 0
    while layer:
        total += len(layer)
        following: dict[str, State] = {}
        for state in layer.values():
            for index in range(len(state.options)):
                after = state.copy()
                after.take(index)
                following[after.hash()] = after
        layer = following
    assert total == 5_478


# ---------------------------------------------------------------- games with particulars of their own


def test_hex_never_ends_in_a_draw() -> None:
    ends = [list(at_random(game_of("hex").start(), seed))[-1] for seed in range(30)]
    assert {len(end.winners) for end in ends} == {1}
    assert {winner_of(end) for end in ends} == {0, 1}


def test_a_player_of_reversi_who_cannot_move_has_to_pass() -> None:
    passes = 0
    for seed in range(20):
        for state in at_random(game_of("reversi").start(), seed):
            if "pass" in keys_of(state):
                passes += 1
                assert keys_of(state) == ["pass"]
    assert passes > 0


def points_of(state: State, player: str) -> int:
    return int(state.view(None)["each"]["player"][player]["points"])


def hold_at(state: State, limit: int) -> None:
    """One choice of a player who holds once the turn total reaches the limit, or is enough to win."""
    assert state.choice is not None
    total = state.view(None)["each"]["player"][state.choice.player]["turn_total"]
    enough = min(limit, pig.TARGET - points_of(state, state.choice.player))
    state.apply("hold()" if total >= enough else "roll()")


def test_turns_of_pig_score_with_their_exact_probabilities() -> None:
    turns = 4000
    scored: Counter[int] = Counter()
    for seed in range(turns):
        state = game_of("pig").start(seed=seed)
        while state.choice is not None and state.choice.player == "ann":
            hold_at(state, pig.HOLD_AT)
        scored[points_of(state, "ann")] += 1
    exact = pig.turn_outcomes()
    assert set(scored) <= set(exact)
    for points, chance in exact.items():
        spread = float(turns * chance * (1 - chance)) ** 0.5
        assert abs(scored[points] - turns * chance) < 4 * spread


def test_who_begins_at_pig_wins_as_often_as_computed() -> None:
    games, wins = 200, 0
    for seed in range(games):
        state = game_of("pig").start(seed=seed)
        while not state.over:
            hold_at(state, pig.HOLD_AT)
        assert points_of(state, state.winners[0]) >= pig.TARGET
        wins += state.winners == ("ann",)
    chance = pig.first_player_wins()
    assert abs(wins - games * chance) < 4 * (games * chance * (1 - chance)) ** 0.5


# ---------------------------------------------------------------- Kuhn poker

RANKS = ("jack", "queen", "king")
Deal = tuple[str, str]


@cache
def deals() -> dict[Deal, State]:
    """The six deals, found by trying seeds."""
    found: dict[Deal, State] = {}
    for seed in range(200):
        state = game_of("kuhn-poker").start(seed=seed)
        piles = state.view(None)["piles"]
        found.setdefault((piles["hand(ann)"][0], piles["hand(ben)"][0]), state)
    return found


def card_seen_by(state: State, seat: str) -> int:
    (card,) = state.view(seat)["piles"][f"hand({seat})"]
    return RANKS.index(card)


def expected_coins(state: State, first: kuhn.First, second: kuhn.Second) -> Fraction:
    """What the first player wins on average from here; each player goes by the card that its view shows."""
    if state.choice is None:
        coins = state.game.score(state, 0)
        assert coins is not None and state.game.score(state, 1) == -coins
        return Fraction(coins)
    seat = state.choice.player
    plan: kuhn.First | kuhn.Second = first if seat == "ann" else second
    bolder = {"bet()": plan.bet, "call()": plan.call}
    keys = keys_of(state)
    bold = next(key for key in keys if key in bolder)
    chance = bolder[bold][card_seen_by(state, seat)]
    total = Fraction(0)
    for key in keys:
        weight = chance if key == bold else 1 - chance
        if weight:
            total += weight * expected_coins(state.copy().apply(key), first, second)
    return total


def test_all_six_deals_come_up() -> None:
    assert sorted(deals()) == sorted((mine, theirs) for mine in RANKS for theirs in RANKS if mine != theirs)


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 7), Fraction(1, 3)])
def test_kuhn_poker_in_equilibrium_is_worth_exactly_minus_one_eighteenth(alpha: Fraction) -> None:
    first = kuhn.first_equilibrium(alpha)
    gains = [expected_coins(state, first, kuhn.SECOND_EQUILIBRIUM) for state in deals().values()]
    assert sum(gains, Fraction(0)) / 6 == Fraction(-1, 18)


def test_every_deal_and_plan_of_kuhn_poker_pays_what_the_oracle_says() -> None:
    chances = [Fraction(1, 5), Fraction(1, 2), Fraction(3, 4)]
    first = kuhn.First(bet=(chances[0], chances[1], chances[2]), call=(chances[2], chances[0], chances[1]))
    second = kuhn.Second(bet=(chances[1], chances[2], chances[0]), call=(chances[0], chances[2], chances[1]))
    for (mine, theirs), state in each(deals().items()):
        cards = RANKS.index(mine), RANKS.index(theirs)
        assert expected_coins(state, first, second) == kuhn.deal_gain(first, second, cards)


@pytest.mark.parametrize("seat", ["ann", "ben"])
def test_a_player_of_kuhn_poker_sees_no_card_but_its_own(seat: str) -> None:
    views: dict[str, set[str]] = {}
    for deal, state in deals().items():
        own = deal[0 if seat == "ann" else 1]
        view = json.dumps(state.view(seat))
        assert [card for card in RANKS if card in view] == [own]
        assert state.view(seat)["piles"]["stock"] == 1
        views.setdefault(own, set()).add(view)
    # Whatever the other holds, and whatever is left in the deck, the view is the same.
    assert [len(views[card]) for card in RANKS] == [1, 1, 1]


# ---------------------------------------------------------------- variants


def test_three_in_a_row_loses_at_misere() -> None:
    line = ["mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)", "mark(a3)"]
    assert played("tic-tac-toe", *line).winners == ("cross",)
    assert played("misere-tic-tac-toe", *line).winners == ("nought",)


def test_misere_exchanges_the_winners_and_nothing_else() -> None:
    for seed in range(40):
        plain = list(at_random(game_of("tic-tac-toe").start(), seed))[-1]
        misere = list(at_random(game_of("misere-tic-tac-toe").start(), seed))[-1]
        assert plain.choices == misere.choices
        expected = {0: 1, 1: 0, None: None}[winner_of(plain)]
        assert winner_of(misere) == expected


def test_connect_five_needs_five_in_a_row_on_a_wider_board() -> None:
    four = ["drop(a1)", "drop(a1)", "drop(b1)", "drop(b1)", "drop(c1)", "drop(c1)", "drop(d1)"]
    assert played("connect-four", *four).winners == ("red",)
    state = played("connect-five", *four)
    assert not state.over
    assert len(state.options) == 9
    assert state.apply("drop(d1)").apply("drop(e1)").winners == ("red",)


def test_small_breakthrough_is_played_on_six_by_six() -> None:
    game = game_of("small-breakthrough")
    assert len(game.spaces) == 36
    assert Counter(piece[0] for piece in game.piece_ids) == {"w": 12, "b": 12}
    assert sequence_count(game.start(), 1) == 16
    assert sequence_count(game.start(), 2) == 256
    assert game.program.hash == game_of("breakthrough").program.hash
