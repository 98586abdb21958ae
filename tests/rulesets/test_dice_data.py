"""The boards and cards of "D-Day Dice" against what the sources tell of them.

Most of the base game is lost; each line here is a fact that is left, and holds whatever else was drawn anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.looping import each

FOLDER = Path(__file__).parents[2] / "rulesets" / "dday-dice"
BOARDS = FOLDER / "data" / "boards"
#: The fields of the raids by column: Able, Baker, Charlie.
FIELDS = {
    "a-1": ("dog_red", "omaha_beach", "gold_beach"),
    "a-2": ("wn_68", "vierville_draw", "mont_fleury"),
    "a-3": ("achtung_panzer", "vaumicel", "marefontaine"),
    "c-1": ("queen_red", "sword_beach", "juno_beach"),
    "c-2": ("strongpoint_sole", "strongpoint_morris", "cosys_bunker"),
    "c-3": ("strongpoint_daimler", "strongpoint_hillman", "courseulles"),
}
#: Sectors that the booklet names, by field: one for each column.
NAMED = {
    "Dog Red": ["DogRed1", "DogRed6", "DogRed8", "DogRed12", "DogRed13"],
    "Gold Beach": ["Gold5", "Gold11"],
    "couriers": ["WN15", "Vierville16", "Fleury16"],
    "officers": ["WN9", "Vierville9", "Fleury9"],
    "howitzers": ["Panzer9", "Vaumicel9", "Marefontaine9"],
    "guns, alone": ["Panzer10", "Vaumicel10", "Marefontaine10"],
    "flames": ["Panzer12", "Vaumicel12", "Marefontaine13"],
    "sentries": ["WN10", "Vierville6", "Fleury10", "Sole11", "Morris10", "Cosy10"],
    "campaign B": ["Detroit12", "Albany10", "Tonga10", "Tonga14", "Merville6"],
    "goals of C-3S": ["Daimler10", "Hillman10", "Courseulles10"],
    "Vaumicel's bunkers": ["VaumicelBunker2", "VaumicelBunker3"],
    "Marefontaine's bunkers": ["MarefontaineBunker1", "MarefontaineBunker2"],
}


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@cache
def sectors() -> dict[str, dict[str, Any]]:
    return {
        name: told
        for path in sorted(BOARDS.glob("*.yaml"))
        for name, told in _read(path)["boards"]["sector"]["spaces"].items()
    }


@cache
def ways() -> frozenset[frozenset[str]]:
    found = [
        pair
        for path in [*BOARDS.glob("*.yaml"), *(FOLDER / "data" / "fields").glob("*.yaml")]
        for pair in _read(path)["boards"]["sector"]["links"]
    ]
    return frozenset(frozenset(pair) for pair in found)


def joined(one: str, other: str) -> bool:
    return frozenset((one, other)) in ways()


def numbers(board: str) -> list[int]:
    return [told["number"] for told in sectors().values() if told["board"] == board and "number" in told]


def test_every_board_says_that_it_is_reconstructed() -> None:
    for path in each(sorted(BOARDS.glob("*.yaml"))):
        assert _read(path)["boards"]["sector"]["provenance"] == "reconstructed"


@pytest.mark.parametrize("group", NAMED)
def test_the_sectors_that_the_booklet_names_are_there(group: str) -> None:
    assert [name for name in each(NAMED[group]) if name not in sectors()] == []


@pytest.mark.parametrize("field", FIELDS)
def test_fields_have_their_boards_by_column(field: str) -> None:
    assert len(FIELDS[field]) == 3
    for board, column in zip(FIELDS[field], ("able", "baker", "charlie"), strict=True):
        assert {told["lane"] for told in sectors().values() if told["board"] == board} == {column}
    included = [
        Path(name).stem.replace("-", "_")
        for name in _read(FOLDER / "data" / "fields" / f"{field}.yaml")["include"]
    ]
    assert tuple(included) == FIELDS[field]


def test_columns_of_campaign_b_that_the_booklet_names() -> None:
    lanes = {told["board"]: told["lane"] for told in sectors().values()}
    assert (lanes["mission_boston"], lanes["mission_detroit"], lanes["operation_tonga"]) == (
        "able",
        "charlie",
        "baker",
    )


def test_omaha_beach() -> None:
    assert joined("Omaha9", "OmahaBunker1") and joined("Omaha7", "Omaha9") and joined("Omaha8", "Omaha9")
    assert not joined("Omaha7", "OmahaBunker1") and not joined("Omaha8", "OmahaBunker1")
    assert (sectors()["Omaha8"]["defense"], sectors()["Omaha8"]["needs"]) == ([10], "scout")
    assert sectors()["Omaha9"]["needs"] == "medic"
    assert max(numbers("omaha_beach")) == 9


def test_the_time_marker_reaches_the_bunker_of_dog_red_after_sector_13() -> None:
    assert sorted(numbers("dog_red")) == list(range(1, 14))
    assert joined("DogRed13", "DogRedBunker1")


def test_sector_8_of_dog_red_is_climbed() -> None:
    assert sectors()["DogRed8"]["climb"] > 0


def test_sector_11_of_gold_beach() -> None:
    assert (sectors()["Gold11"]["defense"], sectors()["Gold11"]["guns"]) == ([16], 1)
    assert [
        name for name, told in sectors().items() if told["board"] == "gold_beach" and "bunker" in told
    ] == ["GoldBunker1"]


def test_from_sector_6_of_vierville_one_advances_to_12() -> None:
    assert joined("Vierville6", "Vierville12")
    assert sectors()["Vierville6"]["line"] < sectors()["Vierville12"]["line"]


def test_the_trench_of_mont_fleury_lies_above_9_10_and_11() -> None:
    assert [name for name, told in sectors().items() if told.get("trench")] == [
        "Fleury9",
        "Fleury10",
        "Fleury11",
    ]
    above = {
        other
        for way in ways()
        for other in way
        if way & {"Fleury9", "Fleury10", "Fleury11"} and sectors()[other]["line"] == 5
    }
    assert above and all(other.startswith("Fleury1") for other in above)


def test_the_tank_is_in_sector_11() -> None:
    assert sectors()["Panzer11"]["post"] == "panzer"


def test_two_bunkers_at_marefontaine_and_the_third_of_vaumicel_behind_the_second() -> None:
    assert joined("MarefontaineBunker1", "MarefontaineBunker2") and joined(
        "VaumicelBunker2", "VaumicelBunker3"
    )


def test_detroit_12_has_a_command_post_and_a_single_combat() -> None:
    assert sectors()["Detroit12"]["single_combat"] and "post" in sectors()["Detroit12"]


def test_boston_has_a_command_post() -> None:
    assert any("post" in told for told in sectors().values() if told["board"] == "mission_boston")


def test_tonga_has_barriers_above_10_and_mines_before_its_bunker_with_ways_round() -> None:
    assert sectors()["Tonga10"]["barrier"] and sectors()["Tonga14"]["mined"]
    assert (
        joined("Tonga14", "TongaBunker1")
        and joined("Chicago13", "TongaBunker1")
        and joined("Merville12", "TongaBunker1")
    )


@pytest.mark.parametrize(
    "board", ["wn_68", "vierville_draw", "mont_fleury", "mission_boston", "mission_albany", "mission_detroit"]
)
def test_a_die_and_five_always_finds_a_sector(board: str) -> None:
    assert set(range(6, 12)) <= set(numbers(board))


def test_paratroopers_come_down_in_one_of_three_sectors() -> None:
    for board in each(
        [
            "mission_albany",
            "mission_boston",
            "mission_chicago",
            "mission_detroit",
            "operation_tonga",
            "merville_battery",
        ]
    ):
        assert [
            told["number"] for told in sectors().values() if told["board"] == board and told.get("scattered")
        ] == [1, 2, 3]


def test_numbers_of_cards_of_a_neutral_set() -> None:
    pieces = _read(FOLDER / "data" / "cards.yaml")["pieces"]
    assert len([card for card in pieces["award_card"] if card["at"] == "award_deck(first_reserve)"]) == 16
    assert len(pieces["vehicle_card"]) == 6


def test_six_dice_of_three_colours_for_each_of_twelve_units() -> None:
    pieces = _read(FOLDER / "data" / "units.yaml")["pieces"]
    assert len(pieces["unit"]) == 12 and len(pieces["die"]) == 72
    for unit in each(pieces["unit"]):
        colours = [die["colour"] for die in pieces["die"] if die["unit"] == unit["id"]]
        assert sorted(colours) == ["blue", "blue", "red", "red", "white", "white"]


# ---------------------------------------------------------------- the booklet, section by section

#: Its headings in order, but for those that only head others; `A-1:` is the raid.
SECTIONS = """
Les cartes neutres / Apprendre le jargon / Prendre le service / Pour 1-4 joueurs / Chaque Équipe doit avoir
Plan d'attaque de la campagne / Préparation du prochain Raid / Blitzkrieg / Continuez ! / Dispersion !
Cri de Guerre d'appel à l'aide / Post-scriptum à un ordre / Mullipions / Médailles secrètes / Égalités
Crâne actif / Notes sur les Champs de Bataille / Croix de Victoria / A: Partageons la douleur
A-1: Chair à canon / A-1: Défenseurs fanatiques / A-1: Nettoyage de plage / A-2: Rations de combat
A-2: Officiers coincés / A-2: Courez estafettes / A-3: Dépôt de ravitaillement / A-3: Caisse de munitions
A-3: Tir synchronisé / A-3: La course aux flammes / A-3: La société de l'admiration mutuelle
Médailles recommandées / A-1S: Objets Spéciaux / A-1S: Points de ralliement / A-1S: Le temps passe
A-1S: Un de moins / A-2S: Restez entre les lignes / A-2S: Notes / A-2S: Esquiver les balles
A-2S: Obstacles de Rommel / A-2S: Dépêchons / A-2S: La première est la bonne / A-3S: Notes
A-3S: Objets Spéciaux / A-3S: Préparer les canons / A-3S: Ne tirez pas / A-3S: Le tout pour le tout
B: Briefing / B-1: Notes / B-1: Retardataires / B-1: Officiers égarés / B-1: Paras égarés
B-2: Parachutage du ravitaillement / B-2: Départ au sol / B-2: Veste et pilules / B-2: Baptême du feu
B-2: Tonga / B-2: Minophobie / B-1S: Notes / B-1S: Officiers égarés / B-1S: Paras égarés
B-1S: Une infraction / B-2S: Départ au sol / B-2S: Baptême du feu / B-2S: Glissade vers Tonga
C: Briefing / C-1: Des agneaux / C-1: Des Tigres / C-1: Sergeant Snafu / C-2: Notes / C-2: Pause café
C-2: Sentinelles / C-2: Colonel von Kraut / C-2: Halte / C-3: Notes / C-3: Remplacements improvisés
C-3: Lieutenant Leloser / C-3: Suivez-moi / C-3: Le cauchemar / C-1S: Un agneau / C-1S: Des Tigres
C-1S: Sergeant Snafu / C-1S: Fais-moi mal / C-2S: Pause café / C-2S: Halte / C-2S: Signal d'alerte
C-3S: Remplacements improvisés / C-3S: Le cauchemar / C-3S: Lieutenant Leloser / C-3S: Par ici
Tableau d'Honneur multijoueurs / Tableau d'Honneur solitaire / Liste des plateaux
"""
RULE = re.compile(r"^rule (\S+) ", re.MULTILINE)
#: Rules of the booklet: general orders, table of honour, campaigns and raids.
OF_THE_BOOKLET = re.compile(r"[GHABC]([.-]|$)")


@cache
def written() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(FOLDER.rglob("*.rules")))


def section_table() -> dict[str, set[str]]:
    """The sections of the notes, with the rules that carry them."""
    notes = (FOLDER / "NOTES.md").read_text("utf-8")
    table = notes.split("## Sections and rules")[1].split("## What was rebuilt")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][2:]
    known = set(RULE.findall(written()))
    return {name.strip(): {rule for rule in re.split(r"[;,\s]+", rules) if rule in known} for name, rules in rows}


def test_every_section_of_the_booklet_is_in_the_notes_in_order_and_has_a_rule() -> None:
    sections = re.split(r" / |\n", SECTIONS.strip())
    table = section_table()
    places = [
        next((place for place, name in enumerate(table) if section in name), -1) for section in each(sections)
    ]
    assert -1 not in places and places == sorted(places)
    assert [name for name, rules in table.items() if not rules] == []


def test_every_rule_of_the_booklet_carries_a_section() -> None:
    carried = set[str]().union(*section_table().values())
    rules = [rule for rule in RULE.findall(written()) if OF_THE_BOOKLET.match(rule)]
    assert [rule for rule in each(rules) if rule not in carried] == []


def test_every_rule_of_the_booklet_has_an_example() -> None:
    shown = {
        rule.strip()
        for line in re.findall(r'^example "[^"]*" of ([^:\n]+):', written(), re.MULTILINE)
        for rule in line.split(",")
    }
    blocks = re.split(r"^(?=rule |example )", written(), flags=re.MULTILINE)
    with_mechanism = {
        block.split()[1] for block in blocks if re.match(r"rule \S+ .*:\n  \"[^\n]*\n+  \w", block)
    }
    wanted = {rule for rule in with_mechanism if OF_THE_BOOKLET.match(rule)}
    assert len(wanted) > 70
    assert sorted(wanted - shown) == []
