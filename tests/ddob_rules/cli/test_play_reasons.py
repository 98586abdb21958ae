"""At the terminal: why something cannot be done, told of what was meant, however it was typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddob_rules import load
from interpreter.table.asking import Reason, why_not
from interpreter.table.seen import Seen
from tests.ddob_rules.cli.playing import ddob

CONVOY = """\
ruleset convoy "Convoy"
players red "Red", blue "Blue"

rule 1 "Cells":
  space cell on square board
  piece man:
    owner: player
    special: flag = no
    moved: flag = no each turn
  piece leader:
    owner: player

rule 2 "Play":
  sequence turn:
    phase day "March": red may take actions
    phase dusk "March": red may take actions
    phase night "Battle": red may take actions

rule 3 "Marching":
  action march "March" (m: man) by p in day, dusk:
    when m.owner = p  else "it is not yours" (3)
    when not m.moved  else "it has moved" (3)
    do:
      let to = choose from c in neighbours(m.at) or none by p "Where does {m} go?"
      if to != nothing: put m on to
      mark m as moved
  action lead "March a leader" (h: leader) by p in day, dusk:
    do:
      choose to in neighbours(h.at) by p "Where does {h} lead?": put h on to
  action sneak "Sneak" (m: man) by p in day:
    when m.owner = p  else "it is not yours" (3)
    when m.special  else "only special men sneak" (3)
    do:
      choose to in neighbours(m.at) by p "Where does {m} sneak?": put m on to

rule 4 "Fighting":
  action fight "Fight" (m: man, target: man) by p in night:
    when m.owner = p  else "it is not yours" (4)
    when target.owner != p  else "that is a friend" (4)
    when adjacent(m.at, target.at)  else "it is out of reach" (4)
    do: remove target
"""
SQUARE = """\
scenario: convoy
title: Convoy
ruleset: convoy
turns: 2
players: [red, blue]
boards:
  cell:
    layout: {shape: square, adjacency: orthogonal}
    numbering: "{letter}{row}"
    size: [4, 4]
pieces:
  man:
    - {id: tom, at: b2, owner: red}
    - {id: ben, at: a1, owner: red, special: yes}
    - {id: foe, at: b3, owner: blue}
    - {id: far, at: d4, owner: blue}
  leader:
    - {id: boss, at: c3, owner: red}
"""


def written(factory: pytest.TempPathFactory, name: str, rules: str, scenario: str) -> Path:
    """A ruleset in a folder of its own; gives its scenario."""
    folder = factory.mktemp("rules") / name
    (folder / "scenarios").mkdir(parents=True)
    (folder / f"{name}.rules").write_text(rules, "utf-8")
    path = folder / "scenarios" / f"{name}.yaml"
    path.write_text(scenario, "utf-8")
    return path


@pytest.fixture(scope="module")
def convoy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory, "convoy", CONVOY, SQUARE)


def answers_to(path: Path, *lines: str) -> list[str]:
    """What was told after each line, the first line of it."""
    output = ddob("play", str(path), "--seed", "1", typed="\n".join((*lines, "quit")) + "\n").stdout
    told = [text.partition("\n")[2] for text in output.split("\n> ")[1:]]
    return [text.partition("\n")[0] for text in told[: len(lines)]]


def test_an_act_of_another_phase_says_when_it_can_be_done(convoy: Path) -> None:
    bare, whole, misspelt = answers_to(convoy, "fight", "fight tom foe", "figth tom foe")
    assert bare == "only possible in: Battle"
    assert whole == "only possible in: Battle (4)"
    assert "did you mean `fight`?" in misspelt


def test_who_was_named_is_told_of_and_not_the_one_who_could(convoy: Path) -> None:
    told, with_place, why = answers_to(convoy, "sneak tom", "sneak tom c2", "why not sneak ben b1")
    assert told == with_place == "Sneak: only special men sneak [3]"
    assert why == "this is allowed"


def test_a_piece_with_where_it_should_go_is_told_of_its_move(convoy: Path) -> None:
    _, again, asked = answers_to(convoy, "march tom c2", "tom d2", "why not tom d2")
    assert again == asked == "March: it has moved [3]"


def test_why_not_needs_no_act(convoy: Path) -> None:
    may, place, no_place, nobody = answers_to(
        convoy, "why not ben", "why not tom c2", "why not tom d4", "why not nobody c2"
    )
    assert may == place == "this is allowed"
    assert no_place.startswith("that is none of the answers to: Where does tom go? [3]")
    assert nobody == "there is no action `nobody`"


def test_an_act_is_not_allowed_to_a_piece_of_another_kind(convoy: Path) -> None:
    leads, place = answers_to(convoy, "why not march boss", "why not march boss a4")
    assert leads == "this is allowed"
    assert place.startswith("it may begin, but `a4` is none of the answers to: Where does boss lead?")
    state = load(str(convoy)).start(seed=1)
    refusal = state.why_not("march", "boss", player="red")
    assert refusal is not None and "is not a man" in str(refusal)


def test_reasons_of_this_phase_come_alone_and_titles_of_phases_once(convoy: Path) -> None:
    state = load(str(convoy)).start(seed=1)
    state.apply("march(tom)")
    state.apply("c2")
    tom = why_not(Seen(state, "red"), ["tom"])
    assert [(one.title, one.text) for one in tom] == [
        ("March", "it has moved"),
        ("Sneak", "only special men sneak"),
    ]
    state.apply("pass")
    state.apply("pass")
    assert why_not(Seen(state, "red"), ["ben"]) == [
        Reason("March", "only possible in: March", "3"),
        Reason("Sneak", "only possible in: March", "3"),
        Reason("Fight", "it is out of reach", "4"),
    ], "of all whom he could fight those that come nearest are told of"


DIGGING = """\
ruleset digging "Digging"
players red "Red", blue "Blue"

rule 1 "Cells":
  space cell on square board
  piece man:
    owner: player
    moved, dug: flag = no each turn

rule 2 "Play":
  sequence turn:
    phase day "Movement": red may take actions
  define fresh(m: man, p: player): flag:
    when m.owner = p  else "it is not yours" (2)
    when not m.moved  else "it has moved" (2)
  action step "Step" (m: man, to: cell) by p in day:
    when fresh(m, p)
    when adjacent(m.at, to)  else "it steps into the next cell" (2)
    do:
      mark m as moved
      put m on to
  action dig "Dig in" (m: man) by p in day:
    when m.owner = p  else "it is not yours" (2)
    when not m.dug  else "it has dug in" (2)
    do: mark m as dug
  action swap "Swap" (m: man) by p in day:
    when fresh(m, p)
    do:
      choose other in man where other.owner = p and other != m by p "With whom?"
          else why not fresh(other, p) when other.owner != p
          else "it is the same man": put other on m.at
"""


@pytest.fixture(scope="module")
def digging(tmp_path_factory: pytest.TempPathFactory) -> Path:
    square = SQUARE.replace("convoy", "digging").replace("Convoy", "Digging").replace(", special: yes", "")
    men = square.split("  leader:")[0] + "    - {id: joe, at: d1, owner: red}\n"
    return written(tmp_path_factory, "digging", DIGGING, men)


def test_who_can_do_something_else_is_told_why_not_this(digging: Path) -> None:
    _, of_both, of_act = answers_to(digging, "step tom c2", "why not tom d4", "why not step tom d4")
    assert of_both == "Step: it has moved [2]" and of_act == "it has moved (2)"


def test_another_act_than_the_one_that_asks_is_not_allowed_by_its_answer(digging: Path) -> None:
    _, same, other, yes, foe = answers_to(
        digging, "swap tom", "why not swap tom", "why not step tom c2", "why not ben", "why not foe"
    )
    assert same == "it is the same man [2]"
    assert other == "only possible in: Movement (2)"
    assert yes == "this is allowed"
    assert foe == "it is not yours [2]"
