"""From the versions of a declaration to what each needs to be in force, and to the names they have inside.

A later version hides the earlier ones while its condition holds, for good if it has none. What a version
does is left to the modules that build it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddob_rules.check.scope import Held, Here, Scope, Signature, Vocabulary
from ddob_rules.check.type_names import parameters_of
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes.rules import Parameters
from interpreter import ir


def chain_names(entry: Entry) -> list[str]:
    """The name inside of each version: the last one has the plain name."""
    return [*(f"{entry.name} as of {version.rule.id}" for version in entry.versions[:-1]), entry.name]


def editions(versions: Sequence[Version]) -> list[tuple[Version, tuple[Held, ...]]]:
    """The versions that can be in force, each with the conditions under which it is."""
    found: list[tuple[Version, tuple[Held, ...]]] = []
    later: tuple[Held, ...] = ()
    for version in reversed(versions):
        if version.condition is None:
            found.append((version, later))
            break
        found.append((version, (Held(version.condition, version.rule), *later)))
        later = (Held(version.condition, version.rule, wanted=False), *later)
    return found[::-1]


def test_of(words: Vocabulary, scope: Scope, conditions: Sequence[Held]) -> ir.Expression | None:
    """One test for all the conditions; None if there are none."""
    result: ir.Expression | None = None
    for held in conditions:
        test = Expressions(Here(held.rule, words), scope).flag(held.condition)
        if not held.wanted:
            test = ir.Unary(operator="not", operand=test, type=ir.FLAG)
        result = both(result, test)
    return result


def both(first: ir.Expression | None, second: ir.Expression) -> ir.Expression:
    """One test for two; for the second alone if there is no first."""
    if first is None:
        return second
    return ir.Binary(operator="and", left=first, right=second, type=ir.FLAG)


def either(first: ir.Expression, second: ir.Expression) -> ir.Expression:
    return ir.Binary(operator="or", left=first, right=second, type=ir.FLAG)


def negated(test: ir.Expression) -> ir.Expression:
    return ir.Unary(operator="not", operand=test, type=ir.FLAG)


def own_parameters(
    here: Here,
    signature: Signature,
    version: Version,
    stated: Parameters | None,
    more: Parameters | None = None,
) -> tuple[ir.Parameter, ...]:
    """The parameters of an amending version: the types are those of what it amends, the names its own."""
    own = parameters_of(here, stated, more)
    declared = signature.parameters
    if [parameter.type for parameter in own] == [parameter.type for parameter in declared]:
        return own
    place = stated or version.declaration or version.rule
    here.error("E0509", place.span, needed=len(declared))
    return declared
