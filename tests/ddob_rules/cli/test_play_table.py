"""`ddob play`: options, questions, going back and forth, keeping games; here with lines from a pipe."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import Result

from interpreter.records.saves import read_save
from tests.ddob_rules.cli.playing import ddob, pipe, write_broken


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(*typed: str, words: tuple[str, ...] = ("tic-tac-toe", "--seed", "1")) -> Result:
    return ddob("play", *words, typed="".join(f"{line}\n" for line in typed))


@pytest.mark.parametrize("answer", ["5", "Mark b2", "mark b2", "mark(b2)", "b2"])
def test_an_option_is_taken_by_number_text_key_or_what_it_is_about(answer: str) -> None:
    output = play(answer).stdout
    assert "b2: mark Cross [2]" in output
    assert "Turn 1, Nought: play [2]" in output


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("10", "there is no option 10; there are 9"),
        ("-1", "there is no option -1"),
        ("flee", "`flee` is neither an option nor a command"),
        ("mark b9", "did you mean `Mark b1`?"),
        ("undo", "there is nothing to undo"),
        ("undo many", "`many` is not a number"),
        ("undo " + "9" * 5_000, "is not a number"),
        ("redo", "there is nothing to redo"),
        ("save", "`save` needs a file name"),
        ("save no/such/folder/x.json", "cannot be written"),
        ("load nothing.json", "cannot be read"),
        ("rule 99", "there is no rule 99"),
        ("why z9", "there is nothing called `z9`"),
        ("why not marc a1", "there is no action `marc`; did you mean `mark`?"),
        ("why not mark", "`Mark` needs: cell"),
        ("why not mark a2 b2", "this is allowed; `b2` is no part of it: what follows is asked then"),
        ("why not mark z9", "`z9` is not a"),
        ("why not 'mark", "there is no action"),
        ("\x1b[2J\x07", "is neither an option nor a command"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(line: str, told: str) -> None:
    result = play(line)
    assert told in result.stdout
    assert "\x1b" not in result.stdout
    assert "Turn 1, Nought" not in result.stdout
    assert result.exit_code == 0


def test_an_action_that_is_not_offered_is_refused_in_words_with_its_rule() -> None:
    output = play("a1", "why not mark a1", "why not mark(b1)", "why not Mark b1").stdout
    assert "the cell is already marked (2)" in output
    assert output.count("this is allowed") == 2


def test_everything_has_a_history_and_a_rule() -> None:
    output = play("a1", "why a1", "why b1", "why", "rule 3").stdout
    assert "a1: mark Cross [2]  " in output
    assert "tic-tac-toe.rules:" in output
    assert "nothing has happened to b1 yet" in output
    assert 'asked by rule 2 "Play"' in output
    assert "Three marks of one player in a row" in output


def test_undo_and_redo_go_back_and_forth() -> None:
    output = play("a1", "b1", "undo 2", "redo", "redo", "board", "log").stdout
    assert output.count("Turn 1, Cross: play [2]") == 2
    assert output.count("Turn 2, Cross: play [2]") == 2
    assert output.rstrip().endswith("b1: mark Nought [2]")


def test_undo_takes_the_answers_of_machines_back_too_and_they_answer_the_same_again() -> None:
    words = ("tic-tac-toe", "--seed", "1", "--player", "nought=random")
    first = play("a1", words=words).stdout
    again = play("a1", "undo", "a1", words=words).stdout
    answer = next(line for line in first.splitlines() if line.strip().startswith("Nought: Mark"))
    assert again.count(answer) == 2
    assert "Turn 1, Nought" not in again


def test_dice_fall_as_they_fell_before_an_undo() -> None:
    output = play("1", "undo", "1", words=("pig", "--seed", "2", "--ask-always")).stdout
    rolls = [line for line in output.splitlines() if line.strip().startswith("die:")]
    assert len(rolls) == 2
    assert len(set(rolls)) == 1


def test_enter_takes_the_only_option() -> None:
    assert "die:" in play("", words=("pig", "--seed", "2", "--ask-always")).stdout


def test_the_only_option_takes_itself() -> None:
    output = play(words=("pig", "--seed", "2")).stdout
    assert "die:" in output  # one must roll before one can hold
    assert output.count("Turn 1") == 2  # the heading of the story, and the first question that is one


def test_a_seat_is_told_nothing_of_the_cards_of_another() -> None:
    output = play("pieces", "log", "why queen", "board", words=("kuhn-poker", "--seed", "3")).stdout
    assert "hand (Ann): 1: jack" in output
    assert "queen" not in output.replace("why queen", "").replace("`queen`", "")
    assert "king" not in output.replace("asking", "")


def test_a_finished_game_says_who_won_and_can_still_be_taken_back() -> None:
    output = play("a1", "b1", "a2", "b2", "a3", "c3", "undo", "b3").stdout
    assert "The game is over: Cross wins: three in a row" in output
    assert "`undo` takes the last choice back" in output
    assert "Turn 3, Nought: play [2]" in output


def test_a_saved_game_goes_on_where_it_was() -> None:
    play("a1", "b1", "save game.json", "a2")
    output = ddob("play", "--load", "game.json", typed="b2\n").stdout
    assert "Turn 2, Cross: play [2]" in output
    assert "b2: mark Cross [2]" in output
    assert "Turn 2, Cross: play [2]" in play("load game.json").stdout


def test_a_game_of_another_scenario_is_refused() -> None:
    play("1", "save game.json", words=("pig", "--seed", "2"))
    assert "is a game of pig (pig), not of tic-tac-toe" in play("load game.json").stdout
    result = ddob("play", "tic-tac-toe", "--load", "game.json", typed="")
    assert result.exit_code == 1
    assert "game.json is a game of pig, not of tic-tac-toe" in result.stderr


@pytest.mark.parametrize(("content", "code"), [("", "E0712"), ("{", "E0711"), ("[]", "E0713")])
def test_a_file_that_is_no_game_is_told(content: str, code: str) -> None:
    Path("game.json").write_text(content)
    result = ddob("play", "--load", "game.json", typed="")
    assert result.exit_code == 1
    assert code in result.stderr


def test_the_end_of_a_pipe_saves_nothing_unless_asked() -> None:
    assert play("a1").exit_code == 0
    assert os.listdir() == []
    play("a1", words=("tic-tac-toe", "--seed", "1", "--save", "game.json"))
    assert [taken.key for taken in read_save("game.json").choices] == ["mark(a1)"]


def test_a_place_that_cannot_be_written_does_not_lose_the_game() -> None:
    Path("file").write_text("")
    result = play("a1", words=("tic-tac-toe", "--seed", "1", "--save", "file/game.json"))
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert "kept as tic-tac-toe-1" in result.stdout
    assert "b1: mark Nought" in ddob("play", "--continue", typed="b1\n").stdout


def test_no_other_game_is_written_over_when_one_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    monkeypatch.setenv("DDOB_DATA", "file/games")
    for _ in range(2):
        play("a1", words=("tic-tac-toe", "--seed", "1", "--save", "file/game.json"))
    assert sorted(os.listdir()) == ["ddob-tic-tac-toe-2.save.json", "ddob-tic-tac-toe.save.json", "file"]


def test_machines_alone_play_to_the_end() -> None:
    words = ("tic-tac-toe", "--seed", "1", "--player", "cross=random", "--player", "nought=greedy")
    assert "The game is over" in play(words=words).stdout


def test_rules_that_fail_leave_the_game_where_it_was(tmp_path: Path) -> None:
    write_broken(tmp_path)
    output = play("b1", "a1", words=("broken",)).stdout
    assert "error[E0701]" in output
    assert "Turn 1, Blue: play [2]" in output


def test_french_players_are_spoken_to_in_french() -> None:
    output = play(
        "a1", "pourquoi a1", "pourquoi pas mark a1", "aide", words=("tic-tac-toe", "--lang", "fr")
    ).stdout
    assert "Tour 1, Nought : play [2]" in output
    assert "a1 : mark Cross [2]" in output
    assert "Tapez ce que vous voulez faire" in output


def test_a_hex_board_is_drawn_in_shifted_rows() -> None:
    lines = play(words=("hex", "--seed", "1")).stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("a1 "))
    assert lines[start + 1].startswith("  a2 ")
    assert lines[start + 2].startswith("    b3 ")


def test_it_works_as_a_program_in_a_pipe(tmp_path: Path) -> None:
    done = pipe("play", "tic-tac-toe", "--seed", "1", typed="1\nquit\n", folder=tmp_path)
    assert done.returncode == 0
    assert "> 1" in done.stdout
    assert "Turn 1, Nought: play [2]" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
