"""Diagnostics, the catalogue of their messages, and the pages that explain them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules import resources
from ddob_rules.reports.diagnostics import (
    Diagnostic,
    Label,
    Problems,
    Severity,
    catalogue,
    fill,
    placeholders,
    report,
)
from ddob_rules.reports.explain import explain
from ddob_rules.resources import error_page, grammar_file, grammar_table, rulesets_folder
from ddob_rules.syntax.source import Source, Span
from tests.looping import each

MESSAGES = grammar_file("messages.yaml")
RECORDS = grammar_table("messages.yaml")
# What only we would say: a message is read by someone who knows the game and not the tool.
OUR_WORDS = re.compile(
    r"\b(lark|python|token|terminal|exception|traceback|parser|ast|none|dict|tuple|regex|NAME|INDENT)\b"
)


def span(start: int = 0, end: int = 1, path: str = "a.rules") -> Span:
    return Span(Source(path, "one\ntwo\nthree\n"), start, end)


def problem(place: Span, code: str = "E0100", message: str = "wrong") -> Diagnostic:
    severity: Severity = "warning" if code.startswith("W") else "error"
    return Diagnostic(code=code, severity=severity, message=message, spans=(Label(place),))


@pytest.mark.parametrize("code", RECORDS)
def test_catalogue_entry_has_the_right_shape(code: str) -> None:
    record = RECORDS[code]
    assert re.fullmatch(r"[EW]0[0-7][0-9]{2}", code), "a code is E or W, a range from 00 to 07, two digits"
    assert set(record) - {"help"} == {"severity", "title", "message"}, f"{code} has other fields"
    assert record["severity"] in {"E": ["error"], "W": ["warning", "hint"]}[code[0]], (
        f"{code} is something else"
    )
    for part in set(record) - {"severity"}:
        texts = record[part]
        assert set(texts) == {"en", "fr"}, f"{part} of {code} is not in both languages"
        assert all(isinstance(text, str) and text.strip() for text in texts.values()), f"{part} of {code}"
        assert placeholders(texts["en"]) == placeholders(texts["fr"]), f"placeholders of {part} of {code}"


@pytest.mark.parametrize("code", RECORDS)
def test_message_is_one_plain_sentence(code: str) -> None:
    for text in each(RECORDS[code]["message"].values()):
        assert "\n" not in text, f"{code} is not one line"
        assert not text.endswith((".", "!")), f"{code} ends in a full stop"
        assert not text[0].isupper(), f"{code} begins with a capital letter"
        assert text.count("`") % 2 == 0, f"{code} has an odd backtick"
        assert OUR_WORDS.search(text) is None, f"{code} speaks of the machinery"
        assert not re.search(r"[{}]", re.sub(r"\{[a-z][a-z0-9_]*(\|[^{}|]*\|[^{}|]*)?\}", "", text)), (
            f"{code} has a stray brace"
        )


@pytest.mark.parametrize("code", RECORDS)
def test_placeholder_is_not_one_of_the_names_that_report_keeps(code: str) -> None:
    record = RECORDS[code]
    wanted = placeholders(record["message"]["en"]) | placeholders(record.get("help", {}).get("en", ""))
    assert not wanted & {"language", "notes", "rule", "help"}, f"{code} uses a name that `report` keeps"


def test_no_code_is_defined_twice() -> None:
    # A second definition would silently replace the first when the file is read.
    codes = re.findall(r"^(\w+):", MESSAGES.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [code for code, count in Counter(codes).items() if count > 1] == []
    assert set(codes) == set(catalogue())


def test_codes_are_in_order() -> None:
    # Errors and warnings of one range may be kept together or apart, but each list grows at its end.
    for letter in "EW":
        codes = [code for code in RECORDS if code.startswith(letter)]
        assert codes == sorted(codes)


def test_catalogue_holds_what_the_file_says() -> None:
    entry = catalogue()["E0001"]
    assert (entry.code, entry.severity) == ("E0001", "error")
    assert entry.title("fr") == "Un fichier manque"
    assert entry.title("de") == entry.title_en == "A file is missing"


def test_report_fills_in_the_message_and_remembers_the_arguments() -> None:
    place = span()
    diagnostic = report("E0006", place, path="a.rules", limit=8, rule="9.4", notes=["a", "b"])
    assert diagnostic.message == "`a.rules` is larger than 8 MB"
    assert diagnostic.spans == (Label(place),)
    assert diagnostic.primary == place
    assert diagnostic.arguments == (("path", "a.rules"), ("limit", "8"))
    assert diagnostic.argument("limit") == "8"
    assert (diagnostic.severity, diagnostic.rule, diagnostic.notes) == ("error", "9.4", ("a", "b"))
    assert diagnostic.help == "check that it is the file you meant, or split it into several files"


def test_report_speaks_french() -> None:
    diagnostic = report("E0001", language="fr", path="a.rules")
    assert diagnostic.message == "le fichier `a.rules` n'existe pas"
    assert diagnostic.help == "vérifiez le nom et le dossier où vous êtes"
    assert diagnostic.primary is None


def test_help_can_be_replaced_and_removed() -> None:
    assert report("E0001", path="a", help="try {b}").help == "try {b}"
    assert report("E0001", path="a", help="").help == ""


def test_labels_keep_their_text_and_order() -> None:
    labels = (Label(span(0, 1), "here"), Label(span(4, 5), "and here", "errata 2"))
    assert report("E0001", *labels, path="a").spans == labels


def test_unknown_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        report("E9999")


@given(st.text(), st.text())
def test_author_text_is_never_taken_for_a_template(first: str, second: str) -> None:
    template = "a {first} b {second} c {first} {} {Other}"
    expected = f"a {first} b {second} c {first} {{}} {{Other}}"
    assert fill(template, {"first": first, "second": second}) == expected


@pytest.mark.parametrize(
    ("language", "number", "expected"),
    [
        ("en", "0", "0 lines are"),
        ("en", "1", "1 line is"),
        ("en", "1 to 3", "1 to 3 lines are"),
        ("fr", "0", "0 line is"),
        ("fr", "1", "1 line is"),
        ("fr", "11", "11 lines are"),
    ],
)
def test_what_is_counted_has_the_right_number(language: str, number: str, expected: str) -> None:
    template = "{count|# line is|# lines are} of `{name}`"
    assert fill(template, {"count": number, "name": "a|b"}, language) == f"{expected} of `a|b`"
    assert placeholders(template) == {"count", "name"}


STALE = {"other": "fr", "keys": "k", "name": "n"}
COUNTS = "count|needed|given|wanted|people|length"


@pytest.mark.parametrize("code", RECORDS)
def test_no_message_counts_one_thing_in_the_plural(code: str) -> None:
    parts = [RECORDS[code]["message"], RECORDS[code].get("help", {})]
    texts = [text for part in parts for text in part.values()]
    bare = re.compile(rf"\{{({COUNTS})\}} (?!given|wanted|cannot|characters|caractères|conditions)[a-zé]")
    assert not [text for text in texts if bare.search(text)], code


@pytest.mark.parametrize(
    ("code", "language", "arguments", "expected"),
    [
        (
            "W0602",
            "en",
            STALE | {"count": 1},
            "1 translation to `fr` is of a text that has changed or is gone: k",
        ),
        ("W0602", "fr", STALE | {"count": 1}, "1 traduction en `fr` concerne un texte changé ou disparu : k"),
        ("W0601", "en", STALE | {"count": 2}, "2 texts have no translation to `fr`: k"),
        ("W0601", "fr", STALE | {"count": 1}, "1 texte n'est pas traduit en `fr` : k"),
        (
            "E0302",
            "fr",
            {"needed": 1, "given": 2},
            "mauvais nombre de cellules dans cette ligne : 1 attendue, 2 données",
        ),
    ],
)
def test_findings_count(code: str, language: str, arguments: dict[str, Any], expected: str) -> None:
    assert report(code, language=language, **arguments).message == expected


def test_placeholders_are_the_names_in_braces() -> None:
    assert placeholders("{a} and {b_2} and {a}, {} {C}") == {"a", "b_2"}


def test_problems_come_in_reading_order() -> None:
    first, second = problem(span(0, 1)), problem(span(2, 3))
    third, other = problem(span(4, 5)), problem(span(0, 1, "b.rules"))
    nowhere = report("E0001", path="a")
    problems = Problems()
    problems.extend([other, third, second, first, nowhere])
    assert list(problems) == [nowhere, first, second, third, other]
    assert problems[0] == nowhere


def test_problems_at_one_place_are_sorted_by_code() -> None:
    problems = Problems()
    problems.extend([problem(span(), "W0100"), problem(span(), "E0101"), problem(span(), "E0100")])
    assert [each.code for each in problems] == ["E0100", "E0101", "W0100"]


def test_exact_duplicates_are_kept_once() -> None:
    problems = Problems()
    problems.extend([problem(span()), problem(span()), problem(span(), message="other")])
    assert len(problems) == 2


def test_errors_and_warnings_are_told_apart() -> None:
    problems = Problems()
    assert not problems
    assert not problems.has_errors
    warning, error = problem(span(), "W0100"), problem(span(4, 5))
    problems.add(warning)
    assert problems
    assert not problems.has_errors
    problems.add(error)
    assert problems.has_errors
    assert (problems.errors, problems.warnings) == ([error], [warning])


def test_installed_folders_come_before_those_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "package")
    monkeypatch.setattr(resources, "_CHECKOUT", tmp_path)
    assert grammar_file("a.lark") == tmp_path / "grammar" / "a.lark"
    assert rulesets_folder() == tmp_path / "rulesets"
    (tmp_path / "package" / "_grammar").mkdir(parents=True)
    (tmp_path / "package" / "_rulesets").mkdir()
    assert grammar_file("a.lark") == tmp_path / "package" / "_grammar" / "a.lark"
    assert rulesets_folder() == tmp_path / "package" / "_rulesets"


def test_explanation_is_the_page_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path)
    (tmp_path / "_errors").mkdir()
    (tmp_path / "_errors" / "E0214.md").write_text("# Two rows", encoding="utf-8")
    assert explain("E0214") == "# Two rows"
    assert explain(" e0214\n", "fr") == "# Two rows"
    (tmp_path / "_errors" / "E0214.fr.md").write_text("# Deux lignes", encoding="utf-8")
    assert explain("E0214", "fr") == "# Deux lignes"
    assert explain("E0214", "en") == "# Two rows"


@pytest.mark.parametrize("code", ["E9999", "", "../E0001", "E0001/../E0001", "E00011", "E\u0660001"])
def test_what_is_no_code_has_no_page(code: str) -> None:
    assert explain(code) is None
    assert error_page(code, "../fr") is None
