"""From a position to what may leave for another seat: all that is needed to show a table, and nothing more.

A state, its JSON, its hash and a save are for the one who runs the game: they hold the order of every deck,
the hands, the seed and the generator, and from the choices alone the whole game can be played again. A player
who sits elsewhere gets what is made here instead, and answers with the number of an option. Left out: the
story, which is told from the journal by those who may read all of it.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from interpreter.telling.showing import Showing

if TYPE_CHECKING:
    from interpreter.machine.state import State

VERSION = 1


def position_for(state: State, seat: str) -> dict[str, Any]:
    """A position as a seat may have it: plain data, ready for `json.dumps`.

    `view` is what the seat sees, by name; `shown` is how pieces and spaces read on the board, and the lines
    above it; `choice` is what is asked, with the options if it is this seat that is asked. `mark` is the same
    as long as the seat sees the same, whatever happens out of its sight.

    Raises:
        ValueError: there is no such seat; nobody is everybody here.
    """
    game = state.game
    if seat not in game.players:
        raise ValueError(f"there is no seat `{seat}`; there are {', '.join(game.players)}")
    view = game.view(state, seat)
    del view["choice"]  # it is told below, with more about its options
    data: dict[str, Any] = {
        "ddob": "position",
        "version": VERSION,
        "scenario": game.scenario.name,
        "ruleset": game.program.name,
        "rules": game.program.hash,
        "seat": seat,
        "view": view,
        "shown": _shown(state, seat, view),
        "choice": _choice(state, seat),
        "result": state.result[1] if state.result is not None else None,
    }
    text = json.dumps(data, separators=(",", ":"))
    return {**json.loads(text), "mark": hashlib.sha256(text.encode("ascii")).hexdigest()}


def _shown(state: State, seat: str, view: dict[str, Any]) -> dict[str, Any]:
    """How things read on the board, where the rules say it."""
    game, showing = state.game, Showing(state.game, state, seat)
    numbers = {ident: number for number, ident in enumerate(game.piece_ids) if ident in view["pieces"]}
    pieces = {ident: (showing.piece(n), showing.piece_colour(n)) for ident, n in numbers.items()}
    spaces = {space.id: (showing.space(n), showing.space_colour(n)) for n, space in enumerate(game.spaces)}
    return {
        "title": game.names.scenario_title(),
        "status": showing.status(),
        "pieces": {ident: look for ident, look in pieces.items() if any(look)},
        "spaces": {ident: look for ident, look in spaces.items() if any(look)},
    }


def _choice(state: State, seat: str) -> dict[str, Any] | None:
    choice = state.choice
    if choice is None:
        return None
    asked: dict[str, Any] = {"player": choice.player, "rule": choice.rule}
    if choice.player == seat:
        asked["sort"] = choice.sort
        asked["prompt"] = choice.prompt
        asked["options"] = [
            {"number": option.index, "key": option.key, "label": option.label, "rule": option.rule}
            for option in choice.options
        ]
    return asked
