"""From tokens to syntax trees, one for each top-level item of a file.

A file is cut at its unindented lines before parsing, so a mistake in one rule hides none in the next.
The result keeps the typed tokens too, for the formatter and the translator. What names mean is left to later
stages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from ddob_rules import grammar
from ddob_rules.diagnostics import Diagnostic, report
from ddob_rules.kept import keep, own_code, recall
from ddob_rules.lexer import Lexer, Raw
from ddob_rules.source import Source, Span
from ddob_rules.spelling import did_you_mean
from ddob_rules.tree import Item, Leaf, Node
from ddob_rules.words import PUNCTUATION, Words, languages, words

# Blocks and brackets have their own limits; this one is for such as `not not not` and `a.b.b.b`.
MAXIMUM_DEPTH = 200
# A message shows what the author wrote, but not a whole page of it.
_LONGEST_SHOWN = 60
_FILES_REMEMBERED = 200
# Shorter files are read in less time than it takes to look for them elsewhere.
_LONG_FILE = 4000

_LAYOUT = {"newline": "_NEWLINE", "indent": "_INDENT", "dedent": "_DEDENT", "end": "$END"}
_UNINDENTED = re.compile(r"^[^\s#]", re.MULTILINE)
_CODE_LINE = re.compile(r"^[ \t]*[^ \t\n#]", re.MULTILINE)
LANGUAGE_LINE = re.compile(
    r"(?:[ \t]*(?:#[^\n]*)?\n)*"
    r"(?P<line>(?:language|langue)[ \t]+(?P<name>[\w-]+)[ \t]*(?P<comment>#[^\n]*)?)(?:\n|\Z)"
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A token with the terminal it was read as."""

    terminal: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    source: Source
    language: str
    items: tuple[Node, ...]
    tokens: tuple[Typed, ...]
    problems: tuple[Diagnostic, ...]


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
    language, begin, problems = _language(source)
    items: list[Node] = []
    tokens: list[Typed] = []
    chunks = _chunks(source, begin)
    if not chunks:
        problems.append(report("E0109", Span(source, 0, 0), language=language))
    for start, end in chunks:
        if source.text[start] in " \t":
            problems.append(_indented_start(source, start, words(language)))
            continue
        parser = Parser(source, start, end, words(language), "start")
        tree = parser.run()
        tokens.extend(parser.tokens)
        problems.extend(parser.problems)
        if tree is not None:
            items.append(tree)
    return ParsedFile(source, language, tuple(items), tuple(tokens), tuple(problems))


def item_starts(source: Source) -> list[int]:
    """Where each top-level item of a file begins."""
    return [start for start, _ in _chunks(source, _language(source)[1])]


def _indented_start(source: Source, start: int, vocabulary: Words) -> Diagnostic:
    blanks = len(source.text[start:]) - len(source.text[start:].lstrip(" \t"))
    span = Span(source, start, start + blanks)
    return report("E0113", span, language=vocabulary.language, expected=vocabulary.spelling("_RULE"))


def parse_expression(source: Source, start: int, end: int, language: str) -> tuple[Item, list[Diagnostic]]:
    """Reads a stretch of text as one expression: what stands between braces in a text."""
    parser = Parser(source, start, end, words(language), "expr")
    tree = parser.run()
    return tree, parser.problems


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
    table = grammar.table()
    first = table.states[table.starts["expr"]]
    vocabulary = words(language)
    found: set[str] = set()
    for terminal, spellings in vocabulary.spellings.items():
        if terminal in first:
            found.update(spelling for spelling in spellings if " " not in spelling)
    return frozenset(found)


class Parser:
    """Feeds one stretch of tokens to the parse table."""

    def __init__(self, source: Source, start: int, end: int, vocabulary: Words, rule: str) -> None:
        self.source = source
        self.words = vocabulary
        self.language = vocabulary.language
        self.lexer = Lexer(source, start, end, vocabulary.language)
        self.problems: list[Diagnostic] = []
        self.tokens: list[Typed] = []
        self._rule = rule
        self._machine = _machine(rule)
        self._stack: list[Any] = [self._machine.start]
        self._values: list[Any] = []

    def run(self) -> Any:
        """The tree, or None after a mistake."""
        result = None
        for raw in self.lexer.tokens():
            if self._rule == "expr" and raw.sort == "newline":
                continue
            typed = self._typed(raw)
            if typed.terminal == "$END" and self.lexer.problems:
                break
            value = Leaf(typed.terminal, self._canonical(typed), Span(self.source, typed.start, typed.end))
            if not self._feed(typed.terminal, value):
                self._unexpected(typed, raw)
                break
            if typed.terminal == "$END":
                result = self._values[-1]
            self.tokens.append(typed)
        if result is not None:
            self.problems.extend(_nested_too_deeply(result, self.language))
        self.problems = [*self.lexer.problems, *self.problems][:1]
        return None if self.problems else result

    def _typed(self, raw: Raw) -> Typed:
        if raw.sort in _LAYOUT:
            return Typed(_LAYOUT[raw.sort], "", raw.start, raw.end)
        if raw.sort in ("word", "number", "mixed") and self._accepts("RULE_ID"):
            found = self.lexer.rule_id(raw)
            if found is not None:
                return Typed("RULE_ID", found.text, found.start, found.end)
        if raw.sort == "word":
            return self._word(raw)
        if raw.sort == "symbol":
            options = PUNCTUATION[raw.text]
            return Typed(self._accepted(options) or options[-1], raw.text, raw.start, raw.end)
        terminal = {"number": "NUMBER", "string": "STRING", "mixed": "MIXED"}[raw.sort]
        return Typed(terminal, raw.text, raw.start, raw.end)

    def _word(self, raw: Raw) -> Typed:
        for phrase in self.words.phrases.get(raw.text.replace("’", "'"), ()):
            terminal = self._accepted(phrase.terminals)
            if terminal is None:
                continue
            whole = self.lexer.phrase(raw, phrase.words[1:])
            if whole is not None:
                return Typed(terminal, " ".join(phrase.words), whole.start, whole.end)
        return Typed("NAME", raw.text, raw.start, raw.end)

    def _canonical(self, typed: Typed) -> str:
        if typed.terminal == "NAME":
            return self.words.names.get(typed.text, typed.text)
        return self.words.canonical.get((typed.terminal, typed.text), typed.text)

    def _accepted(self, terminals: tuple[str, ...]) -> str | None:
        return next((terminal for terminal in terminals if self._accepts(terminal)), None)

    def _feed(self, terminal: str, value: Leaf) -> bool:
        """One token into the parser: the reductions it causes, then itself. False if it cannot come here."""
        steps, gotos, end = self._machine.steps, self._machine.gotos, self._machine.end
        stack, values = self._stack, self._values
        while True:
            step = steps[stack[-1]].get(terminal)
            if step is None:
                return False
            build, argument, origin = step
            if build is None:
                stack.append(argument)
                values.append(value)
                return True
            items = []
            if argument:
                items = values[-argument:]
                del stack[-argument:], values[-argument:]
            stack.append(gotos[stack[-1]][origin])
            values.append(build(items))
            if terminal == "$END" and stack[-1] == end:
                return True

    def _accepts(self, terminal: str) -> bool:
        """Whether the terminal can come next, trying the reductions it would cause on a copy of the stack."""
        steps, gotos = self._machine.steps, self._machine.gotos
        stack = self._stack
        copied = False
        while True:
            step = steps[stack[-1]].get(terminal)
            if step is None:
                return False
            build, argument, origin = step
            if build is None:
                return True
            if not copied:
                stack, copied = list(stack), True
            if argument:
                del stack[-argument:]
            stack.append(gotos[stack[-1]][origin])

    def _unexpected(self, typed: Typed, raw: Raw) -> None:
        if self._bracket_left_open(typed):
            place = Span(self.source, self.lexer.brackets[-1], self.lexer.brackets[-1] + 1)
            self.problems.append(report("E0105", place, language=self.language))
            return
        expected = list(self._machine.steps[self._stack[-1]])
        expected = sorted(filter(self._accepts, expected), key=self._rank)
        shown = [self.words.spelling(name) for name in dict.fromkeys(expected)]
        keywords = {
            spelling.strip("`"): None
            for name in expected
            if name in self.words.spellings
            for spelling in self.words.spellings[name]
        }
        span = Span(self.source, typed.start, max(typed.end, typed.start + 1))
        help_text = ""
        if raw.sort == "word":
            help_text = did_you_mean(raw.text, list(keywords), self.language)
        if not help_text:
            help_text, better = self._earlier(typed)
            span = better or span
        arguments = {"expected": _listing(shown, self.language)}
        if typed.terminal in _LAYOUT.values():
            code = {"_NEWLINE": "E0112", "$END": "E0112", "_INDENT": "E0113", "_DEDENT": "E0114"}[
                typed.terminal
            ]
            self.problems.append(
                report(code, span, language=self.language, help=help_text or None, **arguments)
            )
            return
        text = _shortened(self.source.text[span.start : span.end])
        self.problems.append(
            report("E0111", span, language=self.language, text=text, help=help_text or None, **arguments)
        )

    def _bracket_left_open(self, typed: Typed) -> bool:
        """Whether a line begins here that is no deeper than that of an open bracket: a new thought."""
        if not self.lexer.brackets:
            return False
        line, column = self.source.position(typed.start)
        opened = self.source.position(self.lexer.brackets[-1])[0]
        before = self.source.line_text(line)[: column - 1]
        text = self.source.line_text(opened)
        return line > opened and not before.strip() and len(before) <= len(text) - len(text.lstrip())

    def _rank(self, terminal: str) -> tuple[int, str]:
        """The parse table has no order of its own: names first, then words, signs and the layout."""
        if terminal in ("NAME", "NUMBER", "STRING", "RULE_ID"):
            return 0, terminal
        if terminal in self.words.spellings:
            return 1, self.words.spelling(terminal)
        return (3 if terminal in _LAYOUT.values() else 2), terminal

    def _earlier(self, typed: Typed) -> tuple[str, Span | None]:
        """A mistyped keyword is read as a name, and only the next word looks wrong: point at the name."""
        if not self.tokens or self.tokens[-1].terminal != "NAME":
            return "", None
        last = self.tokens[-1]
        first_of_line = len(self.tokens) < 2 or self.tokens[-2].terminal in (
            "_NEWLINE",
            "_INDENT",
            "_DEDENT",
            "_COLON",
        )
        if not first_of_line and typed.terminal in ("_NEWLINE", "_RPAR", "_COMMA"):
            return "", None
        candidates = [spelling for spellings in self.words.spellings.values() for spelling in spellings]
        hint = did_you_mean(last.text, candidates, self.language)
        if not hint or last.text in self.words.phrases:
            return "", None
        return hint, Span(self.source, last.start, last.end)


def _nested_too_deeply(tree: Node | Leaf, language: str) -> list[Diagnostic]:
    """The first place where the tree is deeper than the later stages may recurse."""
    waiting: list[tuple[Item, int]] = [(tree, 1)]
    while waiting:
        item, depth = waiting.pop()
        if depth > MAXIMUM_DEPTH and item is not None:
            return [report("E0106", item.span, language=language)]
        if isinstance(item, Node):
            waiting.extend((child, depth + 1) for child in reversed(item.items))
    return []


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _listing(shown: list[str], language: str) -> str:
    """At most a handful: a longer list helps nobody."""
    unique = list(dict.fromkeys(shown))
    if len(unique) > 6:
        return ", ".join([*unique[:6], "…"])
    joiner = {"fr": " ou "}.get(language, " or ")
    return joiner.join(unique) if len(unique) < 3 else ", ".join(unique[:-1]) + joiner + unique[-1]


#: What a state does with a terminal: shift (no builder, the next state), or reduce (builder, size, rule).
Step = tuple[Callable[[list[Any]], Any] | None, Any, str]


@dataclass(frozen=True, slots=True)
class _Machine:
    """The parse table in the form that the loop over tokens wants."""

    steps: dict[int, dict[str, Step]]
    gotos: dict[int, dict[str, int]]
    start: int
    end: int


@cache
def _machine(rule: str) -> _Machine:
    table = grammar.table()
    return _Machine(*_steps(), table.starts[rule], table.ends[rule])


@cache
def _steps() -> tuple[dict[int, dict[str, Step]], dict[int, dict[str, int]]]:
    table = grammar.table()
    reductions: list[Step] = [(_builder(rule), len(rule.symbols), rule.origin) for rule in table.rules]
    steps: dict[int, dict[str, Step]] = {}
    gotos: dict[int, dict[str, int]] = {}
    for state, entries in table.states.items():
        own_steps = steps[state] = {}
        own_gotos = gotos[state] = {}
        for name, (shift, argument) in entries.items():
            if not name.strip("_$").isupper():
                own_gotos[name] = argument
            else:
                own_steps[name] = (None, argument, "") if shift else reductions[argument]
    return steps, gotos


_WITHOUT_MEANING = {*_LAYOUT.values(), *(name for names in PUNCTUATION.values() for name in names)}


@dataclass(slots=True)
class _Listed:
    """The items of a repetition so far. It grows in place: copying it at each step would be quadratic."""

    items: list[Any]
    span: Span


def _builder(rule: grammar.GrammarRule) -> Callable[[list[Any]], Any]:
    name = rule.name
    pick = grammar.shape(rule)
    # Inlining a rule must not lose a keyword: `not x` is not `x`.
    keyword = any(terminal and symbol not in _WITHOUT_MEANING for symbol, terminal in rule.symbols)
    expand = rule.expand and not rule.aliased and (not keyword or len(rule.symbols) == 1)
    repetition = name.startswith("__")

    def build(values: list[Any]) -> Any:
        span = _place(values)
        if repetition and isinstance(values[0], _Listed):
            values[0].items.extend(pick([_Listed([], span), *values[1:]]))
            values[0].span = span
            return values[0]
        items = pick(values)
        if repetition:
            return _Listed(items, span)
        if expand and len(items) == 1:
            return items[0]
        return Node(name, tuple(items), span)

    return build


# What was left out has no place until its neighbours are known.
_NOWHERE = Span(Source("", ""), 0, 0)


def _place(values: list[Any]) -> Span:
    """The place of all values together; an empty one among them is put beside its neighbour."""
    if not values:
        return _NOWHERE
    for index, value in enumerate(values):
        if value.span is not _NOWHERE:
            continue
        if index > 0 and values[index - 1].span is not _NOWHERE:
            beside = values[index - 1].span
            values[index] = replace(value, span=Span(beside.source, beside.end, beside.end))
        elif index + 1 < len(values):
            beside = values[index + 1].span
            values[index] = replace(value, span=Span(beside.source, beside.start, beside.start))
    first: Span = values[0].span
    last: Span = values[-1].span
    return _NOWHERE if first is _NOWHERE or last is _NOWHERE else first.to(last)
