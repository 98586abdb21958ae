"""Enums as scales: the ratio of two numbers, and steps along an enum that stop at its ends.

Both become definitions of plain conditions, for the enums that rules use so; engines know nothing of them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from interpreter import ir

_RATIO = re.compile(r"([0-9]{1,6}):([0-9]{1,6})")


def ratio(value: str) -> tuple[int, int] | None:
    """The two numbers of a value such as `3:2`; None for a name."""
    found = _RATIO.fullmatch(value)
    return (int(found[1]), int(found[2])) if found is not None else None


def rises(values: list[str] | tuple[str, ...]) -> bool:
    """Whether ratios stand from the lowest to the highest, none of them twice and none of nothing."""
    found = [pair for pair in map(ratio, values) if pair is not None]
    steps = zip(found, found[1:], strict=False)
    return all(b > 0 for _, b in found) and all(a * d < c * b for (a, b), (c, d) in steps)


def is_scale(enum: ir.Enum) -> bool:
    return bool(enum.values) and all(ratio(value) is not None for value in enum.values)


def ratio_name(enum: str) -> str:
    return f"ratio of {enum}"  # a blank: no author can write it


def shift_name(enum: str) -> str:
    return f"shift of {enum}"


def place_name(enum: str) -> str:
    return f"place of {enum}"


def scale_readers(enums: Iterable[ir.Enum], shifted: Container[str]) -> list[ir.Definition]:
    """What calls of ratios and shifts along enums need."""
    found: list[ir.Definition] = []
    for enum in enums:
        if is_scale(enum):
            found.append(ratio_reader(enum))
        if is_scale(enum) or enum.name in shifted:
            found += shift_readers(enum)
    return found


def ratio_reader(enum: ir.Enum) -> ir.Definition:
    """The highest ratio p:q that two numbers reach (the first times q is the second times p or more)."""
    kind = ir.enum_type(enum.name)
    body: ir.Expression = ir.Const(value=0, type=kind)
    for index, value in enumerate(enum.values):
        pair = ratio(value)
        assert pair is not None
        if index:
            reached = _compare(">=", _times(_NUMBERS[0], pair[1]), _times(_NUMBERS[1], pair[0]))
            body = ir.Conditional(
                condition=reached, then=ir.Const(value=index, type=kind), otherwise=body, type=kind
            )
    return ir.Definition(name=ratio_name(enum.name), parameters=_PARTS, type=kind, body=body, site=enum.site)


def shift_readers(enum: ir.Enum) -> list[ir.Definition]:
    """The place of a value, counted from 1, and the value so many places further that there is."""
    kind = ir.enum_type(enum.name)
    value = ir.Local(name="value", type=kind)
    place: ir.Expression = _number(0)
    for index in range(len(enum.values)):
        same = _compare("=", value, ir.Const(value=index, type=kind))
        place = ir.Conditional(condition=same, then=_number(index + 1), otherwise=place, type=ir.NUMBER)
    own = (ir.Parameter(name="value", type=kind),)
    where = ir.Call(name=place_name(enum.name), arguments=(value,), type=ir.NUMBER, site=enum.site)
    steps = ir.Local(name="steps", type=ir.NUMBER)
    wanted = ir.Binary(operator="+", left=where, right=steps, type=ir.NUMBER, site=enum.site)
    last = len(enum.values) - 1
    shifted: ir.Expression = ir.Const(value=last, type=kind)
    for index in reversed(range(last)):
        before = _compare("<=", wanted, _number(index + 1))
        there = ir.Const(value=index, type=kind)
        shifted = ir.Conditional(condition=before, then=there, otherwise=shifted, type=kind)
    nothing = ir.Const(value=-1, type=kind)
    missing = _compare("=", value, nothing)
    shifted = ir.Conditional(condition=missing, then=nothing, otherwise=shifted, type=kind)
    both = (*own, ir.Parameter(name="steps", type=ir.NUMBER))
    return [
        ir.Definition(name=place_name(enum.name), parameters=own, type=ir.NUMBER, body=place, site=enum.site),
        ir.Definition(name=shift_name(enum.name), parameters=both, type=kind, body=shifted, site=enum.site),
    ]


_PARTS = (ir.Parameter(name="upper", type=ir.NUMBER), ir.Parameter(name="lower", type=ir.NUMBER))
_NUMBERS = tuple(ir.Local(name=part.name, type=ir.NUMBER) for part in _PARTS)


def _number(value: int) -> ir.Const:
    return ir.Const(value=value, type=ir.NUMBER)


def _times(number: ir.Expression, factor: int) -> ir.Expression:
    if factor == 1:
        return number
    return ir.Binary(operator="*", left=number, right=_number(factor), type=ir.NUMBER)


def _compare(operator: ir.Operator, left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return ir.Binary(operator=operator, left=left, right=right, type=ir.FLAG)
