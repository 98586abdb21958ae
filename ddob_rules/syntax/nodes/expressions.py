"""Nodes of grammar/expr.lark: what rules compute."""

from __future__ import annotations

from ddob_rules.syntax.nodes.node import Leaf, Node, node


@node
class Conditional(Node):
    value: Expression
    condition: Expression
    otherwise: Expression


@node
class Disjunction(Node):
    parts: tuple[Expression, ...]


@node
class Conjunction(Node):
    parts: tuple[Expression, ...]


@node
class Negation(Node):
    part: Expression


@node
class Comparison(Node):
    left: Expression
    comparator: Comparator
    right: Expression


@node
class Comparator(Node):
    sign: Leaf


@node
class Membership(Node):
    item: Expression
    collection: Expression


@node
class NonMembership(Node):
    item: Expression
    collection: Expression


@node
class InRange(Node):
    number: Expression
    range: Range


@node
class IsSo(Node):
    thing: Expression
    name: Leaf


@node
class IsNotSo(Node):
    thing: Expression
    name: Leaf


@node
class DuringPhase(Node):
    word: Leaf
    phase: Leaf


@node
class FromTurn(Node):
    first: Expression


@node
class UntilTurn(Node):
    last: Expression


@node
class Turns(Node):
    first: Expression
    last: Expression


@node
class Some(Node):
    binding: Binding


@node
class NotAny(Node):
    word: Leaf
    binding: Binding


@node
class Universal(Node):
    binding: Binding
    condition: Expression


@node
class Range(Node):
    low: Expression
    high: Expression


@node
class Arithmetic(Node):
    left: Expression
    operator: Leaf
    right: Expression


@node
class Division(Node):
    left: Expression
    right: Expression
    rounding: Rounding


@node
class Rounding(Node):
    how: Leaf


@node
class Negative(Node):
    sign: Leaf
    number: Expression


@node
class Located(Node):
    things: Expression
    place: Expression


@node
class String(Node):
    text: Leaf


@node
class Attribute(Node):
    owner: Expression
    name: Leaf


@node
class AttributeFor(Node):
    owner: Expression
    name: Leaf
    key: Expression


@node
class Name(Node):
    name: Leaf


@node
class Number(Node):
    digits: Leaf


@node
class Yes(Node):
    word: Leaf


@node
class No(Node):
    word: Leaf


@node
class Nothing(Node):
    pass


@node
class Group(Node):
    inner: Expression


@node
class Call(Node):
    name: Leaf
    arguments: Arguments | None


@node
class Base(Node):
    pass


@node
class Turn(Node):
    word: Leaf


@node
class SetLiteral(Node):
    arguments: Arguments | None


@node
class SetBuilder(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None


@node
class SetMap(Node):
    value: Expression
    name: Leaf
    collection: Expression
    condition: Expression | None


@node
class ListLiteral(Node):
    arguments: Arguments | None


@node
class Count(Node):
    binding: Binding


@node
class TheOne(Node):
    binding: Binding


@node
class Fold(Node):
    how: Leaf
    value: Expression
    binding: Binding


@node
class Extreme(Node):
    which: Leaf
    binding: Binding
    measure: Expression


@node
class EdgeBetween(Node):
    one: Expression
    other: Expression


@node
class Along(Node):
    start: Expression
    direction: Expression
    name: Leaf
    condition: Expression


@node
class Sight(Node):
    start: Expression
    goal: Expression
    name: Leaf
    condition: Expression


@node
class Arguments(Node):
    values: tuple[Expression, ...]


@node
class Bound(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None


@node
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
