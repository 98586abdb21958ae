"""Finding rulesets, scenarios and their data: shipped ones, those in the current folder, and paths.

A ruleset is a folder with `.rules` files (one of them has the `ruleset` line), or a single `.rules` file.
Scenarios are YAML files in a `scenarios` folder, campaigns in a `campaigns` folder beside it. Names are the
same with hyphens and with underscores.
Nothing is checked here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ddob_rules.library.headers import (
    ScenarioFile,
    ScenarioHeader,
    header_of,
    read_scenario_file,
    resolve_file,
    resolve_near,
)
from ddob_rules.library.yamldoc import ScalarNode, text_of
from ddob_rules.resources import inside, rulesets_folder, shown_path
from ddob_rules.stack.book import normal, ruleset_files
from ddob_rules.syntax.drafts import draft_of
from ddob_rules.syntax.source import read_source

# `ruleset NAME "Title"` in any language's spelling; the word lists would make listing slow.
_HEADER = re.compile(r"^(?:ruleset|règlement)\s+([\w-]+)(?:\s+\"((?:[^\"\\\n]|\\.)*)\")?", re.MULTILINE)
_DEPTH = 3  # folders below the current one that are looked into; deeper ones are somebody's archive
_SKIPPED = {"node_modules", "__pycache__", "venv", "build", "dist"}
_PARTS = {"examples", "scenarios", "campaigns", "data", "locale"}  # of a ruleset's own folder
_LARGEST = 200  # folders looked at; a home folder is not a library
_NAME = re.compile(r"[\w-]{1,100}")  # of a ruleset, so never a way to another folder


@dataclass(frozen=True, slots=True)
class RulesetEntry:
    name: str
    title: str
    folder: Path
    files: tuple[Path, ...]
    shipped: bool

    @property
    def word(self) -> str:
        """The path that leads to this ruleset alone: its folder, or its file if it shares the folder."""
        beside = set(self.folder.glob("*.rules")) - set(self.files)
        return str(self.files[0]) if beside and len(self.files) == 1 else str(self.folder)


@dataclass(frozen=True, slots=True)
class ScenarioEntry:
    name: str
    title: str
    ruleset: str
    path: Path
    shipped: bool


@dataclass(frozen=True, slots=True)
class CampaignEntry:
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
            for entry in ruleset_entries(candidate, shipped):
                found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def scenarios(folder: Path | None = None) -> list[ScenarioEntry]:
    """Every scenario: those of the current folder first, then the shipped ones; by name."""
    found: dict[str, ScenarioEntry] = {}
    for path, shipped in _all_scenario_paths(folder):
        header = read_header(path)
        if header is not None:
            entry = _scenario_entry(header, path, shipped)
            found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def campaigns(folder: Path | None = None) -> list[CampaignEntry]:
    """Every campaign: those of the current folder first, then the shipped ones; by name."""
    found: dict[str, CampaignEntry] = {}
    for place, shipped in _places(folder):
        for candidate in _folders(place):
            for path in campaign_paths(candidate):
                entry = _campaign_entry(path, shipped)
                if entry is not None:
                    found.setdefault(entry.name, entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def find_campaign(name: str, folder: Path | None = None) -> CampaignEntry | None:
    """By name, or by path; a scenario is none."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        return _campaign_entry(path, False)
    wanted = normal(name)
    return next((entry for entry in campaigns(folder) if entry.name == wanted), None)


def campaign_paths(folder: Path) -> list[Path]:
    """The campaigns of a ruleset; a link that leads out of its folder is none of them."""
    return inside(folder / "campaigns", "*.yaml", folder)


def _campaign_entry(path: Path, shipped: bool) -> CampaignEntry | None:
    root = read_scenario_file(path).root
    name = text_of(root.get("campaign")) if root is not None else ""
    if root is None or not name:
        return None
    title = text_of(root.get("title")) or name
    return CampaignEntry(normal(name), title, normal(text_of(root.get("ruleset"))), path, shipped)


def find_ruleset(name: str, folder: Path | None = None, near: Path | None = None) -> RulesetEntry | None:
    """By name, or by the path of a folder or file. `near` and the folders beside it are looked into first."""
    path = Path(name)
    if path.suffix == ".rules" or (path.is_dir() and any(path.glob("*.rules"))):
        return read_ruleset_entry(path, False)
    wanted = normal(name)
    for candidate in _nearby(near) if near is not None else ():
        for found in ruleset_entries(candidate, False):
            if found.name == wanted:
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
    for candidate, shipped in _all_scenario_paths(folder):
        # A name is each file's own: what the others are based on need not be looked for.
        header = read_header(candidate) if _is_called(candidate, wanted) else None
        if header is not None:
            return _scenario_entry(header, candidate, shipped)
    return None


def read_header(path: Path) -> ScenarioHeader | None:
    """The header of a scenario file; None if the file is not one, or cannot be read."""
    return header_of(read_chain(read_scenario_file(path)))


def read_chain(file: ScenarioFile, *, language: str = "en") -> list[ScenarioFile]:
    """A scenario file, the one it is based on, and so on, as far as they can be found and read.

    If the last still names another, that one is missing, no mapping, or one of those before it.
    """
    chain = [file]
    known = {os.path.realpath(file.path)}
    while (base := chain[-1].base) is not None:
        found = find_base(base, chain[-1])
        if found is None or os.path.realpath(found[0]) in known:
            break
        known.add(os.path.realpath(found[0]))
        following = read_scenario_file(*found, language=language)
        if following.root is None:
            break
        chain.append(following)
    return chain


def find_base(base: ScalarNode, file: ScenarioFile) -> tuple[Path, str] | None:
    """The file of the scenario that another is based on, and the path to show for it.

    A name is looked for in the folder of that other, in rulesets near it, and then everywhere.
    """
    if Path(base.text).suffix in (".yaml", ".yml"):
        return find_data(base.text, file.path, file.shown)
    own = os.path.realpath(file.path)
    for path in _scenarios_from(file.path):
        # A scenario may have the name of the one that it is based on.
        if _is_called(path, base.text) and os.path.realpath(path) != own:
            return path, shown_path(path)
    # No other has the name: the file is based on itself.
    return (file.path, file.shown) if _is_called(file.path, base.text) else None


def find_data(name: str, path: Path, shown: str) -> tuple[Path, str] | None:
    """The file that a scenario or data file means, and the path to show for it.

    It is seen from that file's folder; or the first part of the name is a ruleset's, and the rest leads to a
    file in the ruleset's folder.
    """
    found = resolve_near(path, name)
    if found is not None:
        return found, os.path.normpath(os.path.join(os.path.dirname(shown), name))
    first, _, rest = name.partition("/")
    if not rest or not _NAME.fullmatch(first):
        return None
    ruleset = find_ruleset(first, near=path.resolve().parent.parent)
    found = resolve_file(ruleset.folder, rest) if ruleset is not None else None
    if ruleset is None or found is None or ruleset.folder.resolve() not in found.parents:
        return None
    return found, shown_path(found)


def _scenarios_from(path: Path) -> Iterator[Path]:
    folder = path.resolve().parent
    yield from inside(folder, "*.yaml", folder)[:_LARGEST]
    for candidate in _nearby(folder.parent):
        yield from _scenario_paths(candidate)
    for place, _ in _places(None):
        for candidate in _folders(place):
            yield from _scenario_paths(candidate)


def _all_scenario_paths(folder: Path | None) -> Iterator[tuple[Path, bool]]:
    """Every scenario file, and whether it is a shipped one."""
    for place, shipped in _places(folder):
        for candidate in _folders(place):
            for path in _scenario_paths(candidate):
                yield path, shipped


def _scenario_paths(folder: Path) -> list[Path]:
    """The scenarios of a ruleset; a link that leads out of its folder is none of them."""
    return inside(folder / "scenarios", "*.yaml", folder)


def _nearby(folder: Path) -> list[Path]:
    """A folder, and those beside it."""
    try:
        beside = sorted(child for child in folder.parent.iterdir() if child.is_dir())
    except OSError:
        beside = []
    return [folder, *beside[:_LARGEST]]


def _is_called(path: Path, name: str) -> bool:
    """Whether a file is the scenario with a name."""
    if not _has_word(path, name):
        return False
    root = read_scenario_file(path).root
    return root is not None and normal(text_of(root.get("scenario"))) == normal(name)


def _has_word(path: Path, word: str) -> bool:
    """Whether a file can be read and has the word: far quicker to find out than all that it says."""
    source, _ = read_source(path)
    return source is not None and normal(word) in normal(source.text)


def ruleset_entries(folder: Path, shipped: bool) -> list[RulesetEntry]:
    """The rulesets in a folder: one, or as many as there are files if every file has a header of its own."""
    files = sorted(folder.glob("*.rules"))
    alone = len(files) > 1 and all(_header(file) is not None for file in files)
    found = [read_ruleset_entry(path, shipped) for path in (files if alone else [folder])]
    return [entry for entry in found if entry is not None]


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
    draft = draft_of(path)
    try:
        if draft is not None:
            found = _HEADER.search(draft.decode("utf-8", errors="replace")[:20_000])
        else:
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
        if not os.access(folder, os.R_OK | os.X_OK):
            continue  # somebody else's
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
