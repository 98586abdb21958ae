"""Memory: what a check has found out about parts of the rules, for the next check of the same rules.

A body is checked again only if its own text, or a word that bodies can use, is another than the last time;
what is found out about a part of the program is kept as long as the part is. A check without a memory makes a
new one and goes the same way, so nothing can be found out in one way and remembered in another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from ddob_rules.check.scope import Kept, Vocabulary
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.stack.book import RuleBlock
from ddob_rules.stack.overlay import Entry, Version
from ddob_rules.syntax.nodes import Leaf, Node
from ddob_rules.syntax.source import Span
from interpreter import ir

Thing = TypeVar("Thing")
Found = TypeVar("Found")

#: What bodies leave in a vocabulary, each in a container of its own. All else they only read.
_GATHERED = ("used", "meanings", "shifted", "kept", "problems", "groups", "phase_variables", "renewals")
#: What bodies do not depend on: places are told in findings alone.
_NOT_READ = {*_GATHERED, "places", "ids"}


@dataclass(frozen=True, slots=True)
class _Body:
    stands_on: tuple[object, ...]
    words: object
    made: Any
    gathered: Vocabulary

    def holds(self, stands_on: tuple[object, ...], words: object) -> bool:
        if self.words is not words or len(self.stands_on) != len(stands_on):
            return False
        return all(one is other for one, other in zip(self.stands_on, stands_on, strict=True))


@dataclass(slots=True)
class Memory:
    """Kept from check to check by whoever checks the same rules again and again."""

    _facts: dict[tuple[Any, int], tuple[object, Any]] = field(default_factory=dict)
    _old_facts: dict[tuple[Any, int], tuple[object, Any]] = field(default_factory=dict)
    _bodies: dict[Hashable, _Body] = field(default_factory=dict)
    _old_bodies: dict[Hashable, _Body] = field(default_factory=dict)
    _words: Any = None

    def begin(self) -> None:
        """A new check begins: what the last one had no use for is forgotten."""
        self._old_facts, self._facts = self._facts, {}
        self._old_bodies, self._bodies = self._bodies, {}

    def know(self, words: Vocabulary) -> None:
        """All words are there, and bodies come next: those checked with other words do not count."""
        now = _told(words)
        if now != self._words:
            self._words = now

    def fact(self, make: Callable[[Thing], Found], thing: Thing) -> Found:
        """What `make` says of a thing; it is asked once as long as the thing is the same object."""
        key = (make, id(thing))
        known = self._facts.get(key) or self._old_facts.get(key)
        if known is None:
            known = (thing, make(thing))
        self._facts[key] = known
        found: Found = known[1]
        return found

    def body(self, words: Vocabulary, entry: Entry, make: Callable[[Vocabulary, Entry], Found]) -> Found:
        """What the body of an entry becomes; what it leaves in the words is left there anyway."""
        versions = (*entry.versions, *entry.edits)
        key = (entry.kind, entry.name, make, tuple((one.rule.id, one.rule.ruleset) for one in versions))
        stands_on = tuple(part for version in versions for part in _parts(version))
        known = self._old_bodies.get(key)
        if known is None or not known.holds(stands_on, self._words):
            gathered = replace(
                words, used=set(), meanings=None if words.meanings is None else {}, shifted=set(),
                kept=Kept(), problems=[], groups={}, phase_variables={}, renewals=[],
            )  # fmt: skip
            known = _Body(stands_on, self._words, make(gathered, entry), gathered)
        if not _points_elsewhere(known.gathered.problems):
            self._bodies[key] = known
        _leave(known.gathered, words)
        found: Found = known.made
        return found


def _parts(version: Version) -> tuple[object, ...]:
    """What a version stands on. The trees of a rule are made together, so one of them stands for all."""
    declared = version.declaration.node if version.declaration is not None else version.rule.node
    return declared, version.condition


def _points_elsewhere(problems: list[Diagnostic]) -> bool:
    """A finding that points at a second place is looked at again: that place may move."""
    return any(len(problem.spans) > 1 for problem in problems)


def _leave(gathered: Vocabulary, words: Vocabulary) -> None:
    words.used |= gathered.used
    words.shifted |= gathered.shifted
    if words.meanings is not None:
        words.meanings.update(gathered.meanings or {})
    words.problems += gathered.problems
    words.groups.update(gathered.groups)
    words.phase_variables.update(gathered.phase_variables)
    words.renewals += gathered.renewals
    for name, variable in gathered.kept.variables.items():
        words.kept.variables.setdefault(name, variable)
    for holder, attributes in gathered.kept.attributes.items():
        for attribute in attributes.values():
            words.kept.on(holder, attribute)


# ---------------------------------------------------------------- what bodies can read


def _told(words: Vocabulary) -> tuple[object, ...]:
    """The words without their places, to be compared; two that are equal mean the same to every body."""
    return tuple(plain(getattr(words, each.name)) for each in fields(words) if each.name not in _NOT_READ)


class _Same:
    """A tree: the same one, and not one that reads the same in another line."""

    def __init__(self, tree: object) -> None:
        self.tree = tree

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.tree is self.tree

    def __hash__(self) -> int:
        return id(self.tree)


def plain(value: object) -> object:
    """A value without its places, to be compared."""
    match value:
        case ir.Type() | ir.Parameter() | str() | int() | None:
            return value
        case dict():
            return [(key, plain(inner)) for key, inner in value.items()]
        case list() | tuple():
            return [plain(inner) for inner in value]
        case ir.Site() | Span():
            return None
        case RuleBlock():
            return value.id, value.ruleset, value.language
        case Node() | Leaf():
            return _Same(value)
        case _ if is_dataclass(value):
            return value.__class__, [plain(getattr(value, name)) for name in _fields(value.__class__)]
        case _:
            return value


@cache
def _fields(made: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(made) if each.name not in ("site", "span"))
