"""From `seen by` to who may see a piece, a pile, an attribute or a variable.

This is read when all words and signatures are known, because its conditions may ask for any of them.
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.check.scope import FACE_UP, Here, Scope, Vocabulary, attribute_space
from ddob_rules.check.values.expressions import Expressions
from ddob_rules.check.vocabulary import added, current, in_force, lines_of
from ddob_rules.stack.book import Declaration
from ddob_rules.stack.overlay import Merged
from ddob_rules.syntax.nodes import Leaf, rules
from interpreter import ir


def read_visibility(merged: Merged, words: Vocabulary) -> None:
    for entry in merged.of_kind("piece", "card", "record", "space", "edge"):
        for declaration in in_force(entry) if entry.name in words.kinds else ():
            _kind(words, declaration)
    for declaration in added(merged, rules.Each):
        if declaration.name in words.kinds:
            _lines(words, declaration, ir.enum_type(declaration.name))
    for entry in merged.of_kind("pile"):
        _pile(words, current(entry))
    for entry in merged.of_kind("variable"):
        declaration, variable = current(entry), words.variables[entry.name]
        seen = _seen(Here(declaration.rule, words), declaration.read(rules.Variable).modifiers, variable.type)
        words.variables[entry.name] = replace(variable, seen=seen)


def _kind(words: Vocabulary, declaration: Declaration) -> None:
    kind = words.kinds[declaration.name]
    subject = ir.Type("piece" if kind.owner == "card" else kind.owner, (kind.name,))
    if isinstance(declaration.node, (rules.Piece, rules.Card)):
        seen = _seen(Here(declaration.rule, words), declaration.node.modifiers, subject)
        if seen is not None:
            words.kinds[declaration.name] = replace(kind, seen=seen)
    _lines(words, declaration, subject)


def _lines(words: Vocabulary, declaration: Declaration, subject: ir.Type) -> None:
    """The attributes of a kind or of an enum."""
    here = Here(declaration.rule, words)
    space = attribute_space(subject) or ""
    for line in lines_of(declaration):
        if not isinstance(line, rules.AttributeLine):
            continue
        seen = _seen(here, line.modifiers, subject)
        if line.modifiers.hidden is not None and declaration.name in words.faced:
            seen = _face_up(subject)
        if seen is None:
            continue
        told = {name.text for name in line.names.names}
        kind = words.kinds[declaration.name]
        attributes = tuple(
            replace(attribute, seen=seen) if attribute.given_as in told else attribute
            for attribute in kind.attributes
        )
        words.kinds[declaration.name] = replace(kind, attributes=attributes)
        for attribute in attributes:
            if attribute.given_as in told:
                words.attributes[space, attribute.name] = attribute


def _pile(words: Vocabulary, declaration: Declaration) -> None:
    kind = words.kinds[declaration.name]
    stated = declaration.read(rules.Pile).modifiers
    seen = _seen(Here(declaration.rule, words), stated, ir.Type("pile", (kind.name,)))
    if seen is None and kind.board in ("deck", "bag"):
        seen = ir.Visibility()
    words.kinds[declaration.name] = replace(kind, seen=seen)


def _face_up(subject: ir.Type) -> ir.Visibility:
    """Of the hidden side: everyone while it is up; while it is down only the owner, if there is one."""
    it = ir.Local(name="it", type=subject)
    up = ir.Get(owner="piece", attribute=FACE_UP, subject=it, type=ir.FLAG, fixed=False)
    return ir.Visibility(grants=(ir.Grant(seers="face", condition=up),))


def _seen(here: Here, stated: rules.Modifiers, subject: ir.Type) -> ir.Visibility | None:
    """Each clause lets some see it, and clauses add up; `nobody` stands alone, and always holds."""
    if not stated.seen:
        return None
    grants: list[ir.Grant] = []
    for clause in stated.seen:
        who = clause.seers.who
        if not isinstance(who, Leaf) or who.text != "nobody":
            grants.append(_grant(here, clause, who, subject))
        elif clause.condition is not None or len(stated.seen) > 1:
            here.error("E0272", clause)
    return ir.Visibility(grants=tuple(grants))


def _grant(here: Here, clause: rules.Seen, who: rules.Who, subject: ir.Type) -> ir.Grant:
    scope = Scope()
    scope.add("it", subject)
    values = Expressions(here, scope)
    condition = values.flag(clause.condition) if clause.condition is not None else None
    if isinstance(who, Leaf):
        if who.text == "everyone":
            return ir.Grant(seers="everyone", condition=condition)
        if who.text == "team" and ("enum player", "team") not in here.vocabulary.attributes:
            here.error("E0342", who)
            return ir.Grant(seers="owner", condition=condition)
        if subject not in (ir.PLAYER,) and subject.tag != "pile":
            # A pile for each player belongs to that player; anything else must say whose it is.
            owner = values.get(ir.Local(name="it", type=subject), replace(who, text="owner"))
            values.expect(owner.type, ir.PLAYER, who)
        return ir.Grant(seers="team" if who.text == "team" else "owner", condition=condition)
    players = here.vocabulary.enums["player"].values
    for name in who.names:
        if name.text not in players:
            here.unknown(name.text, name, players)
    return ir.Grant(seers=tuple(name.text for name in who.names), condition=condition)
