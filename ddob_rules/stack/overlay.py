"""From a stack of books to one set of rules in force: amendments are matched to what they amend, by number.

Every declaration becomes an `Entry` with its versions, base first; each later version says under which
condition it holds. The order of versions comes from what authors state (amends, after), never from files.
What the versions mean is left to the later stages; here it only matters which rule changes which
declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean, suggest
from ddob_rules.stack.book import Book, Declaration, RuleBlock, text_of
from ddob_rules.stack.periods import exclusive
from ddob_rules.stack.references import references_of, worded
from ddob_rules.syntax.nodes import Leaf, Node, Tree, overlay, rules
from ddob_rules.syntax.nodes.expressions import Base, Expression
from ddob_rules.syntax.source import Span
from interpreter.ir import Order, rule_order

#: Declarations that add to what is there and therefore never conflict.
_ADDING = {
    "table_edit", "insert_phase", "move_phase", "remove_phase", "each", "todo_line", "action_also", "status",
    "measure", "define_also", "define_only", "phase_also", "way_also",
}  # fmt: skip
#: Those that add to a declaration of a name, and the kinds that they add to.
_ADDED_TO = {
    "table_edit": ("table", "chart"), "action_also": ("action",), "define_also": ("define", "value", "table"),
    "define_only": ("define", "value", "table"), "phase_also": ("called_phase",),
    "way_also": ("way",),
}  # fmt: skip
#: Kinds of declaration that may be switched off under a condition.
_REMOVABLE = {"attach", "procedure", "trigger", "victory", "action", "setup"}
#: Kinds that happen by themselves: declared by a rule with a condition, they happen only under it.
_HAPPENING = {"attach", "trigger", "victory", "action", "setup"}
#: Kinds whose amendments may have a condition.
_CONDITIONAL = {*_REMOVABLE, "define", "value", "way", "table", "priority", "score"}
#: Kinds that stand for one another in an expression: a slip may be in the kind's name too.
_ALIKE = dict.fromkeys(("define", "value", "table", "variable"), ("define", "value", "table", "variable"))
#: Kinds that `also` may add to.
_WORDS = {"enum", "piece", "card", "record", "space", "edge"}


@dataclass(frozen=True, slots=True)
class Version:
    """`declaration` None means: as if it were not there."""

    declaration: Declaration | None
    rule: RuleBlock
    condition: Expression | None


@dataclass(eq=False, slots=True)
class Entry:
    kind: str
    name: str
    versions: list[Version]
    edits: list[Version] = field(default_factory=list)  # table edits and added conditions, in order
    replaced: list[Version] = field(default_factory=list)  # what was there before a rule replaced it

    @property
    def origin(self) -> Declaration:
        """The first declaration there ever was."""
        first = self.history[0].declaration
        assert first is not None
        return first

    @property
    def history(self) -> list[Version]:
        """All versions there ever were, those that are replaced first."""
        return [*self.replaced, *self.versions]

    @property
    def base(self) -> Declaration:
        first = self.versions[0].declaration
        assert first is not None
        return first


@dataclass(frozen=True, slots=True)
class Removal:
    """A declaration that is gone, the rule that takes it away, and where it says so."""

    declaration: Declaration
    taker: RuleBlock
    place: Span


@dataclass(eq=False, slots=True)
class Merged:
    """The rules in force."""

    books: list[Book]
    rules: dict[str, RuleBlock] = field(default_factory=dict)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    additions: list[Version] = field(default_factory=list)  # each, todo, phase edits
    amended: dict[str, list[RuleBlock]] = field(default_factory=dict)  # rule -> the rules that amend it
    gone: dict[str, RuleBlock] = field(default_factory=dict)  # rule -> the rule that replaced or removed it
    # A rule and the title of its measure -> the rules whose measure of that title it has taken the place of.
    told_instead: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    # A rule -> the rules that it comes after because a third one says so.
    settled: dict[str, list[str]] = field(default_factory=dict)
    # The title of an example that is not to hold any more -> where that is said.
    changed_examples: dict[str, Declaration] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    #: What amending rules declare beside what they change, with the rules that they amend.
    new_names: list[tuple[Declaration, tuple[RuleBlock, ...]]] = field(default_factory=list)
    #: The rules that amend others, with those and with what they declare that was not there.
    amending: list[tuple[RuleBlock, list[RuleBlock], list[Declaration]]] = field(default_factory=list)
    removed: dict[str, Removal] = field(default_factory=dict)  # the names that went with what is gone
    waiting: list[Version] = field(default_factory=list)  # additions to what has not been read yet

    @property
    def outline(self) -> bool:
        """Whether rules are numbered as an outline; that is for the ruleset at the bottom to say."""
        return bool(self.books) and self.books[0].outline

    def order(self, number: str) -> Order:
        """Sorts rule numbers as this rulebook does."""
        return rule_order(number, self.outline)

    def of_kind(self, *kinds: str) -> Iterator[Entry]:
        return (entry for entry in self.entries.values() if entry.kind in kinds)


def merge(books: list[Book]) -> Merged:
    """Merges a stack of books, base first."""
    merged = Merged(books)
    for book in books:
        _number(merged, book)
    _check_numbering(merged)
    for block in [b for book in books for b in book.rules if b.amendment is None]:
        for declaration in block.declarations:
            _declare(merged, declaration)
    _settle(merged)
    for block in _in_order(merged):
        _amend(merged, block)
    _add_waiting(merged)
    for block, targets, new in merged.amending:
        _check_touched(merged, block, targets, new)
    for entry in merged.entries.values():
        _check_order(merged, entry)
    _check_phase_order(merged)
    _check_gone(merged)
    return merged


def _check_numbering(merged: Merged) -> None:
    """Rules of a whole stack stand in one order, so an overlay cannot have an order of its own."""
    base = merged.books[0] if merged.books else None
    for book in merged.books[1:]:
        if base is not None and book.outline and not base.outline:
            label = Label(base.span, "the ruleset that it extends")
            merged.problems.append(report("E0320", book.span, label, language=book.language, name=base.name))


def _key(declaration: Declaration) -> tuple[str, str]:
    """Names are shared by all that can stand in an expression or be called; the rest have their own."""
    match declaration.kind:
        case "action" | "action_also":
            return "action", declaration.name
        case "called_phase" | "phase_also":
            return "phase", declaration.name
        case "attach":
            return "attach", f"{declaration.name} {declaration.rule.id}"
        case "setup":
            return "setup", declaration.rule.id
        case "trigger" | "victory" | "option" | "score" | "sequence":
            return declaration.kind, declaration.name
        case "chart":
            # It may give attributes to an enum that is declared by itself, under the same name.
            return "chart", declaration.name
        case _:
            return "name", declaration.name


def _number(merged: Merged, book: Book) -> None:
    for block in book.rules:
        if block.node is None:
            continue  # an option that stands by itself has no number
        other = merged.rules.setdefault(block.id, block)
        if other is not block and other.ruleset != book.name:
            place = Label(other.span, f"in `{other.ruleset}`")
            _report(merged, "E0501", block.span, block, place, number=block.id, ruleset=other.ruleset)


def _declare(merged: Merged, declaration: Declaration, condition: Expression | None = None) -> None:
    if declaration.kind in _ADDING:
        _add(merged, declaration, condition)
        return
    if _adds_to_words(declaration):
        _extend(merged, declaration, condition)
        return
    if declaration.kind in ("removal", "remove_example"):
        _report(merged, "E0506", declaration.node, declaration.rule)
        return
    if _takes_the_place(declaration):
        _instead(merged, declaration.rule, declaration, [])
        return
    key = _key(declaration)
    first = merged.entries.get(key)
    if first is not None:
        place = Label(first.base.span, f"the first one, in rule {first.base.rule.id}")
        _report(merged, "E0206", declaration.span, declaration.rule, place, name=declaration.name)
        return
    held = condition if declaration.kind in _HAPPENING else None
    merged.entries[key] = Entry(
        declaration.kind, declaration.name, [Version(declaration, declaration.rule, held)]
    )


def _add(merged: Merged, declaration: Declaration, condition: Expression | None) -> None:
    version = Version(declaration, declaration.rule, condition)
    if declaration.kind not in _ADDED_TO:
        merged.additions.append(version)
        return
    kinds = _ADDED_TO[declaration.kind]
    entry = next((entry for entry in merged.of_kind(*kinds) if entry.name == declaration.name), None)
    if entry is None:
        merged.waiting.append(version)
        return
    entry.edits.append(version)


def _extend(merged: Merged, declaration: Declaration, condition: Expression | None) -> None:
    """`also`: more values of an enum, more attributes of a kind."""
    entry = merged.entries.get(("name", declaration.name))
    if entry is None or entry.kind != declaration.kind:
        merged.waiting.append(Version(declaration, declaration.rule, condition))
        return
    if condition is not None:
        _report(merged, "E0507", declaration.span, declaration.rule)
        return
    entry.edits.append(Version(declaration, declaration.rule, None))


def _add_waiting(merged: Merged) -> None:
    """Adds what was read before the thing that it adds to: the order of files and rules does not matter."""
    for version in merged.waiting[:]:
        declaration = version.declaration
        if declaration is None or version.rule.id in merged.gone:
            continue
        merged.waiting.clear()
        _declare(merged, declaration, version.condition)
        if merged.waiting:
            kinds = _ADDED_TO.get(declaration.kind, (declaration.kind,))
            names = [entry.name for entry in merged.of_kind(*kinds)]
            _unknown(merged, declaration.name, declaration.span, declaration.rule, names)


def _settle(merged: Merged) -> None:
    """A rule that declares nothing, `amends A after B`, says of A that it comes after B.

    So can somebody who uses two overlays, and owns neither, put them in an order.
    """
    for block in merged.rules.values():
        amendment = block.amendment
        if amendment is None or amendment.verb != "amends" or block.declarations or not amendment.after:
            continue
        if amendment.condition is not None:
            _report(merged, "E0507", amendment.condition, block)
        for target in amendment.targets:
            merged.settled.setdefault(target.text, []).extend(after.text for after in amendment.after)


def _predecessors(merged: Merged, block: RuleBlock) -> Iterator[str]:
    """The numbers of the rules that a rule comes after: what it amends, what it says, what is said of it."""
    if block.amendment is not None:
        yield from (target.text for target in (*block.amendment.targets, *block.amendment.after))
        yield from merged.settled.get(block.id, ())


def _in_order(merged: Merged) -> list[RuleBlock]:
    """The amending rules, each after those it amends or says it comes after; circles are reported."""
    blocks = [block for book in merged.books for block in book.rules if block.amendment is not None]
    done: list[RuleBlock] = []
    state: dict[str, str] = {}

    def visit(block: RuleBlock, path: list[str]) -> None:
        if state.get(block.id) == "done":
            return
        if state.get(block.id) == "open":
            circle = " -> ".join([*path[path.index(block.id) :], block.id])
            _report(merged, "E0505", block.span, block, circle=circle)
            return
        state[block.id] = "open"
        for number in _predecessors(merged, block):
            other = merged.rules.get(number)
            if other is not None and other is not block and other.amendment is not None:
                visit(other, [*path, block.id])
        state[block.id] = "done"
        done.append(block)

    for block in blocks:
        visit(block, [])
    return done


def _amend(merged: Merged, block: RuleBlock) -> None:
    amendment = block.amendment
    assert amendment is not None
    targets = [rule for target in amendment.targets if (rule := _target(merged, block, target)) is not None]
    for after in amendment.after:
        _target(merged, block, after)
    for target in targets:
        merged.amended.setdefault(target.id, []).append(block)
    ours = {_amend_key(declaration, target) for declaration in block.declarations for target in targets}
    if amendment.verb in ("replaces", "removes"):
        _take_away(merged, block, targets, ours)
    new: list[Declaration] = []
    for declaration in block.declarations:
        if targets or _key(declaration) not in merged.entries:
            # Without its target, which has been reported, it would only seem to be declared twice.
            known = _key(declaration) in merged.entries
            changed = _amend_one(merged, block, declaration, targets)
            if not changed and not known and _is_new(declaration):
                new.append(declaration)
    if amendment.verb == "amends" and len(targets) == len(amendment.targets):
        merged.amending.append((block, targets, new))


def _is_new(declaration: Declaration) -> bool:
    """Whether it declares something that does nothing until a rule uses it."""
    if _adds_to_words(declaration):
        return False
    return declaration.kind not in {
        *_ADDING,
        *_HAPPENING,
        "removal",
        "option",
        "sequence",
        "score",
        "called_phase",
    }


def _adds_to_words(declaration: Declaration) -> bool:
    words = (rules.Enum, rules.Piece, rules.Card, rules.Record, rules.Space, rules.Edge)
    return isinstance(declaration.node, words) and declaration.node.also is not None


def _check_touched(
    merged: Merged, block: RuleBlock, targets: list[RuleBlock], new: list[Declaration]
) -> None:
    """A rule that amends others changes something of them; if all is new, a name is probably misspelt."""
    if any(target.id in merged.gone for target in targets):
        return  # which is told by itself
    if not new or len(new) < len(block.declarations):
        merged.new_names.extend((declaration, tuple(targets)) for declaration in new)
        return
    slips = [(declaration, name) for declaration in new if (name := resembled(merged, declaration, targets))]
    first, meant = slips[0] if slips else (new[0], "")
    numbers = ", ".join(target.id for target in targets)
    labels = [Label(target.span, f"rule {target.id}") for target in targets]
    alike = [entry for entry in _declared(merged, targets, first) if entry.kind == first.kind == "value"]
    if alike and meant not in {entry.name for entry in alike}:
        advice: str | None = _values(alike, block.language)
    else:
        advice = did_you_mean(first.name, [meant], block.language) if meant else _elsewhere(block, targets)
    _report(
        merged, "E0514", first.span, block, *labels, help=advice, targets=numbers, name=first.name
    )  # fmt: skip


def _values(entries: Iterable[Entry], language: str) -> str:
    names = ", ".join(f"`{entry.name}`" for entry in entries)
    return f"les valeurs qui s'y trouvent : {names}" if language == "fr" else f"the values there are: {names}"


def _elsewhere(block: RuleBlock, targets: list[RuleBlock]) -> str | None:
    """Where the mechanism of the amended rules stands, if they say so."""
    seen = [worded(reference) for target in targets for reference in references_of(target)]
    if not seen:
        return None
    numbers = ", ".join(dict.fromkeys(seen))
    if block.language == "fr":
        return f"le mécanisme se trouve ailleurs : modifiez {numbers}"
    return f"the mechanism stands elsewhere: amend {numbers}"


def resembled(merged: Merged, declaration: Declaration, targets: Iterable[RuleBlock]) -> str:
    """The name of something like it in the rules that are amended, of which its own name may be a slip."""
    alike = _declared(merged, targets, declaration)
    same = [entry.name for entry in alike if entry.kind == declaration.kind]
    return suggest(declaration.name, same) or suggest(declaration.name, [one.name for one in alike]) or ""


def _declared(merged: Merged, targets: Iterable[RuleBlock], declaration: Declaration) -> list[Entry]:
    """What the rules that are amended declare of the sort of a declaration, or of a sort like it."""
    kinds, found = _ALIKE.get(declaration.kind, (declaration.kind,)), list(targets)
    return [
        entry
        for entry in merged.entries.values()
        if entry.kind in kinds and entry.origin is not declaration and _touches(entry, found)
    ]


def _amend_key(declaration: Declaration, target: RuleBlock) -> tuple[str, str]:
    """What happens at a moment is added to what happens there, unless the rule says `instead`."""
    if declaration.kind == "attach" and _takes_the_place(declaration):
        return "attach", f"{declaration.name} {target.id}"
    if declaration.kind == "setup" and _takes_the_place(declaration):
        return "setup", target.id
    return _key(declaration)


def _takes_the_place(declaration: Declaration) -> bool:
    """Whether it is what happens at a moment instead of what another rule does there."""
    node = declaration.node
    return isinstance(node, (rules.Attach, rules.Setup)) and node.instead is not None


def _target(merged: Merged, block: RuleBlock, target: Leaf) -> RuleBlock | None:
    rule = merged.rules.get(target.text)
    if rule is None or rule is block:
        stack = ", ".join(f"`{book.name}`" for book in merged.books)
        advice = did_you_mean(target.text, [key for key in merged.rules if key != block.id], block.language)
        _report(merged, "E0502", target, block, help=advice or None, number=target.text, stack=stack)
        return None
    return rule


def _touches(entry: Entry, rules: list[RuleBlock]) -> bool:
    return any(version.rule in rules for version in (*entry.versions, *entry.edits))


def _take_away(
    merged: Merged, block: RuleBlock, targets: list[RuleBlock], ours: set[tuple[str, str]]
) -> None:
    assert block.amendment is not None
    condition = block.amendment.condition
    for target in targets:
        if condition is None:
            merged.gone.setdefault(target.id, block)
            merged.additions = [version for version in merged.additions if version.rule is not target]
        added = {_key(own) for own in block.declarations if own.kind in _ADDING or _adds_to_words(own)}
        for key, entry in list(merged.entries.items()):
            stays = key in ours and (key not in added or entry.versions[0].rule is target)
            if not stays and _touches(entry, [target]):
                _take_from(merged, block, key, target, condition)


def _take_from(
    merged: Merged, block: RuleBlock, key: tuple[str, str], target: RuleBlock, condition: Expression | None
) -> None:
    """What a rule declares goes with it; of what it only amends, its own part goes."""
    entry = merged.entries[key]
    whole = entry.versions[0].rule is target
    if condition is None:
        _note_removed(merged, entry, block, target)
    if condition is None and whole:
        del merged.entries[key]
    elif condition is None:
        entry.versions = [version for version in entry.versions if version.rule is not target]
        entry.edits = [version for version in entry.edits if version.rule is not target]
    elif whole and entry.kind in _REMOVABLE:
        entry.versions.append(Version(None, block, condition))
    else:
        _report(merged, "E0507", block.span, block, Label(entry.base.span, f"`{entry.name}`"))


def _declarations(entry: Entry) -> list[Declaration]:
    versions = (*entry.versions, *entry.edits)
    return [version.declaration for version in versions if version.declaration is not None]


def _note_removed(merged: Merged, entry: Entry, block: RuleBlock, target: RuleBlock) -> None:
    """Remembers what goes, so that who misses it can be told why."""
    assert block.amendment is not None
    place = next(leaf for leaf in block.amendment.targets if leaf.text == target.id)
    for declaration in _declarations(entry):
        if declaration.rule is target:
            _note_names(merged, Removal(declaration, block, place.span))


def _note_names(merged: Merged, removal: Removal) -> None:
    declaration = removal.declaration
    names = [declaration.name]
    if declaration.kind in (*_WORDS, "chart", "sequence"):
        # Its values, attributes or phases; nobody misses the names that are only mentioned.
        leaves = (part for part in declaration.node.walk() if isinstance(part, Leaf))
        names += [part.text for part in leaves if part.terminal == "NAME"]
    for name in names:
        merged.removed.setdefault(name, removal)


def _amend_one(merged: Merged, block: RuleBlock, declaration: Declaration, targets: list[RuleBlock]) -> bool:
    """Carries out one declaration of an amending rule; false if it only adds something."""
    assert block.amendment is not None
    condition = block.amendment.condition
    if declaration.kind == "removal":
        _remove_one(merged, block, declaration, targets, condition)
        return True
    if declaration.kind == "remove_example":
        _remove_example(merged, declaration)
        return True
    if _takes_the_place(declaration) and not _instead(merged, block, declaration, targets):
        return True
    if declaration.kind in ("define_also", "define_only", "table_edit") and _of_other_rule(
        merged, block, declaration, targets
    ):
        return True
    touched = declaration.kind == "measure" and _take_place_of_measure(merged, block, declaration, targets)
    adding = _adds_to_words(declaration)
    for target in targets:
        entry = merged.entries.get(_amend_key(declaration, target))
        if entry is None or adding or declaration.kind in _ADDING:
            continue
        if not _touches(entry, targets):
            _wrong_rule(merged, block, declaration, entry, targets)
        elif entry.kind != declaration.kind:
            place = Label(entry.base.span, f"rule {entry.base.rule.id}")
            _report(merged, "E0510", declaration.span, block, place, name=declaration.name)
        elif condition is not None and entry.kind not in _CONDITIONAL:
            _report(merged, "E0507", declaration.span, block, Label(entry.base.span, f"`{entry.name}`"))
        else:
            for before in _declarations(entry):
                _note_names(merged, Removal(before, block, declaration.span))
            _append(merged, entry, Version(declaration, block, condition))
            if block.amendment.verb == "replaces" and condition is None:
                # Nothing of what was there is left to be read by later stages.
                entry.replaced.extend(entry.versions[:-1])
                del entry.versions[:-1], entry.edits[:]
        return True
    _declare(merged, declaration, condition)
    return touched


def _instead(merged: Merged, block: RuleBlock, declaration: Declaration, targets: list[RuleBlock]) -> bool:
    """Whether a rule that is amended does something at that moment; reported if none does."""
    if any(_amend_key(declaration, target) in merged.entries for target in targets):
        return True
    named = isinstance(declaration.node, rules.Attach)
    moment = declaration.name if named else "setup"
    labels = [Label(target.span, f"rule {target.id}") for target in targets]
    _report(merged, "E0520", declaration.span, block, *labels, moment=moment)
    return False


def _of_other_rule(
    merged: Merged, block: RuleBlock, declaration: Declaration, targets: list[RuleBlock]
) -> bool:
    """Whether an amending rule adds to a definition of a rule that it does not amend; reported if so."""
    kinds = _ADDED_TO[declaration.kind]
    entry = next((entry for entry in merged.of_kind(*kinds) if entry.name == declaration.name), None)
    if entry is None or _touches(entry, [*targets, block]):
        return False
    _wrong_rule(merged, block, declaration, entry, targets)
    return True


def _take_place_of_measure(
    merged: Merged, block: RuleBlock, declaration: Declaration, targets: list[RuleBlock]
) -> bool:
    """A measure is known by its title: one of the amended rule is told no more. Whether there was one."""
    assert block.amendment is not None
    title = _title(declaration)
    found = False
    for version in list(merged.additions):
        before = version.declaration
        if before is None or before.kind != "measure" or _title(before) != title:
            continue
        stands_for = merged.told_instead.get((version.rule.id, title), {version.rule.id})
        if _ordered(merged, block, version.rule):
            if block.amendment.condition is not None:
                _report(merged, "E0507", declaration.span, block, Label(before.span, f"`{title}`"))
                return True
            found = True
            merged.additions.remove(version)
            merged.told_instead.setdefault((block.id, title), set()).update(stands_for, {version.rule.id})
        elif any(target.id in stands_for for target in targets):
            _without_order(merged, version.rule, block, title, declaration.span, before.span)
    return found


def _remove_example(merged: Merged, declaration: Declaration) -> None:
    """An example of a ruleset below, which the amendment is meant to change."""
    title, own = _title(declaration), declaration.rule.ruleset
    titles = [block.title for book in merged.books if book.name != own for block in book.examples]
    if title in titles:
        merged.changed_examples.setdefault(title, declaration)
    else:
        advice = did_you_mean(title, titles, declaration.rule.language)
        _report(merged, "W0502", declaration.node, declaration.rule, help=advice or None, title=title)


def _title(declaration: Declaration) -> str:
    assert isinstance(declaration.node, (rules.Measure, overlay.RemoveExample))
    return text_of(declaration.node.title)


def _wrong_rule(
    merged: Merged, block: RuleBlock, declaration: Declaration, entry: Entry, targets: list[RuleBlock]
) -> None:
    assert block.amendment is not None
    if len(targets) < len(block.amendment.targets):
        return  # the target that is not there has been reported, and may have been the right one
    owner = entry.versions[-1].rule
    numbers = ", ".join(rule.id for rule in targets)
    place = Label(entry.base.span, f"rule {entry.base.rule.id}")
    _report(
        merged,
        "E0508",
        declaration.span,
        block,
        place,
        name=declaration.name,
        owner=owner.id,
        targets=numbers,
    )


def _append(merged: Merged, entry: Entry, version: Version) -> None:
    last = entry.versions[-1]
    before, now = last.declaration, version.declaration
    if before is None or now is None or before.node != now.node:
        entry.versions.append(version)
        return
    # What calls `base` is not the same twice: it does it once more.
    repeats = any(isinstance(part, Base) for part in now.node.walk())
    if last.condition in (None, version.condition) and not repeats:
        _report(merged, "W0501", now.span, version.rule, Label(before.span, "the same here"), name=entry.name)
    entry.versions.append(version)


def _remove_one(
    merged: Merged,
    block: RuleBlock,
    declaration: Declaration,
    targets: list[RuleBlock],
    condition: Expression | None,
) -> None:
    assert isinstance(declaration.node, overlay.Removal)
    name = declaration.node.name
    for key, entry in list(merged.entries.items()):
        if entry.name != name.text or not _touches(entry, targets):
            continue
        if condition is None:
            for declaration_gone in _declarations(entry):
                _note_names(merged, Removal(declaration_gone, block, name.span))
            del merged.entries[key]
        elif entry.kind in _REMOVABLE:
            entry.versions.append(Version(None, block, condition))
        else:
            _report(merged, "E0507", name, block, Label(entry.base.span, f"`{entry.name}`"))
        return
    if targets:
        names = [entry.name for entry in merged.entries.values() if _touches(entry, targets)]
        _unknown(merged, name.text, name.span, block, names)


# ---------------------------------------------------------------- order


def _check_order(merged: Merged, entry: Entry) -> None:
    """Two amendments that can both apply need an order that somebody stated."""
    places = [
        (version, version.declaration.span if version.declaration else version.rule.span)
        for version in entry.versions[1:]
    ]
    _check_pairs(merged, entry.name, places)
    cells: dict[Node, list[tuple[Version, Span]]] = {}
    for version in entry.edits:
        table = version.declaration.node if version.declaration is not None else None
        for edit in table.edits if isinstance(table, overlay.TableEdit) else ():
            if not isinstance(edit, overlay.AddRow):
                cells.setdefault(edit.place, []).append((version, edit.span))
    for edits in cells.values():
        _check_pairs(merged, entry.name, edits)


def _check_phase_order(merged: Merged) -> None:
    """Two rules that move or remove the same phase need an order too."""
    phases: dict[str, list[tuple[Version, Span]]] = {}
    for version in merged.additions:
        edit = version.declaration.node if version.declaration is not None else None
        if isinstance(edit, (overlay.MovePhase, overlay.RemovePhase)):
            name = edit.name
            phases.setdefault(name.text, []).append((version, name.span))
    for name_text, edits in phases.items():
        _check_pairs(merged, name_text, edits)


def _check_pairs(merged: Merged, name: str, places: list[tuple[Version, Span]]) -> None:
    for position, (second, place) in enumerate(places):
        for first, other in places[:position]:
            if second.rule is first.rule or exclusive(first.condition, second.condition):
                continue
            if _ordered(merged, second.rule, first.rule) or _ordered(merged, first.rule, second.rule):
                continue
            _without_order(merged, first.rule, second.rule, name, place, other)


def _without_order(
    merged: Merged, first: RuleBlock, second: RuleBlock, name: str, place: Span, other: Span
) -> None:
    label = Label(other, f"rule {first.id} of `{first.ruleset}`")
    _report(merged, "E0503", place, second, label, name=name, first=first.id, second=second.id)


def _check_gone(merged: Merged) -> None:
    """A rule that is taken away can only be amended by rules that the taker says it comes after."""
    for number, taker in merged.gone.items():
        for block in merged.amended.get(number, []):
            if block is taker or _ordered(merged, taker, block):
                continue
            assert block.amendment is not None
            target = next(target for target in block.amendment.targets if target.text == number)
            place = Label(taker.span, f"rule {taker.id} takes it away")
            _report(merged, "E0504", target, block, place, number=number, other=taker.id)


def _ordered(merged: Merged, later: RuleBlock, earlier: RuleBlock) -> bool:
    """Whether `later` says, itself or through others, that it comes after `earlier`."""
    seen: set[str] = set()
    stack = [later]
    while stack:
        block = stack.pop()
        if block.amendment is None or block.id in seen:
            continue
        seen.add(block.id)
        for number in _predecessors(merged, block):
            other = merged.rules.get(number)
            if other is earlier:
                return True
            if other is not None:
                stack.append(other)
    return False


def _unknown(merged: Merged, name: str, place: Span, rule: RuleBlock, names: list[str]) -> None:
    _report(merged, "E0201", place, rule, help=did_you_mean(name, names, rule.language) or None, name=name)


def _report(
    merged: Merged,
    code: str,
    place: Tree | Span,
    rule: RuleBlock,
    *others: Label,
    help: str | None = None,
    **arguments: object,
) -> None:
    span = place if isinstance(place, Span) else place.span
    merged.problems.append(
        report(code, span, *others, language=rule.language, notes=(), rule=rule.id, help=help, **arguments)
    )
