"""`ddob simulate` and `ddob fuzz`: many games, and what goes wrong in them."""

from __future__ import annotations

import csv
import json
import os
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ddob_rules.cli.games import open_game
from ddob_rules.cli.plotting import plot_of
from ddob_rules.cli.series import Series, Side, csv_of
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.trials.simulation import Record, Summary
from tests.ddob_rules.cli.playing import ddob, pipe, write_broken


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_series_tells_how_games_end_with_intervals() -> None:
    result = ddob("simulate", "tic-tac-toe", "-n", "50", "--seed", "3")
    assert result.exit_code == 0
    assert "50 of 50 games" in result.stdout
    assert "95% interval" in result.stdout
    assert result.stderr == ""


def test_data_of_a_series_adds_up() -> None:
    found = json.loads(ddob("simulate", "tic-tac-toe", "-n", "40", "--json").stdout)
    assert {"games", "results", "seconds", "workers"} <= set(found)
    assert sum(result["count"] for result in found["results"]) == found["games"] == 40
    for result in found["results"]:
        assert 0 <= result["low"] <= result["share"] <= result["high"] <= 1


def test_workers_share_the_same_games(tmp_path: Path) -> None:
    words = ("simulate", "pig", "-n", "12", "--seed", "4", "--json")
    alone, shared = (
        json.loads(pipe(*words, "--workers", count, typed="", folder=tmp_path).stdout) for count in ("1", "2")
    )
    assert shared["workers"] == 2
    assert {**alone, "seconds": 0, "workers": 0} == {**shared, "seconds": 0, "workers": 0}


@pytest.mark.parametrize("name", ["pig", "tic-tac-toe", "kuhn-poker"])
def test_both_engines_play_the_same_series(name: str) -> None:
    words = ("simulate", name, "-n", "15", "--seed", "2", "--json", "--each")
    for engine in ("wasm", "python"):
        assert ddob(*words, f"{engine}.jsonl", "--engine", engine).exit_code == 0
    fast, slow = (Path(f"{engine}.jsonl").read_text() for engine in ("wasm", "python"))
    assert fast == slow and len(fast.splitlines()) == 15


def test_the_line_that_says_why_the_other_engine_plays(tmp_path: Path) -> None:
    (tmp_path / "told.rules").write_text(
        'ruleset told "Told"\nplayers us\nrule 1:\n  variable last: text = ""\n  at start of turn:\n'
        '    set last to "turn {turn}"\n    if turn = 3: nobody wins\n'
    )
    (tmp_path / "told.yaml").write_text("scenario: told\nruleset: told\n")
    result = ddob("simulate", "told.yaml", "-n", "2")
    assert result.exit_code == 0 and "2 of 2 games" in result.stdout
    assert result.stderr.count("\n") == 1 and "so the Python engine plays" in result.stderr
    assert ddob("simulate", "told.yaml", "-n", "2", "--engine", "python").stderr == ""


@pytest.mark.parametrize("words", [("-n", "0"), ("-n", "many"), ("--workers", "0"), ("--player", "x=random")])
def test_misuse_of_a_series_is_told(words: tuple[str, ...]) -> None:
    assert ddob("simulate", "tic-tac-toe", *words).exit_code == 2


def test_failures_in_a_series_are_counted(tmp_path: Path) -> None:
    write_broken(tmp_path)
    result = ddob("simulate", "broken", "-n", "20", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert found["failures"] > 0
    assert "broken.rules:1" in found["first_failure"]


def test_engines_that_agree_are_no_finding() -> None:
    result = ddob("fuzz", "pig", "-n", "6", "--engines")
    assert result.exit_code == 0 and "no findings" in result.stdout


def test_a_sound_ruleset_has_no_findings() -> None:
    result = ddob("fuzz", "kuhn-poker", "-n", "5")
    assert result.exit_code == 0
    assert "no findings" in result.stdout
    assert os.listdir() == []


def test_fewer_looks_are_taken_where_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def look(game: Game, state: State, chance: Chance) -> list[str]:
        looks.append(state.count)
        return []

    monkeypatch.setattr("interpreter.trials.fuzz.leaks", look)

    def looks_at(every: str) -> int:
        looks.clear()
        assert ddob("fuzz", "pig", "-n", "2", "--every", every).exit_code == 0
        return len(looks)

    # Each question is still looked at when it first comes up in a game.
    assert looks_at("1") > looks_at("20") > looks_at("1000") > 0
    assert ddob("fuzz", "pig", "--every", "0").exit_code == 2


def test_a_finding_is_saved_as_a_game_that_shows_it(tmp_path: Path) -> None:
    write_broken(tmp_path)
    result = ddob("fuzz", "broken", "-n", "10", "--out", "findings", "--json")
    assert result.exit_code == 1
    finding = json.loads(result.stdout)["findings"][0]
    assert finding["kind"] == "crash"
    again = ddob("replay", finding["file"])
    assert again.exit_code == 1
    assert "divided by zero" in again.stdout
    assert f"ddob replay {finding['file']}" in ddob("fuzz", "broken", "-n", "10", "--out", "findings").stdout


def test_findings_that_cannot_be_saved_are_told(tmp_path: Path) -> None:
    write_broken(tmp_path)
    Path("file").write_text("")
    result = ddob("fuzz", "broken", "-n", "10", "--out", "file/inside")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize(
    "words",
    [("pig",), ("first-waves",), ("kuhn-poker", "--player", "ann=greedy"), ("reversi", "--lang", "fr")],
)
def test_games_of_a_series_are_those_that_run_plays(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "each.jsonl"
    done = ddob("simulate", *words, "-n", "2", "--seed", "5", "--each", str(file))
    assert done.exit_code == 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [line["seed"] for line in lines] == [5, 6]
    for line in lines:
        run = json.loads(ddob("run", *words, "--seed", str(line["seed"]), "--json").stdout)
        assert {
            **run["result"],
            **{key: run[key] for key in ("seed", "turns", "choices", "hash", "measures")},
        } == line


def test_file_for_each_game_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    result = ddob("simulate", "pig", "-n", "1", "--each", str(tmp_path / "none" / "each.jsonl"))
    assert result.exit_code == 1
    assert "each.jsonl" in result.stderr and "Traceback" not in result.output


# ---------------------------------------------------------------- two revisions

#: The game is won with half the points.
SOONER = """\
ruleset sooner "Sooner" extends pig

rule S.1 "Half the way" amends 4:
  "Fifty points win."
  value goal = 50
"""


@pytest.fixture
def sooner(tmp_path: Path) -> None:
    (tmp_path / "sooner.rules").write_text(SOONER)


@pytest.mark.usefixtures("sooner")
@pytest.mark.parametrize("other", ["pig+sooner", "+sooner"])
def test_two_revisions_are_compared_seed_by_seed(other: str) -> None:
    words = ("simulate", "pig", "-n", "30", "--seed", "2")
    found = json.loads(ddob(*words, "--against", other, "--json").stdout)
    assert [side["rules"] for side in found["sides"]] == ["pig", "pig+sooner"]
    assert found["pairs"] == 30 and found["same"] == 0
    for side, overlays in zip(found["sides"], ([], ["--overlay", "sooner"]), strict=True):
        alone = json.loads(ddob(*words, *overlays, "--json").stdout)
        assert alone["results"] == side["results"] and alone["turns"] == side["turns"]
    turns = next(each for each in found["numbers"] if each["name"] == "turns")
    assert turns["low"] < turns["difference"] < turns["high"] < 0
    assert turns["difference"] == pytest.approx(turns["second"] - turns["first"])
    told = ddob(*words, "--against", other).stdout
    assert "pig against pig+sooner: 30 of 30 pairs, seed 2" in told
    assert "Difference" in told and f"{turns['difference']:+.2f}" in told


@pytest.mark.usefixtures("sooner")
def test_a_stack_is_played_like_overlays() -> None:
    stacked, laid = (
        json.loads(ddob("simulate", *words, "-n", "5", "--json").stdout)
        for words in (("pig+sooner",), ("pig", "--overlay", "sooner"))
    )
    assert {**stacked, "seconds": 0} == {**laid, "seconds": 0}
    assert stacked["choices"]["high"] < 90


@pytest.mark.usefixtures("sooner")
def test_table_has_a_row_for_each_game_of_both_sides(tmp_path: Path) -> None:
    words = ("simulate", "pig", "-n", "4", "--seed", "7", "--player", "ann=greedy:1")
    assert ddob(*words, "--against", "+sooner", "--csv", "games.csv").exit_code == 0
    assert ddob(*words, "--each", "each.jsonl").exit_code == 0
    with (tmp_path / "games.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["rules"], row["seed"]) for row in rows] == [
        (rules, str(seed)) for rules in ("pig", "pig+sooner") for seed in range(7, 11)
    ]
    each = [json.loads(line) for line in (tmp_path / "each.jsonl").read_text().splitlines()]
    for row, line in zip(rows, each, strict=False):
        assert (row["winners"], row["text"]) == (line["winners"][0], line["text"])
        assert (row["turns"], row["choices"]) == (str(line["turns"]), str(line["choices"]))
        assert row["hash"] == line["hash"] and row["failure"] == ""


def test_table_has_measures_and_failures(tmp_path: Path) -> None:
    write_broken(tmp_path)
    assert ddob("simulate", "broken", "-n", "10", "--csv", "games.csv").exit_code == 1
    with (tmp_path / "games.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert all("divided by zero" in row["failure"] and row["hash"] == "" for row in rows)
    assert ddob("simulate", "first-waves", "-n", "1", "--csv", "waves.csv").exit_code == 0
    assert "victory points" in Path("waves.csv").read_text().split("\n")[0]


def test_no_text_of_an_author_is_a_formula_in_a_table() -> None:
    record = Record(number=0, winners=("ann",), text="=1+1", measures=(("@points", 3),))
    summary = Summary(
        games=1, played=1, wins=(), outcomes=(), turns=None, choices=None, scores=(), measures=(), failures=0,
        first_failure="", interrupted=False,
    )  # fmt: skip
    side = Side.of("pig", (), ())
    one = Series(
        side=side, opened=open_game("pig"), kinds={}, records=(record,), summary=summary, seconds=0
    )  # fmt: skip
    heads, row = csv.reader(csv_of([one], 0).splitlines())
    assert heads[-1] == "'@points" and row[3] == "'=1+1" and row[-1] == "3"


@pytest.mark.usefixtures("sooner")
@pytest.mark.parametrize(
    "words, message",
    [
        (("--against", "pgi"), "there is no scenario `pgi`"),
        (("--against", "+sooner2"), "sooner2"),
        (("--against", "+"), "does not name a scenario or overlay"),
        (("--against", ""), "does not name a scenario or overlay"),
        (("--against-option", "fast"), "fast"),
        (("--against", "tic-tac-toe", "--player", "ann=greedy"), "there is no player `ann`"),
        (("--against", "+sooner", "--each", "x.jsonl"), "--csv has both sides"),
        (("--csv", "none/games.csv"), "cannot be written"),
    ],
)
def test_misuse_of_a_comparison_is_told(words: tuple[str, ...], message: str) -> None:
    result = ddob("simulate", "pig", "-n", "2", *words)
    assert result.exit_code in (1, 2)
    assert message in result.stderr and "Traceback" not in result.output
    assert result.stdout == ""


# ---------------------------------------------------------------- coverage


@pytest.mark.parametrize("command", ["simulate", "fuzz"])
def test_coverage_tells_what_was_never_reached(command: str, tmp_path: Path) -> None:
    write_broken(tmp_path)
    words = (command, "tic-tac-toe", "-n", "1", "--coverage")
    told = ddob(*words).stdout
    assert "Rule" in told and "Phase" in told and "Action" in told
    found = json.loads(ddob(*words, "--json").stdout)["coverage"]
    assert found["games"] == 1
    (action,) = found["actions"]
    assert action["games"] == 1 and 5 <= action["times"] <= 9
    assert [phase["games"] for phase in found["phases"]] == [1]
    assert all(0 <= rule["reached"] <= rule["places"] for rule in found["rules"].values())
    for place in found["never"]:
        assert f"{place['file']}:{place['line']}:{place['column']}" in told
    assert ("never reached:" in told) == bool(found["never"])


def test_coverage_speaks_french() -> None:
    told = ddob("simulate", "pig", "-n", "1", "--coverage", "--lang", "fr").stdout
    assert "Règle" in told and "Atteint" in told and "Reached" not in told


def test_coverage_of_two_revisions_is_refused() -> None:
    result = ddob("simulate", "pig", "--coverage", "--against", "pig")
    assert result.exit_code == 2 and "leave out --against" in result.stderr
    result = ddob("fuzz", "pig", "--coverage", "--engines")
    assert result.exit_code == 2 and "leave out --engines" in result.stderr


LATE = """\
ruleset late "Late" edition "1"
players ann "Ann"
rule 1 "Turns":
  variable waited: number = 0
  sequence turn:
    phase wait: ann takes 1 action
  action sit "Sit" by p in wait:
    do: increase waited by 1
  action leave "Leave" by p in wait:
    when waited > 90  else "too early" (1)
    do: nobody wins
  procedure sing(): say "la"
  procedure dance(): say "hop"
  at end of turn:
    if turn = 3: nobody wins
example "Off" of 1:
  given "late":
    set waited to 91
  when:
    answer "leave()"
    run phase wait
  expect game_over
example "A song" of 1:
  given "late"
  when sing()
  expect turn = 1
"""


def write_late(rules: str = LATE) -> None:
    Path("late/scenarios").mkdir(parents=True, exist_ok=True)
    Path("late/late.rules").write_text(rules)
    Path("late/scenarios/late.yaml").write_text("scenario: late\ntitle: Late\nruleset: late\n")


def test_coverage_adds_up_in_a_file_over_games_and_examples() -> None:
    write_late()
    told = ddob("simulate", "late", "-n", "2", "--coverage-file", "reached.json").stdout
    assert all(f"late.rules:{line}:" in told.split("never reached:")[1] for line in (9, 12, 13))
    found = json.loads(ddob("fuzz", "late", "-n", "3", "--coverage-file", "reached.json", "--json").stdout)
    assert found["coverage"]["games"] == 5
    assert {action["name"]: action["games"] for action in found["coverage"]["actions"]} == {
        "sit": 5,
        "leave": 0,
    }
    told = ddob("test", "late", "--coverage-file", "reached.json").stdout
    assert "places are reached by examples alone" in told
    never = told.split("never reached:")[1]
    assert "late.rules:13:" in never and "late.rules:12:" not in never and "late.rules:9:" not in never


def test_what_was_reached_of_rules_that_have_changed_is_forgotten() -> None:
    write_late()
    ddob("simulate", "late", "-n", "2", "--coverage-file", "reached.json")
    write_late(LATE.replace('  procedure dance(): say "hop"\n', ""))
    result = ddob("simulate", "late", "-n", "1", "--coverage-file", "reached.json", "--json")
    assert "late.rules` has changed" in result.stderr
    found = json.loads(result.stdout)["coverage"]
    assert max(action["games"] for action in found["actions"]) == 1
    assert {place["line"] for place in found["never"]} == {9, 11, 12}


@pytest.mark.parametrize(
    "content", ["", "[]", '{"games": 1}', "\x00", '{"games": "x", "files": {}, "titles": 3}']
)
def test_a_file_that_holds_no_coverage_is_told_and_kept(content: str) -> None:
    Path("notes.txt").write_text(content)
    result = ddob("simulate", "pig", "-n", "1", "--coverage-file", "notes.txt")
    assert result.exit_code == 1 and "holds no coverage" in result.stderr and "Traceback" not in result.output
    assert Path("notes.txt").read_text() == content


# ---------------------------------------------------------------- a picture

needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="no matplotlib: pip install -e '.[plot]'"
)


@needs_matplotlib
@pytest.mark.usefixtures("sooner")
@pytest.mark.parametrize("other", [(), ("--against", "+sooner")])
def test_a_picture_is_drawn_the_same_each_time(other: tuple[str, ...]) -> None:
    words = ("simulate", "pig", "-n", "12", *other)
    for name in ("one.svg", "two.svg"):
        assert ddob(*words, "--plot", name).exit_code == 0
    one = Path("one.svg").read_text(encoding="utf-8")
    assert one == Path("two.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(one).tag.endswith("svg")
    for text in ("choices", "turn", "games", " ann", " ben"):
        assert f">{text}" in one
    assert ("pig+sooner" in one) == bool(other)


@needs_matplotlib
def test_a_picture_takes_texts_of_authors_as_they_are() -> None:
    records = tuple(
        Record(number=n, winners=("_x",), turns=n, measures=(("costs in $ and <b>, $x_$", n * 9),))
        for n in range(5)
    )
    summary = Summary(
        games=5, played=5, wins=(), outcomes=(), turns=None, choices=None, scores=(), measures=(), failures=0,
        first_failure="", interrupted=False,
    )  # fmt: skip
    one = Series(
        side=Side.of("pig", (), ()), opened=open_game("pig"), kinds={}, records=records, summary=summary,
        seconds=0,
    )  # fmt: skip
    drawn = plot_of([one])
    assert "costs in $ and &lt;b&gt;, $x_$" in drawn and "> _x<" in drawn
    assert plot_of([replace(one, records=())]).startswith("<?xml")


def test_a_picture_that_cannot_be_drawn_is_told_before_games_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = ddob("simulate", "pig", "-n", "2", "--plot", "games.png")
    assert result.exit_code == 2 and "does not end in .svg" in result.stderr
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = ddob("simulate", "pig", "-n", "2", "--plot", "games.svg")
    assert result.exit_code == 1 and result.stdout == ""
    assert "matplotlib is not installed" in result.stderr and "ddob-rules[plot]" in result.stderr


def test_a_game_is_not_compared_with_itself() -> None:
    words = ["tic-tac-toe", "-o", "misere-tic-tac-toe", "--against", "tic-tac-toe", "--games", "2"]
    result = ddob("simulate", *words)
    assert result.exit_code == 2
    assert "both sides would be tic-tac-toe+misere-tic-tac-toe" in result.stdout + result.stderr
