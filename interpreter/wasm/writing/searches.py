"""From searches of the board to loops: what can be reached, what is in sight, who is matched with whom."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter import ir
from interpreter.machine.runtime import DEAREST
from interpreter.passes.budget import is_counted
from interpreter.passes.lowered import StaticSteps
from interpreter.passes.steps import ALWAYS
from interpreter.wasm.shapes import Span, Unsupported
from interpreter.wasm.writing import words
from interpreter.wasm.writing.loops import Loops
from interpreter.wasm.writing.values import Place
from interpreter.wasm.writing.wat import add, get, i32, i64, times
from interpreter.wasm.writing.words import Words

#: Sets of more words than this are searched place by place: most of their words have no neighbour in them.
_FEW_WORDS = 4


@dataclass(frozen=True, slots=True)
class _Reached:
    """The places that a search has reached, those it began with, and where costs and origins lie."""

    found: Words
    starts: Words
    costs: str
    entered: str


class Searches(Loops):
    """Writes all expressions."""

    def searched(self, e: ir.Reach | ir.Sight | ir.Matching) -> str:
        match e:
            case ir.Reach():
                return self._way_to_goal(e) if e.type.tag == "list" else self._cost_of_goal(e)
            case ir.Sight():
                return self._sight(e)
            case ir.Matching():
                return self._matching(e)

    def at(self, **places: str) -> Searches:
        """The same with some locals of the rules standing for things."""
        inner = self.inner({name: Place(text, "i32") for name, text in places.items()})
        assert isinstance(inner, Searches)
        return inner

    # ------------------------------------------------------------ reach

    def reached(self, e: ir.Reach) -> Words:
        if e.within is not None or (e.cost is None and e.stop is None):
            return self.of_kinds(self._by_steps(e), e.type)
        return self.of_kinds(self._by_cost(e).found, e.type)

    def _starts(self, e: ir.Reach, queue: str, count: str, seen: str) -> None:
        """Puts the places to begin with into the queue, and into the set of those that were seen."""
        f = self.f
        span = self.context.spaces
        f.set(count, i32(0))
        f.clear(seen, span.size)
        several = e.start.type.tag == "set"
        source = e.start if several else ir.Single(thing=e.start, type=ir.list_of(e.start.type))
        with self.loop(
            " start", source, counted=several and is_counted(source, False, self.context.enums)
        ) as turn:
            self._reach(turn.thing, queue, count)
            f.line(f"(call $set_bit {seen} {turn.thing} {i32(64 * span.words)})")

    def _near_lists(self, e: ir.Reach) -> int:
        kinds = -1
        if e.kinds:
            kinds = 0
            for name in e.kinds:
                kinds |= self.context.extent(name)
        return self.context.lists(("near", kinds), self.context.neighbours(kinds))

    def _by_steps(self, e: ir.Reach) -> Words:
        """Step by step, all places that are equally far at once."""
        f, span = self.f, self.context.spaces
        limit = f.held(self.number(e.limit), "i64", "limit") if e.limit is not None else ""
        seen = f.held(f.room(span.size), "i32", "seen")
        queue = f.held(f.room(4 * self.context.shapes.places), "i32", "queue")
        count = f.fresh("i32", "count")
        self._starts(e, queue, count, seen)
        if e.within is None:
            with self._in_turn(e, queue, count, limit) as place:
                self._steps_one_by_one(e, place, seen, queue, count)
            found = words.in_memory(seen, span)
        else:
            within = words.held(f, self.group(e.within))
            steps = self.context.lowered.steps[e.steps]
            if steps.test == ALWAYS and span.words <= _FEW_WORDS and e.halts is None:
                with self._in_turn(e, queue, count, limit) as place:
                    self._steps_at_once(e, within, place, seen, queue, count)
                found = words.in_memory(seen, span)
            else:
                starts = words.in_memory(seen, span)
                halts = words.as_memory(f, self.group(e.halts), span) if e.halts is not None else i32(0)
                found = self._flooded(steps, within, starts, halts, queue, count, limit)
        self.spend(f"(i64.extend_i32_u {get(count)})")
        return found

    @contextmanager
    def _in_turn(self, e: ir.Reach, queue: str, count: str, limit: str) -> Iterator[str]:
        """The places of a queue that grows meanwhile, those that are equally far as one step."""
        f = self.f
        here, level, taken = (f.fresh("i32", hint) for hint in ("here", "level", "taken"))
        f.set(here, i32(0))
        f.set(level, get(count))
        f.set(taken, i32(0))
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i32.ge_u {get(here)} {get(count)}))")
            if limit:
                f.line(f"(br_if {done} (i64.ge_s (i64.extend_i32_u {get(taken)}) {limit}))")
            place = f.fresh("i32", e.step_from)
            f.set(place, f"(i32.load {add(queue, times(get(here), 4))})")
            yield get(place)
            f.set(here, f"(i32.add {get(here)} (i32.const 1))")
            with f.when(f"(i32.eq {get(here)} {get(level)})"):
                f.set(level, get(count))
                f.set(taken, f"(i32.add {get(taken)} (i32.const 1))")
            f.line(f"(br {again})")

    def _flooded(
        self,
        steps: StaticSteps,
        within: Words,
        starts: Words,
        halts: str,
        queue: str,
        count: str,
        limit: str,
    ) -> Words:
        """By steps that are open for the whole game, through places that were found beforehand."""
        f, span = self.f, self.context.spaces
        left = words.placed(f, words.minus(within, starts), f.room(span.size), span)
        known, lists, _ = self.context.open_steps(steps)
        f.line(f"(if (i32.eqz (i32.load {i32(known)})) (then (call $steps_{steps.number})))")
        given = f"{left.address} {halts} {queue} {get(count)} {i32(lists)} {limit or i64(DEAREST)}"
        f.set(count, f"(call $flood {given})")
        return words.held(f, words.union(starts, words.minus(within, left)))

    def _steps_one_by_one(self, e: ir.Reach, place: str, seen: str, queue: str, count: str) -> None:
        f, span = self.f, self.context.spaces
        items = f"(i32.load {add(times(place, 4), self._near_lists(e))})"
        with self.through_list(e.step_to, items, ir.Type("space"), False) as turn:
            with f.when(f"(i32.eqz {words.in_memory(seen, span).has(turn.thing)})"):
                inner = self.at(**{e.step_from: place, e.step_to: turn.thing})
                assert e.condition is not None
                with f.when(inner.flag(e.condition)):
                    self._reach(turn.thing, queue, count)
                    f.line(f"(call $set_bit {seen} {turn.thing} {i32(64 * span.words)})")

    def _steps_at_once(
        self, e: ir.Reach, allowed: Words, place: str, seen: str, queue: str, count: str
    ) -> None:
        """All neighbours that may be entered and were not seen, by words."""
        f, span = self.f, self.context.spaces
        kinds = self.context.extent(e.kinds[0])
        masks = [sum(1 << space for space in row) for row in self.context.neighbours(kinds)]
        near = add(times(place, span.size), self.context.sets(("near", kinds, "masks"), masks, span))
        near = f.held(near, "i32", "near")
        for number in range(max(span.low, allowed.span.low), min(span.high, allowed.span.high)):
            offset = 8 * (number - span.low)
            bits, before = f.fresh("i64", "bits"), f"(i64.load offset={offset} {seen})"
            entered = f"(i64.and (i64.load offset={offset} {near}) {allowed.at(number)})"
            f.set(bits, f"(i64.and {entered} (i64.xor {before} (i64.const -1)))")
            f.line(f"(i64.store offset={offset} {seen} (i64.or {before} {get(bits)}))")
            with f.block() as done, self._bits(e.step_to, bits, i32(64 * number), done) as turn:
                self._reach(turn.thing, queue, count)

    def _reach(self, thing: str, queue: str, count: str) -> None:
        self.f.line(f"(i32.store {add(queue, times(get(count), 4))} {thing})")
        self.f.set(count, f"(i32.add {get(count)} (i32.const 1))")

    def _by_cost(self, e: ir.Reach) -> _Reached:
        """The cheapest first, of equals the lowest."""
        f = self.f
        span, places = self.context.spaces, self.context.shapes.places
        width = i32(64 * span.words)
        self.spend(i64(1))
        most = self.number(e.limit) if e.limit is not None else i64(DEAREST)
        limit = f.held(f"(call $least {most} {i64(DEAREST)})", "i64", "limit")
        seen, final, starts = (f.held(f.room(span.size), "i32", hint) for hint in ("seen", "final", "starts"))
        queue = f.held(f.room(4 * places), "i32", "open")
        costs = f.held(f.room(8 * places), "i32", "costs")
        entered = f.held(f.room(4 * places), "i32", "entered") if e.type.tag == "list" else ""
        count, found = f.fresh("i32", "count"), f.fresh("i64", "found")
        self._starts(e, queue, count, seen)
        f.copy(starts, seen, span.size)
        f.clear(final, span.size)
        with self.each(" start", words.in_memory(starts, span), False) as turn:
            f.line(f"(i64.store {add(costs, times(turn.thing, 8))} (i64.const 0))")
        f.set(found, i64(0))
        near = self._near_lists(e)
        here, spent = f.fresh("i32", e.step_from), f.fresh("i64", "spent")
        with f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} (i32.eqz {get(count)}))")
            f.set(here, f"(call $take_cheapest {queue} {get(count)} {costs})")
            f.set(count, f"(i32.sub {get(count)} (i32.const 1))")
            f.set(spent, f"(i64.load {add(costs, times(get(here), 8))})")
            f.line(f"(call $set_bit {final} {get(here)} {width})")
            f.set(found, f"(i64.add {get(found)} (i64.const 1))")
            if e.stop is not None:
                stays = f.fresh("i32", "stays")
                f.set(stays, i32(0))
                with f.when(f"(i32.eqz {words.in_memory(starts, span).has(get(here))})"):
                    f.set(stays, self.at(**{e.step_to: get(here)}).flag(e.stop))
                f.line(f"(br_if {again} {get(stays)})")
            items = f"(i32.load {add(times(get(here), 4), near)})"
            with self.through_list(e.step_to, items, ir.Type("space"), False) as turn:
                with f.when(f"(i32.eqz {words.in_memory(final, span).has(turn.thing)})"):
                    inner = self.at(**{e.step_from: get(here), e.step_to: turn.thing})
                    price = f.held(inner.number(ir.price_of_step(e)), "i64", "price")
                    total = f.held(f"(i64.add {get(spent)} {price})", "i64", "total")
                    allowed = f"(i64.ge_s {price} (i64.const 0))"
                    allowed = f"(i32.and {allowed} (i64.le_s {total} {limit}))"
                    with f.when(allowed):
                        spot = f.held(add(costs, times(turn.thing, 8)), "i32", "cost")
                        with f.when(words.in_memory(seen, span).has(turn.thing)) as branch:
                            with f.when(f"(i64.lt_s {total} (i64.load {spot}))"):
                                f.line(f"(i64.store {spot} {total})")
                                self._enter(entered, turn.thing, get(here))
                            branch.otherwise()
                            f.line(f"(i64.store {spot} {total})")
                            self._enter(entered, turn.thing, get(here))
                            f.line(f"(call $set_bit {seen} {turn.thing} {width})")
                            f.line(f"(i32.store {add(queue, times(get(count), 4))} {turn.thing})")
                            f.set(count, f"(i32.add {get(count)} (i32.const 1))")
            f.line(f"(br {again})")
        self.spend(get(found))
        return _Reached(words.in_memory(final, span), words.in_memory(starts, span), costs, entered)

    def _enter(self, entered: str, place: str, origin: str) -> None:
        if entered:
            self.f.line(f"(i32.store {add(entered, times(place, 4))} {origin})")

    def _way_to_goal(self, e: ir.Reach) -> str:
        """Back from the goal to where the way began, twice: to count the steps, and to write them down."""
        f = self.f
        if e.goal is None:
            raise Unsupported("a way to nowhere")
        goal = f.held(self.thing(e.goal), "i32", "goal")
        reached = self._by_cost(e)
        f.allots = True
        here, count = f.fresh("i32", "here"), f.fresh("i32", "count")
        f.set(count, i32(0))
        with self._back(reached, goal, here):
            f.set(count, f"(i32.add {get(count)} (i32.const 1))")
        way = f.held(f"(call $new_list {get(count)})", "i32", "way")
        f.line(f"(i64.store {way} (i64.extend_i32_u {get(count)}))")
        with self._back(reached, goal, here):
            spot = add(way, times(get(count), 8))
            f.line(f"(i64.store {spot} (i64.extend_i32_s {get(here)}))")
            f.set(count, f"(i32.sub {get(count)} (i32.const 1))")
        return way

    @contextmanager
    def _back(self, reached: _Reached, goal: str, here: str) -> Iterator[None]:
        f = self.f
        f.set(here, goal)
        with f.when(reached.found.has(goal)), f.block() as done, f.loop() as again:
            f.line(f"(br_if {done} {reached.starts.has(get(here))})")
            yield
            f.set(here, f"(i32.load {add(reached.entered, times(get(here), 4))})")
            f.line(f"(br {again})")

    def _cost_of_goal(self, e: ir.Reach) -> str:
        if e.goal is None:
            raise Unsupported("a search that is no set")
        f = self.f
        goal = f.held(self.thing(e.goal), "i32", "goal")
        reached = self._by_cost(e)
        result = f.fresh("i64", "cost")
        f.set(result, i64(ir.FAR))
        with f.when(reached.found.has(goal)):
            f.set(result, f"(i64.load {add(reached.costs, times(goal, 8))})")
        return self.limited(get(result))

    # ------------------------------------------------------------ sight

    def _sight(self, e: ir.Sight) -> str:
        """Steps that can block a line are asked for once; each is blocked if all of its spaces block."""
        f = self.f
        start = f.held(self.thing(e.start), "i32", "start")
        end = f.held(self.thing(e.end), "i32", "end")
        clear, spot, left, blocked = (f.fresh("i32", hint) for hint in ("clear", "spot", "left", "blocked"))
        self.look_along(start, end)
        f.set(clear, f"(call $may_see {start} {end})")
        with f.when(f"(i32.and {get(clear)} (i32.ne {start} {end}))"):
            f.set(spot, f"(call $barriers {start} {end})")
            with f.block() as done, f.loop() as again:
                f.set(left, f"(i32.load {get(spot)})")
                f.line(f"(br_if {done} (i32.lt_s {get(left)} (i32.const 0)))")
                f.set(spot, add(get(spot), 4))
                f.set(blocked, i32(1))
                with f.block("step") as step, f.loop("space") as more:
                    f.line(f"(br_if {step} (i32.eqz {get(left)}))")
                    with f.when(get(blocked)):
                        space = f.held(f"(i32.load {get(spot)})", "i32", e.variable)
                        f.set(blocked, self.at(**{e.variable: space}).flag(e.blocks))
                    f.set(spot, add(get(spot), 4))
                    f.set(left, f"(i32.sub {get(left)} (i32.const 1))")
                    f.line(f"(br {more})")
                with f.when(get(blocked)):
                    f.set(clear, i32(0))
                    f.line(f"(br {done})")
                f.line(f"(br {again})")
        return get(clear)

    # ------------------------------------------------------------ matching

    def _matching(self, e: ir.Matching) -> str:
        """Who goes with whom is found first; then as many as possible are served at once."""
        f = self.f
        left = f.held(self._members(e.left_source), "i32", "left")
        right = f.held(self._members(e.right_source), "i32", "right") if e.near is None else ""
        assert e.right_source.type.element is not None and e.left_source.type.element is not None
        span = self.context.shapes.span(e.right_source.type.element)
        size = max(8, span.size)
        count = f"(i32.load {left})"
        f.allots = True
        masks = f.held(f"(call $new_list (i32.mul {count} {i32(size // 8)}))", "i32", "masks")
        sizes = f.held(f"(call $new_list {count})", "i32", "sizes")
        row = f.fresh("i32", "row")
        f.line(f"(memory.fill {masks} (i32.const 0) (i32.mul {count} {i32(size)}))")
        f.set(row, masks)
        with self.through_list(e.left, left, e.left_source.type.element, False) as turn:
            one = self.at(**{e.left: turn.thing})
            if e.near is not None:
                with one.each(e.right, one.group(e.near), True) as other:
                    one._pair(e, other.thing, row, span)
            else:
                with one.through_list(e.right, right, e.right_source.type.element, True) as other:
                    one._pair(e, other.thing, row, span)
            f.set(row, add(get(row), size))
        with self.through_list(e.left, left, e.left_source.type.element, False) as turn:
            one = self.at(**{e.left: turn.thing})
            capacity = (
                f"(call $most (i64.const 0) {one.number(e.capacity)})" if e.capacity is not None else i64(1)
            )
            f.line(f"(call $append {sizes} {capacity})")
        given = f"{count} {masks} {i32(size // 8)} (i32.add {sizes} (i32.const 8))"
        return f.held(f"(call $match_size {given} {self.fail_number()})", "i64", "matched")

    def _members(self, source: ir.Expression) -> str:
        return self.thing(source) if source.type.tag == "list" else self.as_list(source)

    def _pair(self, e: ir.Matching, other: str, row: str, span: Span) -> None:
        inner = self.at(**{e.right: other})
        with self.f.when(inner.flag(e.condition)):
            self.f.line(f"(call $set_bit {get(row)} {add(other, -64 * span.low)} {i32(64 * span.words)})")
