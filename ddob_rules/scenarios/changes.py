"""From the data of a scenario and of the one it is based on to one tree.

What stands in the scenario is added to the base, or changes what is there, attribute by attribute: a space,
an edge, a piece, a start value keeps all that is not named again. A list takes the place of the other one,
except for links, which are added. Within one scenario, nothing may be given twice: that is `scenario_merge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ddob_rules.library.yamldoc import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    entries_of,
    items_of,
    plain_value,
    text_of,
)
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.scenarios.maps import REMARKS
from ddob_rules.scenarios.merge import copied, merge
from ddob_rules.scenarios.schema import MOST_COPIES

_Change = Callable[[Node, Node], Node]
_Given = tuple[frozenset[str], str]
"""The two ends of an edge, and an attribute that has a value there."""

# The two ways to give a board its cells; one takes the place of the other.
_CELLS = (("size",), ("rows", "legend"))


def merge_levels(
    levels: Sequence[list[MappingNode]], *, language: str = "en"
) -> tuple[MappingNode | None, MappingNode, list[Diagnostic]]:
    """The data of the base (None if there is none), the data of all, and what is given twice."""
    base: MappingNode | None = None
    merged, diagnostics = merge(levels[0], language=language)
    for level in levels[1:]:
        own, more = merge(level, language=language)
        diagnostics += more
        base, merged = merged, _changed(merged, own)
    return base, merged, diagnostics


def _changed(base: MappingNode, own: MappingNode) -> MappingNode:
    changes = {"boards": _by_kind(_board), "edges": _by_kind(_edges), "pieces": _by_kind(_pieces)}
    return _over(_without_old_places(base, own), own, changes)


def _over(base: MappingNode, own: MappingNode, changes: dict[str, _Change] | None = None) -> MappingNode:
    """The base with the entries of another mapping; `changes` are for keys with a way of their own."""
    entries = dict(base.entries)
    for key, entry in own.entries.items():
        known = entries.get(key)
        if known is not None:
            change = (changes or {}).get(key, _value)
            entry = Entry(key=entry.key, value=change(known.value, entry.value))
        entries[key] = entry
    return MappingNode(span=own.span, entries=entries)


def _value(base: Node, own: Node) -> Node:
    if isinstance(base, MappingNode) and isinstance(own, MappingNode):
        return _over(base, own)
    # `key:` with nothing behind it names a thing and says nothing of it.
    unsaid = isinstance(own, ScalarNode) and own.plain and not own.text
    return base if unsaid and isinstance(base, MappingNode) else own


def _by_kind(change: _Change) -> _Change:
    def each(base: Node, own: Node) -> Node:
        if not isinstance(base, MappingNode) or not isinstance(own, MappingNode):
            return own
        kinds = {key: change for key in own.entries if key not in REMARKS}
        return _over(base, own, kinds)

    return each


def _board(base: Node, own: Node) -> Node:
    if not isinstance(base, MappingNode) or not isinstance(own, MappingNode):
        return own
    for here, there in (_CELLS, _CELLS[::-1]):
        if any(key in own.entries for key in here):
            base = MappingNode(span=base.span, entries=_except(base, there))
    return _over(base, own, {"links": _appended})


def _appended(base: Node, own: Node) -> Node:
    return SequenceNode(span=own.span, items=(*items_of(base), *items_of(own)))


# ------------------------------------------------------------ edges


def _edges(base: Node, own: Node) -> Node:
    if not isinstance(base, MappingNode) or not isinstance(own, MappingNode):
        return own
    given = set(_given(own))
    entries = {
        key: Entry(key=entry.key, value=(_unlisted if key == "by" else _unsaid)(entry, given))
        for key, entry in base.entries.items()
    }
    return _over(MappingNode(span=base.span, entries=entries), own, {"by": _by_kind(_lists)})


def _lists(base: Node, own: Node) -> Node:
    """Two lists for each value of an attribute; what the second names is gone from the first."""
    if not isinstance(base, MappingNode) or not isinstance(own, MappingNode):
        return own
    return _over(base, own, {key: _appended for key in own.entries if key not in REMARKS})


def _given(edges: MappingNode) -> Iterator[_Given]:
    """Each edge and attribute that has a value, in either way to write them."""
    for key, entry in edges.entries.items():
        if key != "by":
            yield from ((_pair(key), name) for name in entries_of(entry.value) if name not in REMARKS)
            continue
        for name, lists in entries_of(entry.value).items():
            for listed in entries_of(lists.value).values():
                yield from ((_pair(text_of(item)), name) for item in items_of(listed.value))


def _unsaid(edge: Entry, given: set[_Given]) -> Node:
    """An edge without the attributes that are given anew."""
    ends = _pair(edge.key.text)
    return _filtered(edge.value, lambda name: (ends, name) not in given)


def _unlisted(by: Entry, given: set[_Given]) -> Node:
    """The lists under `by`, without the edges that are given anew."""

    def lists(name: str, node: Node) -> Node:
        return _mapped(node, lambda _, listed: shorter(name, listed))

    def shorter(name: str, listed: Node) -> Node:
        return _kept(listed, lambda item: (_pair(text_of(item)), name) not in given)

    return _mapped(by.value, lists)


def _pair(text: str) -> frozenset[str]:
    return frozenset(end.strip() for end in text.split("|"))


# ------------------------------------------------------------ pieces and piles


def _pieces(base: Node, own: Node) -> Node:
    if not isinstance(base, SequenceNode) or not isinstance(own, SequenceNode):
        return own
    named = {_id(item) for item in own.items}
    items = [copy for item in base.items for copy in _copies(item, named)]
    places = _places(items)
    for item in own.items:
        # What is given twice here is not found a second time, so it is told like any id that two pieces have;
        # and so is another number of pieces that were told apart before.
        meant = places.pop(_id(item), [])
        if "count" in entries_of(item) and any(_id(items[index]) != _id(item) for index in meant):
            meant = []
        for index in meant:
            items[index] = _changed_piece(items[index], item)
        if not meant:
            items.append(item)
    return SequenceNode(span=own.span, items=tuple(items))


def _places(items: Sequence[Node]) -> dict[str, list[int]]:
    """Where each piece stands; equal ones that were told apart are also found together."""
    single: dict[str, list[int]] = {}
    several: dict[str, list[int]] = {}
    for index, item in enumerate(items):
        name = _id(item)
        single.setdefault(name, [index])
        several.setdefault(copied(name), []).append(index)
    return {name: indexes for name, indexes in {**several, **single}.items() if name}


def _copies(item: Node, named: set[str]) -> list[Node]:
    """Equal pieces one by one, if one of them is to become different."""
    if not isinstance(item, MappingNode) or not _id(item):
        return [item]
    count = plain_value(item.entries["count"].value) if "count" in item.entries else None
    if not isinstance(count, int) or not 1 <= count <= MOST_COPIES:
        return [item]
    names = [f"{_id(item)}#{number}" for number in range(1, count + 1)]
    if not named.intersection(names):
        return [item]
    entries = _except(item, ("count",))
    copies: list[Node] = []
    for name in names:
        key, place = item.entries["id"].key, item.entries["id"].value.span
        entry = Entry(key=key, value=ScalarNode(span=place, text=name, plain=False))
        copies.append(MappingNode(span=item.span, entries={**entries, "id": entry}))
    return copies


def _changed_piece(known: Node, item: Node) -> Node:
    if not isinstance(known, MappingNode) or not isinstance(item, MappingNode):
        return item
    kept = ("id",) if _id(known) != _id(item) else ()
    return _over(known, MappingNode(span=item.span, entries=_except(item, kept)))


def _except(item: MappingNode, keys: tuple[str, ...]) -> dict[str, Entry]:
    return {key: entry for key, entry in item.entries.items() if key not in keys}


def _id(item: Node) -> str:
    return text_of(item.get("id")) if isinstance(item, MappingNode) else ""


def _without_old_places(base: MappingNode, own: MappingNode) -> MappingNode:
    """The base without the places of pieces that get another: by `at`, or in the list of a pile."""
    piles = entries_of(own.get("piles"))
    listed = {text_of(item) for entry in piles.values() for item in items_of(entry.value)}
    moved = {_id(item): text_of(item.get("at")) for item in _all_pieces(own) if "at" in item.entries}

    def pile(key: str, node: Node) -> Node:
        return _kept(node, lambda item: text_of(item) not in listed and moved.get(text_of(item), key) == key)

    def piece(node: Node) -> Node:
        return _filtered(node, lambda key: key != "at") if _id(node) in listed else node

    def kind(_: str, node: Node) -> Node:
        whole = isinstance(node, SequenceNode)
        return SequenceNode(span=node.span, items=tuple(map(piece, items_of(node)))) if whole else node

    changes = {"piles": pile, "pieces": kind}
    entries = dict(base.entries)
    for key in changes.keys() & entries.keys():
        entries[key] = Entry(key=entries[key].key, value=_mapped(entries[key].value, changes[key]))
    return MappingNode(span=base.span, entries=entries)


def _all_pieces(root: MappingNode) -> Iterator[MappingNode]:
    for entry in entries_of(root.get("pieces")).values():
        yield from (item for item in items_of(entry.value) if isinstance(item, MappingNode))


# ------------------------------------------------------------ parts of a tree


def _filtered(node: Node, keep: Callable[[str], bool]) -> Node:
    if not isinstance(node, MappingNode):
        return node
    return MappingNode(
        span=node.span, entries={key: entry for key, entry in node.entries.items() if keep(key)}
    )


def _kept(node: Node, keep: Callable[[Node], bool]) -> Node:
    if not isinstance(node, SequenceNode):
        return node
    return SequenceNode(span=node.span, items=tuple(item for item in node.items if keep(item)))


def _mapped(node: Node, change: Callable[[str, Node], Node]) -> Node:
    if not isinstance(node, MappingNode):
        return node
    entries = {
        key: Entry(key=entry.key, value=change(key, entry.value)) for key, entry in node.entries.items()
    }
    return MappingNode(span=node.span, entries=entries)
