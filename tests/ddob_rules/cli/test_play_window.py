"""The part of a map that a question is shown with, at a real terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.ddob_rules.cli.playing import pyte, terminal

PROMPT = r"\n(?:\x1b\[\?2004h)?> "
#: A large map; who has stepped far steps no more. Who salutes is picked one by one.
MARCH = """\
ruleset march "March"
players red "Red"

rule 1 "Cells":
  space cell on square board:
    shown as "."
  piece man:
    owner: player
    moved: flag = no
    shown as "{it}"
  variable salutes: number = 0

rule 2 "Play":
  sequence turn:
    phase day "Day": red may take actions
  action step "Step" (m: man) by p in day:
    when not m.moved  else "it has moved" (2)
    do:
      let to = choose from c in cell where c != m.at and distance(c, m.at) <= 4 or none by p "Where to?"
      mark m as moved
      if to != nothing: put m on to
  action parade "Parade" by p in day:
    do:
      choose up to 4 m in man by p "Who salutes?":
        increase salutes by 1
"""
FIELD = """\
scenario: march
title: March
ruleset: march
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{column:02}{row:02}"
    size: [24, 24]
pieces:
  man:
    - {id: ann, at: "0303", owner: red}
    - {id: bob, at: "0304", owner: red}
    - {id: cid, at: "2222", owner: red}
    - {id: dan, at: "2223", owner: red}
"""


@pytest.fixture(scope="module")
def march(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("rules") / "march"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "march.rules").write_text(MARCH, "utf-8")
    (folder / "scenarios" / "march.yaml").write_text(FIELD, "utf-8")
    return str(folder / "scenarios" / "march.yaml")


class _Seat:
    """Somebody at a terminal of this size."""

    def __init__(self, scenario: str, folder: Path, rows: int, columns: int) -> None:
        words = ("play", scenario, "--seed", "1", "--new")
        self.child = terminal(*words, folder=folder, rows=rows, columns=columns)
        self.screen: Any = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)

    def __enter__(self) -> _Seat:
        self.told = self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

    def _wait(self) -> str:
        self.child.expect(PROMPT)
        text = self.child.before + self.child.after
        self.stream.feed(text)
        return str(text)

    def types(self, line: str) -> str:
        """What is told after a line."""
        self.child.sendline(line)
        return self._wait()

    @property
    def seen(self) -> str:
        return "\n".join(self.screen.display)


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120)])
def test_who_acted_last_is_in_the_window(march: str, rows: int, columns: int, tmp_path: Path) -> None:
    with _Seat(march, tmp_path, rows, columns) as seat:
        seat.types("step cid")
        seat.types("1922")
        assert "|1922." in seat.seen and "|cid " in seat.seen, seat.seen


def test_where_one_may_go_is_in_the_window_the_nearest_first(march: str, tmp_path: Path) -> None:
    with _Seat(march, tmp_path, 40, 120) as seat:
        seat.types("step cid")
        numbered = set(re.findall(r"\|(\d{4})\. \d+\)", seat.seen))
        assert "|2222." in seat.seen and {"2122", "2221", "2322", "2121", "2323"} <= numbered, seat.seen


def test_a_map_that_has_not_changed_is_not_drawn_again(march: str, tmp_path: Path) -> None:
    with _Seat(march, tmp_path, 40, 120) as seat:
        first = seat.types("parade")
        assert "Who salutes?" in first and "|0303." in seat.seen
        again = seat.types("ann")
        assert "Who salutes?" in again and "0303" not in again and "|0303." in seat.seen
        assert "|" in seat.types("done") or "|0303." in seat.seen
        # When it has gone up the screen it is drawn anew.
        seat.types("help")
        seat.types("help")
        assert "0303" in seat.types("parade")


#: Names that do not fit a narrow space on one line, two stacks of them, and one man far away.
CAMP = "\n".join(
    (
        FIELD.partition("    - {id: ann")[0].rstrip(),
        *(f'    - {{id: "company {n}", at: "{"0303" if n < 4 else "0307"}", owner: red}}' for n in range(8)),
        '    - {id: ann, at: "2222", owner: red}\n',
    )
)


def test_spaces_are_wider_where_more_of_the_map_has_room_so(tmp_path: Path) -> None:
    (tmp_path / "march" / "scenarios").mkdir(parents=True)
    (tmp_path / "march" / "march.rules").write_text(MARCH.replace('"{it}"', '"{it} 10-10"'), "utf-8")
    path = tmp_path / "march" / "scenarios" / "march.yaml"
    path.write_text(CAMP, "utf-8")
    for rows, wide in ((60, False), (26, True)):
        with _Seat(str(path), tmp_path, rows, 120) as seat:
            seen = seat.told.replace("\r", "")
            assert ("|company 3 10-10|" in seen) == wide, seen
            assert "0303." in seen and "0307." in seen


def test_a_window_begins_where_most_can_be_done(tmp_path: Path) -> None:
    (tmp_path / "march" / "scenarios").mkdir(parents=True)
    (tmp_path / "march" / "march.rules").write_text(MARCH, "utf-8")
    path = tmp_path / "march" / "scenarios" / "march.yaml"
    path.write_text(FIELD.replace('cid, at: "2222"', 'cid, at: "2223"'), "utf-8")
    with _Seat(str(path), tmp_path, 24, 80) as seat:
        assert "|2223." in seat.told and "|0303." not in seat.told, "two are there, one at each other place"
