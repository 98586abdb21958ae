"""From a scenario to numbers: what it says of attributes, and the position before the first step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.machine.state import State
from interpreter.passes.analysis import identifier

if TYPE_CHECKING:
    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game

#: What a value of a type is when there is none; numbers inside for everything else are -1.
EMPTY: dict[str, Any] = {"number": 0, "flag": False, "text": "", "set": 0, "list": ()}


def template_of(game: Game) -> State:
    """A state that is copied for every new game."""
    state = game.state_class.__new__(game.state_class)
    game.state_class.game = game
    state.turn, state.rng, state.phase, state.result = game.scenario.first_turn - 1, 0, "", None
    state.player = state.ask = -1
    state.options, state.answer, state.leaving, state.fuel = [], None, False, game.limits.steps
    state.script, state.happened, state.past, state.count, state.given = (), None, None, 0, None
    state.stack = []
    for name in state.MEMORIES:
        setattr(state, name, None)
    _place_pieces(game, state)
    try:
        game.namespace["start_values"](state)
    except Exception as problem:
        raise game.failed(None, problem) from problem
    start = game.namespace["START"]
    for entry in game.code.layout.attributes:
        if entry.fixed:
            continue
        values = [EMPTY.get(entry.type.tag, -1)] * (column_size(game, entry) + 1)
        for kind in entry.kinds:
            for index in _indices(game, entry, kind):
                values[index] = start[f"{kind} {entry.attribute}"]
        for index, value in given(game, entry):
            values[index] = encoded(game, value, entry.type)
        setattr(state, entry.name, values)
    for variable in game.program.variables:
        value = start.get(f"variable {variable.name}", EMPTY.get(variable.type.tag, -1))
        setattr(state, identifier("v", variable.name), said_of(game, variable, value))
    for keep in game.namespace["KEEPERS"]:
        keep(state)
    return state


def said_of(game: Game, variable: ir.Variable, start: Any) -> Any:
    """What a variable is when a game begins: what the scenario says, or what the rules say."""
    said = dict(game.scenario.variables)
    return encoded(game, said[variable.name], variable.type) if variable.name in said else start


def _indices(game: Game, column: Column, kind: str) -> Iterable[int]:
    if column.owner == "piece":
        return [index for index, name in enumerate(game.piece_kind) if name == kind]
    if column.owner == "space":
        return [index for index, space in enumerate(game.spaces) if space.kind == kind]
    if column.owner == "edge":
        kinds = next(k.of for k in game.program.kinds if k.name == kind)
        ends = game.board.edge_ends
        return [
            index
            for index, (a, b) in enumerate(ends)
            if game.spaces[a].kind in kinds and game.spaces[b].kind in kinds
        ]
    return range(len(game.enums[column.enum].values))


def _place_pieces(game: Game, state: State) -> None:
    count = len(game.place_ids)
    columns: Any = state  # the generated class has slots for these
    columns.at = [
        game.place_number.get(piece.at, -1) if piece.at else -1 for piece in game.scenario.pieces
    ] + [-1]
    columns.inside = [0] * (count + 1)
    columns.order = [()] * (count - len(game.spaces))
    for number, place in enumerate(state.at[:-1]):
        state.inside[place] |= 1 << number  # nowhere is -1: the last element
        if place >= len(game.spaces):
            state.order[place - len(game.spaces)] += (number,)
    for pile, ids in game.scenario.piles:
        order = tuple(game.piece_number[ident] for ident in ids)
        state.order[game.place_number[pile] - len(game.spaces)] = order


def encoded(game: Game, value: Any, kind: ir.Type) -> Any:
    """Ids in scenario data become numbers, lists of ids sets."""
    if kind.tag == "piece":
        return game.piece_number.get(value, -1) if isinstance(value, str) else -1
    if kind.tag in ("space", "pile"):
        return game.place_number.get(value, -1) if isinstance(value, str) else -1
    if kind.tag == "set" and kind.element is not None and isinstance(value, tuple):
        mask = 0
        for item in value:
            number = encoded(game, item, kind.element)
            mask |= 1 << number if number >= 0 else 0
        return mask
    if kind.tag == "list" and kind.element is not None and isinstance(value, tuple):
        return tuple(encoded(game, item, kind.element) for item in value)
    return value


def column_size(game: Game, column: Column) -> int:
    """How many things may have an attribute."""
    match column.owner:
        case "piece":
            return len(game.piece_ids)
        case "space":
            return len(game.place_ids)
        case "edge":
            return game.board.edge_count
        case _:
            return len(game.enums[column.enum].values)


def given(game: Game, column: Column) -> Iterable[tuple[int, Any]]:
    """What the scenario says of an attribute: the index and the value."""
    if column.owner == "enum":
        for name, value, attribute, said in game.scenario.each:
            if (name, attribute) == (column.enum, column.attribute):
                yield game.enums[name].values.index(value), said
        return
    for index, thing in _things(game, column.owner):
        if thing.kind in column.kinds:
            for name, value in thing.values:
                if name == column.attribute:
                    yield index, value


def _things(game: Game, owner: str) -> Iterable[tuple[int, Any]]:
    match owner:
        case "piece":
            return enumerate(game.scenario.pieces)
        case "space":
            return enumerate(game.spaces)
        case _:
            number = game.place_number
            edges = game.scenario.edges
            return [(game.board.edge_of(number[edge.first], number[edge.second]), edge) for edge in edges]
