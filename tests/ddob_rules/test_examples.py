"""The examples of a rulebook: what a mistake in one is called and where it is told, and what a run covers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ddob_rules.examples import Report, run_examples
from ddob_rules.loading import load_ruleset

RULES = """\
ruleset drill "Drill"
players us "Us", them "Them"

rule 1 "Things":
  enum colour: red, blue
  piece unit:
    steps: number = 3
    tired: flag = no
  space field in network
  dice d6: 1..6
  variable noise: number = 0
  variable mood: colour = red

rule 2 "Losses":
  procedure lose(u: unit, n: number):
    decrease u.steps by n
  procedure shot(u: unit):
    let rolled = roll d6
    let loss = losses(rolled)
    lose(u, loss)
  table losses(n: number) -> number:
    | n     | loss |
    | 1..3  | 0    |
    | 4..6  | 1    |
  procedure broken(n: number):
    set noise to 6 / n rounded down
  define fit(u: unit): flag:
    when not u.tired  else "{u} is tired"
    when u.steps > 1  else "it is worn out"

rule 3 "Questions":
  procedure hit:
    let u = choose from unit by us "Who is hit?"
    lose(u, 1)
  procedure maybe:
    let u = choose from unit or none by us "Whom to spare?"
    if u != nothing: set u.steps to 9
  procedure paint:
    let c = choose from colour by them "Which colour?"
    set mood to c
  procedure sure:
    let agreed = choose yes or no by us "Sure?"
    if agreed: increase noise by 1
  procedure aimed:
    choose by us "What now?":
      "Wait": stop
      "Shout": increase noise by 1

rule 4 "Sequence":
  sequence turn:
    phase marching for each p in player: p takes 1 action
    phase evening: increase noise by 10
  phase skirmish (band: set of unit, n: number):
    heat: number = n

rule 5 "Marching":
  action march(u: unit, to: field) by p in marching:
    when not u.tired  else "it is tired" (5)
    when u.at != to  else "it is there"
    do:
      put u on to
      mark u as tired
  action rest by us in marching:
    do: increase noise by 1

rule 6 "Winning":
  victory loud when noise > 99: us wins "too loud"
"""
SCENARIO = """\
scenario: square
title: Square
ruleset: drill
boards:
  field:
    spaces: [here, there]
pieces:
  unit: [{id: A, at: here}, {id: B, at: there}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "drill" / "scenarios").mkdir(parents=True)
    (tmp_path / "drill" / "scenarios" / "square.yaml").write_text(SCENARIO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "drill"


def run(folder: Path, examples: str, *, cover: bool = False, rules: str = RULES) -> Report:
    """Runs the examples under the rules of this module."""
    (folder / "drill.rules").write_text(rules, encoding="utf-8")
    (folder / "examples.rules").write_text(examples, encoding="utf-8")
    loaded = load_ruleset("drill")
    assert loaded.checked is not None and loaded.program is not None, loaded.problems
    return run_examples(loaded.checked, cover=cover)


def told(report: Report) -> list[tuple[str, int]]:
    """The code and the line of every problem."""
    return [
        (problem.code, problem.spans[0].span.line)
        for outcome in report.outcomes
        for problem in outcome.problems
    ]


def test_a_place_that_has_a_number_for_a_name_is_answered_by_it(folder: Path) -> None:
    scenario = SCENARIO.replace("[here, there]", "[1118, 1119]").replace("at: here", "at: 1118")
    (folder / "scenarios" / "square.yaml").write_text(scenario.replace("at: there", "at: 1119"), "utf-8")
    rules = (
        RULES
        + """
rule 7 "Flight":
  procedure flee(u: unit):
    let to = choose from field by us "Where to?"
    put u on to
"""
    )
    example = """\
example "Away" of 7:
  given "square"
  when:
    answer {answer}
    flee("A")
  expect "A".at = 1119
"""
    for answer in ("1119", '"1119"'):
        assert told(run(folder, example.replace("{answer}", answer), rules=rules)) == []
    assert told(run(folder, example.replace("{answer}", "1120"), rules=rules)) == [("E0724", 3)]


GOOD = {
    "an effect, and what it changed": """
  given "square"
  when lose("A", 2)
  expect "A".steps = 1
  expect nothing else changed
""",
    "what was given is no change": """
  given "square":
    set "A".steps to 2
    put "B" on here
  when lose("A", 1)
  expect "A".steps = 1
  expect nothing else changed
""",
    "a place is a value like others": """
  given "square"
  when:
    take march("A", there) by us
    unmark "A" as tired
  expect "A".at = there
  expect nothing else changed
""",
    "dice show what the example says": """
  given "square"
  when:
    dice show 3, 6
    shot("A")
    shot("B")
  expect "A".steps = 3 and "B".steps = 2
""",
    "a piece is answered by its name": """
  given "square"
  when:
    answer "B"
    hit
  expect "B".steps = 2
  expect nothing else changed
""",
    "an enum value, yes, none and a menu are answered": """
  given "square"
  when:
    answer blue
    paint
    answer yes
    sure
    answer no
    maybe
    answer "Shout"
    aimed
  expect mood = blue
  expect noise = 2
  expect nothing else changed
""",
    "answers may come before all questions": """
  given "square"
  when:
    answer "A"
    answer "B"
    answer no
    hit
    hit
    sure
  expect "A".steps + "B".steps = 4 and noise = 0
""",
    "several steps run one after the other": """
  given "square"
  when lose("A", 1)
  when lose("A", 1)
  expect "A".steps = 1
""",
    "a phase is run by name": """
  given "square"
  when run phase evening
  expect noise = 10
  expect nothing else changed
""",
    "a phase for one player": """
  given "square"
  when:
    answer "march(B, here)"
    run phase marching for them
  expect "B".at = here and "B".tired
  expect nothing else changed
""",
    "a whole turn, whichever it is": """
  given "square" at turn 3
  when:
    answer "rest()"
    answer "march(B, here)"
    run turn
  expect turn = 3
  expect noise = 11
  expect "B".at = here
""",
    "play goes through the sequence": """
  given "square"
  when:
    play
    answer "rest()"
    answer "march(A, there)"
  expect turn = 2
  expect noise = 11
  expect "A".at = there
  expect rest is offered
""",
    "play goes on from what was given": """
  given "square":
    put "A" on there
    mark "B" as tired
  when:
    play
    answer "march(A, here)"
    answer "pass"
  expect turn = 2
  expect "A".at = here
  expect march("A", there) is not offered because "it is tired"
""",
    "an action may be taken outside the play that goes on": """
  given "square"
  when:
    take march("B", here) by us
    play
    answer "march(A, there)"
    answer "pass"
  expect turn = 2
  expect "A".at = there and "B".at = here
""",
    "the turn is given": """
  given "square" at turn 7
  when lose("A", turn - 5)
  expect turn = 7 and "A".steps = 1
""",
    "offers, and why not": """
  given "square":
    mark "B" as tired
  expect march("A", there) is offered
  expect march("A", here) is not offered
  expect march("A", here) is not offered because "there"
  expect march("B", here) is not offered because "it is tired"
""",
    "offers to one player and not to another": """
  given "square"
  expect rest is offered to us
  expect rest is not offered to them
  expect march("A", here) is not offered to them because "there"
  expect march("A", there) is offered to them
""",
    "nothing is one of several": """
  given "square":
    remove "A"
  expect "A".at in {nothing, here} and "A".at in {nothing} and "B".at in {nothing, there}
  expect "B".at not in {nothing, here} and "A".at not in {here}
""",
    "a game that ends": """
  given "square":
    set noise to 99
  when take rest by us
  expect winners = {us}
  expect game_over
""",
}


@pytest.mark.parametrize("lines", GOOD.values(), ids=GOOD.keys())
def test_good_example_passes(folder: Path, lines: str) -> None:
    report = run(folder, 'example "Good" of 2:' + lines)
    assert told(report) == []
    (outcome,) = report.outcomes
    assert outcome.passed and (outcome.title, outcome.rules, outcome.line) == ("Good", ("2",), 1)


# The line that is told ends in the code's mark.
BAD = {
    "E0385": """
  given "square"
  expect during evening  ### E0385
""",
    "E0385, of what a phase is run with": """
  given "square"
  when run phase skirmish({"A"}, 3)
  expect heat = 0
  expect band = {"A"}  ### E0385
""",
    "E0707": """
  given "square":
    mark "A" as tired
  when take march("A", there) by us  ### E0722
""",
    "E0719": """
  given "square"
  when:  ### E0719
    dice show 7
    shot("A")
""",
    "E0721": """
  given "sqare"  ### E0721
  expect noise = 0
""",
    "E0722": """
  given "square"
  when broken(0)  ### E0722
  expect noise = 7
""",
    "E0723": """
  given "square"
  when hit  ### E0723
  expect noise = 7
""",
    "E0724": """
  given "square"
  when:  ### E0724
    answer blue
    hit
""",
    "E0725": """
  given "square"
  when:  ### E0725
    answer "A"
    dice show 3
    lose("A", 1)
  expect "A".steps = 2
""",
    "E0726": """
  given "square"
  when lose("A", 1)
  expect "A".steps = 2
  expect "A".steps + 1 = 2  ### E0726
  expect mood = blue  ### E0726
  expect "A".steps = 2 and mood = blue  ### E0726
""",
    "E0727": """
  given "square"
  expect some unit
  expect some u in unit where u.tired  ### E0727
  expect noise = 1 or mood = blue  ### E0727
""",
    "E0728": """
  given "square"
  when:
    lose("A", 1)
    lose("B", 1)
    put "B" on here
    set noise to 4
  expect "A".steps = 2
  expect nothing else changed  ### E0728
""",
    "E0729": """
  given "square"
  expect march("A", here) is offered  ### E0729
""",
    "E0730": """
  given "square"
  expect march("A", there) is not offered  ### E0730
""",
    "E0389": """
  given "square": set noise to 2
  given "square" at turn 3  ### E0389
  expect noise = 2
""",
    "E0731": """
  given "square"
  expect march("A", here) is not offered because "it is tired"  ### E0731
""",
    "E0201": """
  given "square"
  expect "A".at is offered  ### E0201
""",
}


@pytest.mark.parametrize("code", BAD)
def test_bad_example_is_told_at_its_line(folder: Path, code: str) -> None:
    text = f'example "Bad {code}" of 2:{BAD[code]}'
    marked = [
        (found[1], number)
        for number, line in enumerate(text.splitlines(), start=1)
        if (found := re.search(r"### (E\d{4})$", line))
    ]
    report = run(folder, re.sub(r"  ### E\d{4}$", "", text, flags=re.MULTILINE))
    assert marked and told(report) == marked
    assert not report.outcomes[0].passed


def message(folder: Path, code: str) -> str:
    text = re.sub(r"  ### E\d{4}$", "", f'example "Bad" of 2:{BAD[code]}', flags=re.MULTILINE)
    return run(folder, text).outcomes[0].problems[0].message


def test_refused_action_says_why(folder: Path) -> None:
    # E0707 is the failure of the rules; the example that meets it is told with E0722.
    assert "the example cannot take this action: it is tired" in message(folder, "E0707")


def test_failing_rule_is_named_with_its_line(folder: Path) -> None:
    line = RULES.splitlines().index("    set noise to 6 / n rounded down") + 1
    assert f"drill.rules:{line}: rule 2: a number was divided by zero" in message(folder, "E0722")


def test_open_question_names_player_prompt_rule_and_answers(folder: Path) -> None:
    text = message(folder, "E0723")
    assert "us" in text and "Who is hit?" in text and "(rule 3)" in text


def test_unused_answers_and_rolls_are_listed(folder: Path) -> None:
    assert message(folder, "E0725").endswith("A, 3")


def test_of_two_conditions_the_one_that_fails_is_told_with_the_example(folder: Path) -> None:
    text = 'example "Two at once":\n  given "square"\n  expect noise = 0 and mood = blue and "A".steps = 1\n'
    outcomes = run(folder, text).outcomes
    found = [(problem.argument("text"), problem.notes) for one in outcomes for problem in one.problems]
    note = ('in the example "Two at once"',)
    assert found == [("mood = blue", note), ('"A".steps = 1', note)]


def test_failed_comparison_shows_both_sides(folder: Path) -> None:
    assert message(folder, "E0726").endswith("it is 3 against 2")


WHY = """example "Why" of 2:
  given "square": set "A".steps to 1
  expect fit("B")
  expect not fit("A") because "worn out"
  expect not (fit("A")) because "worn out"
  when: mark "A" as tired
  expect not fit("A") because "A is tired"
"""


def test_the_reason_of_a_definition_may_be_expected(folder: Path) -> None:
    assert run(folder, WHY).outcomes[0].passed


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ('expect not fit("A") because "is tired"', "E0731", "the reason is `it is worn out`, not `is tired`"),
        ('expect not fit("B") because "worn out"', "E0727", 'not fit("B")'),
        ('expect fit("A") because "worn out"', "E0256", ""),
        ('expect not fitt("A") because "worn out"', "E0201", ""),
        ('expect not "A".tired because "worn out"', "E0255", ""),
    ],
)
def test_another_reason_is_told(folder: Path, line: str, code: str, said: str) -> None:
    text = WHY.replace('expect not fit("A") because "worn out"', line, 1)
    (problem,) = run(folder, text).outcomes[0].problems
    assert problem.code == code and said in problem.message


def test_every_other_change_is_told(folder: Path) -> None:
    text = message(folder, "E0728")
    assert "B" in text and "noise: 0 -> 4" in text and text.count(";") == 2


def test_a_change_is_told_by_the_names_of_things(folder: Path) -> None:
    text = 'example "Mood":\n  given "square"\n  when: set mood to blue\n  expect nothing else changed\n'
    (problem,) = run(folder, text).outcomes[0].problems
    assert problem.code == "E0728" and "mood: red -> blue" in problem.message


def test_mistake_in_an_example_is_told_and_the_others_run(folder: Path) -> None:
    report = run(
        folder,
        'example "Wrong":\n  given "square"\n  expect "C".steps = 1\nexample "Right":\n  given "square"\n'
        '  expect "A".steps = 3\n',
    )
    assert told(report) == [("E0221", 3)]
    assert [outcome.passed for outcome in report.outcomes] == [False, True]


def test_examples_can_be_chosen_by_title(folder: Path) -> None:
    run(folder, 'example "One":\n  given "square"\nexample "Two":\n  given "square"\n')
    checked = load_ruleset("drill").checked
    assert checked is not None
    assert [outcome.title for outcome in run_examples(checked, only="Tw").outcomes] == ["Two"]


def covered(folder: Path, lines: str) -> tuple[set[str], set[int]]:
    """The rules and the lines that an example touches."""
    report = run(folder, f'example "Covering":\n  given "square"\n{lines}', cover=True)
    assert told(report) == []
    rules = {rule for rule, (touched, _) in report.coverage.by_rule().items() if touched}
    return rules, {site.line for site in report.coverage.touched if site.file.endswith("drill.rules")}


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(RULES.splitlines(), start=1) if text in line)


def test_coverage_knows_rules_and_rows_of_tables(folder: Path) -> None:
    rules, lines = covered(folder, '  when:\n    dice show 5\n    shot("A")\n')
    assert "2" in rules and "3" not in rules
    assert line_of("| 4..6") in lines and line_of("| 1..3") not in lines
    assert line_of("procedure shot") in lines and line_of("procedure broken") not in lines


def test_coverage_knows_procedures_that_ask_and_the_phases(folder: Path) -> None:
    rules, lines = covered(folder, '  when:\n    answer "A"\n    hit\n    run phase evening\n')
    assert {"2", "3", "4"} <= rules
    assert line_of("procedure hit") in lines and line_of("procedure maybe") not in lines
    assert line_of("phase evening") in lines and line_of("phase marching") not in lines


def test_what_is_untouched_is_listed_in_order(folder: Path) -> None:
    report = run(folder, 'example "Nothing":\n  given "square"\n', cover=True)
    untouched = [site.line for site in report.coverage.untouched()]
    assert untouched == sorted(untouched) and line_of("procedure broken") in untouched


def test_ruleset_outside_the_current_folder_is_tested_by_its_path(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = 'example "Out" of 2:\n  given "square"\n  when lose("A", 2)\n  expect "A".steps = 1\n'
    (folder / "drill.rules").write_text(RULES, encoding="utf-8")
    scenario = (folder / "scenarios" / "square.yaml").resolve()
    (folder / "examples.rules").write_text(example.replace('"square"', f'"{scenario}"'), encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    loaded = load_ruleset(str(folder))
    assert loaded.checked is not None
    assert told(run_examples(loaded.checked)) == []


BEGINNING = (
    RULES
    + """
rule 7 "The beginning":
  variable dealt: number = 0
  setup:
    set dealt to 3
    let sure = choose yes or no by us "Deal once more?"
    if sure: set dealt to 4
  at start of turn: increase noise by 1

rule 8 "Command":
  define alone(u: unit): flag = (no v in unit where v != u and v.at = u.at) fixed at start of marching
  define anybody_alone: flag = (some u in unit where alone_now(u)) fixed at start of evening
  define alone_now(u: unit): flag = no v in unit where v != u and v.at = u.at
  procedure cheer(u: unit):
    if alone(u): increase noise by 100
    if anybody_alone: increase noise by 100
"""
)


def test_example_begins_before_the_first_turn(folder: Path) -> None:
    """The set-up has happened as far as it asks nothing, and nothing of the sequence of play."""
    text = 'example "E":\n  given "square"\n  expect turn = 1 and noise = 0 and dealt = 3\n'
    assert told(run(folder, text, rules=BEGINNING)) == []
    played = "  when:\n    answer yes\n    play\n  expect noise = 1 and dealt = 4\n"
    text = f'example "E":\n  given "square"\n{played}'
    assert told(run(folder, text, rules=BEGINNING)) == []


def test_what_is_fixed_is_worked_out_for_the_position_given(folder: Path) -> None:
    given = '  given "square":\n    put "B" on here\n'
    text = f'example "E":\n{given}  when cheer("A")\n  expect noise = 0\n'
    assert told(run(folder, text, rules=BEGINNING)) == []
    text = f'example "E":\n{given}  when:\n    put "B" on there\n    cheer("A")\n  expect noise = 0\n'
    assert told(run(folder, text, rules=BEGINNING)) == []
    text = 'example "E":\n  given "square"\n  when cheer("A")\n  expect noise = 200\n'
    assert told(run(folder, text, rules=BEGINNING)) == []


def test_expectation_holds_where_it_stands(folder: Path) -> None:
    lines = [
        'example "E":', '  given "square"', "  expect noise = 0", '  when lose("A", 1)',
        '  expect "A".steps = 2', "  expect nothing else changed", '  when lose("A", 1)',
        '  expect "A".steps = 1', '  expect "A".steps = 2',
    ]  # fmt: skip
    assert told(run(folder, "\n".join(lines) + "\n")) == [("E0726", 9)]


def test_unknown_option_of_an_example_is_told(folder: Path) -> None:
    rules = RULES + '\noption night "Night" (6)\nrule 9:\n  define dark: flag = night\n'
    text = 'example "E":\n  given "square" with nigth\n'
    report = run(folder, text, rules=rules)
    assert told(report) == [("E0201", 2)] and report.outcomes[0].problems[0].help == "did you mean `night`?"


OVERLAY = """\
ruleset heavier "Heavier" extends drill

rule 20 "Heavier losses" amends 2:
  piece unit also:
    shaken: flag = no
  variable hits: number = 0
  each colour:
    worn: flag = no
  procedure lose(u: unit, n: number):
    decrease u.steps by 2 * n
    mark u as shaken
    mark red as worn
    increase hits by 1
"""
BELOW = """\
example "A step" of 2:
  given "square"
  when lose("A", 1)
  expect "A".steps = 2
example "Another" of 2:
  given "square"
  when lose("A", 1)
  expect "A".steps < 3
  expect nothing else changed
"""


def under(folder: Path, overlay: str) -> Report:
    """Runs the examples of a base game under an overlay."""
    (folder / "drill.rules").write_text(RULES, encoding="utf-8")
    (folder / "examples.rules").write_text(BELOW, encoding="utf-8")
    (folder.parent / "heavier").mkdir(exist_ok=True)
    (folder.parent / "heavier" / "heavier.rules").write_text(overlay, encoding="utf-8")
    loaded = load_ruleset("drill", ("heavier",))
    assert loaded.checked is not None and loaded.program is not None, loaded.problems
    return run_examples(loaded.checked, ("heavier",))


def test_nothing_else_is_not_about_words_that_only_an_overlay_has(folder: Path) -> None:
    assert told(under(folder, OVERLAY)) == [("E0726", 4)]


def test_an_overlay_says_which_examples_below_it_are_meant_to_change(folder: Path) -> None:
    report = under(folder, OVERLAY + '  without example "A step"\n')
    assert told(report) == [] and [outcome.passed for outcome in report.outcomes] == [True, True]


def test_an_example_that_is_removed_and_still_holds_is_told_where_it_is_removed(folder: Path) -> None:
    overlay = OVERLAY + '  without example "A step"\n  without example "Another"\n'
    report = under(folder, overlay)
    line = overlay.splitlines().index('  without example "Another"') + 1
    assert told(report) == [("E0732", line)]


def test_examples_of_the_base_are_not_touched_without_the_overlay(folder: Path) -> None:
    assert told(run(folder, BELOW)) == []
