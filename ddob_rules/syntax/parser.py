"""One stretch of text, handed to lark: the tree, or what is wrong with it and what may have been meant.

A stretch is read up to its first mistake. Going on after it is the business of `mending`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any

from lark import Token, UnexpectedCharacters, UnexpectedToken
from lark import Tree as Parsed

from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean, meant_in
from ddob_rules.syntax import grammar
from ddob_rules.syntax.edits import Edit, Mended
from ddob_rules.syntax.layout import CLOSING, OPENING, LayoutMistake
from ddob_rules.syntax.nodes import Item, Leaf, Node, build
from ddob_rules.syntax.source import Source, Span
from ddob_rules.syntax.words import PUNCTUATION, Words

# Blocks and brackets have their own limits; this one is for such as `not not not` and `a.b.b.b`.
MAXIMUM_DEPTH = 200
# A message shows what the author wrote, but not a whole page of it.
_LONGEST_SHOWN = 60

#: Which finding it is if one of these comes where it cannot.
_LAYOUT = {"_NEWLINE": "E0112", "$END": "E0112", "_INDENT": "E0113", "_DEDENT": "E0114"}
_STARTS_LINE = ("_NEWLINE", "_INDENT", "_DEDENT", "_COLON")
#: What an author would call one piece of the text, whatever the parser expected there.
_PIECE = re.compile("|".join([grammar.STRING, grammar.NAME, r"[0-9]\w*", *map(re.escape, PUNCTUATION)]))


@dataclass(frozen=True, slots=True)
class Typed:
    """A token with the terminal it was read as."""

    terminal: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """What does not fit, where reading failed for it, and the edits that may be what the author meant."""

    finding: Diagnostic
    place: int
    edits: tuple[Edit, ...] = ()
    wants_colon: int | None = None  # the end of the last word, if a colon could come behind it
    goes_on: bool = False  # whether its line is read as going on with the one above


class _TooDeep(Exception):
    """A part of a tree that is deeper than the later stages may recurse."""

    def __init__(self, part: Parsed[Token] | Token) -> None:
        super().__init__()
        self.part = part


class Parser:
    """Hands one stretch of text to lark, and says what is wrong with it."""

    def __init__(
        self, source: Source, start: int, end: int, vocabulary: Words, rule: str, edits: Iterable[Edit] = ()
    ) -> None:
        self.source = source
        self.words = vocabulary
        self.language = vocabulary.language
        self.mistake: Mistake | None = None
        self._start = start
        self._end = end
        self._seen: list[Token] = []
        inside = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
        self._mended = Mended(source.text[start:end], inside)
        #: Where a place of the text that is read stands in the file; mostly nothing is mended.
        self._at: Callable[[int], int] = self._unmended if inside else start.__add__
        self._parser: Any = grammar.parser(vocabulary.language).parse_interactive(self._mended.text, rule)

    @property
    def problems(self) -> list[Diagnostic]:
        return [self.mistake.finding] if self.mistake is not None else []

    @property
    def tokens(self) -> list[Typed]:
        """Those that were read, up to a mistake if there is one."""
        return [self._typed(token) for token in self._seen]

    def run(self) -> Node | None:
        """The tree, or None after a mistake."""
        twins, seen = self.words.twins, self._seen
        try:
            for token in self._parser.iter_parse():
                if token.type in twins:
                    self._settle(token)
                seen.append(token)
            seen.append(Token("$END", "", seen[-1].end_pos))
            return self._node(self._parser.feed_token(seen[-1]), 1)
        except LayoutMistake as mistake:
            arguments: dict[str, Any] = {} if mistake.limit is None else {"limit": str(mistake.limit)}
            start, end = self._at(mistake.start), self._at(mistake.end)
            self._report(mistake.code, start, end, self._layout_edits(mistake.code, start), **arguments)
        except UnexpectedToken as mistake:
            if seen and seen[-1] is mistake.token:
                seen.pop()
            self._unexpected(self._typed(mistake.token))
        except UnexpectedCharacters as mistake:
            self._unreadable(self._at(mistake.pos_in_stream or 0))
        except _TooDeep as mistake:
            span = self._span(mistake.part)
            self._report("E0106", span.start, span.end)
        return None

    def accepted(self) -> set[str]:
        """What can come next, where the text ends in the middle of a thought."""
        try:
            for token in self._parser.iter_parse():
                if token.type in self.words.twins:
                    self._settle(token)
                self._seen.append(token)
        except (LayoutMistake, UnexpectedToken):
            return set()
        except UnexpectedCharacters as mistake:
            if self._start + (mistake.pos_in_stream or 0) < self._end - 1:
                return set()
        found: set[str] = self._parser.accepts()
        return found

    def _settle(self, token: Token) -> None:
        """Of two keywords that are the same word, takes the one that can come here."""
        choices = self._parser.choices()
        twins = [twin for twin in self.words.twins[token.type] if twin in choices]
        if len(twins) > 1:
            token.type = next((twin for twin in twins if self._accepts(twin)), token.type)

    def _accepts(self, terminal: str) -> bool:
        """Whether it can come here, tried on a copy that builds nothing: lark itself tries all that might."""
        trial = self._parser.copy(deepcopy_values=False)
        trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
        trial.parser_state.parse_conf.callbacks = {}
        try:
            trial.feed_token(Token(terminal, ""))
        except UnexpectedToken:
            return False
        return True

    def _unmended(self, place: int) -> int:
        return self._start + self._mended.original(place)

    def _typed(self, token: Token) -> Typed:
        start, end = token.start_pos or 0, (token.start_pos or 0) + len(token)
        terminal = "NAME" if token.type == "BOUND_NAME" else token.type
        return Typed(terminal, self._written(token), self._at(start), self._at(end))

    def _written(self, token: Token) -> str:
        """A word or phrase as the word lists have it."""
        if token.type in self.words.spellings:
            return " ".join(token.replace("’", "'").split())
        return str(token)

    def _node(self, parsed: Parsed[Token], depth: int) -> Node:
        if depth >= MAXIMUM_DEPTH:
            raise _TooDeep(parsed)
        items: list[Item] = []
        kind = str(parsed.data)
        step = kind in _ROWS
        for place, child in enumerate(parsed.children):
            if child is None:
                items.append(None)
            elif isinstance(child, Token):
                items.append(self._leaf(child))
            else:
                items.append(self._node(child, depth + 1 + step * place))
        if kind == "cell" and items[0] is not None:
            return build(kind, items, items[0].span)
        return build(kind, items, self._span(parsed))

    def _leaf(self, token: Token) -> Leaf:
        text = self._written(token)
        if token.type in ("NAME", "BOUND_NAME"):
            return Leaf("NAME", self.words.names.get(text, text), self._span(token))
        return Leaf(token.type, self.words.canonical.get((token.type, text), text), self._span(token))

    def _span(self, part: Parsed[Token] | Token) -> Span:
        if isinstance(part, Token):
            return Span(self.source, self._at(part.start_pos or 0), self._at(part.end_pos or 0))
        if part.meta.empty:
            return Span(self.source, self._start, self._start)
        return Span(self.source, self._at(part.meta.start_pos), self._at(part.meta.end_pos))

    def _unreadable(self, start: int) -> None:
        if self.source.text[start] == '"':
            stop = self.source.text.find("\n", start, self._end)
            stop = self._end if stop < 0 else stop
            self._report("E0104", start, min(stop, start + 40), (Edit(stop, stop, '"'),))
        else:
            self._report("E0101", start, start + 1, character=self.source.text[start])

    def _report(
        self, code: str, start: int, end: int, edits: tuple[Edit, ...] = (), help_text: str = "",
        place: int | None = None, wants_colon: int | None = None, goes_on: bool = False, **arguments: str,
    ) -> None:  # fmt: skip
        span = Span(self.source, start, max(end, start + 1))
        finding = report(code, span, language=self.language, help=help_text or None, **arguments)
        self.mistake = Mistake(finding, start if place is None else place, edits, wants_colon, goes_on)

    def _layout_edits(self, code: str, start: int) -> tuple[Edit, ...]:
        """Tabs are blanks; a bracket may be closed where its line ends."""
        if code == "E0102":
            blanks = _INDENTATION.finditer(self.source.text, self._start, self._end)
            tabs = [found for found in blanks if "\t" in found[0]]
            return tuple(Edit(found.start(), found.end(), found[0].replace("\t", "  ")) for found in tabs)
        return self._closing(start) if code == "E0105" else ()

    def _closing(self, bracket: int) -> tuple[Edit, ...]:
        line, _ = self.source.position(bracket)
        code = _COMMENT.sub("", self.source.line_text(line)).rstrip()
        end = self.source.offset(line, len(code.removesuffix(":")) + 1)
        return (Edit(end, end, _CLOSED_BY[self.source.text[bracket]]),)

    def _unexpected(self, typed: Typed) -> None:
        bracket = self._bracket_left_open(typed)
        if bracket is not None:
            self._report("E0105", bracket, bracket + 1, self._closing(bracket), place=typed.start)
            return
        wants_colon = self.tokens[-1].end if self._seen and "_COLON" in self._parser.accepts() else None
        expected = sorted(self._parser.accepts() - {"BOUND_NAME"}, key=self._rank)
        start, end, word = typed.start, typed.end, ""
        if typed.terminal not in _LAYOUT:
            found = _PIECE.match(self.source.text, start, self._end)
            end = found.end() if found is not None else start + 1
            word = self.source.text[start:end]
        help_text = ""
        if word in self.words.spellings["_SET"] and "_VALUE" in expected:
            help_text = self._written_anew()
        elif word[:1].isalpha() or word[:1] == "_":
            keywords = [spelling for name in expected for spelling in self.words.spellings.get(name, ())]
            help_text = did_you_mean(word, list(dict.fromkeys(keywords)), self.language)
        if not help_text:
            help_text, better = self._hyphenated(typed) or self._earlier(typed)
            start, end = better or (start, end)
        meant = meant_in(help_text)
        edits = (Edit(start, end, meant),) if meant is not None else ()
        arguments = {"expected": _listing([self.words.spelling(name) for name in expected], self.language)}
        if typed.terminal not in _LAYOUT:
            arguments["text"] = _shortened(self.source.text[start:end])
        code = _LAYOUT.get(typed.terminal, "E0111")
        goes_on = self._goes_on(typed)
        self._report(code, start, end, edits, help_text, typed.start, wants_colon, goes_on, **arguments)

    def _goes_on(self, typed: Typed) -> bool:
        """Whether its line is deeper than the one above, which opens no block, and so goes on with it."""
        begins = self.source.offset(self.source.position(typed.start)[0], 1)
        above = [token for token in self._seen if self._at(token.start_pos or 0) < begins]
        return typed.terminal not in _LAYOUT and bool(above) and above[-1].type not in _STARTS_LINE

    def _bracket_left_open(self, typed: Typed) -> int | None:
        """The open bracket, if a line begins here that is no deeper than its own: a new thought."""
        brackets: list[int] = []
        for token in self.tokens:
            if token.terminal in OPENING:
                brackets.append(token.start)
            elif token.terminal in CLOSING and brackets:
                brackets.pop()
        if not brackets:
            return None
        line, column = self.source.position(typed.start)
        opened = self.source.position(brackets[-1])[0]
        before = self.source.line_text(line)[: column - 1]
        text = self.source.line_text(opened)
        new = line > opened and not before.strip() and len(before) <= len(text) - len(text.lstrip())
        return brackets[-1] if new else None

    def _rank(self, terminal: str) -> tuple[int, str]:
        """The parse table has no order of its own: names first, then words, signs and the layout."""
        if terminal in ("NAME", "NUMBER", "RATIO", "STRING", "RULE_ID"):
            return 0, terminal
        if terminal in self.words.spellings:
            return 1, self.words.spelling(terminal)
        return (3 if terminal in _LAYOUT else 2), terminal

    def _hyphenated(self, typed: Typed) -> tuple[str, tuple[int, int]] | None:
        """Names of folders and files may have a hyphen; in rules it is a minus, and `_` stands in names."""
        last = self.tokens[-1] if self.tokens else None
        if last is None or last.terminal != "NAME" or last.end != typed.start:
            return None
        found = _HYPHENATED.match(self.source.text, last.start, self._end)
        if found is None:
            return None
        return did_you_mean(found[0], [found[0].replace("-", "_")], self.language), found.span()

    def _written_anew(self) -> str:
        """A change where rules declare: a value of another rule is not set, but written once more."""
        value = self.words.spellings["_VALUE"][0]
        if self.language == "fr":
            return (
                f"récrivez une valeur : `{value} NOM = 6` ; ce qui se passe dans la partie est dans une "
                "phase, une action ou une procédure"
            )
        return (
            f"write a value anew: `{value} NAME = 6`; what happens in the game stands in a phase, an action "
            "or a procedure"
        )

    def _earlier(self, typed: Typed) -> tuple[str, tuple[int, int] | None]:
        """A mistyped keyword is read as a name, and only the next word looks wrong: point at the name."""
        tokens = self.tokens[-2:]
        if not tokens or tokens[-1].terminal != "NAME":
            return "", None
        last = tokens[-1]
        first_of_line = len(tokens) < 2 or tokens[0].terminal in _STARTS_LINE
        if not first_of_line and typed.terminal in ("_NEWLINE", "_RPAR", "_COMMA"):
            return "", None
        candidates = [spelling for spellings in self.words.spellings.values() for spelling in spellings]
        hint = did_you_mean(last.text, candidates, self.language)
        if not hint or last.text in self.words.first_words:
            return "", None
        return hint, (last.start, last.end)


_CLOSED_BY = {"(": ")", "[": "]", "{": "}"}
_HYPHENATED = re.compile(r"\w+(?:-\w+)+")
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n\"]*$")
#: What is a row here, `a and b and c`, stands inside one another later.
_ROWS = ("conjunction", "disjunction", "if_statement", "cases")


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _listing(shown: list[str], language: str) -> str:
    """At most a handful: a longer list helps nobody."""
    unique = list(dict.fromkeys(shown))
    if len(unique) > 6:
        return ", ".join([*unique[:6], "…"])
    joiner = {"fr": " ou "}.get(language, " or ")
    return joiner.join(unique) if len(unique) < 3 else ", ".join(unique[:-1]) + joiner + unique[-1]
