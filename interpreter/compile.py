"""From a program to Python source that a person can read, and from that to code.

The result depends on the program alone, not on a scenario: the game gives the code its data (columns, boards,
names) as globals. `Code` also keeps, for each line, the place in the rules that it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import CodeType

from interpreter import ir
from interpreter.analysis import analyse, identifier, parts, procedure_writes
from interpreter.blocks import Ask, Blocks, Cutter, reachable, thread
from interpreter.direct import direct_function, playout_function
from interpreter.effects import EMPTY, Effects, function_name
from interpreter.emit import Emitter, Settings, Shared, Writer, type_key
from interpreter.inline import inline_single_calls
from interpreter.kept import keeper_lines, kept_columns, slot
from interpreter.layout import Layout, copy_lines, layout_of
from interpreter.narrowing import conjunction
from interpreter.offers import domain_of, write_options
from interpreter.standing import standing_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    source: str
    code: CodeType
    lines: tuple[ir.Site, ...]  # for each line of the source
    sites: tuple[ir.Site, ...]  # numbered places: journal, coverage
    asks: tuple[Ask, ...]
    refs: tuple[tuple[str, str, str], ...]  # constant, tag, id
    tabled: tuple[
        tuple[str, tuple[str, ...], str], ...
    ]  # function, kinds of its parameters, tag of its result
    entries: tuple[tuple[str, int, int], ...]  # procedure, first block, size of its frame
    frames: tuple[tuple[int, tuple[tuple[str, str], ...]], ...]  # block -> its locals and their types
    statics: tuple[tuple[int, str], ...]  # tests that nothing changes: number, kind
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
    playouts: bool = True,
    remember: bool = True,
) -> Code:
    """Compiles a program; `journal` and `cover` choose the edition, `playouts` adds the one without stops.

    Without `remember`, definitions are worked out whenever somebody asks: to see what remembering is worth.
    """
    shared = _shared(program, journal, cover)
    if not remember:
        shared.analysis.remembered.clear()
    layout = layout_of(program, shared)
    main = Writer()
    main.line(f'"""{program.title}: generated from the rules; do not edit."""')
    blocks = Blocks(shared)
    for writer in [
        _state_class(shared, layout),
        *[_definition(shared, definition) for definition in program.definitions],
        *[_value_table(shared, table) for table in program.tables if table.type != ir.EFFECT],
        *_priorities(shared),
    ]:
        _append(main, writer)
    for procedure in _merged_procedures(shared):
        if procedure.name == "turn":
            continue
        if procedure.name in shared.analysis.asking:
            Cutter(blocks, procedure.name, procedure.parameters, procedure.body).cut()
        else:
            _append(main, _plain(shared, procedure))
    _main_loop(blocks)
    for group in sorted(
        {group for action in program.actions for group in action.groups}
        | {a.group for a in blocks.asks if a.group}
    ):
        _append(main, _offer_function(shared, group))
    for action in program.actions:
        _append(main, _why_function(shared, action))
        for writer in _label_functions(shared, action):
            _append(main, writer)
    for writer in _look_functions(shared) if journal else ():
        _append(main, writer)
    _append(main, _victory_function(shared))
    _append(main, _score_function(shared))
    _append(main, _measures_function(shared))
    for writer in _start_functions(shared, layout):
        _append(main, writer)
    for writer in blocks.texts:
        _append(main, writer)
    functions = thread(blocks.functions)
    kept = reachable(functions, blocks.entry.values())
    for number in sorted(kept):
        _append(main, functions[number])
    if playouts and not journal and not cover:
        _direct_edition(shared, main)
    statics = _static_tests(shared, main)
    _append(main, _sets(shared))
    _append(main, _tables(shared, blocks, kept))
    source = "\n".join(main.lines) + "\n"
    code = compile(source, f"<rules {program.name}>", "exec")
    return Code(
        source=source, code=code, lines=tuple(main.sites), sites=tuple(shared.sites), asks=tuple(blocks.asks),
        refs=tuple((name, tag, ident) for (tag, ident), name in shared.refs.items()),
        tabled=_tabled(shared), entries=_entries(blocks), frames=tuple(sorted(blocks.frames.items())),
        statics=statics, having=tuple(sorted(shared.having)), rows=tuple(sorted(shared.lines)),
        layout=layout, journal=journal, cover=cover,
    )  # fmt: skip


def _direct_edition(shared: Shared, main: Writer) -> None:
    """The functions for mass playouts, beside the blocks for games that stop."""
    procedures = _merged_procedures(shared)
    for procedure in procedures:
        if procedure.name in shared.analysis.asking and procedure.name != "turn":
            if not any(isinstance(part, ir.Take) for part in parts(procedure.body)):
                _append(main, direct_function(shared, procedure))
    by_name = {procedure.name: procedure for procedure in procedures}
    _append(main, playout_function(shared, by_name["setup"], by_name["turn"]))
    for number, (found, *_) in shared.standing.items() if shared.stood else ():
        for writer in standing_lines(shared, number, found):
            _append(main, writer)


def _sets(shared: Shared) -> Writer:
    """The functions that make the sets by value of a state; rows with the space that they go through last."""
    writer = Writer()
    for name, kinds in shared.kept.items():
        for line in keeper_lines(shared.program, name, kinds):
            writer.line(line)
        writer.line("")
        writer.line("")
    for length in sorted(shared.rows):
        writer.line(f"ROWS_{length} = with_self_last(LINES_{length})")
    writer.line(f"KEEPERS = ({''.join(f'keep_{name}, ' for name in shared.kept)})")
    return writer


def _static_tests(shared: Shared, main: Writer) -> tuple[tuple[int, str], ...]:
    """Functions for tests and keys that nothing in play can change; writing one may bring up another."""
    for (gather, variable, key), number in list(shared.bests.items()):
        writer = _function(f"key_of_{number}", ["S", "it"], ir.NOWHERE)
        writer.line(f"return {Emitter(shared, writer, {variable: 'it'}, [0]).expr(key)}")
        _append(main, writer)
        main.line("")
        main.line("")
        main.line(f"BEST_{number} = best_by(key_of_{number}, {gather == 'highest'})")
    done: list[tuple[int, str]] = []
    while len(done) < len(shared.statics):
        (kind, variable, test), number = list(shared.statics.items())[len(done)]
        writer = _function(f"z_{number}", ["S", "it"], ir.NOWHERE)
        writer.line(f"return {Emitter(shared, writer, {variable: 'it'}, [0]).expr(test)}")
        _append(main, writer)
        done.append((number, kind))
    return tuple(done)


def _merged_procedures(shared: Shared) -> list[ir.Procedure]:
    """All procedures, with victory checks; those that may ask and are called from one place are put there."""
    program = shared.program
    procedures = [*program.procedures, *_effect_tables(shared), *_action_procedures(program)]
    if program.victories:
        procedures = [
            replace(p, body=(*_checked_on_leaving(p.body), ir.CheckVictory(site=p.site)))
            if p.name.startswith("phase ")
            else p
            for p in procedures
        ]
    if shared.settings.cover:
        procedures = [
            replace(p, body=(ir.Touch(site=p.site), *p.body))
            if p.site.rule and p.name in shared.analysis.asking
            else p
            for p in procedures
        ]
    return inline_single_calls(procedures, shared.analysis)


def _checked_on_leaving(body: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    """The body of a phase, which may be left before its end: then, too, victory is looked at."""
    result: list[ir.Statement] = []
    for s in body:
        match s:
            case ir.Leave():
                result += [ir.CheckVictory(site=s.site), s]
            case ir.If():
                then, otherwise = _checked_on_leaving(s.then), _checked_on_leaving(s.otherwise)
                result.append(replace(s, then=then, otherwise=otherwise))
            case ir.ForEach() | ir.Repeat():
                result.append(replace(s, body=_checked_on_leaving(s.body)))
            case ir.Menu():
                cases = tuple(replace(case, body=_checked_on_leaving(case.body)) for case in s.cases)
                result.append(replace(s, cases=cases))
            case _:
                result.append(s)
    return tuple(result)


def _shared(program: ir.Program, journal: bool, cover: bool) -> Shared:
    shared = Shared(program, analyse(program), Settings(journal, cover))
    if cover:  # tables are filled before any rule runs; what is remembered is touched by whoever asks first
        shared.analysis.remembered.update({name: frozenset() for name in shared.analysis.tabled})
        shared.analysis.tabled = set()
    shared.definitions = {definition.name: definition for definition in program.definitions}
    shared.tables = {table.name: table for table in program.tables}
    shared.bodies = {name: definition.body for name, definition in shared.definitions.items()}
    shared.bodies.update({name: table.rows for name, table in shared.tables.items()})
    shared.writes = procedure_writes(program)
    shared.kept = kept_columns(program)
    pieces = [kind.name for kind in program.kinds if kind.owner in ("piece", "card")]
    shared.only_pieces = identifier(f"M_{pieces[0]}") if len(pieces) == 1 else ""
    return shared


def _append(main: Writer, writer: Writer) -> None:
    if not writer.lines:
        return
    writer = writer.finished()
    main.site = writer.sites[0]
    main.line("")
    main.line("")
    site = next((site for site in writer.sites if site.rule), None)
    if site is not None and writer.lines[0].startswith("def "):
        main.site = site
        main.line(f"# rule {site.rule}, {site.file}:{site.line}")
    main.take(writer)


def _function(name: str, parameters: list[str], site: ir.Site) -> Writer:
    writer = Writer(site=site)
    writer.line(f"def {name}({', '.join(parameters)}):")
    writer.depth = 1
    return writer


def _python_names(parameters: tuple[ir.Parameter, ...]) -> dict[str, str]:
    return {parameter.name: identifier(f"l_{parameter.name}") for parameter in parameters}


def _cover(shared: Shared, writer: Writer, site: ir.Site) -> None:
    if shared.settings.cover and site.rule:
        writer.line(f"COVER.add({shared.number(site)})")


# ---------------------------------------------------------------- definitions, tables, priorities


def _definition(shared: Shared, definition: ir.Definition) -> Writer:
    names = _python_names(definition.parameters)
    name = f"d_{identifier(definition.name)}"
    writer = _function(name, ["S", *names.values()], definition.site)
    _cover(shared, writer, definition.site)
    remembered = definition.name in shared.analysis.remembered
    memory, key = f"m_{identifier(definition.name)}", ", ".join(names.values())
    key = f"({key})" if len(names) != 1 else key
    if remembered:
        writer.line(f"known = S.{memory}")
        writer.line("if known is None:")
        writer.line(f"    known = S.{memory} = {{}}")
        writer.line(f"elif {key} in known:")
        writer.line(f"    return known[{key}]")
    value = Emitter(shared, writer, names, [0]).expr(definition.body)
    if remembered:
        writer.line(f"value = {value}")
        writer.line(f"known[{key}] = value")
        value = "value"
    writer.line(f"return {value}")
    return writer


def _tabled(shared: Shared) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    if shared.settings.cover:
        return ()
    found = []
    for definition in shared.program.definitions:
        if definition.name in shared.analysis.tabled:
            kinds = tuple(type_key(parameter.type) for parameter in definition.parameters)
            found.append((identifier(definition.name), kinds, definition.type.tag))
    return tuple(found)


def _value_table(shared: Shared, table: ir.Table) -> Writer:
    names = _python_names(table.parameters)
    writer = _function(f"t_{identifier(table.name)}", ["S", *names.values()], table.site)
    _cover(shared, writer, table.site)
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


def _effect_tables(shared: Shared) -> list[ir.Procedure]:
    """Tables of effects become procedures: a chain of tests, or all of them for `collect`."""
    made = []
    for table in shared.program.tables:
        if table.type != ir.EFFECT:
            continue
        chain: list[ir.Statement] = []
        for row in reversed(table.rows):
            test = conjunction([cell.test for cell in row.cells if cell.test is not None]) or ir.Const(
                value=True, type=ir.FLAG
            )
            effects = (ir.Touch(site=row.site), *row.effects) if shared.settings.cover else row.effects
            if table.policy == "collect":
                chain = [ir.If(condition=test, then=effects, otherwise=(), site=row.site), *chain]
            else:
                chain = [ir.If(condition=test, then=effects, otherwise=tuple(chain), site=row.site)]
        made.append(
            ir.Procedure(name=table.name, parameters=table.parameters, body=tuple(chain), site=table.site)
        )
    return made


def _priorities(shared: Shared) -> list[Writer]:
    writers = []
    for priority in shared.program.priorities:
        names = _python_names(priority.parameters)
        variable = identifier(f"l_{priority.variable}")
        name = identifier(priority.name)
        arguments = ", ".join(["S", *names.values()])
        writer = _function(f"key_{name}", ["S", *names.values(), variable], priority.site)
        _cover(shared, writer, priority.site)
        emitter = Emitter(shared, writer, {**names, priority.variable: variable}, [0])
        keys = []
        for criterion in priority.criteria:
            writer.site = criterion.site
            value = emitter.expr(criterion.value)
            keys.append(f"-{value}" if criterion.descending else value)
        writer.line(f"return ({', '.join([*keys, ''])})" if keys else "return ()")
        writers.append(writer)
        rank = _function(f"rank_{name}", ["S", *names.values(), "items"], priority.site)
        if priority.tie == "chance":
            rank.line("items = mixed(S, items)")
        rank.line(f"return sorted(items, key=lambda item: key_{name}({arguments}, item))")
        writers.append(rank)
        best = _function(f"best_{name}", ["S", *names.values(), "items"], priority.site)
        best.line(f"keys = [key_{name}({arguments}, item) for item in items]")
        best.line("lowest = min(keys)")
        best.line("return tuple(item for item, key in zip(items, keys) if key == lowest)")
        writers.append(best)
    return writers


# ---------------------------------------------------------------- procedures and actions


def _plain(shared: Shared, procedure: ir.Procedure) -> Writer:
    names = _python_names(procedure.parameters)
    prefix = "t_" if procedure.name in shared.tables else ""
    name = f"t_{identifier(procedure.name)}" if prefix else function_name(procedure.name)
    writer = _function(name, ["S", *names.values()], procedure.site)
    _cover(shared, writer, procedure.site)
    effects = Effects(shared, writer, dict(names), [0])
    if procedure.name.startswith("action ") and " as of " not in procedure.name:
        effects.certain.update(names.values())  # an action is only done with things that are there
    effects.block(procedure.body)
    return writer


def _action_procedures(program: ir.Program) -> list[ir.Procedure]:
    made = []
    for action in program.actions:
        actor = ir.Parameter(name=action.actor, type=ir.PLAYER)
        made.append(
            ir.Procedure(
                name=f"action {action.name}",
                parameters=(actor, *action.parameters),
                body=action.body,
                site=action.site,
            )
        )
    return made


def _offer_function(shared: Shared, group: str) -> Writer:
    writer = _function(f"offer_{identifier(group)}", ["S", "actor", "o"], ir.NOWHERE)
    for number, action in enumerate(shared.program.actions):
        if group in action.groups:
            writer.site = action.site
            write_options(shared, writer, number, action, "actor")
    writer.line("return")
    return writer


def _why_function(shared: Shared, action: ir.Action) -> Writer:
    names = {action.actor: "actor", **_python_names(action.parameters)}
    writer = _function(f"why_{identifier(action.name)}", ["S", *names.values()], action.site)
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
        label = _function(f"label_{identifier(action.name)}", ["S", *names.values()], action.site)
        label.line(f"return {Emitter(shared, label, names, [0]).expr(action.label)}")
        writers.append(label)
    for number, condition in enumerate(action.conditions):
        if condition.reason is not None:
            name = f"reason_{identifier(action.name)}_{number}"
            reason = _function(name, ["S", *names.values()], condition.site)
            reason.line(f"return {Emitter(shared, reason, names, [0]).expr(condition.reason)}")
            writers.append(reason)
    return writers


def _look_functions(shared: Shared) -> list[Writer]:
    """How things look, part by part, because a seat may see some parts and others not; and the status."""
    writers: list[Writer] = []
    for kind in shared.program.kinds:
        if kind.look is None:
            continue
        name = identifier(kind.name)
        for number, part in enumerate(parts_of_text(kind.look.text)):
            writers.append(_text_function(shared, f"look_{name}_{number}", ["it"], part, kind.look.site))
        if kind.look.colour is not None:
            tint = _function(f"tint_{name}", ["S", "it"], kind.look.site)
            tint.line(f"return {Emitter(shared, tint, {'it': 'it'}, [0]).expr(kind.look.colour)}")
            writers.append(tint)
    for number, status in enumerate(shared.program.status):
        for index, part in enumerate(parts_of_text(status.text)):
            writers.append(_text_function(shared, f"status_{number}_{index}", [], part, status.site))
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


def _victory_function(shared: Shared) -> Writer:
    writer = _function("check_victory", ["S"], ir.NOWHERE)
    counter = [0]
    for victory in shared.program.victories:
        writer.site = victory.site
        names: dict[str, str] = {}
        depth = writer.depth
        for parameter in victory.parameters:
            emitter = Emitter(shared, writer, names, counter)
            _, inner = emitter.loop(parameter.name, domain_of(parameter))
            names[parameter.name] = inner.names[parameter.name]
        writer.line(f"if {Emitter(shared, writer, names, counter).expr(victory.condition)}:")
        writer.depth += 1
        _cover(shared, writer, victory.site)
        Effects(shared, writer, names, counter).block(victory.body)
        writer.depth = depth
    writer.line("return")
    return writer


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
        depth = writer.depth
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
        start.line(f"START[{name!r}] = {Emitter(shared, start, {}, [0]).expr(expression)}")
    start.line("return")
    writers = [start]
    for number, (_, condition) in enumerate(layout.visibility):
        seen = _function(f"seen_{number}", ["S", "it"], ir.NOWHERE)
        seen.line(f"return {Emitter(shared, seen, {'it': 'it'}, [0]).expr(condition)}")
        writers.append(seen)
    return writers


#: Takes an option and goes on to the next choice. Every playout spends its time here, so it stands in the
#: generated code.
_TAKE = """def take(self, index):
    self.answer = self.options[index]
    self.past = (index, self.past)
    self.count += 1
    self.fuel = STEP_LIMIT
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
    memories = [f"m_{identifier(name)}" for name in shared.analysis.remembered]
    sets = [slot(name) for name in shared.kept]
    slots = [*layout.columns, *layout.variables, *memories, *sets]
    writer.line("class GameState(State):")
    writer.depth = 1
    writer.line(f"__slots__ = {tuple(slots)!r}")
    writer.line(f"COLUMNS = {tuple(layout.columns)!r}")
    writer.line(f"VARIABLES = {tuple(layout.variables)!r}")
    writer.line(f"MEMORIES = {(*memories, *sets)!r}")
    writer.line("")
    for line in copy_lines(shared.program, layout, memories, sets):
        writer.line(line)
    writer.line("")
    for line in _TAKE.splitlines():
        writer.line(line)
    return writer


def _main_loop(blocks: Blocks) -> None:
    """Sets up, then plays turn after turn until the game ends."""
    setup = ir.Perform(name="setup", arguments=(), site=ir.NOWHERE)
    turn = next(p for p in _merged_procedures(blocks.shared) if p.name == "turn")
    cutter = Cutter(blocks, "main", (), (setup,))
    first = cutter.start()
    blocks.entry["main"] = first
    cutter._declare(turn.body)
    cutter.statements((setup,))
    head = cutter.reserve()
    cutter.goto(head)
    cutter.open(head)
    cutter.line("next_turn(S)")
    cutter.effects.forget({"turn"})
    cutter.statements(turn.body)
    cutter.goto(head)
    for number in cutter.numbers:
        blocks.frames[number] = tuple(cutter.slot_types)


def _entries(blocks: Blocks) -> tuple[tuple[str, int, int], ...]:
    return tuple(
        (name, number, len(blocks.frames.get(number, ())) + 1) for name, number in blocks.entry.items()
    )


def _tables(shared: Shared, blocks: Blocks, kept: set[int]) -> Writer:
    writer = Writer()
    for name, number, size in _entries(blocks):
        writer.line(f"{identifier(f'ENTRY_{name}')} = ({number}, {size})")
    names = [name if number in kept else "None" for number, name in enumerate(blocks.names)]
    writer.line(f"BLOCKS = [{', '.join(names)}]")
    actions = []
    for action in shared.program.actions:
        name = f"action {action.name}"
        asking = name in shared.analysis.asking
        actions.append(
            f"(None, {identifier(f'ENTRY_{name}')})" if asking else f"({function_name(name)}, None)"
        )
    writer.line(f"ACTIONS = [{', '.join(actions)}]")
    writer.line(f"PROMPTS = [{', '.join(ask.prompt or 'None' for ask in blocks.asks)}]")
    labels = [f"({''.join(f'{label}, ' for label in ask.labels)})" for ask in blocks.asks]
    writer.line(f"LABELS = [{', '.join(labels)}]")
    return writer
