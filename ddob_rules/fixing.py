"""Definitions fixed at the start of a phase: worked out once for everything, then only looked up.

The value is kept in an attribute of ours (or a variable, if there is nothing it depends on).
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.limits import holders_of
from ddob_rules.scope import Here, attribute_space
from ddob_rules.tree import Leaf
from interpreter import ir

_EMPTY: dict[str, int | bool | str] = {"number": 0, "flag": False, "text": "", "set": 0}


def fixed_at_phase(here: Here, definition: ir.Definition, phase: Leaf) -> list[ir.Definition]:
    """The definition under another name, and in its place one that looks the kept value up."""
    words = here.vocabulary
    now = replace(definition, name=f"{definition.name} now")
    kept = f"{definition.name} fixed"
    site = definition.site
    start = ir.Const(value=_EMPTY.get(definition.type.tag, -1), type=definition.type)
    if not definition.parameters:
        words.variables[kept] = ir.Variable(name=kept, type=definition.type, start=start, site=site)
        call = ir.Call(name=now.name, arguments=(), type=definition.type, site=site)
        words.renewals.append((phase, here.rule, ir.SetGlobal(name=kept, value=call, site=site)))
        return [now, replace(definition, body=ir.Global(name=kept, type=definition.type))]
    parameter = definition.parameters[0]
    space = attribute_space(parameter.type)
    if (
        len(definition.parameters) > 1
        or space is None
        or parameter.type.tag not in ("piece", "space", "enum")
    ):
        here.error("E0233", phase, name=definition.name)
        return [definition]
    owner: ir.Owner = parameter.type.tag
    enum = parameter.type.names[0] if owner == "enum" else ""
    attribute = ir.Attribute(name=kept, type=definition.type, start=start, site=site)
    words.attributes[space, kept] = attribute
    for holder in holders_of(words, parameter.type):
        words.holders.setdefault((space, kept), []).append(holder)
        known = words.kinds.get(holder) or ir.Kind(name=holder, owner="enum", site=site)
        words.kinds[holder] = replace(known, attributes=(*known.attributes, attribute))
        kind = replace(parameter.type, names=(holder,))
        each = ir.Local(name="each", type=kind)
        call = ir.Call(name=now.name, arguments=(each,), type=definition.type, site=site)
        keep = ir.SetAttribute(owner=owner, attribute=kept, subject=each, value=call, site=site, enum=enum)
        extent = ir.Extent(kind=holder, type=ir.set_of(kind))
        loop = ir.ForEach(
            variable="each", variable_type=kind, source=extent, where=None, keys=(), body=(keep,), site=site
        )
        words.renewals.append((phase, here.rule, loop))
    subject = ir.Local(name=parameter.name, type=parameter.type)
    look = ir.Get(owner=owner, attribute=kept, subject=subject, type=definition.type, fixed=False, enum=enum)
    return [now, replace(definition, body=look)]
