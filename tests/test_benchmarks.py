"""The benchmarks run and give a table. How fast anything is, no test says: that depends on the machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from re import Pattern

import pytest

from benchmarks import (
    balance,
    checking,
    editing,
    engines,
    growth,
    omaha,
    overlays,
    players,
    playouts,
    rewrites,
    rules_profile,
    run,
    thinking,
)
from benchmarks.rules_profile import Looks, profiled, profiled_fast
from benchmarks.series import by_choices, taking_turns
from benchmarks.timing import Row, Sizes, interleaved, only_new_objects, ratio, repeated
from ddob_rules import load
from ddob_rules.library.finding import find_scenario
from interpreter.passes.analysis import identifier
from interpreter.wasm import host
from interpreter.wasm.engine import FastGame
from interpreter.wasm.writing.wat import safe

TINY = Sizes(rounds=1, seconds=0.0001, series=4, lines=(40, 80), choices=40, loads=1, games=3)


@pytest.fixture(autouse=True)
def _nothing_of_other_tests() -> Iterator[None]:
    """What is timed collects garbage first, and does not look through the rulesets that tests have loaded."""
    with only_new_objects():
        yield


@pytest.mark.parametrize("part", sorted(run.PARTS))
def test_each_part_of_the_benchmarks_gives_rows_with_ratios(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Large games take their time; whether the parts work, a small one tells as well.
    monkeypatch.setattr(engines, "GAMES", {"breakthrough": 1})
    monkeypatch.setattr(engines, "_COPIED", "pegasus-bridge")
    monkeypatch.setattr(omaha, "SCENARIO", "pegasus-bridge")
    monkeypatch.setattr(thinking, "_SCENARIO", "pegasus-bridge")
    monkeypatch.setattr(editing, "_RULESET", "memoire-44")
    rows = run.measure(TINY, [part])
    assert rows
    for row in rows:
        if row.ratio is None:
            assert row.machine == "not installed"
        elif row.against == omaha.WHOLE:
            # A small game may be over before anybody looks while its options are listed.
            assert 0 <= row.ratio <= 1
        else:
            assert row.ratio > 0


def test_table_has_a_line_for_each_row_and_a_dash_for_what_is_not_installed() -> None:
    rows = [
        Row(subject="games", against="plain", ratio=2.125, wanted="at least 2", machine="fast"),
        Row(subject="games", against="another", ratio=None, wanted="as it is", machine="not installed"),
    ]
    assert run.table(rows).splitlines()[2:] == [
        "| games | plain | 2.12 | at least 2 | fast |",
        "| games | another | - | as it is | not installed |",
    ]


def test_command_prints_the_table_and_writes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "QUICK", TINY)
    page = tmp_path / "benchmarks.md"
    run.main(["--quick", "--only", "copying", "--write", str(page)])
    printed = capsys.readouterr().out
    assert printed.startswith("| what | against | ratio | wanted | this machine |")
    assert page.read_text(encoding="utf-8").endswith(printed)


def test_rows_take_the_place_of_those_before_and_leave_the_page_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    one = Row(subject="games", against="plain", ratio=2.0, wanted="at least 2", machine="slow")
    other = replace(one, against="another")
    page.write_text(
        "# Speed\n\nHow fast.\n\nPython 2.7, vax.\n\n" + run.table([one, other]), encoding="utf-8"
    )
    run.put_into(page, [replace(one, ratio=3.0), replace(one, subject="copies")])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Speed\n\nHow fast.\n\nPython 3.") and "vax" not in text
    expected = [replace(one, ratio=3.0), other, replace(one, subject="copies")]
    assert text.endswith(run.table(expected)) and text.count("| what |") == 1


def test_contestants_take_turns_and_each_round_begins_with_another() -> None:
    order: list[str] = []

    def contestant(name: str) -> float:
        order.append(name)
        return 1.0

    sizes = Sizes(rounds=2, seconds=1.0, series=1, lines=(1, 1), choices=1, loads=1, games=1)
    found = interleaved({"a": lambda count: contestant("a"), "b": lambda count: contestant("b")}, sizes)
    assert order[2:] == ["a", "b", "b", "a"]  # the first two find out how much work a turn is
    assert found == {"a": [1.0, 1.0], "b": [1.0, 1.0]}


def test_ratio_is_the_median_over_the_rounds() -> None:
    assert ratio([2.0, 30.0, 3.0], [1.0, 1.0, 1.0]) == 3.0


def test_repeated_work_is_done_as_often_as_asked() -> None:
    done: list[int] = []
    assert repeated(lambda: done.append(1))(5) >= 0
    assert len(done) == 5


def test_large_rules_have_the_asked_number_of_lines_and_check_without_a_finding() -> None:
    text = checking.large_rules(200)
    assert 200 <= text.count("\n") < 230
    assert checking.check_seconds(text) > 0


def test_long_game_does_not_end_early() -> None:
    game = growth.endless_game(journal=True, choices=200)
    assert len(growth.window_times(game, 200)) == 20


def test_openspiel_is_left_out_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert playouts.openspiel_playout("tic-tac-toe", Random(1)) is None
    assert playouts.openspiel_rollouts("tic-tac-toe", Random(1)) is None


def test_openspiel_plays_as_many_games_as_are_asked_for() -> None:
    pytest.importorskip("pyspiel")
    rollouts = playouts.openspiel_rollouts("tic-tac-toe", Random(1))
    assert rollouts is not None and rollouts(1000) > 0


def test_lines_of_rules_leave_out_examples_and_sections_count_once() -> None:
    for name in overlays.OVERLAYS:
        assert 0 < overlays.rule_lines(name) < overlays.rule_lines(overlays.BASE)
        assert all(path.parent.name == name for path in overlays.rule_files(name))
    assert overlays.sections(overlays.BASE) < overlays.rule_lines(overlays.BASE)


def test_contestants_of_a_series_play_every_seed_of_a_round_in_turn() -> None:
    played: list[tuple[str, int]] = []

    def play(name: str, seed: int) -> int:
        played.append((name, seed))
        return 1

    found = taking_turns({"a": lambda seed: play("a", seed), "b": lambda seed: play("b", seed)}, 2, 2)
    assert played[2:] == [(name, seed) for seed in (1, 2, 3, 4) for name in ("a", "b")]
    assert [len(times) for times in found.values()] == [2, 2]


def test_a_series_stops_behind_its_last_turn() -> None:
    game = load("breakthrough", journal=False)
    assert by_choices(game)(3) > by_choices(game, 4)(3) == 8


def test_profile_names_rules_of_the_game() -> None:
    game = load("breakthrough", journal=False)
    looks = profiled(game, lambda: [by_choices(game)(seed) for seed in range(20)])
    assert looks.listing <= looks.total
    assert set(looks.rules) <= {rule.id for rule in game.program.rules}
    assert all(looks.function(rule) for rule in looks.rules)


@pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")
def test_profile_of_the_fast_engine_names_rules_of_the_game() -> None:
    game = load("breakthrough", journal=False)
    looks = Looks()
    while "2" not in looks.functions:  # it may be over before anybody looks at a rule
        looks = profiled_fast(game, lambda runner: runner.play_many(5_000, 1))
    assert 0 < looks.listing <= looks.total
    assert set(looks.rules) <= {rule.id for rule in game.program.rules}
    # Which of them takes most of the time is for the clock to say.
    assert set(looks.functions["2"]) <= {"procedure", "procedure action move", "definition ahead"}
    assert looks.function("2") in looks.functions["2"]


@pytest.mark.parametrize(
    ("encoded", "escaped"),
    [
        (identifier("d", "fire at Zone_2"), rules_profile._ESCAPED),
        (safe("d_fire at Zone_2"), rules_profile._DOTTED),
    ],
)
def test_profile_has_names_as_the_rules_have_them(encoded: str, escaped: Pattern[str]) -> None:
    assert rules_profile._words(encoded, escaped) == "definition fire at Zone_2"


def test_rows_of_a_profile_take_the_place_of_those_before_whatever_they_tell_of(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for rules in (["2", "3.1"], ["3.1", "4"]):
        looks = Looks(total=30, rules=Counter({rules[0]: 20, rules[1]: 10}))
        looks.functions = {rule: Counter({f"definition of_{rule}": 1}) for rule in rules}
        run.put_into(page, omaha._rules(looks, ""))
    text = page.read_text(encoding="utf-8")
    assert "| rule 4, definition of_4: 10 of 30 looks |" in text and "of_2" not in text


@pytest.mark.skipif(not host.available(), reason="there is no wasmtime for this platform")
def test_a_watched_module_plays_the_same_games() -> None:
    game = load("connect-four", journal=False)
    plain, watched = FastGame(game).runner(), FastGame(game, watched=True).runner()
    assert plain.play_many(50, 3) == watched.play_many(50, 3)
    assert plain.state().data() == watched.state().data()


def test_the_plain_edition_of_a_large_game_plays_the_same_games(tmp_path: Path) -> None:
    scenario = str(rewrites.plain_edition(tmp_path))
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted(Path(scenario).parents[1].glob("*.rules"))
    )
    assert "in zone_of_control" not in text and "in_zone(" in text and "flag = no\n" in text
    plainly, by_hand = load(scenario, journal=False), load(rewrites.SCENARIO, journal=False)
    one, other = plainly.start(3), by_hand.start(3)
    for number in range(60):
        assert one.options == other.options
        one.take(number % len(one.options))
        other.take(number % len(other.options))


def test_a_series_goes_on_where_it_was_and_the_table_has_what_is_there(tmp_path: Path) -> None:
    page = balance.Page(file="", games=("pig",), side="ann", seats=("ann",))
    kept = balance.Kept(tmp_path / "pig.jsonl")
    balance.played(page, "pig", kept, "random", 3)
    whole = kept.games()
    lines = kept.file.read_text(encoding="utf-8").splitlines(keepends=True)
    kept.file.write_text(lines[0] + lines[2] + lines[1][:20], encoding="utf-8")  # broken off, one torn
    assert [game["seed"] for game in kept.games()] == [0, 2]
    balance.played(page, "pig", kept, "random", 4)
    assert [game["seed"] for game in kept.games()] == [0, 1, 2, 3] and kept.games()[:3] == whole
    head, _, row = balance.table(page, [("pig", whole), ("none yet", [])]).splitlines()
    assert head.startswith("| Scenario | Games | Wins of ann | 95% interval | Turns |")
    assert row.startswith("| pig | 3 | ")
    said: list[str] = []
    lines = kept.file.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = lines[0].replace('"choices": ', '"choices": 1')
    kept.file.write_text(changed + lines[1] + lines[2], encoding="utf-8")  # none is missing
    balance.played(page, "pig", kept, "random", 3, said.append)
    assert said == ["pig: game 0 is played otherwise now; the series begins anew"]
    assert kept.games() == whole


def test_rows_of_series_without_games_stay_as_they_are() -> None:
    page = balance.Page(file="", games=("one", "two", "three"))
    game = {"winners": ["ann"], "turns": 4, "measures": {"coins": 2}}
    before = balance.table(page, [("one", []), ("two", [game, game]), ("three", [game])])
    after = balance.table(page, [("one", [game]), ("two", []), ("three", [game, game])], before)
    assert after.splitlines()[0] == "| Scenario | Games | Won | 95% interval | Turns | coins |"
    assert after.splitlines()[3] == before.splitlines()[2]
    assert [row.split("|")[2].strip() for row in after.splitlines()[2:]] == ["1", "2", "2"]


def test_a_series_with_a_number_of_players_is_won_if_anybody_wins(tmp_path: Path) -> None:
    page = balance.PAGES["dday-dice"]
    kept = balance.Kept(tmp_path / "dice.jsonl")
    balance.played(page, "omaha-beach-dice:2", kept, "random", 2)
    head, _, row = balance.table(page, [("omaha-beach-dice:2", kept.games())]).splitlines()
    assert head.startswith("| Scenario | Games | Won |") and row.startswith("| omaha-beach-dice:2 | 2 | ")
    assert all(find_scenario(name.partition(":")[0]) for name in page.games)


def test_levels_of_victory_have_a_line_each() -> None:
    ends = [(["allies"], "marginal"), ([], "divided"), (["allies"], "decisive"), ([], "divided")]
    games = [{"winners": winners, "text": text} for winners, text in ends]
    page = balance.PAGES["normandie-1944"]
    assert balance.table(page, [("race", games), ("none yet", [])]).splitlines()[2:] == [
        "| race | nobody | divided | 2 of 4 | 50% | 15% to 85% |",
        "| race | allies | marginal | 1 of 4 | 25% | 5% to 70% |",
        "| race | allies | decisive | 1 of 4 | 25% | 5% to 70% |",
    ]
    assert all(find_scenario(name) for name in page.games)


def test_a_line_of_players_takes_the_place_of_the_one_before_and_leaves_the_others(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- players -->\n<!-- /players -->\nafter\n", encoding="utf-8")

    def add(game: str, kind: str, *results: float) -> str:
        line = players.Line(
            game=game, kind=kind, other="random", results=results, turns=(3,) * len(results), seconds=0.5
        )
        players.add(page, line)
        return players.row(line)

    add("pig", "greedy", 0.0, 1.0)
    other = add("hex", "greedy", 0.0, 0.0)
    search = add("pig", "search", 1.0, 1.0)
    again = add("pig", "greedy", 1.0, 1.0, 0.5, 1.0)
    assert again.startswith("| pig | `greedy` | `random` | 4 | 88% |")
    rows = "".join(f"{row}\n" for row in (again, search, other))
    head = players.table(())
    assert (
        page.read_text(encoding="utf-8")
        == f"before\n<!-- players -->\n{head}{rows}<!-- /players -->\nafter\n"
    )
