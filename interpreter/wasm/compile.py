"""From a lowered program and a game's data to a whole module: its text, and what the host must know of it."""

from __future__ import annotations

import struct
from typing import TypeGuard

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.machine.game import Game
from interpreter.passes.conditions import Early
from interpreter.passes.cutting import MAIN
from interpreter.passes.endings import values_in
from interpreter.passes.lowered import Lowered
from interpreter.wasm.frames import frame_of
from interpreter.wasm.layout import OPTIONS, make_layout
from interpreter.wasm.plan import COPIES, LARGEST_SCORE, THINKING, Plan
from interpreter.wasm.runtime.core import GLOBALS, filled, runtime
from interpreter.wasm.runtime.drive import COPY_HEAD, drive
from interpreter.wasm.shapes import Shapes
from interpreter.wasm.writing import blocks, definitions
from interpreter.wasm.writing.context import Context
from interpreter.wasm.writing.wat import Function, Module

#: Lists of places that are near each other, and lines of sight, are kept in this much memory.
_HEAP = 1 << 20
#: A copy of a position has this much room for frames and options.
_COPIED_FRAMES = 1 << 16
_COPIED_OPTIONS = 1 << 18
#: So many pages of 64 kB may a module use.
_PAGES = 16_384


#: So many parts may a definition have that is written wherever it is called.
_SMALL = 40


def compile_wasm(
    game: Game, lowered: Lowered, longest: int = 0, exported: bool = False, watched: bool = False
) -> Plan:
    """Writes the module of a game; lists that a position holds can be at least `longest`.

    With `exported`, every definition can be called from outside. With `watched`, every function says when it
    runs, so that one can look where the time goes.
    """
    context = _context(game, lowered, longest)
    module = context.module
    for definition in lowered.program.definitions:
        if exported or definition.name not in context.in_place:
            definitions.write_definition(context, definition)
    for table in lowered.program.tables:
        if table.type != ir.EFFECT:
            definitions.write_table(context, table)
    for priority in lowered.program.priorities:
        definitions.write_priority(context, priority)
    for static in lowered.statics:
        definitions.write_static(context, static)
    for steps in lowered.steps:
        definitions.write_steps(context, steps)
    for name in sorted(context.rows):
        definitions.write_row(context, context.definitions[name])
    for procedure in lowered.procedures:
        blocks.write_procedure(context, procedure)
    for number, block in enumerate(lowered.blocks):
        blocks.write_block(context, number, block)
    for group, listings in lowered.listings:
        blocks.write_listing(context, group, listings, _stride(lowered, group))
    _write_score(context)
    _write_measures(context)
    if exported:
        for name, function in module.functions.items():
            if name.startswith("d_"):
                function.export = name
    place = module.reserve(8) if watched else 0
    for number, function in enumerate(module.functions.values() if watched else (), start=1):
        function.watch = (place, number)
    return _assembled(context, module, place)


def _context(game: Game, lowered: Lowered, longest: int) -> Context:
    module = Module()
    shapes = Shapes(game, longest)
    epochs = list(dict.fromkeys(frozenset(reads) for reads in lowered.analysis.remembered.values()))
    layout = make_layout(module, shapes, game.code.layout.attributes, dict(lowered.kept), epochs)
    context = Context(game, lowered, module, shapes, layout)
    program = lowered.program
    context.text("")
    context.site(ir.NOWHERE)
    context.definitions = {one.name: one for one in program.definitions}
    context.tables = {one.name: one for one in program.tables}
    context.priorities = {one.name: one for one in program.priorities}
    context.enums = frozenset(enum.name for enum in program.enums)
    context.parameters = {one.name: one.parameters for one in lowered.procedures}
    context.frames = {entry.procedure: frame_of(shapes, entry) for entry in lowered.entries}
    context.strides = tuple(
        _stride(lowered, question.group) if question.sort == "offer" else 8 for question in lowered.questions
    )
    context.ending = frozenset(_ending(lowered))
    context.rows = frozenset(_rows(context))
    context.in_place = frozenset(_in_place(context))
    return context


def _in_place(context: Context) -> set[str]:
    """The definitions that are written where they are called, more of them than in Python.

    A call takes as long as a score of instructions, which matters inside of loops. Nothing is written in
    another one of these, or code could double at every call; nor what takes lists from the stack, which only
    the end of a function gives back.
    """
    analysis = context.lowered.analysis
    kept = {*analysis.remembered, *analysis.tabled, *analysis.branching, *context.rows}
    found = set(analysis.inlined)
    for name, definition in context.definitions.items():
        if name in kept:
            continue
        walked = {id(part.source) for part in parts(definition.body) if _walks(part)}
        for size, part in enumerate(parts(definition.body)):
            made = getattr(part, "type", None)
            listed = isinstance(made, ir.Type) and made.tag in ("list", "text") and id(part) not in walked
            called = isinstance(part, ir.Call) and part.name not in analysis.inlined
            if size > _SMALL or listed or called:
                break
        else:
            found.add(name)
    return found


def _walks(part: object) -> TypeGuard[ir.Quantify]:
    """Whether something goes along a line without making a list of it."""
    return isinstance(part, ir.Quantify) and part.gather != "list" and isinstance(part.source, ir.Along)


def _stride(lowered: Lowered, group: str) -> int:
    """How many bytes an option takes that is an action of this group."""
    sizes = [len(action.parameters) for action in lowered.program.actions if group in action.groups]
    return 8 + 8 * max(sizes, default=0)


def _ending(lowered: Lowered) -> set[str]:
    """The procedures that may end the game."""
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for procedure in lowered.procedures:
            if procedure.name in found:
                continue
            for part in parts(procedure.body):
                called = isinstance(part, ir.Perform) and part.name in found
                if called or isinstance(part, (ir.EndGame, ir.NextTurn)):
                    found.add(procedure.name)
                    changed = True
                    break
    return found


def _rows(context: Context) -> set[str]:
    """The definitions by which pieces are looked up by place; not those that could fail at some of them."""
    found = set()
    early = Early(context.lowered.program, context.lowered.analysis)
    everything = (
        context.lowered.program, context.lowered.procedures, context.lowered.blocks, context.lowered.listings,
    )  # fmt: skip
    for part in parts(everything):
        if isinstance(part, ir.ContentsWhere):
            definition = context.definitions[part.definition]
            if not early.may_fail(definition.body) and definitions.row_fits(context, definition):
                found.add(part.definition)
    return found


def _write_score(context: Context) -> None:
    """What the ruleset says a position is worth for a player; 0 if it says nothing."""
    score = context.lowered.program.score
    if score is None:
        context.module.add(_no_score())
        return
    f, values = definitions.begin(context, "score", score.parameters, ir.NUMBER, score.site)
    f.export = "score"
    f.leave(values.number(score.body))
    context.module.add(f)


def _no_score() -> Function:
    f = Function(name="score", parameters=[("player", "i32")], result="i64", export="score")
    f.leave("(i64.const 0)")
    return f


def _write_measures(context: Context) -> None:
    """What is told of a finished game: each number, and whether it is told."""
    for number, measure in enumerate(context.lowered.program.measures):
        f, values = definitions.begin(context, f"measure_{number}", (), ir.NUMBER, measure.site)
        f.export = f.name
        f.leave(values.number(measure.value))
        context.module.add(f)
        if measure.condition is not None:
            f, values = definitions.begin(context, f"measured_{number}", (), ir.FLAG, measure.site)
            f.export = f.name
            f.leave(values.flag(measure.condition))
            context.module.add(f)


# ---------------------------------------------------------------- the whole


def _assembled(context: Context, module: Module, watched: int) -> Plan:
    game, layout = context.game, context.layout
    numbers = _board_numbers(context)
    main = context.frames[MAIN]
    size = layout.frames - layout.start
    template = module.reserve(size, 64)
    playing, drawing = module.reserve(8), module.reserve(8)
    wins = module.reserve(8 * (len(game.players) + 1))
    sides, leads = module.reserve(16 * len(game.players)), module.reserve(16)
    mixed = module.reserve(4 * OPTIONS)
    strides = context.bytes("strides", struct.pack(f"<{len(context.strides)}i", *context.strides))
    offers = context.bytes("offers", bytes(one.sort == "offer" for one in context.lowered.questions))
    endings = context.bytes(
        "endings", bytes([0, *(one.lost | 2 * bool(one.ranking) for one in context.lowered.endings)])
    )
    noted = context.room("noted", 8 * definitions.NOTED)
    heap = module.reserve(_HEAP)
    places = context.shapes.places
    sighted = any("$barriers" in line for f in module.functions.values() for line in f.lines)
    seen = module.reserve(4 * places * places) if sighted else 0
    arena = module.reserve(4 * _HEAP) if sighted else 0
    copy_size = COPY_HEAD + size + _COPIED_FRAMES + _COPIED_OPTIONS
    copies = module.reserve(COPIES * copy_size, 64)
    scratch = module.reserve(0, 65_536)
    numbers |= {"scratch": scratch, "heap": heap, "heap_full": heap + _HEAP - 8 * places - 8}
    numbers |= {"seen": seen, "distance_queue": 4 * places + 4}
    driving: dict[str, object] = {
        "template": template, "main": main.block, "main_size": main.size, "strides": strides,
        "offers": offers, "mixed": mixed,
        "playing": playing, "drawing": drawing, "players": len(game.players), "nobody": 8 * len(game.players),
        "sides": sides, "leads": leads, "endings": endings, "thinking": copies + THINKING * copy_size,
        "present": game.present,
        "scored": int(context.lowered.program.score is not None), "largest": LARGEST_SCORE,
    }  # fmt: skip
    assert module.size == scratch, "nothing may be given out behind the stack"
    functions = [f.text() for f in module.functions.values()]
    names = " ".join(f"$b{number}" for number in range(len(context.lowered.blocks)))
    pages = scratch // 65_536 + 16
    text = "\n".join(
        [
            "(module",
            '  (import "host" "barriers" (func $find_barriers (param i32 i32) (result i32)))',
            '  (import "host" "line" (func $line_between (param i32 i32 i32)))',
            f'  (memory (export "memory") {pages} {_PAGES})',
            filled(GLOBALS, numbers),
            f"  (table {len(context.lowered.blocks)} funcref)",
            f"  (elem (i32.const 0) {names})",
            runtime(layout, game.limits, numbers),
            drive(layout, game.limits, driving),
            *functions,
            ")",
        ]
    )
    lowered = context.lowered
    return Plan(
        text=text, filled=tuple(module.filled), longest=context.shapes.longest, layout=layout,
        frames=context.frames, procedures=tuple(block.procedure for block in lowered.blocks),
        questions=tuple(
            (one.sort, one.type, size) for one, size in zip(lowered.questions, context.strides, strict=True)
        ),
        actions=tuple(tuple(p.type for p in one.parameters) for one in lowered.program.actions),
        endings=tuple(tuple(value.type for value in values_in(one.text)) for one in lowered.endings),
        kept=lowered.kept,
        rows=tuple((one.site, tuple(p.type for p in one.parameters)) for one in lowered.program.tables),
        sites=tuple(context.sites), texts=tuple(context.texts), template=template, noted=noted,
        playing=playing, wins=wins, sides=sides, leads=leads, seen=seen, arena=arena, copies=copies,
        copy_size=copy_size, scratch=scratch, watched=watched,
        functions=(("", ""), *((f.name, f.rule) for f in module.functions.values() if watched)),
    )  # fmt: skip


def _board_numbers(context: Context) -> dict[str, object]:
    """The tables that the runtime reads."""
    game, board = context.game, context.game.board
    places = context.shapes.places
    grids = [(board.grid_of[n], *board.positions[n]) for n in range(places)]
    flat = [-1, 0, 0, *(number for entry in grids for number in entry)]
    sorts = [0 if one.shape == "hex" else 1 if one.adjacency == "all" else 2 for one in board.layouts] or [0]
    near = context.neighbour_lists(False)
    edges = [tuple(board.edge_of(n, other) for other in board.neighbour_list[n]) for n in range(places)]
    one_grid = all(grid == 0 for grid in board.grid_of[:-1])
    row = 0 if one_grid else 2 * places
    piles = range(len(game.spaces), places)
    return {
        "grids": context.bytes("grids", struct.pack(f"<{len(flat)}i", *flat)) + 12,
        "sorts": context.bytes("sorts", struct.pack(f"<{len(sorts)}i", *sorts)),
        "near": near,
        "edges": context.lists("edges", [*edges, ()]),
        "distances": context.room("distances", row * places),
        "distance_row": row,
        "places": places,
        "first_pile": len(game.spaces),
        "spaces_size": context.spaces.size,
        "refills": context.bytes(
            "refills", struct.pack(f"<{len(piles)}i", *[game.refills.get(n, -1) for n in piles])
        ),
        "bags": context.bytes("bags", bytes(n in game.bags for n in piles)),
    }
