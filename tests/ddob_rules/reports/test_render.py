"""How diagnostics look: for people, for editors, for programs."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.reports.diagnostics import Diagnostic, Label
from ddob_rules.reports.render import LONGEST_SHOWN_LINE, render_gnu, render_json, render_text, summary
from ddob_rules.syntax.source import Source, Span, whole_file


def found(text: str, part: str, path: str = "a.rules") -> Span:
    """The span of a part of a text."""
    start = text.index(part)
    return Span(Source(path, text), start, start + len(part))


def error(*labels: Label, message: str = "this is wrong", rule: str = "") -> Diagnostic:
    return Diagnostic(code="E0214", severity="error", message=message, spans=labels, rule=rule)


def warning(*labels: Label) -> Diagnostic:
    return Diagnostic(code="W0201", severity="warning", message="this is odd", spans=labels)


def body(diagnostic: Diagnostic) -> list[str]:
    """The lines between the message and the closing advice."""
    lines = render_text([diagnostic]).split("\n")
    return lines[1 : next(number for number, line in enumerate(lines) if line.strip().startswith("more:"))]


def two_sided() -> Diagnostic:
    base = "\n" * 40 + "  | hedgerow          | +1 |\n"
    overlay = "\n" * 11 + "  | hedgerow and town | +2 |\n"
    return Diagnostic(
        code="E0214",
        severity="error",
        message="two rows of table `terrain_defence` apply to the same space",
        spans=(
            Label(found(base, "hedgerow", "demo/09-terrain.rules"), "matches 0713"),
            Label(
                found(overlay, "hedgerow and town", "demo/errata-2.rules"),
                "also matches 0713",
                "errata 2, amends rule 9.2",
            ),
        ),
        notes=("the table's hit policy is `unique`, and neither row is an exception to the other",),
        help="write `exception to 9.4` on line 12, or set `policy collect sum`",
        rule="9.4",
    )


def test_conflict_shows_both_sides() -> None:
    expected = """\
error[E0214]: two rows of table `terrain_defence` apply to the same space
  --> demo/09-terrain.rules:41:5   rule 9.4
41 |   | hedgerow          | +1 |
   |     ^^^^^^^^ matches 0713
  --> demo/errata-2.rules:12:5   errata 2, amends rule 9.2
12 |   | hedgerow and town | +2 |
   |     ^^^^^^^^^^^^^^^^^ also matches 0713
   note: the table's hit policy is `unique`, and neither row is an exception to the other
   help: write `exception to 9.4` on line 12, or set `policy collect sum`
   more: ddob explain E0214

1 error
"""
    assert render_text([two_sided()]) == expected


def test_french_output_has_french_words() -> None:
    text = "règle 1\n"
    diagnostic = Diagnostic(
        code="W0201",
        severity="warning",
        message="la règle est vide",
        spans=(Label(found(text, "règle")),),
        notes=("rien ne suit",),
        help="écrivez la règle",
        rule="1",
    )
    expected = """\
avertissement[W0201] : la règle est vide
  --> a.rules:1:1   règle 1
 1 | règle 1
   | ^^^^^
   note : rien ne suit
   aide : écrivez la règle
   plus : ddob explain W0201

1 avertissement
"""
    assert render_text([diagnostic], language="fr") == expected


def test_two_labels_on_one_line_share_it() -> None:
    text = "put one on two"
    diagnostic = error(Label(found(text, "one"), "a piece"), Label(found(text, "two"), "not a space"))
    assert body(diagnostic) == [
        "  --> a.rules:1:5",
        " 1 | put one on two",
        "   |     ^^^ a piece",
        "   |            ^^^ not a space",
    ]


def test_gutter_is_as_wide_as_the_largest_line_number() -> None:
    text = "one" + "\n" * 1233 + "two"
    diagnostic = error(Label(found(text, "one")), Label(found(text, "two")))
    assert body(diagnostic) == [
        "    --> a.rules:1:1",
        "   1 | one",
        "     | ^^^",
        "    --> a.rules:1234:1",
        "1234 | two",
        "     | ^^^",
    ]


def test_span_over_several_lines_shows_the_first() -> None:
    text = "rule 1:\n  put\n"
    assert body(error(Label(found(text, "1:\n  put"))))[1:] == [" 1 | rule 1:", "   |      ^^"]


@pytest.mark.parametrize(("start", "blank"), [(4, 4), (0, 0)])
def test_empty_span_gets_one_caret(start: int, blank: int) -> None:
    place = Span(Source("a.rules", "rule\nnext"), start, start)
    assert body(error(Label(place)))[1:] == [" 1 | rule", "   | " + " " * blank + "^"]


def test_mistake_at_the_end_of_the_file_is_shown_on_an_empty_line() -> None:
    place = Span(Source("a.rules", "rule\n"), 5, 5)
    assert body(error(Label(place, "more is expected"))) == [
        "  --> a.rules:2:1",
        " 2 |",
        "   | ^ more is expected",
    ]


def test_tabs_keep_the_caret_in_place() -> None:
    text = "\tif\tx:\n"
    assert body(error(Label(found(text, "x"))))[1:] == [" 1 |     if  x:", "   |         ^"]


def test_wide_and_combining_characters_keep_the_caret_in_place() -> None:
    text = "漢字 e\u0301t x"
    lines = body(error(Label(found(text, "x"))))
    assert lines[1:] == [" 1 | 漢字 e\u0301t x", "   |         ^"]
    assert body(error(Label(found(text, "漢字"))))[2] == "   | ^^^^"


def test_long_line_is_shown_around_the_caret() -> None:
    text = "a" * 300 + "XYZ" + "b" * 300
    _, line, carets = body(error(Label(found(text, "XYZ"), "here")))
    assert line == " 1 | …" + "a" * 60 + "XYZ" + "b" * 95 + "…"
    assert carets == "   | " + " " * 61 + "^^^ here"


def test_long_line_is_cut_on_one_side_near_its_ends() -> None:
    text = "X" + "a" * 300 + "Y"
    assert body(error(Label(found(text, "X"))))[1] == " 1 | X" + "a" * 157 + "…"
    assert body(error(Label(found(text, "Y"))))[1] == " 1 | …" + "a" * 157 + "Y"


def test_carets_do_not_run_past_the_window() -> None:
    text = "a" * 5000
    _, line, carets = body(error(Label(found(text, text))))
    assert len(carets) < len(line) <= LONGEST_SHOWN_LINE + 5


def test_labels_on_a_long_line_have_a_window_each() -> None:
    text = "X" + "a" * 400 + "Y"
    lines = body(error(Label(found(text, "X")), Label(found(text, "Y"))))
    assert len(lines) == 6
    assert lines[4].endswith("Y")


def test_diagnostic_about_a_whole_file_shows_its_path_only() -> None:
    diagnostic = error(Label(whole_file("gone.rules")), message="there is no file `gone.rules`")
    assert body(diagnostic) == ["  --> gone.rules"]
    assert render_gnu([diagnostic]) == "gone.rules:1:1: error: there is no file `gone.rules` [E0214]\n"


def test_diagnostic_without_a_place_is_shown() -> None:
    assert body(error()) == []
    assert render_gnu([error()]) == "ddob: error: this is wrong [E0214]\n"


def test_further_lines_of_a_note_stand_under_the_first() -> None:
    diagnostic = Diagnostic(code="E0214", severity="error", message="no", notes=("one\ntwo",), help="a\n  b")
    assert body(diagnostic) == ["   note: one", "         two", "   help: a", "           b"]


def test_control_characters_are_not_sent_to_the_terminal() -> None:
    text = "a\x1b[31m\u202eb\x9b"
    span = found(text, text, "evil\x1b.rules")
    diagnostic = error(Label(span, "x\x1b"), message="no `\x1b[2J\n`\udc80")
    for output in (render_text([diagnostic]), render_gnu([diagnostic])):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", output)
    assert " 1 | a␛[31m\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}" in render_text([diagnostic])


def test_summary_counts_with_the_right_number() -> None:
    assert summary([]) == ""
    assert summary([error()]) == "1 error"
    assert summary([warning(), error(), error()]) == "2 errors, 1 warning"
    assert summary([warning(), warning()]) == "2 warnings"
    assert summary([error(), error(), warning()], "fr") == "2 erreurs, 1 avertissement"
    assert summary([error(), warning(), warning()], "fr") == "1 erreur, 2 avertissements"


def test_nothing_to_say_is_empty() -> None:
    assert render_text([]) == ""
    assert render_gnu([]) == ""
    assert json.loads(render_json([])) == []


def test_blocks_are_apart_and_the_count_comes_last() -> None:
    lines = render_text([error(), warning()]).split("\n")
    assert lines == [
        "error[E0214]: this is wrong",
        "   more: ddob explain E0214",
        "",
        "warning[W0201]: this is odd",
        "   more: ddob explain W0201",
        "",
        "1 error, 1 warning",
        "",
    ]


def test_colour_changes_nothing_but_colour() -> None:
    coloured = render_text([two_sided()], colour=True)
    assert "\x1b[1;31merror[E0214]\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == render_text([two_sided()])


def test_gnu_form_is_one_line_each() -> None:
    text = "one\ntwo"
    output = render_gnu([error(Label(found(text, "two"))), warning(Label(found(text, "one")))])
    assert output == "a.rules:2:1: error: this is wrong [E0214]\na.rules:1:1: warning: this is odd [W0201]\n"


def test_json_form_has_every_field() -> None:
    text = "règle\ntwo"
    diagnostic = Diagnostic(
        code="E0214",
        severity="error",
        message="non `é`",
        spans=(Label(found(text, "gle\ntw"), "ici"),),
        notes=("a",),
        help="b",
        rule="9.4",
    )
    output = render_json([diagnostic])
    assert "é" in output
    assert json.loads(output) == [
        {
            "code": "E0214",
            "severity": "error",
            "message": "non `é`",
            "help": "b",
            "rule": "9.4",
            "notes": ["a"],
            "spans": [
                {"file": "a.rules", "line": 1, "column": 3, "end_line": 2, "end_column": 3, "text": "ici"}
            ],
        }
    ]


def test_json_of_a_path_that_is_not_text_can_be_written() -> None:
    output = render_json([error(Label(whole_file("a\udc80.rules")))])
    output.encode("utf-8")
    assert json.loads(output)[0]["spans"][0]["file"] == "a\udc80.rules"


def columns(text: str) -> int:
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


@given(st.text(alphabet="ab \té漢\u0301", max_size=400), st.text(alphabet="ab\t漢", max_size=200))
def test_caret_stands_under_the_mistake_in_any_line(before: str, after: str) -> None:
    text = before + "@" + after
    _, line, carets = body(error(Label(found(text, "@"))))
    assert columns(line[: line.index("@")]) == carets.index("^")
    assert carets.count("^") == 1


@given(st.text(max_size=300), st.data())
def test_any_span_of_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    diagnostic = error(Label(Span(Source("a.rules", text), start, end), text), message=text)
    render_text([diagnostic], colour=True).encode("utf-8")
    assert render_gnu([diagnostic]).count("\n") == 1
    assert json.loads(render_json([diagnostic]))[0]["message"] == text
