"""Revisions of "D-Day at Omaha Beach" by other people: each differs from the base game where it says so.

That they check without findings and that their examples hold is tested with every shipped ruleset; here it is
what they amend, that every difference shows on the map, and what becomes of a saved game.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddob_rules.cli import main
from ddob_rules.examples import run_examples
from ddob_rules.compare.impact import impact
from ddob_rules.loading import load_ruleset
from ddob_rules.resources import rulesets_folder
from interpreter.records.saves import Save, read_save
from tests.looping import each
from tests.shipped import shipped_rules

#: The rule that amends, and the rules of the base game that it amends.
REVISIONS = {
    "ddob-inerd": {
        "6.51-inerd": ["6.51"],
        "7.1-command-inerd": ["7.1-command"],
        "7.22-inerd": ["7.22"],
        "7.32-inerd": ["7.32"],
        "7.32-inerd-card": ["7.32"],
        "8.12-inerd": ["8.12"],
        "8.16-inerd": ["8.1"],
        "8.24-inerd": ["8.21"],
        "8.3-inerd": ["8.3"],
        "8.4-inerd": ["8.4"],
        "8.51-inerd": ["8.25", "8.31", "8.51"],
        "9.24-inerd": ["9.21", "9.24"],
        "9.3-inerd": ["9.3"],
        "12.1-inerd": ["12.1"],
    },
    "ddob-fr": {
        "8.16-fr": ["8.1"],
        "9.1-fr": ["8.3"],
        "E.8-fr": ["E.8"],
    },
    "ddob-inerd-extended": {
        "7.1-command-inerd-extended": [],
        "18.3-inerd": ["18.3"],
        "16.7-inerd": ["16.7"],
        "16.91-inerd": ["16.91"],
        "17.1-inerd": ["17.1"],
        "19.31-inerd": ["19.31"],
    },
    "ddob-fr-extended": {
        "16.4-fr": ["16.4"],
        "16.7-fr": ["16.7"],
    },
}
NAMES = sorted(REVISIONS)
#: What a revision is compared with; those of the extended game bring those of the base game along.
BASES = {name: "ddob-extended" if name.endswith("-extended") else "ddob" for name in NAMES}
PLAIN = 'ruleset plain "The game without the revision" edition "1" extends {base}\n\n'
#: What is said of an example that can be played and does not hold: another question, or another result.
TURNED_OUT_OTHERWISE = {"E0723", "E0724", "E0725", "E0726", "E0727", "E0728", "E0729", "E0730", "E0731"}


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.output


@pytest.fixture(scope="module")
def saved_games(tmp_path_factory: pytest.TempPathFactory) -> list[Save]:
    """Two games of the base game, played at random to their end."""
    folder = tmp_path_factory.mktemp("saves")
    for seed in ("2", "3"):
        run("run", "first-waves", "--seed", seed, "--save", str(folder / f"{seed}.json"))
    return [read_save(path) for path in sorted(folder.iterdir())]


@cache
def changes(name: str) -> list[dict[str, object]]:
    return list(json.loads(run("diff", BASES[name], name, "--json")))


def amendments(name: str) -> dict[str, list[str]]:
    """All that a revision amends, with what it brings along and does not take back."""
    below = name.removesuffix("-extended")
    if below == name:
        return REVISIONS[name]
    gone = shipped_rules(name).merged.gone
    kept = {rule: targets for rule, targets in REVISIONS[below].items() if rule not in gone}
    return kept | REVISIONS[name]


@pytest.mark.parametrize("name", NAMES)
def test_diff_lists_every_amendment_and_nothing_else(name: str) -> None:
    amended = [
        (str(found["by"]), str(found["rule"])) for found in changes(name) if found["sort"] == "rule amended"
    ]
    expected = [(rule, target) for rule, targets in amendments(name).items() for target in targets]
    assert sorted(amended) == sorted(expected)


@pytest.mark.parametrize("name", NAMES)
def test_every_change_comes_from_an_amendment(name: str) -> None:
    ours = amendments(name)
    assert [
        found for found in changes(name) if found["rule"] not in ours and found.get("by") not in ours
    ] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_amendment_says_in_words_what_it_means_and_where_it_stands(name: str) -> None:
    book = shipped_rules(name).books[-1]
    assert [rule.id for rule in book.rules] == list(REVISIONS[name])
    assert [rule.id for rule in book.rules if not rule.text and REVISIONS[name][rule.id]] == []
    lines = (rulesets_folder() / name / "differences.rules").read_text(encoding="utf-8").splitlines()
    above = [lines[number - 1] for number, line in enumerate(lines) if line.startswith("rule ")]
    assert [line for line in above if not line.startswith("# ")] == [], "a comment names the source"


@pytest.mark.parametrize("name", NAMES)
def test_every_amendment_has_an_example_that_fails_in_the_base_game(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (rulesets_folder() / name / "examples" / "differences.rules").read_text(encoding="utf-8")
    shown = {
        rule
        for line in re.findall(r'^example ".*" of (.*):$', text, re.MULTILINE)
        for rule in line.split(", ")
    }
    assert shown == set(REVISIONS[name])
    suffix = name.removeprefix("ddob").removesuffix("-extended")
    plain = re.sub(rf"{suffix}(-\w+)?(?=[,:])", "", text)
    header = PLAIN.format(base=BASES[name].replace("-", "_"))
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "plain.rules").write_text(header + plain, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    loaded = load_ruleset("plain")
    assert loaded.checked is not None and loaded.problems == []
    outcomes = run_examples(loaded.checked).outcomes
    assert [outcome.title for outcome in outcomes if outcome.passed] == []
    assert {problem.code for outcome in outcomes for problem in outcome.problems} <= TURNED_OUT_OTHERWISE


@pytest.mark.parametrize("name", ["ddob-extended", "ddob-fr", "ddob-inerd"])
def test_the_examples_of_the_base_game_hold_but_for_those_that_are_meant_to_change(name: str) -> None:
    loaded = load_ruleset("ddob", (name,))
    assert loaded.checked is not None
    failed = [outcome for outcome in run_examples(loaded.checked, (name,)).outcomes if not outcome.passed]
    # `without example "..."` in the amending rule says that it is meant.
    assert [outcome.title for outcome in failed] == []


def test_a_difference_about_a_card_does_not_take_the_story_away() -> None:
    # Not in every game does somebody infiltrate.
    stories = (run("run", "first-waves", "--overlay", "ddob-inerd", "--seed", seed) for seed in "123456")
    assert any(re.search(r"Card \d+: \S+ infiltrates \[7\.32\]", told) for told in stories)


@pytest.mark.parametrize(
    ("name", "differ"), [("ddob-inerd", {"differs"}), ("ddob-fr", {"unchanged", "differs"})]
)
def test_impact_tells_which_amendment_changes_a_saved_game(
    name: str, differ: set[str], saved_games: list[Save]
) -> None:
    for found in each(impact("ddob", name, saved_games)):
        assert found.status in differ
        assert found.status == "unchanged" or found.rule in REVISIONS[name]
        assert len(found.causes) == (found.status == "differs")


@pytest.mark.parametrize(
    ("language", "amended", "before"), [("en", "amended by", "Before: "), ("fr", "amendée par", "Avant : ")]
)
def test_diff_is_an_errata_sheet_with_a_paragraph_for_each_amendment(
    language: str, amended: str, before: str
) -> None:
    paragraphs = run("diff", "ddob", "ddob-inerd", "--lang", language).strip().split("\n\n")
    headings = [" ".join(paragraph.split())[:300] for paragraph in paragraphs]
    assert len(paragraphs) == len(REVISIONS["ddob-inerd"])
    for rule in REVISIONS["ddob-inerd"]:
        assert sum(re.search(rf" {re.escape(rule)} ?:", heading) is not None for heading in headings) == 1
    (sector,) = [paragraph for paragraph in paragraphs if paragraph.startswith("7.22 ")]
    assert amended in sector and before in sector
    assert sector.index("7.22-inerd") < sector.index(before) < sector.index("  - belongs")
    assert not re.search(r"\bbase\b", "\n".join(paragraphs))
