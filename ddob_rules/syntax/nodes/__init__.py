"""The syntax tree with types: a class for each node that the grammar makes, a module for each of its files.

`lark.ast_utils` makes such classes too, but hands them their parts one by one: it has no place for a row of
parts between others (`prefer ... otherwise`), nor for the source that a span belongs to. `build` goes by the
fields of the class alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from ddob_rules.syntax.nodes import effects, expressions, overlay, rules, tables
from ddob_rules.syntax.nodes.node import Item, Leaf, Node, Tree
from ddob_rules.syntax.source import Span

__all__ = ["Item", "Leaf", "Node", "Tree", "build", "kinds"]

_MODULES = (rules, overlay, tables, effects, expressions)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a node is made of its parts: `before`, then a row of any number if `row`, then `after`."""

    made: Any
    before: int
    row: bool
    after: int


def _plan(made: type[Node]) -> _Plan:
    types = [str(part.type) for part in fields(made) if part.name in made.part_names]
    rows = [place for place, kind in enumerate(types) if kind.startswith("tuple[")]
    if not rows:
        return _Plan(made, len(types), False, 0)
    return _Plan(made, rows[0], True, len(types) - rows[0] - 1)


def _plans() -> dict[str, _Plan]:
    found: dict[str, _Plan] = {}
    for module in _MODULES:
        for part in vars(module).values():
            if isinstance(part, type) and issubclass(part, Node) and part.__module__ == module.__name__:
                part.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", part.__name__).lower()
                part.part_names = tuple(own.name for own in fields(part) if own.name != "span")
                part.compared = attrgetter(*(part.part_names or ("kind",)))
                assert part.kind not in found, part.kind  # the grammar has one name for each
                found[part.kind] = _plan(part)
    return found


_PLANS = _plans()


def kinds() -> set[str]:
    """The names of all nodes in the grammar."""
    return set(_PLANS)


def build(kind: str, items: Sequence[Item], span: Span) -> Node:
    """The node for a rule of the grammar; parts that may be missing at the end may be missing in `items`."""
    plan = _PLANS[kind]
    node: Node
    if not plan.row:
        node = plan.made(*items, *[None] * (plan.before - len(items)), span=span)
    else:
        end = len(items) - plan.after
        row = tuple(items[plan.before : end])
        node = plan.made(*items[: plan.before], row, *items[end:], span=span)
    return node
