"""From drawn tables and charts to their cells by conditions, to be compared wherever they stand.

Both shapes of a table are read, without a checker: a table with mistakes in its columns is compared as
far as it can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ddob_rules.cells import cell_name, contents
from ddob_rules.diff_sections import shown
from ddob_rules.identity import Mechanics, mechanics
from ddob_rules.tree import Item, Node, leaf, node

_ANY: Mechanics = ("any_value",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A result. `key` is what leads to it, `row` what its row has of the key; `place` is for people."""

    key: tuple[Mechanics, ...]
    row: tuple[Mechanics, ...]
    place: str
    row_place: str
    result: Item

    @property
    def text(self) -> str:
        return shown(self.result) or "-"


def cells(declared: Node) -> list[Cell]:
    """The cells of a table or chart. The same conditions a second time get a number in their keys."""
    found = list(_chart(declared) if declared.kind == "chart" else _table(declared))
    seen: dict[tuple[Mechanics, ...], int] = {}
    numbered = []
    for cell in found:
        count = seen[cell.key] = seen.get(cell.key, 0) + 1
        extra: tuple[Mechanics, ...] = ((count,),) if count > 1 else ()
        numbered.append(
            Cell(
                key=(*cell.key, *extra),
                row=(*cell.row, *extra),
                place=cell.place,
                row_place=cell.row_place,
                result=cell.result,
            )
        )
    return numbered


def matching(declared: Node, wanted: Sequence[Item]) -> list[Cell]:
    """The cells that an overlay means with `[a, b]`: conditions in the order of the parameters."""
    keys = tuple(mechanics(item) for item in wanted)
    return [cell for cell in cells(declared) if cell.key[: len(keys)] == keys]


def place_of(wanted: Sequence[Item]) -> str:
    return "[" + ", ".join(shown(item) for item in wanted) + "]"


def _table(declared: Node) -> Iterator[Cell]:
    header, *rows = _rows(declared)
    names = _parameters(declared.items[1])
    columns = _columns(header, names)
    grid = len(columns) < len(names)
    # The last column of conditions of a grid is its header, whichever parameter that is.
    order = [*columns, *(index for index in range(len(names)) if index not in columns)]
    several = len(header.items) - len(columns) > 1
    for row in rows:
        fixed = row.items[: len(columns)]
        for heading, cell in zip(header.items[len(columns) :], row.items[len(columns) :], strict=False):
            conditions = [*fixed, heading] if grid else list(fixed)
            if not grid and several:
                yield _cell(conditions, order, heading, fixed, cell)
            else:
                yield _cell(conditions, order, None, fixed, cell)


def _cell(
    conditions: list[Item], order: list[int], heading: Item, fixed: Sequence[Item], result: Item
) -> Cell:
    by_parameter = [
        item for _, item in sorted(zip(order, conditions, strict=False), key=lambda pair: pair[0])
    ]
    named = [*by_parameter, *([heading] if heading is not None else [])]
    return Cell(
        key=tuple(_condition(item) for item in named),
        row=tuple(_condition(item) for item in fixed),
        place=_place(named),
        row_place=_place(fixed),
        result=contents(result),
    )


def _chart(declared: Node) -> Iterator[Cell]:
    header, *rows = _rows(declared)
    for row in rows:
        first, *values = row.items
        for heading, cell in zip(header.items[1:], values, strict=False):
            yield _cell([first, heading], [0, 1], None, [first], cell)


def _rows(declared: Node) -> list[Node]:
    return [item for item in declared.items if isinstance(item, Node) and item.kind == "row"]


def _parameters(item: Item) -> list[str]:
    return [leaf(node(part).items[0]).text for part in node(item).items] if item is not None else []


def _columns(header: Node, names: list[str]) -> list[int]:
    """Which parameters the first columns are for."""
    columns: list[int] = []
    for cell in header.items[: len(names)]:
        name = cell_name(node(cell))
        if name is None or name.text not in names or names.index(name.text) in columns:
            break
        columns.append(names.index(name.text))
    return columns


def _condition(cell: Item) -> Mechanics:
    """As an overlay would name it; an empty cell means any value."""
    inner = contents(cell)
    if inner is None:
        return _ANY
    return mechanics(inner.items[0]) if len(inner.items) == 1 else mechanics(inner)


def _place(items: Sequence[Item]) -> str:
    return "[" + ", ".join(shown(contents(item)) or "-" for item in items) + "]"
