"""From names and paths to everything that is wrong with what they name, for `ddob check`.

A ruleset is checked with its scenarios and its catalogues, a folder with every ruleset in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from ddob_rules.campaigns import Part, read_campaign_file
from ddob_rules.check.review.hints import hints
from ddob_rules.check.review.idle import after_the_end, in_no_scenario, never_won
from ddob_rules.examples import example_problems
from ddob_rules.library.finding import (
    CampaignEntry,
    RulesetEntry,
    campaign_paths,
    campaigns,
    find_campaign,
    find_ruleset,
    find_scenario,
    read_ruleset_entry,
    ruleset_entries,
    rulesets,
    scenarios,
)
from ddob_rules.loading import Loaded, load_ruleset, option_problems
from ddob_rules.reports.diagnostics import Diagnostic, Problems, report
from ddob_rules.reports.spelling import did_you_mean, suggest
from ddob_rules.resources import is_inside, rulesets_folder
from ddob_rules.scenarios.reading import ProgramFor, load_scenario, read_header
from ddob_rules.stack.book import normal, ruleset_files
from ddob_rules.syntax.mending import words_in
from ddob_rules.syntax.source import read_source, whole_file
from ddob_rules.translations.catalogue import catalogue_problems, read_catalogue, review
from interpreter.ir import Program
from interpreter.machine.scenario import Scenario
from interpreter.machine.seating import seats_of, with_count

DATA = (".yaml", ".yml")
# A folder that is looked through: deeper or wider ones are somebody's archive, or the whole disk.
_DEEPEST = 6
_MOST_FOLDERS = 2_000
_SKIPPED = {"node_modules", "__pycache__", "venv", "build", "dist"}
# So many keys are shown of those that have no translation.
_KEYS_SHOWN = 3


@dataclass(slots=True)
class Examination:
    """Checks one thing after another, and remembers what was found and what was counted."""

    overlays: tuple[str, ...] = ()
    language: str = "en"
    hints: bool = False
    problems: Problems = field(default_factory=Problems)
    rules: set[tuple[str, str]] = field(default_factory=set)
    scenarios: set[Path] = field(default_factory=set)
    _seen: dict[tuple[Path, tuple[str, ...]], Scenario | None] = field(default_factory=dict)
    _loaded: dict[tuple[str, tuple[str, ...], tuple[Path, ...]], Loaded] = field(default_factory=dict)
    _needless: dict[Path, list[tuple[str, ...]]] = field(default_factory=dict)  # of catalogues, by ruleset

    def target(self, word: str) -> None:
        """Checks what a word of the command line names."""
        path = Path(word)
        if "+" in word and not path.exists():
            self.stack(word)
        elif path.is_dir():
            self.folder(path)
        elif path.exists() and not path.is_file():
            # Looking into a device or a pipe for a ruleset's name may never end.
            self.data(path)
        elif path.suffix == ".rules":
            self.ruleset(whole_ruleset(path))
        elif path.suffix in DATA and path.parent.name == "locale":
            self.problems.extend(read_catalogue(path, self.language)[1])
        elif path.suffix in DATA or path.exists() or os.sep in word:
            self.data(path)
        else:
            self.name(word)

    def stack(self, word: str) -> None:
        """A ruleset or scenario with overlays on it, such as `base+errata`."""
        name, *above = word.split("+")
        before, self.overlays = self.overlays, (*above, *self.overlays)
        self.target(name)
        self.overlays = before

    def folder(self, folder: Path) -> None:
        if any(folder.glob("*.rules")):
            for entry in ruleset_entries(folder, False):
                self.ruleset(entry.word)
            return
        found = rulesets_below(folder)
        alone = [path for inner in _folders(folder) for path in _scenarios(inner)]
        for entry in found:
            self.ruleset(entry.word)
        for path in alone:
            self.scenario(path)
        if not found and not alone:
            raise click.UsageError(f"there are no rules and no scenarios in `{folder}`")

    def name(self, word: str) -> None:
        ruleset, scenario, campaign = find_ruleset(word), find_scenario(word), find_campaign(word)
        if ruleset is not None:
            self.ruleset(word)
        if scenario is not None:
            self.scenario(scenario.path)
        if campaign is not None:
            self.campaign(campaign)
        if ruleset is None and scenario is None and campaign is None:
            self.problems.add(self._unknown(word))

    def data(self, path: Path) -> None:
        source, problems = read_source(path, language=self.language)
        self.problems.extend(problems)
        campaign = find_campaign(str(path)) if source is not None and path.suffix in DATA else None
        if campaign is not None:
            self.campaign(campaign)
        elif source is not None and path.suffix in DATA:
            self.scenario(path)
        elif source is not None:
            raise click.UsageError(f"`{path}` is neither rules (.rules) nor data (.yaml)")

    def ruleset(self, name: str) -> None:
        """A ruleset by name or path, with its scenarios and catalogues."""
        loaded = self._load(name, self.overlays)
        self.problems.extend(loaded.problems)
        if loaded.checked is not None:
            self.rules |= {(rule.ruleset, rule.id) for rule in loaded.checked.merged.rules.values()}
        entry = find_ruleset(name)
        if entry is None:
            return
        played: list[Scenario | None] = []
        for path in _scenarios(entry.folder):
            if is_inside(path, entry.folder):
                played.append(self.scenario(path, entry))
            else:
                place = whole_file(str(path))
                self.problems.add(report("E0646", place, language=self.language, path=path.name))
        for path in campaign_paths(entry.folder):
            self.data(path)
        self._review(loaded, played)
        self._examples(loaded, name, self.overlays)
        # The texts of overlays are translated, if at all, by the overlays' own catalogues.
        alone = self._load(name, ())
        for path in sorted((entry.folder / "locale").glob("*.yaml")):
            self._catalogue(path, alone, len(ruleset_entries(entry.folder, False)))

    def _review(self, loaded: Loaded, played: list[Scenario | None]) -> None:
        """What can be said of rules in the light of all their scenarios, and hints if somebody wants them."""
        checked = loaded.checked
        if checked is None or loaded.program is None:
            return
        if self.hints:
            self.problems.extend(hints(checked.books))
        known = [scenario for scenario in played if scenario is not None]
        if not known or len(known) < len(played) or len(checked.books) > 1:
            return  # an overlay may be for scenarios that are elsewhere
        nobody = never_won(loaded.program, checked.books[-1]) if self.hints else None
        self.problems.extend([nobody] if nobody is not None else [])
        self.problems.extend(in_no_scenario(loaded.program, checked.merged, known))
        last = [scenario.turns for scenario in known]
        if None not in last:
            turns = max(turn or 0 for turn in last)
            places = checked.words.places
            self.problems.extend(after_the_end(loaded.program, checked.merged, places, turns))

    def scenario(self, path: Path, owner: RulesetEntry | None = None) -> Scenario | None:
        """A scenario; `owner` is the ruleset in whose folder it lies, which may be out of sight from here."""
        key = (path.resolve(), self.overlays)
        if key in self._seen:
            return self._seen[key]
        self._seen[key] = None
        self.scenarios.add(path.resolve())
        header = read_header(path)
        own = header.rules if header is not None else None
        extra = (own,) if own is not None and own.is_file() else ()
        owner = owner or _owner(path, normal(header.ruleset) if header is not None else "")
        rules: list[Loaded] = []
        program_for = self._programs(owner, extra, rules)
        scenario, found = load_scenario(path, program_for, language=self.language)
        self._seen[key] = scenario
        self.problems.extend(_certain(found, rules))
        if extra and header is not None and header.ruleset:
            name = (
                str(owner.folder)
                if owner is not None and owner.name == normal(header.ruleset)
                else header.ruleset
            )
            above = (*header.overlays, *self.overlays)
            self._examples(self._load(name, above, extra), name, above, extra)
        return scenario

    def campaign(self, entry: CampaignEntry) -> None:
        """A campaign; its scenarios are checked with it."""
        key = (entry.path.resolve(), self.overlays)
        if key not in self._seen:
            self._seen[key] = None
            self.problems.extend(read_campaign_file(entry.path, self._part, self.language)[1])

    def _part(self, word: str, options: tuple[str, ...]) -> Part:
        """A game of a campaign, as far as the check of the campaign asks for it."""
        entry = find_scenario(word)
        path = entry.path if entry is not None else Path(word)
        header = read_header(path)
        rules = header.rules if header is not None else None
        extra = (rules,) if rules is not None and rules.is_file() else ()
        owner = _owner(path, normal(header.ruleset) if header is not None else "")
        program_for = self._programs(owner, extra)
        scenario, problems = load_scenario(path, program_for, language=self.language)
        program = program_for(scenario.ruleset, scenario.overlays)[0] if scenario is not None else None
        if scenario is None or program is None or entry is None:
            return Part(None, (), problems)
        wrong = option_problems(program, scenario, options, entry, self.language)
        chosen = with_count(program, scenario, (*options, *scenario.options))
        return Part(program, seats_of(program, scenario, chosen), [*problems, *wrong])

    def _programs(
        self, owner: RulesetEntry | None, extra: tuple[Path, ...], rules: list[Loaded] | None = None
    ) -> ProgramFor:
        """How a scenario finds its rules: those of the folder that it lies in before others of the name.

        With a list for the `rules` that were loaded, those with mistakes will do.
        """

        def program_for(wanted: str, above: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
            near = owner is not None and owner.name == normal(wanted)
            name = owner.word if owner is not None and near else wanted
            loaded = self._load(name, (*above, *self.overlays), extra)
            if rules is None or loaded.checked is None:
                return loaded.program, loaded.problems
            rules.append(loaded)
            return loaded.checked.draft, loaded.problems

        return program_for

    def _examples(
        self, loaded: Loaded, name: str, overlays: tuple[str, ...], extra: tuple[Path, ...] = ()
    ) -> None:
        """What the examples of a ruleset, or of the rules that a scenario brings, say."""
        if loaded.checked is None or loaded.program is None:
            return

        folder = loaded.checked.books[-1].folder

        def scenario_of(wanted: str) -> Scenario | None:
            own = [path for near in (folder, folder.parent) for path in _scenarios(near)]
            headers = (header for path in own if (header := read_header(path)) is not None)
            found = next((header.path for header in headers if header.name == wanted), None)
            entry = find_scenario(str(found) if found is not None else wanted)

            def program_for(_: str, above: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
                again = self._load(name, tuple(dict.fromkeys((*above, *overlays))), extra)
                return again.program, again.problems

            if entry is None:
                return None
            scenario, problems = load_scenario(entry.path, program_for, language=self.language)
            if scenario is None:
                self.problems.extend(problems)
                told.add(wanted)
            return scenario

        told: set[str] = set()
        for problem in example_problems(loaded.checked, scenario_of):
            # That a scenario cannot be played is told once, where its mistake is.
            if problem.code != "E0721" or problem.argument("scenario") not in told:
                self.problems.add(problem)

    def _load(self, name: str, overlays: tuple[str, ...], extra: tuple[Path, ...] = ()) -> Loaded:
        key = (name, overlays, extra)
        if key not in self._loaded:
            self._loaded[key] = load_ruleset(name, overlays, extra, self.language)
        return self._loaded[key]

    def _catalogue(self, path: Path, loaded: Loaded, shared: int) -> None:
        """A catalogue; one of several rulesets, such as those that scenarios bring, has what any needs."""
        language = path.stem
        if loaded.checked is None or loaded.program is None:
            return
        self.problems.extend(catalogue_problems(loaded.checked, language))
        left = review(loaded.checked, language)
        name = loaded.checked.books[-1].name
        needless = self._needless.setdefault(path, [])
        needless.append(left.stale)
        stale = tuple(key for key in left.stale if all(key in one for one in needless))
        for code, keys in (("W0601", left.missing), ("W0602", stale if len(needless) >= shared else ())):
            if keys:
                shown = ", ".join(f"`{key}`" for key in keys[:_KEYS_SHOWN])
                more = ", …" if len(keys) > _KEYS_SHOWN else ""
                self.problems.add(
                    report(
                        code,
                        whole_file(str(path)),
                        language=self.language,
                        count=len(keys),
                        other=language,
                        keys=shown + more,
                        name=name,
                    )
                )

    def _unknown(self, word: str) -> Diagnostic:
        """Neither a ruleset nor a scenario: the nearest name says which of the two was meant."""
        known_rulesets = [entry.name for entry in rulesets()]
        known_scenarios = [*(entry.name for entry in scenarios()), *(entry.name for entry in campaigns())]
        meant = suggest(normal(word), [*known_rulesets, *known_scenarios])
        code = "E0640" if meant in known_scenarios and meant not in known_rulesets else "E0512"
        advice = did_you_mean(normal(word), [*known_rulesets, *known_scenarios], self.language)
        return report(code, whole_file(word), language=self.language, name=word, help=advice or None)


def _certain(found: list[Diagnostic], rules: list[Loaded]) -> Iterator[Diagnostic]:
    """What is wrong with a scenario; of words that the rules have wrong nothing is said of the scenario."""
    checked = [loaded.checked for loaded in rules if loaded.checked is not None]
    doubtful: set[str] = set().union(*(each.doubtful for each in checked))
    told = {problem for loaded in rules for problem in loaded.problems}
    for problem in found:
        named: set[str] = set().union(*(words_in(value) for _, value in problem.arguments))
        if problem in told or not named & doubtful:
            yield problem


def everything_here() -> str:
    """What a command without arguments is about: the current folder, or the shipped rulesets in it."""
    shipped = rulesets_folder()
    return shipped.name if shipped.resolve().parent == Path.cwd().resolve() else "."


def whole_ruleset(path: Path) -> str:
    """The folder of a file that is one chapter of several, else the file itself."""
    for other in ruleset_files(path.parent):
        entry = read_ruleset_entry(other, False) if other != path else None
        if entry is not None and path in entry.files:
            return str(path.parent)
    return str(path)


def _owner(path: Path, name: str) -> RulesetEntry | None:
    """The ruleset that a scenario lies in the folder of; of several there, the one of that name."""
    found = ruleset_entries(path.resolve().parent.parent, False)
    return next((entry for entry in found if len(found) == 1 or entry.name == name), None)


def _scenarios(folder: Path) -> list[Path]:
    return sorted((folder / "scenarios").glob("*.yaml"))


def _folders(top: Path) -> Iterator[Path]:
    """The folder and those below it, in order; not hidden ones, nor the examples of a ruleset."""
    waiting = [(top, _DEEPEST)]
    for _ in range(_MOST_FOLDERS):
        if not waiting:
            return
        folder, left = waiting.pop(0)
        yield folder
        for child in _children(folder) if left else ():
            part = child.name == "examples" and any(folder.glob("*.rules"))
            if not child.name.startswith(".") and child.name not in _SKIPPED and not part:
                waiting.append((child, left - 1))


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir() and not child.is_symlink())
    except OSError:
        return []


def rulesets_below(folder: Path) -> list[RulesetEntry]:
    """Every ruleset in a folder and below it."""
    return [entry for inner in _folders(folder) for entry in ruleset_entries(inner, False)]


def rule_files(folder: Path) -> list[Path]:
    """Every rules file in a folder and below it."""
    return [path for inner in _folders(folder) for path in ruleset_files(inner)]
