"""Translating rules: the words change, and nothing else does."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules.resources import rulesets_folder
from ddob_rules.syntax.format import format_source
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.translate import translate_source
from ddob_rules.syntax.words import words
from tests.places import CASES

FOLDER = CASES
EVERY_CONSTRUCT = FOLDER / "parse" / "every-construct.rules"
NAME = "a.rules"
SHIPPED = [EVERY_CONSTRUCT, *sorted(rulesets_folder().rglob("*.rules"))]


def translated(text: str, to: str) -> str:
    result, problems = translate_source(Source(NAME, text), to)
    assert problems == []
    return result


def clashes(text: str, to: str = "fr") -> list[tuple[str, str, int, int]]:
    source = Source("a.rules", text)
    unchanged, problems = translate_source(source, to)
    assert unchanged == text
    places = [(problem, problem.primary) for problem in problems]
    return [(p.code, p.argument("name"), span.line, span.column) for p, span in places if span is not None]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.stem))
def test_there_and_back_is_the_same_file(path: Path) -> None:
    english = path.read_text(encoding="utf-8")  # in the house style, as another test knows
    if english.startswith("language "):
        english = translated(english, "en")
    french = translated(english, "fr")
    assert translated(french, "en") == english
    # Of the same name as above, so that it is read once for both.
    assert format_source(Source(NAME, french)) == (french, [])


def test_translation_is_read_as_the_same_rules() -> None:
    english = EVERY_CONSTRUCT.read_text(encoding="utf-8")
    french = translated(english, "fr")
    assert french != english
    assert parse_file(Source("a.rules", french)).items == parse_file(Source("a.rules", english)).items


def test_french_words_are_written_and_names_texts_and_comments_kept() -> None:
    english = (
        "# About rule 1.\n"
        'rule 1 "The rule":\n'
        "  piece rule_piece:\n"
        "    strength: number = 3  # a number\n"
        "  define weak(u: rule_piece): flag = u.strength < 2 and not u.at in {mill}\n"
    )
    assert translated(english, "fr") == (
        "language fr\n"
        "\n"
        "# About rule 1.\n"
        'règle 1 "The rule":\n'
        "  pion rule_piece:\n"
        "    strength: nombre = 3  # a number\n"
        "  définir weak(u: rule_piece): oui_non = u.strength < 2 et pas u.lieu est dans {mill}\n"
    )


def test_layout_of_a_file_in_another_style_is_kept() -> None:
    english = "rule   1:\n     value x=1   # one\n     table t(n: number) -> number:\n       |n|up to 3|\n"
    assert translated(english, "fr") == (
        "language fr\nrègle   1:\n     valeur x=1   # one\n"
        "     table t(n: nombre) -> nombre:\n       |n|jusqu'à 3|\n"
    )


def test_tables_of_a_formatted_file_are_aligned_again() -> None:
    english = "rule 1:\n  chart c:\n    | up to 3 | x |\n    | any     | y |\n"
    assert translated(english, "fr").endswith("    | jusqu'à 3    | x |\n    | toute valeur | y |\n")


def test_expressions_in_texts_are_translated_with_the_rest() -> None:
    english = rule_that_says("{count(unit)} units of {u.at}, {} and {?} and {x")
    french = translated(english, "fr")
    assert 'dire "{nombre de(unit)} units of {u.lieu}, {} and {?} and {x"' in french
    assert translated(french, "en") == english


def test_words_are_those_of_their_place_in_the_sentence() -> None:
    english = (
        "rule 1:\n"
        "  piece unit:\n"
        "    moves: number = 4 each phase orders\n"
        "  procedure p(u: unit):\n"
        "    decrease u.moves by 2\n"
        "    repeat up to 3 times while some e in unit where e.at not in {mill}: unmark u as tired\n"
        "    for each e in unit where no unit at e.at ordered by e.moves: let c = draw from cards\n"
        "    let v = choose from x in unit where x.moves in 1..3 or from turn 4 by red\n"
        "    choose x in unit by red: set x.tired to no\n"
    )
    french = translated(english, "fr")
    assert french == (
        "language fr\n\n"
        "règle 1:\n"
        "  pion unit:\n"
        "    moves: nombre = 4 à chaque phase orders\n"
        "  procédure p(u: unit):\n"
        "    diminuer u.moves de 2\n"
        "    répéter jusqu'à 3 fois tant qu'il y a e de unit où e.lieu n'est pas dans {mill}: "
        "ne plus marquer u comme tired\n"
        "    pour chaque e de unit où aucun unit en e.lieu classés selon e.moves: soit c = piocher de cards\n"
        "    soit v = choisir parmi x de unit où x.moves est dans 1..3 ou à partir du tour 4 par red\n"
        "    choisir x parmi unit par red: mettre x.tired à non\n"
    )
    assert translated(french, "en") == english


def test_a_chapter_written_in_french_by_hand_reads_the_same_after_a_way_through_english() -> None:
    chapter = Path(__file__).parents[2] / "cases" / "chapters" / "omaha-francais" / "13-victoire.rules"
    french = chapter.read_text(encoding="utf-8")
    english = translated(french, "en")
    assert "count(v in draw_name where" in english and "no " not in english.split("example")[0]
    assert translated(english, "fr") == french


def test_name_in_a_text_that_reads_differently_is_told() -> None:
    assert clashes(rule_that_says("{rien}"))[0][:3] == ("E0115", '"{rien}"', 3)


def rule_that_says(text: str) -> str:
    return f'rule 1:\n  procedure p:\n    say "{text}"\n'


def test_plural_stays_plural() -> None:
    english = "rule 1:\n  sequence turn:\n    phase play: p takes 2 actions\n"
    assert translated(translated(english, "fr"), "en") == english
    assert "2 actions" in translated(english, "fr")


def test_comment_of_the_language_line_is_kept() -> None:
    assert translated("language fr  # essai\nrègle 1\n", "en") == "# essai\nrule 1\n"


def test_language_line_below_a_comment_is_removed() -> None:
    assert translated("# essai\nlanguage fr\nrègle 1\n", "en") == "# essai\nrule 1\n"


def test_file_in_the_language_already_stays_as_it_is() -> None:
    assert translated("rule   1\n", "en") == "rule   1\n"
    assert translated("langue fr\nrègle   1\n", "fr") == "langue fr\nrègle   1\n"


def test_name_that_is_a_word_of_the_other_language_is_told_once_for_each_rule() -> None:
    text = (
        "rule 1:\n  define x: number = rien\n  define y: number = rien\n\n"
        "rule 2:\n  define y: number = tout\n\n"
        "rule 3:\n  define z: number = lui + 1\n"
    )
    assert clashes(text) == [("E0115", "rien", 2, 22), ("E0115", "tout", 6, 22), ("E0115", "lui", 9, 22)]


def test_name_that_completes_a_phrase_of_the_other_language_is_told() -> None:
    text = "rule 1:\n  procedure p: let x = choose from unit where it.ready or aucun\n"
    assert clashes(text) == [("E0115", "aucun", 2, 59)]


def test_word_of_the_other_language_is_a_good_name_where_no_word_can_stand() -> None:
    assert "définir quand(si: unit): nombre = 2" in translated(
        "rule 1:\n  define quand(si: unit): number = 2\n", "fr"
    )


def test_unknown_language_is_told() -> None:
    text, problems = translate_source(Source("a.rules", "rule 1\n"), "de")
    assert text == "rule 1\n"
    assert [problem.code for problem in problems] == ["E0110"]


def test_file_with_a_mistake_stays_as_it_is() -> None:
    text, problems = translate_source(Source("a.rules", "rul 1\n"), "fr")
    assert text == "rul 1\n"
    assert [problem.code for problem in problems] == ["E0111"]


def _names() -> st.SearchStrategy[str]:
    """Words of both languages, and others; read when a test needs them."""
    known = {word for language in ("en", "fr") for word in words(language).first_words}
    return st.sampled_from(sorted(known | {"x", "lui", "it", "taille"}))


NAMES = st.deferred(_names)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(NAMES, NAMES, st.sampled_from(["en", "fr"]))
def test_any_name_is_translated_faithfully_or_refused(first: str, second: str, language: str) -> None:
    text = _every_rule(language).replace("alpha", first).replace("omega", second)
    source = Source("a.rules", text)
    before = parse_file(source)
    other = {"en": "fr", "fr": "en"}[language]
    result, problems = translate_source(source, other)
    if problems:
        assert result == text
    else:
        assert _meaning(parse_file(Source("a.rules", result)).items) == _meaning(before.items)


def _meaning(items: tuple[Node, ...]) -> list[tuple[str, str]]:
    return [(part.terminal, part.text) for item in items for part in item.walk() if isinstance(part, Leaf)]


_ENGLISH = (
    "rule 1:\n"
    "  define alpha(omega: unit): number = omega + alpha(omega) - 1 if alpha in omega otherwise omega.alpha\n"
    "  procedure omega: put alpha on omega\n"
    "  chart omega:\n"
    "    | alpha | up to omega |\n"
)


@cache
def _every_rule(language: str) -> str:
    return _ENGLISH if language == "en" else translate_source(Source("a.rules", _ENGLISH), language)[0]
