"""From games that are played by the edition of the code that says what it reaches, to what was never reached.

What a computer's player thinks through is not played, and so not counted. Left out: the conditions of
actions, tried with every list of options; the reasons of questions, and texts, which are made only for
somebody who reads them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from interpreter import ir
from interpreter.compiler.compile import Code
from interpreter.ir.walk import parts
from interpreter.machine.game import Game
from interpreter.machine.state import State

_REACHED = re.compile(r"COVER\.add\((\d+)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one game reached: numbers of places, and actions with how often they were taken."""

    places: tuple[int, ...] = ()
    taken: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A phase, an action or a cell of a table, and in how many games it was reached."""

    name: str
    title: str
    site: ir.Site
    games: int
    times: int = 0  # actions: how often they were taken in all
    body: tuple[ir.Site, ...] = ()  # actions: what they do


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What a number of games reached. Everything that can be reached is in it, in the order of the rules."""

    games: int
    titles: tuple[tuple[str, str], ...] = ()  # of rules, in their order
    places: tuple[tuple[ir.Site, int], ...] = ()  # every place, and in how many games it was reached
    phases: tuple[Reach, ...] = ()
    actions: tuple[Reach, ...] = ()
    tables: tuple[tuple[str, tuple[Reach, ...]], ...] = ()  # table, cells
    shown: frozenset[ir.Site] = frozenset()  # what examples touch, where they were run too

    @property
    def rules(self) -> tuple[tuple[str, str, int, int], ...]:
        """Rule, title, places reached, places in all."""
        reached: dict[str, list[bool]] = {}
        for site, games in self.places:
            reached.setdefault(site.rule, []).append(games > 0)
        return tuple(
            (rule, title, sum(reached[rule]), len(reached[rule]))
            for rule, title in self.titles
            if rule in reached
        )

    @property
    def never(self) -> tuple[ir.Site, ...]:
        """Places that no game reached, with the actions that were looked at but never taken."""
        untaken = {action.site for action in self.actions if not action.games}
        return tuple(sorted({*(site for site, games in self.places if not games), *untaken}, key=_order))

    @property
    def dead(self) -> tuple[ir.Site, ...]:
        """What neither a game nor an example reached."""
        shown = {*self.shown, *(each.site for each in self.actions if self.shown & set(each.body))}
        return tuple(site for site in self.never if site not in shown)


def together(found: Sequence[Coverage]) -> Coverage:
    """What several series reached, of one game or of games that share rules."""
    places: Counter[ir.Site] = Counter()
    titles: dict[str, str] = {}
    for one in found:
        for site, games in one.places:
            places[site] += games
        for rule, title in one.titles:
            titles.setdefault(rule, title)
    tables: dict[str, list[Reach]] = {}
    for one in found:
        for name, cells in one.tables:
            tables.setdefault(name, []).extend(cells)
    return Coverage(
        games=sum(one.games for one in found),
        titles=tuple(titles.items()),
        places=tuple(sorted(places.items(), key=lambda entry: _order(entry[0]))),
        phases=_added(each for one in found for each in one.phases),
        actions=_added(each for one in found for each in one.actions),
        tables=tuple((name, _added(cells)) for name, cells in tables.items()),
        shown=frozenset[ir.Site]().union(*(one.shown for one in found)),
    )


def _added(reaches: Iterable[Reach]) -> tuple[Reach, ...]:
    """The same things once each, with all their games."""
    found: dict[tuple[str, ir.Site], Reach] = {}
    for each in reaches:
        key = each.name, each.site
        before = found.get(key)
        if before is None:
            found[key] = each
        else:
            found[key] = replace(before, games=before.games + each.games, times=before.times + each.times)
    return tuple(found.values())


class Watch:
    """Watches one game. Games of the same `Game` are watched one after the other."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._places: set[int] = game.namespace["COVER"]
        self._places.clear()
        self._taken: Counter[str] = Counter()

    @contextmanager
    def looking_away(self) -> Iterator[None]:
        """What is done here is not part of the game."""
        before = set(self._places)
        try:
            yield
        finally:
            self._places &= before

    def takes(self, state: State, index: int) -> None:
        """Notes which action an option is, if it is one."""
        if state.ask >= 0 and self._game.code.asks[state.ask].sort == "offer":
            option = state.options[index]
            if isinstance(option, tuple) and option and 0 <= option[0] < len(self._game.program.actions):
                self._taken[self._game.program.actions[option[0]].name] += 1

    def seen(self) -> Seen:
        return Seen(places=tuple(sorted(self._places)), taken=tuple(sorted(self._taken.items())))


@dataclass(eq=False, slots=True)
class Tally:
    """Adds up what games reached, of one program or of several that are stacks over the same base."""

    games: int = 0
    _places: Counter[ir.Site] = field(default_factory=Counter)
    _taken: Counter[str] = field(default_factory=Counter)
    _games_taken: Counter[str] = field(default_factory=Counter)
    _programs: dict[str, tuple[ir.Program, Code]] = field(default_factory=dict)

    def add(self, game: Game, seen: Seen) -> None:
        self.games += 1
        self._programs.setdefault(game.program.hash, (game.program, game.code))
        self._places.update({game.code.sites[number] for number in seen.places})
        self._taken.update(dict(seen.taken))
        self._games_taken.update(name for name, _ in seen.taken)

    def coverage(self) -> Coverage:
        known = {site for program, code in self._programs.values() for site in _places(program, code)}
        programs = [program for program, _ in self._programs.values()]
        return Coverage(
            games=self.games,
            titles=_titles(programs, known),
            places=tuple((site, self._places[site]) for site in sorted(known, key=_order)),
            phases=tuple(dict.fromkeys(each for program in programs for each in self._phases(program))),
            actions=tuple(dict.fromkeys(each for program in programs for each in self._actions(program))),
            tables=self._tables(programs),
        )

    def _phases(self, program: ir.Program) -> Iterator[Reach]:
        titles = dict(program.phases)
        for procedure in program.procedures:
            if procedure.role == "phase":
                name, games = procedure.name.removeprefix("phase "), self._places[procedure.site]
                title = titles.get(name, name)
                yield Reach(name=name, title=title, site=procedure.site, games=games)

    def _actions(self, program: ir.Program) -> Iterator[Reach]:
        for each in program.actions:
            games, times = self._games_taken[each.name], self._taken[each.name]
            body = tuple(
                sorted(
                    {site for part in parts(each.body) if (site := getattr(part, "site", None))}, key=_order
                )
            )
            yield Reach(
                name=each.name, title=each.title, site=each.site, games=games, times=times, body=body
            )  # fmt: skip

    def _tables(self, programs: list[ir.Program]) -> tuple[tuple[str, tuple[Reach, ...]], ...]:
        found: dict[str, dict[Reach, None]] = {}
        for program in programs:
            for table in program.tables:
                name = table.name.removesuffix(" rows")
                for row in table.rows:
                    if row.site.rule:
                        cell = Reach(name=name, title="", site=row.site, games=self._places[row.site])
                        found.setdefault(name, {}).setdefault(cell)
        return tuple((name, tuple(cells)) for name, cells in found.items())


def _titles(programs: list[ir.Program], known: set[ir.Site]) -> tuple[tuple[str, str], ...]:
    """The rules that have places, in their order."""
    titles = {rule.id: rule.title for program in reversed(programs) for rule in program.rules}
    numbers = {site.rule for site in known}
    in_order = sorted(numbers, key=lambda number: ir.rule_order(number, programs[0].outline))
    return tuple((number, titles.get(number, "")) for number in in_order)


def _places(program: ir.Program, code: Code) -> set[ir.Site]:
    """What the code can say that it reached, without what only a question about an action or answer asks."""
    asked = {condition.site for action in program.actions for condition in action.conditions}
    told, called = _only_told(program), {one.name for one in parts(program) if isinstance(one, ir.Call)}
    # A list of what must hold may stand in actions alone, line by line.
    asked |= {one.site for one in program.definitions if one.name in told or one.name not in called}
    return {code.sites[int(number)] for number in _REACHED.findall(code.source)} - asked


def _only_told(program: ir.Program) -> set[str]:
    """The definitions that nothing asks but reasons of questions and texts, or others of which that holds."""
    calls: dict[str, set[int]] = {}
    for part in parts(program):
        if isinstance(part, ir.Call):
            calls.setdefault(part.name, set()).add(id(part))
    told = {number for part in parts(program) if _is_told(part) for number in _calls(part)}
    found: set[str] = set()
    while True:
        more = {name for name, numbers in calls.items() if numbers <= told} - found
        if not more:
            return found
        found |= more
        told |= {number for one in program.definitions if one.name in more for number in _calls(one)}


def _is_told(part: object) -> bool:
    return isinstance(part, ir.Reason) or (isinstance(part, ir.Expression) and part.type.tag == "text")


def _calls(item: object) -> set[int]:
    return {id(part) for part in parts(item) if isinstance(part, ir.Call)}


def _order(site: ir.Site) -> tuple[str, int, int]:
    return site.file, site.line, site.column
