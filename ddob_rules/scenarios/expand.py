"""Shorter ways to write data, made into the long ones: for each player, like another piece, along a path.

`for_each` and `along_paths` work on the tree of one file, before anything else looks at it; `like_others` on
the data of all files, since a piece may be like one of another file. Places stay those of what the author
wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ddob_rules.library.yamldoc import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    entries_of,
    first_line,
    text_of,
)
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.schema import enum_values
from interpreter.ir import Program

REMARKS = ("provenance", "note")
# What a piece has for itself, however much it is like another.
_OWN = ("id", "at", "count", "like", *REMARKS)


def for_each(root: MappingNode, program: Program, players: tuple[str, ...]) -> MappingNode:
    """Pieces with `for: player` once for each player who takes part; other enums go the same way."""

    def kind(name: str, node: Node) -> Node:
        texts = {
            attribute.name
            for declared in program.kinds
            if declared.name == name
            for attribute in declared.attributes
            if attribute.type.tag == "text"
        }
        if not isinstance(node, SequenceNode):
            return node
        items = [copy for item in node.items for copy in _copies(item, program, players, texts)]
        return SequenceNode(span=node.span, items=tuple(items))

    return _under(root, "pieces", kind)


def _copies(item: Node, program: Program, players: tuple[str, ...], texts: set[str]) -> Iterator[Node]:
    enum = text_of(item.get("for")) if isinstance(item, MappingNode) else ""
    values = players if enum == "player" else enum_values(program, enum) if enum else ()
    if not isinstance(item, MappingNode) or not values:
        yield item  # as it is, or a mistake that the schema tells
        return
    for value in values:
        entries = {
            key: entry if key in REMARKS or key in texts else _filled(entry, f"{{{enum}}}", value)
            for key, entry in item.entries.items()
            if key != "for"
        }
        yield MappingNode(span=item.span, entries=entries)


def _filled(entry: Entry, gap: str, value: str) -> Entry:
    def fill(node: Node) -> Node:
        match node:
            case ScalarNode() if gap in node.text:
                return ScalarNode(span=node.span, text=node.text.replace(gap, value), plain=False)
            case SequenceNode():
                return SequenceNode(span=node.span, items=tuple(map(fill, node.items)))
            case _:
                return node

    return Entry(key=entry.key, value=fill(entry.value))


# ---------------------------------------------------------------- edges along a path


def along_paths(root: MappingNode, language: str) -> tuple[MappingNode, list[Diagnostic]]:
    """The lists under `by` with each path, a list of spaces, as the edges between one and the next."""
    found: list[Diagnostic] = []

    def kind(_: str, node: Node) -> Node:
        return _mapped(node, lambda key, by: _mapped(by, attribute) if key == "by" else by)

    def attribute(_: str, node: Node) -> Node:
        return _mapped(
            node, lambda key, listed: listed if key in REMARKS else _edges(listed, found, language)
        )

    return _under(root, "edges", kind), found


def _edges(listed: Node, found: list[Diagnostic], language: str) -> Node:
    if not isinstance(listed, SequenceNode):
        return listed
    items: list[Node] = []
    gone: set[frozenset[str]] = set()  # two paths may share a stretch
    for item in listed.items:
        if not isinstance(item, SequenceNode):
            items.append(item)
            continue
        steps = [step for step in item.items if isinstance(step, ScalarNode)]
        if len(steps) < 2:
            found.append(report("E0653", first_line(item.span), language=language))
        for one, other in zip(steps, steps[1:], strict=False):
            ends = frozenset((one.text, other.text))
            if ends not in gone:
                gone.add(ends)
                items.append(ScalarNode(span=other.span, text=f"{one.text}|{other.text}", plain=False))
    return SequenceNode(span=listed.span, items=tuple(items))


# ---------------------------------------------------------------- pieces like others


def like_others(root: MappingNode, language: str) -> tuple[MappingNode, list[Diagnostic]]:
    """Pieces that are `like` another piece of their kind, or a template, with what they have from it."""
    found: list[Diagnostic] = []
    templates = entries_of(root.get("templates"))

    def kind(name: str, node: Node) -> Node:
        if not isinstance(node, SequenceNode):
            return node
        drawn = entries_of(templates[name].value) if name in templates else {}
        likeness = _Likeness(node, drawn, found, language)
        return SequenceNode(span=node.span, items=tuple(map(likeness.whole, node.items)))

    return _under(root, "pieces", kind), found


class _Likeness:
    """Pieces of one kind, and the templates for them."""

    def __init__(
        self, items: SequenceNode, templates: Mapping[str, Entry], found: list[Diagnostic], language: str
    ) -> None:
        self.models: dict[str, MappingNode] = {
            key: entry.value for key, entry in templates.items() if isinstance(entry.value, MappingNode)
        }
        for item in items.items:
            if isinstance(item, MappingNode) and text_of(item.get("id")):
                self.models.setdefault(text_of(item.get("id")), item)
        self.circles: set[str] = set()  # told already
        self.found = found
        self.language = language

    def whole(self, item: Node) -> Node:
        if not isinstance(item, MappingNode) or "like" not in item.entries:
            return item
        own = {"like": item.entries["like"]}  # so that what is still missing is told
        return MappingNode(span=item.span, entries={**self._entries(item, ()), **own})

    def _entries(self, item: MappingNode, before: tuple[str, ...]) -> dict[str, Entry]:
        own = {key: entry for key, entry in item.entries.items() if key != "like"}
        like = item.get("like")
        if not isinstance(like, ScalarNode) or not like.text:
            return own
        model = self.models.get(like.text)
        if model is None:
            self._report("E0651", like, did_you_mean(like.text, self.models, self.language))
            return own
        if like.text in before:
            if like.text not in self.circles:
                self._report("E0652", like)
            self.circles.update(before)
            return own
        inherited = self._entries(model, (*before, like.text))
        return {**{key: entry for key, entry in inherited.items() if key not in _OWN}, **own}

    def _report(self, code: str, like: ScalarNode, help: str | None = None) -> None:
        place = first_line(like.span)
        if not any(known.code == code and known.spans[0].span == place for known in self.found):
            made = report(code, place, language=self.language, help=help or None, id=like.text)
            self.found.append(made)


# ---------------------------------------------------------------- parts of a tree


def _under(root: MappingNode, key: str, change: Callable[[str, Node], Node]) -> MappingNode:
    entry = root.entries.get(key)
    if entry is None:
        return root
    changed = Entry(key=entry.key, value=_mapped(entry.value, change))
    return MappingNode(span=root.span, entries={**root.entries, key: changed})


def _mapped(node: Node, change: Callable[[str, Node], Node]) -> Node:
    if not isinstance(node, MappingNode):
        return node
    entries = {
        key: Entry(key=entry.key, value=change(key, entry.value)) for key, entry in node.entries.items()
    }
    return MappingNode(span=node.span, entries=entries)
