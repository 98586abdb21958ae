"""From a difference of two rulesets at a choice of a saved game to the rules that make it, found by trying.

The new rules are played again up to that choice with some of the changed rules as they were before. Where the
difference then goes away, one of these is behind it; halving finds which. Rules that cannot do without
those that are switched off go with them. Which rules have changed is known already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ddob_rules.check.program import Checked, check
from ddob_rules.compare.identity import block_mechanics
from ddob_rules.library.finding import find_scenario
from ddob_rules.loading import LoadedGame, code_of
from ddob_rules.scenarios.reading import load_scenario
from ddob_rules.stack.book import Book, RuleBlock
from interpreter.ir import Program
from interpreter.machine.game import Game
from interpreter.machine.scenario import Scenario
from interpreter.records.replays import Difference, Replay, first_difference
from interpreter.records.saves import Save

#: Games built for one difference. Halving a hundred rules takes some fifteen; more would keep people waiting.
_MOST_TRIALS = 24
#: How often rules that miss something are switched off as well, before a trial is given up.
_MOST_ROUNDS = 4

Rules = frozenset[str]


class Trials:
    """Games under the new rules with some of them as they were; each is built once for all saves."""

    def __init__(self, old: LoadedGame, new: LoadedGame) -> None:
        assert old.checked is not None and new.checked is not None
        self.old, self.new = old, new
        self.before, self.now = _blocks(old.checked), _blocks(new.checked)
        self.order = new.checked.merged.order
        self.built: dict[Rules, tuple[Rules, Game | None]] = {}

    def matters(self, rule: str) -> bool:
        """Whether switching it off makes other rules."""
        before, now = self.before.get(rule), self.now.get(rule)
        if before is None or now is None:
            return before is not now
        return block_mechanics(before) != block_mechanics(now)

    def without(self, rules: Rules, save: Save) -> tuple[Rules, Game | None]:
        """The game with these rules as they were, and all that had to be switched off for it."""
        if rules not in self.built:
            off, program = self._program(rules)
            self.built[rules] = off, self._game(program, save) if program is not None else None
        return self.built[rules]

    def _program(self, rules: Rules) -> tuple[Rules, Program | None]:
        off = rules
        for _ in range(_MOST_ROUNDS):
            checked = check(self._books(off), whole=False)
            if checked.program is not None:
                return off, checked.program
            wrong = {problem.rule for problem in checked.problems if problem.severity == "error"}
            more = {rule for rule in wrong - off if self.matters(rule)}
            if not more:
                break
            off |= more
        return off, None

    def _books(self, off: Rules) -> list[Book]:
        assert self.old.checked is not None and self.new.checked is not None
        books = [
            # Examples of rules that are off would only be missing them.
            replace(book, rules=self._blocks_of(book, off), examples=[])
            for book in self.new.checked.books
        ]
        names = {book.name: book for book in books}
        for old in self.old.checked.books:
            for place, block in enumerate(old.rules):
                if block.id in off and block.id not in self.now:
                    names.get(old.name, books[0]).rules.insert(place, block)
        return books

    def _blocks_of(self, book: Book, off: Rules) -> list[RuleBlock]:
        """A rule that is off is the old one, or none."""
        kept = [block if block.id not in off else self.before.get(block.id) for block in book.rules]
        return [block for block in kept if block is not None]

    def _game(self, program: Program, save: Save) -> Game | None:
        scenario = self._scenario(program, save)
        if scenario is None or {*save.options} - {option.name for option in program.options}:
            return None
        return Game(program, scenario, code_of(program), options=save.options)

    def _scenario(self, program: Program, save: Save) -> Scenario | None:
        """That of the new or old game if it means the same in these rules; else it is read once more."""
        for loaded in (self.new, self.old):
            game = loaded.game
            if game is not None and _vocabulary(game.program) == _vocabulary(program):
                known = {variable.name for variable in program.variables}
                if all(name in known for name, _ in game.scenario.variables):
                    return game.scenario
        entry = find_scenario(save.scenario)
        return load_scenario(entry.path, lambda *_: (program, []))[0] if entry is not None else None


def blame(trials: Trials, save: Save, difference: Difference) -> Difference:
    """The difference with the rules that make it; with all that may, if trying does not settle it."""
    # Always in the same order: what was built for one save then serves for others.
    ordered = sorted(difference.rules, key=trials.order)
    candidates = tuple(rule for rule in ordered if trials.matters(rule))
    if len(candidates) < 2:
        return replace(difference, causes=candidates or difference.rules)
    search = _Search(trials, save, difference.choice)
    found = search.causes(candidates)
    causes = found or tuple(rule for rule in difference.rules if rule in candidates)
    rest = tuple(rule for rule in difference.rules if rule not in causes)
    return replace(difference, causes=causes, rules=(*causes, *rest))


def blamed(trials: Trials, save: Save, found: Replay) -> Replay:
    """The replay with the rules that make its first difference."""
    if found.difference is None:
        return found
    difference = blame(trials, save, found.difference)
    stopped = difference if found.stopped is found.difference else found.stopped
    return replace(found, difference=difference, stopped=stopped)


class _Search:
    """Looks for the fewest rules without which the difference is gone."""

    def __init__(self, trials: Trials, save: Save, choice: int) -> None:
        self.trials = trials
        self.save = save
        self.choice = choice
        self.left = _MOST_TRIALS
        self.known: dict[Rules, bool] = {}

    def causes(self, candidates: tuple[str, ...]) -> tuple[str, ...]:
        """In the order of the candidates; none if they do not account for the difference or time is up."""
        found = self._single(candidates)
        if not found and not self._gone(frozenset(candidates)):
            return ()
        found = found or self._fewest(frozenset(), candidates, False)
        # What leans on a rule goes off with it, and may be what really makes the difference.
        off, _ = self.trials.without(frozenset(found), self.save)
        leaning = tuple(rule for rule in candidates if rule in off and rule not in found)
        if leaning and self._gone(frozenset(leaning)):
            found = self._single(leaning) or self._fewest(frozenset(), leaning, False)
        if self.left <= 0 and not self._gone(frozenset(found)):
            return ()
        return tuple(rule for rule in candidates if rule in found)

    def _single(self, candidates: tuple[str, ...]) -> tuple[str, ...]:
        """The one rule, if it is one: almost always it is, and half the trials will do."""
        while len(candidates) > 1:
            middle = len(candidates) // 2
            gone = self._gone(frozenset(candidates[:middle]))
            candidates = candidates[:middle] if gone else candidates[middle:]
        return candidates if self._gone(frozenset(candidates)) else ()

    def _fewest(self, off: Rules, candidates: Sequence[str], added: bool) -> tuple[str, ...]:
        """Of the candidates, those that are needed besides `off`; `added`: `off` is more than before."""
        if added and self._gone(off):
            return ()
        if len(candidates) < 2:
            return tuple(candidates)
        middle = len(candidates) // 2
        first, second = candidates[:middle], candidates[middle:]
        later = self._fewest(off | {*first}, second, True)
        sooner = self._fewest(off | {*later}, first, bool(later))
        return (*sooner, *later)

    def _gone(self, off: Rules) -> bool:
        if off not in self.known:
            self.left -= 1
            self.known[off] = self.left >= 0 and self._plays_as_saved(off)
        return self.known[off]

    def _plays_as_saved(self, off: Rules) -> bool:
        _, game = self.trials.without(off, self.save)
        return game is not None and first_difference(game, self.save, self.choice) is None


def _blocks(checked: Checked) -> dict[str, RuleBlock]:
    return {block.id: block for book in checked.books for block in book.rules}


def _vocabulary(program: Program) -> tuple[object, ...]:
    """What the values of a scenario are encoded by."""
    return program.enums, program.kinds, program.players
