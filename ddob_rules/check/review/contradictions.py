"""Conditions that exclude each other: a row of them that can never hold all at once.

Each condition bounds one value: a number from below or above, a value that it must or must not have. Values
are compared as they are written, so what is found is certain, and what is not written alike is not found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ddob_rules.check.memory import plain
from ddob_rules.stack.periods import FOREVER
from interpreter import ir

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


@dataclass(slots=True)
class Bounds:
    """What conditions leave of a value; values of enums and flags are numbers too."""

    low: int | None = None
    high: int | None = None
    others: set[object] = field(default_factory=set)
    wanted: set[object] = field(default_factory=set)

    def take(self, operator: str, value: object) -> None:
        if operator == "=":
            self.wanted.add(value)
        elif operator == "!=":
            self.others.add(value)
        elif isinstance(value, int):
            if operator in (">", ">="):
                self.low = max(value + (operator == ">"), value if self.low is None else self.low)
            else:
                self.high = min(value - (operator == "<"), value if self.high is None else self.high)

    @property
    def empty(self) -> bool:
        low, high = _or(self.low, -FOREVER), _or(self.high, FOREVER)
        if low > high or len(self.wanted) > 1 or self.wanted & self.others:
            return True
        return any(isinstance(value, int) and not low <= value <= high for value in self.wanted)


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def never(conditions: Iterable[ir.Expression]) -> bool:
    """Whether these cannot hold together."""
    bounds: dict[str, Bounds] = {}
    for test in _flattened(conditions):
        if test == ir.Const(value=False, type=ir.FLAG):
            return True
        for subject, operator, value in _facts(test):
            bounds.setdefault(repr(plain(subject)), Bounds()).take(operator, value)
    turn = bounds.get(repr(plain(_TURN)))
    if turn is not None:
        turn.take(">=", 0)  # a game may begin with turn 0
    return any(found.empty for found in bounds.values())


def first_turn(condition: ir.Expression) -> int:
    """The first turn on which a condition can hold, as far as it speaks of turns."""
    bounds = Bounds(low=0)
    for test in _flattened([condition]):
        for subject, operator, value in _facts(test):
            if subject == _TURN:
                bounds.take(">=" if operator == "=" else operator, value)
    return _or(bounds.low, 0)


_TURN = ir.Global(name="turn", type=ir.NUMBER, builtin=True)


def _flattened(conditions: Iterable[ir.Expression]) -> Iterator[ir.Expression]:
    stack = list(conditions)
    while stack:
        test = stack.pop()
        match test:
            case ir.Binary(operator="and", left=left, right=right):
                stack += [left, right]
            case _:
                yield test


def _facts(test: ir.Expression) -> Iterator[tuple[ir.Expression, str, object]]:
    match test:
        case ir.Binary(operator=operator, left=left, right=ir.Const(value=value)) if operator in _MIRRORED:
            yield left, operator, value
        case ir.Binary(operator=operator, left=ir.Const(value=value), right=right) if operator in _MIRRORED:
            yield right, _MIRRORED[operator], value
        case ir.Between(subject=subject, low=low, high=high):
            if isinstance(low, ir.Const):
                yield subject, ">=", low.value
            if isinstance(high, ir.Const):
                yield subject, "<=", high.value
        case ir.Unary(operator="not", operand=operand):
            yield operand, "=", False
        case _:
            yield test, "=", True
