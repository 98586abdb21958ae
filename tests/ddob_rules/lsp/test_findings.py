"""Findings as one types, in rules, overlays and scenarios; and the layout of a file."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from lsprotocol import types

from tests.ddob_rules.lsp.editing import OVERLAY, SCENARIO, SMALL, Editor, editing, place_of, small_game


@pytest.fixture(scope="module")
def one_editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    with editing(tmp_path_factory.mktemp("workspace")) as found:
        yield found


@pytest.fixture
def editor(one_editor: Editor) -> Iterator[Editor]:
    """Each test has a game of its own; a server takes longer to start than to answer."""
    found = one_editor.in_folder(f"test-{uuid4().hex}")
    small_game(found.folder)
    yield found
    assert found.complaints == []
    found.leave()


def test_findings_come_and_go_as_one_types(editor: Editor) -> None:
    assert editor.open("small/small.rules") == []
    [finding] = editor.change("small/small.rules", SMALL.replace("u.steps > limit", "u.stps > limit"))
    assert finding.code == "E0204"
    assert finding.severity == types.DiagnosticSeverity.Error
    assert "did you mean `steps`?" in finding.message
    assert finding.range.start == place_of(SMALL, "u.steps > limit", 2)
    assert finding.code_description is not None and finding.code_description.href.endswith("E0204.md")
    assert editor.change("small/small.rules", SMALL) == []


def test_a_draft_counts_although_it_is_not_saved(editor: Editor) -> None:
    editor.open("small/small.rules", SMALL.replace("value limit", "value border"))
    found = editor.findings("small/small.rules", "E0201")
    assert [one.code for one in found] == ["E0201"]
    assert (editor.folder / "small/small.rules").read_text("utf-8") == SMALL


def test_an_overlay_is_checked_on_what_it_extends(editor: Editor) -> None:
    assert editor.open("harder/harder.rules") == []
    [finding] = editor.change("harder/harder.rules", OVERLAY.replace("amends 1:", "amends 11:"))
    assert finding.code == "E0502"
    editor.change("harder/harder.rules", OVERLAY)
    # What is typed in the base, and not saved, is what the overlay amends.
    editor.open("small/small.rules", SMALL.replace("limit", "border"))
    assert editor.findings("harder/harder.rules", "E0514")


def test_letters_that_take_two_places_are_counted_as_the_editor_counts(editor: Editor) -> None:
    text = SMALL.replace('"it is strong" (1)', '"𝄞𝄞 it is strong" (9)')
    [finding] = editor.open("small/small.rules", text)
    assert finding.code == "E0225"
    assert finding.range.start == place_of(text, "(9)", 1)


def test_scenarios_have_findings_too(editor: Editor) -> None:
    text = SCENARIO.replace("owner: blue, at: b2", "owner: bleu, at: z9")
    editor.open("small/scenarios/first.yaml", text, "yaml")
    found = editor.findings("small/scenarios/first.yaml", "E0615")
    assert found and found[0].range.start.line == place_of(text, "bleu").line


def test_half_typed_text_and_files_that_vanish_are_no_reason_to_stop(editor: Editor) -> None:
    assert editor.open("small/small.rules") == []
    for end in range(0, len(SMALL), 61):
        editor.change("small/small.rules", SMALL[:end])
    (editor.folder / "small/small.rules").unlink()
    (editor.folder / "small/scenarios/first.yaml").unlink()
    editor.change("small/small.rules", SMALL.replace("rule 2", "rule"))
    (editor.folder / "small/small.rules").write_text(SMALL, encoding="utf-8")
    assert editor.change("small/small.rules", SMALL) == []


def test_a_text_without_a_file_is_left_alone(editor: Editor) -> None:
    item = types.TextDocumentItem("untitled:Untitled-1", "ddob", 1, "rule")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    params = types.DocumentFormattingParams(
        types.TextDocumentIdentifier("untitled:Untitled-1"), types.FormattingOptions(2, True)
    )
    assert editor.ask("text_document_formatting", params) is None


def test_formatting_touches_only_what_changes(editor: Editor) -> None:
    text = SMALL.replace("  value limit", "     value   limit").replace("\n", "\r\n")
    editor.open("small/small.rules", text)
    params = types.DocumentFormattingParams(
        editor.document("small/small.rules"), types.FormattingOptions(2, True)
    )
    assert editor.ask("text_document_formatting", params) is None  # it is indented wrongly
    editor.change("small/small.rules", SMALL.replace("value limit", "value   limit").replace("\n", "\r\n"))
    [edit] = editor.ask("text_document_formatting", params)
    assert edit.range.start.line == place_of(SMALL, "value limit").line
    assert edit.new_text == "  value limit = 2 until turn 4, 3 from turn 5\r\n"


def test_an_overlay_that_is_not_open_has_findings_when_its_base_changes(editor: Editor) -> None:
    editor.open("small/small.rules", SMALL.replace("limit", "border"))
    assert editor.findings("harder/harder.rules", "E0514")


@pytest.mark.parametrize("end", [len(SMALL), 700, 523, 311])
def test_every_question_at_every_place_has_an_answer(editor: Editor, end: int) -> None:
    name = "small/small.rules"
    editor.open(name, SMALL[:end])
    document = editor.document(name)
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    for method, params in {
        "text_document_semantic_tokens_full": types.SemanticTokensParams(document),
        "text_document_inlay_hint": types.InlayHintParams(document, whole),
        "text_document_code_lens": types.CodeLensParams(document),
        "text_document_document_symbol": types.DocumentSymbolParams(document),
        "text_document_folding_range": types.FoldingRangeParams(document),
        "text_document_code_action": types.CodeActionParams(
            document, whole, types.CodeActionContext(editor.findings(name))
        ),
    }.items():
        editor.ask(method, params)
    lines = SMALL[:end].split("\n")
    places = [
        types.Position(line, column) for line in range(0, len(lines) + 2, 3) for column in (0, 7, 30, 9_999)
    ]
    for place in places:
        editor.ask("text_document_hover", types.HoverParams(document, place))
        editor.ask("text_document_definition", types.DefinitionParams(document, place))
        editor.ask("text_document_prepare_rename", types.PrepareRenameParams(document, place))
        editor.ask("text_document_document_highlight", types.DocumentHighlightParams(document, place))
        context = types.ReferenceContext(True)
        editor.ask("text_document_references", types.ReferenceParams(context, document, place))
    for place in places[::3]:
        editor.ask("text_document_completion", types.CompletionParams(document, place))
    # The fixture fails the test if the server has complained of itself.
