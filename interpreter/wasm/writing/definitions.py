"""From definitions, tables of values and priorities to functions, with what they remember.

A remembered value holds as long as what it was made from is the same: an entry has its epoch, and
every change of something that the definition reads gives the position a new epoch. So copies of a position
share what is remembered, and none can see what is wrong for it. A definition that reads nothing has one epoch
for ever.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.passes.lowered import StaticSet, StaticSteps
from interpreter.wasm.runtime import core as runtime
from interpreter.wasm.shapes import Span, Unsupported, value_type
from interpreter.wasm.writing import memos, words
from interpreter.wasm.writing.context import Context
from interpreter.wasm.writing.searches import Searches
from interpreter.wasm.writing.values import Operand, Place, function_of
from interpreter.wasm.writing.wat import Function, ValueType, add, comment, get, i32, i64, safe, times
from interpreter.wasm.writing.words import Words

#: So many places are shared by the cases of a definition that has too many of them.
_SHARED = 2048


def begin(
    context: Context, name: str, parameters: tuple[ir.Parameter, ...], kind: ir.Type | None, site: ir.Site
) -> tuple[Function, Searches]:
    """A function with the parameters of a rule; one that gives a wide set is told where to write it."""
    f = Function(
        name=name, comment=comment(f"rule {site.rule}, {site.file}:{site.line}") if site.rule else "",
        rule=site.rule,
    )  # fmt: skip
    names: dict[str, Operand] = {}
    for number, parameter in enumerate(parameters):
        local = f"{safe(parameter.name)}_p{number}"
        names[parameter.name] = _parameter(context, f, local, parameter.type)
    if kind is not None and kind.tag == "set":
        assert kind.element is not None
        wide = context.shapes.span(kind.element).words > 1
        f.result = "i32" if wide else "i64"
        if wide:
            f.parameters.append(("into", "i32"))
    elif kind is not None:
        f.result = value_type(kind)
    return f, Searches(context, f, names, site)


def _parameter(context: Context, f: Function, local: str, kind: ir.Type) -> Operand:
    if kind.tag == "set":
        assert kind.element is not None
        span = context.shapes.span(kind.element)
        f.parameters.append((local, "i64" if span.words <= 1 else "i32"))
        if not span.words:
            return words.nothing()
        return words.one_word(get(local), span) if span.words == 1 else words.in_memory(get(local), span)
    f.parameters.append((local, value_type(kind)))
    return Place(get(local), value_type(kind))


@dataclass(frozen=True, slots=True)
class Memo:
    """Where the value for the arguments of a call is remembered."""

    entry: str  # the address of the entry
    known: str  # whether it holds
    value: int  # the offset of the value in it
    shared: bool = False  # other arguments may take its place


def write_definition(context: Context, definition: ir.Definition) -> None:
    f, values = begin(
        context, function_of(definition), definition.parameters, definition.type, definition.site
    )
    analysis = context.lowered.analysis
    fixed = definition.name in analysis.tabled
    memory = memos.memory_of(context, definition)
    if memory is not None and memory.compact:
        _write_compact(context, f, values, definition, memory)
        return
    memo = None
    if memos.is_kept(context, definition):
        memo = _memo(context, f, values, definition, memory)
        with f.when(memo.known):
            _return_kept(context, f, definition.type, memo)
        f.begin()
        if fixed:
            f.line("(call $begin_fixed)")
    calls = analysis.branching.get(definition.name)
    if calls is not None:
        values.spend(i64(calls))
    _finish(context, f, values, definition, memo, fixed)
    context.module.add(f)


def _finish(
    context: Context, f: Function, values: Searches, definition: ir.Definition, memo: Memo | None, fixed: bool
) -> None:
    """The value, kept and returned."""
    kind = definition.type
    if kind.tag == "set":
        group = values.group(definition.body)
        span = values.span(kind)
        if memo is not None and span.words:
            words.store(f, group, add(memo.entry, memo.value), span)
            _mark(context, f, memo, definition, fixed)
            _return_kept(context, f, kind, memo)
        elif span.words <= 1:
            f.leave(group.at(span.low))
        else:
            words.store(f, group, get("into"), span)
            f.leave(get("into"))
        return
    wanted = value_type(kind)
    value = f.held(values.wanted(definition.body, wanted), wanted, "value")
    if memo is not None:
        f.line(f"({wanted}.store offset={memo.value} {memo.entry} {value})")
        _mark(context, f, memo, definition, fixed)
    f.keeps = kind.tag == "list"
    f.leave(value)


def _mark(context: Context, f: Function, memo: Memo, definition: ir.Definition, fixed: bool) -> None:
    if fixed:
        f.line("(call $end_fixed)")
    f.line(f"(i64.store {memo.entry} {memos.epoch(context, definition)})")


def _return_kept(context: Context, f: Function, kind: ir.Type, memo: Memo) -> None:
    """What is remembered; of a large set where it lies, if its place is its own until something changes."""
    address = add(memo.entry, memo.value)
    if kind.tag == "set":
        assert kind.element is not None
        span = context.shapes.span(kind.element)
        if span.words <= 1:
            f.leave(f"(i64.load {address})" if span.words else i64(0))
        elif not memo.shared:
            f.leave(address)
        else:
            f.copy(get("into"), address, span.size)
            f.leave(get("into"))
        return
    f.leave(f"({value_type(kind)}.load {address})")


def _memo(
    context: Context, f: Function, values: Searches, definition: ir.Definition, memory: memos.Memory | None
) -> Memo:
    """The entry for the arguments: a place of its own, or a shared one that says whose value it holds."""
    kind, epoch = definition.type, memos.epoch(context, definition)
    if memory is not None:
        entry = f.held(memory.entry(_index(context, values, definition.parameters)), "i32", "entry")
        return Memo(entry, f"(i64.eq (i64.load {entry}) {epoch})", 8)
    size = max(8, context.shapes.size(kind)) if kind.tag == "set" else 8
    keys = [key for parameter in definition.parameters for key in _keys(values, parameter)]
    width = 8 + 8 * len(keys) + size
    place = context.module.reserve(_SHARED * width)
    mixed = i64(0)
    for key in keys:
        turned = f"(i64.xor {key} (i64.rotl {mixed} (i64.const 29)))"
        mixed = f"(i64.mul {turned} (i64.const 0x9E3779B97F4A7C15))"
    index = f"(i32.wrap_i64 (i64.shr_u {mixed} (i64.const 53)))"
    entry = f.held(add(times(index, width), place), "i32", "entry")
    f_known = f.fresh("i32", "known")
    tests = [f"(i64.eq (i64.load {entry}) {epoch})"]
    tests += [f"(i64.eq (i64.load offset={8 + 8 * n} {entry}) {key})" for n, key in enumerate(keys)]
    f.set(f_known, words.joined("i32.and", tests, i32(1)))
    with f.when(f"(i32.eqz {get(f_known)})"):
        f.line(f"(i64.store {entry} (i64.const 0))")
        for number, key in enumerate(keys):
            f.line(f"(i64.store offset={8 + 8 * number} {entry} {key})")
    return Memo(entry, get(f_known), 8 + 8 * len(keys), shared=True)


def _keys(values: Searches, parameter: ir.Parameter) -> list[str]:
    operand = values.names[parameter.name]
    if isinstance(operand, Words):
        return operand.words()
    return [operand.text if operand.kind == "i64" else f"(i64.extend_i32_s {operand.text})"]


def _index(context: Context, values: Searches, parameters: tuple[ir.Parameter, ...]) -> str:
    operands = [values.names[parameter.name] for parameter in parameters]
    given = [operand.text for operand in operands if isinstance(operand, Place)]
    return memos.index_of(context, parameters, given)


def _write_compact(
    context: Context, f: Function, values: Searches, definition: ir.Definition, memory: memos.Memory
) -> None:
    """A definition that nothing changes and that gives something small: a few bytes for each case."""
    entry = f.held(memory.entry(_index(context, values, definition.parameters)), "i32", "entry")
    known = f.held(f"({memory.load} {entry})", "i32", "known")
    with f.when(known):
        f.leave(f"(i32.sub {known} {i32(memos.MORE)})")
    f.line("(call $begin_fixed)")
    calls = context.lowered.analysis.branching.get(definition.name)
    if calls is not None:
        values.spend(i64(calls))
    value = f.held(values.thing(definition.body), "i32", "value")
    f.line(f"({memory.store} {entry} (i32.add {value} {i32(memos.MORE)}))")
    f.line("(call $end_fixed)")
    f.leave(value)
    context.module.add(f)


# ---------------------------------------------------------------- tables of values


def write_table(context: Context, table: ir.Table) -> None:
    f, values = begin(context, function_of(table), table.parameters, table.type, table.site)
    calls = context.lowered.analysis.branching.get(table.name)
    if calls is not None:
        values.spend(i64(calls))
    if table.policy == "collect":
        _collected(f, values, table)
    else:
        for row in table.rows:
            at_row = Searches(context, f, values.names, row.site)
            _row(f, at_row, row, lambda one=row, inner=at_row: _give(f, inner, table, one))
        for number, parameter in enumerate(table.parameters):
            _note_argument(context, f, values, number, parameter)
        site = i32(context.site(table.site))
        f.line(f"(call $fail {i32(runtime.NO_ROW)} {site})")
        f.line("(unreachable)")
        context.module.add(f)


def _row(f: Function, values: Searches, row: ir.Row, then: object) -> None:
    assert callable(then)
    tests = [cell.test for cell in row.cells if cell.test is not None]
    test: ir.Expression | None = None
    for one in tests:
        test = one if test is None else ir.Binary(operator="and", left=test, right=one, type=ir.FLAG)
    if test is None:
        then()
        return
    with f.when(values.flag(test)):
        then()


def _give(f: Function, values: Searches, table: ir.Table, row: ir.Row) -> None:
    assert row.result is not None
    if table.type.tag == "set":
        span = values.span(table.type)
        group = values.group(row.result)
        if span.words <= 1:
            f.leave(group.at(span.low))
        else:
            words.store(f, group, get("into"), span)
            f.leave(get("into"))
        return
    f.keeps = table.type.tag == "list"
    f.leave(values.wanted(row.result, value_type(table.type)))


def _note_argument(
    context: Context, f: Function, values: Searches, number: int, parameter: ir.Parameter
) -> None:
    """What no row was found for, so that the failure can say it."""
    if number >= NOTED:
        return
    place = context.room("noted", 8 * NOTED) + 8 * number
    key = _keys(values, parameter)
    f.line(f"(i64.store {i32(place)} {key[0] if key else i64(0)})")


#: So many arguments of a table that has no row for them can be told.
NOTED = 16


def _collected(f: Function, values: Searches, table: ir.Table) -> None:
    kind = table.type
    span = values.span(kind) if kind.tag == "set" else Span(0, 0)
    wide = span.words > 1
    if wide:
        f.clear(get("into"), span.size)
    result: ValueType = "i64" if kind.tag in ("number", "set") else "i32"
    total = f.fresh(result, "result")

    def take(row: ir.Row, inner: Searches) -> None:
        assert row.result is not None
        if wide:
            group = words.held(f, inner.group(row.result))
            words.store(f, words.union(words.in_memory(get("into"), span), group), get("into"), span)
        elif kind.tag == "set":
            f.set(total, f"(i64.or {get(total)} {inner.group(row.result).at(span.low)})")
        elif kind.tag == "number":
            f.set(total, f"(i64.add {get(total)} {inner.number(row.result)})")
        elif kind.tag == "flag":
            f.set(total, f"(i32.or {get(total)} {inner.flag(row.result)})")
        else:
            raise Unsupported(f"a table that collects {kind}")

    for row in table.rows:
        inner = Searches(values.context, f, values.names, row.site)
        _row(f, inner, row, lambda one=row, at_row=inner: take(one, at_row))
    f.leave(get("into") if wide else get(total))


# ---------------------------------------------------------------- priorities, what never changes


def write_priority(context: Context, priority: ir.Priority) -> None:
    """A function that adds one thing's record to a list: its keys, its place in the list, and itself."""
    item = ir.Parameter(name=priority.variable, type=priority.type)
    f, values = begin(
        context, f"key_{safe(priority.name)}", (*priority.parameters, item), None, priority.site
    )
    f.parameters.append(("records", "i32"))
    width = len(priority.criteria) + 2
    place = f.held(f"(i64.div_u (i64.load {get('records')}) {i64(width)})", "i64", "place")
    for criterion in priority.criteria:
        values = Searches(context, f, values.names, criterion.site)
        value = values.number(criterion.value)
        value = f"(i64.sub (i64.const 0) {value})" if criterion.descending else value
        f.line(f"(call $append {get('records')} {value})")
    f.line(f"(call $append {get('records')} {place})")
    f.line(f"(call $append {get('records')} {_keys(values, item)[0]})")
    f.leave()
    context.module.add(f)


def write_static(context: Context, static: StaticSet) -> None:
    """A function that finds the things of a kind that pass a test which nothing changes."""
    f = Function(name=f"static_{static.number}", comment=comment(f"rule {static.site.rule}"))
    values = Searches(context, f, {}, static.site)
    mask = context.extent(static.kind)
    tag = next(
        "piece" if kind.owner in ("piece", "card") else "space"
        for kind in context.game.program.kinds
        if kind.name == static.kind
    )
    element = ir.Type("piece" if tag == "piece" else "space", (static.kind,))
    span = context.shapes.span(element)
    place = context.room(("static", static.number), 8 + span.size)
    f.line("(call $begin_fixed)")
    f.line(f"(i32.store {i32(place)} (i32.const 1))")
    if mask:
        extent = ir.Extent(kind=static.kind, type=ir.set_of(element))
        with values.loop(static.variable, extent, counted=False) as turn:
            with f.when(turn.values.flag(static.test)):
                bit = add(turn.thing, -64 * span.low)
                f.line(f"(call $set_bit {i32(place + 8)} {bit} {i32(64 * span.words)})")
    f.line("(call $end_fixed)")
    f.leave()
    context.module.add(f)


def write_steps(context: Context, steps: StaticSteps) -> None:
    """A function that finds the steps between neighbours that are open for the whole game."""
    f = Function(name=f"steps_{steps.number}", comment=comment(f"rule {steps.site.rule}"))
    values = Searches(context, f, {}, steps.site)
    known, lists, near = context.open_steps(steps)
    f.line("(call $begin_fixed)")
    f.line(f"(i32.store {i32(known)} (i32.const 1))")
    with values.counting(steps.step_from, i32(0), i32(len(near) - 1)) as here:
        items = f"(i32.load {add(times(here.thing, 4), context.lists(('near', steps.kinds), near))})"
        with here.values.through_list(steps.step_to, items, ir.Type("space"), False) as there:
            with f.when(there.values.flag(steps.test)):
                found = f"(i32.load {add(times(here.thing, 4), lists)})"
                f.line(f"(call $append {found} (i64.extend_i32_s {there.thing}))")
    f.line("(call $end_fixed)")
    f.leave()
    context.module.add(f)


def write_row(context: Context, definition: ir.Definition) -> None:
    """A function to the places where a definition that nothing changes holds.

    The number after the last place stands for nowhere.
    """
    *given, last = definition.parameters
    f, values = begin(context, f"row_{safe(definition.name)}", tuple(given), None, definition.site)
    f.result = "i32"
    count = context.shapes.places
    size = 8 * -(-(count + 1) // 64)
    cases = memos.cases(context, tuple(given))
    assert cases is not None
    place = context.module.reserve(cases * (8 + size))
    entry = f.held(add(times(_index(context, values, tuple(given)), 8 + size), place), "i32", "entry")
    with f.when(f"(i32.load {entry})"):
        f.leave(add(entry, 8))
    arguments = " ".join(get(name) for name, _ in f.parameters)
    with values.counting(last.name, i32(-1), i32(count)) as turn:
        with f.when(f"(call ${function_of(definition)} {arguments} {turn.thing})"):
            spot = f"(select {i32(count)} {turn.thing} (i32.lt_s {turn.thing} (i32.const 0)))"
            f.line(f"(call $set_bit {add(entry, 8)} {spot} {i32(count + 1)})")
    f.line(f"(i32.store {entry} (i32.const 1))")
    f.leave(add(entry, 8))
    context.module.add(f)


def row_fits(context: Context, definition: ir.Definition) -> bool:
    """Whether the places where a definition holds can be kept for every case of its other arguments."""
    cases = memos.cases(context, definition.parameters[:-1])
    size = 16 + context.shapes.places // 8
    return cases is not None and cases * size <= 4 * memos.DIRECT
