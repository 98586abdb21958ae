"""From the end of one game to the start of the next: the values that rules declare `carried over`, as data.

Games of a campaign may have other rules and other pieces, so everything goes by the names that rules and
scenarios give: JSON, `{"wind": 3}` for a variable and `{"dancer.score": {"Bo": 2}}` for an attribute. Things
that the next game does not have are passed over there, and are none the worse for it in the one after. Which
game is next is left to `campaigns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.failures import BadState
from interpreter.passes.analysis import column, identifier

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

#: By the name of a variable its value; by kind and attribute a value for each thing.
Carried = dict[str, Any]


def words_carried(program: ir.Program) -> tuple[str, ...]:
    """What the rules carry over, by the keys of `Carried`, in the order of the rules."""
    attributes = [
        f"{kind.name}.{attribute.name}"
        for kind in program.kinds
        for attribute in kind.attributes
        if attribute.carried
    ]
    return (*attributes, *(variable.name for variable in program.variables if variable.carried))


def carried_from(game: Game, state: State) -> Carried:
    """What the game hands on, as it is in a position."""
    found: Carried = {}
    for key, attribute, name, things in _attributes(game):
        values = getattr(state, name)
        found[key] = {ident: _named(game, values[index], attribute.type) for index, ident in things}
    for variable in game.program.variables:
        if variable.carried:
            value = getattr(state, identifier("v", variable.name))
            found[variable.name] = _named(game, value, variable.type)
    return found


def carrying(game: Game, carried: Mapping[str, Any]) -> Game:
    """The same game, but it begins with these values.

    Raises:
        BadState: a value is not of its type.
    """
    begun = copy(game)
    template = game.template.copy()
    for key, attribute, name, things in _attributes(game):
        given = carried.get(key, {})
        values = list(getattr(template, name))
        for index, ident in things:
            if isinstance(given, Mapping) and ident in given:
                values[index] = _numbered(game, given[ident], attribute.type, attribute.bounds)
        setattr(template, name, values)
    for variable in game.program.variables:
        if variable.carried and variable.name in carried:
            value = _numbered(game, carried[variable.name], variable.type, variable.bounds)
            setattr(template, identifier("v", variable.name), value)
    for memory in template.MEMORIES:
        setattr(template, memory, None)
    for keep in game.namespace["KEEPERS"]:
        keep(template)
    begun.template, begun.carried = template, dict(carried)
    return begun


def _attributes(game: Game) -> Iterator[tuple[str, ir.Attribute, str, list[tuple[int, str]]]]:
    """Each attribute that is carried over: its key, itself, its column, and its things by number and name."""
    for kind in game.program.kinds:
        for attribute in kind.attributes:
            if attribute.carried:
                owner = "piece" if kind.owner == "card" else kind.owner
                name = column(owner, attribute.name, kind.name if owner == "enum" else "")
                yield f"{kind.name}.{attribute.name}", attribute, name, _things(game, kind)


def _things(game: Game, kind: ir.Kind) -> list[tuple[int, str]]:
    match kind.owner:
        case "piece" | "card":
            return [(n, ident) for n, ident in enumerate(game.piece_ids) if game.piece_kind[n] == kind.name]
        case "space":
            return [(n, space.id) for n, space in enumerate(game.spaces) if space.kind == kind.name]
        case _:
            return list(enumerate(game.enums[kind.name].values))


# ---------------------------------------------------------------- values


def _named(game: Game, value: Any, kind: ir.Type) -> Any:
    """A value by names; nothing is None."""
    match kind.tag:
        case "number" | "text":
            return value
        case "flag":
            return bool(value)
        case "set" | "list" if kind.element is not None:
            return [_named(game, item, kind.element) for item in game.items(value, kind)]
        case _:
            names = _names(game, kind)
            return names[value] if 0 <= value < len(names) else None


def _numbered(game: Game, data: Any, kind: ir.Type, bounds: tuple[int, int] | None = None) -> Any:
    """The value that names stand for; the data may come from anybody's file."""
    match kind.tag:
        case "number":
            if type(data) is int and abs(data) <= game.limits.number:
                return min(max(data, bounds[0]), bounds[1]) if bounds is not None else data
        case "flag":
            if type(data) is bool:
                return data
        case "text":
            if isinstance(data, str) and len(data) <= game.limits.text:
                return data
        case "set" | "list" if kind.element is not None:
            if isinstance(data, list) and len(data) <= game.limits.collection:
                return _gathered(game, data, kind, kind.element)
        case _:
            if data is None:
                return -1
            if isinstance(data, str):
                names = _names(game, kind)
                return names.index(data) if data in names else -1
    raise BadState(f"`{str(data)[:40]}` is no {kind}, so it cannot be carried over")


def _gathered(game: Game, data: list[Any], kind: ir.Type, element: ir.Type) -> Any:
    """What of a set or list there is in this game: things that it does not have are left out."""
    items = [_numbered(game, item, element) for item in data]
    if element.tag not in ("number", "flag", "text"):
        items = [item for item in items if item >= 0]
    return sum(1 << item for item in set(items)) if kind.tag == "set" else tuple(items)


def _names(game: Game, kind: ir.Type) -> tuple[str, ...] | list[str]:
    match kind.tag:
        case "enum":
            return game.enums[kind.names[0]].values
        case "piece":
            return game.piece_ids
        case "space" | "pile":
            return game.place_ids
        case _:
            return ()
