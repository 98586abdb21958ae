"""From conditions to turn ranges: which turns a condition can hold in, and whether two exclude each other.

Only what can be read off directly is used (comparisons of `turn` with numbers, joined by and; an option and
its negation). Anything else counts as "may hold at any time".
"""

from __future__ import annotations

from dataclasses import dataclass

from ddob_rules.syntax.nodes import Tree
from ddob_rules.syntax.nodes.expressions import (
    Comparison,
    Conjunction,
    FromTurn,
    Group,
    InRange,
    Negation,
    Number,
    Range,
    Turn,
    Turns,
    UntilTurn,
)

FOREVER = 10**9
_MOST_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Period:
    first: int = -FOREVER
    last: int = FOREVER

    def meet(self, other: Period) -> Period:
        return Period(max(self.first, other.first), min(self.last, other.last))

    @property
    def empty(self) -> bool:
        return self.first > self.last


def exclusive(first: Tree | None, second: Tree | None) -> bool:
    """Whether both conditions can never hold together, as far as can be told."""
    if first is None or second is None:
        return False
    if period(first).meet(period(second)).empty:
        return True
    terms, others = list(_terms(first)), list(_terms(second))
    return any(_negates(a, b) or _negates(b, a) for a in terms for b in others)


def period(condition: Tree) -> Period:
    """The turns in which the condition can hold."""
    result = Period()
    for term in _terms(condition):
        result = result.meet(_period_of(term))
    return result


def _terms(condition: Tree) -> list[Tree]:
    match condition:
        case Conjunction(parts=parts):
            return [term for part in parts for term in _terms(part)]
        case Group(inner=inner):
            return _terms(inner)
        case _:
            return [condition]


def _negates(term: Tree, other: Tree) -> bool:
    return isinstance(term, Negation) and term.part == other


def _value(number: Number) -> int:
    return int(number.digits.text[:_MOST_DIGITS])  # what is longer is a finding of its own


def _period_of(term: Tree) -> Period:
    match term:
        case FromTurn(first=Number() as first):
            return Period(first=_value(first))
        case UntilTurn(last=Number() as last):
            return Period(last=_value(last))
        case Turns(first=Number() as first, last=Number() as last):
            return Period(_value(first), _value(last))
        case InRange(number=Turn(), range=Range(low=Number() as low, high=Number() as high)):
            return Period(_value(low), _value(high))
        case Comparison(left=Turn(), comparator=comparator, right=Number() as number):
            value = _value(number)
            match comparator.sign.text:
                case "=":
                    return Period(value, value)
                case "<":
                    return Period(last=value - 1)
                case "<=" | "≤":
                    return Period(last=value)
                case ">":
                    return Period(first=value + 1)
                case ">=" | "≥":
                    return Period(first=value)
    return Period()
