"""Where answers lead that only ask then where to: a drag means the one that leads there."""

from __future__ import annotations

from interpreter.table.asking import leading
from interpreter.table.seen import Seen
from tests.running import play

RULES = """\
ruleset ford "Ford"
players red "Red"
rule 1:
  space bank:
    near: set of bank optional
    far: set of bank optional
  piece man
  sequence turn:
    phase crossing: red may take actions
  action walk "Walk" (m: man) by p in crossing:
    do:
      let x = choose from y in m.at.near "Where to?"
      put m on x
  action ride "Ride" (m: man) by p in crossing:
    do:
      let x = choose from y in m.at.far "Where to?"
      put m on x
  action wait "Wait" (m: man) by p in crossing:
    do: say "{m} waits"
  action storm "Storm" (x: bank) by p in crossing:
    do: say "{x} is stormed"
"""
BANKS = """\
turns: 2
boards:
  bank:
    spaces: {here: {near: [mill, mead], far: [town, hall]}, mill: {}, mead: {}, town: {}, hall: {}}
pieces: {man: [{id: tom, at: here}, {id: ben, at: here}]}
"""


def test_of_what_asks_where_to_the_act_that_leads_there_is_found() -> None:
    state = play(RULES, scenario=BANKS).start(1)
    seen, choice = Seen(state, "red"), state.choice
    assert choice is not None
    there, elsewhere = leading(seen, ["ben"], "town")
    assert [choice.options[number].key for number in there] == ["ride(ben)"]
    assert [choice.options[number].key for number in elsewhere] == ["walk(ben)"]
    there, elsewhere = leading(seen, ["tom", "ben"], "mead")
    assert [choice.options[number].key for number in there] == ["walk(tom)", "walk(ben)"]
    # After `wait(tom)` there is something to do there, which is not where waiting leads.
    assert leading(seen, ["tom"], "here")[0] == []
    assert state.choice is not None and state.choice.options[0].key == choice.options[0].key


def test_nothing_leads_anywhere_for_who_is_not_asked() -> None:
    state = play(RULES, scenario=BANKS).start(1)
    assert leading(Seen(state, ""), ["tom"], "mead") == ([], [])
