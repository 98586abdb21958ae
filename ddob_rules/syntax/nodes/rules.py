"""Nodes of grammar/rules.lark: the header, numbered rules with their declarations, and examples."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.effects import Statement
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.nodes.node import Leaf, Node, node
from ddob_rules.syntax.nodes.overlay import (
    InsertPhase,
    MovePhase,
    Removal,
    RemoveExample,
    RemovePhase,
    TableEdit,
)
from ddob_rules.syntax.nodes.tables import Chart, Table

if TYPE_CHECKING:
    from ddob_rules.syntax.nodes.effects import Block
    from ddob_rules.syntax.nodes.overlay import Amendment, CellList, RuleList


@node
class Start(Node):
    item: TopLevel


@node
class Ruleset(Node):
    name: Leaf
    title: Leaf | None
    edition: Leaf | None
    numbering: Leaf | None
    extends: Names | None


@node
class Players(Node):
    number: PlayerRange | None
    seats: tuple[Seat, ...]


@node
class PlayerRange(Node):
    fewest: Leaf
    most: Leaf


@node
class Seat(Node):
    name: Leaf
    title: Leaf | None
    automated: Leaf | None


@node
class Names(Node):
    names: tuple[Leaf, ...]


@node
class OptionLine(Node):
    option: Option


@node
class Rule(Node):
    number: Leaf
    title: Leaf | None
    see: See | None
    amendment: Amendment | None
    declarations: tuple[Declaration, ...]


@node
class See(Node):
    references: tuple[Reference, ...]


@node
class Reference(Node):
    rule: Leaf
    parts: ReferenceParts | None


@node
class ReferenceParts(Node):
    parts: tuple[ReferencePart, ...]


@node
class ReferencePart(Node):
    name: Leaf
    row: CellList | None


@node
class Refs(Node):
    numbers: tuple[Leaf, ...]


@node
class RuleText(Node):
    text: Leaf


@node
class Enum(Node):
    name: Leaf
    also: Leaf | None
    values: tuple[EnumValue, ...]


@node
class EnumValue(Node):
    name: Leaf
    title: Leaf | None


@node
class Piece(Node):
    name: Leaf
    also: Leaf | None
    modifiers: Modifiers
    attributes: Attributes


@node
class Card(Node):
    name: Leaf
    also: Leaf | None
    modifiers: Modifiers
    attributes: Attributes


@node
class Record(Node):
    name: Leaf
    also: Leaf | None
    attributes: Attributes


@node
class Space(Node):
    name: Leaf
    also: Leaf | None
    board: Board | None
    attributes: Attributes


@node
class Board(Node):
    words: tuple[Leaf, ...]


@node
class Edge(Node):
    name: Leaf
    also: Leaf | None
    between: Names
    attributes: Attributes


@node
class Each(Node):
    name: Leaf
    attributes: Attributes


@node
class Attributes(Node):
    lines: tuple[AttributeOrLook, ...]


@node
class AttributeLine(Node):
    names: Names
    type: Type
    each: Leaf | None
    value: Expression | None
    modifiers: Modifiers


@node
class Look(Node):
    shown: Expression
    coloured: Expression | None


@node
class Drawn(Node):
    parts: tuple[DrawnPart, ...]


@node
class DrawnPart(Node):
    word: DrawnWord
    value: Expression
    of: Expression | None


@node
class DrawnWord(Node):
    word: Leaf


@node
class Marked(Node):
    text: Expression
    condition: Expression | None


@node
class Named(Node):
    text: Expression


@node
class Titled(Node):
    title: Leaf


@node
class Modifiers(Node):
    """What is said of a declaration behind it, in any order; which of them go with what is checked later."""

    words: tuple[Modifier, ...]

    @property
    def seen(self) -> tuple[Seen, ...]:
        return tuple(word for word in self.words if isinstance(word, Seen))

    @property
    def renewed(self) -> Renewed | None:
        return next((word for word in self.words if isinstance(word, (EachTurn, EachPhase, UntilEnd))), None)

    @property
    def refilled(self) -> Leaf | None:
        return next((word.pile for word in self.words if isinstance(word, Refilled)), None)

    @property
    def optional(self) -> Leaf | None:
        return self._leaf("OPTIONAL")

    @property
    def hidden(self) -> Leaf | None:
        return self._leaf("HIDDEN")

    @property
    def carried(self) -> Leaf | None:
        return self._leaf("CARRIED")

    @property
    def telling(self) -> Leaf | None:
        return self._leaf("UNTOLD") or self._leaf("TOLD")

    @property
    def told(self) -> bool:
        """Whether the story tells of it: what goes back by itself is bookkeeping unless it says otherwise."""
        return self._leaf("UNTOLD") is None and (self.renewed is None or self._leaf("TOLD") is not None)

    def _leaf(self, terminal: str) -> Leaf | None:
        return next((w for w in self.words if isinstance(w, Leaf) and w.terminal == terminal), None)


@node
class Refilled(Node):
    pile: Leaf


@node
class EachTurn(Node):
    word: Leaf


@node
class EachPhase(Node):
    word: Leaf
    phase: Leaf


@node
class UntilEnd(Node):
    phase: Leaf


@node
class Seen(Node):
    seers: Seers
    condition: Expression | None


@node
class Seers(Node):
    who: Who


@node
class Pile(Node):
    sort: PileSort
    names: Names
    of: Names
    each: Leaf | None
    modifiers: Modifiers

    @property
    def name(self) -> Leaf:
        """What it is called, where one is looked at alone."""
        return self.names.names[0]


@node
class PileSort(Node):
    word: Leaf


@node
class Dice(Node):
    name: Leaf
    faces: tuple[DiceFace, ...]


@node
class Face(Node):
    name: Leaf
    times: Leaf | None


@node
class FaceNumber(Node):
    number: Leaf


@node
class FaceRange(Node):
    low: Leaf
    high: Leaf


@node
class Variable(Node):
    names: Names
    type: Type
    value: Expression | None
    modifiers: Modifiers

    @property
    def name(self) -> Leaf:
        """What it is called, where one is looked at alone."""
        return self.names.names[0]


@node
class Value(Node):
    name: Leaf
    history: HistoryOrPeriods


@node
class History(Node):
    value: Expression


@node
class Periods(Node):
    periods: tuple[Period, ...]


@node
class PeriodUntil(Node):
    value: Expression
    turn: Expression


@node
class PeriodFrom(Node):
    value: Expression
    turn: Expression


@node
class PeriodTurns(Node):
    value: Expression
    first: Expression
    last: Expression


@node
class Define(Node):
    name: Leaf
    parameters: Parameters | None
    type: Type
    value: Expression | Cases | Needs
    fixed_at: Leaf | None


@node
class Cases(Node):
    lines: tuple[CaseLine, ...]


@node
class Case(Node):
    value: Expression
    condition: Expression


@node
class OtherwiseCase(Node):
    value: Expression


@node
class Needs(Node):
    lines: tuple[MustHold, ...]


@node
class DefineAlso(Node):
    name: Leaf
    value: Expression
    condition: Expression | None


@node
class DefineOnly(Node):
    name: Leaf
    condition: Expression
    reason: Reason | None


@node
class Way(Node):
    name: Leaf
    parameters: Parameters | None
    over: Type
    here: Leaf
    there: Leaf
    body: WayBody


@node
class WayAlso(Node):
    name: Leaf
    body: WayBody


@node
class WayBody(Node):
    items: tuple[WayItem, ...]


@node
class WayWhen(Node):
    condition: Expression


@node
class WayCost(Node):
    cost: Expression


@node
class WayLimit(Node):
    limit: Expression


@node
class WayStop(Node):
    condition: Expression


@node
class Parameters(Node):
    parameters: tuple[Parameter, ...]


@node
class Parameter(Node):
    name: Leaf
    type: Type


@node
class NamedType(Node):
    name: Leaf


@node
class SetType(Node):
    of: Type


@node
class ListType(Node):
    of: Type


@node
class UnionType(Node):
    names: tuple[Leaf, ...]


@node
class InlineEnum(Node):
    names: tuple[Leaf, ...]


@node
class RangeType(Node):
    low_sign: Leaf | None
    low: Leaf
    high_sign: Leaf | None
    high: Leaf


@node
class Priority(Node):
    name: Leaf
    parameters: Parameters | None
    item: Leaf
    type: Type
    criteria: tuple[Criterion, ...]
    tie: Tie | None


@node
class Prefer(Node):
    value: Expression


@node
class PreferInOrder(Node):
    value: Expression
    order: tuple[Expression, ...]


@node
class PreferLowest(Node):
    value: Expression


@node
class PreferHighest(Node):
    value: Expression


@node
class TiePlayer(Node):
    player: Expression
    text: Leaf | None


@node
class TieChance(Node):
    pass


@node
class TieLowest(Node):
    pass


@node
class Sequence(Node):
    name: Leaf
    phases: tuple[Phase, ...]


@node
class CalledPhase(Node):
    name: Leaf
    title: Leaf | None
    parameters: Parameters | None
    gives: Type | None
    steps: tuple[CalledItem, ...]


@node
class PhaseAlso(Node):
    name: Leaf
    parts: tuple[PhasePart, ...]


@node
class PhasePart(Node):
    names: Names
    type: Type
    value: Expression


@node
class Phase(Node):
    name: Leaf
    title: Leaf | None
    each: PhaseEach | None
    condition: Expression | None
    body: PhaseBody


@node
class PhaseEach(Node):
    name: Leaf
    collection: Expression


@node
class PhaseEmpty(Node):
    pass


@node
class PhaseItems(Node):
    steps: tuple[PhaseItem, ...]


@node
class Attach(Node):
    instead: Leaf | None
    moment: Moment
    phase: Leaf
    block: Block


@node
class Moment(Node):
    word: Leaf


@node
class Action(Node):
    name: Leaf
    title: Leaf | None
    parameters: Parameters | None
    actor: Leaf
    phases: Names
    body: ActionBody


@node
class ActionAlso(Node):
    name: Leaf
    body: ActionBody


@node
class ActionBody(Node):
    lines: tuple[ActionItem, ...]


@node
class MustHold(Node):
    condition: Expression
    reason: Reason | None


@node
class ActionCost(Node):
    amount: Expression
    source: Expression
    reason: Reason | None


@node
class ActionLimit(Node):
    number: Expression
    per: Leaf | None
    scope: LimitScope
    reason: Reason | None


@node
class ActionLabel(Node):
    text: Leaf


@node
class ActionStarted(Node):
    things: Expression


@node
class ActionDo(Node):
    block: Block


@node
class ActionWithout(Node):
    refs: Refs


@node
class LimitScope(Node):
    word: Leaf


@node
class Reason(Node):
    text: Leaf
    refs: Refs | None


@node
class Procedure(Node):
    name: Leaf
    parameters: Parameters | None
    gives: Type | None
    citing: Leaf | None
    block: Block


@node
class Trigger(Node):
    name: Leaf
    parameters: Parameters | None
    timing: Timing
    change: Change
    condition: Expression | None
    block: Block


@node
class Timing(Node):
    word: Leaf


@node
class Becomes(Node):
    target: Expression
    value: Expression


@node
class Changes(Node):
    target: Expression


@node
class Happens(Node):
    call: Expression


@node
class Victory(Node):
    name: Leaf
    parameters: Parameters | None
    condition: ConditionOrAsSoonAs
    block: Block


@node
class AsSoonAs(Node):
    condition: Expression


@node
class Score(Node):
    player: Leaf
    value: Expression


@node
class Setup(Node):
    instead: Leaf | None
    block: Block


@node
class Status(Node):
    text: Expression
    value: Expression | None
    of: Expression | None
    condition: Expression | None


@node
class Measure(Node):
    title: Leaf
    value: Expression


@node
class Option(Node):
    name: Leaf
    title: Leaf
    refs: Refs | None
    conflicts: Names | None
    reason: Leaf | None


@node
class TodoLine(Node):
    text: Leaf


@node
class Example(Node):
    title: Leaf
    rules: RuleList | None
    parts: tuple[ExampleItem, ...]


@node
class Given(Node):
    scenario: Leaf
    players: Leaf | None
    turn: Leaf | None
    options: Names | None
    seed: Leaf | None
    body: GivenBody


@node
class ExampleWhen(Node):
    block: Block


@node
class ExampleWhenLine(Node):
    statement: Statement


@node
class Expect(Node):
    condition: Expression
    because: Leaf | None


@node
class ExpectNothingElse(Node):
    pass


@node
class ExpectOffered(Node):
    call: Expression
    player: Expression | None


@node
class ExpectNotOffered(Node):
    call: Expression
    player: Expression | None
    because: Leaf | None


@node
class GivenBody(Node):
    block: Block | None


TopLevel = Ruleset | Players | Rule | Example | OptionLine
Declaration = (
    RuleText
    | Enum
    | Piece
    | Card
    | Record
    | Space
    | Edge
    | Each
    | Pile
    | Dice
    | Variable
    | Value
    | Define
    | DefineAlso
    | DefineOnly
    | Way
    | WayAlso
    | Table
    | Chart
    | Priority
    | Sequence
    | CalledPhase
    | PhaseAlso
    | Attach
    | Action
    | ActionAlso
    | Procedure
    | Trigger
    | Victory
    | Score
    | Setup
    | Status
    | Measure
    | Option
    | Example
    | Removal
    | RemoveExample
    | TableEdit
    | InsertPhase
    | MovePhase
    | RemovePhase
    | TodoLine
)
Kind = Piece | Card | Record | Space | Edge | Each
Looks = Look | Drawn | Marked | Named | Titled
AttributeOrLook = AttributeLine | Looks
Renewed = EachTurn | EachPhase | UntilEnd
Modifier = EachTurn | EachPhase | UntilEnd | Refilled | Seen | Leaf
Who = Leaf | Names
DiceFace = Face | FaceNumber | FaceRange
CaseLine = Case | OtherwiseCase
WayItem = WayWhen | WayCost | WayLimit | WayStop
HistoryOrPeriods = History | Periods
Period = PeriodUntil | PeriodFrom | PeriodTurns
Type = NamedType | SetType | ListType | UnionType | InlineEnum | RangeType
Criterion = Prefer | PreferInOrder | PreferLowest | PreferHighest
Tie = TiePlayer | TieChance | TieLowest
PhaseBody = PhaseEmpty | PhaseItems
PhaseItem = Phase | Statement
CalledItem = PhasePart | Phase | Statement
ActionItem = MustHold | ActionCost | ActionLimit | ActionLabel | ActionStarted | ActionDo | ActionWithout
Change = Becomes | Changes | Happens
ConditionOrAsSoonAs = Expression | AsSoonAs
ExampleItem = (
    Given | ExampleWhen | ExampleWhenLine | Expect | ExpectNothingElse | ExpectOffered | ExpectNotOffered
)


def singly(declared: Declaration) -> tuple[Declaration, ...]:
    """What is declared, one by one: `pile dead, lost of card` declares two piles."""
    if not isinstance(declared, (Pile, Variable)):
        return (declared,)
    names = declared.names.names
    return tuple(replace(declared, names=Names((name,), span=name.span)) for name in names)
