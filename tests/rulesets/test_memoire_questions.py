"""Questions of Mémoire 44: whoever asks for what is not offered is told why."""

from __future__ import annotations

import pytest

from ddob_rules import load
from interpreter.machine.state import State
from interpreter.table.asking import why_not
from interpreter.table.seen import Seen


def asked(prompt: str) -> State:
    """The first question of the game that begins with these words."""
    state = load("pegasus-bridge").start(1)
    while (choice := state.choice) is not None and not choice.prompt.startswith(prompt):
        state.take(state.count * 7 % len(state.options))
    assert state.choice is not None
    return state


@pytest.mark.parametrize(
    ("prompt", "rule", "reasons"),
    [
        ("Where does", "5.47", {"a hex at a time", "only towards one's own side"}),
        ("Which units are ordered?", "5.2", {"it is not your unit"}),
    ],
)
def test_whatever_is_not_offered_has_a_reason(prompt: str, rule: str, reasons: set[str]) -> None:
    state = asked(prompt)
    game, choice = state.game, state.choice
    assert choice is not None
    asked_about, kind = game.place_number, "hex"
    if choice.options[0].arguments[0] in game.piece_number:
        asked_about, kind = game.piece_number, "unit"
    offered = {option.arguments[0] for option in choice.options}
    told = set()
    for thing in asked_about:
        if thing in offered or kind_of(state, thing) != kind:
            continue
        (found,) = why_not(Seen(state, choice.player), [thing])
        assert found.rule in (rule, "5.1") and choice.prompt not in found.text
        told.add(found.text)
    assert reasons <= told


def kind_of(state: State, thing: str) -> str:
    """The kind of a space, or of a piece that is in play."""
    game = state.game
    if thing in game.piece_number:
        piece = game.piece_number[thing]
        return game.piece_kind[piece] if state.at[piece] >= 0 else ""
    place = game.place_number[thing]
    return game.spaces[place].kind if place < len(game.spaces) else ""
