"""What a rule declares, as people read it: lists, tables, outlines, conditions with their reasons.

What has no better form stands as it is written. Of a declaration that amendments change, the version in force
is shown where it was first declared, and what holds only at times stands below it behind a bar.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from ddob_rules.book.actions import action
from ddob_rules.book.charts import chart
from ddob_rules.book.edition import Edition
from ddob_rules.book.sequence import outline
from ddob_rules.pages.elements import Content, element, table
from ddob_rules.stack.book import Declaration, RuleBlock, text_of
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import Node, overlay
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.expressions import Base
from ddob_rules.syntax.nodes.tables import Chart, Table
from ddob_rules.syntax.source import Span


class Declarations:
    """The declarations of a book, each with what becomes of it."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._entries: dict[int, Entry] = {}
        for entry in edition.merged.entries.values():
            for version in (*entry.history, *entry.edits):
                if version.declaration is not None:
                    self._entries[id(version.declaration)] = entry

    def of(self, block: RuleBlock) -> list[Content]:
        """All that a rule declares, in its order; a line that declares several things is printed once."""
        lines: dict[Span, Declaration] = {}
        for declaration in block.declarations:
            lines.setdefault(declaration.node.span, declaration)
        return [self._declared(declaration) for declaration in lines.values()]

    def _declared(self, declaration: Declaration) -> Content:
        edition, entry = self.edition, self._entries.get(id(declaration))
        node = declaration.node
        if isinstance(node, overlay.RemoveExample):
            return None
        if isinstance(node, overlay.Removal):
            words = edition.words["removal"].partition("{what}")
            return element("p", words[0], edition.inline(node.name), words[2], class_="note")
        if entry is None:
            return self._form(node, ())
        if entry.base is declaration:
            return self._in_force(entry)
        if declaration.rule.amendment is None:
            return self._form(node, ())  # it adds to what another rule of the book declares
        return self._elsewhere(entry)

    def _elsewhere(self, entry: Entry) -> Content:
        """In the rule that amends: where the result stands."""
        target = entry.base.rule.id
        words = self.edition.words["changes"]
        first, _, rest = words.partition("{what}")
        middle, _, last = rest.partition("{rule}")
        name = element("code", entry.name)
        return element("p", first, name, middle, self.edition.link(target), last, class_="note")

    # ------------------------------------------------------------ versions

    def _in_force(self, entry: Entry) -> Content:
        versions = _still_shown(entry.versions)
        amending = [edit for edit in entry.edits if edit.rule.amendment is not None]
        first, *later = versions
        assert first.declaration is not None
        shown: Content = self._form(first.declaration.node, amending)
        if first.rule is not entry.base.rule:
            shown = self._barred(first, shown)
        return [
            shown,
            [self._barred(version, self._changed(version)) for version in later],
            [self._barred(edit, self._edit(edit)) for edit in amending if not _is_inside(edit)],
        ]

    def _changed(self, version: Version) -> Content:
        if version.declaration is None:
            return element("p", self.edition.words["off"])
        return self._form(version.declaration.node, ())

    def _edit(self, version: Version) -> Content:
        """What an amendment adds; cells and rows stand in their table."""
        node = version.declaration.node if version.declaration is not None else None
        return None if node is None or isinstance(node, overlay.TableEdit) else self._form(node, ())

    def _barred(self, version: Version, shown: Content) -> Element:
        return element("div", self.edition.provenance(version), shown, class_="amended")

    # ------------------------------------------------------------ forms

    def _form(self, node: Node, edits: Iterable[Version]) -> Content:
        edition = self.edition
        match node:
            case Table() | Chart():
                shown: Content = chart(edition, node, edits)
            case nodes.Sequence():
                shown = outline(edition)
            case nodes.Action():
                shown = action(edition, node, edits)
            case nodes.Priority():
                shown = self._priority(node)
            case nodes.Enum():
                shown = self._enum(node)
            case nodes.Piece() | nodes.Card() | nodes.Record() | nodes.Space() | nodes.Edge() | nodes.Each():
                shown = self._kind(node)
            case nodes.Option():
                shown = self._option(node)
            case nodes.Value(history=nodes.History(value=value)):
                name = element("strong", _capital(node.name.text.replace("_", " ")))
                shown = element("p", name, edition.words["colon"], edition.inline(value))
            case nodes.TodoLine():
                shown = element(
                    "p", edition.words["unwritten"], edition.words["colon"], text_of(node.text), class_="note"
                )
            case _:
                shown = edition.code(node)
        return element("div", shown, class_="declared")

    def _enum(self, node: nodes.Enum) -> Content:
        name = node.name.text
        values = ", ".join(self.edition.name(f"value {name}", value.name.text) for value in node.values)
        return element(
            "p",
            element("strong", _capital(self.edition.name("kind", name))),
            self.edition.words["colon"],
            values,
        )

    def _option(self, node: nodes.Option) -> Content:
        title = self.edition.texts.get(f"option {node.name.text}", text_of(node.title))
        return element(
            "p", element("strong", element("code", node.name.text)), self.edition.words["colon"], title
        )

    def _kind(self, node: nodes.Kind) -> Content:
        """A kind of things: a row for each line of attributes."""
        edition, words = self.edition, self.edition.words
        title = _capital(edition.name("kind", node.name.text))
        lines = [line for line in node.attributes.lines if isinstance(line, nodes.AttributeLine)]
        looks = [line for line in node.attributes.lines if isinstance(line, nodes.Look)]
        head = self._about(node)
        rows: list[list[list[Content]]] = [
            [
                [", ".join(edition.name("attribute", name.text) for name in line.names.names)],
                [edition.plain(line.type), [" ", words["each"], " ", line.each.text] if line.each else None],
                edition.plain(line.value),
                [[" ", edition.plain(word)] for word in line.modifiers.words],
            ]
            for line in lines
        ]
        # What no line says needs no column.
        columns = [place for place in range(4) if place < 2 or any(row[place] for row in rows)]
        headings = [words[("attribute", "type", "start", "remarks")[place]] for place in columns]
        shown = table(headings, ([row[place] for place in columns] for row in rows), [title, head])
        return [
            shown if rows else element("p", element("strong", title), head),
            [edition.code(look) for look in looks],
        ]

    def _about(self, node: nodes.Kind) -> Content:
        """What is said of a kind beside its name: the board, the ends, who sees it."""
        match node:
            case nodes.Space(board=nodes.Board() as board):
                return [", ", self.edition.plain(board)]
            case nodes.Edge(between=between):
                return [", ", self.edition.plain(between)]
            case nodes.Piece(modifiers=modifiers) | nodes.Card(modifiers=modifiers):
                return [[", ", self.edition.plain(word)] for word in modifiers.words]
            case _:
                return None

    def _priority(self, node: nodes.Priority) -> Content:
        edition = self.edition
        items = [element("li", edition.inline(criterion)) for criterion in node.criteria]
        items += [element("li", edition.inline(node.tie))] if node.tie is not None else []
        head = element("strong", _capital(node.name.text.replace("_", " ")))
        parameters = [" ", edition.inline(node.parameters)] if node.parameters is not None else None
        return [element("p", head, parameters, ". ", edition.words["prefer"]), element("ol", items)]


def _is_inside(edit: Version) -> bool:
    """Whether an amendment is told among the lines of what it amends."""
    return edit.declaration is not None and isinstance(edit.declaration.node, nodes.ActionAlso)


def _still_shown(versions: list[Version]) -> list[Version]:
    """From the last version that holds by itself, whatever was there before."""
    for place in range(len(versions) - 1, 0, -1):
        version = versions[place]
        declared = version.declaration
        if version.condition is None and declared is not None and not _calls_base(declared.node):
            return versions[place:]
    return versions


def _calls_base(node: Node) -> bool:
    return any(isinstance(part, Base) for part in node.walk())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
