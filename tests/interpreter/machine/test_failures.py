"""Failures while rules run: each is told at its rule and line, and leaves nothing half done."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.failures import MESSAGES, Limits, RuleFailure
from interpreter.machine.game import Game
from interpreter.records.session import Session
from tests.looping import each
from tests.running import play

HEADER = """\
ruleset r "R"
players us
rule 1 "Words":
  piece unit:
    steps: number = 3
  variable x: number = 0
  variable done: number = 0
  sequence turn:
    phase play: us may take actions
  define none_left: number = x - x
  action safe by us in play:
    do: increase done by 1
rule 7.1 "The rule that fails":
"""
FAILING = {
    "E0701": """
  action fail by us in play:
    do:
      increase done by 10
      set x to 6 / none_left rounded up  # here
""",
    "E0702": """
  action fail by us in play:
    do:
      increase done by 10
      repeat 1000 times:
        repeat 1000 times: increase x by 1  # here
""",
    "E0704": """
  action fail by us in play:
    do:
      increase done by 10
      set x to found(100)
  table found(n: number) -> number, first match:  # here
    | n             | x |
    | under x       | 1 |
    | over 1000 + x | 2 |
""",
    "E0705": """
  action fail by us in play:
    do:
      increase done by 10
      set x to 10
      repeat 20 times:
        set x to x * x  # here
""",
    "E0718": """
  variable told: text = "word"
  action fail by us in play:
    do:
      increase done by 10
      repeat 60 times:
        set told to "{told}{told}"  # here
""",
    "E0706": """
  action fail by us in play:
    do:
      increase done by 10
      set x to 2000000
      repeat x times: increase x by 1  # here
""",
    "E0709": """
  action fail by us in play:
    do:
      increase done by 10
      if done > x: refuse "not with {done}"  # here
""",
    "E0708": """
  action fail by us in play:
    do:
      increase done by 10
      let few = pick 1 at random from numbers(-9, -8)  # here
      set x to size(few)
""",
}
SCENARIO = "pieces: {unit: [{id: A}, {id: B}]}\n"
LIMITS = Limits(steps=10_000)


def place(text: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if line.endswith("# here"))


def failing(code: str, journal: bool) -> tuple[Game, int]:
    text = HEADER + FAILING[code].removeprefix("\n")
    game = play(text, scenario=SCENARIO, limits=LIMITS, journal=journal)
    if code == "E0708":
        game.namespace["random_list"] = _out_of_memory  # no rules of a few lines bring this about
    return game, place(text)


def _out_of_memory(*_: object) -> None:
    raise MemoryError


@pytest.mark.parametrize("journal", [True, False], ids=["journal", "no journal"])
@pytest.mark.parametrize("code", FAILING)
def test_failure_names_its_rule_and_line(code: str, journal: bool) -> None:
    game, line = failing(code, journal)
    state = game.start()
    with pytest.raises(RuleFailure) as caught:
        state.apply("fail()")
    site = caught.value.site
    assert caught.value.code == code and site is not None
    assert (site.rule, site.file, site.line) == ("7.1", "book-1.rules", line)
    assert str(caught.value).startswith(f"book-1.rules:{line}: rule 7.1: ")


@pytest.mark.parametrize("journal", [True, False], ids=["journal", "no journal"])
@pytest.mark.parametrize("code", FAILING)
def test_nothing_is_half_done_after_a_failure(code: str, journal: bool) -> None:
    game, _ = failing(code, journal)
    session = Session(game, 3, [0])
    before, entries = session.state.hash(), len(session.state.entries())
    with pytest.raises(RuleFailure):
        session.apply("fail()")
    assert (session.state.hash(), len(session.state.entries())) == (before, entries)
    assert session.choices == (0,)
    session.apply("safe()")
    assert session.state.view(None)["variables"]["done"] == 2
    session.undo(2)
    assert session.redo(2).view(None)["variables"]["done"] == 2


def test_game_that_never_ends_is_told() -> None:
    # E0703
    game = play(HEADER + '  option idle "Idle"\n', scenario=SCENARIO, limits=Limits(choices=5))
    session = Session(game, 0)
    for _ in range(5):
        session.apply("safe()")
    with pytest.raises(RuleFailure, match="did not end within 5 choices") as caught:
        session.apply("safe()")
    assert caught.value.code == "E0703"
    assert len(session.choices) == 5 and not session.state.over


def test_steps_are_counted_where_a_question_could_be_asked() -> None:
    text = HEADER + (
        "  action fail by us in play:\n    do:\n      repeat 5000 times:\n        repeat 5000 times:\n"
        "          if x < 0:\n            let n = choose number from 1 to 2\n            set x to n\n"
    )
    for journal in (True, False):
        game = play(text, scenario=SCENARIO, limits=LIMITS, journal=journal)
        with pytest.raises(RuleFailure) as caught:
            game.start().apply("fail()")
        assert caught.value.code == "E0702" and caught.value.site is not None
        assert caught.value.site.rule == "7.1"


def test_steps_are_counted_in_definitions() -> None:
    text = HEADER + (
        "  define pairs: number =\n"
        "      sum(count(b in numbers(1, 3000) where b > a + x) for a in numbers(1, 90000))\n"
        "  action fail by us in play:\n    do: set x to pairs\n"
    )
    game = play(text, scenario=SCENARIO, limits=LIMITS)
    with pytest.raises(RuleFailure) as caught:
        game.start().apply("fail()")
    assert caught.value.code == "E0702"


def test_failure_before_the_first_choice_is_told_too() -> None:
    text = HEADER + "  setup: set x to 1 / none_left rounded down\n"
    game = play(text, scenario=SCENARIO)
    with pytest.raises(RuleFailure) as caught:
        game.start()
    assert caught.value.code == "E0701" and caught.value.site is not None
    assert (caught.value.site.rule, caught.value.site.line) == ("7.1", len(text.splitlines()))


def test_division_by_a_fixed_zero_is_told_when_a_rule_asks_for_it() -> None:
    text = HEADER + (
        "  piece gun:\n    size: number\n  define share(g: gun): number = 12 / g.size rounded down\n"
        "  action fire(g: gun) by us in play:\n    when g.size != 3\n    do: set x to share(g)\n"
        "  action good_shot(g: gun) by us in play:\n    when done > 5 and share(g) > 2\n    do: set x to 1\n"
    )
    scenario = "pieces: {gun: [{id: C, size: 4}, {id: D, size: 0}, {id: E, size: 3}]}\n"
    for journal in (True, False):
        game = play(text, scenario=scenario, journal=journal)
        state = game.start()
        state.apply("fire(C)")
        assert state.view(None)["variables"]["x"] == 3
        with pytest.raises(RuleFailure) as caught:
            state.apply("fire(D)")
        assert caught.value.code == "E0701" and caught.value.site is not None


def test_number_that_grows_by_adding_is_told() -> None:
    for growing in ("increase x by x", "set x to x * 1000", "increase u.steps by u.steps", "set y to y + y"):
        text = HEADER + (
            "  action fail by us in play:\n    do:\n      set x to 1\n      let y = 1\n"
            "      for each u in unit:\n"
            f"        repeat 5000 times: {growing}\n      set x to y\n"
        )
        for journal in (True, False):
            game = play(text, scenario=SCENARIO, journal=journal)
            with pytest.raises(RuleFailure) as caught:
                game.start().apply("fail()")
            assert caught.value.code == "E0705", growing


def test_failure_says_in_words_what_happened() -> None:
    known: dict[str, Any] = {"limit": 3, "values": "1", "text": "no", "shown": 7, "faces": "1, 2"}
    for code, text in each(MESSAGES.items()):
        assert str(RuleFailure(code, **known)) == text.format(**known)
