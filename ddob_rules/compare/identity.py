"""From the syntax trees of rules to what they do: texts, places and parentheses left out.

The same rule in French and in English, or in another layout, is the same here. Whether two different
trees may still play the same is not looked into.
"""

from __future__ import annotations

import hashlib

from ddob_rules.check.program import Checked
from ddob_rules.stack.book import Book, RuleBlock
from ddob_rules.syntax.nodes import Item, Leaf, Node, Tree
from ddob_rules.syntax.nodes.expressions import Group, String
from ddob_rules.syntax.nodes.rules import ActionLabel, ActionStarted, ActionWithout, Modifiers, Reason, Refs
from ddob_rules.syntax.nodes.tables import AnyValue

#: Of a rule's hash: enough to tell rules apart, short enough to store one for every rule in every save.
_DIGITS = 12
_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!="}
#: The seats belong to no rule; in lists of rules they go by this name.
PLAYERS = "players"

Mechanics = tuple[object, ...]


def mechanics(item: Item) -> Mechanics:
    """What a tree does: equal for trees that differ only in texts, places, parentheses or language."""
    match item:
        case None | Leaf(terminal="STRING") | Reason() | Refs():
            return ()  # only people read why an action is refused and which rules are cited
        case ActionWithout():
            return item.kind, *(number.text for number in item.refs.numbers)
        case Leaf(text=text):
            return (_SIGNS.get(text, text),)
        case Group():
            return mechanics(item.inner)
        case String():
            # The id of a thing, or a value; a text for people stands by itself.
            return item.kind, item.text.text
        case AnyValue():
            return (item.kind,)
        case Modifiers():
            return item.kind, *sorted(map(mechanics, item.words), key=repr)  # in any order, the same
        case _:
            # How an action is called stands among its conditions and may be missing.
            parts = (part for part in item.children() if not isinstance(part, ActionLabel | ActionStarted))
            return item.kind, *map(mechanics, parts)


def texts(item: Item) -> list[str]:
    """The texts for people in a tree, in order, as they are written."""
    found: list[str] = []
    stack: list[Item] = [item]
    while stack:
        part = stack.pop()
        if isinstance(part, Leaf) and part.terminal == "STRING":
            found.append(part.text)
        elif isinstance(part, Node) and not isinstance(part, String):
            stack.extend(reversed(part.children()))
    return found


def rule_hashes(checked: Checked) -> dict[str, str]:
    """A short hash of what each rule in force does. An amendment counts for the rule that amends."""
    hashes = {
        block.id: _hash(block_mechanics(block))
        for book in checked.books
        for block in book.rules
        if block.id not in checked.merged.gone
    }
    seats = _seats(checked.books)
    if seats:
        hashes[PLAYERS] = _hash(seats)
    return hashes


def block_mechanics(block: RuleBlock) -> Mechanics:
    """What a rule does by itself: what it amends and how, and what it declares."""
    declared = tuple(mechanics(declaration.node) for declaration in block.declarations)
    amendment = block.amendment
    if amendment is None:
        return declared
    targets = tuple(target.text for target in amendment.targets)
    after = tuple(target.text for target in amendment.after)
    return amendment.verb, targets, after, mechanics(amendment.condition), *declared


def same(first: Tree | None, second: Tree | None) -> bool:
    """Whether two trees do the same."""
    return mechanics(first) == mechanics(second)


def _seats(books: list[Book]) -> Mechanics:
    ranges = [book.number for book in books if book.number is not None]
    numbers = tuple((one.fewest.text, one.most.text) for one in ranges)
    return (*((seat.name, seat.automated) for book in books for seat in book.seats), *numbers)


def _hash(parts: Mechanics) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()[:_DIGITS]
