"""From priorities to lists of criteria, each a number of which the lowest or the highest is best.

A priority that is amended under a condition keeps the criteria of all its versions; those not in force
count for nothing. What is left equal is decided as the last version says.
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.definitions import check_type
from ddob_rules.editions import editions, own_parameters, test_of
from ddob_rules.expressions import Expressions
from ddob_rules.overlay import Entry, Version
from ddob_rules.scope import Here, Scope, Signature, Vocabulary, renamed_scope
from ddob_rules.tree import Item, Node, leaf, node
from interpreter import ir

_ZERO = ir.Const(value=0, type=ir.NUMBER)
_ONE = ir.Const(value=1, type=ir.NUMBER)


def build_priority(words: Vocabulary, entry: Entry) -> ir.Priority:
    signature = words.priorities[entry.name]
    variable = leaf(entry.base.node.items[2]).text
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
    assert version.declaration is not None
    items = version.declaration.node.items
    here = Here(version.rule, words)
    own = signature.parameters
    if version is not entry.versions[0]:
        own = own_parameters(here, signature, version, items[1])
        check_type(here, entry.name, signature.type, items[3])
    declared = (*signature.parameters, ir.Parameter(name=variable, type=signature.type))
    return renamed_scope(declared, (*own, ir.Parameter(name=leaf(items[2]).text, type=signature.type)))


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
    settled: list[Item] = []
    for item in version.declaration.node.items[4:]:
        if item is None:
            continue
        place = node(item)
        if place.kind.startswith("tie"):
            result = _with_tie(result, values, place)
            continue
        if place.items[0] in settled or place in settled:
            here.error("E0401", place)
        # An order of values may leave unlike things equal, so only the same order again cannot matter.
        settled.append(place if place.kind == "prefer_in_order" else place.items[0])
        criteria.append(_criterion(here, values, place))
    return replace(result, criteria=tuple(criteria))


def _with_tie(priority: ir.Priority, values: Expressions, place: Node) -> ir.Priority:
    if place.kind == "tie_player":
        player, prompt = place.items
        text = values.text(leaf(prompt)) if prompt is not None else ir.Const(value="", type=ir.TEXT)
        return replace(priority, tie="player", player=values.of(player, ir.PLAYER), prompt=text)
    return replace(priority, tie="chance" if place.kind == "tie_chance" else "lowest")


def _criterion(here: Here, values: Expressions, place: Node) -> ir.Criterion:
    site = here.site(place)
    match place.kind:
        case "prefer":
            test = values.flag(place.items[0])
            value: ir.Expression = ir.Conditional(condition=test, then=_ZERO, otherwise=_ONE, type=ir.NUMBER)
            return ir.Criterion(value=value, descending=False, site=site)
        case "prefer_in_order":
            subject_item, *options = place.items
            subject = values.of(subject_item)
            value = ir.Const(value=len(options), type=ir.NUMBER)
            for number, option in reversed(list(enumerate(options))):
                wanted = values.of(option, subject.type)
                same = ir.Binary(operator="=", left=subject, right=wanted, type=ir.FLAG)
                rank = ir.Const(value=number, type=ir.NUMBER)
                value = ir.Conditional(condition=same, then=rank, otherwise=value, type=ir.NUMBER)
            return ir.Criterion(value=value, descending=False, site=site)
        case _:
            best = place.kind == "prefer_highest"
            return ir.Criterion(value=values.number(place.items[0]), descending=best, site=site)
