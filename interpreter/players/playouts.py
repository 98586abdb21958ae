"""From a position and an option to what comes of it: plays on in the head, as players do who think a little.

Whoever is asked takes the best of a few options, drawn at random, by what they are worth to his own side one
step ahead; he may also pass, which is worth what the position is. He tries them with another luck than the
one to come. The fast engine does the same inside its module, with the same numbers; what is here says what
that is. Left out: which options are weighed, and how often, which is the search's.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.compiler.blocks import PASS
from interpreter.machine.chance import Chance
from interpreter.machine.state import State
from interpreter.players.sides import Sides
from interpreter.wasm.engine import Terms
from interpreter.wasm.glances import Glance


@dataclass(frozen=True, slots=True)
class Found:
    """What a playout came to, for one player."""

    fate: int  # LOST, DRAWN or WON; DRAWN if it is not over
    near: int  # how far his side leads once the option is carried out, with what it asks him
    far: int  # and at the end of the playout
    turn: int  # when it ended
    over: bool  # whether that is the end of the game


def playout(position: State, option: int, player: int, sides: Sides, terms: Terms) -> Found:
    """Plays on from a position with an option; the position itself stays as it is."""
    if isinstance(position, Glance):
        return Found(*position.weigh(sides.own, sides.foes, option, player, terms))
    after, mind = position.copy(), Chance.at(terms.mind)
    after.rng = terms.luck
    near = sides.lead(after, player) if after.options[option] == PASS else None
    after.take(option)
    for taken in range(terms.longest + 1):
        if after.result is not None or not after.options or taken == terms.longest:
            break
        if near is None and (is_action(after) or after.player != player):
            near = sides.lead(after, player)
        if 0 <= terms.shortest <= taken and _is_later(after, terms):
            break
        after.take(_better(after, sides, mind, terms.careful if near is None else terms.tries))
    far = sides.lead(after, player)
    fate, over = sides.fate(after, player), after.result is not None
    return Found(fate, far if near is None else near, far, after.turn, over)


def _better(state: State, sides: Sides, mind: Chance, tries: int) -> int:
    count, player = len(state.options), state.player
    if count == 1:
        return 0
    best: tuple[tuple[int, int], int] | None = None
    if sides.scored and state.options[-1] == PASS:
        count -= 1
        best = sides.worth(state, player), count
    luck, tried = mind.word(), state.copy()
    tried.rng = luck
    for _ in range(tries):
        option = mind.below(count)
        worth = sides.worth(state.game.look_ahead(tried, option), player)
        if best is None or worth >= best[0]:
            best = worth, option
    assert best is not None
    return best[1]


def _is_later(state: State, terms: Terms) -> bool:
    """Whether a turn has gone by."""
    turns = state.turn - terms.turn
    return turns > 1 or (turns == 1 and state.phase == terms.phase)


def is_action(state: State) -> bool:
    return state.game.code.asks[state.ask].sort == "offer"
