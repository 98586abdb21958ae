"""Where everything of a position lies in memory: scalars, columns, variables, piles, sets by value, frames.

A column has an entry for nothing, number -1, which lies before entry 0. What is only remembered (epochs, sets
by value, who is in which place) follows from the rest, but is copied with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.compiler.layout import Column
from interpreter.machine.opening import column_size
from interpreter.wasm.shapes import Shapes
from interpreter.wasm.writing.wat import Module, add, times

#: So many bytes can the frames of procedures that wait take.
FRAMES = 1 << 20
#: So many words can the options of a question take.
OPTIONS = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Entries of one size, one for nothing before the first."""

    address: int  # of entry 0
    size: int
    count: int
    type: ir.Type

    def entry(self, index: str) -> str:
        """The address of an entry. The base is added, never given as an offset: the index may be -1."""
        return add(times(index, self.size), self.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The places of a position."""

    start: int
    chance: int  # i64
    turn: int  # i64
    phase: int  # i32, as are the following
    player: int
    ask: int
    over: int  # 1 once the game is over
    ending: int
    leaving: int
    top: int  # the address of the frame that goes on; 0: none
    free: int  # the address behind the last frame
    offered: int  # how many options there are
    answer: int  # the address of the option taken
    winners: int  # i64
    choices: int  # i64: how many were made
    values: int  # i64s: what the sentence that ended the game has values of
    frames: int  # behind the part that every position has
    options: int
    columns: dict[str, Table]
    variables: dict[str, Table]
    at: Table
    inside: Table
    crowds: Table  # how many pieces are in each place: most have none, which is soon seen
    order: int  # piles: for each a length and its pieces, top first
    pile_size: int
    piece_size: int  # of a piece in a pile
    kept: dict[str, Table]  # sets by value, by column
    epochs: dict[frozenset[str], int]

    @property
    def options_end(self) -> int:
        return self.options + 8 * OPTIONS


#: So many values can a sentence about the end have.
ENDING_VALUES = 8

_WORDS = ("chance", "turn", "winners", "choices")
_HALVES = ("phase", "player", "ask", "over", "ending", "leaving", "top", "free", "offered", "answer")


def make_layout(
    module: Module,
    shapes: Shapes,
    columns: tuple[Column, ...],
    kept: dict[str, tuple[str, ...]],
    epochs: list[frozenset[str]],
) -> Layout:
    """Gives out the memory of a position."""
    game = shapes.game
    places: dict[str, int] = {"start": module.reserve(0, 64)}
    for name in _WORDS:
        places[name] = module.reserve(8)
    for name in _HALVES:
        places[name] = module.reserve(4, 4)
    places["values"] = module.reserve(8 * ENDING_VALUES)
    changing = [entry for entry in columns if not entry.fixed]
    pieces = ir.set_of(ir.Type("piece"))
    piece_size = shapes.size(ir.Type("piece"))
    pile_size = 8 + piece_size * shapes.pieces + 7 & ~7
    made = Layout(
        columns={
            one.name: table(module, shapes.size(one.type), column_size(game, one), one.type)
            for one in changing
        },
        variables={
            one.name: table(module, shapes.size(one.type), 0, one.type, lone=True)
            for one in game.program.variables
        },
        at=table(module, shapes.size(ir.Type("space")), shapes.pieces, ir.Type("space")),
        inside=table(module, max(8, shapes.size(pieces)), shapes.places, pieces),
        crowds=table(module, 4, shapes.places, ir.NUMBER),
        order=module.reserve(pile_size * (shapes.places - len(game.spaces))),
        pile_size=pile_size,
        piece_size=piece_size,
        kept={name: _kept_table(module, shapes, columns, name) for name in kept},
        epochs={reads: module.reserve(8) for reads in epochs},
        frames=module.reserve(FRAMES),
        options=module.reserve(8 * OPTIONS),
        **places,
    )
    return made


def _kept_table(module: Module, shapes: Shapes, columns: tuple[Column, ...], name: str) -> Table:
    """The sets of things by the value of a column."""
    entry = next(one for one in columns if one.name == name)
    element = ir.Type("piece" if entry.owner == "piece" else "space", entry.kinds)
    size = max(8, shapes.size(ir.set_of(element)))
    return table(module, size, shapes.count(entry.type), ir.set_of(element))


def table(module: Module, size: int, count: int, kind: ir.Type, *, lone: bool = False) -> Table:
    """Memory for a column, or for one value (`lone`) that no index reaches."""
    before = 0 if lone else size
    align = min(8, size & -size) if size else 1
    place = module.reserve(before + size * (count or (1 if lone else 0)), max(align, 1))
    return Table(address=place + before, size=size, count=count, type=kind)
