"""From rules in an earlier version of the language to the same rules in this one, for `ddob fmt --upgrade`.

A rewriting is a change of a few letters that the tree alone shows: no word of a ruleset need be known for it.
What needs a decision of the author (which of two meanings was meant) is left to the findings of `ddob check`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddob_rules.syntax.nodes import Leaf, Node, rules
from ddob_rules.syntax.nodes import expressions as nodes
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.words import words

#: From, up to, and what stands there instead.
Change = tuple[int, int, str]


def upgrade_source(source: Source) -> Source:
    """The text with everything rewritten that can be; one with mistakes is left as it is."""
    parsed = parse_file(source)
    if parsed.problems:
        return source
    parts = [part for item in parsed.items for part in item.walk()]
    found = [change for part in parts for change in _changes(part, parsed.language)]
    text = source.text
    for start, end, written in sorted(found, reverse=True):
        text = text[:start] + written + text[end:]
    return Source(source.path, text)


def _changes(part: Node | Leaf, language: str) -> Iterator[Change]:
    match part:
        case nodes.Some(binding=binding) | nodes.NotAny(binding=binding):
            yield from _bracketed(binding.condition)
        case nodes.Universal(condition=condition):
            yield from _bracketed(condition)
        case rules.Modifiers():
            yield from _telling(part)
            yield from _seen_by_nobody(part, language)


def _bracketed(condition: nodes.Expression | None) -> Iterator[Change]:
    """`some x in S where a or b` took every `or` that followed; brackets say so."""
    if isinstance(condition, nodes.Disjunction):
        yield condition.span.start, condition.span.start, "("
        yield condition.span.end, condition.span.end, ")"


def _telling(modifiers: rules.Modifiers) -> Iterator[Change]:
    """What is renewed is untold by itself."""
    telling = modifiers.telling
    if telling is not None and telling.terminal == "UNTOLD" and modifiers.renewed is not None:
        text = telling.span.source.text
        start = telling.span.start
        while text[start - 1] in " \t":
            start -= 1
        yield start, telling.span.end, ""


def _seen_by_nobody(modifiers: rules.Modifiers, language: str) -> Iterator[Change]:
    """`seen by nobody when C` was everyone's as soon as C failed."""
    written = words(language).spellings
    for clause in modifiers.seen:
        who, condition = clause.seers.who, clause.condition
        if isinstance(who, Leaf) and who.text == "nobody" and condition is not None:
            yield who.span.start, who.span.end, written["EVERYONE"][0]
            yield condition.span.start, condition.span.start, f"{written['_NOT'][0]} ("
            yield condition.span.end, condition.span.end, ")"
