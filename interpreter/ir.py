"""The typed intermediate form: what the author tools hand over and what the interpreter compiles.

It is plain data. Names are resolved, types are known, overlays are merged; no text of a rule file is left to
interpret. It deliberately knows nothing of scenario data: pieces and spaces are named by kind, and the few
ids that rules mention are looked up when a game is built.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

# ---------------------------------------------------------------- where things come from


@dataclass(frozen=True, slots=True)
class Site:
    """The place in the rules that an effect cites."""

    rule: str
    file: str
    line: int
    column: int
    ruleset: str


NOWHERE = Site("", "", 0, 0, "")

# ---------------------------------------------------------------- types

Tag = Literal[
    "number", "flag", "text", "enum", "piece", "space", "edge", "pile", "set", "list", "nothing", "effect"
]


@dataclass(frozen=True, slots=True)
class Type:
    """A type. `names` holds the enum's name, or the kinds a piece or space may be of (none means any)."""

    tag: Tag
    names: tuple[str, ...] = ()
    element: Type | None = None

    def __str__(self) -> str:
        if self.tag in ("set", "list"):
            return f"{self.tag} of {self.element}"
        return " or ".join(self.names) if self.names else self.tag


NUMBER = Type("number")
FLAG = Type("flag")
TEXT = Type("text")
NOTHING = Type("nothing")
EFFECT = Type("effect")
PLAYER = Type("enum", ("player",))
DIRECTION = Type("enum", ("direction",))


def enum_type(name: str) -> Type:
    return Type("enum", (name,))


def set_of(element: Type) -> Type:
    return Type("set", (), element)


def list_of(element: Type) -> Type:
    return Type("list", (), element)


# ---------------------------------------------------------------- vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    name: str
    values: tuple[str, ...]
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """Who may see a value: the seats of `seers` (None: everyone), as long as `condition` holds."""

    seers: Literal["everyone", "nobody", "owner"] | tuple[str, ...] = "everyone"
    condition: Expression | None = None  # over the local `it`


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A column. `start` is None for what the scenario fixes; otherwise the value at the start of play."""

    name: str
    type: Type
    start: Expression | None = None
    optional: bool = False
    seen: Visibility | None = None
    untold: bool = False  # bookkeeping: the story leaves its changes out
    constants: tuple[tuple[str, Expression], ...] = ()  # for charts: the value for each enum value
    site: Site = NOWHERE


Owner = Literal["piece", "card", "space", "edge", "enum", "pile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a thing is shown on the board, both over the local `it`: a few letters, and what colours it."""

    text: Expression
    colour: Expression | None
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A line above the board, as long as the condition holds."""

    text: Expression
    condition: Expression | None
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number that tells how a game went, beside who won it."""

    title: Expression
    value: Expression
    condition: Expression | None
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of piece, card, space, edge or pile; or an enum's own attributes (owner "enum")."""

    name: str
    owner: Owner
    attributes: tuple[Attribute, ...] = ()
    board: str = ""  # spaces: "hex", "square", "network", "track", "box"; piles: "deck", "bag", "pile"
    of: tuple[str, ...] = ()  # edges: the space kinds they join; piles: the card or piece kind they hold
    each: str = ""  # piles: one for each value of this enum
    refill: str = ""  # piles: the pile that is shuffled in when this one is empty
    seen: Visibility | None = (
        None  # who sees the identity of what is of this kind, or of what lies in this pile
    )
    untold: bool = False  # the story leaves out where it goes; of a pile, what goes in and out
    look: Look | None = None
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    name: str
    type: Type
    start: Expression | None
    seen: Visibility | None = None
    untold: bool = False
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Dice:
    """A die: its faces in order, each an enum value's index or a number."""

    name: str
    type: Type
    faces: tuple[int, ...]
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    name: str
    title: str
    rules: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    reason: str = ""
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    name: str
    title: str
    automated: bool = False


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Const:
    """A number, flag, enum index, text, or -1 for nothing; a set constant is its bit mask."""

    value: int | bool | str
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """A piece, space or pile that the rules mention by its id; looked up when the game is built."""

    id: str
    type: Type
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    name: str
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Global:
    """A variable of the ruleset, or one of the built-in ones: turn, an option."""

    name: str
    type: Type
    builtin: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Get:
    """`subject.attribute`; reading from nothing gives the type's empty value."""

    owner: Owner
    attribute: str
    subject: Expression
    type: Type
    fixed: bool
    enum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """All pieces or spaces of a kind, or all values of an enum, as a set."""

    kind: str
    type: Type


Operator = Literal[
    "+",
    "-",
    "*",
    "down",
    "up",
    "near",
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "and",
    "or",
    "in",
    "union",
    "minus",
    "both",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binary:
    """`both` is set intersection; `down`, `up`, `near` are division with that rounding."""

    operator: Operator
    left: Expression
    right: Expression
    type: Type
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Unary:
    operator: Literal["not", "-"]
    operand: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """`low <= subject <= high`, either end may be open."""

    subject: Expression
    low: Expression | None
    high: Expression | None
    type: Type = FLAG


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSet:
    items: tuple[Expression, ...]
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a definition, a table or a value."""

    name: str
    arguments: tuple[Expression, ...]
    type: Type
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Builtin:
    """A call of the library: distance, neighbours, within, ..."""

    name: str
    arguments: tuple[Expression, ...]
    type: Type
    site: Site = NOWHERE


Gather = Literal["some", "no", "every", "count", "sum", "most", "least", "set", "highest", "lowest", "list"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantify:
    """Goes through `source`, keeps what meets `where`, and gathers `body` as `gather` says."""

    gather: Gather
    variable: str
    variable_type: Type
    source: Expression
    where: Expression | None
    body: Expression | None
    type: Type
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Along:
    """The spaces from `start` (left out) in `direction`, for as long as `condition` holds for `variable`."""

    start: Expression
    direction: Expression
    variable: str
    condition: Expression
    type: Type
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Spaces reachable from `start` by steps `a` to `b` that meet `condition`, or `cost` up to `limit`."""

    start: Expression
    step_from: str
    step_to: str
    condition: Expression | None
    cost: Expression | None
    limit: Expression | None
    stop: Expression | None  # over step_to: entering it ends the movement
    goal: Expression | None  # when given, the value is the cost (or steps) to get there, -1 if out of reach
    type: Type
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    start: Expression
    end: Expression
    variable: str
    blocks: Expression
    type: Type = FLAG
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """How many of `right` can be served at once by `left`, each left one serving up to `capacity`."""

    left: str
    left_source: Expression
    right: str
    right_source: Expression
    condition: Expression
    capacity: Expression | None
    type: Type = NUMBER
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A text with values in it."""

    parts: tuple[str | Expression, ...]
    type: Type = TEXT


Expression = (
    Const
    | Ref
    | Local
    | Global
    | Get
    | Extent
    | Binary
    | Unary
    | Between
    | Conditional
    | MakeSet
    | Call
    | Builtin
    | Quantify
    | Along
    | Reach
    | Sight
    | Matching
    | Format
)

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Let:
    name: str
    value: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocal:
    name: str
    value: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class SetGlobal:
    name: str
    value: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAttribute:
    owner: Owner
    attribute: str
    subject: Expression
    value: Expression
    site: Site
    enum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """Moves a piece to a space or pile (`where`: on top, at the bottom); nothing takes it out of play."""

    piece: Expression
    place: Expression
    bottom: bool
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle:
    pile: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class If:
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach:
    """Goes through a collection, fixed when the loop begins, by index or by keys (with: highest first)."""

    variable: str
    variable_type: Type
    source: Expression
    where: Expression | None
    keys: tuple[tuple[Expression, bool], ...]
    body: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    times: Expression
    condition: Expression | None
    body: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Perform:
    """A call of a procedure; `gives` is the type of the result that the next statement reads."""

    name: str
    arguments: tuple[Expression, ...]
    site: Site
    gives: Type | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """Looks a table of effects up and does what the matching cells say."""

    table: str
    arguments: tuple[Expression, ...]
    site: Site


Amount = Literal["one", "one or none", "some", "number", "order", "yes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """Asks `player`. For "some", things are chosen one at a time, at least `low` and at most `high`."""

    target: str
    amount: Amount
    variable: str
    source: Expression | None
    where: Expression | None
    low: Expression | None
    high: Expression | None
    player: Expression
    prompt: Expression
    type: Type  # of the element chosen
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuCase:
    label: Expression
    condition: Expression | None
    body: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    player: Expression
    prompt: Expression
    cases: tuple[MenuCase, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Offers the actions of a group to `player`: `count` of them, or (None) until phase or actions end.

    If `optional`, the player may stop at any time.
    """

    player: Expression
    group: str
    count: Expression | None
    optional: bool
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawFrom:
    """Takes from a pile: the top of a deck, a chance one of a bag. `count` None: one thing; else a list."""

    target: str
    pile: Expression
    count: Expression | None
    type: Type
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    target: str
    dice: str
    count: Expression | None
    type: Type
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomPick:
    target: str
    variable: str
    source: Expression
    where: Expression | None
    count: Expression | None
    type: Type
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class PickBy:
    """Picks by a priority: one thing, or (with `count`) that many, best first, as a list."""

    target: str
    priority: str
    arguments: tuple[Expression, ...]
    variable: str
    source: Expression
    where: Expression | None
    count: Expression | None
    type: Type
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    text: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """This game cannot be played: scenario, options and overlays do not go together."""

    text: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    text: str
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Leaves the procedure ("procedure"), or ends the offering of actions or the phase ("phase")."""

    what: Literal["procedure", "phase"]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """Leaves the procedure with a result, which the call reads at once."""

    value: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """Ends the game. `winners` is a set of players (may be empty)."""

    winners: Expression
    text: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """In an example: what the next choice is answered with, by label or by argument; or what a die shows."""

    value: Expression
    site: Site
    roll: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """In an example: take this action as if it were chosen; it must be legal."""

    action: str
    player: Expression
    arguments: tuple[Expression, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPhase:
    phase: str
    site: Site
    each: tuple[Expression, ...] = ()  # what the phase goes through, for the journal


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckVictory:
    """Looks whether somebody has won: when a phase is over, before and after what rules do at its end."""

    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """In coverage runs: says that a row of a table was used."""

    site: Site


Statement = (
    Let
    | SetLocal
    | SetGlobal
    | SetAttribute
    | Put
    | Shuffle
    | If
    | ForEach
    | Repeat
    | Perform
    | Apply
    | Choose
    | Menu
    | Offer
    | DrawFrom
    | Roll
    | RandomPick
    | PickBy
    | Say
    | Refuse
    | Todo
    | Leave
    | Give
    | EndGame
    | Answer
    | Take
    | EnterPhase
    | CheckVictory
    | Touch
)

# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    name: str
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    name: str
    parameters: tuple[Parameter, ...]
    type: Type
    body: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One test of a row against an input: it passes if any of `tests` does (over the local of that name)."""

    test: Expression | None  # None: any value
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    cells: tuple[Cell, ...]
    result: Expression | None
    effects: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A decision table. Policies: unique, first, or collect (sum of numbers, union of sets, every effect)."""

    name: str
    parameters: tuple[Parameter, ...]
    type: Type
    policy: Literal["unique", "first", "collect"]
    rows: tuple[Row, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    value: Expression
    descending: bool
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Priority:
    """Orders things; what is still equal is decided by a player, by chance, or by lowest id."""

    name: str
    parameters: tuple[Parameter, ...]
    variable: str
    type: Type
    criteria: tuple[Criterion, ...]
    tie: Literal["player", "chance", "lowest"]
    player: Expression | None
    prompt: Expression | None
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    test: Expression
    reason: Expression | None
    rules: tuple[str, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something a player may do. The first parameter is always the acting player, named `actor`."""

    name: str
    title: str
    actor: str
    by: Expression | None  # None: whoever is offered; else the players who may
    groups: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    conditions: tuple[Condition, ...]
    body: tuple[Statement, ...]
    label: Expression | None
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory:
    """Checked after every action and at the end of every phase."""

    name: str
    parameters: tuple[Parameter, ...]
    condition: Expression
    body: tuple[Statement, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What `why` and the journal cite."""

    id: str
    title: str
    text: str
    ruleset: str
    file: str
    line: int
    amends: tuple[str, ...] = ()
    mechanism: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A whole checked ruleset, overlays merged.

    Two procedures are always there: `setup`, run once, and `turn`, run for each turn of the sequence of play.
    """

    name: str
    title: str
    edition: str
    language: str
    stack: tuple[str, ...]  # the rulesets it is made of, base first
    players: tuple[Player, ...]
    enums: tuple[Enum, ...]
    kinds: tuple[Kind, ...]
    variables: tuple[Variable, ...]
    dice: tuple[Dice, ...]
    options: tuple[Option, ...]
    definitions: tuple[Definition, ...]
    tables: tuple[Table, ...]
    priorities: tuple[Priority, ...]
    procedures: tuple[Procedure, ...]
    actions: tuple[Action, ...]
    victories: tuple[Victory, ...]
    phases: tuple[tuple[str, str], ...]  # name, title, in order of first appearance
    score: Definition | None
    rules: tuple[Rule, ...]
    status: tuple[Status, ...] = ()
    measures: tuple[Measure, ...] = ()
    hash: str = ""
    texts: tuple[tuple[str, str], ...] = field(default=())  # key, text in the source language
