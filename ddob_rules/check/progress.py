"""Something in progress: the parts of a phase that rules run are changed only while it runs.

Anybody may look at a part, which is empty while the phase does not run. What is attached to the phase,
offered in it or called only from there may change it, and may name the parameters. This looks at what the
rules became: whatever can be reached without that phase must do neither.
"""

from __future__ import annotations

from collections.abc import Iterator

from ddob_rules.check.checks import called, calls, entry_of
from ddob_rules.check.memory import Memory
from ddob_rules.check.scope import Here, Vocabulary
from ddob_rules.reports.diagnostics import Label
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.source import Span
from interpreter import ir
from interpreter.ir.walk import parts


def check_progress(program: ir.Program, merged: Merged, words: Vocabulary, memory: Memory) -> None:
    for name, part in words.parts.items():
        if name in words.functions or name in words.procedures or name in words.options:
            Here(part.rule, words).error("E0206", part.name, name=name)
    graph = calls(program, memory)
    bodies = _bodies(program)
    roots = [
        root for root in bodies if root.startswith(("victory ", "outside ")) or root in ("turn", "setup")
    ]
    for root in roots:
        graph.setdefault(root, list(called(bodies[root])))
    for phase in words.called_phases:
        came_from = _outside(graph, roots, phase)
        for caller in came_from:
            for name in _named(memory.fact(_bound, bodies.get(caller)), words, phase):
                _report(caller, name, phase, came_from, merged, words)
                break


def _outside(graph: dict[str, list[str]], roots: list[str], phase: str) -> dict[str, str]:
    """All that can be reached without that phase, each with what calls it."""
    doors = (f"run phase {phase}", f"phase {phase}")
    came_from = dict.fromkeys(roots, "")
    stack = list(roots)
    while stack:
        caller = stack.pop()
        for following in graph.get(caller, []):
            if following not in came_from and following not in doors:
                came_from[following] = caller
                stack.append(following)
    return came_from


def _bodies(program: ir.Program) -> dict[str, object]:
    """What all that calls is made of, by the names of the graph of calls."""
    found: dict[str, object] = {definition.name: definition.body for definition in program.definitions}
    found |= {procedure.name: procedure.body for procedure in program.procedures}
    found |= {table.name: table.rows for table in program.tables}
    found |= {f"priority {one.name}": (one.criteria, one.player) for one in program.priorities}
    found |= {f"action {one.name}": (one.conditions, one.body, one.label) for one in program.actions}
    found |= {f"victory {one.name}": (one.condition, one.body) for one in program.victories}
    found["outside status"] = (program.status, program.measures, program.kinds, program.variables)
    if program.score is not None:
        found["outside score"] = program.score.body
    return found


def _bound(body: object) -> list[tuple[str, bool]]:
    """The variables that a body names, and whether it changes them."""
    return [
        (one.name, isinstance(one, ir.SetGlobal))
        for one in parts(body)
        if isinstance(one, (ir.Global, ir.SetGlobal))
    ]


def _named(variables: list[tuple[str, bool]], words: Vocabulary, phase: str) -> Iterator[str]:
    """Among the variables that a body names, the parts of the phase that it changes, and the parameters."""
    kept = {part.variable: name for name, part in words.parts.items() if part.phase == phase}
    for name, changed in variables:
        if name in kept:
            if changed:
                yield kept[name]
        elif name.endswith(f" of phase {phase}"):
            yield name.removesuffix(f" of phase {phase}")


def _report(
    caller: str, name: str, phase: str, came_from: dict[str, str], merged: Merged, words: Vocabulary
) -> None:
    way = [caller]
    while came_from[way[-1]]:
        way.append(came_from[way[-1]])
    labels: list[Label] = []
    part = words.parts.get(name)
    if part is not None:
        labels.append(Label(part.name.span, f"a part of phase `{phase}`"))
    for number, one in enumerate(way):
        entry = entry_of(one, merged)
        if entry is None:
            continue
        version = entry.versions[-1]
        place: Span = version.declaration.span if version.declaration is not None else version.rule.span
        chain = " <- ".join(f"`{step.removeprefix('action ')}`" for step in way[number : number + 3])
        Here(version.rule, words).error("E0260", place, *labels, name=name, phase=phase, way=chain)
        return
    rule = part.rule if part is not None else merged.books[0].rules[0]
    Here(rule, words).error(
        "E0260", words.places[f"phase {phase}"], name=name, phase=phase, way=f"`{caller}`"
    )
