"""From priorities to lists of criteria, each a number of which the lowest or the highest is best.

A priority that is amended under a condition keeps the criteria of all its versions; those not in force
count for nothing. What is left equal is decided as the last version says.
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.check.editions import editions, own_parameters, test_of
from ddob_rules.check.scope import Here, Scope, Signature, Vocabulary, renamed_scope
from ddob_rules.check.values.definitions import check_type
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import Node
from ddob_rules.syntax.nodes import rules as nodes
from interpreter import ir

_ZERO = ir.Const(value=0, type=ir.NUMBER)
_ONE = ir.Const(value=1, type=ir.NUMBER)


def build_priority(words: Vocabulary, entry: Entry) -> ir.Priority:
    signature = words.priorities[entry.name]
    base = entry.base.node
    assert isinstance(base, nodes.Priority)
    variable = base.item.text
    found: list[ir.Priority] = []
    criteria: list[ir.Criterion] = []
    for version, conditions in editions(entry.versions):
        scope = _scope(words, entry, version, signature, variable)
        priority = _priority(words, version, signature, scope, variable, entry.name)
        active = test_of(words, scope, conditions)
        for criterion in priority.criteria:
            value = criterion.value
            if active is not None:
                value = ir.Conditional(condition=active, then=value, otherwise=_ZERO, type=ir.NUMBER)
            criteria.append(replace(criterion, value=value))
        found.append(priority)
    return replace(found[-1], criteria=tuple(criteria))


def _scope(words: Vocabulary, entry: Entry, version: Version, signature: Signature, variable: str) -> Scope:
    """Inside, parameters and variable keep the names of the first version."""
    place = _declared(version)
    here = Here(version.rule, words)
    own = signature.parameters
    if version is not entry.versions[0]:
        own = own_parameters(here, signature, version, place.parameters)
        check_type(here, entry.name, signature.type, place.type)
    declared = (*signature.parameters, ir.Parameter(name=variable, type=signature.type))
    return renamed_scope(declared, (*own, ir.Parameter(name=place.item.text, type=signature.type)))


def _declared(version: Version) -> nodes.Priority:
    assert version.declaration is not None and isinstance(version.declaration.node, nodes.Priority)
    return version.declaration.node


def _priority(
    words: Vocabulary, version: Version, signature: Signature, scope: Scope, variable: str, name: str
) -> ir.Priority:
    assert version.declaration is not None
    here = Here(version.rule, words)
    values = Expressions(here, scope)
    result = ir.Priority(
        name=name, parameters=signature.parameters, variable=variable, type=signature.type, criteria=(),
        tie="lowest", player=None, prompt=None, site=here.site(version.declaration.span),
    )  # fmt: skip
    criteria: list[ir.Criterion] = []
    settled: list[Node] = []
    for place in _declared(version).criteria:
        if place.value in settled or place in settled:
            here.error("E0401", place)
        # An order of values may leave unlike things equal, so only the same order again cannot matter.
        settled.append(place if isinstance(place, nodes.PreferInOrder) else place.value)
        criteria.append(_criterion(here, values, place))
    result = _with_tie(result, values, _declared(version).tie)
    return replace(result, criteria=tuple(criteria))


def _with_tie(priority: ir.Priority, values: Expressions, tie: nodes.Tie | None) -> ir.Priority:
    match tie:
        case nodes.TiePlayer():
            text = values.text(tie.text) if tie.text is not None else ir.Const(value="", type=ir.TEXT)
            return replace(priority, tie="player", player=values.of(tie.player, ir.PLAYER), prompt=text)
        case nodes.TieChance():
            return replace(priority, tie="chance")
        case nodes.TieLowest() | None:
            return priority


def _criterion(here: Here, values: Expressions, place: nodes.Criterion) -> ir.Criterion:
    site = here.site(place)
    match place:
        case nodes.Prefer():
            test = values.flag(place.value)
            value: ir.Expression = ir.Conditional(condition=test, then=_ZERO, otherwise=_ONE, type=ir.NUMBER)
            return ir.Criterion(value=value, descending=False, site=site)
        case nodes.PreferInOrder():
            subject = values.of(place.value)
            value = ir.Const(value=len(place.order), type=ir.NUMBER)
            for number, option in reversed(list(enumerate(place.order))):
                wanted = values.of(option, subject.type)
                same = ir.Binary(operator="=", left=subject, right=wanted, type=ir.FLAG)
                rank = ir.Const(value=number, type=ir.NUMBER)
                value = ir.Conditional(condition=same, then=rank, otherwise=value, type=ir.NUMBER)
            return ir.Criterion(value=value, descending=False, site=site)
        case nodes.PreferLowest() | nodes.PreferHighest():
            best = isinstance(place, nodes.PreferHighest)
            return ir.Criterion(value=values.number(place.value), descending=best, site=site)
