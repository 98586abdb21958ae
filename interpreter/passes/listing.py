"""How every legal use of an action is found: loops over its parameters, conditions as early as can be."""

from __future__ import annotations

from interpreter import ir
from interpreter.passes.conditions import conjunction, conjuncts, mentions
from interpreter.passes.lowered import Listing, Loop
from interpreter.passes.narrowing import Narrower
from interpreter.passes.procedures import domain_of


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
        if narrower.may_fail(part):
            joined = conjunction([*found, part])
            assert joined is not None
            found = [joined]
        else:
            found.append(part)
    return found
