"""What loops cost of the budget of steps: the same for every engine.

Entering a loop costs as many steps as it has things. Only loops over a handful, with nothing dear inside, are
free: there are as many of them as the rules have lines.
"""

from __future__ import annotations

from collections.abc import Container

from interpreter import ir
from interpreter.ir.walk import parts

_DEAR = (
    ir.Quantify, ir.Along, ir.Reach, ir.Sight, ir.Matching, ir.Call, ir.ForEach, ir.Repeat, ir.Perform,
    ir.Apply, ir.PickBy, ir.RandomPick, ir.Choose, ir.Offer, ir.Gathered, ir.Foremost,
)  # fmt: skip


def is_dear(inside: object) -> bool:
    """Whether doing something for each of many may take long: it has loops, searches or calls in it."""
    return any(isinstance(part, _DEAR) for part in parts(inside))


def is_counted(source: ir.Expression, dear: bool, enums: Container[str]) -> bool:
    """Whether going through a collection costs steps; `dear` says so of what is done with each thing."""
    return dear or not _is_short(source, enums)


def _is_short(source: ir.Expression, enums: Container[str]) -> bool:
    match source:
        case ir.Extent():
            return source.kind in enums
        case ir.Single() | ir.Builtin(name="neighbours" | "number_list"):
            return True
        case _:
            return constant_set(source) is not None


def constant_set(e: ir.Expression) -> int | None:
    """The bit mask of a set that is written out."""
    match e:
        case ir.Const(value=int(mask), type=ir.Type(tag="set")):
            return mask
        case ir.MakeSet(items=items):
            values = [item.value for item in items if isinstance(item, ir.Const)]
            if len(values) < len(items) or not all(isinstance(value, int) for value in values):
                return None
            return sum({1 << int(value) for value in values if int(value) >= 0})
        case _:
            return None
