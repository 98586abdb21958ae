"""Variants of "D-Day at Omaha Beach" and its German armour: what goes together plays, the rest says why not.

That they check without findings and that their examples hold is tested with every shipped ruleset; here it is
the combinations, set-ups that ask players before an example can look at them, and the rulebook's sections.
"""

from __future__ import annotations

import json
import random
import re
from functools import cache
from itertools import chain, combinations

import pytest
from click.testing import CliRunner

from ddob_rules import load
from ddob_rules.cli import main
from interpreter.failures import RuleFailure
from interpreter.machine.game import Game
from interpreter.machine.state import State

FOR_EVERY_SCENARIO = ("effective_bombardment", "safe_tanks", "rangers_elsewhere")
ALL_VARIANTS = (*FOR_EVERY_SCENARIO, "better_reaction")
TURNS_PLAYED = 3
#: Every numbered section of chapters 22 and 23.
SECTIONS = """22 22.1 22.2 22.3 22.4 23 23.1 23.2 23.21 23.3 23.4 23.41 23.42 23.43
23.5 23.51 23.52 23.53 23.6 23.7""".split()


def subsets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


#: The scenario, the overlay that is laid on it (none if it brings the rules along), and the options.
ALLOWED = [
    *(("first-waves", "ddob-variants", options) for options in subsets(FOR_EVERY_SCENARIO)),
    *(("easy-fox", "ddob-variants", options) for options in subsets(("effective_bombardment", "safe_tanks"))),
    *(("omaha", "ddob-variants", (option,)) for option in ALL_VARIANTS),
    ("omaha", "ddob-variants", ALL_VARIANTS),
    *(("beyond-the-beach", "ddob-variants", (option,)) for option in ALL_VARIANTS),
    ("beyond-the-beach", "ddob-variants", ALL_VARIANTS),
    ("omaha-armour", "", ()),
    ("omaha-armour", "", (*ALL_VARIANTS, "early_actions")),
    ("beyond-the-beach-armour", "", ()),
    ("beyond-the-beach-armour", "", ALL_VARIANTS),
    *(("easy-fox", overlay, ()) for overlay in ("ddob-inerd", "ddob-fr")),
    *(("omaha", overlay, ()) for overlay in ("ddob-inerd-extended", "ddob-fr-extended")),
    ("omaha-armour", "ddob-inerd-armour", ()),
    ("beyond-the-beach-armour", "ddob-inerd-armour", ALL_VARIANTS),
    ("omaha-armour", "ddob-fr-armour", ()),
    ("beyond-the-beach-armour", "ddob-fr-armour", ALL_VARIANTS),
]
REFUSED = [
    ("first-waves", "ddob-variants", ("better_reaction",), "a scenario that goes on after turn 16", "22.4"),
    ("first-waves", "ddob-variants", ALL_VARIANTS, "a scenario that goes on after turn 16", "22.4"),
    ("easy-fox", "ddob-variants", ("rangers_elsewhere",), "a scenario with rangers", "variants-rangers"),
    ("easy-fox", "ddob-variants", ("better_reaction",), "a scenario that goes on after turn 16", "22.4"),
    ("easy-fox", "ddob-armour", (), "a scenario that goes on after turn 16", "23.1"),
    ("first-waves", "ddob-armour", (), "a scenario that goes on after turn 16", "23.1"),
    ("omaha", "ddob-armour", (), "a scenario with armour units", "23.1"),
]


@cache
def game(scenario: str, overlay: str, options: tuple[str, ...]) -> Game:
    return load(scenario, overlays=[overlay] if overlay else [], options=list(options))


def after_setup(scenario: str, overlay: str, options: tuple[str, ...]) -> State:
    """The first choice of the first turn; what the set-up of 21.1 asks is answered at random."""
    state = game(scenario, overlay, options).start(seed=1)
    generator = random.Random(1)
    while state.choice is not None and state.choice.rule.startswith("21.1"):
        state.apply(generator.choice(state.choice.options))
    return state


def place_of(state: State, piece: str) -> str:
    return str(state.view(None)["pieces"][piece]["at"])


@pytest.mark.parametrize(("scenario", "overlay", "options"), ALLOWED)
def test_allowed_combinations_are_played(scenario: str, overlay: str, options: tuple[str, ...]) -> None:
    state = after_setup(scenario, overlay, options)
    generator = random.Random(2)
    last = state.turn + TURNS_PLAYED - 1
    while state.choice is not None and state.turn <= last:
        state.apply(generator.choice(state.choice.options))
    assert state.turn > last or state.over


@pytest.mark.parametrize(("scenario", "overlay", "options", "reason", "rule"), REFUSED)
def test_refused_combinations_say_why(
    scenario: str, overlay: str, options: tuple[str, ...], reason: str, rule: str
) -> None:
    arguments = ["run", scenario, "--overlay", overlay, "--seed", "1"]
    for option in options:
        arguments += ["--option", option]
    output = " ".join(CliRunner().invoke(main, arguments).output.split())
    assert reason in output
    assert f"rule {rule}" in output
    with pytest.raises(RuleFailure, match=re.escape(reason)) as failure:
        game(scenario, overlay, options).start(seed=1)
    assert failure.value.code == "E0709"


def test_with_the_bombardment_the_first_turn_is_the_fourth_and_has_no_engineers() -> None:
    state = after_setup("first-waves", "ddob-variants", ("effective_bombardment",))
    generator = random.Random(3)
    while state.choice is not None and state.turn < 6:
        state.apply(generator.choice(state.choice.options))
    told: dict[str, list[str]] = {}
    turn = ""
    for entry in state.entries():
        if entry.what == "turn":
            turn = str(entry.text)
        elif entry.what == "phase":
            told.setdefault(turn, []).append(str(entry.text))
    assert next(iter(told)) == "turn 4"
    assert "Event" in told["turn 4"]
    assert "US engineers" not in told["turn 4"]
    assert "US engineers" in told["turn 5"]


def test_beyond_the_beach_is_set_up_before_the_variants_change_it() -> None:
    state = after_setup("beyond-the-beach", "ddob-variants", ALL_VARIANTS)
    assert state.turn == 17
    assert (place_of(state, "115 HQ"), place_of(state, "18 HQ")) == ("T20", "T23")
    assert place_of(state, "C/2R") == "0533"
    assert {place_of(state, piece) for piece in ("A-B/2R", "A-B/5R", "C-D/5R", "E-F/5R")} == {"nothing"}
    assert state.view(None)["piles"]["meyer_reserve"] == []


def test_armour_comes_to_the_map_and_drives() -> None:
    state = after_setup("beyond-the-beach-armour", "", ())
    generator = random.Random(1)
    while state.choice is not None:
        state.apply(generator.choice(state.choice.options))
    rules = {entry.rule for entry in state.entries()}
    assert {"23.2-places", "23.5"} <= rules


def test_every_section_of_both_chapters_is_a_rule() -> None:
    output = CliRunner().invoke(main, ["rules", "ddob-armour", "--json"]).output
    listed = {rule["id"] for rule in json.loads(output)}
    assert set(SECTIONS) <= listed
