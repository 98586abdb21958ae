"""Games for 1 to 4: who is left out has no pieces, piles, turns, seats or score."""

from __future__ import annotations

import pytest

from interpreter.machine.game import Game
from interpreter.machine.seating import player_bounds
from tests.looping import each
from tests.running import play, trial

RULES = """
ruleset raid "The Raid" edition "1"
players 1 to 4: able "Able", baker "Baker", charlie "Charlie", dog "Dog", guns "Guns" automated
rule 1 "Units":
  dice d6: 1..6
  space field
  piece unit:
    owner: player
    friend: unit optional
  card item
  pile kit of item for each player seen by owner
  each player:
    points: number = 0
rule 2 "Sequence":
  sequence turn:
    phase advance for each p in player: p may take up to 1 action
  action go "Go" (u: unit) by p in advance:
    when u.owner = p
    do:
      let n = roll d6
      increase p.points by n
  action shell "Shell" by guns in advance:
    do: say "A shell for {count(player)}"
  score(p) = p.points
rule 3 "End":
  at end of turn:
    if turn = 3: {p in player where every q in player has q.points <= p.points} wins "on points"
"""
DATA = """
boards: {field: {spaces: [beach]}}
pieces:
  unit:
    - {id: A, owner: able, at: beach, friend: D}
    - {id: B, owner: baker, at: beach, friend: A}
    - {id: C, owner: charlie, at: beach}
    - {id: D, owner: dog, at: beach}
  item:
    - {id: i1, at: kit(able)}
    - {id: i2, at: kit(dog)}
"""


def raid(*options: str, head: str = "") -> Game:
    return play(RULES, scenario=head + DATA, options=options)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_first_of_the_players_take_part_and_who_is_automated(number: int) -> None:
    game = raid("1 player" if number == 1 else f"{number} players")
    assert game.seats == (*("able", "baker", "charlie", "dog")[:number], "guns")
    assert game.piece_ids[:number] == ["A", "B", "C", "D"][:number]
    assert len([name for name in game.piece_kind if name == "unit"]) == number


def test_as_many_as_can_play_if_nobody_says_how_many() -> None:
    assert raid().options == {"4 players"}
    assert raid(head="players: 1 to 3\n").seats == ("able", "baker", "charlie", "guns")
    assert raid(head="players: 2\n").options == {"2 players"}
    assert raid(head="players: [able, dog]\n").seats == ("able", "dog")


def test_a_scenario_bounds_the_number() -> None:
    game = raid(head="players: 1 to 3\n")
    assert player_bounds(game.program, game.scenario) == (1, 3)
    assert player_bounds(raid().program, raid().scenario) == (1, 4)


def test_cards_in_the_pile_of_somebody_who_is_absent_are_not_there_either() -> None:
    game = raid("2 players")
    assert "i2" not in game.piece_ids and "i1" in game.piece_ids
    view = game.start(1).view("able")
    assert sorted(view["piles"]) == ["kit(able)", "kit(baker)", "kit(guns)"]
    assert view["pieces"]["A"]["friend"] == "nothing", "he is not there"
    assert view["pieces"]["B"]["friend"] == "A"


@pytest.mark.parametrize("number", ["1 player", "2 players", "3 players", "4 players"])
def test_only_those_who_are_there_are_asked_and_both_engines_agree(number: str) -> None:
    game = trial(RULES, scenario=DATA, options=[number])
    asked = set()
    while not game.state.over:
        asked.add(game.state.player)
        game.answer(len(game.keys) - 1 if game.state.count % 3 else 0)
    seats = {game.state.game.players.index(name) for name in game.state.game.seats}
    assert asked == seats
    for name in each(game.state.winners):
        assert name in game.state.game.seats


def test_a_game_for_four_is_not_the_position_of_a_game_for_two() -> None:
    saved = raid("2 players").start(1).to_json()
    assert raid("2 players").from_json(saved).turn == 1
    with pytest.raises(Exception, match="other options"):
        raid("3 players").from_json(saved)
