"""From a position to the table of a seat: things, spaces, piles, status, the question and the story."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.passes.analysis import identifier
from interpreter.table.book import ground_of, looks_of
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
) -> dict[str, Any]:
    """All that a seat sees; with the book, grounds that are as it says are left out. `story`: with it.

    `spaces` are those of the table of another seat, where all seats see the same of them (`open_spaces`).
    """
    seen = Seen(state, seat)
    game = state.game
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
        "things": _things(seen, book),
        "spaces": _spaces(seen, book) if spaces is None else spaces,
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


def standing(state: State, seat: str = BYSTANDER, *, book: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a seat sees on the boards alone, of a position in which nobody need be asked anything."""
    seen = Seen(state, seat)
    return {"things": _things(seen, book), "spaces": _spaces(seen, book)}


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


# ---------------------------------------------------------------- things


def _symbols(book: dict[str, Any] | None) -> dict[str, str]:
    """The symbols that the book has of pieces."""
    prints = book["prints"].values() if book is not None else ()
    return {
        ident: symbol
        for printed in prints
        for ident, symbol in zip(printed["ids"], printed.get("symbols", ()), strict=False)
    }


def _things(seen: Seen, book: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    game, state = seen.game, seen.state
    symbols = _symbols(book)
    printed = frozenset(book["prints"] if book is not None else _open_kinds(seen))
    beside = _beside(seen)
    found: dict[str, dict[str, Any]] = {}
    hidden: dict[str, dict[str, Any]] = {}
    for number in range(len(game.piece_ids)):
        place = state.at[number]
        if place < 0 and game.piece_kind[number] not in beside:
            continue
        if place >= len(game.spaces) and not seen.sight.pile(place):
            continue
        thing = _thing(seen, number, place, printed)
        if thing.get("symbol") == symbols.get(game.piece_ids[number]):
            thing.pop("symbol", None)
        (found if seen.knows(number) else hidden)[seen.thing(number)] = thing
    # In the order of their numbers, which says nothing of them.
    return {**found, **{ident: hidden[ident] for ident in seen.unknown.values() if ident in hidden}}


def _beside(seen: Seen) -> frozenset[str]:
    """Kinds that never lie anywhere, and of which the rules say how they look: dice, and the like."""
    game = seen.game
    placed = {piece.kind for piece in game.scenario.pieces if piece.at}
    looks = seen.showing.kinds.keys() | seen.showing.drawings.keys()
    lying = {game.piece_kind[number] for number, place in enumerate(seen.state.at[:-1]) if place >= 0}
    return frozenset(looks & (set(game.piece_kind) - placed - lying))


def _open_kinds(seen: Seen) -> list[str]:
    """The kinds of which everybody may read what is printed on them."""
    kinds = [kind.name for kind in seen.game.program.kinds]
    return [kind for kind in kinds if kind not in seen.game.faced and kind not in seen.sight.kinds]


def _thing(seen: Seen, number: int, place: int, printed: frozenset[str]) -> dict[str, Any]:
    game = seen.game
    kind = game.piece_kind[number]
    at = game.place_ids[place] if place >= 0 else ""
    data: dict[str, Any] = {"at": at, "name": seen.name(number), "kind": kind}
    if not seen.knows(number):
        data["back"] = True
    if not seen.sight.piece(number):
        return data  # it is there: that is all
    text = seen.showing.piece(number)
    if text:
        data["text"] = text
    tint = seen.showing.piece_colour(number)
    if tint:
        data["tint"] = tint
    owner = seen.sight.owner(number)
    if owner is not None and owner >= 0 and _sees_owner(seen, number):
        data["side"] = game.players[owner]
    data |= _drawn(seen, kind, number)
    if "nums" in data:
        data.pop("text", None)  # they are what stands on the counter
    # Where the rules say what marks a thing, all else is only told of it.
    declared = any(part.part == "mark" for part in seen.showing.drawings.get(kind, ()))
    facts, marks = [], data.pop("marks", [])
    for title, value in seen.facts("piece", kind, number, printed=False):
        if value or declared:
            facts.append([title, value or game.names.text("yes")])
        else:
            marks.append(title)
    if kind not in printed:
        facts[:0] = [list(fact) for fact in seen.facts("piece", kind, number, printed=True)]
    if facts:
        data["facts"] = facts
    if marks:
        data["marks"] = marks
    return data


def _drawn(seen: Seen, kind: str, number: int) -> dict[str, Any]:
    """What the rules draw on a counter or card."""
    data: dict[str, Any] = {}
    for part, value in seen.showing.drawn(kind, number):
        match part:
            case "mark":
                data.setdefault("marks", []).append(value)
            case "numbers":
                data["nums"] = str(value)
            case "symbol" | "steps" | "of":
                data[part] = value
    return data


def _sees_owner(seen: Seen, number: int) -> bool:
    return all(
        seen.sight.attribute(column, number)
        for column in seen.game.code.layout.attributes
        if column.owner == "piece" and column.attribute == "owner"
    )


# ---------------------------------------------------------------- places


def _spaces(seen: Seen, book: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Spaces with something to tell: a ground that has changed, tokens of players, and marks."""
    printed = _grounds(book)
    found: dict[str, dict[str, Any]] = {}
    for number, space in enumerate(seen.game.spaces):
        data: dict[str, Any] = {}
        before = printed.get(space.id)
        if before is None:
            data["ground"] = ground_of(seen, number)
        elif space.kind in seen.showing.kinds or space.kind in seen.showing.drawings:
            ground = looks_of(seen, number, before.get("name", ""))
            if ground != before:
                data["ground"] = ground
        if space.kind not in seen.showing.kinds:
            tokens = _tokens(seen, space.kind, number)
            if tokens:
                data["tokens"] = tokens
        facts = seen.facts("space", space.kind, number, printed=False)
        if facts:
            data["facts"] = [list(fact) for fact in facts]
        if data:
            found[space.id] = data
    return found


def _grounds(book: dict[str, Any] | None) -> dict[str, dict[str, str]]:
    boards = book["boards"] if book is not None else []
    return {
        ident: board["grounds"][ground]
        for board in boards
        for ident, ground in zip(board["ids"], board["ground"], strict=True)
    }


def _tokens(seen: Seen, kind: str, number: int) -> list[dict[str, str]]:
    """What stands on a space without being a piece: a value that changes in play, as a player or a word."""
    game = seen.game
    found = []
    for column in seen.columns("space", kind, printed=False):
        value = seen.value(column, number)
        if (
            column.type.tag != "enum"
            or is_empty(column.type, value)
            or not seen.sight.attribute(column, number)
        ):
            continue
        token = {"text": seen.words(value, column.type)}
        if column.type.names == ("player",):
            token["side"] = game.players[value]
        found.append(token)
    return found


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
    named = {ident: thing["name"] for ident, thing in data["things"].items()}
    named |= {space.id: seen.game.names.place_title(space.id) for space in seen.game.spaces}
    return [
        ident
        for ident, name in named.items()
        if name in text and re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/])", text)
    ]
