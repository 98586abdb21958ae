"""From types as authors write them to the types of the program, and from parameter lists to parameters."""

from __future__ import annotations

from typing import assert_never

from ddob_rules.check.scope import WRONG, Here, Vocabulary
from ddob_rules.reports.diagnostics import Label
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.syntax.nodes import Leaf
from ddob_rules.syntax.nodes import rules as nodes
from interpreter import ir

PLAIN = {
    "number": ir.NUMBER, "flag": ir.FLAG, "text": ir.TEXT, "effect": ir.EFFECT, "piece": ir.Type("piece"),
    "space": ir.Type("space"),
}  # fmt: skip


def type_of(
    here: Here, place: nodes.Type, inline_name: str = "", effects: bool = False, ranged: bool = False
) -> ir.Type:
    """A type as the author wrote it; an enum written in place gets the attribute's name."""
    match place:
        case nodes.NamedType():
            kind = named_type(here, place.name)
            if kind == ir.EFFECT and not effects:
                here.error("E0228", place)
                return WRONG
            return kind
        case nodes.SetType() | nodes.ListType():
            element = type_of(here, place.of, inline_name)
            if element == WRONG:
                return WRONG
            return ir.set_of(element) if isinstance(place, nodes.SetType) else ir.list_of(element)
        case nodes.UnionType():
            return _union_type(here, place)
        case nodes.InlineEnum():
            return _inline_enum(here, place, inline_name)
        case nodes.RangeType():
            if not ranged:
                here.error("E0274", place)
            return ir.NUMBER
        case _:
            assert_never(place)


def bounds_of(here: Here, place: nodes.Type) -> tuple[int, int] | None:
    """The ends of a number that stops there, where the type says so."""
    if not isinstance(place, nodes.RangeType):
        return None
    low, high = (
        -here.number(number) if sign is not None else here.number(number)
        for sign, number in ((place.low_sign, place.low), (place.high_sign, place.high))
    )
    if low > high:
        here.error("E0231", place, low=low, high=high)
    return low, high


def _union_type(here: Here, place: nodes.UnionType) -> ir.Type:
    kinds = [named_type(here, name) for name in place.names]
    if any(kind == WRONG for kind in kinds):
        return WRONG
    if len({kind.tag for kind in kinds}) > 1 or kinds[0].tag not in ("piece", "space"):
        here.error("E0222", place)
        return WRONG
    return ir.Type(kinds[0].tag, tuple(name for kind in kinds for name in kind.names))


def _inline_enum(here: Here, place: nodes.InlineEnum, name: str) -> ir.Type:
    words = here.vocabulary
    if not name:
        here.error("E0230", place)
        return WRONG
    values = tuple(value.text for value in place.names)
    known = words.enums.get(name)
    if known is not None and known.values != values:
        here.error("E0206", place, *first_one(words, name), name=name)
        return WRONG
    words.enums[name] = ir.Enum(name=name, values=values, site=here.site(place))
    for value in place.names:
        words.note(value, "value", name, ir.enum_type(name))
    words.places.setdefault(name, place.span)
    return ir.enum_type(name)


def first_one(words: Vocabulary, name: str) -> tuple[Label, ...]:
    place = words.places.get(name)
    return (Label(place, "the first one"),) if place is not None else ()


def named_type(here: Here, name: Leaf) -> ir.Type:
    words = here.vocabulary
    if name.text in PLAIN:
        words.note(name, "library")
        return PLAIN[name.text]
    if name.text in words.enums:
        words.use(name)
        return ir.enum_type(name.text)
    kind = words.kinds.get(name.text)
    if kind is not None and kind.owner != "enum":
        words.use(name)
        return ir.Type("piece" if kind.owner == "card" else kind.owner, (name.text,))
    if name.text in words.dice:
        words.used.add(name.text)
        return words.dice[name.text].type
    known = [*PLAIN, *words.enums, *words.kinds, *words.dice]
    if not here.habit(name):
        advice = did_you_mean(name.text, known, here.rule.language)
        here.error("E0220", name, name=name.text, help=advice or None)
    return WRONG


def parameters_of(
    here: Here, declared: nodes.Parameters | None, more: nodes.Parameters | None = None
) -> tuple[ir.Parameter, ...]:
    """The parameters in brackets, and those after `for`."""
    found: list[ir.Parameter] = []
    for entry in (entry for group in (declared, more) if group is not None for entry in group.parameters):
        if any(parameter.name == entry.name.text for parameter in found):
            here.error("E0206", entry.name, name=entry.name.text)
            continue
        found.append(ir.Parameter(name=entry.name.text, type=type_of(here, entry.type)))
    return tuple(found)
