"""From a way that a rule names to the search of the board that goes it."""

from __future__ import annotations

from ddob_rules.check.scope import Way
from interpreter import ir


def search(
    way: Way,
    arguments: tuple[ir.Expression, ...],
    start: ir.Expression,
    here: ir.Local,
    there: ir.Local,
    site: ir.Site,
) -> ir.Reach:
    """The spaces that the way leads to; each step from `here` to `there` asks the lines of the way."""

    def asked(part: str, kind: ir.Type, *step: ir.Local) -> ir.Expression | None:
        if part not in way.parts:
            return None
        return ir.Call(name=f"{way.name} {part}", arguments=(*arguments, *step), type=kind, site=site)

    condition, cost = asked("allows", ir.FLAG, here, there), asked("costs", ir.NUMBER, here, there)
    if condition is None and cost is None:
        condition = ir.Const(value=True, type=ir.FLAG)
    return ir.Reach(
        start=start, step_from=here.name, step_to=there.name, condition=condition, cost=cost,
        limit=asked("limit", ir.NUMBER), stop=asked("stops", ir.FLAG, there), goal=None,
        type=ir.set_of(way.over), kinds=way.over.names, site=site,
    )  # fmt: skip


def meets(goal: ir.Expression, found: ir.Reach, site: ir.Site) -> ir.Expression:
    """Whether the goal, or one of several, is among what is found."""
    if goal.type.tag != "set":
        return ir.Binary(operator="in", left=goal, right=found, type=ir.FLAG, site=site)
    both = ir.Binary(operator="both", left=goal, right=found, type=goal.type)
    nobody = ir.Const(value=0, type=goal.type)
    return ir.Binary(operator="!=", left=both, right=nobody, type=ir.FLAG, site=site)
