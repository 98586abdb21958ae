"""What all parts of a syntax tree have in common: a place, and the parts that they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, field, fields, make_dataclass
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

from ddob_rules.syntax.source import Source, Span


@dataclass(frozen=True, slots=True)
class Leaf:
    """A name, number, text, rule number or a kept keyword. `text` is the canonical spelling."""

    terminal: str
    text: str
    span: Span = field(compare=False)


Kind = TypeVar("Kind", bound="Node")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(made: type[Kind]) -> type[Kind]:
    """A dataclass with slots, which has its methods from `Node`, and from there that nobody changes it.

    There are three hundred of them, and to write six methods for each was a tenth of the time in which the
    program starts; so were their signatures, which stand in for what a class does not say of itself.
    """
    made.__doc__ = made.__doc__ or made.__name__
    return dataclass(slots=True, init=False, repr=False, eq=False)(made)


@node
class Node:
    """A part of a tree: its class is named as the grammar names it, its fields are as the text has them."""

    frozen: ClassVar[bool] = True  # as a frozen dataclass, which may stand in the cache
    kind: ClassVar[str] = ""  # the name in the grammar: `TableRow` is `table_row` there
    part_names: ClassVar[tuple[str, ...]] = ()  # its fields but the span, in the order of the text
    compared: ClassVar[attrgetter[Any]]  # what stands in those fields
    span: Span = field(compare=False, kw_only=True)

    def __init__(self, *parts: object, **named: object) -> None:
        made: Any = type(self)
        made.__init__ = _making(made)  # for all that follow
        made.__init__(self, *parts, **named)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> list[object]:
        return [getattr(self, one.name) for one in fields(self)]

    def __setstate__(self, state: list[object]) -> None:
        for one, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, one.name, value)

    def __eq__(self, other: object) -> bool:
        same = other.__class__ is self.__class__
        return bool(self.compared(self) == self.compared(other)) if same else NotImplemented

    def __hash__(self) -> int:
        return hash((self.kind, self.compared(self)))

    def __repr__(self) -> str:
        shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self))
        return f"{type(self).__name__}({', '.join(shown)})"

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


def _making(made: type[Node]) -> Any:
    """What makes a node of a class: as that of any dataclass with these fields."""
    own = [(one.name, one.type, field(default=one.default, kw_only=one.kw_only)) for one in fields(made)]
    found: Any = make_dataclass(made.__name__, own, frozen=True, repr=False, eq=False)
    return found.__init__


Item = Node | Leaf | None
Tree = Node | Leaf


def relocated(item: Item, source: Source, shift: int) -> Item:
    """The same tree in another source, whose text begins `shift` letters later."""
    if item is None:
        return None
    span = Span(source, item.span.start - shift, item.span.end - shift)
    if isinstance(item, Leaf):
        return Leaf(item.terminal, item.text, span)
    parts: dict[str, object] = {}
    for name in item.part_names:
        part = getattr(item, name)
        if isinstance(part, tuple):
            parts[name] = tuple(relocated(inner, source, shift) for inner in part)
        else:
            parts[name] = relocated(part, source, shift) if isinstance(part, (Node, Leaf)) else part
    return type(item)(**parts, span=span)
