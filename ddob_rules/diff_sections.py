"""From a declaration to its sections: the parts that two versions of it are compared by, each with a noun.

A section holds one tree, or a list in which things are added and taken away. Sentences about them are made
elsewhere; tables and the sequence of play have modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ddob_rules.identity import Mechanics, mechanics
from ddob_rules.tree import Item, Leaf, Node, leaf, node

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
        return tuple(mechanics(tree) for tree in self.trees)


def shown(item: Item) -> str:
    """What stands in the source, on one line and without comments."""
    if item is None:
        return ""
    if isinstance(item, Node) and item.kind == "action_when":
        return shown(item.items[0])  # its reason is a text
    return " ".join(_COMMENT.sub(lambda found: found.group(1) or "", item.span.text).split())


def sections(declared: Node) -> list[Section]:
    """The sections of a declaration, in the order in which they are written."""
    items = declared.items
    match declared.kind:
        case "enum":
            return [_one("value", value, leaf(node(value).items[0]).text) for value in items[2:]]
        case "piece" | "card":
            heads = [_one("visibility", items[2]), _one("telling", items[3])]
            return [*heads, *attributes(items[4])]
        case "space":
            return [_one("board", items[2]), *attributes(items[3])]
        case "edge":
            return [_one("ends", items[2]), *attributes(items[3])]
        case "each":
            return attributes(items[1])
        case "pile":
            parts = ("sort", "", "contents", "owners", "refill", "visibility", "telling")
            return [_one(noun, item) for noun, item in zip(parts, items, strict=True) if noun]
        case "dice":
            return [_many("face", items[1:])]
        case "variable":
            nouns = ("type", "start", "visibility", "telling")
            return [_one(noun, item) for noun, item in zip(nouns, items[1:], strict=True)]
        case "value":
            return [_one("", items[1])]
        case "define":
            heads = [_one("parameters", items[1]), _one("type", items[2])]
            return [*heads, _one("", items[3]), _one("fixing", items[4])]
        case "score":
            return [_one("", items[1])]
        case "option":
            return [_one("conflicts", items[3])]
        case "priority":
            return _priority(items)
        case "action":
            heads = [_one("parameters", items[2]), _one("player", items[3]), _one("phases", items[4])]
            return [*heads, *action_parts(items[5])]
        case "procedure":
            return [_one("parameters", items[1]), _one("type", items[2]), *_effects(items[3])]
        case "trigger":
            nouns = ("parameters", "timing", "change", "condition")
            heads = [_one(noun, item) for noun, item in zip(nouns, items[1:5], strict=True)]
            return [*heads, *_effects(items[5])]
        case "victory":
            return [_one("parameters", items[1]), _one("condition", items[2]), *_effects(items[3])]
        case "setup" | "attach":
            return _effects(items[-1])
        case _:
            return [_one("", declared)]


def attributes(item: Item) -> list[Section]:
    """A section for each attribute, though several may share a line, and one for how the thing looks."""
    found = []
    for line in node(item).items:
        if node(line).kind == "look":
            found.append(Section(noun="look", trees=node(line).items))
            continue
        names, *rest = node(line).items
        for name in node(names).items:
            found.append(Section(noun="attribute", name=leaf(name).text, trees=tuple(rest)))
    return found


def action_parts(body: Item) -> list[Section]:
    """Conditions, costs and limits, and what the action does; its label is only a text."""
    found: dict[str, list[Item]] = {"condition": [], "cost": [], "limit": [], "effect": []}
    for part in node(body).items:
        item = node(part)
        match item.kind:
            case "action_when":
                found["condition"].append(item)
            case "action_cost":
                found["cost"].append(item)
            case "action_limit":
                found["limit"].append(item)
            case "action_do":
                found["effect"].extend(node(item.items[0]).items)
    return [_many(noun, trees) for noun, trees in found.items()]


def _priority(items: Sequence[Item]) -> list[Section]:
    rest = [item for item in items[4:] if item is not None]
    tie = rest[-1] if rest and isinstance(rest[-1], Node) and rest[-1].kind.startswith("tie_") else None
    criteria = [item for item in rest if item is not tie]
    heads = [_one("parameters", items[1]), _one("type", items[3])]
    return [*heads, _many("criterion", criteria), _one("tie", tie)]


def _effects(block: Item) -> list[Section]:
    return [_many("effect", node(block).items)]


def _one(noun: str, item: Item, name: str = "") -> Section:
    return Section(noun=noun, name=name, trees=(item,))


def _many(noun: str, items: Sequence[Item]) -> Section:
    return Section(noun=noun, trees=tuple(items), listed=True)


def bodies(item: Item) -> tuple[Mechanics, list[Node]]:
    """A compound effect as its head and the blocks in it; a simple one has none."""
    if not isinstance(item, Node):
        return mechanics(item), []
    blocks: list[Node] = []
    head: list[object] = [item.kind]
    for part in item.items:
        if isinstance(part, Node) and part.kind == "block":
            blocks.append(part)
        elif isinstance(part, Node) and part.kind in ("menu_case", "otherwise_if", "otherwise_all"):
            inner, found = bodies(part)
            head.append(inner)
            blocks.extend(found)
        elif not (isinstance(part, Leaf) and part.terminal == "STRING"):
            head.append(mechanics(part))
    return tuple(head), blocks
