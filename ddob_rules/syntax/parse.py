"""From text to syntax trees, one for each top-level item of a file.

A file is cut at its unindented lines before parsing, so a mistake in one rule hides none in the next.
What names mean is left to later stages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from ddob_rules.cache_folder import keep, own_code, recall
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.syntax import grammar
from ddob_rules.syntax.mending import ReadItem, read_item, words_in
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.nodes.node import relocated
from ddob_rules.syntax.nodes.rules import Start
from ddob_rules.syntax.parser import Parser, Typed
from ddob_rules.syntax.source import Source, Span
from ddob_rules.syntax.words import Words, languages, words

_FILES_REMEMBERED = 200
# A file in two languages and in two layouts.
_TEXTS_REMEMBERED = 6
# Of the longest files there are, in two languages.
_ITEMS_REMEMBERED = 500
# Shorter files are hardly rulesets. Where nothing else has to be read, not even the parser has to be made.
_LONG_FILE = 1000

_UNINDENTED = re.compile(r"^[^\s#]", re.MULTILINE)
_CODE_LINE = re.compile(r"^[ \t]*[^ \t\n#]", re.MULTILINE)
LANGUAGE_LINE = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*"
    r"(?P<line>(?:language|langue)[ \t]+(?P<name>[\w-]+)[ \t]*(?P<comment>#[^\n]*)?)(?:\n|\Z)"
)


@dataclass(frozen=True, slots=True)
class ParsedFile:
    source: Source
    language: str
    items: tuple[Start, ...]
    problems: tuple[Diagnostic, ...]
    unread: frozenset[str] = frozenset()  # the words of what could not be read

    @property
    def tokens(self) -> tuple[Typed, ...]:
        """For the formatter and the translator; others need the trees alone, which are made in less time."""
        return parse_with_tokens(self.source)[1]


Read = Callable[[int, int, Words], ReadItem]


@lru_cache(maxsize=_FILES_REMEMBERED)
def parse_file(source: Source) -> ParsedFile:
    """Reads a rules file. Rulesets are read once for each of their scenarios, so trees are remembered.

    Those of long files are kept on disk too, the last one of each file: an author changes one file of many.
    """
    if len(source.text) < _LONG_FILE:
        return _parse(source)
    found = recall("tree", (own_code(), source.path))
    if isinstance(found, ParsedFile) and found.source == source:
        return found
    parsed = _parse(source)
    if not parsed.problems:
        keep("tree", (own_code(), source.path), parsed)
    return parsed


def _parse(source: Source) -> ParsedFile:
    return parse_items(source, partial(read_item, source))


def parse_items(source: Source, read: Read) -> ParsedFile:
    """A file whose items are read by somebody else, each from where it begins to where the next one does."""
    language, begin, problems = _language(source)
    items: list[Start] = []
    unread: set[str] = set()
    chunks = _chunks(source, begin)
    if not chunks:
        problems.append(report("E0109", Span(source, 0, 0), language=language))
    for start, end in chunks:
        if source.text[start] in " \t":
            problems.append(_indented_start(source, start, words(language)))
            unread |= words_in(source.text[start:end])
            continue
        found = read(start, end, words(language))
        problems.extend(found.problems)
        unread |= found.unread
        if found.tree is not None:
            items.append(found.tree)
    return ParsedFile(source, language, tuple(items), tuple(problems), frozenset(unread))


@lru_cache(maxsize=_TEXTS_REMEMBERED)
def parse_with_tokens(source: Source) -> tuple[ParsedFile, tuple[Typed, ...]]:
    """Trees and tokens in one reading, for those who write the text anew; none of it is kept on disk.

    What they write is read again, and often no more than a few items of it are others than before.
    """
    tokens: list[Typed] = []
    parsed = parse_items(source, partial(_read_or_moved, source, tokens))
    return parsed, tuple(tokens)


@dataclass(frozen=True, slots=True)
class _ReadBefore:
    """An item without a mistake, its tokens, and where in its file it began."""

    tree: Start
    tokens: list[Typed]
    start: int


_read_before: dict[tuple[str, str], _ReadBefore] = {}  # by language and text, the oldest first


def _read_or_moved(source: Source, tokens: list[Typed], start: int, end: int, vocabulary: Words) -> ReadItem:
    """An item of a file; one that was read before is moved to where it stands now."""
    key = (vocabulary.language, source.text[start:end])
    known = _read_before.get(key)
    if known is None:
        own: list[Typed] = []
        found = read_item(source, start, end, vocabulary, own)
        tokens.extend(own)
        if found.tree is not None and not found.problems:
            if len(_read_before) >= _ITEMS_REMEMBERED:
                del _read_before[next(iter(_read_before))]
            _read_before[key] = _ReadBefore(found.tree, own, start)
        return found
    shift = known.start - start
    tokens.extend(Typed(one.terminal, one.text, one.start - shift, one.end - shift) for one in known.tokens)
    tree = relocated(known.tree, source, shift)
    assert isinstance(tree, Start)
    return ReadItem(tree)


def item_starts(source: Source) -> list[int]:
    """Where each top-level item of a file begins."""
    return [start for start, _ in item_stretches(source)]


def item_stretches(source: Source) -> list[tuple[int, int]]:
    """Where each top-level item of a file begins, and where the next one does."""
    return _chunks(source, _language(source)[1])


def _indented_start(source: Source, start: int, vocabulary: Words) -> Diagnostic:
    blanks = len(source.text[start:]) - len(source.text[start:].lstrip(" \t"))
    span = Span(source, start, start + blanks)
    return report("E0113", span, language=vocabulary.language, expected=vocabulary.spelling("_RULE"))


def parse_expression(
    source: Source, start: int, end: int, language: str
) -> tuple[Expression | None, list[Diagnostic]]:
    """Reads a stretch of text as one expression: what stands between braces in a text."""
    parser = Parser(source, start, end, words(language), "embedded")
    found = parser.run()
    assert found is None or isinstance(found, Expression)
    return found, parser.problems


def _language(source: Source) -> tuple[str, int, list[Diagnostic]]:
    found = LANGUAGE_LINE.match(source.text)
    if found is None:
        return "en", 0, []
    name = found.group("name")
    if name in languages():
        return name, found.end("line"), []
    span = Span(source, found.start("name"), found.end("name"))
    problem = report(
        "E0110", span, name=name, known=", ".join(languages()), help=did_you_mean(name, languages()) or None
    )
    return "en", found.end("line"), [problem]


def _chunks(source: Source, begin: int) -> list[tuple[int, int]]:
    """The stretches from one unindented line to the next; indented lines before the first are one more."""
    starts = [found.start() for found in _UNINDENTED.finditer(source.text, begin)]
    early = _CODE_LINE.search(source.text, begin)
    if early is not None and (not starts or early.start() < starts[0]):
        starts.insert(0, early.start())
    return list(zip(starts, [*starts, len(source.text)][1:], strict=True))


@cache
def reserved_words(language: str) -> frozenset[str]:
    """Words that begin an expression, and so cannot be read as a name there."""
    at_start: Any = grammar.parser(language).parse_interactive("", "embedded")
    first: set[str] = at_start.accepts()
    spellings = words(language).spellings
    return frozenset(
        spelling for name in first & set(spellings) for spelling in spellings[name] if " " not in spelling
    )
