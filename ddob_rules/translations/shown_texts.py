"""From a program to the texts in it that players see, and to the same program with other texts.

A text is known by its own words, with `{...}` where a value goes. Titles are not looked at: they are looked
up where they are shown. Nor are texts that rules compare with others, because those do more than tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir.walk import inner_names, parts

# Where a player reads what an expression says.
_SHOWN = {
    ("Choose", "prompt"),
    ("Menu", "prompt"),
    ("MenuCase", "label"),
    ("Say", "text"),
    ("Refuse", "text"),
    ("EndGame", "text"),
    ("Roll", "title"),
    ("Priority", "prompt"),
    ("Condition", "reason"),
    ("Reason", "text"),
    ("Action", "label"),
    ("Look", "text"),
    ("Status", "text"),
    ("Measure", "title"),
    ("Definition", "body"),
    ("Row", "result"),
}
# What is written on a drawing; the names of symbols and patterns are not for players.
_WRITTEN = ("mark", "name", "label", "numbers", "sides", "roads")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def shown_texts(program: ir.Program) -> list[str]:
    """Every text once, in the order of the program."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        found.setdefault(text)
        return text

    _Rewriting(program, note).run()
    return list(found)


def with_texts(program: ir.Program, change: Callable[[str], str]) -> ir.Program:
    """The program with every text that is shown replaced by what `change` makes of it."""
    return _Rewriting(program, change).run()


class _Rewriting:
    """Goes through a program and hands every text that is shown to `change`, with `{...}` where values go."""

    def __init__(self, program: ir.Program, change: Callable[[str], str]) -> None:
        self.program = program
        self.change = change
        self.compared = _compared(program)

    def run(self) -> ir.Program:
        program: ir.Program = self._item(self.program)
        return program

    def _item(self, item: Any) -> Any:
        if isinstance(item, tuple):
            return tuple(map(self._item, item))
        names = inner_names(type(item))
        if names is None or isinstance(item, ir.Rule):
            return item
        if isinstance(item, ir.Definition | ir.Table) and item.type == ir.TEXT and item.name in self.compared:
            return item
        if isinstance(item, ir.Todo):
            return replace(item, text=self.change(item.text))
        return self._inner(item, names)

    def _inner(self, item: Any, names: tuple[str, ...]) -> Any:
        changed = {}
        for name in names:
            value = getattr(item, name)
            is_text = (type(item).__name__, name) in _SHOWN or (
                name == "value" and isinstance(item, ir.Drawn) and item.part in _WRITTEN
            )
            new = self._text(value) if is_text and value is not None else self._item(value)
            if new is not value:
                changed[name] = new
        return replace(item, **changed) if changed else item

    def _text(self, expression: ir.Expression) -> ir.Expression:
        if isinstance(expression, ir.Const) and expression.type == ir.TEXT:
            said = str(expression.value)
            new = self.change(said) if said.strip() else said
            return expression if new == said else replace(expression, value=new)
        if isinstance(expression, ir.Conditional) and expression.type == ir.TEXT:
            then, otherwise = self._text(expression.then), self._text(expression.otherwise)
            return replace(expression, then=then, otherwise=otherwise)
        if isinstance(expression, ir.Format):
            return self._format(expression)
        return expression

    def _format(self, text: ir.Format) -> ir.Expression:
        names = placeholders(text)
        values = {name: self._text(part) for name, part in names.items()}
        labels = {id(part): name for name, part in names.items()}
        template = "".join(
            part if isinstance(part, str) else "{" + labels[id(part)] + "}" for part in text.parts
        )
        return ir.Format(parts=tuple(_parts(self.change(template), values)))


def _parts(template: str, values: Mapping[str, ir.Expression]) -> Iterator[str | ir.Expression]:
    last = 0
    for found in PLACEHOLDER.finditer(template):
        if found[1] in values:
            if found.start() > last:
                yield template[last : found.start()]
            yield values[found[1]]
            last = found.end()
    if last < len(template):
        yield template[last:]


def placeholders(text: ir.Format) -> dict[str, ir.Expression]:
    """What stands in braces for each value of a text: what it is called in the rules, or else its number."""
    found: dict[str, ir.Expression] = {}
    for part in text.parts:
        if not isinstance(part, str):
            name = _called(part)
            found[name if name and name not in found else str(len(found) + 1)] = part
    return found


def _called(expression: ir.Expression) -> str:
    match expression:
        case ir.Global(name=name):
            # As the rules call a part of a phase, or what it goes through.
            return name.split(" of phase ")[0].removeprefix("phase ")
        case ir.Local(name=name) | ir.Ref(id=name):
            return name
        case ir.Get(subject=subject, attribute=attribute):
            return f"{inner}.{attribute}" if (inner := _called(subject)) else ""
        case ir.Call(name=name, arguments=arguments) | ir.Builtin(name=name, arguments=arguments):
            inner_names = [_called(argument) for argument in arguments]
            return f"{name}({', '.join(inner_names)})" if all(inner_names) else ""
        case ir.Quantify(gather="count", variable=variable):
            return f"count {variable}" if variable else ""
        case _:
            return ""


def _compared(program: ir.Program) -> frozenset[str]:
    """The definitions and tables whose texts rules compare, directly or through others."""
    calls: dict[str, set[str]] = {}
    waiting: set[str] = set()
    declarations: list[ir.Definition | ir.Table] = [*program.definitions, *program.tables]
    for declared in declarations:
        calls[declared.name] = {item.name for item in parts(declared) if isinstance(item, ir.Call)}
    for item in parts(program):
        if isinstance(item, ir.Binary) and item.left.type == ir.TEXT:
            waiting |= {inner.name for inner in parts(item) if isinstance(inner, ir.Call)}
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= calls.get(name, set()) - found
    return frozenset(found)
