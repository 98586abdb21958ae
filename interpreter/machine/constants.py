"""What never changes in a game, under the names by which generated code finds it.

Lists of attributes, sets of things, the tables of a board; and definitions that read nothing else, worked out
when a game is made.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.geometry.grids import ALL_DIRECTIONS
from interpreter.geometry.sets import list_mask
from interpreter.geometry.tables import Areas, OpenSteps, row_table
from interpreter.machine.lookups import DefinitionTable, by_value
from interpreter.machine.opening import EMPTY, column_size, encoded, given, said_of
from interpreter.machine.runtime import make_globals
from interpreter.machine.state import State
from interpreter.passes.analysis import identifier
from interpreter.passes.narrowing import FURTHEST

if TYPE_CHECKING:
    from interpreter.machine.game import Game

DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_OPPOSITE = (4, 5, 6, 7, 0, 1, 2, 3)


def namespace_of(game: Game) -> dict[str, Any]:
    """Where the code of a game is to run."""
    space: dict[str, Any] = make_globals(game, game.board)
    space["State"] = State
    space["START"] = {}
    space["COVER"] = set()
    space["NO_STATE"] = game.no_state
    space["shown"] = game.names.writer()
    space["LAST_TURN"] = game.last_turn
    space.update(_extents(game))
    space.update(_board_tables(game))
    space["NEXT_PLAYER"] = [*(_next_seat(game, number) for number in range(len(game.players))), -1]
    for dice in game.program.dice:
        space[identifier("DICE", dice.name)] = dice.faces
    for number, kind in enumerate(game.code.types):
        space[f"TYPE_{number}"] = kind
    for option in game.program.options:
        space[identifier("O", option.name)] = option.name in game.options
    for name, numbers in game.pile_numbers.items():
        space[identifier("PILE", name)] = [*numbers, -1]
    for name, tag, ident in game.code.refs:
        number = game.piece_number.get(ident, -1) if tag == "piece" else game.place_number.get(ident, -1)
        if number < 0:  # an untyped id may be either
            number = game.place_number.get(ident, game.piece_number.get(ident, -1))
        space[name] = number
    for length in game.code.rows:
        rows = row_table(game.board, length, len(game.place_ids))
        space[f"LINES_{length}"] = rows
        space[f"LINE_SETS_{length}"] = [tuple(list_mask(row) for row in through) for through in rows]
    for one in game.program.variables:
        start = one.start.value if isinstance(one.start, ir.Const) else EMPTY.get(one.type.tag, -1)
        space[identifier("G", one.name)] = said_of(game, one, start)
    _fixed_columns(game, space)
    return space


def _next_seat(game: Game, number: int) -> int:
    """Who comes after a player in the order of play, of those who take part."""
    order = (*range(number + 1, len(game.players)), *range(number + 1))
    return next((other for other in order if other not in game.absent), -1)


def _extents(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for enum in game.program.enums:
        found[identifier("R", enum.name)] = range(len(enum.values))
        found[identifier("M", enum.name)] = (1 << len(enum.values)) - 1
    if game.absent:
        found["R_player"] = tuple(sorted(set(range(len(game.players))) - game.absent))
        found["M_player"] = game.present
    groups: dict[str, list[int]] = {}
    for number, space in enumerate(game.spaces):
        groups.setdefault(space.kind, []).append(number)
        groups.setdefault("all spaces", []).append(number)
    for number, kind in enumerate(game.piece_kind):
        groups.setdefault(kind, []).append(number)
        groups.setdefault("all pieces", []).append(number)
    for kind_name in [
        *[k.name for k in game.program.kinds if k.owner in ("piece", "card", "space")],
        "all spaces",
        "all pieces",
    ]:
        members = groups.get(kind_name, [])
        found[identifier("R", kind_name)] = range(members[0], members[-1] + 1) if members else ()
        found[identifier("M", kind_name)] = sum(1 << member for member in members)
    return found


def _board_tables(game: Game) -> dict[str, Any]:
    board = game.board
    extra = len(game.place_ids) - len(game.spaces)
    neighbours = board.neighbours
    lists = board.neighbour_list
    alike: dict[str, int] = {}
    for number, place in enumerate(game.spaces):
        alike[place.kind] = alike.get(place.kind, 0) | 1 << number
    near = [mask & alike[place.kind] for mask, place in zip(neighbours, game.spaces, strict=False)] + [0] * (
        extra + 1
    )
    steps = [board.step[name] for name in DIRECTIONS]
    rows = [space.row if space.row is not None else 0 for space in game.spaces]
    columns = [space.column if space.column is not None else 0 for space in game.spaces]
    used = [name for name in DIRECTIONS if name in board.DIRECTIONS]
    assert set(ALL_DIRECTIONS) == set(DIRECTIONS)
    return {
        "NEIGHBOURS": neighbours,
        "NEIGHBOURS_LIST": lists,
        "NEAR": near,
        "NEAR_LIST": [
            tuple(member for member in found if mask >> member & 1)
            for found, mask in zip(lists, near, strict=True)
        ],
        "STEP": [*steps, [-1] * (len(game.place_ids) + 1)],
        "OPPOSITE": [*_OPPOSITE, -1],
        "ROW_OF": [*rows, *[0] * extra, 0],
        "COLUMN_OF": [*columns, *[0] * extra, 0],
        "DIRECTIONS": sum(1 << DIRECTIONS.index(name) for name in used),
        **{f"WITHIN_{limit}": Areas(board, limit) for limit in range(FURTHEST + 1)},
    }


def _fixed_columns(game: Game, space: dict[str, Any]) -> None:
    """Lists of what never changes; the last element is what nothing has."""
    constants = dict(game.code.layout.constants)
    for entry in game.code.layout.attributes:
        if not entry.fixed:
            continue
        values = [EMPTY.get(entry.type.tag, -1)] * (column_size(game, entry) + 1)
        if entry.name in constants:
            for name, expression in constants[entry.name]:
                values[game.enums[entry.enum].values.index(name)] = _constant(game, expression)
        for index, value in given(game, entry):
            values[index] = encoded(game, value, entry.type)
        space[f"F_{entry.name}"] = values
        if entry.name in game.code.having:
            space[f"K_{entry.name}"] = by_value(values[:-1])


def _constant(game: Game, expression: ir.Expression) -> Any:
    match expression:
        case ir.Const(value=value):
            return value
        case ir.Unary(operator="-", operand=ir.Const(value=value)):
            return -int(value)
        case ir.MakeSet(items=items):
            return sum({1 << _constant(game, item) for item in items})
        case ir.Ref(id=ident):
            return game.place_number.get(ident, game.piece_number.get(ident, -1))
        case _:
            raise AssertionError(expression)


def fill_tables(game: Game) -> None:
    """Tables of the definitions that depend on nothing that changes, which fill themselves by need."""
    tables = {name: DefinitionTable(game, name, kinds, result) for name, kinds, result in game.code.tabled}
    for name, table in tables.items():
        game.namespace[identifier("T", name)] = table.lazy(())
        game.namespace[identifier("L", name)] = table.lazy((), as_list=True)
    for number, kind in game.code.statics:
        _fill_static(game, number, kind)
    for number, kinds in game.code.steps:
        among = [game.namespace[identifier("M", kind)] for kind in kinds]
        test = partial(game.namespace[f"x_{number}"], game.no_state)
        game.namespace[f"X_{number}"] = OpenSteps(game.board, sum(among), test)


def _fill_static(game: Game, number: int, kind: str) -> None:
    """The things of a kind that pass a test which nothing in play can change."""
    space = game.namespace
    members = [
        member for member in space[identifier("R", kind)] if space[f"z_{number}"](game.no_state, member)
    ]
    space[f"ZL_{number}"] = tuple(members)
    space[f"Z_{number}"] = sum(1 << member for member in members)
