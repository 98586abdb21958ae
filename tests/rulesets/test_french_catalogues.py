"""Every shipped ruleset with a French catalogue: all is translated, and says and names the same things."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from ddob_rules.translations.catalogue import catalogue_path, read_catalogue, review
from ddob_rules.library.finding import RulesetEntry, read_header, rulesets, scenarios
from ddob_rules.loading import load_ruleset
from ddob_rules.check.program import Checked
from ddob_rules.resources import rulesets_folder
from tests.rulesets import french
from tests.shipped import shipped_rules

TRANSLATED = [entry for entry in rulesets(rulesets_folder()) if catalogue_path(entry.folder, "fr").is_file()]
# Overlays and other games; the games of the base game are played in `test_ddob_french`.
GAMES = [("beyond-the-beach", 1), ("pegasus-bridge", 1), ("overlord-c-1-solo", 3)]
# Scenarios with rules of their own have a catalogue beside them.
WITH_RULES = sorted(rulesets_folder().glob("*/scenarios/*.rules"))

each_ruleset = pytest.mark.parametrize("entry", TRANSLATED, ids=lambda entry: entry.name)
each_game = pytest.mark.parametrize(("scenario", "seed"), GAMES)


def _checked(entry: RulesetEntry) -> Checked:
    return shipped_rules(entry.name)


def test_there_are_french_catalogues() -> None:
    assert {"ddob", "memoire-44"} <= {entry.name for entry in TRANSLATED}


@each_ruleset
def test_every_text_has_a_french_one(entry: RulesetEntry) -> None:
    assert french.unfinished(_checked(entry)) == []


@pytest.mark.parametrize("rules", WITH_RULES, ids=lambda path: path.stem)
def test_every_text_of_a_scenario_has_a_french_one(rules: Path) -> None:
    header = read_header(rules.with_suffix(".yaml"))
    assert header is not None and header.rules == rules
    checked = load_ruleset(header.ruleset, header.overlays, (rules,)).checked
    assert checked is not None
    assert review(checked, "fr").missing == ()
    assert french.with_other_values(checked) == french.with_other_numbers(checked) == []


@each_ruleset
def test_french_texts_cite_the_same_rules_and_numbers(entry: RulesetEntry) -> None:
    assert french.with_other_numbers(_checked(entry)) == []


@each_ruleset
def test_french_texts_have_every_value_of_the_english_ones(entry: RulesetEntry) -> None:
    assert french.with_other_values(_checked(entry)) == []


@each_ruleset
def test_pieces_and_scenarios_that_have_a_french_name_are_there(entry: RulesetEntry) -> None:
    catalogue, _ = read_catalogue(catalogue_path(entry.folder, "fr"))
    there = {f"scenario {scenario.name}": scenario.title for scenario in scenarios(rulesets_folder())}
    there |= {
        f"scenario {scenario.name} description": _description(scenario.path)
        for scenario in scenarios(rulesets_folder())
    }
    there |= {f"piece {name}": name for name in _piece_ids(entry)}
    named = {
        key: title.source
        for key, title in catalogue.titles.items()
        if key.startswith(("piece ", "scenario ")) and title.source != there.get(key)
    }
    assert named == {}


@cache
def _description(path: Path) -> str:
    found = yaml.safe_load(path.read_text(encoding="utf-8")).get("description", "")
    return " ".join(str(found).split())


def _piece_ids(entry: RulesetEntry) -> set[str]:
    """The ids in the data of a ruleset; of several alike, `id#1`, `id#2` ..."""
    found: set[str] = set()
    for folder in ("data", "scenarios"):
        for path in sorted((entry.folder / folder).glob("*.yaml")):
            pieces: dict[str, list[dict[str, Any]]] = yaml.safe_load(path.read_text("utf-8")).get(
                "pieces", {}
            )
            for piece in [piece for kind in pieces.values() for piece in kind]:
                names = [f"{piece['id']}#{number + 1}" for number in range(piece.get("count", 0))]
                found.update(names or [str(piece["id"])])
    return found


@each_game
def test_game_in_french_takes_the_same_course(scenario: str, seed: int) -> None:
    told, source = french.played(scenario, "fr", seed), french.played(scenario, "en", seed)
    assert told.keys == source.keys
    assert (told.end, told.winners) == (source.end, source.winners)


@each_game
def test_game_in_french_has_no_english_word(scenario: str, seed: int) -> None:
    assert french.english_in(french.played(scenario, "fr", seed)) == []


@each_game
def test_what_reads_the_same_in_both_languages_has_no_words_in_it(scenario: str, seed: int) -> None:
    assert french.untouched(scenario, seed) == []
