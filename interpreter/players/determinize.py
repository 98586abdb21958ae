"""From a position to one that looks the same to a seat: what the seat cannot see is drawn anew.

Pieces whose identity is hidden are exchanged among those of their kind, wherever the position refers to them;
so are pieces that lie face down, or of which something printed on them is not seen. Hidden piles are
shuffled, hidden values are exchanged or drawn, and the chance to come is another one. Left out: what a seat
could conclude from how the others have played, what it remembers of a piece that was turned face down again,
and what somebody chose in secret as long as only a procedure's own locals hold it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any

from interpreter import ir
from interpreter.compiler.layout import Column
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.passes.analysis import column as column_name
from interpreter.passes.analysis import identifier
from interpreter.telling.exchange import exchange, offered_pieces
from interpreter.telling.views import Sight

# A draw may change who sees what, when a rule of visibility asks for something printed on a piece. Then it is
# drawn again.
_DRAWS = 8


def sample(game: Game, state: State, seat: str | None, chance: Chance, *, veiled: bool = True) -> State:
    """A position that the seat cannot tell from this one. `veiled` as in `Secrets`."""
    return Secrets(game, state, seat, veiled=veiled).draw(chance)


class Secrets:
    """What a seat does not know of one position, found out once and drawn as often as wanted.

    With `veiled`, pieces in plain sight are exchanged too if something printed on them is not seen: the seat
    is then taken not to know what their ids stand for. Without it, the seat's view stays the same to the
    letter; pieces that lie face down have no id in it, and are exchanged in any case.
    """

    def __init__(self, game: Game, state: State, seat: str | None, *, veiled: bool = True) -> None:
        self.game = game
        self.state = state
        self.seat = seat
        self.veiled = veiled
        self.unseen: dict[tuple[Any, ...], list[int]] = {}
        self.veils: dict[tuple[Any, ...], list[int]] = {}
        self.piles: list[int] = []
        self.values: list[tuple[Column, list[int]]] = []
        self.variables: list[ir.Variable] = []
        self.hidden: frozenset[int] = frozenset()
        self.known: frozenset[int] = frozenset()
        layout = game.code.layout
        attributes = any(entry.seen for entry in layout.attributes)
        if seat is not None and (layout.kind_seen or layout.pile_seen or layout.variable_seen or attributes):
            self._look(Sight(game, state, seat))

    @property
    def none(self) -> bool:
        """Whether the seat knows everything but the chance to come."""
        return not (self._exchangeable or self.piles or self.values or self.variables)

    @property
    def _exchangeable(self) -> bool:
        return bool(self.veils) or any(len(group) > 1 for group in self.unseen.values())

    # ------------------------------------------------------------ finding out

    def _look(self, sight: Sight) -> None:
        self.hidden = hidden_pieces(sight)
        if self.state.player == sight.number:
            # What is offered to the seat it knows, whatever else the rules say.
            self.known = offered_pieces(self.game, self.state) & self.hidden
        # In the order of places, not of pieces: so a draw depends on what the seat sees and on nothing else.
        for piece in sorted(self.hidden - self.known, key=self._standing):
            self.unseen.setdefault((self.game.piece_kind[piece], self._printed_owner(piece)), []).append(
                piece
            )
        if self.veiled or self.game.faced:
            self._look_for_veils(sight)
        for place in self.game.pile_kind:
            if len(self.state.order[place - len(self.game.spaces)]) > 1 and not sight.pile(place):
                self.piles.append(place)
        for entry in self.game.code.layout.attributes:
            if entry.seen and not entry.fixed:
                indices = [index for index in self._indices(entry) if not sight.attribute(entry, index)]
                if indices:
                    self.values.append((entry, indices))
        for variable in self.game.program.variables:
            if not sight.sees(sight.variables.get(variable.name), -1, None):
                self.variables.append(variable)

    def _standing(self, piece: int) -> tuple[Any, ...]:
        """Where a piece is, and what has become of it there: all but which piece it is."""
        place = self.state.at[piece]
        pile = place - len(self.game.spaces)
        depth = self.state.order[pile].index(piece) if pile >= 0 else 0
        return (place, depth, *(values[piece] for values in self._changing))

    @cached_property
    def _changing(self) -> list[list[Any]]:
        """The columns of pieces that change in play."""
        entries = self.game.code.layout.attributes
        return [getattr(self.state, e.name) for e in entries if e.owner == "piece" and not e.fixed]

    def _printed_owner(self, piece: int) -> int:
        owners = self.game.fixed("p_owner")
        return int(owners[piece]) if owners else -1

    def _look_for_veils(self, sight: Sight) -> None:
        """Groups the pieces in sight that may be others, by what can be read of them."""
        printed = [e for e in self.game.code.layout.attributes if e.owner == "piece" and e.fixed]
        own: dict[str, list[tuple[str, int | None]]] = {}  # of each kind, with the rule about who sees it
        for entry in printed:
            for kind in entry.kinds:
                own.setdefault(kind, []).append((entry.name, dict(entry.seen).get(kind)))
        in_part = {kind for kind, entries in own.items() if any(rule is not None for _, rule in entries)}
        in_part = in_part if self.veiled else set()
        pieces = [
            piece
            for piece, kind in enumerate(self.game.piece_kind)
            if piece not in self.hidden and (kind in in_part or not sight.face(piece))
        ]
        for piece in sorted(pieces, key=self._standing):
            kind = self.game.piece_kind[piece]
            owner = sight.owner(piece)
            entries = own.get(kind, [])
            readable = [name for name, rule in entries if rule is None or sight.sees(rule, piece, owner)]
            if len(readable) < len(entries) or not sight.face(piece):
                key = (kind, *((name, self.game.fixed(name)[piece]) for name in readable))
                self.veils.setdefault(key, []).append(piece)

    def _indices(self, entry: Column) -> Iterable[int]:
        """Whose values these are; pieces that are hidden themselves take theirs along."""
        game = self.game
        if entry.owner == "piece":
            return [
                i for i, kind in enumerate(game.piece_kind) if kind in entry.kinds and i not in self.hidden
            ]
        if entry.owner == "space":
            return [i for i, space in enumerate(game.spaces) if space.kind in entry.kinds]
        return range(len(getattr(self.state, entry.name)) - 1)

    # ------------------------------------------------------------ drawing

    def draw(self, chance: Chance) -> State:
        """A new state; the position itself stays as it is."""
        for _ in range(_DRAWS if self._exchangeable else 0):
            identity = self._identities(chance)
            result = self._drawn(chance, identity)
            expected = {identity.get(piece, piece) for piece in self.hidden}
            if not self._conditional or hidden_pieces(Sight(self.game, result, self.seat)) == expected:
                return result
        return self._drawn(chance, {})

    @property
    def _conditional(self) -> bool:
        """Whether an exchange could change which pieces the seat sees."""
        layout = self.game.code.layout
        rules = [rule for _, rule in (*layout.kind_seen, *layout.pile_seen)]
        return any(layout.visibility[rule].conditional for rule in rules)

    def _identities(self, chance: Chance) -> dict[int, int]:
        """Which piece each piece turns out to be."""
        identity: dict[int, int] = {}
        for group in self.unseen.values():
            identity.update(zip(group, chance.shuffled(sorted(group)), strict=True))
        for key, group in self.veils.items():
            like = _like(self.game, key)
            tokens = [*group, *(piece for piece, now in identity.items() if now in like)]
            now = sorted(identity.get(token, token) for token in tokens)
            identity.update(zip(tokens, chance.shuffled(now), strict=True))
        if not self.veiled:
            self._keep_numbers(identity)
        return {old: new for old, new in identity.items() if old != new}

    def _keep_numbers(self, identity: dict[int, int]) -> None:
        """Of several that look the same in one place, lets the first stay the first: a view numbers them."""
        callings = self.game.callings(self.state, self.seat) if self.seat is not None else None
        stacks: dict[tuple[Any, ...], list[int]] = {}
        for piece in (piece for group in self.veils.values() for piece in group):
            if callings is not None and not callings.known(piece):
                stacks.setdefault(callings.looks(piece), []).append(piece)
        for stack in stacks.values():
            assert callings is not None
            now = sorted((identity.get(piece, piece) for piece in stack), key=callings.salt)
            identity.update(zip(sorted(stack, key=callings.salt), now, strict=True))

    def _drawn(self, chance: Chance, identity: dict[int, int]) -> State:
        result = self.state.copy()
        result.rng = chance.word()
        if self.none:
            return result
        for name in result.MEMORIES:
            setattr(result, name, None)
        if identity:
            exchange(self.game, result, identity)
        for place in self.piles:
            self._shuffle(result, place, chance)
        for entry, indices in self.values:
            moved = [identity.get(i, i) for i in indices] if entry.owner == "piece" else indices
            self._hide(result, entry, moved, chance)
        for variable in self.variables:
            name = identifier("v", variable.name)
            setattr(result, name, self._another(getattr(result, name), variable.type, chance))
        return result

    def _shuffle(self, result: State, place: int, chance: Chance) -> None:
        index = place - len(self.game.spaces)
        order = result.order[index]
        rest = iter(chance.shuffled([piece for piece in order if piece not in self.known]))
        result.order[index] = tuple(piece if piece in self.known else next(rest) for piece in order)

    def _hide(self, result: State, entry: Column, indices: list[int], chance: Chance) -> None:
        """Hidden values change places among their like; where there is no like, another value is drawn."""
        column = getattr(result, entry.name)
        if entry.attribute.startswith(ir.SEALED):
            # What others have sealed already nobody can know: it is as if they had not answered yet.
            open_ = column_name(entry.owner, entry.attribute.removeprefix(ir.SEALED), entry.enum)
            for index in indices:
                column[index] = getattr(result, open_)[index]
            return
        groups: dict[Any, list[int]] = {}
        for index in indices:
            groups.setdefault(self._likeness(entry, index), []).append(index)
        for group in groups.values():
            values = sorted(column[index] for index in group)
            if len(group) > 1:
                drawn = list(chance.shuffled(values))
            else:
                drawn = [self._another(value, entry.type, chance) for value in values]
            for index, value in zip(group, drawn, strict=True):
                column[index] = value

    def _likeness(self, entry: Column, index: int) -> Any:
        if entry.owner == "piece":
            return self.game.piece_kind[index], self._printed_owner(index)
        if entry.owner == "space":
            return self.game.spaces[index].kind
        return index if entry.owner == "enum" else ""

    def _another(self, value: Any, kind: ir.Type, chance: Chance) -> Any:
        """A value that could stand here as well, as far as the type tells; nothing stays nothing."""
        game = self.game
        if kind.tag == "flag":
            return chance.below(2) == 1
        if kind.tag == "number":
            # The range is not known; as many bits as the number has give away no more than its size.
            drawn = chance.below(1 << abs(value).bit_length())
            return drawn if value >= 0 else -drawn
        if kind.tag == "list" and kind.element is not None:
            return tuple(self._another(item, kind.element, chance) for item in value)
        if kind.tag == "set" and kind.element is not None:
            return self._another_set(value, kind.element, chance)
        if (
            kind.tag not in ("enum", "space", "piece")
            or value < 0
            or value in self.hidden
            and kind.tag == "piece"
        ):
            return value
        return chance.pick(_alike(game, value, kind, self.hidden))

    def _another_set(self, mask: int, element: ir.Type, chance: Chance) -> int:
        """As many members, each of the sort that it was."""
        result = 0
        for item in self.game.members(mask):
            drawn = self._another(item, element, chance)
            result |= 1 << (item if result >> drawn & 1 else drawn)
        return result


class Worlds:
    """A few positions that a seat cannot tell from one, to look ahead from in turn, each time with new luck.

    Drawing one takes as long as playing on for a while, and a few show most of what there is to see.
    """

    def __init__(self, secrets: Secrets, most: int) -> None:
        self.secrets = secrets
        self.most = 1 if secrets.none else most
        self._drawn: list[Any] = []
        self._next = 0

    def next(self, chance: Chance) -> Any:
        """The next one, which is to be copied, not to be played on."""
        if len(self._drawn) < self.most:
            self._drawn.append(self.secrets.game.glance(self.secrets.draw(chance)))
        found = self._drawn[self._next % self.most]
        self._next += 1
        found.rng = chance.word()
        return found


def hidden_pieces(sight: Sight) -> frozenset[int]:
    """The pieces that a seat cannot tell from others of their kind."""
    return frozenset(piece for piece in range(len(sight.game.piece_ids)) if not sight.piece(piece))


@lru_cache(maxsize=1024)
def _like(game: Game, key: tuple[Any, ...]) -> frozenset[int]:
    """The pieces of a kind on which certain values are printed."""
    kind, *printed = key
    values = [(game.fixed(name), value) for name, value in printed]
    return frozenset(
        piece
        for piece, other in enumerate(game.piece_kind)
        if other == kind and all(column[piece] == value for column, value in values)
    )


def _alike(game: Game, value: int, kind: ir.Type, hidden: frozenset[int]) -> list[int]:
    if kind.tag == "enum":
        return list(range(len(game.enums[kind.names[0]].values)))
    if kind.tag == "space":
        if value >= len(game.spaces):
            return [value]
        return [i for i, space in enumerate(game.spaces) if space.kind == game.spaces[value].kind]
    return [i for i, name in enumerate(game.piece_kind) if name == game.piece_kind[value] and i not in hidden]
