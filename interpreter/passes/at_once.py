"""From victories that do not wait to checks: one after every change that their conditions may depend on.

A pass over the program, before anything is compiled, so that those who write code know one statement only.
While a position is set up, before the first turn or at the beginning of an example, nobody has won yet: what
is called from there is called in an edition without checks. Left out: what ends a game otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.passes.analysis import Analysis, expression_facts, procedure_writes, writes

_Body = tuple[ir.Statement, ...]
#: What changes the state by itself; everything else does so by what is inside it, or by what it calls.
_CHANGES = (ir.SetGlobal, ir.SetAttribute, ir.Put, ir.DrawFrom, ir.Shuffle)


def with_immediate_victories(program: ir.Program) -> ir.Program:
    """The same program with the checks in it."""
    reads = _reads(program)
    if not reads:
        return program
    changing = {name for name, changed in procedure_writes(program).items() if changed & reads}
    changing -= {procedure.name for procedure in program.procedures if procedure.role == "phase"}

    def checked(part: Any) -> Any:
        return _rewritten(part, lambda statement: _with_check(statement, reads))

    def unchecked(part: Any) -> Any:
        return _rewritten(part, lambda statement: (_called_quietly(statement, changing),))

    called = _called_from_setting_up(program, changing)
    procedures = [unchecked(p) if p.sets_up else checked(p) for p in program.procedures]
    procedures = [_at_start_of_turn(p, reads) for p in procedures]
    procedures += [_renamed(unchecked(p)) for p in program.procedures if p.name in called]
    tables = [checked(table) for table in program.tables]
    tables += [_renamed(unchecked(table)) for table in program.tables if table.name in called]
    actions = [checked(action) for action in program.actions]
    return replace(program, procedures=tuple(procedures), tables=tuple(tables), actions=tuple(actions))


def _reads(program: ir.Program) -> set[str]:
    """The columns and variables that the conditions of such victories depend on."""
    bodies: dict[str, object] = {definition.name: definition.body for definition in program.definitions}
    bodies.update({table.name: table.rows for table in program.tables})
    conditions = tuple(victory.condition for victory in program.victories if victory.at_once)
    return expression_facts(conditions, bodies, Analysis()).reads


def _with_check(statement: ir.Statement, reads: set[str]) -> _Body:
    if isinstance(statement, _CHANGES) and writes(statement, {}) & reads:
        return statement, ir.CheckVictory(at_once=True, site=statement.site)
    return (statement,)


def _at_start_of_turn(procedure: ir.Procedure, reads: set[str]) -> ir.Procedure:
    """The number of the turn is changed by the game itself."""
    if procedure.role != "turn" or "turn" not in reads:
        return procedure
    check = ir.CheckVictory(at_once=True, site=procedure.site)
    return replace(procedure, body=(check, *procedure.body))


# ---------------------------------------------------------------- setting up


def _called_from_setting_up(program: ir.Program, changing: set[str]) -> set[str]:
    """What has checks, and is called while a position is set up."""
    bodies: dict[str, object] = {procedure.name: procedure.body for procedure in program.procedures}
    bodies.update({table.name: tuple(row.effects for row in table.rows) for table in program.tables})
    waiting = [procedure.name for procedure in program.procedures if procedure.sets_up]
    found: set[str] = set()
    while waiting:
        for part in parts(bodies[waiting.pop()]):
            name = _callee(part)
            if name in changing and name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _callee(part: object) -> str:
    match part:
        case ir.Perform(name=name) | ir.Apply(table=name):
            return name
        case _:
            return ""


def _called_quietly(statement: ir.Statement, changing: set[str]) -> ir.Statement:
    if _callee(statement) not in changing:
        return statement
    match statement:
        case ir.Perform():
            return replace(statement, name=_quiet_name(statement.name))
        case ir.Apply():
            return replace(statement, table=_quiet_name(statement.table))
        case _:
            return statement


def _quiet_name(name: str) -> str:
    return f"{name} while setting up"


def _renamed(part: Any) -> Any:
    return replace(part, name=_quiet_name(part.name))


# ---------------------------------------------------------------- statements


def _rewritten(part: Any, change: Callable[[ir.Statement], _Body]) -> Any:
    """A procedure, action or table with each statement exchanged for those that `change` gives."""
    if isinstance(part, ir.Table):
        rows = tuple(replace(row, effects=_statements(row.effects, change)) for row in part.rows)
        return replace(part, rows=rows)
    return replace(part, body=_statements(part.body, change))


def _statements(body: _Body, change: Callable[[ir.Statement], _Body]) -> _Body:
    result: list[ir.Statement] = []
    for s in body:
        match s:
            case ir.If():
                then, otherwise = _statements(s.then, change), _statements(s.otherwise, change)
                result.append(replace(s, then=then, otherwise=otherwise))
            case ir.ForEach() | ir.Repeat():
                result.append(replace(s, body=_statements(s.body, change)))
            case ir.Menu():
                cases = tuple(replace(case, body=_statements(case.body, change)) for case in s.cases)
                result.append(replace(s, cases=cases))
            case _:
                result += change(s)
    return tuple(result)
