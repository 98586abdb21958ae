"""The vocabulary is whole before bodies are read; what they keep for themselves comes beside it."""

from __future__ import annotations

from tests.rules import check_text

RULES = """\
ruleset r "R"
players us
rule 1:
  piece unit:
    steps: number = 3
  define strength(u: unit): number = u.steps fixed at start of fight
  define strongest: number = most(strength(u) for u in unit) fixed at start of fight
  sequence turn:
    phase fight:
      us may take actions
  action rest(u: unit) by p in fight:
    when strength(u) < strongest
    limit 1 per u in phase
    limit 4 in turn
    do: increase u.steps by 1
"""


def test_what_bodies_keep_is_in_the_program_and_no_word() -> None:
    checked = check_text(RULES)
    assert checked.problems == [] and checked.program is not None
    (unit,) = [kind for kind in checked.program.kinds if kind.name == "unit"]
    kept = ["strength fixed", "rest done in phase per u"]
    assert [attribute.name for attribute in unit.attributes] == ["steps", *kept]
    assert {variable.name for variable in checked.program.variables} == {
        "strongest fixed",
        "rest done in turn",
    }
    words = checked.words
    assert [attribute.name for attribute in words.kinds["unit"].attributes] == ["steps"]
    assert list(words.attributes) == [("piece", "steps")] and not words.variables
