"""What a change of rules does to saved games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddob_rules.differences import describe_difference
from ddob_rules.identity import rule_hashes
from ddob_rules.impact import Impact, describe_impact, impact
from ddob_rules.loading import load_game
from interpreter.replays import replay
from interpreter.saves import Save, record

RULES = """ruleset noughts "Noughts and crosses"
players cross "Cross", nought "Nought"

rule 1 "Board":
  space cell on square board:
    mark: player = nothing

rule 2 "Play":
  sequence turn:
    phase play for each p in player: p takes 1 action
  action mark(c: cell) by p in play:
    when c.mark = nothing  else "the cell is already marked" (2)
    do:
      set c.mark to p
      if three_in_a_row(c, p): p wins
      if every c in cell has c.mark != nothing: nobody wins "a draw"

rule 3 "Three in a row":
  define three_in_a_row(c: cell, p: player): flag =
    some d in {n, ne, e, se} where run(c, d, p) + run(c, opposite(d), p) + 1 >= 3
  define run(c: cell, d: direction, p: player): number = count(along(from c, d, s while s.mark = p))
"""
SCENARIO = """scenario: small-board
title: Noughts and crosses
ruleset: noughts
boards:
  cell:
    layout: {shape: square, adjacency: all}
    numbering: "{letter}{row}"
    size: [3, 3]
"""
# Cross wins with the fifth mark, along the first row.
WON = ["mark(a1)", "mark(a2)", "mark(b1)", "mark(b2)", "mark(c1)"]
# Cross wins on the diagonal.
DIAGONAL = ["mark(a1)", "mark(a2)", "mark(b2)", "mark(a3)", "mark(c3)"]
OPEN = ["mark(a1)", "mark(a2)"]


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the old ruleset, in which the tests run."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "old", RULES)
    (tmp_path / "old" / "scenarios").mkdir()
    (tmp_path / "old" / "scenarios" / "board.yaml").write_text(SCENARIO, encoding="utf-8")
    return tmp_path


def write(folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "game.rules").write_text(text, encoding="utf-8")


def saved(choices: list[str], *, with_rules: bool = True) -> Save:
    loaded = load_game("old/scenarios/board.yaml", ruleset="old")
    assert loaded.game is not None and loaded.checked is not None
    rules = rule_hashes(loaded.checked) if with_rules else None
    return record(loaded.game, 7, choices, scenario="old/scenarios/board.yaml", rules=rules)


def under(old: str, new: str, *saves: Save) -> list[Impact]:
    """The impact of replacing a stretch of the rules."""
    assert old in RULES
    write(Path("new"), RULES.replace(old, new))
    return impact("old", "new", saves)


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(RULES.split("\n"), start=1) if line.startswith(text))


def test_change_of_texts_leaves_games_unchanged() -> None:
    (found,) = under('"the cell is already marked"', '"marked before"', saved(WON))
    assert (found.status, found.played, found.difference) == ("unchanged", 5, None)
    assert describe_impact(found) == "unchanged: all 5 choices play the same"
    assert describe_impact(found, "fr") == "inchangé : les 5 choix se jouent de même"


def test_each_save_is_judged_by_itself() -> None:
    found = under("some d in {n, ne, e, se}", "some d in {n, e}", saved(WON), saved(DIAGONAL), saved(OPEN))
    assert [one.status for one in found] == ["unchanged", "differs", "unchanged"]


def test_difference_names_choice_time_rule_and_place() -> None:
    (found,) = under("some d in {n, ne, e, se}", "some d in {n, e}", saved(DIAGONAL))
    assert found.difference is not None
    assert (found.difference.choice, found.difference.turn, found.rule) == (6, 3, "3")
    assert found.file.endswith("game.rules") and "new" in found.file
    assert found.line == line_of("rule 3")
    assert describe_impact(found) == (
        f"differs after the last choice (turn 3, play), because of rule 3 ({found.file}:{found.line}): "
        "`play` instead of `Cross wins`; all 5 choices can still be made"
    )


def test_refused_choice_is_told_with_its_reason() -> None:
    condition = "    when c.mark = nothing "
    (found,) = under(condition, f'    when c.row < 2 else "only the first row" (2)\n{condition}', saved(OPEN))
    assert found.difference is not None
    assert (found.difference.sort, found.difference.choice, found.rule, found.played) == (
        "offered",
        1,
        "2",
        1,
    )
    told = describe_impact(found)
    assert "differs at choice 1 (turn 1, play), because of rule 2" in told
    assert "no longer offered: `mark(a2)`, `mark(b2)`, `mark(c2)`, `mark(a3)` and 2 more" in told
    assert told.endswith(
        "; the choices can be followed up to number 1 of 2: "
        "`mark(a2)` is no longer offered: only the first row (2)"
    )


def test_rule_that_is_taken_away_is_found_in_the_old_rules() -> None:
    rule = RULES[RULES.index('rule 3 "') :]
    define = rule[rule.index("  define") :]
    text = RULES.replace(rule, f'rule 4 "Two in a row":\n{define.replace(">= 3", ">= 2")}')
    (found,) = under(RULES, text, saved(WON))
    assert found.status == "differs"
    assert set(found.rules) == {"3", "4"}
    assert found.file


def test_save_of_other_rules_is_not_proven() -> None:
    write(Path("new"), RULES)
    write(Path("old"), RULES)
    save = saved(WON)
    write(Path("old"), RULES.replace("takes 1 action", "takes 2 actions"))
    (found,) = impact("old", "new", [save])
    assert found.status == "unproven"
    assert describe_impact(found).startswith("the old rules do not give this game: differs at choice 2")


def test_save_without_hashes_of_rules_is_compared_with_the_old_ones() -> None:
    (found,) = under("some d in {n, ne, e, se}", "some d in {n, e}", saved(DIAGONAL, with_rules=False))
    assert found.rules == ("3",)


def test_scenario_that_the_new_rules_cannot_play_is_told() -> None:
    (found,) = under("space cell", "space field", saved(OPEN))
    assert found.status == "impossible"
    assert found.problems
    assert describe_impact(found).startswith("cannot be played: ")


def test_missing_ruleset_is_told() -> None:
    (found,) = impact("old", "nowhere", [saved(OPEN)])
    assert (found.status, found.problems != ()) == ("impossible", True)


def test_impact_is_plain_data() -> None:
    same, other = under("some d in {n, ne, e, se}", "some d in {n, e}", saved(OPEN), saved(DIAGONAL))
    assert json.loads(json.dumps(same.as_dict()))["status"] == "unchanged"
    data = json.loads(json.dumps(other.as_dict()))
    assert (data["choice"], data["rule"], data["line"]) == (6, "3", line_of("rule 3"))


def test_overlay_is_compared_with_its_base() -> None:
    overlay = 'ruleset long "Long" extends noughts\nrule 9 "Four" amends 3:\n'
    define = "  define three_in_a_row(c: cell, p: player): flag = no\n"
    write(Path("long"), overlay + define)
    (found,) = impact("old", "long", [saved(WON)])
    assert (found.status, found.rule) == ("differs", "9")
    assert Path(found.file).parent.name == "long"


def test_difference_without_the_old_rules_speaks_french() -> None:
    write(Path("new"), RULES.replace("takes 1 action", "takes 2 actions"))
    loaded = load_game("old/scenarios/board.yaml", ruleset="new")
    assert loaded.game is not None and loaded.checked is not None
    found = replay(loaded.game, saved(WON), rules=rule_hashes(loaded.checked)).difference
    assert found is not None
    told = describe_difference(found, len(WON), loaded.game.program, language="fr")
    assert told.startswith("diffère au choix 2 (tour 1, play), à cause de la règle 2 (")
    assert told.endswith(" : autre chose se produit ou est proposé")
