"""The base game in French: nothing is left to translate, and a game told in French is the same game."""

from __future__ import annotations

import pytest

from ddob_rules.translations.catalogue import catalogue_for
from tests.rulesets import french

SCENARIOS = ("first-waves", "easy-fox")
GAMES = [("first-waves", 1), ("first-waves", 2), ("easy-fox", 3)]

each_scenario = pytest.mark.parametrize("scenario", SCENARIOS)
each_game = pytest.mark.parametrize(("scenario", "seed"), GAMES)


@each_scenario
def test_every_text_has_a_french_one(scenario: str) -> None:
    _, checked = french.loaded(scenario, "fr")
    assert french.unfinished(checked) == []


@each_scenario
def test_french_texts_cite_the_same_rules_and_numbers(scenario: str) -> None:
    _, checked = french.loaded(scenario, "fr")
    assert french.with_other_numbers(checked) == []


@each_scenario
def test_french_texts_have_every_value_of_the_english_ones(scenario: str) -> None:
    _, checked = french.loaded(scenario, "fr")
    assert french.with_other_values(checked) == []


@each_game
def test_game_in_french_takes_the_same_course(scenario: str, seed: int) -> None:
    told, source = french.played(scenario, "fr", seed), french.played(scenario, "en", seed)
    assert told.keys == source.keys
    assert (told.end, told.winners) == (source.end, source.winners)
    assert len(told.read) == len(source.read)


@each_game
def test_game_in_french_has_no_english_word(scenario: str, seed: int) -> None:
    assert french.english_in(french.played(scenario, "fr", seed)) == []


@each_game
def test_what_reads_the_same_in_both_languages_has_no_words_in_it(scenario: str, seed: int) -> None:
    assert french.untouched(scenario, seed) == []


def test_names_that_are_data_are_those_of_the_scenario() -> None:
    game, checked = french.loaded("first-waves", "fr")
    titles = catalogue_for(checked, "fr")
    pieces = {key.removeprefix("piece ") for key in titles if key.startswith("piece ")}
    spaces = {key.removeprefix("space ") for key in titles if key.startswith("space ")}
    scenarios = {key.split()[1] for key in titles if key.startswith("scenario ")}
    assert pieces <= set(game.piece_ids)
    assert spaces <= set(game.place_ids)
    assert scenarios == set(SCENARIOS)
