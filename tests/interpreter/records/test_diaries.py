"""Diaries: answers that were sealed before the rules asked for them are kept with the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddob_rules import load
from interpreter.machine.game import Game
from interpreter.records.diaries import Taken, Writer, begin, go_on, head_of, read_diary
from interpreter.records.saves import offered
from interpreter.records.session import Session

ROCK, PAPER = Taken(key="rock", option=0), Taken(key="paper", option=1)


@pytest.fixture(scope="module")
def squares() -> Game:
    return load("tic-tac-toe", journal=False)


def begun(folder: Path, game: Game) -> tuple[Session, Writer]:
    session = Session(game, 1)
    return session, begin(folder, head_of(game, 1, scenario="tic-tac-toe"), session)


def take(session: Session, writer: Writer, option: int) -> Taken:
    taken = Taken(key=offered(session.state)[option], option=option)
    session.apply(option)
    writer.took(taken, session.state, sure=False)
    return taken


def test_sealed_answers_are_kept_until_they_are_taken(tmp_path: Path, squares: Game) -> None:
    session, writer = begun(tmp_path, squares)
    corner = Taken(key=offered(session.state)[0], option=0)
    writer.sealed("nought", [ROCK], session.state)
    writer.sealed("cross", [corner, PAPER], session.state)
    take(session, writer, 0)
    writer.close()
    diary = read_diary(writer.path)
    assert diary.sealed == {"nought": (ROCK,), "cross": (PAPER,)} and diary.made == (corner,)
    again, writer = go_on(writer.path)
    writer.sealed("cross", [], session.state)  # opened again
    writer.close()
    assert again == diary and read_diary(writer.path).sealed == {"nought": (ROCK,)}
    _, writer = go_on(writer.path)
    take(session, writer, 0)  # by nought, another answer than the one sealed
    writer.close()
    assert read_diary(writer.path).sealed == {}


def test_who_goes_back_opens_what_is_sealed(tmp_path: Path, squares: Game) -> None:
    session, writer = begun(tmp_path, squares)
    take(session, writer, 4)
    writer.sealed("cross", [ROCK], session.state)
    session.undo(1)
    writer.went_back(1, session.state)
    writer.close()
    diary = read_diary(writer.path)
    assert diary.sealed == {} and len(diary.undone) == 1


@pytest.mark.parametrize(
    "answers", ['"rock"', '[["rock"]]', '[["rock", true]]', "[[0, 0]]", '[["rock", -1]]', "null"]
)
def test_sealed_answers_that_make_no_sense_end_the_diary(tmp_path: Path, squares: Game, answers: str) -> None:
    session, writer = begun(tmp_path, squares)
    taken = take(session, writer, 4)
    writer.close()
    line = f'{{"sealed":"cross","answers":{answers},"turn":1,"player":"nought","over":false}}\n'
    with writer.path.open("a", encoding="utf-8") as text:
        text.write(line)
    diary = read_diary(writer.path)
    assert diary.made == (taken,) and diary.sealed == {}
    assert diary.good == writer.path.stat().st_size - len(line)
