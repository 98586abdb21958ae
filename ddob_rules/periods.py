"""From conditions to turn ranges: which turns a condition can hold in, and whether two exclude each other.

Only what can be read off directly is used (comparisons of `turn` with numbers, joined by and; an option and
its negation). Anything else counts as "may hold at any time".
"""

from __future__ import annotations

from dataclasses import dataclass

from ddob_rules.tree import Leaf, Node, Tree, leaf, node

FOREVER = 10**9


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
    if isinstance(condition, Node) and condition.kind == "conjunction":
        return [term for item in condition.items if item is not None for term in _terms(item)]
    if isinstance(condition, Node) and condition.kind == "group":
        return _terms(node(condition.items[0]))
    return [condition]


def _negates(term: Tree, other: Tree) -> bool:
    return isinstance(term, Node) and term.kind == "negation" and term.items[0] == other


def _number(item: object) -> int | None:
    if isinstance(item, Node) and item.kind == "number":
        return int(leaf(item.items[0]).text)
    return None


def _period_of(term: Tree) -> Period:
    if isinstance(term, Leaf):
        return Period()
    match term.kind, term.items:
        case "from_turn", (low,) if (value := _number(low)) is not None:
            return Period(first=value)
        case "until_turn", (high,) if (value := _number(high)) is not None:
            return Period(last=value)
        case "turns", (low, high) if (a := _number(low)) is not None and (b := _number(high)) is not None:
            return Period(a, b)
        case "in_range", (Node(kind="turn"), Node(items=(low, high))):
            start, end = _number(low), _number(high)
            return Period(start, end) if start is not None and end is not None else Period()
        case "comparison", (Node(kind="turn"), comparator, number) if (value := _number(number)) is not None:
            match leaf(node(comparator).items[0]).text:
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
