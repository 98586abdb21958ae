"""Definitions that list what must hold: the first line that fails is told by actions and questions alike."""

from __future__ import annotations

import pytest

from ddob_rules.translations.shown_texts import shown_texts, with_texts
from interpreter.machine.state import State
from interpreter.table.asking import why_not
from interpreter.table.seen import Seen
from tests.rules import check_text
from tests.running import play, program_of, trial

HEAD = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "Ground":
  space field on square board:
    wood: flag = no
  piece unit:
    owner: player
    tired: flag = no
    speed: number = 1
  piece flag_bearer:
    owner: player
    speed: number = 1
"""
LISTED = """rule 2 "Orders":
  define on_duty(u: unit or flag_bearer, p: player): flag:
    when u.owner = p  else "{u} is not yours" (1)
    when u in flag_bearer or not u.tired  else "it is tired" (2, 3)
  define may_go(u: unit or flag_bearer, f: field, p: player): flag:
    when on_duty(u, p)
    when u.at in field and f != u.at
    when distance(u.at, f) <= u.speed  else "{f} is more than {u.speed} away" (2)
    when not f.wood  else "no way through the woods" (1)
  sequence turn:
    phase go: red may take actions
  action step "Step" (u: unit, f: field) by p in go:
    when may_go(u, f, p)
    when no unit at f  else "somebody is there" (3)
    do: put u on f
  action carry "Carry" (b: flag_bearer) by p in go:
    when on_duty(b, p) and turn > 0
    do:
      let f = choose from f in field where may_go(b, f, p) and no unit at f or none by p "Where to?"
          else why not may_go(b, f, p)
          else "somebody is there" (3)
      if f != nothing: put b on f
rule 3 "Rest": "Who has marched is tired."
"""
#: The same, written out.
SPREAD = """rule 2 "Orders":
  define may_carry(b: flag_bearer, f: field, p: player): flag =
      b.owner = p and b.at in field and f != b.at and distance(b.at, f) <= b.speed and not f.wood
  sequence turn:
    phase go: red may take actions
  action step "Step" (u: unit, f: field) by p in go:
    when u.owner = p  else "{u} is not yours" (1)
    when not u.tired  else "it is tired" (2, 3)
    when u.at in field and f != u.at
    when distance(u.at, f) <= u.speed  else "{f} is more than {u.speed} away" (2)
    when not f.wood  else "no way through the woods" (1)
    when no unit at f  else "somebody is there" (3)
    do: put u on f
  action carry "Carry" (b: flag_bearer) by p in go:
    when b.owner = p  else "{b} is not yours" (1)
    when turn > 0
    do:
      let f = choose from f in field where may_carry(b, f, p) and no unit at f or none by p "Where to?"
      if f != nothing: put b on f
rule 3 "Rest": "Who has marched is tired."
"""
SCENARIO = """
boards:
  field:
    layout: {shape: square}
    numbering: "{letter}{row}"
    size: [3, 4]
    spaces:
      b1: {wood: yes}
      c3: {wood: yes}
pieces:
  unit:
    - {id: R1, at: b2, owner: red}
    - {id: R2, at: c1, owner: red, tired: yes}
    - {id: R3, owner: red, speed: 2}
    - {id: B1, at: a2, owner: blue}
  flag_bearer:
    - {id: F, at: c2, owner: red}
turns: 2
"""
RULES = HEAD + LISTED


def told(state: State, action: str, *things: str) -> tuple[str, tuple[str, ...]]:
    refusal = state.why_not(action, *things, player="red")
    assert refusal is not None
    return refusal.text, refusal.rules


def test_an_action_tells_the_first_line_of_what_it_asks_that_fails() -> None:
    state = play(RULES, scenario=SCENARIO).start(1)
    assert told(state, "step", "B1", "a3") == ("B1 is not yours", ("1",))
    assert told(state, "step", "R2", "c2") == ("it is tired", ("2", "3"))
    assert told(state, "step", "R3", "c2")[0] == "a condition of the rule fails"
    assert told(state, "step", "R1", "d3") == ("d3 is more than 1 away", ("2",))
    assert told(state, "step", "R1", "b1") == ("no way through the woods", ("1",))
    assert told(state, "step", "R1", "a2") == ("somebody is there", ("3",))
    assert state.why_not("step", "R1", "b3", player="red") is None


def test_where_the_line_stands_is_told_with_it() -> None:
    state = play(RULES, scenario=SCENARIO).start(1)
    refusal = state.why_not("step", "R1", "b1", player="red")
    assert refusal is not None and refusal.site is not None
    lines = RULES.splitlines()
    assert "no way through the woods" in lines[refusal.site.line - 1]


def test_a_question_tells_it_too_and_what_else_it_says() -> None:
    state = play(RULES, scenario=SCENARIO).start(1)
    state.take(state.game.find_option(state, "carry(F)") or 0)

    def reason(thing: str) -> tuple[str, str]:
        (found,) = why_not(Seen(state, "red"), [thing])
        return found.text, found.rule

    assert reason("a1") == ("a1 is more than 1 away", "2")
    assert reason("c3") == ("no way through the woods", "1")
    # A line without words tells nothing, and no later line is asked where it fails.
    assert reason("c2") == ("somebody is there", "3")
    assert reason("c1") == ("somebody is there", "3")


def test_it_plays_as_if_it_were_written_out() -> None:
    first, second = (play(HEAD + text, scenario=SCENARIO).start(3) for text in (LISTED, SPREAD))
    for number in range(24):
        choice = first.choice
        assert str(choice) == str(second.choice)
        assert {**first.data(), "program": ""} == {**second.data(), "program": ""}
        if choice is None:
            break
        for state in (first, second):
            state.take(number % len(choice.options))


def test_every_edition_and_the_fast_engine_play_it() -> None:
    game = trial(RULES, scenario=SCENARIO)
    assert game.fast is not None
    game.answer("step(R1, b3)", "carry(F)", "d2", "pass")
    assert game.of("F", "at") == "d2" and game.of("R1", "at") == "b3"


def test_it_is_a_flag_everywhere_else() -> None:
    setup = "rule 4:\n  setup:\n    for each u in unit where on_duty(u, red): increase u.speed by 4\n"
    game = trial(RULES + setup, scenario=SCENARIO)
    assert [game.of(one, "speed") for one in ("R1", "R2", "R3", "B1")] == [5, 1, 6, 1]


def test_a_reason_of_its_own_is_told_instead() -> None:
    rules = RULES.replace(
        "when may_go(u, f, p)\n    when no", 'when may_go(u, f, p)  else "it stays" (3)\n    when no'
    )
    assert rules != RULES
    state = play(rules, scenario=SCENARIO).start(1)
    assert told(state, "step", "R1", "b1") == ("it stays", ("3",))


def test_a_text_is_one_text_whoever_asks() -> None:
    program = program_of(RULES)
    texts = shown_texts(program)
    assert texts.count("{u} is not yours") == 1 and not any("{b}" in text for text in texts)
    assert "<it is tired>" in shown_texts(with_texts(program, lambda text: f"<{text}>"))


# ---------------------------------------------------------------- overlays


def amended(lines: str) -> State:
    """The game with a rule that amends the one with the lists."""
    overlay = f'ruleset o "O" extends r\nrule 9 "Peace" amends 2:\n{lines}'
    return play(RULES, overlay, scenario=SCENARIO).start(1)


def test_an_overlay_adds_a_line() -> None:
    state = amended('  define may_go only if turn > 1  else "{u} waits for turn {turn + 1}" (9)\n')
    assert told(state, "step", "R1", "b3") == ("R1 waits for turn 2", ("9",))
    assert told(state, "step", "R1", "b1") == ("no way through the woods", ("1",))


def test_an_overlay_lets_more_through() -> None:
    state = amended("  define on_duty also u.speed = 1\n")
    assert state.why_not("step", "R2", "d1", player="red") is None
    assert told(state, "step", "R3", "c2")[0] == "a condition of the rule fails"


def test_an_overlay_drops_a_line_from_one_action() -> None:
    state = amended("  action step also:\n    without (2, 3)\n")
    assert state.why_not("step", "R2", "d1", player="red") is None


def test_an_overlay_says_it_anew() -> None:
    lines = """  define on_duty(x: unit or flag_bearer, q: player): flag:
    when base  else "{x} of {q} has other things to do" (9)
    when x.speed < 2  else "{x} is in reserve" (9)
"""
    state = amended(lines)
    assert told(state, "step", "R2", "c2") == ("R2 of Red has other things to do", ("9",))
    assert told(state, "step", "R3", "c2") == ("R3 is in reserve", ("9",))


def test_the_lines_of_before_may_be_among_the_new_ones() -> None:
    lines = """  define on_duty(x: unit or flag_bearer, q: player): flag:
    when x.speed < 2  else "{x} is in reserve" (9)
    when base
"""
    state = amended(lines)
    assert told(state, "step", "R3", "c2") == ("R3 is in reserve", ("9",))
    assert told(state, "step", "R2", "c2") == ("it is tired", ("2", "3"))
    assert told(state, "step", "B1", "c2") == ("B1 is not yours", ("1",))


@pytest.mark.parametrize("options", [(), ("truce",)])
def test_what_an_option_says_anew_counts_with_it(options: tuple[str, ...]) -> None:
    overlay = """ruleset o "O" extends r
rule 8 "Truce":
  option truce "A truce"
rule 9 "Peace" amends 2 when truce:
  define on_duty(x: unit or flag_bearer, q: player): flag:
    when x.speed > 1  else "{x} keeps the truce" (9)
"""
    state = play(RULES, overlay, scenario=SCENARIO, options=options).start(1)
    expected = ("R2 keeps the truce", ("9",)) if options else ("it is tired", ("2", "3"))
    assert told(state, "step", "R2", "c2") == expected


def test_a_plain_flag_may_take_the_place_of_the_list() -> None:
    state = amended("  define on_duty(u: unit or flag_bearer, p: player): flag = u.speed > 1\n")
    assert told(state, "step", "R1", "b3")[0] == "a condition of the rule fails"


def test_a_plain_flag_in_the_place_of_a_list_that_a_question_asks_has_no_reasons() -> None:
    state = amended(
        "  define may_go(u: unit or flag_bearer, f: field, p: player): flag = adjacent(u.at, f)\n"
    )
    state.take(state.game.find_option(state, "carry(F)") or 0)
    (found,) = why_not(Seen(state, "red"), ["a1"])
    assert found.text == "somebody is there"


def test_a_rule_may_narrow_what_another_one_says_plainly() -> None:
    plain = """ruleset o "O" extends r
rule 8 "Truce" amends 2:
  define on_duty(u: unit or flag_bearer, p: player): flag = u.speed > 1
"""
    narrow = """ruleset s "S" extends o
rule 9 "Haste" amends 2, 8:
  define on_duty only if u.speed > 2  else "not so fast" (9)
"""
    state = play(RULES, plain, narrow, scenario=SCENARIO).start(1)
    assert told(state, "step", "R3", "c2") == ("not so fast", ("9",))
    assert told(state, "step", "R1", "b3")[0] == "a condition of the rule fails"


def test_what_lets_more_through_is_asked_last_as_ever() -> None:
    """Where the lines hold nobody asks for it, and where one fails, nobody asks for those below."""
    lines = "  define on_duty also 6 / (u.speed - 4) rounded up > 100\n"
    quick = SCENARIO.replace("R1, at: b2, owner: red", "R1, at: b2, owner: red, speed: 4")
    overlay = f'ruleset o "O" extends r\nrule 9 "Peace" amends 2:\n{lines}'
    state = play(RULES, overlay, scenario=quick).start(1)
    assert state.why_not("step", "R1", "b3", player="red") is None
    beside = RULES.replace(
        "when not f.wood  else", "when 3 / distance(u.at, f) rounded up > 0 and not f.wood  else"
    )
    winged = 'ruleset o "O" extends r\nrule 9 "Wings" amends 2:\n  define may_go also u.speed = 1\n'
    state = play(beside, winged, scenario=SCENARIO).start(1)
    assert told(state, "step", "R1", "b2") == ("somebody is there", ("3",))


@pytest.mark.parametrize("options", [(), ("truce",)])
def test_what_is_fixed_for_a_phase_stays_fixed(options: tuple[str, ...]) -> None:
    overlay = """ruleset o "O" extends r
rule 8 "Truce":
  option truce "A truce"
rule 9 "Peace" amends 4 when truce:
  define quick(u: unit): flag = u.speed > 1 fixed at start of go
"""
    rules = (
        RULES
        + """rule 4 "Speed":
  define quick(u: unit): flag:
    when u.speed > 1  else "it is slow" (4)
  action hurry "Hurry" (u: unit) by p in go:
    when quick(u) and u.owner = p
    do: decrease u.speed by 1
  action hasten "Hasten" (u: unit) by p in go:
    when (quick(u) or no) and u.owner = p
    do: decrease u.speed by 1
"""
    )
    game = trial(rules, overlay, scenario=SCENARIO, options=options)
    game.answer("hurry(R3)")
    assert ("hurry(R3)" in game.keys) == ("hasten(R3)" in game.keys)


def test_brackets_and_base_beside_something_else_keep_the_reasons() -> None:
    lines = """  define on_duty(x: unit or flag_bearer, q: player): flag:
    when (base) and (x.speed < 2)
"""
    state = amended(lines)
    assert told(state, "step", "R2", "c2") == ("it is tired", ("2", "3"))


# ---------------------------------------------------------------- names

NAMES = """ruleset r "R" edition "1"
players red "Red", blue "Blue"
rule 1 "All":
  space field on square board
  piece unit:
    owner: player
  define pair(v: unit, u: unit): flag:
    when v.owner != u.owner  else "{v} and {u} are friends"
    when no x in unit where x != v and x != u and x.at = u.at  else "{x_2_of(u)} is with {u}"
  define x_2_of(x: unit): unit = the lowest(x_2 in unit where x_2 != x and x_2.at = x.at by 1)
  sequence turn:
    phase go: red takes 1 action
  action trade "Trade" (u: unit, u_2: unit) by v in go:
    when u.owner = v
    when pair(u_2, u)
    do: put u on u_2.at
  action swap "Swap" (x: unit, x_2: unit) by p in go:
    when x.owner = p and pair(x_2, x)
    do: put x on x_2.at
"""


PAIRS = """
boards:
  field: {layout: {shape: square}, numbering: "{letter}{row}", size: [3, 4]}
pieces:
  unit:
    - {id: R1, at: b2, owner: red}
    - {id: R2, at: c1, owner: red}
    - {id: B1, at: a2, owner: blue}
turns: 2
"""


def test_names_of_authors_are_never_those_inside() -> None:
    state = play(NAMES, scenario=PAIRS).start(1)
    assert told(state, "trade", "R1", "R2")[0] == "R2 and R1 are friends"
    assert state.why_not("trade", "R1", "B1", player="red") is None
    assert told(state, "swap", "R1", "R2")[0] == "R2 and R1 are friends"
    assert state.why_not("swap", "R1", "B1", player="red") is None


# ---------------------------------------------------------------- mistakes


def test_a_definition_that_asks_itself_is_reported_and_no_more() -> None:
    rules = RULES.replace("when u.owner = p  else", "when on_duty(u, p)\n    when u.owner = p  else", 1)
    assert {one.code for one in check_text(rules).problems if one.severity == "error"} == {"E0209"}


def test_a_mistake_in_a_line_is_reported_once() -> None:
    rules = RULES.replace("u.owner = p  else", "u.ownr = p  else", 1)
    assert [one.code for one in check_text(rules).problems if one.severity == "error"] == ["E0204"]
    rules = RULES.replace("{u} is not yours", "{uu} is not yours")
    assert [one.code for one in check_text(rules).problems if one.severity == "error"] == ["E0201"]


def test_a_mistake_in_what_is_asked_about_is_reported_once() -> None:
    rules = RULES.replace("when may_go(u, f, p)\n    when no", "when may_go(u, f)\n    when no")
    assert [one.code for one in check_text(rules).problems if one.severity == "error"] == ["E0203"]
