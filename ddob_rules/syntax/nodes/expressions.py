"""Nodes of grammar/expr.lark: what rules compute."""

from __future__ import annotations

from dataclasses import dataclass

from ddob_rules.syntax.nodes.node import Leaf, Node


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    value: Expression
    condition: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Disjunction(Node):
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Conjunction(Node):
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negation(Node):
    part: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    left: Expression
    comparator: Comparator
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparator(Node):
    sign: Leaf


@dataclass(frozen=True, slots=True)
class Membership(Node):
    item: Expression
    collection: Expression


@dataclass(frozen=True, slots=True)
class NonMembership(Node):
    item: Expression
    collection: Expression


@dataclass(frozen=True, slots=True)
class InRange(Node):
    number: Expression
    range: Range


@dataclass(frozen=True, slots=True)
class IsSo(Node):
    thing: Expression
    name: Leaf


@dataclass(frozen=True, slots=True)
class IsNotSo(Node):
    thing: Expression
    name: Leaf


@dataclass(frozen=True, slots=True)
class DuringPhase(Node):
    word: Leaf
    phase: Leaf


@dataclass(frozen=True, slots=True)
class FromTurn(Node):
    first: Expression


@dataclass(frozen=True, slots=True)
class UntilTurn(Node):
    last: Expression


@dataclass(frozen=True, slots=True)
class Turns(Node):
    first: Expression
    last: Expression


@dataclass(frozen=True, slots=True)
class Some(Node):
    binding: Binding


@dataclass(frozen=True, slots=True)
class NotAny(Node):
    word: Leaf
    binding: Binding


@dataclass(frozen=True, slots=True)
class Universal(Node):
    binding: Binding
    condition: Expression


@dataclass(frozen=True, slots=True)
class Range(Node):
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    left: Expression
    operator: Leaf
    right: Expression


@dataclass(frozen=True, slots=True)
class Division(Node):
    left: Expression
    right: Expression
    rounding: Rounding


@dataclass(frozen=True, slots=True)
class Rounding(Node):
    how: Leaf


@dataclass(frozen=True, slots=True)
class Negative(Node):
    sign: Leaf
    number: Expression


@dataclass(frozen=True, slots=True)
class Located(Node):
    things: Expression
    place: Expression


@dataclass(frozen=True, slots=True)
class String(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    owner: Expression
    name: Leaf


@dataclass(frozen=True, slots=True)
class AttributeFor(Node):
    owner: Expression
    name: Leaf
    key: Expression


@dataclass(frozen=True, slots=True)
class Name(Node):
    name: Leaf


@dataclass(frozen=True, slots=True)
class Number(Node):
    digits: Leaf


@dataclass(frozen=True, slots=True)
class Yes(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class No(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    pass


@dataclass(frozen=True, slots=True)
class Group(Node):
    inner: Expression


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: Leaf
    arguments: Arguments | None


@dataclass(frozen=True, slots=True)
class Base(Node):
    pass


@dataclass(frozen=True, slots=True)
class Turn(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class SetLiteral(Node):
    arguments: Arguments | None


@dataclass(frozen=True, slots=True)
class SetBuilder(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class SetMap(Node):
    value: Expression
    name: Leaf
    collection: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    arguments: Arguments | None


@dataclass(frozen=True, slots=True)
class Count(Node):
    binding: Binding


@dataclass(frozen=True, slots=True)
class TheOne(Node):
    binding: Binding


@dataclass(frozen=True, slots=True)
class Fold(Node):
    how: Leaf
    value: Expression
    binding: Binding


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    which: Leaf
    binding: Binding
    measure: Expression


@dataclass(frozen=True, slots=True)
class EdgeBetween(Node):
    one: Expression
    other: Expression


@dataclass(frozen=True, slots=True)
class Along(Node):
    start: Expression
    direction: Expression
    name: Leaf
    condition: Expression


@dataclass(frozen=True, slots=True)
class Sight(Node):
    start: Expression
    goal: Expression
    name: Leaf
    condition: Expression


@dataclass(frozen=True, slots=True)
class Arguments(Node):
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Bound(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Unbound(Node):
    collection: Expression
    condition: Expression | None


Binding = Bound | Unbound
Expression = (
    Conditional
    | Disjunction
    | Conjunction
    | Negation
    | Comparison
    | Membership
    | NonMembership
    | InRange
    | IsSo
    | IsNotSo
    | DuringPhase
    | FromTurn
    | UntilTurn
    | Turns
    | Some
    | NotAny
    | Universal
    | Arithmetic
    | Division
    | Negative
    | Located
    | String
    | Attribute
    | AttributeFor
    | Name
    | Number
    | Yes
    | No
    | Nothing
    | Group
    | Call
    | Base
    | Turn
    | SetLiteral
    | SetBuilder
    | SetMap
    | ListLiteral
    | Count
    | TheOne
    | Fold
    | Extreme
    | EdgeBetween
    | Along
    | Sight
)
