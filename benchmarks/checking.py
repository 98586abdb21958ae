"""How the time of a check grows with the number of lines: rules of one shape, in two sizes.

The rules hold what rulesets hold: definitions that use earlier ones, tables, actions and procedures. Left
out: reading the files, which takes no time beside the check.
"""

from __future__ import annotations

import gc
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.timing import Row, Sizes
from ddob_rules.check.program import check
from ddob_rules.stack.book import book_from_sources
from ddob_rules.syntax.source import Source

_HEADER = """\
ruleset large "Large" edition "1"
players red "Red", blue "Blue"

rule 1 "Map and units":
  "The map is made of hexes, clear or wooded. A unit has two steps."
  enum ground: clear, woods
  space hex on hex board:
    ground: ground
  piece unit:
    owner: player
    steps: number = 2
  define worth_0(u: unit): number = u.steps
  sequence turn:
    phase orders "Orders" for each p in player: p takes 1 action

"""
_RULE = """\
rule 2.{number} "Fire, case {number}":
  "A unit fires at an enemy up to two hexes away; woods make it harder to hit."
  table hit_{number}(ground: ground, steps: number) -> number, unique match:
    | ground | steps | number |
    | clear  | 0..1  | 4      |
    | clear  | 2+    | 3      |
    | woods  | 0..1  | 6      |
    | woods  | 2+    | 5      |
  define worth_{number}(u: unit): number = {before} + 1 if u.steps > 1 otherwise 0
  action fire_{number} "Fire" (u: unit, target: unit) by p in orders:
    shown as "{{u}} fires at {{target}}"
    when u.owner = p  else "that is not your unit" (2.{number})
    when target.owner != p  else "that is your own unit" (2.{number})
    when distance(u.at, target.at) <= 2 + worth_{number}(u)  else "the target is too far" (2.{number})
    do:
      if hit_{number}(target.at.ground, target.steps) > 4: lose_{number}(target)
  procedure lose_{number}(u: unit):
    decrease u.steps by 1
    if u.steps = 0: remove u

"""
SCENARIO = """\
scenario: large
title: Large
ruleset: large
boards:
  hex:
    layout: {shape: hex, orientation: pointy, shifted: even}
    numbering: "{letter}{row}"
    legend:
      ".": {ground: clear}
      "w": {ground: woods}
    rows:
      - ". w ."
      - " w . ."
pieces:
  unit:
    - {id: R1, owner: red, at: a1}
    - {id: B1, owner: blue, at: b2}
"""


def large_rules(lines: int) -> str:
    """The text of a ruleset of at least so many lines."""
    parts = [_HEADER]
    for number in range(1, 2 + max(0, lines - _HEADER.count("\n")) // _RULE.count("\n")):
        # A chain of definitions is cut now and then: nobody's rules refer a thousand deep.
        before = f"worth_{number - 1}(u)" if number % 10 else "u.steps"
        parts.append(_RULE.format(number=number, before=before))
    return "".join(parts)


def check_seconds(text: str) -> float:
    """How long it takes from text to a checked program."""
    gc.collect()
    started = process_time()
    source = Source("large.rules", text)
    book, problems = book_from_sources([source], Path("large"))
    assert book is not None and not problems, problems
    checked = check([book])
    taken = process_time() - started
    assert checked.program is not None, checked.problems
    return taken


def measure(sizes: Sizes) -> list[Row]:
    """One row: the time for a line of the larger ruleset against that for a line of the smaller."""
    small, large = (large_rules(lines) for lines in sizes.lines)
    check_seconds(small)  # the grammar is built once, and not counted
    pairs = [(_for_a_line(small), _for_a_line(large)) for _ in range(3)]
    near, far = (median(pair[size] for pair in pairs) * 1e6 for size in (0, 1))
    return [
        Row(
            subject=f"check of a line of {large.count(chr(10)):,}",
            against=f"a line of {small.count(chr(10)):,}",
            ratio=median(late / early for early, late in pairs),
            wanted="about 1",
            machine=f"{far:.0f} to {near:.0f} microseconds",
        )
    ]


def _for_a_line(text: str) -> float:
    return check_seconds(text) / text.count("\n")
