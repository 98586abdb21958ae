"""What all parts of a syntax tree have in common: a place, and the parts that they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from ddob_rules.syntax.source import Span


@dataclass(frozen=True, slots=True)
class Leaf:
    """A name, number, text, rule number or a kept keyword. `text` is the canonical spelling."""

    terminal: str
    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a tree: its class is named as the grammar names it, its fields are as the text has them."""

    kind: ClassVar[str] = ""  # the name in the grammar: `TableRow` is `table_row` there
    part_names: ClassVar[tuple[str, ...]] = ()  # its fields but the span, in the order of the text
    span: Span = field(compare=False, kw_only=True)

    def children(self) -> list[Item]:
        """What it is made of, in the order of the text, None where something optional was left out."""
        found: list[Item] = []
        for name in self.part_names:
            part = getattr(self, name)
            if isinstance(part, tuple):
                found.extend(part)
            else:
                found.append(part)
        return found

    def walk(self) -> Iterator[Node | Leaf]:
        """Every node and leaf below this one, itself first."""
        stack: list[Item] = [self]
        while stack:
            item = stack.pop()
            if item is None:
                continue
            yield item
            if isinstance(item, Leaf):
                continue
            for name in reversed(item.part_names):  # as `children`, the last first
                part = getattr(item, name)
                if isinstance(part, tuple):
                    stack.extend(reversed(part))
                elif part is not None:
                    stack.append(part)


Item = Node | Leaf | None
Tree = Node | Leaf
