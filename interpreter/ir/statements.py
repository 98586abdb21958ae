"""Statements: what happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.ir.expressions import Expression
from interpreter.ir.types import Owner, Site, Type, list_of, set_of

#: Before the name of an attribute: what is written to it while answers are sealed, until all have answered.
SEALED = "sealed "


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a question does not offer a thing: words over its `variable`, if the condition holds of it.

    Whoever offers and answers has no use for it; it is worked out when somebody asks.
    """

    text: Expression
    condition: Expression | None
    rules: tuple[str, ...]
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
    such_that: Expression | None = None  # "some": holds of `target` with each thing that is added to it
    reasons: tuple[Reason, ...] = ()  # of things that are not offered: the first that applies is told
    apart: int = -1  # what passes make of them: their number among those that were set apart

    @property
    def gives(self) -> Type:
        """The type of the answer: of several from a list, a list, since that may have a thing twice."""
        listed = self.source is not None and self.source.type.tag == "list"
        if self.amount == "order" or (self.amount == "some" and listed):
            return list_of(self.type)
        return set_of(self.type) if self.amount == "some" else self.type


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
    """Rolls dice. A roll may have a title in the story; of a `piece` that is a die, `attribute` shows it."""

    target: str
    dice: str
    count: Expression | None
    type: Type
    site: Site
    title: Expression | None = None
    piece: Expression | None = None
    attribute: str = ""


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
    """Ends the game. `winners` is a set of players (may be empty): then it is a draw, or all have `lost`.

    `ranking` names a definition: the points of a player, by which they are told in their order.
    """

    winners: Expression
    text: Expression
    site: Site
    lost: bool = False
    ranking: str = ""


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
    """Looks whether somebody has won: when a phase is over, before and after what rules do at its end.

    With `at_once`, only at the victories that do not wait: after a change that they may depend on.
    """

    site: Site
    at_once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """In coverage runs: says that a row of a table was used."""

    site: Site


# ---------------------------------------------------------------- what passes make; no ruleset says these


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """Uses up steps of the budget."""

    steps: int
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTurn:
    """The next turn, or the end of the game after the last."""

    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """The phase that an action may end goes on."""

    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpIf:
    """In a block: goes on in another if the condition holds."""

    condition: Expression
    block: int
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
    | Spend
    | NextTurn
    | Stay
    | JumpIf
)
