"""Dice that are pieces: rolled together or alone, kept by choice, the same in both engines."""

from __future__ import annotations

from ddob_rules.cli.terminal.story import Story
from tests.running import play, trial

RULES = """
ruleset pool "Pool" edition "1"
players able "Able", baker "Baker"
rule 1 "Dice":
  enum colour: red, white, blue
  dice battle_die: skull, star times 2, soldier times 3
  dice d6: 1..6
  piece die:
    owner: player
    colour: colour
    face: battle_die = skull
    locked: flag = no
  piece counter_die:
    owner: player
    pips: d6 = 1
  define free_dice(p: player): set of die = {d in die where d.owner = p and not d.locked}
  define any_dice(p: player): set of die or counter_die =
      {d in die where d.owner = p} + {c in counter_die where c.owner = p}
rule 2 "Rolling":
  sequence turn:
    phase rolling for each p in player: throw(p)
  procedure throw(p: player):
    roll free_dice(p)
    let kept = choose several from d in free_dice(p) by p "Which are kept?"
    for each d in kept: mark d as locked
    roll free_dice(p)
    roll the lowest(c in counter_die where c.owner = p by c.pips)
    let weather = roll 2 of d6 "weather"
    if count(d in die where d.owner = p and d.face = star) >= 2: p wins "{sum(n for n in weather)}"
    roll any_dice(p)
"""
DATA = """
pieces:
  die:
    - {id: R1, owner: able, colour: red}
    - {id: W1, owner: able, colour: white}
    - {id: B1, owner: able, colour: blue}
    - {id: r1, owner: baker, colour: red}
  counter_die:
    - {id: C1, owner: able}
    - {id: C2, owner: baker}
"""


def test_each_piece_shows_what_it_rolled_in_both_engines() -> None:
    won = 0
    for seed in range(12):
        game = trial(RULES, scenario=DATA, seed=seed)
        while not game.state.over and game.state.count < 30:
            game.answer(0)
        won += game.state.over
    assert won > 3


def test_what_is_locked_is_not_rolled_again() -> None:
    for seed in range(20):
        game = trial(RULES, scenario=DATA, seed=seed)
        before = game.of("W1", "face")
        game.answer("W1", "done")
        if game.state.over:
            continue
        entries = [entry.text for entry in game.state.journal if entry.text.startswith("W1: ")]
        assert entries[0] == f"W1: {before}"


def test_the_story_names_rolls_and_tells_a_pool_in_one_line() -> None:
    game = play(RULES, scenario=DATA)
    state = game.start(4)
    lines = list(Story(game, "en").lines(state.journal, state))
    told = [line.strip() for line in lines if "R1: " in line]
    faces = {name: state.view(None)["pieces"][name]["face"] for name in ("R1", "W1", "B1")}
    assert told == [f"{', '.join(f'{name}: {face}' for name, face in faces.items())} [2]"]
    state.apply("done")
    lines = list(Story(game, "en").lines(state.journal, state))
    assert [line for line in lines if line.strip().startswith("weather: ")]
    assert not [line for line in lines if "->" in line], lines


def test_the_pool_draws_the_same_chance_as_so_many_single_dice() -> None:
    pool, single = (
        play(RULES, scenario=DATA).start(9),
        play(RULES.replace("    roll free_dice(p)\n    let kept", SINGLE), scenario=DATA).start(9),
    )
    seen = [pool.view(None)["pieces"][name]["face"] for name in ("R1", "W1", "B1")]
    assert seen == [single.view(None)["pieces"][name]["face"] for name in ("R1", "W1", "B1")]
    assert pool.rng == single.rng


SINGLE = """    for each d in free_dice(p):
      set d.face to roll battle_die
    let kept"""
