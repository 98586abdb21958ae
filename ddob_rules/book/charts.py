"""Decision tables and charts as tables on paper, with what amendments make of their cells and rows.

A cell that is changed shows what stood there crossed out, a row that is gone is crossed out, and one that is
new has a bar; under the table stands which rule did it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element

from ddob_rules.book.edition import Edition
from ddob_rules.compare.parts import matching
from ddob_rules.pages.elements import Content, element
from ddob_rules.stack.overlay import Version
from ddob_rules.syntax.nodes import Node, overlay
from ddob_rules.syntax.nodes.tables import Cell, CellItems, Chart, Row, Table, TypedHeading


def chart(edition: Edition, declared: Table | Chart, edits: Iterable[Version]) -> Element:
    """The table, its first row as heading; the columns of conditions of a decision table head its rows."""
    work = _Edits(declared, edits)
    header, *rows = declared.rows
    heads = _conditions(declared)
    body = [
        element(
            "tr",
            [
                element(
                    "th" if place < heads else "td", _cell(edition, cell, work), scope=_scope(place, heads)
                )
                for place, cell in enumerate(row.cells)
            ],
            class_="is-gone" if work.removed(row) else None,
        )
        for row in rows
    ]
    body += [
        element("tr", [element("td", edition.plain(cell.content)) for cell in row.cells], class_="amended")
        for row in work.added
    ]
    return element(
        "table",
        element("caption", _caption(edition, declared)),
        element(
            "thead", element("tr", [element("th", _head(edition, one), scope="col") for one in header.cells])
        ),
        element("tbody", body),
    )


def _scope(place: int, heads: int) -> str | None:
    return "row" if place < heads else None


def _caption(edition: Edition, declared: Table | Chart) -> list[Content]:
    name = declared.name.text
    title = edition.name("kind", name)
    parameters = declared.parameters if isinstance(declared, Table) else None
    return [
        title[:1].upper() + title[1:],
        [" ", edition.inline(parameters)] if parameters is not None else None,
    ]


def _conditions(declared: Table | Chart) -> int:
    """How many columns head the rows: one of a chart, and of a decision table those named as parameters."""
    if isinstance(declared, Chart):
        return 1
    names = [part.name.text for part in declared.parameters.parameters] if declared.parameters else []
    count = 0
    for cell in declared.rows[0].cells:
        if " ".join(cell.span.text.split()) not in names:
            break
        count += 1
    return max(1, count)


def _head(edition: Edition, cell: Cell) -> Content:
    """A column; what type it has is the business of the checker."""
    for item in cell.content.values if cell.content is not None else ():
        if isinstance(item, TypedHeading):
            return edition.name("attribute", item.name.text)
    return edition.plain(cell.content)


def _cell(edition: Edition, cell: Cell, work: _Edits) -> Content:
    new = work.changed(cell)
    old: Content = edition.plain(cell.content)
    if not new:
        return old
    return [element("del", old), [[" ", element("ins", edition.plain(value))] for value in new]]


class _Edits:
    """What amendments do to the cells of one table."""

    def __init__(self, declared: Table | Chart, edits: Iterable[Version]) -> None:
        self.added: list[Row] = []
        self._new: list[tuple[Node, CellItems]] = []
        self._gone: list[Node] = []
        for version in edits:
            node = version.declaration.node if version.declaration is not None else None
            for edit in node.edits if isinstance(node, overlay.TableEdit) else ():
                self._note(declared, edit)

    def _note(self, declared: Table | Chart, edit: overlay.Edit) -> None:
        match edit:
            case overlay.AddRow(row=row):
                self.added.append(row)
            case overlay.SetCell(place=place, value=value):
                self._new += [(found, value) for found in _results(declared, place)]
            case overlay.RemoveRow(place=place):
                self._gone += _results(declared, place)

    def changed(self, cell: Cell) -> list[CellItems]:
        return [value for result, value in self._new if result is cell.content]

    def removed(self, row: Row) -> bool:
        return any(cell.content is result for cell in row.cells for result in self._gone)


def _results(declared: Table | Chart, place: overlay.CellList) -> Sequence[CellItems]:
    """The results that `[a, b]` means."""
    return [cell.result for cell in matching(declared, place.values) if cell.result is not None]
