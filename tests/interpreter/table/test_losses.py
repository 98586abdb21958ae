"""What is sure to be lost by an answer is told before it is given; what dice decide is not."""

from __future__ import annotations

from interpreter.table.asking import lost_by
from interpreter.table.seen import Seen
from tests.running import play

RULES = """\
ruleset bridge "Bridge"
players red "Red"
rule 1:
  space bank
  piece man:
    first: flag = no
  dice d6: 1..6
  variable rolled: number = 0
  sequence turn:
    phase crossing: red may take actions
  during crossing:
    for each m in man where m.first: remove m
    set rolled to roll d6
    if rolled > 0: for each m in man: remove m
  action wait "Wait" by p in crossing:
    do: set rolled to 0
"""
BANK = """\
turns: 2
boards: {bank: {spaces: [here]}}
pieces: {man: [{id: tom, at: here, first: yes}, {id: ben, at: here}]}
"""


def test_what_dice_decide_is_no_loss_that_is_warned_of() -> None:
    state = play(RULES, scenario=BANK).start(1)
    assert state.choice is not None
    passing = next(option.index for option in state.choice.options if option.key == "pass")
    assert lost_by(Seen(state, "red"), passing) == ["tom"]
    state.take(passing)
    assert all(place < 0 for place in state.at[:2]), "both are gone, whatever the dice show"
