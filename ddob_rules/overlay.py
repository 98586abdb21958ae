"""From a stack of books to one set of rules in force: amendments are matched to what they amend, by number.

Every declaration becomes an `Entry` with its versions, base first; each later version says under which
condition it holds. The order of versions comes from what authors state (amends, after), never from files.
What the versions mean is left to the later stages; here it only matters which rule changes which
declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ddob_rules.book import Book, Declaration, RuleBlock
from ddob_rules.diagnostics import Diagnostic, Label, report
from ddob_rules.periods import exclusive
from ddob_rules.source import Span
from ddob_rules.spelling import did_you_mean
from ddob_rules.tree import Leaf, Node, Tree, leaf, node

#: Declarations that add to what is there and therefore never conflict.
_ADDING = {
    "table_edit", "insert_phase", "move_phase", "remove_phase", "each", "todo_line", "action_also", "status",
    "measure",
}  # fmt: skip
#: Kinds of declaration that may be switched off under a condition.
_REMOVABLE = {"attach", "procedure", "trigger", "victory", "action", "setup"}
#: Kinds that happen by themselves: declared by a rule with a condition, they happen only under it.
_HAPPENING = {"attach", "trigger", "victory", "action", "setup"}
#: Kinds whose amendments may have a condition.
_CONDITIONAL = {*_REMOVABLE, "define", "value", "table", "priority", "score"}
#: Kinds that `also` may add to.
_WORDS = {"enum", "piece", "card", "space", "edge"}


@dataclass(frozen=True, slots=True)
class Version:
    """`declaration` None means: as if it were not there."""

    declaration: Declaration | None
    rule: RuleBlock
    condition: Tree | None


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


@dataclass(eq=False, slots=True)
class Merged:
    """The rules in force."""

    books: list[Book]
    rules: dict[str, RuleBlock] = field(default_factory=dict)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    additions: list[Version] = field(default_factory=list)  # each, todo, phase edits
    amended: dict[str, list[RuleBlock]] = field(default_factory=dict)  # rule -> the rules that amend it
    gone: dict[str, RuleBlock] = field(default_factory=dict)  # rule -> the rule that replaced or removed it
    problems: list[Diagnostic] = field(default_factory=list)

    def of_kind(self, *kinds: str) -> Iterator[Entry]:
        return (entry for entry in self.entries.values() if entry.kind in kinds)


def merge(books: list[Book]) -> Merged:
    """Merges a stack of books, base first."""
    merged = Merged(books)
    for book in books:
        _number(merged, book)
    for block in [b for book in books for b in book.rules if b.amendment is None]:
        for declaration in block.declarations:
            _declare(merged, declaration)
    for block in _in_order(merged):
        _amend(merged, block)
    for entry in merged.entries.values():
        _check_order(merged, entry)
    _check_phase_order(merged)
    _check_gone(merged)
    return merged


def _key(declaration: Declaration) -> tuple[str, str]:
    """Names are shared by all that can stand in an expression or be called; the rest have their own."""
    match declaration.kind:
        case "action" | "action_also":
            return "action", declaration.name
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


def _declare(merged: Merged, declaration: Declaration, condition: Tree | None = None) -> None:
    if declaration.kind in _ADDING:
        _add(merged, declaration, condition)
        return
    if declaration.kind in _WORDS and declaration.node.items[1] is not None:
        _extend(merged, declaration, condition)
        return
    if declaration.kind == "removal":
        _report(merged, "E0506", declaration.node, declaration.rule)
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


def _add(merged: Merged, declaration: Declaration, condition: Tree | None) -> None:
    version = Version(declaration, declaration.rule, condition)
    if declaration.kind not in ("table_edit", "action_also"):
        merged.additions.append(version)
        return
    kinds = ("table", "chart") if declaration.kind == "table_edit" else ("action",)
    entry = next((entry for entry in merged.of_kind(*kinds) if entry.name == declaration.name), None)
    if entry is None:
        names = [entry.name for entry in merged.of_kind(*kinds)]
        _unknown(merged, declaration.name, declaration.span, declaration.rule, names)
        return
    entry.edits.append(version)


def _extend(merged: Merged, declaration: Declaration, condition: Tree | None) -> None:
    """`also`: more values of an enum, more attributes of a kind."""
    entry = merged.entries.get(("name", declaration.name))
    if entry is None or entry.kind != declaration.kind:
        names = [other.name for other in merged.of_kind(declaration.kind)]
        _unknown(merged, declaration.name, declaration.span, declaration.rule, names)
        return
    if condition is not None:
        _report(merged, "E0507", declaration.span, declaration.rule)
        return
    entry.edits.append(Version(declaration, declaration.rule, None))


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
        assert block.amendment is not None
        for target in (*block.amendment.targets, *block.amendment.after):
            other = merged.rules.get(target.text)
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
    for declaration in block.declarations:
        if targets or _key(declaration) not in merged.entries:
            # Without its target, which has been reported, it would only seem to be declared twice.
            _amend_one(merged, block, declaration, targets)


def _amend_key(declaration: Declaration, target: RuleBlock) -> tuple[str, str]:
    if declaration.kind == "attach":
        return "attach", f"{declaration.name} {target.id}"
    if declaration.kind == "setup":
        return "setup", target.id
    return _key(declaration)


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
        for key, entry in list(merged.entries.items()):
            if key not in ours and _touches(entry, [target]):
                _take_from(merged, block, key, target, condition)


def _take_from(
    merged: Merged, block: RuleBlock, key: tuple[str, str], target: RuleBlock, condition: Tree | None
) -> None:
    """What a rule declares goes with it; of what it only amends, its own part goes."""
    entry = merged.entries[key]
    whole = entry.versions[0].rule is target
    if condition is None and whole:
        del merged.entries[key]
    elif condition is None:
        entry.versions = [version for version in entry.versions if version.rule is not target]
        entry.edits = [version for version in entry.edits if version.rule is not target]
    elif whole and entry.kind in _REMOVABLE:
        entry.versions.append(Version(None, block, condition))
    else:
        _report(merged, "E0507", block.span, block, Label(entry.base.span, f"`{entry.name}`"))


def _amend_one(merged: Merged, block: RuleBlock, declaration: Declaration, targets: list[RuleBlock]) -> None:
    assert block.amendment is not None
    condition = block.amendment.condition
    if declaration.kind == "removal":
        _remove_one(merged, block, declaration, targets, condition)
        return
    adding = declaration.kind in _WORDS and declaration.node.items[1] is not None
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
            _append(merged, entry, Version(declaration, block, condition))
            if block.amendment.verb == "replaces" and condition is None:
                # Nothing of what was there is left to be read by later stages.
                entry.replaced.extend(entry.versions[:-1])
                del entry.versions[:-1], entry.edits[:]
        return
    _declare(merged, declaration, condition)


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
    repeats = any(isinstance(part, Node) and part.kind == "base" for part in now.node.walk())
    if last.condition in (None, version.condition) and not repeats:
        _report(merged, "W0501", now.span, version.rule, Label(before.span, "the same here"), name=entry.name)
    entry.versions.append(version)


def _remove_one(
    merged: Merged,
    block: RuleBlock,
    declaration: Declaration,
    targets: list[RuleBlock],
    condition: Tree | None,
) -> None:
    name = leaf(declaration.node.items[0])
    for key, entry in list(merged.entries.items()):
        if entry.name != name.text or not _touches(entry, targets):
            continue
        if condition is None:
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
        if version.declaration is None or version.declaration.kind != "table_edit":
            continue
        for item in version.declaration.node.items[1:]:
            edit = node(item)
            if edit.kind != "add_row":
                cells.setdefault(node(edit.items[0]), []).append((version, edit.span))
    for edits in cells.values():
        _check_pairs(merged, entry.name, edits)


def _check_phase_order(merged: Merged) -> None:
    """Two rules that move or remove the same phase need an order too."""
    phases: dict[str, list[tuple[Version, Span]]] = {}
    for version in merged.additions:
        if version.declaration is not None and version.declaration.kind in ("move_phase", "remove_phase"):
            name = leaf(version.declaration.node.items[0])
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
            label = Label(other, f"rule {first.rule.id} of `{first.rule.ruleset}`")
            numbers = {"first": first.rule.id, "second": second.rule.id}
            _report(merged, "E0503", place, second.rule, label, name=name, **numbers)


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
        for target in (*block.amendment.targets, *block.amendment.after):
            other = merged.rules.get(target.text)
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
