"""What "Normandie 1944" asks: a question says what is asked for now, and what it costs to answer with none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ddob_rules import load
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.table.asking import not_offered
from interpreter.table.seen import Seen

_ENOUGH = 400  # choices: more than a turn


@pytest.fixture(scope="module")
def race() -> Game:
    return load("normandie-cotentin")


def asked(state: State) -> str:
    assert state.choice is not None
    return state.choice.prompt


def labels(state: State) -> list[str]:
    assert state.choice is not None
    return [option.label for option in state.choice.options]


def played_until(state: State, wanted: Callable[[State], bool]) -> State:
    """Always the first of the answers, until a question is asked."""
    for _ in range(_ENOUGH):
        if wanted(state):
            return state
        state.take(0)
    raise AssertionError("it was never asked")


def test_a_second_aircraft_is_asked_for_with_the_first_and_only_if_there_is_one(race: Game) -> None:
    state = played_until(race.start(3), lambda now: asked(now).startswith("What flies over"))
    box = asked(state).removeprefix("What flies over ").partition("?")[0]
    without = state.copy()
    without.apply("none")
    assert box not in asked(without)
    flown = next(label for label in labels(state) if label != "none")
    state.apply(flown)
    assert asked(state) == f"What else flies over {box}, with {flown}?"


def test_who_moves_is_told_what_none_costs(race: Game) -> None:
    state = played_until(race.start(3), lambda now: asked(now).startswith("Where does"))
    assert asked(state).endswith("go? None: it stays, and its move is over")
    unit = asked(state).removeprefix("Where does ").partition(" go?")[0]
    state.apply("none")
    refusal = state.why_not("march", unit)
    assert refusal is not None and "it has moved in this phase" in str(refusal)


def test_who_attacks_is_asked_with_those_who_do_already(race: Game) -> None:
    state = played_until(race.start(3), lambda now: asked(now).startswith("Who attacks"))
    first = labels(state)[0]
    told = re.fullmatch(r"Who attacks (.*), which defends with (\d+)\?", asked(state))
    assert told is not None
    state.take(0)
    again = re.fullmatch(
        r"Who attacks (.*) with (.*): (\d+) to (\d+), (\S+) with shifts\? None: nobody else", asked(state)
    )
    assert again is not None
    assert (again[1], again[2], again[4]) == (told[1], first, told[2])
    odds = asked(state).partition(", ")[2].split()[0]
    assert odds in ("1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1")


def test_who_asks_why_a_unit_cannot_go_somewhere_is_told(race: Game) -> None:
    state = played_until(race.start(3), lambda now: "/12 go?" in asked(now))
    told = {
        place: reason.text
        for place in ("0519", "0619", "0119", "0518", "0417")
        if (reason := not_offered(Seen(state.copy(), "allies"), [place])) is not None
    }
    assert told["0519"] == "an enemy is there"
    assert told["0518"] == "it is there already"
    assert told["0119"].startswith("it is too far: it has ")
    assert told["0417"] == "the sea, or off the map that is used"


def test_zones_that_the_scenario_does_not_use_are_not_asked_about(race: Game) -> None:
    state = played_until(race.start(3), lambda now: asked(now).startswith("Over which zones"))
    assert "Cotentin" in labels(state) and "Auge" not in labels(state)


def test_limits_of_control_are_told_as_an_overlay_has_them(tmp_path: Path) -> None:
    house = tmp_path / "house.rules"
    house.write_text(
        'ruleset house "House rules" extends normandie_1944\n\n'
        'rule H.1 "Short wires" amends 5.1:\n  "Headquarters lead their own hex."\n  value control_range = 0\n',
        "utf-8",
    )
    state = load("normandie-cotentin", overlays=[str(house)]).start(3)
    for _ in range(_ENOUGH):
        if asked(state).startswith("Who attacks"):
            break
        assert state.choice is not None
        ends = [option.label for option in state.choice.options if option.key in ("pass", "done", "none")]
        wanted = [label for label in ("VII Corps fights", "attack 0519") if label in labels(state)]
        state.apply((wanted or ends or labels(state))[0])
    reason = not_offered(Seen(state, "allies"), ["4/12"])
    assert reason is not None and reason.text == "VII Corps is more than 0 hexes away"
