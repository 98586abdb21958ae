"""From expressions that go through collections to loops.

Going through a set costs as many steps as it has things, unless it is known to be short: `passes.budget` says
which, for every engine alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter import ir
from interpreter.passes.analysis import identifier
from interpreter.passes.budget import is_counted, is_dear
from interpreter.wasm.shapes import Span, Unsupported, value_type
from interpreter.wasm.writing import words
from interpreter.wasm.writing.values import Place, Values, converted, one_kind
from interpreter.wasm.writing.wat import ValueType, add, get, i32, i64, safe, times
from interpreter.wasm.writing.words import Words


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a loop: the values inside it, its variable, and the label that ends the loop."""

    values: Loops
    thing: str
    done: str


class Loops(Values):
    """Writes quantifiers and whatever else goes through collections."""

    # ------------------------------------------------------------ one loop

    @contextmanager
    def loop(
        self, variable: str, source: ir.Expression, dear: bool = False, counted: bool | None = None
    ) -> Iterator[Turn]:
        """What is written inside is done for each thing of a collection, in order.

        `dear` says that what is done may take long; `counted` overrules what follows from that.
        """
        if counted is None:
            counted = is_counted(source, dear, self.context.enums)
        match source:
            case ir.Along():
                with self._along(variable, source, dear) as turn:
                    yield turn
            case ir.Single():
                if counted:
                    self.spend(f"(i64.extend_i32_u (i32.ge_s {self.thing(source.thing)} (i32.const 0)))")
                with self.f.block() as done:
                    thing = self.f.held(self.thing(source.thing), "i32", variable)
                    self.f.line(f"(br_if {done} (i32.lt_s {thing} (i32.const 0)))")
                    yield self._turn(variable, thing, done)
            case ir.Extent():
                with self._extent(variable, source, counted) as turn:
                    yield turn
            case ir.Builtin(name="neighbours"):
                table = self.context.neighbour_lists(one_kind(source.type))
                items = f"(i32.load {add(times(self.thing(source.arguments[0]), 4), table)})"
                with self.through_list(variable, items, ir.Type("space"), counted) as turn:
                    yield turn
            case _ if source.type.tag == "list":
                assert source.type.element is not None
                with self.through_list(variable, self.thing(source), source.type.element, counted) as turn:
                    yield turn
            case _:
                with (
                    self._where_somebody_is(source),
                    self.each(variable, self.group(source), counted) as turn,
                ):
                    yield turn

    @contextmanager
    def _where_somebody_is(self, source: ir.Expression) -> Iterator[None]:
        """Skips what is written inside if all things of a collection would be in a place that is empty."""
        place = _place_of(source)
        lines, spot = self.aside(lambda: self.thing(place)) if place is not None else ([], "")
        if lines or not spot or self.span(source.type).words < 2:
            yield
            return
        with self.f.block("nobody") as nobody:
            crowd = f"(i32.load {self.context.layout.crowds.entry(spot)})"
            self.f.line(f"(br_if {nobody} (i32.eqz {crowd}))")
            yield

    def _turn(self, variable: str, thing: str, done: str, kind: str = "i32") -> Turn:
        inner = self.inner({variable: Place(thing, "i64" if kind == "i64" else "i32")})
        assert isinstance(inner, Loops)
        return Turn(inner, thing, done)

    @contextmanager
    def _along(self, variable: str, source: ir.Along, dear: bool) -> Iterator[Turn]:
        f = self.f
        base, size = self.context.steps()
        direction = self.thing(source.direction)
        row = f.held(add(times(direction, size), base), "i32", "steps")
        here = f.fresh("i32", variable)
        f.set(here, f"(i32.load {add(row, times(self.thing(source.start), 4))})")
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i32.lt_s {get(here)} (i32.const 0)))")
            if dear or is_dear(source.condition):
                self.spend(i64(1))
            test = self.inner({source.variable: Place(get(here), "i32")}).flag(source.condition)
            f.line(f"(br_if {done} (i32.eqz {test}))")
            yield self._turn(variable, get(here), done)
            f.set(here, f"(i32.load {add(row, times(get(here), 4))})")
            f.line(f"(br {again})")

    @contextmanager
    def _extent(self, variable: str, source: ir.Extent, counted: bool) -> Iterator[Turn]:
        mask = self.context.extent(source.kind)
        numbers = self.context.game.namespace[identifier("R", source.kind)]
        if not isinstance(numbers, range):  # some players are left out, or there are none of this kind
            with self.each(variable, self._fixed(mask), counted) as turn:
                yield turn
            return
        f = self.f
        if counted:
            self.spend(i64(len(numbers)))
        with self.counting(variable, i32(numbers.start), i32(numbers.stop)) as turn:
            yield turn
        assert f.lines

    @contextmanager
    def counting(self, variable: str, start: str, stop: str) -> Iterator[Turn]:
        f = self.f
        here = f.fresh("i32", variable)
        f.set(here, start)
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i32.ge_s {get(here)} {stop}))")
            yield self._turn(variable, get(here), done)
            f.set(here, f"(i32.add {get(here)} (i32.const 1))")
            f.line(f"(br {again})")

    @contextmanager
    def through_list(self, variable: str, items: str, element: ir.Type, counted: bool) -> Iterator[Turn]:
        f = self.f
        items = f.held(items, "i32", "items")
        if counted:
            self.spend(f"(i64.load {items})")
        spot, end = f.fresh("i32", "spot"), f.fresh("i32", "end")
        f.set(spot, items)
        f.set(end, f"(i32.add {items} (i32.shl (i32.load {items}) (i32.const 3)))")
        group = element.tag == "set"  # as rows are
        small = group and self.context.spaces.words == 1
        kind: ValueType = "i64" if small else "i32" if group else value_type(element)
        thing = f.fresh(kind, variable)
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i32.ge_u {get(spot)} {get(end)}))")
            f.set(spot, f"(i32.add {get(spot)} (i32.const 8))")
            f.set(thing, converted(f"(i64.load {get(spot)})", "i64", kind))
            if group:
                yield self._turn_with_set(variable, get(thing), done)
            else:
                yield self._turn(variable, get(thing), done, kind)
            f.line(f"(br {again})")

    def _turn_with_set(self, variable: str, thing: str, done: str) -> Turn:
        span = self.context.spaces
        group = words.one_word(thing, span) if span.words == 1 else words.in_memory(thing, span)
        inner = self.inner({variable: group})
        assert isinstance(inner, Loops)
        return Turn(inner, thing, done)

    @contextmanager
    def each(self, variable: str, group: Words, counted: bool, copied: bool = False) -> Iterator[Turn]:
        """Each member of a set; `copied` if what is done with them might change it."""
        f = self.f
        if group.span.words == 0:
            with f.block() as done:
                f.line(f"(br {done})")
                yield self._turn(variable, i32(-1), done)
            return
        if 1 < group.span.words <= _FEW_WORDS:
            with f.block("none") as none:  # most are empty, which is soon seen
                group = words.in_locals(f, group)
                found = words.joined("i64.or", group.words(), i64(0))
                f.line(f"(br_if {none} (i64.eqz {found}))")
                with self._each(variable, group, counted, copied) as turn:
                    yield turn
        else:
            with self._each(variable, group, counted, copied) as turn:
                yield turn

    @contextmanager
    def _each(self, variable: str, group: Words, counted: bool, copied: bool) -> Iterator[Turn]:
        f = self.f
        if counted:
            group = words.held(f, group)
            self.spend(words.size(group))
        if group.span.words == 1:
            with f.block() as done:
                bits = f.fresh("i64", "bits")
                f.set(bits, group.word(group.span.low))
                with self._bits(variable, bits, i32(64 * group.span.low), done) as turn:
                    yield turn
            return
        span = group.span
        address = words.as_memory(f, group, span)
        if copied and group.address:
            room = f.held(f.room(span.size), "i32", "copy")
            words.store(f, group, room, span)
            address = room
        offset, bits = f.fresh("i32", "offset"), f.fresh("i64", "bits")
        f.set(offset, i32(0))
        with f.block() as done, f.loop() as again:
            f.set(bits, f"(i64.load {add(address, get(offset))})")
            base = add(f"(i32.shl {get(offset)} (i32.const 3))", 64 * span.low)
            with f.block("word") as word:
                with self._bits(variable, bits, base, word, done) as turn:
                    yield turn
            f.set(offset, f"(i32.add {get(offset)} (i32.const 8))")
            f.line(f"(br_if {again} (i32.lt_u {get(offset)} {i32(span.size)}))")

    @contextmanager
    def _bits(self, variable: str, bits: str, base: str, empty: str, done: str = "") -> Iterator[Turn]:
        f = self.f
        here = f.fresh("i32", variable)
        with f.loop() as again:
            f.line(f"(br_if {empty} (i64.eqz {get(bits)}))")
            f.set(here, add(f"(i32.wrap_i64 (i64.ctz {get(bits)}))", base))
            f.set(bits, f"(i64.and {get(bits)} (i64.sub {get(bits)} (i64.const 1)))")
            yield self._turn(variable, get(here), done or empty)
            f.line(f"(br {again})")

    # ------------------------------------------------------------ quantifiers

    def gathered(self, e: ir.Quantify | ir.Along | ir.Gathered | ir.Best) -> str:
        match e:
            case ir.Along():
                return self._along_list(e)
            case ir.Gathered():
                return self.list_of(e)
            case ir.Best():
                return self._best(e)
            case ir.Quantify():
                return self._quantify(e)

    def _quantify(self, e: ir.Quantify) -> str:
        plain = e.where is None and not isinstance(e.source, ir.Along)
        if e.gather == "count" and plain and e.body is None:
            return self._size(e.source)
        if e.gather in ("some", "no") and plain:
            size = self._is_none(e.source)
            return size if e.gather == "no" else f"(i32.eqz {size})"
        f = self.f
        kind = value_type(e.type)
        result = f.fresh(kind, e.gather)
        start = {"some": i32(0), "no": i32(1), "every": i32(1), "highest": i32(-1), "lowest": i32(-1)}
        start |= {"least": i64(ir.FAR), "most": i64(0), "sum": i64(0), "count": i64(0)}
        if e.gather == "list":
            return self._list_gathered(e)
        f.set(result, converted(start[e.gather], "i64" if e.gather in _NUMBERS else "i32", kind))
        best, any_yet = "", ""
        if e.gather in ("highest", "lowest", "most", "least"):
            any_yet = f.fresh("i32", "any")
            f.set(any_yet, i32(0))
        if e.gather in ("highest", "lowest"):
            assert e.body is not None
            best = f.fresh(value_type(e.body.type), "best")
        with self.loop(e.variable, e.source, is_dear((e.where, e.body))) as turn:
            if e.where is not None:
                with f.when(turn.values.flag(e.where)):
                    self._gather(e, turn, result, best, any_yet)
            else:
                self._gather(e, turn, result, best, any_yet)
        return get(result)

    def _gather(self, e: ir.Quantify, turn: Turn, result: str, best: str, any_yet: str) -> None:
        f = self.f
        kind = value_type(e.type)
        if e.gather in ("some", "no"):
            f.set(result, i32(e.gather == "some"))
            f.line(f"(br {turn.done})")
            return
        if e.gather == "count":
            f.set(result, f"(i64.add {get(result)} (i64.const 1))")
            return
        assert e.body is not None
        match e.gather:
            case "every":
                with f.when(f"(i32.eqz {turn.values.flag(e.body)})"):
                    f.set(result, i32(0))
                    f.line(f"(br {turn.done})")
            case "sum":
                f.set(result, f"(i64.add {get(result)} {turn.values.number(e.body)})")
            case "most" | "least":
                value = f.held(turn.values.wanted(e.body, kind), kind, "value")
                better = f"({kind}.{'gt_s' if e.gather == 'most' else 'lt_s'} {value} {get(result)})"
                with f.when(f"(i32.or (i32.eqz {get(any_yet)}) {better})"):
                    f.set(result, value)
                    f.set(any_yet, i32(1))
            case _:
                by = value_type(e.body.type)
                value = f.held(turn.values.value(e.body), by, "value")
                better = f"({by}.{'gt_s' if e.gather == 'highest' else 'lt_s'} {value} {get(best)})"
                with f.when(f"(i32.or (i32.eqz {get(any_yet)}) {better})"):
                    f.set(best, value)
                    f.set(any_yet, i32(1))
                    f.set(result, self._as(turn, e.variable, kind))

    def _as(self, turn: Turn, variable: str, kind: str) -> str:
        place = turn.values.names[variable]
        assert isinstance(place, Place)
        return converted(place.text, place.kind, "i64" if kind == "i64" else "i32")

    def _size(self, source: ir.Expression) -> str:
        match source:
            case ir.Single():
                return f"(i64.extend_i32_u (i32.ge_s {self.thing(source.thing)} (i32.const 0)))"
            case _ if source.type.tag == "list":
                return f"(i64.load {self.thing(source)})"
            case _:
                return words.size(self.group(source))

    def _is_none(self, source: ir.Expression) -> str:
        match source:
            case ir.Single():
                return f"(i32.lt_s {self.thing(source.thing)} (i32.const 0))"
            case _ if source.type.tag == "list":
                return f"(i64.eqz (i64.load {self.thing(source)}))"
            case _:
                return words.is_empty(self.group(source))

    def collected(self, e: ir.Quantify) -> Words:
        """A set of what the things that meet the condition are worth."""
        assert e.gather == "set" and e.body is not None
        dear = is_dear((e.where, e.body))
        return self.set_of(e.variable, e.source, e.where, e.body, self.span(e.type), dear)

    def set_of(
        self,
        variable: str,
        source: ir.Expression,
        where: ir.Expression | None,
        body: ir.Expression,
        span: Span,
        dear: bool,
    ) -> Words:
        f = self.f
        itself = isinstance(body, ir.Local) and body.name == variable
        if itself and where is None and source.type.tag == "set":
            # Nothing is left to test. Going through it would have cost steps.
            group = words.held(f, self.group(source))
            if is_counted(source, dear, self.context.enums):
                self.spend(words.size(group))
            return group
        if not span.words:
            with self.loop(variable, source, dear):
                pass
            return words.nothing()
        small = span.words == 1
        result = f.fresh("i64" if small else "i32", "found")
        f.set(result, i64(0) if small else f.room(span.size))
        if not small:
            f.clear(get(result), span.size)
        with self.loop(variable, source, dear) as turn:
            if where is not None:
                with f.when(turn.values.flag(where)):
                    self._add_member(result, turn.values.thing(body), span)
            else:
                self._add_member(result, turn.values.thing(body), span)
        return words.one_word(get(result), span) if small else words.in_memory(get(result), span)

    def _add_member(self, result: str, thing: str, span: Span) -> None:
        place = add(thing, -64 * span.low)
        if span.words == 1:
            self.f.set(result, f"(i64.or {get(result)} (call $bit {place}))")
        else:
            self.f.line(f"(call $set_bit {get(result)} {place} {i32(64 * span.words)})")

    def members(self, e: ir.Members) -> Words:
        span = self.span(e.type)
        f = self.f
        if not span.words:
            return words.nothing()
        small = span.words == 1
        result = f.fresh("i64" if small else "i32", "members")
        f.set(result, i64(0) if small else f.room(span.size))
        if not small:
            f.clear(get(result), span.size)
        with self.loop(" member", e.items, counted=False) as turn:
            self._add_member(result, turn.thing, span)
        return words.one_word(get(result), span) if small else words.in_memory(get(result), span)

    # ------------------------------------------------------------ lists

    def _room_for(self, source: ir.Expression) -> tuple[ir.Expression | Words | str, str]:
        """A collection that is gone through twice, and how many things it has at most."""
        match source:
            case ir.Along():
                return source, i32(self.context.shapes.places)
            case ir.Single():
                return source, i32(1)
            case ir.Extent():
                return source, i32(self.context.extent(source.kind).bit_count())
            case ir.Builtin(name="neighbours"):
                return source, i32(max(len(row) for row in self.context.neighbours()))
            case _ if source.type.tag == "list":
                items = self.f.held(self.thing(source), "i32", "items")
                return items, f"(i32.load {items})"
            case _:
                group = words.held(self.f, self.group(source))
                return group, f"(i32.wrap_i64 {words.size(group)})"

    @contextmanager
    def _again(
        self, variable: str, found: ir.Expression | Words | str, source: ir.Expression, dear: bool
    ) -> Iterator[Turn]:
        counted = is_counted(source, dear, self.context.enums)
        if isinstance(found, Words):
            with self.each(variable, found, counted) as turn:
                yield turn
        elif isinstance(found, str):
            assert source.type.element is not None
            with self.through_list(variable, found, source.type.element, counted) as turn:
                yield turn
        else:
            with self.loop(variable, found, dear) as turn:
                yield turn

    def _list_gathered(self, e: ir.Quantify) -> str:
        f = self.f
        assert e.body is not None
        found, most = self._room_for(e.source)
        f.allots = True
        result = f.held(f"(call $new_list {most})", "i32", "list")
        if e.body.type.tag == "set":
            raise Unsupported("a list of sets")
        with self._again(e.variable, found, e.source, is_dear((e.where, e.body))) as turn:
            if e.where is not None:
                with f.when(turn.values.flag(e.where)):
                    f.line(f"(call $append {result} {turn.values.number(e.body)})")
            else:
                f.line(f"(call $append {result} {turn.values.number(e.body)})")
        return result

    def _along_list(self, e: ir.Along) -> str:
        f = self.f
        f.allots = True
        result = f.held(f"(call $new_list {i32(self.context.shapes.places)})", "i32", "along")
        with self.loop(e.variable, e) as turn:
            f.line(f"(call $append {result} (i64.extend_i32_s {turn.thing}))")
        return result

    def as_list(self, e: ir.Expression) -> str:
        """The members of a set as a list, without a word about steps."""
        group = words.held(self.f, self.group(e))
        self.f.allots = True
        result = self.f.held(f"(call $new_list (i32.wrap_i64 {words.size(group)}))", "i32", "list")
        with self.each(" member", group, False) as turn:
            self.f.line(f"(call $append {result} (i64.extend_i32_s {turn.thing}))")
        return result

    def known_items(self, e: ir.Expression) -> tuple[int, ...] | None:
        """The items of a list that is the same in every position, if they are few; its steps are spent."""
        if not isinstance(e, ir.Gathered) or not isinstance(e.source, ir.Extent) or e.where or e.keys:
            return None
        items = tuple(self.context.game.namespace[identifier("R", e.source.kind)])
        if len(items) > min(_FEW_ITEMS, self.context.shapes.capacity(e.type)):
            return None
        if is_counted(e.source, e.dear, self.context.enums):
            self.spend(i64(len(items)))
        return items

    def list_of(self, e: ir.Gathered) -> str:
        """The things that meet a condition, by index or by keys."""
        f = self.f
        found, most = self._room_for(e.source)
        f.allots = True
        width = len(e.keys) + 1
        room = most if width == 1 else f"(i32.mul {most} {i32(width)})"
        result = f.held(f"(call $new_list {room})", "i32", "items")
        inside = is_dear((e.where, tuple(key for key, _ in e.keys)))
        with self._again(e.variable, found, e.source, e.dear or inside) as turn:
            if e.where is not None:
                with f.when(turn.values.flag(e.where)):
                    self._record(e, turn, result)
            else:
                self._record(e, turn, result)
        if e.keys:
            return self._sorted(result, width)
        return result

    def _record(self, e: ir.Gathered, turn: Turn, result: str) -> None:
        for key, highest in e.keys:
            value = turn.values.number(key)
            value = f"(i64.sub (i64.const 0) {value})" if highest else value
            self.f.line(f"(call $append {result} {value})")
        self.f.line(f"(call $append {result} {self._as(turn, e.variable, 'i64')})")

    def _sorted(self, records: str, width: int) -> str:
        """Of a list that is records of so many words, sorted, the last word of each."""
        f = self.f
        count = f.held(f"(i32.div_u (i32.load {records}) {i32(width)})", "i32", "count")
        start = f"(i32.add {records} (i32.const 8))"
        f.line(f"(call $sort {start} {count} {i32(width)})")
        return f.held(f"(call $only_last {start} {count} {i32(width)})", "i32", "sorted")

    # ------------------------------------------------------------ the best of some

    def _best(self, e: ir.Best) -> str:
        """By a key that nothing changes; the first of equals. It costs the budget of what is fixed."""
        f = self.f
        key = self.context.lowered.keys[e.number]
        group = words.held(f, self.group(e.group))
        result, any_yet = f.fresh("i32", "best"), f.fresh("i32", "any")
        best = f.fresh("i64", "key")
        f.set(result, i32(-1))
        f.set(any_yet, i32(0))
        mark = len(f.lines)
        with self.each(key.variable, group, False) as turn:
            only = type(self)(self.context, f, {key.variable: Place(turn.thing, "i32")}, self.site)
            value = f.held(only.number(key.key), "i64", "value")
            better = f"(i64.{'gt_s' if key.highest else 'lt_s'} {value} {get(best)})"
            with f.when(f"(i32.or (i32.eqz {get(any_yet)}) {better})"):
                f.set(best, value)
                f.set(any_yet, i32(1))
                f.set(result, turn.thing)
        if any("$fuel" in line or "(call " in line for line in f.lines[mark:]):
            f.lines.insert(mark, "  " * f.depth + "(call $begin_fixed)")
            f.line("(call $end_fixed)")
        return get(result)

    def ranked(
        self, name: str, arguments: tuple[ir.Expression, ...], items: str, *, equals: bool = False
    ) -> str:
        """A list by a priority, best first; or (`equals`) only those at its head that are equally good."""
        f = self.f
        priority = self.context.priorities[name]
        width = len(priority.criteria) + 2
        given = self.arguments(priority.parameters, arguments)
        items = f.held(items, "i32", "items")
        if priority.tie == "chance" and not equals:
            items = self._copied(items)
            f.line(f"(call $shuffle_list {items})")
        f.allots = True
        records = f.held(f"(call $new_list (i32.mul (i32.load {items}) {i32(width)}))", "i32", "records")
        with self.through_list(" item", items, priority.type, False) as turn:
            thing = converted(turn.thing, value_type(priority.type), value_type(priority.type))
            f.line(f"(call $key_{safe(name)} {' '.join([*given, thing, records])})")
        if equals:
            count = f"(i32.div_u (i32.load {records}) {i32(width)})"
            start = f"(i32.add {records} (i32.const 8))"
            f.line(f"(call $sort {start} {count} {i32(width)})")
            text = f"(call $equally_good {start} {count} {i32(width)})"
            return f.held(text, "i32", "best")
        return self._sorted(records, width)

    def foremost(self, e: ir.Foremost) -> str:
        return self.ranked(e.priority, e.arguments, self.thing(e.items), equals=True)

    # ------------------------------------------------------------ pieces by place

    def contents(
        self, e: ir.ContentsNear | ir.ContentsOf | ir.ContentsWhere, among: Span | None = None
    ) -> Words:
        match e:
            case ir.ContentsNear():
                return self._contents_near(e, among)
            case ir.ContentsOf():
                return self._contents_of(self.group(e.places), self.group(e.pieces))
            case ir.ContentsWhere():
                return self._contents_where(e)

    def _start_set(self, span: Span) -> str:
        f = self.f
        room = f.held(f.room(span.size), "i32", "around")
        f.clear(room, span.size)
        return room

    def _add_contents(self, room: str, place: str, span: Span) -> None:
        inside = self.context.layout.inside
        f = self.f
        whole = self.span(inside.type)
        spot = f.held(add(inside.entry(place), 8 * (span.low - whole.low)), "i32", "at")
        for number in range(span.words):
            here = f"(i64.load offset={8 * number} {room})"
            there = f"(i64.load offset={8 * number} {spot})"
            f.line(f"(i64.store offset={8 * number} {room} (i64.or {here} {there}))")

    def _contents_near(self, e: ir.ContentsNear, among: Span | None) -> Words:
        """The pieces near a place; only the words `among` them are wanted, if that is said."""
        inside = self.context.layout.inside
        span = self.span(e.type).common(self.span(inside.type))
        span = span.common(among) if among is not None else span
        if not span.words:
            return words.nothing()
        room = self._start_set(span)
        place = self.thing(e.place)
        if e.distance is None:
            table = self.context.neighbour_lists(False)
            items = f"(i32.load {add(times(place, 4), table)})"
        else:
            areas = self.context.room(("areas", e.distance), 4 * (self.context.shapes.places + 1)) + 4
            items = f"(call $places_within {place} {i64(e.distance)} {i32(areas)})"
        with self.through_list(" place", items, ir.Type("space"), False) as turn:
            self._add_contents(room, turn.thing, span)
        return words.in_memory(room, span)

    def _contents_of(self, places: Words, pieces: Words, nowhere: int = -1) -> Words:
        """The pieces that are in one of these places: all of them, if the places are many.

        `nowhere`, if given, is the number that stands for no place.
        """
        f = self.f
        places, pieces = words.held(f, places), words.held(f, pieces)
        span = pieces.span
        if not span.words:
            return words.nothing()
        room = self._start_set(span)
        with f.when(f"(i64.gt_u {words.size(places)} {words.size(pieces)})") as branch:
            words.store(f, pieces, room, span)
            branch.otherwise()
            with self.each(" place", places, False) as turn:
                place = turn.thing
                if nowhere >= 0:
                    place = f"(select (i32.const -1) {place} (i32.eq {place} {i32(nowhere)}))"
                self._add_contents(room, place, span)
            for number in range(span.low, span.high):
                offset = 8 * (number - span.low)
                here = f"(i64.load offset={offset} {room})"
                f.line(f"(i64.store offset={offset} {room} (i64.and {here} {pieces.word(number)}))")
        return words.in_memory(room, span)

    def _contents_where(self, e: ir.ContentsWhere) -> Words:
        """By the places where a definition holds, which are found once; one that might fail is not asked."""
        pieces = self.group(e.pieces)
        if e.definition not in self.context.rows:
            return pieces
        definition = self.context.definitions[e.definition]
        count = self.context.shapes.places
        given = " ".join(self.arguments(definition.parameters[:-1], e.arguments))
        spot = self.f.held(f"(call $row_{safe(e.definition)} {given})", "i32", "row")
        span = Span(0, -(-(count + 1) // 64))
        return self._contents_of(words.in_memory(spot, span), pieces, nowhere=count)


def _place_of(source: ir.Expression) -> ir.Expression | None:
    """The place in which all pieces of a collection are, if it says so."""
    match source:
        case ir.Builtin(name="contents", arguments=(place,)):
            return place
        case ir.Binary(operator="both"):
            found = _place_of(source.left)
            return found if found is not None else _place_of(source.right)
        case ir.Binary(operator="minus"):
            return _place_of(source.left)
    return None


_NUMBERS = ("count", "sum", "most", "least")
#: Sets of so many words are looked at as a whole before they are gone through.
_FEW_WORDS = 8
#: Lists of so many items are written item by item.
_FEW_ITEMS = 8
