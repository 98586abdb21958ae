"""Questions, each answered in all ways: at the top, in procedures with results, in loops and in menus."""

from __future__ import annotations

from tests.running import Trial, trial

HEADER = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  enum colour: red, green, blue
  piece unit:
    owner: player
    steps: number = 3
    tired: flag = no
  space town in network
  dice d6: 1..6
  variable out: text = ""
  variable count_of: number = 0
  variable chosen: unit = nothing
  variable few: set of unit
  variable line: list of unit
  variable answers: list of number
  sequence turn:
    phase one
  at start of turn: nobody wins
rule 2:
"""
SCENARIO = """\
boards: {town: {spaces: {caen: {}, bayeux: {}}, links: [[caen, bayeux]]}}
pieces:
  unit:
    - {id: A, owner: us, at: caen}
    - {id: B, owner: us, at: caen}
    - {id: C, owner: them, at: bayeux}
variables: {few: [], line: [], answers: []}
"""


def ask(body: str, *answers: str | int, more: str = "", seed: int = 0) -> Trial:
    """A game whose set-up is this block."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return trial(HEADER + "  setup:\n" + lines + more, scenario=SCENARIO, answers=answers, seed=seed)


def test_one_of_several() -> None:
    body = 'let u = choose from u in unit where u.owner = us by them "Who?"\nset out to name_of(u)'
    asked = ask(body)
    assert asked.asked == ("them", "Who?") and asked.keys == ["A", "B"]
    assert ask(body, "A")["out"] == "A" and ask(body, "B")["out"] == "B"


def test_nobody_is_asked_where_nothing_can_be_chosen() -> None:
    body = """\
let u = choose from unit where it.steps > 9 by us
let some_unit = choose from unit where it.steps > 9 or none by us
let two = choose 2 from unit where it.steps > 9 by us
let three = choose up to 3 from unit where it.steps > 9 by us
let any_of_them = choose several from unit where it.steps > 9 by us
let none_at_all = choose up to 0 from unit by us
let ordered = choose order of u in unit where u.steps > 9 by us
let n = choose number from 3 to 2 by us
set out to "{u} {some_unit} {two} {three} {any_of_them} {none_at_all} {ordered} {n}"
"""
    assert ask(body)["out"] == "nothing " * 7 + "0"


def test_one_or_none() -> None:
    body = "let u = choose from unit or none by us\nset out to name_of(u)"
    assert ask(body).keys == ["A", "B", "C", "done"]
    assert ask(body, "C")["out"] == "C" and ask(body, "done")["out"] == "nothing"


def test_choose_then_act() -> None:
    body = """\
let u = 7
choose u in unit where u.owner = us by them "Who rests?":
  mark u as tired
  set out to "{u} rests"
otherwise: set out to "nobody"
increase count_of by u
"""
    asked = ask(body)
    assert asked.asked == ("them", "Who rests?") and asked.keys == ["A", "B"]
    rested = ask(body, "B")
    assert (rested["out"], rested["count_of"], rested.of("B", "tired")) == ("B rests", "7", True)


def test_choose_then_act_where_there_is_none_or_none_is_chosen() -> None:
    body = """\
choose u in unit where u.steps > 9 by us: set out to "a"
otherwise: set out to "b"
choose u in unit where u.steps > 9 by us: set out to "c"
choose v in unit or none by us: set out to "{out}{v}"
otherwise:
  set out to "{out}-"
"""
    assert ask(body).keys == ["A", "B", "C", "done"]
    assert ask(body, "C")["out"] == "bC" and ask(body, "done")["out"] == "b-"


def test_choose_several_then_act_on_each() -> None:
    body = """\
choose up to 2 u in unit where u.steps < 9 by us "Who rests?":
  mark u as tired
  set out to "{out}{u}"
otherwise: set out to "nobody"
"""
    assert ask(body).keys == ["A", "B", "C", "done"]
    both = ask(body, "C", "A")
    assert (both["out"], both.of("A", "tired"), both.of("B", "tired")) == ("AC", True, False)
    assert ask(body, "done")["out"] == "nobody"
    assert ask(body.replace("up to 2", "several"), "B", "done")["out"] == "B"
    assert ask(body.replace("up to 2", "1 to 2"), "B").keys == ["A", "C", "done"]
    assert ask(body.replace("< 9", "> 9"))["out"] == "nobody"


def test_yes_or_no_then_act() -> None:
    body = 'choose yes or no by them "Sure?": set out to "sure"\notherwise: set out to "not"'
    assert ask(body).asked == ("them", "Sure?")
    assert (ask(body, "yes")["out"], ask(body, "no")["out"]) == ("sure", "not")


def test_pick_then_act() -> None:
    more = """\
  priority strongest for u: unit:
    prefer highest u.steps
    prefer u.owner = us
    otherwise lowest
"""
    body = """\
pick u in unit where u.owner = them by strongest: set out to "{u}"
otherwise: set out to "none"
pick u in unit by strongest: set out to "{out}{u}"
pick u in unit where u.steps > 9 by strongest: set out to "?"
otherwise: set out to "{out}-"
pick u in unit where u.owner = them at random: set out to "{out}{u}"
"""
    assert ask(body, more=more)["out"] == "CA-C"


def test_draw_then_act() -> None:
    more = "  pile box of unit\n"
    body = """\
draw u from box: set out to "?"
otherwise: set out to "empty "
put the(unit) in box
draw u from box:
  remove u
  set out to "{out}{u}"
"""
    drawn = ask(body, more=more)
    assert drawn["out"] == "empty A"


def test_a_loop_with_nothing_to_go_through() -> None:
    body = """\
for each u in unit where u.steps > 9: set out to "?"
otherwise: set out to "none "
for each u in unit where u.steps = 3:
  set u.steps to 9
  set out to "{out}{u}"
otherwise: set out to "?"
"""
    assert ask(body)["out"] == "none ABC"


def test_results_of_procedures_as_conditions_and_results() -> None:
    more = """\
  procedure brave(u: unit) -> flag: give choose yes or no by us "Is {u} brave?"
  procedure bravest() -> unit: give pick by first_one from unit
  procedure again() -> unit: give bravest()
  priority first_one for u: unit:
    prefer u.owner = them
    otherwise lowest
"""
    body = """\
let u = again()
if brave(u): set out to "brave {u}"
otherwise if not brave(u): set out to "coward {u}"
otherwise: set out to "so so"
"""
    assert ask(body, "yes", more=more)["out"] == "brave C"
    assert ask(body, "no", "no", more=more)["out"] == "coward C"
    assert ask(body, "no", "yes", more=more)["out"] == "so so"


def test_bounds_of_what_is_chosen() -> None:
    body = "let found = choose 1 to 2 from unit by us\nset out to name_of(found)"
    assert ask(body).keys == ["A", "B", "C"] and ask(body, "B").keys == ["A", "C", "done"]
    assert ask(body, "B", "A")["out"] == "A, B" and ask(body, "B", "done")["out"] == "B"
    body = "let found = choose at least 2 from unit by us\nset out to name_of(found)"
    assert ask(body, "B").keys == ["A", "C"] and ask(body, "B", "C").keys == ["A", "done"]
    assert ask(body, "B", "C", "A")["out"] == "A, B, C"


def test_a_number_that_looks_like_an_internal_mark_is_still_a_number() -> None:
    body = "let n = choose number from -3 to 1 by us\nset out to name_of(n)"
    assert ask(body).keys == ["-3", "-2", "-1", "0", "1"]
    for number in (-3, -2, -1, 0):
        assert ask(body, str(number))["out"] == str(number)
    body = "let n = choose from numbers(-3, 1) or none by us\nset out to name_of(n)"
    assert ask(body).keys == ["-3", "-2", "-1", "0", "1", "done"]
    assert ask(body, 1)["out"] == "-2" and ask(body, 2)["out"] == "-1"


def test_exactly_so_many() -> None:
    body = "let two = choose 2 from unit by us\nset out to name_of(two)"
    asked = ask(body, "C")
    assert asked.keys == ["A", "B"]
    assert asked.answer("A")["out"] == "A, C"
    asked = ask("let four = choose 4 from unit by us\nset out to name_of(four)", "C", "B", "A")
    assert asked["out"] == "A, B, C"


def test_up_to_so_many() -> None:
    body = "let two = choose up to 2 from unit by us\nset out to name_of(two)"
    assert ask(body).keys == ["A", "B", "C", "done"]
    assert ask(body, "done")["out"] == "nothing"
    assert ask(body, "B", "done")["out"] == "B"
    assert ask(body, "B", "A")["out"] == "A, B"


def test_several() -> None:
    body = "set few to choose several from unit by us\nset out to name_of(few)"
    assert ask(body, "C", "A", "B")["out"] == "A, B, C"
    assert ask(body, "C", "done")["out"] == "C"


def test_several_within_a_limit_on_the_whole_answer() -> None:
    load = "such that sum(u.steps for u in riders) <= 6"
    body = f"""\
for each u in unit where name_of(u) = "B": set u.steps to 5
let riders = choose several from u in unit {load} by us
set out to name_of(riders)"""
    assert ask(body).keys == ["A", "B", "C", "done"]
    assert ask(body, "A").keys == ["C", "done"]
    # With B nobody else fits, so nobody is asked again.
    assert ask(body, "B")["out"] == "B"
    assert ask(body, "C", "A")["out"] == "A, C"
    # One who must choose is asked for as many as fit.
    exactly = body.replace("several", "3")
    assert ask(exactly).keys == ["A", "B", "C"]
    assert ask(exactly, "B")["out"] == "B"
    few = "choose several from n in [2, 1, 2] such that sum(n for n in ns) <= 3 by us"
    lists = f"let ns = {few}\nset out to name_of(ns)"
    assert ask(lists, "2").keys == ["1", "done"]
    assert ask(lists, "2", "1")["out"] == "2, 1"
    nobody = "let ns = choose several from unit such that size(ns) > 1 by us\nset out to name_of(ns)"
    assert ask(nobody)["out"] == "nothing"


def test_an_order() -> None:
    body = "set line to choose order of unit by us\nset out to name_of(line)"
    assert ask(body, "C", "A", "B")["out"] == "C, A, B"


def test_an_order_of_equal_numbers_keeps_them_all() -> None:
    body = "let ns = choose order of [2, 1, 2] by us\nset out to name_of(ns)"
    assert ask(body, "1", "2", "2")["out"] == "1, 2, 2"


def test_several_of_a_list_are_a_list_with_its_doubles() -> None:
    body = "let ns = choose 2 from [2, 1, 2] by us\nset out to name_of(ns)"
    assert ask(body).keys == ["2", "1", "2"]
    assert ask(body, "2").keys == ["1", "2"]
    assert ask(body, "2", "2")["out"] == "2, 2"
    assert ask(body, "2", "1")["out"] == "2, 1"
    negative = "let ns = choose up to 3 from [-1, -1] by us\nset out to name_of(ns)"
    assert ask(negative, 0, 0)["out"] == "-1, -1" and ask(negative, "done")["out"] == "nothing"
    pieces = "let us_all = choose several from {u in line where u in unit} by us\nset out to name_of(us_all)"
    twice = "set line to [the(unit), the(unit)]\n"
    assert ask(twice + pieces, "A", "A")["out"] == "A, A"
    wanted = "let ns = choose several from n in line where n = the(unit) by us\nset out to name_of(ns)"
    assert ask(twice + wanted).keys == ["A", "A", "done"]
    equal = "let ns = choose 2 from n in [2, 1, 2] where n = 2 by us\nset out to name_of(ns)"
    assert ask(equal).keys == ["2", "2"]


def test_random_picks_of_a_list_keep_its_doubles() -> None:
    assert ask("let ns = pick 2 at random from [5, 5]\nset out to name_of(ns)")["out"] == "5, 5"
    body = "let us_all = pick 2 at random from [the(unit), the(unit)]\nset out to name_of(us_all)"
    assert ask(body)["out"] == "A, A"


def test_yes_or_no() -> None:
    body = "let sure = choose yes or no by us\nset out to name_of(sure)"
    assert ask(body).keys == ["yes", "no"]
    assert ask(body, "yes")["out"] == "yes" and ask(body, "no")["out"] == "no"


def test_values_of_enums_and_players_and_places() -> None:
    body = """\
let c = choose from c in colour where c != green by us
let p = choose from player by c_player(c)
let t = choose from town by p
set out to "{c} {p} {t}"
"""
    more = "  define c_player(c: colour): player = us if c = red otherwise them\n"
    assert ask(body, "red", more=more).asked[0] == "us"
    asked = ask(body, "blue", more=more)
    assert asked.asked[0] == "them"
    assert asked.answer("us", "bayeux")["out"] == "blue Us Bayeux"


def test_menus_offer_what_their_conditions_allow() -> None:
    body = """\
let n = choose number from 1 to 3 by us
choose by them "What with {n}?":
  "Add {n}": increase count_of by n
  "Double" when n > 1:
    let m = choose number from 0 to n by us
    increase count_of by n * m
  "Nothing" when n = 2: stop
increase count_of by 100
"""
    first = ask(body, "1")
    assert first.asked == ("them", "What with 1?") and first.labels == ["Add 1"]
    assert first.answer("Add 1")["count_of"] == "101"
    assert ask(body, "2").labels == ["Add 2", "Double", "Nothing"]
    assert ask(body, "3", "Double", "2")["count_of"] == "106"
    assert ask(body, "2", "Nothing")["count_of"] == "0"


def test_menu_without_an_open_case_is_passed_over() -> None:
    body = 'choose by us:\n  "Never" when count_of > 9: set count_of to 5\nincrease count_of by 1'
    assert ask(body)["count_of"] == "1"


RESULTS = """\
  procedure pick_one(p: player) -> unit:
    let u = choose from unit where it.owner = p or none by p
    if u = nothing: stop
    give u
  procedure total(p: player) -> number:
    let first_one = pick_one(p)
    let second_one = pick_one(next_player(p))
    if first_one = nothing: stop
    give first_one.steps + second_one.steps
  procedure lucky -> number:
    for each n in numbers(1, 3):
      let yes_please = choose yes or no by us "{n}?"
      if yes_please: give n
  procedure forgetful -> number:
    let n = lucky()
    set count_of to n
"""


def test_results_of_procedures_that_ask() -> None:
    body = "let n = total(us)\nset out to name_of(n)"
    assert ask(body, "A", "C", more=RESULTS)["out"] == "6"
    assert ask(body, "A", "done", more=RESULTS)["out"] == "3"
    assert ask(body, "done", "C", more=RESULTS)["out"] == "0"


def test_result_given_in_a_loop_ends_the_procedure() -> None:
    body = "let n = lucky()\nset out to name_of(n)"
    assert ask(body, "no", "yes", more=RESULTS)["out"] == "2"
    assert ask(body, "no", "no", "no", more=RESULTS)["out"] == "0"


def test_procedure_that_gives_nothing_does_not_pass_on_another_result() -> None:
    body = "let n = forgetful()\nset out to name_of(n)"
    found = ask(body, "no", "yes", more=RESULTS)
    assert (found["out"], found["count_of"]) == ("0", "2")


def test_result_that_nobody_reads_is_forgotten() -> None:
    more = RESULTS + "  procedure ignoring -> number:\n    lucky()\n"
    body = "let n = ignoring()\nset out to name_of(n)"
    assert ask(body, "yes", more=more)["out"] == "0"


def test_result_set_at_once() -> None:
    body = "set chosen to pick_one(them)\nset out to name_of(chosen)"
    assert ask(body, "C", more=RESULTS)["out"] == "C"


def test_questions_in_loops() -> None:
    body = """\
for each u in unit where not u.tired ordered by highest u.owner, u.steps:
  let tires = choose yes or no by u.owner "Is {u} tired?"
  if tires:
    for each v in unit: mark v as tired
  increase count_of by 1
repeat 2 times while count_of < 4:
  let n = choose number from 1 to 2 by us
  increase count_of by n
"""
    asked = ask(body)
    assert asked.asked == ("them", "Is C tired?")
    # Whom to go through was settled before the first one.
    assert asked.answer("yes").asked == ("us", "Is A tired?")
    assert asked.answer("no", "no", "2").state.over and asked["count_of"] == "5"
    assert ask(body, "no", "no", "no", "1")["count_of"] == "4"
    assert ask(body, "no", "no", "no", "1").state.over


def test_questions_in_nested_procedures() -> None:
    more = """\
  procedure outer(n: number):
    inner(n, n + 1)
    increase count_of by n
  procedure inner(a: number, b: number):
    let n = choose number from a to b by us
    let again = choose yes or no by us
    if again: once_more(n)
    increase count_of by 10 * n
  procedure once_more(n: number):
    let u = choose from unit by us
    increase count_of by 100 * (n + u.steps)
"""
    body = "outer(1)\nouter(2)"
    found = ask(body, "2", "no", "3", "yes", "B", more=more)
    assert found["count_of"] == str(20 + 1 + 600 + 30 + 2)


def test_answers_of_priorities_and_choices_mix() -> None:
    more = '  priority weakest for u: unit:\n    prefer lowest u.steps\n    otherwise us chooses "Tie!"\n'
    body = """\
let n = choose number from 1 to 2 by them
let first_ones = pick n by weakest from unit where it.owner = us
set out to name_of(first_ones)
"""
    asked = ask(body, "1", more=more)
    assert asked.asked == ("us", "Tie!") and asked.keys == ["A", "B"]
    assert asked.answer("B")["out"] == "B"
    assert ask(body, "2", "B", more=more)["out"] == "B, A"


def test_chance_between_questions_is_the_same_again() -> None:
    body = """\
let rolled = roll 3 of d6
let n = choose number from 1 to the(rolled) by us
let again = roll d6
let u = pick at random from unit
set out to "{rolled} {n} {again} {u}"
"""
    for seed in range(5):
        assert ask(body, "1", seed=seed)["out"] == ask(body, "1", seed=seed)["out"]
    assert len({ask(body, "1", seed=seed)["out"] for seed in range(5)}) > 1


def test_collection_may_depend_on_a_test_of_membership() -> None:
    body = """\
let u = choose from v in (unit at "caen" if chosen in few otherwise unit at "bayeux") where v.steps > 0 by us
set out to name_of(u)
"""
    assert ask(body).keys == ["C"]


def test_collection_may_be_found_along_the_way() -> None:
    body = """\
let n = 2
for each u in unit where u.steps > n:
  set n to 9
  increase count_of by 1
set out to name_of(count_of)
"""
    assert ask(body)["out"] == "3"
