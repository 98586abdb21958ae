"""`untold`, `shown as` and `status` in rules: what is refused, and that nothing in play depends on them."""

from __future__ import annotations

from tests.rules import check_text
from tests.running import program_of
from tests.telling_game import RULES


def codes(*texts: str) -> list[str]:
    return [problem.code for problem in check_text(*texts).problems]


def test_the_telling_game_has_no_findings() -> None:
    assert codes(RULES) == []


def test_two_looks_for_one_kind_are_an_error() -> None:
    assert codes(RULES + 'rule 9:\n  piece unit also:\n    shown as "{it}"\n') == ["E0206"]


def test_a_look_is_a_text_and_a_colour_a_text_or_value() -> None:
    assert codes(RULES.replace('shown as "{it.ground.sign}"', "shown as it.mined")) == ["E0202"]
    assert codes(RULES.replace("coloured by it.ground.tint", "coloured by it.mined")) == ["E0202"]
    assert codes(RULES.replace('status "Wind {wind}"', "status wind")) == ["E0202"]


def test_an_edge_has_no_look() -> None:
    assert codes(RULES + 'rule 9:\n  edge side between cell, cell:\n    shown as "x"\n') == ["E0351"]


def test_an_attribute_may_still_be_called_shown() -> None:
    assert codes(RULES.replace("steps: number = 3 untold", "steps, shown, status: number = 3 untold")) == []


def test_an_overlay_replaces_a_look_and_takes_a_status_away() -> None:
    overlay = (
        'ruleset other "Other" extends told\nrule O1 amends 1:\n  piece unit also:\n    shown as "!{it}"\n'
        '  status "More" when turn > 3\n'
    )
    program = program_of(RULES, overlay)
    unit = next(kind for kind in program.kinds if kind.name == "unit")
    assert unit.look is not None and unit.look.site.rule == "O1"
    assert [status.site.rule for status in program.status] == ["1", "1", "O1"]


def test_telling_and_showing_are_no_mechanics() -> None:
    plain = RULES.replace(" untold", "")
    for line in RULES.splitlines():
        if line.strip().startswith(('shown as "{it', "status")):
            plain = plain.replace(f"{line}\n", "")
    assert plain != RULES
    assert program_of(plain).hash == program_of(RULES).hash


def test_definitions_that_only_looks_use_are_used() -> None:
    rules = RULES.replace('shown as "{it.ground.sign}"', "shown as sign_of(it)")
    rules += "rule 9:\n  define sign_of(c: cell): text = c.ground.sign\n"
    assert codes(rules) == []
