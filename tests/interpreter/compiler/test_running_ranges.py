"""Numbers that stop at their ends, and attributes by enum: played in all editions and in both engines."""

from __future__ import annotations

import pytest

from ddob_rules.scenarios.schema import derive_schema
from interpreter.telling.views import view_of
from tests.running import Trial, play, program_of
from tests.running import trial as begin

BASE = """\
ruleset depots "Depots" edition "1"
players red "Red", blue "Blue"
rule 1 "Depots":
  enum resource: fuel, food, shells
  space town in network
  piece depot:
    owner: player
    stores: 0..4 for each resource = 1
    needs: number for each resource
    open_for: flag for each resource = no each turn told
  each player:
    tokens: -2..2 for each resource = 0
  variable alarm: 0..3 = 2
  define level(n: number): 0..6 = n
rule 2 "Play":
  sequence turn:
    phase go for each p in player: p takes 1 action
  action fill "Fill" (d: depot, r: resource) by p in go:
    when d.owner = p
    do:
      increase d.stores(r) by d.needs(r)
      set d.open_for(r) to yes
      decrease p.tokens(fuel) by 3
      increase alarm by 5
  action spend "Spend" (d: depot) by p in go:
    when d.owner = p
    cost 3 from d.stores(food)
    do:
      set p.tokens(richest(d)) to level(total(d)) - 9
      decrease alarm by 9
  define total(d: depot): number = sum(d.stores(r) for r in resource)
  define richest(d: depot): resource = the highest(r in resource by d.stores(r))
"""
SCENARIO = """\
boards:
  town: {spaces: [here, there]}
pieces:
  depot:
    - {id: one, owner: red, at: here, stores: {food: 2}, needs: {fuel: 2, food: 5, shells: 1}}
    - {id: two, owner: blue, at: there, needs: {fuel: 2, food: -5, shells: 1}}
each:
  player:
    blue: {tokens: {shells: 2}}
"""


@pytest.fixture
def trial() -> Trial:
    found = begin(BASE, scenario=SCENARIO)
    assert found.fast is not None
    return found


def stores(trial: Trial, depot: str) -> list[int]:
    seen = view_of(trial.state.game, trial.state, None)["pieces"][depot]
    return [seen[f"stores({name})"] for name in ("fuel", "food", "shells")]


def tokens(trial: Trial, player: str) -> list[int]:
    seen = view_of(trial.state.game, trial.state, None)["each"]["player"][player]
    return [seen[f"tokens({name})"] for name in ("fuel", "food", "shells")]


def test_data_gives_some_and_the_rest_begin_as_declared(trial: Trial) -> None:
    assert stores(trial, "one") == [1, 2, 1] and stores(trial, "two") == [1, 1, 1]
    assert tokens(trial, "red") == [0, 0, 0] and tokens(trial, "blue") == [0, 0, 2]


def test_a_number_stops_at_both_ends(trial: Trial) -> None:
    trial.answer("fill(one, food)")
    assert stores(trial, "one") == [1, 4, 1]
    assert tokens(trial, "red") == [-2, 0, 0]
    assert trial["alarm"] == "3"
    trial.answer("fill(two, food)")
    assert stores(trial, "two") == [1, 0, 1]


def test_a_cost_is_refused_and_not_cut_short(trial: Trial) -> None:
    assert "spend(one)" not in trial.keys
    trial.answer("fill(one, food)")
    trial.answer("fill(two, fuel)")
    assert "spend(one)" in trial.keys
    trial.answer("spend(one)")
    assert stores(trial, "one") == [1, 1, 1]
    assert tokens(trial, "red") == [-2, 0, 0]  # 3 - 9, of the first of three equals
    assert trial["alarm"] == "0"


def test_what_is_renewed_goes_back_for_every_value(trial: Trial) -> None:
    trial.answer("fill(one, food)")
    seen = view_of(trial.state.game, trial.state, None)["pieces"]["one"]
    assert [seen[f"open_for({name})"] for name in ("fuel", "food")] == [False, True]
    trial.answer("fill(two, fuel)")
    seen = view_of(trial.state.game, trial.state, None)["pieces"]["one"]
    assert not seen["open_for(food)"]


def test_the_story_calls_it_by_name_and_value(trial: Trial) -> None:
    trial.answer("fill(one, food)")
    told = [entry.text for entry in trial.state.entries()]
    assert any("stores (food)" in line and "4" in line for line in told), told


def test_new_values_of_an_overlay_begin_as_declared() -> None:
    overlay = 'ruleset more "More" edition "1" extends depots\nrule 9 "Water":\n  enum resource also: water\n'
    data = SCENARIO.replace("shells: 1}", "shells: 1, water: 3}")
    trial = begin(BASE, overlay, scenario=data)
    trial.answer("fill(one, water)")
    seen = view_of(trial.state.game, trial.state, None)["pieces"]["one"]
    assert seen["stores(water)"] == 4


def test_the_schema_has_the_values_and_the_ends() -> None:
    schema = derive_schema(program_of(BASE))
    depot = schema["$defs"]["piece.depot"]["properties"]
    assert depot["stores"]["properties"]["fuel"]["maximum"] == 4
    assert depot["needs"]["required"] == ["fuel", "food", "shells"]
    assert "required" not in depot["stores"]
    assert schema["$defs"]["variables"]["properties"]["alarm"]["minimum"] == 0


@pytest.mark.parametrize("wrong", ["stores: {food: 5}", "stores: {wine: 1}", "stores: 3"])
def test_data_outside_of_it_is_refused(wrong: str) -> None:
    with pytest.raises(AssertionError):
        play(BASE, scenario=SCENARIO.replace("stores: {food: 2}", wrong))


def test_what_rules_add_to_a_definition_stops_at_its_ends_too() -> None:
    overlay = (
        'ruleset more "More" edition "1" extends depots\nrule 9 "More" amends 1:\n  define level also 20\n'
    )
    trial = begin(BASE, overlay, scenario=SCENARIO)
    trial.answer("fill(one, food)", "fill(two, fuel)", "spend(one)")
    assert tokens(trial, "red") == [-2, 0, 0]  # 6 - 9, not 23 - 9
