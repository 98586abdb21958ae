"""From a program to what engines write code from: all passes, in their order."""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.ir.walk import parts, rewritten
from interpreter.passes.analysis import analyse
from interpreter.passes.at_once import with_immediate_victories
from interpreter.passes.bounds import with_bounds
from interpreter.passes.causes import causes_of, with_causes
from interpreter.passes.cutting import cut
from interpreter.passes.endings import endings_of
from interpreter.passes.folding import folded, with_given
from interpreter.passes.lowered import Lowered, Reasons
from interpreter.passes.narrowing import Narrower
from interpreter.passes.procedures import all_procedures, listings
from interpreter.passes.rows import with_rows_as_sets
from interpreter.passes.steps import Stepper

#: One program as played and as covered; more would only fill memory.
_KEPT = 2
_made: tuple[tuple[ir.Program, tuple[bool, bool], Lowered], ...] = ()


def lower(program: ir.Program, *, cover: bool = False, remember: bool = True) -> Lowered:
    """All passes.

    With `cover`, rules are left as they stand and say that they were reached. Without `remember`, definitions
    are worked out whenever somebody asks: to see what remembering is worth. What was made last is kept: both
    engines, and every edition of the code, ask for the same.
    """
    global _made
    for known, settings, made in _made:
        if known is program and settings == (cover, remember):
            return made
    lowered = _lower(program, cover, remember)
    _made = ((program, (cover, remember), lowered), *_made[: _KEPT - 1])
    return lowered


def _lower(program: ir.Program, cover: bool, remember: bool) -> Lowered:
    program = with_immediate_victories(with_bounds(program))
    causes = causes_of(program)
    program = with_causes(program)
    if not cover:
        program = with_rows_as_sets(with_given(folded(program)))
    program, reasons = _reasons_apart(program)
    analysis = analyse(program)
    if cover:  # tables are filled before any rule runs; what is remembered is touched by whoever asks first
        analysis.remembered.update({name: frozenset() for name in sorted(analysis.tabled)})
        analysis.tabled = set()
    if not remember:
        analysis.remembered.clear()
    stepper = Stepper(program, analysis, remember)
    program = program if cover else stepper.program()
    narrower = Narrower(program, analysis, plain=cover)
    program = narrower.program()
    procedures = all_procedures(program, touching=cover)
    made = cut(program, analysis, procedures, reasons, touching=cover)
    blocks, entries = made.finish()
    groups = {question.group for question in made.questions if question.group}
    found = listings(program, groups, narrower)
    return Lowered(
        program=program, analysis=analysis,
        procedures=tuple(one for one in procedures if one.name not in analysis.asking),
        blocks=blocks, entries=entries, questions=tuple(made.questions), listings=found,
        statics=tuple(narrower.statics.values()), keys=tuple(narrower.keys),
        steps=tuple(stepper.steps.values()),
        kept=tuple(narrower.kept.items()), endings=endings_of(program), causes=causes,
    )  # fmt: skip


def _reasons_apart(program: ir.Program) -> tuple[ir.Program, Reasons]:
    """The program without what questions say of things that they do not offer, and that, by number.

    Nobody needs it to play: it is told when somebody asks. So what follows (what is remembered, what sets are
    kept, the fast engine) plays the same game as fast as if nobody had written it.
    """
    asking = (program.procedures, program.actions, program.tables, program.victories)
    if not any(isinstance(part, ir.Choose) and part.reasons for part in parts(asking)):
        return program, ()
    found: dict[tuple[ir.Reason, ...], int] = {}

    def change(part: object) -> object:
        if not isinstance(part, ir.Choose) or not part.reasons:
            return part
        return replace(part, reasons=(), apart=found.setdefault(part.reasons, len(found)))

    return rewritten(program, change), tuple(found)
