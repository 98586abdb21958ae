"""The frames of procedures that may wait: a block's number, the frame below, then a place for each slot."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.passes.lowered import Entry
from interpreter.wasm.shapes import Shapes

#: Before the slots: the block to go on with, and the address of the frame below (0: none).
HEAD = 8


@dataclass(frozen=True, slots=True)
class SlotPlace:
    name: str
    type: ir.Type
    offset: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of one procedure."""

    procedure: str
    block: int
    size: int
    slots: tuple[SlotPlace, ...]

    @property
    def empty(self) -> tuple[int, ...]:
        """The words that say that a slot has no value yet; of a list, its length does."""
        ends = [*(slot.offset for slot in self.slots[1:]), self.size]
        return tuple(
            offset
            for slot, end in zip(self.slots, ends, strict=False)
            for offset in range(slot.offset, slot.offset + 8 if slot.type.tag == "list" else end, 8)
        )


def frame_of(shapes: Shapes, entry: Entry) -> Frame:
    places = []
    offset = HEAD
    for slot in entry.slots:
        places.append(SlotPlace(slot.name, slot.type, offset))
        large = slot.type.tag in ("set", "list")
        offset += max(8, shapes.size(slot.type)) if large else 8
    return Frame(entry.procedure, entry.block, offset, tuple(places))
