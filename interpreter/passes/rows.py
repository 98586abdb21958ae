"""From rows of spaces that are only asked who stands in them to sets of spaces.

A pass over the typed form. In `some row in lines_through(c, 3) where every s in row has s.mark = p` nothing
depends on the order of a row, so each can be a set, and what is asked of all its spaces is one question about
sets (see `narrowing`). Left out: rows of a length that is not written out, and rows that are looked at in
another way as well.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.ir.walk import parts, rewritten
from interpreter.passes.by_value import compared
from interpreter.passes.conditions import conjuncts

#: Straight rows of a fixed length, up to this one, are looked up in a table made with the game.
SHORT_ROW = 12
#: What gives nothing of a row itself.
_OF_ROWS = ("some", "no", "every", "count", "sum", "most", "least")
_OF_SPACES = ("some", "no", "every", "count")


def with_rows_as_sets(program: ir.Program) -> ir.Program:
    """The same program, with sets in the place of such rows."""
    found: ir.Program = rewritten(program, _change)
    return found


def _change(part: object) -> object:
    match part:
        case ir.Quantify(
            source=ir.Builtin(name="lines_through", arguments=(_, ir.Const(value=int(length)))) as source
        ) if length <= SHORT_ROW and _is_only_asked(part):
            row = source.type.element
            assert row is not None and row.element is not None
            group = ir.set_of(row.element)
            return replace(
                part,
                source=replace(source, type=ir.list_of(group)),
                where=_retyped(part.where, part.variable, group),
                body=_retyped(part.body, part.variable, group),
            )
        case _:
            return part


def _retyped(item: ir.Expression | None, name: str, kind: ir.Type) -> ir.Expression | None:
    def change(part: object) -> object:
        return replace(part, type=kind) if isinstance(part, ir.Local) and part.name == name else part

    found: ir.Expression | None = rewritten(item, change)
    return found


def _is_only_asked(e: ir.Quantify) -> bool:
    """Whether rows are mentioned only where something is asked of their spaces that sets can answer."""
    inside = list(parts((e.where, e.body)))
    mentioned = [part for part in inside if isinstance(part, ir.Local) and part.name == e.variable]
    asked = [
        part.source
        for part in inside
        if isinstance(part, ir.Quantify) and part.source in mentioned and _by_sets(part)
    ]
    return e.gather in _OF_ROWS and 0 < len(mentioned) == len(asked)


def _by_sets(e: ir.Quantify) -> bool:
    every = e.body if e.gather == "every" else None
    terms = [*conjuncts(e.where), *conjuncts(every)]
    answered = all(compared(e.variable, term) is not None for term in terms)
    return e.gather in _OF_SPACES and (e.body is None or every is not None) and answered
