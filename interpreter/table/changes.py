"""What must be described anew: the things and spaces that may look otherwise than in the position before.

How a thing looks depends on what the rules read for it, which is known before the game: values of the thing
itself, and values of others. If one of the latter has changed, all things of its kind are described anew; of
the former, only that thing. What cannot be told apart is named by how many of it there are, so all of that
is described anew if any of it has changed. In doubt a thing has changed: to describe it again is no mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from interpreter import ir
from interpreter.passes.analysis import column
from interpreter.telling.showing import names_pieces, reads_of

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

#: What stands among the values that are read for all that pieces with a hidden side are called.
_CALLINGS = "callings"
_AT = "at"

Changed = Mapping[str, Iterable[int]]
"""The columns and variables that have changed, and whose values; for what belongs to nobody, nobody's."""


@dataclass(frozen=True, slots=True)
class Reads:
    """What is read to describe a thing: its own values, and those of others."""

    own: frozenset[str]
    wide: frozenset[str]


class Dependence:
    """Of one game: what is read for each kind, and which pieces a seat may not know."""

    def __init__(self, game: Game) -> None:
        layout = game.code.layout
        self.secret = frozenset(game.faced) | frozenset(kind for kind, _ in layout.kind_seen)
        kinds = [kind for kind in game.program.kinds if kind.owner in ("piece", "card", "space")]
        self.kinds = {kind.name: self._reads(game, kind) for kind in kinds}
        self.unknown = frozenset(n for n, kind in enumerate(game.piece_kind) if kind in self.secret)
        self._callings = frozenset[str]().union(*(self.kinds[kind].wide for kind in self.secret))
        self._of_pieces = {entry.name for entry in layout.attributes if entry.owner == "piece"} | {_AT}

    def _reads(self, game: Game, kind: ir.Kind) -> Reads:
        layout = game.code.layout
        owner = "space" if kind.owner == "space" else "piece"
        columns = [c for c in layout.attributes if c.owner == owner and kind.name in c.kinds]
        own = {entry.name for entry in columns}
        if owner == "piece":
            own |= {_AT, column("piece", "owner")}
        wide: set[str] = set()
        looks = tuple(drawn.value for drawn in kind.drawn)
        if kind.look is not None:
            looks += (kind.look.text, *((kind.look.colour,) if kind.look.colour is not None else ()))
        rules = [rule for entry in columns for name, rule in entry.seen if name == kind.name]
        rules += [rule for name, rule in layout.kind_seen if name == kind.name]
        conditions = tuple(grant.condition for rule in rules for grant in layout.visibility[rule].grants)
        for read, others in (reads_of(part, game) for part in (*looks, *conditions)):
            own |= read
            wide |= others
        for _, rule in layout.pile_seen:
            conditions = tuple(grant.condition for grant in layout.visibility[rule].grants)
            wide |= frozenset[str]().union(*reads_of(conditions, game))
        wide.add(column("enum", "team", "player"))
        named = any(c.type.names_pieces or c.type == ir.TEXT for c in columns) or names_pieces(game, looks)
        if game.faced and named or kind.name in self.secret:
            wide.add(_CALLINGS)
        return Reads(frozenset(own), frozenset(wide))

    def changed(self, before: State, now: State) -> dict[str, set[int]]:
        """What has changed from one position to another."""
        found: dict[str, set[int]] = {}
        for name in now.COLUMNS:
            old, new = getattr(before, name), getattr(now, name)
            if old != new:
                found[name] = {n for n, (one, other) in enumerate(zip(old, new, strict=True)) if one != other}
        for name in (*now.VARIABLES, "turn", "result"):
            if getattr(before, name) != getattr(now, name):
                found[name] = set()
        if found.keys() & {"inside", "order"}:
            found.setdefault(_AT, set())  # what looks into piles reads both by this name
        if found.keys() & self._callings or any(
            found.get(name, set()) & self.unknown for name in self._of_pieces
        ):
            found[_CALLINGS] = set()
        return found

    def reaches(self, kind: str, changed: Changed) -> bool:
        """Whether all things of a kind may look otherwise."""
        return not self.kinds[kind].wide.isdisjoint(changed)

    def touched(self, kind: str, changed: Changed) -> set[int]:
        """The things of which something has changed that is read for this kind; some may be of others."""
        return {number for name in self.kinds[kind].own & changed.keys() for number in changed[name]}


_DEPENDENCES: WeakKeyDictionary[Game, Dependence] = WeakKeyDictionary()


def dependence_of(game: Game) -> Dependence:
    found = _DEPENDENCES.get(game)
    if found is None:
        found = _DEPENDENCES[game] = Dependence(game)
    return found
