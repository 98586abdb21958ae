"""From the declarations of what happens to typed definitions, tables, procedures, actions and victories.

Signatures come first, so that rules may refer to each other in any order; then the bodies, each in a module
of its own. The sequence of play is the business of `phases`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ddob_rules.check.effects.actions import build_action
from ddob_rules.check.effects.triggers import build_procedures, build_trigger, collect_watches
from ddob_rules.check.effects.victories import build_score, build_victories
from ddob_rules.check.memory import Memory
from ddob_rules.check.scope import WRONG, Here, Scope, Signature, Vocabulary
from ddob_rules.check.tables.charts import build_chart
from ddob_rules.check.type_names import parameters_of, type_of
from ddob_rules.check.values.definitions import build_chart_readers, build_definitions, build_tables
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.priorities import build_priority
from ddob_rules.check.values.ways import build_way, collect_way
from ddob_rules.stack.overlay import Entry, Merged, Version
from ddob_rules.syntax.nodes import rules
from ddob_rules.syntax.nodes.tables import Table
from interpreter import ir


@dataclass(eq=False, slots=True)
class Behaviour:
    definitions: list[ir.Definition] = field(default_factory=list)
    tables: list[ir.Table] = field(default_factory=list)
    priorities: list[ir.Priority] = field(default_factory=list)
    procedures: list[ir.Procedure] = field(default_factory=list)
    actions: list[ir.Action] = field(default_factory=list)
    victories: list[ir.Victory] = field(default_factory=list)
    score: ir.Definition | None = None
    resets: dict[str, list[ir.Statement]] = field(
        default_factory=dict
    )  # "phase X", "turn": counters of limits


# ---------------------------------------------------------------- signatures


def collect_signatures(merged: Merged, words: Vocabulary) -> None:
    """What can be called, before any body is read."""
    for entry in merged.of_kind("chart"):
        if entry.name in words.enums:
            build_chart(Here(entry.versions[-1].rule, words), entry)
    for entry in merged.of_kind("define", "table", "procedure", "priority", "action"):
        _signature(words, entry)
    for entry in merged.of_kind("way"):
        collect_way(words, entry)
    _value_signatures(words, list(merged.of_kind("value")))
    for entry in merged.of_kind("trigger"):
        collect_watches(words, entry)


def _signature(words: Vocabulary, entry: Entry) -> None:
    here = Here(entry.base.rule, words)
    name, place = entry.name, entry.base.span
    words.places[name] = place
    match entry.base.node:
        case rules.Define() as declared:
            kind = type_of(here, declared.type, ranged=True)
            if isinstance(declared.value, rules.Needs) and kind not in (ir.FLAG, WRONG):
                here.error("E0254", declared.value.lines[0], type=kind)
                kind = WRONG
            parameters = parameters_of(here, declared.parameters)
            words.functions[name] = Signature("define", name, parameters, kind, place)
            if any(map(_lists, (*entry.versions, *entry.replaced))):
                words.needs[name] = entry
        case Table() as declared:
            kind = type_of(here, declared.type, effects=True)
            parameters = parameters_of(here, declared.parameters, declared.columns)
            words.functions[name] = Signature("table", name, parameters, kind, place)
        case rules.Procedure() as declared:
            parameters = parameters_of(here, declared.parameters)
            kind = type_of(here, declared.gives) if declared.gives is not None else ir.EFFECT
            words.procedures[name] = Signature("procedure", name, parameters, kind, place)
        case rules.Priority() as declared:
            kind = type_of(here, declared.type)
            parameters = parameters_of(here, declared.parameters)
            words.priorities[name] = Signature("priority", name, parameters, kind, place)
        case rules.Action() as declared:
            parameters = parameters_of(here, declared.parameters)
            written = declared.parameters.parameters if declared.parameters is not None else ()
            for parameter, item in zip(parameters, written, strict=False):
                if parameter.type.tag not in ("piece", "space", "enum", "flag", "nothing"):
                    here.error("E0415", item, name=parameter.name, type=parameter.type)
            words.actions[name] = Signature("action", name, parameters, ir.EFFECT, place)


def _lists(version: Version) -> bool:
    """Whether a version of a definition says line by line what must hold."""
    declared = version.declaration.node if version.declaration is not None else None
    return isinstance(declared, rules.Define) and isinstance(declared.value, rules.Needs)


def _value_signatures(words: Vocabulary, entries: list[Entry]) -> None:
    """The type of a value is that of what is written, which may be another value: those are read first."""
    waiting = entries
    while waiting:
        unknown = [entry for entry in waiting if not _value_signature(words, entry)]
        if len(unknown) == len(waiting):
            break
        waiting = unknown
    for entry in waiting:
        # The mistake is reported with the body; most values are numbers.
        words.functions[entry.name] = Signature("value", entry.name, (), ir.NUMBER, entry.base.span)


def _value_signature(words: Vocabulary, entry: Entry) -> bool:
    here = Here(entry.base.rule, words, quiet=True)
    words.places[entry.name] = entry.base.span
    history = entry.base.read(rules.Value).history
    first = history.value if isinstance(history, rules.History) else history.periods[0].value
    kind = Expressions(here, Scope()).of(first).type
    if kind != WRONG:
        words.functions[entry.name] = Signature("value", entry.name, (), kind, entry.base.span)
    return kind != WRONG


# ---------------------------------------------------------------- bodies


def build_behaviour(merged: Merged, words: Vocabulary, memory: Memory) -> Behaviour:
    memory.know(words)
    made = Behaviour(definitions=build_chart_readers(words))
    for entry in merged.entries.values():
        _build(words, entry, made, memory)
    return made


def _build(words: Vocabulary, entry: Entry, made: Behaviour, memory: Memory) -> None:
    match entry.kind:
        case "define" | "value":
            made.definitions.extend(memory.body(words, entry, build_definitions))
        case "way":
            made.definitions.extend(memory.body(words, entry, build_way))
        case "table":
            tables = memory.body(words, entry, build_tables)
            made.tables.extend(tables.tables)
            made.definitions.extend(tables.definitions)
            made.procedures.extend(tables.procedures)
        case "priority":
            made.priorities.append(memory.body(words, entry, build_priority))
        case "procedure":
            made.procedures.extend(memory.body(words, entry, build_procedures))
        case "trigger":
            made.procedures.extend(memory.body(words, entry, build_trigger))
        case "action":
            built = memory.body(words, entry, build_action)
            made.actions.append(built.action)
            made.procedures.extend(built.procedures)
            for limit in built.limits:
                for time in limit.times:
                    resets = made.resets.setdefault(time, [])
                    resets.extend(reset for reset in limit.resets if reset not in resets)
        case "victory":
            made.victories.extend(memory.body(words, entry, build_victories))
        case "score":
            made.score = memory.body(words, entry, build_score)
        case _:
            pass  # words, options, phases and what happens in them are the business of other modules
