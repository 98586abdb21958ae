"""Expressions: what has a value and changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.ir.types import FLAG, NOWHERE, NUMBER, TEXT, Owner, Site, Type

#: `nothing` as a number, where there is no way or no least: more than any board has.
FAR = 1_000_000


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
    goal: Expression | None  # when given, the value is the cost (or steps) to get there, FAR if out of reach
    type: Type  # a list with a goal: the spaces on the cheapest way there, without the start
    kinds: tuple[str, ...] = ()  # of the spaces that steps may lead to; none: of all
    site: Site = NOWHERE
    #: What passes make of a condition: the spaces that may be entered, the number of what steps are open, and
    #: the spaces that end the movement.
    within: Expression | None = None
    steps: int = -1
    halts: Expression | None = None


def price_of_step(e: Reach) -> Expression:
    """What a step costs, 1 if nothing is said; -1 if it is not allowed."""
    price = e.cost if e.cost is not None else Const(value=1, type=NUMBER)
    if e.condition is None:
        return price
    return Conditional(condition=e.condition, then=price, otherwise=Const(value=-1, type=NUMBER), type=NUMBER)


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
    near: Expression | None = None  # over `left`, made by a pass: all that are worth a test
    type: Type = NUMBER
    site: Site = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A text with values in it."""

    parts: tuple[str | Expression, ...]
    type: Type = TEXT


# ---------------------------------------------------------------- what passes make; no ruleset says these


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A variable that no rule changes: what the scenario says of it."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Having:
    """The things whose attribute, which never changes, has this value."""

    owner: Owner
    attribute: str
    enum: str
    value: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The things whose attribute, which changes, has this value: sets that every change keeps up to date."""

    owner: Owner
    attribute: str
    value: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Static:
    """The things of a kind that pass a test which nothing in play can change, by the test's number."""

    number: int
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsNear:
    """The pieces in the spaces at most `distance` away from a place; None: next to it, itself left out."""

    place: Expression
    distance: int | None
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsOf:
    """Those of `pieces` that are in one of `places`."""

    places: Expression
    pieces: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsWhere:
    """Those of `pieces` whose place, as the last argument, meets a definition that never changes."""

    definition: str
    arguments: tuple[Expression, ...]  # but for the last
    pieces: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """A list of one thing, or of none if that is nothing."""

    thing: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The set of what is in a list."""

    items: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best of a set by a key that never changes, by the key's number; of equals the first."""

    number: int
    group: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The things of `source` that meet `where`, as a list, by index or by keys (with: highest first)."""

    variable: str
    source: Expression
    where: Expression | None
    keys: tuple[tuple[Expression, bool], ...]
    dear: bool  # what is done with each of them may take long: see `passes.budget`
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Foremost:
    """Those of a list that a priority puts first, all equally, as a list; the list is not empty."""

    priority: str
    arguments: tuple[Expression, ...]
    items: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Without:
    """A list but for one of its things; others that are equal stay."""

    items: Expression
    thing: Expression
    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the last question was answered with, unless it was declined."""

    type: Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """Whether the last question was answered with nothing: to things `done`, to actions `pass`."""

    actions: bool
    type: Type = FLAG


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Whether an action has ended the phase."""

    type: Type = FLAG


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
    | Given
    | Having
    | Kept
    | Static
    | ContentsNear
    | ContentsOf
    | ContentsWhere
    | Single
    | Members
    | Best
    | Gathered
    | Foremost
    | Without
    | Answered
    | Declined
    | Leaving
)
