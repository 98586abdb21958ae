"""Going back and forth in a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules import load
from interpreter.failures import BadChoice, RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.records.session import Session
from tests.interpreter.secret_game import RULES, secret_game


@pytest.fixture(scope="module")
def game() -> Game:
    return load("pig")


def played(game: Game, seed: int, count: int) -> tuple[Session, list[str]]:
    """A session after so many choices, and the hash of every position on the way."""
    session, chance = Session(game, seed), Chance(seed)
    hashes = [session.state.hash()]
    while len(session.choices) < count and not session.state.over:
        hashes.append(session.apply(chance.below(len(session.state.options))).hash())
    return session, hashes


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), count=st.integers(0, 60), steps=st.lists(st.integers(-20, 20), max_size=8))
def test_undo_and_redo_find_the_same_positions(game: Game, seed: int, count: int, steps: list[int]) -> None:
    session, hashes = played(game, seed, count)
    for step in steps:
        if step < 0:
            session.undo(min(-step, len(session.choices)))
        else:
            session.redo(min(step, session.undone))
        assert session.state.hash() == hashes[len(session.choices)]
    assert [session.at(number).hash() for number in range(len(session.choices) + 1)] == hashes[
        : len(session.choices) + 1
    ]


def test_undone_choice_rolls_the_same_again(game: Game) -> None:
    session, _ = played(game, 4, 30)
    last, before = session.choices[-1], session.state.hash()
    session.undo()
    assert session.apply(last).hash() == before


def test_new_choice_forgets_what_was_undone(game: Game) -> None:
    session, _ = played(game, 4, 5)
    session.undo(2)
    session.apply(0)
    assert session.undone == 0
    with pytest.raises(BadChoice):
        session.redo()


def test_journal_goes_back_too(game: Game) -> None:
    session, _ = played(game, 4, 10)
    told = [entry.text for entry in session.at(6).entries()]
    session.undo(4)
    assert [entry.text for entry in session.state.entries()] == told


def test_more_than_was_made_cannot_be_undone(game: Game) -> None:
    session, _ = played(game, 4, 3)
    for wrong in (4, -1):
        with pytest.raises(BadChoice):
            session.undo(wrong)
        with pytest.raises(BadChoice):
            session.redo(wrong)
    with pytest.raises(BadChoice):
        session.at(4)
    assert len(session.choices) == 3


def test_wrong_choice_changes_nothing(game: Game) -> None:
    session, hashes = played(game, 4, 3)
    with pytest.raises(BadChoice):
        session.apply("no such option")
    assert session.state.hash() == hashes[3]
    assert len(session.choices) == 3


def test_failing_rule_leaves_the_session_at_the_choice_before(tmp_path: Path) -> None:
    game = secret_game(tmp_path, RULES.replace("set p.bid to amount", "set p.bid to 6 / amount rounded down"))
    session = Session(game, 2)
    session.apply("3")
    before = session.state.hash()
    with pytest.raises(RuleFailure, match="divided by zero"):
        session.apply("0")
    assert session.state.hash() == before
    assert list(session.choices) == [3]
    session.apply("2")
    assert list(session.choices) == [3, 2]


def test_long_game_keeps_few_copies(game: Game) -> None:
    session = Session(load("hex"), 1)
    session._kept.update({number: session.state.copy() for number in range(16, 3000, 16)})
    for _ in range(200):
        session._thin()
    assert len(session._kept) <= 64
    assert 0 in session._kept


def test_session_begins_with_given_choices(game: Game) -> None:
    session, hashes = played(game, 9, 20)
    assert Session(game, 9, session.choices).state.hash() == hashes[-1]
