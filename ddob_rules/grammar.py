"""The grammar files, composed and turned into a parse table.

The grammar is LALR(1), built by lark. Tokens come from our own lexer, because words are keywords only where
the grammar accepts them; and nodes are built by our own callbacks, because we want the place of every keyword
too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark
from lark import __version__ as lark_version
from lark.lexer import Lexer, Token
from lark.parsers.lalr_analysis import Shift

from ddob_rules.kept import keep, recall
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


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """One way to write one thing, as lark has read it."""

    name: str
    origin: str
    symbols: tuple[tuple[str, bool], ...]  # with: is it a terminal?
    aliased: bool
    expand: bool  # a node with one item is that item
    keep_all: bool
    gaps: tuple[bool, ...]


#: What a state does with a symbol: shift to a state, or reduce by the rule of this number.
Action = tuple[bool, int]


@dataclass(frozen=True, slots=True)
class Table:
    """A parse table in plain numbers and names."""

    states: dict[int, dict[str, Action]]
    starts: dict[str, int]
    ends: dict[str, int]
    rules: tuple[GrammarRule, ...]


@cache
def table() -> Table:
    """The parse table. Making it takes longer than reading a rulebook, so it is kept on disk."""
    key = (lark_version, text())
    found = recall("grammar", key)
    if not isinstance(found, Table):
        found = _make_table()
        keep("grammar", key, found)
    return found


def _make_table() -> Table:
    lark = Lark(text(), parser="lalr", lexer=_NoLexer, maybe_placeholders=True, start=["start", "expr"])
    parser: Any = lark.parser
    made = parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    states = {
        state: {
            name: (True, argument) if action is Shift else (False, numbers[argument])
            for name, (action, argument) in entries.items()
        }
        for state, entries in made.states.items()
    }
    rules = tuple(
        GrammarRule(
            name=str(rule.alias or rule.origin.name),
            origin=str(rule.origin.name),
            symbols=tuple((str(symbol.name), bool(symbol.is_term)) for symbol in rule.expansion),
            aliased=bool(rule.alias),
            expand=bool(rule.options.expand1),
            keep_all=bool(rule.options.keep_all_tokens),
            gaps=tuple(bool(bit) for bit in rule.options.empty_indices),
        )
        for rule in lark.rules
    )
    return Table(states, dict(made.start_states), dict(made.end_states), rules)


def shape(rule: GrammarRule) -> Callable[[list[Any]], list[Any]]:
    """Which symbols of a grammar rule become items of its node, and where left-out ones leave a gap."""
    if rule.gaps:
        gaps = [len(ones) for ones in "".join(str(int(bit)) for bit in rule.gaps).split("0")]
    else:
        gaps = [0] * (len(rule.symbols) + 1)
    plan: list[tuple[int, bool, int]] = []
    waiting = 0
    for position, (name, terminal) in enumerate(rule.symbols):
        waiting += gaps[position]
        if terminal and name.startswith("_") and not rule.keep_all:
            continue
        plan.append((position, not terminal and name.startswith("_"), waiting))
        waiting = 0
    waiting += gaps[len(rule.symbols)]

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
