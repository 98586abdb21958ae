"""From names to checked rulesets and games: extends and overlays are followed, and everything is checked on the way.

Diagnostics are returned, never printed. `RulesProblem` carries them where Python code asked for a game and got none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ddob_rules.book import Book, normal, read_book
from ddob_rules.diagnostics import Diagnostic, Problems, report
from ddob_rules.library import ScenarioEntry, find_ruleset, find_scenario, rulesets, scenarios
from ddob_rules.program import Checked, check
from ddob_rules.scenario import load_scenario, read_header
from ddob_rules.source import Span, whole_file
from ddob_rules.spelling import did_you_mean
from interpreter.compile import Code, compile_program
from interpreter.failures import Limits
from interpreter.game import Game
from interpreter.ir import Program
from interpreter.scenario import Scenario


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


def load_ruleset(name: str, overlays: tuple[str, ...] = (), extra: tuple[Path, ...] = (), language: str = "en") -> Loaded:
    """Reads a ruleset, what it extends, and overlays on top; `extra` are rule files that a scenario brings."""
    problems = Problems()
    books: dict[str, Book] = {}
    for wanted in (name, *overlays):
        _gather(wanted, books, problems, [], None, language)
    for path in extra:
        book, found = read_book([path], path.parent)
        problems.extend(found)
        if book is not None:
            for parent in book.extends:
                _gather(parent.text, books, problems, [book.name], (parent.span, book), language)
            books.setdefault(book.name, book)
    if not books:
        return Loaded(None, list(problems))
    checked = check(list(books.values()))
    problems.extend(checked.problems)
    if problems.has_errors:
        checked.program = None
    return Loaded(checked, list(problems))


def _gather(name: str, books: dict[str, Book], problems: Problems, path: list[str], origin: tuple[Span, Book] | None, language: str) -> None:
    """Adds a ruleset after those it extends."""
    entry = find_ruleset(name)
    if entry is None:
        place = origin[0] if origin is not None else whole_file(name)
        known = [known.name for known in rulesets()]
        spoken = origin[1].language if origin is not None else language
        problems.add(report("E0512", place, language=spoken, name=name, help=did_you_mean(normal(name), known, spoken) or None))
        return
    if entry.name in books:
        return
    if entry.name in path:
        assert origin is not None
        circle = " -> ".join([*path[path.index(entry.name) :], entry.name])
        problems.add(report("E0513", origin[0], language=origin[1].language, circle=circle))
        return
    book, found = read_book(entry.files, entry.folder)
    problems.extend(found)
    if book is None:
        return
    for parent in book.extends:
        _gather(parent.text, books, problems, [*path, entry.name], (parent.span, book), language)
    books.setdefault(book.name, book)


@dataclass(frozen=True, slots=True)
class LoadedGame:
    game: Game | None
    scenario: Scenario | None
    checked: Checked | None
    problems: list[Diagnostic]


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
) -> LoadedGame:
    """A scenario by name or path, with its ruleset, ready to play. `ruleset` plays it under another one."""
    entry = find_scenario(name)
    if entry is None:
        known = [known.name for known in scenarios()]
        problem = report("E0640", whole_file(name), language=language, name=name, help=did_you_mean(normal(name), known, language) or None)
        return LoadedGame(None, None, None, [problem])
    header = read_header(entry.path)
    extra = (header.rules,) if header is not None and header.rules is not None and header.rules.is_file() else ()
    loaded: list[Loaded] = []

    def program_for(wanted: str, scenario_overlays: tuple[str, ...]) -> tuple[Program | None, list[Diagnostic]]:
        found = load_ruleset(ruleset or wanted, (*scenario_overlays, *overlays), extra, language)
        loaded.append(found)
        return found.program, found.problems

    scenario, found = load_scenario(entry.path, program_for, language=language)
    problems = Problems()
    problems.extend(found)
    for one in loaded:
        problems.extend(one.problems)
    checked = loaded[-1].checked if loaded else None
    program = checked.program if checked is not None else None
    if scenario is None or program is None or problems.has_errors:
        return LoadedGame(None, scenario, checked, list(problems))
    problems.extend(option_problems(program, scenario, options, entry, language))
    if problems.has_errors:
        return LoadedGame(None, scenario, checked, list(problems))
    game = Game(program, scenario, code_of(program, journal=journal, cover=cover), options=options, limits=limits)
    return LoadedGame(game, scenario, checked, list(problems))


def option_problems(program: Program, scenario: Scenario, options: tuple[str, ...], entry: ScenarioEntry, language: str) -> list[Diagnostic]:
    """Options that do not exist, or that exclude each other."""
    known = {option.name: option for option in program.options}
    found = []
    chosen = {*options, *scenario.options}
    place = whole_file(str(entry.path))
    for name in sorted(chosen - set(known)):
        found.append(report("E0641", place, language=language, name=name, help=did_you_mean(name, list(known), language) or None))
    for name in sorted(chosen & set(known)):
        for other in known[name].conflicts:
            if other in chosen:
                reason = known[name].reason or "-"
                found.append(report("E0642", place, language=language, rule=", ".join(known[name].rules), name=name, other=other, reason=reason))
    return found


_CODES: dict[tuple[str, str, bool, bool], Code] = {}


def code_of(program: Program, *, journal: bool = True, cover: bool = False) -> Code:
    """The compiled code of a program; the same program is compiled once."""
    key = (program.hash, "/".join(program.stack), journal, cover)
    if key not in _CODES:
        _CODES[key] = compile_program(program, journal=journal, cover=cover)
    return _CODES[key]


def load(
    name: str,
    *,
    options: tuple[str, ...] | list[str] = (),
    overlays: tuple[str, ...] | list[str] = (),
    journal: bool = True,
    limits: Limits | None = None,
) -> Game:
    """A game ready to play, by the scenario's name or path. Raises `RulesProblem` if the rules or data have errors."""
    loaded = load_game(name, options=tuple(options), overlays=tuple(overlays), journal=journal, limits=limits)
    if loaded.game is None:
        raise RulesProblem(loaded.problems)
    return loaded.game


