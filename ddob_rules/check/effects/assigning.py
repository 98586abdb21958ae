"""From `assign to each p in S up to N of u in T where C by PRIORITY: block` to loops, picks and matchings.

As many pairs as possible are made, and among the ways to do so each `p`, in turn, takes by its own priority.
What is possible is worked out anew after each pair, since the block may change it. How many are left to each
`p` is kept on it, so that a question in the middle of it all finds it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ddob_rules.check.effects.limits import holders_of
from ddob_rules.check.scope import WRONG, Here, Scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.values.written import shown
from ddob_rules.syntax.nodes import effects as nodes
from interpreter import ir

_ZERO = ir.Const(value=0, type=ir.NUMBER)
_ONE = ir.Const(value=1, type=ir.NUMBER)
_OWNERS: dict[str, ir.Owner] = {"piece": "piece", "space": "space", "enum": "enum"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What goes round the block: the statements before it and after it, and what is in sight in it."""

    place: nodes.Assign
    here: Here
    takers: ir.Local  # all that may take
    taker: ir.Local
    element: ir.Type  # of what is taken
    priority: str
    arguments: tuple[ir.Expression, ...]
    left: ir.Get  # how many the taker may still take
    limit: tuple[str, ir.Expression]  # over a local
    source: ir.Expression  # of the takers
    scope: Scope  # with the taker
    taken: str  # the local of what is taken
    inside: Scope  # with both


def read_assignment(here: Here, scope: Scope, place: nodes.Assign) -> Assignment | None:
    """The parts of an assignment; None after a mistake."""
    values = Expressions(here, scope)
    source, kind = values.collection(place.takers)
    _, element = values.collection(place.things)
    if kind != WRONG and kind.tag not in _OWNERS:
        here.error("E0263", place.takers, text=shown(place.takers), type=kind)
    signature = here.vocabulary.priorities.get(place.priority.text)
    if signature is None:
        here.unknown(place.priority.text, place.priority, list(here.vocabulary.priorities))
    own = scope.inner()
    limited = own.add(place.taker.text, kind)
    limit = Expressions(here, own).number(place.limit)
    with_taker = scope.inner()
    taker = with_taker.add(place.taker.text, kind)
    inside = with_taker.inner()
    taken = inside.add(place.thing.text, element)
    if place.condition is not None:
        Expressions(here, inside).flag(place.condition)
    if signature is None or WRONG in (kind, element, limit.type) or kind.tag not in _OWNERS:
        return None
    here.vocabulary.used.add(place.priority.text)
    values.expect(element, signature.type, place.things)
    given = place.arguments.values if place.arguments is not None else ()
    arguments = Expressions(here, with_taker).arguments(signature, given, place.priority)
    if arguments is None:
        return None
    local = ir.Local(name=taker, type=kind)
    return Assignment(
        place=place, here=here, takers=ir.Local(name=scope.fresh("takers"), type=ir.set_of(kind)),
        taker=local,
        element=element, priority=place.priority.text, arguments=arguments, left=_left(here, place, local),
        limit=(limited, limit), source=source, scope=with_taker, taken=taken, inside=inside,
    )  # fmt: skip


def assigning(found: Assignment, block: tuple[ir.Statement, ...]) -> list[ir.Statement]:
    """The statements that go round the block."""
    site = found.here.site(found.place)
    kind, scope = found.taker.type, found.scope
    most = ir.Local(name=scope.fresh("most"), type=ir.NUMBER)
    open_to = ir.Local(name=scope.fresh("open"), type=ir.set_of(found.element))
    before = ir.Local(name=found.limit[0], type=kind)
    start = _set(found.left, before, found.limit[1], site)
    less = ir.Binary(operator="-", left=found.left, right=_ONE, type=ir.NUMBER, site=site)
    pick = ir.PickBy(
        target=found.taken, priority=found.priority, arguments=found.arguments, variable=scope.fresh("each"),
        source=open_to, where=None, count=None, type=found.element, site=site,
    )  # fmt: skip
    some = ir.Quantify(
        gather="some", variable=scope.fresh("any"), variable_type=found.element, source=open_to, where=None,
        body=None, type=ir.FLAG, site=site,
    )  # fmt: skip
    again = (
        ir.SetLocal(name=most.name, value=_most(found), site=site),
        ir.SetLocal(name=open_to.name, value=_open(found, most), site=site),
    )
    body = (pick, _set(found.left, found.taker, less, site), *block, *again)
    return [
        ir.Let(name=found.takers.name, value=_as_set(found), site=site),
        _for_each(before, found.takers, (start,), site),
        _for_each(
            found.taker,
            found.takers,
            (
                ir.Let(name=most.name, value=_most(found), site=site),
                ir.Let(name=open_to.name, value=_open(found, most), site=site),
                ir.Repeat(times=found.left, condition=some, body=body, site=site),
            ),
            site,
        ),
    ]


def _left(here: Here, place: nodes.Assign, taker: ir.Local) -> ir.Get:
    """A number on each that may take, for this assignment alone."""
    words, site, kind = here.vocabulary, here.site(place), taker.type
    name = f"{here.rule.id} assigned {_number(here, place)}"
    for holder in holders_of(words, kind):
        words.kept.on(holder, ir.Attribute(name=name, type=ir.NUMBER, start=_ZERO, untold=True, site=site))
    enum = kind.names[0] if kind.tag == "enum" else ""
    return ir.Get(
        owner=_OWNERS[kind.tag], attribute=name, subject=taker, type=ir.NUMBER, fixed=False, enum=enum
    )


def _number(here: Here, place: nodes.Assign) -> int:
    """Which of the assignments of its rule it is; bodies are checked one by one, and know only their own."""
    rule = here.rule.node
    found = [part.span for part in rule.walk() if isinstance(part, nodes.Assign)] if rule is not None else []
    return found.index(place.span) + 1 if place.span in found else 0


def _set(left: ir.Get, taker: ir.Local, value: ir.Expression, site: ir.Site) -> ir.SetAttribute:
    return ir.SetAttribute(
        owner=left.owner, attribute=left.attribute, subject=taker, value=value, site=site, enum=left.enum
    )


def _as_set(found: Assignment) -> ir.Expression:
    """The takers, each once, as they are before the first pair."""
    each = ir.Local(name=found.scope.fresh("each"), type=found.taker.type)
    return ir.Quantify(
        gather="set", variable=each.name, variable_type=each.type, source=found.source, where=None, body=each,
        type=found.takers.type, site=found.here.site(found.place),
    )  # fmt: skip


def _for_each(
    each: ir.Local, source: ir.Expression, body: tuple[ir.Statement, ...], site: ir.Site
) -> ir.ForEach:
    return ir.ForEach(
        variable=each.name, variable_type=each.type, source=source, where=None, keys=(), body=body, site=site
    )


def _pairs(found: Assignment, other_than: ir.Local | None) -> ir.Matching:
    """In how many pairs takers and things can be put; `other_than` is spoken for, by the taker in turn."""
    # What the condition says was checked where it stands.
    here = replace(found.here, quiet=True)
    scope = found.scope.inner()
    left = ir.Local(name=scope.add(found.place.taker.text, found.taker.type), type=found.taker.type)
    values = Expressions(here, scope)
    source = values.collection(found.place.things)[0]
    right = ir.Local(name=scope.add(found.place.thing.text, found.element), type=found.element)
    condition: ir.Expression = ir.Const(value=True, type=ir.FLAG)
    if found.place.condition is not None:
        condition = values.flag(found.place.condition)
    capacity: ir.Expression = replace(found.left, subject=left)
    if other_than is not None:
        another = ir.Binary(operator="!=", left=right, right=other_than, type=ir.FLAG)
        condition = ir.Binary(operator="and", left=another, right=condition, type=ir.FLAG)
        same = ir.Binary(operator="=", left=left, right=found.taker, type=ir.FLAG)
        one_less = ir.Conditional(condition=same, then=_ONE, otherwise=_ZERO, type=ir.NUMBER)
        capacity = ir.Binary(operator="-", left=capacity, right=one_less, type=ir.NUMBER)
    return ir.Matching(
        left=left.name, left_source=found.takers, right=right.name, right_source=source, condition=condition,
        capacity=capacity, site=found.here.site(found.place),
    )  # fmt: skip


def _most(found: Assignment) -> ir.Expression:
    return _pairs(found, None)


def _open(found: Assignment, most: ir.Local) -> ir.Expression:
    """What the taker in turn may take so that as many pairs as possible are still made."""
    here = replace(found.here, quiet=True)
    scope = found.scope.inner()
    values = Expressions(here, scope)
    source = values.collection(found.place.things)[0]
    thing = ir.Local(name=scope.add(found.place.thing.text, found.element), type=found.element)
    rest = ir.Binary(operator="+", left=_ONE, right=_pairs(found, thing), type=ir.NUMBER)
    where: ir.Expression = ir.Binary(operator="=", left=rest, right=most, type=ir.FLAG)
    if found.place.condition is not None:
        test = values.flag(found.place.condition)
        where = ir.Binary(operator="and", left=test, right=where, type=ir.FLAG)
    return ir.Quantify(
        gather="set", variable=thing.name, variable_type=found.element, source=source, where=where,
        body=thing,
        type=ir.set_of(found.element), site=found.here.site(found.place),
    )  # fmt: skip
