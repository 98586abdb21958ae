"""From two versions of a declaration to the details that differ: cells, conditions, effects, phases.

Details know nothing of rules and amendments; who made the change is added by `diff`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from ddob_rules.compare.identity import mechanics, same, texts
from ddob_rules.compare.parts import Cell, Phase, Section, bodies, cells, moved, phases, sections, shown
from ddob_rules.syntax.nodes import Item, Leaf, Node, rules
from ddob_rules.syntax.nodes.expressions import Base
from ddob_rules.syntax.nodes.tables import Chart, Table

#: How much two effects or conditions must have in common to be told as one that has changed.
_ALIKE = 0.7

Sort = Literal["added", "removed", "changed", "moved", "reordered"]
Place = Literal["", "first", "after", "before", "inside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """`noun` and `name` say which part; `place` and `target` where a phase goes; `words`: only texts."""

    sort: Sort
    noun: str = ""
    name: str = ""
    old: str = ""
    new: str = ""
    place: Place = ""
    target: str = ""
    words: bool = False


def details(old: Node, new: Node) -> list[Detail]:
    """What differs between two declarations of the same kind and name; nothing if only the layout does."""
    if same(old, new):
        return list(_text_details(texts(old), texts(new)))
    match old, new:
        case Table(), Table():
            found = [*_table_heads(old, new), *_cells(cells(old), cells(new))]
        case Chart(), Chart():
            found = list(_cells(cells(old), cells(new)))
        case rules.Sequence(), rules.Sequence():
            found = list(_sequence(phases(old), phases(new)))
        case _:
            found = [*_titles(old, new), *_sections(sections(old), sections(new))]
    if all(detail.words for detail in found):
        found.append(Detail(sort="changed", old=shown(old), new=shown(new)))
    return found


def _titles(old: Node, new: Node) -> Iterator[Detail]:
    def own(item: Node) -> list[str]:
        return [part.text for part in item.children() if isinstance(part, Leaf) and part.terminal == "STRING"]

    return _text_details(own(old), own(new))


def _text_details(old: Sequence[str], new: Sequence[str]) -> Iterator[Detail]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for first, second in zip_longest(old[a:b], new[c:d], fillvalue=""):
                yield Detail(sort="changed", noun="text", old=first, new=second, words=True)


# ---------------------------------------------------------------- sections


def _sections(old: Sequence[Section], new: Sequence[Section]) -> Iterator[Detail]:
    before = {(section.noun, section.name): section for section in old}
    after = {(section.noun, section.name): section for section in new}
    for key, section in before.items():
        if key not in after:
            yield Detail(sort="removed", noun=section.noun, name=section.name, old=_shown_all(section))
    for key, section in after.items():
        if key not in before:
            yield Detail(sort="added", noun=section.noun, name=section.name, new=_shown_all(section))
        elif section.listed:
            yield from _lists(section.noun, section.name, before[key].trees, section.trees)
        else:
            yield from _singles(before[key], section)
    common = [key for key in before if key in after]
    if [key for key in after if key in before] != common:
        yield Detail(sort="reordered", noun=common[0][0])


def _shown_all(section: Section) -> str:
    text = " ".join(text for tree in section.trees if (text := shown(tree)))
    return "" if text == section.name else text  # the value of an enum is its name


def _singles(old: Section, new: Section) -> Iterator[Detail]:
    if old.mechanics == new.mechanics:
        for first, second in zip(old.trees, new.trees, strict=True):
            yield from _text_details(texts(first), texts(second))
        return
    yield _change(new.noun, new.name, _shown_all(old), _shown_all(new))


def _change(noun: str, name: str, old: str, new: str) -> Detail:
    if noun and not old:
        return Detail(sort="added", noun=noun, name=name, new=new)
    if noun and not new:
        return Detail(sort="removed", noun=noun, name=name, old=old)
    return Detail(sort="changed", noun=noun, name=name, old=old, new=new)


def _lists(noun: str, name: str, old: Sequence[Item], new: Sequence[Item]) -> Iterator[Detail]:
    if len(new) == 1 and _is_base(new[0]):
        return  # as before
    before, after = ([mechanics(tree) for tree in trees] for trees in (old, new))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    if [step[0] for step in steps] == ["replace"] and (len(old), len(new)) != (1, 1):
        # Nothing is left of the list: side by side, its members would only seem to belong together.
        yield Detail(sort="changed", noun=noun, name=name, old=_joined(old), new=_joined(new))
        return
    for tag, a, b, c, d in steps:
        if tag == "equal" or (tag == "replace" and b - a == d - c):
            for first, second in zip(old[a:b], new[c:d], strict=True):
                yield from _pair(noun, name, first, second)
            continue
        partners = _partners(old[a:b], new[c:d])
        for index, item in enumerate(old[a:b]):
            if index in partners:
                yield from _pair(noun, name, item, new[c + partners[index]])
            else:
                yield Detail(sort="removed", noun=noun, name=name, old=shown(item))
        for index, item in enumerate(new[c:d]):
            if index not in partners.values():
                yield Detail(sort="added", noun=noun, name=name, new=shown(item))


def _is_base(item: Item) -> bool:
    """The version before, called as an effect or standing alone."""
    while isinstance(item, Node) and len(parts := item.children()) == 1:
        item = parts[0]
    return isinstance(item, Base)


def _partners(old: Sequence[Item], new: Sequence[Item]) -> dict[int, int]:
    """Which of the new things is another form of which old one, in order; by place in both lists."""
    found: dict[int, int] = {}
    start = 0
    for index, item in enumerate(old):
        for other in range(start, len(new)):
            if SequenceMatcher(None, shown(item), shown(new[other]), autojunk=False).ratio() >= _ALIKE:
                found[index], start = other, other + 1
                break
    return found


def _joined(items: Sequence[Item]) -> str:
    return "; ".join(shown(item) for item in items)


def _pair(noun: str, name: str, old: Item, new: Item) -> Iterator[Detail]:
    """Two things in the same place of a list; effects with the same head are looked into."""
    if same(old, new):
        yield from _text_details(texts(old), texts(new))
        return
    head, blocks = bodies(old)
    new_head, new_blocks = bodies(new)
    if blocks and head == new_head and len(blocks) == len(new_blocks):
        for first, second in zip(blocks, new_blocks, strict=True):
            yield from _lists(noun, name, first.statements, second.statements)
        return
    yield Detail(sort="changed", noun=noun, name=name, old=shown(old), new=shown(new))


# ---------------------------------------------------------------- tables


def _table_heads(old: Table, new: Table) -> Iterator[Detail]:
    heads: list[tuple[str, Item, Item]] = [
        ("parameters", old.parameters, new.parameters),
        ("more parameters", old.columns, new.columns),
        ("type", old.type, new.type),
        ("policy", old.policy, new.policy),
    ]
    for noun, first, second in heads:
        if not same(first, second):
            yield Detail(sort="changed", noun=noun, old=shown(first) or "-", new=shown(second) or "-")


def _cells(old: Sequence[Cell], new: Sequence[Cell]) -> Iterator[Detail]:
    before, after = {cell.key: cell for cell in old}, {cell.key: cell for cell in new}
    yield from _rows_of_one_side("removed", old, {cell.row for cell in new})
    rows = {cell.row for cell in old}
    for key, cell in after.items():
        if key in before and not same(before[key].result, cell.result):
            yield Detail(sort="changed", noun="cell", name=cell.place, old=before[key].text, new=cell.text)
        elif key not in before and cell.row in rows:
            yield Detail(sort="added", noun="cell", name=cell.place, new=cell.text)
    for key, cell in before.items():
        if key not in after and cell.row in {other.row for other in new}:
            yield Detail(sort="removed", noun="cell", name=cell.place, old=cell.text)
    yield from _rows_of_one_side("added", new, rows)
    if [key for key in before if key in after] != [key for key in after if key in before]:
        yield Detail(sort="reordered", noun="row")


def _rows_of_one_side(
    sort: Literal["added", "removed"], these: Sequence[Cell], others: set[tuple[tuple[object, ...], ...]]
) -> Iterator[Detail]:
    rows: dict[tuple[tuple[object, ...], ...], list[Cell]] = {}
    for cell in these:
        if cell.row not in others:
            rows.setdefault(cell.row, []).append(cell)
    for found in rows.values():
        text = " | ".join(cell.text for cell in found)
        detail = Detail(sort=sort, noun="row", name=found[0].row_place)
        yield replace(detail, new=text) if sort == "added" else replace(detail, old=text)


# ---------------------------------------------------------------- phases


def _sequence(old: Sequence[Phase], new: Sequence[Phase]) -> Iterator[Detail]:
    before = {phase.name: phase for phase in old}
    after = {phase.name: phase for phase in new}
    for name in before:
        if name not in after:
            yield Detail(sort="removed", noun="phase", name=name)
    for name, phase in after.items():
        if name not in before:
            place, target = _place(phase)
            yield Detail(sort="added", noun="phase", name=name, place=place, target=target)
    for phase in moved(old, new):
        place, target = _place(phase)
        yield Detail(sort="moved", noun="phase", name=phase.name, place=place, target=target)
    for name, phase in after.items():
        if name in before:
            yield from _sections(before[name].sections, phase.sections)
            yield from _titles(before[name].node, phase.node)


def _place(phase: Phase) -> tuple[Place, str]:
    if phase.before:
        return "after", phase.before
    return ("inside", phase.inside) if phase.inside else ("first", "")
