"""Numbers that stop at their ends, and attributes that have a value for each value of an enum.

Both become what is there already: a value that is kept is brought within its ends before it is written, and
an attribute by enum is as many attributes as the enum has values, with a definition that finds the right one.
"""

from __future__ import annotations

from ddob_rules.check.scope import Vocabulary
from interpreter import ir

Bounds = tuple[int, int] | None


def within(bounds: Bounds, value: ir.Expression) -> ir.Expression:
    """The number, or the end that it is beyond."""
    if bounds is None or value.type != ir.NUMBER:
        return value
    low, high = (ir.Const(value=end, type=ir.NUMBER) for end in bounds)
    return _library("lowest_of", high, _library("highest_of", low, value))


def _library(name: str, *arguments: ir.Expression) -> ir.Builtin:
    return ir.Builtin(name=name, arguments=arguments, type=ir.NUMBER)


def keyed(name: str, value: str) -> str:
    """What the attribute for one value of its enum is called inside; no author can write such a name."""
    return f"{name}({value})"


def reader(space: str, name: str) -> str:
    """The definition that finds the value of an attribute by enum."""
    return f"{space}.{name} for"


def build_readers(words: Vocabulary) -> list[ir.Definition]:
    """A definition for each attribute by enum: of a thing and a value, what the thing has of it."""
    return [_reader(words, space, name, enum) for (space, name), enum in words.families.items()]


def _reader(words: Vocabulary, space: str, name: str, enum: str) -> ir.Definition:
    owner: ir.Owner = "enum" if space.startswith("enum ") else _OWNERS[space]
    holder = space.removeprefix("enum ") if owner == "enum" else ""
    thing = ir.Local(name="thing", type=ir.enum_type(holder) if holder else ir.Type(_TAGS[space]))
    key = ir.Local(name="key", type=ir.enum_type(enum))
    values = words.enums[enum].values
    attributes = [words.attributes[space, keyed(name, value)] for value in values]
    kind = attributes[0].type
    body: ir.Expression = nothing_of(kind)
    for index, attribute in reversed(list(enumerate(attributes))):
        found = ir.Get(
            owner=owner, attribute=attribute.name, subject=thing, type=kind, fixed=attribute.start is None,
            enum=holder,
        )  # fmt: skip
        meant = ir.Binary(operator="=", left=key, right=ir.Const(value=index, type=key.type), type=ir.FLAG)
        body = ir.Conditional(condition=meant, then=found, otherwise=body, type=kind)
    parameters = tuple(ir.Parameter(name=local.name, type=local.type) for local in (thing, key))
    return ir.Definition(
        name=reader(space, name), parameters=parameters, type=kind, body=body, site=attributes[0].site
    )


_OWNERS: dict[str, ir.Owner] = {"piece": "piece", "space": "space", "edge": "edge"}
_TAGS: dict[str, ir.Tag] = {"piece": "piece", "space": "space", "edge": "edge"}


def nothing_of(kind: ir.Type) -> ir.Expression:
    """What `nothing` has of a type."""
    match kind.tag:
        case "number":
            return ir.Const(value=0, type=kind)
        case "flag":
            return ir.Const(value=False, type=kind)
        case "text":
            return ir.Const(value="", type=kind)
        case "set":
            return ir.MakeSet(items=(), type=kind)
        case "list":
            return ir.Builtin(name="number_list", arguments=(), type=kind)
        case _:
            return ir.Const(value=-1, type=kind)
