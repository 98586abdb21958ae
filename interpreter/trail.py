"""From the journal to what happened between two choices, by name, so that it can be compared.

The numbers inside a game depend on its rules; ids and names do not. What was only said is left out: texts may
be put in other words or another language, and the game is still the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter import ir
from interpreter.emit import type_key
from interpreter.game import Game
from interpreter.state import Chain, State

_WORDS_ONLY = ("say", "todo")
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


def happenings(state: State, since: Chain = None) -> list[Happening]:
    """What the journal has gained since it was `since`, oldest first."""
    found: list[Happening] = []
    link = state.happened
    while link is not None and link is not since:
        if link[0][1] not in _WORDS_ONLY:
            found.append(_happening(state.game, link[0]))
        link = link[1]
    return found[::-1]


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


def _happening(game: Game, raw: tuple[Any, ...]) -> Happening:
    _, what, index, old, new = raw
    entry = game.names.entry(0, raw)
    thing, old_key, new_key = _keys(game, what, index, new)
    if what == "action":
        action = game.program.actions[index]
        taken = (
            _named(game, value, type_key(p.type)) for value, p in zip(new, action.parameters, strict=True)
        )
        new = f"{action.name}({', '.join(taken)})"
    return Happening(
        what=what,
        thing=thing,
        old=_named(game, old, old_key),
        new=_named(game, new, new_key),
        text=entry.text,
        site=entry.site,
    )


def _keys(game: Game, what: str, index: int, new: Any) -> tuple[str, str, str]:
    """The thing that changes, and of what types its old and new values are."""
    match what.split(" "):
        case ["over"]:
            return "", "text", "set enum player"
        case ["action"]:
            return "", "enum player", "text"
        case ["place"]:
            return _named(game, index, "piece"), "space", "space"
        case ["roll", dice]:
            kind = type_key(next(entry.type for entry in game.program.dice if entry.name == dice))
            return "", "text", f"list {kind}" if isinstance(new, tuple) else kind
        case ["variable", name]:
            kind = type_key(next(entry.type for entry in game.program.variables if entry.name == name))
            return name, kind, kind
        case ["enum", enum, attribute]:
            kind = _attribute_key(game, "enum", attribute, enum)
            return _named(game, index, f"enum {enum}"), kind, kind
        case [owner, attribute]:
            kind = _attribute_key(game, owner, attribute, "")
            return _named(game, index, owner), kind, kind
    return "", "text", "text"


def _attribute_key(game: Game, owner: str, attribute: str, enum: str) -> str:
    for entry in game.code.layout.attributes:
        if (entry.owner, entry.attribute, entry.enum) == (owner, attribute, enum):
            return type_key(entry.type)
    return "number"


def _named(game: Game, value: Any, key: str) -> str:
    """A value by ids and names that no translation changes."""
    if value is None:
        return ""
    if key.startswith("set "):
        members = game.namespace["bits"](value)
        return "{" + ", ".join(_named(game, item, key.removeprefix("set ")) for item in members) + "}"
    if key.startswith("list "):
        return "[" + ", ".join(_named(game, item, key.removeprefix("list ")) for item in value) + "]"
    if key == "edge":
        ends = game.board.edge_ends[value] if value >= 0 else ()
        return "|".join(game.place_ids[end] for end in ends) or "nothing"
    return str(game.names.id_by_key(value, key))
