"""Odds from examples: exactly, over the whole tree of chance, or by samples; and what is told of them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddob_rules.cli import main
from interpreter.trials.outcomes import Outcomes
from tests.ddob_rules.cli.playing import ddob

RULES = """\
ruleset luck "Luck"
players ann "Ann", ben "Ben"

rule 1 "Dice and cards":
  dice die: 1..6
  dice coin: heads, tails
  enum suit: red, black
  card trump:
    colour: suit
    worth: number
  deck stock of trump
  pile hand of trump
  variable total: number = 0
  variable tries: number = 0
  sequence turn:
    phase play for each p in player: p takes 1 action
  action pass_on by p in play:
    do: p wins
  setup: shuffle stock
  procedure add_dice(n: number):
    repeat n times:
      let rolled = roll die
      increase total by rolled
  procedure two_cards():
    repeat 2 times:
      let drawn = draw from stock
      put drawn in hand
  procedure until_six():
    repeat up to 3 times while total = 0:
      let rolled = roll die
      increase tries by 1
      if rolled = 6: set total to 1
  procedure guess():
    let said = choose number from 1 to 4 by ann "Which?"
    set total to said
  procedure worth_it():
    let wanted = choose yes or no by ann "Take the points?"
    if wanted: set total to 5
  procedure fail_sometimes():
    let rolled = roll die
    set total to 6 / (rolled - 1) rounded down
  score(p) = total

example "Two dice" of 1:
  given "luck"
  when add_dice(2)
  expect total = 7
  expect total >= 11

example "One die is fixed" of 1:
  given "luck"
  when:
    dice show 5
    add_dice(2)
  expect total = 7

example "Both cards are red" of 1:
  given "luck"
  when two_cards()
  expect every c in trump at hand has c.colour = red

example "A six within three" of 1:
  given "luck"
  when until_six()
  expect total = 1
  expect tries = 3

example "A guess and a die" of 1:
  given "luck"
  when guess()
  when add_dice(1)
  expect total = 2

example "Worth taking" of 1:
  given "luck"
  when worth_it()
  expect total = 5

example "Ten dice" of 1:
  given "luck"
  when add_dice(10)
  expect total >= 35

example "Fails for a one" of 1:
  given "luck"
  when fail_sometimes()
  expect total = 6

example "Expects nothing" of 1:
  given "luck"
  when add_dice(1)
"""
SCENARIO = """\
scenario: luck
ruleset: luck
pieces:
  trump:
    - {id: r1, colour: red, worth: 1, at: stock}
    - {id: r2, colour: red, worth: 2, at: stock}
    - {id: r3, colour: red, worth: 3, at: stock}
    - {id: b1, colour: black, worth: 1, at: stock}
    - {id: b2, colour: black, worth: 2, at: stock}
"""


@pytest.fixture(autouse=True)
def _game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "luck" / "scenarios").mkdir(parents=True)
    (tmp_path / "luck" / "luck.rules").write_text(RULES, encoding="utf-8")
    (tmp_path / "luck" / "scenarios" / "luck.yaml").write_text(SCENARIO, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def odds(*words: str) -> Any:
    found = ddob("odds", "luck", *words, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.output)


def fractions(*words: str) -> list[Fraction]:
    found = odds(*words)
    assert found["exact"]
    return [Fraction(one["fraction"]) for one in (*found["expect"], found["together"])]


def test_the_game_has_no_findings() -> None:
    assert ddob("check", "luck").exit_code == 0


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Two dice", [Fraction(6, 36), Fraction(3, 36), Fraction(0)]),
        ("One die is fixed", [Fraction(1, 6), Fraction(1, 6)]),
        ("Both cards are red", [Fraction(comb(3, 2), comb(5, 2))] * 2),
        ("A six within three", [1 - Fraction(5, 6) ** 3, Fraction(25, 36), Fraction(25, 36) / 6]),
        ("A guess and a die", [Fraction(1, 4) / 6] * 2),
    ],
)
def test_exact_odds(title: str, expected: list[Fraction]) -> None:
    assert fractions(title) == expected


def test_who_answers_is_said_and_matters() -> None:
    assert odds("Worth taking")["answered_by"] == "random"
    assert fractions("Worth taking") == [Fraction(1, 2)] * 2
    assert odds("Worth taking", "--player", "greedy")["answered_by"] == "greedy"
    assert fractions("Worth taking", "--player", "greedy") == [1, 1]
    assert odds("Two dice")["answered_by"] is None


def test_a_tree_that_is_too_large_is_sampled_the_same_for_the_same_seed() -> None:
    words = ("Ten dice", "-n", "400", "--most", "2000")
    found = odds(*words)
    assert (found["exact"], found["runs"]) == (False, 400)
    (one,) = found["expect"]
    assert one["low"] < one["share"] < one["high"] and "fraction" not in one
    assert found == odds(*words) != odds(*words, "--seed", "1")


@pytest.mark.parametrize("title", ["Two dice", "Both cards are red", "A guess and a die"])
def test_samples_agree_with_the_exact_odds(title: str) -> None:
    exact, sampled = odds(title), odds(title, "--sample", "-n", "2000")
    for one, other in zip(exact["expect"], sampled["expect"], strict=True):
        # The 95% interval, made three times as wide: this seed is always the same.
        width = other["high"] - other["low"]
        assert abs(one["share"] - other["share"]) < 1.5 * width


def test_what_is_asked_without_an_example() -> None:
    words = ("--given", "luck", "--when", "add_dice(2)", "--expect", "total = 2", "--expect", "total > 2")
    assert fractions(*words) == [Fraction(1, 36), Fraction(35, 36), Fraction(0)]


def test_what_is_asked_of_rules_laid_over_those_of_the_scenario() -> None:
    Path("more.rules").write_text(
        'ruleset more "More" extends luck\nrule M "Three":\n  procedure three(): add_dice(3)\n',
        encoding="utf-8",
    )
    found = ddob("odds", "more", "--given", "luck", "--when", "three()", "--expect", "total = 18", "--json")
    assert json.loads(found.output)["expect"][0]["fraction"] == "1/216"


def test_it_is_told_in_both_languages() -> None:
    told = ddob("odds", "luck", "Two dice").output
    assert told.startswith("Two dice: exact, over 36 ways\n")
    one = ("odds", "luck", "--given", "luck", "--when", "add_dice(0)", "--expect", "total = 0")
    assert ddob(*one).output.startswith("what was asked: exact, over 1 way\n")
    assert "exact, sur 1 façon\n" in ddob(*one, "--lang", "fr").output
    assert ddob(*one, "--sample", "-n", "1").output.startswith("what was asked: 1 sample from seed 0\n")
    assert "1/6" in told and "16.67%" in told and "all together" in told
    assert "tout ensemble" in ddob("odds", "luck", "Two dice", "--lang", "fr").output
    assert "open questions answered by: random" in ddob("odds", "luck", "A guess").output


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("Tow dice",), "E0750", "did you mean `Two dice`?"),
        (("dice",), "E0751", "`Two dice`, `Ten dice`"),
        (("Expects nothing",), "E0752", "add an `expect` line"),
        (("Fails for a one",), "E0753", "divided by zero"),
        (("--given", "luck", "--when", "add_dcie(2)", "--expect", "total = 2"), "E0201", "add_dice"),
        (("--given", "luck", "--expect", "total = = 2"), "E0111", "(odds):5:18"),
    ],
)
def test_what_cannot_be_told(words: tuple[str, ...], code: str, said: str) -> None:
    found = ddob("odds", "luck", *words)
    assert found.exit_code == 1
    assert code in found.output and said in found.output


def test_a_game_whose_name_has_a_hyphen_can_be_asked() -> None:
    words = ("--given", "tic-tac-toe", "--when", "take mark(a1) by cross", "--expect", "a1.mark = cross")
    found = ddob("odds", "tic-tac-toe", *words)
    assert found.exit_code == 0 and "100.00%" in found.output, found.output


@pytest.mark.parametrize("words", [(), ("Two dice", "--given", "luck"), ("--given", "luck")])
def test_misuse_is_told(words: tuple[str, ...]) -> None:
    assert ddob("odds", "luck", *words).exit_code == 2
    assert "odds" in main.list_commands(click.Context(main))


# ---------------------------------------------------------------- the walk itself


@given(st.lists(st.integers(1, 4), max_size=5))
def test_all_ways_are_taken_once_and_their_odds_add_up(counts: list[int]) -> None:
    source, seen, whole = Outcomes(), [], Fraction(0)
    more = True
    while more:
        source.begin()
        seen.append(tuple(source.choose(count) for count in counts))
        whole += source.probability
        more = source.advance()
    assert whole == 1
    assert len(seen) == len(set(seen)) and sorted(seen) == seen


@given(st.integers(2, 4), st.integers(0, 4))
def test_an_open_deck_gives_every_order_alike(size: int, drawn: int) -> None:
    source, shares = Outcomes(), {}
    more = True
    while more:
        source.begin()
        _, pile = source.stirred(0, tuple(range(size)))
        top: list[int] = []
        while pile and len(top) < drawn:
            pile = source.settled(pile) if pile[0] < 0 else pile
            top.append(pile[0])
            pile = pile[1:]
        shares[tuple(top)] = source.probability
        more = source.advance()
    assert sum(shares.values()) == 1
    assert len(set(shares.values())) == 1
