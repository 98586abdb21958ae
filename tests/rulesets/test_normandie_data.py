"""The data of "Normandie 1944" against what is left of its sources: hexes, set-ups, counters, depots, boxes.

The facts stand here a second time on purpose, as the booklet writes them, so that a slip in the data shows.
Numbers in comments are sections of the booklet. What could only be reconstructed is tested for consistency.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from ddob_rules.loading import load_game
from ddob_rules.reports.render import render_text
from ddob_rules.resources import rulesets_folder
from ddob_rules.scenarios.schema import enum_values
from interpreter.ir import Program, Type
from interpreter.machine.game import Game
from tests.looping import each

CAMPAIGN, COTENTIN, COBRA = "normandie-campaign", "normandie-cotentin", "normandie-cobra"
THREE = ("normandie-campaign-three", "normandie-cobra-three")
EVERY = (CAMPAIGN, COTENTIN, COBRA, *THREE)

# 11.1: who stands where; D1 means disorganised.
COTENTIN_SET_UP = """
82/505: 0619
82/507 D1, 82/508 D1: 0620
US 101* D1: 0718
4/8, 70 Tk, 746 Tk: 0619
4/12, 4/22, 899 TD: 0518
VII Corps: 0619
84 Korps: 1218
"""
COTENTIN_REINFORCEMENTS = "DE 77, DE 353, DE 17 SS, DE 265, US 83, US 9, US 79"

# 11.2: a star stands for all counters of a division, -1 for a lost step.
COBRA_SET_UP = """
86 Korps: 0905
711: 0805
346: 0905
503 s Pz, 16 Lw: 1006
DE 21 Pz* -1: 1007
1 SS Pz Korps: 1107
DE 1 SS Pz*: 1008
101 s Pz, 272: 1108
DE 12 SS* -1: 1107
2 SS Pz Korps: 1210
10 SS/21, 10 SS/II/10: 1110
10 SS/22, 271: 1109
277: 1110
276: 1111
102 s Pz, DE 9 SS*: 1210
47 Pz Korps: 1310
2 Pz/304 -1, 2 Pz/II/3 -1: 1212
2 Pz/2, 2 Pz/I/3 -1: 1213
2 Fj Korps: 1314
3 Fj/9: 1214
3 Fj/8, 3 Fj/5: 1215
266, 352/915: 1216
84 Korps: 1119
275, Lehr/II/130 -1: 1217
Lehr/I/130 -1, Lehr/901, Lehr/902 -1: 1218
17 SS/15 Fj, Lehr/14 Fj: 1118
17 SS/37 -1, 17 SS/38 -1, 2 SS/3, 2 SS/I/2: 1019
353 -1: 1119
2 SS/4, 2 SS/II/2, 77/13 Fj, 77: 1020
91/1057, 91/6 Fj -1, 243/920: 1021
US 4*, 70 Tk: 0420
VIII Corps: 0820
US 79*: 1022
US 8*: 0921
US 90*: 0920
US 4 Arm*: 0820
US 83*: 0918
VII Corps: 1017
US 1*, 745 Tk: 1016
3 Arm/CCA, 3 Arm/CCB: 0917
3 Arm/CCR: 0818
2 Arm/CCA, 2 Arm/CCB: 0814
2 Arm/CCR: 0714
US 9*, 746 Tk: 1018
US 30*, 743 Tk: 1117
XIX Corps: 1015
US 35*: 1116
US 29*: 1115
V Corps: 1014
US 2*, 741 Tk: 1114
US 5*, 899 TD: 1113
XXX Corps: 1013
8 Arm Bde: 0913
33 Arm Bde: 1013
50/69, UK 49*, 56 Inf: 1112
50/231, 50/151, UK 59*: 1012
XII Corps UK: 0910
4 Arm Bde: 0910
UK 53*: 0811
UK 15*: 1011
31 Arm Bde: 0911
UK 43*: 1010
34 Arm Bde: 0909
II Can Corps: 0909
6/2 Can, 27/2 Can: 0909
10/2 Can: 1009
2 Can*: 1009
3 Can*: 0908
I Corps: 0906
UK 51*, H/27: 0907
UK 3*, S/27, 1 SS: 0906
UK 6 Airb*, 4 SS, E/27: 0806
VIII Corps UK: 0807
GD Arm/32, UK 11 Arm*: 0808
GD Arm/15: 0708
UK 7 Arm*: 0807
"""
# East of column 13, or wherever the Allies like; and off the map.
COBRA_FREE = "654 s Pz, 1 Flak, 2 Flak, 3 Flak, 79 Arm/30, 79 Arm/1 AE, 79 Arm/1 Tk"

# Places by geography, to within one hex (derived from the hexes that the booklet names).
PLACES = """
Barfleur 0119, Saint-Vaast-la-Hougue 0319, Valognes 0421, Montebourg 0520, Sainte-Mère-Église 0619,
Carentan 0818, Isigny 0816, Grandcamp 0716, Barneville 0724, La Haye-du-Puits 0922, Lessay 0921, Périers
1020, Saint-Lô 1216, Coutances 1320, Granville 1722, Avranches 1919, Villedieu 1617, Vire 1613, Mortain
2014, Tinchebray 1812, Port-en-Bessin 0712, Bayeux 0912, Courseulles 0709, Ouistreham 0807, Caen (west)
1008, Caen (east) 0908, Troarn 1006, Cabourg 0805, Villers-Bocage 1211, Caumont 1113, Aunay 1311, Torigni
1215, Thury-Harcourt 1309, Condé-sur-Noireau 1610, Flers 1810, Falaise 1505, Argentan 1703, Mézidon 1204,
Saint-Pierre-sur-Dives 1304, Trun 1603, Vimoutiers 1401, Lisieux 1001, Pont-l'Évêque 0801, Honfleur 0501,
Le Havre 0403, Domfront 2110, Saint-Hilaire 2116, Pontorson 2220
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """A scenario with its values as their names, by kind and id."""

    game: Game
    kinds: dict[str, dict[str, dict[str, Any]]] = field(default_factory=lambda: defaultdict(dict))
    edges: dict[frozenset[str], dict[str, Any]] = field(default_factory=dict)

    def of(self, kind: str) -> dict[str, dict[str, Any]]:
        return self.kinds[kind]

    def named(self, place: str) -> list[str]:
        return [name for name, hexagon in self.of("hex").items() if hexagon.get("place") == place]

    def counters(self, division: str) -> list[str]:
        """The counters of a division, without the regiments that are only attached to it."""
        units = self.of("unit").items()
        return [name for name, unit in units if unit.get("division") == division and not attached(name)]

    def land(self) -> set[str]:
        return {name for name, hexagon in self.of("hex").items() if hexagon["terrain"] != "sea"}


def attached(name: str) -> bool:
    return name in ("77/13 Fj", "Lehr/14 Fj", "17 SS/15 Fj")


@cache
def data_of(name: str) -> Data:
    found = load_game(name)
    assert found.game is not None, render_text(found.problems)
    game = found.game
    program, data = game.program, Data(game=game)
    types = {(kind.name, one.name): one.type for kind in program.kinds for one in kind.attributes}
    for space in game.scenario.spaces:
        data.kinds[space.kind][space.id] = {
            attribute: _name(program, types[space.kind, attribute], value)
            for attribute, value in space.values
        }
    for piece in game.scenario.pieces:
        values = {
            attribute: _name(program, types[piece.kind, attribute], value)
            for attribute, value in piece.values
        }
        data.kinds[piece.kind][piece.id] = values | {"at": piece.at}
    for edge in game.scenario.edges:
        data.edges[frozenset((edge.first, edge.second))] = {
            attribute: _name(program, types[edge.kind, attribute], value) for attribute, value in edge.values
        }
    return data


def _name(program: Program, wanted: Type, value: Any) -> Any:
    """A value as the data files write it."""
    element = wanted.element
    if wanted.tag == "enum":
        return enum_values(program, wanted.names[0])[value]
    if wanted.tag == "set" and element is not None and element.tag == "enum":
        names = enum_values(program, element.names[0])
        return {name for index, name in enumerate(names) if value >> index & 1}
    return value


def set_up(text: str, data: Data) -> Iterator[tuple[str, str, str]]:
    """Each counter of a set-up, with its hex and what is said of it."""
    for line in text.strip().splitlines():
        names, place = line.rsplit(": ", 1)
        for entry in names.split(", "):
            match = re.fullmatch(r"(.+?)(\*?)(?: (-1|D1))?", entry)
            assert match is not None
            counters = data.counters(match[1]) if match[2] else [match[1]]
            assert counters, entry
            for counter in counters:
                yield counter, place, match[3] or ""


def neighbours(name: str) -> set[str]:
    """The six hexes around one: odd columns lie half a hex further south."""
    row, column = int(name[:2]), int(name[2:])
    rows = (row, row + 1) if column % 2 else (row - 1, row)
    around = [(row - 1, column), (row + 1, column)]
    around += [(other, beside) for other in rows for beside in (column - 1, column + 1)]
    return {f"{one:02}{two:02}" for one, two in around}


def joined(edges: set[frozenset[str]], start: str) -> set[str]:
    """All that can be reached over the edges."""
    beside: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        first, second = edge
        beside[first].add(second)
        beside[second].add(first)
    seen, left = {start}, [start]
    while left:
        new = beside[left.pop()] - seen
        seen |= new
        left += new
    return seen


@pytest.fixture(scope="module")
def campaign() -> Data:
    return data_of(CAMPAIGN)


@pytest.fixture(scope="module")
def cobra() -> Data:
    return data_of(COBRA)


# ---------------------------------------------------------------- 1: the frame


def test_two_players_or_three() -> None:
    # 11: the campaign and scenario 2 for two or three, scenario 1 for two.
    for name in (CAMPAIGN, COTENTIN, COBRA):
        assert data_of(name).game.scenario.players == ("allies", "germans")
    for name in THREE:
        assert data_of(name).game.scenario.players == ("allies", "british", "germans")


def test_scenarios_have_their_turns() -> None:
    # 11.1: turns 1 to 4; 11.2: turns 7 to 12; 11.3: to the end of August.
    turns = {
        name: (data_of(name).game.scenario.first_turn, data_of(name).game.scenario.turns) for name in EVERY
    }
    assert turns[COTENTIN] == (1, 4)
    assert turns[COBRA] == turns["normandie-cobra-three"] == (7, 12)
    assert turns[CAMPAIGN] == turns["normandie-campaign-three"] == (0, 12)


def test_a_turn_is_a_week_in_two_phases(campaign: Data) -> None:
    track = campaign.of("turn_box")
    assert Counter(box["number"] for box in track.values()) == {0: 3} | {number: 2 for number in range(1, 13)}
    assert {track[f"T{number}{half}"]["impulse"] for number in range(13) for half in "A"} == {"A"}
    # 11.1: from 6 June to 3 July; 11.2: turn 7 begins on 18 July; turn 12 ends in August.
    assert track["T1A"]["calendar"].startswith("6 June")
    assert track["T4B"]["calendar"].endswith("3 July")
    assert track["T7A"]["calendar"].startswith("18 July")
    assert track["T12B"]["calendar"].endswith("August")


def test_air_counters_lie_in_three_bowls(campaign: Data) -> None:
    # 11: six heavy, four medium or light, twelve fighter-bombers; by the errata Bomber Command 3 is one.
    air = campaign.of("air_unit")
    assert Counter(unit["at"] for unit in air.values()) == {
        "bowl(heavy)": 6,
        "bowl(medium)": 4,
        "bowl(fighter)": 12,
    }
    assert all(unit["at"] == f"bowl({unit['air_class']})" for unit in air.values())
    assert air["Bomb Cd 3"]["air_class"] == "fighter"
    assert any(unit.get("light") for unit in air.values())
    assert {unit["nation"] for unit in air.values()} == {"american", "anglo_canadian"}


def test_units_have_one_to_three_steps_and_weaken_with_them(campaign: Data) -> None:
    # 0.1.2 and 6.10.
    for name, unit in campaign.of("unit").items():
        assert 1 <= len(unit["attacks"]) == len(unit["defences"]) <= 3, name
        assert unit["steps"] == len(unit["attacks"]), name
        assert list(unit["attacks"]) == sorted(unit["attacks"]), name
        assert list(unit["defences"]) == sorted(unit["defences"]), name
    assert {unit["steps"] for unit in campaign.of("unit").values()} == {1, 2, 3}


def test_foot_moves_six_and_everybody_else_more(campaign: Data) -> None:
    # 0.1.2: a movement above 6 is motorised; bicycles are foot.
    units = campaign.of("unit").values()
    assert {unit["movement"] for unit in units if unit["arm"] == "foot_infantry"} == {6}
    assert all(unit["movement"] > 6 for unit in units if unit["arm"] in ("tanks", "panzergrenadier"))
    assert all(unit["movement"] >= 6 for unit in units)
    assert [unit["movement"] for unit in units if unit.get("bicycle")] == [6]
    # 2.2: Allied paratroops are motorised once they are supplied.
    airborne = [unit for unit in units if unit.get("landing_part") == "night_drop"]
    assert airborne and all(unit["movement"] > 6 for unit in airborne)


def test_battalions_that_are_independent_weigh_nothing(campaign: Data) -> None:
    # 2.1: battalions have no stacking points; 5.1: independent units are those of 0 points.
    independent = [unit for unit in campaign.of("unit").values() if "division" not in unit]
    assert {unit["stacking"] for unit in independent if unit["echelon"] == "battalion"} == {0}
    assert all(unit["stacking"] <= 5 for unit in campaign.of("unit").values())


def test_numbers_of_the_example_of_odds_are_on_counters(campaign: Data) -> None:
    # 6.3: two British infantry units of attack 4 against a German unit of defence 3.
    units = campaign.of("unit").values()
    british = [unit for unit in units if unit["country"] == "britain" and unit["arm"] == "motor_infantry"]
    assert british and all(unit["attacks"][-1] == 4 for unit in british)
    assert any(unit["country"] == "germany" and unit["defences"][-1] == 3 for unit in units)


def test_the_errata_of_kampfgruppe_275(campaign: Data) -> None:
    assert campaign.of("unit")["KG 275"]["steps"] == 1


def test_allies_of_the_allies(campaign: Data) -> None:
    # 8: a French division, Poles and Belgians.
    countries = Counter(unit["country"] for unit in campaign.of("unit").values())
    assert countries["france"] == 3 and countries["poland"] == 2 and countries["belgium"] == 1


def test_elite_paratroops_commandos_and_rangers(campaign: Data) -> None:
    # 4.4, and the camouflage of the graphic notes: the 6th Airborne.
    units = campaign.of("unit")
    special = [unit for unit in units.values() if unit["arm"] in ("commandos", "rangers")]
    assert len(special) == 4 and all(unit["elite"] for unit in special)
    for division in ("US 82", "US 101", "UK 6 Airb"):
        assert all(units[counter]["elite"] for counter in campaign.counters(division))


# ---------------------------------------------------------------- 2: coast, boxes, depots


def test_coast_of_the_two_fleets(campaign: Data) -> None:
    # 6.2: from 0126 to 0713, and from 0712 to 0502.
    coast = {name: hexagon["coast"] for name, hexagon in campaign.of("hex").items() if "coast" in hexagon}
    western = {name for name, fleet in coast.items() if fleet == "western"}
    eastern = set(coast) - western
    assert {"0126", "0713"} <= western and {"0712", "0502"} <= eastern
    assert {int(name[2:]) for name in western} <= set(range(13, 27))
    assert {int(name[2:]) for name in eastern} <= set(range(1, 13))
    seas = set(campaign.of("hex")) - campaign.land()
    assert all(neighbours(name) & seas for name in coast if name != "0126")


def test_the_boxes_that_the_booklet_names(campaign: Data) -> None:
    # 4.1.2, 6.12, 7.2.
    boxes = campaign.of("box")
    assert {"pas_de_calais", "paris", "orleans", "le_mans", "rennes", "brest", "languedoc", "sud_est"} <= set(
        boxes
    )
    assert {name for name, box in boxes.items() if box.get("beyond_seine")} == {
        "pas_de_calais",
        "paris",
        "orleans",
    }
    assert {name for name, box in boxes.items() if box.get("maquis")} == {"languedoc", "sud_est"}
    # 6.12: with a result of 3 a unit escapes from Orléans.
    assert boxes["orleans"]["interdiction"] > 3
    assert all(2 <= box["interdiction"] <= 6 for box in boxes.values())


def test_boxes_hang_together_and_with_the_twelve_lettered_hexes(campaign: Data) -> None:
    # 1.1.2.1: hexes a to l lead into boxes.
    hexes, boxes = campaign.of("hex"), campaign.of("box")
    letters = {hexagon["exit"]: name for name, hexagon in hexes.items() if "exit" in hexagon}
    assert sorted(letters) == list("abcdefghijkl")
    links = [set(link) for link in campaign.game.scenario.links]
    assert joined({frozenset(link) for link in links if link <= set(boxes)}, "paris") == set(boxes)
    out = {name: link for link in links for name in link & set(hexes)}
    assert set(out) == set(letters.values())
    assert all(out[name] & set(boxes) for name in out)
    edge_of_map = {name for name in campaign.land() if neighbours(name) - set(hexes)}
    assert set(out) <= edge_of_map


def test_fortresses(campaign: Data) -> None:
    # 0.1.2: Saint-Nazaire lies inside Rennes; 11.3: ports of the Atlantic; section 7: Paris, defence 10.
    fortresses, festungen = campaign.of("fortress"), campaign.of("festung")
    assert fortresses["saint_nazaire"]["surrounding_box"] == "rennes"
    assert {"brest_festung", "lorient", "saint_nazaire", "paris_festung"} == set(fortresses)
    assert {festung["fortress"] for festung in festungen.values()} == set(fortresses)
    assert festungen["Festung Paris"]["defence"] == 10


def test_the_resistance(campaign: Data) -> None:
    # 4.1.2: partisans have a defence of 2, the FFI of Paris 5 and 5.
    found = {
        name: (one["attack"], one["defence"], one["at"]) for name, one in campaign.of("resistance").items()
    }
    assert found == {
        "Maquis of Languedoc": (0, 2, "languedoc"),
        "Maquis of the Sud-Est": (0, 2, "sud_est"),
        "FFI Paris": (5, 5, ""),
    }


def test_allied_depots(campaign: Data) -> None:
    depots = {name: depot for name, depot in campaign.of("depot").items() if depot["owner"] == "allies"}
    # 7.1.1: the Mulberries; 7.2: Cherbourg; 11.1: Utah.
    assert depots["Mulberry A"]["home"] == "0714" and depots["Mulberry B"]["home"] == "0711"
    assert depots["Cherbourg"]["home"] == "0223" and depots["Utah"]["home"] == "0617"
    # 11.3: Utah is worth 6 points, 3 and its offensive capacity.
    assert 3 + depots["Utah"]["offensives"] == 6
    # The sample counters of section 7: 2 and 8, 4 and 1; 7.1.3: half of it while it is reduced.
    port = depots["Cherbourg"]
    assert (port["offensives"], port["landing"]) == (2, 8)
    assert (port["reduced_offensives"], port["reduced_landing"]) == (1, 4)
    # 11.2: Omaha, Juno and Sword have two; Gold has one beside the Mulberry.
    beaches = Counter(depot["beach"] for depot in depots.values() if depot["harbour"] == "shore")
    assert beaches == {"utah": 1, "omaha": 2, "gold": 2, "juno": 2, "sword": 2}
    hexes = campaign.of("hex")
    for depot in depots.values():
        assert "coast" in hexes[depot["home"]] or depot["home"] in ("0816", "1722")
        if depot["harbour"] == "shore":
            assert hexes[depot["home"]]["beach"] == depot["beach"]
    assert {depot["harbour"] for depot in depots.values()} == {
        "shore",
        "fishing_harbour",
        "mulberry",
        "great_harbour",
    }
    # 11.3: some are destroyed for 10 points (capacity 0 or 1), some for 20.
    assert {min(depot["offensives"], 2) for depot in depots.values()} == {0, 1, 2}


def test_german_depots(campaign: Data) -> None:
    # 7.2: Cherbourg and five boxes; Rennes, Le Mans and Pas-de-Calais cannot defend themselves.
    depots = {name: depot for name, depot in campaign.of("depot").items() if depot["owner"] == "germans"}
    places = {"0223", "pas_de_calais", "paris", "le_mans", "rennes", "brest"}
    assert {depot["at"] for depot in depots.values()} == places
    assert not {"Rennes", "Le Mans", "Pas-de-Calais"} & {
        name for name, depot in depots.items() if "defence" in depot
    }
    # The sample counters of section 7.
    assert depots["Le Mans"]["offensives"] == 2 and depots["Paris"]["offensives"] == 4


def test_every_beach_has_a_garrison_that_turns_into_its_depot(campaign: Data) -> None:
    # 7.1.2 and 10.
    garrisons, depots = campaign.of("garrison"), campaign.of("depot")
    turned = {garrison["reverse"]: garrison["at"] for garrison in garrisons.values() if "reverse" in garrison}
    shores = {name: depot["home"] for name, depot in depots.items() if depot["harbour"] == "shore"}
    assert turned == shores
    assert any(garrison.get("batteries") for garrison in garrisons.values())


# ---------------------------------------------------------------- 3: scenario 1


def test_cotentin_set_up() -> None:
    data = data_of(COTENTIN)
    pieces = data.of("unit") | data.of("headquarters")
    for name, place, remark in set_up(COTENTIN_SET_UP, data):
        assert pieces[name]["at"] == place, name
        assert pieces[name].get("disorganised", 0) == (1 if remark == "D1" else 0), name
    assert [marker["at"] for marker in data.of("offensive").values()].count("0619") == 1
    # The depot of Utah is open; its garrison is gone.
    assert data.of("depot")["Utah"]["at"] == "0617" and data.of("depot")["Utah"]["readiness"] == "complete"
    assert data.of("garrison")["Utah beach"]["at"] == ""


def test_cotentin_fleet() -> None:
    # 11.1: two points of destroyers and one of cruisers, of the Western Task Force alone.
    each = {(name, attribute): value for _, name, attribute, value in data_of(COTENTIN).game.scenario.each}
    assert (each["western", "destroyers"], each["western", "cruisers"]) == (2, 1)
    assert (each["eastern", "destroyers"], each["eastern", "cruisers"]) == (0, 0)


def test_cotentin_is_played_west_of_column_17() -> None:
    data = data_of(COTENTIN)
    assert dict(data.game.scenario.variables)["eastern_column"] == 17
    kinds = ("unit", "headquarters", "garrison")
    places = {name: piece["at"] for kind in kinds for name, piece in data.of(kind).items() if piece["at"]}
    on_map = {name for name, place in places.items() if place in data.of("hex")}
    assert all(int(places[name][2:]) >= 17 for name in on_map)
    assert {"709/729", "243/920", "91/1057", "91/6 Fj", "84 Korps", "Cherbourg harbour"} <= on_map
    # Whoever is in the west in the campaign is here too, but for the garrison of Utah.
    campaign = data_of(CAMPAIGN)
    west = {
        name
        for kind in kinds
        for name, piece in campaign.of(kind).items()
        if piece["at"] in campaign.of("hex") and int(piece["at"][2:]) >= 17
    }
    assert west - on_map == {"Utah beach"}


def test_cotentin_reinforcements() -> None:
    data = data_of(COTENTIN)
    pieces = data.of("unit") | data.of("headquarters")
    waiting = {name: piece["at"] for name, piece in pieces.items() if piece["at"] in data.of("turn_box")}
    counters = {name for division in COTENTIN_REINFORCEMENTS.split(", ") for name in data.counters(division)}
    assert set(waiting) == counters | {"VIII Corps"}
    assert set(waiting.values()) <= {f"T{number}{phase}" for number in range(1, 5) for phase in "AB"}


# ---------------------------------------------------------------- 4: scenario 2


def test_cobra_set_up(cobra: Data) -> None:
    pieces = cobra.of("unit") | cobra.of("headquarters")
    for name, place, remark in each(set_up(COBRA_SET_UP, cobra)):
        assert pieces[name]["at"] == place, name
        if "steps" in pieces[name]:
            lost = len(pieces[name]["attacks"]) - pieces[name]["steps"]
            assert lost == (1 if remark == "-1" else 0), name


def test_cobra_has_nobody_else_on_the_map(cobra: Data) -> None:
    named = {name for name, _, _ in set_up(COBRA_SET_UP, cobra)} | set(COBRA_FREE.split(", "))
    pieces = cobra.of("unit") | cobra.of("headquarters")
    assert {name for name, piece in pieces.items() if piece["at"] in cobra.of("hex")} == named


def test_cobra_counters_that_a_player_places(cobra: Data) -> None:
    # 11.2: east of column 13; the three brigades of the 79th Armoured wherever the Allies like.
    units = cobra.of("unit")
    for name in ("654 s Pz", "1 Flak", "2 Flak", "3 Flak"):
        assert int(units[name]["at"][2:]) < 13
    assert len(cobra.counters("UK 79 Arm")) == 3
    variables = dict(cobra.game.scenario.variables)
    assert set(COBRA_FREE.split(", ")) == set(variables["placed_freely"])  # type: ignore[arg-type]
    # And two offensive markers, wherever the Allies like.
    assert variables["free_markers"] == 2
    assert all(units[name]["at"] in cobra.land() for name in cobra.counters("UK 79 Arm"))


def test_cobra_depots_and_towns(cobra: Data) -> None:
    open_now = {
        name for name, depot in cobra.of("depot").items() if depot["owner"] == "allies" and depot["at"]
    }
    assert open_now == {
        "Cherbourg", "Barfleur", "Saint-Vaast", "Utah", "Isigny", "Grandcamp", "Omaha west", "Omaha east",
        "Port-en-Bessin", "Mulberry B", "Gold east", "Juno west", "Juno east", "Sword west", "Sword east",
    }  # fmt: skip
    depots = cobra.of("depot")
    assert all(depots[name]["at"] == depots[name]["home"] for name in open_now)
    assert {name for name in open_now if depots[name]["readiness"] != "complete"} == {"Cherbourg"}
    held = {
        name: hexagon for name, hexagon in cobra.of("hex").items() if hexagon.get("controller") == "allies"
    }
    towns = {hexagon["place"] for hexagon in held.values() if hexagon.get("settlement") == "town"}
    assert towns == {"Cherbourg", "Cherbourg (east)", "Carentan", "Bayeux", "Caen (east)"}
    others = {name for name, hexagon in held.items() if hexagon.get("settlement") != "town"}
    assert others == {depots[name]["home"] for name in open_now} - {"0223"}


def test_cobra_towns_behind_the_front_are_those_that_are_held(cobra: Data) -> None:
    # No other town lies in the hexes where Allied units stand; none of those held has Germans in it.
    hexes, units = cobra.of("hex"), cobra.of("unit")
    germans = {unit["at"] for unit in units.values() if unit["country"] == "germany"}
    allied = {unit["at"] for unit in units.values() if unit["country"] != "germany"}
    towns = {name for name, hexagon in hexes.items() if hexagon.get("settlement") == "town"}
    held = {name for name, hexagon in hexes.items() if hexagon.get("controller") == "allies"}
    assert towns & allied <= held
    assert not held & germans


def test_cobra_reinforcements_come_from_turn_7_on(cobra: Data) -> None:
    pieces = cobra.of("unit") | cobra.of("headquarters")
    turns = {
        cobra.of("turn_box")[piece["at"]]["number"]
        for piece in pieces.values()
        if piece["at"] in cobra.of("turn_box")
    }
    assert turns and min(turns) >= 7 and max(turns) <= 12


# ---------------------------------------------------------------- set-ups obey the rules


@pytest.mark.parametrize("name", [COTENTIN, COBRA])
def test_stacks_keep_within_five_points(name: str) -> None:
    # 2.1. Scenario 1 has two units of no points in 0619; see the notes.
    data = data_of(name)
    stacks: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for unit in data.of("unit").values():
        if unit["at"] in data.of("hex"):
            stacks[unit["at"]].append(unit)
    assert stacks
    for place, stack in stacks.items():
        assert sum(unit["stacking"] for unit in stack) <= 5, place
        light = sum(unit["stacking"] == 0 for unit in stack)
        assert light <= (2 if (name, place) in ((COTENTIN, "0619"),) else 1), place
        assert len({nation(unit) for unit in stack}) == 1, place


def nation(unit: dict[str, Any]) -> str:
    return {"germany": "german", "america": "american", "france": "american"}.get(
        unit["country"], "anglo_canadian"
    )


@pytest.mark.parametrize("name", [CAMPAIGN, COTENTIN, COBRA])
def test_everybody_stands_on_land_and_armour_out_of_marshes(name: str) -> None:
    data = data_of(name)
    hexes = data.of("hex")
    standing = [piece for kind in ("unit", "headquarters", "garrison") for piece in data.of(kind).values()]
    standing = [piece for piece in standing if piece["at"] in hexes]
    assert standing
    for piece in standing:
        ground = hexes[piece["at"]]["terrain"]
        assert ground != "sea"
        assert ground != "marsh" or piece.get("arm") not in ("tanks", "tank_destroyers")


def test_reinforcements_know_where_they_come_in(campaign: Data) -> None:
    # 1.1.2.1: Germans at a hex on turn 1, else in a box; Allies in their reserve.
    pieces = campaign.of("unit") | campaign.of("headquarters")
    waiting = {name: piece for name, piece in pieces.items() if piece["at"] in campaign.of("turn_box")}
    boxes, hexes = campaign.of("box"), campaign.of("hex")
    for name, piece in each(waiting.items()):
        if piece["country"] != "germany":
            assert "entry" not in piece, name
        elif piece["at"] == "T1A" and piece["entry"] in hexes:
            assert hexes[piece["entry"]]["exit"], name
        else:
            assert piece["entry"] in boxes, name


def test_d_day_has_its_waves(campaign: Data) -> None:
    # 10: who lands on turn 0 has a wave; assault units name their beach, airborne ones their zone.
    units = campaign.of("unit")
    first = {name: unit for name, unit in units.items() if unit["at"].startswith("T0")}
    assert all(unit["landing_part"] for unit in first.values())
    assert {name for name, unit in units.items() if unit.get("landing_part")} == set(first)
    zones = {
        unit["drop_zone"]
        for unit in first.values()
        if unit["landing_part"] in ("night_drop", "evening_gliders")
    }
    hexes = campaign.of("hex")
    assert (
        zones and all(hexes[zone].get("settlement") != "town" for zone in zones) and zones <= campaign.land()
    )
    assault = {
        unit["beach"]
        for unit in first.values()
        if unit["landing_part"] == "first_assault" and "beach" in unit
    }
    assert assault == {"utah", "omaha", "gold", "juno", "sword"}
    nations = {"utah": "american", "omaha": "american"}
    for name, unit in first.items():
        if "beach" in unit:
            assert nation(unit) == nations.get(unit["beach"], "anglo_canadian"), name
    # 10: the 6th Airlanding Brigade comes last; commandos and rangers have landings of their own.
    assert units["6 Airb/6"]["landing_part"] == "evening_gliders"
    commandos = {name for name, unit in first.items() if unit["landing_part"] == "commando_assault"}
    assert commandos == {"5 Ranger", "1 SS", "4 SS"}
    # The 5th Rangers may come to the help of the 2nd, who are there before them.
    assert units["2 Ranger"]["landing_part"] == "first_assault"


# ---------------------------------------------------------------- 6 and 7: the map


def test_hexes_that_the_booklet_names(campaign: Data) -> None:
    assert campaign.named("Cherbourg") == ["0223"]
    assert campaign.named("Arromanches") == ["0711"]
    assert campaign.named("Saint-Laurent") == ["0714"]
    assert campaign.named("Marigny") == ["1218"]
    assert campaign.of("hex")["0617"]["beach"] == "utah"
    village = campaign.of("hex")["1213"]
    assert (village["settlement"], village["terrain"]) == ("village", "bocage")


def test_cherbourg_and_caen_have_two_hexes_each(campaign: Data) -> None:
    # 11.1: both hexes of Cherbourg; 11.2: the eastern one of Caen.
    hexes = campaign.of("hex")
    towns = {name: hexagon["place"] for name, hexagon in hexes.items() if hexagon.get("settlement") == "town"}
    for town in ("Cherbourg", "Caen"):
        first, second = sorted(name for name, place in towns.items() if place.startswith(town))
        assert second in neighbours(first)
    (east,), (west,) = campaign.named("Caen (east)"), campaign.named("Caen (west)")
    assert int(east[2:]) < int(west[2:])


@pytest.mark.parametrize("entry", [entry.strip() for entry in PLACES.replace("\n", " ").split(",")])
def test_places_lie_where_geography_has_them(campaign: Data, entry: str) -> None:
    place, wanted = entry.rsplit(" ", 1)
    (found,) = campaign.named(place)
    assert found == wanted or found in neighbours(wanted)


def test_commandos_can_land_beside_the_beaches(campaign: Data) -> None:
    # 10: between Arromanches and Ouistreham, also in 0808 and 0712, which nobody else can reach from the sea.
    hexes, land = campaign.of("hex"), campaign.land()
    for name in ("0808", "0712"):
        assert "beach" not in hexes[name]
        assert neighbours(name) & (set(hexes) - land)
    between = {"0711", "0710", "0709", "0708", "0807"}
    assert {
        name for name, hexagon in hexes.items() if hexagon.get("beach") in ("gold", "juno", "sword")
    } == between


def test_the_engine_lays_hexes_out_as_the_booklet_numbers_them(campaign: Data) -> None:
    layout = campaign.game.scenario.grids[0].layout
    assert (layout.orientation, layout.shifted) == ("flat", "odd")
    assert all(first in neighbours(second) for first, second in campaign.edges)


def test_rivers_roads_and_railways_are_on_land(campaign: Data) -> None:
    land = campaign.land()
    assert all(edge <= land for edge in campaign.edges)
    assert {edge["obstruction"] for edge in campaign.edges.values() if "obstruction" in edge} == {
        "river",
        "estuary",
    }


def test_one_net_of_roads_joins_every_place_and_every_exit(campaign: Data) -> None:
    hexes = campaign.of("hex")
    roads = {pair for pair, edge in campaign.edges.items() if edge.get("road")}
    net = joined(roads, "1008")
    places = {name for name, hexagon in hexes.items() if "settlement" in hexagon or "exit" in hexagon}
    # Le Havre lies beyond the Seine.
    assert places - net == {"0403", "0401"}
    assert {
        hexagon["place"]
        for name, hexagon in hexes.items()
        if name in net and "beach" in hexagon and "place" in hexagon
    }
    rails = {pair for pair, edge in campaign.edges.items() if edge.get("rail")}
    assert {"0223", "0912", "1008", "1216", "1320", "1919", "1703", "1613", "1001"} <= joined(rails, "1008")


def test_land_hangs_together_but_for_the_far_bank_of_the_seine(campaign: Data) -> None:
    land = campaign.land()
    closed = {pair for pair, edge in campaign.edges.items() if edge.get("obstruction") == "estuary"}
    sides = {frozenset((one, other)) for one in land for other in neighbours(one) & land} - closed
    far = land - joined(sides, "1008")
    assert far == joined(sides, "0403")
    assert all(int(name[:2]) <= 4 and int(name[2:]) <= 3 for name in far)


def test_headquarters_of_scenario_2_stand_on_the_road_net(cobra: Data) -> None:
    # 7.3.2: a headquarters draws supply by road.
    roads = {name for pair, edge in cobra.edges.items() if edge.get("road") for name in pair}
    places = {piece["at"] for piece in cobra.of("headquarters").values() if piece["at"] in cobra.of("hex")}
    assert places and places <= roads


def test_the_orne_parts_the_bridgehead_from_caen(campaign: Data) -> None:
    # 11.2: the 6th Airborne, the 3rd and the 51st Division stand beyond the river on 18 July.
    def river(first: str, second: str) -> bool:
        return campaign.edges.get(frozenset((first, second)), {}).get("obstruction") == "river"

    assert all(river("0807", name) for name in ("0806", "0906", "0907"))
    assert river("0907", "1008") and river("0907", "0908")


def test_what_is_reconstructed_says_so() -> None:
    for path in each(sorted((rulesets_folder() / "normandie-1944" / "data").glob("*.yaml"))):
        plain = path.name in ("divisions.yaml", "cotentin-left-out.yaml")
        assert plain or "provenance: reconstructed" in path.read_text("utf-8"), path.name


# ---------------------------------------------------------------- the booklet, section by section

# Its headings, but for those that only head others.
SECTIONS = """
0 0.1 0.1.1 0.1.2 0.2 0.2.1 0.2.2
1 1.0 1.1 1.1.1.1 1.1.1.2 1.1.1.3 1.1.2.1 1.1.2.2 1.1.3 1.1.4 1.1.5 1.2
2 2.1 2.2 3 4 4.1.1 4.1.2 4.2 4.3 4.4
5 5.1 5.2 5.3 5.4
6 6.1 6.2 6.3 6.4 6.5 6.6 6.7 6.8 6.9 6.10 6.11 6.12 6.13
7 7.1 7.1.1 7.1.2 7.1.3 7.2 7.3 7.3.1 7.3.2 7.4 7.5
8 9 9.1 9.2 9.3 9.4 9.5 10 11 11.1 11.2 11.3
"""


def test_every_section_of_the_booklet_has_its_rule(campaign: Data) -> None:
    rules = {rule.id for rule in campaign.game.program.rules}
    assert not [section for section in each(SECTIONS.split()) if section not in rules]


def test_the_notes_list_the_rules_that_there_are(campaign: Data) -> None:
    notes = (rulesets_folder() / "normandie-1944" / "NOTES.md").read_text("utf-8")
    table = notes.split("## Sections and rules")[1].split("## Readings")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][2:]
    named = {
        name for row in each(rows) for cell in (row[1], row[3]) for name in re.split(r"[;,\s]+", cell) if name
    }
    rules = {rule.id for rule in campaign.game.program.rules}
    assert named <= rules
    assert not [section for section in SECTIONS.split() if "." in section and section not in named | HEADS]


HEADS = {"0.2", "1.1"}


def test_somebody_holds_the_hexes_that_are_worth_it_and_nobody_the_others(campaign: Data) -> None:
    game = campaign.game
    state: Any = game.start(1)
    homes = {home for home in game.fixed("p_home") if home >= 0}
    town = enum_values(game.program, "settlement").index("town")
    worth = {n for n in range(len(game.spaces)) if game.fixed("s_settlement")[n] == town} | homes
    held = {n for n, one in enumerate(game.spaces) if one.kind == "hex" and state.s_controller[n] >= 0}
    assert held == worth
