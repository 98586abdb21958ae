"""From a kind of player to somebody who chooses: at random, by looking one step ahead, or by search.

A player sees a position only as its seat does: whatever is looked at is drawn by `determinize` first. Players
have a generator of their own, so that a game's chance does not depend on who plays it. Left out: learning,
and opening books.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Protocol

from interpreter.machine.chance import Chance, derive
from interpreter.machine.state import State
from interpreter.players.determinize import Secrets, Worlds
from interpreter.players.foresight import ranked
from interpreter.players.search import Search
from interpreter.players.sides import Sides

KINDS = ("random", "greedy", "greedy:N", "search", "search:N")
_PLAYOUTS = 200
# Enough to tell a good risk from a bad one most of the time, and few enough to stay quick.
_SAMPLES = 4
# How many positions are drawn anew for a choice.
_WORLDS = 4


class Player(Protocol):
    """Whoever chooses."""

    def choose(self, state: State) -> int:
        """The number of one of the options on offer."""


class RandomPlayer:
    """Takes any option, all alike."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(seed)

    def choose(self, state: State) -> int:
        return self.chance.below(len(state.options))


class GreedyPlayer:
    """Takes what leads to the best position, by how far his side leads; ties at random (see `foresight`)."""

    def __init__(self, seed: int, samples: int = _SAMPLES) -> None:
        self.chance = Chance(seed)
        self.samples = samples

    def choose(self, state: State) -> int:
        if len(state.options) == 1:
            return 0
        secrets = Secrets(state.game, state, state.game.player_name(state.player) or None)
        worlds, sides = Worlds(secrets, _WORLDS), Sides(state.game, state)
        return ranked(worlds, sides, self.samples, self.chance)[0]


def choice_of(kind: str, seed: int, state: State) -> int:
    """What a player of a kind chooses here. It depends on the seed and the position in the game only.

    So a game that was taken back and played again, or saved and loaded, goes on as it did, and every command
    plays the same game from a seed.
    """
    return make_player(kind, derive(seed, state.player, state.count)).choose(state)


def make_player(kind: str, seed: int) -> Player:
    """A player of a kind: `random`, `greedy`, `greedy:N` (N samples), `search` or `search:N` (N playouts).

    Raises:
        ValueError: there is no such kind; the text says which there are.
    """
    name, colon, number = kind.partition(":")
    amount = int(number) if number.isascii() and number.isdigit() else 0
    if name not in ("random", "greedy", "search"):
        close = get_close_matches(name, ("random", "greedy", "search"), n=1)
        hint = f"did you mean `{close[0]}`? " if close else ""
        raise ValueError(f"there is no player `{kind}`; {hint}the kinds are {', '.join(KINDS)}")
    if colon and (amount < 1 or name == "random"):
        raise ValueError(f"there is no player `{kind}`; the kinds are {', '.join(KINDS)}, with N from 1 on")
    if name == "greedy":
        return GreedyPlayer(seed, amount or _SAMPLES)
    if name == "search":
        return Search(seed, amount or _PLAYOUTS)
    return RandomPlayer(seed)
