"""Things and spaces as a seat sees them: where they are, what they are called, how they look."""

from __future__ import annotations

from typing import Any

from interpreter.table.book import ground_of, looks_of
from interpreter.table.seen import Seen, is_empty


def _symbols(book: dict[str, Any] | None) -> dict[str, str]:
    """The symbols that the book has of pieces."""
    prints = book["prints"].values() if book is not None else ()
    return {
        ident: symbol
        for printed in prints
        for ident, symbol in zip(printed["ids"], printed.get("symbols", ()), strict=False)
    }


def things_of(seen: Seen, book: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
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


def spaces_of(seen: Seen, book: dict[str, Any] | None) -> dict[str, dict[str, Any]]:
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
