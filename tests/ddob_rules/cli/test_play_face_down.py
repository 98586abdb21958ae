"""At the table a counter that lies face down has no name, whatever is asked about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ddob_rules.cli.playing import ddob
from tests.interpreter.face_down_game import COUNTERS, RULES, SCENARIO

# What is asked about things that lie face down, before anything is turned.
_QUESTIONS = """\
look Counter in b1
look b1
look reserve
why Counter in b1
show Counter in b1
pieces
pieces all
log 40
try 3
board
why not probe Counter in b1
why not poke counter at a1 (2)
why not probe adder"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blinds.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "blinds.yaml").write_text(f"scenario: blinds\nruleset: blinds\n{SCENARIO}", encoding="utf-8")


def play(*typed: str) -> str:
    result = ddob("play", "blinds.yaml", "--seed", "3", typed="".join(f"{line}\n" for line in typed))
    assert result.exit_code == 0
    return result.stdout


def test_no_answer_names_what_lies_face_down() -> None:
    output = play(*_QUESTIONS.splitlines())
    names = [name for name in COUNTERS if name in output.replace("probe adder", "").replace("`adder`", "")]
    assert names == []
    assert "Counter in b1: kind counter, at b1, pool " in output
    assert "Counter is placed on b1" in output
    assert "3) Look at Counter in b1" in output
    assert output.count("this is allowed") == 2


@pytest.mark.parametrize("question", ["look {}", "why {}", "why not probe {}", "probe({})"])
def test_names_of_hidden_counters_are_answered_like_names_that_do_not_exist(question: str) -> None:
    """Whether it lies on the board or in the bag: otherwise the answer would tell which."""
    answers = set()
    for name in (*COUNTERS, "nobody"):
        output = play(question.format(name)).split(f"> {question.format(name)}\n")[1]
        answers.add(output.partition("; ")[0].strip().replace(name, "X"))
    assert len(answers) == 1


def test_an_option_is_taken_by_what_the_counter_is_called() -> None:
    output = play("Look at Counter in b1")
    # Blue reads it now: the plain action, for what an option says may be for Red alone.
    assert "Red: Probe Counter in b1 [3]" in output
    assert "Counter in b1 is " in output


def test_a_game_that_is_run_is_told_as_players_see_it_and_a_trace_tells_everything() -> None:
    story = ddob("run", "blinds.yaml", "--seed", "3").stdout
    trace = ddob("run", "blinds.yaml", "--seed", "3", "--trace").stdout
    assert story.count("Counter -> ") == 1  # nobody can tell them apart, so they are named once
    assert "b1" in story.partition("Counter -> ")[2].partition("[")[0]
    set_up = story.partition("Turn 1")[0]
    assert not [name for name in COUNTERS if name in set_up]
    assert any(f"place: {name} is placed on b1" in trace for name in COUNTERS)
