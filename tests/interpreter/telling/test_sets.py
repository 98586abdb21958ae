"""A set that changes is told by what came and what left, not whole."""

from __future__ import annotations

from tests.running import play

BAGS = """\
ruleset bags "Bags"
players ann "Ann"
rule 1:
  enum tool: axe, rope, lamp
  each player:
    tools: set of tool = {}
  sequence turn:
    phase packing: ann takes 1 action
  action pack "Pack" (t: tool) by p in packing:
    do: add t to p.tools
  action swap "Swap" by p in packing:
    do: set p.tools to {rope, lamp}
  action drop "Drop" by p in packing:
    do: remove axe from p.tools
  score(p) = size(p.tools)
"""


def told(*keys: str) -> list[str]:
    state = play(BAGS, scenario="turns: 9\n").start(1)
    for key in keys:
        state.apply(key)
    return [str(entry) for entry in state.journal if "tools" in str(entry)]


def test_what_came_and_what_left_is_told() -> None:
    assert told("pack(axe)", "pack(rope)", "drop()", "pack(axe)", "swap()") == [
        "Ann: tools + axe  [1]",
        "Ann: tools + rope  [1]",
        "Ann: tools - axe  [1]",
        "Ann: tools + axe  [1]",
        "Ann: tools + lamp, - axe  [1]",
    ]
