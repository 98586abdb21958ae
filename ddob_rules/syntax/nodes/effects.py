"""Nodes of grammar/effects.lark: what rules do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.nodes.node import Leaf, Node, node

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.expressions import Arguments, Binding
    from ddob_rules.syntax.nodes.rules import Reason, Type


@node
class Block(Node):
    statements: tuple[Statement, ...]


@node
class Let(Node):
    name: Leaf
    type: Type | None
    value: Ask


@node
class Set(Node):
    target: Expression
    value: Ask


@node
class Increase(Node):
    target: Expression
    amount: Expression


@node
class Decrease(Node):
    target: Expression
    amount: Expression


@node
class Flip(Node):
    target: Expression


@node
class FlipFace(Node):
    things: Expression
    side: SideUp


@node
class Mark(Node):
    target: Expression
    name: Leaf


@node
class Unmark(Node):
    target: Expression
    name: Leaf


@node
class Put(Node):
    things: Expression
    where_to: WhereTo
    place: Expression


@node
class Remove(Node):
    things: Expression


@node
class AddTo(Node):
    things: Expression
    target: Expression


@node
class RemoveFrom(Node):
    things: Expression
    target: Expression


@node
class Shuffle(Node):
    pile: Expression


@node
class RollPieces(Node):
    things: Expression


@node
class Perform(Node):
    call: Expression


@node
class Wins(Node):
    winner: Expression
    text: Leaf | None


@node
class NobodyWins(Node):
    text: Leaf | None


@node
class EveryoneWins(Node):
    text: Leaf | None


@node
class Loses(Node):
    loser: Expression
    text: Leaf | None


@node
class EveryoneLoses(Node):
    text: Leaf | None


@node
class Rank(Node):
    points: Leaf
    text: Leaf | None


@node
class Takes(Node):
    player: Expression
    number: Expression
    phase: Leaf | None


@node
class TakesAll(Node):
    player: Expression
    phase: Leaf | None


@node
class MayTake(Node):
    player: Expression
    phase: Leaf | None


@node
class MayTakeUpTo(Node):
    player: Expression
    number: Expression
    phase: Leaf | None


@node
class Say(Node):
    text: Leaf


@node
class Refuse(Node):
    text: Leaf


@node
class Todo(Node):
    text: Leaf


@node
class Stop(Node):
    pass


@node
class Give(Node):
    value: Ask


@node
class EndPhase(Node):
    pass


@node
class Answer(Node):
    value: Expression


@node
class DiceShow(Node):
    faces: Arguments


@node
class Take(Node):
    action: Expression
    player: Expression | None


@node
class RunPhase(Node):
    name: Leaf
    arguments: Arguments | None
    player: Expression | None


@node
class RunTurn(Node):
    pass


@node
class Play(Node):
    pass


@node
class SideUp(Node):
    side: Leaf


@node
class WhereTo(Node):
    word: Leaf


@node
class IfStatement(Node):
    condition: Expression
    block: Block
    otherwise: tuple[Otherwise, ...]


@node
class ForEach(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None
    ordering: Ordering | None
    at_once: Leaf | None
    block: Block
    otherwise: ElseBlock | None = None


@node
class Assign(Node):
    taker: Leaf
    takers: Expression
    limit: Expression
    thing: Leaf
    things: Expression
    condition: Expression | None
    priority: Leaf
    arguments: Arguments | None
    block: Block


@node
class Repeat(Node):
    times: Expression
    condition: Expression | None
    block: Block


@node
class Menu(Node):
    player: Expression | None
    text: Leaf | None
    cases: tuple[MenuCase, ...]


@node
class ChooseThen(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None
    or_none: Leaf | None
    by_whom: ByWhom
    refusals: Refusals
    block: Block
    otherwise: ElseBlock | None


@node
class ChooseEach(Node):
    how_many: HowMany
    name: Leaf
    collection: Expression
    condition: Expression | None
    by_whom: ByWhom
    refusals: Refusals
    block: Block
    otherwise: ElseBlock | None


@node
class ChooseWhether(Node):
    by_whom: ByWhom
    block: Block
    otherwise: ElseBlock | None


@node
class PickThen(Node):
    number: Expression | None
    name: Leaf
    collection: Expression
    condition: Expression | None
    priority: Leaf
    arguments: Arguments | None
    block: Block
    otherwise: ElseBlock | None


@node
class PickRandomThen(Node):
    number: Expression | None
    name: Leaf
    collection: Expression
    condition: Expression | None
    block: Block
    otherwise: ElseBlock | None


@node
class DrawThen(Node):
    number: Expression | None
    name: Leaf
    pile: Expression
    block: Block
    otherwise: ElseBlock | None


@node
class JustSoMany(Node):
    number: Expression


@node
class UpToSoMany(Node):
    number: Expression


@node
class SoManyTo(Node):
    low: Expression
    high: Expression


@node
class AtLeastSoMany(Node):
    number: Expression


@node
class AnyNumber(Node):
    pass


@node
class MenuCase(Node):
    text: Leaf
    condition: Expression | None
    block: Block


@node
class OtherwiseIf(Node):
    condition: Expression
    block: Block


@node
class OtherwiseAll(Node):
    block: Block


@node
class OtherwiseThen(Node):
    statement: AskThen


@node
class Ordering(Node):
    keys: tuple[OrderKey, ...]


@node
class Ascending(Node):
    value: Expression


@node
class Descending(Node):
    value: Expression


@node
class ChooseOne(Node):
    binding: Binding
    or_none: Leaf | None
    by_whom: ByWhom
    refusals: Refusals


@node
class ChooseSome(Node):
    how_many: HowMany
    binding: Binding
    such_that: Expression | None
    by_whom: ByWhom
    refusals: Refusals


@node
class ChooseNumber(Node):
    low: Expression
    high: Expression
    by_whom: ByWhom


@node
class ChooseOrder(Node):
    binding: Binding
    by_whom: ByWhom


@node
class ChooseYes(Node):
    by_whom: ByWhom


@node
class PickRandom(Node):
    number: Expression | None
    binding: Binding


@node
class PickBy(Node):
    number: Expression | None
    priority: Leaf
    arguments: Arguments | None
    binding: Binding


@node
class Draw(Node):
    number: Expression | None
    pile: Expression


@node
class RollOne(Node):
    dice: Leaf
    title: Leaf | None


@node
class RollMany(Node):
    number: Expression
    dice: Leaf
    title: Leaf | None


@node
class ByWhom(Node):
    player: Expression | None
    text: Leaf | None


@node
class Refusals(Node):
    lines: tuple[RefusalLine, ...]


@node
class Refusal(Node):
    reason: Reason
    condition: Expression | None


@node
class RefusalBy(Node):
    definition: Expression
    condition: Expression | None


RefusalLine = Refusal | RefusalBy
Otherwise = OtherwiseIf | OtherwiseAll
ElseBlock = OtherwiseAll | OtherwiseThen
AskThen = ChooseThen | ChooseEach | ChooseWhether | PickThen | PickRandomThen | DrawThen
HowMany = JustSoMany | UpToSoMany | SoManyTo | AtLeastSoMany | AnyNumber
OrderKey = Ascending | Descending
Question = (
    ChooseOne
    | ChooseSome
    | ChooseNumber
    | ChooseOrder
    | ChooseYes
    | PickRandom
    | PickBy
    | Draw
    | RollOne
    | RollMany
)
Statement = (
    Let
    | Set
    | Increase
    | Decrease
    | Flip
    | FlipFace
    | Mark
    | Unmark
    | Put
    | Remove
    | AddTo
    | RemoveFrom
    | Shuffle
    | RollPieces
    | Perform
    | Wins
    | NobodyWins
    | EveryoneWins
    | Loses
    | EveryoneLoses
    | Rank
    | Takes
    | TakesAll
    | MayTake
    | MayTakeUpTo
    | Say
    | Refuse
    | Todo
    | Stop
    | Give
    | EndPhase
    | Answer
    | DiceShow
    | Take
    | RunPhase
    | RunTurn
    | Play
    | IfStatement
    | ForEach
    | Assign
    | Repeat
    | Menu
    | AskThen
)
Ask = Expression | Question | RunPhase
