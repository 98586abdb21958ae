"""What games reach and what they never do: rules, phases, actions, cells of tables."""

from __future__ import annotations

from functools import partial

import pytest

from ddob_rules.loading import load
from interpreter.failures import Limits, RuleFailure
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.trials.coverage import Coverage, Seen, Tally, Watch
from interpreter.trials.fuzz import fuzz
from interpreter.trials.simulation import Record, play_out, simulate
from tests.running import play

pig = partial(load, "pig", journal=False, cover=True)


def coverage_of(make: partial[Game], kinds: dict[str, str], games: int, workers: int = 1) -> Coverage:
    records: list[Record] = []
    simulate(make, kinds, games=games, seed=1, workers=workers, on_record=records.append)
    tally, game = Tally(), make()
    for record in records:
        assert record.seen is not None
        tally.add(game, record.seen)
    return tally.coverage()


def test_games_that_say_what_they_reach_are_the_same_games() -> None:
    plain: list[Record] = []
    covered: list[Record] = []
    simulate(partial(load, "pig", journal=False), {}, games=5, seed=1, on_record=plain.append)
    simulate(pig, {}, games=5, seed=1, on_record=covered.append)
    assert [record.hash for record in plain] == [record.hash for record in covered]
    assert all(record.seen is None for record in plain)


def test_everything_of_a_small_game_is_reached() -> None:
    found = coverage_of(pig, {}, 10)
    assert found.games == 10
    assert found.never == ()
    assert [(phase.name, phase.games) for phase in found.phases] == [("play", 10)]
    assert [(action.name, action.games) for action in found.actions] == [("roll", 10), ("hold", 10)]
    assert all(action.times > 50 for action in found.actions)
    assert all(reached == places for _, _, reached, places in found.rules)
    assert [rule for rule, *_ in found.rules] == ["1", "2", "3", "4"]


def test_number_of_workers_does_not_matter() -> None:
    assert coverage_of(pig, {}, 6, workers=2) == coverage_of(pig, {}, 6)


TOLD = """ruleset r "R" edition "1"
players us "Us"
rule 1 "Rooms":
  space room on square board
  piece guest
  define near(g: guest): set of room = neighbours(g.at)
  define refusal(r: room): text:
    "too far, or {crowd(r)} are there" when remote(r)
    otherwise ""
  define remote(r: room): flag = no guest at r
  define crowd(r: room): number = count(guest at r)
  sequence turn:
    phase walk:
      for each g in guest:
        choose r in near(g) by us "Where to?"  else "{refusal(r)}": put g on r
"""
ROOMS = """
boards: {room: {layout: {shape: square}, numbering: "{letter}{row}", size: [2, 2]}}
pieces: {guest: [{id: joe, at: a1}]}
turns: 2
"""


def test_what_only_reasons_of_questions_ask_is_not_looked_for() -> None:
    found = coverage_of(partial(play, TOLD, scenario=ROOMS, journal=False, cover=True), {}, 2)
    assert found.never == () and all(reached == places for _, _, reached, places in found.rules)


class Dreamer:
    """Takes the first option, after having tried the last one on a copy."""

    def choose(self, state: State) -> int:
        state.copy().take(len(state.options) - 1)
        return 0


LISTED = """ruleset r "R"
players us "Us"
rule 1 "Guests":
  piece guest:
    fed: flag = no
rule 2 "Hunger":
  define hungry(g: guest): flag:
    when not g.fed  else "{g} has eaten" (2)
rule 3 "Meals":
  define plain(n: number): number = 2 * n
  sequence turn:
    phase meal: us may take actions
  action feed(g: guest) by us in meal:
    when hungry(g)
    do: mark g as fed
  victory end when every g in guest has g.fed: us wins
"""


def test_a_list_that_stands_in_actions_alone_is_not_looked_for() -> None:
    make = partial(play, LISTED, scenario="turns: 2\npieces: {guest: [{id: A}, {id: B}]}\n", cover=True)
    found = coverage_of(make, {"us": "random"}, 5)
    assert "2" not in [rule for rule, *_ in found.rules]
    assert all(site.rule != "2" for site in found.never)


def test_what_a_player_only_thinks_of_is_not_reached() -> None:
    game = load("pig", journal=False, cover=True, limits=Limits(choices=30))
    watch = Watch(game)
    with pytest.raises(RuleFailure, match="did not end within 30 choices"):
        play_out(game, (Dreamer(), Dreamer()), 1, watch)
    assert watch.seen().taken == (("roll", 30),)
    tally = Tally()
    tally.add(game, watch.seen())
    holding = next(action for action in game.program.actions if action.name == "hold")
    assert {site.rule for site in tally.coverage().never} == {holding.site.rule}


def test_looking_away_leaves_no_marks() -> None:
    game = pig()
    watch = Watch(game)
    with watch.looking_away():
        game.start(1)
    assert watch.seen() == Seen()
    game.start(1)
    assert watch.seen().places


def test_cells_of_tables_are_told_one_by_one() -> None:
    found = coverage_of(partial(load, "sword-beach", journal=False, cover=True), {}, 1)
    tables = dict(found.tables)
    assert len({(cell.site.line, cell.site.column) for cell in tables["allowance"]}) == len(
        tables["allowance"]
    )
    reached = [cell.games for cell in tables["allowance"]]
    assert 0 < sum(reached) < len(reached), "one game reaches some of the cells"
    never = set(found.never)
    assert {cell.site for cells in tables.values() for cell in cells if not cell.games} <= never


@pytest.mark.parametrize("cover", [False, True])
def test_fuzz_tells_what_its_games_reached(cover: bool) -> None:
    def make(options: tuple[str, ...], overlays: tuple[str, ...]) -> Game:
        return load("tic-tac-toe", options=options, overlays=overlays, cover=cover)

    found = fuzz(make, overlays=["misere-tic-tac-toe"], games=6, seed=1)
    assert found.findings == ()
    if not cover:
        assert found.coverage is None
        return
    assert found.coverage is not None
    assert found.coverage.games == 6
    (action,) = found.coverage.actions
    assert action.games == 6 and action.times == found.choices
