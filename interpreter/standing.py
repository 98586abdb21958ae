"""From an action that moves a piece to a space to options that stand from one choice to the next.

Of such an action's conditions some are answered by the map (which spaces can be reached from where), some by
what stands at the space alone. A function that is a whole game can then keep its list of moves, and change it
where a piece moves, instead of asking all conditions again at each choice. Left out: actions with conditions
of another sort, games with several kinds of pieces or with piles, and functions that leave moving to others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from interpreter import ir
from interpreter.analysis import column
from interpreter.emit import COLUMN, Emitter, Shared, Writer, reads_of
from interpreter.narrowing import conjuncts, mentions, narrowed

_FROM, _HELD, _FIXED = "\0from", "\0held", "\0fixed {}"
_HELD_SET = ir.set_of(ir.Type("piece", ("any",)))
#: A call of another function that the rules became: it might move a piece, too.
_CALL = re.compile(r"\b[a-z]+_\w+\(S\b|\bput\(")


@dataclass(eq=False, slots=True)
class Standing:
    """The conditions of an action, taken apart."""

    action: ir.Action
    owner: str  # the column that says whose a piece is
    source: ir.Expression  # the spaces that can be reached
    terms: list[ir.Expression] = field(default_factory=list)  # what stands at the space, and fixed answers
    fixed: list[ir.Expression] = field(default_factory=list)


def standing(shared: Shared, action: ir.Action) -> Standing | None:
    """The action's conditions taken apart, if they can be."""
    pieces = [kind.name for kind in shared.program.kinds if kind.owner in ("piece", "card", "pile")]
    tags = [parameter.type.tag for parameter in action.parameters]
    if len(pieces) != 1 or tags != ["piece", "space"] or action.by is not None:
        return None
    to = action.parameters[1]
    terms = [term for condition in action.conditions for term in conjuncts(condition.test)]
    owners = [owner for term in terms if (owner := _owner(term, action)) is not None]
    sources = [source for term in terms if (source := _source(shared, term, action)) is not None]
    if len(owners) != 1 or len(sources) != 1:
        return None
    found = Standing(action, owners[0], sources[0])
    for term in terms:
        if _owner(term, action) is not None or _source(shared, term, action) is not None:
            continue
        left = _apart(shared, term, found) if mentions(term, to.name) else None
        if left is None:
            return None
        found.terms.append(left)
    return found


def _owner(term: ir.Expression, action: ir.Action) -> str | None:
    """The column of `piece.attribute = player`."""
    match term:
        case ir.Binary(operator="=", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, ir.Get) and one.fixed and one.subject == _local(action, 0):
                    if isinstance(other, ir.Local) and other.name == action.actor:
                        return column(one.owner, one.attribute, one.enum)
    return None


def _local(action: ir.Action, number: int) -> ir.Local:
    parameter = action.parameters[number]
    return ir.Local(name=parameter.name, type=parameter.type)


def _source(shared: Shared, term: ir.Expression, action: ir.Action) -> ir.Expression | None:
    """The set of `space in set`, by the player and the place of the piece."""
    match term:
        case ir.Binary(operator="in", left=left, right=right) if left == _local(action, 1):
            group = _from_place(right, action)
            to = action.parameters[1]
            if right.type == ir.set_of(to.type) and _settled(shared, group, action):
                return group if not mentions(group, to.name) else None
    return None


def _from_place(item: ir.Expression, action: ir.Action) -> ir.Expression:
    """The same with a local instead of the place of the piece."""
    place = ir.Builtin(name="place_of", arguments=(_local(action, 0),), type=action.parameters[1].type)
    found: ir.Expression = _put_in(item, place, _FROM)
    return found


def _settled(shared: Shared, item: ir.Expression, action: ir.Action) -> bool:
    """Whether nothing in play changes it, and it can be worked out before anybody asks."""
    careful = Emitter(shared, Writer(), {}, [0])
    known = not mentions(item, action.parameters[0].name) and not reads_of(item, shared)
    return known and not careful.may_fail(item)


def _put_in(item: Any, old: ir.Builtin, name: str) -> Any:
    """The same parts with a local where a look-up of the same thing was."""
    if isinstance(item, ir.Builtin) and (item.name, item.arguments) == (old.name, old.arguments):
        return ir.Local(name=name, type=old.type)
    if isinstance(item, tuple):
        return tuple(_put_in(part, old, name) for part in item)
    if not is_dataclass(item) or isinstance(item, (ir.Site, ir.Type)):
        return item
    changed = {entry.name: _put_in(getattr(item, entry.name), old, name) for entry in fields(item)}
    return replace(item, **changed)  # type: ignore[type-var]


def _apart(shared: Shared, term: ir.Expression, found: Standing) -> ir.Expression | None:
    """The term by what stands at the space, with locals for what is fixed; None if there is more to it."""
    match term:
        case ir.Unary(operator="not"):
            inner = _apart(shared, term.operand, found)
            return replace(term, operand=inner) if inner is not None else None
        case ir.Binary(operator="and" | "or"):
            left, right = _apart(shared, term.left, found), _apart(shared, term.right, found)
            return replace(term, left=left, right=right) if left is not None and right is not None else None
    settled = _from_place(term, found.action)
    if _settled(shared, settled, found.action):
        found.fixed.append(settled)
        return ir.Local(name=_FIXED.format(len(found.fixed) - 1), type=ir.FLAG)
    if isinstance(term, ir.Quantify) and term.gather in ("some", "no") and term.body is None:
        return _by_contents(shared, term, found.action)
    return None


def _by_contents(shared: Shared, term: ir.Quantify, action: ir.Action) -> ir.Expression | None:
    group, rest = narrowed(term.variable, term.source, term.where)
    contents = ir.Builtin(name="contents", arguments=(_local(action, 1),), type=_HELD_SET)
    held = _put_in(group, contents, _HELD)
    if rest is not None or not _settled(shared, held, action) or mentions(held, action.parameters[1].name):
        return None
    return replace(term, source=held, where=None)


def standing_lines(shared: Shared, number: int, found: Standing) -> list[Writer]:
    """The functions that say what the conditions are, and the moves that are made from them."""
    name, action = f"moves_{number}", found.action
    names = {action.actor: "player", action.parameters[1].name: "to", _FROM: "place", _HELD: "held"}
    for position in range(len(found.fixed)):
        names[_FIXED.format(position)] = f"fixed_{position}"
    flags = "".join(f", fixed_{position}" for position in range(len(found.fixed)))
    writers = []
    for head in (f"source_of_{name}(S, player, place)", f"fixed_in_{name}(S, player, place, to)"):
        writer = Writer(site=action.site)
        writer.line(f"def {head}:")
        writer.depth = 1
        emitter = Emitter(shared, writer, names, [0])
        if head.startswith("source"):
            writer.line(f"return {emitter.iterable(found.source)}")
        else:
            writer.line(f"return ({''.join(f'{emitter.expr(term)}, ' for term in found.fixed)})")
        writers.append(writer)
    writer = Writer(site=action.site)
    writer.line(f"def fits_{name}(S, player, held{flags}):")
    writer.depth = 1
    for term in found.terms:
        writer.line(f"if not {Emitter(shared, writer, names, [0]).expr(term)}:")
        writer.line("    return False")
    writer.line("return True")
    made = Writer(site=action.site)
    given = f"F_{found.owner}, len(NEXT_PLAYER) - 1, source_of_{name}, fixed_in_{name}, fits_{name}"
    made.line(f"{name.upper()} = Candidates({given})")
    return [*writers, writer, made]


def listed(who: str) -> str:
    """The line that lists a player's options."""
    return f"o = list(compress(moves[{who}], keys[{who}].translate(fit).translate(only[{who}])))"


_LEAVE = re.compile(rf"( *){COLUMN}inside\[{COLUMN}at\[(\w+)\]\] \^= 1 << \2")
_GO = re.compile(rf" *{COLUMN}at\[(\w+)\] = (-?\w+)")
_ENTER = re.compile(rf" *{COLUMN}inside\[(-?\w+)\] \|= 1 << (\w+)")


def keep_moves(shared: Shared, writer: Writer, start: int) -> None:
    """Rewrites a function that is a whole game, from line `start` on, if all its moves can be followed."""
    if len(shared.standing) != 1 or _CALL.search("\n".join(writer.lines)):
        return
    [(number, (found, listing, who))] = shared.standing.items()
    if not any(line.lstrip() == listing for line in writer.lines):
        return
    result = Writer(writer.lines[:start], writer.sites[:start], writer.site, 1)
    tables = "moves, keys, fit, only, cells, answers, slots, moves_from, keys_from"
    result.line(f"{tables} = MOVES_{number}.begin(S)")
    rest = list(zip(writer.lines[start:], writer.sites[start:], strict=True))
    position = 0
    while position < len(rest):
        line, site = rest[position]
        made, position = [line], position + 1
        if leaving := _LEAVE.fullmatch(line):
            three = [text for text, _ in rest[position - 1 : position + 2]]
            made = _moved(three, leaving[1], leaving[2], found.owner)
            position += 2
        elif line.lstrip() == listing:
            made = [line.replace(listing, listed(who))]
        if not made:
            return  # not the three lines of a move
        result.lines += made
        result.sites += [site] * len(made)
    writer.lines, writer.sites = _needed(result, start)
    shared.stood = True


def _moved(three: list[str], margin: str, piece: str, owner: str) -> list[str]:
    """The lines of a move, and those that change the lists."""
    go, enter = (pattern.fullmatch(line) for pattern, line in zip((_GO, _ENTER), three[1:], strict=True))
    if go is None or enter is None or go[1] != piece or enter[2] != piece or go[2] != enter[1]:
        return []
    place = go[2]
    lines = [
        f"left = {COLUMN}at[{piece}]",
        *(line.strip() for line in three),
        f"fit[cells[left]] = answers[{COLUMN}inside[left]]",
        f"fit[cells[{place}]] = answers[{COLUMN}inside[{place}]]",
        f"moves[F_{owner}[{piece}]][slots[{piece}]] = moves_from[{piece}][{place}]",
        f"keys[F_{owner}[{piece}]][slots[{piece}]] = keys_from[{piece}][{place}]",
    ]
    lines[1] = f"{COLUMN}inside[left] ^= 1 << {piece}"
    if place == "-1":
        del lines[5]  # nobody asks what is nowhere
    return [margin + line for line in lines]


def _needed(writer: Writer, start: int) -> tuple[list[str], list[ir.Site]]:
    """Without look-ups that only the conditions needed."""
    text = "\n".join(writer.lines)
    kept = [
        (line, site)
        for number, (line, site) in enumerate(zip(writer.lines, writer.sites, strict=True))
        if number < start
        or not (found := re.fullmatch(r" *(k_\d+) = .*", line))
        or len(re.findall(rf"\b{found[1]}\b", text)) > 1
    ]
    return [line for line, _ in kept], [site for _, site in kept]
