"""Nodes of grammar/tables.lark: decision tables and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.node import Leaf, Node, node

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.expressions import Expression
    from ddob_rules.syntax.nodes.rules import Parameters, Type


@node
class Table(Node):
    name: Leaf
    parameters: Parameters | None
    columns: Parameters | None
    type: Type
    policy: Policy | None
    rows: tuple[Row, ...]


@node
class Policy(Node):
    word: Leaf


@node
class Row(Node):
    cells: tuple[Cell, ...]


@node
class Cell(Node):
    content: CellItems | None


@node
class CellItems(Node):
    values: tuple[CellItem, ...]


@node
class AnyValue(Node):
    sign: Leaf | None


@node
class Exactly(Node):
    value: Expression


@node
class Between(Node):
    low: Expression
    high: Expression


@node
class AndMore(Node):
    low: Expression
    sign: Leaf


@node
class UpTo(Node):
    high: Expression


@node
class AtLeast(Node):
    low: Expression


@node
class Over(Node):
    low: Expression


@node
class Under(Node):
    high: Expression


@node
class TypedHeading(Node):
    name: Leaf
    type: Leaf


@node
class Chart(Node):
    name: Leaf
    rows: tuple[Row, ...]


CellItem = AnyValue | Exactly | Between | AndMore | UpTo | AtLeast | Over | Under | TypedHeading
