"""From `limit 1 per u in turn` to a counter, the test on it, and the statements that count and reset.

Each limit of an action has a counter of its own, on the thing it is per or for the whole game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ddob_rules.check.scope import Here, Signature, Vocabulary
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.syntax.nodes.rules import ActionLimit
from interpreter import ir

_ZERO = ir.Const(value=0, type=ir.NUMBER)
_ONE = ir.Const(value=1, type=ir.NUMBER)
_OWNERS: dict[str, ir.Owner] = {"piece": "piece", "space": "space", "enum": "enum"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    test: ir.Expression
    reason: str  # what is said when the author gives no reason; empty if there is one
    count: ir.Statement
    resets: tuple[ir.Statement, ...]
    times: tuple[str, ...]  # "phase X" or "turn": when the counter begins again


def build_limit(
    here: Here, values: Expressions, place: ActionLimit, action: str, signature: Signature,
    groups: tuple[str, ...],
) -> Limit | None:  # fmt: skip
    """The limit, or None after a mistake."""
    within, per = place.scope.word.text, place.per
    times = {"phase": tuple(f"phase {group}" for group in groups), "turn": ("turn",)}.get(within, ())
    site = here.site(place)
    counter = f"{action} done in {within}"
    limit = values.number(place.number)
    read: ir.Expression
    if per is None:
        variables = here.vocabulary.kept.variables
        variables.setdefault(counter, ir.Variable(name=counter, type=ir.NUMBER, start=_ZERO, site=site))
        read = ir.Global(name=counter, type=ir.NUMBER)
        count: ir.Statement = ir.SetGlobal(name=counter, value=_plus_one(read), site=site)
        resets: tuple[ir.Statement, ...] = (ir.SetGlobal(name=counter, value=_ZERO, site=site),)
    else:
        inside, kind = values.scope.names.get(per.text, ("", None))
        named = [parameter.name for parameter in signature.parameters]
        if kind is None or kind.tag not in _OWNERS or inside not in named:
            here.unknown(per.text, per, named)
            return None
        counter = f"{counter} per {inside}"
        read = _counter_on(here.vocabulary, counter, ir.Local(name=inside, type=kind), site)
        count = _assign(read, read.subject, _plus_one(read), site)
        resets = tuple(_reset(read, holder, site) for holder in holders_of(here.vocabulary, kind))
    return Limit(
        test=ir.Binary(operator="<", left=read, right=limit, type=ir.FLAG),
        reason="" if place.reason is not None else _often_enough(here.rule.language, within),
        count=count,
        resets=resets,
        times=times,
    )


def _often_enough(language: str, within: str) -> str:
    if language == "fr":
        words = {"phase": "dans cette phase", "turn": "dans ce tour", "game": "dans cette partie"}
        return f"déjà fait assez souvent {words[within]}"
    return f"done often enough this {within}"


def _plus_one(read: ir.Expression) -> ir.Expression:
    return ir.Binary(operator="+", left=read, right=_ONE, type=ir.NUMBER)


def _assign(read: ir.Get, subject: ir.Expression, value: ir.Expression, site: ir.Site) -> ir.SetAttribute:
    return ir.SetAttribute(
        owner=read.owner, attribute=read.attribute, subject=subject, value=value, site=site, enum=read.enum
    )


def _reset(read: ir.Get, holder: str, site: ir.Site) -> ir.ForEach:
    kind = replace(read.subject.type, names=(holder,))
    clear = _assign(read, ir.Local(name="each", type=kind), _ZERO, site)
    return ir.ForEach(
        variable="each", variable_type=kind, source=ir.Extent(kind=holder, type=ir.set_of(kind)), where=None,
        keys=(), body=(clear,), site=site,
    )  # fmt: skip


def holders_of(words: Vocabulary, kind: ir.Type) -> tuple[str, ...]:
    """The kinds that a thing of this type may be of."""
    if kind.names:
        return kind.names
    owners = ("piece", "card") if kind.tag == "piece" else (kind.tag,)
    return tuple(known.name for known in words.kinds.values() if known.owner in owners)


def _counter_on(words: Vocabulary, counter: str, subject: ir.Local, site: ir.Site) -> ir.Get:
    """A number on each thing of that type, added to the kinds on the first time round."""
    kind = subject.type
    for holder in holders_of(words, kind):
        words.kept.on(holder, ir.Attribute(name=counter, type=ir.NUMBER, start=_ZERO, site=site))
    enum = kind.names[0] if kind.tag == "enum" else ""
    return ir.Get(
        owner=_OWNERS[kind.tag], attribute=counter, subject=subject, type=ir.NUMBER, fixed=False, enum=enum
    )
