"""Which rules can end a game of a scenario, and which phases it has; those of its siblings are not its own.

A scenario says what it has by options, by flags that no rule changes, and by its turns. What stands behind
such a condition that does not hold is never come to. Left out: conditions that only playing decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from interpreter import ir
from interpreter.ir.walk import inner_names, parts

if TYPE_CHECKING:
    from interpreter.machine.game import Game


@dataclass(frozen=True, slots=True)
class Fixed:
    """What holds from beginning to end: options, flags that no rule changes, and which turns there are."""

    flags: dict[str, bool]
    turns: range
    bodies: dict[str, ir.Expression]  # of definitions without parameters: conditions may be called by name


def rules_that_end(game: Game) -> list[str]:
    """The numbers of the rules that say how it ends."""
    program = game.program
    fixed = fixed_in(game)
    bodies = {entry.name: entry.body for entry in program.procedures}
    victories = [one for one in program.victories if _known(one.condition, fixed) is not False]
    stack: list[object] = [bodies.get("turn", ()), program.actions, program.tables]
    stack += [one.body for one in victories]
    ends: set[ir.Site] = set()
    done: set[str] = set()
    while stack:
        for part in come_to(stack.pop(), fixed):
            if isinstance(part, ir.EndGame):
                ends.add(part.site)
            elif isinstance(part, ir.Perform) and part.name not in done:
                done.add(part.name)
                stack.append(bodies.get(part.name, ()))
    sites = [ending.site for ending in game.endings if ending.site in ends]
    return list(dict.fromkeys(site.rule for site in (*sites, *(one.site for one in victories))))


def fixed_in(game: Game) -> Fixed:
    """What is settled before a game of this scenario begins."""
    program, opening = game.program, game.opening(0)
    found = {option.name: option.name in game.options for option in program.options}
    changed = {part.name for part in parts(program) if isinstance(part, ir.SetGlobal)}
    for variable in program.variables:
        if variable.type == ir.FLAG and variable.name not in changed:
            found[variable.name] = bool(game.variable(opening, variable.name))
    first, last = game.scenario.first_turn, game.scenario.turns
    bodies = {one.name: one.body for one in program.definitions if not one.parameters}
    return Fixed(found, range(first, last + 1) if last else range(0), bodies)


def come_to(item: object, fixed: Fixed) -> Iterator[object]:
    """The parts of effects that can be come to."""
    stack = [item]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack.extend(current)
        elif isinstance(current, ir.If):
            holds = _known(current.condition, fixed)
            stack += [current.then] * (holds is not False) + [current.otherwise] * (holds is not True)
        elif (names := inner_names(type(current))) is not None:
            yield current
            stack.extend(getattr(current, name) for name in names)


def _known(condition: ir.Expression | None, fixed: Fixed) -> bool | None:
    """Whether a condition holds from beginning to end; None if that is open."""
    match condition:
        case ir.Const(value=bool() as value):
            return value
        case ir.Global():
            return fixed.flags.get(condition.name)
        case ir.Call(name=name) if name in fixed.bodies:
            # Without itself: a definition that comes back to itself tells nothing.
            others = {other: body for other, body in fixed.bodies.items() if other != name}
            return _known(fixed.bodies[name], replace(fixed, bodies=others))
        case ir.Binary(left=ir.Global(name="turn"), right=ir.Const(value=int(number))) if fixed.turns:
            found = {_compared(condition.operator, turn, number) for turn in fixed.turns}
            return found.pop() if len(found) == 1 else None
        case ir.Unary(operator="not"):
            inner = _known(condition.operand, fixed)
            return None if inner is None else not inner
        case ir.Binary(operator="and" | "or"):
            sides = {_known(condition.left, fixed), _known(condition.right, fixed)}
            decides = condition.operator == "or"
            return decides if decides in sides else None if None in sides else not decides
        case _:
            return None


def _compared(operator: str, turn: int, number: int) -> bool | None:
    match operator:
        case "=":
            return turn == number
        case "!=":
            return turn != number
        case "<":
            return turn < number
        case "<=":
            return turn <= number
        case ">":
            return turn > number
        case ">=":
            return turn >= number
        case _:
            return None
