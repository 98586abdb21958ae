"""Rows that are only asked who stands in them: sets of spaces, with the same answers as rows."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.passes.lower import lower
from tests.running import program_of, trial

RULES = """\
ruleset r "R"
players us "Us", them "Them"
rule 1:
  space cell on square board:
    mark: player = nothing
    hot: flag = no
  variable told: number = 0
  define whole(c: cell, p: player): number =
      count(row in lines_through(c, 3) where every s in row has s.mark = p)
  define open(c: cell): flag = some row in lines_through(c, 3) where no s in row where s.mark != nothing
  define hottest(c: cell): number =
      most(count(s in row where s.hot and s.mark = us) for row in lines_through(c, 2))
  define first_ones(c: cell): number =
      count(row in lines_through(c, 3) where item(row, 1).mark = us)
  define either(c: cell): number =
      count(row in lines_through(c, 3) where every s in row has (s.hot or s.mark = us))
  sequence turn:
    phase act for each p in player: p takes 1 action
  action mark "Mark" (c: cell) by p in act:
    when c.mark = nothing
    do:
      set c.mark to p
      if c.row + c.column > 4: mark c as hot
      let opened = 1 if open(c) otherwise 0
      set told to 1000 * whole(c, p) + 100 * opened + 20 * hottest(c) + 5 * first_ones(c) + either(c)
"""
SCENARIO = """\
turns: 40
boards:
  cell:
    layout: {{shape: square, adjacency: all}}
    numbering: "{{letter}}{{row}}"
    size: [{size}, {size}]
"""


def test_rows_become_sets_where_only_their_spaces_are_asked() -> None:
    program = lower(program_of(RULES)).program
    kinds = {
        one.name: next(
            part.type.element.tag
            for part in parts(one.body)
            if isinstance(part, ir.Builtin) and part.name == "lines_through" and part.type.element is not None
        )
        for one in program.definitions
    }
    assert kinds == {
        "whole": "set", "open": "set", "hottest": "set", "first_ones": "list", "either": "list",
    }  # fmt: skip


@pytest.mark.parametrize("size", [3, 8, 9])  # one word, all of one word, two
def test_sets_answer_as_rows_do(size: int) -> None:
    answers = [(7 * number + 3) % (size * size - number) for number in range(min(60, size * size))]
    played = trial(RULES, scenario=SCENARIO.format(size=size), answers=answers)
    assert played.state.count == len(answers) and played["told"] != "0"
