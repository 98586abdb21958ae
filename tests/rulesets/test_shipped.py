"""Every shipped ruleset: checks without a finding, is in the house style, and its worked examples hold."""

from __future__ import annotations

import pytest

from ddob_rules.stack.book import ruleset_files
from ddob_rules.examples import run_examples
from ddob_rules.syntax.format import format_source
from ddob_rules.library.finding import RulesetEntry, rulesets
from ddob_rules.reports.render import render_text
from ddob_rules.resources import rulesets_folder
from ddob_rules.syntax.source import read_source
from tests.looping import each
from tests.shipped import shipped_ruleset

SHIPPED = rulesets(rulesets_folder())


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_shipped_ruleset_checks_and_its_examples_hold(entry: RulesetEntry) -> None:
    loaded = shipped_ruleset(entry.name)
    assert render_text(loaded.problems) == ""
    assert loaded.checked is not None
    report = run_examples(loaded.checked)
    assert report.outcomes, "a ruleset has examples"
    failed = [outcome for outcome in report.outcomes if not outcome.passed]
    assert "\n".join(render_text(outcome.problems) for outcome in failed) == ""


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_shipped_rules_are_in_the_house_style(entry: RulesetEntry) -> None:
    for path in each(ruleset_files(entry.folder)):
        source, problems = read_source(path)
        assert problems == []
        assert source is not None
        text, _ = format_source(source)
        assert text == source.text, path.name
