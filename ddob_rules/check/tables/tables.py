"""Decision tables: both shapes become rows of tests and results, and edits of overlays are worked in.

A table with conditional edits becomes several sets of rows and a choice among them. What cells mean is the
business of `cells`; charts are in `charts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ddob_rules.check.scope import Held, Here
from ddob_rules.check.tables.cells import Drawn, RawRow, build_rows, cell_name
from ddob_rules.check.values.written import shown
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import Declaration
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.stack.periods import exclusive
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.nodes.overlay import AddRow, CellList, Edit, RemoveRow, TableEdit
from ddob_rules.syntax.nodes.tables import AnyValue, Cell, CellItem, CellItems, Row, Table
from interpreter import ir

Content = TypeVar("Content")

# Of more cells nobody reads a list.
_FEW = 12


@dataclass(frozen=True, slots=True)
class Variant:
    """The rows that hold under conditions of overlays; the last variant of a table has none."""

    conditions: tuple[Held, ...]
    rows: tuple[RawRow, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """How the columns of a drawn table map to parameters: a position each, and for grids the header cells."""

    columns: tuple[int, ...]  # drawn column -> parameter
    grid: tuple[Cell, ...]  # header cells for the last parameter, empty in the list form


def build_table(
    here: Here,
    entry: Entry,
    declaration: Declaration,
    name: str,
    parameters: tuple[ir.Parameter, ...],
    *,
    replaced: bool = False,
) -> list[tuple[Variant, ir.Table]]:
    """The variants of a table version, the one that holds otherwise last; none if the header is wrong.

    Gaps and overlaps of a version that another has `replaced` are nobody's mistake.
    """
    declared = declaration.read(Table)
    header, *drawn = declared.rows
    # `for` parameters are never columns
    extra = declared.columns.parameters if declared.columns is not None else ()
    shape = _shape(here, header, parameters[: len(parameters) - len(extra)])
    if shape is None:
        return []
    count = len(parameters)
    known = len(here.vocabulary.problems)
    rows = tuple(raw for row in drawn for raw in _raw_rows(here, row, shape, count))

    def change(edit: Version, before: tuple[RawRow, ...], plain: bool) -> tuple[RawRow, ...]:
        assert edit.declaration is not None
        there = Here(edit.rule, here.vocabulary)
        for line in edit.declaration.read(TableEdit).edits:
            before = _edit_rows(there, line, before, shape, count, entry.name if plain else "")
        return before

    built: list[tuple[Variant, ir.Table]] = []
    changes = [
        edit for edit in entry.edits if edit.declaration and isinstance(edit.declaration.node, TableEdit)
    ]
    variants = edited(rows, changes, change)
    complete = len(here.vocabulary.problems) == known and not replaced
    table = Drawn(declaration, parameters, here.vocabulary.functions[entry.name].type, complete)
    for number, (conditions, found) in enumerate(variants, start=1):
        inside = name if number == len(variants) else f"{name} {number}"
        built.append((Variant(conditions, found), build_rows(here, inside, table, found)))
    return built


# ---------------------------------------------------------------- columns and rows


def _shape(here: Here, header: Row, parameters: tuple[ir.Parameter, ...]) -> Shape | None:
    names = [parameter.name for parameter in parameters]
    cells = header.cells
    columns: list[int] = []
    for cell in cells[: len(names)]:
        name = cell_name(cell)
        if name is None or name.text not in names or names.index(name.text) in columns:
            break
        columns.append(names.index(name.text))
    rest = len(cells) - len(columns)
    if len(columns) == len(names) and rest >= 1:
        return Shape(tuple(columns), ())
    if len(columns) == len(names) - 1 and rest >= 1:
        missing = next(index for index in range(len(names)) if index not in columns)
        return Shape((*columns, missing), cells[len(columns) :])
    here.error("E0301", header, parameters=", ".join(f"`{name}`" for name in names))
    return None


def _raw_rows(here: Here, row: Row, shape: Shape, count: int) -> list[RawRow]:
    cells = row.cells
    fixed = len(shape.columns) - (1 if shape.grid else 0)
    width = fixed + len(shape.grid) if shape.grid else None
    if (width is not None and len(cells) != width) or len(cells) <= fixed:
        here.error("E0302", row, given=len(cells), needed=width if width is not None else fixed + 1)
        return []
    conditions: list[CellItems | None] = [None] * count
    for column, cell in zip(shape.columns, cells[:fixed], strict=False):
        conditions[column] = cell.content
    if not shape.grid:
        return [RawRow(tuple(conditions), tuple(cell.content for cell in cells[fixed:]), here.rule, row)]
    rows = []
    for heading, cell in zip(shape.grid, cells[fixed:], strict=True):
        conditions[shape.columns[-1]] = heading.content
        rows.append(RawRow(tuple(conditions), (cell.content,), here.rule, cell.content or row))
    return rows


# ---------------------------------------------------------------- edits


def edited(
    base: Content, edits: Sequence[Version], change: Callable[[Version, Content, bool], Content]
) -> list[tuple[tuple[Held, ...], Content]]:
    """What edits make of a table: one content if they have no conditions, else several, the base last.

    The first whose conditions hold counts. `change` is told whether it works on the base alone, so that it
    can say once what is wrong with an edit. Edits that exclude each other, or share a condition, make no more
    variants.
    """
    variants: list[tuple[tuple[Held, ...], tuple[Expression, ...], Content]] = [((), (), base)]
    for edit in edits:
        result: list[tuple[tuple[Held, ...], tuple[Expression, ...], Content]] = []
        for conditions, without, content in variants:
            stated = [held.condition for held in conditions]
            if edit.condition is None or edit.condition in stated:
                result.append((conditions, without, change(edit, content, not conditions)))
            elif edit.condition in without or any(exclusive(one, edit.condition) for one in stated):
                result.append((conditions, without, content))
            else:
                held = (*conditions, Held(edit.condition, edit.rule))
                result.append((held, without, change(edit, content, not conditions)))
                result.append((conditions, (*without, edit.condition), content))
        variants = result
    return [(conditions, content) for conditions, _, content in variants]


def _edit_rows(
    here: Here, edit: Edit, rows: tuple[RawRow, ...], shape: Shape, count: int, table: str
) -> tuple[RawRow, ...]:
    """`table` is its name when the edit is to be judged, else empty."""
    if isinstance(edit, AddRow):
        return (*rows, *_raw_rows(here, edit.row, shape, count))
    wanted = edit.place.values
    if len(wanted) > count:
        here.error("E0302", edit.place, given=len(wanted), needed=count)
        return rows

    def same(row: RawRow) -> bool:
        return all(_same_cell(cell, row.conditions[position]) for position, cell in enumerate(wanted))

    found = [row for row in rows if same(row)]
    if not found:
        if table:
            _no_such_row(here, wanted, edit.place, rows)
        return rows
    if isinstance(edit, RemoveRow):
        return tuple(row for row in rows if not same(row))
    result = (edit.value,)
    if table and all(row.results == result for row in found):
        here.error("W0501", edit, name=table)
    return tuple(
        replace(row, results=result, rule=here.rule, place=edit) if same(row) else row for row in rows
    )


def _no_such_row(here: Here, wanted: Sequence[CellItem], place: CellList, rows: tuple[RawRow, ...]) -> None:
    """Tells the first cell that no row has, with the one that was probably meant, or those there are."""
    for position, cell in enumerate(wanted):
        cells = [row.conditions[position] for row in rows]
        if any(_same_cell(cell, one) for one in cells):
            continue
        written = list(dict.fromkeys(shown(one) for one in cells if one is not None))
        advice = did_you_mean(shown(cell), written, here.rule.language)
        here.error("E0303", cell, help=advice or there_is(written, here.rule.language) or None)
        return
    here.error("E0303", place)


def there_is(names: Sequence[str], language: str) -> str:
    """What would have been known, if that is a short list."""
    if not 0 < len(names) <= _FEW:
        return ""
    listed = ", ".join(f"`{name}`" for name in names)
    return f"il y a {listed}" if language == "fr" else f"there are {listed}"


def _same_cell(wanted: CellItem, cell: CellItems | None) -> bool:
    if cell is None:
        return isinstance(wanted, AnyValue)
    return cell.values == (wanted,)
