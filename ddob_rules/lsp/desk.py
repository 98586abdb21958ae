"""The desk: which files the author has open, which rulesets they are part of, and what those say.

A file is checked as part of a stack: its ruleset with all that it extends, or with what a scenario lays over
it. Drafts count as if they were saved. Nothing of the protocol is known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ddob_rules.check.memory import Memory
from ddob_rules.cli.checking import DATA, Examination, whole_ruleset
from ddob_rules.library.finding import read_header, read_ruleset_entry
from ddob_rules.loading import Loaded, load_ruleset
from ddob_rules.lsp.shelf import Shelf
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.resources import shown_path
from ddob_rules.syntax import drafts
from ddob_rules.syntax.source import Source, source_from_bytes

# More scenarios than this are not looked through for one that includes a file of data.
_MOST_SCENARIOS = 50


@dataclass(frozen=True, slots=True)
class Stack:
    """A ruleset by name or path, the overlays on it, and the rules that a scenario brings."""

    name: str
    overlays: tuple[str, ...] = ()
    extra: tuple[Path, ...] = ()
    near: Path | None = None


@dataclass(slots=True)
class Desk:
    language: str = "en"
    texts: dict[Path, str] = field(default_factory=dict)  # of the files that are open
    loaded: dict[Stack, Loaded] = field(default_factory=dict)
    shelf: Shelf = field(default_factory=Shelf)
    memories: dict[Stack, Memory] = field(default_factory=dict)

    # ------------------------------------------------------------ what is open

    def put(self, path: Path, text: str) -> None:
        """The author has opened a file, or typed in it."""
        self.texts[path] = text
        try:
            saved = path.read_bytes() == text.encode("utf-8", errors="replace")
        except OSError:
            saved = False  # it is gone, or was never there
        if saved:
            drafts.release(path)
        else:
            drafts.hold(path, text)

    def take(self, path: Path) -> None:
        """The author has closed a file: what is on the disk counts again."""
        self.texts.pop(path, None)
        drafts.release(path)

    def source(self, path: Path) -> Source | None:
        """The text of a file as it is on the desk, or on the disk."""
        try:
            data = self.texts[path].encode("utf-8", "replace") if path in self.texts else path.read_bytes()
        except OSError:
            return None
        return source_from_bytes(data, shown_path(path), language=self.language)[0]

    # ------------------------------------------------------------ stacks

    def stacks(self) -> list[Stack]:
        """The stacks that open files of rules are part of."""
        found: dict[Stack, None] = {}
        for path in self.texts:
            if path.suffix == ".rules":
                found.update(dict.fromkeys(self.stacks_of(path)))
        return list(found)

    def stacks_of(self, path: Path) -> list[Stack]:
        """Those that a file of rules is part of: its ruleset's own, or those of scenarios that bring it."""
        brought = [
            Stack(header.ruleset, header.overlays, (path,), near)
            for scenario in self._scenarios(path.parent)
            if (header := read_header(scenario)) is not None
            and header.rules is not None
            and header.rules.resolve() == path
            and (near := scenario.parent.parent)
        ]
        if brought:
            return brought
        entry = read_ruleset_entry(Path(whole_ruleset(path)), False)
        return [Stack(entry.word, near=entry.folder)] if entry is not None else []

    def check(self, stack: Stack) -> Loaded:
        """Reads and checks a stack."""
        reading = self.shelf.reading(self.memories.setdefault(stack, Memory()))
        found = load_ruleset(stack.name, stack.overlays, stack.extra, self.language, stack.near, reading)
        self.loaded[stack] = found
        return found

    # ------------------------------------------------------------ data

    def examine(self, path: Path) -> list[Diagnostic]:
        """All that `ddob check` finds in what a file belongs to; this takes a moment."""
        work = Examination(language=self.language)
        if path.suffix == ".rules":
            work.target(str(path))
        elif path.suffix in DATA:
            for target in self._data_targets(path):
                work.target(str(target))
        return list(work.problems)

    def _data_targets(self, path: Path) -> list[Path]:
        """A scenario itself, the ruleset of a catalogue, the scenarios that include a file of data."""
        if path.parent.name == "locale":
            return [path, path.parent.parent] if any(path.parent.parent.glob("*.rules")) else [path]
        if path.parent.name == "scenarios" or read_header(path) is not None:
            return [path]
        folders = (path.parent / "scenarios", path.parent.parent / "scenarios")
        return [scenario for folder in folders for scenario in self._scenarios(folder, path.name)]

    def _scenarios(self, folder: Path, mentioned: str = "") -> Iterator[Path]:
        for scenario in sorted(folder.glob("*.yaml"))[:_MOST_SCENARIOS]:
            try:
                if not mentioned or mentioned in drafts.contents(scenario).decode("utf-8", "replace"):
                    yield scenario
            except OSError:
                continue
