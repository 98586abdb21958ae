"""What a program's parts read, write and ask: known once, before any code is written.

From this follow which procedures can be plain functions, which definitions depend on nothing that changes
(and become tables), and which are worth remembering until something they read changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from interpreter import ir
from interpreter.ir.walk import callees_first, inner_names, parts


def column(owner: str, attribute: str, enum: str = "") -> str:
    """The name of the list that holds an attribute."""
    if owner == "enum":
        return f"{identifier('n', enum)}_Z_{_encoded(attribute)}"  # no encoded name has a Z before a _
    prefix = {"piece": "p", "card": "p", "space": "s", "edge": "e", "pile": "s"}[owner]
    return identifier(prefix, attribute)


_KEPT_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXY0123456789_")


def identifier(prefix: str, name: str) -> str:
    """A Python name for a name of the rules: ASCII, and different for different names.

    Every letter that is not kept, Z among them, stands there as its number between Z and z. So whatever an
    author writes, the result is the prefix and letters that mean nothing to Python; and since names that we
    make ourselves never have one of these prefixes, nothing of ours can be hit by chance or on purpose.
    """
    return f"{prefix}_{_encoded(name)}"


@cache
def _encoded(name: str) -> str:
    return "".join(letter if letter in _KEPT_LETTERS else f"Z{ord(letter):x}z" for letter in name)


#: Statements that wait for an answer.
_ASKING = (ir.Choose, ir.Menu, ir.Offer)
#: Searches: dear enough that their results are worth remembering.
_SEARCHES = (ir.Reach, ir.Matching, ir.Sight)


@dataclass(eq=False, slots=True)
class Facts:
    """What is known of one definition, table or procedure, calls included."""

    reads: set[str] = field(default_factory=set)
    cost: int = 0  # how deeply loops over whole kinds are nested, searches count as two
    random: bool = False


@dataclass(eq=False, slots=True)
class Analysis:
    asking: set[str] = field(default_factory=set)  # procedures that may ask
    asking_priorities: set[str] = field(default_factory=set)
    facts: dict[str, Facts] = field(default_factory=dict)  # definitions and tables
    remembered: dict[str, frozenset[str]] = field(default_factory=dict)  # definition -> the columns it reads
    tabled: set[str] = field(default_factory=set)  # definitions that depend on nothing that changes
    inlined: set[str] = field(default_factory=set)  # definitions that are written where they are called
    branching: dict[str, int] = field(default_factory=dict)  # what makes many calls -> how many


def analyse(program: ir.Program) -> Analysis:
    result = Analysis()
    result.asking_priorities = {priority.name for priority in program.priorities if priority.tie == "player"}
    _find_asking(program, result)
    bodies: dict[str, object] = {definition.name: definition.body for definition in program.definitions}
    bodies.update({table.name: table.rows for table in program.tables})
    calls = _calls(bodies)
    for name in callees_first(calls):  # so that no chain of calls is gone down at once
        _facts(name, bodies, result)
    often, called = _called_often(program, bodies), frozenset(_called(program))
    for definition in program.definitions:
        name, facts = definition.name, result.facts[definition.name]
        kinds = [parameter.type.tag for parameter in definition.parameters]
        if not facts.reads and kinds and all(kind in ("enum", "space", "piece", "flag") for kind in kinds):
            result.tabled.add(name)
        elif name in called and (facts.cost >= 2 or (facts.cost == 1 and name in often)):
            result.remembered[name] = frozenset(facts.reads)
    _find_inlined(program, result, calls)
    _find_branching(program, result, calls)
    return result


#: Definitions with at most this many parts, with all written in them, are written where they are called.
_INLINE = 14
#: So many calls, those made by what is called included, are too few to count.
_CALLS = 64


def _calls(bodies: Mapping[str, object]) -> dict[str, list[str]]:
    return {name: _called(body) for name, body in bodies.items()}


def _called(body: object) -> list[str]:
    found = []
    for part in parts(body):
        if isinstance(part, (ir.Call, ir.Perform)):
            found.append(part.name)
        elif isinstance(part, ir.Apply):
            found.append(part.table)
        elif isinstance(part, ir.PickBy):
            found.append(f"priority {part.priority}")
    return found


def _find_inlined(program: ir.Program, result: Analysis, calls: Mapping[str, list[str]]) -> None:
    """Small definitions, counted with what is written in them: so code cannot double at every call."""
    bodies: dict[str, object] = {definition.name: definition.body for definition in program.definitions}
    sizes: dict[str, int] = {}
    for name in callees_first({name: calls[name] for name in bodies}):
        size = 0
        for part in parts(bodies[name]):
            size += 1 + (sizes[part.name] if isinstance(part, ir.Call) and part.name in result.inlined else 0)
            if size > _INLINE or isinstance(part, _SEARCHES):
                break
        else:
            if name not in result.remembered and name not in result.tabled:
                sizes[name] = size
                result.inlined.add(name)


def _find_branching(program: ir.Program, result: Analysis, known: Mapping[str, list[str]]) -> None:
    bodies: dict[str, object] = {procedure.name: procedure.body for procedure in program.procedures}
    bodies.update({f"action {action.name}": action.body for action in program.actions})
    bodies.update({f"priority {one.name}": (one.criteria, one.player) for one in program.priorities})
    graph = {**known, **_calls(bodies)}
    calls: dict[str, int] = {}
    for name in callees_first(graph):
        made = sum(calls.get(called, 1) for called in graph[name])
        if made > _CALLS:
            result.branching[name] = made
        counted = name in result.branching or name in result.remembered or name in result.tabled
        calls[name] = 1 if counted else 1 + made


def _called_often(program: ir.Program, bodies: dict[str, object]) -> set[str]:
    """Definitions that searches, or loops over whole kinds, ask for again and again; and what those call."""
    found: set[str] = set()
    everywhere = (
        *bodies.values(),
        *(p.body for p in program.procedures),
        program.actions,
        program.priorities,
    )
    for part in parts(tuple(everywhere)):
        whole = isinstance(part, ir.Quantify) and isinstance(part.source, ir.Extent)
        if whole or isinstance(part, _SEARCHES):
            found.update(inner.name for inner in parts(part) if isinstance(inner, ir.Call))
    waiting = list(found)
    while waiting:
        for inner in parts(bodies.get(waiting.pop(), ())):
            if isinstance(inner, ir.Call) and inner.name not in found:
                found.add(inner.name)
                waiting.append(inner.name)
    return found


def asks(statement: object, analysis: Analysis) -> bool:
    """Whether a statement, with all inside it, may wait for an answer."""
    for part in parts(statement):
        if isinstance(part, (*_ASKING, ir.Take)):
            return True
        if isinstance(part, ir.PickBy) and part.priority in analysis.asking_priorities:
            return True
        if isinstance(part, ir.Perform) and part.name in analysis.asking:
            return True
        if isinstance(part, ir.Apply) and part.table in analysis.asking:
            return True
    return False


def _find_asking(program: ir.Program, result: Analysis) -> None:
    bodies: list[tuple[str, object]] = [(procedure.name, procedure.body) for procedure in program.procedures]
    bodies += [(table.name, tuple(row.effects for row in table.rows)) for table in program.tables]
    bodies += [(f"action {action.name}", action.body) for action in program.actions]
    changed = True
    while changed:
        changed = False
        for name, body in bodies:
            if name not in result.asking and asks(body, result):
                result.asking.add(name)
                changed = True


def _facts(name: str, bodies: dict[str, object], result: Analysis) -> Facts:
    known = result.facts.get(name)
    if known is None:
        known = result.facts[name] = Facts()
        found = expression_facts(bodies.get(name, ()), bodies, result)
        known.reads, known.cost = found.reads, found.cost
    return known


def expression_facts(item: object, bodies: dict[str, object], result: Analysis) -> Facts:
    """Reads and cost of an expression; loops count by how deeply those over whole kinds are nested."""
    facts = Facts()
    if isinstance(item, tuple):
        for part in item:
            _join(facts, expression_facts(part, bodies, result))
        return facts
    names = inner_names(type(item))
    if names is None:
        return facts
    read = read_by(item)
    if read:
        facts.reads.add(read)
    if isinstance(item, ir.Builtin) and item.name == "size":
        facts.reads.add("at")  # what is counted may be dear to find, so it is not found before somebody asks
    if isinstance(item, ir.Call):
        _join(facts, _facts(item.name, bodies, result))
    inner = Facts()
    for name in names:
        _join(inner, expression_facts(getattr(item, name), bodies, result))
    if (
        isinstance(item, ir.Quantify)
        and isinstance(item.source, ir.Extent)
        and item.source.type.element is not None
    ):
        inner.cost += 1 if item.source.type.element.tag in ("piece", "space") else 0
    if isinstance(item, _SEARCHES):
        inner.cost += 2
    _join(facts, inner)
    return facts


def read_by(item: object) -> str:
    """The column or variable that a part of an expression reads by itself; empty if it reads none."""
    match item:
        case ir.Get(fixed=False):
            return column(item.owner, item.attribute, item.enum)
        case ir.Global(builtin=False):
            return identifier("v", item.name)
        case ir.Global(name="turn"):
            return "turn"
        case ir.Kept():
            return column(item.owner, item.attribute)
        case ir.Builtin(name="size", arguments=(argument,)) if argument.type.tag in ("list", "set"):
            return ""
        case ir.Builtin(name="place_of" | "contents" | "top" | "size"):
            return "at"
        case ir.ContentsNear() | ir.ContentsOf() | ir.ContentsWhere():
            return "at"
        case ir.Builtin(name="game_over" | "winners"):
            return "result"
    return ""


def _join(facts: Facts, other: Facts) -> None:
    facts.reads |= other.reads
    facts.cost = max(facts.cost, other.cost)


def writes(statement: object, program_writes: dict[str, set[str]]) -> set[str]:
    """The columns that a statement, with all inside it, may change."""
    found: set[str] = set()
    for part in parts(statement):
        match part:
            case ir.SetAttribute():
                found.add(column(part.owner, part.attribute, part.enum))
            case ir.SetGlobal():
                found.add(identifier("v", part.name))
            case ir.Put() | ir.DrawFrom() | ir.Shuffle():
                found.add("at")
            case ir.Perform():
                found |= program_writes.get(part.name, set())
            case ir.Apply():
                found |= program_writes.get(part.table, set())
    return found


def procedure_writes(program: ir.Program) -> dict[str, set[str]]:
    """What each procedure may change, calls included."""
    bodies: dict[str, object] = {procedure.name: procedure.body for procedure in program.procedures}
    bodies.update({table.name: tuple(row.effects for row in table.rows) for table in program.tables})
    known: dict[str, set[str]] = {name: set() for name in bodies}
    changed = True
    while changed:
        changed = False
        for name, body in bodies.items():
            found = writes(body, known)
            if not found <= known[name]:
                known[name] |= found
                changed = True
    return known
