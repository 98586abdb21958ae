"""Nodes of grammar/tables.lark: decision tables and charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.node import Leaf, Node

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.expressions import Expression
    from ddob_rules.syntax.nodes.rules import Parameters, Type


@dataclass(frozen=True, slots=True)
class Table(Node):
    name: Leaf
    parameters: Parameters | None
    columns: Parameters | None
    type: Type
    policy: Policy | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Policy(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Row(Node):
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Cell(Node):
    content: CellItems | None


@dataclass(frozen=True, slots=True)
class CellItems(Node):
    values: tuple[CellItem, ...]


@dataclass(frozen=True, slots=True)
class AnyValue(Node):
    sign: Leaf | None


@dataclass(frozen=True, slots=True)
class Exactly(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class Between(Node):
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class AndMore(Node):
    low: Expression
    sign: Leaf


@dataclass(frozen=True, slots=True)
class UpTo(Node):
    high: Expression


@dataclass(frozen=True, slots=True)
class AtLeast(Node):
    low: Expression


@dataclass(frozen=True, slots=True)
class Over(Node):
    low: Expression


@dataclass(frozen=True, slots=True)
class Under(Node):
    high: Expression


@dataclass(frozen=True, slots=True)
class TypedHeading(Node):
    name: Leaf
    type: Leaf


@dataclass(frozen=True, slots=True)
class Chart(Node):
    name: Leaf
    rows: tuple[Row, ...]


CellItem = AnyValue | Exactly | Between | AndMore | UpTo | AtLeast | Over | Under | TypedHeading
