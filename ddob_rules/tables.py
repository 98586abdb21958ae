"""Decision tables: both shapes become rows of tests and results, and edits of overlays are worked in.

A table with conditional edits becomes several sets of rows and a choice among them. What cells mean is the
business of `cells`; charts are in `charts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ddob_rules.book import Declaration
from ddob_rules.cells import Drawn, RawRow, build_rows, cell_name, contents
from ddob_rules.overlay import Entry, Version
from ddob_rules.periods import exclusive
from ddob_rules.scope import Held, Here
from ddob_rules.tree import Item, Node, Tree, leaf, node
from interpreter import ir

Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class Variant:
    """The rows that hold under conditions of overlays; the last variant of a table has none."""

    conditions: tuple[Held, ...]
    rows: tuple[RawRow, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """How the columns of a drawn table map to parameters: a position each, and for grids the header cells."""

    columns: tuple[int, ...]  # drawn column -> parameter
    grid: tuple[Node, ...]  # header cells for the last parameter, empty in the list form


def build_table(
    here: Here, entry: Entry, declaration: Declaration, name: str, parameters: tuple[ir.Parameter, ...]
) -> list[tuple[Variant, ir.Table]]:
    """The variants of a table version, the one that holds otherwise last; none if the header is wrong."""
    header, *drawn = [node(item) for item in declaration.node.items[5:]]
    extra = declaration.node.items[2]  # `for` parameters are never columns
    drawn_count = len(parameters) - (len(node(extra).items) if extra is not None else 0)
    shape = _shape(here, header, parameters[:drawn_count])
    if shape is None:
        return []
    count = len(parameters)
    known = len(here.vocabulary.problems)
    rows = tuple(raw for row in drawn for raw in _raw_rows(here, row, shape, count))

    def change(edit: Version, before: tuple[RawRow, ...], plain: bool) -> tuple[RawRow, ...]:
        assert edit.declaration is not None
        there = Here(edit.rule, here.vocabulary)
        for item in edit.declaration.node.items[1:]:
            before = _edit_rows(there, node(item), before, shape, count, entry.name if plain else "")
        return before

    built: list[tuple[Variant, ir.Table]] = []
    variants = edited(rows, entry.edits, change)
    complete = len(here.vocabulary.problems) == known
    table = Drawn(declaration, parameters, here.vocabulary.functions[entry.name].type, complete)
    for number, (conditions, found) in enumerate(variants, start=1):
        inside = name if number == len(variants) else f"{name} {number}"
        built.append((Variant(conditions, found), build_rows(here, inside, table, found)))
    return built


# ---------------------------------------------------------------- columns and rows


def _shape(here: Here, header: Node, parameters: tuple[ir.Parameter, ...]) -> Shape | None:
    names = [parameter.name for parameter in parameters]
    cells = [node(cell) for cell in header.items]
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
        return Shape((*columns, missing), tuple(cells[len(columns) :]))
    here.error("E0301", header, parameters=", ".join(f"`{name}`" for name in names))
    return None


def _raw_rows(here: Here, row: Node, shape: Shape, count: int) -> list[RawRow]:
    cells = list(row.items)
    fixed = len(shape.columns) - (1 if shape.grid else 0)
    width = fixed + len(shape.grid) if shape.grid else None
    if (width is not None and len(cells) != width) or len(cells) <= fixed:
        here.error("E0302", row, given=len(cells), needed=width if width is not None else fixed + 1)
        return []
    conditions: list[Node | None] = [None] * count
    for position in range(fixed):
        conditions[shape.columns[position]] = contents(cells[position])
    if not shape.grid:
        return [RawRow(tuple(conditions), tuple(contents(cell) for cell in cells[fixed:]), here.rule, row)]
    rows = []
    for heading, cell in zip(shape.grid, cells[fixed:], strict=True):
        filled = list(conditions)
        filled[shape.columns[-1]] = contents(heading)
        result = contents(cell)
        rows.append(RawRow(tuple(filled), (result,), here.rule, result if result is not None else row))
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
    variants: list[tuple[tuple[Held, ...], tuple[Tree, ...], Content]] = [((), (), base)]
    for edit in edits:
        result: list[tuple[tuple[Held, ...], tuple[Tree, ...], Content]] = []
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
    here: Here, edit: Node, rows: tuple[RawRow, ...], shape: Shape, count: int, table: str
) -> tuple[RawRow, ...]:
    """`table` is its name when the edit is to be judged, else empty."""
    if edit.kind == "add_row":
        return (*rows, *_raw_rows(here, node(edit.items[0]), shape, count))
    wanted = list(node(edit.items[0]).items)
    if len(wanted) > count:
        here.error("E0302", node(edit.items[0]), given=len(wanted), needed=count)
        return rows

    def same(row: RawRow) -> bool:
        return all(_same_cell(cell, row.conditions[position]) for position, cell in enumerate(wanted))

    found = [row for row in rows if same(row)]
    if not found:
        if table:
            here.error("E0303", node(edit.items[0]))
        return rows
    if edit.kind == "remove_row":
        return tuple(row for row in rows if not same(row))
    result = (node(edit.items[1]),)
    if table and all(row.results == result for row in found):
        here.error("W0501", edit, name=table)
    return tuple(
        replace(row, results=result, rule=here.rule, place=edit) if same(row) else row for row in rows
    )


def _same_cell(wanted: Item, cell: Node | None) -> bool:
    if cell is None:
        return node(wanted).kind == "any_value"
    return cell.items == (wanted,)


def plain_name(item: Item) -> str:
    """The name that an edit gives a cell by; empty if it is something else."""
    place = node(item)
    inner = place.items[0] if place.kind == "exactly" else None
    return leaf(inner.items[0]).text if isinstance(inner, Node) and inner.kind == "name" else ""
