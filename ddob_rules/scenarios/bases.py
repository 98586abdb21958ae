"""From the chain of scenarios that build on each other to what is wrong with it.

A link may be missing, lead back, or lead to a scenario of rules that do not belong to this one's. What the
files say beyond that is left to `scenario`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ddob_rules.library.finding import find_base, scenarios
from ddob_rules.library.headers import ScenarioFile, leads_out, read_scenario_file, resolve_near, whole_head
from ddob_rules.library.yamldoc import ScalarNode, first_line, text_of
from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.schema_problems import type_words, wrong_type
from ddob_rules.stack.book import normal
from ddob_rules.syntax.source import Span


def chain_problems(chain: Sequence[ScenarioFile], *, language: str = "en") -> list[Diagnostic]:
    """Why the chain ends where it does, if the last file names another; and rules files that are missing."""
    found = [item for file in chain[1:] for item in file.diagnostics]
    for file in chain:
        rules = file.root.get("rules") if file.root is not None else None
        name = text_of(rules)
        if rules is not None and name and resolve_near(file.path, name) is None:
            found.append(not_found(file.path, name, first_line(rules.span), language))
    if chain[-1].base is not None:
        found += _broken_link(chain[-1].base, chain, language)
    return found


def not_found(origin: Path, name: str, place: Span, language: str) -> Diagnostic:
    """Why a file that another names cannot be had: it is not there, or it is none of that one's business."""
    code = "E0646" if leads_out(origin, name) else "E0619"
    return report(code, place, language=language, path=name)


def _broken_link(base: ScalarNode, chain: Sequence[ScenarioFile], language: str) -> list[Diagnostic]:
    place = first_line(base.span)
    found = find_base(base, chain[-1])
    if found is None and Path(base.text).suffix in (".yaml", ".yml"):
        return [not_found(chain[-1].path, base.text, place, language)]
    if found is None:
        known = [entry.name for entry in scenarios()]
        advice = did_you_mean(normal(base.text), known, language) or None
        return [report("E0640", place, language=language, name=base.text, help=advice)]
    file = read_scenario_file(*found, language=language)
    if file.root is not None:
        return [report("E0644", place, language=language, name=base.text)]
    if file.node is None:
        return list(file.diagnostics)
    expected = type_words("object", language)
    return [*file.diagnostics, wrong_type(file.node, first_line(file.node.span), expected, language)]


def foreign_bases(
    chain: Sequence[ScenarioFile], ruleset: str, stack: Sequence[str], *, language: str = "en"
) -> list[Diagnostic]:
    """Scenarios whose ruleset is not among those that the scenario's own one is made of."""
    known = {normal(name) for name in stack}
    if normal(ruleset) not in known:
        # It is tried under other rules than its own; whether they fit is seen from the data.
        return []
    found: list[Diagnostic] = []
    for index, file in enumerate(chain[:-1]):
        following = [other.root for other in chain[index + 1 :] if other.root is not None]
        theirs = whole_head(following).get("ruleset")
        if file.base is not None and theirs is not None and normal(text_of(theirs)) not in known:
            names = {"name": file.base.text, "theirs": text_of(theirs), "ours": ruleset}
            places = Label(first_line(file.base.span)), Label(first_line(theirs.span))
            found.append(report("E0645", *places, language=language, **names))
    return found[:1]
