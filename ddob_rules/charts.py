"""From charts to attributes of an enum: the first column names the values, each other column is an attribute.

A chart with conditional edits has a hidden attribute for each set of cells; `definitions` makes what picks
one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ddob_rules.book import RuleBlock
from ddob_rules.cells import cell_name, contents, value_of
from ddob_rules.expressions import Expressions, shown
from ddob_rules.overlay import Entry, Version
from ddob_rules.scope import Held, Here, Scope
from ddob_rules.tables import edited, plain_name
from ddob_rules.tree import Leaf, Node, leaf, node
from ddob_rules.type_names import named_type
from interpreter import ir

#: The contents of each cell by value and column, with the rule that states it.
Grid = dict[tuple[str, str], tuple[Node | None, RuleBlock]]


@dataclass(frozen=True, slots=True)
class _Column:
    name: Leaf
    type: ir.Type | None  # None: told by its cells


def build_chart(here: Here, entry: Entry) -> None:
    """Gives the enum of the chart its attributes."""
    declaration = entry.versions[-1].declaration
    assert declaration is not None
    enum = here.vocabulary.enums[entry.name]
    header, *rows = [node(item) for item in declaration.node.items[1:]]
    columns = _columns(here, header)
    if columns is None:
        return
    grid: Grid = {}
    for row in rows:
        _read_row(here, row, enum, columns, grid, declared=True)

    def change(edit: Version, before: Grid, plain: bool) -> Grid:
        return _edited(Here(edit.rule, here.vocabulary), edit, before, enum, columns, plain)

    variants = edited(grid, entry.edits, change)
    for value in enum.values:
        if columns and (value, columns[0].name.text) not in variants[-1][1]:
            here.error("E0310", declaration.span, table=entry.name, input=f"{entry.name} = {value}")
    for column in columns:
        _attribute(here, enum, column, variants)


def _columns(here: Here, header: Node) -> list[_Column] | None:
    found: list[_Column] = []
    for cell in [node(cell) for cell in header.items][1:]:
        name = cell_name(cell)
        if name is None:
            here.error("E0306", cell if cell.items[0] is not None else header)
            return None
        item = node(node(cell.items[0]).items[0])
        kind = named_type(here, leaf(item.items[1])) if item.kind == "typed_heading" else None
        found.append(_Column(name, kind))
    return found


def _read_row(
    here: Here, row: Node, enum: ir.Enum, columns: list[_Column], grid: Grid, declared: bool
) -> None:
    cells = [node(cell) for cell in row.items]
    key = cell_name(cells[0])
    if key is None or key.text not in enum.values:
        place = key or (cells[0] if cells[0].items[0] is not None else row)
        here.unknown(shown(place), place, enum.values)
        return
    if len(cells) != len(columns) + 1:
        here.error("E0302", row, given=len(cells), needed=len(columns) + 1)
    elif declared and columns and (key.text, columns[0].name.text) in grid:
        here.error("E0206", key, name=key.text)
    for column, cell in zip(columns, cells[1:], strict=False):
        grid[key.text, column.name.text] = (contents(cell), here.rule)


def _edited(
    here: Here, edit: Version, grid: Grid, enum: ir.Enum, columns: list[_Column], plain: bool
) -> Grid:
    assert edit.declaration is not None
    changed = dict(grid)
    for item in edit.declaration.node.items[1:]:
        line = node(item)
        if line.kind == "add_row":
            _read_row(here, node(line.items[0]), enum, columns, changed, declared=False)
            continue
        names = [plain_name(part) for part in node(line.items[0]).items]
        if line.kind != "set_cell" or len(names) != 2 or (names[0], names[1]) not in changed:
            here.error("E0303", node(line.items[0]))
            continue
        before, _ = changed[names[0], names[1]]
        if plain and before == node(line.items[1]):
            here.error("W0501", line, name=enum.name)
        changed[names[0], names[1]] = (node(line.items[1]), here.rule)
    return changed


def _attribute(
    here: Here, enum: ir.Enum, column: _Column, variants: list[tuple[tuple[Held, ...], Grid]]
) -> None:
    """The attribute of a column, and a hidden one for each variant before the last."""
    words = here.vocabulary
    space, name = f"enum {enum.name}", column.name
    if (space, name.text) in words.attributes:
        here.error("E0206", name, name=name.text)
        return
    base = variants[-1][1]
    kind = column.type or _inferred(
        [base.get((value, name.text), (None, here.rule))[0] for value in enum.values]
    )
    hidden: list[tuple[tuple[Held, ...], str]] = []
    for number, (conditions, grid) in enumerate(variants, start=1):
        inside = name.text if number == len(variants) else f"{name.text} {number}"
        constants = tuple((value, _value(here, grid.get((value, name.text)), kind)) for value in enum.values)
        attribute = ir.Attribute(name=inside, type=kind, constants=constants, site=here.site(name))
        words.attributes[space, inside] = attribute
        words.holders[space, inside] = [enum.name]
        words.places.setdefault(f"{space}.{inside}", name.span)
        known = words.kinds.get(enum.name)
        before = known.attributes if known is not None else ()
        words.kinds[enum.name] = ir.Kind(
            name=enum.name, owner="enum", attributes=(*before, attribute), site=here.site(name)
        )
        if number < len(variants):
            hidden.append((conditions, inside))
    if hidden:
        words.chart_variants[space, name.text] = hidden


def _inferred(cells: list[Node | None]) -> ir.Type:
    """A column of yes and no is a flag, one of texts a text, any other a number."""
    kinds: set[str] = set()
    for cell in cells:
        if cell is not None and len(cell.items) == 1 and node(cell.items[0]).kind == "exactly":
            inner = node(cell.items[0]).items[0]
            kinds.add(inner.kind if isinstance(inner, Node) else "")
    if kinds <= {"yes", "no"}:
        return ir.FLAG
    return ir.TEXT if kinds == {"string"} else ir.NUMBER


def _value(here: Here, cell: tuple[Node | None, RuleBlock] | None, kind: ir.Type) -> ir.Expression:
    content, rule = cell if cell is not None else (None, here.rule)
    if content is None or node(content.items[0]).kind == "any_value":
        empty: dict[str, int | str] = {"flag": False, "text": "", "number": 0, "set": 0}
        return ir.Const(value=empty.get(kind.tag, -1), type=kind)
    there = Here(rule, here.vocabulary)
    return value_of(there, Expressions(there, Scope()), kind, content)
