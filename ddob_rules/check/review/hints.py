"""Hints: what is right, and could be kinder to players. Nobody is told them who does not ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddob_rules.check.values.needs import terms_of
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.stack.book import Book
from ddob_rules.syntax.nodes import Node, rules
from ddob_rules.syntax.nodes.expressions import Base, Call, Expression, Name


def hints(books: Sequence[Book]) -> list[Diagnostic]:
    """Conditions of the last book that do not say why an action is impossible without them."""
    listing = {
        declared.node.name.text
        for book in books
        for rule in book.rules
        for declared in rule.declarations
        if isinstance(declared.node, rules.Define) and isinstance(declared.node.value, rules.Needs)
    }
    return [
        report("W0207", line.condition.span, language=rule.language, rule=rule.id)
        for rule in books[-1].rules
        for declared in rule.declarations
        for line in _needs(declared.node, listing)
        if line.reason is None and not _asks(line, listing)
    ]


def _needs(node: Node, listing: set[str]) -> Iterator[rules.MustHold | rules.DefineOnly]:
    """The lines that say what must hold, for an action or in a definition that lists it."""
    match node:
        case rules.Action(body=body) | rules.ActionAlso(body=body):
            yield from (line for line in body.lines if isinstance(line, rules.MustHold))
        case rules.Define(value=rules.Needs(lines=lines)):
            yield from lines
        case rules.DefineOnly() if node.name.text in listing:
            yield node


def _asks(line: rules.MustHold | rules.DefineOnly, listing: set[str]) -> bool:
    """Whether a line asks definitions that give the reasons, or what stood there before, and nothing else."""
    return all(_gives_reasons(term, listing) for term in terms_of(line.condition))


def _gives_reasons(term: Expression, listing: set[str]) -> bool:
    return isinstance(term, Base) or (isinstance(term, (Call, Name)) and term.name.text in listing)
