"""What engines write code from: constants folded, collections narrowed, questions cut out."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.passes.lower import lower
from interpreter.passes.lowered import Act, Actions, Enter, Jump, Loop, Lowered, Switch, TakeAction, Wait
from tests.running import program_of

RULES = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  value near = 1 + 1
  value far = near + 1
  value unused = 7
  enum mood: calm, wary
  space cell on square board:
    rough: flag
  piece unit:
    owner: player
    mood: mood = calm
    steps: number = 3
  sequence turn:
    phase act for each p in player: p takes 2 actions
  define neighbours_of(u: unit): set of unit = {v in unit where distance(v.at, u.at) <= near}
  define wary_ones: number = count(u in unit where u.mood = wary)
  define nobody_wary: flag = count(u in unit where u.mood = wary) = 0
  define upper: set of cell = {c in cell where c.row > 2}
  define mine(p: player): set of unit = {u in unit where u.owner = p}
  define tall: flag = far > 2 and nobody_wary
  action move "Move" (u: unit, to: cell) by p in act:
    when u.owner = p
    when to.rough
    when distance(u.at, to) <= far
    do:
      put u on to
      for each v in unit where v.mood = calm:
        let w = choose from {to} by p "Where?"
        put v on w
  victory last(p: player) when no mine(p): p wins
"""


def lowered(**settings: bool) -> Lowered:
    return lower(program_of(RULES), **settings)


def body(form: Lowered, name: str) -> ir.Expression:
    return next(one.body for one in form.program.definitions if one.name == name)


def found(item: object, kind: type) -> list[object]:
    return [part for part in parts(item) if isinstance(part, kind)]


def test_values_made_of_values_are_constants_where_they_are_asked_for() -> None:
    form = lowered()
    assert body(form, "far") == ir.Const(value=3, type=ir.NUMBER)
    assert not [call for call in found(form.program, ir.Call) if getattr(call, "name", "") in ("near", "far")]


def test_conditions_that_always_hold_are_left_out() -> None:
    tall = body(lowered(), "tall")
    assert tall == ir.Call(name="nobody_wary", arguments=(), type=ir.FLAG, site=getattr(tall, "site"))  # noqa: B009


def test_coverage_leaves_rules_as_they_stand() -> None:
    form = lowered(cover=True)
    assert found(body(form, "far"), ir.Call)
    assert not found(form.program, ir.Static) and not form.statics
    assert found(form.blocks, ir.Touch)


def test_a_named_distance_narrows_as_a_number_does() -> None:
    near = found(body(lowered(), "neighbours_of"), ir.ContentsNear)
    assert [one.distance for one in near if isinstance(one, ir.ContentsNear)] == [2]


def test_sets_that_narrowing_makes_say_what_they_hold() -> None:
    form = lowered()
    kept = found(body(form, "wary_ones"), ir.Kept)
    assert [str(one.type) for one in kept if isinstance(one, ir.Kept)] == ["set of unit"]
    rough = [one for one in found(form.listings, ir.Having) if isinstance(one, ir.Having)]
    assert rough and {(one.owner, one.type.element.tag) for one in rough if one.type.element} >= {
        ("space", "space"),
        ("piece", "piece"),
    }


def test_no_count_is_made_to_know_that_there_is_none() -> None:
    asked = body(lowered(), "nobody_wary")
    assert isinstance(asked, ir.Quantify) and asked.gather == "no" and asked.where is None


def test_tests_that_nothing_changes_are_made_once() -> None:
    form = lowered()
    assert [one.kind for one in form.statics] == ["cell"]
    assert found(body(form, "upper"), ir.Static)


def test_everything_done_is_a_procedure_or_a_block() -> None:
    form = lowered()
    rest = (form.procedures, form.blocks)
    assert not [
        part for part in parts(rest)
        if isinstance(part, (ir.Apply, ir.CheckVictory, ir.Choose, ir.Menu, ir.Offer))
    ]  # fmt: skip
    assert {"check victory", "setup"} <= {one.name for one in form.procedures}
    assert "action move" in {entry.procedure for entry in form.entries}


def test_ways_lead_to_blocks_of_the_same_procedure_and_every_block_is_reached() -> None:
    form = lowered()
    reached = {entry.block for entry in form.entries}
    for block in form.blocks:
        targets = [part.block for part in parts(block.body) if isinstance(part, ir.JumpIf)]
        match block.exit:
            case Jump(block=number):
                targets.append(number)
            case Enter(then=number) | Act(then=number) | TakeAction(then=number):
                targets.append(number)
            case Switch(blocks=numbers):
                targets += numbers
            case Wait(then=then, none=none):
                targets += [then] if none is None else [then, none]
        assert {form.blocks[number].procedure for number in targets} <= {block.procedure}
        reached.update(targets)
    assert len(form.blocks) > 5 and reached == set(range(len(form.blocks)))


def test_every_local_of_a_block_has_a_slot_or_is_bound_in_it() -> None:
    form = lowered()
    slots = {entry.procedure: {slot.name for slot in entry.slots} for entry in form.entries}
    assert sum(map(len, slots.values())) > 5
    for block in form.blocks:
        set_here = {part.name for part in parts(block.body) if isinstance(part, (ir.SetLocal, ir.Let))}
        assert set_here <= slots[block.procedure]


def test_parameters_are_looped_over_in_order_with_tests_as_early_as_can_be() -> None:
    form = lowered()
    ((group, (listing,)),) = form.listings
    assert group == "act" and [loop.parameter.name for loop in listing.loops] == ["u", "to"]
    assert listing.loops[0].tests == () and len(listing.loops[1].tests) == 1
    offers = [one.exit for one in form.blocks if isinstance(one.exit, Wait)]
    assert [one.options.group for one in offers if isinstance(one.options, Actions)] == ["act"]


def test_what_one_condition_joins_is_tested_as_early_as_what_stands_alone() -> None:
    apart = """\
    when u.owner = p
    when to.rough
    when distance(u.at, to) <= far
"""
    joined = "    when u.owner = p and to.rough and distance(u.at, to) <= far\n"
    assert apart in RULES
    form = lower(program_of(RULES.replace(apart, joined)))
    assert [loop.source for loop in _loops(form)] == [loop.source for loop in _loops(lowered())]
    assert [len(loop.tests) for loop in _loops(form)] == [len(loop.tests) for loop in _loops(lowered())]


def test_what_may_fail_stays_behind_what_keeps_it_from_failing() -> None:
    apart = "    when u.owner = p\n    when to.rough\n    when distance(u.at, to) <= far\n"
    guarded = "    when to.rough and u.steps > 0 and 6 / u.steps rounded down > 1 and u.owner = p\n"
    form = lower(program_of(RULES.replace(apart, guarded)))
    first, second = _loops(form)
    assert not found(first.tests, ir.Get) and found(second.tests, ir.Get)


def _loops(form: Lowered) -> tuple[Loop, ...]:
    ((_, (listing,)),) = form.listings
    return listing.loops
