"""One printing of a rulebook: the rules in force in one language, and how pieces of them are set in type.

A piece of the rules is set as its author wrote it, without comments, with the keywords of the book's
language, and with every word linked to the rule that declares it. Nothing is evaluated.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import islice, takewhile
from urllib.parse import quote
from xml.etree.ElementTree import Element

from ddob_rules.book.words import book_words
from ddob_rules.check.program import Checked
from ddob_rules.index import Index, Spot
from ddob_rules.pages.elements import Content, element
from ddob_rules.stack.book import RuleBlock, text_of
from ddob_rules.stack.overlay import Version
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.parser import Typed
from ddob_rules.syntax.source import Source, Span
from ddob_rules.syntax.words import words as keywords
from ddob_rules.translations.catalogue import TEXT, catalogue_for
from interpreter import ir
from interpreter.telling.names import in_words

_COMMENT = re.compile(r"[ \t]*#[^\n]*")
#: Words that mean something to everybody who reads rules, and are declared by nobody.
_UNLINKED = ("local", "library")


class Edition:
    """What is printed, and in which language."""

    def __init__(self, checked: Checked, program: ir.Program, language: str) -> None:
        self.checked, self.merged, self.program = checked, checked.merged, program
        self.language = language or program.language
        self.words = book_words(self.language)
        self.texts = catalogue_for(checked, self.language) if self.language != program.language else {}
        self.index = Index(checked)
        self._tokens: dict[str, list[Typed]] = {}

    # ------------------------------------------------------------ rules

    @cached_property
    def rules(self) -> list[RuleBlock]:
        """Those in force, in the order of their numbers."""
        found = (block for number, block in self.merged.rules.items() if number not in self.merged.gone)
        return sorted(found, key=lambda block: self.merged.order(block.id))

    @cached_property
    def numbers(self) -> set[str]:
        return {block.id for block in self.rules}

    def title(self, block: RuleBlock) -> str:
        return self.texts.get(f"rule {block.id}", block.title)

    def sentence(self, block: RuleBlock) -> str:
        return self.texts.get(f"rule {block.id} text", block.text)

    def link(self, number: str, *content: Content, class_: str | None = None) -> Element | str:
        """The number of a rule, leading to it if it is in force."""
        if number not in self.numbers:
            return number
        return element("a", *(content or (number,)), href=f"#{quote(anchor(number))}", class_=class_)

    def links(self, numbers: list[str]) -> list[Content]:
        return [[", " if place else None, self.link(number)] for place, number in enumerate(numbers)]

    def when(self, condition: Node | Leaf | None) -> Content:
        """Under which condition something holds; nothing if it always does."""
        return [", ", self.words["when"], " ", self.inline(condition)] if condition is not None else None

    def provenance(self, version: Version) -> Element:
        """Which rule of which ruleset made a change, and when it holds."""
        block = version.rule
        verb = block.amendment.verb if block.amendment is not None else "amends"
        return self.told(verb, self.link(block.id), block.ruleset, version.condition)

    def told(self, verb: str, rules: Content, ruleset: str, condition: Node | Leaf | None) -> Element:
        """A line that says who amends whom."""
        first, _, last = self.words[verb].partition("{rule}")
        of = self.words["of"].format(ruleset=ruleset)
        return element("p", first, rules, last, of, self.when(condition), class_="from")

    # ------------------------------------------------------------ names

    def name(self, key: str, name: str) -> str:
        """A name of the rules as people read it; `key` says what it is the name of, for the catalogue."""
        return self.texts.get(f"{key} {name}", in_words(name))

    def phase(self, name: str) -> str:
        return self.texts.get(f"phase {name}", dict(self.program.phases).get(name, in_words(name)))

    def action(self, node: nodes.Action) -> str:
        own = text_of(node.title) or in_words(node.name.text)
        title = self.texts.get(f"action {node.name.text}", own)
        return title[:1].upper() + title[1:]

    def text(self, said: str) -> str:
        """A text that players read."""
        return self.texts.get(TEXT + said, said)

    @cached_property
    def spots(self) -> dict[tuple[str, int], Spot]:
        return {(path, spot.span.start): spot for path in self.index.paths for spot in self.index.file(path)}

    @cached_property
    def homes(self) -> dict[tuple[str, str, str], str]:
        """Where each word is declared: the number of its rule."""
        found: dict[tuple[str, str, str], str] = {}
        for key, spots in self.index.symbols.items():
            for spot in spots:
                rule = self.rule_at(spot.span) if spot.declares else ""
                if rule in self.numbers:
                    found.setdefault(key, rule)
        return found

    def rule_at(self, span: Span) -> str:
        """The number of the rule that a place stands in; nothing in an example."""
        for start, end, number in self._blocks.get(span.source.path, ()):
            if start <= span.start < end:
                return number
        return ""

    @cached_property
    def _blocks(self) -> dict[str, list[tuple[int, int, str]]]:
        found: dict[str, list[tuple[int, int, str]]] = {}
        for book in self.checked.books:
            for block in book.rules:
                if block.node is not None:
                    span = block.node.span
                    found.setdefault(span.source.path, []).append((span.start, span.end, block.id))
        return found

    # ------------------------------------------------------------ pieces of rules

    def code(self, node: Node | Leaf) -> Element:
        """A piece of the rules on lines of its own, as it is laid out."""
        return element("div", [element("div", line, class_="code") for line in self._lines(node.span)])

    def inline(self, node: Node | Leaf | None) -> Element | None:
        """A piece of the rules inside a line."""
        if node is None:
            return None
        return element("code", self._set(node.span, plain=False))

    def plain(self, node: Node | Leaf | None) -> list[Content]:
        """A piece of the rules in words: what stands in the cell of a table."""
        return list(self._set(node.span, plain=True)) if node is not None else []

    def _lines(self, span: Span) -> Iterator[list[Content]]:
        """Each line with its indentation, counted from that of the first."""
        text = span.source.text
        line_start = text.rfind("\n", 0, span.start) + 1
        margin = span.start - line_start
        start = span.start
        for number, line in enumerate(text[span.start : span.end].split("\n")):
            end = start + len(line)
            if line.strip() and not line.lstrip().startswith("#"):
                indent = len(line) - len(line.lstrip()) if number else 0
                inside = Span(span.source, start + indent, end)
                shift = "\N{NO-BREAK SPACE}" * max(0, indent - margin) if number else ""
                yield [shift, *self._set(inside, plain=False)]
            start = end + 1

    def _set(self, span: Span, *, plain: bool) -> Iterator[Content]:
        source, position = span.source.text, span.start
        for token in self._tokens_in(span):
            yield _gap(source[position : token.start])
            yield self._token(span.source, token, plain)
            position = token.end
        yield _gap(source[position : span.end]).rstrip()

    def _tokens_in(self, span: Span) -> Iterator[Typed]:
        known = self._tokens.get(span.source.path)
        if known is None:
            known = [token for token in parse_file(span.source).tokens if token.text.strip()]
            self._tokens[span.source.path] = known
        first = bisect_left(known, span.start, key=lambda token: token.start)
        return takewhile(lambda token: token.end <= span.end, islice(known, first, None))

    def _token(self, source: Source, token: Typed, plain: bool) -> Content:
        match token.terminal:
            case "NAME":
                return self._name(source, token, plain)
            case "STRING":
                said = token.text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
                return self.text(said) if plain else element("i", f"“{self.text(said)}”")
            case "RULE_ID":
                return self.link(token.text)
            case terminal:
                own = keywords(self._language(source)).spellings.get(terminal)
                if own is None or token.text not in own:
                    return token.text
                spelled = keywords(self.language).spellings[terminal][own.index(token.text)]
                return spelled if plain else element("b", spelled)

    def _name(self, source: Source, token: Typed, plain: bool) -> Content:
        spot = self.spots.get((source.path, token.start))
        shown = self._builtin(source, token.text)
        if plain:
            shown = self._called(spot, shown)
        home = self.homes.get(spot.key, "") if spot is not None else ""
        if not home or spot is None or spot.meaning.space in _UNLINKED or spot.declares:
            return shown
        return self.link(home, shown)

    def _called(self, spot: Spot | None, name: str) -> str:
        match spot.meaning.space if spot is not None else "":
            case "value":
                assert spot is not None
                return self.name(f"value {spot.meaning.of}", name)
            case "attribute":
                return self.name("attribute", name)
            case _:
                return in_words(name)

    def _builtin(self, source: Source, name: str) -> str:
        meant = keywords(self._language(source)).names.get(name)
        return keywords(self.language).builtin[meant] if meant is not None else name

    def _language(self, source: Source) -> str:
        return self._languages.get(source.path, self.program.language)

    @cached_property
    def _languages(self) -> dict[str, str]:
        """The language that each file is written in."""
        return {
            block.span.source.path: block.language for book in self.checked.books for block in book.rules
        } | {
            example.node.span.source.path: example.language
            for book in self.checked.books
            for example in book.examples
        }


def anchor(number: str) -> str:
    """The place of a rule in the page."""
    return f"rule-{number}".replace(" ", "-")


def _gap(text: str) -> str:
    """What stands between two words: comments and line ends are only for those who write."""
    bare = _COMMENT.sub("", text)
    return " " if bare.strip() == "" and bare != "" else bare
