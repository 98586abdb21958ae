"""Keeps numbers within 64 bits: checks where a result might not be.

How large a number can be at most is known from how it is made: what is kept is checked when it is kept, data
and constants have a bound of their own, and from that follows every sum and product. Only where such a bound
is too large is a check put in: `limited` lets a number pass that is within the limit of the game, `times`
multiplies and does the same. So no engine that runs the result needs more than 64 bits for any number in
between, except while it adds up a sum, and rules as games have them are not checked more often than they
change something.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir.walk import callees_first, parts, rewritten

#: Whatever is kept, or given to a procedure; the limit of numbers in a game is not more.
KEPT = 10**15
#: What is given to a definition or a table: a little arithmetic on what is kept needs no check.
GIVEN = 10**16
#: What may come up in between: two of them are added, or one is doubled, within 64 bits.
BETWEEN = 4 * 10**18
#: Data of scenarios, constants of rules, values that no rule can change.
_WRITTEN = 10**12
#: Counts, distances and turns.
_COUNTED = 2_000_000

_KEEPING = (ir.Let, ir.SetLocal, ir.SetGlobal, ir.SetAttribute, ir.Give)


def with_bounds(program: ir.Program) -> ir.Program:
    """The same program with checks where numbers could grow too large."""
    known: dict[str, int] = {}
    definitions = {definition.name: definition for definition in program.definitions}
    tables = {table.name: table for table in program.tables}
    graph = {name: _called(one) for name, one in (*definitions.items(), *tables.items())}
    for name in callees_first(graph):
        checks = _Checks(known, GIVEN)
        if name in definitions:
            made = definitions[name] = checks.put_in(definitions[name])
            known[name] = checks.bound(made.body)
        else:
            table = tables[name] = checks.put_in(tables[name])
            tables[name], known[name] = checks.table(table)
    given = _Checks(known, GIVEN).put_in
    checked = _Checks(known, KEPT).put_in
    return replace(
        program,
        definitions=tuple(definitions[one.name] for one in program.definitions),
        tables=tuple(tables[one.name] for one in program.tables),
        priorities=given(program.priorities),
        procedures=checked(program.procedures),
        actions=checked(program.actions),
        victories=checked(program.victories),
        score=checked(program.score),
        measures=checked(program.measures),
        status=checked(program.status),
        kinds=checked(program.kinds),
        variables=checked(program.variables),
    )


def _called(item: object) -> list[str]:
    return [part.name for part in parts(item) if isinstance(part, ir.Call)]


class _Checks:
    """Puts checks into a body: `known` are the bounds of what it calls, `local` that of what it is given."""

    def __init__(self, known: dict[str, int], local: int) -> None:
        self.known = known
        self.local = local

    def put_in(self, item: Any) -> Any:
        return rewritten(item, self._checked)

    def table(self, table: ir.Table) -> tuple[ir.Table, int]:
        """What a table gives is bounded row by row; a table that collects adds its rows up."""
        if table.type != ir.NUMBER:
            return table, 0
        share = len(table.rows) if table.policy == "collect" else 1
        most = BETWEEN // max(1, share)
        rows = tuple(
            replace(row, result=self._within(row.result, most)) if row.result is not None else row
            for row in table.rows
        )
        bounds = [self.bound(row.result) for row in rows if row.result is not None]
        return replace(table, rows=rows), share * max(bounds, default=0)

    # ------------------------------------------------------------ where checks are needed

    def _checked(self, part: Any) -> Any:
        match part:
            case ir.Binary(type=ir.NUMBER):
                return self._arithmetic(part)
            case ir.Quantify(gather="sum", body=body) if body is not None:
                return self._sum(part, body)
            case ir.Quantify(gather="list", body=body) if body is not None:
                return replace(part, body=self._within(body, KEPT))
            case ir.Builtin(name="number_list", arguments=arguments):
                return replace(part, arguments=self._each(arguments, KEPT))
            case ir.Call(arguments=arguments):
                return replace(part, arguments=self._each(arguments, GIVEN))
            case ir.Perform(arguments=arguments) | ir.Apply(arguments=arguments):
                return replace(part, arguments=self._each(arguments, KEPT))
            case ir.Choose(amount="number", low=low, high=high) if low is not None and high is not None:
                return replace(part, low=self._within(low, KEPT), high=self._within(high, KEPT))
            case ir.Reach(cost=cost) if cost is not None:
                return replace(part, cost=self._within(cost, KEPT))
            case _ if isinstance(part, _KEEPING):
                return replace(part, value=self._within(part.value, KEPT))
            case _:
                return part

    def _arithmetic(self, e: ir.Binary) -> ir.Expression:
        left, right = self.bound(e.left), self.bound(e.right)
        match e.operator:
            case "*":
                if left * right <= BETWEEN:
                    return e
                arguments = (self._within(e.left, GIVEN), self._within(e.right, GIVEN))
                return ir.Builtin(name="times", arguments=arguments, type=ir.NUMBER, site=e.site)
            case "+" | "-" if left + right > BETWEEN:
                return replace(e, left=self._within(e.left, KEPT), right=self._within(e.right, KEPT))
            case "near" if 2 * left + right > BETWEEN or 2 * right > BETWEEN:
                return replace(e, left=self._within(e.left, KEPT), right=self._within(e.right, KEPT))
            case _:
                return e

    def _sum(self, e: ir.Quantify, body: ir.Expression) -> ir.Expression:
        if self.bound(body) * _COUNTED <= BETWEEN:
            return e
        return _limited(replace(e, body=self._within(body, KEPT)))

    def _each(self, values: tuple[ir.Expression, ...], most: int) -> tuple[ir.Expression, ...]:
        return tuple(self._within(value, most) for value in values)

    def _within(self, e: ir.Expression, most: int) -> ir.Expression:
        return e if e.type != ir.NUMBER or self.bound(e) <= most else _limited(e)

    # ------------------------------------------------------------ how large a number can be

    def bound(self, e: ir.Expression) -> int:
        """No number that this gives is further from 0."""
        match e:
            case ir.Const(value=value):
                return abs(int(value)) if isinstance(value, (bool, int)) else 0
            case ir.Local():
                return self.local
            case ir.Global(builtin=True):
                return _COUNTED
            case ir.Get(fixed=True):
                return _WRITTEN
            case ir.Binary(operator="*"):
                return self.bound(e.left) * self.bound(e.right)
            case ir.Binary(operator="+" | "-"):
                return self.bound(e.left) + self.bound(e.right)
            case ir.Binary(operator="down" | "up" | "near"):
                return self.bound(e.left) + 1
            case ir.Unary():
                return self.bound(e.operand)
            case ir.Conditional():
                return max(self.bound(e.then), self.bound(e.otherwise))
            case ir.Call(name=name):
                return self.known.get(name, KEPT)
            case ir.Builtin(name="absolute" | "lowest_of" | "highest_of"):
                return max(self.bound(argument) for argument in e.arguments)
            case ir.Builtin(name=name):
                return _COUNTED if name in _COUNTING else KEPT
            case ir.Matching() | ir.Quantify(gather="count"):
                return _COUNTED
            case ir.Quantify(gather="sum", body=body) if body is not None:
                return self.bound(body) * _COUNTED
            case ir.Quantify(body=body) if body is not None:
                return max(self.bound(body), _COUNTED)  # what `least` gives if there are none is not more
            case _:
                return KEPT


#: Of the library: what counts steps, things or turns.
_COUNTING = frozenset({"distance", "size", "last_turn", "row_of", "column_of"})


def _limited(e: ir.Expression) -> ir.Expression:
    return ir.Builtin(name="limited", arguments=(e,), type=ir.NUMBER)
