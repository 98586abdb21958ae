"""Running one procedure of a game by name, with its questions answered from a script: how examples run.

The script is part of the state, so an example can be stopped and looked at like any game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter import ir
from interpreter.compiler.blocks import DONE, PASS
from interpreter.failures import GameOver
from interpreter.machine.game import Game
from interpreter.machine.runtime import enter
from interpreter.machine.state import State
from interpreter.passes.analysis import identifier

#: From a position in which something is asked to the number of an option.
Choose = Callable[[State], int]


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


def set_up(game: Game, seed: int) -> State:
    """A position outside the sequence of play: set up as far as that asks nothing, before the first turn."""
    state = game.opening(seed)
    entry = game.find_entry("setup")
    if entry is None:
        run_procedure(game, state, "setup")
    else:
        state.stack = [enter(entry)]
        game.run(state)
    if state.result is None:
        state.stack.clear()
        state.options, state.player, state.ask = [], -1, -1
        state.turn = game.scenario.first_turn
        forget(state)
    return state


def forget(state: State) -> None:
    """What was remembered of the position holds no longer: something changed that no rule has changed."""
    for memory in state.MEMORIES:
        setattr(state, memory, None)


def run_procedure(game: Game, state: State, name: str, choose: Choose | None = None) -> None:
    """Runs a procedure without parameters to its end; the script answers, or `choose` where it does not."""
    game.refuel(state)
    entry = game.find_entry(name)
    if entry is None:
        function = game.namespace[identifier("p", name)]
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
        _answer(game, state, _chosen(game, state, choose))
    if state.result is None:
        state.stack, (state.options, state.player, state.ask) = below, waiting


def play_script(game: Game, state: State, choose: Choose | None = None) -> None:
    """Plays on in the sequence of play for as long as the script has answers."""
    _refresh(game, state)
    while state.result is None and not all(rolled for *_, rolled in state.script):
        state.take(_chosen(game, state, choose))


def _chosen(game: Game, state: State, choose: Choose | None) -> int:
    """As the script says; where it says nothing that fits, as whoever chooses does."""
    if choose is None:
        return _scripted(game, state)
    try:
        return _scripted(game, state)
    except NoAnswer:
        return choose(state)


def _answer(game: Game, state: State, index: int) -> None:
    """As `State.take`, where the procedure may come to its end instead of to a choice."""
    state.answer = state.options[index]
    game.run(state)


def _refresh(game: Game, state: State) -> None:
    """Lists the actions on offer again: the example may have changed the position since they were listed."""
    if state.result is None and state.ask >= 0 and game.code.asks[state.ask].sort == "offer":
        options: list[Any] = []
        game.namespace[identifier("offer", game.code.asks[state.ask].group)](state, state.player, options)
        if PASS in state.options or not options:
            options.append(PASS)
        state.options = options


def _scripted(game: Game, state: State) -> int:
    """The number of the option that the script names; a single option needs no answer."""
    answers = ((n, value, kind) for n, (value, kind, rolled) in enumerate(state.script) if not rolled)
    found = next(answers, None)
    if found is None:
        if len(state.options) == 1:
            return 0
        raise NoAnswer(state, None)
    position, value, kind = found
    index = _matching(game, state, value, kind)
    if index is None:
        if len(state.options) == 1:
            return 0  # the answer is meant for a later question
        raise NoAnswer(state, game.names.shown(value, kind))
    state.script = (*state.script[:position], *state.script[position + 1 :])
    return index


def _matching(game: Game, state: State, value: Any, kind: ir.Type) -> int | None:
    asked = game.code.asks[state.ask].type
    # Of a map whose places have numbers, `answer 1119` is a place as `put u on 1119` is.
    if kind == ir.TEXT or (kind == ir.NUMBER and asked.tag in ("space", "piece")):
        wanted = str(value)
        for option in game.option_list(state):
            if wanted in (option.key, option.label):
                return option.index
        return None
    if kind == ir.NOTHING or (kind == ir.FLAG and asked != ir.FLAG):
        return (
            next((n for n, option in enumerate(state.options) if option == DONE), None)
            if not value or kind == ir.NOTHING
            else None
        )
    if not kind.alike(asked):
        return None  # the same number may stand for a piece, a colour and a space
    return next((n for n, option in enumerate(state.options) if option == value), None)
