"""The sequence of play: the order of phases and of what is attached to them, offers and their limits."""

from __future__ import annotations

import pytest

from tests.running import Trial, trial

HEADER = """\
ruleset r "R"
players us "Us", them "Them"
option rain "Rain"
rule 1:
  enum area: north, south
  piece unit:
    owner: player
    moves: number = 3
    orders: number = 0
    acted: flag = no each turn
  space town in network
  each player:
    points: number = 0
  variable story: text = ""
  variable n: number = 0
  procedure tell(what: text): set story to "{story}{what} "
rule 2:
"""
SCENARIO = """\
turns: 2
boards: {town: {spaces: {caen: {}, bayeux: {}}, links: [[caen, bayeux]]}}
pieces:
  unit:
    - {id: A, owner: us, at: caen}
    - {id: B, owner: us, at: caen}
    - {id: C, owner: them, at: bayeux}
"""


def run(rules: str, *answers: str | int, options: tuple[str, ...] = (), more: tuple[str, ...] = ()) -> Trial:
    return trial(HEADER + rules, *more, scenario=SCENARIO, answers=answers, options=options)


def test_phases_run_in_the_order_in_which_they_are_written() -> None:
    found = run("""\
  sequence turn:
    phase dawn: tell("dawn")
    phase noon when turn = 2: tell("noon")
    phase each_one for each a in area when a = south or turn = 2:
      tell("begin-{a}")
      phase inner: tell("inner-{a}")
      tell("middle-{a}")
      phase deep for each p in player:
        phase deepest when p = them: tell("deep-{a}-{p}")
      tell("end-{a}")
    phase night when turn = 3: tell("never")
""")
    first = "begin-{0} inner-{0} middle-{0} deep-{0}-Them end-{0} "
    south, north = first.format("south"), first.format("north")
    assert found["story"] == f"dawn {south}dawn noon {north}{south}"
    assert found.state.over and found.state.winners == ()


def test_what_rules_attach_runs_by_rule_number() -> None:
    found = run("""\
  sequence turn:
    phase dawn "Dawn":
      tell("own")
      phase inner: tell("inner")
rule 10:
  during dawn: tell("10")
  at end of dawn: tell("end10")
  at start of turn: tell("turn{turn}")
  at end of turn: tell("over")
  during turn: tell("during")
rule 9.1:
  during dawn: tell("9.1")
  at start of dawn: tell("start9.1")
rule 9:
  during dawn: tell("9")
  at end of dawn: tell("end9")
  at start of dawn: tell("start9")
  at start of inner: tell("<")
  at end of inner: tell(">")
""")
    one = "start9 start9.1 own 9 9.1 10 < inner > end9 end10 during over "
    assert found["story"] == f"turn1 {one}turn2 {one}"


def test_stop_leaves_only_the_block_that_it_stands_in() -> None:
    found = run("""\
  sequence turn:
    phase dawn
    phase dusk:
      tell("dusk")
      if turn = 1: stop
      tell("late")
  during dawn:
    tell("a")
    stop
rule 3:
  during dawn: tell("b")
""")
    assert found["story"] == "a b dusk a b dusk late "


def test_attributes_are_renewed_when_their_time_begins() -> None:
    found = run("""\
  piece unit also:
    fresh: number = 2 each phase march
  sequence turn:
    phase march for each p in player:
      for each u in unit: tell("{u.fresh}{u.acted}")
      for each u in unit where u.owner = p:
        mark u as acted
        decrease u.fresh by 1
    phase rest:
      for each u in unit: tell("{u.fresh}{u.acted}")
""")
    one = "2no 2no 2no 2yes 2yes 2no 2yes 2yes 1yes "
    assert found["story"] == one + one


def test_what_holds_until_the_end_of_a_phase_goes_back_then() -> None:
    found = run("""\
  variable storm: flag = no until end of march
  piece unit also:
    wet: number = 0 until end of rest
  sequence turn:
    phase before: set storm to yes
    phase march:
      tell("{storm}")
      for each u in unit: increase u.wet by 1
    phase rest: tell("{storm}{sum(u.wet for u in unit)}")
  at end of rest: tell("{most(u.wet for u in unit)}")
  at end of turn: tell("{sum(u.wet for u in unit)}")
""")
    assert found["story"] == "yes no3 1 0 " * 2


def test_whether_a_phase_is_in_progress() -> None:
    found = run("""\
  define dark: flag = during night
  procedure look(): tell("{dark}{during second_watch}")
  sequence turn:
    phase day: look()
    phase night:
      phase first_watch: look()
      phase second_watch for each p in player: look()
  at start of night: look()
  at end of second_watch: look()
  at end of turn: look()
""")
    watch = "yesyes yesyes "
    assert found["story"] == ("nono yesno yesno " + watch * 2 + "nono ") * 2


def test_values_fixed_at_the_start_of_a_phase_stay() -> None:
    found = run("""\
  define strong(u: unit): flag = u.moves > 2 fixed at start of march
  define total: number = sum(u.moves for u in unit) fixed at start of march
  define rich(a: area): number = n + (1 if a = south otherwise 2) fixed at start of march
  sequence turn:
    phase before: tell("{total}")
    phase march:
      for each u in unit where strong(u):
        set u.moves to 1
        tell("{u}{strong(u)}{total}")
      increase n by 10
      tell("{rich(north)}{rich(south)}")
    phase rest: tell("{count(u in unit where strong(u))}-{total}")
""")
    assert found["story"] == "0 Ayes9 Byes9 Cyes9 21 3-9 9 1211 0-3 "


def test_values_have_a_history() -> None:
    found = run("""\
  value rate = 5 until turn 1, 7 from turn 2
  value other = 1 turns 1 to 1, 2 from turn 2
  sequence turn:
    phase dawn: tell("{rate}{other}")
""")
    assert found["story"] == "51 72 "


# ---------------------------------------------------------------- offers

WALK = """\
  action walk "Walk" (u: unit, to: town) by p in march:
    when u.owner = p  else "not yours" (2)
    when u.at != to  else "already there"
    do:
      put u on to
      tell("{u}")
  action wait "Wait" by p in march:
    when n < 2  else "waited enough" (2, 1)
    do: increase n by 1
"""


def test_exactly_so_many_actions_are_taken() -> None:
    rules = WALK + "  sequence turn:\n    phase march for each p in player: p takes 2 actions\n"
    found = run(rules)
    assert found.keys == ["walk(A, bayeux)", "walk(B, bayeux)", "wait()"]
    found.answer("walk(A, bayeux)")
    assert found.keys == ["walk(A, caen)", "walk(B, bayeux)", "wait()"] and found.asked[0] == "us"
    assert found.answer("wait()").asked[0] == "them"
    found.answer("wait()")
    assert found.keys == ["walk(C, caen)"]


def test_who_can_do_nothing_passes() -> None:
    rules = """\
  action once by p in march:
    when n = 0
    do: set n to 1
  sequence turn:
    phase march for each p in player: p takes 2 actions
"""
    found = run(rules, "once()")
    assert found.keys == ["pass"] and found.asked[0] == "us"
    assert found.answer("pass").asked[0] == "them" and found.keys == ["pass"]


def test_actions_are_taken_as_long_as_there_is_one() -> None:
    rules = """\
  sequence turn:
    phase march:
      us takes actions from resting
      tell("then")
  action relax by us in resting:
    when n < 2
    do: increase n by 1
"""
    found = run(rules)
    assert found.keys == ["relax()"]
    found.answer("relax()", "relax()")
    assert found.state.over and found["story"] == "then then "


def test_player_may_take_as_many_as_he_likes() -> None:
    rules = WALK + "  sequence turn:\n    phase march for each p in player: p may take actions\n"
    found = run(rules)
    assert found.keys[-1] == "pass" and len(found.keys) == 4
    found.answer("wait()", "wait()")
    assert found.keys == ["walk(A, bayeux)", "walk(B, bayeux)", "pass"]
    assert found.answer("pass").asked[0] == "them"
    assert found.answer("pass").state.turn == 2


def test_player_may_take_up_to_so_many() -> None:
    rules = WALK + "  sequence turn:\n    phase march for each p in player: p may take up to n + 2 actions\n"
    found = run(rules, "wait()", "walk(A, bayeux)")
    assert found.asked[0] == "them"  # how many was settled before the first
    assert run(rules, "pass").asked[0] == "them"


def test_actions_see_what_the_phase_goes_through() -> None:
    rules = """\
  sequence turn:
    phase march for each a in area:
      phase work for each p in player: p takes 1 action
  action dig(u: unit) by p in work:
    when u.owner = p and (a = south or u.moves > 2)
    do:
      tell("{a}-{p}-{u}")
      set u.moves to 0
"""
    found = run(rules, "dig(A)")
    assert found.keys == ["dig(C)"]
    found.answer("dig(C)")
    assert found.keys == ["dig(A)", "dig(B)"]
    assert found.answer("dig(A)")["story"] == "north-Us-A north-Them-C south-Us-A "


def test_end_phase_ends_the_offering() -> None:
    rules = """\
  action go by p in march:
    do: finish()
  action stay by p in march:
    do: tell("stay")
  procedure finish:
    tell("go")
    end phase
  sequence turn:
    phase march for each p in player:
      p may take actions
      tell("next")
"""
    found = run(rules, "stay()", "stay()", "go()")
    assert found.asked[0] == "them" and found["story"] == "stay stay go next "


def test_offers_inside_actions() -> None:
    rules = """\
  action attack(u: unit) by p in march:
    when u.owner != p
    do:
      next_player(p) may take up to 1 action from reaction
      tell("hit-{u}")
      if u.orders > 0: end phase
  action dodge(u: unit) by p in reaction:
    when u.owner = p
    do:
      increase u.orders by 1
      let sure = choose yes or no "Sure?"
      tell("dodge-{u}-{sure}")
  sequence turn:
    phase march for each p in player: p may take actions
"""
    found = run(rules, "attack(C)")
    assert found.asked[0] == "them" and found.keys == ["dodge(C)", "pass"]
    found.answer("pass")
    assert found.asked[0] == "us"
    assert found.answer("attack(C)", "dodge(C)").asked == ("them", "Sure?")
    assert found.answer("no").asked[0] == "them"
    assert found["story"] == "hit-C dodge-C-no hit-C "


LIMITED = """\
  action walk(u: unit) by p in march, camp:
    limit {limit}
    do: tell("{{u}}")
  sequence turn:
    phase march: us may take actions
    phase camp: us may take actions
"""


@pytest.mark.parametrize(
    ("limit", "first", "second", "third"),
    [
        ("1 per u in phase", "walk(B)", "walk(A)", "walk(A)"),
        ("1 per u in turn", "walk(B)", "", "walk(A)"),
        ("1 per u in game", "walk(B)", "", ""),
        ("1 in phase", "", "walk(A)", "walk(A)"),
        ("1 in turn", "", "", "walk(A)"),
        ("1 in game", "", "", ""),
    ],
)
def test_limits_hold_for_their_time(limit: str, first: str, second: str, third: str) -> None:
    found = run(LIMITED.format(limit=limit), "walk(A)")
    assert (first in found.keys) is bool(first) and "walk(A)" not in found.keys
    found.answer("pass")
    assert ("walk(A)" in found.keys) is (second == "walk(A)")
    found.answer("pass")
    assert found.state.turn == 2 and ("walk(A)" in found.keys) is (third == "walk(A)")


def test_costs_must_be_there_and_are_taken() -> None:
    rules = """\
  action walk(u: unit) by us in march:
    cost 2 from u.moves  else "too tired" (2)
    cost 1 from us.points
    do: tell("{u}{u.moves}")
  sequence turn:
    phase march: us may take actions
  setup: set us.points to 2
"""
    found = run(rules, "walk(A)")
    assert found.keys == ["walk(B)", "walk(C)", "pass"] and found["story"] == "A1 "
    refusal = found.state.why_not("walk", "A")
    assert refusal is not None and refusal.text == "too tired" and refusal.rules == ("2",)
    assert found.answer("walk(C)").keys == ["pass"]


def test_refusals_name_the_first_condition_that_fails() -> None:
    rules = WALK + "  sequence turn:\n    phase march for each p in player: p takes 2 actions\n"
    state = run(rules).state
    for arguments, text in {
        ("A", "bayeux"): None,
        ("C", "bayeux"): "not yours",
        ("A", "caen"): "already there",
    }.items():
        refusal = state.why_not("walk", *arguments)
        assert (refusal.text if refusal is not None else None) == text
    assert state.why_not("wait", player="them") is not None


def test_actions_may_be_those_of_one_player() -> None:
    rules = """\
  action ours by us in march:
    do: tell("{actor}")
  action theirs(f: flag, a: area) by them in march:
    shown as "{f} in the {a}"
    do: tell("{f}{a}")
  sequence turn:
    phase march for each p in player: p takes 1 action
"""
    found = run(rules, "ours()")
    assert found.labels == ["no in the north", "no in the south", "yes in the north", "yes in the south"]
    assert found.answer("theirs(yes, south)")["story"] == "Us yessouth "


def test_action_also_adds_conditions_costs_and_effects() -> None:
    rules = """\
  action walk(u: unit) by us in march:
    when u.owner = us
    do: tell("walk")
  action walk also:
    when u.moves > 1  else "tired"
    cost 2 from u.moves
    do: tell("also{u}")
  sequence turn:
    phase march: us may take actions
"""
    found = run(rules, "walk(B)")
    assert found["story"] == "walk alsoB " and found.keys == ["walk(A)", "pass"]


# ---------------------------------------------------------------- the end


def test_victory_is_looked_at_after_actions_and_at_the_end_of_phases() -> None:
    rules = """\
  action add by p in march:
    do: increase n by 1
  sequence turn:
    phase march for each p in player: p takes 1 action
    phase evening:
      if n < 5: increase n by 3
      if n < 5: stop
      tell("evening")
  victory enough when n >= 4: us wins "enough"
  victory most(p: player) when p.points > 9: p wins "points"
"""
    found = run(rules, "add()")
    found.answer("add()")
    assert found.state.over and found.state.winners == ("us",) and found["n"] == "5"
    rules = rules.replace("increase n by 3", "increase them.points by 10")
    found = run(rules, "add()", "add()")
    assert found.state.winners == ("them",) and found["story"] == ""


def test_game_ends_at_once() -> None:
    rules = """\
  action end_it by p in march:
    do:
      finish(p)
      tell("late")
  procedure finish(p: player):
    if p = us: {us, them} wins "peace"
    nobody wins "war"
  sequence turn:
    phase march for each p in player: p may take actions
"""
    found = run(rules, "end_it()")
    assert found.state.winners == ("us", "them") and found["story"] == ""
    assert run(rules, "pass", "end_it()").state.winners == ()


def test_measures_are_told_in_the_order_of_their_rules() -> None:
    rules = """\
  measure "last turn" = turn
  measure "{us} twice" = 2 * turn
  sequence turn:
    phase dawn: tell("x")
"""
    late = 'ruleset late "Late" extends r\nrule 20 "Late" amends 1 when turn >= 9:\n  measure "never" = 1\n'
    found = run(rules, more=(late, late.replace("late", "soon").replace("20", "21").replace(">= 9", ">= 2")))
    assert found.state.game.measures(found.state) == (("last turn", 2), ("Us twice", 4), ("never", 1))


def test_an_amending_rule_tells_its_own_measure_of_that_title_instead() -> None:
    rules = '  measure "points" = turn\n  sequence turn:\n    phase dawn: tell("x")\n'
    first = 'ruleset late "Late" extends r\nrule 20 "Late" amends 2:\n  measure "points" = 10 * turn\n'
    second = 'ruleset later "Later" extends late\nrule 21 "Later" amends 20:\n  measure "points" = 7\n'
    found = run(rules, more=(first,))
    assert found.state.game.measures(found.state) == (("points", 20),)
    found = run(rules, more=(first, second))
    assert found.state.game.measures(found.state) == (("points", 7),)


def test_game_ends_after_the_last_turn() -> None:
    found = run('  sequence turn:\n    phase dawn: tell("{turn}of{last_turn}")\n')
    assert found["story"] == "1of2 2of2 " and found.state.over


def test_what_rules_attach_happens_in_the_order_of_their_numbers() -> None:
    rules = """\
  sequence turn:
    phase noon
rule 6.10:
  during noon: tell("6.10")
rule 6.2:
  during noon: tell("6.2")
rule 6.9-a:
  during noon: tell("6.9-a")
rule A.10:
  during noon: tell("A.10")
rule A.9:
  during noon: tell("A.9")
"""
    story = "6.10 6.2 6.9-a A.10 A.9 "
    assert run(rules)["story"] == 2 * story
    outlined = HEADER.replace('"R"', '"R" numbering outline') + rules
    assert trial(outlined, scenario=SCENARIO)["story"] == 2 * "6.2 6.9-a 6.10 A.9 A.10 "


def test_the_first_turn_may_be_zero() -> None:
    rules = """\
  value pace = 1 until turn 1, 5 from turn 2
  sequence turn:
    phase noon: tell("{turn}:{pace}")
"""
    scenario = SCENARIO.replace("turns: 2", "turns: {first: 0, last: 2}")
    assert trial(HEADER + rules, scenario=scenario)["story"] == "0:1 1:1 2:5 "
