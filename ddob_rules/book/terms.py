"""The index of terms: each word that rules declare, with the rules that declare and use it."""

from __future__ import annotations

from itertools import groupby
from unicodedata import normalize
from xml.etree.ElementTree import Element

from ddob_rules.book.edition import Edition
from ddob_rules.index import Key, Spot
from ddob_rules.pages.elements import Content, element

#: What authors give names to that others may look for; names of locals and of rules are none of these.
_SPACES = ("name", "attribute", "value", "action", "phase", "option")
#: Keys of the catalogue by what is named; the first that it has is taken.
_TITLES = {
    "name": ("kind", "place", "variable", "dice"), "attribute": ("attribute",), "action": ("action",),
    "phase": ("phase",), "option": ("option",),
}  # fmt: skip


def terms(edition: Edition) -> Element | None:
    """All terms by their first letters."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for key, spots in edition.index.symbols.items():
        if key[0] in _SPACES and any(spot.declares for spot in spots):
            declared, used = _places(edition, spots)
            if declared:
                known = found.setdefault(_title(edition, key), (set(), set()))
                known[0].update(declared)
                known[1].update(used)
    ordered = sorted(found.items(), key=lambda entry: (_letters(entry[0]), entry[0]))
    groups: list[Content] = [
        [element("h3", letter), [_entry(edition, title, *places) for title, places in group]]
        for letter, group in groupby(ordered, key=lambda entry: _letters(entry[0])[:1].upper())
    ]
    return element("div", groups, class_="terms") if groups else None


def _places(edition: Edition, spots: list[Spot]) -> tuple[set[str], set[str]]:
    declared: set[str] = set()
    used: set[str] = set()
    for spot in spots:
        number = edition.rule_at(spot.span)
        if number in edition.numbers:
            (declared if spot.declares else used).add(number)
    return declared, used - declared


def _entry(edition: Edition, title: str, declared: set[str], used: set[str]) -> Element:
    order = edition.merged.order
    own = element("b", edition.links(sorted(declared, key=order)))
    others = sorted(used, key=order)
    return element("p", title, " ", own, [", ", edition.links(others)] if others else None)


def _title(edition: Edition, key: Key) -> str:
    space, owner, name = key
    name = name.partition(" ")[2] or name  # a trigger goes by its kind and its name
    if space == "value":
        return edition.name(f"value {owner}", name)
    known = (edition.texts.get(f"{word} {name}") for word in _TITLES[space])
    return next((title for title in known if title), name.replace("_", " "))


def _letters(title: str) -> str:
    """For sorting: without accents, as dictionaries do."""
    return "".join(one for one in normalize("NFD", title.casefold()) if one.isalnum()) or title
