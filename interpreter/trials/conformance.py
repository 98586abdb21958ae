"""What every engine must agree on: recorded games with a digest of the position at every choice.

A recording is one line of JSON: which rules and data, the seed, the numbers of the options taken, the digest
of the position before each of them and at the end. It holds nothing that only one engine could know: no
frames or numbers of questions, and an ending counts by who won and by the rule that said so, not by its
text. docs/how-it-runs.md describes the format for whoever writes another engine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.kinds import Player

#: So many hexadecimal digits of SHA-256 tell two positions apart.
_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One game, as far as it was recorded."""

    scenario: str
    overlays: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    players: str  # what sort of players took the choices
    seed: int
    choices: tuple[int, ...]
    digests: tuple[str, ...]  # one more than choices

    def line(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def read_recording(line: str) -> Recording:
    found: dict[str, Any] = json.loads(line)
    for key, value in found.items():
        found[key] = tuple(value) if isinstance(value, list) else value
    return Recording(**found)


def position(state: State) -> dict[str, Any]:
    """A position by the names that the rules use, as plain data."""
    game = state.game
    ask = game.code.asks[state.ask] if state.ask >= 0 else None
    ending = None
    if state.result is not None:
        winners, number, _ = state.result
        ending = [winners, game.endings[number].site.rule if number >= 0 else ""]
    attributes = {
        f"{entry.owner} {entry.enum} {entry.attribute}": getattr(state, entry.name)
        for entry in game.code.layout.attributes
        if not entry.fixed
    }
    variables = {
        variable.name: getattr(state, name)
        for variable, name in zip(game.program.variables, state.VARIABLES, strict=True)
    }
    return {
        "turn": state.turn, "phase": state.phase, "chance": state.rng, "player": state.player,
        "question": ask.sort if ask is not None else "", "offered": state.options, "ending": ending,
        "at": state.at, "piles": state.order, "attributes": attributes, "variables": variables,
    }  # fmt: skip


def digest(state: State) -> str:
    """The same for the same position, by any engine."""
    text = json.dumps(position(state), separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def record(
    game: Game, seats: Sequence[Player], seed: int, most: int
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Plays at most so many choices; the options taken, and the digests."""
    state = game.start(seed)
    digests = [digest(state)]
    while state.result is None and state.count < most:
        state.take(seats[state.player].choose(state))
        digests.append(digest(state))
    return tuple(state.choices), tuple(digests)


def first_difference(game: Game, recording: Recording) -> int | None:
    """The first choice before which this engine stands elsewhere than recorded; None if it never does."""
    state = game.start(recording.seed)
    for number, expected in enumerate(recording.digests):
        if digest(state) != expected:
            return number
        if number < len(recording.choices):
            state.take(recording.choices[number])
    return None
