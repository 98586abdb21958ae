"""From charts to attributes of an enum: the first column names the values, each other column is an attribute.

A chart with conditional edits has a hidden attribute for each set of cells; `definitions` makes what picks
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ddob_rules.check.scope import MISTAKE, Held, Here, Scope
from ddob_rules.check.tables.cells import cell_name, value_of
from ddob_rules.check.tables.tables import edited, there_is
from ddob_rules.check.type_names import named_type
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import shown
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.stack.book import RuleBlock
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import tables as nodes
from ddob_rules.syntax.nodes.expressions import Name, No, SetLiteral, String, Yes
from ddob_rules.syntax.nodes.overlay import AddRow, CellList, SetCell, TableEdit
from interpreter import ir

#: The contents of each cell by value and column, with the rule that states it.
Grid = dict[tuple[str, str], tuple[nodes.CellItems | None, RuleBlock]]


@dataclass(frozen=True, slots=True)
class _Column:
    name: Leaf
    type: ir.Type | None  # None: told by its cells


def build_chart(here: Here, entry: Entry) -> None:
    """Gives the enum of the chart its attributes."""
    declaration = entry.versions[-1].declaration
    assert declaration is not None
    enum = here.vocabulary.enums[entry.name]
    header, *rows = declaration.read(nodes.Chart).rows
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


def _columns(here: Here, header: nodes.Row) -> list[_Column] | None:
    found: list[_Column] = []
    for cell in header.cells[1:]:
        match cell.content:
            case nodes.CellItems(values=(nodes.TypedHeading(name=name, type=kind),)):
                found.append(_Column(name, named_type(here, kind)))
            case nodes.CellItems(values=(nodes.Exactly(value=Name(name=name)),)):
                found.append(_Column(name, None))
            case content:
                here.error("E0306", cell if content is not None else header)
                return None
    return found


def _read_row(
    here: Here, row: nodes.Row, enum: ir.Enum, columns: list[_Column], grid: Grid, declared: bool
) -> None:
    first, *cells = row.cells
    key = cell_name(first)
    if key is None or key.text not in enum.values:
        place = key or (first if first.content is not None else row)
        here.unknown(shown(place), place, enum.values)
        return
    if len(cells) != len(columns):
        here.error("E0302", row, given=len(row.cells), needed=len(columns) + 1)
    elif declared and columns and (key.text, columns[0].name.text) in grid:
        here.error("E0206", key, name=key.text)
    for column, cell in zip(columns, cells, strict=False):
        grid[key.text, column.name.text] = (cell.content, here.rule)


def _edited(
    here: Here, edit: Version, grid: Grid, enum: ir.Enum, columns: list[_Column], plain: bool
) -> Grid:
    assert edit.declaration is not None
    changed = dict(grid)
    for line in edit.declaration.read(TableEdit).edits:
        if isinstance(line, AddRow):
            _read_row(here, line.row, enum, columns, changed, declared=False)
            continue
        match line.place.values:
            case (nodes.Exactly(value=Name(name=row)), nodes.Exactly(value=Name(name=column))):
                key = row.text, column.text
            case _:
                key = "", ""
        if not isinstance(line, SetCell) or key not in changed:
            _no_such_cell(here, line.place, enum, columns)
            continue
        if plain and changed[key][0] == line.value:
            here.error("W0501", line, name=enum.name)
        changed[key] = (line.value, here.rule)
    return changed


def _no_such_cell(here: Here, place: CellList, enum: ir.Enum, columns: list[_Column]) -> None:
    """Tells which of the two names is wrong, with the one that was probably meant, or those there are."""
    known = (enum.values, tuple(column.name.text for column in columns))
    if len(place.values) == len(known):
        for cell, names in zip(place.values, known, strict=True):
            name = shown(cell)
            if name not in names:
                advice = did_you_mean(name, names, here.rule.language) or there_is(names, here.rule.language)
                here.error("E0303", cell, help=advice or None)
                return
    here.error("E0303", place)


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
    kind = column.type or _inferred(here, [base.get((value, name.text)) for value in enum.values])
    hidden: list[tuple[tuple[Held, ...], str]] = []
    for number, (conditions, grid) in enumerate(variants, start=1):
        inside = name.text if number == len(variants) else f"{name.text} {number}"
        constants = tuple((value, _value(here, grid.get((value, name.text)), kind)) for value in enum.values)
        attribute = ir.Attribute(name=inside, type=kind, constants=constants, site=here.site(name))
        words.attributes[space, inside] = attribute
        words.holders[space, inside] = [enum.name]
        words.places.setdefault(f"{space}.{inside}", name.span)
        words.note(name, "attribute", space, kind)
        known = words.kinds.get(enum.name)
        before = known.attributes if known is not None else ()
        words.kinds[enum.name] = ir.Kind(
            name=enum.name, owner="enum", attributes=(*before, attribute), site=here.site(name)
        )
        if number < len(variants):
            hidden.append((conditions, inside))
    if hidden:
        words.chart_variants[space, name.text] = hidden


def _inferred(here: Here, cells: list[tuple[nodes.CellItems | None, RuleBlock] | None]) -> ir.Type:
    """A column of yes and no is a flag, one of texts a text, one of values their enum, any other a number."""
    written = [cell[0] for cell in cells if cell is not None and cell[0] is not None]
    found = [inner for cell in written if (inner := _written(cell)) is not None]
    values = [value for inner in found for value in inner]
    if all(isinstance(value, (Yes, No)) for value in values) and all(len(inner) == 1 for inner in found):
        return ir.FLAG
    if values and all(isinstance(value, String) for value in values):
        return ir.TEXT
    names = [value.name for value in values if isinstance(value, Name)]
    if names and len(names) == len(values):
        kind = _enum_of(here, names)
        several = any(len(inner) != 1 for inner in found) or any(_set_in(cell) for cell in written)
        return ir.set_of(kind) if several and kind.tag == "enum" else kind
    return ir.NUMBER


def _written(cell: nodes.CellItems) -> Sequence[Node] | None:
    """What stands in a cell, one by one, of a set too; None if it says nothing about its column."""
    if any(isinstance(item, nodes.AnyValue) for item in cell.values):
        return None
    literal = _set_in(cell)
    if literal is not None:
        return literal.arguments.values if literal.arguments is not None else ()
    return [item.value if isinstance(item, nodes.Exactly) else item for item in cell.values]


def _set_in(cell: nodes.CellItems) -> SetLiteral | None:
    match cell.values:
        case (nodes.Exactly(value=SetLiteral() as literal),):
            return literal
        case _:
            return None


def _enum_of(here: Here, names: list[Leaf]) -> ir.Type:
    """The enum that has all the values, or most of them: the others are then reported as slips."""
    enums = here.vocabulary.enums.values()
    known = {enum.name: sum(name.text in enum.values for name in names) for enum in enums}
    most = max(known.values())
    best = [name for name, count in known.items() if count == most]
    if most == 0:
        return ir.NUMBER
    if len(best) > 1 and most == len(names):
        here.error("E0208", names[0], name=names[0].text, enums=", ".join(best))
    return ir.enum_type(best[0])


def _value(here: Here, cell: tuple[nodes.CellItems | None, RuleBlock] | None, kind: ir.Type) -> ir.Expression:
    content, rule = cell if cell is not None else (None, here.rule)
    if content is None or isinstance(content.values[0], nodes.AnyValue):
        empty: dict[str, int | str] = {"flag": False, "text": "", "number": 0, "set": 0}
        return ir.Const(value=empty.get(kind.tag, -1), type=kind)
    there = Here(rule, here.vocabulary)
    value = value_of(there, Expressions(there, Scope()), kind, content)
    if not _constant(value):
        there.error("E0304", content, text=shown(content))
        return MISTAKE
    return value


def _constant(value: ir.Expression) -> bool:
    """Whether the value is known before the game: charts are printed, nothing in them is worked out."""
    match value:
        case ir.Unary(operator="-", operand=operand):
            return isinstance(operand, ir.Const)
        case ir.MakeSet(items=items):
            return all(_constant(item) for item in items)
        case _:
            return isinstance(value, (ir.Const, ir.Ref))
