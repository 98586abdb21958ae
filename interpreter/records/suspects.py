"""From a program to which rules lean on which, and from there to the rules that may have made a difference.

Rules are joined by what they declare and call. Whether a called rule really decided a case is not known here:
the result is an order of suspicion, the nearest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from interpreter import ir

Graph = Mapping[str, frozenset[str]]


def changed_rules(before: Mapping[str, str], now: Mapping[str, str]) -> frozenset[str]:
    """The rules whose hashes differ, and those that only one side has."""
    return frozenset(rule for rule in {*before, *now} if before.get(rule) != now.get(rule))


def suspects(
    changed: Iterable[str], near: Iterable[str], *graphs: Graph, outline: bool = False
) -> tuple[str, ...]:
    """The changed rules: those of `near` first, then what these lean on, step by step, then the rest."""
    wanted = set(changed)

    def order(number: str) -> ir.Order:
        return ir.rule_order(number, outline)

    seen: dict[str, None] = {}
    step = list(dict.fromkeys(rule for rule in near if rule))
    while step:
        seen.update(dict.fromkeys(step))
        further = {rule for start in step for graph in graphs for rule in graph.get(start, ())}
        step = sorted(further - seen.keys(), key=order)
    found = [rule for rule in seen if rule in wanted]
    return (*found, *sorted(wanted - seen.keys(), key=order))


def leaning(program: ir.Program) -> Graph:
    """For each rule, the rules that it leans on: what it calls, offers or reads, and what amends it."""
    declared: dict[str, set[str]] = {}
    parts = list(_declarations(program))
    for name, part in parts:
        declared.setdefault(name, set()).update(_rules(part))
    found: dict[str, set[str]] = {}
    for _, part in parts:
        own = _rules(part)
        used = {rule for name in _used(part) for rule in declared.get(name, ())}
        for rule in own:
            found.setdefault(rule, set()).update((own | used) - {rule})
    for amending in program.rules:
        for target in amending.amends:
            found.setdefault(target, set()).add(amending.id)
    return {rule: frozenset(others) for rule, others in found.items()}


def _declarations(program: ir.Program) -> Iterator[tuple[str, object]]:
    """What rules declare, by the name under which others use it."""
    for definition in program.definitions:
        yield f"name {definition.name}", definition
    for table in program.tables:
        yield f"name {table.name}", table
    for priority in program.priorities:
        yield f"name {priority.name}", priority
    for procedure in program.procedures:
        yield f"name {procedure.name}", procedure
    for action in program.actions:
        for group in action.groups:
            yield f"group {group}", action
    for victory in program.victories:
        yield f"victory {victory.name}", victory
    for variable in program.variables:
        yield f"variable {variable.name}", variable
    for dice in program.dice:
        yield f"dice {dice.name}", dice
    for kind in program.kinds:
        for attribute in kind.attributes:
            yield f"attribute {attribute.name}", attribute


def _walk(item: object) -> Iterator[object]:
    stack = [item]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack.extend(part)
        elif is_dataclass(part) and not isinstance(part, type):
            yield part
            stack.extend(getattr(part, entry.name) for entry in fields(part))


def _rules(part: object) -> set[str]:
    return {found.rule for found in _walk(part) if isinstance(found, ir.Site) and found.rule}


def _used(part: object) -> set[str]:
    found: set[str] = set()
    for item in _walk(part):
        match item:
            case ir.Call(name=name) | ir.Perform(name=name):
                found.add(f"name {name}")
            case ir.Apply(table=name) | ir.PickBy(priority=name):
                found.add(f"name {name}")
            case ir.Offer(group=name):
                found.add(f"group {name}")
            case ir.Get(attribute=name) | ir.SetAttribute(attribute=name):
                found.add(f"attribute {name}")
            case ir.Global(name=name) | ir.SetGlobal(name=name):
                found.add(f"variable {name}")
            case ir.Roll(dice=name):
                found.add(f"dice {name}")
    return found
