"""The syntax tree: one node a grammar rule, named as the grammar names it, with its place in the text.

Nodes are deliberately plain: a kind and a tuple of items, each item a node, a leaf or None where something
optional was left out. What they mean is the business of the later stages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddob_rules.source import Span


@dataclass(frozen=True, slots=True)
class Leaf:
    """A name, number, text, rule number or a kept keyword. `text` is the canonical spelling."""

    terminal: str
    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Node:
    kind: str
    items: tuple[Item, ...]
    span: Span = field(compare=False)

    def walk(self) -> Iterator[Node | Leaf]:
        """Every node and leaf below this one, itself first."""
        stack: list[Item] = [self]
        while stack:
            item = stack.pop()
            if item is None:
                continue
            yield item
            if isinstance(item, Node):
                stack.extend(reversed(item.items))


Item = Node | Leaf | None
Tree = Node | Leaf


def leaf(item: Item) -> Leaf:
    """The item, which the grammar says is a leaf."""
    assert isinstance(item, Leaf), item
    return item


def node(item: Item) -> Node:
    """The item, which the grammar says is a node."""
    assert isinstance(item, Node), item
    return item


def tree(item: Item) -> Tree:
    """The item, which the grammar says is there."""
    assert item is not None
    return item
