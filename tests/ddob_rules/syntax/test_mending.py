"""Reading on after a mistake: what was meant is told, and what follows is read too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.syntax.edits import Edit, Mended
from ddob_rules.syntax.parse import ParsedFile, parse_file
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.words import languages
from tests.rules import check_text

BODY = {
    "en": 'rule 1 "Test":\n  procedure test(u: unit):\n    {}\n  value after = 1\n',
    "fr": 'language fr\nrègle 1 "Essai":\n  procédure essai(u: pion):\n    {}\n  valeur après = 1\n',
}
#: What is written out of habit, and the help in each language; an empty one is that there is no finding.
EFFECTS = [
    ("u.x = u.x - 1", "decrease u.x by 1", "diminuer u.x de 1"),
    ("u.x = u.x + n", "increase u.x by n", "augmenter u.x de n"),
    ("u.x += 2", "increase u.x by 2", "augmenter u.x de 2"),
    ("u.x -= n + 1", "decrease u.x by n + 1", "diminuer u.x de n + 1"),
    ("u.x++", "increase u.x by 1", "augmenter u.x de 1"),
    ("u.x = 3", "set u.x to 3", "mettre u.x à 3"),
    ("return 5", "give 5", "rendre 5"),
    ("say “so”", 'say "so"', 'dire "so"'),
    ("remove u;", "remove u", "retirer u"),
    ("remove u // so", "remove u # so", "retirer u # so"),
    ("remove u /* so */", "remove u # so", "retirer u # so"),
    ("for v in unit: remove v", "for each v in unit: remove v", "pour chaque v de unit: retirer v"),
    ("if a == b: stop", "if a = b: stop", "si a = b: arrêter"),
    ("if a && b: stop", "if a and b: stop", "si a et b: arrêter"),
    ("if a || b: stop", "if a or b: stop", "si a ou b: arrêter"),
    ("if !a: stop", "if not a: stop", "si pas a: arrêter"),
    ("if a then stop", "if a: stop", "si a: arrêter"),
    ("let y = 1 if a else 2", "let y = 1 if a otherwise 2", "soit y = 1 si a sinon 2"),
]


def read(text: str) -> ParsedFile:
    return parse_file(Source("a.rules", text))


def mended(problem: Diagnostic) -> str:
    """The line of a finding with what it offers in place."""
    span = problem.primary
    assert span is not None
    text = span.source.text
    whole = text[: span.start] + problem.argument("edit") + text[span.end :]
    return whole.split("\n")[span.line - 1].strip()


def in_french(line: str) -> str:
    for word, other in (("if ", "si "), ("say ", "dire "), ("remove ", "retirer "), ("let ", "soit ")):
        line = line.replace(word, other)
    return line.replace("stop", "arrêter").replace("unit: ", "unit: ")


@pytest.mark.parametrize(("written", "english", "french"), EFFECTS, ids=[case[0] for case in EFFECTS])
def test_a_habit_is_told_with_what_to_write_and_the_rest_is_read(
    written: str, english: str, french: str
) -> None:
    for language, line, wanted in (("en", written, english), ("fr", in_french(written), french)):
        parsed = read(BODY[language].format(line))
        assert [problem.code for problem in parsed.problems] == ["E0116"], line
        assert mended(parsed.problems[0]) == wanted
        assert parsed.unread == frozenset()
        assert read(BODY[language].format(wanted)).problems == ()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("written", ["while u.x > 1: stop", "def f(x):", "let y = u.x % 2"])
def test_where_the_cure_is_not_mechanical_the_help_says_what_to_write(written: str, language: str) -> None:
    (problem,) = read(BODY[language].format(in_french(written) if language == "fr" else written)).problems
    assert problem.code == "E0116"
    assert problem.help
    assert "edit" not in dict(problem.arguments)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('define fit also:\n    when turn > 2  else "early" (9)', "`define NAME only if ...  else"),
        ("define fit(u: unit): flag:\n    without (3.1)\n    when u.x", "`action NAME also:`"),
        ("define fit(u: unit): flag:\n    without (3.1, 4)\n    when u.x", "`action NAME also:`"),
    ],
)
def test_a_list_is_amended_where_it_can_be(body: str, said: str) -> None:
    (problem,) = read(f"rule 9 amends 3:\n  {body}\n").problems
    assert problem.code == "E0116" and said in (problem.help or "")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("rule A amends 1:\n  set limit to 6\n", "value NAME = 6"),
        ("language fr\nrègle A modifie 1:\n  mettre limite à 6\n", "valeur NOM = 6"),
    ],
)
def test_a_value_is_written_anew_where_nothing_happens(text: str, value: str) -> None:
    (problem,) = read(text).problems
    assert problem.code == "E0111"
    assert problem.help is not None and f"`{value}`" in problem.help


def test_names_of_other_languages_are_told_too() -> None:
    text = (
        'ruleset a "A"\nplayers us "Us"\nrule 1 "One":\n  variable done: bool = false\n'
        "  variable all: number = 1\n  procedure go:\n    if done = true: set all to null\n    return\n"
    )
    found = check_text(text).problems
    assert [(problem.code, problem.argument("edit")) for problem in found] == [
        ("E0116", "flag"), ("E0116", "no"), ("E0116", "yes"), ("E0116", "nothing"), ("E0116", "stop"),
    ]  # fmt: skip


def test_a_french_file_hears_french_words() -> None:
    text = 'language fr\nrèglement a "A"\njoueurs nous "Nous"\nrègle 1 "Un":\n  valeur fini = vrai\n'
    (problem,) = check_text(text).problems
    assert (problem.code, problem.help) == ("E0116", "écrivez `oui`")


def test_a_slip_in_a_name_of_the_library_is_told_in_the_words_of_the_file() -> None:
    text = 'language fr\nrèglement a "A"\njoueurs nous "Nous"\nrègle 1 "Un":\n  valeur fini = voisin(nous)\n'
    (problem,) = check_text(text).problems
    assert (problem.code, problem.help) == ("E0201", "vouliez-vous dire `voisins` ?")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('rule 1 "Test"\n  value one = 1\n', (1, 14)),
        ('rule 1 "Test":\n  procedure go\n    stop\n', (2, 15)),
        ('rule 1 "Test":\n  procedure go:\n    if a stop\n', (3, 9)),
        ('rule 1 "Test":\n  enum colour red, blue\n', (2, 14)),
        ('rule 1 "Test":\n  piece unit\n    steps: number\n', (2, 13)),
        ('rule 1 "Test":\n  procedure go:\n    if a: stop\n    otherwise stop # or not\n', (4, 14)),
    ],
)
def test_a_missing_colon_is_told_where_it_is_missing(text: str, place: tuple[int, int]) -> None:
    parsed = read(text)
    assert [(found.code, found.argument("sign")) for found in parsed.problems] == [("E0117", ":")]
    span = parsed.problems[0].primary
    assert span is not None and (span.line, span.column) == place
    assert len(parsed.items) == 1


def test_two_mistakes_in_one_rule_are_two_findings() -> None:
    text = (
        'rule 1 "Test":\n  valeu one = 1\n  define ] two: number = 2\n  value three == 3\n  value four = 4\n'
    )
    parsed = read(text)
    assert [(found.code, found.primary.line) for found in parsed.problems if found.primary] == [
        ("E0111", 2), ("E0111", 3), ("E0116", 4),
    ]  # fmt: skip
    assert {"two", "number"} <= parsed.unread and "four" not in parsed.unread


@pytest.mark.parametrize("blank", ["", " ", " \t"])
def test_a_text_that_breaks_off_in_a_declaration_that_cannot_be_read_is_two_findings(blank: str) -> None:
    text = f'rule 6 "Falling back":\n  procedure back(u: unit):\n    choose h in ways "Where to?{blank}'
    assert [problem.code for problem in read(text).problems] == ["E0104", "E0112"]


def test_what_cannot_be_read_is_not_missed_elsewhere_but_the_rest_is() -> None:
    text = (
        'ruleset a "A"\nplayers us "Us"\nrule 1 "One":\n  define ] two: number = 2\nrule 2 "Two":\n'
        "  value three = two\n  value four = tow_many\n"
    )
    found = [(problem.code, problem.primary.line) for problem in check_text(text).problems if problem.primary]
    assert found == [("E0111", 4), ("E0201", 7)]


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3), st.text(max_size=3)), max_size=4),
)
def test_places_outside_edits_are_found_again(text: str, wanted: list[tuple[int, int, str]]) -> None:
    edits: list[Edit] = []
    for start, length, new in sorted(wanted):
        if start + length <= len(text) and all(edit.end < start for edit in edits):
            edits.append(Edit(start, start + length, new))
    mended_text = Mended(text, edits)
    for place, letter in enumerate(mended_text.text):
        original = mended_text.original(place)
        assert 0 <= original <= len(text)
        if not any(edit.start <= original <= edit.end for edit in edits):
            assert text[original] == letter


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    set x to 1\n      set x to 2\n    set y to 3\n", 4),
        ("    set x to 1\n\n        # why\n      if x = 2: stop\n      set x to 2\n", 6),
        ("    set x to y\n      if x = 2:\n        stop\n      otherwise: set x to 2\n", 4),
    ],
)
def test_a_line_that_is_too_deep_is_told_as_that(body: str, line: int) -> None:
    parsed = read('rule 1 "Test":\n  procedure go:\n' + body)
    assert [(found.code, found.primary.line) for found in parsed.problems if found.primary] == [
        ("E0118", line)
    ]
    assert len(parsed.items) == 1


def test_a_formula_on_several_lines_is_not_taken_for_lines_that_are_too_deep() -> None:
    text = 'rule 1 "Test":\n  define sum: number = 1\n      + 2 3\n  define other: number = 1\n      when 2\n'
    assert [found.code for found in read(text).problems] == ["E0111", "E0111"]
