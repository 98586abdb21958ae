"""Definitions fixed at the start of a phase: worked out once for everything, then only looked up.

The value is kept in an attribute of ours (or a variable, if there is nothing it depends on).
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.check.effects.limits import holders_of
from ddob_rules.check.scope import Here, Renewal
from ddob_rules.syntax.nodes import Leaf
from interpreter import ir

_FIXED = " fixed"  # after the name of a definition: where its value is kept
_EMPTY: dict[str, int | bool | str] = {"number": 0, "flag": False, "text": "", "set": 0}


def fixed_at_phase(here: Here, definition: ir.Definition, phase: Leaf) -> list[ir.Definition]:
    """The definition under another name, and in its place one that looks the kept value up."""
    words = here.vocabulary
    now = replace(definition, name=f"{definition.name} now")
    kept = f"{definition.name}{_FIXED}"
    site = definition.site
    start = ir.Const(value=_EMPTY.get(definition.type.tag, -1), type=definition.type)
    if not definition.parameters:
        words.kept.variables[kept] = ir.Variable(name=kept, type=definition.type, start=start, site=site)
        call = ir.Call(name=now.name, arguments=(), type=definition.type, site=site)
        words.renewals.append(Renewal(phase, here.rule, ir.SetGlobal(name=kept, value=call, site=site)))
        return [now, replace(definition, body=ir.Global(name=kept, type=definition.type))]
    parameter = definition.parameters[0]
    if len(definition.parameters) > 1 or parameter.type.tag not in ("piece", "space", "enum"):
        here.error("E0233", phase, name=definition.name)
        return [definition]
    owner: ir.Owner = parameter.type.tag
    enum = parameter.type.names[0] if owner == "enum" else ""
    attribute = ir.Attribute(name=kept, type=definition.type, start=start, site=site)
    for holder in holders_of(words, parameter.type):
        words.kept.on(holder, attribute)
        kind = replace(parameter.type, names=(holder,))
        each = ir.Local(name="each", type=kind)
        call = ir.Call(name=now.name, arguments=(each,), type=definition.type, site=site)
        keep = ir.SetAttribute(owner=owner, attribute=kept, subject=each, value=call, site=site, enum=enum)
        extent = ir.Extent(kind=holder, type=ir.set_of(kind))
        loop = ir.ForEach(
            variable="each", variable_type=kind, source=extent, where=None, keys=(), body=(keep,), site=site
        )
        words.renewals.append(Renewal(phase, here.rule, loop))
    subject = ir.Local(name=parameter.name, type=parameter.type)
    look = ir.Get(owner=owner, attribute=kept, subject=subject, type=definition.type, fixed=False, enum=enum)
    return [now, replace(definition, body=look)]


def fixes(statement: ir.Statement) -> bool:
    """Whether a statement, of those that renew something at the start of a phase, keeps such a value."""
    match statement:
        case ir.SetGlobal(name=name) | ir.ForEach(body=(ir.SetAttribute(attribute=name),)):
            return name.endswith(_FIXED)
        case _:
            return False
