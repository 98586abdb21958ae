"""From a position to what it gives away: hidden pieces that a seat can read, or that change what it reads.

The test that needs no names is to draw what the seat cannot see anew: everything shown to it must stay the
same. Left out: what a seat may conclude from which options it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.chance import Chance
from interpreter.determinize import hidden_pieces, sample
from interpreter.emit import type_key
from interpreter.exchange import PIECES, offered_pieces
from interpreter.failures import RuleFailure
from interpreter.game import Game
from interpreter.state import State
from interpreter.views import Sight


def leaks(game: Game, state: State, chance: Chance) -> list[str]:
    """What each seat learns that it must not, in words; each thing once."""
    found: list[str] = []
    for seat in game.scenario.players or game.players:
        hidden = {game.piece_ids[piece] for piece in hidden_pieces(Sight(game, state, seat))}
        view = game.view(state, seat)
        places = dict.fromkeys(place for place, ident in _named(game, view) if ident in hidden)
        found.extend(f"{seat} can read in {place} which pieces are hidden" for place in places)
        found.extend(_changes(game, state, seat, view, chance))
        if game.player_name(state.player) == seat:
            offered = {game.piece_ids[piece] for piece in offered_pieces(game, state) if piece >= 0}
            if offered & hidden:
                found.append(f"{seat} is offered pieces that it cannot see, by rule {_rule(game, state)}")
    return found


def _rule(game: Game, state: State) -> str:
    return game.code.asks[state.ask].site.rule


def _named(game: Game, view: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where a view names pieces. Only values of that type count: other things may have the same names."""
    for ident in view["pieces"]:
        yield "the list of pieces", ident
    for pile, content in view["piles"].items():
        for ident in content if isinstance(content, list) else ():
            yield f"the pile {pile}", ident
    for variable in game.program.variables:
        if type_key(variable.type) in PIECES and " " not in variable.name:
            for ident in _idents(view["variables"][variable.name]):
                yield f"the variable {variable.name}", ident
    for entry in game.code.layout.attributes:
        if type_key(entry.type) not in PIECES:
            continue
        owners = (
            view["each"].get(entry.enum, {}) if entry.owner == "enum" else view.get(f"{entry.owner}s", {})
        )
        for values in owners.values():
            for ident in _idents(values.get(entry.attribute)):
                yield f"the attribute {entry.attribute}", ident


def _idents(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [str(value)] if value is not None else []


def _changes(game: Game, state: State, seat: str, view: dict[str, Any], chance: Chance) -> Iterator[str]:
    """What the seat reads that is otherwise when what it cannot see is otherwise."""
    other = sample(game, state, seat, chance, veiled=False)
    try:
        seen = game.view(other, seat)
        for key, value in view.items():
            if seen[key] != value:
                yield f"what {seat} sees of {key} depends on what it cannot see"
        if game.player_name(state.player) == seat:
            labels, others = ([option.label for option in game.option_list(one)] for one in (state, other))
            if labels != others:
                rule = _rule(game, state)
                yield f"the options that {seat} has by rule {rule} read otherwise when hidden things differ"
    except (RuleFailure, ZeroDivisionError):
        return  # a drawn position need not be a possible one
