"""What a seat cannot see is drawn anew, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules import load
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.determinize import Secrets, sample
from tests.interpreter.secret_game import RULES, secret_game

PEEK = RULES.replace(
    '  procedure make_bid(p: player):\n    let amount = choose number from 0 to 5 by p "How much?"\n',
    "  procedure make_bid(p: player):\n    let amount = 1\n    let wanted = choose from c in stock by p\n",
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return secret_game(tmp_path_factory.mktemp("secrets"))


def position(game: Game, seed: int, choices: int) -> State:
    """Some position on the way of a random game."""
    state, chance = game.start(seed), Chance(seed)
    for _ in range(choices):
        if state.over:
            break
        before = state.copy()
        state.take(chance.below(len(state.options)))
        if state.over:
            return before
    return state


def question_inside_a_question(game: Game) -> State:
    """Ben is asked about the cards in his hand, one by one, while he discards one."""
    state = game.start(5)
    while not (state.choice is not None and state.choice.player == "ben" and state.choice.sort == "yes"):
        state.take(0)
    return state


def contents(game: Game, state: State) -> dict[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = {}
    for piece, kind in enumerate(game.piece_kind):
        found[kind, state.at[piece]] = found.get((kind, state.at[piece]), 0) + 1
    return found


def agrees_with_itself(game: Game, state: State) -> bool:
    """Whether the three ways in which a state says where pieces are say the same."""
    for place in range(len(game.place_ids)):
        there = {piece for piece in range(len(game.piece_ids)) if state.at[piece] == place}
        if set(game.members(state.inside[place])) != there:
            return False
        if place >= len(game.spaces) and sorted(state.order[place - len(game.spaces)]) != sorted(there):
            return False
    return True


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), choices=st.integers(0, 25), seat=st.sampled_from(["ann", "ben"]))
def test_drawn_position_looks_the_same_and_can_be_played(
    game: Game, seed: int, choices: int, seat: str
) -> None:
    state = position(game, seed, choices)
    before, chance = state.hash(), Chance(seed + 1)
    drawn = sample(game, state, seat, chance, veiled=False)
    assert game.view(drawn, seat) == game.view(state, seat)
    for other in (drawn, sample(game, state, seat, chance)):
        assert agrees_with_itself(game, other)
        assert contents(game, other) == contents(game, state)
        while not other.over:
            other.take(chance.below(len(other.options)))
    assert state.hash() == before


def test_other_hand_and_deck_are_drawn_from_all_hidden_cards(game: Game) -> None:
    state, chance = game.start(1), Chance(0)
    secrets = Secrets(game, state, "ann")
    hands = game.pile_numbers["hand"]
    own = {game.piece_ids[p] for p, place in enumerate(state.at) if place == hands[0]}
    others = set()
    for _ in range(60):
        drawn = secrets.draw(chance)
        assert {game.piece_ids[p] for p, place in enumerate(drawn.at) if place == hands[0]} == own
        others |= {game.piece_ids[p] for p, place in enumerate(drawn.at) if place == hands[1]}
    assert others == {f"t{number}" for number in range(1, 10)} - own


def test_pieces_in_frames_are_exchanged_along(game: Game) -> None:
    state = question_inside_a_question(game)
    hand = game.pile_numbers["hand"][1]
    secrets, chance, frames = Secrets(game, state, "ann"), Chance(0), dict(game.code.frames)
    named, sorts = set(), set()
    for _ in range(30):
        drawn = secrets.draw(chance)
        for frame in drawn.stack:
            for slot, (name, kind) in enumerate(frames[frame[0]], start=1):
                values = frame[slot] if isinstance(frame[slot], tuple) else (frame[slot],)
                if kind.tag in ("piece", "list") and kind.names_pieces and name.rpartition(" ")[2] != "drawn":
                    assert all(drawn.at[piece] in (hand, -1) for piece in values if piece >= 0)
                    named |= {piece for piece in values if piece >= 0}
                    sorts.add(kind.tag)
    assert len(named) > 2
    assert sorts == {"piece", "list"}


def test_chance_to_come_is_another_one(game: Game) -> None:
    state = game.start(1)
    secrets, chance = Secrets(game, state, "ann"), Chance(0)
    assert len({state.rng, *(secrets.draw(chance).rng for _ in range(5))}) == 6


def test_hidden_values_of_spaces_change_places(game: Game) -> None:
    state, chance = game.start(1), Chance(0)
    columns = {tuple(sample(game, state, "ann", chance).s_mined) for _ in range(20)}  # type: ignore[attr-defined]
    assert len(columns) > 3
    assert {sum(map(bool, column)) for column in columns} == {1}


def test_hidden_number_is_drawn_from_its_size(game: Game) -> None:
    state, chance = game.start(1), Chance(0)
    values = {sample(game, state, "ann", chance).v_storm for _ in range(60)}  # type: ignore[attr-defined]
    assert values == set(range(8))


def test_pieces_that_look_alike_are_exchanged_if_something_printed_is_hidden(game: Game) -> None:
    state, chance = game.start(1), Chance(0)
    first, second, other = (game.piece_number[ident] for ident in ("s1", "s2", "s3"))
    drawn = [sample(game, state, "ben", chance) for _ in range(20)]
    places = {(one.at[first], one.at[second], one.at[other]) for one in drawn}
    here = (state.at[first], state.at[second], state.at[other])
    assert places == {here, (here[1], here[0], here[2])}


def test_piece_that_is_offered_stays_what_it_is(tmp_path: Path) -> None:
    game = secret_game(tmp_path, PEEK)
    state, chance = game.start(3), Chance(0)
    stock = game.pile_numbers["stock"][0] - len(game.spaces)
    for _ in range(10):
        drawn = sample(game, state, "ann", chance)
        assert drawn.options == state.options
        assert drawn.order[stock] == state.order[stock]


def test_game_without_secrets_has_none() -> None:
    game = load("tic-tac-toe")
    state = game.start(1)
    assert Secrets(game, state, "cross").none
    assert game.view(sample(game, state, "cross", Chance(1)), None) == game.view(state, None)


def test_who_sees_everything_has_no_secrets(game: Game) -> None:
    assert Secrets(game, game.start(1), None).none
