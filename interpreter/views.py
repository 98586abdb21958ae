"""What a seat may see of a state: the same data by name, with hidden values left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.analysis import identifier

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

HIDDEN = None  # what stands in a view for a value that the seat may not see


class Sight:
    """Answers whether one seat sees this and that."""

    def __init__(self, game: Game, state: State, seat: str | None) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.number = game.players.index(seat) if seat is not None else -1
        layout = game.code.layout
        self.rules = layout.visibility
        self.kinds = dict(layout.kind_seen)
        self.piles = dict(layout.pile_seen)
        self.variables = dict(layout.variable_seen)
        self._open_piles: dict[int, bool] = {}  # this is asked for every piece in them

    def sees(self, rule: int | None, it: int, owner: int | None) -> bool:
        if self.seat is None or rule is None:
            return True
        visibility, _ = self.rules[rule]
        holds = visibility.condition is None or bool(self.game.namespace[f"seen_{rule}"](self.state, it))
        match visibility.seers:
            case "everyone":
                return holds
            case "nobody":
                return visibility.condition is not None and not holds
            case "owner":
                return holds and owner == self.number
            case names:
                return self.seat in names and holds

    def pile(self, place: int) -> bool:
        """Whether the seat sees what lies in a pile."""
        known = self._open_piles.get(place)
        if known is None:
            kind = self.game.pile_kind[place]
            owner = self.game.pile_numbers[kind.name].index(place) if kind.each == "player" else None
            known = self._open_piles[place] = self.sees(self.piles.get(kind.name), place, owner)
        return known

    def piece(self, number: int) -> bool:
        """Whether the seat can tell which piece this is."""
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
        owners = getattr(self.state, "p_owner", None) or self.game.namespace.get("F_p_owner")
        return owners[piece] if owners is not None else None


def view_of(game: Game, state: State, seat: str | None) -> dict[str, Any]:
    """By name: the turn, variables, pieces with place and attributes, spaces, piles, and what is asked."""
    sight = Sight(game, state, seat)
    names = game.names
    layout = game.code.layout
    shown = _Shown(game, state, sight)
    pieces: dict[str, Any] = {}
    unknown: dict[str, int] = {}
    for number, ident in enumerate(game.piece_ids):
        if not sight.piece(number):
            place = state.at[number]
            spot = game.place_ids[place] if place >= 0 else "nowhere"
            unknown[f"{game.piece_kind[number]} at {spot}"] = (
                unknown.get(f"{game.piece_kind[number]} at {spot}", 0) + 1
            )
            continue
        pieces[ident] = {
            "kind": game.piece_kind[number],
            "at": names.id_by_key(state.at[number], "space"),
            **shown.of("piece", game.piece_kind[number], number),
        }
    unknown = dict(sorted(unknown.items()))  # the order in which they were met would tell which they are
    spaces = {space.id: shown.of("space", space.kind, number) for number, space in enumerate(game.spaces)}
    piles = {}
    for place, _ in game.pile_kind.items():
        order = state.order[place - len(game.spaces)]
        piles[game.place_ids[place]] = (
            [game.piece_ids[p] if sight.piece(p) else HIDDEN for p in order]
            if sight.pile(place)
            else len(order)
        )
    each: dict[str, Any] = {}
    for entry in layout.attributes:
        if entry.owner == "enum" and not entry.fixed and " " not in entry.attribute:
            for index, value in enumerate(game.enums[entry.enum].values):
                each.setdefault(entry.enum, {}).setdefault(value, {})[entry.attribute] = _value(
                    game, state, entry, index, sight
                )
    variables = {}
    for variable in game.program.variables:
        if " " in variable.name:
            continue
        seen = sight.sees(sight.variables.get(variable.name), -1, None)
        value = getattr(state, identifier(f"v_{variable.name}"))
        variables[variable.name] = _plain(game, value, variable.type) if seen else HIDDEN
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

    def __init__(self, game: Game, state: State, sight: Sight) -> None:
        self.game = game
        self.state = state
        self.sight = sight
        self.changing: dict[tuple[str, str], list[Any]] = {}

    def of(self, owner: str, kind: str, number: int) -> dict[str, Any]:
        """All of one thing."""
        game = self.game
        printed = game.printed.get((owner, number))
        if printed is None:
            entries = [entry for entry in self._entries(owner, kind) if _plainly_printed(entry)]
            columns = [(entry, game.namespace[f"F_{entry.name}"]) for entry in entries]
            printed = {entry.attribute: _plain(game, column[number], entry.type) for entry, column in columns}
            game.printed[owner, number] = printed
        found = dict(printed)
        for entry in self._changing(owner, kind):
            found[entry.attribute] = _value(game, self.state, entry, number, self.sight)
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
            found = [entry for entry in self._entries(owner, kind) if not _plainly_printed(entry)]
            self.changing[owner, kind] = found
        return found


def _plainly_printed(entry: Any) -> bool:
    return bool(entry.fixed) and not entry.seen


def _value(game: Game, state: State, entry: Any, index: int, sight: Sight) -> Any:
    if not sight.attribute(entry, index):
        return HIDDEN
    column = game.namespace[f"F_{entry.name}"] if entry.fixed else getattr(state, entry.name)
    return _plain(game, column[index], entry.type)


def _plain(game: Game, value: Any, kind: ir.Type) -> Any:
    """A value as data for people: names and ids, lists for sets."""
    if kind.tag == "set" and kind.element is not None:
        return [game.names.id(item, kind.element) for item in game.namespace["bits"](value)]
    if kind.tag == "list" and kind.element is not None:
        return [game.names.id(item, kind.element) for item in value]
    if kind.tag == "flag":
        return bool(value)
    return game.names.id(value, kind)
