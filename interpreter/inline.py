"""Puts procedures that may ask and are called from one place only where they are called: fewer frames."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from interpreter import ir
from interpreter.analysis import Analysis, inner_names, parts

#: Where the parts of a program name locals.
_LOCALS: dict[type, tuple[str, ...]] = {
    ir.Local: ("name",),
    ir.Let: ("name",),
    ir.SetLocal: ("name",),
    ir.ForEach: ("variable",),
    ir.Choose: ("target", "variable"),
    ir.DrawFrom: ("target",),
    ir.Roll: ("target",),
    ir.RandomPick: ("target", "variable"),
    ir.PickBy: ("target", "variable"),
    ir.Quantify: ("variable",),
    ir.Along: ("variable",),
    ir.Reach: ("step_from", "step_to"),
    ir.Sight: ("variable",),
    ir.Matching: ("left", "right"),
}


def inline_single_calls(procedures: list[ir.Procedure], analysis: Analysis) -> list[ir.Procedure]:
    """The same procedures, with single calls put in. Those put in stay, for calls by name from outside."""
    calls: dict[str, int] = {}
    for procedure in procedures:
        for part in parts(procedure.body):
            if isinstance(part, (ir.Perform, ir.Apply)):
                name = part.name if isinstance(part, ir.Perform) else part.table
                calls[name] = calls.get(name, 0) + 1
    known = {procedure.name: procedure for procedure in procedures}
    single = {
        name
        for name, count in calls.items()
        if count == 1 and name in known and name in analysis.asking and not _leaves(known[name])
    }
    done: dict[str, ir.Procedure] = {}

    def finish(procedure: ir.Procedure) -> ir.Procedure:
        if procedure.name not in done:
            body = _statements(procedure.body, single, lambda name: finish(known[name]))
            done[procedure.name] = replace(procedure, body=body)
        return done[procedure.name]

    return [finish(procedure) for procedure in procedures]


def _leaves(procedure: ir.Procedure) -> bool:
    """A procedure that may be left half-way, or gives a result, needs a frame of its own."""
    return any(isinstance(part, (ir.Leave, ir.Give)) for part in parts(procedure.body))


def _statements(body: tuple[ir.Statement, ...], single: set[str], get: Any) -> tuple[ir.Statement, ...]:
    result: list[ir.Statement] = []
    for statement in body:
        match statement:
            case ir.Perform(name=name) if name in single:
                callee = get(name)
                prefix = f"{name}: "
                body = rename(callee.body, prefix)
                for parameter, argument in zip(callee.parameters, statement.arguments, strict=True):
                    name = prefix + parameter.name
                    if isinstance(argument, (ir.Local, ir.Const)) and not _assigns(
                        callee.body, parameter.name
                    ):
                        body = substitute(body, name, argument)
                    else:
                        result.append(ir.Let(name=name, value=argument, site=statement.site))
                result.extend(body)
            case ir.If():
                then, otherwise = (
                    _statements(statement.then, single, get),
                    _statements(statement.otherwise, single, get),
                )
                result.append(replace(statement, then=then, otherwise=otherwise))
            case ir.ForEach() | ir.Repeat():
                result.append(replace(statement, body=_statements(statement.body, single, get)))
            case ir.Menu():
                cases = tuple(
                    replace(case, body=_statements(case.body, single, get)) for case in statement.cases
                )
                result.append(replace(statement, cases=cases))
            case _:
                result.append(statement)
    return tuple(result)


def _assigns(body: tuple[ir.Statement, ...], name: str) -> bool:
    return any(isinstance(part, ir.SetLocal) and part.name == name for part in parts(body))


def substitute(item: Any, name: str, value: ir.Expression) -> Any:
    """The same parts with a local replaced by a value."""
    if isinstance(item, ir.Local):
        return value if item.name == name else item
    if isinstance(item, tuple):
        found = tuple(substitute(part, name, value) for part in item)
        return found if any(new is not old for new, old in zip(found, item, strict=True)) else item
    changed = {}
    for inner in inner_names(type(item)) or ():
        old = getattr(item, inner)
        new = substitute(old, name, value)
        if new is not old:
            changed[inner] = new
    return replace(item, **changed) if changed else item


def rename(item: Any, prefix: str) -> Any:
    """The same parts with every local's name prefixed."""
    if isinstance(item, tuple):
        return tuple(rename(part, prefix) for part in item)
    if not is_dataclass(item) or isinstance(item, (ir.Site, ir.Type)):
        return item
    changed: dict[str, Any] = {}
    local = _LOCALS.get(type(item), ())
    for entry in fields(item):
        value = getattr(item, entry.name)
        if entry.name in local:
            changed[entry.name] = prefix + value if value else value
        elif is_dataclass(value) or isinstance(value, tuple):
            changed[entry.name] = rename(value, prefix)
    return replace(item, **changed) if changed else item  # type: ignore[type-var]
