"""Nodes of grammar/overlay.lark: amending rules of another ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.node import Leaf, Node

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.expressions import Expression
    from ddob_rules.syntax.nodes.rules import PhaseBody, PhaseEach
    from ddob_rules.syntax.nodes.tables import CellItem, CellItems, Row


@dataclass(frozen=True, slots=True)
class Amendment(Node):
    verb: Verb
    rules: RuleList
    after: RuleList | None
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class RuleList(Node):
    numbers: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Verb(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Removal(Node):
    name: Leaf


@dataclass(frozen=True, slots=True)
class RemoveExample(Node):
    title: Leaf


@dataclass(frozen=True, slots=True)
class TableEdit(Node):
    table: Leaf
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class AddRow(Node):
    row: Row


@dataclass(frozen=True, slots=True)
class SetCell(Node):
    place: CellList
    value: CellItems


@dataclass(frozen=True, slots=True)
class RemoveRow(Node):
    place: CellList


@dataclass(frozen=True, slots=True)
class CellList(Node):
    values: tuple[CellItem, ...]


@dataclass(frozen=True, slots=True)
class InsertPhase(Node):
    phase: PhaseLine


@dataclass(frozen=True, slots=True)
class MovePhase(Node):
    name: Leaf
    place: Place
    other: Leaf


@dataclass(frozen=True, slots=True)
class RemovePhase(Node):
    name: Leaf


@dataclass(frozen=True, slots=True)
class PhaseLine(Node):
    name: Leaf
    title: Leaf | None
    each: PhaseEach | None
    place: Place
    other: Leaf
    condition: Expression | None
    body: PhaseBody


@dataclass(frozen=True, slots=True)
class Place(Node):
    word: Leaf


Edit = AddRow | SetCell | RemoveRow
