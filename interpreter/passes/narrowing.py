"""Turn a collection and the conditions on its members into a smaller collection and fewer conditions.

A pass over the typed form. Conditions that sets can answer (an attribute's value, where a piece is, what is
near it) become intersections of sets; only the rest is tested one by one. A condition inside a definition
counts too: whoever passes the definition passes all that it is made of. Tests that nothing in play can change
are made once for a whole kind.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from interpreter import ir
from interpreter.ir.walk import parts, rewritten
from interpreter.passes.analysis import Analysis
from interpreter.passes.by_value import kept_columns, narrowed_by_values
from interpreter.passes.conditions import Early, bound_by, conjunction, conjuncts, mentions, with_arguments
from interpreter.passes.lowered import StaticKey, StaticSet

#: So many definitions are looked into, one inside the other.
_DEEPEST = 4
#: How far "near" is at most: further away it is as quick to ask everybody.
FURTHEST = 3


@dataclass(eq=False, slots=True)
class Narrower:
    """Rewrites a program, and gathers the tests and keys that are worked out once for a game."""

    original: ir.Program
    analysis: Analysis
    plain: bool = False  # in coverage runs: what is asked is asked where the rules ask it
    statics: dict[tuple[str, str, ir.Expression], StaticSet] = field(default_factory=dict)
    keys: dict[StaticKey, int] = field(default_factory=dict)
    kept: dict[str, tuple[str, ...]] = field(init=False)
    early: Early = field(init=False)
    _only_kind: str = field(init=False)  # of pieces, if there is but one

    def __post_init__(self) -> None:
        self.kept = kept_columns(self.original)
        self.early = Early(self.original, self.analysis)
        kinds = [kind.name for kind in self.original.kinds if kind.owner in ("piece", "card")]
        self._only_kind = kinds[0] if len(kinds) == 1 else ""

    def program(self) -> ir.Program:
        """The program with every collection in it narrowed."""
        found: ir.Program = rewritten(self.original, self._change)
        return found

    def _change(self, part: object) -> object:
        match part:
            case ir.Quantify():
                return self._quantify(part)
            case ir.Binary(
                operator="=", left=ir.Quantify(gather="count") as counted, right=ir.Const(value=0)
            ):
                return self._quantify(replace(counted, gather="no", type=ir.FLAG))
            case ir.Binary(operator="both", left=mask, right=ir.Extent(kind=kind)):
                return mask if kind == self._only_kind and _is_looked_up(mask) else part
            case ir.ForEach() | ir.RandomPick() | ir.PickBy():
                source, where = self.narrowed(part.variable, part.source, part.where, part.site)
                return replace(part, source=source, where=where)
            case ir.Choose(source=ir_source) if ir_source is not None:
                source, where = self.narrowed(part.variable, ir_source, part.where, part.site)
                return replace(part, source=source, where=where)
            case ir.Matching():
                return self._matching(part)
            case _:
                return part

    # ------------------------------------------------------------ collections

    def narrowed(
        self, variable: str, source: ir.Expression, where: ir.Expression | None, site: ir.Site
    ) -> tuple[ir.Expression, ir.Expression | None]:
        """A smaller collection to go through, and the conditions that are left to test."""
        smaller, rest = self._without_values(variable, source, where, site)
        if not isinstance(source, ir.Extent):
            return smaller, rest  # a few things are more cheaply tested one by one
        return narrowed_by_values(variable, smaller, rest, self.kept)

    def _without_values(
        self, variable: str, source: ir.Expression, where: ir.Expression | None, site: ir.Site
    ) -> tuple[ir.Expression, ir.Expression | None]:
        """As `narrowed`, by what never changes and by place."""
        smaller, rest = self._by_sets(variable, source, where)
        if self.plain or not isinstance(smaller, ir.Extent):
            return smaller, rest
        near = self._near(variable, smaller, rest)
        if near is not smaller:
            return near, rest
        element = smaller.type.element
        if element is None or element.tag not in ("piece", "space"):
            return smaller, rest
        fixed = [term for term in conjuncts(rest) if self._unchanging(term, variable)]
        test = conjunction(fixed)
        if test is None:
            return smaller, rest
        made = StaticSet(number=len(self.statics), kind=smaller.kind, variable=variable, test=test, site=site)
        found = self.statics.setdefault((smaller.kind, variable, test), made)
        chosen = ir.Static(number=found.number, type=smaller.type)
        return chosen, conjunction([term for term in conjuncts(rest) if term not in fixed])

    def _by_sets(
        self, variable: str, source: ir.Expression, where: ir.Expression | None
    ) -> tuple[ir.Expression, ir.Expression | None]:
        element = source.type.element
        if source.type.tag != "set" or element is None or isinstance(source, ir.Along):
            return source, where
        rest: list[ir.Expression] = []
        for term in conjuncts(where):
            alone = _only_one(variable, source, term) if _has_all(source) else None
            if alone is not None:
                others = [other for other in conjuncts(where) if other is not term]
                return alone, conjunction(others)
            smaller = self._intersected(variable, source, term) if element.tag in _THINGS else None
            if smaller is None:
                rest.append(term)
            else:
                source = smaller
        return source, conjunction(rest)

    def _intersected(self, variable: str, source: ir.Expression, term: ir.Expression) -> ir.Expression | None:
        """The source without the things that fail the term, if the term can be answered by a set."""
        negated = False
        while isinstance(term, ir.Unary) and term.operator == "not":
            term, negated = term.operand, not negated
        if isinstance(term, ir.Binary) and term.operator == "!=":
            negated = not negated
        mask = _mask(variable, source, term)
        if mask is None:
            return None
        if negated:
            return ir.Binary(operator="minus", left=source, right=mask, type=source.type)
        if isinstance(source, ir.Extent) and self._all_of_kind(mask, source):
            return mask
        return ir.Binary(operator="both", left=mask, right=source, type=source.type)

    def _all_of_kind(self, mask: ir.Expression, source: ir.Extent) -> bool:
        """Whether a set holds nothing but things of the kind."""
        return mask.type == source.type or (source.kind == self._only_kind and _is_looked_up(mask))

    def _unchanging(self, term: ir.Expression, variable: str) -> bool:
        return mentions(term, variable) and self.early.unchanging(term, (variable,))

    def _near(self, variable: str, source: ir.Extent, where: ir.Expression | None) -> ir.Expression:
        """Only the pieces near enough, where a definition among the conditions says how near that is."""
        element = source.type.element
        if element is None or element.tag != "piece":
            return source
        terms = conjuncts(where)
        terms += [part for term in terms for part in implied(term, self.early.definitions)]
        # What is asked before its turn must not fail.
        early = (ir.Call, ir.Binary)
        safe = [term for term in terms if not (isinstance(term, early) and self._arguments_may_fail(term))]
        return near_only(variable, source, safe, self.analysis.tabled)

    def _arguments_may_fail(self, term: ir.Call | ir.Binary) -> bool:
        asked = term.arguments if isinstance(term, ir.Call) else (term.left, term.right)
        return self.early.may_fail(asked)

    # ------------------------------------------------------------ questions about collections

    def _as_set(self, e: ir.Quantify) -> ir.Expression | None:
        """The set of what meets the conditions, if sets can answer them all."""
        smaller, rest = self._without_values(e.variable, e.source, e.where, e.site)
        smaller, rest = narrowed_by_values(e.variable, smaller, rest, self.kept)
        return smaller if rest is None and smaller.type.tag == "set" else None

    def _without_exception(self, e: ir.Quantify) -> ir.Quantify:
        """`every ... has` as `no ... where not`, if that is a question about sets."""
        if e.gather != "every" or e.body is None:
            return e
        failing = ir.Unary(operator="not", operand=e.body, type=ir.FLAG)
        turned = replace(e, gather="no", where=conjunction([*conjuncts(e.where), failing]), body=None)
        return turned if self._as_set(turned) is not None else e

    def _best_of_set(self, e: ir.Quantify) -> ir.Expression | None:
        """The best of a set by a key that nothing changes: worked out once for each set."""
        if e.gather not in ("highest", "lowest") or e.body is None or self.plain:
            return None
        group = self._as_set(e) if self._unchanging(e.body, e.variable) else None
        if group is None:
            return None
        key = StaticKey(highest=e.gather == "highest", variable=e.variable, key=e.body)
        return ir.Best(number=self.keys.setdefault(key, len(self.keys)), group=group, type=e.type)

    def _quantify(self, e: ir.Quantify) -> ir.Expression:
        best = self._best_of_set(e)
        if best is not None:
            return best
        e = self._without_exception(e)
        source, where = self.narrowed(e.variable, e.source, e.where, e.site)
        if e.gather in ("some", "no", "count") and e.body is None and where is not None:
            group = self._as_set(e)
            source, where = (group, None) if group is not None else (source, where)
        return replace(e, source=source, where=where)

    def _matching(self, e: ir.Matching) -> ir.Matching:
        """With a set of the few on the right that one on the left can be matched with, if that is known."""
        if self.plain or not isinstance(e.right_source, ir.Extent):
            return e
        near = self._near(e.right, e.right_source, e.condition)
        return replace(e, near=near) if near is not e.right_source else e


_THINGS = ("piece", "space")


def _any(source: ir.Expression) -> ir.Type:
    """The type of a set of such things, of whatever kind."""
    assert source.type.element is not None
    return ir.set_of(ir.Type(source.type.element.tag))


def _is_looked_up(e: ir.Expression) -> bool:
    return isinstance(e, (ir.Having, ir.ContentsNear)) or _is_contents(e)


def _is_contents(e: ir.Expression) -> bool:
    return isinstance(e, ir.Builtin) and e.name == "contents"


def _has_all(source: ir.Expression) -> bool:
    """Whether everything of the kind is gone through: players may be left out of a scenario."""
    return isinstance(source, ir.Extent) and source.type.element != ir.PLAYER


def _only_one(variable: str, source: ir.Expression, term: ir.Expression) -> ir.Expression | None:
    """The one thing that can pass the term, where it must be of the kind that is gone through."""
    match term:
        case ir.Binary(operator="=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                same = other.type == source.type.element or other.type == ir.NOTHING
                if same and _is(one, variable) and not mentions(other, variable):
                    return ir.Single(thing=other, type=ir.list_of(other.type))
    return None


def _mask(variable: str, source: ir.Expression, term: ir.Expression) -> ir.Expression | None:
    """The set of all things for which the term (without its negation) holds."""
    match term:
        case ir.Binary(operator="in", left=ir.Local(name=name), right=group):
            if name != variable or mentions(group, variable):
                return None
            return group if group.type.tag == "set" else ir.Members(items=group, type=_any(source))
        case ir.Binary(operator="=" | "!=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if mentions(other, variable):
                    continue
                if _is_place(one, variable):
                    return ir.Builtin(name="contents", arguments=(other,), type=_any(source))
                if (
                    isinstance(one, ir.Get)
                    and one.fixed
                    and _is(one.subject, variable)
                    and one.type.tag in _LOOKED_UP
                ):
                    return _having(one, other, source)
        case ir.Get(fixed=True, type=ir.Type(tag="flag")) if _is(term.subject, variable):
            return _having(term, ir.Const(value=True, type=ir.FLAG), source)
        case ir.Builtin(name="adjacent", arguments=(first, second)):
            for one, other in ((first, second), (second, first)):
                if mentions(other, variable):
                    continue
                if _is(one, variable):
                    kind = ir.set_of(other.type) if other.type == source.type.element else _any(source)
                    return ir.Builtin(name="neighbours", arguments=(other,), type=kind)
                if _is_place(one, variable):
                    return ir.ContentsNear(place=other, distance=None, type=_any(source))
        case ir.Binary(
            operator="<=",
            left=ir.Builtin(name="distance", arguments=(first, second)),
            right=ir.Const(value=int(limit)),
        ) if 0 <= limit <= FURTHEST:
            for one, other in ((first, second), (second, first)):
                if _is_place(one, variable) and not mentions(other, variable):
                    return ir.ContentsNear(place=other, distance=limit, type=_any(source))
    return None


def _having(get: ir.Get, value: ir.Expression, source: ir.Expression) -> ir.Having:
    return ir.Having(owner=get.owner, attribute=get.attribute, enum=get.enum, value=value, type=_any(source))


#: Types of fixed attributes for which the game keeps the set of things by value.
_LOOKED_UP = ("enum", "flag", "number", "piece", "space")


def _is(item: ir.Expression, variable: str) -> bool:
    return isinstance(item, ir.Local) and item.name == variable


def _is_place(item: ir.Expression, variable: str) -> bool:
    return isinstance(item, ir.Builtin) and item.name == "place_of" and _is(item.arguments[0], variable)


def implied(
    term: ir.Expression, definitions: Mapping[str, ir.Definition], depth: int = 0
) -> Iterator[ir.Expression]:
    """What also holds where a term that asks definitions holds: the conditions that those are made of."""
    definition = definitions.get(term.name) if isinstance(term, ir.Call) else None
    if definition is None or not isinstance(term, ir.Call) or depth >= _DEEPEST:
        return
    for part in conjuncts(definition.body):
        if isinstance(part, ir.Call) or (_may_be_near(part) and not any(map(bound_by, parts(part)))):
            found = with_arguments(part, definition.parameters, term.arguments)
            yield found
            yield from implied(found, definitions, depth + 1)


def _may_be_near(part: ir.Expression) -> bool:
    """Whether a condition is of a sort that `near_only` makes use of."""
    return (isinstance(part, ir.Binary) and part.operator in ("=", "<=", "in")) or (
        isinstance(part, ir.Builtin) and part.name == "adjacent"
    )


def near_only(
    variable: str, source: ir.Expression, terms: list[ir.Expression], tabled: Container[str] = ()
) -> ir.Expression:
    """The source without the pieces that are too far away for the terms, if any of these says so.

    `tabled` are definitions that nothing in play changes: of one that is asked about the place of the piece,
    the places where it holds are known.
    """
    for term in terms:
        mask = _mask(variable, source, term)
        if mask is not None and (isinstance(mask, ir.ContentsNear) or _is_contents(mask)):
            return ir.Binary(operator="both", left=mask, right=source, type=source.type)
    for term in terms:
        if isinstance(term, ir.Call) and term.name in tabled and term.type == ir.FLAG:
            *others, place = term.arguments
            if others and _is_place(place, variable) and not any(mentions(one, variable) for one in others):
                return ir.ContentsWhere(
                    definition=term.name, arguments=tuple(others), pieces=source, type=source.type
                )
        group = _places_of(variable, term, tabled)
        if group is not None:
            return ir.ContentsOf(places=group, pieces=source, type=source.type)
    return source


def _places_of(variable: str, term: ir.Expression, tabled: Container[str]) -> ir.Expression | None:
    """The set that the place of the piece must be in, if a look-up gives it."""
    match term:
        case ir.Binary(operator="in", left=left, right=group) if _is_place(left, variable):
            known = isinstance(group, ir.Get) or (isinstance(group, ir.Call) and group.name in tabled)
            return group if known and group.type.tag == "set" and not mentions(group, variable) else None
    return None
