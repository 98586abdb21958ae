"""Differences of rulesets, told by rule: versions of one ruleset, and a ruleset with overlays."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddob_rules.check.program import Checked
from ddob_rules.compare.diff import Change, changes_as_data, diff, render_changes
from ddob_rules.compare.marks import as_before, compared
from ddob_rules.compare.words import sentence
from ddob_rules.syntax.source import Source
from ddob_rules.syntax.translate import translate_source
from tests.rules import check_text

BASE = """ruleset small "Small"
players us "Us", them "Them"
rule 1 "Things":
  enum colour: red, green
  enum outcome: win, lose, draw
  space cell on square board:
    owner_mark: player = nothing
  piece unit:
    colour: colour
    steps: number = 2
  variable level: number = 1
  dice die: 1..6
rule 4 "Sequence":
  sequence turn:
    phase first: us takes 1 action
    phase second "The second" when turn > 1: them takes 1 action
    phase third:
      set level to 1
rule 6.31 "Hit limit":
  "As many as there are."
  define hit_limit(c: cell): number = count(x in cell where x.owner_mark = us) + 1
rule 6.34 "Steps":
  value step_limit = 1
rule 7 "Take":
  action take(c: cell) by p in first, second:
    when c.owner_mark = nothing else "taken" (7)
    when hit_limit(c) > 0
    do:
      if level < step_limit:
        increase level by 1
        say "more"
      set c.owner_mark to p
      if judged(no, hit_limit(c)) = win: p wins
  victory high when level > 5:
    us wins
rule 8 "Best":
  priority best for c: cell:
    prefer lowest hit_limit(c)
    otherwise us chooses "which"
rule 9.7 "Results":
  table judged(safe: flag, n: number) -> outcome, unique match:
    | safe | up to 1 | over 1 |
    | no   | draw    | lose   |
    | yes  | draw    | win    |
  table price(c: colour) -> number:
    | c     | cost |
    | red   | 1    |
    | green | 2    |
"""
HEADER = 'ruleset over "Over" extends small\n'


def checked(*texts: str) -> Checked:
    return check_text(*texts)


def told(old: str, new: str) -> list[str]:
    """The sentences about the base with a stretch replaced."""
    assert old in BASE
    found = checked(BASE.replace(old, new))
    assert not [problem for problem in found.problems if problem.severity == "error"], found.problems
    return [sentence(change) for change in diff(checked(BASE), found)]


def overlaid(overlay: str) -> list[str]:
    found = checked(BASE, HEADER + overlay)
    assert not [problem for problem in found.problems if problem.severity == "error"], found.problems
    return [sentence(change) for change in diff(checked(BASE), found)]


def test_same_rules_have_no_differences() -> None:
    changes = diff(checked(BASE), checked(BASE.replace("step_limit = 1", "step_limit = (1)  # one")))
    assert changes == []
    assert render_changes(changes) == "no differences\n"
    assert render_changes(changes, "fr") == "aucune différence\n"


def test_translated_rules_have_no_differences() -> None:
    french, _ = translate_source(Source("small.rules", BASE), "fr")
    assert diff(checked(BASE), checked(french)) == []


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ("step_limit = 1", "step_limit = 2", ["6.34 changed (value step_limit): 1 -> 2"]),
        (
            "step_limit = 1",
            "step_limit = 1 until turn 4, 2 from turn 5",
            ["6.34 changed (value step_limit): 1 -> 1 until turn 4, 2 from turn 5"],
        ),
        (
            "x.owner_mark = us) + 1",
            "x.owner_mark = us) + 2",
            [
                "6.31 changed (define hit_limit): … where x.owner_mark = us) + [1 -> 2]",
            ],
        ),
        ("win, lose, draw", "win, lose, draw, tie", ["1: value tie of enum outcome added"]),
        ("win, lose, draw", "lose, win, draw", ["1: value of enum outcome in another order"]),
        (
            "steps: number = 2",
            "steps: number = 3",
            ["1 changed (piece unit, attribute steps): number 2 -> number 3"],
        ),
        (
            "    steps: number = 2\n",
            "    steps, losses: number = 2\n",
            ["1: attribute losses of piece unit added: number 2"],
        ),
        ("level: number = 1", "level: number = 0", ["1 changed (variable level, start): 1 -> 0"]),
        ("die: 1..6", "die: 1..8", ["1 changed (dice die, face): 1..6 -> 1..8"]),
        ("die: 1..6", "die: 1..6, 6", ["1: face of dice die added: 6"]),
        (
            "    when hit_limit(c) > 0\n",
            "",
            ["7: condition of action take removed: hit_limit(c) > 0"],
        ),
        (
            "    when hit_limit(c) > 0\n",
            '    when hit_limit(c) > 0\n    when level < 9 else "too high"\n',
            ["7: condition of action take added: level < 9"],
        ),
        (
            "hit_limit(c) > 0",
            "hit_limit(c) > 1",
            ["7 changed (action take, condition): hit_limit(c) > 0 -> hit_limit(c) > 1"],
        ),
        (
            "increase level by 1",
            "increase level by 2",
            ["7 changed (action take, effect): increase level by 1 -> increase level by 2"],
        ),
        (
            "    us wins\nrule 8",
            "    set level to 0\n    them wins\nrule 8",
            ["7 changed (victory high, effect): us wins -> set level to 0; them wins"],
        ),
        ("level > 5", "level > 6", ["7 changed (victory high, condition): level > 5 -> level > 6"]),
        (
            "when level > 5",
            "as soon as level > 5",
            ["7 changed (victory high, condition): level > 5 -> as soon as level > 5"],
        ),
        (
            "prefer lowest hit_limit(c)",
            "prefer highest hit_limit(c)",
            [
                "8 changed (priority best, criterion): prefer lowest hit_limit(c) -> "
                "prefer highest hit_limit(c)"
            ],
        ),
        (
            'otherwise us chooses "which"',
            "otherwise at random",
            ['8 changed (priority best, tie): otherwise us chooses "which" -> otherwise at random'],
        ),
        (
            "| draw    | lose   |",
            "| draw    | win    |",
            ["9.7 changed (table judged) [no, over 1]: lose -> win"],
        ),
        ("| red   | 1    |", "| red   | 4    |", ["9.7 changed (table price) [red]: 1 -> 4"]),
        (
            "unique match",
            "first match",
            ["9.7 changed (table judged, policy): unique -> first"],
        ),
        (
            "    | no   | draw    | lose   |\n    | yes  | draw    | win    |\n",
            "    | -    | draw    | lose   |\n",
            [
                "9.7: row [no] of table judged removed: draw | lose",
                "9.7: row [yes] of table judged removed: draw | win",
                "9.7: row [-] of table judged added: draw | lose",
            ],
        ),
    ],
)
def test_change_of_a_declaration_is_told_in_words(old: str, new: str, sentences: list[str]) -> None:
    assert told(old, new) == sentences


FIRST = "    phase first: us takes 1 action\n"
THIRD = "    phase third:\n      set level to 1\n"


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        (THIRD, "", ["4: phase third of sequence turn removed"]),
        (FIRST, FIRST + "    phase extra: stop\n", ["4: phase extra of sequence turn added after first"]),
        (
            FIRST,
            "    phase extra: stop\n" + FIRST,
            ["4: phase extra of sequence turn added at the beginning"],
        ),
        (
            "when turn > 1",
            "when turn > 2",
            ["4 changed (sequence turn, condition of phase second): turn > 1 -> turn > 2"],
        ),
        (
            "when turn > 1: them",
            ": them",
            ["4: condition of phase second of sequence turn removed: turn > 1"],
        ),
        (
            "set level to 1",
            "set level to 2",
            ["4 changed (sequence turn, effect of phase third): set level to 1 -> set level to 2"],
        ),
        (
            THIRD,
            "    phase third:\n      phase inner: stop\n      set level to 1\n",
            ["4: phase inner of sequence turn added inside third"],
        ),
    ],
)
def test_change_of_the_sequence_is_told_by_phase(old: str, new: str, sentences: list[str]) -> None:
    assert told(old, new) == sentences


def test_moved_phase_is_moved_and_not_new() -> None:
    found = checked(BASE.replace(THIRD, "").replace(FIRST, THIRD + FIRST))
    assert [sentence(change) for change in diff(checked(BASE), found)] == [
        "4: phase third of sequence turn moved to the beginning"
    ]


def test_rules_that_come_and_go_are_told() -> None:
    changes = diff(checked(BASE), checked(BASE.replace("rule 6.34", "rule 6.35")))
    assert [sentence(change) for change in changes] == [
        "6.34 removed: Steps",
        "6.35 added: Steps",
        "6.35: value step_limit moved from rule 6.34",
    ]


def test_new_declaration_is_shown_whole() -> None:
    assert told("  value step_limit = 1\n", "  value step_limit = 1\n  define two: number = 2\n") == [
        "6.34: define two added: define two: number = 2"
    ]


def test_players_are_compared() -> None:
    assert told('them "Them"', 'them "They" automated, third') == [
        "players: automation them added",
        "players: player third added",
        "players changed (title them): Them -> They",
    ]


def test_amendment_tells_what_it_makes_of_the_rule_and_when() -> None:
    overlay = (
        'rule 14.11 "Doubled" amends 6.31 when turn >= 17:\n  define hit_limit(c: cell): number = 2 * base\n'
    )
    assert overlaid(overlay) == [
        "6.31 amended by 14.11: Doubled, from turn 17",
        "6.31 changed (define hit_limit): count(x in cell where x.owner_mark = us) + 1 -> 2 * (as before), "
        "from turn 17 (14.11)",
        "14.11 added: Doubled (amends 6.31, from turn 17)",
    ]


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("turn < 5", "until turn 4"),
        ("turn >= 3 and turn <= 6", "turns 3 to 6"),
        ("turn = 3", "on turn 3"),
        ("level > 3", "when level > 3"),
        ("turn > 3 and level > 3", "when turn > 3 and level > 3"),
    ],
)
def test_condition_of_an_amendment_is_told_in_turns_if_it_can_be(condition: str, words: str) -> None:
    overlay = f'rule 20 "More" amends 6.34 when {condition}:\n  value step_limit = 3\n'
    assert f"6.34 changed (value step_limit): 1 -> 3, {words} (20)" in overlaid(overlay)


@pytest.mark.parametrize(
    ("overlay", "expected"),
    [
        (
            "amends 9.7:\n  in table judged:\n    set [no, over 1] to draw\n",
            "9.7 changed (table judged) [no, over 1]: lose -> draw (20)",
        ),
        (
            "amends 9.7:\n  in table price:\n    without [green]\n    add | green | 7 |\n",
            "9.7: row [green] of table price removed: 2 (20)",
        ),
        ("amends 1:\n  enum outcome also: tie\n", "1: value tie of enum outcome added (20)"),
        (
            "amends 1:\n  piece unit also:\n    old: flag = no\n",
            "1: attribute old of piece unit added: flag no (20)",
        ),
        (
            'amends 1:\n  piece unit also:\n    shown as "-" if it.old otherwise "+"\n    old: flag = no\n',
            "1: attribute old of piece unit added: flag no (20)",
        ),
        (
            "amends 7:\n  action take also:\n    when level < 9\n",
            "7: condition of action take added: level < 9 (20)",
        ),
        (
            "amends 7:\n  action take also:\n    without (7)\n",
            "7: condition of action take removed: c.owner_mark = nothing (20)",
        ),
        (
            "amends 6.31:\n  define hit_limit also 2 when turn > 3\n",
            "6.31: addition of define hit_limit added: 2 when turn > 3 (20)",
        ),
        (
            "amends 4 when turn >= 17:\n  insert phase extra after first when turn < 32: stop\n",
            "4: phase extra of sequence turn added after first, turns 17 to 31 (20)",
        ),
        (
            "amends 4:\n  move phase third before first\n",
            "4: phase third of sequence turn moved before first (20)",
        ),
        ("amends 4:\n  without phase third\n", "4: phase third of sequence turn removed (20)"),
        ("replaces 6.34:\n  value step_limit = 3\n", "6.34 replaced by 20: New"),
        ("replaces 6.34:\n  value step_limit = 3\n", "6.34 changed (value step_limit): 1 -> 3 (20)"),
        (
            "amends 7:\n  without high\n",
            "7: victory high removed: victory high when level > 5: us wins (20)",
        ),
        (
            "removes 8\n",
            "8 removed by 20: Best",
        ),
    ],
)
def test_edit_of_an_overlay_is_told_with_its_rule(overlay: str, expected: str) -> None:
    assert expected in overlaid(f'rule 20 "New" {overlay}')


def test_an_amendment_that_is_itself_taken_back_is_not_told() -> None:
    over = 'ruleset over "Over" extends small\nrule 20 "New" amends 6.34:\n  value step_limit = 3\n'
    back = 'ruleset back "Back" extends over\nrule 21 "Back again" removes 20\n'
    told = [sentence(change) for change in diff(check_text(BASE), check_text(BASE, over, back))]
    assert not [line for line in told if line.startswith("6.34")]


def test_option_of_an_overlay_is_told() -> None:
    assert overlaid('option fast "Fast play" (6.34)\n') == [
        'option: fast added: option fast "Fast play" (6.34)'
    ]


def test_overlay_that_is_taken_away_leaves_its_changes_behind() -> None:
    overlay = (
        'rule 20 "New" amends 9.7, 6.34:\n  value step_limit = 3\n'
        "  in table judged:\n    set [no, over 1] to draw\n"
    )
    changes = diff(checked(BASE, HEADER + overlay), checked(BASE))
    assert [sentence(change) for change in changes] == [
        "6.34: value step_limit no longer: 3 (20)",
        "9.7: [no, over 1] of table judged no longer: draw (20)",
        "20 removed: New",
    ]


def test_two_versions_of_an_overlay_are_compared_by_its_own_rules() -> None:
    overlay = (
        'rule 20 "New" amends 9.7, 6.34 when turn > {turn}:\n  value step_limit = {limit}\n'
        "  in table judged:\n    set [no, over 1] to {result}\n"
    )
    old = checked(BASE, HEADER + overlay.format(turn=3, limit=3, result="draw"))
    new = checked(BASE, HEADER + overlay.format(turn=3, limit=4, result="win"))
    assert [sentence(change) for change in diff(old, new)] == [
        "20 changed (value step_limit): 3 -> 4",
        "20 changed (table judged) [no, over 1]: draw -> win, from turn 4",
    ]
    late = checked(BASE, HEADER + overlay.format(turn=4, limit=3, result="draw"))
    assert "20 changed (amendment): amends 9.7, 6.34 when turn > 3 -> amends 9.7, 6.34 when turn > 4" in [
        sentence(change) for change in diff(old, late)
    ]


def test_texts_come_after_mechanics_under_their_own_heading() -> None:
    text = (
        BASE.replace('"taken"', '"is taken"')
        .replace('"Steps"', '"Step limit"')
        .replace('say "more"', 'say "many"')
    )
    found = checked(
        text.replace('"As many as there are."', '"As many."').replace("step_limit = 1", "step_limit = 2")
    )
    assert render_changes(diff(checked(BASE), found)) == (
        "6.34 Step limit, changed\n"
        "  - value step_limit: 1 -> 2\n"
        "\n"
        "Texts:\n"
        "  6.31 changed (text): As many as there are. -> As many.\n"
        "  6.34 changed (title): Steps -> Step limit\n"
        '  7 changed (action take, text): "taken" -> "is taken"\n'
        '  7 changed (action take, text): "more" -> "many"\n'
    )


def sheet(overlay: str, language: str = "en") -> str:
    found = checked(BASE, HEADER + overlay)
    assert not [problem for problem in found.problems if problem.severity == "error"], found.problems
    return render_changes(diff(checked(BASE), found), language)


def test_sentences_come_in_french() -> None:
    overlay = 'rule 14.11 "Doublé" amends 6.34 when turn >= 17:\n  value step_limit = 2 * base\n'
    assert sheet(overlay, "fr") == (
        "6.34 Steps, amendée par 14.11 : Doublé, à partir du tour 17\n"
        "  - valeur step_limit : 1 -> 2 * (comme avant)\n"
    )
    assert [sentence(change, "fr") for change in diff(checked(BASE), checked(BASE, HEADER + overlay))] == [
        "6.34 amendée par 14.11 : Doublé, à partir du tour 17",
        "6.34 modifiée (valeur step_limit) : 1 -> 2 * (comme avant), à partir du tour 17 (14.11)",
        "14.11 ajoutée : Doublé (amende 6.34, à partir du tour 17)",
    ]


def test_sheet_has_the_sentence_of_the_amendment_what_was_said_before_and_each_change_once() -> None:
    overlay = (
        'rule 20 "Fewer" amends 6.31:\n  "Half as many."\n'
        "  define half(n: number): number = n - 1\n  define hit_limit(c: cell): number = half(base)\n"
        'rule 21 "Never none" amends 6.31 after 20:\n  "One at least."\n'
        "  define hit_limit(c: cell): number = base + 1\n"
    )
    assert sheet(overlay) == (
        "6.31 Hit limit, amended by 20: Fewer\n"
        "  Half as many.\n"
        "  Before: As many as there are.\n"
        "  - hit_limit: count(x in cell where x.owner_mark = us) + 1 -> half(as before)\n"
        "  - new: define half(n: number): number = n - 1\n"
        "\n"
        "6.31 Hit limit, amended by 21: Never none\n"
        "  One at least.\n"
        "  - hit_limit: as before, plus 1\n"
    )


def test_amendment_of_several_rules_is_one_paragraph_with_their_numbers() -> None:
    overlay = (
        'rule 5 "New" amends 9.7, 6.34:\n  value step_limit = 3\n'
        "  in table judged:\n    set [no, over 1] to draw\n"
    )
    assert sheet(overlay) == (
        "6.34 Steps, 9.7 Results, amended by 5: New\n"
        "  - 6.34 value step_limit: 1 -> 3\n"
        "  - 9.7 table judged [no, over 1]: lose -> draw\n"
    )
    assert sheet(overlay, "fr").startswith("6.34 Steps, 9.7 Results, amendées par 5 : New\n")


@pytest.mark.parametrize(
    ("overlay", "expected"),
    [
        ("replaces 6.34:\n  value step_limit = 3\n", "6.34 Steps, replaced by 20: New\n"),
        ("removes 8\n", "8 Best, removed by 20: New\n"),
        (":\n  variable more: number = 1\n", "20 New, new\n  - new: variable more: number = 1\n"),
    ],
)
def test_heading_says_what_becomes_of_a_rule(overlay: str, expected: str) -> None:
    assert sheet(f'rule 20 "New"{" " if overlay[0] != ":" else ""}{overlay}').startswith(expected)


def test_effect_that_stays_as_it_was_is_no_change() -> None:
    overlay = (
        'rule 20 "New" amends 7:\n  action take(c: cell) by p in first, second:\n'
        '    when c.owner_mark = nothing else "taken" (7)\n    do: base\n'
    )
    assert sheet(overlay) == (
        "7 Take, amended by 20: New\n  - condition of action take removed: hit_limit(c) > 0\n"
    )


def test_what_comes_on_top_is_told_as_before_and_then() -> None:
    overlay = (
        'rule 20 "New" amends 7:\n  action take(c: cell) by p in first, second:\n'
        '    when c.owner_mark = nothing else "taken" (7)\n    when hit_limit(c) > 0\n'
        '    do:\n      base\n      say "so"\n'
    )
    assert sheet(overlay) == (
        '7 Take, amended by 20: New\n  - action take, effect: as before, and then: say "so"\n'
    )


def test_start_at_which_a_definition_is_fixed_is_told_in_words() -> None:
    fixed = BASE.replace("= us) + 1\n", "= us) + 1 fixed at start of second\n")
    assert render_changes(diff(checked(fixed), checked(BASE))) == (
        "6.31 Hit limit, changed\n  - hit_limit: no longer fixed at the start of The second\n"
    )


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        ("base", "as before", "comme avant"),
        ("base and level > 1", "as before, and level > 1", "comme avant, et level > 1"),
        ("base - (1 if a otherwise 0)", "as before, less (1 if a otherwise 0)", None),
        ("roll(); base", "roll(); then as before", "roll() ; puis comme avant"),
        ("1 if a otherwise base", "1 if a otherwise as before", None),
        ('say "base"', 'say "base"', 'say "base"'),
    ],
)
def test_base_is_told_as_what_was_before(text: str, english: str, french: str | None) -> None:
    assert as_before(text) == english
    assert french is None or as_before(text, "fr") == french


@given(st.lists(st.sampled_from(["a", "b", "(", ")", ",", "level"]), min_size=40, max_size=60), st.data())
def test_words_that_differ_are_never_cut_off(words: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[:place], "another", *words[place + 1 :]]
    shown = compared(" ".join(words), " ".join(changed))
    assert "another" in shown and "->" in shown


def test_changes_are_plain_data_with_their_place() -> None:
    changes = diff(checked(BASE), checked(BASE.replace("step_limit = 1", "step_limit = 2")))
    (data,) = json.loads(json.dumps(changes_as_data(changes)))
    assert data == {
        "rule": "6.34",
        "sort": "changed",
        "kind": "value",
        "subject": "step_limit",
        "old": "1",
        "new": "2",
        "title": "Steps",
        "file": "book-1.rules",
        "line": BASE.split("\n").index("  value step_limit = 1") + 1,
    }


def test_long_texts_are_shown_where_they_differ() -> None:
    long = " + ".join(["level"] * 60)
    change = Change(
        rule="1", sort="changed", kind="define", subject="x", old=f"{long} + 1", new=f"{long} + 2"
    )
    shown = sentence(change)
    assert len(shown) < 300
    assert shown.endswith("level + [1 -> 2]")


# Not those that number rules or cite them.
NUMBERS = list(re.finditer(r"(?<!rule )(?<![\w.(])\d+(?![\w.)])", BASE))


@settings(deadline=None)
@given(st.sampled_from(NUMBERS), st.sampled_from(["en", "fr"]))
def test_any_number_that_is_changed_is_told_for_its_rule(number: re.Match[str], language: str) -> None:
    changed = f"{BASE[: number.start()]}{int(number.group()) + 70}{BASE[number.end() :]}"
    changes = diff(checked(BASE), checked(changed))
    rule = re.findall(r"^rule ([\d.]+)", BASE[: number.start()], re.MULTILINE)[-1]
    assert {change.rule for change in changes} == {rule}
    assert not any(change.words for change in changes)
    assert all(sentence(change, language) for change in changes)
