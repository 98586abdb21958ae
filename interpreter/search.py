"""Monte-Carlo tree search on any ruleset: from a position to the option that did best in playouts.

Each iteration begins with a position drawn anew from what the seat knows, walks down the tree of options by
upper confidence bounds, adds one node and plays on at random. Nodes stand for options, not for positions, so
that chance and secrets need no nodes of their own: an option is only weighed against those it was on offer
with. Where there is a score and a large choice, only the options that look best one step ahead are tried.
Left out: knowledge of any game.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt

from interpreter.chance import Chance
from interpreter.determinize import Secrets
from interpreter.failures import RuleFailure
from interpreter.foresight import values
from interpreter.state import State

# How much a little-tried option is worth trying; results are from 0 to 1.
_CURIOSITY = 0.8
# Choices in a playout. Where there is a score, it tells more than a long walk at random.
_LONGEST_WITH_SCORE = 60
_LONGEST = 1000
# Of more options than so many, those are tried that look best one step ahead, seen in so many positions.
_CANDIDATES = 10
_SAMPLES = 3


class Node:
    """What came of an option: how often it was on offer, how often taken, and each player's results."""

    __slots__ = ("children", "offered", "totals", "visits")

    def __init__(self, players: int) -> None:
        self.children: dict[Hashable, Node] = {}
        self.offered = 0
        self.visits = 0
        self.totals = [0.0] * players

    def bound(self, player: int) -> float:
        return self.totals[player] / self.visits + _CURIOSITY * sqrt(log(self.offered) / self.visits)


class Search:
    """Chooses by playing on in its head, `playouts` times for each choice."""

    def __init__(self, seed: int, playouts: int, longest: int | None = None) -> None:
        self.chance = Chance(seed)
        self.playouts = playouts
        self.longest = longest

    def choose(self, state: State) -> int:
        if len(state.options) == 1:
            return 0
        children = self.explore(state).children
        ranks = {
            option: (child.visits, child.totals[state.player])
            for option, child in children.items()
            if child.visits
        }
        if not ranks:
            return self.chance.below(len(state.options))  # no playout could be finished
        best = max(ranks.values())
        found = [option for option in range(len(state.options)) if ranks.get(option) == best]
        return self.chance.pick(found)

    def explore(self, state: State) -> Node:
        """The tree after all playouts; the root's children go by the numbers of the options."""
        game = state.game
        secrets = Secrets(game, state, game.player_name(state.player) or None)
        root = Node(len(game.players))
        worths = Values(state)
        scored = worths.scored
        longest = self.longest or (_LONGEST_WITH_SCORE if scored else _LONGEST)
        candidates: Sequence[int] = range(len(state.options))
        if scored and len(candidates) > _CANDIDATES:
            candidates = self._candidates(secrets)
        for _ in range(self.playouts):
            position = secrets.draw(self.chance)
            try:
                path = self._descend(root, position, candidates)
                self._play_on(position, longest)
            except RuleFailure:
                continue  # a drawn position need not be a possible one; nothing is learnt from it
            results = worths.of(position)
            for node in path:
                node.visits += 1
                for player, result in enumerate(results):
                    node.totals[player] += result
        return root

    def _candidates(self, secrets: Secrets) -> list[int]:
        """The options that look best one step ahead."""
        positions = [secrets.draw(self.chance) for _ in range(_SAMPLES)]
        found = values(positions, secrets.none, self.chance)
        return sorted(range(len(found)), key=lambda option: found[option], reverse=True)[:_CANDIDATES]

    def _descend(self, root: Node, position: State, candidates: Sequence[int]) -> list[Node]:
        """Takes options down the tree and one beyond it; the nodes on the way."""
        node, path = root, [root]
        while position.result is None and position.options:
            # The root's children go by the numbers of options, those further down by what the options are.
            numbers = candidates if node is root else range(len(position.options))
            keys: list[Hashable] = list(numbers if node is root else position.options)
            untried = [index for index, key in enumerate(keys) if key not in node.children]
            if untried:
                index = self.chance.pick(untried)
                node.children[keys[index]] = Node(len(root.totals))
            for key in keys:
                if key in node.children:
                    node.children[key].offered += 1
            if not untried:
                index = self._promising(node, keys, position.player)
            node = node.children[keys[index]]
            position.take(numbers[index])
            path.append(node)
            if untried:
                break
        return path

    def _promising(self, node: Node, keys: Sequence[Hashable], player: int) -> int:
        children = [node.children[key] for key in keys]
        fresh = [option for option, child in enumerate(children) if not child.visits]
        if fresh:
            return self.chance.pick(fresh)  # tried before, but that playout failed
        bounds = [child.bound(player) for child in children]
        return bounds.index(max(bounds))

    def _play_on(self, position: State, longest: int) -> None:
        below, take = self.chance.below, position.take
        while longest > 0 and position.result is None and position.options:
            take(below(len(position.options)))
            longest -= 1


class Values:
    """What a position is worth to each player, from 0 to 1, seen from where the search began."""

    def __init__(self, state: State) -> None:
        game = state.game
        names = game.scenario.players or game.players
        self.seats = [number for number, name in enumerate(game.players) if name in names]
        self.players = len(game.players)
        automated = {player.name for player in game.program.players if player.automated}
        self.rivals = sum(1 for seat in self.seats if game.players[seat] not in automated) > 1
        scores = [game.score(state, seat) for seat in self.seats]
        self.scored = bool(scores) and scores[0] is not None
        known = [score for score in scores if score is not None]
        self.before = dict(zip(self.seats, known, strict=True)) if self.scored else {}
        # A lead counts for more where the scores are small.
        self.scale = 1 + sum(abs(score) for score in known) / (len(known) or 1)

    def of(self, state: State) -> list[float]:
        """Winners share 1, all share it after a draw; a game cut off, or alone, goes by the scores."""
        result = [0.0] * self.players
        winners = state.result[0] if state.result is not None else 0
        if winners:
            share = 1 / winners.bit_count()
            for seat in self.seats:
                result[seat] = share if winners >> seat & 1 else 0.0
        elif self.scored and (state.result is None or not self.rivals):
            scores = {seat: state.game.score(state, seat) or 0 for seat in self.seats}
            for seat in self.seats:
                lead = scores[seat] - max(
                    (s for other, s in scores.items() if other != seat), default=self.before[seat]
                )
                result[seat] = 0.5 + 0.5 * lead / (self.scale + abs(lead))
        elif len(self.seats) > 1:
            for seat in self.seats:
                result[seat] = 1 / len(self.seats)
        return result
