"""The desk: which files the author has open, which rulesets they are part of, and what those say.

A file is checked as part of a stack: its ruleset with all that it extends, or with what a scenario lays over
it. Drafts count as if they were saved. Nothing of the protocol is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ddob_rules.check.memory import Memory
from ddob_rules.check.review.hints import hints
from ddob_rules.cli.checking import DATA, Examination, whole_ruleset
from ddob_rules.examples import example_problems
from ddob_rules.index import Index
from ddob_rules.library.finding import RulesetEntry, read_header, read_ruleset_entry, scenarios
from ddob_rules.loading import Loaded, load_ruleset
from ddob_rules.lsp.shelf import Shelf
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.resources import shown_path
from ddob_rules.scenarios.reading import load_scenario
from ddob_rules.stack.book import Book, normal
from ddob_rules.syntax import drafts
from ddob_rules.syntax.source import Source, source_from_bytes
from interpreter.machine.scenario import Scenario

#: How words begin that are only tried in a text, to hear what could stand in their place.
TRIED = "ddob_cursor_"
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
    edition: int = 0  # counts what the author does: what was checked under an earlier one is late
    loaded: dict[Stack, tuple[int, Loaded]] = field(default_factory=dict)
    indexes: dict[Stack, Index] = field(default_factory=dict)
    shelf: Shelf = field(default_factory=Shelf)
    memories: dict[Stack, Memory] = field(default_factory=dict)
    asking: dict[Stack, Memory] = field(default_factory=dict)  # of texts that are only tried

    # ------------------------------------------------------------ what is open

    def put(self, path: Path, text: str) -> None:
        """The author has opened a file, or typed in it."""
        if path not in self.texts:
            self.shelf.look_again()
        self.edition += 1
        self.texts[path] = text
        try:
            saved = path.read_bytes() == text.encode("utf-8", errors="replace")
        except OSError:
            saved = False  # it is gone, or was never there
        if saved:
            drafts.release(path)
        else:
            drafts.hold(path, text)

    def put_back(self, path: Path) -> None:
        """After another text of a file was tried, the one on the desk counts again."""
        edition = self.edition
        if path in self.texts:
            self.put(path, self.texts[path])
        else:
            drafts.release(path)
        self.edition = edition

    def take(self, path: Path) -> None:
        """The author has closed a file: what is on the disk counts again."""
        self.edition += 1
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
        """Reads and checks a stack, as far as something has changed since the last time."""
        known = self.loaded.get(stack)
        if known is not None and known[0] == self.edition:
            return known[1]
        reading = self.shelf.reading(self.memories.setdefault(stack, Memory()))
        found = load_ruleset(stack.name, stack.overlays, stack.extra, self.language, stack.near, reading)
        self.loaded[stack] = (self.edition, found)
        if found.checked is not None:
            self.indexes[stack] = Index(found.checked)
        return found

    def findings(self, stack: Stack) -> list[Diagnostic]:
        """What a stack says, with the hints about its own rules, which an editor shows quietly."""
        found = self.check(stack)
        own = hints(found.checked.books) if found.checked is not None else []
        return [*found.problems, *own]

    def index(self, stack: Stack) -> Index | None:
        """Which word stands where; while a stack cannot even be read, as it was when it could."""
        self.check(stack)
        return self.indexes.get(stack)

    def index_of(self, path: Path) -> Index | None:
        """That of the first stack that a file is part of."""
        return next((index for stack in self.stacks_of(path) if (index := self.index(stack))), None)

    def index_of_data(self, path: Path) -> Index | None:
        """That of the rules that a scenario, a file of data or a catalogue goes with."""
        header = read_header(path)
        if header is not None and header.ruleset:
            extra = (header.rules,) if header.rules is not None and header.rules.is_file() else ()
            near = path.parent.parent
            return self.index(Stack(header.ruleset, header.overlays, extra, near))
        entry = read_ruleset_entry(path.parent.parent, False)
        return self.index(Stack(entry.word, near=entry.folder)) if entry is not None else None

    def relatives(
        self, path: Path, *, mentioning: tuple[str, ...] = (), thorough: bool = False
    ) -> list[Index]:
        """The stacks that a file is part of, and those in sight in which its ruleset stands."""
        stacks = self.related_stacks(path, mentioning)
        if thorough:
            for stack in stacks:
                self.understand(stack)
        return [index for stack in stacks if (index := self.index(stack)) is not None]

    def related_stacks(self, path: Path, mentioning: tuple[str, ...] = ()) -> list[Stack]:
        """With `mentioning`, only those whose own files have one of the words."""
        found = dict.fromkeys(self.stacks_of(path))
        own = [index for stack in found if (index := self.index(stack)) is not None]
        names = {book.name for index in own for book in index.checked.books if _in(path, book)}
        for entry in self.shelf.everything():
            stack = Stack(entry.word, near=entry.folder)
            if stack not in found and self.stands_on(entry, names) and _mention(entry.files, mentioning):
                found[stack] = None
        for stack in self._bringing(names):
            if _mention(stack.extra, mentioning):
                found[stack] = None
        return list(found)

    def _bringing(self, names: set[str]) -> Iterator[Stack]:
        """Scenarios that bring rules of their own for one of these rulesets."""
        for scenario in scenarios():
            header = read_header(scenario.path) if scenario.ruleset in names else None
            if header is not None and header.rules is not None and header.rules.is_file():
                near = scenario.path.resolve().parent.parent
                yield Stack(header.ruleset, header.overlays, (header.rules.resolve(),), near)

    def understand(self, stack: Stack) -> None:
        """Reads the scenarios of the examples of a stack, so that their words are known for certain."""
        index = self.index(stack)
        if index is None or index.understood or index.checked.program is None:
            return
        program = index.checked.program
        folder = index.checked.books[-1].folder
        paths = [path for near in (folder, folder.parent) for path in self._scenarios(near / "scenarios")]

        def scenario_of(wanted: str) -> Scenario | None:
            headers = (header for path in paths if (header := read_header(path)) is not None)
            found = next((header.path for header in headers if normal(header.name) == wanted), None)
            if found is None:
                return None
            return load_scenario(found, lambda name, overlays: (program, []), language=self.language)[0]

        example_problems(index.checked, scenario_of)
        self.indexes[stack] = Index(index.checked, understood=True)

    def stands_on(self, entry: RulesetEntry, names: set[str], seen: frozenset[str] = frozenset()) -> bool:
        """Whether a ruleset extends one of these, directly or not."""
        if entry.name in seen:
            return False
        for parent in self.shelf.parents(entry):
            below = self.shelf.find(parent, entry.folder)
            if normal(parent) in names:
                return True
            if below is not None and self.stands_on(below, names, seen | {entry.name}):
                return True
        return False

    def look_again(self) -> None:
        """Files may have come, gone or changed behind our back."""
        self.edition += 1
        self.shelf.look_again()

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


def _in(path: Path, book: Book) -> bool:
    return any(source.path == shown_path(path) for source in book.files)


def _mention(files: Iterable[Path], names: tuple[str, ...]) -> bool:
    """Whether one of the files has one of the words; reading the rules takes far longer than this."""
    if not names:
        return True
    for path in files:
        try:
            text = drafts.contents(path)
        except OSError:
            continue
        if any(name.encode() in text for name in names):
            return True
    return False
