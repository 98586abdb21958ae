"""Semantic colours: from a file to its words with what they are.

A word that the index knows is what it stands for; any other word outside of texts and comments that a word
list has is a keyword. So a name that is spelled like a keyword has the colour of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddob_rules.check.scope import Meaning, Vocabulary
from ddob_rules.check.type_names import PLAIN
from ddob_rules.index import Index, Spot
from ddob_rules.lsp.positions import Ruler
from ddob_rules.syntax.grammar import NAME, STRING
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.words import words

TYPES = (
    "keyword", "comment", "string", "number", "namespace", "enum", "enumMember", "class", "property",
    "variable", "parameter", "function", "method", "event", "type",
)  # fmt: skip
MODIFIERS = ("declaration", "defaultLibrary")

_PIECE = re.compile(rf"(?P<comment>#[^\n]*)|(?P<string>{STRING})|(?P<number>\d+\b)|(?P<word>{NAME})")
_SPACES = {
    "rule": "namespace", "value": "enumMember", "attribute": "property", "phase": "event", "action": "event",
    "option": "variable", "local": "parameter", "library": "function", "id": "variable",
}  # fmt: skip

Coloured = tuple[int, int, int, str, int]  # line, column and length in letters, the type, the modifiers


def coloured(source: Source, index: Index | None, path: str, language: str) -> list[Coloured]:
    """Every coloured word of a file, in the order of the text."""
    spots: dict[int, list[Spot]] = {}
    for spot in index.file(path) if index is not None else ():
        spots.setdefault(spot.span.line, []).append(spot)
    known = words(language).spellings.values()
    keywords = {word for phrases in known for phrase in phrases for word in phrase.split()}
    vocabulary = index.checked.words if index is not None else None
    found: list[Coloured] = []
    for number, line in enumerate(source.lines, start=source.first_line):
        found += _line(number, line, spots.get(number, []), keywords, vocabulary)
    return found


def _line(
    number: int, line: str, spots: list[Spot], keywords: set[str], vocabulary: Vocabulary | None
) -> Iterator[Coloured]:
    taken = [(spot.span.column - 1, spot.span.end_column - 1, spot) for spot in spots]
    pieces: list[tuple[int, int, str, int]] = []
    for begin, end, spot in taken:
        modifiers = (1 if spot.declares else 0) + (2 if spot.meaning.space == "library" else 0)
        pieces.append((begin, end, _type(spot.meaning, vocabulary), modifiers))
    for piece in _PIECE.finditer(line):
        kind, begin, end = str(piece.lastgroup), piece.start(), piece.end()
        inside = [(start, stop) for start, stop, _ in taken if begin <= start and stop <= end]
        if kind == "word":
            if not inside and piece[0] in keywords:
                pieces.append((begin, end, "keyword", 0))
            continue
        for start, stop in [*inside, (end, end)]:
            if begin < start:
                pieces.append((begin, start, kind, 0))
            begin = stop
    last = 0
    for begin, end, kind, modifiers in sorted(pieces):
        if begin >= last:  # what overlaps would confuse an editor
            last = end
            yield number, begin, end - begin, kind, modifiers


def _type(meaning: Meaning, vocabulary: Vocabulary | None) -> str:
    if meaning.space != "name":
        plain = meaning.space == "library" and meaning.name in PLAIN
        return "type" if plain else _SPACES[meaning.space]
    if vocabulary is None:
        return "variable"
    name = meaning.name
    if name in vocabulary.procedures:
        return "method"
    if name in vocabulary.functions or name in vocabulary.priorities:
        return "function"
    if name in vocabulary.kinds and vocabulary.kinds[name].owner != "enum":
        return "class"
    return "enum" if name in vocabulary.enums else "variable"


def encoded(found: list[Coloured], source: Source, ruler: Ruler) -> list[int]:
    """As the protocol wants it: each word from where the one before it begins, in the editor's letters."""
    data: list[int] = []
    last_line, last_start = 0, 0
    for number, column, length, kind, modifiers in found:
        text = source.line_text(number)
        start = ruler.length(text[:column])
        line = number - 1
        data += [line - last_line, start - last_start if line == last_line else start]
        data += [ruler.length(text[column : column + length]), TYPES.index(kind), modifiers]
        last_line, last_start = line, start
    return data
