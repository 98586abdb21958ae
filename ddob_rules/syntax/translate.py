"""From a rules file in one language to the same rules in another, for `ddob translate`.

Keywords and built-in names change, in the code and between the braces of texts; the author's names, the words
of texts, comments and layout stay. The result is parsed again to prove that it is read as before. Texts that
players see are not translated: they live in catalogues.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.syntax.format import layout
from ddob_rules.syntax.nodes import Node
from ddob_rules.syntax.parse import LANGUAGE_LINE, ParsedFile, item_starts, parse_with_tokens
from ddob_rules.syntax.parser import Parser, Typed
from ddob_rules.syntax.source import Source, Span
from ddob_rules.syntax.words import Words, languages, words

_VOWELS = frozenset("aeiouyhàâéèêëîïôù")
_EMBEDDED = re.compile(r"\{([^{}]*)\}")


def translate_source(source: Source, to: str) -> tuple[str, list[Diagnostic]]:
    """The text in the language `to`; if that cannot be done, the text as it is and why."""
    parsed, _ = parse_with_tokens(source)
    if parsed.problems:
        return source.text, list(parsed.problems)
    if to not in languages():
        return source.text, [_unknown(source, parsed.language, to)]
    if to == parsed.language:
        return source.text, []
    work = _Translation(parsed, words(parsed.language), words(to))
    text = work.text()
    again, _ = parse_with_tokens(Source(source.path, text))
    problems = work.misread(again)
    if problems:
        return source.text, problems
    if layout(parsed) == source.text:
        # Words of another length leave the bars of tables crooked.
        aligned = layout(again)
        if parse_with_tokens(Source(source.path, aligned))[0].items == again.items:
            return aligned, []
    return text, []


def _unknown(source: Source, language: str, to: str) -> Diagnostic:
    known = languages()
    advice = did_you_mean(to, known, language) or None
    arguments = {"name": to, "known": ", ".join(known)}
    return report("E0110", Span(source, 0, 0), language=language, help=advice, **arguments)


@dataclass(frozen=True, slots=True)
class _Translation:
    parsed: ParsedFile
    old: Words
    new: Words

    def text(self) -> str:
        source = self.parsed.source.text
        written = self._written(self.parsed.tokens, source, self._roles())
        return self._with_language_line(written)

    def _written(self, tokens: Iterable[Typed], source: str, roles: Mapping[int, Mapping[str, str]]) -> str:
        """Token by token; a word that is elided before a vowel stands right before the next one."""
        written = ""
        position = 0
        elided = tuple(self.old.elided.values())
        for token in tokens:
            between = source[position : token.start]
            if source.endswith(elided, 0, position) and not between and token.text:
                between = " "
            new = roles.get(token.start, {}).get(token.terminal) or self._spelling(token)
            short = next((word for word in self.new.elided if written.endswith(word)), "")
            if short and between == " " and new[:1].lower() in _VOWELS:
                written, between = written.removesuffix(short) + self.new.elided[short], ""
            written += between + new
            position = token.end
        return written + source[position:]

    def _roles(self) -> dict[int, dict[str, str]]:
        """By where a node begins: how the other language writes the word that it begins with."""
        return {
            node.span.start: self.new.roles[node.kind]
            for item in self.parsed.items
            for node in item.item.walk()
            if isinstance(node, Node) and node.kind in self.new.roles
        }

    def misread(self, again: ParsedFile) -> list[Diagnostic]:
        """For each top-level item that is read differently, where that begins."""
        problems: list[Diagnostic] = []
        for before, after in zip(_by_item(self.parsed), _by_item(again), strict=True):
            index = self._first_difference(before, after)
            if index is not None:
                problems.append(self._clash(_culprit(before, after, index)))
        return problems or list(again.problems)

    def _spelling(self, token: Typed) -> str:
        if token.terminal == "STRING":
            return _EMBEDDED.sub(lambda found: "{" + self._embedded(found.group(1)) + "}", token.text)
        if token.terminal == "NAME":
            meant = self.old.names.get(token.text)
            return token.text if meant is None else self.new.builtin[meant]
        spellings = self.old.spellings.get(token.terminal)
        if spellings is None:
            return token.text
        return self.new.spellings[token.terminal][spellings.index(token.text)]

    def _embedded(self, text: str) -> str:
        """What stands between braces, if it is an expression."""
        tokens, sound = _expression(text, self.old)
        if not sound:
            return text
        return self._written(tokens, text, {})

    def _with_language_line(self, text: str) -> str:
        """Only English needs no such line. It looks the same in every language, so anybody can look it up."""
        found = LANGUAGE_LINE.match(text)
        line = "" if self.new.language == "en" else f"language {self.new.language}\n"
        if found is None:
            return line + text
        comment = f"{found.group('comment')}\n" if found.group("comment") else ""
        return text[: found.start("line")] + line + comment + text[found.end() :]

    def _first_difference(self, before: Sequence[Typed], after: Sequence[Typed]) -> int | None:
        for index, (token, again) in enumerate(zip(before, after, strict=False)):
            if token.terminal != again.terminal or not self._same(token, again):
                return index
        return None if len(before) == len(after) else min(len(before), len(after))

    def _same(self, token: Typed, again: Typed) -> bool:
        if token.terminal == "STRING":
            return self._same_text(token.text, again.text)
        return _canonical(token, self.old) == _canonical(again, self.new)

    def _same_text(self, before: str, after: str) -> bool:
        if _EMBEDDED.sub("{}", before) != _EMBEDDED.sub("{}", after):
            return False
        pairs = zip(_EMBEDDED.findall(before), _EMBEDDED.findall(after), strict=True)
        return all(self._same_expression(left, right) for left, right in pairs)

    def _same_expression(self, before: str, after: str) -> bool:
        old, sound = _expression(before, self.old)
        if not sound:
            return before == after
        new, sound = _expression(after, self.new)
        return sound and self._first_difference(old, new) is None

    def _clash(self, token: Typed) -> Diagnostic:
        span = Span(self.parsed.source, token.start, max(token.end, token.start + 1))
        return report("E0115", span, language=self.old.language, name=token.text, other=self.new.language)


def _by_item(parsed: ParsedFile) -> list[list[Typed]]:
    """The tokens of each top-level item, without the layout, which translating does not touch."""
    starts = item_starts(parsed.source)
    items: list[list[Typed]] = [[] for _ in starts]
    for token in _visible(parsed.tokens):
        items[bisect_right(starts, token.start) - 1].append(token)
    return items


def _visible(tokens: Iterable[Typed]) -> list[Typed]:
    return [token for token in tokens if token.start < token.end]


def _culprit(before: Sequence[Typed], after: Sequence[Typed], index: int) -> Typed:
    """The name to blame; a phrase of the other language may begin with a keyword and end in the name."""
    words_read = len(after[index].text.split()) if index < len(after) else 1
    swallowed = before[index : index + words_read]
    return next((token for token in swallowed if token.terminal == "NAME"), before[index])


def _canonical(token: Typed, vocabulary: Words) -> str:
    if token.terminal == "NAME":
        return vocabulary.names.get(token.text, token.text)
    return vocabulary.canonical.get((token.terminal, token.text), token.text)


def _expression(text: str, vocabulary: Words) -> tuple[list[Typed], bool]:
    """The tokens of a text read as an expression, and whether it is one."""
    parser = Parser(Source("", text), 0, len(text), vocabulary, "embedded")
    parser.run()
    return _visible(parser.tokens), not parser.problems
