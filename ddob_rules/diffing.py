"""From two checked rulesets to their differences, told by rule and declaration instead of by line.

The two may be versions of one ruleset in two folders, or a ruleset alone and with overlays on it. What a
game would play differently is told first; texts come after. Whether a difference matters in play is left
to `impact`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ddob_rules.book import Book, RuleBlock, Seat
from ddob_rules.catalogue import catalogue_for
from ddob_rules.changes import Change, Sort, changes_as_data
from ddob_rules.diff_details import Detail, details
from ddob_rules.diff_edits import Edit, edits
from ddob_rules.diff_sections import shown
from ddob_rules.diff_sheet import render_changes
from ddob_rules.identity import PLAYERS, same
from ddob_rules.overlay import Entry, Merged, Version
from ddob_rules.periods import FOREVER, Period, period
from ddob_rules.program import Checked
from ddob_rules.source import Span
from ddob_rules.tree import Node, Tree
from interpreter.suspects import number_order

__all__ = ["Change", "changes_as_data", "diff", "render_changes"]


@dataclass(frozen=True, slots=True)
class _Book:
    """The rules of one side; titles and sentences are in the language that is asked for, if they have it."""

    rules: Mapping[str, RuleBlock]
    phases: Mapping[str, str]
    catalogue: Mapping[str, str]

    def phase(self, name: str) -> str:
        return self.catalogue.get(f"phase {name}", self.phases.get(name, name))

    def title(self, block: RuleBlock) -> str:
        return self.catalogue.get(f"rule {block.id}", block.title)

    def text(self, block: RuleBlock) -> str:
        return self.catalogue.get(f"rule {block.id} text", block.text)


def diff(a: Checked, b: Checked, language: str = "") -> list[Change]:
    """What has changed from `a` to `b`: mechanics first, then texts, each in the order of rule numbers.

    Rules have their titles and sentences in `language` where a catalogue translates them.
    """
    old, new = a.merged, b.merged
    before, now = _book(a, language), _book(b, language)
    found = [
        *_players(a.books, b.books),
        *_rules(old, new, before, now),
        *_entries(old, new),
        *_edited(old, new),
    ]
    titled = [_titled(change, now, before) for change in dict.fromkeys(found)]
    return sorted(titled, key=lambda change: (change.words, number_order(change.rule)))


def _book(side: Checked, language: str) -> _Book:
    phases = dict(side.program.phases) if side.program is not None else {}
    return _Book(side.merged.rules, phases, catalogue_for(side, language) if language else {})


def _titled(change: Change, *sides: _Book) -> Change:
    """With the title of its rule, and that of the phase in which something is fixed."""
    if change.noun == "fixing":
        change = replace(change, target=sides[0].phase(change.new or change.old))
    for side in sides:
        if change.rule in side.rules:
            return replace(change, title=side.title(side.rules[change.rule]))
    return change


def _at(change: Change, span: Span) -> Change:
    return replace(change, file=span.source.path, line=span.line)


def _when(change: Change, *conditions: Tree | None) -> Change:
    """With the conditions under which it holds, as turns if they speak of nothing else."""
    held = [condition for condition in conditions if condition is not None]
    turns = [_turns(condition) for condition in held]
    if held and all(one is not None for one in turns):
        whole = Period()
        for one in turns:
            whole = whole.meet(one) if one is not None else whole
        first = whole.first if whole.first > -FOREVER else None
        return replace(change, first=first, last=whole.last if whole.last < FOREVER else None)
    return replace(change, condition=" and ".join(shown(condition) for condition in held))


def _turns(condition: Tree) -> Period | None:
    terms = (
        condition.items if isinstance(condition, Node) and condition.kind == "conjunction" else (condition,)
    )
    known = all(term is not None and period(term) != Period() for term in terms)
    return period(condition) if known else None


# ---------------------------------------------------------------- rules and players


def _rules(old: Merged, new: Merged, old_book: _Book, new_book: _Book) -> Iterator[Change]:
    before = {number: block for number, block in old.rules.items() if number not in old.gone}
    after = {number: block for number, block in new.rules.items() if number not in new.gone}
    for number, block in before.items():
        if number not in after:
            yield replace(_gone(block, new.gone.get(number), new_book), was=old_book.text(block))
    for number, block in after.items():
        if number not in before:
            yield _added(block, new_book)
        else:
            yield from _header(before[number], block)
    for number, blocks in new.amended.items():
        known = {block.id for block in old.amended.get(number, [])}
        for block in blocks:
            if number in before and number in after and block.id not in known and block.id not in new.gone:
                yield replace(_amended(number, block, new_book), was=old_book.text(before[number]))


def _gone(block: RuleBlock, taker: RuleBlock | None, book: _Book) -> Change:
    if taker is None:
        return _at(Change(rule=block.id, sort="rule removed", old=block.title), block.span)
    replaced = taker.amendment is not None and taker.amendment.verb == "replaces"
    sort: Sort = "rule replaced" if replaced else "rule removed"
    change = Change(rule=block.id, sort=sort, old=block.title, new=book.title(taker), by=taker.id)
    return _at(replace(change, text=book.text(taker)), taker.span)


def _added(block: RuleBlock, book: _Book) -> Change:
    change = Change(rule=block.id, sort="rule added", new=book.title(block), text=book.text(block))
    change = _at(change, block.span)
    if block.amendment is None:
        return change
    targets = ", ".join(target.text for target in block.amendment.targets)
    return _when(replace(change, noun=block.amendment.verb, target=targets), block.amendment.condition)


def _amended(number: str, block: RuleBlock, book: _Book) -> Change:
    change = Change(
        rule=number, sort="rule amended", new=book.title(block), by=block.id, text=book.text(block)
    )
    condition = block.amendment.condition if block.amendment is not None else None
    return _at(_when(change, condition), block.span)


def _header(old: RuleBlock, new: RuleBlock) -> Iterator[Change]:
    first, second = (block.node.items[2] if block.node is not None else None for block in (old, new))
    if not same(first, second):
        change = Change(rule=new.id, sort="changed", noun="amendment", old=shown(first), new=shown(second))
        yield _at(change, new.span)
    for noun, before, after in (("title", old.title, new.title), ("text", old.text, new.text)):
        if before != after:
            change = Change(rule=new.id, sort="changed", noun=noun, old=before, new=after, words=True)
            yield _at(change, new.span)


def _players(old: list[Book], new: list[Book]) -> Iterator[Change]:
    before: dict[str, Seat] = {seat.name: seat for book in old for seat in book.seats}
    after: dict[str, Seat] = {seat.name: seat for book in new for seat in book.seats}
    for name, seat in before.items():
        if name not in after:
            yield _at(Change(rule=PLAYERS, sort="removed", noun="player", name=name), seat.span)
    for name, seat in after.items():
        change = _at(Change(rule=PLAYERS, sort="added", noun="player", name=name), seat.span)
        known = before.get(name)
        if known is None:
            yield change
            continue
        if known.automated != seat.automated:
            yield replace(change, sort="added" if seat.automated else "removed", noun="automation")
        if known.title != seat.title:
            yield replace(change, sort="changed", noun="title", old=known.title, new=seat.title, words=True)


# ---------------------------------------------------------------- declarations


def _entries(old: Merged, new: Merged) -> Iterator[Change]:
    for key, entry in old.entries.items():
        other = new.entries.get(key)
        if other is None or other.kind != entry.kind:
            yield _removed(entry, new)
    for key, entry in new.entries.items():
        other = old.entries.get(key)
        if other is None or other.kind != entry.kind:
            change = _about(entry, sort="added", new=shown(entry.origin.node))
            yield _at(_when(change, entry.history[0].condition), entry.origin.span)
            other = entry
        else:
            yield from _base(other, entry)
        yield from _amendments(other, entry)


def _about(entry: Entry, *, sort: Sort, new: str = "", old: str = "") -> Change:
    return Change(rule=entry.origin.rule.id, sort=sort, kind=entry.kind, subject=entry.name, new=new, old=old)


def _removed(entry: Entry, new: Merged) -> Change:
    """A declaration that is gone: through the rule that took its rule away, or that removes it by name."""
    change = _about(entry, sort="removed", old=shown(entry.origin.node))
    taker = new.gone.get(entry.origin.rule.id)
    removing = [
        declaration
        for block in new.rules.values()
        for declaration in block.declarations
        if declaration.kind == "removal" and declaration.name == entry.name
    ]
    if taker is not None:
        return _at(replace(change, by=taker.id), taker.span)
    if removing:
        return _at(replace(change, by=removing[0].rule.id), removing[0].span)
    return _at(change, entry.origin.span)


def _base(old: Entry, new: Entry) -> Iterator[Change]:
    if old.origin.rule.id != new.origin.rule.id:
        change = _about(new, sort="moved", old=old.origin.rule.id, new=new.origin.rule.id)
        yield _at(replace(change, noun="rule"), new.origin.span)
    for detail in details(old.origin.node, new.origin.node):
        yield _at(_told(_about(new, sort=detail.sort), detail), new.origin.span)


def _told(change: Change, detail: Detail) -> Change:
    return replace(
        change,
        sort=detail.sort,
        noun=detail.noun,
        name=detail.name,
        old=detail.old,
        new=detail.new,
        place=detail.place,
        target=detail.target,
        words=detail.words,
    )


def _amendments(old: Entry, new: Entry) -> Iterator[Change]:
    before = {version.rule.id: version for version in old.history[1:]} if old is not new else {}
    after = {version.rule.id: version for version in new.history[1:]}
    for number, version in before.items():
        if number not in after:
            for change in _amending(old, version):
                yield replace(change, sort="dropped", old=change.new or change.old, new="")
    for number, version in after.items():
        known = before.get(number)
        if known is None:
            yield from _amending(new, version)
        elif known.declaration is not None and version.declaration is not None:
            for detail in details(known.declaration.node, version.declaration.node):
                change = replace(_told(_about(new, sort=detail.sort), detail), rule=number)
                yield _at(change, version.declaration.span)


def _amending(entry: Entry, version: Version) -> Iterator[Change]:
    """What an amendment makes of the version before it."""
    frame = _about(entry, sort="removed", old=shown(entry.origin.node))
    frame = _when(replace(frame, by=version.rule.id), version.condition)
    if version.declaration is None:
        yield _at(frame, version.rule.span)
        return
    earlier = entry.history[: entry.history.index(version)]
    previous = next(one.declaration for one in reversed(earlier) if one.declaration is not None)
    for detail in details(previous.node, version.declaration.node):
        yield _at(_told(frame, detail), version.declaration.span)


# ---------------------------------------------------------------- edits


def _edited(old: Merged, new: Merged) -> Iterator[Change]:
    before, after = edits(old), edits(new)
    for key, edit in before.items():
        if key not in after and not _of_gone_entry(edit, new):
            change = _edit_change(edit)
            text = change.new or change.old
            yield replace(change, sort="dropped", old=text, new="")
    for key, edit in after.items():
        known = before.get(key)
        if known is None:
            yield _edit_change(edit)
        elif not same(known.tree, edit.tree):
            change = replace(_edit_change(edit), rule=edit.block.id, by="", sort="changed")
            yield replace(change, old=known.new or shown(known.tree), new=edit.new or shown(edit.tree))


def _of_gone_entry(edit: Edit, new: Merged) -> bool:
    """Whether what was edited is gone as a whole, which is told already."""
    return edit.entry is not None and not any(
        entry.kind == edit.entry.kind and entry.name == edit.entry.name for entry in new.entries.values()
    )


def _edit_change(edit: Edit) -> Change:
    own = edit.owner == edit.block.id
    change = Change(
        rule=edit.owner,
        sort=edit.sort,
        kind=edit.kind,
        subject=edit.subject,
        noun=edit.noun,
        name=edit.name,
        old=edit.old,
        new=edit.new,
        place=edit.place,
        target=edit.target,
        by="" if own else edit.block.id,
        words=edit.noun == "todo",
    )
    return _at(_when(change, edit.condition, edit.own_condition), edit.tree.span)
