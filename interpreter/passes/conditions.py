"""Conditions: what they are made of, and what they speak of."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.walk import parts


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
