"""Phases that rules run: parameters, parts, phases inside, what is attached and offered, and overlays."""

from __future__ import annotations

from tests.rules import check_text
from tests.running import trial

RULES = """\
ruleset assault_game "Assault"
players us "Us", them "Them"
rule 1 "Words":
  piece unit:
    steps: number = 2
  variable story: text = ""
  procedure tell(what: text): set story to "{story}{what} "
rule 2 "Sequence":
  sequence turn:
    phase march for each p in player when p = us: p takes 1 action
    phase night: tell("night")
rule 3 "Assault":
  phase assault "Assault" (u: unit, p: player):
    joined: set of unit = {u}
    calls: list of number = []
    rounds: number = 10 * u.steps
    tell("begin")
    phase joining: p may take actions
    phase resolution: tell("={strength}/{rounds}/{size(calls)}/{led_by(u)}")
  at start of assault: tell("start-{u}-{size(joined)}")
  at end of resolution: tell("end-{u}")
  action storm(u: unit) by p in march:
    do:
      run phase assault(u, p)
      tell("back-{p}")
  action join(v: unit) by p in joining:
    when v not in joined and v != u  else "it is there"
    limit 1 in phase
    do:
      set joined to joined + {v}
      set calls to calls + [v.steps]
      tell("{u}+{v}")
  define strength: number = sum(v.steps for v in joined)
  define led_by(v: unit): flag = v = u
"""
SCENARIO = "turns: 2\npieces: {unit: [{id: A}, {id: B, steps: 3}, {id: C}]}\n"
FIRST = "start-A-1 begin A+B =5/20/1/yes end-A back-Us night "
SECOND = "start-B-1 begin =3/30/0/yes end-B back-Us night "
ANSWERS = ("storm(A)", "join(B)", "pass", "storm(B)", "pass")


def test_parts_are_fresh_each_time_and_everything_in_the_phase_knows_them() -> None:
    assert trial(RULES, scenario=SCENARIO, answers=ANSWERS)["story"] == FIRST + SECOND


def test_outside_the_phase_nothing_of_it_is_left_in_the_position() -> None:
    found = trial(RULES, scenario=SCENARIO, answers=ANSWERS)
    names = [variable.name for variable in found.games[0].program.variables]
    kept = dict(zip(names, (getattr(found.state, name) for name in found.state.VARIABLES), strict=True))
    assert (kept["joined of phase assault"], kept["rounds of phase assault"]) == (0, 0)


def test_what_the_phase_gives_is_known_after_it_and_ends_what_it_does() -> None:
    """What is done at its end is still done, and its parts are gone by then."""
    rules = RULES.replace("(u: unit, p: player):", "(u: unit, p: player) -> number:")
    rules = rules.replace(
        "  at start of assault", "    give rounds + strength\n    tell('never')\n  at start of assault"
    ).replace("'", '"')
    rules = rules.replace(
        "      run phase assault(u, p)\n      tell", "      let r = run phase assault(u, p)\n      tell"
    ).replace("back-{p}", "back-{r}-{size(joined)}")
    rules += '  at end of assault: tell("over-{size(joined)}")\n'
    first = "start-A-1 begin A+B =5/20/1/yes end-A over-2 back-25-0 night "
    second = "start-B-1 begin =3/30/0/yes end-B over-1 back-33-0 night "
    assert trial(rules, scenario=SCENARIO, answers=ANSWERS)["story"] == first + second


def test_only_a_phase_with_a_result_gives_one() -> None:
    asked = RULES.replace("      run phase assault(u, p)\n", "      let r = run phase assault(u, p)\n")
    assert [problem.code for problem in check_text(asked).problems] == ["E0414"]
    given = RULES.replace('    tell("begin")', "    give 3")
    assert [problem.code for problem in check_text(given).problems] == ["E0413"]


def test_outside_the_phase_its_parts_are_empty_for_whoever_looks() -> None:
    rules = RULES + '  during night: tell("{strength}-{size(joined)}-{rounds}")\n'
    story = trial(rules, scenario=SCENARIO, answers=ANSWERS)["story"]
    assert story.count("night 0-0-0") == 2


def test_overlays_add_parts_and_phases() -> None:
    over = """\
ruleset over "Over" extends assault_game
rule 9 amends 3:
  phase assault also:
    smoke: flag = u.steps = 3
  insert phase smoking after joining: tell("smoke-{smoke}")
  at end of smoking: set smoke to no
  at end of resolution: tell("{smoke}")
"""
    story = trial(RULES, over, scenario=SCENARIO, answers=ANSWERS)["story"]
    assert "A+B smoke-no =5" in story and "begin smoke-yes =3/30/0/yes end-B no " in story


def test_a_phase_that_runs_itself_is_a_circle() -> None:
    rules = RULES.replace("  define strength", "  during joining: run phase assault(u, p)\n  define strength")
    assert [problem.code for problem in check_text(rules).problems] == ["E0209"]


def test_what_a_phase_is_run_with_must_fit() -> None:
    for call in ("run phase assault(u)", "run phase assault(p, u)", "run phase asault(u, p)"):
        rules = RULES.replace("run phase assault(u, p)", call)
        codes = {problem.code for problem in check_text(rules).problems}
        assert codes & {"E0201", "E0202", "E0203"}, call


def test_names_of_parts_are_taken() -> None:
    rules = RULES.replace("define led_by(v: unit): flag = v = u", "define joined: number = 3")
    assert "E0206" in {problem.code for problem in check_text(rules).problems}
