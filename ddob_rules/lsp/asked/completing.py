"""What can be written at a place: the words that the grammar accepts, and the names that the checker knows.

The grammar is asked how it could go on from what stands before the cursor. The checker is asked by putting a
word there that nobody knows, and listening to what it would have known instead: so every place where a
misspelling gets a "did you mean" has a completion too, with what is in sight there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from lsprotocol import types

from ddob_rules.check.memory import Memory
from ddob_rules.check.scope import Meaning, Vocabulary
from ddob_rules.check.values.builtins import BUILTINS
from ddob_rules.index import Index
from ddob_rules.loading import load_ruleset
from ddob_rules.lsp.asked.hovering import described, sentences
from ddob_rules.lsp.desk import TRIED, Desk
from ddob_rules.reports.spelling import listening
from ddob_rules.scenarios.reading import load_scenario
from ddob_rules.syntax import drafts
from ddob_rules.syntax.layout import CLOSING, OPENING
from ddob_rules.syntax.parse import ParsedFile, item_stretches
from ddob_rules.syntax.parser import Parser
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.words import PUNCTUATION, Words, words

#: Ends a text in the middle of a thought: no terminal of the grammar begins with it.
_CUT = "\0"
_NUMBERS = count(1)
_NAMES = {"NAME", "BOUND_NAME", "RULE_ID"}
_SYMBOLS = {terminals[0]: symbol for symbol, terminals in PUNCTUATION.items()}

_KINDS = {
    "local": types.CompletionItemKind.Variable, "attribute": types.CompletionItemKind.Field,
    "value": types.CompletionItemKind.EnumMember, "library": types.CompletionItemKind.Function,
    "phase": types.CompletionItemKind.Event, "action": types.CompletionItemKind.Event,
    "option": types.CompletionItemKind.Constant, "rule": types.CompletionItemKind.Reference,
    "name": types.CompletionItemKind.Function, "id": types.CompletionItemKind.Value,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where the cursor stands in a file: what is typed of a word, and what stands around it."""

    source: Source
    offset: int

    @property
    def begin(self) -> int:
        """Where the word begins that the cursor stands in."""
        start = self.offset
        while start > 0 and (self.source.text[start - 1].isalnum() or self.source.text[start - 1] == "_"):
            start -= 1
        return start

    @property
    def before(self) -> str:
        """The line up to the word."""
        return self.source.text[self.source.text.rfind("\n", 0, self.begin) + 1 : self.begin]

    @property
    def in_text(self) -> bool:
        """Whether it stands between quotation marks."""
        return self.before.replace('\\"', "").count('"') % 2 == 1

    @property
    def in_braces(self) -> bool:
        inner = self.before[self.before.rfind('"') :]
        return self.in_text and inner.rfind("{") > inner.rfind("}")

    @property
    def in_comment(self) -> bool:
        return not self.in_text and "#" in _without_texts(self.before)


def completions(desk: Desk, path: Path, source: Source, offset: int) -> list[types.CompletionItem]:
    place = Place(source, offset)
    if place.in_comment or (place.in_text and not place.in_braces):
        return []
    language = desk.shelf.items.parse(source).language
    found: dict[str, types.CompletionItem] = {}
    accepted = set() if place.in_text else _accepted(place, words(language))
    if place.in_text or accepted & _NAMES:
        for item in _names(desk, path, place, language):
            found.setdefault(item.label, item)
    for item in _keywords(accepted, words(language)):
        found.setdefault(item.label, item)
    return list(found.values())


# ---------------------------------------------------------------- the grammar


def _accepted(place: Place, vocabulary: Words) -> set[str]:
    """The terminals that can come at the place, after what stands before it in its item."""
    start = max((begin for begin, _ in item_stretches(place.source) if begin < place.begin), default=None)
    if start is None or (not place.before and place.begin == place.offset == 0):
        start = place.begin
    if place.source.text.rfind("\n", 0, place.begin) + 1 == place.begin:
        start = place.begin  # the beginning of a line is the beginning of an item
    text = place.source.text[start : place.begin] + _CUT
    parser = Parser(Source(place.source.path, text), 0, len(text), vocabulary, "start")
    return parser.accepted()


def _keywords(accepted: set[str], vocabulary: Words) -> Iterator[types.CompletionItem]:
    for terminal in sorted(accepted):
        for spelling in vocabulary.spellings.get(terminal, ()):
            yield types.CompletionItem(
                spelling, kind=types.CompletionItemKind.Keyword, sort_text=f"5{spelling}"
            )


# ---------------------------------------------------------------- the checker


def _names(desk: Desk, path: Path, place: Place, language: str) -> Iterator[types.CompletionItem]:
    index = desk.index_of(path)
    vocabulary = words(language)
    heard = _heard(desk, path, place, vocabulary)
    if heard is None and index is not None:
        heard = _everything(index.checked.words)
    for number, name in enumerate(heard or ()):
        if " " not in name:
            yield _item(name, number, index, vocabulary)


def _heard(desk: Desk, path: Path, place: Place, vocabulary: Words) -> list[str] | None:
    """What the checker would have known there; None if it could not read the rule, however it goes on."""
    stacks = desk.stacks_of(path)
    if not stacks:
        return None
    for text, word in _attempts(place, vocabulary):
        with listening(word) as found:
            _check(desk, path, text)
        if not _unread(desk.shelf.items.parse(Source(place.source.path, text)), word):
            return list(found)
    return None


def _check(desk: Desk, path: Path, text: str) -> None:
    """Checks the rules with another text of one file, with a memory of its own."""
    stack = desk.stacks_of(path)[0]
    memory = desk.asking.setdefault(stack, Memory())
    try:
        drafts.hold(path, text)
        reading = desk.shelf.reading(memory)
        load_ruleset(stack.name, stack.overlays, stack.extra, desk.language, stack.near, reading)
    finally:
        desk.put_back(path)


def _attempts(place: Place, vocabulary: Words) -> Iterator[tuple[str, str]]:
    """The text with an unknown word at the place: as it goes on, without the rest of the line, closed."""
    text, begin = place.source.text, place.begin
    end = place.offset
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    rest = [text[end:], text[stop:]]
    if not place.in_text:
        stopping = vocabulary.spellings["_STOP"][0]
        closing = _closing(text[text.rfind("\n", 0, begin) + 1 : begin])
        rest += [
            closing + after + text[stop:] for after in ("", " = 1", f": {stopping}", f" = 1: {stopping}")
        ]
    for after in rest:
        word = f"{TRIED}{next(_NUMBERS)}"
        yield text[:begin] + word + after, word


def _closing(line: str) -> str:
    """The brackets that a line leaves open, closed."""
    pairs = {_SYMBOLS[one]: _SYMBOLS[other] for one, other in zip(OPENING, CLOSING, strict=True)}
    waiting: list[str] = []
    for letter in _without_texts(line):
        if letter in pairs:
            waiting.append(pairs[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
    return "".join(reversed(waiting))


def _without_texts(line: str) -> str:
    return "".join(part for number, part in enumerate(line.replace('\\"', "").split('"')) if number % 2 == 0)


def _unread(parsed: ParsedFile, word: str) -> bool:
    """Whether the item with the word in it cannot be read."""
    source = parsed.source
    at = source.text.index(word)
    for start, end in item_stretches(source):
        if start <= at < end:
            inside = range(*_lines(source, start, end))
            found = [one.primary for one in parsed.problems]
            return any(span is not None and span.line in inside for span in found)
    return True


def _lines(source: Source, start: int, end: int) -> tuple[int, int]:
    return source.position(start)[0], source.position(end)[0] + 1


# ---------------------------------------------------------------- what is shown


def _item(name: str, number: int, index: Index | None, vocabulary: Words) -> types.CompletionItem:
    label = vocabulary.builtin.get(name, name)
    item = types.CompletionItem(label, sort_text=f"3{number:05}")
    if index is None:
        return item
    meaning = _meaning(name, index.checked.words)
    item.kind = _KINDS[meaning.space]
    item.detail = described(meaning, index.checked.words)
    told = (
        BUILTINS[name].explanation
        if meaning.space == "library" and name in BUILTINS
        else _sentence(index, meaning)
    )
    if told:
        item.documentation = types.MarkupContent(types.MarkupKind.Markdown, told)
    return item


def _sentence(index: Index, meaning: Meaning) -> str:
    """The sentence of the rule that declares it."""
    entry = index.checked.merged.entries.get(
        ("action" if meaning.space == "action" else "name", meaning.name)
    )
    block = entry.base.rule if entry is not None else index.checked.merged.rules.get(meaning.name)
    return "\n\n".join(sentences(index, block)) if block is not None else ""


def _meaning(name: str, known: Vocabulary) -> Meaning:
    """What a name stands for, if it stands by itself."""
    if name in known.actions:
        return Meaning("action", name)
    named = (known.functions, known.procedures, known.priorities, known.variables, known.dice, known.enums)
    if any(name in one for one in named) or (name in known.kinds and known.kinds[name].owner != "enum"):
        return Meaning("name", name)
    if owners := known.enum_of(name):
        return Meaning("value", name, owners[0])
    if name in known.phases:
        return Meaning("phase", name)
    if name in known.options:
        return Meaning("option", name)
    if name in BUILTINS:
        return Meaning("library", name)
    for (space, attribute), one in known.attributes.items():
        if attribute == name:
            return Meaning("attribute", name, space, one.type)
    return Meaning("local", name)


def _everything(known: Vocabulary) -> list[str]:
    named = (known.variables, known.functions, known.procedures, known.kinds, known.enums, known.dice)
    found = dict.fromkeys(name for one in named for name in one)
    found.update(dict.fromkeys(known.value_names()))
    found.update(dict.fromkeys(attribute for _, attribute in known.attributes))
    return [*found, *BUILTINS]


# ---------------------------------------------------------------- data


def data_completions(desk: Desk, path: Path, source: Source, offset: int) -> list[types.CompletionItem]:
    """Names that a scenario can use at a place; asked in the same way."""
    place, index = Place(source, offset), desk.index_of_data(path)
    if index is None or index.checked.program is None:
        return []
    program = index.checked.program
    before = place.before.rstrip()
    as_value = before.endswith((":", "[")) or ("[" in before and before.endswith(","))
    text, begin = source.text, place.begin
    for after in ("", ": 1") if not as_value else ("",):
        word = f"{TRIED}{next(_NUMBERS)}"
        with listening(word) as found:
            try:
                drafts.hold(path, text[:begin] + word + after + text[offset:])
                load_scenario(path, lambda name, overlays: (program, []), language=desk.language)
            finally:
                desk.put_back(path)
        if found:
            return [_item(name, number, index, words("en")) for number, name in enumerate(found)]
    return []
