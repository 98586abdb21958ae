"""From a save and a game to a replay: a proof that it is the same game, or where it first differs, and why.

Under the rules of the save, equal hashes prove it. Under other rules the digests of the save say at which
choice something is different; with the old game at hand both are played side by side, and the first
change that differs is known too. How a difference is told to people is left to the author tools.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from interpreter.failures import RuleFailure
from interpreter.machine.choice import Option
from interpreter.machine.game import Game
from interpreter.machine.reasons import Refusal
from interpreter.machine.state import State
from interpreter.records.saves import Save, offered
from interpreter.records.suspects import changed_rules, leaning, suspects
from interpreter.telling.facts import Journal
from interpreter.telling.trail import Happening, digest, happenings

#: not offered: the option is no longer there; ended: the game is over already; failed: a rule could not be
#: carried out; happened: something else happened; offered: other options are there; otherwise: one of the
#: two, it is not known which; hash: all looks the same, but the position is another; stated: the game is
#: the same, but the save says of it what is not so.
Sort = Literal["not offered", "ended", "failed", "happened", "offered", "otherwise", "hash", "stated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where a game goes another way. `choice` counts from 1; one more than there are means after the last."""

    sort: Sort
    choice: int
    turn: int
    phase: str
    key: str = ""  # the option that was taken
    refusal: Refusal | None = None
    old: Happening | None = None  # the first change that differs; None where there is none on this side
    new: Happening | None = None
    gone: tuple[str, ...] = ()  # options that were offered and no longer are
    added: tuple[str, ...] = ()
    failure: str = ""
    stated: tuple[str, ...] = ()  # the parts of the save that say what is not so
    ran: tuple[str, ...] = ()  # the rules that were at work since the choice before, the nearest first
    rules: tuple[str, ...] = ()  # the changed rules, the likeliest first
    causes: tuple[str, ...] = ()  # the rule that makes it, or several of which one does; empty: not tried

    @property
    def rule(self) -> str:
        """The rule that is most likely responsible; empty if no rule is known to have changed."""
        return next(iter((*self.causes, *self.rules)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """`difference` is the first; `stopped` is where the choices could not be followed any further."""

    same_rules: bool
    proven: bool
    played: int
    state: State | None
    difference: Difference | None = None
    stopped: Difference | None = None


def replay(
    game: Game, save: Save, *, rules: Mapping[str, str] | None = None, before: Game | None = None
) -> Replay:
    """Plays a save again.

    `rules` are the hashes of the rules of `game`; without them no rule can be blamed. `before` is the game
    the save was made with, if it is at hand.
    """
    if not game.code.journal:
        raise ValueError("only a game that keeps a journal can be compared with a save")
    return _Replaying(game, save, rules, before).run()


def first_difference(game: Game, save: Save, until: int) -> int | None:
    """The first choice, up to `until`, that the game comes to otherwise than the save did, or None.

    It says less than `replay`, and plays no further.
    """
    side = _Side(game)
    side.start(save.seed)
    for number, taken in enumerate(save.choices[:until], start=1):
        as_saved = side.failure is None and digest(side.happened, side.keys) == taken.digest
        if not as_saved or taken.key not in side.keys:
            return number
        if number == until:
            return None
        side.take(side.keys.index(taken.key))
    last = len(save.choices) + 1
    same = side.failure is None and digest(side.happened, side.keys) == save.end
    return None if same else last


def same_rules(game: Game, save: Save) -> bool:
    """Whether the save was made with the same rules, set-up and options."""
    ours = (game.program.hash, game.scenario.hash, tuple(sorted(game.options)))
    return ours == (save.program_hash, save.scenario_hash, save.options)


class _Side:
    """One of the games that are played side by side."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State | None = None
        self.since: Journal = None
        self.happened: list[Happening] = []
        self.keys: list[str] = []
        self.failure: RuleFailure | None = None

    def start(self, seed: int) -> None:
        try:
            self.state = self.game.start(seed)
        except RuleFailure as failure:
            self.failure = failure
        self._look()

    def take(self, index: int) -> None:
        assert self.state is not None
        self.since = self.state.happened
        try:
            self.state.take(index)
        except RuleFailure as failure:
            self.failure = failure
        self._look()

    def _look(self) -> None:
        if self.state is not None:
            self.happened = happenings(self.state, self.since)
            self.keys = offered(self.state) if self.failure is None else []

    def options(self) -> Sequence[Option]:
        if self.state is None or self.failure is not None or self.state.over:
            return ()
        return self.game.option_list(self.state)

    def asking(self) -> str:
        """The rule that asks now."""
        choice = self.state.choice if self.state is not None and self.failure is None else None
        return choice.rule if choice is not None else ""


class _Replaying:
    def __init__(self, game: Game, save: Save, rules: Mapping[str, str] | None, before: Game | None) -> None:
        self.save = save
        self.now = _Side(game)
        self.before = _Side(before) if before is not None else None
        self.changed = changed_rules(save.rules, rules) if rules is not None else frozenset()
        self.graphs = [leaning(side.game.program) for side in (self.now, self.before) if side is not None]
        self.first: Difference | None = None

    def run(self) -> Replay:
        same = same_rules(self.now.game, self.save)
        self.now.start(self.save.seed)
        if self.before is not None:
            self.before.start(self.save.seed)
        for number, taken in enumerate(self.save.choices, start=1):
            self._compare(number, taken.digest, taken.key)
            if same and self.first is None and taken.options != len(self.now.keys):
                self.first = replace(self._difference("stated", number, taken.key), stated=("choices",))
            stop = self._stopped(number, taken.key)
            if stop is not None:
                self.first = self.first or stop
                return self._result(same, number - 1, stop)
            self.now.take(self.now.keys.index(taken.key))
            self._follow(taken.key)
        last = len(self.save.choices) + 1
        failed = self._difference("failed", last) if self.now.failure is not None else None
        self.first = self.first or failed
        if failed is None:
            self._compare(last, self.save.end, "")
            self._prove(same, last)
        return self._result(same, last - 1, failed)

    def _result(self, same: bool, played: int, stopped: Difference | None) -> Replay:
        return Replay(
            same_rules=same,
            proven=same and self.first is None,
            played=played,
            state=self.now.state if self.now.failure is None else None,
            difference=self.first,
            stopped=stopped,
        )

    def _follow(self, key: str) -> None:
        """Takes the same choice on the other side, as long as it can be followed there."""
        if self.before is not None and key in self.before.keys and self.before.failure is None:
            self.before.take(self.before.keys.index(key))
        else:
            self.before = None

    def _compare(self, number: int, expected: str, key: str) -> None:
        if self.first is not None or self.now.failure is not None:
            return
        if digest(self.now.happened, self.now.keys) == expected:
            return
        if key and key not in self.now.keys:
            return  # told as a choice that is no longer offered
        if self.before is None:
            self.first = self._difference("otherwise", number, key)
        elif _first_different(self.before.happened, self.now.happened) is not None:
            self.first = self._difference("happened", number, key)
        else:
            self.first = self._difference("offered", number, key)

    def _stopped(self, number: int, key: str) -> Difference | None:
        if self.now.failure is not None:
            return self._difference("failed", number, key)
        if key in self.now.keys:
            return None
        assert self.now.state is not None
        return self._difference("ended" if self.now.state.over else "not offered", number, key)

    def _prove(self, same: bool, number: int) -> None:
        assert self.now.state is not None
        if same and self.first is None and self.now.state.hash() != self.save.hash:
            self.first = self._difference("hash", number)
        if same and self.first is None and (wrong := self._wrongly_stated(self.now.state)):
            self.first = replace(self._difference("stated", number), stated=wrong)

    def _wrongly_stated(self, state: State) -> tuple[str, ...]:
        """What the save says besides, and what is not so: a proof is worth no more than all of it.

        The hashes of single rules are left out: they only help to blame one, and rules may be renumbered.
        """
        save, program = self.save, self.now.game.program
        text = state.ending
        pairs = {
            "ruleset": (save.ruleset, program.name),
            "stack": (save.stack, program.stack),
            "finished": (save.finished, state.over),
            "result": ((save.winners, save.result), (state.winners, text)),
        }
        seats = set(save.players) <= set(self.now.game.players)
        wrong = [name for name, (said, found) in pairs.items() if said != found]
        return (*wrong, *(() if seats else ("players",)))

    # ------------------------------------------------------------ telling

    def _difference(self, sort: Sort, number: int, key: str = "") -> Difference:
        state = self.now.state
        refusal = self._refusal(key) if sort == "not offered" else None
        pair = _first_different(self.before.happened, self.now.happened) if self.before is not None else None
        old, new = pair or (None, None)
        before = self.before.keys if self.before is not None else self.now.keys
        ran = self._ran(refusal, old, new)
        return Difference(
            sort=sort,
            choice=number,
            turn=state.turn if state is not None else 0,
            phase=state.phase if state is not None else "",
            key=key,
            refusal=refusal,
            old=old,
            new=new,
            gone=tuple(item for item in before if item not in self.now.keys),
            added=tuple(item for item in self.now.keys if item not in before),
            failure=str(self.now.failure) if self.now.failure is not None else "",
            ran=ran,
            rules=suspects(self.changed, ran, *self.graphs, outline=self.now.game.program.outline),
        )

    def _ran(self, refusal: Refusal | None, old: Happening | None, new: Happening | None) -> tuple[str, ...]:
        """The rules at work here: what failed, refused or differs first, then all that ran or asks."""
        found: list[str] = []
        if self.now.failure is not None and self.now.failure.site is not None:
            found.append(self.now.failure.site.rule)
        if refusal is not None:
            found.extend([refusal.site.rule if refusal.site is not None else "", *refusal.rules])
        found.extend(happening.rule for happening in (new, old) if happening is not None)
        for side in (self.now, self.before):
            if side is not None:
                found.extend(happening.rule for happening in reversed(side.happened))
                found.append(side.asking())
                found.extend(option.rule for option in side.options())
        return tuple(dict.fromkeys(rule for rule in found if rule))

    def _refusal(self, key: str) -> Refusal | None:
        """Why the option is not there, if it was an action."""
        assert self.now.state is not None
        action, arguments = self._action(key)
        try:
            return self.now.game.why_not(self.now.state, action, arguments, None) if action else None
        except RuleFailure:
            return None  # a condition that speaks of its own phase says nothing outside it

    def _action(self, key: str) -> tuple[str, tuple[object, ...]]:
        if self.before is not None and key in self.before.keys:
            option = self.before.options()[self.before.keys.index(key)]
            return option.action, option.arguments
        name, bracket, rest = key.partition("(")
        if not bracket or not rest.endswith(")"):
            return "", ()
        return name, tuple(rest[:-1].split(", ")) if rest[:-1] else ()


def _first_different(
    before: Sequence[Happening], now: Sequence[Happening]
) -> tuple[Happening | None, Happening | None] | None:
    for old, new in zip_longest(before, now):
        if old is None or new is None or old.fact != new.fact:
            return old, new
    return None
