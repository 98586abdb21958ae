"""From a declaration to the parts that two versions of it are compared by: sections, cells, phases.

A section has a noun and holds one tree, or a list in which things are added and taken away. The cells of
tables and charts go by their conditions, wherever they stand; both shapes of a table are read, without a
checker: one with mistakes in its columns is compared as far as it can be read. Sentences are made elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import assert_never

from ddob_rules.check.tables.cells import cell_name
from ddob_rules.compare.identity import Mechanics, mechanics
from ddob_rules.syntax.nodes import Item, Leaf, Node
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.effects import Block, MenuCase, OtherwiseAll, OtherwiseIf
from ddob_rules.syntax.nodes.tables import Cell as Drawn
from ddob_rules.syntax.nodes.tables import CellItem, CellItems, Chart, Row, Table

_ANY: Mechanics = ("any_value",)
_COMMENT = re.compile(r"(\"(?:[^\"\\\n]|\\.)*\")|#[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """`noun` says what it is, "" for the very thing declared; `name` tells it from others of its noun."""

    noun: str
    name: str = ""
    trees: tuple[Item, ...]
    listed: bool = False

    @property
    def mechanics(self) -> tuple[Mechanics, ...]:
        if self.noun == "attribute":
            # Its type, enum and start value come first; the order of its modifiers says nothing.
            first, rest = self.trees[:3], self.trees[3:]
            return (*map(mechanics, first), *sorted(map(mechanics, rest), key=repr))
        return tuple(mechanics(tree) for tree in self.trees)


def shown(item: Item) -> str:
    """What stands in the source, on one line and without comments."""
    if item is None:
        return ""
    if isinstance(item, nodes.MustHold):
        return shown(item.condition)  # its reason is a text
    return " ".join(_COMMENT.sub(lambda found: found.group(1) or "", item.span.text).split())


def sections(declared: Node) -> list[Section]:
    """The sections of a declaration, in the order in which they are written."""
    match declared:
        case nodes.Enum():
            return [_one("value", value, value.name.text) for value in declared.values]
        case nodes.Piece() | nodes.Card():
            return [*_modifiers(declared.modifiers), *attributes(declared.attributes)]
        case nodes.Space():
            return [_one("board", declared.board), *attributes(declared.attributes)]
        case nodes.Edge():
            return [_one("ends", declared.between), *attributes(declared.attributes)]
        case nodes.Record() | nodes.Each():
            return attributes(declared.attributes)
        case nodes.Pile():
            return [
                _one("sort", declared.sort), _one("contents", declared.of), _one("owners", declared.each),
                *_modifiers(declared.modifiers),
            ]  # fmt: skip
        case nodes.Dice():
            return [_many("face", declared.faces)]
        case nodes.Variable():
            return [
                _one("type", declared.type), _one("start", declared.value),
                *_modifiers(declared.modifiers),
            ]  # fmt: skip
        case nodes.Value():
            return [_one("", declared.history)]
        case nodes.Define():
            heads = [_one("parameters", declared.parameters), _one("type", declared.type)]
            return [*heads, _one("", declared.value), _one("fixing", declared.fixed_at)]
        case nodes.Way():
            return [
                _one("parameters", declared.parameters), _one("spaces", declared.over),
                *(_many(noun, [item]) for noun, item in way_lines(declared.body)),
            ]  # fmt: skip
        case nodes.Score():
            return [_one("", declared.value)]
        case nodes.Option():
            return [_one("conflicts", declared.conflicts)]
        case nodes.Priority():
            heads = [_one("parameters", declared.parameters), _one("type", declared.type)]
            return [*heads, _many("criterion", declared.criteria), _one("tie", declared.tie)]
        case nodes.Action():
            heads = [_one("parameters", declared.parameters), _one("player", declared.actor)]
            return [*heads, _one("phases", declared.phases), *action_parts(declared.body)]
        case nodes.Procedure():
            return [
                _one("parameters", declared.parameters), _one("type", declared.gives),
                _one("citation", declared.citing), _effects(declared.block),
            ]  # fmt: skip
        case nodes.Trigger():
            return [
                _one("parameters", declared.parameters), _one("timing", declared.timing),
                _one("change", declared.change), _one("condition", declared.condition),
                _effects(declared.block),
            ]  # fmt: skip
        case nodes.Victory():
            heads = [_one("parameters", declared.parameters), _one("condition", declared.condition)]
            return [*heads, _effects(declared.block)]
        case nodes.Setup() | nodes.Attach():
            return [_effects(declared.block)]
        case _:
            return [_one("", declared)]


def way_lines(body: nodes.WayBody) -> list[tuple[str, nodes.WayItem]]:
    """The lines of a way, each with what it is called."""
    nouns = {"way_when": "condition", "way_cost": "cost", "way_limit": "limit", "way_stop": "stop"}
    return [(nouns[item.kind], item) for item in body.items]


def _modifiers(declared: nodes.Modifiers) -> list[Section]:
    """A section for each thing that modifiers say, in whatever order they stand."""
    return [
        _one("refill", declared.refilled), _one("renewal", declared.renewed),
        _many("visibility", declared.seen), _one("telling", declared.telling),
    ]  # fmt: skip


def attributes(declared: nodes.Attributes) -> list[Section]:
    """A section for each attribute and one for how the thing looks."""
    return [section for line in declared.lines for section in line_sections(line)]


def line_sections(line: nodes.AttributeOrLook) -> list[Section]:
    """Several attributes may share a line."""
    match line:
        case nodes.Look() | nodes.Drawn() | nodes.Marked() | nodes.Named() | nodes.Titled():
            return [Section(noun="look", trees=tuple(line.children()))]
        case nodes.AttributeLine():
            names, trees = line.names.names, (line.type, line.each, line.value, *line.modifiers.words)
            return [Section(noun="attribute", name=name.text, trees=trees) for name in names]
        case _:
            assert_never(line)


def action_parts(body: nodes.ActionBody) -> list[Section]:
    """Conditions, costs and limits, and what the action does; its label and who starts it are only shown."""
    found: dict[str, list[Item]] = {"condition": [], "cost": [], "limit": [], "without": [], "effect": []}
    for line in body.lines:
        match line:
            case nodes.MustHold():
                found["condition"].append(line)
            case nodes.ActionCost():
                found["cost"].append(line)
            case nodes.ActionLimit():
                found["limit"].append(line)
            case nodes.ActionWithout():
                found["without"].append(line)
            case nodes.ActionDo():
                found["effect"].extend(line.block.statements)
            case nodes.ActionLabel() | nodes.ActionStarted():
                pass
            case _:
                assert_never(line)
    return [_many(noun, trees) for noun, trees in found.items()]


def _effects(block: Block) -> Section:
    return _many("effect", block.statements)


def _one(noun: str, item: Item, name: str = "") -> Section:
    return Section(noun=noun, name=name, trees=(item,))


def _many(noun: str, items: Sequence[Item]) -> Section:
    return Section(noun=noun, trees=tuple(items), listed=True)


def bodies(item: Item) -> tuple[Mechanics, list[Block]]:
    """A compound effect as its head and the blocks in it; a simple one has none."""
    if not isinstance(item, Node):
        return mechanics(item), []
    blocks: list[Block] = []
    head: list[object] = [item.kind]
    for part in item.children():
        match part:
            case Block():
                blocks.append(part)
            case MenuCase() | OtherwiseIf() | OtherwiseAll():
                inner, found = bodies(part)
                head.append(inner)
                blocks.extend(found)
            case Leaf(terminal="STRING"):
                pass
            case _:
                head.append(mechanics(part))
    return tuple(head), blocks


# ---------------------------------------------------------------- tables and charts


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A result. `key` is what leads to it, `row` what its row has of the key; `place` is for people."""

    key: tuple[Mechanics, ...]
    row: tuple[Mechanics, ...]
    place: str
    row_place: str
    result: CellItems | None

    @property
    def text(self) -> str:
        return shown(self.result) or "-"


def cells(declared: Table | Chart) -> list[Cell]:
    """The cells of a table or chart. The same conditions a second time get a number in their keys."""
    found = list(_chart(declared) if isinstance(declared, Chart) else _table(declared))
    seen: dict[tuple[Mechanics, ...], int] = {}
    numbered = []
    for cell in found:
        count = seen[cell.key] = seen.get(cell.key, 0) + 1
        extra: tuple[Mechanics, ...] = ((count,),) if count > 1 else ()
        numbered.append(replace(cell, key=(*cell.key, *extra), row=(*cell.row, *extra)))
    return numbered


def matching(declared: Table | Chart, wanted: Sequence[CellItem]) -> list[Cell]:
    """The cells that an overlay means with `[a, b]`: conditions in the order of the parameters."""
    keys = tuple(mechanics(item) for item in wanted)
    return [cell for cell in cells(declared) if cell.key[: len(keys)] == keys]


def place_of(wanted: Sequence[CellItem]) -> str:
    return "[" + ", ".join(shown(item) for item in wanted) + "]"


def _table(declared: Table) -> Iterator[Cell]:
    header, *rows = declared.rows
    names = [part.name.text for part in declared.parameters.parameters] if declared.parameters else []
    columns = _columns(header, names)
    grid = len(columns) < len(names)
    # The last column of conditions of a grid is its header, whichever parameter that is.
    order = [*columns, *(index for index in range(len(names)) if index not in columns)]
    several = len(header.cells) - len(columns) > 1
    for row in rows:
        fixed = row.cells[: len(columns)]
        for heading, cell in zip(header.cells[len(columns) :], row.cells[len(columns) :], strict=False):
            conditions = [*fixed, heading] if grid else list(fixed)
            yield _cell(conditions, order, heading if several and not grid else None, fixed, cell)


def _cell(
    conditions: list[Drawn], order: list[int], heading: Drawn | None, fixed: Sequence[Drawn], result: Drawn
) -> Cell:
    by_parameter = [
        item for _, item in sorted(zip(order, conditions, strict=False), key=lambda pair: pair[0])
    ]
    named = [*by_parameter, *([heading] if heading is not None else [])]
    return Cell(
        key=tuple(_condition(item) for item in named),
        row=tuple(_condition(item) for item in fixed),
        place=_place(named),
        row_place=_place(fixed),
        result=result.content,
    )


def _chart(declared: Chart) -> Iterator[Cell]:
    header, *rows = declared.rows
    for row in rows:
        first, *values = row.cells
        for heading, cell in zip(header.cells[1:], values, strict=False):
            yield _cell([first, heading], [0, 1], None, [first], cell)


def _columns(header: Row, names: list[str]) -> list[int]:
    """Which parameters the first columns are for."""
    columns: list[int] = []
    for cell in header.cells[: len(names)]:
        name = cell_name(cell)
        if name is None or name.text not in names or names.index(name.text) in columns:
            break
        columns.append(names.index(name.text))
    return columns


def _condition(cell: Drawn) -> Mechanics:
    """As an overlay would name it; an empty cell means any value."""
    match cell.content:
        case None:
            return _ANY
        case CellItems(values=(only,)):
            return mechanics(only)
        case several:
            return mechanics(several)


def _place(cells: Sequence[Drawn]) -> str:
    return "[" + ", ".join(shown(cell.content) or "-" for cell in cells) + "]"


# ---------------------------------------------------------------- phases


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """`before` is the phase it follows in the text, or that it is in; empty for the first."""

    name: str
    inside: str
    before: str
    sections: tuple[Section, ...]
    node: nodes.Phase


def phases(sequence: nodes.Sequence) -> list[Phase]:
    """Every phase of a sequence, phases inside others right after those."""
    return list(_phases(sequence.phases, ""))


def _phases(steps: Sequence[nodes.PhaseItem], inside: str) -> Iterator[Phase]:
    before = ""
    for step in steps:
        if not isinstance(step, nodes.Phase):
            continue
        inner = step.body.steps if isinstance(step.body, nodes.PhaseItems) else ()
        effects = tuple(part for part in inner if not isinstance(part, nodes.Phase))
        name = step.name.text
        yield Phase(
            name=name,
            inside=inside,
            before=before,
            sections=(
                Section(noun="repetition", name=name, trees=(step.each,)),
                Section(noun="condition of phase", name=name, trees=(step.condition,)),
                Section(noun="effect of phase", name=name, trees=effects, listed=True),
            ),
            node=step,
        )
        yield from _phases(inner, name)
        before = name


def moved(old: Sequence[Phase], new: Sequence[Phase]) -> list[Phase]:
    """The phases of both that come in another order or place now, as few as possible."""
    common = {phase.name for phase in old} & {phase.name for phase in new}
    first = [(phase.inside, phase.name) for phase in old if phase.name in common]
    second = [(phase.inside, phase.name) for phase in new if phase.name in common]
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    kept = {
        second[block.b + offset] for block in matcher.get_matching_blocks() for offset in range(block.size)
    }
    return [phase for phase in new if phase.name in common and (phase.inside, phase.name) not in kept]
