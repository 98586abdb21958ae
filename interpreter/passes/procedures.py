"""Everything that is done becomes a procedure: what actions do, tables of effects, the look at who has won.

A pass over the typed form. Phases look at victory when they are left, in whatever way. And how every legal
use of an action is found: loops over its parameters, conditions as early as can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from interpreter import ir
from interpreter.ir.walk import rewritten
from interpreter.passes.conditions import conjunction, conjuncts, mentions
from interpreter.passes.lowered import Listing, Loop
from interpreter.passes.narrowing import Narrower

#: Names that no author can give: they have blanks.
CHECK_VICTORY = "check victory"
CHECK_AT_ONCE = "check victory at once"


def all_procedures(program: ir.Program, touching: bool = False) -> tuple[ir.Procedure, ...]:
    """The procedures of a program with those that stand for its actions, tables and victories.

    With `touching`, procedures and rows say that they were reached, for coverage.
    """
    found = [*program.procedures, *_effect_tables(program, touching), *_action_procedures(program)]
    if program.victories:
        found = [_checked(p) if p.role == "phase" else p for p in found]
    found.append(_check(CHECK_VICTORY, program.victories, touching))
    at_once = [victory for victory in program.victories if victory.at_once]
    if at_once:
        found.append(_check(CHECK_AT_ONCE, at_once, touching))
    return tuple(replace(procedure, body=rewritten(procedure.body, _called)) for procedure in found)


def _called(part: object) -> object:
    """Looks at tables of effects and at victory are calls like others."""
    match part:
        case ir.Apply():
            return ir.Perform(name=part.table, arguments=part.arguments, site=part.site)
        case ir.CheckVictory():
            name = CHECK_AT_ONCE if part.at_once else CHECK_VICTORY
            return ir.Perform(name=name, arguments=(), site=part.site)
        case _:
            return part


def domain_of(parameter: ir.Parameter) -> ir.Expression:
    """All values that a parameter of an action or victory can take."""
    kind = parameter.type
    if kind == ir.FLAG:
        values = (ir.Const(value=False, type=ir.FLAG), ir.Const(value=True, type=ir.FLAG))
        return ir.Builtin(name="number_list", arguments=values, type=ir.list_of(ir.FLAG))
    if kind.tag in ("piece", "space") and len(kind.names) != 1:
        masks = [ir.Extent(kind=name, type=ir.set_of(kind)) for name in (kind.names or (f"all {kind.tag}s",))]
        result: ir.Expression = masks[0]
        for mask in masks[1:]:
            result = ir.Binary(operator="union", left=result, right=mask, type=ir.set_of(kind))
        return result
    return ir.Extent(kind=kind.names[0], type=ir.set_of(kind))


def _check(name: str, victories: Iterable[ir.Victory], touching: bool) -> ir.Procedure:
    body: list[ir.Statement] = []
    for victory in victories:
        touch = (ir.Touch(site=victory.site),) if touching and victory.site.rule else ()
        inner: ir.Statement = ir.If(
            condition=victory.condition, then=(*touch, *victory.body), otherwise=(), site=victory.site
        )
        for parameter in reversed(victory.parameters):
            domain = domain_of(parameter)
            inner = ir.ForEach(
                variable=parameter.name, variable_type=parameter.type, source=domain, where=None, keys=(),
                body=(inner,), site=victory.site,
            )  # fmt: skip
        body.append(inner)
    return ir.Procedure(name=name, parameters=(), body=tuple(body), site=ir.NOWHERE, role="victory")


def _checked(procedure: ir.Procedure) -> ir.Procedure:
    check = ir.CheckVictory(site=procedure.site)
    return replace(procedure, body=(*_checked_on_leaving(procedure.body), check))


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


def _effect_tables(program: ir.Program, touching: bool) -> list[ir.Procedure]:
    """Tables of effects become procedures: a chain of tests, or all of them for `collect`."""
    made = []
    for table in program.tables:
        if table.type != ir.EFFECT:
            continue
        chain: tuple[ir.Statement, ...] = ()
        for row in reversed(table.rows):
            tests = [cell.test for cell in row.cells if cell.test is not None]
            test = conjunction(tests) or ir.Const(value=True, type=ir.FLAG)
            effects = (ir.Touch(site=row.site), *row.effects) if touching else row.effects
            collects = table.policy == "collect"
            one = ir.If(condition=test, then=effects, otherwise=() if collects else chain, site=row.site)
            chain = (one, *chain) if collects else (one,)
        made.append(
            ir.Procedure(
                name=table.name, parameters=table.parameters, body=chain, site=table.site, role="table"
            )
        )
    return made


def _action_procedures(program: ir.Program) -> list[ir.Procedure]:
    return [
        ir.Procedure(
            name=f"action {action.name}",
            parameters=(ir.Parameter(name=action.actor, type=ir.PLAYER), *action.parameters),
            body=action.body,
            site=action.site,
            role="action",
        )
        for action in program.actions
    ]


# ---------------------------------------------------------------- listings


def listings(
    program: ir.Program, groups: set[str], narrower: Narrower
) -> tuple[tuple[str, tuple[Listing, ...]], ...]:
    """For each group of actions, how they are listed; both in order."""
    made = [_listing(number, action, narrower) for number, action in enumerate(program.actions)]
    members = {
        group: tuple(made[number] for number, action in enumerate(program.actions) if group in action.groups)
        for group in sorted(groups | {group for action in program.actions for group in action.groups})
    }
    return tuple(members.items())


def _listing(number: int, action: ir.Action, narrower: Narrower) -> Listing:
    waiting = [test for condition in action.conditions for test in _tests(condition.test, narrower)]
    if action.by is not None:
        player = ir.Local(name=action.actor, type=ir.PLAYER)
        waiting.insert(0, ir.Binary(operator="=", left=player, right=action.by, type=ir.FLAG))
    names = [parameter.name for parameter in action.parameters]
    first = [test for test in waiting if not any(mentions(test, name) for name in names)]
    waiting = [test for test in waiting if test not in first]
    loops: list[Loop] = []
    for position, parameter in enumerate(action.parameters):
        now = [test for test in waiting if not any(mentions(test, name) for name in names[position + 1 :])]
        waiting = [test for test in waiting if test not in now]
        domain = domain_of(parameter)
        source, where = narrower.narrowed(parameter.name, domain, conjunction(now), action.site)
        loops.append(Loop(parameter=parameter, source=source, tests=tuple(conjuncts(where))))
    return Listing(
        action=number, actor=action.actor, tests=tuple(first), loops=tuple(loops), site=action.site
    )


def _tests(condition: ir.Expression, narrower: Narrower) -> list[ir.Expression]:
    """What is joined by `and` in a condition, each to be asked as early as can be.

    What may fail is asked only after all that stands before it: that may be there to keep it from failing.
    """
    if narrower.plain:
        return [condition]
    found: list[ir.Expression] = []
    for part in conjuncts(condition):
        if narrower.early.may_fail(part):
            joined = conjunction([*found, part])
            assert joined is not None
            found = [joined]
        else:
            found.append(part)
    return found
