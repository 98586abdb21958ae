"""From what games reached to tables for authors, and to data: what never happens stands at the end."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from ddob_rules.cli.games import line_span
from ddob_rules.cli.output import harmless, print_table, stop, tell
from ddob_rules.cli.writing import write_whole
from ddob_rules.reports.diagnostics import fill
from interpreter.ir import Site
from interpreter.trials.coverage import Coverage, Reach, together

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
_BY_EXAMPLES = {
    "en": "{count|# place is|# places are} reached by examples alone",
    "fr": "{count|# endroit n'est atteint|# endroits ne sont atteints} que par des exemples",
}
_SO_FAR = {"en": "games in `{file}`: {games}", "fr": "parties dans `{file}` : {games}"}
_CHANGED = {
    "en": "`{file}` has changed: what games reached of it before is forgotten",
    "fr": "`{file}` a changé : ce que des parties en avaient atteint est oublié",
}

coverage_file_option = click.option(
    "--coverage-file", metavar="FILE",
    help="Add it up in this file, over many runs.",
)  # fmt: skip


def print_coverage(coverage: Coverage, language: str) -> None:
    for headings, rows in zip(_HEADINGS[language], _tables(coverage), strict=True):
        if rows:
            tell()
            print_table(headings, rows)
    dead = coverage.dead
    examples = len(coverage.never) - len(dead)
    if examples:
        tell("\n" + fill(_BY_EXAMPLES[language], {"count": str(examples)}, language))
    tell("\n" + (_NEVER if dead else _EVERYTHING)[language])
    for site in dead:
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
        "never": [_place_data(site) for site in coverage.never],
        **({"dead": [_place_data(site) for site in coverage.dead]} if coverage.shown else {}),
    }  # fmt: skip


def _reach_data(each: Reach) -> dict[str, object]:
    return {"name": each.name, "title": each.title, **_place_data(each.site)}


def _place_data(site: Site) -> dict[str, object]:
    return {"rule": site.rule, "file": site.file, "line": site.line, "column": site.column}


# ---------------------------------------------------------------- a file that adds up


def added_to(path: str, found: Coverage, language: str) -> Coverage:
    """What a file holds together with this, which it then holds too. What has changed since begins anew."""
    file = Path(path)
    before = _kept(file, language) if file.exists() else Coverage(games=0)
    whole = together([before, found])
    write_whole(file, json.dumps(_file_data(whole), ensure_ascii=False) + "\n")
    tell("\n" + harmless(_SO_FAR[language].format(games=whole.games, file=path)), err=True)
    return whole


def _kept(file: Path, language: str) -> Coverage:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        found, digests = _coverage_from(data), dict(data["files"])
    except OSError as error:
        stop(f"`{file}` cannot be read: {(error.strerror or str(error)).lower()}")
    except (ValueError, TypeError, KeyError, IndexError):
        stop(f"`{file}` holds no coverage", "name a file that `--coverage-file` has written, or a new one")
    changed = {name for name, digest in digests.items() if digest != _digest(name)}
    for name in sorted(changed):
        tell(harmless(_CHANGED[language].format(file=name)), err=True)
    return _without(found, changed)


def _without(found: Coverage, files: set[str]) -> Coverage:
    """The same, but for what stands in some files."""

    def still(reaches: Iterable[Reach]) -> tuple[Reach, ...]:
        return tuple(each for each in reaches if each.site.file not in files)

    return Coverage(
        games=found.games, titles=found.titles,
        places=tuple((site, games) for site, games in found.places if site.file not in files),
        phases=still(found.phases), actions=still(found.actions),
        tables=tuple((name, still(cells)) for name, cells in found.tables),
        shown=frozenset(site for site in found.shown if site.file not in files),
    )  # fmt: skip


def _digest(file: str) -> str:
    """Of what a file of rules says now; nothing where it cannot be read."""
    source = line_span(Site("", file, 1, 1, "")).source
    return sha256(source.text.encode("utf-8")).hexdigest()[:16]


def _file_data(coverage: Coverage) -> dict[str, object]:
    files = sorted({site.file for site, _ in coverage.places} | {site.file for site in coverage.shown})
    return {
        "games": coverage.games,
        "files": {file: _digest(file) for file in files if file},
        "titles": [list(pair) for pair in coverage.titles],
        "places": [[*_site_data(site), games] for site, games in coverage.places],
        "phases": [_kept_data(each) for each in coverage.phases],
        "actions": [_kept_data(each) for each in coverage.actions],
        "tables": [[name, [_kept_data(cell) for cell in cells]] for name, cells in coverage.tables],
        "shown": sorted(_site_data(site) for site in coverage.shown),
    }


def _site_data(site: Site) -> list[Any]:
    return [site.rule, site.file, site.line, site.column, site.ruleset]


def _kept_data(each: Reach) -> dict[str, object]:
    found = {"name": each.name, "title": each.title, "site": _site_data(each.site), "games": each.games}
    return {**found, "times": each.times, "body": [_site_data(site) for site in each.body]}


def _coverage_from(data: Any) -> Coverage:
    return Coverage(
        games=int(data["games"]),
        titles=tuple((str(rule), str(title)) for rule, title in data["titles"]),
        places=tuple((_site(place[:5]), int(place[5])) for place in data["places"]),
        phases=tuple(_reach(each) for each in data["phases"]),
        actions=tuple(_reach(each) for each in data["actions"]),
        tables=tuple((str(name), tuple(_reach(cell) for cell in cells)) for name, cells in data["tables"]),
        shown=frozenset(_site(place) for place in data["shown"]),
    )


def _site(data: Any) -> Site:
    rule, file, line, column, ruleset = data
    return Site(str(rule), str(file), int(line), int(column), str(ruleset))


def _reach(data: Any) -> Reach:
    return Reach(
        name=str(data["name"]), title=str(data["title"]), site=_site(data["site"]), games=int(data["games"]),
        times=int(data["times"]), body=tuple(_site(place) for place in data["body"]),
    )  # fmt: skip
