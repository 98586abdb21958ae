"""Where conditions tell of which kind a thing is, it stands where that kind is wanted, in every edition."""

from __future__ import annotations

import pytest

from tests.running import play

RULES = """\
ruleset homes "Homes"
players ann "Ann"
rule 1:
  space field:
    hedges: number = 1
  space town in network
  piece unit:
    home: town or field
  piece leader:
    home: town or field
  define shelter(f: field): number = 10 + f.hedges
  define roads(t: town): number = 20 + count(neighbours(t))
  define comfort(u: unit): number = shelter(u.home) if u.home in field otherwise roads(u.home)
  define cases(x: town or field): number:
    shelter(x) when x in field
    otherwise roads(x)
  define sheltered: number = sum(shelter(u.home) for u in unit where u.home in field)
  define well_housed(c: unit or leader): flag = c in unit and comfort(c) > 15
  variable told: number = 0
  sequence turn:
    phase evening: ann may take actions
  at start of evening: for each u in unit: walk(u.home, yes)
  procedure walk(x: town or field, on: flag):
    let y: town or field = x
    if y not in town: increase told by shelter(y)
    otherwise if on: increase told by roads(y) * 100
  action rest "Rest" (x: town or field, c: unit or leader) by p in evening:
    when x in town  else "nobody rests in a field" (1)
    when roads(x) > 20  else "no road leads there" (1)
    when c not in unit  else "only leaders rest" (1)
    do: settle(c, x)
  procedure settle(l: leader, t: town): set told to roads(t)
  measure "comfort" = sum(comfort(u) for u in unit)
  measure "cases" = sum(cases(u.home) for u in unit)
  measure "sheltered" = sheltered
  measure "well housed" = count(u in unit where well_housed(u)) + count(l in leader where well_housed(l))
  measure "told" = told
"""
HOMES = """\
turns: 1
boards:
  town: {spaces: [london, paris], links: [[london, paris]]}
  field: {spaces: {meadow: {hedges: 4}}}
pieces:
  unit:
    - {id: first, home: london}
    - {id: second, home: meadow}
  leader:
    - {id: chief, home: meadow}
"""


@pytest.fixture(scope="module")
def measured() -> dict[str, int]:
    game = play(RULES, scenario=HOMES)
    state = game.start(1)
    assert state.choice is not None
    assert [option.key for option in state.choice.options] == [
        "rest(london, chief)", "rest(paris, chief)", "pass",
    ]  # fmt: skip
    return dict(game.measures(state))


@pytest.mark.parametrize(
    ("title", "number"),
    [("comfort", 35), ("cases", 35), ("sheltered", 14), ("well housed", 1), ("told", 2114)],
)
def test_a_thing_of_several_kinds_stands_where_it_is_known_which(
    measured: dict[str, int], title: str, number: int
) -> None:
    assert measured[title] == number
