"""Declarations, and the whole program: a checked ruleset with its overlays merged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from interpreter.ir.expressions import Expression
from interpreter.ir.statements import Statement
from interpreter.ir.types import NOWHERE, Owner, Site, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    name: str
    values: tuple[str, ...]
    titles: tuple[tuple[str, str], ...] = ()  # what people read for a value, if not its name
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Sight, given to some as long as `condition` holds.

    `team` is the owner and all players whose attribute `team` is the same as the owner's.
    `face` is for what stands on the hidden side of a piece: everyone while `condition` holds, else its owner.
    Who does not see it cannot tell which piece it is either.
    """

    seers: Literal["everyone", "owner", "team", "face"] | tuple[str, ...] = "everyone"
    condition: Expression | None = None  # over the local `it`


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """Who may see a value: whoever one of the grants lets see it. Without grants, nobody."""

    grants: tuple[Grant, ...] = ()

    @property
    def faced(self) -> bool:
        """Whether it is that of a hidden side."""
        return any(grant.seers == "face" for grant in self.grants)

    @property
    def conditional(self) -> bool:
        """Whether it depends on the position."""
        return any(grant.condition is not None for grant in self.grants)


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
    bounds: tuple[int, int] | None = None  # of a number that stops at its ends; rules keep within them
    family: str = ""  # of an attribute with a value for each value of an enum: its name in the rules,
    key: str = ""  # and which of them this is
    carried: bool = False  # the next game of a campaign begins with what it is at the end of this one
    site: Site = NOWHERE

    @property
    def given_as(self) -> str:
        """The name under which data gives it."""
        return self.family or self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a thing is shown on the board, both over the local `it`: a few letters, and what colours it."""

    text: Expression
    colour: Expression | None
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One thing that a drawing of a thing shows, over the local `it`."""

    part: Literal[
        "symbol", "numbers", "steps", "of", "pattern", "label", "mark", "region", "sides", "roads", "name"
    ]
    value: Expression
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A line above the board, as long as the condition holds; with a number, and how high it can be."""

    text: Expression
    condition: Expression | None
    value: Expression | None = None
    of: Expression | None = None
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
    record: bool = False  # pieces that are data alone, and never anywhere
    title: str = ""  # what one of them is called, if that is not the name in words
    look: Look | None = None
    drawn: tuple[Drawn, ...] = ()
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    name: str
    type: Type
    start: Expression | None
    seen: Visibility | None = None
    untold: bool = False
    bounds: tuple[int, int] | None = None
    carried: bool = False
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


#: What a procedure is for. An attachment is what rules add to a moment of a phase, the turn or the set-up;
#: a table is one of effects; an arrangement is a position that an example gives.
Role = Literal[
    "setup", "turn", "phase", "attachment", "action", "trigger", "table", "procedure", "arrangement",
    "example", "victory", "game",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """Effects with a name. Who needs to know what they are for asks for the role; names are only names."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    site: Site
    cites_cause: bool = False  # what it does is told under the rule that calls it
    role: Role = "procedure"

    @property
    def sets_up(self) -> bool:
        """Whether it arranges a position: nobody wins by that."""
        return self.role in ("setup", "arrangement")


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
    started: Expression | None = None  # the pieces that do it, if no parameter names them
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Victory:
    """Checked after every action and at the end of every phase; `at_once`, after every change as well."""

    name: str
    parameters: tuple[Parameter, ...]
    condition: Expression
    body: tuple[Statement, ...]
    site: Site
    at_once: bool = False


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
    see: tuple[str, ...] = ()  # the rules where its mechanism stands


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
    fewest: int = 0  # the lowest number of players that are not automated; 0: all of them always play
    hash: str = ""
    texts: tuple[tuple[str, str], ...] = field(default=())  # key, text in the source language
    outline: bool = False  # rule 6.2 comes before rule 6.10
