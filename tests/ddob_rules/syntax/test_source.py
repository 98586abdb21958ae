"""Reading source texts, and counting their lines and columns."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.syntax.source import (
    LARGEST_RULES,
    LONGEST_LINE,
    Source,
    Span,
    read_source,
    source_from_bytes,
)


def text_of(data: bytes) -> str:
    source, problems = source_from_bytes(data, "a.rules")
    assert problems == []
    assert source is not None
    return source.text


def only_problem(result: tuple[Source | None, list[Diagnostic]]) -> Diagnostic:
    source, problems = result
    assert source is None
    assert len(problems) == 1
    return problems[0]


def test_position_counts_lines_and_columns_from_one() -> None:
    source = Source("a.rules", "one\ntwo\n")
    assert source.position(0) == (1, 1)
    assert source.position(3) == (1, 4)
    assert source.position(4) == (2, 1)
    assert source.position(8) == (3, 1)


def test_position_outside_the_text_is_the_nearest_one() -> None:
    source = Source("a.rules", "one")
    assert source.position(-5) == (1, 1)
    assert source.position(99) == (1, 4)


def test_offset_outside_the_text_is_the_nearest_one() -> None:
    source = Source("a.rules", "one\ntwo")
    assert source.offset(0, 0) == 0
    assert source.offset(1, 99) == 3
    assert source.offset(9, 2) == 5


def test_only_a_line_feed_ends_a_line() -> None:
    assert Source("a.rules", "a\x0cb\u2028c\x85d\ne").lines == ("a\x0cb\u2028c\x85d", "e")


def test_line_text_of_a_line_that_does_not_exist_is_empty() -> None:
    source = Source("a.rules", "one\ntwo")
    assert [source.line_text(number) for number in (0, 1, 2, 3)] == ["", "one", "two", ""]


@given(st.text(alphabet="ab\n\té漢", max_size=60), st.data())
def test_position_and_offset_undo_each_other(text: str, data: st.DataObject) -> None:
    source = Source("a.rules", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.position(offset)
    assert source.offset(line, column) == offset
    before = text[:offset]
    assert line == before.count("\n") + 1
    assert column == offset - (before.rfind("\n") + 1) + 1


def test_span_knows_its_place_and_text() -> None:
    span = Span(Source("a.rules", "one\ntwo three\nfour"), 8, 16)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 5, 3, 3)
    assert span.text == "three\nfo"


def test_spans_are_equal_when_path_and_offsets_are() -> None:
    first = Span(Source("a.rules", "one"), 0, 2)
    assert first == Span(Source("a.rules", "other text"), 0, 2)
    assert hash(first) == hash(Span(Source("a.rules", "other text"), 0, 2))
    assert first != Span(Source("b.rules", "one"), 0, 2)
    assert first != Span(first.source, 0, 3)
    assert first != "one"


def test_joined_span_holds_both() -> None:
    source = Source("a.rules", "one two three")
    first, last = Span(source, 0, 3), Span(source, 8, 13)
    assert first.to(last) == last.to(first) == Span(source, 0, 13)


def test_spans_of_two_files_are_not_joined() -> None:
    with pytest.raises(ValueError, match="cannot be joined"):
        Span(Source("a.rules", "one"), 0, 1).to(Span(Source("b.rules", "one"), 1, 2))


def test_span_survives_pickling() -> None:
    span = Span(Source("a.rules", "one\ntwo"), 4, 7)
    copy = pickle.loads(pickle.dumps(span))
    assert (copy, copy.line, copy.text) == (span, 2, "two")


def test_line_ends_are_made_plain() -> None:
    assert text_of(b"one\r\ntwo\rthree\n\r\nfour") == "one\ntwo\nthree\n\nfour"


def test_byte_order_mark_is_dropped() -> None:
    assert text_of(b"\xef\xbb\xbfrule 1") == "rule 1"


def test_empty_file_is_a_source() -> None:
    assert text_of(b"") == ""


@given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=80))
def test_utf_8_text_is_read_as_it_is(text: str) -> None:
    assert text_of(b"\xef\xbb\xbf" + text.encode("utf-8")) == text


@given(st.binary(max_size=200))
def test_any_bytes_give_a_source_or_one_problem(data: bytes) -> None:
    source, problems = source_from_bytes(data, "a.rules")
    assert (source is None) == (len(problems) == 1)


def test_file_is_read_under_the_name_to_show(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes("règle 1\r\n".encode())
    assert read_source(tmp_path / "a.rules", "shown.rules") == (Source("shown.rules", "règle 1\n"), [])


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    problem = only_problem(read_source(tmp_path / "a.rules", "a.rules"))
    assert problem.code == "E0001"
    assert problem.message == "there is no file `a.rules`"
    assert problem.help == "check the name and the folder you are in"


def test_missing_file_suggests_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "movement.rules").touch()
    problem = only_problem(read_source(tmp_path / "movment.rules", language="fr"))
    assert problem.help == "vouliez-vous dire `movement.rules` ?"


def test_path_that_no_file_can_have_is_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert only_problem(read_source(Path("a\0b"))).code == "E0001"
    assert only_problem(read_source(tmp_path / "file" / "a.rules")).code == "E0001"


def test_folder_is_an_error(tmp_path: Path) -> None:
    assert only_problem(read_source(tmp_path)).code == "E0002"


def test_forbidden_file_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / "a.rules").touch()
    # Changing the file's mode would not stop a test that an administrator runs.
    monkeypatch.setattr(Path, "open", refuse)
    assert only_problem(read_source(tmp_path / "a.rules")).code == "E0003"


def test_failing_disk_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    (tmp_path / "a.rules").touch()
    monkeypatch.setattr(Path, "open", fail)
    problem = only_problem(read_source(tmp_path / "a.rules", "a.rules"))
    assert problem.code == "E0008"
    assert problem.message == "`a.rules` cannot be read: input/output error"


@pytest.mark.parametrize("kind", ["loop", "too long"])
def test_path_that_leads_nowhere_is_an_error(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("a" * 5000 if kind == "too long" else "loop")
    if kind == "loop":
        path.symlink_to(path)
    assert only_problem(read_source(path)).code == "E0008"


def test_device_is_not_read() -> None:
    assert only_problem(read_source(Path(os.devnull))).code == "E0009"


def test_wrong_encoding_is_shown_at_its_byte_and_line() -> None:
    data = b"\xef\xbb\xbfone\r\n" + "côte ".encode() + "règle".encode("latin-1")
    problem = only_problem(source_from_bytes(data, "a.rules"))
    assert problem.code == "E0004"
    assert (problem.argument("byte"), problem.argument("line")) == ("16", "2")
    assert problem.primary is not None
    assert (problem.primary.line, problem.primary.column) == (2, 7)
    assert "UTF-8" in problem.help


def test_utf_16_is_named() -> None:
    assert only_problem(source_from_bytes("rule 1".encode("utf-16"), "a.rules")).code == "E0010"


def test_binary_file_is_an_error() -> None:
    problem = only_problem(source_from_bytes(b"PK\x03\x04\x00\x00", "a.rules"))
    assert problem.code == "E0005"
    assert problem.argument("byte") == "5"


def test_huge_file_is_an_error(tmp_path: Path) -> None:
    with (tmp_path / "a.rules").open("wb") as file:
        file.truncate(LARGEST_RULES * 1024 * 1024 + 1)
    problem = only_problem(read_source(tmp_path / "a.rules", "a.rules"))
    assert problem.message == "`a.rules` is larger than 1 MB"


def test_long_line_is_an_error_that_points_at_it() -> None:
    allowed = b"a" * LONGEST_LINE
    assert text_of(allowed) == allowed.decode()
    problem = only_problem(source_from_bytes(b"one\n" + allowed + b"a\ntwo", "a.rules"))
    assert problem.code == "E0007"
    assert problem.primary is not None
    assert problem.primary.line == 2
    assert problem.argument("length") == str(LONGEST_LINE + 1)
