"""From a checked stack to an index: which word stands where, and what it stands for.

What words mean is what the checker has noted. Names of locals where they are introduced, phases and rule
numbers need no types, and are taken from the trees.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ddob_rules.check.program import Checked
from ddob_rules.check.scope import Meaning, Space, Vocabulary
from ddob_rules.check.values.builtins import BUILTINS
from ddob_rules.stack.book import Book, RuleBlock
from ddob_rules.syntax.nodes import Leaf, Node, effects, overlay, rules, tables
from ddob_rules.syntax.nodes.expressions import Attribute, Name
from ddob_rules.syntax.source import Span
from interpreter import ir

#: What a symbol is known by: its space, whose it is, and its name.
Key = tuple[str, str, str]

#: Fields of trees that hold the name of a phase, whatever the node.
_PHASES = ("phase", "phases", "fixed_at")
#: Kinds of declaration that nobody calls by name: each kind has names of its own.
_BY_KIND = ("trigger", "victory", "sequence")


@dataclass(frozen=True, slots=True)
class Spot:
    """A word at a place. `home` is the declaration that it stands in; locals are known in it alone."""

    span: Span
    meaning: Meaning
    declares: bool = False
    home: str = ""

    @property
    def key(self) -> Key:
        meaning = self.meaning
        if meaning.space == "local":
            return ("local", self.home, meaning.of)
        return (meaning.space, meaning.of if meaning.space in ("attribute", "value") else "", meaning.name)


class Index:
    """The spots of a stack, by file and by what they stand for; a file is looked through when asked for."""

    def __init__(self, checked: Checked, *, understood: bool = False) -> None:
        self.checked = checked
        self.understood = understood  # whether the scenarios of examples were read
        self._noted: dict[int, dict[Span, Meaning]] = {}
        for span, meaning in (checked.words.meanings or {}).items():
            self._noted.setdefault(id(span.source), {})[span] = meaning
        self._files: dict[str, list[Spot]] = {}
        self._starts: dict[str, list[tuple[int, int]]] = {}

    @cached_property
    def paths(self) -> list[str]:
        return [source.path for book in self.checked.books for source in book.files]

    def file(self, path: str) -> list[Spot]:
        """The spots of a file, in the order of the text."""
        if path not in self._files:
            found: dict[Span, Spot] = {}
            for book in self.checked.books:
                for home, node in _homes(book):
                    if node.span.source.path == path:
                        _gather(
                            node, home, self._noted.get(id(node.span.source), {}), found, self.checked.words
                        )
            spots = sorted(found.values(), key=lambda spot: (spot.span.source.first_line, spot.span.start))
            self._files[path] = spots
            self._starts[path] = [spot.span.source.position(spot.span.start) for spot in spots]
        return self._files[path]

    @cached_property
    def symbols(self) -> dict[Key, list[Spot]]:
        found: dict[Key, list[Spot]] = {}
        for path in self.paths:
            for spot in self.file(path):
                found.setdefault(spot.key, []).append(spot)
        return found

    def at(self, path: str, line: int, column: int) -> Spot | None:
        """The word at a place, lines and columns counted from 1; also the one that ends just there."""
        spots = self.file(path)
        number = bisect_right(self._starts[path], (line, column)) - 1
        if number < 0:
            return None
        span = spots[number].span
        inside = span.line == line and span.column <= column <= span.end_column
        return spots[number] if inside else None

    def declarations(self, key: Key) -> list[Spot]:
        return [spot for spot in self.symbols.get(key, []) if spot.declares]

    def block_of(self, span: Span) -> RuleBlock | None:
        """The rule that a place stands in."""
        for book in self.checked.books:
            for block in book.rules:
                if block.node is not None and _holds(block.node, span):
                    return block
        return None


def _homes(book: Book) -> Iterator[tuple[str, Node]]:
    """Whatever has locals of its own, with a name for it; and what stands around that."""
    for number, block in enumerate(book.rules):
        if block.node is None:
            for declaration in block.declarations:
                yield f"{book.name} {number}", declaration.node
            continue
        yield f"{book.name} {number}", block.node
        for place, inner in enumerate(block.node.declarations):
            for one in rules.singly(inner):
                yield f"{book.name} {number} {place}", one
    for number, example in enumerate(book.examples):
        yield f"{book.name} example {number}", example.node


def _gather(
    node: Node, home: str, noted: dict[Span, Meaning], found: dict[Span, Spot], words: Vocabulary
) -> None:
    if isinstance(node, rules.Rule):
        _add(found, node.number, "rule", declares=True, home=home)
        for leaf in _leaves(node.amendment):
            if leaf.terminal == "RULE_ID":
                _add(found, leaf, "rule", home=home)
        _noted(node.amendment, home, noted, found)
        return
    _declared(node, home, noted, found)
    for part in node.walk():
        if isinstance(part, Node):
            _by_field(part, home, found)
        elif part.terminal == "RULE_ID":
            _add(found, part, "rule", home=home)
    _noted(node, home, noted, found)
    if isinstance(node, rules.Example):
        _guessed(node, home, found, words)
    _locals(node, home, found)


def _noted(node: Node | None, home: str, noted: dict[Span, Meaning], found: dict[Span, Spot]) -> None:
    """What the checker says; the texts that hold expressions in braces have words inside them."""
    for leaf in _leaves(node):
        meaning = noted.get(leaf.span)
        if meaning is not None:
            declares = leaf.span in found and found[leaf.span].declares
            found[leaf.span] = Spot(leaf.span, meaning, declares or _introduces(meaning, node, leaf), home)
    for span in _in_texts(node, noted):
        found[span] = Spot(span, noted[span], False, home)


def _in_texts(node: Node | None, noted: dict[Span, Meaning]) -> Iterator[Span]:
    for leaf in _leaves(node):
        if leaf.terminal == "STRING" and "{" in leaf.text:
            text = leaf.span
            yield from (span for span in noted if text.start < span.start and span.end < text.end)


def _introduces(meaning: Meaning, node: Node | None, leaf: Leaf) -> bool:
    """Whether an attribute or a value of an enum is declared here, and not used."""
    match meaning.space:
        case "attribute":
            kinds = (rules.Piece, rules.Card, rules.Record, rules.Space, rules.Edge, rules.Each)
            if isinstance(node, tables.Chart):
                return leaf.span.line == node.rows[0].span.line
            lines = node.attributes.lines if isinstance(node, kinds) else ()
            own = (line.names.names for line in lines if isinstance(line, rules.AttributeLine))
            return any(leaf is name for names in own for name in names)
        case "value":
            return isinstance(node, (rules.Enum, tables.Chart)) or any(
                isinstance(part, rules.InlineEnum) and any(leaf is name for name in part.names)
                for part in (node.walk() if node is not None else ())
            )
        case _:
            return False


def _declared(node: Node, home: str, noted: dict[Span, Meaning], found: dict[Span, Spot]) -> None:
    """The name of a declaration."""
    name = getattr(node, "name", None)
    if not isinstance(name, Leaf) or isinstance(node, (overlay.Removal, rules.Each)):
        if isinstance(name, Leaf):
            _add(found, name, "name", home=home)
        return
    match node:
        case rules.Action() | rules.ActionAlso():
            _add(found, name, "action", declares=True, home=home)
        case rules.Option():
            _add(found, name, "option", declares=True, home=home)
        case _ if node.kind in _BY_KIND:
            meaning = Meaning("name", f"{node.kind} {name.text}")
            found[name.span] = Spot(name.span, meaning, True, home)
        case _:
            _add(found, name, "name", declares=True, home=home)


def _by_field(node: Node, home: str, found: dict[Span, Spot]) -> None:
    """Names whose place in the tree says what they are."""
    for field_name in _PHASES:
        part = getattr(node, field_name, None)
        for leaf in part.names if isinstance(part, rules.Names) else (part,):
            if isinstance(leaf, Leaf) and leaf.terminal == "NAME":
                _add(found, leaf, "phase", home=home)
    match node:
        case rules.Phase() | overlay.PhaseLine():
            _add(found, node.name, "phase", declares=True, home=home)
        case overlay.MovePhase() | overlay.RemovePhase() | effects.RunPhase():
            _add(found, node.name, "phase", home=home)
        case overlay.TableEdit():
            _add(found, node.table, "name", home=home)
        case rules.Option(conflicts=rules.Names() as names) | rules.Given(options=rules.Names() as names):
            for leaf in names.names:
                _add(found, leaf, "option", home=home)
        case rules.Pile():
            for leaf in (*node.of.names, node.each, node.modifiers.refilled):
                if isinstance(leaf, Leaf):
                    _add(found, leaf, "name", home=home)
        case rules.Edge():
            for leaf in node.between.names:
                _add(found, leaf, "name", home=home)
        case rules.Seers(who=rules.Names() as names):
            for leaf in names.names:
                found.setdefault(
                    leaf.span, Spot(leaf.span, Meaning("value", leaf.text, "player"), False, home)
                )
        case _:
            pass
    if isinstance(node, (overlay.MovePhase, overlay.PhaseLine)):
        _add(found, node.other, "phase", home=home)


def _guessed(node: rules.Example, home: str, found: dict[Span, Spot], words: Vocabulary) -> None:
    """The words of an example whose scenario nobody has read yet: what they stand for in most places."""
    attributes = {id(part.name) for part in node.walk() if isinstance(part, Attribute)}
    for leaf in _leaves(node):
        if leaf.terminal != "NAME" or leaf.span in found:
            continue
        text = leaf.text
        if id(leaf) in attributes:
            owners = [space for space, name in words.attributes if name == text]
            meaning = Meaning("attribute", text, owners[0]) if owners else Meaning("library", text)
        elif text in words.actions:
            meaning = Meaning("action", text)
        elif any(
            text in known for known in (words.functions, words.variables, words.procedures, words.kinds)
        ):
            meaning = Meaning("name", text)
        elif text in words.enums or text in words.dice:
            meaning = Meaning("name", text)
        elif owners := words.enum_of(text):
            meaning = Meaning("value", text, owners[0])
        elif text in BUILTINS:
            meaning = Meaning("library", text)
        else:
            continue
        found[leaf.span] = Spot(leaf.span, meaning, False, home)


def _locals(node: Node, home: str, found: dict[Span, Spot]) -> None:
    """Where locals are introduced: names that nobody has looked up, and that somebody does look up."""
    uses: dict[str, dict[str, tuple[int, ir.Type | None]]] = {}
    for spot in found.values():
        if spot.home == home and spot.meaning.space == "local":
            first = (spot.span.start, spot.meaning.type)
            known = uses.setdefault(spot.meaning.name, {}).setdefault(spot.meaning.of, first)
            if known[0] > first[0]:
                uses[spot.meaning.name][spot.meaning.of] = first
    free = [leaf for leaf in _leaves(node) if leaf.terminal == "NAME" and leaf.span not in found]
    stated = {id(part.name) for part in node.walk() if isinstance(part, rules.Parameter)}
    headings = {id(leaf) for leaf in _headings(node)}
    for leaf in free:
        named = uses.get(leaf.text, {})
        inside = leaf.text
        if id(leaf) not in stated | headings and named:
            # It is that of the next use; if all uses stand before it, that of the last.
            later = [(start, name) for name, (start, _) in named.items() if start > leaf.span.start]
            inside = min(later)[1] if later else max((start, name) for name, (start, _) in named.items())[1]
        kind = named[inside][1] if inside in named else None
        meaning = Meaning("local", leaf.text, inside, kind)
        found[leaf.span] = Spot(leaf.span, meaning, id(leaf) not in headings, home)


def _headings(node: Node) -> Iterator[Leaf]:
    """The names of parameters at the head of a table."""
    if isinstance(node, tables.Table) and node.rows:
        for cell in node.rows[0].cells:
            for part in cell.walk():
                if isinstance(part, Name):
                    yield part.name


def _add(
    found: dict[Span, Spot], leaf: Leaf, space: Space, *, declares: bool = False, home: str = ""
) -> None:
    found.setdefault(leaf.span, Spot(leaf.span, Meaning(space, leaf.text), declares, home))


def _leaves(node: Node | None) -> Iterator[Leaf]:
    if node is not None:
        yield from (part for part in node.walk() if isinstance(part, Leaf))


def _holds(node: Node, span: Span) -> bool:
    whole = node.span
    same = whole.source.path == span.source.path
    return same and whole.line <= span.line <= max(whole.end_line, whole.line)
