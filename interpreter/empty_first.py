"""From a condition to an equal one that asks first whether anything is at a place, where that decides it.

Most places of most boards are empty, and most conditions on a place ask who is there: that no piece of one's
own is, or that none is unless something else holds. If an empty place meets the whole condition, one look is
enough for it; and behind that look, what only asks whether anybody is there is known. Left out: conditions
that an empty place fails.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import ir
from interpreter.analysis import parts
from interpreter.narrowing import conjunction, conjuncts, narrowed


def empty_first(where: ir.Expression | None, only_kind: str) -> ir.Expression | None:
    """The condition with the look at the place first. `only_kind` is the kind of all pieces, or empty."""
    for place in _places(where):
        terms = conjuncts(where)
        if len(terms) + _count(where) > 2 and all(_if_empty(term, place) is True for term in terms):
            left = [known for term in terms if (known := _if_full(term, place, only_kind)) is not True]
            rest = conjunction([term for term in left if not isinstance(term, bool)])
            nobody = _nobody(place)
            if False in left:
                return nobody
            return (
                ir.Binary(operator="or", left=nobody, right=rest, type=ir.FLAG) if rest is not None else None
            )
    return where


def _nobody(place: ir.Expression) -> ir.Expression:
    anybody = ir.set_of(ir.Type("piece", ("any",)))
    contents = ir.Builtin(name="contents", arguments=(place,), type=anybody)
    return ir.Quantify(
        gather="no", variable="", variable_type=ir.Type("piece", ("any",)), source=contents, where=None,
        body=None, type=ir.FLAG,
    )  # fmt: skip


def _set_of(item: ir.Quantify) -> tuple[ir.Expression, ir.Expression | None]:
    return narrowed(item.variable, item.source, item.where)


def _places(where: ir.Expression | None) -> Iterator[ir.Expression]:
    """The places whose pieces a condition asks for."""
    for part in parts(where):
        if isinstance(part, ir.Quantify) and part.gather in ("some", "no"):
            for inner in parts(_set_of(part)[0]):
                if isinstance(inner, ir.Builtin) and inner.name == "contents":
                    yield inner.arguments[0]


def _count(where: ir.Expression | None) -> int:
    return sum(isinstance(part, ir.Quantify) for part in parts(where))


def _within(group: ir.Expression, place: ir.Expression) -> bool:
    """Whether a set holds nothing but what is at a place."""
    match group:
        case ir.Builtin(name="contents", arguments=(where,)):
            return where == place
        case ir.Binary(operator="both", left=left, right=right):
            return _within(left, place) or _within(right, place)
        case ir.Binary(operator="minus", left=left):
            return _within(left, place)
    return False


def _if_empty(term: ir.Expression, place: ir.Expression) -> bool | None:
    """What a term is if nothing is at the place; None if that does not decide it."""
    match term:
        case ir.Quantify(gather="some" | "no" as gather) if _within(_set_of(term)[0], place):
            return gather == "no"
        case ir.Unary(operator="not", operand=operand):
            inner = _if_empty(operand, place)
            return None if inner is None else not inner
        case ir.Binary(operator="and" | "or" as operator, left=left, right=right):
            known = (_if_empty(left, place), _if_empty(right, place))
            decisive = operator == "or"
            if decisive in known:
                return decisive
            return None if None in known else not decisive
    return None


def _if_full(term: ir.Expression, place: ir.Expression, only_kind: str) -> ir.Expression | bool:
    """What is left of a term if something is at the place."""
    match term:
        case ir.Quantify(gather="some" | "no" as gather):
            group, rest = _set_of(term)
            if (
                isinstance(group, ir.Binary)
                and isinstance(group.right, ir.Extent)
                and group.operator == "both"
            ):
                group = group.left if group.right.kind == only_kind else group
            everything = isinstance(group, ir.Builtin) and _within(group, place) and rest is None
            return gather == "some" if everything else term
        case ir.Unary(operator="not", operand=operand):
            inner = _if_full(operand, place, only_kind)
            return (
                not inner
                if isinstance(inner, bool)
                else ir.Unary(operator="not", operand=inner, type=ir.FLAG)
            )
        case ir.Binary(operator="and" | "or" as operator, left=left, right=right):
            sides = [_if_full(side, place, only_kind) for side in (left, right)]
            decisive = operator == "or"
            if decisive in sides:
                return decisive
            open_sides = [side for side in sides if not isinstance(side, bool)]
            if len(open_sides) == 2:
                return ir.Binary(operator=operator, left=open_sides[0], right=open_sides[1], type=ir.FLAG)
            return open_sides[0] if open_sides else not decisive
    return term
