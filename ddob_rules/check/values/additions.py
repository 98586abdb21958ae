"""Amendments that add up: `define X also E when C` and `define X only if C`.

They follow the versions of a definition, so `base` never sees them, and their order does not matter: numbers
are added, sets joined, flags put together by "or"; only then `only if` takes away by "and".
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.check.editions import both, either, negated
from ddob_rules.check.scope import WRONG, Here, Scope, Vocabulary, renamed_scope
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.reports.diagnostics import Label
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.expressions import Expression
from interpreter import ir

#: How two values become one, and what adds nothing.
_JOINED: dict[str, tuple[ir.Operator, int | bool]] = {
    "number": ("+", 0), "set": ("union", 0), "flag": ("or", False),
}  # fmt: skip


def added_up(words: Vocabulary, entry: Entry, definition: ir.Definition) -> ir.Definition:
    """The definition in force, with what rules add to it and make it depend on."""
    body = definition.body
    for kind in (nodes.DefineAlso, nodes.DefineOnly):
        for edit in entry.edits:
            if edit.declaration is not None and isinstance(edit.declaration.node, kind):
                body = _with(words, entry, definition, edit, body)
    return replace(definition, body=body)


def refuse_additions(words: Vocabulary, entry: Entry) -> None:
    """A table of effects has no value that something could be added to."""
    for edit in entry.edits:
        if edit.declaration is not None:
            _refuse(Here(edit.rule, words), entry, edit, ir.EFFECT)


def _with(
    words: Vocabulary, entry: Entry, definition: ir.Definition, edit: Version, body: ir.Expression
) -> ir.Expression:
    assert edit.declaration is not None
    here = Here(edit.rule, words)
    # The names are those of the first declaration, whatever later versions call their parameters.
    scope = renamed_scope(definition.parameters, words.functions[entry.name].parameters)
    kind = definition.type
    match edit.declaration.node:
        case nodes.DefineAlso(value=value, condition=condition) if kind.tag in _JOINED:
            operator, nothing = _JOINED[kind.tag]
            more = Expressions(here, scope).of(value, kind)
            held = _all(here, scope, condition, edit.condition)
            if held is not None:
                none = ir.Const(value=nothing, type=kind)
                more = ir.Conditional(condition=held, then=more, otherwise=none, type=kind)
            return ir.Binary(operator=operator, left=body, right=more, type=kind, site=here.site(value))
        case nodes.DefineOnly(condition=condition) if kind == ir.FLAG:
            test = Expressions(here, scope).flag(condition)
            if edit.condition is not None:
                test = either(negated(Expressions(here, scope).flag(edit.condition)), test)
            return both(body, test)
        case _:
            _refuse(here, entry, edit, kind)
            return body


def _all(here: Here, scope: Scope, *conditions: Expression | None) -> ir.Expression | None:
    found: ir.Expression | None = None
    for condition in conditions:
        if condition is not None:
            test = Expressions(here, scope).flag(condition)
            found = both(found, test)
    return found


def _refuse(here: Here, entry: Entry, edit: Version, kind: ir.Type) -> None:
    assert edit.declaration is not None
    if isinstance(edit.declaration.node, (nodes.DefineAlso, nodes.DefineOnly)) and kind != WRONG:
        code = "E0523" if isinstance(edit.declaration.node, nodes.DefineAlso) else "E0524"
        place = Label(entry.base.span, f"rule {entry.base.rule.id}")
        here.error(code, edit.declaration.span, place, name=entry.name, type=kind)
