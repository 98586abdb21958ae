"""From expressions to instructions: what each is worth, as a piece of text, after the lines that it needs.

Three sorts of values: scalars and lists (a list is its address) are texts, sets are `Words`. Expressions
change nothing, so a text may be worked out later than the lines that were written after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter import ir
from interpreter.geometry.tables import row_table
from interpreter.machine.runtime import LARGE_BOARD
from interpreter.passes.analysis import column, identifier
from interpreter.passes.budget import constant_set
from interpreter.passes.rows import SHORT_ROW
from interpreter.wasm.layout import Table
from interpreter.wasm.runtime import core as runtime
from interpreter.wasm.shapes import LOADS, Span, Unsupported, value_type
from interpreter.wasm.writing import words
from interpreter.wasm.writing.context import Context, words_of
from interpreter.wasm.writing.memos import MORE, index_of, memory_of
from interpreter.wasm.writing.wat import Function, ValueType, add, constant, get, i32, i64, safe, times
from interpreter.wasm.writing.words import Words

#: What a value of a type is when there is none; everything else is -1.
EMPTY = {"number": i64(0), "flag": i32(0)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a scalar or list is: a text that may be written more than once, and its type."""

    text: str
    kind: ValueType


Operand = Place | Words


class Values:
    """Writes expressions into one function. `names` are locals of the rules; failures cite `site`."""

    def __init__(self, context: Context, f: Function, names: dict[str, Operand], site: ir.Site) -> None:
        self.context = context
        self.f = f
        self.names = names
        self.site = site

    def inner(self, names: dict[str, Operand]) -> Values:
        return type(self)(self.context, self.f, {**self.names, **names}, self.site)

    # ------------------------------------------------------------ by what is wanted

    def number(self, e: ir.Expression) -> str:
        return converted(self.value(e), value_type(e.type), "i64")

    def thing(self, e: ir.Expression) -> str:
        """A thing, a value of an enum, a flag, or the address of a list."""
        return converted(self.value(e), value_type(e.type), "i32")

    def flag(self, e: ir.Expression) -> str:
        return self.thing(e)

    def wanted(self, e: ir.Expression, kind: ValueType) -> str:
        return self.number(e) if kind == "i64" else self.thing(e)

    def held(self, e: ir.Expression, hint: str = "t") -> str:
        kind = value_type(e.type)
        return self.f.held(self.value(e), kind, hint)

    def operand(self, e: ir.Expression, kind: ir.Type | None = None) -> Operand:
        """A value that can be used more than once, of the type that it has or is wanted as."""
        if e.type.tag == "set":
            return words.held(self.f, self.group(e))
        wanted = value_type(kind if kind is not None else e.type)
        return Place(self.f.held(self.wanted(e, wanted), wanted, "value"), wanted)

    def aside(self, write: Callable[[], str]) -> tuple[list[str], str]:
        """The lines that a value needs, one level deeper, and its text; nothing is written yet."""
        mark = len(self.f.lines)
        self.f.depth += 1
        text = write()
        self.f.depth -= 1
        lines = self.f.lines[mark:]
        del self.f.lines[mark:]
        return lines, text

    def fail_number(self) -> str:
        return i32(self.context.site(self.site))

    def spend(self, steps: str) -> None:
        """Uses up steps of the budget."""
        self.f.line(f"(global.set $fuel (i64.sub (global.get $fuel) {steps}))")
        code = f"(call $fail {i32(runtime.STEPS)} {self.fail_number()})"
        self.f.line(f"(if (i64.lt_s (global.get $fuel) (i64.const 0)) (then {code}))")

    # ------------------------------------------------------------ scalars and lists

    def value(self, e: ir.Expression) -> str:
        """A scalar, or the address of a list; its type is `value_type(e.type)`."""
        match e:
            case ir.Const():
                return self._const(e)
            case ir.Ref():
                return i32(self.context.number_of(e))
            case ir.Local():
                place = self.names[e.name]
                assert isinstance(place, Place), e
                return converted(place.text, place.kind, value_type(e.type))
            case ir.Global():
                return self._global(e)
            case ir.Given():
                return self._const(ir.Const(value=self.context.given(e.name), type=e.type))
            case ir.Get():
                return self.load(self.attribute(e), self.thing(e.subject), e.type)
            case ir.Binary():
                return self._binary(e)
            case ir.Unary(operator="not"):
                return f"(i32.eqz {self.flag(e.operand)})"
            case ir.Unary():
                return f"(i64.sub (i64.const 0) {self.number(e.operand)})"
            case ir.Between():
                return self._between(e)
            case ir.Conditional():
                return self._conditional(e)
            case ir.Call():
                return self.call(e)
            case ir.Builtin():
                return self._builtin(e)
            case ir.Format():
                return i32(-2)  # never shown here; no rule can compare it with another
            case ir.Single():
                thing = self.f.held(self.thing(e.thing), "i32", "thing")
                self.f.allots = True
                result = self.f.held(f"(call $new_list {i32(1)})", "i32", "single")
                with self.f.when(f"(i32.ge_s {thing} (i32.const 0))"):
                    self.f.line(f"(call $append {result} (i64.extend_i32_s {thing}))")
                return result
            case ir.Without():
                items = self._copied(self.thing(e.items))
                self.f.line(f"(call $remove_item {items} {self.number(e.thing)})")
                return items
            case ir.Answered():
                answer = f"(i64.load (i32.load {i32(self.context.layout.answer)}))"
                return converted(answer, "i64", value_type(e.type))
            case ir.Declined():
                none = PASS if e.actions else DONE
                return f"(i64.eq (i64.load (i32.load {i32(self.context.layout.answer)})) {i64(none)})"
            case ir.Leaving():
                return f"(i32.load {i32(self.context.layout.leaving)})"
            case ir.Foremost():
                return self.foremost(e)
            case ir.Quantify() | ir.Along() | ir.Gathered() | ir.Best():
                return self.gathered(e)
            case ir.Reach() | ir.Sight() | ir.Matching():
                return self.searched(e)
            case _:
                raise Unsupported(f"{type(e).__name__} as {e.type}")

    def gathered(self, e: ir.Quantify | ir.Along | ir.Gathered | ir.Best) -> str:
        raise NotImplementedError  # see loops

    def searched(self, e: ir.Reach | ir.Sight | ir.Matching) -> str:
        raise NotImplementedError  # see searches

    def foremost(self, e: ir.Foremost) -> str:
        raise NotImplementedError  # see loops

    def collected(self, e: ir.Quantify) -> Words:
        raise NotImplementedError  # see loops

    def reached(self, e: ir.Reach) -> Words:
        raise NotImplementedError  # see searches

    def _const(self, e: ir.Const) -> str:
        if isinstance(e.value, str):
            return i32(self.context.text(e.value))
        return i64(e.value) if e.type.tag == "number" else i32(int(e.value))

    def _global(self, e: ir.Global) -> str:
        context = self.context
        if e.builtin:
            return (
                f"(i64.load {i32(context.layout.turn)})"
                if e.name == "turn"
                else i32(e.name in context.game.options)
            )
        return self.load(context.layout.variables[e.name], i32(0), e.type)

    def attribute(self, e: ir.Get) -> Table:
        if e.fixed:
            return self.context.fixed_column(e.owner, e.attribute, e.enum)
        return self.context.layout.columns[column(e.owner, e.attribute, e.enum)]

    def load(self, table: Table, index: str, kind: ir.Type) -> str:
        """An entry of a table."""
        spot = table.entry(index)
        if table.type.tag == "list":
            return spot if table.size != 4 else f"(i32.load {spot})"
        text = f"({LOADS[table.size]} {spot})"
        return converted(text, "i64" if table.size == 8 else "i32", value_type(kind))

    # ------------------------------------------------------------ operators

    def _binary(self, e: ir.Binary) -> str:
        match e.operator:
            case "and" | "or":
                return self._short_circuit(e)
            case "=" | "!=":
                same = self._same(e.left, e.right)
                return same if e.operator == "=" else f"(i32.eqz {same})"
            case "<" | "<=" | ">" | ">=":
                return self._compared(e.operator, e.left, e.right)
            case "in":
                return self._member(e)
            case "union":
                left, right = self.held(e.left, "left"), self.held(e.right, "right")
                self.spend(f"(i64.add (i64.load {left}) (i64.load {right}))")
                self.f.allots = True
                return self.f.held(f"(call $joined {left} {right})", "i32", "joined")
            case "+" | "-":
                name = "i64.add" if e.operator == "+" else "i64.sub"
                return f"({name} {self.number(e.left)} {self.number(e.right)})"
            case "*":
                return f"(i64.mul {self.number(e.left)} {self.number(e.right)})"
            case "down" | "up" | "near":
                left, right = self.number(e.left), self.number(e.right)
                divisor = constant(right)
                if e.operator == "down" and divisor and divisor > 0 and divisor & divisor - 1 == 0:
                    return f"(i64.shr_s {left} {i64(divisor.bit_length() - 1)})"
                return f"(call ${e.operator} {left} {right} {self.fail_number()})"
            case _:
                raise Unsupported(f"{e.operator} of {e.type}")

    def limited(self, number: str) -> str:
        """A number that the game may have, or a failure."""
        most = self.context.game.limits.number
        number = self.f.held(number, "i64", "number")
        beyond = f"(i64.gt_u (i64.add {number} {i64(most)}) {i64(2 * most)})"
        self.f.line(f"(if {beyond} (then (call $fail {i32(runtime.NUMBER)} {self.fail_number()})))")
        return number

    def _same(self, left: ir.Expression, right: ir.Expression) -> str:
        tags = {left.type.tag, right.type.tag}
        self._no_made_texts(left, right)
        if "set" in tags:
            return words.equal(self.group(left), self.group(right))
        if "list" in tags:
            for side in (left, right):
                if side.type.element is not None and side.type.element.tag in ("list", "set"):
                    raise Unsupported(f"comparing {side.type}")
            return f"(call $same_lists {self.thing(left)} {self.thing(right)})"
        return self._compared("=", left, right)

    def _no_made_texts(self, *compared: ir.Expression) -> None:
        texts = any(ir.TEXT in (one.type, one.type.element) for one in compared)
        if texts and self.context.makes_text(compared):
            raise Unsupported("comparing texts that are made")

    def _compared(self, operator: str, left: ir.Expression, right: ir.Expression) -> str:
        kind: ValueType = "i64" if "i64" in (value_type(left.type), value_type(right.type)) else "i32"
        first, second = self.wanted(left, kind), self.wanted(right, kind)
        if operator == "=" and second in (i32(0), i64(0)):
            return f"({kind}.eqz {first})"
        return f"({kind}.{_COMPARISONS[operator]} {first} {second})"

    def _member(self, e: ir.Binary) -> str:
        self._no_made_texts(e.left, e.right)
        if e.right.type.tag == "list":
            element = e.right.type.element
            if element is not None and element.tag in ("list", "set"):
                raise Unsupported(f"looking for something in a {e.right.type}")
            return f"(call $list_has {self.thing(e.right)} {self.number(e.left)})"
        thing = self.f.held(self.thing(e.left), "i32", "thing")
        return self.group(e.right).has(thing)

    def _short_circuit(self, e: ir.Binary) -> str:
        left = self.flag(e.left)
        lines, right = self.aside(lambda: self.flag(e.right))
        if not lines:
            if is_cheap(right):
                return f"(i32.{e.operator} {left} {right})"
            if e.operator == "and":
                return f"(if (result i32) {left} (then {right}) (else (i32.const 0)))"
            return f"(if (result i32) {left} (then (i32.const 1)) (else {right}))"
        name = self.f.fresh("i32", "holds")
        self.f.set(name, left)
        with self.f.when(get(name) if e.operator == "and" else f"(i32.eqz {get(name)})"):
            self.f.lines += lines
            self.f.set(name, right)
        return get(name)

    def _between(self, e: ir.Between) -> str:
        ends = [end for end in (e.low, e.high) if end is not None]
        kind: ValueType = "i64" if "i64" in [value_type(one.type) for one in (e.subject, *ends)] else "i32"
        subject = self.f.held(self.wanted(e.subject, kind), kind)
        tests = []
        if e.low is not None:
            tests.append(f"({kind}.ge_s {subject} {self.wanted(e.low, kind)})")
        if e.high is not None:
            tests.append(f"({kind}.le_s {subject} {self.wanted(e.high, kind)})")
        return words.joined("i32.and", tests, i32(1))

    def _conditional(self, e: ir.Conditional) -> str:
        kind = value_type(e.type)
        condition = self.flag(e.condition)
        first, then = self.aside(lambda: self.wanted(e.then, kind))
        second, otherwise = self.aside(lambda: self.wanted(e.otherwise, kind))
        if not first and not second:
            if is_cheap(then) and is_cheap(otherwise):
                return f"(select {then} {otherwise} {condition})"
            return f"(if (result {kind}) {condition} (then {then}) (else {otherwise}))"
        name = self.f.fresh(kind, "either")
        with self.f.when(condition) as branch:
            self.f.lines += first
            self.f.set(name, then)
            branch.otherwise()
            self.f.lines += second
            self.f.set(name, otherwise)
        return get(name)

    # ------------------------------------------------------------ calls

    def arguments(self, parameters: tuple[ir.Parameter, ...], given: tuple[ir.Expression, ...]) -> list[str]:
        """What a function is called with."""
        return [self.argument(p.type, one) for p, one in zip(parameters, given, strict=True)]

    def argument(self, kind: ir.Type, given: ir.Expression) -> str:
        if kind.tag == "set":
            assert kind.element is not None
            span = self.context.shapes.span(kind.element)
            group = self.group(given)
            return group.at(span.low) if span.words <= 1 else words.as_memory(self.f, group, span)
        return self.wanted(given, value_type(kind))

    def call(self, e: ir.Call) -> str:
        """A definition or a table of values that gives a scalar or a list."""
        definition = self.context.definitions.get(e.name)
        if definition is not None and e.name in self.context.in_place:
            inner = self._inlined(definition, e)
            return converted(
                inner.value(definition.body), value_type(definition.body.type), value_type(e.type)
            )
        declared = definition if definition is not None else self.context.tables[e.name]
        arguments = self.arguments(declared.parameters, e.arguments)
        text = self._looked_up(declared, arguments)
        if declared.type.tag == "list":
            self.f.allots = True
            return self.f.held(text, "i32", "list")
        return converted(text, value_type(declared.type), value_type(e.type))

    def _looked_up(
        self, declared: ir.Definition | ir.Table, arguments: list[str], span: Span | None = None
    ) -> str:
        """The value of a call: where it is remembered, if it is there, before anything is called.

        Of a large set, with its span, it is where it lies: as long as nothing changes, a place of its own.
        """
        f, context = self.f, self.context
        memory = memory_of(context, declared) if isinstance(declared, ir.Definition) else None
        wide = span is not None and span.words > 1
        if memory is None:
            into = [f.room(span.size)] if span is not None and wide else []
            return f"(call ${function_of(declared)} {' '.join([*arguments, *into])})"
        arguments = [f.held(one, "i32", "argument") for one in arguments]
        call = f"(call ${function_of(declared)} {' '.join([*arguments, *[i32(0)] * wide])})"
        place = memory.entry(index_of(context, declared.parameters, arguments))
        if memory.compact:
            known = f.held(f"({memory.load} {place})", "i32", "known")
            value = f"(i32.sub {known} {i32(MORE)})"
            return f"(if (result i32) {known} (then {value}) (else {call}))"
        entry = f.held(place, "i32", "entry")
        known = f"(i64.eq (i64.load {entry}) {memory.epoch})"
        if wide:
            return f"(if (result i32) {known} (then {add(entry, 8)}) (else {call}))"
        kind = "i64" if declared.type.tag == "set" else value_type(declared.type)
        return f"(if (result {kind}) {known} (then ({kind}.load offset=8 {entry})) (else {call}))"

    def _inlined(self, definition: ir.Definition, e: ir.Call) -> Values:
        names = {
            p.name: self.operand(argument, p.type)
            for p, argument in zip(definition.parameters, e.arguments, strict=True)
        }
        # What Python writes in place too fails at the caller's line there.
        shared = e.name in self.context.lowered.analysis.inlined
        return type(self)(self.context, self.f, names, self.site if shared else definition.site)

    def _called_set(self, e: ir.Call) -> Words:
        definition = self.context.definitions.get(e.name)
        if definition is not None and e.name in self.context.in_place:
            return self._inlined(definition, e).group(definition.body)
        declared = definition if definition is not None else self.context.tables[e.name]
        arguments = self.arguments(declared.parameters, e.arguments)
        assert declared.type.element is not None
        span = self.context.shapes.span(declared.type.element)
        if span.words == 0:
            return words.nothing()
        text = self._looked_up(declared, arguments, span)
        if span.words == 1:
            return words.one_word(self.f.held(text, "i64", "set"), span)
        return words.in_memory(self.f.held(text, "i32", "set"), span)

    # ------------------------------------------------------------ sets

    def group(self, e: ir.Expression) -> Words:
        """A set."""
        mask = constant_set(e)
        if mask is not None:
            return self._fixed(mask)
        match e:
            case ir.Const():  # nothing, where a set is expected
                return words.nothing()
            case ir.Local():
                place = self.names[e.name]
                assert isinstance(place, Words), e
                return place
            case ir.Global():
                return self.entry_set(self.context.layout.variables[e.name], i32(0))
            case ir.Given():
                return self._fixed(self.context.given(e.name))
            case ir.Get():
                return self.entry_set(self.attribute(e), self.thing(e.subject))
            case ir.Extent():
                return self._fixed(self.context.extent(e.kind))
            case ir.Binary(operator="union"):
                return words.union(self.group(e.left), self.group(e.right))
            case ir.Binary(operator="both", left=ir.ContentsNear() as near):
                others = self.group(e.right)
                return words.both(self.contents(near, others.span), others)
            case ir.Binary(operator="both"):
                return words.both(self.group(e.left), self.group(e.right))
            case ir.Binary(operator="minus"):
                return words.minus(self.group(e.left), self.group(e.right))
            case ir.Conditional():
                return self._either_set(e)
            case ir.MakeSet():
                return self._made_set(e)
            case ir.Call():
                return self._called_set(e)
            case ir.Builtin():
                return self._builtin_set(e)
            case ir.Having():
                return self._having(e)
            case ir.Kept():
                kept = self.context.layout.kept[column(e.owner, e.attribute)]
                return self.entry_set(kept, self.thing(e.value))
            case ir.Static():
                return self._static(e)
            case ir.ContentsNear() | ir.ContentsOf() | ir.ContentsWhere():
                return self.contents(e)
            case ir.Members():
                return self.members(e)
            case ir.Quantify():
                return self.collected(e)
            case ir.Reach():
                return self.reached(e)
            case _:
                raise Unsupported(f"{type(e).__name__} as a set")

    def contents(
        self, e: ir.ContentsNear | ir.ContentsOf | ir.ContentsWhere, among: Span | None = None
    ) -> Words:
        raise NotImplementedError  # see loops

    def members(self, e: ir.Members) -> Words:
        raise NotImplementedError  # see loops

    def span(self, kind: ir.Type) -> Span:
        assert kind.element is not None
        return self.context.shapes.span(kind.element)

    def _fixed(self, mask: int) -> Words:
        if not mask:
            return words.nothing()
        first = (mask & -mask).bit_length() - 1
        return words.fixed(mask, Span(first // 64, -(-mask.bit_length() // 64)))

    def entry_set(self, table: Table, index: str) -> Words:
        span = self.span(table.type)
        if not span.words:
            return words.nothing()
        return words.in_memory(self.f.held(table.entry(index), "i32", "at"), span)

    def _either_set(self, e: ir.Conditional) -> Words:
        f = self.f
        condition = self.flag(e.condition)
        span = self.span(e.type)
        if not span.words:
            return words.nothing()
        name = f.fresh("i64" if span.words == 1 else "i32", "either")
        with f.when(condition) as branch:
            self._put_set(name, e.then, span)
            branch.otherwise()
            self._put_set(name, e.otherwise, span)
        return words.one_word(get(name), span) if span.words == 1 else words.in_memory(get(name), span)

    def _put_set(self, name: str, e: ir.Expression, span: Span) -> None:
        group = self.group(e)
        self.f.set(name, group.at(span.low) if span.words == 1 else words.as_memory(self.f, group, span))

    def _made_set(self, e: ir.MakeSet) -> Words:
        span = self.span(e.type)
        items = [self.f.held(self.thing(item), "i32", "item") for item in e.items]

        def has(element: str) -> str:
            same = words.joined("i32.or", [f"(i32.eq {element} {item})" for item in items], i32(0))
            return f"(i32.and {same} (i32.ge_s {element} (i32.const 0)))"

        if span.words <= 1:
            bits = [f"(call $bit {add(item, -64 * span.low)})" for item in items]
            return Words(span, lambda number: words.joined("i64.or", bits, i64(0)), has)
        room = self.f.held(self.f.room(span.size), "i32", "made")
        self.f.clear(room, span.size)
        for item in items:
            self.f.line(f"(call $set_bit {room} {add(item, -64 * span.low)} {i32(64 * span.words)})")
        made = words.in_memory(room, span)
        return Words(span, made.word, has, room)

    def _having(self, e: ir.Having) -> Words:
        """The things with a value: looked up where the value is one of few, else tested one by one."""
        context = self.context
        values = context.game.namespace[f"F_{column(e.owner, e.attribute, e.enum)}"][:-1]
        if isinstance(e.value, (ir.Const, ir.Ref)):
            wanted = context.number_of(e.value) if isinstance(e.value, ir.Ref) else e.value.value
            return self._fixed(sum(1 << n for n, value in enumerate(values) if value == wanted))
        span = self.span(e.type)
        if not span.words:
            return words.nothing()
        table = context.fixed_column(e.owner, e.attribute, e.enum)
        numbers = table.type.tag == "number"
        count = max(values, default=0) + 1 if numbers else context.shapes.count(table.type)
        if numbers and (count > 4096 or min(values, default=0) < 0):
            raise Unsupported(f"things by {e.attribute}, of which there are too many")
        masks = [0] * (count + 1)  # the last is for nothing; of numbers, for those that nobody has
        for number, value in enumerate(values):
            masks[int(value)] |= 1 << number
        sets = context.sets(("having", table.address, span), masks, span)
        value = self.f.held(self.thing(e.value), "i32", "value")
        if numbers:
            value = f"(select {value} (i32.const -1) (i32.lt_u {value} {i32(count)}))"
        spot = self.f.held(add(times(value, span.size), sets), "i32", "having")
        return words.in_memory(spot, span)

    def _static(self, e: ir.Static) -> Words:
        span = self.span(e.type)
        if not span.words:
            return words.nothing()
        place = self.context.room(("static", e.number), 8 + span.size)
        done = f"(i32.load {i32(place)})"
        self.f.line(f"(if (i32.eqz {done}) (then (call $static_{e.number})))")
        return words.in_memory(i32(place + 8), span)

    # ------------------------------------------------------------ the library

    def _builtin(self, e: ir.Builtin) -> str:
        match e.name:
            case "place_of":
                at = self.context.layout.at
                return self.load(at, self.thing(e.arguments[0]), e.type)
            case "adjacent":
                thing = self.f.held(self.thing(e.arguments[0]), "i32", "thing")
                return self._near(e.arguments[1], False, self.context.spaces).has(thing)
            case "next_space":
                space, direction = self.thing(e.arguments[0]), self.thing(e.arguments[1])
                base, size = self.context.steps()
                return f"(i32.load {add(add(times(direction, size), times(space, 4)), base)})"
            case "opposite" | "next_player" | "row_of" | "column_of":
                table = self.context.halves(e.name, self.context.game.namespace[e.name.upper()])
                text = f"(i32.load {add(times(self.thing(e.arguments[0]), 4), table)})"
                return converted(text, "i32", value_type(e.type))
            case "pile_of":
                kind = e.arguments[0]
                assert isinstance(kind, ir.Const)
                piles = self.context.game.namespace[identifier("PILE", str(kind.value))]
                table = self.context.halves(("pile", kind.value), piles)
                return f"(i32.load {add(times(self.thing(e.arguments[1]), 4), table)})"
            case "edge_between":
                return f"(call $edge_between {self.thing(e.arguments[0])} {self.thing(e.arguments[1])})"
            case "distance":
                return f"(call $distance {self.thing(e.arguments[0])} {self.thing(e.arguments[1])})"
            case "size":
                if e.arguments[0].type.tag == "list":
                    return f"(i64.load {self.thing(e.arguments[0])})"
                return words.size(self.group(e.arguments[0]))
            case "lowest_of" | "highest_of":
                name = "$least" if e.name == "lowest_of" else "$most"
                result = self.number(e.arguments[0])
                for argument in e.arguments[1:]:
                    result = f"(call {name} {result} {self.number(argument)})"
                return converted(result, "i64", value_type(e.type))
            case "absolute":
                return f"(call $absolute {self.number(e.arguments[0])})"
            case "bounded":
                return f"(call $bounded {self.number(e.arguments[0])} {self.fail_number()})"
            case "limited":
                return self.limited(self.number(e.arguments[0]))
            case "times":
                left, right = self.number(e.arguments[0]), self.number(e.arguments[1])
                return f"(call $times {left} {right} {self.fail_number()})"
            case "numbers":
                low, high = self.number(e.arguments[0]), self.number(e.arguments[1])
                self.f.allots = True
                return self.f.held(f"(call $numbers {low} {high} {self.fail_number()})", "i32", "numbers")
            case "number_list":
                return self._listed(e)
            case "last_turn":
                return i64(self.context.game.last_turn)
            case "game_over":
                return f"(i32.load {i32(self.context.layout.over)})"
            case "lines_through":
                return self._lines_through(e)
            case "item":
                return self._item(e)
            case "first_of":
                if e.arguments[0].type.tag == "set":
                    return words.first(self.f, self.group(e.arguments[0]))
                text = f"(call $item {self.thing(e.arguments[0])} (i64.const 0) (i64.const -1))"
                return converted(text, "i64", value_type(e.type))
            case "top":
                return f"(call $top {self.thing(e.arguments[0])})"
            case "name_of":
                return i32(-2)
            case _:
                raise Unsupported(f"{e.name} as {e.type}")

    def _listed(self, e: ir.Builtin) -> str:
        if all(isinstance(one, ir.Const) and not isinstance(one.value, str) for one in e.arguments):
            assert e.type.element is not None
            values = [int(one.value) for one in e.arguments if isinstance(one, ir.Const)]
            return i32(self.context.listed(values, ir.NUMBER))
        items = [self.number(argument) for argument in e.arguments]
        self.f.allots = True
        result = self.f.held(f"(call $new_list {i32(len(items))})", "i32", "list")
        for item in items:
            self.f.line(f"(call $append {result} {item})")
        return result

    def _lines_through(self, e: ir.Builtin) -> str:
        length = e.arguments[1]
        if not isinstance(length, ir.Const):
            raise Unsupported("lines of a length that is not written out")
        game, context = self.context.game, self.context
        if int(length.value) > SHORT_ROW:
            self.spend(i64(1 + context.shapes.places * int(length.value) // 2))
        rows = row_table(game.board, int(length.value), len(game.place_ids))
        assert e.type.element is not None
        kind = e.type.element.tag
        written = self._row_set if kind == "set" else self._row_list
        found = [[written(row) for row in lines] for lines in rows]
        table = context.lists(("lines", kind, int(length.value)), found)
        return f"(i32.load {add(times(self.thing(e.arguments[0]), 4), table)})"

    def _row_list(self, row: tuple[int, ...]) -> int:
        return self.context.listed(row, ir.NUMBER)

    def _row_set(self, row: tuple[int, ...]) -> int:
        """A set as an item of a list: its only word, or where it lies."""
        mask, span = sum(1 << space for space in row), self.context.spaces
        if span.words > 1:
            return self.context.bytes(("row", mask), words_of(mask, span))
        return int.from_bytes(words_of(mask, span), "little", signed=True)

    def _item(self, e: ir.Builtin) -> str:
        base = 0 if e.arguments[1].type.tag == "enum" else 1
        if e.arguments[0].type.tag == "set":
            items = self.as_list(e.arguments[0])
        else:
            items = self.thing(e.arguments[0])
        position = f"(i64.sub {self.number(e.arguments[1])} {i64(base)})"
        if e.type.tag in ("list", "set"):
            raise Unsupported(f"an item that is a {e.type.tag}")
        missing = i64(0) if e.type.tag in ("number", "flag") else i64(-1)
        items, position = self.f.held(items, "i32", "items"), self.f.held(position, "i64", "position")
        spot = f"(i32.add {items} (i32.shl (i32.wrap_i64 {position}) (i32.const 3)))"
        there = f"(i64.lt_u {position} (i64.load {items}))"
        text = f"(if (result i64) {there} (then (i64.load offset=8 {spot})) (else {missing}))"
        return converted(text, "i64", value_type(e.type))

    def as_list(self, e: ir.Expression) -> str:
        raise NotImplementedError  # see loops

    def _copied(self, items: str) -> str:
        """A list of one's own with the same items."""
        self.f.allots = True
        return self.f.held(f"(call $copied {items})", "i32", "list")

    def _near(self, place: ir.Expression, one_kind: bool, span: Span) -> Words:
        context = self.context
        table = context.neighbour_sets(one_kind)
        whole = context.spaces
        span = span.common(whole)
        if not span.words:
            return words.nothing()
        spot = add(times(self.thing(place), whole.size), table + 8 * (span.low - whole.low))
        return words.in_memory(self.f.held(spot, "i32", "near"), span)

    def _builtin_set(self, e: ir.Builtin) -> Words:
        context = self.context
        match e.name:
            case "contents":
                inside = context.layout.inside
                group = self.entry_set(inside, self.thing(e.arguments[0]))
                span = self.span(e.type).common(group.span)
                if span == group.span or not group.span.words:
                    return group
                if not span.words:
                    return words.nothing()
                return words.in_memory(add(group.address, 8 * (span.low - group.span.low)), span)
            case "neighbours":
                return self._near(e.arguments[0], one_kind(e.type), self.span(e.type))
            case "directions":
                return self._fixed(context.game.namespace["DIRECTIONS"])
            case "winners":
                winners = f"(i64.load {i32(context.layout.winners)})"
                return words.one_word(self.f.held(winners, "i64", "winners"), self.span(e.type))
            case "spaces_within" | "ring":
                return self._area(e)
            case "line_between":
                first = self.f.held(self.thing(e.arguments[0]), "i32", "first")
                second = self.f.held(self.thing(e.arguments[1]), "i32", "second")
                self.look_along(first, second)
                room = self.f.held(self.f.room(context.spaces.size), "i32", "line")
                self.f.line(f"(call $line_between {first} {second} {room})")
                return self.of_kinds(words.in_memory(room, context.spaces), e.type)
            case _:
                raise Unsupported(f"{e.name} as a set")

    def _area(self, e: ir.Builtin) -> Words:
        space, limit = self.thing(e.arguments[0]), self.number(e.arguments[1])
        span, places = self.context.spaces, self.context.shapes.places
        self.spend(i64(places // 2 if places > LARGE_BOARD else 1))
        room = self.f.held(self.f.room(span.size), "i32", "area")
        exactly = i32(e.name == "ring")
        self.f.line(f"(call $area {space} {limit} {exactly} {room})")
        return self.of_kinds(words.in_memory(room, span), e.type)

    def look_along(self, first: str, second: str) -> None:
        """A look along a line costs more the longer it is."""
        with self.f.when(f"(i32.ge_s (i32.or {first} {second}) (i32.const 0))"):
            self.spend(f"(call $look_along {first} {second})")

    def of_kinds(self, group: Words, kind: ir.Type) -> Words:
        """Boards may be joined; of the spaces found, those of the kinds that the type says."""
        names = kind.element.names if kind.element is not None else ()
        if not names:
            return group
        mask = 0
        for name in names:
            mask |= self.context.extent(name)
        return words.both(group, self._fixed(mask))


def one_kind(kind: ir.Type) -> bool:
    return kind.element is not None and len(kind.element.names) == 1 and kind.element.names != ("any",)


#: Options that choose nothing: among things, and among actions.
DONE = -(1 << 63)
PASS = -1

_COMPARISONS = {"=": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}


def converted(text: str, given: ValueType, wanted: ValueType) -> str:
    if given == wanted:
        return text
    known = constant(text)
    if wanted == "i64":
        return i64(known) if known is not None else f"(i64.extend_i32_s {text})"
    return i32(known) if known is not None else f"(i32.wrap_i64 {text})"


def is_cheap(text: str) -> bool:
    """Whether a value may be worked out though it might not be needed: it is short, and calls nothing."""
    return len(text) < 160 and "(call" not in text and "(if" not in text


def function_of(declared: ir.Definition | ir.Table) -> str:
    return f"{'d' if isinstance(declared, ir.Definition) else 't'}_{safe(declared.name)}"


__all__ = [
    "DONE",
    "EMPTY",
    "PASS",
    "Operand",
    "Place",
    "Values",
    "converted",
    "function_of",
    "is_cheap",
    "one_kind",
]
