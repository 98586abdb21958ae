"""Nodes of grammar/overlay.lark: amending rules of another ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.node import Leaf, Node, node

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.expressions import Expression
    from ddob_rules.syntax.nodes.rules import PhaseBody, PhaseEach
    from ddob_rules.syntax.nodes.tables import CellItem, CellItems, Row


@node
class Amendment(Node):
    verb: Verb
    rules: RuleList
    after: RuleList | None
    condition: Expression | None


@node
class RuleList(Node):
    numbers: tuple[Leaf, ...]


@node
class Verb(Node):
    word: Leaf


@node
class Removal(Node):
    name: Leaf


@node
class RemoveExample(Node):
    title: Leaf


@node
class TableEdit(Node):
    table: Leaf
    edits: tuple[Edit, ...]


@node
class AddRow(Node):
    row: Row


@node
class SetCell(Node):
    place: CellList
    value: CellItems


@node
class RemoveRow(Node):
    place: CellList


@node
class CellList(Node):
    values: tuple[CellItem, ...]


@node
class InsertPhase(Node):
    phase: PhaseLine


@node
class MovePhase(Node):
    name: Leaf
    place: Place
    other: Leaf


@node
class RemovePhase(Node):
    name: Leaf


@node
class PhaseLine(Node):
    name: Leaf
    title: Leaf | None
    each: PhaseEach | None
    place: Place
    other: Leaf
    condition: Expression | None
    body: PhaseBody


@node
class Place(Node):
    word: Leaf


Edit = AddRow | SetCell | RemoveRow
