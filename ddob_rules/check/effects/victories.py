"""From victory conditions and the score to typed ones; a later version switches the earlier ones off."""

from __future__ import annotations

from ddob_rules.check.editions import editions, test_of
from ddob_rules.check.effects.statements import Statements
from ddob_rules.check.scope import Here, Vocabulary, renamed_scope, scope_of
from ddob_rules.check.type_names import parameters_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.stack.overlay import Entry
from ddob_rules.syntax.nodes.rules import AsSoonAs, Score, Victory
from interpreter import ir


def build_victories(words: Vocabulary, entry: Entry) -> list[ir.Victory]:
    """Each version that can be in force is a victory of its own."""
    made: list[ir.Victory] = []
    for version, conditions in editions(entry.versions):
        if version.declaration is None:
            continue
        here = Here(version.rule, words)
        declared = version.declaration.read(Victory)
        parameters = parameters_of(here, declared.parameters)
        scope = scope_of(parameters)
        condition, at_once = declared.condition, False
        if isinstance(condition, AsSoonAs):
            condition, at_once = condition.condition, True
        test = Expressions(here, scope).flag(condition)
        active = test_of(words, scope_of(parameters), conditions)
        if active is not None:
            test = ir.Binary(operator="and", left=active, right=test, type=ir.FLAG)
        body = Statements(here, scope).block(declared.block, scope)
        last = version is entry.versions[-1]
        name = entry.name if last else f"{entry.name} as of {version.rule.id}"
        site = here.site(version.declaration.span)
        made.append(
            ir.Victory(
                name=name, parameters=parameters, condition=test, body=body, site=site, at_once=at_once
            )
        )
    return made


def build_score(words: Vocabulary, entry: Entry) -> ir.Definition:
    """One definition that asks the versions in turn, the last one first."""
    parameter = ir.Parameter(name=entry.base.read(Score).player.text, type=ir.PLAYER)
    body: ir.Expression | None = None
    for version in entry.versions:
        assert version.declaration is not None
        score = version.declaration.read(Score)
        here = Here(version.rule, words)
        scope = renamed_scope((parameter,), (ir.Parameter(name=score.player.text, type=ir.PLAYER),))
        value = Expressions(here, scope).number(score.value)
        if version.condition is not None and body is not None:
            test = Expressions(here, scope).flag(version.condition)
            value = ir.Conditional(condition=test, then=value, otherwise=body, type=ir.NUMBER)
        body = value
    assert body is not None
    site = Here(entry.base.rule, words).site(entry.base.span)
    return ir.Definition(name="score", parameters=(parameter,), type=ir.NUMBER, body=body, site=site)
