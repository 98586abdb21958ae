"""From a condition to what is known of things where it holds: of which of their kinds they are.

In `x in hex and f(x)` the second half needs to be true of hexes alone. What is known goes by how a thing is
written, a name or a path of attributes, so it reaches no further than the expression, or the body, that
stands under the condition. Left out: what other comparisons tell, and things whose kinds are not stated,
which may stand where any kind is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddob_rules.check.scope import Scope
from ddob_rules.syntax.nodes import Node, effects
from ddob_rules.syntax.nodes import expressions as nodes
from interpreter import ir

#: What is known, by how the thing is written.
Known = dict[str, ir.Type]
#: `x in S` where it holds (or not): how x is written, x, S, and whether x is in it.
_Fact = tuple[str, nodes.Expression, nodes.Expression, bool]


def path_of(place: nodes.Expression) -> str:
    """`x` or `x.y.z`, as it is written; empty for anything else."""
    match place:
        case nodes.Name():
            return place.name.text
        case nodes.Attribute():
            owner = path_of(place.owner)
            return f"{owner}.{place.name.text}" if owner else ""
        case nodes.Group():
            return path_of(place.inner)
        case _:
            return ""


def memberships(condition: nodes.Expression, holds: bool) -> Iterable[_Fact]:
    """What a condition says of which set something is in, if it holds or if it does not."""
    match condition:
        case nodes.Group():
            yield from memberships(condition.inner, holds)
        case nodes.Negation():
            yield from memberships(condition.part, not holds)
        case nodes.Conjunction() if holds:
            for part in condition.parts:
                yield from memberships(part, holds)
        case nodes.Disjunction() if not holds:
            for part in condition.parts:
                yield from memberships(part, holds)
        case nodes.Membership() | nodes.NonMembership():
            path = path_of(condition.item)
            # A set that is written out would have to be read twice.
            if path and isinstance(condition.collection, nodes.Name):
                inside = isinstance(condition, nodes.Membership) == holds
                yield path, condition.item, condition.collection, inside


def of_kinds(kind: ir.Type, group: ir.Expression, inside: bool) -> ir.Type | None:
    """The type of a thing of several kinds that is in a set, or is not; nothing if that tells no more."""
    element = group.type.element
    if element is None or element.tag != kind.tag or kind.tag not in ("piece", "space") or not element.names:
        return None
    if not inside and not isinstance(group, ir.Extent):
        return None  # only of all of a kind it tells something that one is not among them
    names = tuple(name for name in kind.names if (name in element.names) == inside)
    return ir.Type(kind.tag, names) if 0 < len(names) < len(kind.names) else None


def with_known(scope: Scope, known: Known) -> Scope:
    """A scope in which more is known."""
    inner = scope.inner()
    inner.known |= known
    return inner


def with_known_names(scope: Scope, known: Known, *bodies: Node) -> Scope:
    """For a body: what is known of names that it does not set; attributes may change meanwhile."""
    changed = {
        path_of(place.target) for body in bodies for place in body.walk() if isinstance(place, effects.Set)
    }
    return with_known(
        scope, {name: kind for name, kind in known.items() if "." not in name and name not in changed}
    )


def narrowed(found: ir.Expression, kind: ir.Type | None) -> ir.Expression:
    return found if kind is None else replace(found, type=kind)
