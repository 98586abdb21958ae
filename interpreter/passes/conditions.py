"""Conditions: what they are made of, what they speak of, and which of them may be asked before their turn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from interpreter import ir
from interpreter.ir.walk import parts, substitute
from interpreter.passes.analysis import Analysis, expression_facts


def mentions(item: object, name: str) -> bool:
    return any(isinstance(part, ir.Local) and part.name == name for part in parts(item))


def conjuncts(condition: ir.Expression | None) -> list[ir.Expression]:
    if condition is None:
        return []
    if isinstance(condition, ir.Binary) and condition.operator == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


def conjunction(terms: list[ir.Expression]) -> ir.Expression | None:
    result: ir.Expression | None = None
    for term in terms:
        result = term if result is None else ir.Binary(operator="and", left=result, right=term, type=ir.FLAG)
    return result


@dataclass(eq=False, slots=True)
class Early:
    """Which conditions of a program may be asked early: those that cannot fail, and what never changes."""

    program: ir.Program
    analysis: Analysis
    definitions: dict[str, ir.Definition] = field(init=False)
    _tables: dict[str, ir.Table] = field(init=False)
    bodies: dict[str, object] = field(init=False)
    _fallible: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.definitions = {definition.name: definition for definition in self.program.definitions}
        self._tables = {table.name: table for table in self.program.tables}
        self.bodies = {name: definition.body for name, definition in self.definitions.items()}
        self.bodies.update({name: table.rows for name, table in self._tables.items()})

    def unchanging(self, term: ir.Expression, variables: Collection[str]) -> bool:
        """Whether a term speaks of these alone, and nothing in play can change what it says of them."""
        inner = {part.name for part in parts(term) if isinstance(part, ir.Local)}
        bound = {part.variable for part in parts(term) if isinstance(part, (ir.Quantify, ir.Along))}
        reads = expression_facts(term, self.bodies, self.analysis).reads
        return inner - bound <= {*variables} and not reads and not self.may_fail(term)

    def may_fail(self, item: object) -> bool:
        """Whether working something out before anybody asks could fail: a division, a table without a row.

        Names are known when the game is there, so they are asked for later too.
        """
        for part in parts(item):
            match part:
                case ir.Binary(operator="down" | "up" | "near"):
                    if not isinstance(part.right, ir.Const) or part.right.value == 0:
                        return True
                case ir.Builtin(name="numbers" | "limited" | "times" | "name_of") | ir.Format():
                    return True
                case ir.Call() if self._call_may_fail(part.name):
                    return True
        return False

    def _call_may_fail(self, name: str) -> bool:
        known = self._fallible.get(name)
        if known is None:
            table = self._tables.get(name)
            known = (table is not None and table.policy != "collect") or self.may_fail(self.bodies[name])
            self._fallible[name] = known
        return known

    def opened(self, term: ir.Expression) -> ir.Expression | None:
        """What a definition says of what it is asked about; None where a name would come to mean another."""
        definition = self.definitions.get(term.name) if isinstance(term, ir.Call) else None
        if definition is None or not isinstance(term, ir.Call):
            return None
        bound = {name for part in parts(definition.body) for name in bound_by(part)}
        if any(isinstance(part, ir.Local) and part.name in bound for part in parts(term.arguments)):
            return None
        return with_arguments(definition.body, definition.parameters, term.arguments)


def bound_by(part: object) -> tuple[str, ...]:
    """The names of the variables that a part of an expression has for itself."""
    match part:
        case ir.Quantify() | ir.Along() | ir.Sight():
            return (part.variable,)
        case ir.Reach():
            return (part.step_from, part.step_to)
        case ir.Matching():
            return (part.left, part.right)
        case _:
            return ()


def with_arguments(
    part: ir.Expression, parameters: tuple[ir.Parameter, ...], arguments: tuple[ir.Expression, ...]
) -> ir.Expression:
    """A part of a definition with what it is called with."""
    # First to names that nothing else has: an argument may be called like another parameter.
    for parameter in parameters:
        part = substitute(part, parameter.name, ir.Local(name=f"\0{parameter.name}", type=parameter.type))
    for parameter, argument in zip(parameters, arguments, strict=True):
        part = substitute(part, f"\0{parameter.name}", argument)
    return part
