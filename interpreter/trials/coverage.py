"""From games that are played by the edition of the code that says what it reaches, to what was never reached.

What a computer's player thinks through is not played, and so not counted. Left out: the conditions of
actions, tried with every list of options, and texts, which are made only for somebody who reads them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter import ir
from interpreter.compiler.compile import Code
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What a number of games reached. Everything that can be reached is in it, in the order of the rules."""

    games: int
    rules: tuple[tuple[str, str, int, int], ...]  # rule, title, places reached, places in all
    phases: tuple[Reach, ...]
    actions: tuple[Reach, ...]
    tables: tuple[tuple[str, tuple[Reach, ...]], ...]  # table, cells
    never: tuple[ir.Site, ...]  # places that no game reached


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
            rules=self._rules(programs, known),
            phases=tuple(dict.fromkeys(each for program in programs for each in self._phases(program))),
            actions=tuple(dict.fromkeys(each for program in programs for each in self._actions(program))),
            tables=self._tables(programs),
            never=tuple(sorted((site for site in known if not self._places[site]), key=_order)),
        )

    def _rules(
        self, programs: list[ir.Program], known: set[ir.Site]
    ) -> tuple[tuple[str, str, int, int], ...]:
        titles = {rule.id: rule.title for program in reversed(programs) for rule in program.rules}
        places: dict[str, list[bool]] = {name: [] for name in titles}
        for site in sorted(known, key=_order):
            places.setdefault(site.rule, []).append(self._places[site] > 0)
        numbers = sorted(places, key=lambda number: ir.rule_order(number, programs[0].outline))
        return tuple(
            (number, titles.get(number, ""), sum(places[number]), len(places[number]))
            for number in numbers
            if places[number]
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
            yield Reach(name=each.name, title=each.title, site=each.site, games=games, times=times)

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


def _places(program: ir.Program, code: Code) -> set[ir.Site]:
    """What the code can say that it reached, without what only a question about an action asks."""
    asked = {condition.site for action in program.actions for condition in action.conditions}
    return {code.sites[int(number)] for number in _REACHED.findall(code.source)} - asked


def _order(site: ir.Site) -> tuple[str, int, int]:
    return site.file, site.line, site.column
