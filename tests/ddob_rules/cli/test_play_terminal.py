"""`ddob play` and `ddob run` at a real terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ddob_rules.cli.keeping import games_folder
from ddob_rules.cli.output import fitted
from interpreter.records.diaries import read_diary
from interpreter.records.saves import read_save
from tests.ddob_rules.cli.playing import pexpect, pyte, terminal

KEPT = "tic-tac-toe-1"
#: At the beginning of a line; some terminals are told before it that what is pasted shall be marked.
PROMPT = r"\n(?:\x1b\[\?2004h)?> "


def kept_keys(name: str) -> list[str]:
    return [taken.key for taken in read_diary(games_folder() / f"{name}.game").made]


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
    child.expect("c3: mark Cross")
    child.sendline("save mine.json")
    child.expect("saved as mine.json")
    child.sendline("1")
    child.expect("Turn 2, Cross: play")
    child.expect("> ")
    child.sendintr()
    child.expect(f"the game is kept as {KEPT}")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert kept_keys(KEPT) == ["mark(c3)", "mark(a1)"]
    assert [taken.key for taken in read_save(tmp_path / "mine.json").choices] == ["mark(c3)"]


def test_the_end_of_input_at_a_terminal_keeps_the_game(tmp_path: Path) -> None:
    child = terminal("play", "tic-tac-toe", "--seed", "1", folder=tmp_path)
    child.expect("> ")
    child.sendline("1")
    child.expect("Nought: play")
    child.expect("> ")
    child.sendeof()
    child.expect(f"kept as {KEPT}")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert len(kept_keys(KEPT)) == 1


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


def _on_screen_and_above(screen: Any) -> str:
    """What somebody sees who looks at the terminal and scrolls back."""
    above = ["".join(line[column].data for column in range(screen.columns)) for line in screen.history.top]
    return "\n".join([*above, *screen.display])


def test_what_one_player_saw_is_not_above_the_screen_of_the_next(tmp_path: Path) -> None:
    # So few rows that a part of what Ann is shown scrolls off the screen.
    child = terminal("play", "kuhn-poker", "--seed", "3", folder=tmp_path, rows=6)
    screen = pyte.HistoryScreen(100, 6, history=1000, ratio=0.5)
    stream = pyte.Stream(screen)
    child.expect(PROMPT)
    stream.feed(child.before + child.after)
    assert "hand (Ann)" in _on_screen_and_above(screen) and len(screen.history.top) > 0
    child.sendline("1")
    child.expect("then press Enter")
    stream.feed(child.before + child.after)
    seen = _on_screen_and_above(screen)
    assert "Hand over to Ben" in seen and "hand (Ann)" not in seen
    child.sendline("")
    child.expect(PROMPT)
    stream.feed(child.before + child.after)
    seen = _on_screen_and_above(screen)
    assert "hand (Ben): 1: queen" in seen and "Hand over" not in seen
    child.close(force=True)


def test_what_one_player_typed_does_not_come_back_with_an_arrow_key(tmp_path: Path) -> None:
    child = terminal("play", "kuhn-poker", "--seed", "3", folder=tmp_path)
    child.expect(PROMPT)
    child.sendline("rule of-mine")
    child.expect(PROMPT)
    child.send("\x1b[A")
    child.expect("rule of-mine")  # the arrow key works, so the rest of this test says something
    child.send("\x15")
    child.sendline("1")
    child.expect("then press Enter")
    child.sendline("")
    child.expect(PROMPT)
    child.send("\x1b[A\x1b[A\x1b[A")
    child.sendline("")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    assert "of-mine" not in child.before
    child.close()


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
    child.expect("kept as breakthrough-1")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert len(kept_keys("breakthrough-1")) >= 2


SLOW = """\
ruleset slow "Slow"
players red "Red", blue "Blue"

rule 1 "Board":
  space cell on square board:
    stone: player = nothing
  space box:
    worth: number = 1
  define apart(b: box): number =
      sum(count(d in cell where c.stone != d.stone and b.worth != distance(c, d)) for c in cell)
  score(p) = sum(apart(b) for b in box)

rule 2 "Play":
  sequence turn:
    phase play for each p in player: p takes 1 action
  action place "Place" (c: cell) by p in play:
    when c.stone = nothing  else "taken"
    do: set c.stone to p
"""


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A game that the computer thinks about for a long time."""
    (tmp_path / "slow" / "scenarios").mkdir(parents=True)
    (tmp_path / "slow" / "slow.rules").write_text(SLOW)
    rows = ", ".join([f'"{" ".join("." * 20)}"'] * 20)
    boxes = ", ".join(f"box{number}" for number in range(80))
    (tmp_path / "slow" / "scenarios" / "slow.yaml").write_text(
        f"""\
scenario: slow
title: Slow
ruleset: slow
boards:
  cell:
    layout: {{shape: square}}
    numbering: "{{column:02}}{{row:02}}"
    legend: {{".": {{}}}}
    rows: [{rows}]
  box:
    spaces: [{boxes}]
"""
    )
    return tmp_path


@pytest.mark.parametrize("wait", [0.2, 0.7, 1.5])
def test_an_interrupt_breaks_a_hint_off_and_the_game_goes_on(slow: Path, wait: float) -> None:
    child = terminal("play", "slow", "--seed", "1", folder=slow)
    child.expect(PROMPT)
    child.sendline("0101")
    child.expect("Turn 1, Blue: play")
    child.expect(PROMPT)
    child.sendline("hint")
    assert child.expect(["score", pexpect.TIMEOUT], timeout=wait) == 1  # it thinks
    child.sendintr()
    child.expect("interrupted")
    child.expect(PROMPT)
    child.sendline("0202")
    child.expect("0202: stone Blue")
    child.expect(PROMPT)
    child.sendintr()
    child.expect("kept as slow-1")
    child.expect(pexpect.EOF)
    assert "Traceback" not in child.before
    child.close()
    assert child.exitstatus == 130
    assert kept_keys("slow-1") == ["place(0101)", "place(0202)"]


def test_an_interrupt_while_the_computer_thinks_keeps_the_game(slow: Path) -> None:
    child = terminal("play", "slow", "--seed", "1", "--player", "blue=search", folder=slow)
    child.expect(PROMPT)
    child.sendline("0101")
    assert child.expect(["Turn 2", pexpect.TIMEOUT], timeout=0.3) == 1  # it thinks
    child.sendintr()
    child.expect("kept as slow-1")
    child.expect(pexpect.EOF)
    assert "Traceback" not in child.before
    child.close()
    assert child.exitstatus == 130
    # Where it is quick, it may have answered just when it was interrupted.
    assert kept_keys("slow-1")[:1] == ["place(0101)"] and len(kept_keys("slow-1")) <= 2


def test_a_terminal_breaks_no_word() -> None:
    assert fitted("  card track: blue, brown / purple", 20) == ["  card track: blue,", "    brown / purple"]
    assert fitted("short", 20) == ["short"]
    assert fitted("  why THING  what has happened to it", 30) == [
        "  why THING  what has happened",
        "             to it",
    ]
    painted = "\x1b[1mone\x1b[0m two three"
    assert fitted(painted, 8) == ["\x1b[1mone\x1b[0m two", "  three"]
    assert fitted("unbreakable-and-long", 8) == ["unbreakable-and-long"]
