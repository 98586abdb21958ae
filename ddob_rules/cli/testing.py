"""The command that runs the examples of rulesets: test, with what they leave untouched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from ddob_rules.campaigns import scenarios_of
from ddob_rules.check.program import Checked
from ddob_rules.cli.checking import rulesets_below
from ddob_rules.cli.games import json_option, line_span, stop_at
from ddob_rules.cli.output import FINDINGS, harmless, print_data, print_diagnostics, print_table, tell
from ddob_rules.cli.reached import added_to, coverage_file_option, print_coverage
from ddob_rules.cli.targets import language_option, load_stack, overlay_option, stack_of
from ddob_rules.examples import Outcome, Report, run_examples
from ddob_rules.library.finding import RulesetEntry, find_campaign, find_ruleset, rulesets
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.scenarios.reading import read_header
from ddob_rules.stack.book import normal
from ddob_rules.syntax.nodes.rules import Example
from ddob_rules.syntax.parse import parse_file
from ddob_rules.syntax.source import read_source
from interpreter.ir import Order, Site, rule_order
from interpreter.trials.coverage import Coverage as Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """A ruleset and what came of its examples; `report` is None if the ruleset has errors."""

    name: str
    checked: Checked | None
    report: Report | None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def outcomes(self) -> list[Outcome]:
        return self.report.outcomes if self.report is not None else []

    @property
    def failed(self) -> bool:
        return self.report is None or any(not outcome.passed for outcome in self.outcomes)


@click.command(short_help="Run the examples of rulesets.")
@click.argument("targets", nargs=-1, metavar="[PATH|NAME]...")
@click.option("--coverage", is_flag=True, help="Tell by rule what the examples touch, and what they leave.")
@coverage_file_option
@click.option("--only", default="", metavar="TEXT", help="Only examples with this in their title.")
@overlay_option
@json_option
@language_option
def test(
    targets: tuple[str, ...],
    coverage: bool,
    coverage_file: str | None,
    only: str,
    overlays: tuple[str, ...],
    as_json: bool,
    language: str,
) -> None:
    """Run the examples of rulesets; without arguments, of all rulesets in the current folder.

    \b
    Example:  ddob test my-game --coverage
    """
    cover = coverage or coverage_file is not None
    tested = [_tested(name, overlays, cover, only, language) for name in _names(targets)]
    if as_json:
        print_data(_data(tested, coverage))
    else:
        _print(tested, coverage, language)
    if coverage_file is not None:
        reports = [each.report for each in tested if each.report is not None]
        touched = frozenset[Site]().union(*(each.coverage.touched for each in reports))
        whole = added_to(coverage_file, Reached(games=0, shown=touched), language)
        if not as_json:
            print_coverage(whole, language)
    if any(each.failed for each in tested):
        raise click.exceptions.Exit(FINDINGS)


def _names(targets: tuple[str, ...]) -> list[str]:
    """The rulesets that are meant, by name where one leads there, else by path."""
    if not targets:
        found = rulesets()
        own = [entry for entry in found if not entry.shipped]
        # In the folder of the shipped rulesets, these are the ones meant.
        here = own or [entry for entry in found if Path.cwd() in (entry.folder, *entry.folder.parents)]
        if not here:
            raise click.UsageError("there are no rulesets in this folder; name one")
        return _with_scenarios([_name(entry) for entry in here])
    names: list[str] = []
    for word in targets:
        path = Path(word)
        campaign = find_campaign(word)
        if campaign is not None:
            names += scenarios_of(campaign)
        else:
            names += _in_folder(path) if path.is_dir() and not any(path.glob("*.rules")) else [word]
    return _with_scenarios(names)


def _with_scenarios(names: list[str]) -> list[str]:
    """The same, each followed by its scenarios that bring rules with examples of their own."""
    found: list[str] = []
    for name in names:
        found.append(name)
        entry = find_ruleset(name)
        for path in sorted((entry.folder / "scenarios").glob("*.yaml")) if entry is not None else ():
            header = read_header(path)
            if header is not None and header.rules is not None and _has_examples(header.rules):
                found.append(str(path))
    return found


def _has_examples(path: Path) -> bool:
    source, _ = read_source(path, str(path))
    if source is None:
        return False
    parts = (part for tree in parse_file(source).items for part in tree.walk())
    return any(isinstance(part, Example) for part in parts)


def _in_folder(folder: Path) -> list[str]:
    found = [_name(entry) for entry in rulesets_below(folder)]
    if not found:
        raise click.UsageError(f"there are no rules in `{folder}`")
    return found


def _name(entry: RulesetEntry) -> str:
    known = find_ruleset(entry.name)
    return entry.name if known is not None and known.word == entry.word else entry.word


def _tested(word: str, overlays: tuple[str, ...], cover: bool, only: str, language: str) -> Tested:
    loaded = load_stack(word, overlays, language)
    if loaded.checked is None:
        stop_at(loaded.problems, language)
    if loaded.program is None:
        return Tested(name=word, checked=loaded.checked, report=None, problems=tuple(loaded.problems))
    brought = bool(stack_of(word, overlays).extra)
    found = run_examples(loaded.checked, overlays, cover=cover, only=only, brought=brought)
    name, problems = normal(loaded.program.name), tuple(found.problems)
    return Tested(name=name, checked=loaded.checked, report=found, problems=problems)


# ---------------------------------------------------------------- telling


def _print(tested: list[Tested], coverage: bool, language: str) -> None:
    problems = [problem for each in tested for problem in each.problems]
    problems += [problem for each in tested for outcome in each.outcomes for problem in outcome.problems]
    print_diagnostics(problems, language=language)
    for each in tested:
        if each.report is not None and not each.outcomes:
            tell(harmless(_no_examples(each, language)))
        if coverage and each.report is not None:
            _print_coverage(each, language)
    passed, failed = _counts(tested)
    if problems:
        tell()
    tell(_summary(passed, failed, language))


def _counts(tested: list[Tested]) -> tuple[int, int]:
    outcomes = [outcome for each in tested for outcome in each.outcomes]
    passed = sum(outcome.passed for outcome in outcomes)
    return passed, len(outcomes) - passed


def _summary(passed: int, failed: int, language: str) -> str:
    if language == "fr":
        return f"{passed} {'exemple réussi' if passed < 2 else 'exemples réussis'}" + (
            f", {failed} {'échoué' if failed < 2 else 'échoués'}" if failed else ""
        )
    return f"{passed} {'example' if passed == 1 else 'examples'} passed" + (
        f", {failed} failed" if failed else ""
    )


def _no_examples(tested: Tested, language: str) -> str:
    """That there are none; of an overlay also how those of its base are run under it."""
    name = tested.name
    told = f"{name} n'a pas d'exemples" if language == "fr" else f"{name} has no examples"
    books = tested.checked.books if tested.checked is not None else []
    if len(books) < 2 or not books[-1].extends or "+" in name:
        return told
    base = books[-2].name
    command = f"`ddob test {base} --overlay {name}`"
    if language == "fr":
        return f"{told} ; ceux de {base} sous ses règles : {command}"
    return f"{told}; those of {base} under its rules: {command}"


def _order(tested: Tested) -> Callable[[str], Order]:
    merged = tested.checked.merged if tested.checked is not None else None
    return merged.order if merged is not None else rule_order


def _print_coverage(tested: Tested, language: str) -> None:
    assert tested.report is not None
    cover = tested.report.coverage
    by_rule = cover.by_rule()
    headings = ("Règle", "Titre", "Touché") if language == "fr" else ("Rule", "Title", "Touched")
    rows = [
        (number, _title(tested, number), f"{by_rule[number][0]} / {by_rule[number][1]}")
        for number in sorted(by_rule, key=_order(tested))
    ]
    tell(harmless(f"{tested.name}:"))
    print_table(headings, rows)
    left = cover.untouched()
    if left:
        tell("\n" + ("jamais touché :" if language == "fr" else "never touched:"))
    for site in left:
        tell(harmless(f"  {_place(site)}  [{site.rule}]  {line_span(site).text}"))
    tell()


def _place(site: Site) -> str:
    return f"{site.file}:{site.line}:{site.column}"


def _title(tested: Tested, number: str) -> str:
    block = tested.checked.merged.rules.get(number) if tested.checked is not None else None
    return block.title if block is not None else ""


# ---------------------------------------------------------------- for programs


def _data(tested: list[Tested], coverage: bool) -> dict[str, object]:
    passed, failed = _counts(tested)
    return {
        "passed": passed,
        "failed": failed,
        "rulesets": [_tested_data(each, coverage) for each in tested],
    }


def _tested_data(tested: Tested, coverage: bool) -> dict[str, object]:
    found: dict[str, object] = {
        "ruleset": tested.name,
        "problems": _messages(tested.problems),
        "examples": [
            {
                "title": outcome.title,
                "rules": list(outcome.rules),
                "file": outcome.file,
                "line": outcome.line,
                "passed": outcome.passed,
                "problems": _messages(outcome.problems),
            }
            for outcome in tested.outcomes
        ],
    }
    if coverage and tested.report is not None:
        cover = tested.report.coverage
        by_rule = sorted(cover.by_rule().items(), key=lambda item: _order(tested)(item[0]))
        found["coverage"] = {rule: {"touched": hit, "places": total} for rule, (hit, total) in by_rule}
        found["untouched"] = [
            {"rule": site.rule, "file": site.file, "line": site.line, "column": site.column}
            for site in cover.untouched()
        ]
    return found


def _messages(problems: Iterable[Diagnostic]) -> list[dict[str, object]]:
    return [
        {
            "code": problem.code,
            "message": problem.message,
            "line": problem.primary.line if problem.primary is not None else 0,
        }
        for problem in problems
    ]


COMMANDS = (test,)
