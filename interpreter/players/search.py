"""Monte-Carlo tree search on any ruleset: from a position to the option that did best in playouts.

The options on offer are compared in rounds. A round draws a position anew from what the seat knows, and plays
on from it once with each option, all with the same luck; when each has had its share, the better half goes on
to the next rounds. Below the first option, a tree of what is tried grows by upper confidence bounds, one node
a playout; then the player passes where that is allowed, and all else is played at random. Nodes stand for
options, not for positions, so that chance and secrets need no nodes of their own: an option is only weighed
against those it was on offer with. Where there is a score, a playout ends a turn later, and of a large choice
only what looks best one step ahead is tried.
Left out: knowledge of any game.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import inf, log, sqrt

from interpreter.compiler.blocks import PASS
from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.state import State
from interpreter.players.determinize import Secrets
from interpreter.players.foresight import ranked, step_ahead
from interpreter.wasm.glances import Glance

# How much a little-tried option is worth trying; values are from 0 to 1.
_CURIOSITY = 0.8
# How much of a value is winning; the rest is by how much. Against others any game won is better than any that
# is not. Against the game itself, whether it is lost within a turn is mostly luck: the score tells more.
_OF_WINNING = 0.75
_OF_WINNING_ALONE = 0.5
# How much of a lead is the one right after the option; the rest is the one at the end of the playout. The
# first tells more of what was done, the second of what comes of it.
_OF_THE_STEP = 0.8
# Choices in a playout. With a score, it ends when a turn has gone by, but not before so many.
_SHORTEST = 8
_LONGEST_WITH_SCORE = 60
_LONGEST = 1000
# Of more options than so many, those are tried that look best one step ahead, at so many looks each.
_CANDIDATES = 6
_SAMPLES = 2


class Node:
    """What came of an option: how often it was on offer and taken, and for each player what it led to."""

    __slots__ = ("children", "leads", "offered", "visits", "won")

    def __init__(self, players: int) -> None:
        self.children: dict[Hashable, Node] = {}
        self.offered = 0
        self.visits = 0
        self.won = [0.0] * players
        self.leads = [0.0] * players


class Search:
    """Chooses by playing on in its head, about `playouts` times for each choice."""

    def __init__(self, seed: int, playouts: int, longest: int | None = None) -> None:
        self.chance = Chance(seed)
        self.playouts = playouts
        self.longest = longest

    def choose(self, state: State) -> int:
        if len(state.options) == 1:
            return 0
        game, player = state.game, state.player
        secrets = Secrets(game, state, game.player_name(player) or None)
        trial = Trial(state, self.longest)
        left: list[int] = list(range(len(state.options)))
        if trial.scored and len(left) > _CANDIDATES:
            left = ranked(secrets, _SAMPLES, self.chance)[:_CANDIDATES]
        nodes = {option: Node(len(game.players)) for option in left}
        stages = (len(left) - 1).bit_length()
        while len(left) > 1:
            for _ in range(max(1, self.playouts // (stages * len(left)))):
                trial.compare(secrets, {option: nodes[option] for option in left}, self.chance)
            mixed = self.chance.shuffled(left)  # of equals, any
            better = sorted(mixed, key=lambda option: trial.value(nodes[option], player), reverse=True)
            left = better[: (len(left) + 1) // 2]
        return left[0]


class Trial:
    """Playouts from one position, and what they say of the options tried."""

    def __init__(self, state: State, longest: int | None = None) -> None:
        game = state.game
        self.seats = [number for number, name in enumerate(game.players) if name in game.seats]
        self.players = len(game.players)
        against_the_game = any(p.automated for p in game.program.players if p.name in game.seats)
        self.winning = _OF_WINNING_ALONE if against_the_game else _OF_WINNING
        self.scored = bool(self.seats) and game.score(state, self.seats[0]) is not None
        self.longest = longest or (_LONGEST_WITH_SCORE if self.scored else _LONGEST)
        self.player, self.turn, self.phase = state.player, state.turn, state.phase
        # The least and the greatest lead of each player so far: a lead is worth what it is among these.
        self.least = [inf] * self.players
        self.greatest = [-inf] * self.players

    def compare(self, secrets: Secrets, nodes: dict[int, Node], chance: Chance) -> None:
        """Plays on once with each of these options, from one position and with the same luck for all."""
        position, luck = secrets.game.glance(secrets.draw(chance)), chance.word()
        for option, node in nodes.items():
            after, same = position.copy(), Chance(luck)
            try:
                near = self._leads(step_ahead(position, option, Chance(luck))) if self.scored else None
                after.take(option)
                path = self._descend(node, after, same)
                if isinstance(after, Glance):
                    until = (_SHORTEST, self.turn, self.phase) if self.scored else None
                    after.play_on(same, self.longest, self.player, until)
                else:
                    self._play_on(after, same)
            except RuleFailure:
                continue  # a drawn position need not be a possible one; nothing is learnt from it
            self._note(path, after, near)

    def value(self, node: Node, player: int) -> float:
        """What an option is worth to a player, from 0 to 1: by games won, then by the lead on average."""
        if not node.visits:
            return 0.0
        won = node.won[player] / node.visits
        least, greatest = self.least[player], self.greatest[player]
        if least >= greatest:
            return won
        lead = node.leads[player] / node.visits
        return self.winning * won + (1 - self.winning) * (lead - least) / (greatest - least)

    def _descend(self, root: Node, position: State, chance: Chance) -> list[Node]:
        """Takes options down the tree and one beyond it; the nodes on the way."""
        node, path = root, [root]
        while position.result is None and position.options:
            keys: Sequence[Hashable] = position.options
            untried = [index for index, key in enumerate(keys) if key not in node.children]
            if untried:
                index = chance.pick(untried)
                node.children[keys[index]] = Node(self.players)
            for key in keys:
                if key in node.children:
                    node.children[key].offered += 1
            if not untried:
                index = self._promising(node, keys, position.player, chance)
            node = node.children[keys[index]]
            position.take(index)
            path.append(node)
            if untried:
                break
        return path

    def _promising(self, node: Node, keys: Sequence[Hashable], player: int, chance: Chance) -> int:
        children = [node.children[key] for key in keys]
        fresh = [option for option, child in enumerate(children) if not child.visits]
        if fresh:
            return chance.pick(fresh)  # tried before, but that playout failed
        bounds = [
            self.value(child, player) + _CURIOSITY * sqrt(log(child.offered) / child.visits)
            for child in children
        ]
        return bounds.index(max(bounds))

    def _play_on(self, position: State, chance: Chance) -> None:
        below, take = chance.below, position.take
        for taken in range(self.longest):
            if position.result is not None or not position.options:
                return
            if self.scored and taken >= _SHORTEST and self._is_later(position):
                return
            count = len(position.options)
            # Acting on at random mostly does harm, and would hide what the option itself has done.
            passes = position.options[-1] == PASS and (position.player == self.player or below(2))
            take(count - 1 if passes else below(count))

    def _is_later(self, position: State) -> bool:
        """Whether a turn has gone by since the search began."""
        turns = position.turn - self.turn
        return turns > 1 or (turns == 1 and position.phase == self.phase)

    def _note(self, path: Sequence[Node], position: State, near: list[float] | None) -> None:
        """Adds to the nodes on the way what the end of a playout is worth, and what the first step was."""
        won, leads = self.shares(position), self._leads(position)
        if near is not None:
            leads = [
                _OF_THE_STEP * one + (1 - _OF_THE_STEP) * other
                for one, other in zip(near, leads, strict=True)
            ]
        self.least = [min(pair) for pair in zip(self.least, leads, strict=True)]
        self.greatest = [max(pair) for pair in zip(self.greatest, leads, strict=True)]
        for node in path:
            node.visits += 1
            node.won = [sum(pair) for pair in zip(node.won, won, strict=True)]
            node.leads = [sum(pair) for pair in zip(node.leads, leads, strict=True)]

    def shares(self, position: State) -> list[float]:
        """Each player's share in the game: winners have all of it; if there are none, everybody the same."""
        winners = position.result[0] if position.result is not None else 0
        having = [seat for seat in self.seats if winners >> seat & 1] or self.seats
        return [1 / len(having) if seat in having else 0.0 for seat in range(self.players)]

    def _leads(self, position: State) -> list[float]:
        """How far each player's score is ahead of the others' on average; 0 without scores."""
        scores = {seat: position.game.score(position, seat) or 0 for seat in self.seats}
        result = [0.0] * self.players
        for seat, score in scores.items():
            others = [other for number, other in scores.items() if number != seat]
            result[seat] = score - sum(others) / (len(others) or 1)
        return result
