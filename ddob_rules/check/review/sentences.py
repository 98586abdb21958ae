"""Numbers in the sentences of rules: what stands in braces must be a value, so that the two cannot differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import RuleBlock
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.nodes.rules import RuleText
from ddob_rules.syntax.source import Span
from interpreter import ir
from interpreter.telling.sentences import BRACES, numbers_of


def wrong_sentences(merged: Merged, program: ir.Program) -> list[Diagnostic]:
    bodies = {each.name: each.body for each in program.definitions if not each.parameters}
    known = [name for name in bodies if " " not in name and numbers_of(bodies, name)]
    found = []
    for rule in merged.rules.values():
        for place, name in _named(rule):
            if name not in known:
                advice = did_you_mean(name, known, rule.language) or None
                found.append(
                    report("E0280", place, language=rule.language, rule=rule.id, help=advice, name=name)
                )
    return found


def _named(rule: RuleBlock) -> Iterator[tuple[Span, str]]:
    """The names in braces, each at its place."""
    for declared in rule.node.declarations if rule.node is not None else ():
        if isinstance(declared, RuleText):
            span = declared.text.span
            found: re.Match[str]
            for found in BRACES.finditer(span.text):
                start, end = found.span(1)
                yield Span(span.source, span.start + start, span.start + end), found[1]
