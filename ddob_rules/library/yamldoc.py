"""From the text of a YAML file to a light tree in which every key and value knows its place.

Only the plain part of YAML is read: mappings, lists and scalars. Anchors, aliases, tags, directives and
several documents are refused, and depth and size are bounded, so no file can be made to unfold into
something huge. A scalar keeps the text as it was written: whether `0812` or `no` is a number, a flag or a
name is left to whoever knows what is wanted there; `plain_value` is the guess for those who do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

import yaml

from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.syntax.edits import Edit, Mended
from ddob_rules.syntax.mending import missing_colon
from ddob_rules.syntax.source import Source, Span

# Scenario data is five levels deep; fifty leaves room, and keeps later walks far from Python's own limit.
DEEPEST = 50
# A map of some thousand spaces has some ten thousand values.
MOST_NODES = 200_000
# A file that is wrong in more places is wrong as a whole; telling more of it helps nobody.
MOST_DIAGNOSTICS = 100

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]

_UNPRINTABLE = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# A line that begins with a key, behind which a colon may be missing, or the blank behind the colon.
_WITHOUT_COLON = re.compile(r"\s*(?:- +)*(?P<key>[A-Za-z_][\w-]*)(?P<rest>:(?=\S)| |\s*$)")
# A mistake may be noticed some lines later; further back it is another one.
_LINES_BACK = 4
_MOST_COLONS = 20
# What is within the limits has at most a beginning and an end for each value, of it and of the document.
_MOST_EVENTS = 2 * MOST_NODES + 4
_NULLS = ("", "~", "null", "Null", "NULL")
_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# More digits than this are beyond every range that is allowed, and slow to convert.
_MOST_DIGITS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarNode:
    """One value. `plain` says that it stands without quotation marks, so may mean a number or a flag."""

    span: Span
    text: str
    plain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceNode:
    span: Span
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A key and its value."""

    key: ScalarNode
    value: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class MappingNode:
    """Entries by the text of their key, in the order of the file."""

    span: Span
    entries: dict[str, Entry]

    def get(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return None if entry is None else entry.value


Node = ScalarNode | SequenceNode | MappingNode


def entries_of(node: Node | None) -> Mapping[str, Entry]:
    """The entries of a mapping; none if something else stands there."""
    return node.entries if isinstance(node, MappingNode) else {}


def items_of(node: Node | None) -> tuple[Node, ...]:
    """The items of a list; none if something else stands there."""
    return node.items if isinstance(node, SequenceNode) else ()


def text_of(node: Node | None) -> str:
    """The text of a scalar as written; empty if something else stands there."""
    return node.text if isinstance(node, ScalarNode) else ""


def plain_value(node: Node) -> Plain:
    """The value by the core rules of YAML 1.2, except that a number with a leading zero stays text."""
    match node:
        case MappingNode():
            return {key: plain_value(entry.value) for key, entry in node.entries.items()}
        case SequenceNode():
            return [plain_value(item) for item in node.items]
        case ScalarNode():
            return plain_scalar(node.text) if node.plain else node.text


def plain_scalar(text: str) -> None | bool | int | float | str:
    """What an unquoted scalar means by those rules."""
    if text in _NULLS:
        return None
    if text in _FLAGS:
        return _FLAGS[text]
    if _LEADING_ZERO.fullmatch(text):
        return text
    if _INTEGER.fullmatch(text):
        return int(text[: _MOST_DIGITS + 1])
    if _OTHER_BASE.fullmatch(text):
        return int(text[: _MOST_DIGITS + 2], 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def read_yaml(source: Source, *, language: str = "en") -> tuple[Node | None, list[Diagnostic]]:
    """Read the one document of a source; the tree is None if the file cannot be read to its end."""
    found = _UNPRINTABLE.search(source.text)
    if found is not None:
        return None, [_wrong_character(source, found.start(), language)]
    edits: list[Edit] = []
    problems: list[Diagnostic] = []
    while len(edits) < _MOST_COLONS and (edit := _missing_colon(source.text, edits)) is not None:
        edits.append(edit)
        sign = ":" if edit.text == ":" else "␣"
        problems.append(missing_colon(source, edit.start, language, sign))
    root, more = _read(source, edits, language)
    return root, [*problems, *more]


def _missing_colon(text: str, edits: list[Edit]) -> Edit | None:
    """Where a colon is missing: with it, the text can be read further than without."""
    mended = Mended(text, edits)
    stop = _first_mistake(mended.text)
    if stop is None:
        return None
    begin = text.rfind("\n", 0, mended.original(stop)) + 1
    for _ in range(_LINES_BACK):
        line = text[begin:].split("\n", 1)[0]
        found = _WITHOUT_COLON.match(line)
        for edit in _colons(found, begin) if found is not None else ():
            further = _first_mistake(Mended(text, [*edits, edit]).text)
            if further is None or further > stop + len(line) + 1:
                return edit
        if begin == 0:
            return None
        begin = text.rfind("\n", 0, begin - 1) + 1
    return None


def _colons(found: re.Match[str], begin: int) -> list[Edit]:
    """A colon behind the first word, or a blank behind a colon that has none."""
    end = begin + found.end("key")
    if found["rest"].startswith(":"):
        return [Edit(end + 1, end + 1, " ")]
    return [Edit(end, end, ":")]


def _first_mistake(text: str) -> int | None:
    """Where YAML cannot be read on; None if it can, as far as it is read at all."""
    depth = 0
    try:
        for event in islice(_events(text), _MOST_EVENTS):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                # What is too deep is refused; the library would take a time with the square of the depth.
                return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return mark.index if mark is not None else 0
    except (yaml.YAMLError, ValueError, OverflowError):
        return 0
    return None


def _read(source: Source, edits: list[Edit], language: str) -> tuple[Node | None, list[Diagnostic]]:
    reader = _Reader(source, Mended(source.text, edits), language)
    try:
        reader.read()
    except _Refused as refused:
        reader.diagnostics.append(refused.diagnostic)
        return None, reader.diagnostics
    except yaml.MarkedYAMLError as error:
        reader.diagnostics.append(_syntax_error(reader, error))
        return None, reader.diagnostics
    except (yaml.YAMLError, ValueError, OverflowError):
        # What the reader without marks refuses are escapes such as "\UFFFFFFFF" that name no character.
        reader.diagnostics.append(report("E0602", source.line_span(1), language=language))
        return None, reader.diagnostics
    if reader.root is None:
        reader.diagnostics.append(report("E0601", source.line_span(1), language=language))
    return reader.root, reader.diagnostics


class _Refused(Exception):
    """Ends the reading of a file at a place where going on would be useless or harmful."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.code)
        self.diagnostic = diagnostic


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not been read yet."""

    start: int
    mapping: bool
    flow: bool
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: ScalarNode | None = None


class _Reader:
    """Builds the tree from the parser's events, with a stack of its own, so that depth costs no recursion."""

    def __init__(self, source: Source, mended: Mended, language: str) -> None:
        self.source = source
        self.mended = mended
        self.language = language
        self.diagnostics: list[Diagnostic] = []
        self.root: Node | None = None
        self._stack: list[_Open] = []
        self._documents = 0
        self._nodes = 0

    def read(self) -> None:
        for event in _events(self.mended.text):
            match event:
                case yaml.DocumentStartEvent():
                    self._begin_document(event)
                case yaml.AliasEvent():
                    self._refuse("E0608", event)
                case yaml.ScalarEvent():
                    self._count(event)
                    self._add(self._scalar(event))
                case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                    self._count(event)
                    self._open(event)
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self._close(event)

    def _begin_document(self, event: yaml.DocumentStartEvent) -> None:
        self._documents += 1
        if self._documents > 1:
            self._refuse("E0610", event)
        if event.version or event.tags:
            self._refuse("E0608", event)

    def _count(self, event: yaml.NodeEvent) -> None:
        if event.anchor is not None or getattr(event, "tag", None) is not None:
            self._refuse("E0608", event)
        self._nodes += 1
        if self._nodes > MOST_NODES:
            self._too_large(event, MOST_NODES, "values")

    def _scalar(self, event: yaml.ScalarEvent) -> ScalarNode:
        text: str = event.value
        if event.style == '"' and any("\ud800" <= letter <= "\udfff" for letter in text):
            self._refuse("E0602", event)
        return ScalarNode(span=self._span(event), text=text, plain=event.style is None or event.style == "")

    def _open(self, event: yaml.CollectionStartEvent) -> None:
        if len(self._stack) >= DEEPEST:
            self._too_large(event, DEEPEST, "levels")
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._stack.append(_Open(self._start(event), mapping, bool(event.flow_style)))

    def _close(self, event: yaml.Event) -> None:
        closed = self._stack.pop()
        last = list(closed.entries.values())[-1].value if closed.entries else None
        last = closed.items[-1] if closed.items else last
        # The parser finds the end of a block only at what comes after it; its last value is nearer the truth.
        end = self._end(event) if closed.flow or last is None else last.span.end
        span = Span(self.source, closed.start, end)
        if closed.mapping:
            self._add(MappingNode(span=span, entries=closed.entries))
        else:
            self._add(SequenceNode(span=span, items=tuple(closed.items)))

    def _add(self, node: Node) -> None:
        if not self._stack:
            # A document of nothing but comments arrives as one empty scalar.
            empty = isinstance(node, ScalarNode) and node.plain and not node.text
            self.root = None if empty else node
            return
        parent = self._stack[-1]
        if not parent.mapping:
            parent.items.append(node)
        elif parent.key is None:
            if not isinstance(node, ScalarNode):
                raise _Refused(report("E0611", first_line(node.span), language=self.language))
            parent.key = node
        else:
            self._add_entry(parent, Entry(key=parent.key, value=node))
            parent.key = None

    def _add_entry(self, parent: _Open, entry: Entry) -> None:
        known = parent.entries.setdefault(entry.key.text, entry)
        if known is not entry and len(self.diagnostics) < MOST_DIAGNOSTICS:
            self.diagnostics.append(
                given_twice(entry.key.text, entry.key.span, known.key.span, self.language)
            )

    def _span(self, event: yaml.Event) -> Span:
        start, end = self._start(event), self._end(event)
        return Span(self.source, start, max(start, start + len(self.source.text[start:end].rstrip())))

    def _start(self, event: yaml.Event) -> int:
        return self.mended.original(event.start_mark.index) if event.start_mark is not None else 0

    def _end(self, event: yaml.Event) -> int:
        return self.mended.original(event.end_mark.index) if event.end_mark is not None else 0

    def _refuse(self, code: str, event: yaml.Event) -> None:
        span = first_line(self._span(event))
        place = Span(self.source, span.start, max(span.end, span.start + 1))
        if code == "E0608":
            word = re.match(r"\S*", self.source.text[place.start : place.start + 40])
            raise _Refused(report(code, place, language=self.language, text=word[0] if word else ""))
        raise _Refused(report(code, place, language=self.language))

    def _too_large(self, event: yaml.Event, limit: int, what: str) -> None:
        place = first_line(self._span(event))
        raise _Refused(too_large(place, limit, what, self.language))


def _events(text: str) -> Iterator[yaml.Event]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events: Iterator[yaml.Event] = yaml.parse(text, Loader=loader)
    return events


def first_line(span: Span) -> Span:
    """The part of a span that lies on its first line."""
    end = span.source.text.find("\n", span.start, span.end)
    return span if end < 0 else Span(span.source, span.start, end)


_LARGE_WORDS = {
    "levels": "niveaux",
    "values": "valeurs",
    "spaces": "cases",
    "pieces": "pièces",
    "included files": "fichiers inclus",
}


def too_large(place: Span, limit: int, what: str, language: str) -> Diagnostic:
    """The diagnostic for data beyond a limit; `what` is one of the words above."""
    shown = _LARGE_WORDS[what] if language == "fr" else what
    return report("E0609", place, language=language, limit=limit, what=shown)


def given_twice(key: str, place: Span, before: Span, language: str) -> Diagnostic:
    """The diagnostic for a key that stands twice, pointing at both."""
    first = "d'abord ici" if language == "fr" else "first given here"
    return report("E0607", Label(place), Label(before, first), language=language, key=key)


def _wrong_character(source: Source, offset: int, language: str) -> Diagnostic:
    offset = min(offset, len(source.text))
    letter = source.text[offset : offset + 1]
    shown = letter if letter.isprintable() and letter.strip() else f"U+{ord(letter or ' '):04X}"
    return report("E0605", Span(source, offset, offset + len(letter)), language=language, character=shown)


def _syntax_error(reader: _Reader, error: yaml.MarkedYAMLError) -> Diagnostic:
    """Say in plain words what the parser stumbled over."""
    source, language = reader.source, reader.language
    problem, context = error.problem or "", error.context or ""
    mark = error.problem_mark or error.context_mark
    offset = min(reader.mended.original(mark.index) if mark is not None else 0, len(source.text))
    started = error.context_mark
    began = min(reader.mended.original(started.index) if started is not None else offset, len(source.text))
    place = Span(source, offset, min(offset + 1, len(source.text)))
    if "quoted scalar" in context and "end of stream" in problem:
        return report("E0604", first_line(Span(source, began, len(source.text))), language=language)
    if "cannot start any token" in problem or "quoted scalar" in context:
        return _wrong_character(source, offset, language)
    if "mapping values are not allowed" in problem:
        return report("E0606", place, language=language)
    if any(word in context for word in ("alias", "anchor", "tag", "directive")) or "tag handle" in problem:
        word = re.match(r"\S*", source.text[began : began + 40])
        text = word[0] if word else ""
        return report("E0608", Span(source, began, began + len(text)), language=language, text=text)
    if "flow" in context:
        label = "ouvert ici" if language == "fr" else "opened here"
        return report("E0603", place, Label(Span(source, began, began + 1), label), language=language)
    return report("E0602", place, language=language)
