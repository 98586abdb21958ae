"""Nodes of grammar/rules.lark: the header, numbered rules with their declarations, and examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ddob_rules.syntax.nodes.effects import Statement
from ddob_rules.syntax.nodes.expressions import Expression
from ddob_rules.syntax.nodes.node import Leaf, Node
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


@dataclass(frozen=True, slots=True)
class Start(Node):
    item: TopLevel


@dataclass(frozen=True, slots=True)
class Ruleset(Node):
    name: Leaf
    title: Leaf | None
    edition: Leaf | None
    numbering: Leaf | None
    extends: Names | None


@dataclass(frozen=True, slots=True)
class Players(Node):
    number: PlayerRange | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PlayerRange(Node):
    fewest: Leaf
    most: Leaf


@dataclass(frozen=True, slots=True)
class Seat(Node):
    name: Leaf
    title: Leaf | None
    automated: Leaf | None


@dataclass(frozen=True, slots=True)
class Names(Node):
    names: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class OptionLine(Node):
    option: Option


@dataclass(frozen=True, slots=True)
class Rule(Node):
    number: Leaf
    title: Leaf | None
    see: See | None
    amendment: Amendment | None
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class See(Node):
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Reference(Node):
    rule: Leaf
    parts: ReferenceParts | None


@dataclass(frozen=True, slots=True)
class ReferenceParts(Node):
    parts: tuple[ReferencePart, ...]


@dataclass(frozen=True, slots=True)
class ReferencePart(Node):
    name: Leaf
    row: CellList | None


@dataclass(frozen=True, slots=True)
class Refs(Node):
    numbers: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class RuleText(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class Enum(Node):
    name: Leaf
    also: Leaf | None
    values: tuple[EnumValue, ...]


@dataclass(frozen=True, slots=True)
class EnumValue(Node):
    name: Leaf
    title: Leaf | None


@dataclass(frozen=True, slots=True)
class Piece(Node):
    name: Leaf
    also: Leaf | None
    modifiers: Modifiers
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Card(Node):
    name: Leaf
    also: Leaf | None
    modifiers: Modifiers
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Record(Node):
    name: Leaf
    also: Leaf | None
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Space(Node):
    name: Leaf
    also: Leaf | None
    board: Board | None
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Board(Node):
    words: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Edge(Node):
    name: Leaf
    also: Leaf | None
    between: Names
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Each(Node):
    name: Leaf
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Attributes(Node):
    lines: tuple[AttributeOrLook, ...]


@dataclass(frozen=True, slots=True)
class AttributeLine(Node):
    names: Names
    type: Type
    each: Leaf | None
    value: Expression | None
    modifiers: Modifiers


@dataclass(frozen=True, slots=True)
class Look(Node):
    shown: Expression
    coloured: Expression | None


@dataclass(frozen=True, slots=True)
class Drawn(Node):
    parts: tuple[DrawnPart, ...]


@dataclass(frozen=True, slots=True)
class DrawnPart(Node):
    word: DrawnWord
    value: Expression
    of: Expression | None


@dataclass(frozen=True, slots=True)
class DrawnWord(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Marked(Node):
    text: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Named(Node):
    text: Expression


@dataclass(frozen=True, slots=True)
class Titled(Node):
    title: Leaf


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Refilled(Node):
    pile: Leaf


@dataclass(frozen=True, slots=True)
class EachTurn(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class EachPhase(Node):
    word: Leaf
    phase: Leaf


@dataclass(frozen=True, slots=True)
class UntilEnd(Node):
    phase: Leaf


@dataclass(frozen=True, slots=True)
class Seen(Node):
    seers: Seers
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Seers(Node):
    who: Who


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class PileSort(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Dice(Node):
    name: Leaf
    faces: tuple[DiceFace, ...]


@dataclass(frozen=True, slots=True)
class Face(Node):
    name: Leaf
    times: Leaf | None


@dataclass(frozen=True, slots=True)
class FaceNumber(Node):
    number: Leaf


@dataclass(frozen=True, slots=True)
class FaceRange(Node):
    low: Leaf
    high: Leaf


@dataclass(frozen=True, slots=True)
class Variable(Node):
    names: Names
    type: Type
    value: Expression | None
    modifiers: Modifiers

    @property
    def name(self) -> Leaf:
        """What it is called, where one is looked at alone."""
        return self.names.names[0]


@dataclass(frozen=True, slots=True)
class Value(Node):
    name: Leaf
    history: HistoryOrPeriods


@dataclass(frozen=True, slots=True)
class History(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class Periods(Node):
    periods: tuple[Period, ...]


@dataclass(frozen=True, slots=True)
class PeriodUntil(Node):
    value: Expression
    turn: Expression


@dataclass(frozen=True, slots=True)
class PeriodFrom(Node):
    value: Expression
    turn: Expression


@dataclass(frozen=True, slots=True)
class PeriodTurns(Node):
    value: Expression
    first: Expression
    last: Expression


@dataclass(frozen=True, slots=True)
class Define(Node):
    name: Leaf
    parameters: Parameters | None
    type: Type
    value: Expression | Cases
    fixed_at: Leaf | None


@dataclass(frozen=True, slots=True)
class Cases(Node):
    lines: tuple[CaseLine, ...]


@dataclass(frozen=True, slots=True)
class Case(Node):
    value: Expression
    condition: Expression


@dataclass(frozen=True, slots=True)
class OtherwiseCase(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class DefineAlso(Node):
    name: Leaf
    value: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class DefineOnly(Node):
    name: Leaf
    condition: Expression


@dataclass(frozen=True, slots=True)
class Way(Node):
    name: Leaf
    parameters: Parameters | None
    over: Type
    here: Leaf
    there: Leaf
    body: WayBody


@dataclass(frozen=True, slots=True)
class WayAlso(Node):
    name: Leaf
    body: WayBody


@dataclass(frozen=True, slots=True)
class WayBody(Node):
    items: tuple[WayItem, ...]


@dataclass(frozen=True, slots=True)
class WayWhen(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class WayCost(Node):
    cost: Expression


@dataclass(frozen=True, slots=True)
class WayLimit(Node):
    limit: Expression


@dataclass(frozen=True, slots=True)
class WayStop(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class Parameters(Node):
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Leaf
    type: Type


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    name: Leaf


@dataclass(frozen=True, slots=True)
class SetType(Node):
    of: Type


@dataclass(frozen=True, slots=True)
class ListType(Node):
    of: Type


@dataclass(frozen=True, slots=True)
class UnionType(Node):
    names: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class InlineEnum(Node):
    names: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    low_sign: Leaf | None
    low: Leaf
    high_sign: Leaf | None
    high: Leaf


@dataclass(frozen=True, slots=True)
class Priority(Node):
    name: Leaf
    parameters: Parameters | None
    item: Leaf
    type: Type
    criteria: tuple[Criterion, ...]
    tie: Tie | None


@dataclass(frozen=True, slots=True)
class Prefer(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class PreferInOrder(Node):
    value: Expression
    order: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class PreferLowest(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class PreferHighest(Node):
    value: Expression


@dataclass(frozen=True, slots=True)
class TiePlayer(Node):
    player: Expression
    text: Leaf | None


@dataclass(frozen=True, slots=True)
class TieChance(Node):
    pass


@dataclass(frozen=True, slots=True)
class TieLowest(Node):
    pass


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    name: Leaf
    phases: tuple[Phase, ...]


@dataclass(frozen=True, slots=True)
class CalledPhase(Node):
    name: Leaf
    title: Leaf | None
    parameters: Parameters | None
    gives: Type | None
    steps: tuple[CalledItem, ...]


@dataclass(frozen=True, slots=True)
class PhaseAlso(Node):
    name: Leaf
    parts: tuple[PhasePart, ...]


@dataclass(frozen=True, slots=True)
class PhasePart(Node):
    names: Names
    type: Type
    value: Expression


@dataclass(frozen=True, slots=True)
class Phase(Node):
    name: Leaf
    title: Leaf | None
    each: PhaseEach | None
    condition: Expression | None
    body: PhaseBody


@dataclass(frozen=True, slots=True)
class PhaseEach(Node):
    name: Leaf
    collection: Expression


@dataclass(frozen=True, slots=True)
class PhaseEmpty(Node):
    pass


@dataclass(frozen=True, slots=True)
class PhaseItems(Node):
    steps: tuple[PhaseItem, ...]


@dataclass(frozen=True, slots=True)
class Attach(Node):
    instead: Leaf | None
    moment: Moment
    phase: Leaf
    block: Block


@dataclass(frozen=True, slots=True)
class Moment(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Action(Node):
    name: Leaf
    title: Leaf | None
    parameters: Parameters | None
    actor: Leaf
    phases: Names
    body: ActionBody


@dataclass(frozen=True, slots=True)
class ActionAlso(Node):
    name: Leaf
    body: ActionBody


@dataclass(frozen=True, slots=True)
class ActionBody(Node):
    lines: tuple[ActionItem, ...]


@dataclass(frozen=True, slots=True)
class ActionWhen(Node):
    condition: Expression
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class ActionCost(Node):
    amount: Expression
    source: Expression
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class ActionLimit(Node):
    number: Expression
    per: Leaf | None
    scope: LimitScope
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class ActionLabel(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class ActionStarted(Node):
    things: Expression


@dataclass(frozen=True, slots=True)
class ActionDo(Node):
    block: Block


@dataclass(frozen=True, slots=True)
class ActionWithout(Node):
    refs: Refs


@dataclass(frozen=True, slots=True)
class LimitScope(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Reason(Node):
    text: Leaf
    refs: Refs | None


@dataclass(frozen=True, slots=True)
class Procedure(Node):
    name: Leaf
    parameters: Parameters | None
    gives: Type | None
    citing: Leaf | None
    block: Block


@dataclass(frozen=True, slots=True)
class Trigger(Node):
    name: Leaf
    parameters: Parameters | None
    timing: Timing
    change: Change
    condition: Expression | None
    block: Block


@dataclass(frozen=True, slots=True)
class Timing(Node):
    word: Leaf


@dataclass(frozen=True, slots=True)
class Becomes(Node):
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Changes(Node):
    target: Expression


@dataclass(frozen=True, slots=True)
class Happens(Node):
    call: Expression


@dataclass(frozen=True, slots=True)
class Victory(Node):
    name: Leaf
    parameters: Parameters | None
    condition: ConditionOrAsSoonAs
    block: Block


@dataclass(frozen=True, slots=True)
class AsSoonAs(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class Score(Node):
    player: Leaf
    value: Expression


@dataclass(frozen=True, slots=True)
class Setup(Node):
    instead: Leaf | None
    block: Block


@dataclass(frozen=True, slots=True)
class Status(Node):
    text: Expression
    value: Expression | None
    of: Expression | None
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Measure(Node):
    title: Leaf
    value: Expression


@dataclass(frozen=True, slots=True)
class Option(Node):
    name: Leaf
    title: Leaf
    refs: Refs | None
    conflicts: Names | None
    reason: Leaf | None


@dataclass(frozen=True, slots=True)
class TodoLine(Node):
    text: Leaf


@dataclass(frozen=True, slots=True)
class Example(Node):
    title: Leaf
    rules: RuleList | None
    parts: tuple[ExampleItem, ...]


@dataclass(frozen=True, slots=True)
class Given(Node):
    scenario: Leaf
    players: Leaf | None
    turn: Leaf | None
    options: Names | None
    seed: Leaf | None
    body: GivenBody


@dataclass(frozen=True, slots=True)
class ExampleWhen(Node):
    block: Block


@dataclass(frozen=True, slots=True)
class ExampleWhenLine(Node):
    statement: Statement


@dataclass(frozen=True, slots=True)
class Expect(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class ExpectNothingElse(Node):
    pass


@dataclass(frozen=True, slots=True)
class ExpectOffered(Node):
    call: Expression
    player: Expression | None


@dataclass(frozen=True, slots=True)
class ExpectNotOffered(Node):
    call: Expression
    player: Expression | None
    because: Leaf | None


@dataclass(frozen=True, slots=True)
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
ActionItem = ActionWhen | ActionCost | ActionLimit | ActionLabel | ActionStarted | ActionDo | ActionWithout
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
