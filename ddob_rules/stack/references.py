"""From `see 8.2 (carried[long])` to the lines concerned: a declaration of another rule, or a row of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddob_rules.stack.book import Declaration, RuleBlock
from ddob_rules.syntax.nodes.overlay import CellList
from ddob_rules.syntax.nodes.rules import Reference, ReferencePart
from ddob_rules.syntax.nodes.tables import Chart, Row, Table
from ddob_rules.syntax.source import Span


@dataclass(frozen=True, slots=True)
class Pointed:
    """A part that a rule points at; `declaration` and `row` are None if there is no such thing."""

    part: ReferencePart
    declaration: Declaration | None
    rows: tuple[Row, ...] = ()

    @property
    def lines(self) -> list[Span]:
        """What there is to see: all of the declaration, or its first line, its header and the row."""
        if self.declaration is None:
            return []
        node = self.declaration.node
        if not self.rows or not isinstance(node, (Table, Chart)):
            return [node.span]
        head = Span(node.span.source, node.span.start, node.rows[0].span.start)
        return [head, node.rows[0].span, *(row.span for row in self.rows)]


def references_of(rule: RuleBlock) -> tuple[Reference, ...]:
    return rule.node.see.references if rule.node is not None and rule.node.see is not None else ()


def worded(reference: Reference) -> str:
    """A reference as one writes it."""
    return " ".join(reference.span.text.split())


def pointed(reference: Reference, there: RuleBlock) -> Iterator[Pointed]:
    """The parts that a reference names, as the rule that it names has them."""
    for part in reference.parts.parts if reference.parts is not None else ():
        declared = next((one for one in there.declarations if one.name == part.name.text), None)
        if declared is None or part.row is None:
            yield Pointed(part, declared)
        else:
            yield Pointed(part, declared, tuple(_rows(declared, part.row)))


def _rows(declared: Declaration, wanted: CellList) -> Iterator[Row]:
    """The rows whose first cells hold what is named, perhaps among other values."""
    node = declared.node
    for row in node.rows[1:] if isinstance(node, (Table, Chart)) else ():
        cells = [
            {_text(value.span) for value in cell.content.values} if cell.content is not None else set()
            for cell in row.cells
        ]
        named = [_text(value.span) for value in wanted.values]
        if len(named) <= len(cells) and all(name in cell for name, cell in zip(named, cells, strict=False)):
            yield row


def _text(span: Span) -> str:
    return " ".join(span.text.split())
