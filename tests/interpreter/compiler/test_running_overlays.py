"""Overlays in play: what is amended, when it holds, what `base` is, and options."""

from __future__ import annotations

import pytest

from tests.running import Trial, program_of, trial

BASE = """\
ruleset base_game "Base"
players us "Us", them "Them"
option storms "Storms"
option calm "Calm"
rule 1 "Words":
  enum ground: woods, clear
  piece unit:
    steps: number = 3
  variable story: text = ""
  variable n: number = 0
  procedure tell(what: text): set story to "{story}{what} "
rule 2 "Play":
  sequence turn:
    phase dawn: tell("dawn")
    phase march: us may take up to 1 action
    phase dusk:
      tell("dusk")
      phase inner: tell("inner")
  action walk(u: unit) by us in march:
    when u.steps > 0  else "tired" (2)
    do: tell("walk")
  during dusk: tell("during")
rule 3 "Values":
  value speed = 2
  define force(u: unit): number = u.steps + speed
  procedure rest(u: unit): tell("rest")
  procedure worth(u: unit) -> number: give u.steps
  table loss(k: number) -> number:
    | k       | loss |
    | up to 2 | 1    |
    | over 2  | 2    |
  table what(k: number) -> effect:
    | k       | effect      |
    | up to 2 | tell("low") |
    | over 2  | tell("high")|
  chart ground:
    | ground | cost |
    | woods  | 2    |
    | clear  | 1    |
  setup: tell("setup")
  victory late when n > 9: nobody wins "late"
rule 4 "Report":
  at end of turn:
    for each u in unit:
      rest(u)
      let w = worth(u)
      tell("{speed}/{force(u)}/{w}/{loss(1)}/{loss(5)}/{woods.cost}")
      what(turn)
"""
SCENARIO = "turns: 3\npieces: {unit: [{id: A}]}\n"
PLAIN = "dawn dusk during inner rest 2/5/3/1/2/2 "


def run(*overlays: str, answers: tuple[str, ...] = ("pass",) * 3, options: tuple[str, ...] = ()) -> Trial:
    return trial(BASE, *overlays, scenario=SCENARIO, answers=answers, options=options)


def turns(found: Trial) -> list[str]:
    """What happened, turn by turn."""
    story = found["story"].removeprefix("setup ")
    return [f"dawn {part}" if not part.startswith("dawn") else part for part in story.split("dawn ") if part]


def over(*rules: str, name: str = "over", extends: str = "base_game") -> str:
    return f'ruleset {name} "Over" extends {extends}\n' + "".join(rules)


def test_the_base_game_plays() -> None:
    assert turns(run()) == [PLAIN + "low ", PLAIN + "low ", PLAIN + "high "]


@pytest.mark.parametrize(("order", "force"), [("10 after 9", 11), ("9 after 10", 12)])
def test_a_third_ruleset_settles_the_order_of_two(order: str, force: int) -> None:
    twice = over("rule 9 amends 3:\n  define force(x: unit): number = 2 * base\n", name="twice")
    more = over("rule 10 amends 3:\n  define force(x: unit): number = base + 1\n", name="more")
    bridge = over(f'rule 11 "Order" amends {order}\n', name="bridge", extends="twice, more")
    assert f"2/{force}/3" in run(twice, more, bridge)["story"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("rule 9 amends 3:\n  value speed = base + 1\n", ["3/6/3/1/2/2"] * 3),
        ("rule 9 amends 3 when turn = 2:\n"
         "  value speed = 9\n", ["2/5/3/1/2/2", "9/12/3/1/2/2", "2/5/3/1/2/2"]),
        (
            "rule 9 amends 3 when turn >= 2:\n  define force(x: unit): number = 2 * base\n"
            "rule 10 amends 9 when turn >= 3:\n  define force(y: unit): number = base + y.steps\n",
            ["2/5/3/1/2/2", "2/10/3/1/2/2", "2/13/3/1/2/2"],
        ),
        (
            "rule 9 amends 3:\n  define force(x: unit): number = 2 * base\n"
            "rule 10 amends 3 after 9:\n  define force(x: unit): number = base + 1\n",
            ["2/11/3/1/2/2"] * 3,
        ),
        (
            "rule 9 amends 3:\n  define force(x: unit): number:\n    1 when turn = 1\n    7 when turn < 3\n"
            "    otherwise base\n"
            "rule 10 amends 9:\n  define force(y: unit): number:\n    y.steps when turn = 2 and y.steps > 3\n"
            "    otherwise 10 * base\n",
            ["2/10/3/1/2/2", "2/70/3/1/2/2", "2/50/3/1/2/2"],
        ),
        (
            "rule 9 amends 3:\n  procedure worth(u: unit) -> number:\n    let before = base\n"
            "    give before * 10\n",
            ["2/5/30/1/2/2"] * 3,
        ),
        (
            "rule 9 amends 3 when turn = 2:\n  procedure worth(u: unit) -> number: give 7\n",
            ["2/5/3/1/2/2", "2/5/7/1/2/2", "2/5/3/1/2/2"],
        ),
        (
            "rule 9 amends 3:\n  procedure worth(u: unit) -> number:\n    base\n    tell(\"then\")\n",
            ["then 2/5/0/1/2/2"] * 3,
        ),
        (
            "rule 9 amends 3 when turn = 2:\n  in table loss:\n    set [up to 2] to 8\n    without [over 2]\n"
            "    add | 3..9 | 6 |\n    add | 10+ | 7 |\n",
            ["2/5/3/1/2/2", "2/5/3/8/6/2", "2/5/3/1/2/2"],
        ),
        (
            "rule 9 amends 3:\n  table loss(k: number) -> number, first match:\n    | k | loss |\n"
            "    | - | 5    |\n",
            ["2/5/3/5/5/2"] * 3,
        ),
        (
            "rule 9 amends 3 when turn > 1:\n  in table ground:\n    set [woods, cost] to 4\n",
            ["2/5/3/1/2/2", "2/5/3/1/2/4", "2/5/3/1/2/4"],
        ),
        (
            "rule 9 amends 3:\n  in table ground:\n    set [woods, cost] to 6\n",
            ["2/5/3/1/2/6"] * 3,
        ),
    ],
)  # fmt: skip
def test_values_definitions_and_tables_are_amended(rules: str, expected: list[str]) -> None:
    found = [turn.split("rest ")[1].rsplit(" ", 2)[0] for turn in turns(run(over(rules)))]
    assert found == expected


def test_tables_of_effects_call_what_was_there() -> None:
    rules = (
        "rule 9 amends 3 when turn = 1:\n  table what(k: number) -> effect:\n"
        "    | k       | effect            |\n"
        '    | up to 2 | tell("new"), base |\n    | over 2  | -                 |\n'
    )
    assert [turn.split("1/2/2 ")[1] for turn in turns(run(over(rules)))] == ["new low ", "low ", "high "]


def test_procedures_attachments_and_set_up_are_amended() -> None:
    rules = """\
rule 9 amends 3:
  procedure rest(who: unit):
    tell("before")
    base
    tell("after-{who}")
  instead setup:
    base
    tell("more")
rule 10 amends 2 when turn = 2:
  instead during dusk:
    tell("instead")
    base
"""
    found = run(over(rules))
    assert found["story"].startswith("setup more dawn dusk during inner before rest after-A ")
    _, _, second, third = turns(found)
    assert "dusk instead during inner " in second and "instead" not in third


def test_what_an_amendment_attaches_is_added_wherever_the_amended_rule_attaches_something() -> None:
    rules = """\
rule 9 amends 2, 3 when turn = 2:
  during dusk: tell("more")
  at end of dawn: tell("still")
rule 10 amends 3:
  setup: tell("ready")
"""
    found = run(over(rules))
    assert found["story"].startswith("setup ready dawn ")
    first, second = found["story"].removeprefix("setup ready ").split("low ")[:2]
    assert first.startswith("dawn dusk during inner ")
    assert second.startswith("dawn still dusk during more inner ")


def test_a_replacing_rule_attaches_what_is_there_instead() -> None:
    rules = """\
rule 9 amends 2:
  instead during dusk: tell("night")
rule 10 replaces 4:
  at end of turn: tell("quiet")
"""
    assert turns(run(over(rules)))[0] == "dawn dusk night inner quiet "


_ADDING = ("define force also 10", "define force also 100 when u.steps = 3", "define force also 1000 when no")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_amendments_add_up_in_any_order_after_those_with_base(order: tuple[int, ...]) -> None:
    names = [f"more_{number}" for number in order]
    more = [
        over(f"rule {20 + number} amends 3:\n  {_ADDING[number]}\n", name=name)
        for number, name in zip(order, names, strict=True)
    ]
    twice = over("rule 9 amends 3:\n  define force(x: unit): number = 2 * base\n", name="twice")
    assert "2/120/3" in run(*more, twice)["story"]


def test_sets_are_joined_and_flags_are_alternatives_or_conditions() -> None:
    rules = """\
rule 5:
  enum colour: red, green, blue
  define colours: set of colour = {red}
  define bright: flag = turn = 1
  at start of march: tell("{size(colours)}{bright}")
rule 6 amends 5:
  define colours also {green}
  define bright also turn = 3
rule 7 amends 5 when turn > 1:
  define colours also {red, blue} when turn < 3
  define bright only if turn = 2
"""
    story = run(over(rules))["story"]
    assert [part for part in story.split() if part[0] in "123" and "/" not in part] == ["2yes", "3no", "2no"]


def test_values_and_tables_add_up_too() -> None:
    rules = """\
rule 9 amends 3:
  define speed also 5 when turn = 2
  define loss also k
"""
    found = [turn.split("rest ")[1].rsplit(" ", 2)[0] for turn in turns(run(over(rules)))]
    assert found == ["2/5/3/2/7/2", "7/10/3/2/7/2", "2/5/3/2/7/2"]


def test_what_is_fixed_for_a_phase_is_fixed_with_what_is_added() -> None:
    rules = """\
rule 5:
  define pace: number = turn fixed at start of march
  during dusk: tell("<{pace}>")
rule 6 amends 5:
  define pace also n
  at end of march: set n to 5
"""
    story = run(over(rules))["story"]
    assert story.count("<1>") == 1 and story.count("<7>") == 1 and story.count("<8>") == 1


def test_one_condition_of_an_action_is_dropped_or_replaced() -> None:
    weak = "rule 9 amends 2:\n  during dawn:\n    for each u in unit: set u.steps to 0\n"
    dropped = "rule 10 amends 2:\n  action walk also:\n    without (2)\n"
    replaced = dropped + '    when n = 0  else "no" (10)\n'
    answers = ("walk(A)", "pass", "pass")
    assert "walk" in run(over(weak, dropped), answers=answers)["story"]
    assert "walk" in run(over(weak, replaced), answers=answers)["story"]
    again = "rule 11 amends 10:\n  action walk also:\n    without (10)\n    when n > 0\n"
    found = program_of(BASE, over(replaced, again)).actions[0]
    assert [condition.rules for condition in found.conditions] == [("11",)]


def test_a_condition_is_dropped_for_a_while() -> None:
    weak = "rule 9 amends 2:\n  during dawn:\n    for each u in unit: set u.steps to 0\n"
    rules = "rule 10 amends 2 when turn = 2:\n  action walk also:\n    without (2)\n"
    found = run(over(weak, rules), answers=("pass", "walk(A)", "pass"))
    assert ["walk" in turn for turn in turns(found)] == [False, True, False]


def test_actions_are_amended() -> None:
    rules = """\
rule 9 amends 2:
  action walk(who: unit) by us in march:
    when who.steps > 0  else "tired"
    when turn < 3  else "too late" (9)
    do:
      tell("run-{who}")
      base
rule 10 amends 2 after 9 when turn = 2:
  action walk(u: unit) by us in march:
    do: tell("crawl")
"""
    found = run(over(rules), answers=("walk(A)",))
    assert "run-A walk " in found["story"]
    found.answer("walk(A)")
    assert "crawl " in found["story"] and found["story"].count("run-A") == 1
    assert found.keys == ["pass"]
    refusal = found.state.why_not("walk", "A")
    assert refusal is not None and (refusal.text, refusal.rules) == ("too late", ("9",))


def test_phases_are_inserted_moved_and_removed() -> None:
    rules = """\
rule 9 amends 2 when turn >= 2:
  insert phase storm "Storm" for each p in player after dawn when turn = 2: tell("storm-{p}")
  move phase dusk before march
  without phase dawn
rule 10 amends 2:
  insert phase deep before inner: tell("deep")
  insert phase last after inner: tell("last")
"""
    story = run(over(rules))["story"]
    first, second, third = story.removeprefix("setup ").split("rest 2/5/3/1/2/2 ")[:3]
    assert first == "dawn dusk during deep inner last "
    assert second == "low storm-Us storm-Them dusk during deep inner last "
    assert third == "low dusk during deep inner last "


def test_phase_that_moves_goes_where_it_was_sent() -> None:
    rules = "rule 9 amends 2:\n  move phase dusk before dawn\n"
    assert run(over(rules))["story"].startswith("setup dusk during inner dawn rest ")


def test_options_switch_rules_on() -> None:
    rules = """\
rule 9 amends 2 when storms:
  during march: tell("rain")
  action hide by us in march:
    do: tell("hidden")
  trigger wet(u: unit) after walk(u): tell("wet")
  victory drowned when n > 3 and turn > 1: them wins "drowned"
rule 10 amends 3 when storms and not calm:
  value speed = 1
rule 11 amends 3 when storms:
  instead setup:
    base
    set n to 4
"""
    plain = run(over(rules), answers=("walk(A)",))
    assert "wet" not in plain["story"] and "rain" not in plain["story"] and "hide()" not in plain.keys
    stormy = run(over(rules), options=("storms",), answers=("walk(A)",))
    assert "walk wet rain " in stormy["story"] and stormy.state.over and stormy.state.winners == ("them",)
    assert "1/4/3" in stormy["story"]
    assert "2/5/3" in run(over(rules), options=("storms", "calm"), answers=("hide()",))["story"]


def test_rules_are_removed_and_replaced() -> None:
    rules = """\
rule 9 replaces 4:
  at end of turn: tell("done")
rule 10 amends 2:
  without walk
  action crawl(u: unit) by us in march:
    do: tell("crawl")
rule 11 amends 3:
  without late
  victory early when n > 0: us wins "early"
rule 12 amends 3:
  without rest
  without worth
  without what
  without loss
"""
    found = run(over(rules), answers=("crawl(A)", "pass", "pass"))
    assert turns(found) == ["dawn crawl dusk during inner done ", *["dawn dusk during inner done "] * 2]


def test_amendments_of_several_overlays_stack() -> None:
    one = over("rule 20 amends 3:\n  define force(u: unit): number = base * 10\n", name="one")
    two = over("rule 30 amends 20:\n  define force(u: unit): number = base + 1\n", name="two", extends="one")
    three = over(
        "rule 40 amends 30 when turn = 2:\n  define force(u: unit): number = 0 - base\n",
        'rule 41 amends 4:\n  instead at end of turn: tell("{force(the(unit))}")\n',
        name="three",
        extends="two",
    )
    assert [turn.split("inner ")[1] for turn in turns(run(one, two, three))] == ["51 ", "-51 ", "51 "]


def test_triggers_are_amended() -> None:
    one = """\
rule 20:
  trigger tired(u: unit) after walk(u): tell("tired")
"""
    two = """\
rule 30 amends 20 when turn = 2:
  trigger tired(u: unit) after walk(u) when u.steps > 2: tell("exhausted")
"""
    found = run(over(one, name="one"), over(two, name="two", extends="one"), answers=("walk(A)",) * 3)
    assert [("tired" in turn, "exhausted" in turn) for turn in turns(found)] == [
        (True, False),
        (False, True),
        (True, False),
    ]


def test_who_acts_may_be_called_as_a_thing_was_in_the_rule_that_is_amended() -> None:
    overlay = """ruleset over "Over" extends base_game
rule 9 "Anew" amends 2:
  action walk(x: unit) by us in march:
    when x.steps > 0  else "tired" (2)
    do: tell("walk anew")
rule 10 "Once more" amends 2, 9:
  action walk(x: unit) by u in march:
    when x.steps > 3 and u = us  else "{x} is too tired for {u}" (10)
    do: tell("{u} walks")
"""
    game = trial(BASE.replace("by us in march", "by p in march"), overlay, scenario=SCENARIO)
    refusal = game.state.why_not("walk", "A", player="us")
    assert refusal is not None and str(refusal) == "A is too tired for Us (10)"
