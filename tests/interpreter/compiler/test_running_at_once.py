"""Choices at once: sealed until all are in, told to nobody before, the same in both engines."""

from __future__ import annotations

from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.players.determinize import Secrets
from interpreter.players.kinds import make_player
from interpreter.trials.fuzz import fuzz
from tests.running import play, trial

RULES = """
ruleset bids "Bids" edition "1"
players 2 to 3: able "Able", baker "Baker", charlie "Charlie"
rule 1 "Bids":
  each player:
    bid: number = 0
    chest: number = 5
    bold: flag = no
  variable raised: number = 0
  piece squad:
    owner: player
    plan: stay | go = stay
  sequence turn:
    phase bidding:
      for each p in player at once:
        set p.bid to choose number from 0 to p.chest by p "What do you bid?"
        if p.bid > 3:
          let sure = choose yes or no by p "Are you sure?"
          if sure: mark p as bold
          otherwise: set p.bid to 1
    phase plans:
      for each s in squad where s.owner != nothing at once:
        set s.plan to choose from x in plan by s.owner
    phase paying:
      for each p in player: decrease p.chest by p.bid
  trigger raises(p: player) after p.bid changes: increase raised by 1
  at end of turn:
    if turn = 2: {p in player where every q in player has q.bid <= p.bid} wins
"""
DATA = """
pieces:
  squad:
    - {id: A, owner: able}
    - {id: B, owner: baker}
"""


def bids(*, journal: bool = True) -> Game:
    return play(RULES, scenario=DATA, journal=journal, options=["2 players"])


def test_nothing_is_changed_before_the_last_answer_and_everything_after_it() -> None:
    game = trial(RULES, scenario=DATA, options=["2 players"])
    assert game.asked == ("able", "What do you bid?")
    game.answer("4")
    assert game.asked == ("able", "Are you sure?")
    game.answer("yes")
    assert game.asked == ("baker", "What do you bid?")
    players = game.state.view(None)["each"]["player"]
    assert players["able"] == {"bid": 0, "chest": 5, "bold": False} and game["raised"] == "0"
    game.answer("2")
    players = game.state.view(None)["each"]["player"]
    assert [players[name]["bid"] for name in ("able", "baker")] == [4, 2]
    assert players["able"]["bold"] and game["raised"] == "2"
    game.answer("go", "stay", "0", "0", "stay", "stay")
    assert game.state.over


def test_who_is_asked_later_sees_reads_and_is_offered_the_same_whatever_was_sealed() -> None:
    seen = []
    for bid in ("0", "1", "3"):
        state = bids().start(3).apply(bid)
        assert state.choice is not None and state.choice.player == "baker"
        told = [entry.text for entry in state.game.entries(state, ["baker"])]
        story = [text for text in told if "sealed" not in text]
        options = [option.key for option in state.choice.options]
        seen.append((state.view("baker"), story, options, state.choice.prompt))
    assert seen[0] == seen[1] == seen[2]


def test_players_of_the_computer_do_not_know_what_was_sealed() -> None:
    positions = []
    for bid in ("0", "1", "3"):
        state = bids(journal=False).start(3).apply(bid)
        drawn = Secrets(state.game, state, "baker").draw(Chance(7))
        drawn.past, drawn.count = None, 0
        positions.append(drawn.view(None))
        column = next(name for name in state.game.columns if "sealed" in state.game.columns[name].attribute)
        assert getattr(drawn, column)[0] == 0
    assert positions[0] == positions[1] == positions[2]
    chosen = {make_player("search", 5).choose(bids(journal=False).start(3).apply(bid)) for bid in ("0", "1")}
    assert len(chosen) == 1


def test_random_games_find_no_leak_and_survive_saving() -> None:
    report = fuzz(lambda options, overlays: bids(), games=6, every=1)
    assert report.findings == () and report.games == 6
