"""Hints: what is right, and could be kinder to players. Nobody is told them who does not ask."""

from __future__ import annotations

from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.stack.book import Book
from ddob_rules.syntax.nodes import rules


def hints(book: Book) -> list[Diagnostic]:
    """Conditions of actions that do not say why the action is impossible without them."""
    found = []
    for rule in book.rules:
        for declaration in rule.declarations:
            node = declaration.node
            lines = node.body.lines if isinstance(node, (rules.Action, rules.ActionAlso)) else ()
            for line in lines:
                if isinstance(line, rules.MustHold) and line.reason is None:
                    found.append(report("W0207", line.condition.span, language=rule.language, rule=rule.id))
    return found
