"""Lines that list every legal use of an action: loops over parameters, conditions as early as can be."""

from __future__ import annotations

import re

from interpreter import ir
from interpreter.emit import COLUMN, Emitter, Shared, Writer
from interpreter.empty_first import empty_first
from interpreter.narrowing import conjunction, conjuncts, mentions


def write_options(
    shared: Shared, writer: Writer, number: int, action: ir.Action, actor: str, bare: bool = False
) -> None:
    """Lines that add every legal use of an action to the options: the action's number and its arguments.

    With `bare`, the arguments alone (a single one by itself): enough where there is but one action.
    """
    counter = [number * 1000]
    names = {action.actor: actor}
    waiting = [condition.test for condition in action.conditions]
    if action.by is not None:
        player = ir.Local(name=action.actor, type=ir.PLAYER)
        waiting.insert(0, ir.Binary(operator="=", left=player, right=action.by, type=ir.FLAG))
    depth = writer.depth
    if shared.settings.cover and action.site.rule:
        writer.line(f"COVER.add({shared.number(action.site)})")
    for test in [test for test in waiting if not any(mentions(test, p.name) for p in action.parameters)]:
        waiting.remove(test)
        writer.line(f"if {Emitter(shared, writer, names, counter).expr(test)}:")
        writer.depth += 1
    head = "" if bare and action.parameters else str(number)
    if not _comprehension(shared, writer, head, action, dict(names), list(waiting), counter):
        _loops(shared, writer, head, action, names, waiting, counter)
    writer.depth = depth


def domain_of(parameter: ir.Parameter) -> ir.Expression:
    """All values that a parameter of an action can take."""
    kind = parameter.type
    if kind == ir.FLAG:
        return ir.Builtin(
            name="number_list",
            arguments=(ir.Const(value=False, type=ir.FLAG), ir.Const(value=True, type=ir.FLAG)),
            type=ir.list_of(ir.FLAG),
        )
    if kind.tag in ("piece", "space") and len(kind.names) != 1:
        masks = [ir.Extent(kind=name, type=ir.set_of(kind)) for name in (kind.names or (f"all {kind.tag}s",))]
        result: ir.Expression = masks[0]
        for mask in masks[1:]:
            result = ir.Binary(operator="union", left=result, right=mask, type=ir.set_of(kind))
        return result
    return ir.Extent(kind=kind.names[0], type=ir.set_of(kind))


def _step(
    emitter: Emitter, parameter: ir.Parameter, later: tuple[ir.Parameter, ...], waiting: list[ir.Expression]
) -> tuple[ir.Expression, ir.Expression | None, list[ir.Expression]]:
    """What to go through for a parameter, the tests to make at once, and those that must wait."""
    now = [test for test in waiting if not any(mentions(test, p.name) for p in later)]
    rest = [test for test in waiting if test not in now]
    source, where = emitter.narrowed(parameter.name, domain_of(parameter), conjunction(now))
    pieces = [kind.name for kind in emitter.shared.program.kinds if kind.owner in ("piece", "card")]
    return source, empty_first(where, pieces[0] if len(pieces) == 1 else ""), rest


def _comprehension(
    shared: Shared,
    writer: Writer,
    head: str,
    action: ir.Action,
    names: dict[str, str],
    waiting: list[ir.Expression],
    counter: list[int],
) -> bool:
    """One list comprehension, if no condition needs lines of its own."""
    clauses: list[tuple[str, str, str]] = []  # variable, what it goes through, test
    actor = names[action.actor]
    for position, parameter in enumerate(action.parameters):
        source, where, waiting = _step(
            Emitter(shared, Writer(), names, counter), parameter, action.parameters[position + 1 :], waiting
        )
        if isinstance(source, ir.Along):
            return False
        aside = Writer()
        emitter = Emitter(shared, aside, names, counter)
        text = emitter.iterable(source)
        names[parameter.name] = emitter.fresh(parameter.name)
        test = Emitter(shared, aside, names, counter).expr(where) if where is not None else ""
        if aside.lines or ":=" in text:
            return False
        clauses.append((names[parameter.name], text, test))
    values = _option(head, action, names)
    if not clauses:
        writer.line(f"o.append({values})")
        return True
    before, inner = _hoisted(clauses, actor, counter)
    for line in before:
        writer.line(line)
    writer.line(f"o += [{values} {inner}]")
    return True


def _option(head: str, action: ir.Action, names: dict[str, str]) -> str:
    """Python for one option: a tuple, or a single argument by itself."""
    parts = [*([head] if head else []), *(names[p.name] for p in action.parameters)]
    if not head and len(parts) == 1:
        return parts[0]
    return f"({', '.join(parts)},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _hoisted(clauses: list[tuple[str, str, str]], actor: str, counter: list[int]) -> tuple[list[str], str]:
    """Look-ups that repeat are made once: by the acting player before all, by a variable right behind it."""
    before: list[str] = []
    inner = ""
    for variable, source, test in reversed(clauses):
        text = f" if {test}{inner}" if test else inner
        bound = ""
        for found in sorted(set(re.findall(rf"(?:{COLUMN}|\bF_)\w+\[{variable}\]", text))):
            if text.count(found) > 1:
                counter[0] += 1
                text = text.replace(found, f"x_{counter[0]}")
                bound += f" for x_{counter[0]} in ({found},)"
        inner = f" for {variable} in {source}{bound}{text}"
    for found in sorted(set(re.findall(rf"\b[KLT]_\w+\[{re.escape(actor)}\]", inner))):
        counter[0] += 1
        inner = inner.replace(found, f"k_{counter[0]}")
        before.append(f"k_{counter[0]} = {found}")
    return before, inner.strip()


def _loops(
    shared: Shared,
    writer: Writer,
    head: str,
    action: ir.Action,
    names: dict[str, str],
    waiting: list[ir.Expression],
    counter: list[int],
) -> None:
    endings: list[str] = []
    for position, parameter in enumerate(action.parameters):
        source, where, waiting = _step(
            Emitter(shared, Writer(), names, counter), parameter, action.parameters[position + 1 :], waiting
        )
        emitter = Emitter(shared, writer, names, counter)
        ending, inner = emitter.loop(parameter.name, source)
        names[parameter.name] = inner.names[parameter.name]
        endings.append(ending)
        if len(action.parameters) > 1 and position == 0:
            writer.line("spend(S)")
        for test in conjuncts(where):
            writer.line(f"if {Emitter(shared, writer, names, counter).expr(test)}:")
            writer.depth += 1
    writer.line(f"o.append({_option(head, action, names)})")
    assert not any(endings), "actions go through extents, sets and lists only"
