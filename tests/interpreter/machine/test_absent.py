"""Players that a scenario leaves out: no turn, no offers, no questions, no seat, and they cannot win."""

from __future__ import annotations

import pytest

from interpreter.trials.simulation import play_out, simulate
from tests.running import Trial, play, trial

RULES = """\
ruleset r "R"
players red "Red", blue "Blue", green "Green"
rule 1:
  each player:
    points: number = 0
  piece unit:
    owner: player
  variable asked: text = ""
  variable more: number = 0
  priority any_of for u: unit:
    prefer lowest 1
    otherwise blue chooses "Tie?"
  sequence turn:
    phase main for each p in player: p may take actions
    phase own: blue takes 2 actions
    phase questions
  action score "Score" by p in main, own:
    when p.points < turn
    do: increase p.points by 1
  during questions:
    let one = choose from unit by blue
    let several = choose several from unit by blue
    let all_of_them = choose order of unit by blue
    let number = choose number from 3 to 5 by blue
    let sure = choose yes or no by blue
    let tied = pick by any_of from unit
    set asked to "{one}; {several}; {all_of_them}; {number}; {sure}; {tied}"
    choose by blue:
      "More": increase more by 1
      "Less": decrease more by 1
  at end of questions:
    if turn = 2: {red, blue} wins "both"
  define following(p: player): player = next_player(p)
  define takes_part(p: player): flag = some q in player where q = p
  variable there: text = ""
  variable order: text = ""
  at start of turn:
    set order to name_of({name_of(following(p)) for p in player})
    set there to "{takes_part(red)}, {takes_part(blue)}, {some q in player where q = blue}"
  score(p) = p.points
"""
SCENARIO = """\
players: [red, green]
pieces:
  unit: [{id: A, owner: red}, {id: B, owner: blue}]
"""


def played() -> Trial:
    found = trial(RULES, scenario=SCENARIO)
    asked = []
    while not found.state.over:
        asked.append(found.asked[0])
        found.answer(0)
    assert asked == ["red", "red", "green", "green"] * 2
    return found


def test_absent_player_is_never_asked() -> None:
    found = played()
    assert found["asked"] == "nothing; nothing; A, B; 3; no; A"
    assert found["more"] == "0" and found["order"] == "Green, Red"
    assert found["there"] == "yes, no, no"


def test_absent_player_cannot_win() -> None:
    found = played()
    assert found.state.winners == ("red",)
    assert "Blue" not in found.state.entries()[-1].text


def test_absent_player_has_no_seat() -> None:
    found = played()
    game = found.games[0]
    assert game.seats == ("red", "green") and list(found.state.view("red")["each"]["player"]) == [*game.seats]
    with pytest.raises(ValueError, match="there are red, green"):
        found.state.view("blue")
    start = trial(RULES, scenario=SCENARIO).state
    refusal = start.why_not("score", player="blue")
    assert refusal is not None


def test_absent_player_is_left_out_of_random_games_and_numbers() -> None:
    game = play(RULES, scenario=SCENARIO, journal=False)
    state = play_out(game, ["random"] * 3, 1)
    assert state.over and game.score(state, 1) == 0
    summary = simulate(lambda: game, {"red": "greedy"}, games=2)
    assert [name for name, _ in summary.scores] == ["red", "green"]
    with pytest.raises(ValueError, match="there are red, green"):
        simulate(lambda: game, {"blue": "greedy"}, games=1)
