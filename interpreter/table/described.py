"""Things and spaces as a seat sees them: where they are, what they are called, how they look."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from interpreter.table.book import ground_of, looks_of
from interpreter.table.changes import dependence_of
from interpreter.table.seen import Seen, is_empty

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State


Described = dict[str, dict[str, Any]]


class Describing:
    """The things and spaces of a game for one seat, position after position.

    What cannot have changed since the position before is not described again, and is the same object.
    """

    def __init__(self, game: Game, book: dict[str, Any] | None) -> None:
        self.game = game
        self._symbols = _symbols(book)
        self._grounds = _grounds(book)
        self._printed = frozenset(book["prints"]) if book is not None else None
        self._before: State | None = None
        # Of these only the list is changed, never what is in it or in the maps: somebody may have it.
        self._things: list[tuple[str, dict[str, Any]] | None] = [None] * len(game.piece_ids)
        self._unknown: Described = {}
        self._spaces: Described = {}
        self._beside = frozenset[str]()

    def copy(self) -> Describing:
        """Another that goes on from the same position, perhaps for another table of the same game."""
        found = copy(self)
        found._things = list(self._things)
        return found

    def of(self, seen: Seen, spaces: Described | None = None) -> tuple[Described, Described]:
        """Things and spaces; `spaces` if somebody has described them already."""
        beside = _beside(seen)
        if self._before is None or beside != self._beside:
            self._beside = beside
            pieces, places = list(range(len(self._things))), list(range(len(self.game.spaces)))
            secrets = True
        else:
            pieces, places, secrets = self._to_do(self._before, seen.state)
        self._describe_things(seen, pieces, secrets)
        if spaces is None:
            self._describe_spaces(seen, places)
        else:
            self._spaces = spaces
        self._before = seen.showing.state  # a copy, in which only what definitions remember may change
        known = dict(entry for entry in self._things if entry is not None)
        return {**known, **self._unknown}, self._spaces

    def _to_do(self, before: State, now: State) -> tuple[list[int], list[int], bool]:
        """The pieces and spaces to describe anew, and whether those that are not known are among them."""
        dependence = dependence_of(self.game)
        changed = dependence.changed(before, now)
        secrets = any(dependence.reaches(kind, changed) for kind in dependence.secret)
        pieces = set(dependence.unknown) if secrets else set[int]()
        places = set[int]()
        for kind in self.game.program.kinds:
            if kind.owner in ("piece", "card", "space"):
                members = self.game.of_kind(kind.name)
                found = places if kind.owner == "space" else pieces
                if dependence.reaches(kind.name, changed):
                    found.update(members)
                else:
                    found.update(dependence.touched(kind.name, changed).intersection(members))
        return sorted(pieces), sorted(places), secrets

    def _describe_things(self, seen: Seen, pieces: list[int], secrets: bool) -> None:
        hidden: Described = {}
        for number in pieces:
            self._things[number] = None
            if not self._is_there(seen, number):
                continue
            thing = _thing(seen, number, seen.state.at[number], self._is_printed(seen))
            if thing.get("symbol") == self._symbols.get(self.game.piece_ids[number]):
                thing.pop("symbol", None)
            if seen.knows(number):
                self._things[number] = (seen.thing(number), thing)
            else:
                hidden[seen.thing(number)] = thing
        if secrets:
            # In the order of their numbers, which says nothing of them.
            self._unknown = {ident: hidden[ident] for ident in seen.unknown.values() if ident in hidden}

    def _is_there(self, seen: Seen, number: int) -> bool:
        place = seen.state.at[number]
        if place < 0:
            return self.game.piece_kind[number] in self._beside
        return place < len(self.game.spaces) or seen.sight.pile(place)

    def _is_printed(self, seen: Seen) -> frozenset[str]:
        """The kinds of which everybody may read what is printed on them."""
        if self._printed is None:
            kinds = [kind.name for kind in self.game.program.kinds]
            self._printed = frozenset(
                kind for kind in kinds if kind not in self.game.faced and kind not in seen.sight.kinds
            )
        return self._printed

    def _describe_spaces(self, seen: Seen, places: list[int]) -> None:
        if not places:
            return
        changed = {self.game.spaces[number].id: _space(seen, number, self._grounds) for number in places}
        if len(places) == len(self.game.spaces):
            self._spaces = {ident: data for ident, data in changed.items() if data}
            return
        both = {**self._spaces, **changed}
        self._spaces = {space.id: both[space.id] for space in self.game.spaces if both.get(space.id)}


def _symbols(book: dict[str, Any] | None) -> dict[str, str]:
    """The symbols that the book has of pieces."""
    prints = book["prints"].values() if book is not None else ()
    return {
        ident: symbol
        for printed in prints
        for ident, symbol in zip(printed["ids"], printed.get("symbols", ()), strict=False)
    }


def _beside(seen: Seen) -> frozenset[str]:
    """Kinds that never lie anywhere, and of which the rules say how they look: dice, and the like."""
    game = seen.game
    placed = {piece.kind for piece in game.scenario.pieces if piece.at}
    looks = seen.showing.kinds.keys() | seen.showing.drawings.keys()
    lying = {game.piece_kind[number] for number, place in enumerate(seen.state.at[:-1]) if place >= 0}
    return frozenset(looks & (set(game.piece_kind) - placed - lying))


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


def _space(seen: Seen, number: int, printed: dict[str, dict[str, str]]) -> dict[str, Any]:
    """What there is to tell of a space: a ground that has changed, tokens of players, and marks."""
    space = seen.game.spaces[number]
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
    return data


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
