"""Why a question does not offer a thing: what its rule says of it, as far as the seat may know."""

from __future__ import annotations

from typing import Any

import pytest

from ddob_rules.translations.shown_texts import shown_texts, with_texts
from interpreter.failures import RuleFailure
from interpreter.ir.data import read, written
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.passes.lower import lower
from interpreter.players.determinize import sample
from interpreter.table.asking import why_not
from interpreter.table.seen import Seen
from tests.rules import check_text
from tests.running import play, program_of, trial

RULES = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "Ground":
  space field on square board:
    mined: flag = no seen by nobody
    wood: flag = no
  piece unit:
    owner: player
    weight: number = 1
  define here(u: unit): set of field = {f in neighbours(u.at) where not f.wood and count(unit at f) < 2}
  define refusal(u: unit, f: field): text:
    "{u} stays out of the woods" when f.wood
    otherwise ""
rule 2 "Orders":
  sequence turn:
    phase go: red takes 1 action
  action step "Step" (u: unit) by p in go:
    when u.owner = p
    do:
      let to = choose from f in here(u) or none by p "Where does {u} go?"ONE
      if to != nothing: put u on to
  action ride "Ride" by p in go:
    do:
      let riders = choose several from u in unit where u.owner = p
          such that sum(x.weight for x in riders) <= 2 by p "Who rides?"MANY
      for each u in riders: remove u
  action rest "Rest" by p in go:
    do:
      choose up to 2 u in unit where u.owner = p by p "Who rests?"THEN: put u on the(neighbours(u.at))
  action fly "Fly" by p in go:
    do:
      choose it_goes in field where it_goes.wood by p "Where to?"GOES: set it_goes.wood to no
      otherwise: say "Nowhere"
rule 3 "Crowds": "Two are a crowd."
"""
ONE = """
          else "no room for {u}" (3, 2) when count(unit at f) > 1
          else "{refusal(u, f)}"
          else "too far" (1) when distance(u.at, f) > 1"""
MANY = """
          else "{u} is not yours" when u.owner != p
          else "{u} is too heavy beside {size(riders)} others" when u.owner = p"""
THEN = """
          else "not yours" (1) when u.owner != p"""
GOES = """
          else "no wood in {it_goes}\""""
SCENARIO = """
boards:
  field:
    layout: {shape: square}
    numbering: "{letter}{row}"
    size: [3, 4]
    spaces:
      b1: {wood: yes}
pieces:
  unit:
    - {id: R1, at: b2, owner: red}
    - {id: R2, at: c1, owner: red, weight: 2}
    - {id: R3, at: d1, owner: red}
    - {id: B1, at: a2, owner: blue}
    - {id: B2, at: a2, owner: blue}
turns: 4
"""


def rules(one: str = ONE, many: str = MANY, then: str = THEN, goes: str = GOES) -> str:
    """The rules with these clauses, or without."""
    text = RULES.replace("ONE", one).replace("MANY", many).replace("THEN", then)
    return text.replace("GOES", goes)


def asked(action: str, game: Game | None = None) -> State:
    game = game or play(rules(), scenario=SCENARIO)
    state = game.start(1)
    state.take(game.find_option(state, action) or 0)
    return state


def reason(state: State, *things: str, seat: str = "red") -> tuple[str, str]:
    (found,) = why_not(Seen(state, seat), list(things))
    assert found.title == ""
    return found.text, found.rule


# What is said where no reason applies.
ELSE = "what is asked now is something else: Where does R1 go?"


def test_the_first_reason_that_applies_is_told_with_its_rule() -> None:
    state = asked("step(R1)")
    assert reason(state, "a2") == ("no room for R1", "3")
    assert reason(state, "b1") == ("R1 stays out of the woods", "2")
    assert reason(state, "d3") == ("too far", "1")


def test_a_piece_stands_for_its_space_and_the_last_thing_counts() -> None:
    state = asked("step(R1)")
    assert reason(state, "B1") == ("no room for R1", "3")
    assert reason(state, "R2", "a2") == ("no room for R1", "3")


def test_what_fits_no_reason_is_answered_as_ever() -> None:
    state = asked("step(R1)")
    assert reason(state, "b2") == (ELSE, "2")
    assert reason(state, "red") == (ELSE, "2")
    assert reason(state, "no_such_thing") == (ELSE, "2")


def test_what_is_offered_has_no_reason() -> None:
    answer = "that is one of the answers to: Where does R1 go?"
    assert reason(asked("step(R1)"), "c2") == (answer, "2")


def test_of_several_it_is_told_what_was_chosen_already_and_what_the_others_leave() -> None:
    state = asked("ride()")
    assert reason(state, "B1") == ("B1 is not yours", "2")
    state.take(0)
    assert reason(state, "R1") == ("that has been chosen already", "2")
    assert reason(state, "R2") == ("R2 is too heavy beside 1 others", "2")


def test_a_question_with_a_block_has_reasons_too() -> None:
    assert reason(asked("rest()"), "B2") == ("not yours", "1")
    assert reason(asked("fly()"), "c3") == ("no wood in c3", "2")


@pytest.mark.parametrize("edition", [(False, False), (False, True)])
def test_every_edition_knows_the_reasons(edition: tuple[bool, bool]) -> None:
    journal, cover = edition
    game = play(rules(), scenario=SCENARIO, journal=journal, cover=cover)
    assert reason(asked("step(R1)", game), "d3") == ("too far", "1")


NUMBER = """ruleset r "R"
players red "Red"
rule 1 "Bids":
  sequence turn:
    phase go:
      let bid = choose number from 1 to 3 by red "How much?"
      say "{bid}"
"""


def test_what_only_looks_like_a_number_is_none() -> None:
    state = play(NUMBER, scenario="turns: 2").start(1)
    assert reason(state, "2") == ("that is one of the answers to: How much?", "1")
    for told in ("7", "-1", "²", "--2", "9" * 5000):
        assert reason(state, told) == ("what is asked now is something else: How much?", "1")


INLINE = '  else "{refusal(u, f)}"  else "far" (1) when distance(u.at, f) > size(unit at f)'


def test_reasons_change_no_position_no_hash_and_nothing_that_is_played() -> None:
    without, inline = rules("", "", "", ""), rules(INLINE, "", "", "")
    assert program_of(inline).hash == program_of(without).hash
    plain, told = lower(program_of(without)), lower(program_of(inline))
    assert any(question.reasons for question in told.questions)
    # Whatever the engines run, the fast one too, is the same to the letter.
    assert (plain.blocks, plain.entries, plain.procedures) == (told.blocks, told.entries, told.procedures)
    assert (plain.kept, plain.statics, plain.listings) == (told.kept, told.statics, told.listings)
    assert plain.analysis.remembered == told.analysis.remembered
    first, second = (play(text, scenario=SCENARIO).start(3) for text in (without, rules()))
    for _ in range(6):
        assert first.data() == second.data()
        first.take(0)
        second.take(0)


def test_the_fast_engine_plays_such_rules() -> None:
    game = trial(rules(), scenario=SCENARIO)
    assert game.fast is not None
    game.answer("step(R1)", "c2", "ride()", "R1", "done")
    assert game.state.view(None)["pieces"]["R1"]["at"] == "nothing"


def test_the_typed_form_keeps_reasons_as_data() -> None:
    program = program_of(rules())
    assert read(written(program)) == program


def test_reasons_are_translated_with_all_that_players_read() -> None:
    program = program_of(rules())
    assert {"no room for {u}", "too far", "not yours"} <= set(shown_texts(program))
    there = with_texts(program, lambda text: f"<{text}>")
    assert "<too far>" in shown_texts(there)


def test_an_overlay_carries_a_later_version_of_a_shared_reason() -> None:
    overlay = """ruleset o "O" extends r
rule 9 "Thorns" amends 1:
  define refusal(u: unit, f: field): text:
    "thorns" when f.wood
    otherwise base
"""
    game = play(rules(), overlay, scenario=SCENARIO)
    assert reason(asked("step(R1)", game), "b1") == ("thorns", "2")


@pytest.mark.parametrize(
    ("clause", "code", "said"),
    [
        ('else "no" when f.woood', "E0204", "wood"),
        ('else "no" when weights(f)', "E0201", ""),
        ('else "no" when distance(u.at, f)', "E0202", ""),
        ('else "{ff}"', "E0201", ""),
        ('else "no" (77)', "E0225", ""),
    ],
)
def test_reasons_are_checked(clause: str, code: str, said: str) -> None:
    (problem,) = [one for one in check_text(rules(f"  {clause}")).problems if one.severity == "error"]
    assert problem.code == code and said in (problem.help or "")


def test_a_reason_that_cannot_be_worked_out_for_a_thing_breaks_nothing() -> None:
    clause = '  else "far by {12 / (distance(u.at, f) - 2) rounded up}"'
    state = asked("step(R1)", play(rules(clause), scenario=SCENARIO))
    assert reason(state, "d3") == ("far by 12", "2")
    assert reason(state, "c1") == (ELSE, "2")
    with pytest.raises(RuleFailure):
        state.game.kept_out(state, state.game.place_number["c1"])


HIDDEN = """
          else "mines" (3) when f.mined
          else "too far" (1)"""


def test_what_rests_on_something_unseen_is_not_told_whatever_it_is() -> None:
    game = play(rules(HIDDEN), scenario=SCENARIO)
    clear, mined = asked("step(R1)", game), asked("step(R1)", game)
    mined.s_mined = set_at(mined.s_mined, game.place_number["d3"])  # type: ignore[attr-defined]
    answers = {reason(state, "d3") for state in (clear, mined)}
    assert len(answers) == 1
    there = game.place_number["d3"]
    assert [str(game.kept_out(state, there)) for state in (clear, mined)] == ["too far (1)", "mines (3)"]


def set_at(values: Any, place: int) -> Any:
    changed = list(values)
    changed[place] = True
    return changed


RICH = """
          else "1" when no x in unit where x.owner = blue
          else "2" when sight(from u.at to f, x where not x.wood) and f = u.at
          else "3" when the lowest(x in field where x.wood by distance(x, f)) = f
          else "4" when not joined(walking(u), u.at, f)
          else "5" when the highest(x in unit at f by x.weight) in unit and count(x in unit at f) = 2
          else "6" when price(walking(u), u.at, f) > 2 and size(lines_through(f, 2)) > 0
          else "7" when every x in unit where x.owner = red has distance(x.at, f) > 1
          else "8" when sum(x.weight for x in unit where distance(x.at, f) <= 1) in {weights(u), 3}"""
WALKING = """  way walking(u: unit) over field from x to y:
    when not y.wood
  define weights(u: unit): number = most(x.weight for x in unit where x.owner = u.owner)
  define refusal"""


@pytest.mark.parametrize("edition", [(True, False), (False, False), (False, True)])
def test_reasons_may_ask_whatever_conditions_may(edition: tuple[bool, bool]) -> None:
    journal, cover = edition
    text = rules(RICH).replace("  define refusal", WALKING)
    state = asked("step(R1)", play(text, scenario=SCENARIO, journal=journal, cover=cover))
    told = {place: reason(state, place)[0] for place in ("b1", "b2", "a2", "d3", "d1", "c1")}
    assert told == {"b1": "3", "b2": "2", "a2": "5", "d3": "6", "d1": "6", "c1": "8"}


BLINDS = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "Blinds":
  space field on square board
  piece scout
  piece blind:
    owner: player
    strength: number hidden
  sequence turn:
    phase go:
      choose f in field where no blind at f by red "Where to?"
          else "{the(blind at f)} is too strong" when the(blind at f).strength > 2
          else "{the(blind at f)} holds it":
        say "Red goes to {f}"
"""
TWO = """
boards: {field: {layout: {shape: square}, numbering: "{letter}{row}", size: [2, 3]}}
pieces:
  blind:
    - {id: lion, at: a1, owner: blue, strength: 4}
    - {id: lamb, at: a2, owner: blue, strength: 1}
    - {id: hare, at: b1, owner: blue, strength: 1}
turns: 2
"""


def test_neither_a_name_nor_the_hidden_side_of_a_piece_is_told() -> None:
    unseen = {("that rests on something that you cannot see", "1")}
    state = play(BLINDS, scenario=TWO).start(1)
    others = [sample(state.game, state, "red", Chance(number), veiled=False) for number in range(12)]
    assert len({tuple(other.at) for other in others}) > 1
    for place in ("a1", "a2", "b1"):
        told = {reason(one, place) for one in (state, *others)}
        assert told == unseen
    plain = BLINDS.replace(" when the(blind at f).strength > 2", "")
    assert reason(play(plain, scenario=TWO).start(1), "a1") == ("Blind in a1 is too strong", "1")
