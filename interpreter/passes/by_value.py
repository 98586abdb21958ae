"""From conditions to sets by value: for each value of an attribute, the set of the things that have it.

A condition such as `x in kind where x.attribute = value` is then one look-up, not a test for each thing.
Which attributes get such sets follows from what the conditions of a program compare; every change of one of
them keeps its sets up to date. A state makes them when they are first asked for, so whoever changes a list of
a state from outside only has to forget them, as everything that is remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeGuard

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.passes.analysis import column
from interpreter.passes.conditions import conjunction, conjuncts, mentions

Kept = Mapping[str, tuple[str, ...]]  # columns with sets by value -> the kinds that have the attribute


def kept_columns(program: ir.Program) -> dict[str, tuple[str, ...]]:
    """The columns whose values conditions on whole collections ask for."""
    asked = {
        _column(found[0]) for variable, term in _conditions(program) if (found := compared(variable, term))
    }
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, attribute in _attributes(program):
        name = column(kind.owner, attribute.name)
        if kind.owner == "pile" or attribute.type.tag not in ("enum", "flag"):
            asked.discard(name)  # the list holds something else too
        kinds[name] = (*kinds.get(name, ()), kind.name)
    return {name: kinds[name] for name in sorted(asked)}


def _attributes(program: ir.Program) -> Iterator[tuple[ir.Kind, ir.Attribute]]:
    for kind in program.kinds:
        if kind.owner in ("piece", "card", "space", "pile"):
            yield from ((kind, attribute) for attribute in kind.attributes)


def _conditions(program: ir.Program) -> Iterator[tuple[str, ir.Expression]]:
    """Every condition on the members of a set: the variable, and one term."""
    for part in parts(
        (
            program.definitions, program.tables, program.procedures, program.actions, program.priorities,
            program.victories, program.score,
        )
    ):  # fmt: skip
        match part:
            case ir.Quantify(source=source, body=body) if source.type.tag == "set":
                every = body if part.gather == "every" else None
                yield from ((part.variable, term) for term in (*conjuncts(part.where), *conjuncts(every)))
            case ir.ForEach() | ir.RandomPick() | ir.PickBy() | ir.Choose():
                yield from ((part.variable, term) for term in conjuncts(part.where))
            case ir.Action():
                for parameter in part.parameters:
                    for condition in part.conditions:
                        yield from ((parameter.name, term) for term in conjuncts(condition.test))


def _positive(term: ir.Expression) -> ir.Expression:
    while isinstance(term, ir.Unary) and term.operator == "not":
        term = term.operand
    return term


def is_negated(term: ir.Expression) -> bool:
    """Whether a term holds for what is not in the set that it names."""
    negated = False
    while isinstance(term, ir.Unary) and term.operator == "not":
        term, negated = term.operand, not negated
    return negated != (isinstance(term, ir.Binary) and term.operator == "!=")


def compared(variable: str, term: ir.Expression) -> tuple[ir.Get, ir.Expression] | None:
    """A changing attribute of `variable`, and the value that a term compares it with."""
    match _positive(term):
        case ir.Binary(operator="=" | "!=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if _can_be_kept(one, variable) and not mentions(other, variable):
                    return one, other
        case ir.Get(type=ir.Type(tag="flag")) as one if _can_be_kept(one, variable):
            return one, ir.Const(value=True, type=ir.FLAG)
    return None


def _can_be_kept(item: ir.Expression, variable: str) -> TypeGuard[ir.Get]:
    return (
        isinstance(item, ir.Get)
        and not item.fixed
        and item.owner in ("piece", "card", "space")
        and item.type.tag in ("enum", "flag")
        and isinstance(item.subject, ir.Local)
        and item.subject.name == variable
    )


def _column(get: ir.Get) -> str:
    return column(get.owner, get.attribute)


def _values_of(variable: str, term: ir.Expression, kept: Kept, source: ir.Expression) -> ir.Kept | None:
    """The set of the things whose attribute has the value of a term (without its negation)."""
    found = compared(variable, term)
    if found is None or _column(found[0]) not in kept:
        return None
    get, value = found
    alone = isinstance(source, ir.Extent) and kept[_column(get)] == (source.kind,)  # only they have it
    assert source.type.element is not None
    kind = source.type if alone else ir.set_of(ir.Type(source.type.element.tag))
    return ir.Kept(owner=get.owner, attribute=get.attribute, value=value, type=kind)


def narrowed_by_values(
    variable: str, source: ir.Expression, where: ir.Expression | None, kept: Kept
) -> tuple[ir.Expression, ir.Expression | None]:
    """A smaller set to go through, and the conditions that are left."""
    if source.type.tag != "set" or isinstance(source, ir.Along):
        return source, where
    rest: list[ir.Expression] = []
    for term in conjuncts(where):
        values = _values_of(variable, term, kept, source)
        if values is None:
            rest.append(term)
        elif is_negated(term):
            source = ir.Binary(operator="minus", left=source, right=values, type=source.type)
        elif isinstance(source, ir.Extent) and values.type == source.type:
            source = values
        else:
            source = ir.Binary(operator="both", left=values, right=source, type=source.type)
    return source, conjunction(rest)
