"""Games that are kept while they are played: nothing of them is lost, whatever ends the program."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from ddob_rules.cli.keeping import data_folder, games_folder
from interpreter.records.diaries import Diary, all_diaries, go_on, in_use, read_diary
from interpreter.records.saves import read_save
from tests.ddob_rules.cli.playing import ddob, pexpect, pipe, terminal


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def kept() -> Diary:
    (diary,) = all_diaries(games_folder())
    return diary


def keys(diary: Diary) -> list[str]:
    return [taken.key for taken in diary.made]


def play(*lines: str, words: tuple[str, ...] = ("tic-tac-toe", "--seed", "1")) -> str:
    return ddob("play", *words, typed="".join(f"{line}\n" for line in lines)).output


def at_the_table(folder: Path, *words: str) -> Any:
    child = terminal("play", *words, folder=folder)
    child.expect("play .2.")
    child.expect("> ")
    return child


# ---------------------------------------------------------------- whatever ends the program


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_every_choice_is_on_disk_before_the_next_question(tmp_path: Path, end: signal.Signals) -> None:
    child = at_the_table(tmp_path, "tic-tac-toe", "--seed", "1")
    for answer in ("a1", "b1", "c3"):
        child.sendline(answer)
        child.expect("play .2.")
    child.sendline("undo")
    child.expect("Turn 2, Cross: play")
    os.kill(child.pid, end)
    child.expect(pexpect.EOF)
    child.close()
    assert child.signalstatus == end
    assert keys(kept()) == ["mark(a1)", "mark(b1)"]
    again = at_the_table(tmp_path, "--continue")
    again.sendline("redo")
    again.expect("Turn 2, Nought: play")
    again.sendline("quit")
    again.expect(pexpect.EOF)
    assert keys(kept()) == ["mark(a1)", "mark(b1)", "mark(c3)"]


def test_a_closed_terminal_loses_nothing(tmp_path: Path) -> None:
    child = at_the_table(tmp_path, "tic-tac-toe", "--seed", "1")
    child.sendline("b2")
    child.expect("Nought: play")
    child.close(force=True)
    assert keys(kept()) == ["mark(b2)"]


def test_choices_of_machines_are_kept_too() -> None:
    play("1", words=("breakthrough", "--seed", "1", "--player", "black=random"))
    diary = kept()
    assert (len(diary.made), diary.player, diary.head.players) == (2, "white", {"black": "random"})


@pytest.mark.parametrize("tear", [1, 5, 40])
def test_a_torn_last_line_does_not_lose_the_rest(tear: int) -> None:
    play("a1", "b1", "c3")
    path = kept().path
    path.write_bytes(path.read_bytes()[:-tear])
    assert keys(kept()) == ["mark(a1)", "mark(b1)"]
    assert "c2: mark Cross" in play("c2", words=("--continue",))
    assert keys(kept()) == ["mark(a1)", "mark(b1)", "mark(c2)"]
    assert not path.with_suffix(".damaged").exists()


def test_a_damaged_middle_is_kept_beside_the_good_part() -> None:
    play("a1", "b1", "c3")
    path = kept().path
    lines = path.read_bytes().split(b"\n")
    lines[2] = b"\0" * len(lines[2])
    path.write_bytes(b"\n".join(lines))
    play(words=("--continue",))
    assert keys(kept()) == ["mark(a1)"]
    assert path.with_suffix(".damaged").read_bytes() == b"\n".join(lines)


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\0\0\0", b'{"ddob":"game","version":1,"seed":"x"}\n'])
def test_a_file_that_is_no_game_is_left_out(content: bytes) -> None:
    games_folder().mkdir(parents=True)
    (games_folder() / "odd.game").write_bytes(content)
    assert all_diaries(games_folder()) == []
    assert "no kept game" in play(words=("--continue",))


# ---------------------------------------------------------------- going on


def test_a_game_goes_on_where_it_was_left_with_a_recap_of_its_last_turn() -> None:
    play("a1", "b1", "a2", "b2", "c3")
    output = play("c1", words=("--continue",))
    assert "tic-tac-toe-1: 5 choices; what happened last:" in output
    assert "c3: mark Cross" in output
    assert "a1: mark" not in output and "b2: mark nothing" not in output
    assert "Turn 3, Nought: play" in output
    assert keys(kept())[-1] == "mark(c1)"


def test_a_saved_game_is_told_from_its_last_turn_too() -> None:
    play("a1", "b1", "a2", "b2", "c3", "save game.json")
    output = play(words=("--load", "game.json"))
    assert "c3: mark Cross" in output and "a1: mark" not in output


def test_undo_and_redo_are_kept() -> None:
    play("a1", "b1", "c3", "undo 2", "redo")
    assert keys(kept()) == ["mark(a1)", "mark(b1)"]
    output = play("redo", "undo 3", words=("--continue",))
    assert "Turn 2, Nought: play" in output
    diary = kept()
    assert (keys(diary), len(diary.undone), diary.turn) == ([], 3, 1)
    assert "Turn 2, Cross: play" in play("redo 2", words=("--continue",))


def test_a_game_over_is_not_gone_on_with() -> None:
    play("a1", "a2", "b1", "b2", "c1")
    assert kept().over
    assert "no kept game" in play(words=("--continue",))
    assert "no game is kept" in ddob("saves").stdout
    assert "over" in ddob("saves", "--all").stdout


def test_a_game_is_gone_on_with_by_name_and_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ddob("new", "mine")
    assert ddob("play", "mine", "--seed", "1", typed="1\n").exit_code == 0
    play("a1")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    result = ddob("play", "mine", "--continue", typed="1\n")
    assert result.exit_code == 0 and "mine-1: 1 choice" in result.stdout
    assert "tic-tac-toe-1: 1 choice" in ddob("play", "tic-tac-toe-1", "--continue", typed="").stdout


def test_rules_that_have_changed_are_told(tmp_path: Path) -> None:
    ddob("new", "mine")
    ddob("play", "mine", "--seed", "1", typed="1\n1\n")
    path = next(Path("mine").glob("*.rules"))
    text = path.read_text()
    path.write_text(text + '\nrule 99 "More":\n  variable more: number = 0\n')
    assert "the rules have changed" in ddob("play", "--continue", typed="").stderr
    diary = kept()
    diary.path.write_bytes(diary.path.read_bytes().replace(diary.made[1].key.encode(), b"nothing()"))
    result = ddob("play", "--continue", typed="")
    assert result.exit_code == 1
    assert "choice 2 is no option now: `nothing()`" in result.stderr
    assert len(kept().made) == 2


def test_a_kept_game_is_offered_at_a_terminal_only(tmp_path: Path) -> None:
    play("a1", "b1")
    assert "Turn 1, Cross: play" in pipe("play", "tic-tac-toe", typed="", folder=tmp_path).stdout
    for answer, turn in (("", "Turn 2, Cross"), ("n", "Turn 1, Cross")):
        child = terminal("play", "tic-tac-toe", folder=tmp_path)
        child.expect(r"A game of tic-tac-toe is kept \(2 turns, 2 choices, .*Go on with it\? \[Y/n\] ")
        child.sendline(answer)
        child.expect(turn)
        child.sendline("quit")
        child.expect(pexpect.EOF)
    child = terminal("play", "tic-tac-toe", "--new", folder=tmp_path)
    child.expect("Turn 1, Cross")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    assert "Go on with it" not in child.before


# ---------------------------------------------------------------- two at once


def test_two_processes_cannot_go_on_with_one_game(tmp_path: Path) -> None:
    play("a1")
    first = at_the_table(tmp_path, "--continue")
    assert in_use(kept().path)
    result = ddob("play", "--continue", typed="b1\n")
    assert result.exit_code == 1
    assert "tic-tac-toe-1 is being played in another window or process" in result.stderr
    assert "being played" in ddob("saves").stdout
    assert ddob("saves", "--remove", "tic-tac-toe-1").exit_code == 1
    os.kill(first.pid, signal.SIGKILL)
    first.expect(pexpect.EOF)
    first.close()
    assert "1 choice" in ddob("play", "--continue", typed="").stdout


def test_two_processes_on_one_save_keep_both_games(tmp_path: Path) -> None:
    play("a1", "save game.json")
    ddob("saves", "--remove", "tic-tac-toe-1")
    first = at_the_table(tmp_path, "--load", "game.json", "--save", "game.json")
    second = at_the_table(tmp_path, "--load", "game.json", "--save", "game.json")
    for child, answer in ((first, "b1"), (second, "c1")):
        child.sendline(answer)
        child.expect("Cross: play")
        child.sendline("quit")
        child.expect(pexpect.EOF)
    assert "game.json was changed by somebody else meanwhile" in second.before
    assert "saved as game-2.json" in second.before
    assert read_save("game.json").choices[-1].key == "mark(b1)"
    assert read_save("game-2.json").choices[-1].key == "mark(c1)"


# ---------------------------------------------------------------- the list


def test_kept_games_are_listed_and_taken_away() -> None:
    play("a1")
    play("1", words=("pig", "--seed", "2"))
    listed = ddob("saves").stdout
    assert re.search(r"tic-tac-toe-1 +tic-tac-toe +\d{4}-\d\d-\d\d \d\d:\d\d +1 +1 +nought", listed)
    found = {entry["game"]: entry for entry in json.loads(ddob("saves", "--json").stdout)}
    assert set(found) == {"pig-1", "tic-tac-toe-1"}
    entry = found["tic-tac-toe-1"]
    assert (entry["scenario"], entry["turn"], entry["choices"], entry["player"]) == (
        "tic-tac-toe",
        1,
        1,
        "nought",
    )
    assert ddob("saves", "--remove", "pig-1").exit_code == 0
    assert [diary.id for diary in all_diaries(games_folder())] == ["tic-tac-toe-1"]
    result = ddob("saves", "--remove", "tic-tac-two-1")
    assert result.exit_code == 1 and "did you mean `tic-tac-toe-1`" in result.stderr


def test_a_game_that_is_saved_when_it_is_left_is_not_kept_twice() -> None:
    play("a1", words=("tic-tac-toe", "--seed", "1", "--save", "game.json"))
    assert all_diaries(games_folder()) == []
    assert len(read_save("game.json").choices) == 1


def test_kept_games_are_the_users_alone() -> None:
    play("a1")
    assert kept().path.stat().st_mode & 0o777 == 0o600
    assert games_folder().stat().st_mode & 0o777 == 0o700


def test_the_folder_is_the_systems_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_folder() == Path(os.environ["DDOB_DATA"])
    monkeypatch.delenv("DDOB_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert data_folder().name == "ddob"


# ---------------------------------------------------------------- places that cannot be written


def test_a_folder_that_cannot_be_written_is_told_once_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("file").write_text("")
    monkeypatch.setenv("DDOB_DATA", "file")
    result = ddob("play", "tic-tac-toe", "--seed", "1", typed="a1\nb1\nc1\n")
    assert result.stderr.count("cannot be kept in") == 1
    assert "c1: mark Cross" in result.stdout


def test_a_full_disk_is_told_and_what_was_kept_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.records.diaries import Writer

    real = Writer.took
    monkeypatch.setattr(Writer, "took", lambda *a, **k: full() if len(kept().made) > 1 else real(*a, **k))

    def full() -> None:
        raise OSError(28, "No space left on device")

    result = ddob("play", "tic-tac-toe", "--seed", "1", typed="a1\nb1\nc1\na2\n")
    assert "no space left on device; it goes on" in result.stderr
    assert "a2: mark Nought" in result.stdout
    assert keys(kept()) == ["mark(a1)", "mark(b1)"]


def test_a_writer_goes_on_behind_the_last_good_line() -> None:
    play("a1")
    path = kept().path
    path.write_bytes(path.read_bytes() + b'{"take":"mark(b')
    diary, writer = go_on(path)
    writer.close()
    assert path.stat().st_size == diary.good
    assert keys(read_diary(path)) == keys(diary)
