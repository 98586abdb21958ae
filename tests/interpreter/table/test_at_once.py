"""What all are asked at once: who comes later is asked now, and only for this round."""

from __future__ import annotations

import pytest

from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.table.at_once import is_asked_at_once, positions_ahead
from tests.running import play

#: Nothing changes between two rounds in which all do the same.
ROUNDS = """\
ruleset rounds "Rounds"
players ann "Ann", bob "Bob", eve "Eve"
rule 1:
  enum sign: rock, paper, scissors
  each player:
    shown: sign = rock
    held: set of sign = {}
    content: flag = no
  sequence turn:
    phase showing:
      repeat up to 2 times: one_round()
    phase leaving: ann takes 1 action
  procedure one_round():
    for each p in player where not p.content at once:
      set p.held to choose 2 from s in sign by p "Which two?"
      set p.shown to choose from s in p.held by p "Which of them?"
  action leave "Leave" by p in leaving:
    do: mark p as content
  action stay "Stay" by p in leaving:
    do: mark p as content
"""
ANN, BOB, EVE = range(3)


@pytest.fixture(scope="module")
def rounds() -> Game:
    return play(ROUNDS, scenario="turns: 1\n")


def asked(states: list[State]) -> list[tuple[str, int]]:
    return [(state.choice.prompt, len(state.options)) for state in states if state.choice is not None]


def test_everybody_is_asked_from_the_beginning(rounds: Game) -> None:
    state = rounds.start(1)
    assert state.player == ANN and is_asked_at_once(state)
    assert positions_ahead(state, ANN) == []
    for player in (BOB, EVE):
        assert asked(positions_ahead(state, player)) == [("Which two?", 3)]
    found = positions_ahead(state, EVE, (0, 1, 1))
    assert asked(found) == [("Which two?", 3), ("Which two?", 2), ("Which of them?", 2)]
    assert state.player == ANN and state.count == 0


def test_who_has_answered_is_not_asked_for_the_round_to_come(rounds: Game) -> None:
    state = rounds.start(1)
    for _ in range(6):
        state.take(0)
    assert state.player == EVE and is_asked_at_once(state)
    # If Eve answers as everybody did, the next round looks like this one.
    assert positions_ahead(state, ANN) == [] and positions_ahead(state, BOB) == []
    for _ in range(3):
        state.take(0)
    assert state.player == ANN and asked(positions_ahead(state, BOB)) == [("Which two?", 3)]
    assert len(positions_ahead(state, BOB, (0, 0, 0))) == 3  # nothing more after these


def test_answers_are_the_same_when_the_rules_come_to_them(rounds: Game) -> None:
    state = rounds.start(1)
    given = (2, 0, 1)
    ahead = positions_ahead(state, EVE, given)
    offered = [position.options for position in ahead]
    for _ in range(6):
        state.take(len(state.options) - 1)
    for options, option in zip(offered, given, strict=True):
        assert state.player == EVE and state.options == options
        state.take(option)


def test_what_is_asked_of_one_alone_is_asked_of_nobody_else(rounds: Game) -> None:
    state = rounds.start(1)
    for _ in range(18):
        state.take(0)
    assert state.player == ANN and not is_asked_at_once(state)
    assert positions_ahead(state, BOB) == []


def test_an_answer_that_there_is_not_leads_nowhere(rounds: Game) -> None:
    assert positions_ahead(rounds.start(1), BOB, (7,)) == []
