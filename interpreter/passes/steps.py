"""From conditions on the steps of a search to sets of places: where it may come to, whatever way it takes.

A pass over the typed form. Of `open_side(x, y) and y not in seen_by(p)` nothing in play changes the first, so
who can step where is known for the whole game; the second is a set, found once for a search and not at every
step. A condition inside a definition counts too. Left out: searches by cost, and conditions with a part that
is neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from interpreter import ir
from interpreter.ir.walk import rewritten, substitute
from interpreter.passes.analysis import Analysis
from interpreter.passes.by_value import compared
from interpreter.passes.conditions import Early, conjunction, conjuncts, mentions
from interpreter.passes.lowered import StaticSteps

#: So many definitions are looked into, one inside the other.
_DEEPEST = 6
#: What the places of a step are called in all conditions that are worked out once.
_FROM, _TO = " from", " to"
#: A condition on steps that all neighbours meet.
ALWAYS = ir.Const(value=True, type=ir.FLAG)


@dataclass(eq=False, slots=True)
class Stepper:
    """Rewrites a program, and gathers the conditions on steps that are worked out once for a game."""

    original: ir.Program
    analysis: Analysis
    steps: dict[tuple[tuple[str, ...], ir.Expression], StaticSteps] = field(default_factory=dict)
    early: Early = field(init=False)

    def __post_init__(self) -> None:
        self.early = Early(self.original, self.analysis)

    def program(self) -> ir.Program:
        """The program with every search by sets for which that is possible."""
        found: ir.Program = rewritten(self.original, self._change)
        return found

    def _change(self, part: object) -> object:
        match part:
            case ir.Reach(condition=condition, cost=None, stop=None, goal=None, kinds=(kind,)):
                return self._reach(part, condition, kind) if condition is not None else part
            case _:
                return part

    def _reach(self, e: ir.Reach, condition: ir.Expression, kind: str) -> ir.Reach:
        every = ir.Extent(kind=kind, type=ir.set_of(ir.Type("space", names=(kind,))))
        places, fixed = _Places(self.early, e.step_to, every), []
        within: ir.Expression = every
        waiting = [] if self.early.may_fail(condition) else conjuncts(condition)
        if not waiting:
            return e  # what is asked before its turn must not fail
        for _ in range(_DEEPEST):
            left: list[ir.Expression] = []
            for term in waiting:
                found = None if mentions(term, e.step_from) else places.where(term)
                opened = self.early.opened(term)
                if self.early.unchanging(term, (e.step_from, e.step_to)):
                    fixed.append(term)
                elif found is not None:
                    within = found if within is every else places.joined("both", within, found)
                elif opened is not None:
                    left += conjuncts(opened)
                else:
                    return e
            waiting = left
        return e if waiting else replace(e, condition=None, within=within, steps=self._steps(e, fixed))

    def _steps(self, e: ir.Reach, fixed: list[ir.Expression]) -> int:
        """The number of what never changes of a condition."""
        test = conjunction(fixed) or ALWAYS
        for name, other in ((e.step_from, _FROM), (e.step_to, _TO)):
            test = substitute(test, name, ir.Local(name=other, type=ir.Type("space", names=e.kinds)))
        test = rewritten(test, _from_nowhere)
        made = StaticSteps(
            number=len(self.steps), kinds=e.kinds, step_from=_FROM, step_to=_TO, test=test, site=e.site
        )
        return self.steps.setdefault((e.kinds, test), made).number


def _from_nowhere(part: object) -> object:
    """Without its place in the rules: what cannot fail is the same wherever it stands."""
    return replace(part, site=ir.NOWHERE) if isinstance(part, (ir.Binary, ir.Builtin, ir.Call)) else part


@dataclass(frozen=True, slots=True)
class _Places:
    """Sets of places in the place of conditions on one."""

    early: Early
    variable: str
    every: ir.Extent

    def joined(self, operator: ir.Operator, left: ir.Expression, right: ir.Expression) -> ir.Expression:
        return ir.Binary(operator=operator, left=left, right=right, type=self.every.type)

    def where(self, term: ir.Expression, depth: int = 0) -> ir.Expression | None:
        """Where the term holds, if sets can say so."""
        match term:
            case ir.Binary(operator="and" | "or", left=left, right=right):
                one, other = self.where(left, depth), self.where(right, depth)
                operator: ir.Operator = "both" if term.operator == "and" else "union"
                return None if one is None or other is None else self.joined(operator, one, other)
            case ir.Unary(operator="not", operand=operand):
                found = self.where(operand, depth)
                return None if found is None else self.joined("minus", self.every, found)
            case _ if not mentions(term, self.variable):
                none = ir.MakeSet(items=(), type=self.every.type)
                return ir.Conditional(condition=term, then=self.every, otherwise=none, type=self.every.type)
            case ir.Binary(operator="in", left=ir.Local(name=self.variable), right=group) if (
                group.type.tag == "set" and not mentions(group, self.variable)
            ):
                return group
            case ir.Quantify(gather="some" | "no") if self._stands_there(term):
                found = self._places_of(term)
                return found if term.gather == "some" else self.joined("minus", self.every, found)
            case _ if self.early.unchanging(term, (self.variable,)) or compared(self.variable, term):
                return self._those(term)
        opened = self.early.opened(term) if depth < _DEEPEST else None
        return None if opened is None else self.where(opened, depth + 1)

    def _those(self, term: ir.Expression) -> ir.Expression:
        """Places that are kept apart by value, or known for the whole game."""
        place = ir.Local(name=self.variable, type=ir.Type("space", names=(self.every.kind,)))
        return ir.Quantify(
            gather="set", variable=self.variable, variable_type=place.type, source=self.every, where=term,
            body=place, type=self.every.type,
        )  # fmt: skip

    def _stands_there(self, e: ir.Quantify) -> bool:
        """Whether it is asked whether some piece of a kind is in the place."""
        match e.source:
            case ir.Binary(
                operator="both",
                left=ir.Builtin(name="contents", arguments=(ir.Local(name=self.variable),)),
                right=ir.Extent(),
            ):
                return e.body is None and not mentions(e.where, self.variable)
        return False

    def _places_of(self, e: ir.Quantify) -> ir.Expression:
        """Where such pieces are."""
        assert isinstance(e.source, ir.Binary)
        piece = ir.Local(name=e.variable, type=e.variable_type)
        place = ir.Builtin(name="place_of", arguments=(piece,), type=ir.Type("space"))
        return replace(e, gather="set", source=e.source.right, body=place, type=ir.set_of(place.type))
