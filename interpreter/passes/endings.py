"""How a game ended, as data: who won, which rule's sentence said so, and the values in that sentence.

The sentence is worded where somebody reads it, in his language; a position holds none of its text, so that
engines and languages agree on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.ir.walk import parts

#: The number of the ending that no rule states: the last turn is over.
LAST_TURN = -1


def endings_of(program: ir.Program) -> tuple[ir.EndGame, ...]:
    """Every sentence that ends a game of this program, in the order of the rules."""
    found: dict[tuple[ir.Site, ir.Expression], ir.EndGame] = {}
    for part in parts((program.victories, program.actions, program.tables, program.procedures)):
        if isinstance(part, ir.EndGame):
            found.setdefault((part.site, part.text), part)
    return tuple(sorted(found.values(), key=_order))


def _order(ending: ir.EndGame) -> tuple[str, str, int, int]:
    site = ending.site
    return site.rule, site.file, site.line, site.column


def values_in(text: ir.Expression) -> tuple[ir.Expression, ...]:
    """What a sentence has values of, in their order."""
    match text:
        case ir.Const():
            return ()
        case ir.Format():
            return tuple(part for part in text.parts if not isinstance(part, str))
        case _:
            return (text,)


def worded(text: ir.Expression, values: tuple[Any, ...], shown: Callable[[Any, ir.Type], str]) -> str:
    """The sentence with its values."""
    if isinstance(text, ir.Const):
        return str(text.value)
    pieces = text.parts if isinstance(text, ir.Format) else (text,)
    left = iter(values)
    return "".join(piece if isinstance(piece, str) else shown(next(left), piece.type) for piece in pieces)
