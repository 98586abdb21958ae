"""What a position is worth to a player: how the game ended for his side, and how far his side leads.

A side is a team, or all who can only win and lose together. A game that everybody has lost is lost, and one
that everybody has won is won; a first place that is shared with others is a draw, and so is that of one who
plays alone for points: the score alone tells then. Scores count against those of the other side, and where
there is no other side by themselves. Left out: what a score is made of, which the rules say.
"""

from __future__ import annotations

from functools import lru_cache

from interpreter import ir
from interpreter.ir.walk import parts
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.passes.analysis import column
from interpreter.passes.endings import LAST_TURN
from interpreter.wasm.glances import Glance
from interpreter.wasm.plan import LARGEST_SCORE

LOST, DRAWN, WON = 0, 1, 2
_EVERYBODY = -1


class Sides:
    """Who plays with whom, as things stand in a position; masks of players by player."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.scored = game.program.score is not None
        self.own: list[int] = []
        self.foes: list[int] = []
        present = [number for number, name in enumerate(game.players) if name in game.seats]
        common = _common_score(game)
        for one in range(len(game.players)):
            own = sum(1 << other for other in present if self._together(state, one, other))
            self.own.append(1 << one if common else own)
            self.foes.append(game.present & ~own if not common else 0)

    def _together(self, state: State, one: int, other: int) -> bool:
        entry = self.game.columns.get(column("enum", "team", "player"))
        if one == other:
            return True
        if entry is not None:
            teams = self.game.values(state, entry)
            if teams[one] >= 0:
                return bool(teams[one] == teams[other])
        return _win_together(self.game, one, other)

    # ------------------------------------------------------------ looking

    def fate(self, position: State, player: int) -> int:
        """LOST, DRAWN or WON; a game that is not over is neither won nor lost."""
        if position.result is None:
            return DRAWN
        winners, number = position.result[:2]
        ending = self.game.endings[number] if number != LAST_TURN else None
        if not winners:
            return LOST if ending is not None and ending.lost else DRAWN
        if not winners >> player & 1:
            return LOST
        if ending is None or not ending.ranking:
            return WON
        return DRAWN if winners & self.foes[player] or winners == self.game.present else WON

    def lead(self, position: State, player: int) -> int:
        """How far the player's side is ahead, in a measure of its own; 0 without scores."""
        if not self.scored:
            return 0
        own, friends = self._sum(position, self.own[player])
        theirs, foes = self._sum(position, self.foes[player])
        return own * foes - theirs * friends if foes else own

    def worth(self, position: State, player: int) -> tuple[int, int]:
        """1 for a game won or -1 for one lost, and the lead."""
        if isinstance(position, Glance):
            return position.worth(self.own, self.foes, player)
        return self.fate(position, player) - 1, self.lead(position, player)

    def _sum(self, position: State, players: int) -> tuple[int, int]:
        members = [number for number in range(len(self.own)) if players >> number & 1]
        scores = [position.game.score(position, number) or 0 for number in members]
        return sum(max(-LARGEST_SCORE, min(LARGEST_SCORE, score)) for score in scores), len(members)


# ---------------------------------------------------------------- what the rules say of all games


@lru_cache(maxsize=16)
def _common_score(game: Game) -> bool:
    """Whether a position has the same score for every player, whoever asks."""
    score = game.program.score
    if score is None:
        return False
    player = score.parameters[0].name
    return not any(isinstance(part, ir.Local) and part.name == player for part in parts(score.body))


@lru_cache(maxsize=16)
def _winners(game: Game) -> tuple[int | None, ...]:
    """Who wins by each sentence that ends a game; None where that is not settled by the rules alone."""
    return tuple(_constant(game.program, ending.winners) for ending in game.endings)


def _win_together(game: Game, one: int, other: int) -> bool:
    """Whether no ending tells two players apart. Those whom nobody plays are on nobody's side."""
    if any(game.program.players[number].automated for number in (one, other)):
        return False
    return all(mask is not None and not (mask >> one ^ mask >> other) & 1 for mask in _winners(game))


def _constant(program: ir.Program, players: ir.Expression) -> int | None:
    """A set of players as a mask, if it is the same in every game."""
    match players:
        case ir.Const(value=int(mask)):
            return mask
        case ir.Extent():
            return _EVERYBODY
        case ir.MakeSet(items=items):
            numbers = {int(item.value) for item in items if isinstance(item, ir.Const)}
            constant = all(isinstance(item, ir.Const) for item in items)
            return sum(1 << number for number in numbers) if constant else None
        case ir.Binary(operator="-", left=left, right=right):
            first, second = _constant(program, left), _constant(program, right)
            return first & ~second if first is not None and second is not None else None
        case ir.Call(name=name, arguments=()):
            found = next((one for one in program.definitions if one.name == name), None)
            return _constant(program, found.body) if found is not None else None
    return None
