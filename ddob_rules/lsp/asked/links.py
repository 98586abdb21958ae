"""From a word to where it is declared and used: in rules, overlays, examples, scenarios and catalogues.

Rules are asked by what the checker noted. In data, the place of a word says what it is: a kind of pieces, an
attribute in a piece, a title in a catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ddob_rules.index import Index, Key, Spot
from ddob_rules.library.yamldoc import MappingNode, Node, ScalarNode, SequenceNode, read_yaml
from ddob_rules.lsp.desk import Desk
from ddob_rules.resources import shown_path
from ddob_rules.stack.book import Book
from ddob_rules.syntax.drafts import contents
from ddob_rules.syntax.source import Source, Span, source_from_bytes

#: Sections of a scenario whose keys are kinds of things, and of catalogues.
_KINDS = ("boards", "pieces", "edges", "piles", "spaces", "networks", "tracks", "boxes")
# More files of data than this are somebody's archive.
_MOST_FILES = 400
_WORD = re.compile(r"[^\W\d]\w*")


def spot_at(desk: Desk, path: Path, offset: int, source: Source) -> tuple[Index, Spot] | None:
    """The word at a place of a file of rules, and the index that knows it."""
    line, column = source.position(offset)
    for stack in desk.stacks_of(path):
        index = desk.index(stack)
        spot = index.at(shown_path(path), line, column) if index is not None else None
        if index is not None and spot is not None:
            return index, spot
    return None


def definitions(index: Index, spot: Spot) -> list[Span]:
    """Where a word is declared: the base first, then every rule that amends it."""
    if spot.meaning.space == "id":
        return [span for span in data_uses(index, spot.key, index.checked.books) if _declares_id(span)]
    return [declared.span for declared in index.declarations(spot.key)]


def references(
    desk: Desk, path: Path, spot: Spot, *, declared: bool = True, thorough: bool = False
) -> list[Span]:
    """Every place of a word, in all stacks in sight in which it means the same, and in their data.

    What a word in an example stands for is known for certain if its scenario is read: `thorough`.
    """
    if spot.meaning.space == "local":
        index = desk.index_of(path)
        spots = index.symbols.get(spot.key, []) if index is not None else []
        return _unique(found.span for found in spots if declared or not found.declares)
    spans: list[Span] = []
    for number, index in enumerate(desk.relatives(path, mentioning=(spot.meaning.name,), thorough=thorough)):
        if index.declarations(spot.key) or spot.meaning.space == "id":
            spots = index.symbols.get(spot.key, [])
            spans += [found.span for found in spots if declared or not found.declares]
            # The data of what it stands on belongs to other stacks.
            spans += data_uses(
                index, spot.key, index.checked.books if number == 0 else index.checked.books[-1:]
            )
    return _unique(spans)


def _unique(spans: Iterable[Span]) -> list[Span]:
    """A file may stand in several stacks, each time with spans of its own."""
    found: dict[tuple[str, int, int], Span] = {}
    for span in spans:
        found.setdefault((span.source.path, span.line, span.column), span)
    return [found[key] for key in sorted(found)]


# ---------------------------------------------------------------- data


def data_files(books: list[Book]) -> list[Path]:
    """Scenarios, included data and catalogues of rulesets."""
    found: dict[Path, None] = {}
    for book in books:
        folder = book.folder
        for inner in ("scenarios", "data", "locale", "scenarios/locale"):
            found.update(dict.fromkeys(sorted((folder / inner).glob("*.yaml"))))
    return list(found)[:_MOST_FILES]


def data_uses(index: Index, key: Key, books: list[Book]) -> list[Span]:
    """The places in the data of some rulesets where a word of the rules is used."""
    found: list[Span] = []
    for path in data_files(books):
        try:
            data = contents(path)
        except OSError:
            continue
        if key[2].encode() in data:  # reading a map takes longer than looking for a word in it
            found += _uses_in(path, data, key, index)
    return found


def _uses_in(path: Path, data: bytes, key: Key, index: Index) -> Iterator[Span]:
    source, _ = source_from_bytes(data, shown_path(path))
    root = read_yaml(source)[0] if source is not None else None
    if isinstance(root, MappingNode):
        yield from (
            _catalogue_uses(root, key) if path.parent.name == "locale" else _scenario_uses(root, key, index)
        )


def _catalogue_uses(root: MappingNode, key: Key) -> Iterator[Span]:
    """Titles are known by a word for what they are, and by names: `value NAME NAME`, `attribute NAME`."""
    space, of, name = key
    titles = root.get("titles")
    wanted = {
        "value": (f"value {of} {name}", f"player {name}"),
        "attribute": (f"attribute {name}",),
        "phase": (f"phase {name}",),
        "action": (f"action {name}",),
        "option": (f"option {name}", f"option {name} reason"),
        "rule": (f"rule {name}", f"rule {name} text"),
        "name": (f"kind {name}", f"place {name}", f"variable {name}", f"dice {name}"),
    }.get(space, ())
    for entry in titles.entries.values() if isinstance(titles, MappingNode) else ():
        text = entry.key.text
        if text in wanted or (space == "name" and text.startswith(f"value {name} ")):
            yield from _word_in(entry.key, name)
        elif space == "value" and text == f"value {of} {name}":
            yield from _word_in(entry.key, name)


def _scenario_uses(root: MappingNode, key: Key, index: Index) -> Iterator[Span]:
    space, of, name = key
    for section, entry in root.entries.items():
        value = entry.value
        if space == "option" and section == "options":
            yield from _scalars(value, name)
        elif space == "value" and section == "players" and of == "player":
            yield from _scalars(value, name)
        elif section == "variables" and space == "name":
            yield from _keys(value, name)
        elif section in _KINDS or section == "each":
            yield from _in_section(value, key, index)
        if space == "value" and section in (*_KINDS, "each", "variables"):
            yield from _values(value, key, index)
        if space == "id":
            yield from _scalars(value, name)


def _in_section(node: Node, key: Key, index: Index) -> Iterator[Span]:
    """Kinds are the keys of a section, attributes the keys further inside."""
    space, of, name = key
    if space == "name":
        yield from _keys(node, name)
    elif space == "attribute" and isinstance(node, MappingNode):
        for kind, entry in node.entries.items():
            if index.checked.words.holders.get((of, name)) and kind in index.checked.words.holders[of, name]:
                yield from _keys_below(entry.value, name)


def _keys(node: Node, name: str) -> Iterator[Span]:
    if isinstance(node, MappingNode) and name in node.entries:
        yield from _word_in(node.entries[name].key, name)


def _keys_below(node: Node, name: str) -> Iterator[Span]:
    match node:
        case MappingNode():
            yield from _keys(node, name)
            for entry in node.entries.values():
                yield from _keys_below(entry.value, name)
        case SequenceNode():
            for item in node.items:
                yield from _keys_below(item, name)
        case _:
            return


def _values(node: Node, key: Key, index: Index) -> Iterator[Span]:
    """Values of an enum, where an attribute or variable of that enum is given."""
    words = index.checked.words
    _, of, name = key
    if not isinstance(node, MappingNode):
        for item in node.items if isinstance(node, SequenceNode) else ():
            yield from _values(item, key, index)
        return
    for attribute, entry in node.entries.items():
        types = [one.type for (_, known), one in words.attributes.items() if known == attribute]
        types += [words.variables[attribute].type] if attribute in words.variables else []
        if any(of in (*one.names, *(one.element.names if one.element else ())) for one in types):
            yield from _scalars(entry.value, name)
        yield from _values(entry.value, key, index)


def _scalars(node: Node, name: str) -> Iterator[Span]:
    match node:
        case ScalarNode():
            if node.text == name:
                yield from _word_in(node, name)
        case SequenceNode():
            for item in node.items:
                yield from _scalars(item, name)
        case MappingNode():
            for entry in node.entries.values():
                yield from _scalars(entry.value, name)


def _word_in(node: ScalarNode, name: str) -> Iterator[Span]:
    """The name itself, without quotation marks and without what stands around it in a key; the last one."""
    text = node.span.text
    start = text.rfind(name)
    if start >= 0:
        yield Span(node.span.source, node.span.start + start, node.span.start + start + len(name))


def _declares_id(span: Span) -> bool:
    before = span.source.line_text(span.line)[: span.column - 1]
    return re.search(r"\bid:\s*[\"']?$", before) is not None


def data_word(source: Source, offset: int) -> str:
    """The word at a place of a file of data."""
    line, column = source.position(offset)
    for found in _WORD.finditer(source.line_text(line)):
        if found.start() <= column - 1 <= found.end():
            return found[0]
    return ""


def named_in_rules(index: Index, name: str) -> list[Spot]:
    """What the rules declare under a name that stands in data."""
    return [spot for key, spots in index.symbols.items() if key[2] == name for spot in spots if spot.declares]
