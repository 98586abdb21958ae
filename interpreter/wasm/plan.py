"""What the host must know of a module, to run one that is kept without making it anew."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.wasm.frames import Frame
from interpreter.wasm.layout import Layout

#: So many copies of positions can be kept beside the one that is played.
COPIES = 48
#: The copy that playouts keep of a position while they think.
THINKING = COPIES - 2
#: Scores beyond count as this much: sums of them must fit into 64 bits, beside how the game ended.
LARGEST_SCORE = 1 << 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A module, and all that the host must know of it; plain data that can be kept."""

    text: str
    filled: tuple[tuple[int, bytes], ...]  # what the host writes before anything runs
    longest: int
    layout: Layout
    frames: dict[str, Frame]
    procedures: tuple[str, ...]  # of each block
    questions: tuple[tuple[str, ir.Type, int], ...]  # sort, what is chosen, how many bytes an option takes
    actions: tuple[tuple[ir.Type, ...], ...]  # the types of their parameters
    endings: tuple[tuple[ir.Type, ...], ...]  # the types of the values in the sentence
    kept: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[tuple[ir.Site, tuple[ir.Type, ...]], ...]  # tables of values: the types of their parameters
    sites: tuple[ir.Site, ...]
    texts: tuple[str, ...]
    template: int
    noted: int  # where the arguments are that a table had no row for
    playing: int  # the generator of playouts
    wins: int  # numbers of games won
    sides: int  # who plays with whom: for each player two masks, his own side and the others
    leads: int  # what a side leads by after a step, and at the end of a playout
    seen: int  # which lines of sight are known
    arena: int  # where the host writes lines of sight, up to `scratch`
    copies: int  # where copies of positions may be kept, each in `copy_size` bytes
    copy_size: int
    scratch: int
    watched: int  # where the number of the function is that runs; 0: nowhere
    functions: tuple[tuple[str, str], ...]  # if so: their names, and whose rules they are; first, no rule's
