"""What a seat may see of a state: the same data by name, with hidden values left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.passes.analysis import column

if TYPE_CHECKING:
    from collections.abc import Iterable

    from interpreter.machine.game import Game
    from interpreter.machine.state import State
    from interpreter.telling.names import Callings

HIDDEN = None  # what stands in a view for a value that the seat may not see
BYSTANDER = ""  # a seat that nobody sits on: it sees what everyone sees


class Sight:
    """Answers whether one seat sees this and that; with `others`, whether any of several seats does."""

    def __init__(self, game: Game, state: State, seat: str | None, *others: str) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.seats = (seat, *others)
        for name in self.seats:
            if name and name not in game.seats:
                known = ", ".join(game.seats)
                raise ValueError(f"there is no player `{name}` in this game; there are {known}")
        self.number = game.players.index(seat) if seat else -1
        self.numbers = frozenset(game.players.index(name) for name in self.seats if name)
        layout = game.code.layout
        self.rules = layout.visibility
        self.faces = game.faced
        self.kinds = dict(layout.kind_seen)
        self.piles = dict(layout.pile_seen)
        self.variables = dict(layout.variable_seen)
        self._open_piles: dict[int, bool] = {}  # this is asked for every piece in them

    def sees(self, rule: int | None, it: int, owner: int | None) -> bool:
        if self.seat is None or rule is None:
            return True
        grants = self.rules[rule].grants
        return any(self._granted(grant, (rule, place), it, owner) for place, grant in enumerate(grants))

    def _granted(self, grant: ir.Grant, number: tuple[int, int], it: int, owner: int | None) -> bool:
        """Whether one clause lets the seat see it; `number` says which clause of which rule it is."""
        match grant.seers:
            case "everyone":
                meant = True
            case "owner":
                meant = owner in self.numbers
            case "team":
                meant = any(self._are_friends(owner, seat) for seat in self.numbers)
            case "face":
                if owner in self.numbers or self._looks_into(self.state.at[it]):
                    return True
                meant = True
            case names:
                meant = any(seat in names for seat in self.seats)
        if not meant or grant.condition is None:
            return meant
        rule, place = number
        return bool(self.game.namespace[f"seen_{rule}_{place}"](self.state, it))

    def _are_friends(self, one: int | None, other: int) -> bool:
        """Whether two players are of one team, as every player is with himself."""
        if one is None or one < 0:
            return False
        entry = self.game.columns[column("enum", "team", "player")]
        teams = self.game.values(self.state, entry)
        return one == other or bool(teams[one] == teams[other])

    def _looks_into(self, place: int) -> bool:
        """Whether a place is a pile of which the rules say that this seat sees it: a hand of cards."""
        kind = self.game.pile_kind.get(place)
        return kind is not None and kind.seen is not None and self.pile(place)

    def pile(self, place: int) -> bool:
        """Whether the seat sees what lies in a pile."""
        known = self._open_piles.get(place)
        if known is None:
            kind = self.game.pile_kind[place]
            owner = self.game.pile_numbers[kind.name].index(place) if kind.each == "player" else None
            known = self._open_piles[place] = self.sees(self.piles.get(kind.name), place, owner)
        return known

    def face(self, number: int) -> bool:
        """Whether the seat sees the hidden side of a piece, or there is none."""
        if self.seat is None:
            return True
        rule = self.faces.get(self.game.piece_kind[number])
        return rule is None or self.sees(rule, number, self.owner(number))

    def piece(self, number: int) -> bool:
        """Whether the seat sees a piece, perhaps without knowing which one it is."""
        place = self.state.at[number]
        if place >= len(self.game.spaces) and not self.pile(place):
            return False
        rule = self.kinds.get(self.game.piece_kind[number])
        return rule is None or self.sees(rule, number, self.owner(number))

    def attribute(self, entry: Any, index: int) -> bool:
        rules = dict(entry.seen)
        if entry.owner == "piece":
            if not self.piece(index):
                return False
            return self.sees(rules.get(self.game.piece_kind[index]), index, self.owner(index))
        if entry.owner == "space":
            return self.sees(rules.get(self.game.spaces[index].kind), index, None)
        owner = index if entry.enum == "player" else None
        return self.sees(next(iter(rules.values()), None), index, owner)

    def owner(self, piece: int) -> int | None:
        owners = getattr(self.state, "p_owner", None) or self.game.fixed("p_owner")
        return owners[piece] if owners else None


def view_of(game: Game, state: State, seat: str | None) -> dict[str, Any]:
    """By name: the turn, variables, pieces with place and attributes, spaces, piles, and what is asked."""
    sight = Sight(game, state, seat)
    names = game.names
    layout = game.code.layout
    callings = game.callings(state, seat) if seat is not None else None
    shown = _Shown(game, state, sight, callings)
    pieces: dict[str, Any] = {}
    unknown: dict[str, int] = {}
    # In an order, and under names, that do not tell which piece it is that lies face down.
    numbers: Iterable[int] = range(len(game.piece_ids))
    for number in numbers if callings is None else sorted(numbers, key=callings.rank):
        if not sight.piece(number):
            place = state.at[number]
            spot = game.place_ids[place] if place >= 0 else "nowhere"
            unknown[f"{game.piece_kind[number]} at {spot}"] = (
                unknown.get(f"{game.piece_kind[number]} at {spot}", 0) + 1
            )
            continue
        pieces[_called(game, number, callings)] = {
            "kind": game.piece_kind[number],
            "at": names.id(state.at[number], ir.SPACE),
            **shown.of("piece", game.piece_kind[number], number),
        }
    unknown = dict(sorted(unknown.items()))  # the order in which they were met would tell which they are
    spaces = {space.id: shown.of("space", space.kind, number) for number, space in enumerate(game.spaces)}
    piles = {}
    for place, kind in game.pile_kind.items():
        number = game.pile_numbers[kind.name].index(place)
        if kind.each == "player" and game.players[number] not in game.seats:
            continue
        order = state.order[place - len(game.spaces)]
        piles[game.place_ids[place]] = (
            [_called(game, p, callings) if sight.piece(p) else HIDDEN for p in order]
            if sight.pile(place)
            else len(order)
        )
    each: dict[str, Any] = {}
    for entry in layout.attributes:
        if entry.owner == "enum" and not entry.fixed and " " not in entry.attribute:
            for index, value in enumerate(game.enums[entry.enum].values):
                if entry.enum == "player" and value not in game.seats:
                    continue
                each.setdefault(entry.enum, {}).setdefault(value, {})[entry.attribute] = _value(
                    game, state, entry, index, sight, callings
                )
    variables = {}
    for variable in game.program.variables:
        if " " in variable.name:
            continue
        seen = sight.sees(sight.variables.get(variable.name), -1, None)
        value = game.variable(state, variable.name)
        variables[variable.name] = _plain(game, value, variable.type, callings) if seen else HIDDEN
    mine = seat is None or game.player_name(state.player) == seat
    asked: dict[str, Any] | None = None
    if state.choice is not None:
        asked = {"player": state.choice.player, "rule": state.choice.rule}
        if mine:
            asked["prompt"] = state.choice.prompt
            asked["options"] = [option.key for option in state.choice.options]
    return {
        "turn": state.turn, "phase": state.phase, "over": state.over, "winners": list(state.winners),
        "pieces": pieces, "unknown": unknown, "spaces": spaces, "piles": piles, "each": each,
        "variables": variables, "choice": asked,
    }  # fmt: skip


class _Shown:
    """The attributes of pieces and spaces by name. What never changes and all may see is written out once."""

    def __init__(self, game: Game, state: State, sight: Sight, callings: Callings | None) -> None:
        self.game = game
        self.state = state
        self.sight = sight
        self.callings = callings
        self.changing: dict[tuple[str, str], list[Any]] = {}

    def of(self, owner: str, kind: str, number: int) -> dict[str, Any]:
        """All of one thing."""
        game = self.game
        printed = game.printed.get((owner, number))
        if printed is None:
            entries = [entry for entry in self._entries(owner, kind) if _plainly_printed(game, entry)]
            columns = [(entry, game.fixed(entry.name)) for entry in entries]
            printed = {entry.attribute: _plain(game, column[number], entry.type) for entry, column in columns}
            game.printed[owner, number] = printed
        found = dict(printed)
        for entry in self._changing(owner, kind):
            found[entry.attribute] = _value(game, self.state, entry, number, self.sight, self.callings)
        return found

    def _entries(self, owner: str, kind: str) -> list[Any]:
        return [
            entry
            for entry in self.game.code.layout.attributes
            if entry.owner == owner and kind in entry.kinds and " " not in entry.attribute
        ]

    def _changing(self, owner: str, kind: str) -> list[Any]:
        found = self.changing.get((owner, kind))
        if found is None:
            found = [entry for entry in self._entries(owner, kind) if not _plainly_printed(self.game, entry)]
            self.changing[owner, kind] = found
        return found


def _plainly_printed(game: Game, entry: Any) -> bool:
    names_pieces = "piece" in (
        entry.type.tag,
        entry.type.element.tag if entry.type.element is not None else "",
    )
    return bool(entry.fixed) and not entry.seen and not (names_pieces and game.faced)


def _value(game: Game, state: State, entry: Any, index: int, sight: Sight, callings: Callings | None) -> Any:
    if not sight.attribute(entry, index):
        return HIDDEN
    column = game.values(state, entry)
    return _plain(game, column[index], entry.type, callings)


def _called(game: Game, piece: int, callings: Callings | None) -> str:
    return game.piece_ids[piece] if callings is None else callings.key(piece)


def _plain(game: Game, value: Any, kind: ir.Type, callings: Callings | None = None) -> Any:
    """A value as data for people: names and ids, lists for sets."""
    element = kind.element
    if kind.tag in ("set", "list") and element is not None:
        items = game.items(value, kind)
        if callings is None or element.tag != "piece":
            return [game.names.id(item, element) for item in items]
        return [
            callings.key(item) for item in (items if kind.tag == "list" else sorted(items, key=callings.rank))
        ]
    if kind.tag == "flag":
        return bool(value)
    if kind.tag == "text":
        return game.names.spoken(value, callings)
    return callings.key(value) if callings is not None and kind.tag == "piece" else game.names.id(value, kind)
