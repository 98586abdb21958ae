"""A table holds nothing that its seat may not see: it is the same in all positions that look the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ddob_rules.loading import load_game
from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.determinize import sample
from interpreter.table import book_of, table_of
from interpreter.table.asking import refusal, why_not
from interpreter.table.question import option_number
from interpreter.table.seen import Seen
from tests.running import play

#: Scenario, seats to look from, how many choices to play, and every how many to look.
GAMES = (("pegasus-bridge", 120, 3), ("easy-fox", 60, 5), ("kuhn-poker", 30, 1), ("first-waves", 40, 10))


def loaded(name: str) -> Game:
    game = load_game(name).game
    assert game is not None
    return game


def positions(game: Game, count: int, every: int) -> Any:
    state = game.start(5)
    for number in range(count):
        if state.over:
            return
        if number % every == 0:
            yield state
        state.take(number * 7 % len(state.options))


def without_story(table: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in table.items() if key not in ("story", "told")})


@pytest.mark.parametrize(("name", "count", "every"), GAMES)
def test_a_table_is_the_same_whatever_its_seat_cannot_see(name: str, count: int, every: int) -> None:
    game = loaded(name)
    book = book_of(game)
    changed = False
    for state in positions(game, count, every):
        for seat in game.seats:
            other = sample(game, state, seat, Chance(state.count), veiled=False)
            changed = changed or other.data() != state.data()
            assert without_story(table_of(other, seat, book=book)) == without_story(
                table_of(state, seat, book=book)
            )
    assert changed  # else nothing was tried


def hidden_ids(state: State, seat: str) -> list[str]:
    """The ids of pieces that the seat does not know, as far as they are no words of the rules as well."""
    seen = Seen(state, seat)
    words = {value for enum in state.game.program.enums for value in enum.values}
    ids = enumerate(state.game.piece_ids)
    return [ident for number, ident in ids if not seen.knows(number) and ident not in words]


@pytest.mark.parametrize(("name", "count", "every"), GAMES)
def test_no_id_of_what_is_hidden_is_in_a_table(name: str, count: int, every: int) -> None:
    game = loaded(name)
    book = book_of(game)
    tried = 0
    for state in positions(game, count, every):
        for seat in game.seats:
            table = json.dumps({**table_of(state, seat, book=book), "book": ""})
            for ident in hidden_ids(state, seat):
                tried += 1
                # A name that was told when it was known stays in the story.
                if json.dumps(ident) in table:
                    told = json.dumps(table_of(state, seat, book=book)["story"])
                    assert ident in told
                    rest = without_story(json.loads(table))
                    assert json.dumps(ident) not in rest
    assert tried > 10


def test_numbers_of_answers_and_things_lead_back() -> None:
    game = loaded("easy-fox")
    tried = 0
    for state in positions(game, 60, 1):
        choice = state.choice
        assert choice is not None
        seen = Seen(state, choice.player)
        indices = [option_number(seen, number) for number in range(len(choice.options))]
        assert sorted(index for index in indices if index is not None) == list(range(len(choice.options)))
        assert option_number(seen, len(choice.options)) is None
        for ident in table_of(state, choice.player)["things"]:
            piece = seen.piece(ident)
            assert piece is not None and seen.thing(piece) == ident
            tried += ident.startswith("?")
        for ident in hidden_ids(state, choice.player):
            assert seen.piece(ident) is None
    assert tried > 50


def test_a_reason_does_not_tell_what_is_not_seen() -> None:
    """The reasons for all things together are the same in positions that a seat cannot tell apart."""
    game = loaded("easy-fox")
    tried = 0
    for state in positions(game, 60, 12):
        choice = state.choice
        assert choice is not None
        seat = choice.player
        table = table_of(state, seat)
        mine = [ident for ident in table["things"] if not ident.startswith("?")][:3]
        others = [ident for ident in table["things"] if ident.startswith("?")][:4]
        for first in mine:
            for second in others:
                other = sample(game, state, seat, Chance(state.count + 1), veiled=False)
                found = why_not(Seen(state, seat), [first, second])
                assert found == why_not(Seen(other, seat), [first, second])
                tried += len(found)
    assert tried


MINES = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "Mines":
  space field on square board:
    mined: flag = no seen by blue
  piece unit:
    owner: player
  sequence turn:
    phase go: red takes 1 action
    phase rest: blue takes 1 action
  variable resting: number = 0
  action step "Step" (u: unit, f: field) by p in go:
    when not f.mined  else "{f} is mined"
    when distance(u.at, f) = 1  else "{f} is far by {12 / (distance(u.at, f) - 2) rounded up}"
    do: put u on f
  action sleep "Sleep" (u: unit) by p in rest:
    when 6 / resting rounded down > 0  else "too tired"
    do: say "{u} sleeps"
  at start of rest: set resting to 1
"""
SIX = """
boards: {field: {layout: {shape: square}, numbering: "{letter}{row}", size: [6, 6]}}
pieces: {unit: [{id: cat, at: a1, owner: red}]}
turns: 2
"""


def test_why_an_action_is_refused_is_the_same_whatever_lies_unseen() -> None:
    game = play(MINES, scenario=SIX)
    told, by_name = set(), set()
    for mined in ("f6", "e6", "d6", "a6"):
        state = game.start(1)
        column = list(state.s_mined)  # type: ignore[attr-defined]
        column[game.place_number[mined]] = True
        state.s_mined = column  # type: ignore[attr-defined]
        seen = Seen(state, "red")
        told.add(tuple(one.text for one in why_not(seen, ["cat", "f6"])))
        by_name.add(refusal(seen, "step", ["cat", "f6"]))
    assert len(told) == len(by_name) == 1
    assert "mined" not in str(told | by_name)
    plainly = Seen(game.start(1), "blue")
    assert refusal(plainly, "step", ["cat", "f6"]) == "f6 is far by 2 (1)"


def test_a_condition_or_reason_that_cannot_be_worked_out_is_no_answer_but_a_failed_one() -> None:
    failed = "a condition of the rule fails"
    seen = Seen(play(MINES, scenario=SIX).start(1), "blue")
    assert [one.text for one in why_not(seen, ["cat", "c1"], "step")] == [failed]
    assert refusal(seen, "step", ["cat", "c1"]) == f"{failed} (1)"
    assert [one.text for one in why_not(seen, ["cat"], "sleep")] == [failed]
    assert refusal(seen, "sleep", ["cat"]) == failed
    with pytest.raises(RuleFailure):
        seen.state.why_not("sleep", "cat", player="blue")
