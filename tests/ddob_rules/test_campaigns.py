"""Campaign files, and what campaigns do: branches, what carries over, who wins, what is wrong with a file."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ddob_rules.campaigns import LoadedCampaign, load_campaign
from ddob_rules.library.fast import fast_game
from ddob_rules.library.finding import find_campaign
from interpreter.campaigns.course import Course, Ended
from interpreter.campaigns.plan import Bounds, Branch, Campaign, Score, Stage
from interpreter.campaigns.saves import CampaignSave, campaign_data, campaign_from_data, follow
from interpreter.machine.state import State
from interpreter.players.kinds import choice_of
from interpreter.records.saves import BadSave, Save, record
from interpreter.trials.campaigns import simulate_campaign
from tests.looping import each

DUEL = Path(__file__).parents[1] / "fixtures" / "duel"
HEAD = "campaign: tourney\nruleset: duel\n"


def load(text: str, folder: Path) -> LoadedCampaign:
    """The campaign of a text, beside the scenarios of the duel."""
    shutil.copytree(DUEL, folder / "duel")
    path = folder / "duel" / "campaigns" / "tourney.yaml"
    path.write_text(text, encoding="utf-8")
    entry = find_campaign(str(path))
    assert entry is not None
    return load_campaign(entry)


@pytest.fixture(scope="module")
def tourney() -> LoadedCampaign:
    entry = find_campaign(str(DUEL / "campaigns" / "tourney.yaml"))
    assert entry is not None
    loaded = load_campaign(entry)
    assert loaded.campaign is not None, [problem.message for problem in loaded.problems]
    return loaded


def campaign_of(loaded: LoadedCampaign) -> Campaign:
    assert loaded.campaign is not None
    return loaded.campaign


def played(loaded: LoadedCampaign, seed: int) -> tuple[Course, list[Save]]:
    """A campaign played at random to its end, with the saves of its games."""
    course, saves = Course(campaign=campaign_of(loaded), seed=seed), []
    while (stage := course.next) is not None:
        game = course.begun(loaded.game(stage.name))
        state = game.start(course.next_seed)
        while not state.over:
            state.apply(choice_of("random", course.next_seed, state))
        saves.append(record(game, course.next_seed, state.choices))
        course = course.after(game, state)
    return course, saves


# ---------------------------------------------------------------- the course


def ended(stage: str, winners: tuple[str, ...] = (), blows: int = 0, lost: bool = False) -> Ended:
    return Ended(
        stage=stage, seed=0, seats=("ann", "ben"), winners=winners, lost=lost,
        points=(("ann", 3), ("ben", 1)),
        measures=(("blows", blows), ("wounds of Ann", -1)), text="", turns=1, choices=1, hash="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("games", "following"),
    [
        ([], "morning"),
        ([ended("morning", ("ann",))], "evening"),
        ([ended("morning", ("ben",))], "noon"),
        ([ended("morning", ("ben",), blows=100)], None),
        ([ended("morning"), ended("noon")], "evening"),
        ([ended("morning"), ended("noon", ("ben",))], "night"),
        ([ended("morning"), ended("noon", lost=True)], "night"),
        ([ended("morning"), ended("evening")], None),
        ([ended("morning"), ended("night")], None),
    ],
)
def test_the_first_branch_that_holds_says_what_follows(
    tourney: LoadedCampaign, games: list[Ended], following: str | None
) -> None:
    course = Course(campaign=campaign_of(tourney), seed=1, ended=tuple(games))
    assert (course.next.name if course.next else None) == following
    assert course.over is (following is None)


def test_a_leader_and_a_measure_with_both_ends_decide_too() -> None:
    stages = (
        Stage(name="a", scenario="a", branches=(
            Branch(to="c", leader="ann", measure=Bounds(measure="blows", low=2, high=3)),
        )),
        Stage(name="b", scenario="b"), Stage(name="c", scenario="c"),
    )  # fmt: skip
    campaign = Campaign(name="x", title="", description="", ruleset="duel", stages=stages)
    for blows, winner, following in each(
        [(1, "ann", "b"), (2, "ann", "c"), (3, "ann", "c"), (4, "ann", "b"), (2, "ben", "b")]
    ):
        course = Course(campaign=campaign, seed=0, ended=(ended("a", (winner,), blows),))
        assert course.next is not None and course.next.name == following


MEASURED = Score(sort="measures", measures=(("ann", "wounds of Ann"), ("ben", "blows")))


@pytest.mark.parametrize(
    ("score", "standing", "leaders"),
    [
        (Score(), (("ben", 2), ("ann", 1)), ("ben",)),
        (Score(sort="points"), (("ann", 9), ("ben", 3)), ("ann",)),
        (MEASURED, (("ben", 15), ("ann", -3)), ("ben",)),
        (Score(sort="last"), (), ("ann",)),
    ],
)  # fmt: skip
def test_scores(
    tourney: LoadedCampaign, score: Score, standing: tuple[tuple[str, int], ...], leaders: tuple[str, ...]
) -> None:
    games = (ended("morning", ("ben",), 5), ended("noon", ("ben",), 5), ended("evening", ("ann",), 5))
    course = Course(campaign=replace(campaign_of(tourney), score=score), seed=0, ended=games)
    assert (course.standing(), course.leaders()) == (standing, leaders)


def test_as_many_points_for_all_are_nobodys_campaign(tourney: LoadedCampaign) -> None:
    games = (ended("morning", ("ben",)), ended("noon", ("ann",)))
    assert Course(campaign=campaign_of(tourney), seed=0, ended=games).leaders() == ()


# ---------------------------------------------------------------- playing


def test_a_game_begins_with_what_the_one_before_ended_with(tourney: LoadedCampaign) -> None:
    course = Course(campaign=campaign_of(tourney), seed=5)
    first = tourney.game("morning")
    state = first.start(course.next_seed)
    while not state.over:
        state.apply("strike()")
    course = course.after(first, state)
    assert course.next is not None
    second = course.begun(tourney.game(course.next.name)).start(course.next_seed)
    wounds = [state.game.variable(state, "rain"), *(_piece(state, name) for name in ("Lance", "Bors"))]
    again = [second.game.variable(second, "rain"), *(_piece(second, name) for name in ("Lance", "Bors"))]
    assert wounds == again
    assert state.game.variable(state, "blows") > 0 and second.game.variable(second, "blows") == 0
    assert course.carried["knight.friends"] == {"Lance": ["Bors"], "Bors": ["Lance"]}
    assert "knight.tired" not in course.carried


def _piece(state: State, name: str) -> tuple[object, ...]:
    number = state.game.piece_number[name]
    columns = {entry.attribute: entry for entry in state.game.code.layout.attributes}
    return tuple(state.game.values(state, columns[word])[number] for word in ("wounds", "brave", "friends"))


def test_only_what_is_listed_carries_over(tmp_path: Path) -> None:
    text = HEAD + "carries: [wounds]\ngames: [{scenario: morning}, {scenario: noon}]\n"
    course, _ = played(load(text, tmp_path), 1)
    assert list(course.carried) == ["knight.wounds"]


def test_the_first_game_has_the_seed_of_the_campaign_and_no_two_the_same(tourney: LoadedCampaign) -> None:
    course, saves = played(tourney, 7)
    assert saves[0].seed == 7
    assert len({save.seed for save in saves}) == len(saves) == len(course.ended) > 1
    assert saves[0].carried == {} and saves[1].carried == {**_carried_after(tourney, saves[0])}


def _carried_after(loaded: LoadedCampaign, save: Save) -> dict[str, object]:
    game = loaded.game("morning")
    state = game.start(save.seed)
    for taken in save.choices:
        state.apply(taken.key)
    return dict(Course(campaign=campaign_of(loaded), seed=save.seed).after(game, state).carried)


@pytest.mark.parametrize("fast", [False, True])
def test_campaign_k_of_a_series_is_the_one_that_its_seed_gives(tourney: LoadedCampaign, fast: bool) -> None:
    games = {name: tourney.game(name) for name in tourney.games}
    make_fast = fast_game if fast else None
    summary, records = simulate_campaign(
        lambda: (campaign_of(tourney), games), {}, games=8, seed=20, make_fast=make_fast
    )
    assert (summary.played, summary.failures) == (8, 0)
    for found in each(records):
        course, _ = played(tourney, 20 + found.number)
        assert found.winners == course.leaders()
        assert [name for name, _ in found.stages] == [one.stage for one in course.ended]
        assert found.choices == sum(one.choices for one in course.ended)
    assert len({tuple(found.stages) for found in records}) > 1


# ---------------------------------------------------------------- saves


def test_a_save_is_proven_and_a_game_that_does_not_follow_is_not(tourney: LoadedCampaign) -> None:
    course, saves = played(tourney, 3)
    save = CampaignSave(campaign="tourney", seed=3, games=tuple(saves))
    again = campaign_from_data(json.loads(json.dumps(campaign_data(save))), "x.json")
    assert again == save
    found = follow(campaign_of(tourney), lambda stage: tourney.game(stage.name), again)
    assert found.proven and found.course == course
    handed = replace(saves[1], carried={**saves[1].carried, "rain": 99})
    for number, wrong in each([(1, [saves[0], handed]), (1, [saves[0], saves[0]]), (0, [saves[1]])]):
        bad = replace(save, games=tuple(wrong))
        assert follow(campaign_of(tourney), lambda stage: tourney.game(stage.name), bad).astray == number


@pytest.mark.parametrize("change", [{"seed": "1"}, {"games": [{}]}, {"options": [1]}, {"version": 9}])
def test_what_is_no_save_of_a_campaign_is_refused(change: dict[str, object]) -> None:
    data = {**campaign_data(CampaignSave(campaign="tourney", seed=3)), **change}
    with pytest.raises(BadSave):
        campaign_from_data(data, "x.json")


# ---------------------------------------------------------------- what is wrong with a file

FIRST = "games:\n  - scenario: morning\n"
GAMES = FIRST + "  - scenario: noon\n"
NEXT = GAMES + "    next:\n      - "


@pytest.mark.parametrize(
    ("code", "line", "text", "said"),
    [
        ("E0612", 3, HEAD + "gmaes: []\ngames: [{scenario: noon}]\n", "games"),
        ("E0613", 1, HEAD, ""),
        ("E0615", 3, HEAD + "score: winns\n" + GAMES, "did you mean `wins`?"),
        ("E0673", 4, HEAD + "games:\n  - scenario: mroning\n", "did you mean `morning`?"),
        ("E0674", 5, HEAD + FIRST + "  - scenario: morning\n", "name"),
        ("E0675", 3, HEAD.replace("duel", "pig") + "games: [{scenario: morning}]\n", ""),
        ("E0677", 5, HEAD + FIRST + "    next: [{game: nono}]\n  - scenario: noon\n", "did you mean `noon`?"),
        ("E0678", 7, HEAD + NEXT + "{game: morning}\n", ""),
        ("E0679", 7, HEAD + NEXT + "{when: {winner: anne}, game: end}\n", "did you mean `ann`?"),
        ("E0680", 7, HEAD + NEXT + "{when: {measure: blow, at_least: 1}, game: end}\n", "`blows`?"),
        ("E0680", 3, HEAD + "score: {measures: {ann: blow}}\n" + GAMES, "did you mean `blows`?"),
        ("E0681", 7, HEAD + NEXT + "{when: {measure: blows}, game: end}\n", ""),
        ("E0681", 7, HEAD + NEXT + "{when: {at_most: 3}, game: end}\n", ""),
        ("E0682", 3, HEAD + "carries: [wound]\n" + GAMES, "did you mean `wounds`?"),
        ("E0683", 6, HEAD + FIRST + "    next: [{game: end}]\n  - scenario: noon\n", ""),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_place(code: str, line: int, text: str, said: str, tmp_path: Path) -> None:
    loaded = load(text, tmp_path)
    assert loaded.campaign is None
    found = [(problem.code, problem.spans[0].span.line) for problem in loaded.problems]
    assert found == [(code, line)]
    assert said in loaded.problems[0].help


def test_other_players_in_another_game_are_a_mistake(tmp_path: Path) -> None:
    """E0676: the same players go through the whole campaign."""
    shutil.copytree(DUEL, tmp_path / "other")
    alone = tmp_path / "other" / "scenarios" / "noon.yaml"
    alone.write_text(alone.read_text(encoding="utf-8") + "players: [ann]\n", encoding="utf-8")
    path = tmp_path / "other" / "campaigns" / "tourney.yaml"
    path.write_text(HEAD + GAMES, encoding="utf-8")
    entry = find_campaign(str(path))
    assert entry is not None
    assert "E0676" in [problem.code for problem in load_campaign(entry).problems]
