"""Who takes part: from the number of players that was chosen to seats, and to what a scenario then lays out.

What belongs to a player whom the number leaves out is not there: pieces whose `owner` he is, and what lies in
his piles. A scenario that names its players one by one lays out what it says.

The code of a ruleset is the same for all its scenarios, so it stops for everybody. In a game that somebody is
left out of, its blocks are put into functions that go on where nobody sits. Games with all their players do
not come there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.compiler.blocks import DONE, PASS
from interpreter.ir.seats import count_of, count_option
from interpreter.machine.scenario import PieceData, Scenario

if TYPE_CHECKING:
    from interpreter.compiler.blocks import Ask
    from interpreter.machine.state import State

Block = Callable[["State", list[Any]], bool | None]


def player_bounds(program: ir.Program, scenario: Scenario) -> tuple[int, int] | None:
    """How many may play a scenario, beside players that are automated; None if that is not to be chosen."""
    if not program.fewest:
        return None
    if scenario.number is not None:
        return scenario.number
    return program.fewest, len(_people(program, scenario))


def with_count(program: ir.Program, scenario: Scenario, options: Iterable[str]) -> frozenset[str]:
    """The options, with the number of players if none was chosen: as many as there can be."""
    found = frozenset(options)
    bounds = player_bounds(program, scenario)
    if bounds is None or any(count_of(option) is not None for option in found):
        return found
    return found | {count_option(bounds[1])}


def seats_of(program: ir.Program, scenario: Scenario, options: Iterable[str]) -> tuple[str, ...]:
    """Those who take part, in the order of play: the first of the players, and who is automated."""
    there = scenario.players or tuple(player.name for player in program.players)
    if not program.fewest:
        return tuple(player.name for player in program.players if player.name in there)
    number = max((count for option in options if (count := count_of(option)) is not None), default=len(there))
    people = _people(program, scenario)[:number]
    return tuple(
        player.name
        for player in program.players
        if player.name in there and (player.automated or player.name in people)
    )


def laid_out(program: ir.Program, scenario: Scenario, seats: tuple[str, ...]) -> Scenario:
    """The scenario without what belongs to players whom the number of players leaves out."""
    players = [player.name for player in program.players]
    gone = {number for number, name in enumerate(players) if name in scenario.players and name not in seats}
    if not gone:
        return scenario
    closed = {
        f"{kind.name}({players[number]})"
        for kind in program.kinds
        if kind.owner == "pile" and kind.each == "player"
        for number in gone
    }
    left = tuple(piece for piece in scenario.pieces if piece.at not in closed and _owner(piece) not in gone)
    known = {piece.id for piece in left}
    piles = tuple(
        (pile, tuple(piece for piece in pieces if piece in known))
        for pile, pieces in scenario.piles
        if pile not in closed
    )
    return replace(scenario, pieces=left, piles=piles)


def _owner(piece: PieceData) -> object:
    return next((value for name, value in piece.values if name == "owner"), None)


def _people(program: ir.Program, scenario: Scenario) -> list[str]:
    there = scenario.players or tuple(player.name for player in program.players)
    return [player.name for player in program.players if not player.automated and player.name in there]


# ---------------------------------------------------------------- questions to the absent


def passing(block: Block, absent: Collection[int], asks: Sequence[Ask]) -> Block:
    """The block, but a question to somebody who is not there is answered by choosing nothing."""

    @wraps(block)
    def passed(state: State, frame: list[Any]) -> bool | None:
        stopped = block(state, frame)
        if not stopped or state.player not in absent:
            return stopped
        state.answer = _nothing(state, asks[state.ask])
        state.options, state.player, state.ask = [], -1, -1
        return None

    return passed


def _nothing(state: State, ask: Ask) -> Any:
    """The answer that comes closest to none: nothing, empty, no, the lowest number, the first of equals."""
    match ask.sort:
        case "offer":
            return PASS
        case "some":
            return DONE
        case "one":
            return -1
        case "yes":
            return False
        case "menu":
            return len(ask.labels)  # after its last line
        case _:
            return state.options[0]
