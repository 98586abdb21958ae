"""The story of a game: what it leaves out, what it puts together, and what it does not say twice."""

from __future__ import annotations

from ddob_rules.cli.terminal.story import Story, entries_since, trace_line
from ddob_rules.translations.catalogue import own_words
from interpreter.machine.game import Game
from interpreter.machine.state import State
from tests.running import play
from tests.telling_game import RULES, SCENARIO


def started() -> tuple[Game, State]:
    game = play(RULES, scenario=SCENARIO)
    return game, game.start(seed=1)


def taken(state: State, *keys: str) -> list[str]:
    """The story of some choices, without headings and blanks."""
    before = len(entries_since(state, 0))
    for key in keys:
        option = state.game.find_option(state, key)
        assert option is not None, key
        state.apply(option)
    lines = Story(state.game).lines(entries_since(state, before), state)
    return [line.strip() for line in lines if line.startswith("    ")]


def test_headings_say_what_a_phase_is_gone_through_for() -> None:
    game, state = started()
    state.apply(game.find_option(state, "draw_one()") or 0)
    lines = list(Story(game).lines(entries_since(state, 0), state))
    assert lines[:2] == ["Turn 1", "  Orders: Red"]
    texts = [entry.text for entry in entries_since(state, 0) if entry.what == "phase"]
    assert texts == ["Orders: Red"]


def test_bookkeeping_is_left_out_but_traced() -> None:
    _, state = started()
    lines = taken(state, "fire(r1)")
    assert not [line for line in lines if "acted" in line or "shots" in line]
    traced = "\n".join(map(trace_line, entries_since(state, 0)))
    assert "acted" in traced and "shots" in traced


def test_cards_and_piles_that_are_untold_are_left_out() -> None:
    _, state = started()
    lines = taken(state, "draw_one()")
    assert lines[0] == "Red: Draw [2]"
    assert len(lines) == 2 and lines[1].startswith("wind: 0 -> ")


def test_action_is_told_as_it_was_offered_and_its_move_not_again() -> None:
    _, state = started()
    lines = taken(state, "march(r1, b1)")
    assert lines == ["Red: r1 marches to b1 [2]", "r1: tired [2]"]


def test_a_sentence_that_tells_a_change_stands_for_it() -> None:
    _, state = started()
    assert taken(state, "float(r1)") == ["Red: Float r1 [3]", "r1 drifts to c1 [3]"]


def test_like_changes_in_a_row_are_one_line_and_an_untold_pile_is_nowhere() -> None:
    _, state = started()
    assert taken(state, "rout()") == [
        "Red: Rout [2]",
        "r1, r2, r3: tired [2]",
        "Play: r1 -> a1, r2 -> a1, r3 -> a1 [2]",
    ]


def test_what_goes_back_by_itself_is_no_news() -> None:
    _, state = started()
    lines = taken(state, "march(r1, b1)", "done", "done")
    assert state.turn == 2
    assert not [line for line in lines if "no longer" in line]


def test_a_run_that_may_go_on_is_held_back() -> None:
    game, state = started()
    story = Story(game)
    state.apply(game.find_option(state, "rout()") or 0)
    lines = list(story.lines(entries_since(state, 0), state, more=True))
    assert not [line for line in lines if "-> a1" in line]
    assert [line.strip() for line in story.rest(state)] == ["Play: r1 -> a1, r2 -> a1, r3 -> a1 [2]"]
    assert list(story.rest(state)) == []


def test_long_lists_are_broken_between_their_members() -> None:
    game, state = started()
    state.apply(game.find_option(state, "rout()") or 0)
    lines = list(Story(game, width=30).lines(entries_since(state, 0), state))
    assert [line.strip() for line in lines[-2:]] == ["Play: r1 -> a1,", "r2 -> a1, r3 -> a1 [2]"]


def test_a_story_in_french_has_french_signs() -> None:
    game, state = started()
    game.names.texts.update(own_words("fr"))
    state.apply(game.find_option(state, "rout()") or 0)
    lines = [line.strip() for line in Story(game, "fr").lines(entries_since(state, 0), state)]
    assert "r1, r2, r3 : tired [2]" in lines


LABELS = """\
ruleset labels "Labels"
players red "Red", blue "Blue"
rule 1 "All":
  piece unit:
    owner: player
    power: number seen by owner
    steps: number = 3
  card plan
  pile hand of plan for each player seen by owner
  space town in network
  define strong(u: unit): flag = u.power > 2
  sequence turn:
    phase orders for each p in player: p may take actions
  action march (u: unit, to: town) by p in orders:
    shown as "{p} sends {u} ({u.steps}) to {to}"
    when u.owner = p
    do: put u on to
  action boast (u: unit) by p in orders:
    shown as "{u} has {u.power}, {strong(u)}"
    when u.owner = p
    do: say "It boasts"
  action guess (u: unit) by p in orders:
    shown as "{u} holds {size(hand(p))} plans"
    when u.owner = p
    do: say "It guesses"
  action hide (c: plan) by p in orders:
    shown as "{c} stays in hand"
    when c in hand(p)
    do: say "It hides"
"""
LABELLED = """\
boards: {town: {spaces: [caen]}}
pieces:
  unit: [{id: R, owner: red, power: 4}]
  plan: [{id: raid, at: hand(red)}]
"""


def test_action_of_another_seat_reads_as_the_rules_say_unless_that_gives_something_away() -> None:
    game = play(LABELS, scenario=LABELLED)
    state = game.start()
    for key in ("march(R, caen)", "boast(R)", "guess(R)", "hide(raid)"):
        state.apply(game.find_option(state, key) or 0)
    told = {}
    for seat in ("red", "blue"):
        lines = Story(game).lines(entries_since(state, 0), state, seat)
        told[seat] = [line.strip() for line in lines if line.strip().startswith("Red: ")]
    assert told["red"] == [
        "Red: Red sends R (3) to Caen [1]",
        "Red: R has 4, yes [1]",
        "Red: R holds 1 plans [1]",
        "Red: raid stays in hand [1]",
    ]
    assert told["blue"] == [
        "Red: Red sends R (3) to Caen [1]",
        "Red: boast R [1]",
        "Red: guess R [1]",
        "Red: plan ? stays in hand [1]",
    ]


def test_of_others_what_is_but_a_move_may_be_told_in_short() -> None:
    game = play(LABELS, scenario=LABELLED)
    state = game.start()
    for key in ("march(R, caen)", "boast(R)"):
        state.apply(game.find_option(state, key) or 0)
    entries = entries_since(state, 0)
    for seat, told in (("red", True), ("blue", False)):
        lines = list(Story(game).in_short().lines(entries, state, seat))
        assert any("sends R" in line for line in lines) is told, lines
        assert any("It boasts" in line for line in lines), "what comes of an action beside moves is told"
