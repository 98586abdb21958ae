"""What was openly seen when it happened stays told by its name; what was not, does not get one."""

from __future__ import annotations

import re
from random import Random

import pytest

from ddob_rules.cli.terminal.story import Story, entries_since
from interpreter import Game
from interpreter.machine.state import State
from interpreter.table.seen import Seen
from interpreter.table.story import story_of
from interpreter.telling.story import Discretion
from tests.interpreter import face_down_game
from tests.looping import each
from tests.running import play

RULES = """\
ruleset cards "Cards"
players ann "Ann", ben "Ben"

rule 1 "Things":
  card trump:
    worth: number
    bent: flag = no
  deck stock of trump
  pile hand of trump for each player seen by owner
  pile table of trump
  pile vault of trump seen by nobody
  pile safe of trump seen by everyone when unlocked
  variable unlocked: flag = yes
  space cell on square board
  piece counter:
    pool: near | far
    tired: flag = no
  bag reserve of counter
  variable rounds: number = 0

rule 2 "Deal":
  setup: deal()
  procedure deal():
    shuffle stock
    for each p in player:
      repeat 2 times:
        let drawn = draw from stock
        put drawn in hand(p)
  procedure gather():
    for each c in trump: put c in stock
    for each u in counter where u.at in cell: put u in reserve
    deal()

rule 3 "Play":
  sequence turn:
    phase playing "Playing" for each p in player: p takes 1 action
    phase evening "Evening": gather()
  action show "Show" (c: trump) by p in playing:
    when c in hand(p)
    do:
      put c on table
      mark c as bent
  action hide "Hide" (c: trump) by p in playing:
    when c in hand(p)
    do: put c in vault
  action lock "Lock away" (c: trump) by p in playing:
    when c in hand(p)
    do: put c in safe
  action keep "Keep" (c: trump) by p in playing:
    when c in hand(p)
    do: mark c as bent
  action bury "Bury" (c: trump) by p in playing:
    when c in hand(p)
    do:
      put c in vault
      for each k in vault: put k on table
  action enter "Enter" by p in playing:
    do:
      let drawn = draw from reserve
      put drawn on the(cell)
      mark drawn as tired
"""
SCENARIO = """\
turns: 6
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [1, 1]
pieces:
  trump:
    - {id: acorn, worth: 1, at: stock}
    - {id: beech, worth: 2, at: stock}
    - {id: cedar, worth: 3, at: stock}
    - {id: dogwood, worth: 4, at: stock}
    - {id: elder, worth: 5, at: stock}
    - {id: fir, worth: 6, at: stock}
  counter:
    - {id: goose, pool: near, at: reserve}
    - {id: heron, pool: far, at: reserve}
"""
NAMES = ("acorn", "beech", "cedar", "dogwood", "elder", "fir", "goose", "heron")


@pytest.fixture(scope="module")
def game() -> Game:
    return play(RULES, scenario=SCENARIO)


def taken(state: State, action: str) -> str:
    """Takes the first option of an action; the name of its card."""
    assert state.choice is not None
    option = next(option for option in state.choice.options if option.key.startswith(f"{action}("))
    state.apply(option)
    return option.key.partition("(")[2].rstrip(")")


def after_the_evening(game: Game, action: str) -> tuple[State, str]:
    """Ann has done something, Ben has kept a card, and all cards were shuffled and dealt again.

    What is looked for lies in the stock then, where nobody sees it.
    """
    for seed in range(50):
        state = game.start(seed)
        card = taken(state, action)
        assert state.choice is not None and state.choice.player == "ben"
        taken(state, "keep")
        if not card or state.at[game.piece_number[card]] == game.place_number["stock"]:
            return state, card
    raise AssertionError("no seed leaves it in the stock")


def lines(state: State, seat: str) -> list[str]:
    """The whole story, as `log` tells it now."""
    return list(Story(state.game).lines(entries_since(state, 0, seat), state, seat))


def everything(state: State, seat: str) -> list[str]:
    """All that may be told, bookkeeping too."""
    discretion = Discretion(state.game, state, seat)
    return [discretion.text(entry) for entry in entries_since(state, 0, seat)]


def test_a_card_that_all_saw_keeps_its_name_when_it_is_shuffled_back(game: Game) -> None:
    state, card = after_the_evening(game, "show")
    for seat in each(("ann", "ben")):
        assert f"Ann: Show {card} [3]" in "\n".join(lines(state, seat))
        assert f"{card}: bent [3]" in "\n".join(lines(state, seat))
        assert any(line["text"] == f"Ann: Show {card}" for line in story_of(Seen(state, seat)))
    assert any(card in text and "table" in text for text in everything(state, "ben"))


def test_a_counter_that_all_saw_keeps_its_name_in_the_bag(game: Game) -> None:
    state, _ = after_the_evening(game, "enter")
    told = "\n".join(lines(state, "ben"))
    assert re.search(r"(goose|heron) is placed on a1", told, re.IGNORECASE)
    assert re.search(r"(goose|heron): tired", told, re.IGNORECASE)


@pytest.mark.parametrize("action", ["hide", "lock", "keep", "bury"])
def test_what_only_one_saw_has_a_name_for_nobody_else(game: Game, action: str) -> None:
    # `lock`: the safe can be looked into then, but only under a condition. `bury`: it lay hidden first, so
    # that the card on the table need not be the one that was buried.
    state, card = after_the_evening(game, action)
    title = {"hide": "Hide", "lock": "Lock away", "keep": "Keep", "bury": "Bury"}[action]
    assert f"Ann: {title} {card} [3]" in "\n".join(lines(state, "ann"))
    told = "\n".join(lines(state, "ben"))
    assert f"{title} {card}" not in told and f"Ann: {title}" in told
    if action != "bury":
        assert not any(card in text for text in everything(state, "ben"))


@pytest.mark.parametrize("turned", [True, False])
def test_a_counter_with_a_hidden_side_is_told_as_it_was_seen(turned: bool) -> None:
    game = play(face_down_game.RULES, scenario=face_down_game.SCENARIO)
    state = game.start(3)
    names = [action.name for action in game.program.actions]
    pieces = [game.piece_number[name] for name in face_down_game.COUNTERS]
    places = [state.at[piece] for piece in pieces]
    piece = next(piece for piece in pieces if places.count(state.at[piece]) == 1)
    place, name = game.place_ids[state.at[piece]], game.piece_ids[piece]
    for action in (*(["probe"] if turned else []), "poke", "take_away"):
        state.take(state.options.index((names.index(action), piece)))
    assert game.place_ids[state.at[piece]] == "reserve"
    for seat in each(("red", "blue")):
        texts = everything(state, seat)
        assert any(text.startswith(f"Counter in {place} is {name}") for text in texts) == turned
        assert any(name in text for text in texts) == turned


def test_nobody_is_told_a_name_that_he_never_saw(game: Game) -> None:
    """Random games: what a seat is told of all that happened are names that it has seen itself."""
    named = 0
    for seed in range(30):
        chance = Random(seed)
        state = game.start(seed)
        seen: dict[str, set[str]] = {"ann": set(), "ben": set()}
        while True:
            for seat, known in seen.items():
                known.update(game.view(state, seat)["pieces"])
                # What is laid on the table goes back to the stock before anybody is asked again.
                known.update(_laid_open(state))
            if state.over:
                break
            state.take(chance.randrange(len(state.options)))
        for seat, known in seen.items():
            told = {
                name
                for text in everything(state, seat)
                for name in NAMES
                if re.search(rf"\b{name}\b", text, re.I)
            }
            named += len(told)
            assert told <= known, (seed, seat)
    assert named > 100


def _laid_open(state: State) -> set[str]:
    """The pieces that the whole truth says were put where all see them."""
    texts = [
        entry.text for entry in state.game.entries(state) if re.search(r"(on|->|in) (table|a1)\b", entry.text)
    ]
    return {name for text in texts for name in NAMES if re.search(rf"\b{name}\b", text, re.I)}
