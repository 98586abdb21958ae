"""What is offered at a place: words that the grammar accepts, and names that are in sight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddob_rules.lsp.asked.completing import completions, data_completions
from ddob_rules.lsp.desk import Desk
from ddob_rules.syntax import drafts
from ddob_rules.syntax.source import Source
from tests.ddob_rules.lsp.editing import OVERLAY, SCENARIO, SMALL, small_game

FRENCH = """\
langue fr
règlement petit "Petit" édition "1"
joueurs rouge "Rouge", bleu "Bleu"

règle 1 "Unités":
  variable moral: nombre = 5
  séquence tour:
    phase matin: diminuer moral de 1
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield Desk()
    # As long as anything is held, whoever reads a file looks for a draft of it first.
    for path in tmp_path.rglob("*.*"):
        drafts.release(path)


def offered(desk: Desk, text: str, name: str = "small/small.rules") -> dict[str, str]:
    """What is offered at the bar in a text, with what is told of it."""
    path = Path(name).resolve()
    offset = text.index("|")
    whole = text[:offset] + text[offset + 1 :]
    desk.put(path, whole)
    complete = completions if name.endswith(".rules") else data_completions
    found = complete(desk, path, Source(name, whole), offset)
    assert drafts.contents(path).decode("utf-8") == whole
    return {item.label: item.detail or "" for item in found}


def test_attributes_come_after_a_dot(desk: Desk) -> None:
    found = offered(desk, SMALL.replace("u.steps > limit", "u.st| > limit"))
    assert found["steps"] == "piece.steps: number"
    assert "owner" in found and "at" in found
    assert "ground" not in found and "limit" not in found and "if" not in found


def test_attributes_come_after_a_dot_at_the_end_of_a_half_typed_line(desk: Desk) -> None:
    found = offered(desk, SMALL.replace("    if u.steps <= 0: remove u\n", "    if (u.|\n"))
    assert {"steps", "owner"} <= set(found)


def test_locals_and_declared_names_come_in_an_expression(desk: Desk) -> None:
    found = offered(desk, SMALL.replace("when not strong(u)", "when not |"))
    assert {"u", "p", "strong", "limit", "adjacent", "some"} <= set(found)
    assert found["strong"] == "define strong(u: unit): flag"
    assert "hit" not in found  # an effect, and no value
    assert "amends" not in found


def test_values_of_the_wanted_enum_come_first(desk: Desk) -> None:
    text = SMALL.replace("flag = u.steps > limit", "flag = u.owner = |")
    assert list(offered(desk, text))[:2] == ["red", "blue"]


def test_the_grammar_says_what_a_line_can_begin_with(desk: Desk) -> None:
    found = offered(desk, SMALL.replace("    decrease u.steps by 1\n", "    |\n"))
    assert {"decrease", "put", "for", "hit", "choose"} & set(found) >= {"decrease", "put", "hit"}
    assert "piece" not in found
    top = offered(desk, SMALL + "|\n")
    assert {"rule", "example"} <= set(top)


def test_types_and_phases_are_offered_where_they_are_wanted(desk: Desk) -> None:
    assert {"number", "flag", "unit", "ground"} <= set(
        offered(desk, SMALL.replace("(u: unit): flag", "(u: |): flag"))
    )
    assert "orders" in offered(desk, SMALL + "  during or|:\n    stop\n")


def test_a_new_name_is_nobodys_business(desk: Desk) -> None:
    assert offered(desk, SMALL + "  define |: number = 1\n") == {}


def test_texts_and_comments_are_left_alone_but_for_braces(desk: Desk) -> None:
    assert offered(desk, SMALL.replace('"not yours"', '"not |"')) == {}
    assert offered(desk, SMALL + "# some |\n") == {}
    text = SMALL.replace("    decrease u.steps by 1\n", '    say "{u.|}"\n')
    assert "steps" in offered(desk, text)


def test_an_overlay_offers_the_words_of_what_it_extends(desk: Desk) -> None:
    text = OVERLAY.replace("value limit = 1", "define strong(u: unit): flag = u.|")
    assert "steps" in offered(desk, text, "harder/harder.rules")
    assert "1" in offered(desk, OVERLAY.replace("amends 1", "amends |"), "harder/harder.rules")


def test_keywords_and_types_are_french_in_a_french_file(desk: Desk) -> None:
    Path("petit").mkdir()
    Path("petit/petit.rules").write_text(FRENCH, encoding="utf-8")
    found = offered(
        desk, FRENCH.replace("    phase matin: diminuer", "    phase matin: |"), "petit/petit.rules"
    )
    assert "augmenter" in found and "increase" not in found
    assert "nombre" in offered(desk, FRENCH.replace(": nombre", ": |"), "petit/petit.rules")


def test_a_scenario_offers_what_the_rules_know(desk: Desk) -> None:
    name = "small/scenarios/first.yaml"
    assert {"red", "blue"} <= set(offered(desk, SCENARIO.replace("owner: red", "owner: |"), name))
    assert "steps" in offered(desk, SCENARIO.replace("{id: R1, ", "{id: R1, |, "), name)


@pytest.mark.parametrize("step", range(7))
def test_nothing_that_is_half_typed_stops_it(desk: Desk, step: int) -> None:
    for offset in range(step * 13, len(SMALL), 91):
        offered(desk, SMALL[:offset] + "|")
        offered(desk, SMALL[:offset] + "|" + SMALL[offset:])


QUESTION = '      choose x in unit where strong(x) by p "Who?"LINE: hit(x)'
ASKING = SMALL.replace("    do: hit(u)\n", f"    do:\n{QUESTION}\n")


def test_behind_a_question_reasons_are_offered_and_what_they_may_name(desk: Desk) -> None:
    assert "else" in offered(desk, ASKING.replace("LINE", "  |"))
    assert "when" in offered(desk, ASKING.replace("LINE", '  else "weak" |'))
    found = offered(desk, ASKING.replace("LINE", '  else "weak" when |'))
    assert {"x", "u", "strong"} <= set(found)
    assert "steps" in offered(desk, ASKING.replace("LINE", '  else "weak" when x.|'))
