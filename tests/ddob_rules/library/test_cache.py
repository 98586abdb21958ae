"""The cache of compiled rulesets: used when nothing changed, ignored when anything did or it is damaged."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules import cache_folder as kept
from ddob_rules import loading
from ddob_rules.cli import main
from ddob_rules.library import cache
from ddob_rules.loading import load_compiled
from ddob_rules.syntax import parse
from ddob_rules.syntax.source import read_source
from interpreter.ir import Site

RULES = """\
ruleset tiny "Tiny"
players red, blue

rule 1 "Play":
  value goal = 3
  each player:
    points: number = 0
  sequence turn:
    phase play for each p in player: p takes 1 action
  action score_one by p in play:
    do:
      increase p.points by 1
      if p.points >= goal: p wins
"""


@pytest.fixture
def ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DDOB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "tiny.rules").write_text(RULES, encoding="utf-8")
    return folder


def entries(ruleset: Path) -> list[Path]:
    return sorted((ruleset.parent / "cache").glob("*.ruleset"))


def read_again(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is read from text from now on."""
    read: list[str] = []
    real = loading.load_ruleset

    def counted(name: str, *arguments: object, **more: object) -> loading.Loaded:
        read.append(name)
        return real(name, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "load_ruleset", counted)
    return read


def test_rules_are_read_once_for_all_editions_until_they_change(
    ruleset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = load_compiled("tiny", journal=True)
    again = read_again(monkeypatch)
    plain = load_compiled("tiny", journal=False)
    assert again == [] and len(entries(ruleset)) == 2
    assert told.code is not None and plain.code is not None and told.code.code != plain.code.code
    assert load_compiled("tiny", journal=False).code == plain.code and again == []
    (ruleset / "tiny.rules").write_text(RULES.replace("goal = 3", "goal = 4"), encoding="utf-8")
    load_compiled("tiny", journal=False, cover=True)
    assert again == ["tiny"]


def test_unchanged_ruleset_comes_from_the_cache(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_compiled("tiny")
    read = read_again(monkeypatch)
    second = load_compiled("tiny")
    assert read == []
    assert second.program == first.program
    assert first.code is not None and second.code is not None
    assert second.code.source == first.code.source
    assert second.code.code == first.code.code


def test_what_is_loaded_again_shares_its_rules(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, again = load_compiled("tiny"), load_compiled("tiny")
    assert again.program is first.program is not None
    monkeypatch.setattr(kept, "_remembered", {})
    anew = load_compiled("tiny")
    assert anew.program == first.program and anew.program is not first.program


@pytest.mark.parametrize("change", ["edit", "new file", "removed file", "other folder"])
def test_any_change_of_the_files_is_noticed(
    ruleset: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    (ruleset / "more.rules").write_text('rule 2 "More":\n  "Nothing more."\n', encoding="utf-8")
    load_compiled("tiny")
    if change == "edit":
        (ruleset / "tiny.rules").write_text(RULES.replace("goal = 3", "goal = 4"), encoding="utf-8")
    elif change == "new file":
        (ruleset / "extra.rules").write_text('rule 3 "Extra":\n  "Nothing extra."\n', encoding="utf-8")
    elif change == "removed file":
        (ruleset / "more.rules").unlink()
    else:
        ruleset.rename(ruleset.parent / "elsewhere")
    read = read_again(monkeypatch)
    assert load_compiled("tiny").program is not None
    assert read == ["tiny"]


def test_ruleset_with_findings_is_not_stored(ruleset: Path) -> None:
    (ruleset / "tiny.rules").write_text(RULES.replace("increase", "incraese"), encoding="utf-8")
    compiled = load_compiled("tiny")
    assert compiled.program is None
    assert compiled.problems
    assert entries(ruleset) == []


def test_a_file_is_parsed_once(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "_LONG_FILE", 0)
    source, _ = read_source(ruleset / "tiny.rules")
    assert source is not None
    read = parse.parse_file.__wrapped__  # as another process does, which remembers nothing
    first = read(source)
    monkeypatch.setattr(parse, "_parse", lambda source: pytest.fail("it is parsed again"))
    assert read(source).items == first.items and read(source) is not first


def test_what_comes_from_the_cache_is_as_frozen_as_what_was_kept(ruleset: Path) -> None:
    site = Site(rule="1", file="tiny.rules", line=4, column=3, ruleset="tiny")
    kept.keep("tree", ("site",), (site,))
    (found,) = kept.recall("tree", ("site",))
    assert found == site and found is not site
    with pytest.raises(FrozenInstanceError):
        found.line = 5


@pytest.mark.parametrize("damage", [b"", b"garbage", None, "flip"])
def test_damaged_entry_is_no_entry(ruleset: Path, damage: bytes | str | None) -> None:
    load_compiled("tiny")
    (entry,) = entries(ruleset)
    content = entry.read_bytes()
    if damage is None:
        entry.write_bytes(content[: len(content) // 2])
    elif damage == "flip":
        entry.write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
    else:
        assert isinstance(damage, bytes)
        entry.write_bytes(damage)
    assert load_compiled("tiny").program is not None


def test_another_version_does_not_see_old_entries(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_compiled("tiny")
    monkeypatch.setattr(cache, "LANGUAGE_VERSION", 999)
    read = read_again(monkeypatch)
    load_compiled("tiny")
    assert read == ["tiny"]
    assert len(entries(ruleset)) == 2


def test_several_writers_leave_a_good_entry(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: load_compiled("tiny"), range(8)))
    assert all(one.program is not None for one in found)
    assert len(entries(ruleset)) == 1
    assert not list((ruleset.parent / "cache").glob(".entry-*"))
    read = read_again(monkeypatch)
    load_compiled("tiny")
    assert read == []


def test_cache_that_cannot_be_written_does_no_harm(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ruleset.parent / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("DDOB_CACHE", str(ruleset.parent / "file"))
    assert load_compiled("tiny").program is not None


def test_cache_can_be_switched_off(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDOB_CACHE", "off")
    assert kept.cache_folder() is None
    assert load_compiled("tiny").program is not None


# ---------------------------------------------------------------- what others may have put there


class Planted:
    """A pickle of it writes a file when it is read without care."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return os.mkdir, (str(self.path),)


def plant(entry: Path, value: object) -> None:
    """A pickle with a right checksum in the place of an entry."""
    body = pickle.dumps(value)
    entry.write_bytes(hashlib.sha256(body).digest() + body)
    entry.chmod(0o600)


def test_planted_pickle_runs_nothing(ruleset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_compiled("tiny")
    (entry,) = entries(ruleset)
    plant(entry, Planted(ruleset / "pwned"))
    read = read_again(monkeypatch)
    assert load_compiled("tiny").program is not None
    assert read == ["tiny"]
    assert not (ruleset / "pwned").exists()


@pytest.mark.parametrize(
    "reference", [os.system, eval, subprocess.Popen, loading.load_ruleset, loading.LoadedGame, Path]
)
def test_only_our_frozen_data_is_read_from_an_entry(ruleset: Path, reference: object) -> None:
    kept.keep("data", ("key",), Site("1", "f", 1, 1, "tiny"))
    assert kept.recall("data", ("key",)) == Site("1", "f", 1, 1, "tiny")
    (entry,) = (ruleset.parent / "cache").glob("*.data")
    plant(entry, [reference])
    assert kept.recall("data", ("key",)) is None


def test_folder_of_the_cache_is_the_users_alone(ruleset: Path) -> None:
    load_compiled("tiny")
    (entry,) = entries(ruleset)
    assert stat.S_IMODE(entry.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600


@pytest.mark.parametrize("whose", ["another user's", "everybody's", "the group's"])
def test_foreign_folder_is_neither_read_nor_written(
    ruleset: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    load_compiled("tiny")
    (entry,) = entries(ruleset)
    before = entry.read_bytes()
    if whose == "another user's":
        other = os.geteuid() + 1
        monkeypatch.setattr(kept, "current_user", lambda: other)
    else:
        entry.parent.chmod(0o777 if whose == "everybody's" else 0o770)
    (ruleset / "more.rules").write_text('rule 2 "More":\n  "Nothing more."\n', encoding="utf-8")
    read = read_again(monkeypatch)
    load_compiled("tiny")
    load_compiled("tiny")
    assert read == ["tiny", "tiny"]
    assert [path.read_bytes() for path in entries(ruleset)] == [before]
    assert str(entry.parent) in (kept.refusal() or "")


@pytest.mark.parametrize("kind", ["writable by others", "a link"])
def test_entry_that_others_could_have_written_is_no_entry(
    ruleset: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    load_compiled("tiny")
    (entry,) = entries(ruleset)
    if kind == "a link":
        entry.symlink_to(entry.rename(ruleset.parent / "elsewhere"))
    else:
        entry.chmod(0o622)
    read = read_again(monkeypatch)
    assert load_compiled("tiny").program is not None
    assert read == ["tiny"]


def test_command_says_that_the_cache_is_not_used(ruleset: Path) -> None:
    load_compiled("tiny")
    folder = ruleset.parent / "cache"
    folder.chmod(0o777)
    result = CliRunner().invoke(main, ["rules", "tiny"])
    assert result.exit_code == 0
    assert result.stderr.count("\n") == 1 and str(folder) in result.stderr
    folder.chmod(0o700)
    assert CliRunner().invoke(main, ["rules", "tiny"]).stderr == ""
