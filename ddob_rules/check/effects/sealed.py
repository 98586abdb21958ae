"""`for each u in S at once`: answers that are sealed until all are in, then revealed together.

What the block writes to its own thing goes into attributes of ours that nobody else sees, and is copied to
the real ones after the last answer. So one who is asked later learns nothing of what the others chose; and
since a block reads nothing that another writes, the order of the questions does not matter.
"""

from __future__ import annotations

from dataclasses import replace

from ddob_rules.check.effects.limits import holders_of
from ddob_rules.check.scope import Here, attribute_space
from ddob_rules.syntax.nodes import Node
from ddob_rules.syntax.nodes import effects as nodes
from ddob_rules.syntax.nodes.expressions import Attribute, Expression, Name
from interpreter import ir
from interpreter.ir.walk import parts, rewritten

_ASKING = (
    nodes.ChooseOne, nodes.ChooseSome, nodes.ChooseNumber, nodes.ChooseOrder, nodes.ChooseYes,
)  # fmt: skip


def check_sealed(here: Here, place: nodes.ForEach) -> bool:
    """Whether the block only asks, and writes only to its own thing; what does not is reported."""
    own = {place.name.text}
    known = {part.name.text for part in place.block.walk() if isinstance(part, nodes.Let)}
    wrong = [part for part in _statements(place.block) if not _keeps_to_itself(part, own, known)]
    for part in wrong:
        here.error("E0345", part, name=place.name.text)
    return not wrong


def _statements(block: nodes.Block) -> list[nodes.Statement]:
    """The effects of a block and of the blocks inside it."""
    found: list[nodes.Statement] = []
    for statement in block.statements:
        found.append(statement)
        inside = [part for part in statement.walk() if isinstance(part, nodes.Block)]
        found += [one for part in inside for one in part.statements]
        found += [part.statement for part in statement.walk() if isinstance(part, nodes.OtherwiseThen)]
    return found


def _keeps_to_itself(statement: Node, own: set[str], known: set[str]) -> bool:
    match statement:
        case nodes.IfStatement() | nodes.Menu() | nodes.Repeat():
            return True
        case nodes.ChooseThen() | nodes.ChooseEach() | nodes.ChooseWhether():
            return True
        case nodes.Let(value=value):
            return not isinstance(value, nodes.Question) or isinstance(value, _ASKING)
        case nodes.Set(target=target, value=value):
            asks = not isinstance(value, nodes.Question) or isinstance(value, _ASKING)
            return asks and _is_own(target, own, known)
        case nodes.Increase(target=target) | nodes.Decrease(target=target) | nodes.Flip(target=target):
            return _is_own(target, own, known)
        case nodes.Mark(target=target) | nodes.Unmark(target=target):
            return isinstance(target, Name) and target.name.text in own
        case _:
            return False


def _is_own(target: Expression, own: set[str], known: set[str]) -> bool:
    match target:
        case Attribute(owner=Name(name=name)):
            return name.text in own
        case Name(name=name):
            return name.text in known
        case _:
            return False


def sealed_loop(here: Here, loop: ir.ForEach) -> list[ir.Statement]:
    """A loop that notes what is there before, and the loop that asks."""
    words, thing = here.vocabulary, ir.Local(name=loop.variable, type=loop.variable_type)
    written = _written(loop)
    space = attribute_space(thing.type) or ""
    for change in written:
        known = words.attributes[space, change.attribute]
        # Where nothing says whose a thing is, nobody sees what is sealed, not even who has sealed it.
        owned = space == "enum player" or (space, "owner") in words.attributes
        seen = ir.Visibility(grants=(ir.Grant(seers="owner"),) if owned else ())
        shadow = replace(
            known, name=ir.SEALED + known.name, seen=seen, untold=True, optional=False, constants=(),
            family="", key="",
        )  # fmt: skip
        for holder in holders_of(words, thing.type):
            words.kept.on(holder, shadow)
    names = {change.attribute for change in written}

    def seal(part: object) -> object:
        match part:
            case ir.Get(subject=ir.Local(name=name), attribute=attribute) if (
                name == loop.variable and attribute in names
            ):
                return replace(part, attribute=ir.SEALED + attribute)
            case ir.SetAttribute(subject=ir.Local(name=name), attribute=attribute) if (
                name == loop.variable and attribute in names
            ):
                return replace(part, attribute=ir.SEALED + attribute)
            case _:
                return part

    before = tuple(_copied(one, thing, words.attributes[space, one.attribute].type) for one in written)
    asking = replace(loop, body=rewritten(loop.body, seal))
    return [replace(loop, body=before), asking]


def _written(loop: ir.ForEach) -> list[ir.SetAttribute]:
    """One change of each attribute that the block writes, in the order of the text."""
    found: dict[str, ir.SetAttribute] = {}
    for part in parts(loop.body):
        if isinstance(part, ir.SetAttribute):
            found.setdefault(part.attribute, part)
    return list(found.values())


def _copied(change: ir.SetAttribute, thing: ir.Local, kind: ir.Type) -> ir.SetAttribute:
    now = ir.Get(
        owner=change.owner, attribute=change.attribute, subject=thing, type=kind, fixed=False,
        enum=change.enum,
    )  # fmt: skip
    return replace(change, attribute=ir.SEALED + change.attribute, subject=thing, value=now)


def revealed(here: Here, loop: ir.ForEach) -> list[tuple[str, ir.Get]]:
    """The attributes that the block writes, each with what was sealed of it."""
    thing = ir.Local(name=loop.variable, type=loop.variable_type)
    space = attribute_space(thing.type) or ""
    return [
        (
            one.attribute,
            ir.Get(
                owner=one.owner, attribute=ir.SEALED + one.attribute, subject=thing, fixed=False,
                enum=one.enum, type=here.vocabulary.attributes[space, one.attribute].type,
            ),
        )
        for one in _written(loop)
    ]  # fmt: skip
