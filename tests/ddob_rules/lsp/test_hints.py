"""Semantic colours, hints in the text, lenses on examples and rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from ddob_rules.lsp.asked.colours import MODIFIERS, TYPES, coloured
from ddob_rules.lsp.asked.hints import hints_of
from ddob_rules.lsp.desk import Desk
from ddob_rules.lsp.positions import Ruler
from ddob_rules.syntax import drafts
from ddob_rules.syntax.source import Source
from tests.ddob_rules.lsp.editing import SMALL, Editor, editing, place_of, small_game

RULES = "small/small.rules"
EXAMPLES = """
example "A hit":
  given first
  when hit(R1)
  expect R1.steps = 1

example "A miracle":
  given first
  expect R1.steps = 9
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    small_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield Desk()
    for path in tmp_path.rglob("*.*"):
        drafts.release(path)


def painted(desk: Desk, text: str, language: str = "en") -> dict[tuple[int, str], str]:
    """The type of each coloured word, by line and text."""
    path = Path(RULES).resolve()
    desk.put(path, text)
    source = Source(RULES, text)
    found = coloured(source, desk.index_of(path), RULES, language)
    return {
        (line, source.line_text(line)[column : column + length]): kind
        for line, column, length, kind, _ in found
    }


def test_words_have_the_colour_of_what_they_stand_for(desk: Desk) -> None:
    found = painted(
        desk, SMALL.replace("  value limit", '  # a remark\n  define order: text = "{limit}!"\n  value limit')
    )
    line = {text: number for number, text in found}
    assert found[line["define"], "define"] == "keyword"
    assert found[line["# a remark"], "# a remark"] == "comment"
    assert found[line["limit"], "limit"] == "function"
    assert (line["order"], "order") in found and found[line["order"], "order"] == "function"  # not a keyword
    kinds = {text: kind for (_, text), kind in found.items()}
    assert (
        kinds["unit"] == "class"
        and kinds["ground"] in ("enum", "property")
        and kinds["woods"] == "enumMember"
    )
    assert kinds["orders"] == "event" and kinds["hit"] == "method" and kinds["u"] == "parameter"
    assert (
        kinds["steps"] == "property" and kinds["number"] == "type" and kinds["1"] in ("number", "namespace")
    )
    assert set(kinds.values()) <= set(TYPES) and len(MODIFIERS) == 2


def test_half_typed_rules_keep_their_keywords(desk: Desk) -> None:
    found = painted(desk, SMALL.replace("do: hit(u)", "do: hit((u"))
    assert {kind for (_, text), kind in found.items() if text == "action"} == {"keyword"}


def test_hints_tell_who_amends_a_rule_and_what_a_value_is(desk: Desk) -> None:
    path = Path(RULES).resolve()
    desk.put(path, SMALL)
    found = {str(_label(hint)): hint.position for hint in hints_of(desk, path, 6, Ruler())}
    assert found["(turn 6: 3)"] == place_of(SMALL, "limit = 2", len("limit"))
    assert found["amended by 1-hard (harder)"].line == place_of(SMALL, 'rule 1 "Units"').line
    early = [_label(hint) for hint in hints_of(desk, path, 1, Ruler())]
    assert "(turn 1: 2)" in early


def _label(hint: types.InlayHint) -> str:
    return hint.label if isinstance(hint.label, str) else hint.label[0].value


def test_lenses_run_examples_and_tell_how_they_went(tmp_path: Path) -> None:
    small_game(tmp_path)
    (tmp_path / RULES).write_text(SMALL + EXAMPLES, encoding="utf-8")
    with editing(tmp_path) as editor:
        editor.open(RULES)
        _run(editor)


def _run(editor: Editor) -> None:
    before = _lenses(editor)
    line = place_of(SMALL + EXAMPLES, 'example "A hit"').line
    run = next(one for one in before if one.range.start.line == line)
    assert run.command is not None and run.command.title == "Run the example"
    everything = next(one for one in before if one.range.start.line == 0)
    assert everything.command is not None
    params = types.ExecuteCommandParams(everything.command.command, everything.command.arguments)
    editor.ask("workspace_execute_command", params)
    [failed] = [one for one in editor.findings(RULES, "E0726") if one.code == "E0726"]
    assert failed.range.start.line == place_of(SMALL + EXAMPLES, "expect R1.steps = 9").line
    told = {(one.range.start.line, one.command.title) for one in _lenses(editor) if one.command is not None}
    assert (line, "holds") in told
    assert (place_of(SMALL + EXAMPLES, 'example "A miracle"').line, "fails") in told
    reached = [title for _, title in told if title.startswith("examples reach")]
    assert reached
    assert any("1 failed" in one.message for one in editor.client.messages)


def _lenses(editor: Editor) -> list[types.CodeLens]:
    found: list[types.CodeLens] = editor.ask(
        "text_document_code_lens", types.CodeLensParams(editor.document(RULES))
    )
    return found


def test_an_editor_gets_tokens_and_hints(tmp_path: Path) -> None:
    small_game(tmp_path)
    with editing(tmp_path) as editor:
        text = SMALL.replace('"not yours"', '"𝄞 not yours"')
        editor.open(RULES, text)
        tokens = editor.ask(
            "text_document_semantic_tokens_full", types.SemanticTokensParams(editor.document(RULES))
        )
        assert len(tokens.data) % 5 == 0 and len(tokens.data) > 100
        assert all(number >= 0 for number in tokens.data)
        whole = types.Range(types.Position(0, 0), types.Position(100, 0))
        hints = editor.ask("text_document_inlay_hint", types.InlayHintParams(editor.document(RULES), whole))
        assert hints
