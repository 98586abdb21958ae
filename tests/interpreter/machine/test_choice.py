"""Options are worded when they are read, and taken without a look at their words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ddob_rules import load
from interpreter.failures import BadChoice
from interpreter.machine.choice import Offer, Options
from interpreter.machine.state import State


def _options(state: State) -> Options:
    assert state.choice is not None
    return state.choice.options


@pytest.fixture
def worded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the options whose key or label was made."""
    found: list[int] = []

    def noting(make: Callable[[Offer, int], str]) -> Callable[[Offer, int], str]:
        def noted(offer: Offer, index: int) -> str:
            found.append(index)
            return make(offer, index)

        return noted

    monkeypatch.setattr(Offer, "key", noting(Offer.key))
    monkeypatch.setattr(Offer, "label", noting(Offer.label))
    return found


def test_taking_an_option_words_none(worded: list[int]) -> None:
    state = load("tic-tac-toe").start(1)
    while state.choice is not None:
        state.apply(_options(state)[-1])
    assert state.over and worded == []


def test_only_the_label_that_is_read_is_made_and_only_once(worded: list[int]) -> None:
    option = _options(load("tic-tac-toe").start(1))[4]
    assert option.label == option.label
    assert worded == [4]


def test_an_option_takes_what_its_number_takes() -> None:
    state = load("tic-tac-toe").start(1)
    by_number = [state.copy().apply(option.index) for option in _options(state)]
    by_option = [state.copy().apply(option) for option in _options(state)]
    assert len(by_number) == 9 and by_option == by_number


def test_an_option_reads_the_same_after_the_game_has_gone_on() -> None:
    game = load("pig")
    before, after = game.start(4), game.start(4)
    early = [(option.key, option.label, option.arguments, option.rule) for option in _options(before)]
    late = _options(after)
    after.apply(late[0])
    assert early and [(one.key, one.label, one.arguments, one.rule) for one in late] == early


def test_an_option_of_an_earlier_choice_is_refused_even_where_it_would_read_the_same() -> None:
    state = load("pig").start(4)
    stale = _options(state)[0]
    state.apply(stale)
    assert stale.key in [option.key for option in _options(state)]
    before = state.hash()
    with pytest.raises(BadChoice, match="is not on offer"):
        state.apply(stale)
    assert state.hash() == before


def test_an_option_of_another_game_is_refused() -> None:
    with pytest.raises(BadChoice, match="is not on offer"):
        load("pig").start(4).apply(_options(load("tic-tac-toe").start(1))[0])


def test_an_option_can_be_taken_where_its_choice_has_come_up_again() -> None:
    game = load("tic-tac-toe")
    state = game.start(1).apply(3)
    option = _options(state)[2]
    again = game.replay(1, [3])
    assert again.apply(option) == game.from_json(state.to_json()).apply(option) == state.apply(2)


def test_options_are_a_sequence() -> None:
    options = _options(load("tic-tac-toe").start(1))
    assert len(options) == 9 and len(list(options)) == 9
    assert options[2:4] == (options[2], options[3]) and options[-1] in options
    assert options == _options(load("tic-tac-toe").start(1)) and hash(options[0]) == hash(options[0])
    assert options.index(options[5]) == 5 and str(options[5]) == options[5].label
    assert repr(options[5]) == f"<option 5: {options[5].key}>" and repr(options[5]) in repr(options)
