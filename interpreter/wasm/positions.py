"""From a state of the Python engine to the bytes of a position, and back, without loss.

What a position remembers of itself (sets by value, epochs) is made anew.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

from interpreter import ir
from interpreter.compiler.blocks import DONE as DONE_OPTION
from interpreter.compiler.blocks import PASS as PASS_OPTION
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.passes.analysis import identifier
from interpreter.wasm.layout import Table
from interpreter.wasm.plan import Plan
from interpreter.wasm.shapes import Shapes, Span
from interpreter.wasm.writing.context import words_of
from interpreter.wasm.writing.values import DONE, PASS

_FORMATS = {1: "b", 2: "h", 4: "i", 8: "q"}
# A set that is nothing, not even empty, has all bits.
_FULL_WORD = (1 << 64) - 1


class Positions:
    """Writes states into memory, and reads them from there."""

    def __init__(self, plan: Plan, game: Game) -> None:
        self.plan = plan
        self.game = game
        self.layout = plan.layout
        self._piece = {2: "h", 4: "i"}[plan.layout.piece_size]
        self.shapes = Shapes(game, plan.longest)
        self.numbers = {text: number for number, text in enumerate(plan.texts)}
        self._members = {name: self._members_of(kinds) for name, kinds in plan.kept}
        self._variables = {identifier("v", name): table for name, table in plan.layout.variables.items()}
        self._names = (*plan.layout.columns, *self._variables, "at", "order")

    # ------------------------------------------------------------ to memory

    def write(
        self,
        memory: memoryview,
        state: State,
        clock: int,
        start: int | None = None,
        before: dict[str, Any] | None = None,
    ) -> int:
        """Puts a state where positions are played, or elsewhere from `start` on; gives the new clock.

        `before`: what is in the position that lies there. Only what is different is written, and what was
        remembered of all else stays; what is in the state takes its place.
        """
        layout = self.layout
        before = {} if before is None else before
        anew = not before
        shift = 0 if start is None else start - layout.start
        put = _Writer(memory, shift)
        put.word(layout.chance, state.rng)
        put.number(layout.turn, state.turn)
        put.number(layout.choices, state.count)
        result = state.result
        put.half(layout.over, result is not None)
        put.number(layout.winners, result[0] if result is not None else 0)
        put.half(layout.ending, result[1] if result is not None else -1)
        if result is not None:
            for number, (value, kind) in enumerate(
                zip(result[2], self._ending_types(result[1]), strict=True)
            ):
                put.number(layout.values + 8 * number, self._scalar(value, kind))
        put.half(layout.phase, self.numbers[state.phase])
        put.half(layout.player, state.player)
        put.half(layout.ask, state.ask)
        put.half(layout.leaving, state.leaving)
        changed = self._changed(state, before)
        for name, table in layout.columns.items():
            if name in changed:
                self._write_table(put, table, changed[name], before.get(name, ()))
        for name, table in self._variables.items():
            if name in changed:
                self._value(put, table.address, changed[name], table.type)
        if "at" in changed or "order" in changed:
            self._write_places(put, state, before)
        self._write_kept(put, changed, before)
        for reads, place in layout.epochs.items():
            if anew or not reads.isdisjoint(changed):
                clock += 1
                put.number(place, clock)
        before.update(changed)
        if start is None:
            if before.get("stack") != state.stack:
                self._write_frames(put, state)
                before["stack"] = [frame.copy() for frame in state.stack]
            if before.get("options") != (state.ask, state.options):
                self._write_options(put, state)
                before["options"] = (state.ask, state.options.copy())
        return clock

    def _changed(self, state: State, before: dict[str, Any]) -> dict[str, Any]:
        """The columns, variables and other things read that differ from those before."""
        now: dict[str, Any] = {name: getattr(state, name) for name in self._names}
        now |= {"turn": state.turn, "result": state.result}
        changed = {name for name, value in now.items() if name not in before or before[name] != value}
        if "order" in changed:
            changed.add("at")  # what looks into piles reads both by this name
        return {name: _own(now[name]) for name in now if name in changed}

    def _write_places(self, put: _Writer, state: State, before: dict[str, Any]) -> None:
        layout = self.layout
        self._write_table(put, layout.at, state.at)
        self._write_table(put, layout.inside, state.inside, before.get("inside", ()))
        self._write_table(put, layout.crowds, [pieces.bit_count() for pieces in state.inside])
        before["inside"] = state.inside.copy()
        piles = before.get("order", ())
        for number, pile in _different(state.order, piles):
            place = layout.order + number * layout.pile_size
            put.bytes(place, struct.pack(f"<q{len(pile)}{self._piece}", len(pile), *pile))

    def _write_table(
        self, put: _Writer, table: Table, values: Sequence[Any], before: Sequence[Any] = ()
    ) -> None:
        """A column: what nothing has stands last in a state, and first in memory."""
        if table.type.tag in ("set", "list", "text"):
            nothing = len(values) - 1
            for number, value in _different(values, before):
                place = table.address + (-1 if number == nothing else number) * table.size
                self._value(put, place, value, table.type)
        else:
            ordered = (values[-1], *values[:-1])
            data = struct.pack(f"<{len(ordered)}{_FORMATS[table.size]}", *ordered)
            put.bytes(table.address - table.size, data)

    def _value(self, put: _Writer, place: int, value: Any, kind: ir.Type, size: int = 0) -> None:
        match kind.tag:
            case "set":
                put.bytes(place, words_of(value, self._span(kind)))
            case "list":
                self._write_list(put, place, value, kind)
            case _:
                form = _FORMATS[size or self.shapes.size(kind)]
                put.bytes(place, struct.pack(f"<{form}", self._scalar(value, kind)))

    def _write_list(self, put: _Writer, place: int, value: Any, kind: ir.Type) -> None:
        assert kind.element is not None
        if value == -1:  # in a frame: no value yet
            put.number(place, -1)
            return
        if len(value) > self.shapes.capacity(kind):
            raise ListTooLong(len(value))
        element = kind.element
        numbers = [self._scalar(item, element) for item in value]
        put.bytes(place, struct.pack(f"<{len(numbers) + 1}q", len(numbers), *numbers))

    def _scalar(self, value: Any, kind: ir.Type) -> int:
        return self.numbers[value] if isinstance(value, str) else int(value)

    def _span(self, kind: ir.Type) -> Span:
        assert kind.element is not None
        return self.shapes.span(kind.element)

    def _write_kept(self, put: _Writer, changed: dict[str, Any], before: dict[str, Any]) -> None:
        for name, members in self._members.items():
            if name not in changed:
                continue
            table = self.layout.kept[name]
            sets = [0] * (table.count + 1)
            values = changed[name]
            for number in members:
                sets[values[number]] |= 1 << number
            key = f"kept {name}"
            self._write_table(put, table, sets, before.get(key, ()))
            before[key] = sets

    def _members_of(self, kinds: Sequence[str]) -> list[int]:
        space = self.game.namespace
        return [number for kind in kinds for number in space[identifier("R", kind)]]

    def _write_frames(self, put: _Writer, state: State) -> None:
        layout = self.layout
        place, below = layout.frames, 0
        for values in state.stack:
            frame = self.plan.frames[self.plan.procedures[values[0]]]
            put.bytes(place, b"\xff" * frame.size)
            put.half(place, values[0])
            put.half(place + 4, below)
            for slot, value in zip(frame.slots, values[1:], strict=True):
                large = slot.type.tag in ("set", "list")
                size = 0 if large else 8 if slot.type.tag == "number" else 4
                self._value(put, place + slot.offset, value, slot.type, size)
            below = place
            place += frame.size
        put.half(layout.top, below)
        put.half(layout.free, place)

    def _write_options(self, put: _Writer, state: State) -> None:
        layout = self.layout
        put.half(layout.offered, len(state.options))
        if state.ask < 0:
            return
        sort, _, stride = self.plan.questions[state.ask]
        for number, option in enumerate(state.options):
            words = self._option_words(option, sort)
            put.bytes(layout.options + number * stride, struct.pack(f"<{len(words)}q", *words))

    def _option_words(self, option: Any, sort: str) -> list[int]:
        if sort == "offer":
            return [int(item) for item in option] if option != PASS_OPTION else [PASS]
        return [DONE] if option == DONE_OPTION else [int(option)]

    # ------------------------------------------------------------ from memory

    def read(self, memory: memoryview, state: State) -> State:
        """Fills a state, which may be any of this game, from the position in memory."""
        layout = self.layout
        get = _Reader(memory)
        state.rng = get.word(layout.chance)
        state.turn, state.count = get.number(layout.turn), get.number(layout.choices)
        state.phase = self.plan.texts[get.half(layout.phase)]
        state.player, state.ask = get.half(layout.player), get.half(layout.ask)
        state.leaving = bool(get.half(layout.leaving))
        state.result = None
        if get.half(layout.over):
            state.result = self._result(get)
        for name, table in layout.columns.items():
            setattr(state, name, self._read_table(get, table))
        for variable, table in layout.variables.items():
            setattr(state, identifier("v", variable), self._read(get, table.address, table.type))
        columns: Any = state  # the generated class has slots for these
        columns.at = self._read_table(get, layout.at)
        columns.inside = self._read_table(get, layout.inside)
        columns.order = []
        for number in range(self.shapes.places - len(self.game.spaces)):
            place = layout.order + number * layout.pile_size
            count = get.number(place)
            state.order.append(struct.unpack_from(f"<{count}{self._piece}", memory, place + 8))
        for name in state.MEMORIES:
            setattr(state, name, None)
        self._read_frames(get, state)
        self._read_options(get, state)
        state.given, state.script, state.happened, state.past = None, (), None, None
        return state

    def _result(self, get: _Reader) -> tuple[int, int, tuple[Any, ...]]:
        layout = self.layout
        ending = get.half(layout.ending)
        values = tuple(
            self._decoded(get.number(layout.values + 8 * number), kind)
            for number, kind in enumerate(self._ending_types(ending))
        )
        return get.number(layout.winners), ending, values

    def _ending_types(self, number: int) -> tuple[ir.Type, ...]:
        return self.plan.endings[number] if number >= 0 else ()

    def _read_table(self, get: _Reader, table: Table) -> list[Any]:
        place = table.address - table.size
        if table.type.tag == "set":
            values = self._read_sets(get, place, table)
        elif table.type.tag in ("list", "text"):
            values = [
                self._read(get, place + number * table.size, table.type) for number in range(table.count + 1)
            ]
        else:
            form = f"<{table.count + 1}{_FORMATS[table.size]}"
            values = list(struct.unpack_from(form, get.memory, place))
            if table.type.tag == "flag":
                values = [bool(value) for value in values]
        return [*values[1:], values[0]]

    def _read_sets(self, get: _Reader, place: int, table: Table) -> list[int]:
        """As `_read` reads each; they are many, and most are empty."""
        span = self._span(table.type)
        size, shift = span.size, 64 * span.low
        data = bytes(get.memory[place : place + table.size * (table.count + 1)])
        if size == table.size == 8:
            words = struct.unpack(f"<{table.count + 1}Q", data)
            return [-1 if word == _FULL_WORD else word << shift for word in words]
        nothing, empty = b"\xff" * size, bytes(size)
        values = []
        for start in range(0, len(data), table.size):
            one = data[start : start + size]
            if one == empty:
                values.append(0)
            else:
                values.append(-1 if one == nothing else int.from_bytes(one, "little") << shift)
        return values

    def _read(self, get: _Reader, place: int, kind: ir.Type, size: int = 0) -> Any:
        match kind.tag:
            case "set":
                span = self._span(kind)
                data = bytes(get.memory[place : place + span.size])
                if data and data == b"\xff" * span.size:
                    return -1
                return int.from_bytes(data, "little") << 64 * span.low
            case "list":
                assert kind.element is not None
                count = get.number(place)
                if count < 0:
                    return -1
                items = struct.unpack_from(f"<{count}q", get.memory, place + 8)
                return tuple(self._decoded(item, kind.element) for item in items)
            case _:
                form = _FORMATS[size or self.shapes.size(kind)]
                return self._decoded(struct.unpack_from(f"<{form}", get.memory, place)[0], kind)

    def _decoded(self, value: int, kind: ir.Type) -> Any:
        match kind.tag:
            case "flag":
                return bool(value) if value >= 0 else value
            case "text":
                return self.plan.texts[value] if value >= 0 else value
            case _:
                return value

    def _read_frames(self, get: _Reader, state: State) -> None:
        layout = self.layout
        stack: list[list[Any]] = []
        place = get.half(layout.top)
        while place:
            block, below = get.half(place), get.half(place + 4)
            frame = self.plan.frames[self.plan.procedures[block]]
            values: list[Any] = [block]
            for slot in frame.slots:
                large = slot.type.tag in ("set", "list")
                size = 0 if large else 8 if slot.type.tag == "number" else 4
                values.append(self._read(get, place + slot.offset, slot.type, size))
            stack.insert(0, values)
            place = below
        state.stack = stack

    def _read_options(self, get: _Reader, state: State) -> None:
        state.options = []
        if state.ask < 0:
            return
        sort, kind, stride = self.plan.questions[state.ask]
        for number in range(get.half(self.layout.offered)):
            place = self.layout.options + number * stride
            first = get.number(place)
            if sort == "offer":
                state.options.append(self._action(get, place, first))
            elif first == DONE:
                state.options.append(DONE_OPTION)
            else:
                state.options.append(self._decoded(first, ir.NUMBER if sort == "menu" else kind))

    def _action(self, get: _Reader, place: int, number: int) -> tuple[Any, ...]:
        if number == PASS:
            return PASS_OPTION
        return (
            number,
            *(
                self._decoded(get.number(place + 8 + 8 * position), kind)
                for position, kind in enumerate(self.plan.actions[number])
            ),
        )


def _different(values: Sequence[Any], before: Sequence[Any]) -> Iterable[tuple[int, Any]]:
    """The values that are not as before, each with its number; all of them if nothing was there."""
    if not before:
        return enumerate(values)
    pairs = enumerate(zip(values, before, strict=True))
    return [(number, value) for number, (value, old) in pairs if value != old]


def _own(value: Any) -> Any:
    """A value that the game cannot change any more: columns are lists, which it does change."""
    return value.copy() if isinstance(value, list) else value


class ListTooLong(Exception):
    """A position holds a list that is longer than the module has room for."""

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length


class _Writer:
    def __init__(self, memory: memoryview, shift: int) -> None:
        self.memory = memory
        self.shift = shift

    def bytes(self, place: int, data: bytes | bytearray) -> None:
        place += self.shift
        self.memory[place : place + len(data)] = data

    def number(self, place: int, value: int) -> None:
        struct.pack_into("<q", self.memory, place + self.shift, value)

    def word(self, place: int, value: int) -> None:
        struct.pack_into("<Q", self.memory, place + self.shift, value)

    def half(self, place: int, value: int) -> None:
        struct.pack_into("<i", self.memory, place + self.shift, value)


class _Reader:
    def __init__(self, memory: memoryview) -> None:
        self.memory = memory

    def number(self, place: int) -> int:
        return int(struct.unpack_from("<q", self.memory, place)[0])

    def word(self, place: int) -> int:
        return int(struct.unpack_from("<Q", self.memory, place)[0])

    def half(self, place: int) -> int:
        return int(struct.unpack_from("<i", self.memory, place)[0])
