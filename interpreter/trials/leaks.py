"""From a position to what it gives away: hidden pieces that a seat can read, or that change what it reads.

The test that needs no names is to draw what the seat cannot see anew, and to put other pieces in the places
of those that lie face down: everything shown to the seat must stay the same, to the letter and in its order.
What was said aloud is past and cannot be drawn anew; there the names are looked for. Left out: what a seat
may conclude from which options it has, and numbers that a rule says aloud: to reveal them is its right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.determinize import hidden_pieces, sample
from interpreter.telling.exchange import offered_pieces
from interpreter.telling.facts import Acted, Changed, Said, TurnBegan, newest_first
from interpreter.telling.journal import is_turn_of_piece
from interpreter.telling.names import Callings
from interpreter.telling.showing import Showing
from interpreter.telling.views import Sight


def leaks(game: Game, state: State, chance: Chance) -> list[str]:
    """What each seat learns that it must not, in words; each thing once."""
    found: list[str] = []
    for seat in game.seats:
        sight = Sight(game, state, seat)
        hidden = {game.piece_ids[piece] for piece in hidden_pieces(sight)}
        nameless = {ident for piece, ident in enumerate(game.piece_ids) if not sight.face(piece)}
        view = game.view(state, seat)
        places = dict.fromkeys(place for place, ident in _named(game, view) if ident in hidden | nameless)
        found.extend(f"{seat} can read in {place} which pieces are hidden" for place in places)
        found.extend(_changes(game, state, seat, view, chance))
        found.extend(_said(game, state, seat))
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
        if variable.type.names_pieces and " " not in variable.name:
            for ident in _idents(view["variables"][variable.name]):
                yield f"the variable {variable.name}", ident
    for entry in game.code.layout.attributes:
        if not entry.type.names_pieces:
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
            # As text, so that the order counts: it may tell as much as the names do.
            if json.dumps(seen[key]) != json.dumps(value):
                yield f"what {seat} sees of {key} depends on what it cannot see"
        if game.player_name(state.player) == seat:
            labels, others = (
                [(option.label, option.key) for option in game.options_to_read(one)] for one in (state, other)
            )
            if labels != others:
                rule = _rule(game, state)
                yield f"the options that {seat} has by rule {rule} read otherwise when hidden things differ"
        if game.code.journal and _drawn(game, state, seat) != _drawn(game, other, seat):
            yield f"what {seat} sees on the board depends on what it cannot see"
    except (RuleFailure, ZeroDivisionError):
        return  # a drawn position need not be a possible one


def _drawn(game: Game, state: State, seat: str) -> list[str]:
    """What the rules draw for a seat: things in a few letters, and the status."""
    showing, sight = Showing(game, state, seat), Sight(game, state, seat)
    callings = game.callings(state, seat)
    pieces = [piece for piece in range(len(game.piece_ids)) if sight.piece(piece)]
    pieces = sorted(pieces, key=callings.rank) if callings is not None else pieces
    looks = [f"{showing.piece(piece)} {showing.piece_colour(piece)}" for piece in pieces]
    spaces = range(len(game.spaces))
    return [*showing.status(), *looks, *(f"{showing.space(n)} {showing.space_colour(n)}" for n in spaces)]


def _said(game: Game, state: State, seat: str) -> Iterator[str]:
    """What a sentence, since the last choice, names that the seat cannot know.

    Pieces that rules put into their sentences have no name there while they lie face down. So this finds a
    name that was written out, or a text that stands on a hidden side.
    """
    callings = game.callings(state, seat)
    if callings is None or not game.code.journal:
        return
    said, turned = _latest(state)
    pieces = [piece for piece in range(len(game.piece_ids)) if not callings.known(piece)]
    names = {text for piece in pieces if piece not in turned for text in _texts_of(game, piece, callings)}
    # Copies of a card share their name: one that is known may be named.
    names -= {game.names.piece_title(ident) for n, ident in enumerate(game.piece_ids) if callings.known(n)}
    telling = sorted(names - _common_words(game)) if said else []
    for text, rule in said:
        for name in telling:
            if re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", text):
                yield f"{seat} is told the name of a piece that lies face down, by rule {rule}"


def _texts_of(game: Game, piece: int, callings: Callings) -> Iterator[str]:
    """The texts by which somebody would know a piece: its id, its name, and texts on its hidden side."""
    yield game.piece_ids[piece]
    yield game.names.piece_title(game.piece_ids[piece])
    for entry in callings.hidden_side(piece):
        if entry.type.tag == "text":
            yield str(callings.value(entry, piece))


def _common_words(game: Game) -> frozenset[str]:
    """Texts that mean something else as well, or nothing: they give no piece away."""
    values = [value for enum in game.program.enums for value in game.enums[enum.name].values]
    titles = [title for names in game.names.enums.values() for title in names]
    places = [*game.place_ids, *map(game.names.place_title, game.place_ids)]
    ids = [ident for ident in game.piece_ids if not any(letter.isalpha() for letter in ident)]
    return frozenset({"", *values, *titles, *places, *ids})


def _latest(state: State) -> tuple[list[tuple[str, str]], set[int]]:
    """The sentences since the last action, with their rules, and the pieces that were turned since then."""
    said: list[tuple[str, str]] = []
    turned: set[int] = set()
    for fact in newest_first(state.happened):
        match fact:
            case Acted() | TurnBegan():
                break
            case Said():
                said.append((state.game.names.written_out(fact.text), state.game.code.sites[fact.site].rule))
            case Changed() if is_turn_of_piece(state.game, fact):
                turned.add(fact.thing)
    return said, turned
