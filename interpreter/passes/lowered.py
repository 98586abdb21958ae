"""What engines write code from: a program whose procedures run through, or are cut where they may wait.

Everything here is plain data. A procedure that cannot ask is a `Procedure` still. One that may ask is cut
into blocks: each is a run of plain statements and one way out. Its locals live in a frame of typed slots, and
the number of the block to go on with says where it stands; so the numbers of blocks and the order of slots
are part of a position, the same for every engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter import ir
from interpreter.passes.analysis import Analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """Goes on in another block of the procedure."""

    block: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Leaves the procedure: its frame is taken off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Calls a procedure that may ask, and goes on in `then` when that is left.

    If that reads a result, `clears` sees to it that there is none from before.
    """

    procedure: str
    arguments: tuple[ir.Expression, ...]
    clears: bool
    then: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """Goes on in the block that the answer counts to."""

    blocks: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Does the action that was chosen for a player, and goes on in `then` when that is over."""

    group: str
    player: ir.Expression
    then: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeAction:
    """In an example: does an action as if it had been chosen, if that is legal."""

    action: int
    player: ir.Expression
    arguments: tuple[ir.Expression, ...]
    then: int
    site: ir.Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """The things of a list, and `done` where that condition holds; if there are none, not even that."""

    items: ir.Expression
    done: ir.Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """The numbers of the lines whose condition holds."""

    conditions: tuple[ir.Expression | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Actions:
    """Every legal use of an action of the group; with pass always, if there is nothing else, or never."""

    group: str
    passing: Literal["always", "alone", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Asks a player, and goes on in `then` with the answer; in `none` at once if there is nothing to choose.

    With `unless_alone`, a single option is the answer without asking.
    """

    ask: int
    player: ir.Expression
    options: Things | Cases | Actions
    then: int
    none: int | None = None
    unless_alone: bool = False


Exit = Jump | Return | Enter | Switch | Act | TakeAction | Wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    procedure: str
    body: tuple[ir.Statement, ...]
    exit: Exit
    site: ir.Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A local in a frame. Names that begin with a blank are the passes' own."""

    name: str
    type: ir.Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A procedure that may ask: its first block, and the slots of its frame, parameters first."""

    procedure: str
    block: int
    slots: tuple[Slot, ...]


#: What questions say of things that they do not offer, apart from the program; a question has a number here.
Reasons = tuple[tuple[ir.Reason, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question: what answers it takes, and its texts, over the slots of the procedure that asks."""

    sort: str  # one, some, number, order, yes, menu, offer, tie
    type: ir.Type
    procedure: str
    prompt: ir.Expression | None
    labels: tuple[ir.Expression, ...]  # of the lines of a menu
    group: str  # of the actions that are offered
    site: ir.Site
    bounds: tuple[ir.Expression, ...] = ()  # of a choice of several: how many more must be, and may be
    reasons: tuple[ir.Reason, ...] = ()  # why a thing is not offered, over the slots and `variable`
    variable: str = ""
    chosen: ir.Expression | None = None  # of several: whether the thing has been chosen already
    #: For what all are asked at once: the slots of those who are asked, and of how many have been come to.
    at_once: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """One parameter of an action: what it goes through, and what must hold of it."""

    parameter: ir.Parameter
    source: ir.Expression
    tests: tuple[ir.Expression, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How every legal use of an action is found: tests before all loops, then loop in loop."""

    action: int
    actor: str
    tests: tuple[ir.Expression, ...]
    loops: tuple[Loop, ...]
    site: ir.Site


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticSet:
    """The things of a kind that pass a test which nothing in play can change."""

    number: int
    kind: str
    variable: str
    test: ir.Expression
    site: ir.Site


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticSteps:
    """The steps between neighbours that pass a test which nothing in play can change."""

    number: int
    kinds: tuple[str, ...]  # of the spaces that they lead to
    step_from: str
    step_to: str
    test: ir.Expression
    site: ir.Site


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticKey:
    """A key that nothing in play can change, by which the best of a set is found."""

    highest: bool
    variable: str
    key: ir.Expression


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowered:
    """A program, ready for any engine.

    `program` has its definitions, tables of values, priorities, conditions and texts narrowed; `procedures`
    are all that cannot ask, those of actions, tables of effects and victories among them.
    """

    program: ir.Program
    analysis: Analysis
    procedures: tuple[ir.Procedure, ...]
    blocks: tuple[Block, ...]
    entries: tuple[Entry, ...]
    questions: tuple[Question, ...]
    listings: tuple[tuple[str, tuple[Listing, ...]], ...]  # by group of actions
    statics: tuple[StaticSet, ...]
    keys: tuple[StaticKey, ...]
    steps: tuple[StaticSteps, ...]
    kept: tuple[tuple[str, tuple[str, ...]], ...]  # columns with sets by value -> the kinds that have them
    endings: tuple[ir.EndGame, ...]
    causes: tuple[ir.Site, ...]
