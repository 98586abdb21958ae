"""What a change of rules does to saved games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ddob_rules.compare.differences import describe_difference
from ddob_rules.compare.identity import rule_hashes
from ddob_rules.compare.impact import Impact, describe_impact, impact
from ddob_rules.loading import load_game
from interpreter.records.replays import first_difference, replay
from interpreter.records.saves import Save, record

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
        "`play: Nought` instead of `Cross wins`; all 5 choices can still be made"
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


OVERLAY = 'ruleset long "Long" extends noughts\n'
MARK = (
    "  action mark(c: cell) by p in play:\n"
    '    when c.mark = nothing  else "the cell is already marked" (2)\n{more}    do: base\n'
)
MIDDLE = 'rule 8 "Not the middle" amends 2:\n' + MARK.format(more="    when turn > 1 or c.column != 2\n")
ROWS = 'rule 9 "Not so short" amends 3:\n  define three_in_a_row(c: cell, p: player): flag = no\n'
LATE = (
    'rule 7 "In the end" amends 3 when turn > 90:\n'
    "  define run(c: cell, d: direction, p: player): number = 0\n"
)


@pytest.mark.parametrize(("amendments", "rule"), [(LATE + MIDDLE + ROWS, "8"), (LATE + ROWS, "9")])
def test_of_several_amendments_the_one_that_makes_the_difference_is_named(amendments: str, rule: str) -> None:
    write(Path("long"), OVERLAY + amendments)
    (found,) = impact("old", "long", [saved(WON)])
    assert (found.rule, found.causes) == (rule, (rule,))
    assert {"7", "9"} <= set(found.rules)
    assert f"because of rule {rule} (" in describe_impact(found)


def test_rule_is_named_though_one_that_runs_nearer_has_changed_too() -> None:
    # Rule 2 runs right there and calls rule 3; only trying tells which of the two it was.
    action = RULES.replace("do:\n      set c.mark", 'do:\n      say "so"\n      set c.mark')
    (found,) = under(RULES, action.replace("{n, ne, e, se}", "{n, e}"), saved(DIAGONAL))
    assert set(found.rules) == {"2", "3"}
    assert found.causes == ("3",)


def test_amendments_that_each_make_the_difference_are_both_named() -> None:
    either = 'rule 8 "Never" amends 2 after 3:\n' + MARK.format(more="").replace(
        "do: base", "do: set c.mark to p"
    )
    write(Path("long"), OVERLAY + either + ROWS)
    (found,) = impact("old", "long", [saved(WON)])
    assert set(found.causes) == {"8", "9"}
    assert "because of one of the rules 8, 9: " in describe_impact(found)
    assert "à cause de l'une des règles 8, 9 : " in describe_impact(found, "fr")


def test_what_leans_on_a_helper_is_named_and_not_the_helper() -> None:
    helper = 'rule 8 "Helper":\n  define never(c: cell): flag = c.mark != c.mark\n'
    using = ROWS.replace("flag = no", "flag = never(c)")
    write(Path("long"), OVERLAY + helper + using)
    (found,) = impact("old", "long", [saved(WON)])
    assert found.causes == ("9",)


def test_save_of_older_rules_that_play_the_same_is_compared_and_told() -> None:
    save = saved(DIAGONAL)
    write(Path("old"), RULES + '\nrule 4 "Luck":\n  value luck = 1\n')
    (found,) = under("some d in {n, ne, e, se}", "some d in {n, e}", save)
    assert (found.status, found.rule, found.since) == ("differs", "3", ("4",))
    told = describe_impact(found)
    assert told.endswith("(it was saved under other rules: 4 changed since, which makes no difference here)")
    assert "(partie jouée sous d'autres règles : 4 " in describe_impact(found, "fr")
    (same,) = impact("old", "old", [save])
    assert describe_impact(same).startswith("unchanged: all 5 choices play the same (it was saved under")


def test_save_of_another_set_up_that_plays_the_same_is_told() -> None:
    save = saved(OPEN)
    path = Path("old/scenarios/board.yaml")
    path.write_text(SCENARIO + "turns: 90\n", encoding="utf-8")
    (found,) = impact("old", "old", [save])
    assert "another set-up" in describe_impact(found)


def test_choice_that_is_gone_is_told_with_how_far_the_others_lead() -> None:
    condition = "    when c.mark = nothing "
    (found,) = under(condition, f"    when turn > 1 or c.column < 1\n{condition}", saved(OPEN))
    assert describe_impact(found).endswith("; the choices can be followed up to number 0 of 2")


def test_difference_that_nobody_tried_is_probably_that_of_the_nearest_rule() -> None:
    write(Path("new"), RULES.replace("takes 1 action", "takes 2 actions").replace(">= 3", ">= 2"))
    loaded = load_game("old/scenarios/board.yaml", ruleset="new")
    assert loaded.game is not None and loaded.checked is not None
    found = replay(loaded.game, saved(WON), rules=rule_hashes(loaded.checked)).difference
    assert found is not None and found.causes == ()
    assert ", probably because of rule 2 (" in describe_difference(found, len(WON), loaded.game.program)


@pytest.mark.parametrize(("until", "expected"), [(5, None), (6, 6)])
def test_first_difference_looks_no_further_than_asked(until: int, expected: int | None) -> None:
    write(Path("new"), RULES.replace("{n, ne, e, se}", "{n, e}"))
    loaded = load_game("old/scenarios/board.yaml", ruleset="new")
    assert loaded.game is not None
    assert first_difference(loaded.game, saved(DIAGONAL), until) == expected


def test_difference_without_the_old_rules_speaks_french() -> None:
    write(Path("new"), RULES.replace("takes 1 action", "takes 2 actions"))
    loaded = load_game("old/scenarios/board.yaml", ruleset="new")
    assert loaded.game is not None and loaded.checked is not None
    found = replay(loaded.game, saved(WON), rules=rule_hashes(loaded.checked)).difference
    assert found is not None
    told = describe_difference(found, len(WON), loaded.game.program, language="fr")
    assert told.startswith("diffère au choix 2 (tour 1, play), à cause de la règle 2 (")
    assert told.endswith(" : autre chose se produit ou est proposé")
