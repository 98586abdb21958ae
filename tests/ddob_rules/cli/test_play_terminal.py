"""`ddob play` and `ddob run` at a real terminal."""

from __future__ import annotations

from pathlib import Path

from interpreter.saves import read_save
from tests.ddob_rules.cli.playing import pexpect, terminal

KEPT = "ddob-tic-tac-toe.save.json"


def test_a_game_is_played_with_numbers_and_kept_at_an_interrupt(tmp_path: Path) -> None:
    child = terminal("play", "tic-tac-toe", "--seed", "1", folder=tmp_path)
    child.expect("Turn 1, Cross: play")
    child.expect("> ")
    child.sendline("1")
    child.expect("Turn 1, Nought: play")
    child.sendline("undo")
    child.expect("Turn 1, Cross: play")
    child.sendline("9")
    child.expect("Turn 1, Nought: play")
    child.sendline("why c3")
    child.expect("c3: mark nothing -> Cross")
    child.sendline("save mine.json")
    child.expect("saved as mine.json")
    child.sendline("1")
    child.expect("Turn 2, Cross: play")
    child.expect("> ")
    child.sendintr()
    child.expect(f"the game is kept in {KEPT}")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert [taken.key for taken in read_save(tmp_path / KEPT).choices] == ["mark(c3)", "mark(a1)"]
    assert [taken.key for taken in read_save(tmp_path / "mine.json").choices] == ["mark(c3)"]


def test_the_end_of_input_at_a_terminal_keeps_the_game(tmp_path: Path) -> None:
    child = terminal("play", "tic-tac-toe", "--seed", "1", folder=tmp_path)
    child.expect("> ")
    child.sendline("1")
    child.expect("Nought: play")
    child.expect("> ")
    child.sendeof()
    child.expect(f"kept in {KEPT}")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(read_save(tmp_path / KEPT).choices) == 1


def test_the_screen_is_cleared_between_players_with_secrets(tmp_path: Path) -> None:
    child = terminal("play", "kuhn-poker", "--seed", "3", folder=tmp_path)
    child.expect("Turn 1, Ann: betting")
    child.sendline("1")
    child.expect("Hand over to Ben, then press Enter")
    assert "queen" not in (child.before or "")
    child.sendline("")
    child.expect("hand .Ben.: 1: queen")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_series_shows_its_progress(tmp_path: Path) -> None:
    child = terminal("simulate", "tic-tac-toe", "-n", "20", folder=tmp_path)
    child.expect("20 of 20 games")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_game_that_plays_by_itself_is_kept_at_an_interrupt(tmp_path: Path) -> None:
    slow = ("--player", "white=search:300", "--player", "black=search:300")
    child = terminal("run", "breakthrough", *slow, folder=tmp_path)
    child.expect("Black: ")
    child.sendintr()
    child.expect("kept in ddob-breakthrough.save.json")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert len(read_save(tmp_path / "ddob-breakthrough.save.json").choices) >= 2
