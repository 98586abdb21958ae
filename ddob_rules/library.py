"""Finding rulesets and scenarios: shipped ones, those in the current folder, and paths.

A ruleset is a folder with `.rules` files (one of them has the `ruleset` line), or a single `.rules` file.
Scenarios are YAML files in a `scenarios` folder. Names are the same with hyphens and with underscores.
Nothing is checked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ddob_rules.book import normal, ruleset_files
from ddob_rules.resources import rulesets_folder
from ddob_rules.scenario import ScenarioHeader, read_header

# `ruleset NAME "Title"` in any language's spelling; the word lists would make listing slow.
_HEADER = re.compile(r"^(?:ruleset|règlement)\s+([\w-]+)(?:\s+\"((?:[^\"\\\n]|\\.)*)\")?", re.MULTILINE)
_DEPTH = 3  # folders below the current one that are looked into; deeper ones are somebody's archive
_SKIPPED = {"node_modules", "__pycache__", "venv", "build", "dist"}
_PARTS = {"examples", "scenarios", "data", "locale"}  # of a ruleset's own folder
_LARGEST = 200  # folders looked at; a home folder is not a library


@dataclass(frozen=True, slots=True)
class RulesetEntry:
    name: str
    title: str
    folder: Path
    files: tuple[Path, ...]
    shipped: bool


@dataclass(frozen=True, slots=True)
class ScenarioEntry:
    name: str
    title: str
    ruleset: str
    path: Path
    shipped: bool


def rulesets(folder: Path | None = None) -> list[RulesetEntry]:
    """Every ruleset: those of the current folder first, then the shipped ones; by name."""
    found: dict[str, RulesetEntry] = {}
    for place, shipped in _places(folder):
        for candidate in _folders(place):
            entry = read_ruleset_entry(candidate, shipped)
            if entry is not None:
                found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def scenarios(folder: Path | None = None) -> list[ScenarioEntry]:
    found: dict[str, ScenarioEntry] = {}
    for place, shipped in _places(folder):
        for candidate in _folders(place):
            for path in sorted((candidate / "scenarios").glob("*.yaml")):
                header = read_header(path)
                if header is not None:
                    entry = _scenario_entry(header, path, shipped)
                    found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def find_ruleset(name: str, folder: Path | None = None, near: Path | None = None) -> RulesetEntry | None:
    """By name, or by the path of a folder or file. `near` and the folders beside it are looked into first."""
    path = Path(name)
    if path.suffix == ".rules" or (path.is_dir() and any(path.glob("*.rules"))):
        return read_ruleset_entry(path, False)
    wanted = normal(name)
    if near is not None:
        beside = (
            sorted(child for child in near.parent.iterdir() if child.is_dir()) if near.parent.is_dir() else []
        )
        for candidate in [near, *beside[:_LARGEST]]:
            found = read_ruleset_entry(candidate, False)
            if found is not None and found.name == wanted:
                return found
    return next((entry for entry in rulesets(folder) if entry.name == wanted), None)


def find_scenario(name: str, folder: Path | None = None) -> ScenarioEntry | None:
    """By name, or by path."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        header = read_header(path)
        if header is not None:
            return _scenario_entry(header, path, False)
        return ScenarioEntry(path.stem, path.stem, "", path, False) if path.exists() else None
    wanted = normal(name)
    return next((entry for entry in scenarios(folder) if entry.name == wanted), None)


def read_ruleset_entry(path: Path, shipped: bool) -> RulesetEntry | None:
    """The ruleset in a folder, or of a file (with its whole folder, if the header is in another file)."""
    files = ruleset_files(path) if path.is_dir() else [path]
    header = next((found for file in files if (found := _header(file)) is not None), None)
    if header is None and path.is_file() and any(_header(file) for file in ruleset_files(path.parent)):
        return read_ruleset_entry(path.parent, shipped)
    if header is None:
        return (
            None
            if path.is_dir() and not files
            else RulesetEntry(normal(path.stem), path.stem, _folder(path), tuple(files), shipped)
        )
    name, title = header
    return RulesetEntry(normal(name), title or name, _folder(path), tuple(files), shipped)


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _header(path: Path) -> tuple[str, str] | None:
    if not path.is_file():
        return None
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            found = _HEADER.search(file.read(20_000))
    except OSError:
        return None
    return (found.group(1), (found.group(2) or "").replace('\\"', '"')) if found is not None else None


def _scenario_entry(header: ScenarioHeader, path: Path, shipped: bool) -> ScenarioEntry:
    return ScenarioEntry(normal(header.name), header.title, normal(header.ruleset), path, shipped)


def _places(folder: Path | None) -> list[tuple[Path, bool]]:
    here = (folder or Path.cwd()).resolve()
    shipped = rulesets_folder().resolve()
    if here == shipped or shipped in here.parents or shipped.parent == here:
        return [(shipped, True)]
    return [(here, False), (shipped, True)]


def _folders(place: Path, depth: int = _DEPTH) -> Iterator[Path]:
    """The folder and those below it, in order, but not hidden ones nor those of a ruleset's own parts."""
    waiting = [(place, depth)]
    seen = 0
    while waiting and seen < _LARGEST:
        folder, left = waiting.pop(0)
        seen += 1
        yield folder
        if left > 0:
            try:
                inner = sorted(
                    child for child in folder.iterdir() if child.is_dir() and not child.is_symlink()
                )
            except OSError:
                continue
            own = _PARTS if any(folder.glob("*.rules")) else set()
            inner = [
                child
                for child in inner
                if not child.name.startswith(".") and child.name not in _SKIPPED | own
            ]
            waiting.extend((child, left - 1) for child in inner)
