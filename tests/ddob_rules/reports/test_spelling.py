"""Guessing which word was meant."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.reports.spelling import did_you_mean, suggest

WORDS = ["when", "table", "priority", "movement_allowance", "phase"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("wen", "when"),
        ("hwen", "when"),
        ("tabel", "table"),
        ("TABLE", "table"),
        ("priorité", "priority"),
        ("movementAllowance", "movement_allowance"),
        ("movement-alowance", "movement_allowance"),
        ("fase", None),
        ("phse", "phase"),
        ("xyzzy", None),
        ("", None),
    ],
)
def test_nearest_word_is_suggested_if_near_enough(word: str, meant: str | None) -> None:
    assert suggest(word, WORDS) == meant


@pytest.mark.parametrize(
    ("word", "meant"),
    [("move", "movement_allowance"), ("norm", None), ("normandie", "normandie_1944"), ("nor", None)],
)
def test_word_that_is_only_begun_is_recognised_if_it_is_one_word_only(word: str, meant: str | None) -> None:
    assert suggest(word, ["movement_allowance", "normandie_1944", "normal_weather"]) == meant


def test_accents_do_not_count() -> None:
    assert suggest("regle", ["table", "règle"]) == "règle"


def test_first_of_equally_near_words_wins() -> None:
    assert suggest("cat", ["bat", "car", "cot"]) == "bat"


def test_nearer_word_wins_over_an_earlier_one() -> None:
    assert suggest("strenght", ["strength_at", "strength"]) == "strength"


def test_word_itself_is_not_suggested() -> None:
    assert suggest("turn", ["turn"]) is None


def test_single_letter_is_not_taken_for_another() -> None:
    assert suggest("a", ["b", "c"]) is None


def test_nothing_is_suggested_without_candidates() -> None:
    assert suggest("turn", []) is None


def test_question_follows_the_language() -> None:
    assert did_you_mean("tabel", WORDS) == "did you mean `table`?"
    assert did_you_mean("tabel", WORDS, "fr") == "vouliez-vous dire `table` ?"
    assert did_you_mean("xyzzy", WORDS, "fr") == ""


words = st.text(alphabet="abcdef", min_size=5, max_size=12)


@given(words, st.data())
def test_word_with_one_slip_is_recognised(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(word) - 2))
    slips = [
        word[:place] + word[place + 1 :],
        word[:place] + "x" + word[place:],
        word[:place] + "x" + word[place + 1 :],
        word[:place] + word[place + 1] + word[place] + word[place + 2 :],
    ]
    for slip in slips:
        assert suggest(slip, ["zzzzzzzzzz", word]) == (None if slip == word else word)


@given(words, st.lists(words, max_size=6))
def test_suggestion_is_as_near_as_a_plain_count_of_edits_says(word: str, candidates: list[str]) -> None:
    others = [candidate for candidate in candidates if candidate != word]
    nearest = min(others, key=lambda other: edits(word, other), default=None)
    if nearest is not None and edits(word, nearest) > (len(word) + 1) // 3:
        begun = {other for other in others if other.startswith(word)}
        nearest = min(begun) if len(begun) == 1 else None
    assert suggest(word, candidates) == nearest


def edits(first: str, second: str) -> int:
    """The textbook table, in full: the restricted Damerau-Levenshtein distance."""
    rows = [[column + row for column in range(len(second) + 1)] for row in range(len(first) + 1)]
    for row, (before, letter) in enumerate(pairwise("\0" + first), start=1):
        for column, (other_before, other) in enumerate(pairwise("\1" + second), start=1):
            rows[row][column] = min(
                rows[row - 1][column] + 1,
                rows[row][column - 1] + 1,
                rows[row - 1][column - 1] + (letter != other),
            )
            if letter == other_before and before == other:
                rows[row][column] = min(rows[row][column], rows[row - 2][column - 2] + 1)
    return rows[-1][-1]
