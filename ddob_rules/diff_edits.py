"""From merged rules to the single edits that rules make to declarations of others: cells, values, phases.

Each has a key that is the same in two versions of the same rule, so that it can be found again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ddob_rules.book import RuleBlock, text_of
from ddob_rules.diff_details import Place
from ddob_rules.diff_sections import action_parts, attributes, shown
from ddob_rules.diff_tables import matching, place_of
from ddob_rules.identity import mechanics
from ddob_rules.overlay import Entry, Merged, Version
from ddob_rules.tree import Node, Tree, leaf, node

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One edit. `owner` is the rule that declares what is edited, `block` the rule that edits it."""

    sort: Literal["added", "removed", "changed", "moved"]
    kind: str
    subject: str
    noun: str
    owner: str
    block: RuleBlock
    tree: Tree
    name: str = ""
    old: str = ""
    new: str = ""
    place: Place = ""
    target: str = ""
    condition: Tree | None = None  # of the amendment
    own_condition: Tree | None = None  # of an inserted phase
    entry: Entry | None = None

    @property
    def key(self) -> Key:
        what = self.name or mechanics(self.tree)
        held = mechanics(self.condition)
        return self.block.id, self.kind, self.subject, self.noun, self.sort, what, held


def edits(merged: Merged) -> dict[Key, Edit]:
    """Every edit in force, by key."""
    found = [
        *(
            edit
            for entry in merged.entries.values()
            for version in entry.edits
            for edit in _of(entry, version)
        ),
        *(edit for version in merged.additions for edit in _addition(merged, version)),
    ]
    return {edit.key: edit for edit in found}


def _of(entry: Entry, version: Version) -> Iterator[Edit]:
    declaration = version.declaration
    if declaration is None:
        return
    items = declaration.node.items

    def edit(sort: Literal["added", "removed", "changed"], noun: str, tree: Tree, **more: str) -> Edit:
        return Edit(
            sort=sort,
            kind=entry.kind,
            subject=entry.name,
            noun=noun,
            owner=entry.origin.rule.id,
            block=version.rule,
            tree=tree,
            name=more.get("name", ""),
            old=more.get("old", ""),
            new=more.get("new", ""),
            condition=version.condition,
            entry=entry,
        )

    match declaration.kind:
        case "table_edit":
            for item in items[1:]:
                yield _table_edit(entry, version, node(item))
        case "action_also":
            for section in action_parts(items[1]):
                for tree in section.trees:
                    assert tree is not None
                    yield edit("added", section.noun, tree, new=shown(tree))
        case "enum":
            for value in items[2:]:
                yield edit("added", "value", node(value), name=leaf(node(value).items[0]).text)
        case _:
            for section in attributes(items[-1]):
                text = " ".join(shown(tree) for tree in section.trees if tree is not None)
                yield edit(
                    "added", "attribute", _line(declaration.node, section.name), name=section.name, new=text
                )


def _line(declared: Node, name: str) -> Node:
    """The line that declares an attribute."""
    for line in node(declared.items[-1]).items:
        if any(leaf(item).text == name for item in node(node(line).items[0]).items):
            return node(line)
    return declared


def _table_edit(entry: Entry, version: Version, item: Node) -> Edit:
    declared = next(one.declaration for one in reversed(entry.versions) if one.declaration is not None)
    sort: Literal["added", "removed", "changed"] = "added"
    noun, name, old, new = "row", "", "", ""
    if item.kind == "add_row":
        new = shown(item.items[0]).strip("| ")
    else:
        wanted = node(item.items[0]).items
        name = place_of(wanted)
        hit = dict.fromkeys(cell.text for cell in matching(declared.node, wanted))
        old = " / ".join(hit)
        sort = "removed"
    if item.kind == "set_cell":
        sort, noun, new = "changed", "cell", shown(item.items[1])
    return Edit(
        sort=sort,
        kind=entry.kind,
        subject=entry.name,
        noun=noun,
        owner=entry.origin.rule.id,
        block=version.rule,
        tree=item,
        name=name,
        old=old,
        new=new,
        condition=version.condition,
        entry=entry,
    )


def _addition(merged: Merged, version: Version) -> Iterator[Edit]:
    """What stands by itself: phases put in, moved or taken out, attributes of enums, what is unwritten."""
    declaration = version.declaration
    if declaration is None:
        return
    match declaration.kind:
        case "each":
            for section in attributes(declaration.node.items[1]):
                line = _line(declaration.node, section.name)
                text = " ".join(shown(tree) for tree in section.trees if tree is not None)
                yield Edit(
                    sort="added",
                    kind="each",
                    subject=declaration.name,
                    noun="attribute",
                    owner=version.rule.id,
                    block=version.rule,
                    tree=line,
                    name=section.name,
                    new=text,
                )
        case "todo_line":
            yield Edit(
                sort="added",
                kind="",
                subject="",
                noun="todo",
                owner=version.rule.id,
                block=version.rule,
                tree=declaration.node,
                name=text_of(declaration.node.items[0]),
            )
        case "status" | "measure":
            yield Edit(
                sort="added",
                kind="",
                subject="",
                noun=declaration.kind,
                owner=version.rule.id,
                block=version.rule,
                tree=declaration.node,
                name=" ".join(shown(tree) for tree in declaration.node.items if tree is not None),
            )
        case _:
            yield _phase_edit(merged, version, declaration.node)


def _phase_edit(merged: Merged, version: Version, edit: Node) -> Edit:
    sequence = next(iter(merged.of_kind("sequence")), None)
    line = node(edit.items[0]) if edit.kind == "insert_phase" else edit
    place: Place = ""
    target, own_condition = "", None
    if edit.kind == "insert_phase":
        where, target, own_condition = line.items[3], leaf(line.items[4]).text, line.items[5]
    elif edit.kind == "move_phase":
        where, target = line.items[1], leaf(line.items[2]).text
    if edit.kind != "remove_phase":
        place = "after" if leaf(node(where).items[0]).text == "after" else "before"
    sorts: dict[str, Literal["added", "moved", "removed"]] = {
        "insert_phase": "added",
        "move_phase": "moved",
        "remove_phase": "removed",
    }
    return Edit(
        sort=sorts[edit.kind],
        kind="sequence",
        subject=sequence.name if sequence is not None else "",
        noun="phase",
        owner=sequence.base.rule.id if sequence is not None else version.rule.id,
        block=version.rule,
        tree=edit,
        name=leaf(line.items[0]).text,
        place=place,
        target=target,
        condition=version.condition,
        own_condition=own_condition,
        entry=sequence,
    )
