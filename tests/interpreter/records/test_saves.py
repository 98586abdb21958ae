"""Saves: what is recorded, how it is written and read, and what is said about files that are no saves."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules import load
from ddob_rules.reports.diagnostics import catalogue, placeholders, report
from ddob_rules.syntax.source import whole_file
from interpreter import BadChoice, Game
from interpreter.machine.state import State
from interpreter.records.replays import replay
from interpreter.records.saves import (
    MESSAGES,
    BadSave,
    Save,
    read_save,
    record,
    save_data,
    save_from_data,
    write_save,
)

SEEDS = st.integers(min_value=0, max_value=2**32)


@cache
def game(name: str = "tic-tac-toe") -> Game:
    return load(name)


def played(name: str, seed: int, choices: random.Random, most: int = 200) -> State:
    state = game(name).start(seed)
    while not state.over and state.count < most:
        state.apply(choices.randrange(len(state.options)))
    return state


@cache
def small_save() -> Save:
    return record(game(), 7, ["mark(a1)", "mark(b2)"], rules={"1": "abc"}, players={"cross": "random"})


@cache
def small_text() -> bytes:
    return json.dumps(save_data(small_save()), indent=1).encode()


def read_bytes(folder: Path, content: bytes) -> Save:
    path = folder / "game.json"
    path.write_bytes(content)
    return read_save(path)


def code_of(folder: Path, content: bytes) -> str:
    with pytest.raises(BadSave) as caught:
        read_bytes(folder, content)
    return caught.value.code


def signed(data: dict[str, Any]) -> bytes:
    """The data with a checksum that fits them, as somebody could make it who knows how."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, separators=(",", ":"), sort_keys=True)
    return json.dumps({**rest, "checksum": hashlib.sha256(text.encode()).hexdigest()}).encode()


def test_record_says_what_was_chosen_and_how_it_ended() -> None:
    state = played("tic-tac-toe", 7, random.Random(3))
    save = record(game(), 7, state.choices)
    assert [taken.options for taken in save.choices] == list(range(9, 9 - len(save.choices), -1))
    assert save.choices[0].key.startswith("mark(")
    assert (save.finished, save.winners, save.hash) == (True, state.winners, state.hash())
    assert (save.scenario, save.ruleset, save.stack) == ("tic-tac-toe", "tic-tac-toe", ("tic-tac-toe",))


def test_record_takes_keys_as_well_as_numbers() -> None:
    assert record(game(), 0, ["mark(a1)", "mark(b1)"]) == record(game(), 0, [0, 0])


@pytest.mark.parametrize("choice", ["mark(z9)", 9, -1])
def test_record_refuses_what_is_not_on_offer(choice: int | str) -> None:
    with pytest.raises(BadChoice):
        record(game(), 0, [choice])


def test_record_refuses_choices_after_the_end() -> None:
    state = played("tic-tac-toe", 1, random.Random(1))
    with pytest.raises(BadChoice):
        record(game(), 1, [*state.choices, 0])


def test_game_without_a_journal_cannot_be_saved() -> None:
    with pytest.raises(ValueError, match="journal"):
        record(load("tic-tac-toe", journal=False), 0, [])


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "kuhn-poker", "reversi"])
@settings(deadline=None, max_examples=25)  # the first example loads the game
@given(seed=SEEDS, choices=st.randoms(use_true_random=False), most=st.integers(0, 30))
def test_any_game_replays_to_the_same_hash(name: str, seed: int, choices: random.Random, most: int) -> None:
    state = played(name, seed, choices, most)
    save = save_from_data(
        json.loads(json.dumps(save_data(record(game(name), seed, state.choices)))), "a.json"
    )
    found = replay(game(name), save)
    assert found.proven
    assert found.state is not None
    assert found.state.hash() == save.hash == state.hash()


def test_save_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_save(path, small_save())
    assert read_save(path) == small_save()
    assert read_save(str(path)).players == {"cross": "random"}
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_names_that_are_no_valid_text_survive(tmp_path: Path) -> None:
    save = replace(small_save(), scenario="caf\udce9/été.yaml")
    write_save(tmp_path / "game.json", save)
    assert read_save(tmp_path / "game.json") == save


def test_finished_game_and_unfinished_game_both_come_back(tmp_path: Path) -> None:
    finished = record(game(), 1, played("tic-tac-toe", 1, random.Random(1)).choices)
    for save in (finished, small_save()):
        write_save(tmp_path / "game.json", save)
        assert read_save(tmp_path / "game.json") == save


def test_missing_file_and_folder_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, "a\0b"):
        with pytest.raises(BadSave) as caught:
            read_save(path)
        assert caught.value.code == "E0710"


def test_every_truncated_save_is_noticed(tmp_path: Path) -> None:
    content = small_text()
    for length in range(1, len(content)):
        assert code_of(tmp_path, content[:length]) in ("E0711", "E0712")
    assert code_of(tmp_path, content[: len(content) // 2]) == "E0711"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "E0712"),
        (b"hello", "E0712"),
        (b"\xff\xfe{}", "E0712"),
        (b"[" * 100_000, "E0713"),
        (b"[" + b"9" * 10_000 + b"]", "E0713"),
        (b"[]", "E0713"),
        (b'{"ddob": "state"}', "E0713"),
        (b'{"ddob": "save"}', "E0714"),
        (b'{"ddob": "save", "version": 2}', "E0714"),
        (b'{"ddob": "save", "version": true}', "E0714"),
        (b'{"ddob": "save", "version": 1}', "E0715"),
        (signed({"ddob": "save", "version": 1}), "E0716"),
    ],
)
def test_what_is_no_save_is_told_apart(tmp_path: Path, content: bytes, code: str) -> None:
    assert code_of(tmp_path, content) == code


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", "7"),
        ("seed", True),
        ("stack", ["a", 1]),
        ("rules", {"1": 2}),
        ("players", []),
        ("choices", [1]),
        ("choices", [{"key": "a", "options": 1}]),
        ("choices", [{"key": "a", "options": "1", "digest": ""}]),
        ("choices", [{"key": 1, "options": 1, "digest": ""}]),
        ("finished", 1),
        ("end", None),
    ],
)
def test_part_of_the_wrong_kind_is_named(tmp_path: Path, field: str, value: object) -> None:
    with pytest.raises(BadSave) as caught:
        read_bytes(tmp_path, signed({**save_data(small_save()), field: value}))
    assert (caught.value.code, caught.value.arguments["field"]) == ("E0716", field)


@pytest.mark.parametrize("result", [None, {}, {"winners": [1], "text": ""}, {"winners": [], "text": 1}])
def test_finished_game_needs_a_result(tmp_path: Path, result: object) -> None:
    data = {**save_data(small_save()), "finished": True, "result": result}
    assert code_of(tmp_path, signed(data)) == "E0716"


@settings(deadline=None)
@given(st.data())
def test_any_edited_byte_is_noticed_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(small_text())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.getbasetemp()
    try:
        found = read_bytes(folder, bytes(content))
    except BadSave as problem:
        assert str(problem)
    else:
        assert found == small_save()


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_politely(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    assert code_of(tmp_path_factory.getbasetemp(), content) in MESSAGES


def test_unwritable_places_give_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for path in (tmp_path / "none" / "a.json", tmp_path / "folder", tmp_path / "file" / "a.json", "a\0b"):
        with pytest.raises(BadSave) as caught:
            write_save(path, small_save())
        assert caught.value.code == "E0717"
    assert sorted(entry.name for entry in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.parametrize("function", ["fsync", "replace"])
def test_full_disk_leaves_the_old_save_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    path = tmp_path / "game.json"
    write_save(path, small_save())
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, function, full)
    with pytest.raises(BadSave, match="no space left") as caught:
        write_save(path, replace(small_save(), seed=8))
    assert caught.value.code == "E0717"
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_interrupted_write_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_save(tmp_path / "game.json", small_save())
    assert list(tmp_path.iterdir()) == []


def test_link_to_a_save_stays_a_link(tmp_path: Path) -> None:
    write_save(tmp_path / "real.json", small_save())
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_save(tmp_path / "link.json", replace(small_save(), seed=8))
    assert (tmp_path / "link.json").is_symlink()
    assert read_save(tmp_path / "real.json").seed == 8


@pytest.mark.parametrize("code", MESSAGES)
def test_short_messages_are_those_of_the_catalogue(code: str) -> None:
    assert MESSAGES[code] == catalogue()[code].message_en
    arguments = {name: "x" for name in placeholders(MESSAGES[code])}
    assert str(BadSave(code, **arguments)) == report(code, whole_file("x"), **arguments).message
