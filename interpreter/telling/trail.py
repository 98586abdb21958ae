"""From the journal to what happened between two choices, by name, so that it can be compared.

The numbers inside a game depend on its rules; ids and names do not. What was only said is left out: texts may
be put in other words or another language, and the game is still the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from interpreter import ir
from interpreter.telling.facts import (
    Acted,
    Changed,
    Ended,
    Fact,
    Journal,
    Moved,
    PhaseBegan,
    Rolled,
    Said,
    Shuffled,
    TurnBegan,
    Unwritten,
    VariableChanged,
    newest_first,
)
from interpreter.telling.journal import dice_type, entry_of, thing_type, variable_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interpreter.machine.game import Game
    from interpreter.machine.state import State

_DIGITS = 8  # of a digest: enough to notice a difference, short enough to have one for every choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One change, by name. `text` is for people; `site` is the rule's place that made it."""

    what: str
    thing: str
    old: str
    new: str
    text: str
    site: ir.Site | None

    @property
    def rule(self) -> str:
        return self.site.rule if self.site is not None else ""

    @property
    def fact(self) -> tuple[str, str, str, str]:
        """What is the same under other rules if the same happened; which rule did it is no part of it."""
        return self.what, self.thing, self.old, self.new


def happenings(state: State, since: Journal = None) -> list[Happening]:
    """What the journal has gained since it was `since`, oldest first."""
    facts = newest_first(state.happened, since)
    return [_happening(state.game, fact) for fact in facts if not isinstance(fact, Said | Unwritten)][::-1]


def option_keys(state: State) -> list[str]:
    """The keys of what is offered; a second option with the same key gets a number."""
    seen: dict[str, int] = {}
    keys = []
    for option in state.game.option_list(state):
        count = seen[option.key] = seen.get(option.key, 0) + 1
        keys.append(option.key if count == 1 else f"{option.key} #{count}")
    return keys


def digest(happened: Iterable[Happening], keys: Sequence[str]) -> str:
    """A short hash of what happened and what is offered now."""
    text = json.dumps([[happening.fact for happening in happened], list(keys)], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _happening(game: Game, fact: Fact) -> Happening:
    entry = entry_of(game, 0, fact)
    thing, old, new = _by_name(game, fact)
    return Happening(what=entry.what, thing=thing, old=old, new=new, text=entry.text, site=entry.site)


def _by_name(game: Game, fact: Fact) -> tuple[str, str, str]:
    """The thing that has changed, what it was and what it is, in ids and names that no language changes."""
    match fact:
        case TurnBegan():
            return "", str(fact.turn - 1), str(fact.turn)
        case PhaseBegan():
            return "", "", fact.phase
        case Acted():
            action = game.program.actions[fact.action]
            given = zip(fact.arguments, action.parameters, strict=True)
            taken = ", ".join(_named(game, value, parameter.type) for value, parameter in given)
            return "", _named(game, fact.player, ir.PLAYER), f"{action.name}({taken})"
        case Moved():
            thing = _named(game, fact.piece, ir.PIECE)
            return thing, _named(game, fact.old, ir.SPACE), _named(game, fact.new, ir.SPACE)
        case Changed():
            column = game.columns[fact.column]
            thing = _named(game, fact.thing, thing_type(column))
            return thing, _named(game, fact.old, column.type), _named(game, fact.new, column.type)
        case VariableChanged():
            kind = variable_type(game.program, fact.variable)
            return fact.variable, _named(game, fact.old, kind), _named(game, fact.new, kind)
        case Rolled():
            return "", "", _named(game, fact.result, dice_type(game.program, fact))
        case Ended():
            return "", "", _named(game, fact.winners & game.present, ir.set_of(ir.PLAYER))
        case Said() | Unwritten():
            return "", "", game.names.spoken(fact.text)
        case Shuffled():
            return "", "", ""
        case _:
            assert_never(fact)


def _named(game: Game, value: Any, kind: ir.Type) -> str:
    if kind == ir.TEXT:
        return game.names.spoken(str(value))
    if kind.element is not None:
        items = game.items(value, kind)
        members = ", ".join(_named(game, item, kind.element) for item in items)
        return f"{{{members}}}" if kind.tag == "set" else f"[{members}]"
    if kind.tag == "edge":
        ends = game.board.edge_ends[value] if value >= 0 else ()
        return "|".join(game.place_ids[end] for end in ends) or "nothing"
    return str(game.names.id(value, kind))
