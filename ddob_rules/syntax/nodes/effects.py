"""Nodes of grammar/effects.lark: what rules do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.nodes.node import Leaf, Node

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.expressions import Arguments, Binding
    from ddob_rules.syntax.nodes.rules import Type


@dataclass(frozen=True, slots=True)
class Block(Node):
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: Leaf
    type: Type | None
    value: Ask


@dataclass(frozen=True, slots=True)
class Set(Node):
    target: Expression
    value: Ask


@dataclass(frozen=True, slots=True)
class Increase(Node):
    target: Expression
    amount: Expression


@dataclass(frozen=True, slots=True)
class Decrease(Node):
    target: Expression
    amount: Expression


@dataclass(frozen=True, slots=True)
class Flip(Node):
    target: Expression


@dataclass(frozen=True, slots=True)
class FlipFace(Node):
    things: Expression
    side: SideUp


@dataclass(frozen=True, slots=True)
class Mark(Node):
    target: Expression
    name: Leaf


@dataclass(frozen=True, slots=True)
class Unmark(Node):
    target: Expression
    name: Leaf


@dataclass(frozen=True, slots=True)
class Put(Node):
    things: Expression
    where_to: WhereTo
    place: Expression


@dataclass(frozen=True, slots=True)
class Remove(Node):
    things: Expression


@dataclass(frozen=True, slots=True)
class AddTo(Node):
    things: Expression
    target: Expression


@dataclass(frozen=True, slots=True)
class RemoveFrom(Node):
    things: Expression
    target: Expression


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    pile: Expression


@dataclass(frozen=True, slots=True)
class RollPieces(Node):
    things: Expression


@dataclass(frozen=True, slots=True)
class Perform(Node):
    call: Expression


@dataclass(frozen=True, slots=True)
class Wins(Node):
    winner: Expression
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class NobodyWins(Node):
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class EveryoneWins(Node):
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class Loses(Node):
    loser: Expression
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class EveryoneLoses(Node):
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class Rank(Node):
    points: Leaf
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class Takes(Node):
    player: Expression
    number: Expression
    phase: Leaf | None


@dataclass(frozen=True, slots=True)
class TakesAll(Node):
    player: Expression
    phase: Leaf | None


@dataclass(frozen=True, slots=True)
class MayTake(Node):
    player: Expression
    phase: Leaf | None


@dataclass(frozen=True, slots=True)
class MayTakeUpTo(Node):
    player: Expression
    number: Expression
    phase: Leaf | None


@dataclass(frozen=True, slots=True)
class Say(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class Refuse(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class Todo(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class Stop(Node):
    pass


@dataclass(frozen=True, slots=True)
class Give(Node):
    value: Ask


@dataclass(frozen=True, slots=True)
class EndPhase(Node):
    pass


@dataclass(frozen=True, slots=True)
class Answer(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class DiceShow(Node):
    faces: Arguments


@dataclass(frozen=True, slots=True)
class Take(Node):
    action: Expression
    player: Expression | None


@dataclass(frozen=True, slots=True)
class RunPhase(Node):
    name: Leaf
    arguments: Arguments | None
    player: Expression | None


@dataclass(frozen=True, slots=True)
class RunTurn(Node):
    pass


@dataclass(frozen=True, slots=True)
class Play(Node):
    pass


@dataclass(frozen=True, slots=True)
class SideUp(Node):
    side: Leaf


@dataclass(frozen=True, slots=True)
class WhereTo(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class IfStatement(Node):
    condition: Expression
    block: Block
    otherwise: tuple[Otherwise, ...]


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None
    ordering: Ordering | None
    at_once: Leaf | None
    block: Block
    otherwise: ElseBlock | None = None


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    times: Expression
    condition: Expression | None
    block: Block


@dataclass(frozen=True, slots=True)
class Menu(Node):
    player: Expression | None
    text: Leaf | None
    cases: tuple[MenuCase, ...]


@dataclass(frozen=True, slots=True)
class ChooseThen(Node):
    name: Leaf
    collection: Expression
    condition: Expression | None
    or_none: Leaf | None
    by_whom: ByWhom
    block: Block
    otherwise: ElseBlock | None


@dataclass(frozen=True, slots=True)
class ChooseEach(Node):
    how_many: HowMany
    name: Leaf
    collection: Expression
    condition: Expression | None
    by_whom: ByWhom
    block: Block
    otherwise: ElseBlock | None


@dataclass(frozen=True, slots=True)
class ChooseWhether(Node):
    by_whom: ByWhom
    block: Block
    otherwise: ElseBlock | None


@dataclass(frozen=True, slots=True)
class PickThen(Node):
    number: Expression | None
    name: Leaf
    collection: Expression
    condition: Expression | None
    priority: Leaf
    arguments: Arguments | None
    block: Block
    otherwise: ElseBlock | None


@dataclass(frozen=True, slots=True)
class PickRandomThen(Node):
    number: Expression | None
    name: Leaf
    collection: Expression
    condition: Expression | None
    block: Block
    otherwise: ElseBlock | None


@dataclass(frozen=True, slots=True)
class DrawThen(Node):
    number: Expression | None
    name: Leaf
    pile: Expression
    block: Block
    otherwise: ElseBlock | None


@dataclass(frozen=True, slots=True)
class JustSoMany(Node):
    number: Expression


@dataclass(frozen=True, slots=True)
class UpToSoMany(Node):
    number: Expression


@dataclass(frozen=True, slots=True)
class SoManyTo(Node):
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class AtLeastSoMany(Node):
    number: Expression


@dataclass(frozen=True, slots=True)
class AnyNumber(Node):
    pass


@dataclass(frozen=True, slots=True)
class MenuCase(Node):
    text: Leaf
    condition: Expression | None
    block: Block


@dataclass(frozen=True, slots=True)
class OtherwiseIf(Node):
    condition: Expression
    block: Block


@dataclass(frozen=True, slots=True)
class OtherwiseAll(Node):
    block: Block


@dataclass(frozen=True, slots=True)
class OtherwiseThen(Node):
    statement: AskThen


@dataclass(frozen=True, slots=True)
class Ordering(Node):
    keys: tuple[OrderKey, ...]


@dataclass(frozen=True, slots=True)
class Ascending(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class Descending(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class ChooseOne(Node):
    binding: Binding
    or_none: Leaf | None
    by_whom: ByWhom


@dataclass(frozen=True, slots=True)
class ChooseSome(Node):
    how_many: HowMany
    binding: Binding
    such_that: Expression | None
    by_whom: ByWhom


@dataclass(frozen=True, slots=True)
class ChooseNumber(Node):
    low: Expression
    high: Expression
    by_whom: ByWhom


@dataclass(frozen=True, slots=True)
class ChooseOrder(Node):
    binding: Binding
    by_whom: ByWhom


@dataclass(frozen=True, slots=True)
class ChooseYes(Node):
    by_whom: ByWhom


@dataclass(frozen=True, slots=True)
class PickRandom(Node):
    number: Expression | None
    binding: Binding


@dataclass(frozen=True, slots=True)
class PickBy(Node):
    number: Expression | None
    priority: Leaf
    arguments: Arguments | None
    binding: Binding


@dataclass(frozen=True, slots=True)
class Draw(Node):
    number: Expression | None
    pile: Expression


@dataclass(frozen=True, slots=True)
class RollOne(Node):
    dice: Leaf
    title: Leaf | None


@dataclass(frozen=True, slots=True)
class RollMany(Node):
    number: Expression
    dice: Leaf
    title: Leaf | None


@dataclass(frozen=True, slots=True)
class ByWhom(Node):
    player: Expression | None
    text: Leaf | None


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
