"""From a game and some seeds to the seconds that a choice costs: the same random games for every contestant.

Choices of a large game differ in what they cost, so whoever is compared must play the same ones. Left out:
the first game, which fills tables that all later ones share.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import process_time

from benchmarks.timing import only_new_objects
from interpreter.machine.game import Game

#: Plays the random game of a seed, and gives its number of choices.
Play = Callable[[int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One game: how many choices, and the seconds that they took."""

    choices: int
    seconds: float


def by_choices(game: Game, last_turn: int = 0) -> Play:
    """Random games that stop at each choice; with a last turn, only up to its end."""

    def play(seed: int) -> int:
        state, draw = game.start(seed), random.Random(seed).random
        while state.result is None and not 0 < last_turn < state.turn:
            state.take(int(draw() * len(state.options)))
        return state.count

    return play


def timed(play: Play, seed: int) -> Played:
    """One game, with its processor time."""
    started = process_time()
    choices = play(seed)
    return Played(choices=choices, seconds=process_time() - started)


def per_choice(games: list[Played]) -> float:
    """Seconds for one choice, on average over all choices of the games."""
    return sum(game.seconds for game in games) / sum(game.choices for game in games)


def taking_turns(contestants: Mapping[str, Play], rounds: int, games: int) -> dict[str, list[float]]:
    """Seconds for a choice of each contestant, round by round; within a round they take turns by the game."""
    for play in contestants.values():
        play(0)
    found: dict[str, list[float]] = {name: [] for name in contestants}
    with only_new_objects():
        for number in range(rounds):
            gc.collect()
            seeds = range(1 + number * games, 1 + (number + 1) * games)
            played: dict[str, list[Played]] = {name: [] for name in contestants}
            for seed in seeds:
                for name, play in contestants.items():
                    played[name].append(timed(play, seed))
            for name, results in played.items():
                found[name].append(per_choice(results))
    return found
