"""The story of a game: what it leaves out, what it puts together, and what it does not say twice."""

from __future__ import annotations

from ddob_rules.cli.story import Story, entries_since, trace_line
from interpreter.game import Game
from interpreter.state import State
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
    state.apply(game.find_option(state, "rout()") or 0)
    lines = [line.strip() for line in Story(game, "fr").lines(entries_since(state, 0), state)]
    assert "r1, r2, r3 : tired [2]" in lines
