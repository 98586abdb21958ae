"""Hover, definition, references, symbols and folds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.ddob_rules.lsp.editing import OVERLAY, SCENARIO, SMALL, Editor, editing, place_of, small_game

RULES = "small/small.rules"
CATALOGUE = """\
titles:
  rule 1 text:
    source: Units have steps.
    translation: Les unités ont des pas.
  value ground woods:
    source: woods
    translation: bois
  attribute steps:
    source: steps
    translation: pas
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("links")
    small_game(folder)
    (folder / "small/locale").mkdir()
    (folder / "small/locale/fr.yaml").write_text(CATALOGUE, encoding="utf-8")
    with editing(folder) as found:
        found.open(RULES)
        found.open("harder/harder.rules")
        found.open("small/scenarios/first.yaml", language="yaml")
        yield found


def hover(editor: Editor, name: str, position: types.Position) -> str:
    found = editor.ask("text_document_hover", types.HoverParams(editor.document(name), position))
    return str(found.contents.value) if found is not None else ""


def places(editor: Editor, found: Any) -> set[tuple[str, int, int]]:
    names = {editor.uri(name): name for name in (*_files(editor.folder),)}
    return {(names[one.uri], one.range.start.line, one.range.start.character) for one in found}


def _files(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*.*")]


def at(name: str, text: str, mark: str, before: int = 0) -> tuple[str, int, int]:
    place = place_of(text, mark, before)
    return (name, place.line, place.character)


def definition(editor: Editor, name: str, position: types.Position) -> set[tuple[str, int, int]]:
    params = types.DefinitionParams(editor.document(name), position)
    return places(editor, editor.ask("text_document_definition", params) or [])


def references(editor: Editor, name: str, position: types.Position) -> set[tuple[str, int, int]]:
    params = types.ReferenceParams(types.ReferenceContext(True), editor.document(name), position)
    return places(editor, editor.ask("text_document_references", params) or [])


def test_hover_tells_type_rule_and_sentence_in_both_languages(editor: Editor) -> None:
    text = hover(editor, RULES, place_of(SMALL, "strong(u)  else", 2))
    assert "define strong(u: unit): flag" in text
    assert "rule **1** Units" in text
    assert "Units have steps." in text
    assert "Les unités ont des pas." in text


def test_hover_in_an_overlay_tells_what_amends_the_rule(editor: Editor) -> None:
    text = hover(editor, "harder/harder.rules", place_of(OVERLAY, "limit = 1"))
    assert "value limit: number" in text
    assert "amended by **1-hard** Harder units" in text
    assert "Units are strong with two steps." in text


@pytest.mark.parametrize(
    ("mark", "before", "told"),
    [
        ("u.owner = p", 0, "u: unit"),
        ("u.steps > limit", 2, "piece.steps: number"),
        ("clear, woods", 8, "ground: woods"),
        ("in orders", 3, "phase orders"),
        ('"not yours" (2)', 13, "rule **2** Turns"),
        ("remove u", 7, "u: unit"),
    ],
)
def test_hover_knows_every_sort_of_word(editor: Editor, mark: str, before: int, told: str) -> None:
    assert told in hover(editor, RULES, place_of(SMALL, mark, before))


def test_places_that_do_not_exist_are_answered_with_nothing(editor: Editor) -> None:
    for line, column in ((0, 10_000), (10_000, 0), (10_000, 10_000)):
        assert hover(editor, RULES, types.Position(line, column)) == ""


def test_definition_leads_to_the_base_and_to_what_amends_it(editor: Editor) -> None:
    found = definition(editor, "harder/harder.rules", place_of(OVERLAY, "limit = 1"))
    assert found == {at(RULES, SMALL, "limit = 2"), at("harder/harder.rules", OVERLAY, "limit = 1")}
    assert definition(editor, "harder/harder.rules", place_of(OVERLAY, "amends 1", 7)) == {
        at(RULES, SMALL, 'rule 1 "Units"', 5)
    }


def test_definition_of_a_local_is_where_it_is_introduced(editor: Editor) -> None:
    found = definition(editor, RULES, place_of(SMALL, "remove u", 7))
    assert found == {at(RULES, SMALL, "procedure hit(u", 14)}


def test_definition_leads_from_a_scenario_to_the_rules(editor: Editor) -> None:
    found = definition(editor, "small/scenarios/first.yaml", place_of(SCENARIO, "owner: red"))
    assert found == {at(RULES, SMALL, "owner: player")}


def test_references_are_found_in_rules_overlays_scenarios_and_catalogues(editor: Editor) -> None:
    found = references(editor, RULES, place_of(SMALL, "limit = 2"))
    assert found == {
        at(RULES, SMALL, "limit = 2"),
        at(RULES, SMALL, "> limit", 2),
        at("harder/harder.rules", OVERLAY, "limit = 1"),
    }
    woods = references(editor, RULES, place_of(SMALL, "clear, woods", 8))
    assert woods == {
        at(RULES, SMALL, "clear, woods", 7),
        at("small/scenarios/first.yaml", SCENARIO, "ground: woods", 8),
        at("small/locale/fr.yaml", CATALOGUE, "value ground woods", 13),
    }
    owner = references(editor, RULES, place_of(SMALL, "owner: player"))
    assert at("small/scenarios/first.yaml", SCENARIO, "owner: red") in owner
    assert at(RULES, SMALL, "u.owner = p", 2) in owner


def test_symbols_are_rules_by_number(editor: Editor) -> None:
    found = editor.ask("text_document_document_symbol", types.DocumentSymbolParams(editor.document(RULES)))
    rules = [one for one in found if one.kind == types.SymbolKind.Namespace]
    assert [one.name for one in rules] == ["1 Units", "2 Turns"]
    assert [one.name for one in rules[1].children] == ["turn", "rest", "hit"]
    searched = editor.ask("workspace_symbol", types.WorkspaceSymbolParams("1-h"))
    assert [one.name for one in searched] == ["1-hard Harder units"]


def test_rules_and_blocks_fold(editor: Editor) -> None:
    found = editor.ask("text_document_folding_range", types.FoldingRangeParams(editor.document(RULES)))
    folds = {(one.start_line, one.end_line) for one in found}
    first = place_of(SMALL, 'rule 1 "Units"').line
    assert (first, place_of(SMALL, "define strong").line) in folds
    assert (place_of(SMALL, "piece unit").line, place_of(SMALL, "steps: number").line) in folds


def test_a_word_is_marked_wherever_it_stands(editor: Editor) -> None:
    params = types.DocumentHighlightParams(editor.document(RULES), place_of(SMALL, "limit = 2"))
    found = editor.ask("text_document_document_highlight", params)
    assert [one.range.start for one in found] == [place_of(SMALL, "limit = 2"), place_of(SMALL, "> limit", 2)]
