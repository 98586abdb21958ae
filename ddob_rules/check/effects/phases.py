"""The sequence of play: phases, what other rules attach to them, and the edits of overlays.

Each phase becomes a procedure of its own; the sequence becomes the procedure `turn`. What a rule attaches
to a phase runs in the order of rule numbers, so moving a rule to another file changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ddob_rules.check.behaviour import Behaviour
from ddob_rules.check.editions import test_of
from ddob_rules.check.effects.statements import Statements
from ddob_rules.check.effects.triggers import guarded_body, passed_on
from ddob_rules.check.memory import Memory
from ddob_rules.check.scope import (
    Held,
    Here,
    Scope,
    Signature,
    Vocabulary,
    empty,
    in_progress,
    locals_of,
    of_phase,
    scope_of,
)
from ddob_rules.check.type_names import parameters_of, type_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.reports.diagnostics import Label
from ddob_rules.stack.book import RuleBlock, text_of
from ddob_rules.stack.overlay import Entry, Merged, Version
from ddob_rules.syntax.nodes import Leaf
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.effects import Statement
from ddob_rules.syntax.nodes.overlay import InsertPhase, MovePhase, PhaseLine, Place, RemovePhase
from interpreter import ir


@dataclass(frozen=True, slots=True)
class Step:
    """A phase in the sequence, under the conditions that its own rule and its amendments state."""

    name: Leaf
    title: str
    each: nodes.PhaseEach | None
    conditions: tuple[Held, ...]
    effects: tuple[Statement, ...]
    steps: tuple[Step, ...]
    rule: RuleBlock
    after: int = 0  # how many effects of the phase around it come before it
    parameters: nodes.Parameters | None = None  # of a phase that rules run
    gives: nodes.Type | None = None
    called: bool = False


@dataclass(eq=False, slots=True)
class Sequence:
    procedures: list[ir.Procedure] = field(default_factory=list)
    phases: list[tuple[str, str]] = field(default_factory=list)


def read_steps(merged: Merged, words: Vocabulary) -> tuple[Step, ...]:
    """The phases, edited; their names and variables are made known so that rules can refer to them."""
    steps: tuple[Step, ...] = ()
    for entry in merged.of_kind("sequence"):
        declaration = entry.versions[-1].declaration
        assert declaration is not None
        phases = declaration.read(nodes.Sequence).phases
        steps = (*steps, *(_step(phase, declaration.rule) for phase in phases))
    for entry in merged.of_kind("called_phase"):
        declaration = entry.versions[-1].declaration
        assert declaration is not None
        steps = (*steps, _called(declaration.read(nodes.CalledPhase), declaration.rule))
    _check_names(words, steps, {})
    for version in merged.additions:
        edit = version.declaration.node if version.declaration is not None else None
        if isinstance(edit, InsertPhase):
            steps = _insert_new(Here(version.rule, words), version, edit.phase, steps)
        elif isinstance(edit, (MovePhase, RemovePhase)):
            steps = _edit(Here(version.rule, words), version, edit, steps)
    _declare(words, steps, ())
    return steps


def _check_names(words: Vocabulary, steps: tuple[Step, ...], seen: dict[str, Leaf]) -> None:
    for step in steps:
        first = seen.setdefault(step.name.text, step.name)
        if first is not step.name:
            place = Label(first.span, "the first one")
            Here(step.rule, words).error("E0206", step.name, place, name=step.name.text)
        _check_names(words, step.steps, seen)


def _step(phase: nodes.Phase | PhaseLine, rule: RuleBlock) -> Step:
    """A phase with those inside it, each with its place among the effects that stand beside it."""
    effects: list[Statement] = []
    steps: list[Step] = []
    for item in phase.body.steps if isinstance(phase.body, nodes.PhaseItems) else ():
        if isinstance(item, nodes.Phase):
            steps.append(replace(_step(item, rule), after=len(effects)))
        else:
            effects.append(item)
    return Step(
        name=phase.name,
        title=text_of(phase.title) or phase.name.text.replace("_", " "),
        each=phase.each,
        conditions=(Held(phase.condition, rule),) if phase.condition is not None else (),
        effects=tuple(effects),
        steps=tuple(steps),
        rule=rule,
    )


def _called(phase: nodes.CalledPhase, rule: RuleBlock) -> Step:
    """A phase that rules run; its parts are the business of the vocabulary."""
    items = tuple(item for item in phase.steps if not isinstance(item, nodes.PhasePart))
    body = nodes.PhaseItems(items, span=phase.span)
    plain = nodes.Phase(phase.name, phase.title, None, None, body, span=phase.span)
    return replace(_step(plain, rule), parameters=phase.parameters, gives=phase.gives, called=True)


def _declare(
    words: Vocabulary, steps: tuple[Step, ...], outer: tuple[ir.Parameter, ...], called: str = ""
) -> None:
    for step in steps:
        own = outer
        if step.called:
            own = parameters_of(Here(step.rule, words), step.parameters)
            words.called_phases[step.name.text] = own
            if step.gives is not None:
                words.phase_results[step.name.text] = type_of(Here(step.rule, words), step.gives)
        inside = step.name.text if step.called else called
        if inside:
            words.inside_called[step.name.text] = inside
        if step.each is not None:
            values = Expressions(Here(step.rule, words), scope_of(outer))
            _, element = values.collection(step.each.collection)
            own = (*outer, ir.Parameter(name=step.each.name.text, type=element))
        words.phases.setdefault(step.name.text, own)
        words.places.setdefault(f"phase {step.name.text}", step.name.span)
        _declare(words, step.steps, own, inside)


# ---------------------------------------------------------------- edits


def _edit(
    here: Here, version: Version, edit: MovePhase | RemovePhase, steps: tuple[Step, ...]
) -> tuple[Step, ...]:
    name = edit.name
    found = _find(steps, name.text)
    if found is None:
        here.unknown(name.text, name, _names(steps))
        return steps
    condition = version.condition
    off = (Held(condition, version.rule, wanted=False),) if condition is not None else ()
    left = _map(
        steps,
        name.text,
        lambda step: (replace(step, conditions=(*step.conditions, *off)),) if off else (),
    )
    if isinstance(edit, RemovePhase):
        if not off:
            here.vocabulary.removed_phases.update(_names((found,)))
        return left
    return _insert(here, left, _while(found, version), edit.place, edit.other) or steps


def _while(step: Step, version: Version) -> Step:
    """The step under the condition of a rule that brings or moves it."""
    if version.condition is None:
        return step
    return replace(step, conditions=(Held(version.condition, version.rule), *step.conditions))


def _insert_new(here: Here, version: Version, line: PhaseLine, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    known = _find(steps, line.name.text)
    if known is not None:
        label = Label(known.name.span, "the first one")
        here.error("E0206", line.name, label, name=line.name.text)
        return steps
    new = _while(_step(line, version.rule), version)
    return _insert(here, steps, new, line.place, line.other) or steps


def _names(steps: tuple[Step, ...]) -> list[str]:
    return [name for step in steps for name in (step.name.text, *_names(step.steps))]


def _find(steps: tuple[Step, ...], name: str) -> Step | None:
    for step in steps:
        found = step if step.name.text == name else _find(step.steps, name)
        if found is not None:
            return found
    return None


def _map(steps: tuple[Step, ...], name: str, change: Callable[[Step], tuple[Step, ...]]) -> tuple[Step, ...]:
    result: list[Step] = []
    for step in steps:
        if step.name.text == name:
            result.extend(change(step))
        else:
            result.append(replace(step, steps=_map(step.steps, name, change)))
    return tuple(result)


def _insert(
    here: Here, steps: tuple[Step, ...], new: Step, side: Place, target: Leaf
) -> tuple[Step, ...] | None:
    """The steps with a new one beside its target; None if there is no such target."""
    if _find(steps, target.text) is None:
        here.unknown(target.text, target, _names(steps))
        return None

    def beside(step: Step) -> tuple[Step, ...]:
        own = replace(new, after=step.after)
        return (step, own) if side.word.text == "after" else (own, step)

    return _map(steps, target.text, beside)


# ---------------------------------------------------------------- procedures


class _Builder:
    """Makes the procedures of phases; a phase that stands in two places has one procedure."""

    def __init__(self, merged: Merged, words: Vocabulary, made: Behaviour, memory: Memory) -> None:
        self.words = words
        self.memory = memory
        self.resets = made.resets
        for renewal in words.renewals:
            phase = renewal.phase
            if phase is not None and phase.text not in words.phases:
                Here(renewal.rule, words).unknown(phase.text, phase, list(words.phases))
                continue
            moment = "end of phase" if renewal.at_end else "phase"
            time = "turn" if phase is None else f"{moment} {phase.text}"
            self.resets.setdefault(time, []).append(renewal.effect)
        self.attached = _attachments(merged, words)
        self.sequence = Sequence()

    def run(self, step: Step, outer: tuple[ir.Parameter, ...]) -> ir.Statement:
        """The statement that runs a phase; its procedure is made on the first time round."""
        here = Here(step.rule, self.words, phase=step.name.text)
        site = here.site(step.name)
        name = f"phase {step.name.text}"
        if all(procedure.name != name for procedure in self.sequence.procedures):
            self._make(step, name, site)
        scope = scope_of(outer)
        if step.each is None:
            parameters = self.words.phases[step.name.text]
            call = ir.Perform(name=name, arguments=locals_of(outer)[: len(parameters)], site=site)
            return _guarded(self.words, scope, step, call)
        source, element = Expressions(here, scope).collection(step.each.collection)
        inside = scope.add(step.each.name.text, element)
        arguments = (*locals_of(outer), ir.Local(name=inside, type=element))
        call = ir.Perform(name=name, arguments=arguments, site=site)
        return ir.ForEach(
            variable=inside, variable_type=element, source=source, where=None, keys=(),
            body=(_guarded(self.words, scope, step, call),), site=site,
        )  # fmt: skip

    def _make(self, step: Step, name: str, site: ir.Site) -> None:
        parameters = self.words.phases[step.name.text]
        self.sequence.phases.append((step.name.text, step.title))
        body = tuple(self._body(step, parameters))
        self.sequence.procedures.append(
            ir.Procedure(name=name, parameters=parameters, body=body, site=site, role="phase")
        )

    def _body(self, step: Step, parameters: tuple[ir.Parameter, ...]) -> list[ir.Statement]:
        phase = step.name.text
        here = Here(step.rule, self.words, phase=phase)
        each = locals_of(parameters)
        site = here.site(step.name)
        body: list[ir.Statement] = [ir.EnterPhase(phase=phase, each=each, site=site)]
        called = self.words.inside_called.get(phase, "")
        if called:
            body.clear()  # it belongs to the phase in which it is run
        for parameter in parameters:
            for name in (f"phase {parameter.name}", of_phase(parameter.name, called)):
                if name in self.words.phase_variables:
                    value = ir.Local(name=parameter.name, type=parameter.type)
                    body.append(ir.SetGlobal(name=name, value=value, site=site))
        if step.called:
            body.extend(self._fresh_parts(phase, parameters))
        body.extend(self.resets.get(f"phase {phase}", []))
        body.extend(self.attachments("at start of", phase, parameters))
        own = self._own(step, parameters)
        result: tuple[ir.Statement, ...] = ()
        if step.called and phase in self.words.phase_results:
            # A result ends what the phase does; what is done at its end is still to come.
            name = f"inside of phase {phase}"
            self.sequence.procedures.append(
                ir.Procedure(name=name, parameters=parameters, body=tuple(own), site=site)
            )
            *own, last = passed_on(name, self.words.phase_results[phase], parameters, site)
            result = (last,)
        body.extend(own)
        ending = self.attachments("at end of", phase, parameters)
        if ending:
            # A game that is decided by now does not come to what happens at the end of the phase.
            body.append(ir.CheckVictory(site=site))
        return [*body, *ending, *self.resets.get(f"end of phase {phase}", []), *result]

    def _own(self, step: Step, parameters: tuple[ir.Parameter, ...]) -> list[ir.Statement]:
        """What the phase itself does, with what other rules do during it and the phases inside it."""
        phase, found = step.name.text, list[ir.Statement]()
        gives = self.words.phase_results.get(phase) if step.called else None
        statements = Statements(Here(step.rule, self.words, phase=phase, result=gives), scope_of(parameters))
        # What other rules do during the phase comes before the phases inside it.
        first = step.steps[0].after if step.steps else len(step.effects)
        for number, item in enumerate((*step.effects, None)):
            if number == first:
                found.extend(self.attachments("during", phase, parameters))
            for inner in step.steps:
                if inner.after == number:
                    found.append(self.run(inner, parameters))
            if item is not None:
                found.extend(statements.one(item))
        return found

    def _fresh_parts(self, phase: str, parameters: tuple[ir.Parameter, ...]) -> list[ir.Statement]:
        """The parts of a phase that rules run, each with its start value."""
        found: list[ir.Statement] = []
        for part in self.words.parts.values():
            if part.phase == phase:
                here = Here(part.rule, self.words, phase=phase)
                value = Expressions(here, scope_of(parameters)).of(part.value, part.type)
                found.append(ir.SetGlobal(name=part.variable, value=value, site=here.site(part.name)))
        return found

    def call(self, step: Step) -> None:
        """Makes what `run phase` calls: the phase, and afterwards nothing of it is left."""
        name, here = step.name.text, Here(step.rule, self.words)
        site, parameters = here.site(step.name), self.words.phases[name]
        self._make(step, f"phase {name}", site)
        after = tuple(
            ir.SetGlobal(name=part.variable, value=empty(part.type), site=here.site(part.name))
            for part in self.words.parts.values()
            if part.phase == name
        )
        kind = self.words.phase_results.get(name, ir.EFFECT)
        run = passed_on(f"phase {name}", kind, parameters, site)
        body = (*run, *after) if kind == ir.EFFECT else (*run[:-1], *after, run[-1])
        self.sequence.procedures.append(
            ir.Procedure(name=f"run phase {name}", parameters=parameters, body=body, site=site)
        )

    def attachments(
        self, moment: str, phase: str, parameters: tuple[ir.Parameter, ...]
    ) -> list[ir.Statement]:
        """What rules do at that moment of a phase, or of the turn."""
        return [self.chain(entry, parameters) for entry in self.attached.get((moment, phase), [])]

    def chain(self, entry: Entry, parameters: tuple[ir.Parameter, ...]) -> ir.Statement:
        """A procedure for each version; a call of the last."""
        chain = self.memory.body(self.words, entry, _chain)
        self.sequence.procedures.extend(chain)
        first = Here(entry.base.rule, self.words).site(entry.base.node)
        return ir.Perform(name=chain[-1].name, arguments=locals_of(parameters), site=first)


def _chain(words: Vocabulary, entry: Entry) -> list[ir.Procedure]:
    """What the versions of an attached block or set-up do: an amendment can call the one before."""
    declared = entry.base.node
    phase = declared.phase.text if isinstance(declared, nodes.Attach) else "setup"
    parameters = words.phases.get(phase, ()) if isinstance(declared, nodes.Attach) else ()
    name = f"{entry.name} of {entry.base.rule.id}"
    base: Signature | None = None
    made: list[ir.Procedure] = []
    for version in entry.versions:
        here = Here(version.rule, words, base, phase=phase)
        scope = scope_of(parameters)
        body: tuple[ir.Statement, ...] = ()
        place = version.rule.span
        if version.declaration is not None:
            declared = version.declaration.node
            assert isinstance(declared, (nodes.Attach, nodes.Setup))
            place = declared.span
            body = Statements(here, scope).block(declared.block, scope)
        body = guarded_body(here, version, parameters, body)
        last = version is entry.versions[-1]
        inside = name if last else f"{name} as of {version.rule.id}"
        site = here.site(place)
        made.append(ir.Procedure(name=inside, parameters=parameters, body=body, site=site, role="attachment"))
        base = Signature("procedure", inside, parameters, ir.EFFECT, place)
    return made


def build_sequence(
    merged: Merged, words: Vocabulary, made: Behaviour, steps: tuple[Step, ...], memory: Memory
) -> Sequence:
    builder = _Builder(merged, words, made, memory)
    body: list[ir.Statement] = list(made.resets.get("turn", []))
    body.extend(builder.attachments("at start of", "turn", ()))
    for step in steps:
        if step.called:
            builder.call(step)
        else:
            body.append(builder.run(step, ()))
    body.extend(builder.attachments("during", "turn", ()))
    body.extend(builder.attachments("at end of", "turn", ()))
    site = Here(steps[0].rule, words).site(steps[0].name) if steps else ir.NOWHERE
    sequence = builder.sequence
    turn = ir.Procedure(name="turn", parameters=(), body=tuple(body), site=site, role="turn")
    sequence.procedures.append(turn)
    sequence.procedures.append(_setup(merged, words, builder))
    return sequence


def noting_progress(procedures: list[ir.Procedure], words: Vocabulary) -> list[ir.Procedure]:
    """The phases that somebody asks for note when they begin and when they are over."""
    noted = {f"phase {name}": in_progress(name) for name in words.phases}
    return [
        _noting(procedure, noted[procedure.name])
        if noted.get(procedure.name) in words.phase_variables and procedure.role == "phase"
        else procedure
        for procedure in procedures
    ]


def _noting(phase: ir.Procedure, variable: str) -> ir.Procedure:
    begun, over = (
        ir.SetGlobal(name=variable, value=ir.Const(value=value, type=ir.FLAG), site=phase.site)
        for value in (True, False)
    )
    return replace(phase, body=(begun, *phase.body, over))


def _attachments(merged: Merged, words: Vocabulary) -> dict[tuple[str, str], list[Entry]]:
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in merged.of_kind("attach"):
        declared = entry.base.read(nodes.Attach)
        moment, phase = declared.moment.word.text, declared.phase
        if phase.text in words.removed_phases and phase.text not in words.phases:
            continue  # what happens in a phase goes with it
        if phase.text not in words.phases and phase.text != "turn":
            Here(entry.base.rule, words).unknown(phase.text, phase, [*words.phases, "turn"])
            continue
        found.setdefault((moment, phase.text), []).append(entry)
    for entries in found.values():
        entries.sort(key=lambda entry: merged.order(entry.base.rule.id))
    return found


def _guarded(words: Vocabulary, scope: Scope, step: Step, call: ir.Statement) -> ir.Statement:
    test = test_of(words, scope, step.conditions)
    if test is None:
        return call
    site = Here(step.rule, words).site(step.name)
    return ir.If(condition=test, then=(call,), otherwise=(), site=site)


def _setup(merged: Merged, words: Vocabulary, builder: _Builder) -> ir.Procedure:
    entries = sorted(merged.of_kind("setup"), key=lambda entry: merged.order(entry.base.rule.id))
    body = tuple(builder.chain(entry, ()) for entry in entries)
    site = Here(entries[-1].base.rule, words).site(entries[-1].base.node) if entries else ir.NOWHERE
    return ir.Procedure(name="setup", parameters=(), body=body, site=site, role="setup")
