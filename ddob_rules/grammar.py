"""The grammar files, composed and turned into a parse table.

The grammar is LALR(1), built by lark. Tokens come from our own lexer, because words are keywords only where
the grammar accepts them; and nodes are built by our own callbacks, because we want the place of every keyword
too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from lark import Lark
from lark.lexer import Lexer, Token

from ddob_rules.resources import grammar_file

FILES = ("rules", "overlay", "tables", "effects", "expr")
_TERMINAL = re.compile(r"(?<!\w)_?[A-Z][A-Z_]+(?!\w)")


class _NoLexer(Lexer):
    """Lark wants a lexer; the parser is fed token by token instead."""

    def __init__(self, configuration: object) -> None:
        pass

    def lex(self, data: object) -> Iterator[Token]:  # type: ignore[override]
        return iter(())


def text() -> str:
    """All grammar files as one, with every terminal declared."""
    body = "\n".join(grammar_file(f"{name}.lark").read_text("utf-8") for name in FILES)
    terminals = sorted(set(_TERMINAL.findall(re.sub(r"//.*", "", body))))
    return f"{body}\n%declare {' '.join(terminals)}\n"


@cache
def table(start: str) -> tuple[Any, tuple[Any, ...]]:
    """The parse table for a start rule, and the grammar's rules."""
    lark = Lark(text(), parser="lalr", lexer=_NoLexer, maybe_placeholders=True, start=["start", "expr"])
    parser: Any = lark.parser
    return parser.parser._parse_table, tuple(lark.rules)


def shape(rule: Any) -> Callable[[list[Any]], list[Any]]:
    """Which symbols of a grammar rule become items of its node, and where left-out ones leave a gap."""
    empty = rule.options.empty_indices
    if empty:
        gaps = [len(ones) for ones in "".join(str(int(bit)) for bit in empty).split("0")]
    else:
        gaps = [0] * (len(rule.expansion) + 1)
    plan: list[tuple[int, bool, int]] = []
    waiting = 0
    for position, symbol in enumerate(rule.expansion):
        waiting += gaps[position]
        if symbol.is_term and symbol.name.startswith("_") and not rule.options.keep_all_tokens:
            continue
        plan.append((position, not symbol.is_term and symbol.name.startswith("_"), waiting))
        waiting = 0
    waiting += gaps[len(rule.expansion)]

    def pick(values: list[Any]) -> list[Any]:
        items: list[Any] = []
        for position, spread, before in plan:
            items.extend([None] * before)
            if spread:
                items.extend(values[position].items)
            else:
                items.append(values[position])
        items.extend([None] * waiting)
        return items

    return pick
