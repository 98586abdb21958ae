"""Where the values of definitions are remembered in which every case has a place of its own.

An entry is the epoch that its value is of, then the value; of something small that nothing changes, it is the
value alone, two more than it is, so that 0 says that it is not known yet. Whoever calls looks there first.
Left out: definitions with more cases than there is room for, whose cases share places.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.wasm.writing.context import Context
from interpreter.wasm.writing.wat import add, i32, i64, times

#: So many bytes may such a memory take.
DIRECT = 1 << 20
#: So many cases may a definition have that nothing changes, and whose values take a few bytes each.
_FIXED = 1 << 22
#: What takes longer the more things there are.
_GOING_THROUGH = (
    ir.Quantify, ir.Gathered, ir.Best, ir.Along, ir.Reach, ir.Sight, ir.Matching, ir.ContentsNear,
    ir.ContentsOf, ir.ContentsWhere,
)  # fmt: skip
#: By how much more than it is a small value is stored.
MORE = 2


@dataclass(frozen=True, slots=True)
class Memory:
    """The entries of one definition."""

    place: int
    size: int  # of an entry, in bytes
    compact: bool  # only the values
    epoch: str  # of values that hold

    @property
    def load(self) -> str:
        """How a compact entry is read."""
        return "i32.load8_u" if self.size == 1 else "i32.load"

    @property
    def store(self) -> str:
        return "i32.store8" if self.size == 1 else "i32.store"

    def entry(self, index: str) -> str:
        return add(times(index, self.size), self.place)


def memory_of(context: Context, definition: ir.Definition) -> Memory | None:
    """The memory of a definition, given out when it is first asked for; None if it has none of this sort."""
    analysis, kind = context.lowered.analysis, definition.type
    fixed = definition.name in analysis.tabled
    count = cases(context, definition.parameters)
    if not is_kept(context, definition) or count is None:
        return None
    key = ("memory", definition.name)
    if fixed and kind.tag not in ("number", "set") and count <= _FIXED:
        size = 1 if kind.tag in ("flag", "enum") and context.shapes.count(kind) < 250 else 4
        return Memory(context.room(key, count * size), size, True, "")
    size = _entry_size(context, kind)
    if not _has_room(context, definition):
        return None
    return Memory(context.room(key, count * size), size, False, epoch(context, definition))


def is_kept(context: Context, definition: ir.Definition) -> bool:
    """Whether the values of a definition are remembered at all."""
    analysis = context.lowered.analysis
    tags = [definition.type.tag, *(parameter.type.tag for parameter in definition.parameters)]
    remembered = definition.name in analysis.tabled or definition.name in analysis.remembered
    if not remembered or any(tag in ("list", "text") for tag in tags):
        return False
    return _has_room(context, definition) or _takes_long(context, definition.body)


def _has_room(context: Context, definition: ir.Definition) -> bool:
    """Whether every case has a place of its own."""
    count, kind = cases(context, definition.parameters), definition.type
    if count is None:
        return False
    if definition.name in context.lowered.analysis.tabled and kind.tag not in ("number", "set"):
        return count <= _FIXED
    return count * _entry_size(context, kind) <= DIRECT


def _entry_size(context: Context, kind: ir.Type) -> int:
    return 8 + (max(8, context.shapes.size(kind)) if kind.tag == "set" else 8)


def _takes_long(context: Context, body: object) -> bool:
    """Whether finding a value takes longer than looking for it among others: it goes through something.

    What is remembered itself is soon found.
    """
    for part in parts(body):
        if isinstance(part, _GOING_THROUGH):
            return True
        if isinstance(part, ir.Call):
            called = context.definitions.get(part.name)
            if called is None or (not is_kept(context, called) and _takes_long(context, called.body)):
                return True
    return False


def epoch(context: Context, definition: ir.Definition) -> str:
    """What an entry must say to hold; what nothing changes has one epoch for ever."""
    analysis = context.lowered.analysis
    if definition.name in analysis.tabled:
        return i64(1)
    reads = frozenset(analysis.remembered[definition.name])
    return f"(i64.load {i32(context.layout.epochs[reads])})"


def cases(context: Context, parameters: tuple[ir.Parameter, ...]) -> int | None:
    """How many different calls there are, if things are all that it is called with."""
    count = 1
    for parameter in parameters:
        if parameter.type.tag not in ("enum", "flag", "piece", "space", "pile", "edge"):
            return None
        count *= context.shapes.count(parameter.type) + 1
    return count


def index_of(context: Context, parameters: tuple[ir.Parameter, ...], given: list[str]) -> str:
    """The number of a case."""
    index = ""
    for parameter, text in zip(parameters, given, strict=True):
        one = add(text, 1)
        index = add(times(index, context.shapes.count(parameter.type) + 1), one) if index else one
    return index or i32(0)
