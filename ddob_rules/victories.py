"""From victory conditions and the score to typed ones; a later version switches the earlier ones off."""

from __future__ import annotations

from ddob_rules.editions import editions, test_of
from ddob_rules.expressions import Expressions
from ddob_rules.overlay import Entry
from ddob_rules.scope import Here, Vocabulary, renamed_scope, scope_of
from ddob_rules.statements import Statements
from ddob_rules.tree import leaf
from ddob_rules.type_names import parameters_of
from interpreter import ir


def build_victories(words: Vocabulary, entry: Entry) -> list[ir.Victory]:
    """Each version that can be in force is a victory of its own."""
    made: list[ir.Victory] = []
    for version, conditions in editions(entry.versions):
        if version.declaration is None:
            continue
        here = Here(version.rule, words)
        _, parameters_item, condition_item, body_item = version.declaration.node.items
        parameters = parameters_of(here, parameters_item)
        scope = scope_of(parameters)
        test = Expressions(here, scope).flag(condition_item)
        active = test_of(words, scope_of(parameters), conditions)
        if active is not None:
            test = ir.Binary(operator="and", left=active, right=test, type=ir.FLAG)
        body = Statements(here, scope).block(body_item, scope)
        last = version is entry.versions[-1]
        name = entry.name if last else f"{entry.name} as of {version.rule.id}"
        site = here.site(version.declaration.span)
        made.append(ir.Victory(name=name, parameters=parameters, condition=test, body=body, site=site))
    return made


def build_score(words: Vocabulary, entry: Entry) -> ir.Definition:
    """One definition that asks the versions in turn, the last one first."""
    parameter = ir.Parameter(name=leaf(entry.base.node.items[0]).text, type=ir.PLAYER)
    body: ir.Expression | None = None
    for version in entry.versions:
        assert version.declaration is not None
        name, value_item = version.declaration.node.items
        here = Here(version.rule, words)
        scope = renamed_scope((parameter,), (ir.Parameter(name=leaf(name).text, type=ir.PLAYER),))
        value = Expressions(here, scope).number(value_item)
        if version.condition is not None and body is not None:
            test = Expressions(here, scope).flag(version.condition)
            value = ir.Conditional(condition=test, then=value, otherwise=body, type=ir.NUMBER)
        body = value
    assert body is not None
    site = Here(entry.base.rule, words).site(entry.base.span)
    return ir.Definition(name="score", parameters=(parameter,), type=ir.NUMBER, body=body, site=site)
