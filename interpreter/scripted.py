"""Running one procedure of a game by name, with its questions answered from a script: how examples run.

The script is part of the state, so an example can be stopped and looked at like any game.
"""

from __future__ import annotations

from typing import Any

from interpreter.analysis import identifier
from interpreter.failures import GameOver
from interpreter.game import Game
from interpreter.runtime import DONE, PASS, enter
from interpreter.state import State


class NoAnswer(Exception):
    """The script does not say what to answer, or says something that is not on offer."""

    def __init__(self, state: State, given: str | None) -> None:
        choice = state.choice
        assert choice is not None
        self.given = given
        self.player = choice.player
        self.prompt = choice.prompt
        self.options = tuple(option.key for option in choice.options)
        self.site = choice.site
        super().__init__(given or "")


def clear(state: State) -> None:
    """Takes a state out of the sequence of play: nothing is asked, nothing is going on."""
    state.stack.clear()
    state.options, state.player, state.ask = [], -1, -1


def run_procedure(game: Game, state: State, name: str) -> None:
    """Runs a procedure without parameters to its end, answering from the script."""
    state.fuel = game.limits.steps
    entry = game.find_entry(name)
    if entry is None:
        function = game.namespace[f"p_{identifier(name)}"]
        try:
            function(state)
        except GameOver:
            state._finish()
        except Exception as problem:
            raise game.failed(state, problem) from problem
        return
    below, waiting = state.stack, (state.options, state.player, state.ask)
    state.stack = [enter(entry)]
    game.run(state)
    while state.stack and state.result is None:
        _answer(game, state, _scripted(game, state))
    if state.result is None:
        state.stack, (state.options, state.player, state.ask) = below, waiting


def play_script(game: Game, state: State) -> None:
    """Plays on in the sequence of play for as long as the script has answers."""
    _refresh(game, state)
    while state.result is None and any(key != "roll" for _, key in state.script):
        state.take(_scripted(game, state))


def _answer(game: Game, state: State, index: int) -> None:
    """As `State.take`, where the procedure may come to its end instead of to a choice."""
    state.answer = state.options[index]
    state.fuel = game.limits.steps
    game.run(state)


def _refresh(game: Game, state: State) -> None:
    """Lists the actions on offer again: the example may have changed the position since they were listed."""
    if state.result is None and state.ask >= 0 and game.code.asks[state.ask].sort == "offer":
        options: list[Any] = []
        game.namespace[f"offer_{identifier(game.code.asks[state.ask].group)}"](state, state.player, options)
        if PASS in state.options or not options:
            options.append(PASS)
        state.options = options


def _scripted(game: Game, state: State) -> int:
    """The number of the option that the script names; a single option needs no answer."""
    position = next((n for n, (_, key) in enumerate(state.script) if key != "roll"), None)
    if position is None:
        if len(state.options) == 1:
            return 0
        raise NoAnswer(state, None)
    value, key = state.script[position]
    found = _matching(game, state, value, key)
    if found is None:
        if len(state.options) == 1:
            return 0  # the answer is meant for a later question
        raise NoAnswer(state, game.names.shown(value, key))
    state.script = (*state.script[:position], *state.script[position + 1 :])
    return found


def _matching(game: Game, state: State, value: Any, key: str) -> int | None:
    if key == "text":
        wanted = str(value)
        for option in game.option_list(state):
            if wanted in (option.key, option.label):
                return option.index
        return None
    asked = game.code.asks[state.ask].type
    if key == "nothing" or (key == "flag" and asked != "flag"):
        return (
            next((n for n, option in enumerate(state.options) if option == DONE), None)
            if not value or key == "nothing"
            else None
        )
    if key != asked and {key, asked} != {"space", "pile"}:
        return None  # the same number may stand for a piece, a colour and a space
    return next((n for n, option in enumerate(state.options) if option == value), None)
