"""Why an action is not allowed: not the time, not the player, or the first condition that fails.

And why a question does not offer a thing: the first of its reasons that applies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.ir import Site, Type
from interpreter.passes.analysis import identifier

if TYPE_CHECKING:
    from interpreter.machine.game import Game
    from interpreter.machine.state import State


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first condition that fails: its words, the rule numbers it cites, and where it stands."""

    text: str
    rules: tuple[str, ...]
    site: Site | None = None
    met: int = 0  # so many conditions of the action hold; all of them if it only waits for its time

    def __str__(self) -> str:
        return f"{self.text} ({', '.join(self.rules)})" if self.rules else self.text


def why_not(
    game: Game, state: State, action: str, arguments: tuple[object, ...], player: str | None
) -> Refusal | None:
    """For an action and things by their names, in the words of the player who asks."""
    found = next((number for number, entry in enumerate(game.program.actions) if entry.name == action), None)
    if found is None:
        return Refusal(game.names.text("no such action").format(action=action), ())
    entry = game.program.actions[found]
    if len(arguments) != len(entry.parameters):
        things = ", ".join(game.names.type_title(parameter.type) for parameter in entry.parameters)
        told = game.names.text("needs" if things else "stands alone")
        return Refusal(told.format(action=game.names.action_title(entry), things=things), ())
    callings = game.callings(state, player) if player is not None else None
    values = [
        game.names.number_of(argument, p.type)
        if callings is None or p.type.tag != "piece"
        else callings.piece(str(argument))
        for argument, p in zip(arguments, entry.parameters, strict=True)
    ]
    for argument, value, parameter in zip(arguments, values, entry.parameters, strict=True):
        if value is None or not _is_of(game, value, parameter.type):
            told = game.names.text("no such thing")
            return Refusal(told.format(name=argument, kind=game.names.type_title(parameter.type)), ())
    who = (
        game.players.index(player)
        if player in game.players
        else (state.player if state.player >= 0 else game.only_actor(found))
    )
    refusal = refusal_of(game, state, who, (found, *[value for value in values if value is not None]))
    if refusal is None:
        return None
    return replace(refusal, text=game.names.spoken(refusal.text, callings))


def _is_of(game: Game, value: Any, kind: Type) -> bool:
    """Whether a piece or a space is of the kind that is wanted."""
    if kind.tag == "piece":
        return not kind.names or game.piece_kind[value] in kind.names
    spaces = kind.tag == "space" and value < len(game.spaces)
    return not kind.names or not spaces or game.spaces[value].kind in kind.names


def refusal_of(game: Game, state: State, player: int, option: tuple[Any, ...]) -> Refusal | None:
    """Why this action is not on offer: not the time, not the player, or the first failed condition."""
    action = game.program.actions[option[0]]
    game.refuel(state)
    if player in game.absent:
        return Refusal(game.names.text("not this player"), (action.site.rule,), action.site)
    failed = game.namespace[identifier("why", action.name)](state, player, *option[1:])
    if failed == -2:
        return Refusal(game.names.text("not this player"), (action.site.rule,), action.site)
    if failed >= 0:
        condition = action.conditions[failed]
        text = game.names.text("a condition fails")
        if condition.reason is not None:
            reason = game.namespace[f"{identifier('reason', action.name)}_{failed}"]
            try:
                text = str(reason(state, player, *option[1:]))
            except Exception as problem:
                game.failed(state, problem)  # words that do not fit these things are none
        return Refusal(text, condition.rules, condition.site, failed)
    if state.ask >= 0:
        ask = game.code.asks[state.ask]
        if ask.sort != "offer" or ask.group not in action.groups:
            # Two phases may have one title.
            phases = ", ".join(dict.fromkeys(map(game.names.phase_title, action.groups)))
            told = game.names.text("not now").format(phases=phases)
            return Refusal(told, (action.site.rule,), action.site, len(action.conditions))
        if player != state.player:
            told = game.names.text("not this player")
            return Refusal(told, (action.site.rule,), action.site, len(action.conditions))
    return None


def kept_out(game: Game, state: State, value: int) -> Refusal | None:
    """Why the question that is asked does not offer a thing: its own first reason; None if it has none."""
    ask, frame = game.code.asks[state.ask], state.stack[-1]
    game.refuel(state)
    if ask.chosen and game.namespace[ask.chosen](state, frame, value):
        return Refusal(game.names.text("chosen already"), (ask.site.rule,), ask.site)
    for function, rules, site in ask.reasons:
        text = str(game.namespace[function](state, frame, value))
        if text:
            return Refusal(text, rules, site)
    return None
