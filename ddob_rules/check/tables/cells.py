"""From the cells of a table to tests and results; rows that leave a gap or overlap are found here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from ddob_rules.check.effects.statements import Statements
from ddob_rules.check.scope import MISTAKE, WRONG, Here, Vocabulary, scope_of
from ddob_rules.check.tables.coverage import (
    ANYTHING,
    Accepts,
    can_be_judged,
    find_gap,
    find_overlap,
    hidden_rows,
    samples_of,
)
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import shown
from ddob_rules.reports.diagnostics import Label
from ddob_rules.stack.book import Declaration, RuleBlock
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.nodes import tables as nodes
from ddob_rules.syntax.nodes.expressions import Name, SetLiteral
from interpreter import ir

Policy = Literal["unique", "first", "collect"]
_POLICIES: dict[str, Policy] = {"unique": "unique", "first": "first", "collect": "collect"}
_Range = nodes.Between | nodes.AndMore | nodes.UpTo | nodes.AtLeast | nodes.Over | nodes.Under


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row before its cells are understood: one condition cell for each parameter, and the result cells."""

    conditions: tuple[nodes.CellItems | None, ...]
    results: tuple[nodes.CellItems | None, ...]
    rule: RuleBlock
    place: Node


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table as it is declared."""

    declaration: Declaration
    parameters: tuple[ir.Parameter, ...]
    type: ir.Type
    complete: bool  # it is in force, and no row was left out after a mistake: gaps can be looked for

    @property
    def policy(self) -> Policy:
        policy = self.declaration.read(nodes.Table).policy
        return _POLICIES[policy.word.text] if policy is not None else "unique"


def cell_name(cell: nodes.Cell) -> Leaf | None:
    """The single name in a cell; a heading may also give the type of its column."""
    match cell.content:
        case nodes.CellItems(values=(nodes.TypedHeading(name=name) | nodes.Exactly(value=Name(name=name)),)):
            return name
        case _:
            return None


def build_rows(here: Here, name: str, table: Drawn, raw: tuple[RawRow, ...]) -> ir.Table:
    rows: list[ir.Row] = []
    accepts: list[list[Accepts | None]] = []
    for entry in raw:
        there = Here(entry.rule, here.vocabulary, here.base)
        values = Expressions(there, scope_of(table.parameters))
        cells: list[ir.Cell] = []
        accepted: list[Accepts | None] = []
        for parameter, cell in zip(table.parameters, entry.conditions, strict=True):
            test, constants = _condition(values, parameter, cell)
            cells.append(ir.Cell(test=test, site=there.site(cell if cell is not None else entry.place)))
            accepted.append(constants)
        accepts.append(accepted)
        result, effects = _result(there, values, table, entry)
        rows.append(ir.Row(cells=tuple(cells), result=result, effects=effects, site=there.site(entry.place)))
    if table.policy != "collect" and table.complete:
        _check_rows(here, table, raw, accepts)
    return ir.Table(
        name=name, parameters=table.parameters, type=table.type, policy=table.policy, rows=tuple(rows),
        site=here.site(table.declaration.span),
    )  # fmt: skip


# ---------------------------------------------------------------- conditions


def _condition(
    values: Expressions, parameter: ir.Parameter, cell: nodes.CellItems | None
) -> tuple[ir.Expression | None, Accepts | None]:
    """The test of a cell, and (where it can be told) which constants it accepts."""
    written = cell.values if cell is not None else ()
    items = [item for item in written if not isinstance(item, nodes.AnyValue)]
    if not items or len(items) < len(written):
        return None, ANYTHING
    subject = ir.Local(name=parameter.name, type=parameter.type)
    found = [_test(values, subject, item) for item in items]
    joined = found[0][0]
    for test, _ in found[1:]:
        joined = ir.Binary(operator="or", left=joined, right=test, type=ir.FLAG)
    ranges: list[tuple[int | None, int | None]] = []
    for _, accepted in found:
        if accepted is None:
            return joined, None
        ranges.append(accepted)
    return joined, Accepts(tuple(ranges))


def _test(
    values: Expressions, subject: ir.Local, item: nodes.Exactly | nodes.TypedHeading | _Range
) -> tuple[ir.Expression, tuple[int | None, int | None] | None]:
    """The test, and the first and the last constant that it accepts, if they are known."""
    if isinstance(item, nodes.Exactly):
        value = values.of(item.value, subject.type)
        known = _constant(value)
        test = ir.Binary(operator="=", left=subject, right=value, type=ir.FLAG)
        return test, (known, known) if known is not None else None
    if isinstance(item, nodes.TypedHeading):
        values.here.error("E0304", item, text=shown(item))
        return MISTAKE, None
    if subject.type not in (ir.NUMBER, WRONG):
        values.here.error("E0202", item, text=shown(item), actual="number", wanted=str(subject.type))
        return MISTAKE, None
    low, high = _ends(values, item)
    first, last = (_constant(end) if end is not None else None for end in (low, high))
    range_test = ir.Between(subject=subject, low=low, high=high)
    if (low is not None and first is None) or (high is not None and last is None):
        return range_test, None
    if first is not None and last is not None and first > last:
        values.here.error("E0231", item, low=first, high=last)
        return MISTAKE, None
    return range_test, (first, last)


def _ends(values: Expressions, item: _Range) -> tuple[ir.Expression | None, ir.Expression | None]:
    match item:
        case nodes.Between():
            return values.number(item.low), values.number(item.high)
        case nodes.AndMore() | nodes.AtLeast():
            return values.number(item.low), None
        case nodes.UpTo():
            return None, values.number(item.high)
        case nodes.Over():
            return _plus(values.number(item.low), 1), None
        case nodes.Under():
            return None, _plus(values.number(item.high), -1)
        case _:
            assert_never(item)


def _plus(value: ir.Expression, by: int) -> ir.Expression:
    known = _constant(value)
    if known is not None:
        return ir.Const(value=known + by, type=ir.NUMBER)
    return ir.Binary(operator="+", left=value, right=ir.Const(value=by, type=ir.NUMBER), type=ir.NUMBER)


def _constant(value: ir.Expression) -> int | None:
    if value.type == WRONG:
        return None
    if isinstance(value, ir.Const) and isinstance(value.value, int):
        return int(value.value)
    if isinstance(value, ir.Unary) and value.operator == "-":
        operand = _constant(value.operand)
        return -operand if operand is not None else None
    return None


# ---------------------------------------------------------------- results


def _result(
    here: Here, values: Expressions, table: Drawn, entry: RawRow
) -> tuple[ir.Expression | None, tuple[ir.Statement, ...]]:
    kind = table.type
    if kind == ir.EFFECT:
        items = [item for cell in entry.results if cell is not None for item in cell.values]
        return None, tuple(
            effect for item in items for effect in _effect(here, values, item, table.parameters)
        )
    if len(entry.results) != 1:
        fixed = len(table.parameters)
        here.error("E0302", entry.place, given=fixed + len(entry.results), needed=fixed + 1)
        return MISTAKE, ()
    cell = entry.results[0]
    if cell is None or (len(cell.values) == 1 and isinstance(cell.values[0], nodes.AnyValue)):
        if kind.tag in ("enum", "piece", "space", "text"):
            return ir.Const(value="" if kind == ir.TEXT else -1, type=kind), ()
        if kind != WRONG:
            here.error("E0305", entry.place, type=str(kind))
        return MISTAKE, ()
    return value_of(here, values, kind, cell), ()


def value_of(here: Here, values: Expressions, kind: ir.Type, cell: nodes.CellItems) -> ir.Expression:
    """The value in a cell; several make a set."""
    if kind.tag != "set" and len(cell.values) != 1:
        here.error("E0304", cell, text=shown(cell))
        return MISTAKE
    found = []
    for item in cell.values:
        if not isinstance(item, nodes.Exactly):
            here.error("E0304", item, text=shown(item))
            return MISTAKE
        found.append(item.value)
    if kind.tag != "set" or (len(found) == 1 and isinstance(found[0], SetLiteral)):
        return values.of(found[0], kind)
    return ir.MakeSet(items=tuple(values.of(item, kind.element) for item in found), type=kind)


def _effect(
    here: Here, values: Expressions, item: nodes.CellItem, parameters: tuple[ir.Parameter, ...]
) -> list[ir.Statement]:
    """`name(arguments)`, or a bare name whose parameters are among the table's own."""
    if isinstance(item, nodes.AnyValue):
        return []
    if not isinstance(item, nodes.Exactly):
        here.error("E0304", item, text=shown(item))
        return []
    if isinstance(item.value, Name):
        name = item.value.name
        signature = here.vocabulary.procedures.get(name.text)
        own = {parameter.name: parameter for parameter in parameters}
        if (
            signature is not None
            and signature.parameters
            and all(p.name in own for p in signature.parameters)
        ):
            here.vocabulary.use(name, signature.type)
            arguments: list[ir.Expression] = []
            for wanted in signature.parameters:
                values.expect(own[wanted.name].type, wanted.type, name)
                arguments.append(ir.Local(name=wanted.name, type=own[wanted.name].type))
            return [ir.Perform(name=name.text, arguments=tuple(arguments), site=here.site(name))]
    return Statements(here, values.scope).perform(item.value, item.value)


# ---------------------------------------------------------------- gaps and overlaps


def _check_rows(
    here: Here, table: Drawn, raw: tuple[RawRow, ...], accepts: Sequence[Sequence[Accepts | None]]
) -> None:
    rows = [[test for test in row if test is not None] for row in accepts]
    if any(len(row) < len(table.parameters) for row in rows):
        return  # a cell that depends on the state cannot be judged here
    words, name = here.vocabulary, table.declaration.name
    inner, outer = (_domains(words, table.parameters, rows, beyond) for beyond in (False, True))
    if inner is None or outer is None or not can_be_judged(outer, rows):
        return
    gap = find_gap(inner, rows)
    if gap is not None:
        described = _describe(words, table.parameters, gap)
        here.error("E0310", table.declaration.span, table=name, input=described)
    if table.policy == "first":
        for number, first in hidden_rows(outer, rows):
            place = Label(raw[first].place.span, "this row comes first")
            Here(raw[number].rule, words).error("E0312", raw[number].place, place, table=name)
        return
    overlap = find_overlap(outer, rows)
    if overlap is not None:
        values, one, other = overlap
        described = _describe(words, table.parameters, values)
        place = Label(raw[one].place.span, f"also matches {described}")
        Here(raw[other].rule, words).error("E0311", raw[other].place, place, table=name, input=described)


def _domains(
    words: Vocabulary, parameters: tuple[ir.Parameter, ...], rows: list[list[Accepts]], beyond: bool
) -> list[tuple[int, ...]] | None:
    found: list[tuple[int, ...]] = []
    for position, parameter in enumerate(parameters):
        samples = samples_of(words, parameter.type, [row[position] for row in rows], beyond)
        if not samples:
            return None
        found.append(samples)
    return found


def _describe(words: Vocabulary, parameters: tuple[ir.Parameter, ...], values: tuple[int, ...]) -> str:
    return ", ".join(
        f"{parameter.name} = {_value_name(words, parameter.type, value)}"
        for parameter, value in zip(parameters, values, strict=True)
    )


def _value_name(words: Vocabulary, kind: ir.Type, value: int) -> str:
    if kind == ir.FLAG:
        return "yes" if value else "no"
    if kind.tag == "enum":
        return words.enums[kind.names[0]].values[value]
    return str(value)
