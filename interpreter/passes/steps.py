"""From conditions on the steps of a search to sets of places: where it may come to, whatever way it takes.

A pass over the typed form. Of `open_side(x, y) and y not in seen_by(p)` nothing in play changes the first, so
who can step where is known for the whole game; the second is a set, found once for a search and not at every
step. So are the places that end the movement. A condition inside a definition counts too. Where pieces are is
asked by many searches, so it becomes a definition of its own, which is remembered. Left out: searches by
cost, and conditions with a part that is neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from interpreter import ir
from interpreter.ir.walk import parts, rewritten, substitute
from interpreter.passes.analysis import Analysis, expression_facts
from interpreter.passes.by_value import compared
from interpreter.passes.conditions import Early, bound_by, conjunction, conjuncts, mentions
from interpreter.passes.lowered import StaticSteps

#: So many definitions are looked into, one inside the other.
_DEEPEST = 6
#: What the places of a step are called in all conditions that are worked out once.
_FROM, _TO = " from", " to"
#: What a piece is called in all definitions of where pieces are, and what these are called, with a number.
_PIECE, _WHERE = " piece", " where pieces are"
#: What such a definition may depend on, if its values are to be remembered.
_FEW = ("enum", "flag", "piece", "space")
#: A condition on steps that all neighbours meet.
ALWAYS = ir.Const(value=True, type=ir.FLAG)


@dataclass(eq=False, slots=True)
class Stepper:
    """Rewrites a program, and gathers the conditions on steps that are worked out once for a game."""

    original: ir.Program
    analysis: Analysis
    remember: bool = True
    steps: dict[tuple[tuple[str, ...], ir.Expression], StaticSteps] = field(default_factory=dict)
    shared: dict[ir.Expression, ir.Definition] = field(default_factory=dict)
    early: Early = field(init=False)

    def __post_init__(self) -> None:
        self.early = Early(self.original, self.analysis)

    def program(self) -> ir.Program:
        """The program with every search by sets for which that is possible."""
        found: ir.Program = rewritten(self.original, self._change)
        return replace(found, definitions=(*found.definitions, *self.shared.values()))

    def _change(self, part: object) -> object:
        match part:
            case ir.Reach(condition=condition, cost=None, goal=None, kinds=(kind,)):
                return self._reach(part, condition, kind) if condition is not None else part
            case _:
                return part

    def _reach(self, e: ir.Reach, condition: ir.Expression, kind: str) -> ir.Reach:
        every = ir.Extent(kind=kind, type=ir.set_of(ir.Type("space", names=(kind,))))
        places, fixed = _Places(self, e.step_to, every), []
        within: ir.Expression = every
        if self.early.may_fail((condition, e.stop)):
            return e  # what is asked before its turn must not fail
        halts = places.where(e.stop) if e.stop is not None else None
        if halts is None and e.stop is not None:
            return e
        waiting = conjuncts(condition)
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
        if waiting:
            return e
        steps = self._steps(e, fixed)
        return replace(e, condition=None, stop=None, within=within, steps=steps, halts=halts)

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

    def where_pieces_are(self, found: ir.Quantify) -> ir.Expression:
        """The set, as a call of a definition that all searches share, if that can be remembered."""
        piece = ir.Local(name=_PIECE, type=found.variable_type)
        where, body = (substitute(part, found.variable, piece) for part in (found.where, found.body))
        common = replace(found, variable=_PIECE, where=where, body=body, site=ir.NOWHERE)
        free = _free(common)
        reads = expression_facts(common, self.early.bodies, self.analysis).reads
        if not self.remember or not reads or any(local.type.tag not in _FEW for local in free):
            return found
        made = self.shared.get(common)
        if made is None:
            parameters = tuple(ir.Parameter(name=local.name, type=local.type) for local in free)
            made = ir.Definition(
                name=f"{_WHERE} {len(self.shared)}", parameters=parameters, type=found.type,
                body=replace(common, site=found.site), site=found.site,
            )  # fmt: skip
            self.shared[common] = made
            self.early.bodies[made.name] = made.body  # a search may be what another one is given
            self.analysis.facts[made.name] = expression_facts(common, self.early.bodies, self.analysis)
            self.analysis.remembered[made.name] = frozenset(reads)
        return ir.Call(name=made.name, arguments=free, type=found.type, site=found.site)


def _free(e: ir.Expression) -> tuple[ir.Local, ...]:
    """The locals that an expression has from outside."""
    bound = {name for part in parts(e) for name in bound_by(part)}
    found = {part.name: part for part in parts(e) if isinstance(part, ir.Local) and part.name not in bound}
    return tuple(found.values())


def _from_nowhere(part: object) -> object:
    """Without its place in the rules: what cannot fail is the same wherever it stands."""
    return replace(part, site=ir.NOWHERE) if isinstance(part, (ir.Binary, ir.Builtin, ir.Call)) else part


@dataclass(frozen=True, slots=True)
class _Places:
    """Sets of places in the place of conditions on one."""

    stepper: Stepper
    variable: str
    every: ir.Extent

    @property
    def early(self) -> Early:
        return self.stepper.early

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
            case ir.Quantify(gather="some" | "no") if found := self._standing(term) or self._named(term):
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

    def _standing(self, e: ir.Quantify) -> ir.Expression | None:
        """Where pieces are, if it is asked whether some piece of a kind is in the place."""
        match e.source:
            case ir.Binary(
                operator="both",
                left=ir.Builtin(name="contents", arguments=(ir.Local(name=self.variable),)),
                right=ir.Extent() as kind,
            ) if e.body is None and not mentions(e.where, self.variable):
                piece = ir.Local(name=e.variable, type=e.variable_type)
                place = ir.Builtin(name="place_of", arguments=(piece,), type=ir.Type("space"))
                return self._gathered(e, kind, e.where, place)
        return None

    def _named(self, e: ir.Quantify) -> ir.Expression | None:
        """What is said of things, if it is asked whether that is the place for some of them."""
        if e.body is not None or e.source.type.tag != "set" or mentions(e.source, self.variable):
            return None
        others: list[ir.Expression] = []
        named: list[ir.Expression] = []
        for term in conjuncts(e.where):
            match term:
                case (
                    ir.Binary(operator="=", left=ir.Local(name=self.variable), right=value)
                    | ir.Binary(operator="=", left=value, right=ir.Local(name=self.variable))
                ):
                    named.append(value)
                case _:
                    others.append(term)
        if len(named) != 1 or named[0].type.tag != "space" or mentions((named, others), self.variable):
            return None
        return self._gathered(e, e.source, conjunction(others), named[0])

    def _gathered(
        self, e: ir.Quantify, source: ir.Expression, where: ir.Expression | None, place: ir.Expression
    ) -> ir.Expression:
        kind = ir.set_of(ir.Type("space"))
        return self.stepper.where_pieces_are(
            replace(e, gather="set", source=source, where=where, body=place, type=kind)
        )
