"""From names to checked rulesets and games: extends and overlays are followed, and everything is checked.

Diagnostics are returned, never printed. `RulesProblem` carries them where Python code asked for a game and
got none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ddob_rules.check.program import MISSING, Checked, check
from ddob_rules.library.cache import Stored, load_stored, manifest_of, store
from ddob_rules.library.finding import (
    RulesetEntry,
    ScenarioEntry,
    campaigns,
    find_ruleset,
    find_scenario,
    rulesets,
    scenarios,
)
from ddob_rules.reports.diagnostics import Diagnostic, Problems, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.reading import load_scenario, read_header
from ddob_rules.stack.book import Book, book_from_sources, normal, read_book, read_sources
from ddob_rules.syntax.source import Span, read_source, whole_file
from ddob_rules.translations.catalogue import catalogue_for, translated_program
from interpreter.compiler.compile import Code, compile_program
from interpreter.failures import Limits
from interpreter.ir import Program
from interpreter.ir.seats import count_of
from interpreter.machine.game import Game
from interpreter.machine.scenario import Scenario
from interpreter.machine.seating import player_bounds

# So many scenarios of a game are named; `ddob list` has the rest.
_MOST_NAMED = 20


class RulesProblem(Exception):
    """Rules or data that cannot be played. `problems` says why, as diagnostics."""

    def __init__(self, problems: list[Diagnostic]) -> None:
        first = next((problem for problem in problems if problem.severity == "error"), None)
        place = ""
        if first is not None and first.spans:
            span = first.spans[0].span
            place = f"{span.source.path}:{span.line}:{span.column}: "
        super().__init__(f"{place}{first.message if first is not None else 'nothing to play'}")
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Loaded:
    """A ruleset stack that was read and checked; `checked` is None if it could not even be read."""

    checked: Checked | None
    problems: list[Diagnostic]

    @property
    def program(self) -> Program | None:
        return self.checked.program if self.checked is not None else None


@dataclass(frozen=True, slots=True)
class Reading:
    """How rulesets are found, read and checked: from the disk, each time anew; an editor remembers more."""

    find: Callable[[str, Path | None], RulesetEntry | None]
    read: Callable[[Iterable[Path], Path], tuple[Book | None, list[Diagnostic]]]
    check: Callable[[list[Book]], Checked]


FROM_DISK = Reading(lambda name, near: find_ruleset(name, near=near), read_book, check)


def load_ruleset(
    name: str,
    overlays: tuple[str, ...] = (),
    extra: tuple[Path, ...] = (),
    language: str = "en",
    near: Path | None = None,
    reading: Reading = FROM_DISK,
) -> Loaded:
    """Reads a ruleset, what it extends, and overlays on top; `extra` are rule files that a scenario brings.

    Rulesets are looked for in the folder `near` and beside it first.
    """
    problems = Problems()
    books: dict[str, Book] = {}
    for wanted in (name, *overlays):
        _gather(wanted, books, problems, [], None, language, near, reading)
    for path in extra:
        book, found = reading.read([path], path.parent)
        problems.extend(found)
        if book is not None:
            for parent in book.extends:
                _gather(
                    parent.text, books, problems, [book.name], (parent.span, book), language, near, reading
                )
            books.setdefault(book.name, book)
    games = [book for book in books.values() if book.seats and not book.extends]
    for book in games[1:]:
        problems.add(report("E0517", book.span, language=language, name=book.name, base=games[0].name))
    if not books or len(games) > 1:
        return Loaded(None, list(problems))
    checked = reading.check(list(books.values()))
    # Without the rules that it builds on, a ruleset misses whatever it names of them: one finding says so.
    bare = any(problem.code == "E0512" for problem in problems)
    problems.extend(one for one in checked.problems if not (bare and one.code in MISSING))
    if problems.has_errors:
        checked.program = None
    return Loaded(checked, list(problems))


def _gather(
    name: str,
    books: dict[str, Book],
    problems: Problems,
    path: list[str],
    origin: tuple[Span, Book] | None,
    language: str,
    near: Path | None,
    reading: Reading,
) -> None:
    """Adds a ruleset after those it extends."""
    entry = reading.find(name, near)
    if entry is None:
        place = origin[0] if origin is not None else whole_file(name)
        known = [known.name for known in rulesets()]
        if origin is not None:  # in rules, a hyphen is a minus
            known = [one.replace("-", "_") for one in known]
        spoken = origin[1].language if origin is not None else language
        problems.add(
            report(
                "E0512",
                place,
                language=spoken,
                name=name,
                help=did_you_mean(normal(name), known, spoken) or None,
            )
        )
        return
    if entry.name in books:
        return
    if entry.name in path:
        assert origin is not None
        circle = " -> ".join([*path[path.index(entry.name) :], entry.name])
        problems.add(report("E0513", origin[0], language=origin[1].language, circle=circle))
        return
    book, found = reading.read(entry.files, entry.folder)
    problems.extend(found)
    if book is None:
        return
    for parent in book.extends:
        _gather(
            parent.text,
            books,
            problems,
            [*path, entry.name],
            (parent.span, book),
            language,
            near or entry.folder,
            reading,
        )
    books.setdefault(book.name, book)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A ruleset stack ready for games; `program` is None if there are errors."""

    program: Program | None
    code: Code | None
    problems: list[Diagnostic]
    loaded: Loaded | None = None  # what it was made from, if it was not in the cache


def load_compiled(
    name: str,
    overlays: tuple[str, ...] = (),
    extra: tuple[Path, ...] = (),
    *,
    language: str = "en",
    journal: bool = True,
    cover: bool = False,
    near: Path | None = None,
) -> Compiled:
    """A ruleset stack, compiled; from the cache if none of its files has changed."""
    entry = find_ruleset(name, near=near)
    place = str(entry.folder.resolve()) if entry is not None else name
    stack = (place, name, *overlays, "+", *(str(path.resolve()) for path in extra), str(Path.cwd()))
    stored = _stored_edition(stack, journal, cover)
    if stored is not None:
        return Compiled(stored.program, stored.code, [])
    loaded = load_ruleset(name, overlays, extra, language, near)
    program, checked = loaded.program, loaded.checked
    if program is None or checked is None:
        return Compiled(None, None, loaded.problems, loaded)
    code = code_of(program, journal=journal, cover=cover)
    if not loaded.problems:
        entries = [found for book in checked.books if (found := find_ruleset(str(book.folder))) is not None]
        folders = tuple(found.folder for found in entries if len(found.files) > 1 or found.folder.is_dir())
        files = (*(file for found in entries for file in found.files), *extra)
        manifest = manifest_of(folders, files)
        if manifest is not None:
            store((*stack, *_EDITIONS[journal, cover]), Stored(program, code, manifest))
    return Compiled(program, code, loaded.problems, loaded)


#: Under what the code with or without a journal is kept, and that which says what it reaches.
_EDITIONS = {
    (True, False): ("told",), (False, False): ("plain",),
    (True, True): ("told", "covered"), (False, True): ("plain", "covered"),
}  # fmt: skip


def _stored_edition(stack: tuple[str, ...], journal: bool, cover: bool) -> Stored | None:
    """What is kept of a stack; of one that is there in another edition only, its rules are not read again."""
    key = (*stack, *_EDITIONS[journal, cover])
    found = load_stored(key)
    if found is not None:
        return found
    others = (load_stored((*stack, *edition)) for edition in _EDITIONS.values())
    other = next((one for one in others if one is not None), None)
    if other is None:
        return None
    made = replace(other, code=code_of(other.program, journal=journal, cover=cover))
    store(key, made)
    return made


class LoadedGame:
    """A game, or why there is none. What author tools know of its rules is read when somebody asks."""

    def __init__(
        self,
        game: Game | None,
        scenario: Scenario | None,
        problems: list[Diagnostic],
        stack: Callable[[Reading], Loaded] | None = None,
    ) -> None:
        self.game = game
        self.scenario = scenario
        self.problems = problems
        self._stack = stack
        self._reading = FROM_DISK

    @cached_property
    def checked(self) -> Checked | None:
        return self._stack(self._reading).checked if self._stack is not None else None

    def hold(self, files: Iterable[Path]) -> None:
        """Keeps the texts of rule files as they are now: somebody may change them before they are checked."""
        if self._reading is FROM_DISK:
            held = {path.resolve(): read_sources([path], path.parent) for path in files}

            def read(paths: Iterable[Path], folder: Path) -> tuple[Book | None, list[Diagnostic]]:
                found = [held.get(path.resolve()) or read_sources([path], folder) for path in paths]
                sources = [source for texts, _ in found for source in texts]
                return book_from_sources(sources, folder, [one for _, wrong in found for one in wrong])

            self._reading = replace(FROM_DISK, read=read)


def load_game(
    name: str,
    *,
    options: tuple[str, ...] = (),
    overlays: tuple[str, ...] = (),
    journal: bool = True,
    cover: bool = False,
    limits: Limits | None = None,
    language: str = "en",
    ruleset: str | None = None,
    translated: bool = True,
) -> LoadedGame:
    """A scenario by name or path, with its ruleset, ready to play. `ruleset` plays it under another one.

    If it is not `translated`, the game speaks its author's language, and only findings are in `language`.
    """
    entry = find_scenario(name)
    if entry is None:
        hint = _its_scenarios(name, language) or did_you_mean(
            normal(name),
            [*(known.name for known in scenarios()), *(known.name for known in campaigns())],
            language,
        )
        problem = report("E0640", whole_file(name), language=language, name=name, help=hint or None)
        return LoadedGame(None, None, [problem])
    header = read_header(entry.path)
    extra = (
        (header.rules,) if header is not None and header.rules is not None and header.rules.is_file() else ()
    )
    found: list[Compiled] = []
    stacks: list[Callable[[Reading], Loaded]] = []

    def program_for(wanted: str, own: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
        stack = (*own, *overlays)
        chosen = ruleset or wanted
        near = entry.path.resolve().parent.parent
        compiled = load_compiled(
            chosen, stack, extra, language=language, journal=journal, cover=cover, near=near
        )
        found.append(compiled)
        known: list[Loaded] = []

        def read(reading: Reading) -> Loaded:
            """Read at most once: as it was for the compiled program, or else when somebody asks."""
            if not known:
                known.append(compiled.loaded or load_ruleset(chosen, stack, extra, language, near, reading))
            return known[0]

        stacks.append(read)
        return compiled.program, compiled.problems

    scenario, problems_found = load_scenario(entry.path, program_for, language=language)
    problems = Problems()
    problems.extend(problems_found)
    for one in found:
        problems.extend(one.problems)
    program, code = (found[-1].program, found[-1].code) if found else (None, None)
    stack = stacks[-1] if stacks else None
    if scenario is not None and program is not None:
        problems.extend(option_problems(program, scenario, options, entry, language))
    if scenario is None or program is None or code is None or problems.has_errors:
        return LoadedGame(None, scenario, list(problems), stack)
    texts: dict[str, str] = {}
    if translated and language != program.language and stack is not None:
        checked = stack(FROM_DISK).checked
        texts = catalogue_for(checked, language) if checked is not None else {}
        program = translated_program(program, texts, language)
        code = code_of(program, journal=journal, cover=cover)
    game = Game(program, scenario, code, options=options, limits=limits, texts=texts)
    return LoadedGame(game, scenario, list(problems), stack)


def _its_scenarios(name: str, language: str) -> str:
    """What can be played of a game, if a ruleset was named where a scenario is wanted; else nothing."""
    entry = find_ruleset(name)
    own = [f"`{known.name}`" for known in scenarios() if entry is not None and known.ruleset == entry.name]
    if not own:
        return ""
    more = ", …" if len(own) > _MOST_NAMED else ""
    listed = ", ".join(own[:_MOST_NAMED]) + more
    if language == "fr":
        return f"`{name}` est un règlement ; ses scénarios sont {listed}"
    return f"`{name}` is a ruleset; its scenarios are {listed}"


def _who_has(option: str, language: str) -> str:
    """The rulesets that have an option, for somebody who looks for it where it is not; else nothing."""
    declared = re.compile(rf"^\s*option\s+{re.escape(option)}\b", re.MULTILINE)
    found = [entry.name for entry in rulesets() if any(_mentions(file, declared) for file in entry.files)]
    if not found:
        return ""
    words = " ".join(f"`--overlay {name}`" for name in found[:1])
    names = ", ".join(f"`{name}`" for name in found)
    if language == "fr":
        return f"cette option est de {names} : ajoutez {words}"
    return f"it is an option of {names}: add {words}"


def _mentions(path: Path, pattern: re.Pattern[str]) -> bool:
    source, _ = read_source(path)
    return source is not None and pattern.search(source.text) is not None


def option_problems(
    program: Program, scenario: Scenario, options: tuple[str, ...], entry: ScenarioEntry, language: str
) -> list[Diagnostic]:
    """Options that do not exist, or that exclude each other."""
    known = {option.name: option for option in program.options}
    found = []
    chosen = {*options, *scenario.options}
    place = whole_file(str(entry.path))
    bounds = player_bounds(program, scenario)
    for name in sorted(chosen):
        count = count_of(name)
        if count is not None and (bounds is None or not bounds[0] <= count <= bounds[1]):
            people = sum(not player.automated for player in program.players)
            fewest, most = bounds or (people, people)
            wanted = f"{fewest}" if fewest == most else f"{fewest}-{most}"
            found.append(report("E0661", place, language=language, count=count, range=wanted))
            chosen.discard(name)
    for name in sorted(chosen - set(known)):
        found.append(
            report(
                "E0641",
                place,
                language=language,
                name=name,
                help=_who_has(name, language) or did_you_mean(name, list(known), language) or None,
            )
        )
    for name in sorted(chosen & set(known)):
        for other in known[name].conflicts:
            if other in chosen:
                reason = known[name].reason or "-"
                found.append(
                    report(
                        "E0642",
                        place,
                        language=language,
                        rule=", ".join(known[name].rules),
                        name=name,
                        other=other,
                        reason=reason,
                    )
                )
    return found


_CODES: dict[tuple[str, int, bool, bool], Code] = {}


def code_of(program: Program, *, journal: bool = True, cover: bool = False) -> Code:
    """The compiled code of a program; the same program is compiled once."""
    # Its hash says what it means; texts and places, which the code tells too, are in the second.
    key = (program.hash, hash(program), journal, cover)
    if key not in _CODES:
        _CODES[key] = compile_program(program, journal=journal, cover=cover)
    return _CODES[key]


def load(
    name: str,
    *,
    options: tuple[str, ...] | list[str] = (),
    overlays: tuple[str, ...] | list[str] = (),
    journal: bool = True,
    cover: bool = False,
    limits: Limits | None = None,
) -> Game:
    """A game ready to play, by the scenario's name or path; with `cover`, one that says what it reaches.

    Raises:
        RulesProblem: the rules or the data have errors.
    """
    loaded = load_game(
        name, options=tuple(options), overlays=tuple(overlays), journal=journal, cover=cover, limits=limits
    )
    if loaded.game is None:
        raise RulesProblem(loaded.problems)
    return loaded.game
