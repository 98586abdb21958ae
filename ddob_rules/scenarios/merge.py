"""From a scenario file and the files it includes to one tree.

Included files come first, in the order they are named, then the file that includes them: mappings are
merged and lists appended, and what is given twice is an error that shows both places. How a scenario changes
the one that it is based on is in `scenario_changes`; whether the data makes sense is left to the schema and
to `scenario_build`.
"""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ddob_rules.library.finding import find_data
from ddob_rules.library.headers import ScenarioFile, read_scenario_file
from ddob_rules.library.yamldoc import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    entries_of,
    first_line,
    given_twice,
    items_of,
    too_large,
)
from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.scenarios.bases import not_found
from ddob_rules.scenarios.expand import along_paths
from ddob_rules.scenarios.maps import REMARKS
from ddob_rules.syntax.source import Span

# A map, pieces, cards and a few more; each may be as large as any file, so they are counted.
MOST_FILES = 50

_DATA = ("boards", "edges", "templates", "pieces", "piles", "each", "variables")

_Place = tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Parts:
    """The files of a scenario in the order in which they are merged; `complete` if none is missing.

    There is a list for each scenario: first the one that all others build on, last the scenario itself.
    """

    files: list[Path] = field(default_factory=list)
    levels: list[list[MappingNode]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    complete: bool = True

    @property
    def nodes(self) -> list[MappingNode]:
        return [node for level in self.levels for node in level]


def read_parts(chain: Sequence[ScenarioFile], *, language: str = "en") -> Parts:
    """Read what a scenario, and those it is based on, include, directly or not.

    The chain begins with the scenario itself; in each level of the parts the scenario is the last.
    """
    collector = _Collector(language)
    for file in reversed(chain):
        if file.root is not None:
            collector.parts.levels.append([])
            collector.visit(file.path, file.shown, file.root, ())
    return collector.parts


class _Collector:
    def __init__(self, language: str) -> None:
        self.language = language
        self.parts = Parts()
        self._known: set[Path] = set()

    def visit(self, path: Path, shown: str, node: MappingNode, chain: tuple[Path, ...]) -> None:
        here = Path(os.path.realpath(path))
        self._known.add(here)
        for item in items_of(node.get("include")):
            if isinstance(item, ScalarNode) and item.text:
                self._include(item, path, shown, (*chain, here))
        self.parts.levels[-1].append(node)
        self.parts.files.append(here)

    def _include(self, item: ScalarNode, origin: Path, shown: str, chain: tuple[Path, ...]) -> None:
        found = find_data(item.text, origin, shown)
        place = first_line(item.span)
        if found is None:
            self._fail(not_found(origin, item.text, place, self.language))
        elif found[0] in chain:
            self._fail(report("E0620", place, language=self.language, path=item.text))
        elif found[0] not in self._known:
            if len(self._known) >= MOST_FILES:
                self._fail(too_large(place, MOST_FILES, "included files", self.language))
                return
            self._read(*found, chain)

    def _read(self, path: Path, shown: str, chain: tuple[Path, ...]) -> None:
        self._known.add(path)
        file = read_scenario_file(path, shown, language=self.language)
        self.parts.diagnostics.extend(file.diagnostics)
        if file.root is not None:
            self.visit(path, shown, file.root, chain)
        elif file.node is not None:
            # The schema tells what is wrong with it.
            self.parts.levels[-1].append(MappingNode(span=file.node.span, entries={}))
            self._fail(_not_a_mapping(file.node, self.language))
        else:
            self.parts.complete = False

    def _fail(self, diagnostic: Diagnostic) -> None:
        self.parts.diagnostics.append(diagnostic)
        self.parts.complete = False


def _not_a_mapping(node: Node, language: str) -> Diagnostic:
    from ddob_rules.scenarios.schema_problems import type_words, wrong_type

    return wrong_type(node, first_line(node.span), type_words("object", language), language)


def merge(nodes: list[MappingNode], *, language: str = "en") -> tuple[MappingNode, list[Diagnostic]]:
    """One tree of the data of a scenario and what it includes; headers are left out."""
    merger = _Merger(language)
    merged = MappingNode(span=nodes[-1].span, entries={})
    for node in nodes:
        data = {key: entry for key, entry in node.entries.items() if key in _DATA}
        whole, found = along_paths(MappingNode(span=node.span, entries=data), language)
        merger.diagnostics += found
        merged = merger.mappings(merged, merger.normal(whole), ())
    return merged, merger.diagnostics


class _Merger:
    def __init__(self, language: str) -> None:
        self.language = language
        self.diagnostics: list[Diagnostic] = []

    def normal(self, root: MappingNode) -> MappingNode:
        """The same tree with spaces that are only listed by id turned into a mapping like all others."""
        boards = root.entries.get("boards")
        if boards is None or not isinstance(boards.value, MappingNode):
            return root
        normal = {key: self._normal_board(entry) for key, entry in boards.value.entries.items()}
        value = MappingNode(span=boards.value.span, entries=normal)
        return MappingNode(
            span=root.span, entries={**root.entries, "boards": Entry(key=boards.key, value=value)}
        )

    def _normal_board(self, board: Entry) -> Entry:
        spaces = entries_of(board.value).get("spaces")
        if spaces is None or not isinstance(spaces.value, SequenceNode):
            return board
        listed: dict[str, Entry] = {}
        for item in spaces.value.items:
            if isinstance(item, ScalarNode):
                empty = MappingNode(span=item.span, entries={})
                known = listed.setdefault(item.text, Entry(key=item, value=empty))
                if known.key is not item:
                    self.diagnostics.append(used_twice(item.text, item.span, known.key.span, self.language))
        value = MappingNode(span=spaces.value.span, entries=listed)
        entries = {**entries_of(board.value), "spaces": Entry(key=spaces.key, value=value)}
        return Entry(key=board.key, value=MappingNode(span=board.value.span, entries=entries))

    def mappings(self, first: MappingNode, second: MappingNode, path: _Place) -> MappingNode:
        entries = dict(first.entries)
        for key, entry in second.entries.items():
            known = entries.get(key)
            if known is None:
                entries[key] = entry
            elif key not in REMARKS:
                entries[key] = Entry(key=known.key, value=self._values(known, entry, (*path, key)))
        return MappingNode(span=first.span, entries=entries)

    def _values(self, first: Entry, second: Entry, path: _Place) -> Node:
        if not _is_whole(path):
            match first.value, second.value:
                case MappingNode() as one, MappingNode() as other:
                    return self.mappings(one, other, path)
                case SequenceNode() as one, SequenceNode() as other:
                    return SequenceNode(span=one.span, items=(*one.items, *other.items))
        twice = used_twice if path[0] == "boards" and path[2:3] == ("spaces",) else given_twice
        self.diagnostics.append(twice(path[-1], second.key.span, first.key.span, self.language))
        return first.value


def _is_whole(path: _Place) -> bool:
    """Whether what stands at this place belongs together, so that two of them are never merged."""
    match path:
        case ("boards", _, "legend" | "spaces", _) | ("boards", _, "first" | "size"):
            return True
        case ("edges", _, key):
            return key != "by"
        case _:
            return False


def used_twice(name: str, place: Span, before: Span, language: str) -> Diagnostic:
    """The diagnostic for an id that two things have, pointing at both."""
    first = "d'abord ici" if language == "fr" else "first used here"
    return report("E0621", Label(place), Label(before, first), language=language, id=name)


def copied(name: str) -> str:
    """The id under which several equal pieces were given, of which this is one; else empty."""
    first, sign, number = name.rpartition("#")
    return first if sign and number.isdecimal() else ""
