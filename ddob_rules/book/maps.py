"""A small map of a position: the spaces that an example speaks of and those around them, as SVG.

Boards and things are those of the table's description, as a bystander sees them. Colours never carry meaning
alone: a map can be read in black and white, and what stands on it is told in its description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any
from xml.etree.ElementTree import Element

from ddob_rules.pages.elements import Content, element
from interpreter.machine.state import State
from interpreter.table.book import book_of
from interpreter.table.described import Described, Describing
from interpreter.table.seen import Seen
from interpreter.telling.views import BYSTANDER

#: A board of so many spaces is drawn whole; of a larger one, what lies so far around.
_SMALL = 64
_AROUND = 1.3
#: More spaces than this are a map of nothing in particular.
_MOST = 140
#: Counters that can be told apart on one space.
_STACKED = 3
#: The style has a class for each tint that there is.
_TINT = re.compile("[a-z]+")
_SIDES = ("#ffffff", "#d9d9d9", "#bcd3ea", "#efd2b4", "#cfe3c4", "#e8c6d6")


@dataclass(frozen=True, slots=True)
class Place:
    ident: str
    x: float
    y: float
    ground: Mapping[str, str]


class Atlas:
    """The boards of a game, drawn once for all its positions."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = words
        self._known: dict[int, tuple[dict[str, Any], Describing]] = {}

    def figure(self, state: State, named: set[str]) -> Element | None:
        """The part of a board around what is named; None if nothing of that stands on a board."""
        game = state.game
        if id(game) not in self._known:
            book = book_of(game)
            self._known[id(game)] = book, Describing(game, book)
        book, describing = self._known[id(game)]
        things, spaces = describing.of(Seen(state, BYSTANDER))
        focus = named | {things[one]["at"] for one in named if one in things}
        for board in book["boards"]:
            if board["kind"] in ("hex", "square", "network") and focus & set(board["ids"]):
                return self._drawn(board, things, spaces, focus, book)
        return None

    def _drawn(
        self,
        board: dict[str, Any],
        things: Described,
        spaces: Described,
        focus: set[str],
        book: dict[str, Any],
    ) -> Element | None:
        places = _cut(_places(board, spaces), focus)
        if not places or len(places) > _MOST:
            return None
        on: dict[str, list[dict[str, Any]]] = {}
        for ident, thing in things.items():
            # What is spoken of goes by its name; of the rest its counter says enough.
            shown = thing if ident not in focus else {**thing, "text": thing["name"]}
            on.setdefault(thing["at"], []).append(shown)
        sides = [player["id"] for player in book["players"]]
        radius = 0.5 if board["cell"] in ("square", "box", "dot") else 0.578
        left, right = min(one.x for one in places) - radius, max(one.x for one in places) + radius
        top, bottom = min(one.y for one in places) - radius, max(one.y for one in places) + radius
        drawn: list[Content] = [
            *_links(board, places),
            *(_space(board["cell"], place) for place in places),
            *_edges(book, places),
            *(_stack(place, on.get(place.ident, []), sides) for place in places),
        ]
        wide, high = right - left + 0.1, bottom - top + 0.1
        scale = 52 if wide * 52 <= 640 else 640 / wide
        picture = element(
            "svg", drawn, class_="map", role="img", aria_label=self._told(places, on),
            viewBox=f"{left - 0.05:.2f} {top - 0.05:.2f} {wide:.2f} {high:.2f}",
            width=f"{wide * scale:.0f}", height=f"{high * scale:.0f}",
        )  # fmt: skip
        return element("figure", picture)

    def _told(self, places: list[Place], on: Mapping[str, list[dict[str, Any]]]) -> str:
        told = [
            self.words["stands"].format(piece=self._name(thing), place=place.ident)
            for place in places
            for thing in on.get(place.ident, [])
        ]
        return "; ".join(told) or self.words["empty map"]

    def _name(self, thing: Mapping[str, Any]) -> str:
        return self.words["hidden"].format(name=thing["name"]) if thing.get("back") else str(thing["name"])


def _places(board: dict[str, Any], spaces: Mapping[str, dict[str, Any]]) -> list[Place]:
    """The spaces with their grounds, as printed or as they are now, and what is put on them."""
    wide, high = board["step"]
    found = []
    for number, ident in enumerate(board["ids"]):
        now = spaces.get(ident, {})
        ground = dict(now.get("ground") or board["grounds"][board["ground"][number]])
        tokens = " ".join(token["text"] for token in now.get("tokens", ()))
        if tokens:
            ground["token"] = tokens
        found.append(Place(ident, board["x"][number] * wide, board["y"][number] * high, ground))
    return found


def _cut(places: list[Place], focus: set[str]) -> list[Place]:
    if len(places) <= _SMALL:
        return places
    centres = [place for place in places if place.ident in focus]
    left, right = min(one.x for one in centres) - _AROUND, max(one.x for one in centres) + _AROUND
    top, bottom = min(one.y for one in centres) - _AROUND, max(one.y for one in centres) + _AROUND
    return [one for one in places if left <= one.x <= right and top <= one.y <= bottom]


# ---------------------------------------------------------------- drawing


def _space(cell: str, place: Place) -> Element:
    tint = place.ground.get("tint", "")
    kind = f"cell tint-{tint}" if _TINT.fullmatch(tint) else "cell"
    words = " ".join(filter(None, [place.ground.get("sign", ""), place.ground.get("label", "")]))
    return element(
        "g",
        element("polygon", points=_points(cell, place), class_=kind),
        _text(place.ident, place.x, place.y + 0.42, "id"),
        _text(words, place.x, place.y - 0.3, "ground") if words else None,
        _text(place.ground["token"], place.x, place.y + 0.1, "token") if "token" in place.ground else None,
    )


def _points(cell: str, place: Place) -> str:
    if cell in ("hex-pointy", "hex-flat"):
        turn = 30 if cell == "hex-pointy" else 0
        corners = [((turn + 60 * n) * pi / 180, 0.577) for n in range(6)]
    else:
        corners = [((45 + 90 * n) * pi / 180, 0.707) for n in range(4)]
    return " ".join(f"{place.x + r * cos(a):.3f},{place.y + r * sin(a):.3f}" for a, r in corners)


def _text(text: str, x: float, y: float, kind: str) -> Element:
    long = len(text) > 8
    return element(
        "text", text, x=f"{x:.2f}", y=f"{y:.2f}", class_=kind,
        textLength="0.85" if long else None, lengthAdjust="spacingAndGlyphs" if long else None,
    )  # fmt: skip


def _links(board: dict[str, Any], places: list[Place]) -> list[Element]:
    """The lines between the spaces of a network."""
    by_number = {board["ids"].index(place.ident): place for place in places} if "links" in board else {}
    return [
        _line(by_number[one], by_number[other], "link")
        for one, other in board.get("links", ())
        if one in by_number and other in by_number
    ]


def _edges(book: dict[str, Any], places: list[Place]) -> list[Element]:
    """What lies between two spaces: a stroke along their common side, with its name for those who ask."""
    known = {place.ident: place for place in places}
    found = []
    for one, other, number in _pairs(book):
        if one in known and other in known:
            a, b = known[one], known[other]
            x, y, dx, dy = (a.x + b.x) / 2, (a.y + b.y) / 2, (b.y - a.y) * 0.27, (a.x - b.x) * 0.27
            line = element(
                "line", element("title", book["lines"][number]["name"]), class_="side",
                x1=f"{x - dx:.2f}", y1=f"{y - dy:.2f}", x2=f"{x + dx:.2f}", y2=f"{y + dy:.2f}",
            )  # fmt: skip
            found.append(line)
    return found


def _pairs(book: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """The spaces on both sides of each line, and the number of its sort; a book has them as small steps."""
    spaces = [ident for board in book["boards"] for ident in board["ids"]]
    for number, steps in enumerate(book["edges"]):
        one = 0
        for first, second in zip(steps[::2], steps[1::2], strict=True):
            one += first
            yield spaces[one], spaces[one + second], number


def _line(a: Place, b: Place, kind: str) -> Element:
    return element("line", x1=f"{a.x:.2f}", y1=f"{a.y:.2f}", x2=f"{b.x:.2f}", y2=f"{b.y:.2f}", class_=kind)


def _stack(place: Place, things: list[dict[str, Any]], sides: list[str]) -> Element | None:
    if not things:
        return None
    high = 0.3 if len(things) > 1 else 0.34
    shown = things[:_STACKED] if len(things) <= _STACKED else things[: _STACKED - 1]
    more = [{"name": f"+{len(things) - len(shown)}"}] if len(shown) < len(things) else []
    rows = [*shown, *more]
    top = place.y - high * len(rows) / 2
    return element(
        "g", [_counter(place.x, top + high * number, high, thing, sides) for number, thing in enumerate(rows)]
    )


def _counter(x: float, y: float, high: float, thing: Mapping[str, Any], sides: list[str]) -> Element:
    side = thing.get("side")
    fill = _SIDES[(sides.index(side) + 1) % len(_SIDES)] if side in sides else _SIDES[0]
    text = str(thing.get("text") or thing["name"])
    return element(
        "g",
        element("title", str(thing["name"])),
        element(
            "rect", x=f"{x - 0.43:.2f}", y=f"{y:.2f}", width="0.86", height=f"{high - 0.03:.2f}", rx="0.04",
            fill="#c4beb0" if thing.get("back") else fill,
        ),
        _text(text, x, y + high / 2 + 0.05, "name"),
        class_="piece",
    )  # fmt: skip
