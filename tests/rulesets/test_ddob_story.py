"""The story and the map of the base game: an after-action report, and a beach that can be read."""

from __future__ import annotations

import re

import pytest

from tests.ddob_rules.cli.playing import ddob


@pytest.fixture(scope="module")
def story() -> list[str]:
    result = ddob("run", "first-waves", "--seed", "1")
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_every_line_below_a_heading_has_its_rule(story: list[str]) -> None:
    ends = [
        line for line in "\n".join(story).replace("\n      ", " ").splitlines() if line.startswith("    ")
    ]
    told = [line for line in ends if re.search(r"loses a step|is eliminated|hits|drifts", line)]
    assert len(told) > 50
    assert [line for line in told if not line.endswith("]")] == []


def test_the_story_is_free_of_bookkeeping(story: list[str]) -> None:
    hidden = (
        "acted",
        "hits left",
        "hit now",
        "checked",
        "actions left",
        "fire deck",
        "attackers",
        "shuffled",
    )
    assert [line for line in story if any(word in line for word in hidden)] == []


def test_the_set_up_is_short(story: list[str]) -> None:
    assert story.index("Turn 1") < 15


def test_headings_name_sector_and_division(story: list[str]) -> None:
    assert "  Fire in a sector: east" in story and "  Fire in a sector: west" in story
    assert [line for line in story if line.startswith("  Actions of a division: ")]


def test_the_beach_is_shown_around_the_question_with_the_field_of_fire_on_request() -> None:
    output = ddob("play", "first-waves", "--seed", "1", "--ask-always", typed="show WN62\n").stdout
    board, _, shown = output.partition("> show WN62")
    assert "low tide" in board
    assert "WN65r?" in board and "0517." in board and "0233" not in board
    assert "0612. +" in shown and "WN62: * hexes, + intense, - steady, @ sporadic" in shown
    assert max(map(len, output.splitlines())) <= 250
