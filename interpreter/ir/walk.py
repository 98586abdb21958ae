"""One way to go through the typed form, and one to rewrite it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from operator import is_not
from typing import Any

from interpreter.ir.expressions import Expression, Local
from interpreter.ir.types import Site, Type


def parts(item: object) -> Iterator[object]:
    """Every expression and statement inside one, itself first."""
    stack: list[object] = [item]
    known = _INNER_NAMES  # looked up here: this is where checking and compiling spend their time
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack.extend(current)
            continue
        kind = type(current)
        names = known[kind] if kind in known else inner_names(kind)
        if names is None:
            continue
        yield current
        for name in names:
            inner = getattr(current, name)
            if inner.__class__ not in _PLAIN:
                stack.append(inner)


#: Values that have nothing inside; most of what is looked at is one of them.
_PLAIN = frozenset({str, int, bool, type(None), Site, Type})
_PLAIN_FIELDS = frozenset({"str", "int", "bool", "Site", "Type"})


def inner_names(kind: type) -> tuple[str, ...] | None:
    """The names of what is inside expressions and statements of this class; None for anything else."""
    if kind not in _INNER_NAMES:
        ours = is_dataclass(kind) and not issubclass(kind, (Site, Type))
        _INNER_NAMES[kind] = (
            tuple(entry.name for entry in fields(kind) if entry.type not in _PLAIN_FIELDS) if ours else None
        )
    return _INNER_NAMES[kind]


_INNER_NAMES: dict[type, tuple[str, ...] | None] = {}


def callees_first(graph: Mapping[str, list[str]]) -> list[str]:
    """The names of what calls what, each after those that it calls; there are no circles."""
    done: dict[str, None] = {}
    for start in graph:
        stack = [(start, iter(graph[start]))]
        while stack:
            name, rest = stack[-1]
            following = next((one for one in rest if one in graph and one not in done), None)
            if following is None:
                stack.pop()
                done[name] = None
            else:
                stack.append((following, iter(graph[following])))
    return list(done)


def rewritten(item: Any, change: Callable[[object], object]) -> Any:
    """The same parts, each replaced by what `change` makes of it, innermost first."""
    if item.__class__ is tuple:
        found = tuple([part if part.__class__ in _PLAIN else rewritten(part, change) for part in item])
        return found if any(map(is_not, found, item)) else item
    names = inner_names(type(item))
    if names is None:
        return item
    changed = {}
    for inner in names:
        old = getattr(item, inner)
        if old.__class__ in _PLAIN:
            continue
        new = rewritten(old, change)
        if new is not old:
            changed[inner] = new
    return change(replace(item, **changed) if changed else item)


def substitute(item: Any, name: str, value: Expression) -> Any:
    """The same parts with a local replaced by a value."""
    return rewritten(item, lambda part: value if isinstance(part, Local) and part.name == name else part)
