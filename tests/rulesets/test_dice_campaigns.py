"""The campaigns of the booklet, raid after raid: what carries over, what does not, and how it is scored."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ddob_rules.campaigns import load_campaign
from ddob_rules.library.finding import find_campaign
from interpreter.campaigns.carrying import words_carried
from interpreter.campaigns.course import Course
from interpreter.ir.seats import count_option
from interpreter.machine.game import Game
from interpreter.machine.state import State

RAIDS = {
    "overlord-a": ["overlord-a-1", "overlord-a-2", "overlord-a-3"],
    "overlord-b": ["overlord-b-1", "overlord-b-2"],
    "overlord-c": ["overlord-c-1", "overlord-c-2", "overlord-c-3"],
    "overlord-c-v2": ["overlord-c-1-v2", "overlord-c-2-v2", "overlord-c-3-v2"],
    "overlord-a-solo": ["overlord-a-1-solo", "overlord-a-2-solo", "overlord-a-3-solo"],
    "overlord-b-solo": ["overlord-b-1-solo", "overlord-b-2-solo"],
    "overlord-c-solo": ["overlord-c-1-solo", "overlord-c-2-solo", "overlord-c-3-solo"],
    "overlord-c-solo-v2": ["overlord-c-1-solo-v2", "overlord-c-2-solo-v2", "overlord-c-3-solo-v2"],
}
#: Raid, and how many specialists of the raid before go on: the booklet says it of each.
KEPT = {"overlord-a": (1, 2), "overlord-b": (2,), "overlord-c": (1, 2), "overlord-a-solo": (1, 2)}


@cache
def loaded(name: str) -> Any:
    entry = find_campaign(name)
    assert entry is not None
    options = () if "solo" in name else (count_option(2),)
    found = load_campaign(entry, options=options, journal=False)
    assert found.campaign is not None, [problem.message for problem in found.problems]
    return found


def value(game: Game, state: State, kind: str, attribute: str, thing: str) -> Any:
    """An attribute of a thing by name, sets as names."""
    from interpreter.campaigns.carrying import _named

    column = next(
        entry for entry in game.code.layout.attributes
        if entry.attribute == attribute and (kind in entry.kinds or entry.enum == kind)
    )  # fmt: skip
    number = game.enums[kind].values.index(thing) if column.owner == "enum" else game.piece_number[thing]
    return _named(game, game.values(state, column)[number], column.type)


def after(name: str, **handed: Any) -> tuple[Course, Game]:
    """A campaign after its first raid, which has handed these on."""
    found = loaded(name)
    first = found.game(RAIDS[name][0])
    course = Course(campaign=found.campaign, seed=4)
    state = first.start(4)
    state.result = (1, 0, ())
    course = course.after(first, state)
    carried = {**course.carried, "unit.veterans": handed.get("veterans", {"Dog": []})}
    for attribute in ("last_bunker", "in_the_trees"):
        if attribute in handed:
            carried[f"unit.{attribute}"] = handed[attribute]
    carried["lane.performance"] = {**carried["lane.performance"], **handed.get("performance", {})}
    course = Course(campaign=found.campaign, seed=4, ended=course.ended, carried=carried)
    assert course.next is not None
    return course, course.begun(found.game(course.next.name))


@pytest.mark.parametrize("name", RAIDS)
def test_the_raids_of_a_campaign_in_order(name: str) -> None:
    assert [stage.scenario for stage in loaded(name).campaign.stages] == RAIDS[name]


@pytest.mark.parametrize("name", RAIDS)
def test_points_specialists_and_what_the_next_raid_asks_for_carry_over(name: str) -> None:
    found = loaded(name)
    for raid in RAIDS[name]:
        carried = set(words_carried(found.game(raid).program))
        assert carried == {"lane.performance", "unit.veterans", "unit.last_bunker", "unit.in_the_trees"}
    assert found.campaign.carries is None  # all of it
    assert found.campaign.score.sort == "last"  # points are added up, so who leads after the last raid has won


def test_officers_left_in_the_trees_are_missing_in_the_next_raid_too() -> None:
    trees = {"Dog": ["medic", "captain"], "Easy": []}
    course, game = after("overlord-b", **{"in_the_trees": trees})
    state = game.start(course.next_seed)
    assert set(value(game, state, "unit", "in_the_trees", "Dog")) == {"medic", "captain"}


def test_who_plays_alone_begins_beside_the_bunker_that_he_took_and_keeps_his_points() -> None:
    course, game = after("overlord-b-solo", last_bunker={"Dog": "charlie"}, performance={"baker": 12})
    state = game.start(course.next_seed)
    assert {option.key for option in game.option_list(state)} == {"Merville2", "Merville3"}
    ranked = game.namespace["d_points_of"](state, 0)
    assert value(game, state, "lane", "performance", "baker") == 12 == ranked


def test_points_of_the_raid_before_are_there_and_everything_else_begins_anew() -> None:
    course, game = after("overlord-a", performance={"baker": 12})
    state = game.start(course.next_seed)
    assert value(game, state, "lane", "performance", "baker") == 12
    for attribute in ("items", "visited", "eliminations"):
        alone = loaded("overlord-a").game("overlord-a-2").start(course.next_seed)
        assert value(game, state, "unit", attribute, "Dog") == value(game, alone, "unit", attribute, "Dog")


@pytest.mark.parametrize(
    ("name", "most"), [("overlord-a", 1), ("overlord-b", 2), ("overlord-c", 1), ("overlord-a-solo", 1)]
)
def test_so_many_of_the_veterans_may_go_on_to_the_second_raid(name: str, most: int) -> None:
    course, game = after(name, veterans={"Dog": ["scout", "medic", "sniper"], "Easy": []})
    state = game.start(course.next_seed)
    while state.player == 0 and "done" not in {option.key for option in game.option_list(state)}:
        state.apply(0)  # the column to start in, say
    offered = [option.key for option in game.option_list(state)]
    assert {"scout", "medic", "sniper"} <= set(offered)
    taken = 0
    while {"scout", "medic", "sniper"} & {option.key for option in game.option_list(state)}:
        keys = [option.key for option in game.option_list(state)]
        wanted = next(key for key in ("scout", "medic", "sniper") if key in keys)
        if taken == most:
            break
        state.apply(wanted)
        taken += 1
    kept = set(value(game, state, "unit", "specialists", "Dog")) & {"scout", "medic", "sniper"}
    assert taken == most and len(kept) == most


def test_officers_do_not_stay_in_campaign_a_but_do_in_b() -> None:
    for name, stays in (("overlord-a", False), ("overlord-b", True)):
        course, game = after(name, veterans={"Dog": ["colonel", "scout"], "Easy": []})
        state = game.start(course.next_seed)
        while state.player == 0 and "scout" not in {option.key for option in game.option_list(state)}:
            state.apply(0)
        assert ("colonel" in {option.key for option in game.option_list(state)}) is stays, name


def test_a_lost_raid_ends_the_campaign_only_where_the_booklet_says_so() -> None:
    stages = {stage.name: stage for name in RAIDS for stage in loaded(name).campaign.stages}
    ends = [name for name, stage in stages.items() if stage.branches]
    assert ends == ["overlord-c-1-solo", "overlord-c-1-solo-v2"]
    for name in ends:
        (branch,) = stages[name].branches
        assert (branch.to, branch.lost) == ("", True)
