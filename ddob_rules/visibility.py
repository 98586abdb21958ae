"""From `seen by` to who may see a piece, a pile, an attribute or a variable.

This is read when all words and signatures are known, because its conditions may ask for any of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ddob_rules.book import Declaration
from ddob_rules.expressions import Expressions
from ddob_rules.overlay import Merged
from ddob_rules.scope import Here, Scope, Vocabulary, attribute_space
from ddob_rules.tree import Item, Leaf, leaf, node
from ddob_rules.vocabulary import attribute_lines
from interpreter import ir

Seers = Literal["everyone", "nobody", "owner"]
_SEERS: dict[str, Seers] = {"everyone": "everyone", "nobody": "nobody", "owner": "owner"}


def read_visibility(merged: Merged, words: Vocabulary) -> None:
    for entry in merged.of_kind("piece", "card", "space", "edge"):
        for version in (*entry.versions[-1:], *entry.edits):
            if version.declaration is not None and entry.name in words.kinds:
                _kind(words, version.declaration)
    for version in merged.additions:
        if (
            version.declaration is not None
            and version.declaration.kind == "each"
            and version.declaration.name in words.kinds
        ):
            _lines(words, version.declaration, ir.enum_type(version.declaration.name))
    for entry in merged.of_kind("pile"):
        declaration = entry.versions[-1].declaration
        assert declaration is not None
        _pile(words, declaration)
    for entry in merged.of_kind("variable"):
        declaration = entry.versions[-1].declaration
        assert declaration is not None
        variable = words.variables[entry.name]
        seen = _seen(Here(declaration.rule, words), declaration.node.items[3], variable.type)
        words.variables[entry.name] = replace(variable, seen=seen)


def _kind(words: Vocabulary, declaration: Declaration) -> None:
    kind = words.kinds[declaration.name]
    subject = ir.Type("piece" if kind.owner == "card" else kind.owner, (kind.name,))
    if subject.tag == "piece":
        seen = _seen(Here(declaration.rule, words), declaration.node.items[2], subject)
        if seen is not None:
            words.kinds[declaration.name] = replace(kind, seen=seen)
    _lines(words, declaration, subject)


def _lines(words: Vocabulary, declaration: Declaration, subject: ir.Type) -> None:
    """The attributes of a kind or of an enum."""
    here = Here(declaration.rule, words)
    space = attribute_space(subject) or ""
    for line in attribute_lines(declaration):
        names, seen = line.items[0], _seen(here, line.items[5], subject)
        if seen is None:
            continue
        told = {leaf(name).text for name in node(names).items}
        kind = words.kinds[declaration.name]
        attributes = tuple(
            replace(attribute, seen=seen) if attribute.name in told else attribute
            for attribute in kind.attributes
        )
        words.kinds[declaration.name] = replace(kind, attributes=attributes)
        for attribute in attributes:
            if attribute.name in told:
                words.attributes[space, attribute.name] = attribute


def _pile(words: Vocabulary, declaration: Declaration) -> None:
    kind = words.kinds[declaration.name]
    seen = _seen(Here(declaration.rule, words), declaration.node.items[5], ir.Type("pile", (kind.name,)))
    if seen is None and kind.board in ("deck", "bag"):
        seen = ir.Visibility(seers="nobody")
    words.kinds[declaration.name] = replace(kind, seen=seen)


def _seen(here: Here, item: Item, subject: ir.Type) -> ir.Visibility | None:
    if item is None:
        return None
    seers_item, condition_item = node(item).items
    first = node(seers_item).items[0]
    scope = Scope()
    scope.add("it", subject)
    values = Expressions(here, scope)
    condition = values.flag(condition_item) if condition_item is not None else None
    if isinstance(first, Leaf):
        if first.text == "owner" and subject.tag != "pile":
            # A pile for each player belongs to that player; anything else must say whose it is.
            owner = values.get(ir.Local(name="it", type=subject), first)
            values.expect(owner.type, ir.PLAYER, first)
        return ir.Visibility(seers=_SEERS[first.text], condition=condition)
    players = here.vocabulary.enums["player"].values
    names = [leaf(name) for name in node(first).items]
    for name in names:
        if name.text not in players:
            here.unknown(name.text, name, players)
    return ir.Visibility(seers=tuple(name.text for name in names), condition=condition)
