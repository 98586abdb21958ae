"""What the server answers when an editor asks about a place or a file: one function a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from ddob_rules.index import Index, Spot
from ddob_rules.lsp.asked.colours import MODIFIERS, TYPES, coloured, encoded
from ddob_rules.lsp.asked.completing import completions, data_completions
from ddob_rules.lsp.asked.fixes import Finding, fixes_of, shown_fix
from ddob_rules.lsp.asked.formatting import edits_of
from ddob_rules.lsp.asked.hints import RUN, Results, hints_of, lenses_of
from ddob_rules.lsp.asked.hovering import told_of
from ddob_rules.lsp.asked.links import data_word, definitions, named_in_rules, references, spot_at
from ddob_rules.lsp.asked.outline import folds_of, found_symbols, symbols_of
from ddob_rules.lsp.asked.renaming import Refused, home_of, may_rename, renamed
from ddob_rules.lsp.positions import file_of, path_of, uri_of
from ddob_rules.lsp.server import Server
from ddob_rules.resources import shown_path
from ddob_rules.syntax.format import format_source
from ddob_rules.syntax.parse import ParsedFile
from ddob_rules.syntax.source import Source, Span

Answer = TypeVar("Answer")


def register(server: Server) -> None:
    """Makes the server answer."""

    def answers(method: str, answer: Callable[[Server, Any], Any], *options: Any) -> None:
        def guarded(params: Any) -> Any:
            return server.answered(lambda: answer(server, params), None)

        server.feature(method, *options)(guarded)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def renaming(params: types.RenameParams) -> types.WorkspaceEdit | None:
        answer = server.answered(lambda: renamed_everywhere(server, params), None)
        if isinstance(answer, Refused):
            raise JsonRpcInvalidParams(str(answer))
        return answer

    answers(types.TEXT_DOCUMENT_FORMATTING, formatted)
    answers(types.TEXT_DOCUMENT_HOVER, hovered)
    answers(types.TEXT_DOCUMENT_DEFINITION, defined)
    answers(types.TEXT_DOCUMENT_REFERENCES, referred)
    answers(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, highlighted)
    answers(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outlined)
    answers(types.WORKSPACE_SYMBOL, searched)
    answers(types.TEXT_DOCUMENT_FOLDING_RANGE, folded)
    answers(types.TEXT_DOCUMENT_CODE_ACTION, mended, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    answers(types.TEXT_DOCUMENT_PREPARE_RENAME, may_be_renamed)
    answers(types.TEXT_DOCUMENT_INLAY_HINT, hinted)
    answers(types.TEXT_DOCUMENT_CODE_LENS, looked_at, types.CodeLensOptions(resolve_provider=False))
    legend = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
    answers(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, painted, legend)

    @server.command(RUN)
    def run(uri: str, title: str = "") -> None:
        server.answered(lambda: server.run_examples(uri, title), None)

    answers(
        types.TEXT_DOCUMENT_COMPLETION, completed, types.CompletionOptions(trigger_characters=[".", " ", "("])
    )


def rules_file(server: Server, uri: str) -> tuple[Path, Source] | None:
    """The path and the text of a file of rules; None for any other."""
    path = path_of(uri)
    source = server.desk.source(path) if path is not None and path.suffix == ".rules" else None
    return (path, source) if path is not None and source is not None else None


def word_at(server: Server, uri: str, position: types.Position) -> tuple[Index, Spot] | None:
    """The word under the cursor, in rules or in data."""
    path = path_of(uri)
    source = server.desk.source(path) if path is not None else None
    if path is None or source is None:
        return None
    offset = server.ruler.offset(source, position)
    if path.suffix == ".rules":
        return spot_at(server.desk, path, offset, source)
    name, index = data_word(source, offset), server.desk.index_of_data(path)
    found = named_in_rules(index, name) if index is not None and name else []
    return (index, found[0]) if index is not None and found else None


def locations(server: Server, spans: Iterable[Span]) -> list[types.Location]:
    return [types.Location(uri_of(file_of(span.source.path)), server.ruler.range(span)) for span in spans]


# ---------------------------------------------------------------- one function a request


def formatted(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    found = rules_file(server, params.text_document.uri)
    if found is None:
        return None
    path, source = found
    text, problems = format_source(source)
    return None if problems else edits_of(server.desk.texts.get(path, source.text), text, server.ruler)


def hovered(server: Server, params: types.HoverParams) -> types.Hover | None:
    found = word_at(server, params.text_document.uri, params.position)
    if found is None:
        return None
    index, spot = found
    text = told_of(index, spot, server.desk.language)
    inside = path_of(params.text_document.uri) == file_of(spot.span.source.path)
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, server.ruler.range(spot.span) if inside else None)


def defined(server: Server, params: types.DefinitionParams) -> list[types.Location] | None:
    found = word_at(server, params.text_document.uri, params.position)
    return locations(server, definitions(*found)) if found is not None else None


def referred(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    found = word_at(server, params.text_document.uri, params.position)
    if found is None:
        return None
    spot = found[1]
    path = home_of(server.desk, *found)
    declared = params.context.include_declaration
    return locations(server, references(server.desk, path, spot, declared=declared))


def highlighted(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    found = word_at(server, params.text_document.uri, params.position)
    if found is None or path_of(params.text_document.uri) != file_of(found[1].span.source.path):
        return None
    index, spot = found
    own = [one for one in index.file(spot.span.source.path) if one.key == spot.key]
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [types.DocumentHighlight(server.ruler.range(one.span), kinds[one.declares]) for one in own]


def outlined(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
    found = rules_file(server, params.text_document.uri)
    return symbols_of(server.desk.shelf.items.parse(found[1]), server.ruler) if found is not None else None


def searched(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    desk = server.desk
    indexes = [index for stack in desk.stacks() if (index := desk.index(stack)) is not None]
    return found_symbols(indexes, params.query, server.ruler)


def folded(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    found = rules_file(server, params.text_document.uri)
    return folds_of(found[1]) if found is not None else None


def completed(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    path = path_of(params.text_document.uri)
    source = server.desk.source(path) if path is not None else None
    if path is None or source is None:
        return None
    offset = server.ruler.offset(source, params.position)
    complete = completions if path.suffix == ".rules" else data_completions
    return types.CompletionList(is_incomplete=False, items=complete(server.desk, path, source, offset))


def may_be_renamed(server: Server, params: types.PrepareRenameParams) -> types.Range | None:
    found = word_at(server, params.text_document.uri, params.position)
    if found is None or not may_rename(found[1]):
        return None
    own = path_of(params.text_document.uri) == file_of(found[1].span.source.path)
    return server.ruler.range(found[1].span) if own else None


def renamed_everywhere(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | Refused | None:
    found = word_at(server, params.text_document.uri, params.position)
    if found is None:
        return None
    try:
        places = renamed(server.desk, *found, params.new_name)
    except Refused as refused:
        return refused
    return types.WorkspaceEdit(
        changes={
            uri_of(path): [types.TextEdit(server.ruler.range(span), params.new_name) for span in spans]
            for path, spans in places.items()
        }
    )


def mended(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    path = path_of(params.text_document.uri)
    source = server.desk.source(path) if path is not None else None
    if path is None or source is None:
        return None
    parsed = (
        server.desk.shelf.items.parse(source) if path.suffix == ".rules" else ParsedFile(source, "en", (), ())
    )
    found: list[types.CodeAction] = []
    for shown in params.context.diagnostics:
        data = shown.data if isinstance(shown.data, dict) else {}
        start, end = (server.ruler.offset(source, place) for place in (shown.range.start, shown.range.end))
        arguments = {str(name): str(value) for name, value in dict(data.get("arguments") or {}).items()}
        finding = Finding(
            str(shown.code),
            str(data.get("meant") or ""),
            arguments,
            str(data.get("rule") or ""),
            start,
            end,
            parsed,
        )
        for fix in fixes_of(finding):
            first = not any(shown in (action.diagnostics or ()) for action in found)
            language = server.desk.language
            found.append(
                shown_fix(fix, shown, params.text_document.uri, source, server.ruler, language, first)
            )
    return found


def hinted(server: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    found = rules_file(server, params.text_document.uri)
    if found is None:
        return None
    first, last = params.range.start.line, params.range.end.line
    hints = hints_of(server.desk, found[0], server.turn, server.ruler)
    return [hint for hint in hints if first <= hint.position.line <= last]


def looked_at(server: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    found = rules_file(server, params.text_document.uri)
    if found is None:
        return None
    parsed = server.desk.shelf.items.parse(found[1])
    results = server.results.get(found[0].parent, Results())
    return lenses_of(parsed, params.text_document.uri, results, server.ruler, server.desk.language)


def painted(server: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    found = rules_file(server, params.text_document.uri)
    if found is None:
        return None
    path, source = found
    language = server.desk.shelf.items.parse(source).language
    words = coloured(source, server.desk.index_of(path), shown_path(path), language)
    return types.SemanticTokens(encoded(words, source, server.ruler))
