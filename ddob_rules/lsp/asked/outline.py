"""The outline of a file: its rules by number, what they declare, and what can be folded away."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from ddob_rules.index import Index
from ddob_rules.lsp.positions import Ruler, file_of, uri_of
from ddob_rules.stack.book import text_of
from ddob_rules.syntax.nodes import Leaf, Node, overlay, rules
from ddob_rules.syntax.parse import ParsedFile
from ddob_rules.syntax.source import Source, Span

_SORTS = {
    "enum": types.SymbolKind.Enum, "piece": types.SymbolKind.Class, "card": types.SymbolKind.Class,
    "record": types.SymbolKind.Struct,
    "space": types.SymbolKind.Class, "edge": types.SymbolKind.Class, "each": types.SymbolKind.Property,
    "pile": types.SymbolKind.Array, "dice": types.SymbolKind.Array, "variable": types.SymbolKind.Variable,
    "value": types.SymbolKind.Constant, "define": types.SymbolKind.Function,
    "way": types.SymbolKind.Function, "table": types.SymbolKind.Array,
    "chart": types.SymbolKind.Array, "priority": types.SymbolKind.Operator, "action": types.SymbolKind.Event,
    "action_also": types.SymbolKind.Event, "procedure": types.SymbolKind.Method,
    "trigger": types.SymbolKind.Event, "option": types.SymbolKind.Boolean, "example": types.SymbolKind.File,
}  # fmt: skip
# More answers than a person looks through.
_MOST = 200


def symbols_of(parsed: ParsedFile, ruler: Ruler) -> list[types.DocumentSymbol]:
    """The rules of a file by number, with what they declare."""
    found: list[types.DocumentSymbol] = []
    for start in parsed.items:
        symbol = _symbol(start.item, ruler)
        if symbol is not None:
            found.append(symbol)
    return found


def _symbol(node: Node, ruler: Ruler) -> types.DocumentSymbol | None:
    match node:
        case rules.Rule():
            alone = [one for inner in node.declarations for one in rules.singly(inner)]
            children = [made for inner in alone if (made := _symbol(inner, ruler)) is not None]
            title = text_of(node.title)
            return _made(
                node,
                node.number,
                f"{node.number.text} {title}".strip(),
                types.SymbolKind.Namespace,
                ruler,
                children,
            )
        case rules.Example():
            return _made(node, node.title, text_of(node.title), types.SymbolKind.File, ruler)
        case rules.Ruleset():
            return _made(node, node.name, node.name.text, types.SymbolKind.Module, ruler)
        case rules.OptionLine():
            return _symbol(node.option, ruler)
        case rules.Attach():
            words = f"{node.moment.span.text} {node.phase.text}"
            return _made(node, node.phase, words, types.SymbolKind.Event, ruler)
        case overlay.TableEdit():
            return _made(node, node.table, node.table.text, types.SymbolKind.Array, ruler)
        case _:
            name = getattr(node, "name", None)
            if not isinstance(name, Leaf):
                return None
            return _made(node, name, name.text, _SORTS.get(node.kind, types.SymbolKind.Object), ruler)


def _made(
    node: Node, name: Leaf, shown: str, kind: types.SymbolKind, ruler: Ruler,
    children: list[types.DocumentSymbol] | None = None,
) -> types.DocumentSymbol:  # fmt: skip
    whole = Span(node.span.source, min(node.span.start, name.span.start), max(node.span.end, name.span.end))
    return types.DocumentSymbol(
        name=shown or node.kind, kind=kind, range=ruler.range(whole), selection_range=ruler.range(name.span),
        detail=node.kind, children=children or None,
    )  # fmt: skip


def found_symbols(indexes: list[Index], query: str, ruler: Ruler) -> list[types.WorkspaceSymbol]:
    """Rules by number or title, and what they declare, whose name has the letters that were typed."""
    found: dict[tuple[str, str], types.WorkspaceSymbol] = {}
    for index in indexes:
        for name, span, kind, inside in _named(index):
            if _matches(query, name) and len(found) < _MOST:
                uri = uri_of(file_of(span.source.path))
                place = types.Location(uri, ruler.range(span))
                found.setdefault((uri, name), types.WorkspaceSymbol(place, name, kind, container_name=inside))
    return list(found.values())


def _named(index: Index) -> Iterator[tuple[str, Span, types.SymbolKind, str]]:
    for book in index.checked.books:
        for block in book.rules:
            yield f"{block.id} {block.title}".strip(), block.span, types.SymbolKind.Namespace, book.title
            for declaration in block.declarations:
                kind = _SORTS.get(declaration.kind)
                if kind is not None:
                    yield declaration.name, declaration.span, kind, block.id


def _matches(query: str, name: str) -> bool:
    """Whether the letters stand in the name in their order, as editors take it."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower() if not letter.isspace())


def folds_of(source: Source) -> list[types.FoldingRange]:
    """Blocks by their indentation, and comments of several lines; half-typed text folds as well as any."""
    found: list[types.FoldingRange] = []
    open_blocks: list[tuple[int, int]] = []  # indentation and line
    last = 0
    comment = -1
    for number, line in enumerate([*source.lines, "end"]):
        text = line.strip()
        if text.startswith("#") and number < len(source.lines):
            comment = number if comment < 0 else comment
            continue
        if comment >= 0 and number - comment > 1:
            found.append(types.FoldingRange(comment, number - 1, kind=types.FoldingRangeKind.Comment))
        comment = -1
        if not text:
            continue
        width = len(line) - len(line.lstrip())
        while open_blocks and open_blocks[-1][0] >= width:
            _, start = open_blocks.pop()
            if last > start:
                found.append(types.FoldingRange(start, last, kind=types.FoldingRangeKind.Region))
        open_blocks.append((width, number))
        last = number
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))
