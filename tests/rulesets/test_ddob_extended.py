"""The extended game of "D-Day at Omaha Beach": what its worked examples cannot say.

That it checks without findings and that its examples hold is tested with every shipped ruleset; here it is scenarios of
another length, and what is told of a game when it is over.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ddob_rules import load
from interpreter.machine.state import State

#: A scenario of somebody's own, as long as it likes.
OWN_LENGTH = """\
scenario: half-day
based_on: {base}
title: Half a day
turns: {turns}
"""


def played(word: str, seed: int) -> State:
    """A game played at random to its end."""
    state = load(word).start(seed=seed)
    generator = random.Random(seed)
    while state.choice is not None:
        state.apply(generator.choice(state.choice.options))
    return state


def told(state: State) -> dict[str, int]:
    return dict(state.game.measures(state))


@pytest.mark.parametrize(
    ("base", "turns", "rule"),
    [("beyond-the-beach", 18, "20.3"), ("omaha", 1, "13.2"), ("first-waves", 1, "13.2")],
)
def test_a_scenario_that_ends_early_is_checked_by_the_rule_in_force(
    base: str, turns: int, rule: str, tmp_path: Path
) -> None:
    path = tmp_path / "half-day.yaml"
    path.write_text(OWN_LENGTH.format(base=base, turns=turns), encoding="utf-8")
    state = played(str(path), seed=1)
    assert (state.turn, state.journal[-1].rule) == (turns, rule)


def test_the_points_that_are_told_are_those_of_the_check_in_force(tmp_path: Path) -> None:
    path = tmp_path / "half-day.yaml"
    path.write_text(OWN_LENGTH.format(base="beyond-the-beach", turns=17), encoding="utf-8")
    state = played(str(path), seed=1)
    points = told(state)["victory points"]
    # Nobody has gained anything: what the Germans hold is taken off, which 13.2 does not know.
    assert points < 0
    assert f"{points} points" in state.ending
