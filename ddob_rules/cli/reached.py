"""From what games reached to tables for authors, and to data: what never happens stands at the end."""

from __future__ import annotations

from collections.abc import Sequence

from ddob_rules.cli.games import line_span
from ddob_rules.cli.output import harmless, print_table, tell
from interpreter.ir import Site
from interpreter.trials.coverage import Coverage, Reach

_HEADINGS = {
    "en": (
        ("Rule", "Title", "Reached"),
        ("Phase", "Rule", "Games"),
        ("Action", "Rule", "Times", "Games"),
        ("Table", "Rule", "Cells reached"),
    ),
    "fr": (
        ("Règle", "Titre", "Atteint"),
        ("Phase", "Règle", "Parties"),
        ("Action", "Règle", "Fois", "Parties"),
        ("Table", "Règle", "Cases atteintes"),
    ),
}
_NEVER = {"en": "never reached:", "fr": "jamais atteint :"}
_EVERYTHING = {"en": "everything was reached", "fr": "tout a été atteint"}


def print_coverage(coverage: Coverage, language: str) -> None:
    for headings, rows in zip(_HEADINGS[language], _tables(coverage), strict=True):
        if rows:
            tell()
            print_table(headings, rows)
    never = _never(coverage)
    tell("\n" + (_NEVER if never else _EVERYTHING)[language])
    for site in never:
        tell(harmless(f"  {site.file}:{site.line}:{site.column}  [{site.rule}]  {line_span(site).text}"))


def _tables(coverage: Coverage) -> tuple[list[tuple[str, ...]], ...]:
    rules = coverage.rules
    return (
        [(rule, title, f"{reached} / {places}") for rule, title, reached, places in rules],
        [(each.title, each.site.rule, str(each.games)) for each in coverage.phases],
        [(each.title, each.site.rule, str(each.times), str(each.games)) for each in coverage.actions],
        [_cells(name, cells) for name, cells in coverage.tables],
    )


def _cells(name: str, cells: Sequence[Reach]) -> tuple[str, ...]:
    reached = sum(cell.games > 0 for cell in cells)
    return name, cells[0].site.rule, f"{reached} / {len(cells)}"


def _never(coverage: Coverage) -> list[Site]:
    """Places that no game reached, with the actions that were looked at but never taken."""
    untaken = {action.site for action in coverage.actions if not action.games}
    return sorted({*coverage.never, *untaken}, key=lambda site: (site.file, site.line, site.column))


def coverage_data(coverage: Coverage) -> dict[str, object]:
    rules = coverage.rules
    return {
        "games": coverage.games,
        "rules": {
            rule: {"title": title, "reached": reached, "places": places}
            for rule, title, reached, places in rules
        },
        "phases": [{**_reach_data(each), "games": each.games} for each in coverage.phases],
        "actions": [
            {**_reach_data(each), "games": each.games, "times": each.times} for each in coverage.actions
        ],
        "tables": [
            {"name": name, "cells": [{**_place_data(cell.site), "games": cell.games} for cell in cells]}
            for name, cells in coverage.tables
        ],
        "never": [_place_data(site) for site in _never(coverage)],
    }  # fmt: skip


def _reach_data(each: Reach) -> dict[str, object]:
    return {"name": each.name, "title": each.title, **_place_data(each.site)}


def _place_data(site: Site) -> dict[str, object]:
    return {"rule": site.rule, "file": site.file, "line": site.line, "column": site.column}
