"""Turn a collection and the conditions on its members into a smaller collection and fewer conditions.

Conditions that sets can answer (a fixed attribute's value, where a piece is, what is near it) become
intersections of sets; only the rest is tested one by one. A condition inside a definition counts too: whoever
passes the definition passes all that it is made of. How sets and tests are written is left to `emit`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from interpreter import ir
from interpreter.analysis import column, parts
from interpreter.inline import substitute

#: So many definitions are looked into, one inside the other.
_DEEPEST = 4
#: How far "near" is at most: further away it is as quick to ask everybody.
FURTHEST = 3
_ALL = ir.Type("set", (), ir.Type("piece", ("any",)))  # a set that may hold other kinds too


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


def narrowed(
    variable: str, source: ir.Expression, where: ir.Expression | None
) -> tuple[ir.Expression, ir.Expression | None]:
    """A smaller collection to go through, where conditions say what the thing must be, be in, at or next to.

    Conditions that sets can answer (a fixed attribute's value, where a piece is) become intersections of
    sets; only the rest is tested one by one.
    """
    element = source.type.element
    if source.type.tag != "set" or element is None or isinstance(source, ir.Along):
        return source, where
    rest: list[ir.Expression] = []
    for term in conjuncts(where):
        alone = _only_one(variable, source, term) if isinstance(source, ir.Extent) else None
        if alone is not None:
            others = [other for other in conjuncts(where) if other is not term]
            return alone, conjunction(others)
        smaller = _intersected(variable, source, term) if element.tag in ("piece", "space") else None
        if smaller is None:
            rest.append(term)
        else:
            source = smaller
    return source, conjunction(rest)


def _only_one(variable: str, source: ir.Expression, term: ir.Expression) -> ir.Expression | None:
    """The one thing that can pass the term, where it must be of the kind that is gone through."""
    match term:
        case ir.Binary(operator="=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                same = other.type == source.type.element or other.type == ir.NOTHING
                if same and _is(one, variable) and not mentions(other, variable):
                    return ir.Builtin(name="single", arguments=(other,), type=ir.list_of(other.type))
    return None


def _intersected(variable: str, source: ir.Expression, term: ir.Expression) -> ir.Expression | None:
    """The source without the things that fail the term, if the term can be answered by a set."""
    negated = False
    while isinstance(term, ir.Unary) and term.operator == "not":
        term, negated = term.operand, not negated
    if isinstance(term, ir.Binary) and term.operator == "!=":
        negated = not negated
    mask = _mask(variable, source, term)
    if mask is None:
        return None
    if negated:
        return ir.Binary(operator="minus", left=source, right=mask, type=source.type)
    if isinstance(source, ir.Extent) and mask.type.element == source.type.element:
        return mask
    return ir.Binary(operator="both", left=mask, right=source, type=source.type)


def _mask(variable: str, source: ir.Expression, term: ir.Expression) -> ir.Expression | None:
    """The set of all things for which the term (without its negation) holds."""
    match term:
        case ir.Binary(operator="in", left=ir.Local(name=name), right=group):
            if name != variable or mentions(group, variable):
                return None
            return (
                group
                if group.type.tag == "set"
                else ir.Builtin(name="list_mask", arguments=(group,), type=_ALL)
            )
        case ir.Binary(operator="=" | "!=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if mentions(other, variable):
                    continue
                if _is_place(one, variable):
                    return ir.Builtin(name="contents", arguments=(other,), type=_ALL)
                if (
                    isinstance(one, ir.Get)
                    and one.fixed
                    and _is(one.subject, variable)
                    and one.type.tag in _LOOKED_UP
                ):
                    values = ir.Const(value=column(one.owner, one.attribute, one.enum), type=ir.TEXT)
                    return ir.Builtin(name="having", arguments=(values, other), type=_ALL)
        case ir.Get(fixed=True, type=ir.Type(tag="flag")) if _is(term.subject, variable):
            values = ir.Const(value=column(term.owner, term.attribute, term.enum), type=ir.TEXT)
            return ir.Builtin(
                name="having", arguments=(values, ir.Const(value=True, type=ir.FLAG)), type=_ALL
            )
        case ir.Builtin(name="adjacent", arguments=(first, second)):
            for one, other in ((first, second), (second, first)):
                if mentions(other, variable):
                    continue
                if _is(one, variable):
                    kind = ir.set_of(other.type) if other.type == source.type.element else _ALL
                    return ir.Builtin(name="neighbours", arguments=(other,), type=kind)
                if _is_place(one, variable):
                    return ir.Builtin(name="contents_near", arguments=(other,), type=_ALL)
        case ir.Binary(
            operator="<=",
            left=ir.Builtin(name="distance", arguments=(first, second)),
            right=ir.Const(value=int(limit)),
        ) if 0 <= limit <= FURTHEST:
            for one, other in ((first, second), (second, first)):
                if _is_place(one, variable) and not mentions(other, variable):
                    reach = ir.Const(value=limit, type=ir.NUMBER)
                    return ir.Builtin(name="contents_within", arguments=(other, reach), type=_ALL)
    return None


#: Types of fixed attributes for which the game keeps the set of things by value.
_LOOKED_UP = ("enum", "flag", "number", "piece", "space")


def _is(item: ir.Expression, variable: str) -> bool:
    return isinstance(item, ir.Local) and item.name == variable


def _is_place(item: ir.Expression, variable: str) -> bool:
    return isinstance(item, ir.Builtin) and item.name == "place_of" and _is(item.arguments[0], variable)


def implied(
    term: ir.Expression, definitions: Mapping[str, ir.Definition], depth: int = 0
) -> Iterator[ir.Expression]:
    """What also holds where a term that asks definitions holds: the conditions that those are made of."""
    definition = definitions.get(term.name) if isinstance(term, ir.Call) else None
    if definition is None or not isinstance(term, ir.Call) or depth >= _DEEPEST:
        return
    for part in conjuncts(definition.body):
        if isinstance(part, ir.Call) or (_may_be_near(part) and not _binds(part)):
            found = _with_arguments(part, definition.parameters, term.arguments)
            yield found
            yield from implied(found, definitions, depth + 1)


def _with_arguments(
    part: ir.Expression, parameters: tuple[ir.Parameter, ...], arguments: tuple[ir.Expression, ...]
) -> ir.Expression:
    # First to names that nothing else has: an argument may be called like another parameter.
    for parameter in parameters:
        part = substitute(part, parameter.name, ir.Local(name=f"\0{parameter.name}", type=parameter.type))
    for parameter, argument in zip(parameters, arguments, strict=True):
        part = substitute(part, f"\0{parameter.name}", argument)
    return part


def _may_be_near(part: ir.Expression) -> bool:
    """Whether a condition is of a sort that `near_only` makes use of."""
    return (isinstance(part, ir.Binary) and part.operator in ("=", "<=", "in")) or (
        isinstance(part, ir.Builtin) and part.name == "adjacent"
    )


def _binds(item: ir.Expression) -> bool:
    """Whether it has variables of its own, which might be called like one that was put in."""
    return any(
        isinstance(part, (ir.Quantify, ir.Along, ir.Reach, ir.Matching, ir.Sight)) for part in parts(item)
    )


def near_only(
    variable: str, source: ir.Expression, terms: list[ir.Expression], tabled: Container[str] = ()
) -> ir.Expression:
    """The source without the pieces that are too far away for the terms, if any of these says so.

    `tabled` are definitions that nothing in play changes: of one that is asked about the place of the piece,
    the places where it holds are known.
    """
    for term in terms:
        mask = _mask(variable, source, term)
        if isinstance(mask, ir.Builtin) and mask.name in ("contents", "contents_near", "contents_within"):
            return ir.Binary(operator="both", left=mask, right=source, type=source.type)
    for term in terms:
        if isinstance(term, ir.Call) and term.name in tabled and term.type == ir.FLAG:
            *others, place = term.arguments
            if others and _is_place(place, variable) and not any(mentions(one, variable) for one in others):
                row = replace(term, arguments=tuple(others))
                return ir.Builtin(name="contents_where", arguments=(row, source), type=source.type)
        group = _places_of(variable, term, tabled)
        if group is not None:
            return ir.Builtin(name="contents_of", arguments=(group, source), type=source.type)
    return source


def _places_of(variable: str, term: ir.Expression, tabled: Container[str]) -> ir.Expression | None:
    """The set that the place of the piece must be in, if a look-up gives it."""
    match term:
        case ir.Binary(operator="in", left=left, right=group) if _is_place(left, variable):
            known = isinstance(group, ir.Get) or (isinstance(group, ir.Call) and group.name in tabled)
            return group if known and group.type.tag == "set" and not mentions(group, variable) else None
    return None
