"""From a program to Python source that a person can read, and from that to code.

The result depends on the program alone, not on a scenario: the game gives the code its data (columns, boards,
names) as globals. `Code` also keeps, for each line, the place in the rules that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

from interpreter import ir
from interpreter.compiler.blocks import Ask, block_name, write_block, write_offer, write_question
from interpreter.compiler.effects import EMPTY, Effects, function_name
from interpreter.compiler.emit import Emitter, Settings, Shared, Writer, comment, quoted, slot
from interpreter.compiler.layout import Layout, copy_lines, layout_of
from interpreter.passes.analysis import column, identifier
from interpreter.passes.conditions import conjunction
from interpreter.passes.lower import lower
from interpreter.passes.lowered import Entry

#: What Python calls the file that generated code is from.
RULES = "<rules>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    source: str
    code: CodeType
    lines: tuple[ir.Site, ...]  # for each line of the source
    sites: tuple[ir.Site, ...]  # numbered places: journal, coverage
    types: tuple[ir.Type, ...]  # numbered types of values that are shown to people
    asks: tuple[Ask, ...]
    refs: tuple[tuple[str, str, str], ...]  # constant, tag, id
    tabled: tuple[
        tuple[str, tuple[ir.Type, ...], str], ...
    ]  # function, types of its parameters, tag of its result
    entries: tuple[tuple[str, int, int], ...]  # procedure, first block, size of its frame
    frames: tuple[tuple[int, tuple[tuple[str, ir.Type], ...]], ...]  # block -> its locals and their types
    statics: tuple[tuple[int, str], ...]  # tests that nothing changes: number, kind
    steps: tuple[tuple[int, tuple[str, ...]], ...]  # the same for steps: number, kinds
    having: tuple[str, ...]  # fixed columns that are looked up by value
    rows: tuple[int, ...]  # lengths of the straight rows that rules look at
    layout: Layout
    journal: bool
    cover: bool


def compile_program(
    program: ir.Program,
    *,
    journal: bool = True,
    cover: bool = False,
    remember: bool = True,
) -> Code:
    """Compiles a program; `journal` and `cover` choose the edition, `remember` is for `lower`."""
    shared = _shared(program, journal, cover, remember)
    program, lowered = shared.program, shared.lowered
    layout = layout_of(program)
    main = Writer()
    main.line(comment(f"{program.title}: generated from the rules; do not edit."))
    for writer in [
        _state_class(shared, layout),
        *[_definition(shared, definition) for definition in program.definitions],
        *[_value_table(shared, table) for table in program.tables if table.type != ir.EFFECT],
        *_priorities(shared),
        *[_plain(shared, procedure) for procedure in lowered.procedures],
        *[write_offer(shared, group) for group, _ in lowered.listings],
    ]:
        _append(main, writer)
    for action in program.actions:
        for writer in (_why_function(shared, action), *_label_functions(shared, action)):
            _append(main, writer)
    for writer in (
        *_drawn_functions(shared), *(_look_functions(shared) if journal else ()),
        _score_function(shared), _measures_function(shared), *_start_functions(shared, layout),
    ):  # fmt: skip
        _append(main, writer)
    entries = {entry.procedure: entry for entry in lowered.entries}
    asks: list[Ask] = []
    for number, question in enumerate(lowered.questions):
        ask, writers = write_question(shared, number, question, entries[question.procedure])
        asks.append(ask)
        for writer in writers:
            _append(main, writer)
    blocks = [write_block(shared, n, one, entries[one.procedure]) for n, one in enumerate(lowered.blocks)]
    for writer in (*blocks, *_static_tests(shared), *_forgetting(shared), _sets(shared)):
        _append(main, writer)
    main.line(f"CAUSES = {quoted(tuple(shared.number(site) for site in lowered.causes))}")
    _append(main, _tables(shared, asks))
    source = "\n".join(main.lines) + "\n"
    code = compile(source, RULES, "exec")
    return Code(
        source=source, code=code, lines=tuple(main.sites), sites=tuple(shared.sites),
        types=tuple(shared.types), asks=tuple(asks),
        refs=tuple((name, tag, ident) for (tag, ident), name in shared.refs.items()),
        tabled=_tabled(shared), entries=tuple(_entry(entry) for entry in lowered.entries),
        frames=tuple(
            (number, tuple((one.name, one.type) for one in entries[block.procedure].slots))
            for number, block in enumerate(lowered.blocks)
        ),
        statics=tuple((one.number, one.kind) for one in lowered.statics),
        steps=tuple((one.number, one.kinds) for one in lowered.steps),
        having=tuple(sorted(shared.having)), rows=tuple(sorted(shared.lines)),
        layout=layout, journal=journal, cover=cover,
    )  # fmt: skip


def _sets(shared: Shared) -> Writer:
    """The functions that make the sets by value of a state: by value, those of nothing last."""
    writer = Writer()
    enums = {enum.name: len(enum.values) for enum in shared.program.enums}
    sizes: dict[str, int] = {}
    for kind in shared.program.kinds:
        for attribute in kind.attributes:
            name = column(kind.owner, attribute.name) if kind.owner != "enum" else ""
            if name in shared.kept:
                values = enums[attribute.type.names[0]] if attribute.type.tag == "enum" else 1
                sizes[name] = max(sizes.get(name, 0), values + 1)
    for name, kinds in shared.kept.items():
        writer.line(f"def keep_{name}(S):")
        writer.line(f"    values = S.{name}")
        writer.line(f"    sets = S.{slot(name)} = [0] * {sizes[name]}")
        for kind_name in kinds:
            writer.line(f"    for it in {identifier('R', kind_name)}:")
            writer.line("        sets[values[it]] |= 1 << it")
        writer.line("    return sets")
        writer.line("")
        writer.line("")
    writer.line(f"KEEPERS = ({''.join(f'keep_{name}, ' for name in shared.kept)})")
    return writer


def _static_tests(shared: Shared) -> list[Writer]:
    """Functions for tests and keys that nothing in play can change."""
    writers = []
    for number, one in enumerate(shared.lowered.keys):
        writer = _function(f"KEY_{number}", ["S", "it"], ir.NOWHERE)
        writer.line(f"return {Emitter(shared, writer, {one.variable: 'it'}, [0]).expr(one.key)}")
        writer.depth = 0
        writer.line(f"BEST_{number} = best_by(KEY_{number}, {one.highest})")
        writers.append(writer)
    tests = [(f"z_{one.number}", {one.variable: "it"}, one.test, one.site) for one in shared.lowered.statics]
    for step in shared.lowered.steps:
        names = {step.step_from: "here", step.step_to: "there"}
        tests.append((f"x_{step.number}", names, step.test, step.site))
    for name, names, test, site in tests:
        writer = _function(name, ["S", *names.values()], site)
        writer.line(f"return {Emitter(shared, writer, names, [0]).expr(test)}")
        writers.append(writer)
    return writers


def _shared(program: ir.Program, journal: bool, cover: bool, remember: bool) -> Shared:
    lowered = lower(program, cover=cover, remember=remember)
    program = lowered.program
    shared = Shared(lowered, Settings(journal, cover))
    shared.definitions = {definition.name: definition for definition in program.definitions}
    shared.tables = {table.name: table for table in program.tables}
    shared.short = {enum.name for enum in program.enums}
    shared.endings = {(one.site, one.text): number for number, one in enumerate(lowered.endings)}
    shared.kept = dict(lowered.kept)
    for name, columns in sorted(lowered.analysis.remembered.items()):
        for read in columns:
            shared.readers.setdefault(read, []).append(name)
    return shared


def _forgetting(shared: Shared) -> Iterator[Writer]:
    """Functions that drop what was remembered of a column, for whoever changes it."""
    for changed, names in sorted(shared.readers.items()):
        writer = _function(f"forget_{changed}", ["S"], ir.NOWHERE)
        writer.line(" = ".join(f"S.{identifier('m', name)}" for name in names) + " = None")
        yield writer


def _append(main: Writer, writer: Writer) -> None:
    if not writer.lines:
        return
    main.site = writer.sites[0]
    main.line("")
    main.line("")
    site = next((site for site in writer.sites if site.rule), None)
    if site is not None and writer.lines[0].startswith("def "):
        main.site = site
        main.line(comment(f"rule {site.rule}, {site.file}:{site.line}"))
    main.take(writer)


def _function(name: str, parameters: list[str], site: ir.Site) -> Writer:
    writer = Writer(site=site)
    writer.line(f"def {name}({', '.join(parameters)}):")
    writer.depth = 1
    return writer


def _python_names(parameters: tuple[ir.Parameter, ...]) -> dict[str, str]:
    return {parameter.name: identifier("l", parameter.name) for parameter in parameters}


def _cover(shared: Shared, writer: Writer, site: ir.Site) -> None:
    if shared.settings.cover and site.rule:
        writer.line(f"COVER.add({shared.number(site)})")


def _spend(shared: Shared, writer: Writer, name: str) -> None:
    """What makes many calls, one inside the other, costs as many steps: else they could double for ever."""
    calls = shared.analysis.branching.get(name)
    if calls is not None:
        writer.line(f"spend(S, {calls})")


# ---------------------------------------------------------------- definitions, tables, priorities


def _definition(shared: Shared, definition: ir.Definition) -> Writer:
    names = _python_names(definition.parameters)
    name = identifier("d", definition.name)
    writer = _function(name, ["S", *names.values()], definition.site)
    _cover(shared, writer, definition.site)
    remembered = definition.name in shared.analysis.remembered
    memory, key = identifier("m", definition.name), ", ".join(names.values())
    key = f"({key})" if len(names) != 1 else key
    if remembered:
        writer.line(f"known = S.{memory}")
        writer.line("if known is None:")
        writer.line(f"    known = S.{memory} = {{}}")
        writer.line(f"elif {key} in known:")
        writer.line(f"    return known[{key}]")
    _spend(shared, writer, definition.name)
    value = Emitter(shared, writer, names, [0]).expr(definition.body)
    if remembered:
        writer.line(f"value = {value}")
        writer.line(f"known[{key}] = value")
        value = "value"
    writer.line(f"return {value}")
    return writer


def _tabled(shared: Shared) -> tuple[tuple[str, tuple[ir.Type, ...], str], ...]:
    if shared.settings.cover:
        return ()
    found = []
    for definition in shared.program.definitions:
        if definition.name in shared.analysis.tabled:
            kinds = tuple(parameter.type for parameter in definition.parameters)
            found.append((definition.name, kinds, definition.type.tag))
    return tuple(found)


def _value_table(shared: Shared, table: ir.Table) -> Writer:
    names = _python_names(table.parameters)
    writer = _function(identifier("t", table.name), ["S", *names.values()], table.site)
    _cover(shared, writer, table.site)
    _spend(shared, writer, table.name)
    empty = EMPTY.get(table.type.tag, "-1")
    if table.policy == "collect":
        writer.line(f"result = {empty}")
    counter = [0]
    for row in table.rows:
        writer.site = row.site
        emitter = Emitter(shared, writer, names, counter)
        test = conjunction([cell.test for cell in row.cells if cell.test is not None])
        depth = writer.depth
        if test is not None:
            writer.line(f"if {emitter.expr(test)}:")
            writer.depth += 1
        _cover(shared, writer, row.site)
        assert row.result is not None
        value = emitter.expr(row.result)
        if table.policy == "collect":
            joiner = "|=" if table.type.tag in ("set", "flag") else "+="
            writer.line(f"result {joiner} {value}")
        else:
            writer.line(f"return {value}")
        writer.depth = depth
    if table.policy == "collect":
        writer.line("return result")
    else:
        writer.site = table.site
        writer.line(
            f"return no_row({shared.number(table.site)}, ({', '.join([*names.values(), ''])}))"
            if names
            else f"return no_row({shared.number(table.site)}, ())"
        )
    return writer


def _priorities(shared: Shared) -> list[Writer]:
    writers = []
    for priority in shared.program.priorities:
        names = _python_names(priority.parameters)
        variable = identifier("l", priority.variable)
        key = identifier("key", priority.name)
        arguments = ", ".join(["S", *names.values()])
        writer = _function(key, ["S", *names.values(), variable], priority.site)
        _cover(shared, writer, priority.site)
        emitter = Emitter(shared, writer, {**names, priority.variable: variable}, [0])
        keys = []
        for criterion in priority.criteria:
            writer.site = criterion.site
            value = emitter.expr(criterion.value)
            keys.append(f"-{value}" if criterion.descending else value)
        writer.line(f"return ({', '.join([*keys, ''])})" if keys else "return ()")
        writers.append(writer)
        rank = _function(identifier("rank", priority.name), ["S", *names.values(), "items"], priority.site)
        if priority.tie == "chance":
            rank.line("items = mixed(S, items)")
        rank.line(f"return sorted(items, key=lambda item: {key}({arguments}, item))")
        writers.append(rank)
        best = _function(identifier("best", priority.name), ["S", *names.values(), "items"], priority.site)
        best.line(f"keys = [{key}({arguments}, item) for item in items]")
        best.line("lowest = min(keys)")
        best.line("return tuple(item for item, key in zip(items, keys) if key == lowest)")
        writers.append(best)
    return writers


# ---------------------------------------------------------------- procedures and actions


def _plain(shared: Shared, procedure: ir.Procedure) -> Writer:
    names = _python_names(procedure.parameters)
    writer = _function(function_name(procedure.name), ["S", *names.values()], procedure.site)
    _cover(shared, writer, procedure.site)
    _spend(shared, writer, procedure.name)
    Effects(shared, writer, dict(names), [0]).block(procedure.body)
    return writer


def _why_function(shared: Shared, action: ir.Action) -> Writer:
    names = {action.actor: "actor", **_python_names(action.parameters)}
    writer = _function(identifier("why", action.name), ["S", *names.values()], action.site)
    counter = [0]
    if action.by is not None:
        emitter = Emitter(shared, writer, names, counter)
        writer.line(f"if actor != {emitter.expr(action.by)}:")
        writer.line("    return -2")
    for number, condition in enumerate(action.conditions):
        writer.site = condition.site
        _cover(shared, writer, condition.site)
        writer.line(f"if not {Emitter(shared, writer, names, counter).expr(condition.test)}:")
        writer.line(f"    return {number}")
    writer.line("return -1")
    return writer


def _label_functions(shared: Shared, action: ir.Action) -> list[Writer]:
    names = {action.actor: "actor", **_python_names(action.parameters)}
    writers: list[Writer] = []
    if action.label is not None:
        label = _function(identifier("label", action.name), ["S", *names.values()], action.site)
        label.line(f"return {Emitter(shared, label, names, [0]).expr(action.label)}")
        writers.append(label)
    if action.started is not None:
        started = _function(identifier("started", action.name), ["S", *names.values()], action.site)
        started.line(f"return {Emitter(shared, started, names, [0]).expr(action.started)}")
        writers.append(started)
    for number, condition in enumerate(action.conditions):
        if condition.reason is not None:
            name = f"{identifier('reason', action.name)}_{number}"
            reason = _function(name, ["S", *names.values()], condition.site)
            reason.line(f"return {Emitter(shared, reason, names, [0]).expr(condition.reason)}")
            writers.append(reason)
    return writers


def _drawn_functions(shared: Shared) -> list[Writer]:
    """What is drawn of things, part by part; where nobody looks, only their names, which labels have."""
    return [
        _text_function(shared, f"{identifier('drawn', kind.name)}_{number}_{index}", ["it"], part, drawn.site)
        for kind in shared.program.kinds
        for number, drawn in enumerate(kind.drawn)
        if shared.settings.journal or drawn.part == "name"
        for index, part in enumerate(parts_of_text(drawn.value))
    ]


def _look_functions(shared: Shared) -> list[Writer]:
    """How things look, part by part, because a seat may see some parts and others not; and the status."""
    writers: list[Writer] = []
    for kind in shared.program.kinds:
        if kind.look is None:
            continue
        look = identifier("look", kind.name)
        for number, part in enumerate(parts_of_text(kind.look.text)):
            writers.append(_text_function(shared, f"{look}_{number}", ["it"], part, kind.look.site))
        if kind.look.colour is not None:
            tint = _function(identifier("tint", kind.name), ["S", "it"], kind.look.site)
            tint.line(f"return {Emitter(shared, tint, {'it': 'it'}, [0]).expr(kind.look.colour)}")
            writers.append(tint)
    for number, status in enumerate(shared.program.status):
        for index, part in enumerate(parts_of_text(status.text)):
            writers.append(_text_function(shared, f"status_{number}_{index}", [], part, status.site))
        for word, amount in (("value", status.value), ("of", status.of)):
            if amount is not None:
                writers.append(_text_function(shared, f"status_{number}_{word}", [], amount, status.site))
        test = _function(f"status_{number}", ["S"], status.site)
        condition = status.condition
        value = Emitter(shared, test, {}, [0]).expr(condition) if condition is not None else "True"
        test.line(f"return {value}")
        writers.append(test)
    return writers


def parts_of_text(text: ir.Expression) -> tuple[ir.Expression, ...]:
    """The stretches of a text, each a text of its own."""
    if not isinstance(text, ir.Format):
        return (text,)
    return tuple(
        ir.Const(value=part, type=ir.TEXT) if isinstance(part, str) else ir.Format(parts=(part,))
        for part in text.parts
    )


def _text_function(
    shared: Shared, name: str, parameters: list[str], text: ir.Expression, site: ir.Site
) -> Writer:
    writer = _function(name, ["S", *parameters], site)
    names = {parameter: parameter for parameter in parameters}
    writer.line(f"return {Emitter(shared, writer, names, [0]).expr(text)}")
    return writer


# ---------------------------------------------------------------- victory, score, start


def _score_function(shared: Shared) -> Writer:
    score = shared.program.score
    if score is None:
        return Writer()
    names = _python_names(score.parameters)
    writer = _function("score_of", ["S", *names.values()], score.site)
    writer.line(f"return {Emitter(shared, writer, names, [0]).expr(score.body)}")
    return writer


def _measures_function(shared: Shared) -> Writer:
    writer = _function("measures_of", ["S"], ir.NOWHERE)
    values = Emitter(shared, writer, {}, [0])
    writer.line("found = []")
    for measure in shared.program.measures:
        writer.site, depth = measure.site, writer.depth
        if measure.condition is not None:
            writer.line(f"if {values.expr(measure.condition)}:")
            writer.depth += 1
        writer.line(f"found.append(({values.expr(measure.title)}, {values.expr(measure.value)}))")
        writer.depth = depth
    writer.line("return tuple(found)")
    return writer


def _start_functions(shared: Shared, layout: Layout) -> list[Writer]:
    """Start values (they may depend on fixed attributes, so the game works them out), and who sees what."""
    start = _function("start_values", ["S"], ir.NOWHERE)
    for name, expression in layout.starts:
        start.line(f"START[{quoted(name)}] = {Emitter(shared, start, {}, [0]).expr(expression)}")
    start.line("return")
    writers = [start]
    for number, rule in enumerate(layout.visibility):
        for place, grant in enumerate(rule.grants):
            if grant.condition is None:
                continue
            seen = _function(f"seen_{number}_{place}", ["S", "it"], ir.NOWHERE)
            seen.line(f"return {Emitter(shared, seen, {'it': 'it'}, [0]).expr(grant.condition)}")
            writers.append(seen)
    return writers


#: Takes an option and goes on to the next choice. Every playout spends its time here, so it stands in the
#: generated code.
_TAKE = """def take(self, index):
    self.answer = self.options[index]
    self.past = (index, self.past)
    self.count += 1
    self.fuel = NO_STATE.fuel = STEP_LIMIT
    stack = self.stack
    try:
        if self.count > CHOICE_LIMIT:
            too_many_choices()
        while True:
            frame = stack[-1]
            if BLOCKS[frame[0]](self, frame):
                return
    except GameOver:
        self._finish()
    except Exception as problem:
        raise self.game.failed(self, problem) from problem"""


def _state_class(shared: Shared, layout: Layout) -> Writer:
    """A state with one slot for each column, and a copy that copies them one by one."""
    writer = Writer()
    memories = [identifier("m", name) for name in shared.analysis.remembered]
    sets = [slot(name) for name in shared.kept]
    slots = [*layout.columns, *layout.variables, *memories, *sets]
    writer.line("class GameState(State):")
    writer.depth = 1
    writer.line(f"__slots__ = {quoted(tuple(slots))}")
    writer.line(f"COLUMNS = {quoted(layout.columns)}")
    writer.line(f"VARIABLES = {quoted(layout.variables)}")
    writer.line(f"MEMORIES = {quoted((*memories, *sets))}")
    writer.line("")
    for line in copy_lines(shared.program, layout, memories, sets):
        writer.line(line)
    writer.line("")
    for line in _TAKE.splitlines():
        writer.line(line)
    return writer


def _entry(entry: Entry) -> tuple[str, int, int]:
    return entry.procedure, entry.block, len(entry.slots) + 1


def _tables(shared: Shared, asks: list[Ask]) -> Writer:
    writer = Writer()
    for entry in shared.lowered.entries:
        name, number, size = _entry(entry)
        writer.line(f"{identifier('ENTRY', name)} = ({number}, {size})")
    names = [block_name(number, block) for number, block in enumerate(shared.lowered.blocks)]
    writer.line(f"BLOCKS = [{', '.join(names)}]")
    actions = []
    for action in shared.program.actions:
        name = f"action {action.name}"
        asking = name in shared.analysis.asking
        actions.append(f"(None, {identifier('ENTRY', name)})" if asking else f"({function_name(name)}, None)")
    writer.line(f"ACTIONS = [{', '.join(actions)}]")
    writer.line(f"PROMPTS = [{', '.join(ask.prompt or 'None' for ask in asks)}]")
    labels = [f"({''.join(f'{label}, ' for label in ask.labels)})" for ask in asks]
    writer.line(f"LABELS = [{', '.join(labels)}]")
    return writer
