"""From two checked rulesets to their differences, told by rule and declaration instead of by line.

The two may be versions of one ruleset in two folders, or a ruleset alone and with overlays on it. What a
game would play differently is told first; texts come after. Whether a difference matters in play is left
to `impact`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from ddob_rules.check.program import Checked
from ddob_rules.compare.changes import Change, Sort, changes_as_data
from ddob_rules.compare.details import Detail, Place, details
from ddob_rules.compare.identity import PLAYERS, mechanics, same
from ddob_rules.compare.parts import (
    Section,
    action_parts,
    line_sections,
    matching,
    place_of,
    shown,
    way_lines,
)
from ddob_rules.compare.sheet import render_changes
from ddob_rules.stack.book import Book, RuleBlock, Seat, text_of
from ddob_rules.stack.overlay import Entry, Merged, Version
from ddob_rules.stack.periods import FOREVER, Period, period
from ddob_rules.syntax.nodes import Item, Tree, overlay
from ddob_rules.syntax.nodes import rules as nodes
from ddob_rules.syntax.nodes.expressions import Conjunction
from ddob_rules.syntax.nodes.tables import Chart, Table
from ddob_rules.syntax.source import Span
from ddob_rules.translations.catalogue import catalogue_for
from interpreter.ir import Program
from interpreter.telling.sentences import sentence

__all__ = ["Change", "changes_as_data", "diff", "render_changes"]

_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of one side; titles and sentences are in the language that is asked for, if they have it."""

    rules: Mapping[str, RuleBlock]
    phases: Mapping[str, str]
    catalogue: Mapping[str, str]
    program: Program | None = None
    language: str = ""

    def phase(self, name: str) -> str:
        return self.catalogue.get(f"phase {name}", self.phases.get(name, name))

    def title(self, block: RuleBlock) -> str:
        return self.catalogue.get(f"rule {block.id}", block.title)

    def text(self, block: RuleBlock) -> str:
        key = f"rule {block.id} text"
        language = self.language if key in self.catalogue else block.language
        text = self.catalogue.get(key, block.text)
        return sentence(text, self.program, language) if self.program is not None else text


def diff(a: Checked, b: Checked, language: str = "") -> list[Change]:
    """What has changed from `a` to `b`: mechanics first, then texts, each in the order of rule numbers.

    Rules have their titles and sentences in `language` where a catalogue translates them.
    """
    old, new = a.merged, b.merged
    before, now = rulebook(a, language), rulebook(b, language)
    found = [
        *_players(a.books, b.books),
        *_rules(old, new, before, now),
        *_entries(old, new),
        *_edited(old, new),
    ]
    titled = [_titled(change, now, before) for change in dict.fromkeys(found)]
    return sorted(titled, key=lambda change: (change.words, new.order(change.rule)))


def rulebook(side: Checked, language: str) -> Rulebook:
    """The rules of a side as they read in a language."""
    phases = dict(side.program.phases) if side.program is not None else {}
    catalogue = catalogue_for(side, language) if language else {}
    return Rulebook(side.merged.rules, phases, catalogue, side.program, language)


def _titled(change: Change, *sides: Rulebook) -> Change:
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
    terms = condition.parts if isinstance(condition, Conjunction) else (condition,)
    known = all(period(term) != Period() for term in terms)
    return period(condition) if known else None


# ---------------------------------------------------------------- rules and players


def _rules(old: Merged, new: Merged, old_book: Rulebook, new_book: Rulebook) -> Iterator[Change]:
    before = {number: block for number, block in old.rules.items() if number not in old.gone}
    after = {number: block for number, block in new.rules.items() if number not in new.gone}
    for number, block in before.items():
        if number not in after:
            yield replace(_gone(block, new.gone.get(number), new_book), was=old_book.text(block))
    for number, block in after.items():
        if number not in before:
            yield _added(block, new_book)
        else:
            yield from _header(before[number], block, old_book, new_book)
    for number, blocks in new.amended.items():
        known = {block.id for block in old.amended.get(number, [])}
        for block in blocks:
            if number in before and number in after and block.id not in known and block.id not in new.gone:
                said = _sentence_that_changes(before[number], block, before)
                change = replace(_amended(number, block, new_book), was=old_book.text(said))
                yield replace(change, said_in=said.id if said.id != number else "")


def _sentence_that_changes(
    amended: RuleBlock, block: RuleBlock, before: Mapping[str, RuleBlock]
) -> RuleBlock:
    """The rule whose sentence an amendment makes another.

    A mechanism may stand in another rule than the sentence about it. What says which is meant is the rule
    that a dropped condition cites, or the number: 8.24-errata is about 8.24, whatever it amends.
    """
    dropped = (
        before[number.text]
        for declaration in block.declarations
        for part in declaration.node.walk()
        if isinstance(part, nodes.ActionWithout)
        for number in part.refs.numbers
        if number.text in before
    )
    named = (other for number, other in before.items() if block.id.startswith(f"{number}-"))
    longest = max(named, key=lambda other: len(other.id), default=amended)
    found = next(dropped, longest)
    return found if found.text else amended


def _gone(block: RuleBlock, taker: RuleBlock | None, book: Rulebook) -> Change:
    if taker is None:
        return _at(Change(rule=block.id, sort="rule removed", old=block.title), block.span)
    replaced = taker.amendment is not None and taker.amendment.verb == "replaces"
    sort: Sort = "rule replaced" if replaced else "rule removed"
    change = Change(rule=block.id, sort=sort, old=block.title, new=book.title(taker), by=taker.id)
    return _at(replace(change, text=book.text(taker)), taker.span)


def _added(block: RuleBlock, book: Rulebook) -> Change:
    change = Change(rule=block.id, sort="rule added", new=book.title(block), text=book.text(block))
    change = _at(change, block.span)
    if block.amendment is None:
        return change
    targets = ", ".join(target.text for target in block.amendment.targets)
    return _when(replace(change, noun=block.amendment.verb, target=targets), block.amendment.condition)


def _amended(number: str, block: RuleBlock, book: Rulebook) -> Change:
    change = Change(
        rule=number, sort="rule amended", new=book.title(block), by=block.id, text=book.text(block)
    )
    condition = block.amendment.condition if block.amendment is not None else None
    return _at(_when(change, condition), block.span)


def _header(old: RuleBlock, new: RuleBlock, old_book: Rulebook, new_book: Rulebook) -> Iterator[Change]:
    first, second = (block.node.amendment if block.node is not None else None for block in (old, new))
    if not same(first, second):
        change = Change(rule=new.id, sort="changed", noun="amendment", old=shown(first), new=shown(second))
        yield _at(change, new.span)
    change = _at(Change(rule=new.id, sort="changed", words=True), new.span)
    if old.title != new.title:
        yield replace(change, noun="title", old=old_book.title(old), new=new_book.title(new))
    if old.text != new.text:
        yield replace(change, noun="text", old=old_book.text(old), new=new_book.text(new))


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
    yield from _numbers(old, new)


def _numbers(old: list[Book], new: list[Book]) -> Iterator[Change]:
    """How many play."""
    ranges = [next((book.number for book in reversed(books) if book.number), None) for books in (old, new)]
    first, second = (f"{one.fewest.text}..{one.most.text}" if one is not None else "" for one in ranges)
    place = ranges[1] or ranges[0]
    if first != second and place is not None:
        sort: Sort = "changed" if first and second else "added" if second else "removed"
        yield _at(Change(rule=PLAYERS, sort=sort, noun="number", old=first, new=second), place.span)


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
        if isinstance(declaration.node, overlay.Removal) and declaration.name == entry.name
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
    before, after = _edits(old), _edits(new)
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


def _of_gone_entry(edit: _Edit, new: Merged) -> bool:
    """Whether what was edited is gone as a whole, which is told already."""
    return edit.entry is not None and not any(
        entry.kind == edit.entry.kind and entry.name == edit.entry.name for entry in new.entries.values()
    )


def _edit_change(edit: _Edit) -> Change:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """What a rule edits of another's declaration: a cell, a value, a phase.

    `owner` is the rule that declares what is edited, `block` the rule that edits it.
    """

    sort: Sort
    kind: str
    subject: str
    noun: str
    owner: str
    block: RuleBlock
    tree: Tree
    name: str = ""
    old: str = ""
    new: str = ""
    place: Place = ""
    target: str = ""
    condition: Tree | None = None  # of the amendment
    own_condition: Tree | None = None  # of an inserted phase
    entry: Entry | None = None

    @property
    def key(self) -> _Key:
        """The same in two versions of the same rule, so that it can be found again."""
        what = self.name or mechanics(self.tree)
        held = mechanics(self.condition)
        return self.block.id, self.kind, self.subject, self.noun, self.sort, what, held


def _edits(merged: Merged) -> dict[_Key, _Edit]:
    """Every edit in force, by key."""
    found = [
        *(
            edit
            for entry in merged.entries.values()
            for version in entry.edits
            for edit in _edits_of(entry, version)
        ),
        *(edit for version in merged.additions for edit in _addition(merged, version)),
    ]
    return {edit.key: edit for edit in found}


def _edits_of(entry: Entry, version: Version) -> Iterator[_Edit]:
    """What a rule edits of a declaration that another rule makes."""
    if version.declaration is None:
        return

    def edit(sort: Sort, noun: str, tree: Tree, name: str = "", old: str = "", new: str = "") -> _Edit:
        return _Edit(
            sort=sort,
            kind=entry.kind,
            subject=entry.name,
            noun=noun,
            owner=entry.origin.rule.id,
            block=version.rule,
            tree=tree,
            name=name,
            old=old,
            new=new,
            condition=version.condition,
            entry=entry,
        )

    match version.declaration.node:
        case overlay.TableEdit(edits=found):
            for one in found:
                match one:
                    case overlay.AddRow():
                        yield edit("added", "row", one, new=shown(one.row).strip("| "))
                    case overlay.SetCell():
                        name, old = _cell_of(entry, one.place)
                        yield edit("changed", "cell", one, name, old, shown(one.value))
                    case overlay.RemoveRow():
                        yield edit("removed", "row", one, *_cell_of(entry, one.place))
                    case _:
                        assert_never(one)
        case nodes.ActionAlso(body=body):
            for section in action_parts(body):
                for tree in section.trees:
                    assert tree is not None
                    if isinstance(tree, nodes.ActionWithout):
                        yield edit("removed", "condition", tree, old=_condition_of(entry, tree))
                    else:
                        yield edit("added", section.noun, tree, new=shown(tree))
        case nodes.PhaseAlso(parts=parts):
            for part in parts:
                yield edit("added", "part", part, shown(part.names), new=shown(part))
        case nodes.DefineAlso() as added:
            held = f" when {shown(added.condition)}" if added.condition is not None else ""
            yield edit("added", "addition", added, new=shown(added.value) + held)
        case nodes.WayAlso(body=lines):
            for noun, item in way_lines(lines):
                yield edit("added", noun, item, new=shown(item))
        case nodes.DefineOnly() as restricted:
            yield edit("added", "restriction", restricted, new=shown(restricted.condition))
        case nodes.Enum(values=values):
            for value in values:
                yield edit("added", "value", value, value.name.text)
        case declared if isinstance(declared, nodes.Kind):
            for section, line in _attribute_lines(declared.attributes):
                yield edit("added", "attribute", line, section.name, new=_shown_all(section.trees))


def _condition_of(entry: Entry, without: nodes.ActionWithout) -> str:
    """The condition that is dropped, or the rules that it cites if it is not an action's own."""
    wanted = {number.text for number in without.refs.numbers}
    for version in (*entry.versions, *entry.edits):
        declared = version.declaration.node if version.declaration is not None else None
        lines = declared.body.lines if isinstance(declared, nodes.Action | nodes.ActionAlso) else ()
        for line in lines:
            refs = line.reason.refs if isinstance(line, nodes.MustHold) and line.reason is not None else None
            if refs is not None and {number.text for number in refs.numbers} == wanted:
                return shown(line)
    return shown(without.refs)


def _attribute_lines(attributes: nodes.Attributes) -> Iterator[tuple[Section, nodes.AttributeOrLook]]:
    """Each attribute with the line that declares it."""
    for line in attributes.lines:
        for section in line_sections(line):
            yield section, line


def _shown_all(trees: Iterable[Item]) -> str:
    return " ".join(shown(tree) for tree in trees if tree is not None)


def _cell_of(entry: Entry, place: overlay.CellList) -> tuple[str, str]:
    """The conditions that an edit of a table names, and what stands there."""
    declared = next(one.declaration for one in reversed(entry.versions) if one.declaration is not None)
    assert isinstance(declared.node, Table | Chart)
    hit = dict.fromkeys(cell.text for cell in matching(declared.node, place.values))
    return place_of(place.values), " / ".join(hit)


def _addition(merged: Merged, version: Version) -> Iterator[_Edit]:
    """What stands by itself: phases put in, moved or taken out, attributes of enums, what is unwritten."""
    if version.declaration is None:
        return

    def edit(noun: str, tree: Tree, name: str, new: str = "", kind: str = "", subject: str = "") -> _Edit:
        rule = version.rule
        return _Edit(
            sort="added", kind=kind, subject=subject, noun=noun, owner=rule.id, block=rule,
            tree=tree, name=name, new=new,
        )  # fmt: skip

    match version.declaration.node:
        case nodes.Each(name=name, attributes=attributes):
            for section, line in _attribute_lines(attributes):
                yield edit("attribute", line, section.name, _shown_all(section.trees), "each", name.text)
        case nodes.TodoLine() as line:
            yield edit("todo", line, text_of(line.text))
        case nodes.Status() | nodes.Measure() as line:
            yield edit(line.kind, line, _shown_all(line.children()))
        case overlay.InsertPhase() | overlay.MovePhase() | overlay.RemovePhase() as phase:
            yield _phase_edit(merged, version, phase)


def _phase_edit(
    merged: Merged, version: Version, edit: overlay.InsertPhase | overlay.MovePhase | overlay.RemovePhase
) -> _Edit:
    sequence = next(iter(merged.of_kind("sequence")), None)
    found = _Edit(
        sort="removed",
        kind="sequence",
        subject=sequence.name if sequence is not None else "",
        noun="phase",
        owner=sequence.base.rule.id if sequence is not None else version.rule.id,
        block=version.rule,
        tree=edit,
        condition=version.condition,
        entry=sequence,
    )
    match edit:
        case overlay.InsertPhase(phase=line):
            found = replace(found, sort="added", own_condition=line.condition)
        case overlay.MovePhase() as line:
            found = replace(found, sort="moved")
        case overlay.RemovePhase():
            return replace(found, name=edit.name.text)
        case _:
            assert_never(edit)
    place: Place = "after" if line.place.word.text == "after" else "before"
    return replace(found, name=line.name.text, place=place, target=line.other.text)
