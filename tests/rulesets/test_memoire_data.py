"""The battles of "Mémoire 44" against the briefings: terrain, units, objectives, hands, who begins.

The counts stand here a second time on purpose, as the booklet lists them, so that a slip in a map shows.
What the special rules do is tested by the examples of the ruleset.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.loading import load_game
from ddob_rules.reports.render import render_text
from interpreter.machine.game import Game
from interpreter.players.kinds import RandomPlayer
from interpreter.trials.simulation import play_out
from tests.looping import each

SCENARIOS = Path(__file__).parents[2] / "rulesets" / "memoire-44" / "scenarios"

# Name: who begins, cards of the Allies / of the Axis, medals to win
#   terrain | obstacles and bridges | Allied units | Axis units | objectives (`!`: stays won)
# Units: I infantry, S special forces, R Resistance, A armour, E elite armour, G artillery.
# The hills of the lists are hills, cliffs, bluffs, steep hills and mountains here; bends are rivers.
BRIEFINGS = """
pegasus-bridge: allies 6/2 4
  river 20, town 4, forest 9 | bridge 2, wire 4, sandbags 1 | I9 | I6 | allies D3 K6
sainte-mere-eglise: allies 5/4 4
  forest 16, town 6, hedgerow 3, hill 1 | sandbags 1 | I10 | I9 A1 |
sword-beach: allies 5/4 5
  town 3, forest 4 | bunker 3, wire 10, hedgehog 7 | I6 S3 A3 | I6 A1 G1 | allies B1 F1 M1
pointe-du-hoc: allies 6/4 4
  cliff 15, hill 1, forest 2 | bunker 4, wire 7, sandbags 2 | S9 | I5 G1 | allies J1! K1!
omaha-first-wave: axis 4/5 6
  town 5, bluff 10, hill 3 | bunker 4, wire 9, hedgehog 8, sandbags 2, sea_wall 2 | I9 S1 A3 | I7 G2
  | allies A1 F1 H3 K2 L2
mont-mouchet: allies 5/4 4
  forest 20, town 5, hill 4 | | R7 | I6 E2 |
vassieux: axis 4/4 4
  forest 14, town 4, hill 7 | | R10 | I6 |
cobra: allies 5/4 5
  hedgerow 12, river 6, forest 9, town 5 | bridge 1 | I10 A4 | I7 A1 E1 | allies E2 K1
luttich: axis 6/5 4
  town 6, steep_hill 8, hedgerow 8, forest 7, river 7 | bridge 2, sandbags 4 | I9 A2 G2 | I6 S1 A4 E2
  | axis L9
toulon: allies 6/4 6
  town 5, forest 14, hill 12 | wire 2, sandbags 5 | I8 S2 A4 | I10 G1 |
paris: allies 6/4 5
  town 6, forest 15 | wire 5, sandbags 6 | I6 A8 | I4 A2 G2 | allies C1! F1! J1!
montelimar: axis 5/5 6
  town 5, river 5, hill 10, mountain 6, forest 9 | | I10 A2 G1 | I6 S3 A4 G1
  | allies F1+F2+G2+H2+I2+J2+K2+L1 axis B8 L8
arnhem-bridge: axis 6/6 5
  town 9, wide_river 14, forest 10 | bridge 3, sandbags 7 | S5 G2 | I6 S2 A2 E3 G1 |
arracourt: axis 6/4 6
  town 6, river 4, forest 12, hill 9 | bridge 1, sandbags 1 | I5 A6 G3 | I6 A8 |
st-vith: axis 4/5 6
  hill 14, mountain 6, forest 16, town 5 | sandbags 6 | I7 A6 | I10 E4 G1 |
saverne: allies 6/4 5
  mountain 20, river 9, town 6, forest 7 | bridge 1, wire 3, sandbags 2 | I8 A6 | I6 A2 G1 |
omaha-overlord: axis 8/8 8
  town 8, bluff 22, hill 2 | bunker 5, wire 18, hedgehog 19, sandbags 6, sea_wall 4 | I18 S2 A5 | I13 G3
  | allies A1 B1 L1 M1 N1 P3 W2 X2
"""
LETTERS = {"special_forces": "S", "resistance": "R", "elite_armour": "E"}
BEACHES = ("sword-beach", "pointe-du-hoc", "omaha-first-wave", "omaha-overlord")
GERMAN_BUNKERS = BEACHES
WATER = ("river", "wide_river")
CLOSED = (*WATER, "mountain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """What the booklet says of a battle, as counts."""

    first: str
    cards: tuple[int, int]
    medals: int
    terrain: Counter[str]
    obstacles: Counter[str]
    allies: Counter[str]
    axis: Counter[str]
    objectives: frozenset[tuple[str, frozenset[str], bool]]


def briefings() -> dict[str, Briefing]:
    found: dict[str, Briefing] = {}
    for block in BRIEFINGS.strip().replace("\n  ", " ").splitlines():
        name, _, rest = block.partition(": ")
        first, cards, medals, lists = rest.split(maxsplit=3)
        terrain, obstacles, allies, axis, objectives = (part.strip() for part in lists.split("|"))
        of_allies, of_axis = cards.split("/")
        found[name] = Briefing(
            first=first,
            cards=(int(of_allies), int(of_axis)),
            medals=int(medals),
            terrain=_counts(terrain),
            obstacles=_counts(obstacles),
            allies=Counter({unit[0]: int(unit[1:]) for unit in allies.split()}),
            axis=Counter({unit[0]: int(unit[1:]) for unit in axis.split()}),
            objectives=_objectives(objectives),
        )
    return found


def _counts(text: str) -> Counter[str]:
    pairs = (entry.split() for entry in text.split(", ") if entry)
    return Counter({name: int(number) for name, number in pairs})


def _objectives(text: str) -> frozenset[tuple[str, frozenset[str], bool]]:
    found, side = set(), ""
    for word in text.split():
        if word in ("allies", "axis"):
            side = word
        else:
            found.add((side, frozenset(word.rstrip("!").split("+")), word.endswith("!")))
    return frozenset(found)


@cache
def game_of(name: str) -> Game:
    loaded = load_game(str(SCENARIOS / f"{name}.yaml"))
    assert render_text(loaded.problems) == ""
    assert loaded.game is not None
    return loaded.game


@cache
def view_of(name: str) -> dict[str, Any]:
    """Everything as it stands before the first choice."""
    game = game_of(name)
    return game.view(game.start(1), None)


def pieces(name: str, kind: str) -> dict[str, dict[str, Any]]:
    return {key: piece for key, piece in view_of(name)["pieces"].items() if piece["kind"] == kind}


def place(space: str) -> tuple[int, int]:
    """Row and slanting column, in which the six neighbours of a hex are always the same."""
    row, column = int(space[1:]), ord(space[0]) - ord("A")
    return row, column - (row - 1) // 2


def touching(first: str, second: str) -> bool:
    (row, column), (other_row, other_column) = place(first), place(second)
    return (row - other_row, column - other_column) in {(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)}


every_battle = pytest.mark.parametrize(("name", "briefing"), briefings().items(), ids=list(briefings()))


def test_all_seventeen_battles_and_the_training_ground_are_there() -> None:
    assert {path.stem for path in SCENARIOS.glob("*.yaml")} == {*briefings(), "training-ground"}
    assert len(briefings()) == 17


@every_battle
def test_terrain_and_obstacles_are_those_of_the_briefing(name: str, briefing: Briefing) -> None:
    spaces = view_of(name)["spaces"].values()
    terrain = Counter(space["terrain"] for space in spaces)
    obstacles = Counter(obstacle for space in spaces for obstacle in space["obstacles"])
    obstacles["bridge"] = sum(space["bridge"] for space in spaces)
    ground = Counter({kind: terrain.pop(kind) for kind in ("open", "beach", "sea") if kind in terrain})
    assert terrain == briefing.terrain
    assert +obstacles == briefing.obstacles
    assert ("sea" in ground) == ("beach" in ground) == (name in BEACHES)


@every_battle
def test_board_has_nine_rows_of_full_width(name: str, briefing: Briefing) -> None:
    rows = Counter(int(space[1:]) for space in view_of(name)["spaces"])
    width = 26 if name == "omaha-overlord" else 13
    assert rows == {row: width - (row + 1) % 2 for row in range(1, 10)}


@pytest.mark.parametrize("name", BEACHES)
def test_beach_boards_have_three_rows_of_beach_and_two_of_sea(name: str) -> None:
    for space, values in each(view_of(name)["spaces"].items()):
        row, terrain = int(space[1:]), values["terrain"]
        assert (terrain == "sea") == (row >= 8), space
        assert (terrain in ("beach", "cliff", "bluff", "hill")) if row in (5, 6, 7) else terrain != "beach", (
            space
        )


@every_battle
def test_units_are_those_of_the_briefing(name: str, briefing: Briefing) -> None:
    found: dict[str, Counter[str]] = {"allies": Counter(), "axis": Counter()}
    for unit in pieces(name, "unit").values():
        letter = {"infantry": "I", "armour": "A", "artillery": "G"}[unit["branch"]]
        found[unit["owner"]][LETTERS.get(unit["troops"], letter)] += 1
    assert found == {"allies": briefing.allies, "axis": briefing.axis}


@every_battle
def test_every_unit_has_a_hex_of_its_own_that_it_could_enter(name: str, briefing: Briefing) -> None:
    spaces = view_of(name)["spaces"]
    units = [unit for unit in pieces(name, "unit").values() if unit["at"] in spaces]
    in_the_air = 4 if name == "sainte-mere-eglise" else 0
    assert len(units) == len(pieces(name, "unit")) - in_the_air
    assert len({unit["at"] for unit in units}) == len(units)
    for unit in units:
        space = spaces[unit["at"]]
        assert space["terrain"] not in CLOSED or space["bridge"], unit
        assert unit["branch"] != "armour" or not {"bunker", "hedgehog"} & set(space["obstacles"]), unit


@every_battle
def test_objectives_are_those_of_the_briefing(name: str, briefing: Briefing) -> None:
    medals = pieces(name, "medal").values()
    found = {(medal["side"], frozenset(medal["hexes"]), medal["permanent"]) for medal in medals}
    assert found == briefing.objectives
    assert len(medals) == len(found)


@every_battle
def test_hands_first_player_and_medals_are_those_of_the_briefing(name: str, briefing: Briefing) -> None:
    view = view_of(name)
    assert (len(view["piles"]["hand(allies)"]), len(view["piles"]["hand(axis)"])) == briefing.cards
    assert len(view["piles"]["command_deck"]) == 60 - sum(briefing.cards)
    assert view["variables"]["first_player"] == briefing.first
    assert view["variables"]["medals_to_win"] == briefing.medals
    users = ["axis"] if name in GERMAN_BUNKERS else ["allies", "axis"]
    assert view["variables"]["bunker_users"] == users


@every_battle
def test_rivers_are_not_broken(name: str, briefing: Briefing) -> None:
    water = [space for space, values in view_of(name)["spaces"].items() if values["terrain"] in WATER]
    assert [space for space in water if not any(touching(space, other) for other in water)] == []


def test_units_that_depart_from_the_usual_figures_or_medals() -> None:
    assert {key for key, unit in pieces("montelimar", "unit").items() if unit["strength"] == 3} == {
        f"axis-infantry-{number}" for number in range(1, 7)
    }
    assert {key for key, unit in pieces("mont-mouchet", "unit").items() if unit["medals"] == 2} == {
        "axis-elite-armour-1",
        "axis-elite-armour-2",
    }
    for name in set(briefings()) - {"montelimar", "mont-mouchet"}:
        assert {(unit["strength"], unit["medals"]) for unit in pieces(name, "unit").values()} == {(0, 1)}, (
            name
        )


@every_battle
def test_two_random_games_come_to_their_end(name: str, briefing: Briefing) -> None:
    game = game_of(name)
    for seed in (1, 2):
        state = play_out(game, ["random", "random"], seed)
        assert game.result_names(state) in (("allies",), ("axis",))
