"""The story and the map of the base game: an after-action report, and a beach that can be read."""

from __future__ import annotations

import itertools
import re

import pytest

from ddob_rules import load
from interpreter.trials.simulation import play_out
from tests.ddob_rules.cli.playing import ddob


@pytest.fixture(scope="module")
def story() -> list[str]:
    result = ddob("run", "first-waves", "--seed", "1")
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


@pytest.fixture(scope="module")
def told(story: list[str]) -> list[str]:
    """Several stories, a change or sentence a line, however long it is."""
    lines: list[str] = []
    for line in [line for seed in ("2", "3", "4") for line in _story_of(seed)] + story:
        if lines and line.startswith("    ") and lines[-1].startswith("    ") and not lines[-1].endswith("]"):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def _story_of(seed: str) -> list[str]:
    result = ddob("run", "first-waves", "--seed", seed)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def _silent(told: list[str], question: str) -> list[str]:
    """The lines that ask something of a card and are followed by no outcome."""
    asked = [number for number, line in enumerate(told) if re.search(question, line)]
    assert len(asked) > 3
    return [
        told[number] for number in asked if not re.match(r" {4,}(?!Card|United States:)", told[number + 1])
    ]


def test_every_position_that_is_called_is_told_to_hit_or_not(told: list[str]) -> None:
    fires = [number for number, line in enumerate(told) if re.search(r"Card \d+ calls (?!nobody)", line)]
    assert len(fires) > 50
    for number in fires:
        outcome = list(itertools.takewhile(lambda line: line.startswith("    "), told[number + 1 :]))
        if any("catastrophic losses" in line for line in outcome):
            continue  # the game ended before all had fired
        for position in re.findall(r"[A-Z]+\d+", told[number].partition("calls")[2]):
            assert any(re.search(rf"{position} hits|No hits by .*\b{position}\b", line) for line in outcome)


@pytest.mark.parametrize(
    "question",
    [
        r"Card \d+: landing check",
        r"Card \d+, event:",
        r"Card \d+: .* infiltrates",
        r"^ {6}Card \d+ \[8\.4\]",
    ],
)
def test_no_card_is_without_an_outcome(told: list[str], question: str) -> None:
    assert _silent(told, question) == []


def test_engineers_are_told_to_clear_something_or_nothing(story: list[str]) -> None:
    turns = "\n".join(story).split("\nTurn ")[2:15]  # not on the first turn, nor at high tide
    with_actions = [turn for turn in turns if "Actions of a division" in turn]
    assert len(with_actions) > 5
    assert [turn for turn in with_actions if "\n  US engineers\n" not in turn] == []


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
    assert "Tide: low" in board
    assert "WN65r?" in board and "0517." in board and "0233" not in board
    assert "0612. +" in shown and "WN62: * hexes, + intense, - steady, @ sporadic" in shown
    assert max(map(len, output.splitlines())) <= 250


def test_losses_and_delays_cite_their_causes_not_how_they_are_carried_out() -> None:
    game = load("first-waves")
    cited: dict[str, set[str]] = {"is eliminated": set(), "is delayed": set(), "piece disrupted": set()}
    for seed in range(3):
        for entry in play_out(game, ["random"] * 3, seed).journal:
            for what, rules in cited.items():
                if what in entry.text or what == entry.what:
                    rules.add(entry.rule)
    assert {"5.1", "5.21", "6.34"} <= cited["is eliminated"] and "6.32" not in cited["is eliminated"]
    assert {"5.1", "5.34"} <= cited["is delayed"]
    assert {"6.4", "8.4"} <= cited["piece disrupted"] and "6.33" not in cited["piece disrupted"]
