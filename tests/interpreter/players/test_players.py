"""Players choose what is allowed, see what is near, and do not look at what is hidden."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from ddob_rules import load
from interpreter.machine.chance import Chance, derive
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players import foresight
from interpreter.players.determinize import Secrets, Worlds
from interpreter.players.kinds import make_player
from interpreter.players.search import Search
from interpreter.players.sides import Sides
from interpreter.trials.simulation import play_out
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.glances import look_quickly
from tests.interpreter.secret_game import secret_game
from tests.running import play


@pytest.fixture(scope="module")
def squares() -> Game:
    return load("tic-tac-toe", journal=False)


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return secret_game(tmp_path_factory.mktemp("secrets"), journal=False)


def after(game: Game, *keys: str) -> State:
    state = game.start(1)
    for key in keys:
        state.apply(f"mark({key})")
    return state


def chosen(state: State, kind: str, seeds: Iterable[int] = range(5)) -> set[str]:
    assert state.choice is not None
    return {state.choice.options[make_player(kind, seed).choose(state)].key for seed in seeds}


@pytest.mark.parametrize("kind", ["greedy", "greedy:1", "search:60"])
def test_win_is_taken(squares: Game, kind: str) -> None:
    assert chosen(after(squares, "a1", "b1", "a2", "b2"), kind) == {"mark(a3)"}


def test_search_blocks_a_win_of_the_other_player(squares: Game) -> None:
    assert chosen(after(squares, "b2", "a1", "a2"), "search:300") == {"mark(c2)"}


def test_greedy_avoids_a_loss_at_once() -> None:
    game = load("misere-tic-tac-toe", journal=False)
    state = after(game, "a1", "b2", "a2", "c1")
    assert "mark(a3)" not in chosen(state, "greedy", range(20))


@pytest.mark.parametrize("name", ["breakthrough", "connect-four", "kuhn-poker", "pig"])
def test_looking_ahead_leads_where_taking_the_option_leads(name: str) -> None:
    game = load(name, journal=False)
    state = game.start(3)
    chance = Chance(3)
    while not state.over:
        for option in range(len(state.options)):
            seen, taken = game.look_ahead(state, option), state.copy()
            taken.take(option)
            assert (seen.result, seen.turn, seen.rng) == (taken.result, taken.turn, taken.rng)
            assert [getattr(seen, name) for name in seen.COLUMNS] == [
                getattr(taken, name) for name in seen.COLUMNS
            ]
        state.take(chance.below(len(state.options)))
    assert state.count > 1


def test_greedy_sees_what_comes_of_a_choice_that_all_make_at_once() -> None:
    game = play(
        """
ruleset loads "Loads" edition "1"
players 3 to 3: able "Able", baker "Baker", charlie "Charlie"
rule 1 "Loads":
  each player:
    load: number = 0
  sequence turn:
    phase loading:
      for each p in player at once:
        set p.load to choose number from 0 to 4 by p "How much?"
    phase resting: able may take actions
  action rest "Rest" by able in resting:
    do: end phase
  score(p) = 0 - absolute(p.load - 3)
  at end of turn: nobody wins
""",
        journal=False,
    )
    assert chosen(game.start(1), "greedy") == {"3"}


def test_random_tries_everything(squares: Game) -> None:
    assert len(chosen(squares.start(1), "random", range(80))) == 9


@pytest.mark.parametrize("kind", ["random", "greedy", "search:5"])
def test_same_seed_plays_the_same_game(secrets: Game, kind: str) -> None:
    games = [play_out(secrets, [kind, kind], 7) for _ in range(2)]
    assert games[0].choices == games[1].choices
    assert games[0].hash() == games[1].hash()


@pytest.mark.parametrize("kind", ["greedy", "search:20"])
def test_choice_does_not_depend_on_what_is_hidden(secrets: Game, kind: str) -> None:
    state = secrets.start(3)
    while state.choice is None or state.choice.sort != "offer":
        state.take(0)
    seat = secrets.player_name(state.player)
    hidden, chance = Secrets(secrets, state, seat, veiled=False), Chance(1)
    alike = [state, *(hidden.draw(chance) for _ in range(6))]
    for one in alike:
        # The size of a hidden number shows in what is drawn for it; everything else does not.
        for name in ("v_storm", "n_player_Z_bid"):
            setattr(one, name, getattr(state, name))
    assert len({one.hash() for one in alike}) > 1
    for seed in range(6):
        assert len({make_player(kind, seed).choose(one) for one in alike}) == 1


def test_highest_card_never_folds_and_lowest_never_calls() -> None:
    game = load("kuhn-poker", journal=False)
    for seed in range(12):
        state = game.start(seed).apply("bet()")
        hand = game.view(state, "ben")["piles"]["hand(ben)"]
        found = chosen(state, "search:80", range(2))
        if hand == ["king"]:
            assert found == {"call()"}
        if hand == ["jack"]:
            assert found == {"fold()"}


def test_search_goes_through_many_options_with_few_playouts(squares: Game) -> None:
    assert 0 <= Search(1, playouts=1).choose(squares.start(1)) < 9


@pytest.mark.parametrize(
    "kind", ["serch", "search:", "search:0", "search:-1", "search:x", "random:3", "", "search:٣"]
)
def test_unknown_kind_says_which_there_are(kind: str) -> None:
    with pytest.raises(ValueError, match=r"the kinds are random, greedy, greedy:N, search, search:N"):
        make_player(kind, 0)


GAMBLES = """\
ruleset gambles "Gambles"
players ann "Ann"
rule 1:
  dice wheel: red, green, blue, black, white, gold
  each player:
    points: number = 0
  sequence turn:
    phase bet: ann takes 1 action
  action gamble "Gamble" (colour: wheel) by p in bet:
    do:
      let stopped = roll wheel
      if stopped = colour: increase p.points by 12
  action save "Save" by p in bet:
    do: increase p.points by 4
  score(p) = p.points
"""


@pytest.mark.parametrize(("kind", "often"), [("greedy", 20), ("greedy:16", 27), ("search", 26)])
def test_what_was_lucky_once_is_looked_at_again(kind: str, often: int) -> None:
    state = play(GAMBLES, scenario="turns: 3\n", journal=False).start(1)
    # Six gambles are worth two points on average, and one of them looks like twelve; four are certain.
    found = [chosen(state, kind, [seed]) for seed in range(30)]
    assert found.count({"save()"}) >= often


#: Nobody knows the number; it matters to who guesses, not to who walks. A walk asks where to.
WALKS = """\
ruleset walks "Walks"
players ann "Ann"
rule 1:
  enum bearing: north, east, south, west
  enum walker: w1, w2, w3, w4, w5, w6, w7, w8, w9
  variable secret_number: number = 5 seen by nobody
  variable points: number = 0
  sequence turn:
    phase going: ann takes 1 action
  action walk "Walk" (w: walker) by p in going:
    do:
      let b = choose from b in bearing by p
      increase points by (2 if w = w7 and b = west otherwise 0)
  action guess "Guess" by p in going:
    do:
      increase points by (1 if secret_number > 3 otherwise 0)
  score(p) = points
"""


def looks_at(state: State, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often greedy looks at each option when it is asked five times."""
    assert state.choice is not None
    keys = [option.key for option in state.choice.options]
    looks: Counter[str] = Counter()
    weighed = foresight._weighed

    def counted(position: State, option: int, *rest: Any) -> tuple[tuple[int, int], bool]:
        looks[keys[option]] += 1
        return weighed(position, option, *rest)

    monkeypatch.setattr(foresight, "_weighed", counted)
    assert chosen(state, "greedy:40") == {"walk(w7)"}
    return looks


def test_where_nothing_hidden_matters_two_looks_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    state = play(WALKS, scenario="turns: 3\n", journal=False).start(1)
    looks = looks_at(state, monkeypatch)
    assert max(count for key, count in looks.items() if key.startswith("walk")) <= 2 * 5
    assert looks["guess()"] > 2 * 5


def test_what_holds_for_some_uses_of_an_action_is_taken_to_hold_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walkers = ", ".join(f"w{number}" for number in range(1, 21))
    many = re.sub(r"enum walker: .*", f"enum walker: {walkers}", WALKS)
    looks = looks_at(play(many, scenario="turns: 3\n", journal=False).start(1), monkeypatch)
    walks = [count for key, count in looks.items() if key.startswith("walk")]
    assert sum(walks) <= (20 + 6) * 5, "six walks are looked at twice"
    assert looks["guess()"] > 2 * 5, "a guess is another action"


#: What a blow costs comes first; what it gains, when the other player has chosen.
BLOWS = """\
ruleset blows "Blows"
players ann "Ann", ben "Ben"
rule 1:
  enum wing: left, right
  each player:
    strength: number = 10
  sequence turn:
    phase fight: ann takes 1 action
  action strike "Strike" by p in fight:
    do:
      decrease ann.strength by 1
      let w = choose from w in wing by ben "Which wing is hit?"
      decrease ben.strength by (3 if w = left otherwise 2)
  action wait "Wait" by p in fight:
    do: increase ann.strength by 0
  victory beaten(q: player) as soon as q.strength <= 0: {p in player where p != q} wins
  score(p) = p.strength
"""


@pytest.mark.parametrize("quick", [False, True] if host.available() else [False])
def test_what_an_action_comes_to_is_seen_when_the_others_have_answered(quick: bool) -> None:
    game = play(BLOWS, scenario="turns: 3\n", journal=False)
    if quick:
        look_quickly(game, FastGame(game).runner())
    assert chosen(game.start(1), "greedy") == {"strike()"}


#: To dig costs a coin before anything is found; what is found lies one action further.
DIGGING = """\
ruleset digging "Digging"
players ann "Ann"
rule 1:
  dice d6: 1..6
  enum place: hill, field
  enum spot: north, south, east
  variable coins: number = 10
  sequence turn:
    phase day: ann takes 1 action
  phase dig "Dig" (x: place):
    dig_at: place = x
    phase holes "Holes": ann may take actions
  action start "Start" (x: place) by p in day:
    do:
      decrease coins by 1
      run phase dig(x)
  action open_hole "Open" (y: spot) by p in holes:
    limit 1 in phase  else "one hole a day"
    do:
      let rolled = roll d6
      {found}
  action rest "Rest" by p in day:
    do: increase coins by 0
  score(p) = coins
"""


@pytest.mark.parametrize("quick", [False, True] if host.available() else [False])
@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ("increase coins by (3 if dig_at = hill and y = east otherwise 0 - 3)", {"start(hill)"}),
        ("decrease coins by 3", {"rest()"}),
        # A throw that loses more than it wins is not taken for the throw that would win.
        ("increase coins by (4 if rolled > 4 otherwise 0 - 3)", {"rest()"}),
    ],
    ids=["gain", "loss", "gamble"],
)
def test_an_action_is_worth_what_it_opens(quick: bool, found: str, wanted: set[str]) -> None:
    game = play(DIGGING.format(found=found), scenario="turns: 3\n", journal=False)
    if quick:
        look_quickly(game, FastGame(game).runner())
    assert chosen(game.start(1), "greedy:16") == wanted


#: Many things can be done, and all of them are worth doing, or one, or none.
ERRANDS = """\
ruleset errands "Errands"
players ann "Ann"
rule 1:
  enum errand: {errands}
  variable points: number = 0
  sequence turn:
    phase going: ann may take actions
  action run "Run" (e: errand) by p in going:
    do: increase points by ({worth})
  score(p) = points
"""


def errands(count: int, worth: str) -> State:
    rules = ERRANDS.format(errands=", ".join(f"e{number}" for number in range(1, count + 1)), worth=worth)
    return play(rules, scenario="turns: 3\n", journal=False).start(1)


@pytest.mark.parametrize(("worth", "wanted"), [("1 if e = e7 otherwise 0", "run(e7)"), ("0", "pass")])
@pytest.mark.parametrize("count", [30, 120])
def test_who_gains_nothing_by_any_of_many_options_passes(worth: str, wanted: str, count: int) -> None:
    assert chosen(errands(count, worth), "greedy") == {wanted}


def test_of_very_many_things_to_do_only_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: set[int] = set()
    weighed = foresight._weighed

    def counted(position: State, option: int, *rest: Any) -> tuple[tuple[int, int], bool]:
        looks.add(option)
        return weighed(position, option, *rest)

    monkeypatch.setattr(foresight, "_weighed", counted)
    state = errands(120, "1")
    make_player("greedy", 1).choose(state)
    assert len(looks) == foresight._GROUP + 1, "a group, and passing"
    assert len(foresight.ranked(*seen_by_ann(state), 1, Chance(1), most=121)) == 121
    assert len(looks) == 121, "who wants to know all is told of all"


def seen_by_ann(state: State) -> tuple[Worlds, Sides]:
    return Worlds(Secrets(state.game, state, "ann"), 1), Sides(state.game, state)


ALLIES = """\
ruleset allies "Allies"
players ann "Ann", pal "Pal", foe "Foe" automated
rule 1:
  variable ground: number = 10
  sequence turn:
    phase advance: ann takes 1 action
  action creep "Creep" by p in advance:
    do: increase ground by 1
  action run "Run" by p in advance:
    do: increase ground by 3
  score(p) = -ground if p = foe otherwise ground
"""


def test_search_gains_ground_though_a_friend_gains_the_same() -> None:
    state = play(ALLIES, scenario="turns: 30\n", journal=False).start(1)
    assert chosen(state, "search:20") == {"run()"}


#: A long game, so playouts end a turn later. Who scouts gains less than who marches, in other weather.
MARCH = """\
ruleset march "March"
players ann "Ann"
rule 1:
  dice weather: 1..100
  variable way, debts: number = 0
  sequence turn:
    phase go: ann takes 1 action
    phase camp: ann takes 1 action
  at end of turn:
    let weather_now = roll weather
    increase way by weather_now
    decrease way by debts
    set debts to 0
  action march "March" by p in go:
    do: increase way by 3
  action scout "Scout" by p in go:
    do:
      let seen = roll weather
      increase way by (2 if seen > 0 otherwise 0)
  action borrow "Borrow" by p in go:
    do:
      increase way by 4
      set debts to 12
  action rest "Rest" by p in camp:
    do: increase way by 0
  action sing "Sing" by p in camp:
    do: increase way by 0
  score(p) = way
"""


def test_search_keeps_what_looks_best_unless_another_does_better_by_more_than_luck() -> None:
    game = play(MARCH, scenario="turns: 200\n", journal=False)
    assert chosen(game.start(1), "greedy") == {"borrow()"}
    found = [chosen(game.start(seed), "search", [seed]) for seed in range(20)]
    # What is borrowed is paid back when the turn ends. A scout is now lucky, now not.
    assert found.count({"borrow()"}) == 0
    assert found.count({"march()"}) >= 17


def test_misspelt_kind_gets_a_suggestion() -> None:
    with pytest.raises(ValueError, match="did you mean `search`"):
        make_player("serch:20", 0)


def test_derived_seeds_differ() -> None:
    seeds = {derive(seed, number) for seed in range(-5, 5) for number in range(-5, 20)}
    assert len(seeds) == 250
    assert derive(1, 2, 3) == derive(derive(1, 2), 3)
