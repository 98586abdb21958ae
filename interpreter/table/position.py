"""From a position to the table of a seat: things, spaces, piles, status, the question and the story."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from interpreter import ir
from interpreter.passes.analysis import identifier
from interpreter.table.described import Describing
from interpreter.table.question import question_of
from interpreter.table.seen import Seen, is_empty
from interpreter.table.story import story_of
from interpreter.telling.journal import phase_now
from interpreter.telling.showing import names_pieces
from interpreter.telling.views import BYSTANDER

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

# More lines of the story than this are asked for.
_STORY = 60


def table_of(
    state: State,
    seat: str = BYSTANDER,
    *,
    book: dict[str, Any] | None = None,
    since: int = 0,
    story: bool = True,
    spaces: dict[str, dict[str, Any]] | None = None,
    describing: Describing | None = None,
) -> dict[str, Any]:
    """All that a seat sees; with the book, grounds that are as it says are left out. `story`: with it.

    `spaces` are those of the table of another seat, where all seats see the same of them (`open_spaces`).
    `describing` has described an earlier position for this seat, with this book.
    """
    seen = Seen(state, seat)
    game = state.game
    things, spaces = (describing or Describing(game, book)).of(seen, spaces)
    lines = story_of(seen, since) if story else []
    data: dict[str, Any] = {
        "book": book["book"] if book is not None else "",
        "seat": seat,
        "n": state.count,
        "choice": state.count,
        "turn": state.turn,
        "phase": phase_now(game, state, seen.callings),
        "asked": [game.player_name(state.player)] if state.choice is not None else [],
        "status": seen.showing.status_lines(),
        "counts": _counts(seen),
        "things": things,
        "spaces": spaces,
        "piles": _piles(seen),
        "question": question_of(seen),
        "story": lines[-_STORY:],
        "told": lines[-1]["n"] if lines else since,
    }
    data["about"] = _about(seen, data)
    if state.over:
        data["over"] = {"winners": list(state.winners), "text": _ending(state)}
        if state.lost:
            data["over"]["lost"] = True
        ranking = state.ranking
        if ranking:
            data["over"]["ranking"] = [[name, points] for name, points in ranking]
    return data


def open_spaces(game: Game) -> bool:
    """Whether all seats see the same of the spaces: nothing is hidden of them, and they name no pieces."""
    columns = [column for column in game.code.layout.attributes if column.owner == "space"]
    if any(column.seen or column.type.names_pieces for column in columns):
        return False
    kinds = [kind for kind in game.program.kinds if kind.owner == "space"]
    looks = [part for kind in kinds for part in (kind.look, *kind.drawn) if part is not None]
    return not any(names_pieces(game, look) for look in looks)


def _ending(state: State) -> str:
    assert state.result is not None
    text = state.game.names.outcome(state.result[0], state.lost)
    return f"{text}: {state.ending}" if state.ending else text


# ---------------------------------------------------------------- piles


def _piles(seen: Seen) -> list[dict[str, Any]]:
    game, state = seen.game, seen.state
    found = []
    for place, kind in game.pile_kind.items():
        order = state.order[place - len(game.spaces)]
        owner = game.players[game.pile_numbers[kind.name].index(place)] if kind.each == "player" else ""
        if owner and owner not in game.seats:
            continue
        grants = kind.seen.grants if kind.seen is not None else ()
        own = any(grant in (ir.Grant(seers="owner"), ir.Grant(seers="team")) for grant in grants)
        data: dict[str, Any] = {
            "id": game.place_ids[place],
            "title": _title(game, place),
            "as": "hand" if own else kind.board,
            "count": len(order),
        }
        if owner:
            data["side"] = owner
        if kind.untold:
            data["quiet"] = True
        if seen.sight.pile(place):
            shown = [seen.thing(piece) for piece in order]
            data["cards"] = shown if kind.board != "bag" else sorted(shown)
        found.append(data)
    return found


def _title(game: Game, place: int) -> str:
    text = game.names.place_title(game.place_ids[place])
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- numbers


def _counts(seen: Seen) -> list[dict[str, Any]]:
    """What each player or other value has, and variables; nothing where the rules say what the status is."""
    game = seen.game
    if game.program.status:
        return []
    found: list[dict[str, Any]] = []
    for enum in game.program.enums:
        for number, value in enumerate(enum.values):
            if enum.name == "player" and value not in game.seats:
                continue
            facts = []
            for column in seen.columns("enum", enum.name, printed=False):
                if column.enum == enum.name and seen.sight.attribute(column, number):
                    value = seen.value(column, number)
                    if column.type.tag != "number" and is_empty(column.type, value):
                        continue
                    text = seen.words(value, column.type)
                    facts.append([game.names.attribute_title(column.attribute), text])
            if facts:
                found.append({"name": game.names.shown(number, ir.enum_type(enum.name)), "facts": facts})
    variables = []
    for variable in game.program.variables:
        if variable.untold or " " in variable.name:
            continue
        if seen.sight.sees(seen.sight.variables.get(variable.name), -1, None):
            value = getattr(seen.state, identifier("v", variable.name))
            if variable.type.tag != "number" and is_empty(variable.type, value):
                continue
            text = seen.words(value, variable.type)
            variables.append([game.names.variable_title(variable.name), text])
    return [*found, {"name": "", "facts": variables}] if variables else found


def _about(seen: Seen, data: dict[str, Any]) -> list[str]:
    """The things that the words of the question name."""
    question = data["question"]
    if question is None:
        return []
    text = f" {question['text']} "
    named = [(ident, thing["name"]) for ident, thing in data["things"].items()]
    return [
        ident
        for ident, name in (*named, *_place_titles(seen.game))
        if name in text and re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", text)
    ]


_PLACE_TITLES: WeakKeyDictionary[Game, list[tuple[str, str]]] = WeakKeyDictionary()


def _place_titles(game: Game) -> list[tuple[str, str]]:
    """The spaces with what they are called, which never changes."""
    found = _PLACE_TITLES.get(game)
    if found is None:
        found = [(space.id, game.names.place_title(space.id)) for space in game.spaces]
        _PLACE_TITLES[game] = found
    return found
