"""Rules that would take for ever, or all memory, end soon with a diagnostic that names the rule."""

from __future__ import annotations

import pytest

from interpreter.compiler.compile import compile_program
from interpreter.failures import Limits, RuleFailure
from tests.rules import check_text
from tests.running import play, program_of

HEAD = 'ruleset r "R"\nplayers us "Us"\n'
#: So many lines of code are plenty for a few dozen short rules.
FEW_LINES = 3000


def failure(rules: str, scenario: str = "turns: 3\n", limits: Limits | None = None) -> RuleFailure:
    with pytest.raises(RuleFailure) as caught:
        state = play(HEAD + rules, scenario=scenario, journal=False, limits=limits).start(1)
        while not state.over:
            state.apply(0)
    assert caught.value.site is not None
    return caught.value


def test_text_that_doubles_has_an_end() -> None:
    found = failure("""\
rule 1:
  variable told: text = "again"
  sequence turn:
    phase act:
      repeat 60 times: set told to "{told}{told}"
""")
    assert (found.code, found.site and found.site.rule) == ("E0718", "1")


def test_long_texts_without_end_are_not_all_kept() -> None:
    game = play(
        HEAD
        + """\
rule 1:
  variable told: text = "again"
  sequence turn:
    phase act:
      repeat 10 times: set told to "{told}{told}"
      repeat 100000 times: say "{told} {turn}"
""",
        scenario="turns: 1\n",
    )
    with pytest.raises(RuleFailure) as caught:
        game.start(1)
    assert (caught.value.code, caught.value.site and caught.value.site.rule) == ("E0702", "1")


@pytest.mark.parametrize("depth", [16, 40])
def test_definitions_that_each_call_the_next_twice_are_short_code_and_have_an_end(depth: int) -> None:
    chain = "\n".join(f"  define d{n}: number = d{n + 1} + d{n + 1}" for n in range(depth))
    rules = f"""\
rule 1:
  variable seen: number = 1
{chain}
  define d{depth}: number = seen
  sequence turn:
    phase act: set seen to d0
"""
    code = compile_program(program_of(HEAD + rules))
    assert len(code.lines) < FEW_LINES and len(code.source) < 100 * FEW_LINES
    if depth == 40:
        assert failure(rules).code == "E0702"


def test_procedures_that_each_call_the_next_twice_have_an_end() -> None:
    chain = "\n".join(f"  procedure p{n}():\n    p{n + 1}()\n    p{n + 1}()" for n in range(40))
    rules = f"""\
rule 1:
  variable seen: number = 1
{chain}
  procedure p40(): set seen to 2
  sequence turn:
    phase act: p0()
"""
    assert len(compile_program(program_of(HEAD + rules)).lines) < FEW_LINES
    assert failure(rules).code == "E0702"


def test_procedures_that_ask_and_each_call_the_next_twice_have_an_end() -> None:
    chain = "\n".join(f"  procedure p{n}():\n    p{n + 1}()\n    p{n + 1}()" for n in range(40))
    rules = f"""\
rule 1:
  variable seen: number = 1
{chain}
  procedure p40():
    if seen = 2: let x = choose number from 1 to 2 by us
  sequence turn:
    phase act: p0()
"""
    assert failure(rules).code == "E0702"


@pytest.mark.parametrize(
    ("first", "last", "count"),
    [
        ("  define d{n}: number = d{m} + 1", "  define d{n}: number = 1", 200),
        ("  procedure d{n}(): d{m}()", "  procedure d{n}(): set seen to 2", 400),
    ],
)
def test_chains_of_calls_that_are_too_long_are_found_by_the_checker(
    first: str, last: str, count: int
) -> None:
    lines = [first.format(n=n, m=n + 1) for n in range(count)]
    rules = "\n".join(
        ["rule 1:", "  variable seen: number = 1", *lines, last.format(n=count), "  sequence turn:"]
    )
    call = "set seen to d0" if "define" in first else "d0()"
    problems = check_text(f"{HEAD}{rules}\n    phase act: {call}\n").problems
    assert [(one.code, one.primary and one.primary.line) for one in problems if one.severity == "error"] == [
        ("E0240", 5)
    ]


def test_chains_of_calls_as_long_as_allowed_are_played() -> None:
    lines = "\n".join(f"  define d{n}: number = d{n + 1} + seen" for n in range(95))
    rules = f"""\
rule 1:
  variable seen: number = 1
{lines}
  define d95: number = 1
  sequence turn:
    phase act:
      set seen to d0 + d0
      us takes 1 action
  action wait "Wait" by p in act:
    do: set seen to seen
"""
    assert play(HEAD + rules, scenario="turns: 1\n").start(1).view(None)["variables"]["seen"] == 192


def test_action_with_many_parameters_is_listed_within_the_budget() -> None:
    parameters = ", ".join(f"c{n}: cell" for n in range(8))
    found = failure(
        f"""\
rule 1:
  space cell on square board
  sequence turn:
    phase act: us takes 1 action
rule 2:
  action wander "Wander" ({parameters}) by p in act:
    when c7.row > 99
    do: say "never"
""",
        squares(8),
    )
    assert (found.code, found.site and found.site.rule) == ("E0702", "2")


def test_loops_in_loops_over_a_large_board_have_an_end() -> None:
    found = failure(
        """\
rule 1:
  variable seen: flag = no
  space cell on square board:
    h: number = 1
  sequence turn:
    phase act: say "on"
rule 2:
  at start of act:
    set seen to some a in cell where some b in cell where some c in cell where a.h + b.h > c.h + 9
""",
        squares(141),
    )
    assert (found.code, found.site and found.site.rule) == ("E0702", "2")


#: Far more than a step for each space, and far fewer than looking at much of the board for each would take.
FEW_STEPS = Limits(steps=200_000)
#: What looks at much of a board, for each of its spaces.
LOOKING = {
    "around": "size(spaces_within(a, 70)) > 9",
    "around, at what never changes": "some b in spaces_within(a, 70) where b.row > 9999",
    "in a ring": "size(ring(a, 70)) > 9",
    "along lines": "some b in cell where size(line_between(a, b)) > 999",
    "in sight": "some b in cell where not sight(from a to b, x where x.h > 9)",
    "along rows": "some n in numbers(2, 100) where size(lines_through(a, n)) > 9999",
    "along long rows": "size(lines_through(a, 100)) > 9999",
}


@pytest.mark.slow
@pytest.mark.parametrize("condition", LOOKING.values(), ids=LOOKING)
def test_looking_over_a_large_board_has_an_end(condition: str) -> None:
    found = failure(
        f"""\
rule 1:
  variable seen: number = 0
  space cell on square board:
    h: number = 1
  sequence turn:
    phase act: say "on"
rule 2:
  at start of act: set seen to count(a in cell where {condition})
""",
        squares(141),
        FEW_STEPS,
    )
    assert (found.code, found.site and found.site.rule) == ("E0702", "2")


def test_matching_of_a_large_board_has_an_end() -> None:
    found = failure(
        """\
rule 1:
  variable seen: number = 0
  space cell on square board:
    height: number = 1
  priority tallest for c: cell:
    prefer highest c.height
  sequence turn:
    phase act: say "on"
rule 2:
  at start of act:
    assign to each a in cell up to 1 of b in cell where a.height + b.height > 1 by tallest: increase seen by 1
""",
        squares(141),
    )
    assert (found.code, found.site and found.site.rule) == ("E0702", "2")


def test_tables_of_what_never_changes_are_filled_within_the_budget() -> None:
    found = failure(
        """\
rule 1:
  variable seen: flag = no
  space cell on square board
  define far(a: cell): flag = some b in cell where some c in cell where a.row + b.row + c.row > 999
  sequence turn:
    phase act: set seen to some a in cell where far(a)
""",
        squares(141),
    )
    assert found.code == "E0702"


def test_asking_a_position_again_and_again_does_not_use_up_its_budget() -> None:
    game = play(
        HEAD
        + """\
rule 1:
  space cell on square board
  sequence turn:
    phase act: us takes 1 action
  action look "Look" (c: cell) by p in act:
    when count(a in cell where a.row + c.row > 3) > 0
    do: say "looks"
  score(p) = count(a in cell where a.row > 2)
""",
        scenario=squares(20),
    )
    state = game.start(1)
    before = state.hash()
    for _ in range(40):
        assert game.score(state, 0) is not None
        assert state.choice is not None and state.choice.options
    assert state.why_not("look", game.place_ids[0]) is None
    assert state.hash() == before


#: Numbers that are not kept, but compared, told or handed on: none of them may need more than 64 bits.
GROWN = {
    "product with a constant": "set ready to seen * 1000000000000 * 1000000000000 > 5",
    "negative product": "set ready to (0 - seen) * 1000000000000 * 1000000000000 > 5",
    "sum": "set ready to sum(seen for i in numbers(1, 50000)) > 5",
    "sum of products": "set ready to sum(seen * 1000 * i for i in numbers(1, 9)) > 5",
    "argument of a procedure": "tell(seen * 1000)",
    "argument of a definition": "set ready to twice(seen * 1000) > 5",
    "definitions that double": "set ready to d0(seen) > 5",
    "result of a procedure": "let found = much(seen)",
    "rounded": "set ready to seen * 10000 * 2000 / 1 rounded nearest > 5",
    "list": "let found = [seen * 1000, 3]",
    "list of what is found": "let found = {seen * 1000 for c in cell}",
    "added": "increase seen by 1000000000000",
    "added in a variable": "increase kept by 1000000000000",
    "taken away": "decrease kept by 1000000000000",
    "table that adds": "set ready to collected(seen) > 5",
    "cost of a way": "set ready to way_across(seen * 1000) > 5",
    "question": "let found = choose number from seen * 1000 to seen * 1000 + 1 by us",
    "score of a priority": "let found = pick by dearest from cell",
}


@pytest.mark.parametrize("statement", GROWN.values(), ids=GROWN)
def test_numbers_stay_within_64_bits(statement: str) -> None:
    doubling = "".join(f"  define d{n}(n: number): number = d{n + 1}(n + n)\n" for n in range(60))
    found = failure(
        f"""\
rule 1:
  space cell on square board:
    h: number = 1
  variable ready: flag = no
  variable kept: number = 0
  sequence turn:
    phase act: say "on"
  procedure tell(n: number): say "{{n}}"
  procedure much(n: number) -> number: give n * 1000
  define twice(n: number): number = n + n
{doubling}  define d60(n: number): number = n
  table collected(n: number) -> number, collect match:
    | n | r                  |
    | - | n * 1000000000000  |
    | - | n * -1000000000000 |
  way dear(n: number) over cell from x to y: cost n
  define way_across(n: number): number = price(dear(n), the(corners(1)), the(corners(4)))
  define corners(n: number): set of cell = {{c in cell where c.row = n and c.column = n}}
  priority dearest for c: cell:
    prefer highest c.h * kept * 1000000000000
    otherwise lowest
rule 2:
  at start of act:
    let seen = 990000000000 * 1000
    set kept to 0 - seen
    if turn = 1: set kept to seen
    repeat 9000 times:
      {statement}
      {"decrease kept by 1000000000000" if "decrease" in statement else "set ready to ready"}
""",
        squares(4),
    )
    assert found.code == "E0705"


def test_more_dice_than_a_list_can_hold_are_not_rolled() -> None:
    rules = """\
rule 1:
  dice d6: 1..6
  sequence turn:
    phase act:
      let rolled = roll 100001 of d6
      say "{size(rolled)}"
"""
    assert failure(rules).code == "E0706"


def squares(side: int) -> str:
    board = f'{{layout: {{shape: square}}, size: [{side}, {side}], numbering: "{{row}}-{{column}}"}}'
    return f"turns: 3\nboards:\n  cell: {board}\n"
