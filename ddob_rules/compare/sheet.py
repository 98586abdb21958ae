"""From changes of rules to an errata sheet: a paragraph for each rule that amends, comes, goes or changes.

A paragraph has the numbers it is about, the sentence of the rule that amends, what the rulebook said before,
and then each change once. Changes of texts alone come last. Every change by itself is told by `words`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from ddob_rules.compare.changes import Change
from ddob_rules.compare.identity import PLAYERS
from ddob_rules.compare.marks import as_before, calls_base, compared
from ddob_rules.compare.words import (
    noun_of,
    part_of,
    place_of,
    sentence,
    subject_of,
    what_of,
    when_of,
    words_of,
)
from interpreter.ir import Order, rule_order

#: A line that can still be printed.
_WIDTH = 100
#: Of a declaration that is new or gone: its head says what it is, and all of it stands in the rules.
_LONGEST = 160
#: Signs that no line begins with.
_BOUND = re.compile(r" (?=[:;?!](?: |$))")
#: Parts that go without saying: what a procedure has is what it does.
_PLAIN_PARTS = {("procedure", "effect"), ("trigger", "effect"), ("setup", "effect"), ("attach", "effect")}

_ENGLISH = {
    "rule amended": "{targets}, amended by {by}: {title}{when}",
    "rule replaced": "{targets}, replaced by {by}: {title}{when}",
    "rule removed": "{targets}, removed by {by}: {title}{when}",
    "added rule": "{targets}, new{about}",
    "removed rule": "{targets}, removed",
    "changed rule": "{targets}, changed",
    "about": " ({what}{when})",
    "before": "Before: {text}",
    "before of": "Before, {rule}: {text}",
    "changed": "{label}: {change}{when}",
    "added": "{what} added{place}{colon}{new}{when}",
    "new": "new: {new}{when}",
    "removed": "{what} removed{colon}{old}{when}",
    "no longer": "no longer: {old}{when}",
    "moved": "{what} moved{place}{when}",
    "moved rule": "{what} moved from rule {old}",
    "reordered": "{what} in another order{when}",
    "dropped": "{what} no longer{place}{colon}{old}{when}",
    "fixing added": "{label}: fixed at the start of {new}{when}",
    "fixing removed": "{label}: no longer fixed at the start of {old}{when}",
}
_FRENCH = {
    "rule amended": "{targets}, amendée{s} par {by} : {title}{when}",
    "rule replaced": "{targets}, remplacée{s} par {by} : {title}{when}",
    "rule removed": "{targets}, supprimée{s} par {by} : {title}{when}",
    "added rule": "{targets}, nouvelle{about}",
    "removed rule": "{targets}, supprimée",
    "changed rule": "{targets}, modifiée",
    "about": " ({what}{when})",
    "before": "Avant : {text}",
    "before of": "Avant, {rule} : {text}",
    "changed": "{label} : {change}{when}",
    "added": "ajout : {what}{place}{colon}{new}{when}",
    "new": "nouveau : {new}{when}",
    "removed": "suppression : {what}{colon}{old}{when}",
    "no longer": "n'est plus là : {old}{when}",
    "moved": "déplacement : {what}{place}{when}",
    "moved rule": "{what}, auparavant dans la règle {old}",
    "reordered": "autre ordre : {what}{when}",
    "dropped": "ne vaut plus : {what}{place}{colon}{old}{when}",
    "fixing added": "{label} : fixé au début de {new}{when}",
    "fixing removed": "{label} : n'est plus fixé au début de {old}{when}",
}
HEADS = ("rule amended", "rule replaced", "rule removed", "rule added")


def render_changes(changes: Iterable[Change], language: str = "en", *, outline: bool = False) -> str:
    """The changes as a sheet; changes of texts stand under a heading of their own."""
    words = words_of(language)
    shown = list(changes)
    if not shown:
        return words["same"] + "\n"
    sheet = Sheet(language, outline)
    made = groups((change for change in shown if not change.words), outline)
    paragraphs = [sheet.paragraph(maker, changes) for maker, changes in made]
    texts = [sheet.wrapped(sentence(change, language), "  ", "    ") for change in shown if change.words]
    if texts:
        paragraphs.append("\n".join([words["texts"], *texts]))
    return "\n\n".join(paragraphs) + "\n"


def groups(changes: Iterable[Change], outline: bool) -> list[tuple[str, list[Change]]]:
    """The changes by the rule that makes them, in the order of the rules they are about."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.by or change.rule, []).append(change)

    def place(group: tuple[str, list[Change]]) -> tuple[Order, Order]:
        maker, made = group
        about = [change.rule for change in made if change.sort in HEADS and change.by] or [
            change.rule for change in made if change.sort == "rule added" or change.rule == maker
        ]
        own = rule_order(maker, outline)
        return min((rule_order(number, outline) for number in about), default=own), own

    return sorted(found.items(), key=place)


class Sheet:
    """Remembers what the rulebook said before: two amendments of a rule need not both repeat it."""

    def __init__(self, language: str, outline: bool) -> None:
        self.language, self.outline = language, outline
        self.words = words_of(language) | (_FRENCH if language == "fr" else _ENGLISH)
        self.told: set[str] = set()

    def paragraph(self, maker: str, changes: list[Change]) -> str:
        heads = [change for change in changes if change.sort in HEADS and change.by]
        own = [change for change in changes if change.sort in HEADS and not change.by]
        about = heads or own
        lines = [self.wrapped(self._heading(maker, heads, own, changes), "", "  ")]
        if about and about[0].text:
            lines.append(self.wrapped(about[0].text, "  ", "  "))
        lines += [self.wrapped(text, "  ", "  ") for text in self._before(about)]
        lines += [self.wrapped(text, "  - ", "    ") for _, text in self.lines(maker, changes, about)]
        return "\n".join(lines)

    def lines(
        self, maker: str, changes: Iterable[Change], about: Sequence[Change]
    ) -> Iterator[tuple[Change, str]]:
        """A line for each change but those of whole rules; `about` are those, which say when it holds."""
        when = when_of(about[0], self.words) if about else ""
        known = {change.rule for change in about} if len(about) == 1 else set()
        rest = [change for change in changes if change.sort not in HEADS]
        rest.sort(key=lambda change: (change.rule == maker, rule_order(change.rule, self.outline)))
        for change in rest:
            number = "" if change.rule in {*known, maker} else f"{self.number(change)} "
            yield change, number + self._line(change, when)

    def wrapped(self, text: str, first: str, other: str) -> str:
        kept = _BOUND.sub("\N{NO-BREAK SPACE}", text)
        return textwrap.fill(
            kept,
            _WIDTH,
            initial_indent=first,
            subsequent_indent=other,
            break_long_words=False,
            break_on_hyphens=False,
        ).replace("\N{NO-BREAK SPACE}", " ")

    def _heading(self, maker: str, heads: list[Change], own: list[Change], changes: list[Change]) -> str:
        if heads:
            targets = ", ".join(self._titled(change) for change in heads)
            first = heads[0]
            return self.words[first.sort].format(
                targets=targets,
                by=maker,
                title=first.new,
                when=self._when(first),
                s="s" if len(heads) > 1 else "",
            )
        if own:
            key = "added rule" if own[0].sort == "rule added" else "removed rule"
            return self.words[key].format(targets=self._titled(own[0]), about=self._about(own[0]))
        mine = [change for change in changes if change.rule == maker]
        return self.words["changed rule"].format(targets=self._titled(mine[0]) if mine else maker)

    def _titled(self, change: Change) -> str:
        return " ".join(filter(None, [self.number(change), change.title]))

    def number(self, change: Change) -> str:
        """The number of the rule that a change is about."""
        if change.rule == PLAYERS:
            return noun_of(PLAYERS, self.language)
        return change.rule

    def _about(self, change: Change) -> str:
        if change.noun not in ("amends", "replaces", "removes"):
            return ""
        what = self.words[change.noun].format(target=change.target)
        return self.words["about"].format(what=what, when=self._when(change))

    def _when(self, change: Change, known: str = "") -> str:
        when = when_of(change, self.words)
        return self.words["in force"].format(when=when) if when and when != known else ""

    def _before(self, about: list[Change]) -> Iterator[str]:
        for change in about:
            number = change.said_in or change.rule
            if change.was and number not in self.told:
                self.told.add(number)
                key = "before" if len(about) == 1 and number == change.rule else "before of"
                yield self.words[key].format(rule=number, text=change.was)

    # ------------------------------------------------------------ lines

    def _line(self, change: Change, known: str) -> str:
        shown_value = change.new if change.sort == "added" else change.old
        return self.words[self._template(change)].format(
            label=self._label(change),
            what=what_of(change, self.words, self.language),
            change=compared(change.old, change.new, self.language),
            old=change.target if change.noun == "fixing" else self._value(change.old, change),
            new=change.target if change.noun == "fixing" else self._value(change.new, change),
            colon=self.words["colon"] if shown_value else "",
            place=place_of(change, self.words),
            when=self._when(change, known),
        )

    def _template(self, change: Change) -> str:
        if change.noun == "fixing" and change.sort in ("added", "removed"):
            return f"fixing {change.sort}"
        if change.sort == "moved" and change.noun == "rule":
            return "moved rule"
        whole = change.kind and not change.noun and change.kind != "option"
        if whole and change.sort == "added":
            return "new"
        return "no longer" if whole and change.sort == "removed" else change.sort

    def _value(self, text: str, change: Change) -> str:
        """A part is shown whole, a whole declaration by how it begins."""
        text = as_before(text, self.language) if calls_base(text) else text
        if change.noun or len(text) <= _LONGEST:
            return text
        return text[: text.rfind(" ", 0, _LONGEST)].rstrip(" ,:;") + " …"

    def _label(self, change: Change) -> str:
        """What has changed; definitions go by their names alone."""
        subject = change.subject if change.kind == "define" else subject_of(change, self.language)
        plain = change.noun == "fixing" or (change.kind, change.noun) in _PLAIN_PARTS
        if change.noun == "cell":
            return " ".join(filter(None, [subject, change.name]))
        part = "" if plain else part_of(change, self.language)
        return ", ".join(filter(None, [subject, part])) or self.number(change)
