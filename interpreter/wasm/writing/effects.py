"""From statements that cannot ask to instructions.

Every change of a column or variable gives the position new epochs for what reads it, unless the value stays
the same. What only tells (say, todo) does nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.passes.analysis import column, identifier
from interpreter.passes.budget import is_counted, is_dear
from interpreter.passes.endings import LAST_TURN, values_in
from interpreter.wasm.layout import ENDING_VALUES, Table
from interpreter.wasm.runtime import core as runtime
from interpreter.wasm.shapes import STORES, Span, Unsupported, value_type
from interpreter.wasm.writing import words
from interpreter.wasm.writing.context import Context
from interpreter.wasm.writing.searches import Searches
from interpreter.wasm.writing.values import Operand, Place, converted
from interpreter.wasm.writing.wat import Function, add, get, i32, i64, safe, times


@dataclass(frozen=True, slots=True)
class Target:
    """Where a local of the rules lives: in a local of the function, or at an address."""

    type: ir.Type
    local: str = ""
    address: str = ""

    def operand(self, context: Context) -> Operand:
        if self.type.tag == "set":
            assert self.type.element is not None
            span = context.shapes.span(self.type.element)
            if not span.words:
                return words.nothing()
            return (
                words.in_memory(self.address, span) if self.address else words.one_word(get(self.local), span)
            )
        kind = value_type(self.type)
        if not self.address:
            return Place(get(self.local), kind)
        if self.type.tag == "list":
            return Place(self.address, "i32")
        return Place(f"({kind}.load {self.address})", kind)


class Effects:
    """Writes statements into one function."""

    def __init__(self, context: Context, f: Function, names: dict[str, Operand], site: ir.Site) -> None:
        self.context = context
        self.f = f
        self.names = names
        self.site = site
        self.targets: dict[str, Target] = {}

    @property
    def values(self) -> Searches:
        return Searches(self.context, self.f, dict(self.names), self.site)

    def block(self, body: tuple[ir.Statement, ...]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, s: ir.Statement) -> None:
        self.site = s.site
        match s:
            case ir.Let(value=ir.Builtin(name="given")):
                self._read_result(s)
            case ir.Let() | ir.SetLocal():
                self.assign(self.target(s.name, s.value.type), s.value)
            case ir.SetGlobal():
                self._set_global(s)
            case ir.SetAttribute():
                self._set_attribute(s)
            case ir.Put():
                piece, place = self.values.thing(s.piece), self.values.thing(s.place)
                self.f.line(f"(call $put {piece} {place} {i32(s.bottom)})")
                self.forget({"at"})
            case ir.Shuffle():
                self.f.line(f"(call $shuffle {self.values.thing(s.pile)})")
                self.forget({"at"})
            case ir.If():
                self._if(s)
            case ir.ForEach():
                self._for_each(s)
            case ir.Repeat():
                self._repeat(s)
            case ir.Perform():
                if s.gives is not None:
                    self.f.line("(global.set $gave (i32.const 0))")
                self._perform(s.name, s.arguments)
            case ir.Apply():
                self._perform(s.table, s.arguments)
            case ir.DrawFrom():
                self._draw(s)
            case ir.Roll():
                self._roll(s)
            case ir.RandomPick():
                self._random_pick(s)
            case ir.PickBy():
                self._pick_by(s)
            case ir.Say() | ir.Todo() | ir.Touch():
                pass
            case ir.Refuse():
                self.f.line(f"(call $fail {i32(runtime.REFUSED)} {i32(self.context.site(s.site))})")
            case ir.Give():
                self._give(s)
            case ir.Leave():
                if s.what == "phase":
                    self.f.line(f"(i32.store {i32(self.context.layout.leaving)} (i32.const 1))")
                self.leave()
            case ir.EndGame():
                self._end_game(s)
            case ir.EnterPhase():
                phase = i32(self.context.text(s.phase))
                self.f.line(f"(i32.store {i32(self.context.layout.phase)} {phase})")
            case ir.CheckVictory():
                self.check_victory(s.at_once)
            case ir.Spend():
                self.values.spend(i64(s.steps))
            case ir.NextTurn():
                self._next_turn()
            case ir.Stay():
                self.f.line(f"(i32.store {i32(self.context.layout.leaving)} (i32.const 0))")
            case _:
                raise Unsupported(type(s).__name__)

    # ------------------------------------------------------------ locals

    def target(self, name: str, kind: ir.Type) -> Target:
        """Where a local lives; a new one gets a local of the function."""
        known = self.targets.get(name)
        if known is None or not self._fits(known.type, kind):
            known = self.targets[name] = self._new_target(name, kind)
        self.names[name] = known.operand(self.context)
        return known

    def _fits(self, known: ir.Type, kind: ir.Type) -> bool:
        """Whether a value of a type can live where one of another type did."""
        if known.tag in ("set", "list") or kind.tag in ("set", "list"):
            if known.tag != kind.tag or known.element is None or kind.element is None:
                return False
            if known.tag == "list":
                return True
            spans = [self.context.shapes.span(one) for one in (known.element, kind.element)]
            return spans[0].joined(spans[1]) == spans[0]
        return value_type(known) == value_type(kind)

    def _new_target(self, name: str, kind: ir.Type) -> Target:
        if kind.tag == "set":
            assert kind.element is not None
            span = self.context.shapes.span(kind.element)
            if span.words > 1:
                return Target(kind, address=self.f.held(self.f.room(span.size), "i32", safe(name)))
            return Target(kind, local=self.f.fresh("i64", name))
        return Target(kind, local=self.f.fresh(value_type(kind), name))

    def assign(self, target: Target, value: ir.Expression) -> None:
        if target.type.tag == "set":
            self.keep_set(target, self.values.group(value))
        elif target.type.tag == "list":
            known = self.values.known_items(value) if target.address else None
            if known is not None:
                self._store_list(target, known)
            else:
                self.keep_list(target, self.own_list(value))
        else:
            self.keep(target, self.stored(value, target.type))

    def keep(self, target: Target, text: str) -> None:
        if target.address:
            self.f.line(f"({value_type(target.type)}.store {target.address} {text})")
        else:
            self.f.set(target.local, text)

    def keep_set(self, target: Target, group: words.Words) -> None:
        assert target.type.element is not None
        span = self.context.shapes.span(target.type.element)
        if not target.address:
            self.f.set(target.local, group.at(span.low))
        elif not group.address and span.words > 1:  # it may be made of what it is stored into
            room = self.f.held(self.f.room(span.size), "i32", "new")
            words.store(self.f, group, room, span)
            words.store(self.f, words.in_memory(room, span), target.address, span)
        else:
            words.store(self.f, group, target.address, span)

    def keep_list(self, target: Target, items: str) -> None:
        if target.address:
            self.f.line(
                f"(call $keep_list {target.address} {items} {i32(self.context.shapes.capacity(target.type))})"
            )
        else:
            self.f.set(target.local, items)

    def _store_list(self, target: Target, items: tuple[int, ...]) -> None:
        for number, item in enumerate((len(items), *items)):
            self.f.line(f"(i64.store {add(target.address, 8 * number)} {i64(item)})")

    def own_list(self, value: ir.Expression) -> str:
        """A list that stays as it is, whatever happens to the place that it was read from."""
        if value.type.element == ir.TEXT and self.context.makes_text(value):
            raise Unsupported("texts that are made while the game runs, and kept")
        text = self.values.thing(value)
        if isinstance(value, (ir.Global, ir.Get, ir.Local, ir.Conditional, ir.Call)):
            self.f.allots = True
            return f"(call $copied {text})"
        return text

    def stored(self, value: ir.Expression, kind: ir.Type) -> str:
        """A value that is kept."""
        if value.type.tag == "text" and self.context.makes_text(value):
            raise Unsupported("a text that is made while the game runs, and kept")
        return self.values.wanted(value, value_type(kind))

    def _read_result(self, s: ir.Let) -> None:
        """The result of the procedure that was just left; once read it is gone."""
        target = self.target(s.name, s.value.type)
        kind = s.value.type
        gave = "(global.get $gave)"
        if kind.tag == "list":
            raise Unsupported("a list as a result")
        if kind.tag == "set":
            assert kind.element is not None
            span = self.context.shapes.span(kind.element)
            with self.f.when(gave) as branch:
                self.keep_set(target, words.in_memory(i32(self._given()), span))
                branch.otherwise()
                self.keep_set(target, words.nothing())
        else:
            given = converted("(global.get $given)", "i64", value_type(kind))
            none = {"number": i64(0), "flag": i32(0)}.get(kind.tag, i32(-1))
            self.keep(target, f"(select {given} {none} {gave})")
        self.f.line("(global.set $gave (i32.const 0))")

    def _given(self) -> int:
        size = max(self.context.shapes.universe(tag).size for tag in ("piece", "space"))
        return self.context.room("given", max(8, size))

    def _give(self, s: ir.Give) -> None:
        if s.value.type.tag == "list":
            raise Unsupported("a list as a result")
        if s.value.type.tag == "set":
            words.store(
                self.f, self.values.group(s.value), i32(self._given()), self.values.span(s.value.type)
            )
        else:
            self.f.line(f"(global.set $given {self.values.number(s.value)})")
        self.f.line("(global.set $gave (i32.const 1))")
        self.leave()

    # ------------------------------------------------------------ leaving

    def leave(self) -> None:
        """Leaves the procedure; a number says that the game goes on."""
        self.f.leave(i32(0) if self.f.result is not None else "")

    def leave_over(self) -> None:
        """Leaves everything, because the game is over."""
        self.f.leave(i32(1))

    def call_ending(self, call: str, ends: bool) -> None:
        """A call after which the game may be over."""
        if not ends:
            self.f.line(call)
            return
        with self.f.when(call):
            self.leave_over()

    def check_victory(self, at_once: bool) -> None:
        if self.context.lowered.program.victories:
            name = "at_once" if at_once else "victory"
            self.call_ending(f"(call $check_{name})", True)

    def _end_game(self, s: ir.EndGame) -> None:
        f, layout, values = self.f, self.context.layout, self.values
        winners = values.group(s.winners).at(0)
        f.line(f"(i64.store {i32(layout.winners)} (i64.and {winners} {i64(self.context.game.present)}))")
        number = next(
            n
            for n, one in enumerate(self.context.lowered.endings)
            if (one.site, one.text) == (s.site, s.text)
        )
        f.line(f"(i32.store {i32(layout.ending)} {i32(number)})")
        found = values_in(s.text)
        if len(found) > ENDING_VALUES:
            raise Unsupported("an ending with so many values")
        for position, value in enumerate(found):
            if value.type.tag == "set":
                span = values.span(value.type)
                if span.words > 1:
                    raise Unsupported("an ending with a large set in it")
                text = values.group(value).at(span.low)
            elif value.type.tag == "list":
                raise Unsupported("an ending with a list in it")
            else:
                text = values.number(value)
            f.line(f"(i64.store {i32(layout.values + 8 * position)} {text})")
        f.line("(call $finish)")
        self.leave_over()

    def _next_turn(self) -> None:
        f, layout = self.f, self.context.layout
        last = self.context.game.last_turn
        if last:
            with f.when(f"(i64.ge_s (i64.load {i32(layout.turn)}) {i64(last)})"):
                f.line(f"(i64.store {i32(layout.winners)} (i64.const 0))")
                f.line(f"(i32.store {i32(layout.ending)} {i32(LAST_TURN)})")
                f.line("(call $finish)")
                self.leave_over()
        f.line(f"(i64.store {i32(layout.turn)} (i64.add (i64.load {i32(layout.turn)}) (i64.const 1)))")
        f.line(f"(i32.store {i32(layout.phase)} {i32(self.context.text(''))})")
        self.values.spend(i64(1))
        self.forget({"turn"})

    # ------------------------------------------------------------ changes

    def forgotten(self, changed: set[str]) -> list[int]:
        return [place for reads, place in self.context.layout.epochs.items() if reads & changed]

    def forget(self, changed: set[str]) -> None:
        """New epochs for whatever reads what has changed."""
        places = self.forgotten(changed)
        if not places:
            return
        now = self.f.held("(call $tick)", "i64", "now")
        for place in places:
            self.f.line(f"(i64.store {i32(place)} {now})")

    def _set_global(self, s: ir.SetGlobal) -> None:
        table = self.context.layout.variables[s.name]
        self._change(table, i32(0), s.value, identifier("v", s.name))

    def _set_attribute(self, s: ir.SetAttribute) -> None:
        name = column(s.owner, s.attribute, s.enum)
        table = self.context.layout.columns[name]
        subject = self.f.held(self.values.thing(s.subject), "i32", "who")
        with self.f.when(f"(i32.ge_s {subject} (i32.const 0))"):
            self._change(table, subject, s.value, name)

    def _change(self, table: Table, index: str, value: ir.Expression, name: str) -> None:
        f, values = self.f, self.values
        spot = f.held(table.entry(index), "i32", "spot")
        if table.type.tag == "set":
            span = values.span(table.type)
            group = words.held(f, values.group(value))
            if not span.words:
                return
            with f.when(f"(i32.eqz {words.equal(words.in_memory(spot, span), group)})"):
                words.store(f, group, spot, span)
                self.forget({name})
            return
        if table.type.tag == "list":
            items = f.held(self.own_list(value), "i32", "items")
            with f.when(f"(i32.eqz (call $same_lists {spot} {items}))"):
                f.line(f"(call $keep_list {spot} {items} {i32(self.context.shapes.capacity(table.type))})")
                self.forget({name})
            return
        kind = value_type(table.type)
        kept = self.context.layout.kept.get(name)
        new = self.stored(value, table.type)
        if kept is None and not self.forgotten({name}):
            f.line(f"({STORES[table.size]} {spot} {new})")
            return
        new = f.held(new, kind, "new")
        old = f.held(values.load(table, index, table.type), kind, "old")
        with f.when(f"({kind}.ne {old} {new})"):
            if kept is not None:
                span = values.span(kept.type)
                place = add(index, -64 * span.low)
                with f.when(f"(i32.lt_u {place} {i32(64 * span.words)})"):
                    for value_text in (old, new):
                        self._flip(kept.entry(value_text), place, span)
            f.line(f"({STORES[table.size]} {spot} {new})")
            self.forget({name})

    def _flip(self, group: str, place: str, span: Span) -> None:
        """Takes a member out of a set in memory, or puts it in."""
        word = times(f"(i32.shr_u {place} (i32.const 6))", 8) if span.words > 1 else i32(0)
        spot = self.f.held(add(group, word), "i32", "word")
        bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u {place}))"
        self.f.line(f"(i64.store {spot} (i64.xor (i64.load {spot}) {bit}))")

    # ------------------------------------------------------------ flow

    def _if(self, s: ir.If) -> None:
        with self.f.when(self.values.flag(s.condition)) as branch:
            self.block(s.then)
            if s.otherwise:
                branch.otherwise()
                self.block(s.otherwise)

    def _for_each(self, s: ir.ForEach) -> None:
        """All that is gone through is found before anything is done."""
        values = self.values
        dear = is_dear((s.where, s.keys, s.body))
        source = s.source
        if s.keys or source.type.tag == "list" or isinstance(source, ir.Along):
            gathered = ir.Gathered(
                variable=s.variable, source=source, where=s.where, keys=s.keys, dear=dear,
                type=ir.list_of(s.variable_type),
            )  # fmt: skip
            if s.where is None and not s.keys and isinstance(source, ir.Single):
                loop = values.loop(s.variable, source, dear)
            else:
                items = values.list_of(gathered)
                loop = values.through_list(s.variable, items, s.variable_type, False)
        elif s.where is None and isinstance(source, (ir.Extent, ir.Builtin)):
            if isinstance(source, ir.Extent) or source.name == "neighbours":
                loop = values.loop(s.variable, source, dear)
            else:
                loop = values.each(s.variable, values.group(source), self._costs(source, dear), copied=True)
        elif s.where is None:
            loop = values.each(s.variable, values.group(source), self._costs(source, dear), copied=True)
        else:
            local = ir.Local(name=s.variable, type=s.variable_type)
            span = values.span(source.type)
            found = values.set_of(s.variable, source, s.where, local, span, dear)
            loop = values.each(s.variable, found, False, copied=True)
        before = self.names.get(s.variable)
        with loop as turn:
            self.names[s.variable] = turn.values.names[s.variable]
            self.block(s.body)
        if before is not None:
            self.names[s.variable] = before

    def _costs(self, source: ir.Expression, dear: bool) -> bool:
        return is_counted(source, dear, self.context.enums)

    def _repeat(self, s: ir.Repeat) -> None:
        f, values = self.f, self.values
        left = f.fresh("i64", "left")
        f.set(left, f"(call $bounded {values.number(s.times)} {values.fail_number()})")
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i64.le_s {get(left)} (i64.const 0)))")
            self.values.spend(i64(1))
            if s.condition is not None:
                f.line(f"(br_if {done} (i32.eqz {self.values.flag(s.condition)}))")
            self.block(s.body)
            f.set(left, f"(i64.sub {get(left)} (i64.const 1))")
            f.line(f"(br {again})")

    def _perform(self, name: str, arguments: tuple[ir.Expression, ...]) -> None:
        given = self.handed_over(self.context.parameters[name], arguments)
        self.call_ending(f"(call $p_{safe(name)} {' '.join(given)})", name in self.context.ending)

    def handed_over(
        self, parameters: tuple[ir.Parameter, ...], arguments: tuple[ir.Expression, ...]
    ) -> list[str]:
        """Arguments that stay as they are while what is called changes the position."""
        values = self.values
        result = []
        for parameter, argument in zip(parameters, arguments, strict=True):
            text = values.argument(parameter.type, argument)
            if parameter.type.tag == "list":
                text = self.f.held(self.own_list(argument), "i32", "list")
            elif parameter.type.tag == "set" and not isinstance(argument, ir.Local):
                span = values.span(parameter.type)
                if span.words > 1:
                    room = self.f.held(self.f.room(span.size), "i32", "given")
                    words.store(self.f, words.in_memory(self.f.held(text, "i32", "from"), span), room, span)
                    text = room
            result.append(text)
        return result

    # ------------------------------------------------------------ chance

    def _draw(self, s: ir.DrawFrom) -> None:
        pile = self.values.thing(s.pile)
        if s.count is None:
            self.keep(self.target(s.target, s.type), f"(call $draw {pile})")
        else:
            self.f.allots = True
            count = self.values.number(s.count)
            items = self.f.held(f"(call $draw_many {pile} {count})", "i32", "drawn")
            self.keep_list(self.target(s.target, s.type), items)
        self.forget({"at"})

    def _faces(self, dice: str) -> tuple[int, str]:
        """How many faces a die has, and a function of the text of a face's number to its value."""
        faces = next(one.faces for one in self.context.lowered.program.dice if one.name == dice)
        return len(faces), i32(self.context.listed(faces, ir.NUMBER) + 8)

    def _roll(self, s: ir.Roll) -> None:
        f = self.f
        count, table = self._faces(s.dice)
        rolled = f"(i64.load {add(times(f'(i32.wrap_i64 (call $below {i64(count)}))', 8), table)})"
        target = self.target(s.target, s.type)
        if s.count is None:
            self.keep(target, converted(rolled, "i64", value_type(s.type)))
            return
        wanted = f"(call $most (i64.const 0) {self.values.number(s.count)})"
        left = f.fresh("i64", "left")
        f.set(left, f"(call $bounded {wanted} {self.values.fail_number()})")
        self.values.spend(get(left))
        f.allots = True
        result = f.held(f"(call $new_list (i32.wrap_i64 {get(left)}))", "i32", "rolled")
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i64.eqz {get(left)}))")
            f.line(f"(call $append {result} {rolled})")
            f.set(left, f"(i64.sub {get(left)} (i64.const 1))")
            f.line(f"(br {again})")
        self.keep_list(target, result)

    def _found(self, variable: str, source: ir.Expression, where: ir.Expression | None) -> str:
        """A list of one's own of the things that meet a condition."""
        assert source.type.element is not None
        found = ir.Gathered(
            variable=variable, source=source, where=where, keys=(), dear=False,
            type=ir.list_of(source.type.element),
        )  # fmt: skip
        return self.values.list_of(found)

    def _random_pick(self, s: ir.RandomPick) -> None:
        items = self._found(s.variable, s.source, s.where)
        target = self.target(s.target, s.type)
        if s.count is None:
            self.keep(target, converted(f"(call $pick_one {items})", "i64", value_type(s.type)))
            return
        self.f.line(f"(call $pick_many {items} {self.values.number(s.count)})")
        if s.type.tag != "set":
            self.keep_list(target, items)
            return
        assert s.type.element is not None
        name = " picked"
        self.names[name] = Place(items, "i32")
        local = ir.Local(name=name, type=ir.list_of(s.type.element))
        self.keep_set(target, self.values.group(ir.Members(items=local, type=s.type)))

    def _pick_by(self, s: ir.PickBy) -> None:
        """A priority whose ties no player decides."""
        items = self._found(s.variable, s.source, s.where)
        ranked = self.values.ranked(s.priority, s.arguments, items)
        target = self.target(s.target, s.type)
        if s.count is None:
            first = f"(call $item {ranked} (i64.const 0) (i64.const -1))"
            self.keep(target, converted(first, "i64", value_type(s.type)))
            return
        count = f"(call $most (i64.const 0) {self.values.number(s.count)})"
        self.f.line(f"(i64.store {ranked} (call $least (i64.load {ranked}) {count}))")
        self.keep_list(target, ranked)
