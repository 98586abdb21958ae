"""Ratios and shifts along enums: the highest ratio not above two numbers, and steps that stop at the ends."""

from __future__ import annotations

import pytest

from tests.running import trial

RULES = """\
ruleset r "R"
players us "Us"
rule 1:
  enum odds: 1:3, 1:2, 1:1, 3:2, 2:1
  enum sky: sun, rain, storm
  variable column: odds = 1:1
  variable weather: sky = rain
  variable first: number = 0
  variable second: number = 0
  variable n: number = 0
  table losses(sky: sky, column: odds) -> number:
    | sky         | 1:3, 1:2 | 1:1 | 3:2 | 2:1 |
    | sun         | 1        | 2   | 3   | 4   |
    | rain, storm | 5        | 6   | 7   | 8   |
  define column_of(a: number, d: number): odds = odds(a, d)
  sequence turn:
    phase noon: DO
"""


NAMES = ("1:3", "1:2", "1:1", "3:2", "2:1")


def ran(effects: str) -> dict[str, object]:
    block = "".join(f"\n      {line}" for line in effects.splitlines())
    found = trial(RULES.replace("DO", block), scenario="turns: 1\n")
    return {name: found[name] for name in ("column", "weather", "n")}


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(2, 7, 0), (1, 3, 0), (4, 9, 0), (1, 2, 1), (5, 6, 1), (6, 6, 2), (7, 5, 2), (3, 2, 3), (199, 100, 3),
     (2, 1, 4), (50, 1, 4), (0, 5, 0), (3, 0, 4), (0, 0, 4)],
)  # fmt: skip
def test_two_numbers_give_the_highest_ratio_that_is_not_above_them(
    attack: int, defence: int, column: int
) -> None:
    effects = f"set first to {attack}\nset second to {defence}\nset column to column_of(first, second)"
    assert ran(effects)["column"] == NAMES[column]


@pytest.mark.parametrize(
    ("shift", "column"),
    [("+ 1", 3), ("+ 2", 4), ("+ 9", 4), ("- 1", 1), ("- 5", 0), ("+ 0", 2), ("+ 1 - 3", 0)],
)
def test_a_shift_stops_at_the_ends(shift: str, column: int) -> None:
    assert ran(f"set column to column {shift}")["column"] == NAMES[column]


def test_any_enum_can_be_shifted_and_nothing_stays_nothing() -> None:
    assert ran("set weather to weather + 1")["weather"] == "storm"
    assert ran("set weather to nothing\nset weather to weather + 1")["weather"] == "nothing"
    assert ran("set weather to sun - turn")["weather"] == "sun"


def test_ratios_head_the_columns_of_a_table_and_are_compared() -> None:
    assert ran("set n to losses(sun, odds(7, 4) + 1)")["n"] == "4"
    assert ran("set n to losses(storm, odds(1, 9))")["n"] == "5"
    assert ran("if column >= 1:1 and column < 3:2: set n to 3")["n"] == "3"
