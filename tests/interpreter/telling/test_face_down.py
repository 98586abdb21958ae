"""A counter that lies face down has no face: not in a view, an option, a story, or a player's head."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from ddob_rules.syntax.source import Source
from ddob_rules.syntax.translate import translate_source
from interpreter.failures import BadChoice
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.determinize import sample
from interpreter.players.kinds import make_player
from interpreter.records.saves import record
from interpreter.telling.facts import Changed, newest_first
from interpreter.telling.showing import Showing
from interpreter.telling.story import Discretion
from interpreter.trials.fuzz import FuzzReport, fuzz
from tests.interpreter.face_down_game import COUNTERS, RULES, SCENARIO
from tests.running import play, program_of


def changed(old: str, new: str) -> str:
    assert old in RULES
    return RULES.replace(old, new)


@pytest.fixture(scope="module")
def game() -> Game:
    return play(RULES, scenario=SCENARIO)


def at(game: Game, state: State, place: str) -> list[str]:
    """Who really lies there."""
    return [name for name in COUNTERS if state.at[game.piece_number[name]] == game.place_number[place]]


def told(game: Game, state: State, seat: str) -> list[str]:
    return [entry.text for entry in game.entries(state, (seat,))]


def everything(game: Game, state: State, seat: str) -> str:
    """Whatever a seat can read."""
    showing = Showing(game, state, seat)
    drawn = [showing.piece(number) for number in range(len(game.piece_ids))]
    parts: list[object] = [game.view(state, seat), told(game, state, seat), showing.status(), drawn]
    if state.choice is not None and state.choice.player == seat:
        parts.append([(option.key, option.label, option.arguments) for option in state.choice.options])
        parts.append(state.choice.prompt)
    return json.dumps(parts)


# ---------------------------------------------------------------- what is read


def test_a_view_shows_the_back_of_a_counter_and_neither_its_face_nor_its_name(game: Game) -> None:
    state = game.start(3)
    view = game.view(state, "red")
    (there,) = at(game, state, "b1")
    pool = game.view(state, None)["pieces"][there]["pool"]
    assert view["pieces"]["counter at b1"] == {
        "kind": "counter", "at": "b1", "pool": pool, "strength": None, "face_up": False, "trap": None,
        "hurt": False,
    }  # fmt: skip
    assert not set(COUNTERS) & set(view["pieces"])


def test_no_name_of_a_counter_is_read_before_it_is_turned(game: Game) -> None:
    looked = 0
    for seed in range(12):
        state, chance = game.start(seed), Chance(seed)
        while not state.over:
            changes = [fact for fact in newest_first(state.happened) if isinstance(fact, Changed)]
            turned = [fact for fact in changes if fact.column == "p_face_up" and fact.new]
            seen = {game.piece_ids[fact.thing] for fact in turned}
            for seat in ("red", "blue"):
                read = everything(game, state, seat)
                assert not [name for name in COUNTERS if name not in seen and name in read]
                looked += 1
            state.take(chance.below(len(state.options)))
    assert looked > 100


def test_a_counter_that_is_turned_up_tells_what_it_is_and_one_that_is_turned_down_has_no_name(
    game: Game,
) -> None:
    state = game.start(3)
    (there,) = at(game, state, "b1")
    strength = game.view(state, None)["pieces"][there]["strength"]
    state.apply("probe(counter at b1)")
    trap = ", trap" if there in ("cobra", "fox") else ""
    lines = told(game, state, "red")
    assert "Red: Look at Counter in b1" in lines
    assert "Red looks at Counter in b1" in lines
    assert f"Counter in b1 is {there}, strength {strength}{trap}" in lines
    assert bool(trap) == (f"{there} is turned face down" in lines)
    assert (there in game.view(state, "red")["pieces"]) != bool(trap)


def test_all_seeing_eyes_read_names(game: Game) -> None:
    state = game.start(3)
    (there,) = at(game, state, "b1")
    state.apply("probe(counter at b1)")
    lines = [entry.text for entry in game.entries(state)]
    assert f"{there} is placed on b1" in lines
    assert f"Red looks at {there}" in lines
    assert there in game.view(state, None)["pieces"]


def test_the_owner_knows_a_piece_that_lies_face_down_and_others_do_not(game: Game) -> None:
    state = game.start(1)
    mine, theirs = game.view(state, "red")["pieces"], game.view(state, "blue")["pieces"]
    assert mine["left"]["size"] == 1 and mine["blind at b2"]["size"] is None
    assert theirs["right"]["size"] == 2 and theirs["blind at b2"]["owner"] == "red"
    keys = [option.key for option in state.choice.options] if state.choice is not None else []
    assert [key for key in keys if key.startswith("spy")] == ["spy(left)", "spy(blind at b2)"]
    state.apply("spy(left)")
    assert "left is turned face up" in told(game, state, "red")
    assert "Blind in b2 is left, size 1" in told(game, state, "blue")


def test_a_card_in_a_hand_that_a_seat_sees_has_a_face() -> None:
    rules = changed(
        "  bag reserve of counter untold\n",
        "  bag reserve of counter untold\n  pile hand of counter for each player seen by owner\n"
        "  pile shelf of counter\n",
    ).replace(
        "    put another on the(cell)\n",
        "    put another in hand(red)\n    let shelved = draw from reserve\n    put shelved in shelf\n",
    )
    game = play(rules, scenario=SCENARIO)
    state = game.start(2)
    held, shelved = at(game, state, "hand(red)"), at(game, state, "shelf")
    assert game.view(state, "red")["piles"]["hand(red)"] == held
    assert game.view(state, "blue")["piles"]["hand(red)"] == 1
    assert game.view(state, "red")["piles"]["shelf"] == ["counter at shelf"]
    assert not [line for line in told(game, state, "blue") if held[0] in line or shelved[0] in line]
    assert f"{held[0]} is placed on hand (Red)" in told(game, state, "red")


def test_a_phase_that_is_gone_through_for_counters_does_not_name_them() -> None:
    rules = changed(
        "    phase search for each p in {red, blue}: p takes 1 action\n",
        "    phase search for each c in counter at the(cell): red takes 1 action\n",
    )
    game = play(rules, scenario=SCENARIO)
    state = game.start(3)
    assert told(game, state, "red")[-1] == "search: Counter in a1"


def test_a_look_at_what_lies_face_down_reads_question_marks(game: Game) -> None:
    state = game.start(3)
    (there,) = at(game, state, "b1")
    number = game.piece_number[there]
    assert Showing(game, state, "red").piece(number) == "?=?"
    assert Showing(game, state, None).piece(number) == f"{there}={number + 1}"


def test_a_scenario_may_say_that_a_piece_begins_face_up() -> None:
    scenario = SCENARIO.replace("id: left, owner: red,", "id: left, owner: red, face_up: yes,")
    game = play(RULES, scenario=scenario)
    assert game.view(game.start(1), "blue")["pieces"]["left"]["size"] == 1


# ---------------------------------------------------------------- what is typed


def test_the_id_of_a_counter_that_lies_face_down_says_nothing(game: Game) -> None:
    state = game.start(3)
    (there,) = at(game, state, "b1")
    in_the_bag = at(game, state, "reserve")[0]
    with pytest.raises(BadChoice):
        state.copy().apply(f"probe({there})")
    answers = {str(state.why_not("probe", name, player="red")) for name in (there, in_the_bag)}
    assert answers == {f"`{name}` is not a counter of this game" for name in (there, in_the_bag)}
    assert state.why_not("probe", "counter at b1", player="red") is None
    assert state.why_not("probe", "Counter in b1", player="red") is None
    assert state.why_not("probe", there) is None  # by somebody who may see everything


def test_a_refusal_names_a_piece_as_the_seat_does() -> None:
    game = play(changed("when not c.face_up  else", "when c.hurt  else"), scenario=SCENARIO)
    refusal = game.start(3).why_not("probe", "counter at b1", player="red")
    assert refusal is not None and refusal.text == "Counter in b1 is known"


def test_options_stand_in_an_order_that_does_not_tell_which_counters_they_are_about(game: Game) -> None:
    by_place = ["a1", "a1 (2)", "b1", "a2", "b2"]
    orders = set()
    for seed in range(6):
        state = game.start(seed)
        assert state.choice is not None
        probes = [option for option in state.choice.options if option.action == "probe"]
        assert [option.key for option in probes] == [f"probe(counter at {place})" for place in by_place]
        assert sorted(option.index for option in probes) == list(range(5))
        orders.add(tuple(option.index for option in probes))
    assert len(orders) > 1


def test_the_history_of_a_counter_begins_when_it_came_face_down(game: Game) -> None:
    state = game.start(3)
    there = next(place for place in ("b1", "a2", "b2") if at(game, state, place)[0] not in ("cobra", "fox"))
    (name,) = at(game, state, there)
    history = [entry.text for entry in game.history(state, f"counter at {there}", ("red",))]
    assert history == [f"Counter is placed on {there}"]
    assert game.history(state, name, ("red",)) == []
    state.apply(f"probe(counter at {there})")
    assert game.history(state, name, ("red",))[-1].text.startswith(f"Counter in {there} is {name}")


def test_the_history_of_a_counter_that_is_turned_up_tells_only_what_could_be_followed() -> None:
    """What it did before it went back into the bag was done by some counter, and nobody knew which."""
    rules = changed(
        "  action spy ",
        '  action deal "Deal" by p in search:\n'
        "    do:\n"
        "      let another = draw from reserve\n"
        "      put another on the(cell)\n"
        "  action spy ",
    )
    one = "    - {id: deer, pool: near, strength: 4, at: reserve}\n"
    cells = SCENARIO.replace("size: [2, 2]", "size: [1, 1]").replace("at: b2", "at: a1")
    scenario = "".join(line for line in cells.splitlines(True) if "{id: " not in line or "owner" in line)
    game = play(
        rules.replace("    let another = draw from reserve\n    put another on the(cell)\n", "", 1),
        scenario=scenario.replace("  blind:", f"{one}  blind:"),
    )
    state = game.start(1)
    for taken in ("poke(counter at a1)", "take_away(counter at a1)", "deal()", "probe(counter at a1)"):
        state.apply(taken)
    history = [entry.text for entry in game.history(state, "deer", ("red",))]
    assert history == ["Counter is placed on a1", "Counter in a1 is deer, strength 4"]
    state.apply("take_away(deer)")
    state.apply("deal()")
    state.apply("probe(counter at a1)")
    known = [entry.text for entry in game.history(state, "deer", ("red",))]
    assert known[:2] == history and known[-2:] == history
    assert known[2:-2] == ["deer is turned face down", "Counter: a1 -> reserve"]


def test_what_changed_on_a_hidden_side_is_not_told_when_it_is_turned_up() -> None:
    rules = changed("    do: mark c as hurt\n", "    do:\n      mark c as hurt\n      set c.poison to 9\n")
    rules = rules.replace("    hurt: flag = no\n", "    hurt: flag = no\n    poison: number = 0 hidden\n")
    game = play(rules, scenario=SCENARIO)
    state = game.start(3)
    there = next(place for place in ("b1", "a2", "b2") if at(game, state, place)[0] not in ("cobra", "fox"))
    (name,) = at(game, state, there)
    state.apply(f"poke(counter at {there})")
    state.apply(f"probe(counter at {there})")
    discretion = Discretion(game, state, "red")
    read = [discretion.text(entry) for entry in game.history(state, name, ("red",))]
    assert f"Counter in {there}: hurt no -> yes" in read
    assert read[-1].startswith(f"Counter in {there} is {name}") and read[-1].endswith("poison 9")
    assert not [line for line in read if "poison 0" in line]


def test_a_save_of_a_game_with_counters_face_down_is_replayed(game: Game) -> None:
    state, chance = game.start(5), Chance(5)
    while not state.over:
        state.take(chance.below(len(state.options)))
    save = record(game, 5, state.choices)
    assert save.hash == state.hash()
    assert record(game, 5, [taken.key for taken in save.choices]) == save


# ---------------------------------------------------------------- what players know


def test_what_lies_face_down_is_drawn_anew_among_what_it_can_be(game: Game) -> None:
    state = game.start(3)
    (there,) = at(game, state, "b1")
    pool = game.view(state, None)["pieces"][there]["pool"]
    alike = {name for name, values in game.view(state, None)["pieces"].items() if values.get("pool") == pool}
    drawn = Counter(at(game, sample(game, state, "red", Chance(seed)), "b1")[0] for seed in range(200))
    assert set(drawn) == alike
    assert max(drawn.values()) < 100
    assert any(
        at(game, state, "reserve") != at(game, sample(game, state, "red", Chance(s)), "reserve")
        for s in range(9)
    )


def test_what_a_seat_knows_stays_where_it_is(game: Game) -> None:
    state = game.start(3)
    place = next(place for place in ("b1", "a2", "b2") if at(game, state, place)[0] not in ("cobra", "fox"))
    state.apply(f"probe(counter at {place})")
    for seed in range(20):
        other = sample(game, state, "red", Chance(seed))
        assert at(game, other, place) == at(game, state, place)
        assert other.at[game.piece_number["left"]] == state.at[game.piece_number["left"]]


def test_a_drawn_position_reads_the_same_to_the_letter(game: Game) -> None:
    for seed in range(12):
        state, chance = game.start(seed), Chance(seed)
        for _ in range(seed % 6):
            state.take(chance.below(len(state.options)))
        for seat in ("red", "blue"):
            drawn = sample(game, state, seat, Chance(seed), veiled=False)
            assert json.dumps(game.view(drawn, seat)) == json.dumps(game.view(state, seat))


@pytest.mark.parametrize("kind", ["greedy", "search:40"])
def test_a_player_does_not_find_the_best_counter_among_those_that_look_alike(game: Game, kind: str) -> None:
    """The score is the strength that is found; a player who knew the faces would always take the best."""
    scenario = SCENARIO.replace("pool: far", "pool: near")
    game = play(RULES, scenario=scenario)
    state = game.start(4)
    faces = {option.index: option.key for option in state.choice.options} if state.choice is not None else {}
    taken = Counter(faces[make_player(kind, seed).choose(state)] for seed in range(30))
    assert len([key for key in taken if key.startswith("probe")]) >= 3


# ---------------------------------------------------------------- what the fuzzer finds


def tried(rules: str) -> FuzzReport:
    return fuzz(lambda options, overlays: play(rules, scenario=SCENARIO), games=6, every=1)


def test_a_game_with_counters_face_down_leaks_nothing() -> None:
    assert tried(RULES).findings == ()


LEAKS = {
    "an option": changed('shown as "Look at {c}"', 'shown as "Look at {c}, {c.strength}"'),
    "the status": RULES + 'rule 4:\n  status "{sum(c.strength for c in counter at the(cell))}"\n',
    "the board": changed(
        "  space cell on square board\n", '  space cell on square board:\n    shown as "{best(it)}"\n'
    )
    + "rule 4:\n  define best(x: cell): number = sum(c.strength for c in counter at x)\n",
    "a sentence": changed('say "{p} looks at {c}"', 'say "{p} looks for the goose"').replace(
        'goose"', 'goose, fox and deer"'
    ),
    "a word on the hidden side": changed(
        "    hurt: flag = no\n", "    hurt: flag = no\n    call: text hidden\n"
    ).replace("do: mark c as hurt", 'do:\n      mark c as hurt\n      say "It says {c.call}"'),
}


@pytest.mark.parametrize("where", LEAKS)
def test_a_leak_is_found(where: str) -> None:
    rules = LEAKS[where]
    scenario = SCENARIO
    if "call:" in rules:
        for name in COUNTERS:
            scenario = scenario.replace(f"id: {name},", f"id: {name}, call: {name}call,")
    report = fuzz(lambda options, overlays: play(rules, scenario=scenario), games=6, every=1)
    assert {finding.kind for finding in report.findings} == {"leak"}


# ---------------------------------------------------------------- in French


def test_the_same_rules_in_french_are_the_same_game() -> None:
    french, problems = translate_source(Source("blinds.rules", RULES), "fr")
    assert problems == []
    assert "    strength: nombre caché\n" in french
    assert "retourner c face visible" in french and "face cachée" in french
    assert "when" not in french.split() and "c.face_visible" in french
    assert program_of(french).hash == program_of(RULES).hash
