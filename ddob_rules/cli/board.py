"""From what a seat may see to a drawing in plain text: grids of squares and hexes, other places as lists.

It draws a view, never a state, so that nothing hidden can get in. Colours are laid on top of a drawing that
can be read without them. Left out: what cannot change, such as terrain; `look` tells it place by place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os.path import commonprefix
from typing import Any

import click

from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from ddob_rules.format import display_width
from interpreter.game import Game
from interpreter.geometry import GridLayout
from interpreter.grid import position
from interpreter.scenario import GridData, SpaceData

# Longer labels would make a board of ten columns wider than a terminal.
_LONGEST_LABEL = 8
# Places that are told one by one when they are empty, too.
_FEW = 24
_EMPTY_CELL = "·"
_COLOURS = ("bright_red", "bright_blue", "bright_green", "bright_yellow", "bright_magenta", "bright_cyan")
# Values that need no telling: nothing is there.
_NOTHING: tuple[object, ...] = ("nothing", "", 0, None)


@dataclass(frozen=True, slots=True)
class Label:
    """What lies on a place, in a few letters; `owner` is the number of a player, or -1."""

    text: str
    owner: int = -1


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws one view."""

    game: Game
    view: Mapping[str, Any]
    width: int = 100
    colour: bool = False
    language: str = "en"

    def lines(self) -> list[str]:
        """The boards, the other places, the piles, and what is counted."""
        found: list[str] = []
        gridded = {grid.kind for grid in self.game.scenario.grids}
        for grid in self.game.scenario.grids:
            spaces = [space for space in self.game.spaces if space.kind == grid.kind]
            drawn = self._grid(grid, spaces)
            fits = max((display_width(click.unstyle(line)) for line in drawn), default=0) <= self.width
            found += drawn if fits else self._list(spaces)
        found += self._list([space for space in self.game.spaces if space.kind not in gridded])
        return [*found, *self._piles(), *self._counts()]

    # ------------------------------------------------------------ what lies where

    def labels(self, place: str) -> list[Label]:
        """Pieces that can be told apart, pieces that cannot, then the values of the place worth telling."""
        found = [
            Label(_short(self.game.names.title(f"piece {ident}", ident)), self._number(values.get("owner")))
            for ident, values in self.view["pieces"].items()
            if values["at"] == place
        ]
        for text, count in self.view["unknown"].items():
            if text.partition(" at ")[2] == place:
                found.append(Label("?" if count == 1 else f"{count}?"))
        return found + list(self._values(place))

    def _values(self, place: str) -> Iterator[Label]:
        values = self.view["spaces"].get(place, {})
        for column in self.game.code.layout.attributes:
            value = values.get(column.attribute) if column.owner == "space" and not column.fixed else None
            if value in _NOTHING or value == []:
                continue
            if column.type.tag == "enum":
                owner = self._number(value) if column.type.names[0] == "player" else -1
                yield Label(_short(self._title(column.type.names[0], str(value))), owner)
            else:
                yield Label(
                    _short(f"{column.attribute}" if value is True else f"{column.attribute} {_told(value)}")
                )

    def _title(self, enum: str, value: str) -> str:
        values = self.game.enums[enum].values
        return self.game.names.enums[enum][values.index(value)] if value in values else value

    def _number(self, player: object) -> int:
        return self.game.players.index(str(player)) if player in self.game.players else -1

    # ------------------------------------------------------------ grids

    def _grid(self, grid: GridData, spaces: list[SpaceData]) -> list[str]:
        if not spaces:
            return []
        square = grid.shape == "square"
        headings = _headings(spaces) if square else None
        cells = {space.id: self._cell(space.id, headings is not None) for space in spaces}
        widest = max(display_width(cell.text) for cell in cells.values())
        if headings is not None:
            widest = max(widest, *(display_width(head) for head in headings[0].values()))
        rows = _plotted(_layout(grid), spaces, widest + 1)
        lines = [_row([(at, cells[ident]) for at, ident in row], self.colour) for row in rows]
        return _with_headings(lines, headings, spaces, widest + 1) if headings is not None else lines

    def _cell(self, place: str, headed: bool) -> Label:
        """What is drawn for a space. Where no headings name it, an empty one shows its own name."""
        labels = self.labels(place)
        if not labels:
            return Label(_EMPTY_CELL if headed else place)
        more = f"+{len(labels) - 1}" if len(labels) > 1 else ""
        text = labels[0].text + more
        return Label(text if headed else f"[{text}]", labels[0].owner)

    # ------------------------------------------------------------ lists

    def _list(self, spaces: list[SpaceData]) -> list[str]:
        lines = []
        empty = 0
        for space in spaces:
            labels = self.labels(space.id)
            empty += not labels
            if labels or len(spaces) <= _FEW:
                lines.append(f"{harmless(space.id)}: {self._joined(labels)}".rstrip())
        if empty and len(spaces) > _FEW:
            lines.append(f"({phrase(self.language, 'empty', count=empty)})")
        return lines

    def _joined(self, labels: Iterable[Label]) -> str:
        return ", ".join(_styled(label, self.colour) for label in labels)

    def _piles(self) -> list[str]:
        lines = []
        for name, content in self.view["piles"].items():
            shown = str(content)
            if isinstance(content, list):
                names = [item if item is not None else "?" for item in content]
                shown = f"{len(names)}: {', '.join(names)}" if names else "0"
            lines.append(harmless(f"{name}: {shown}"))
        return lines

    def _counts(self) -> list[str]:
        """Variables, and what each player or other value has."""
        lines = []
        for enum, values in self.view["each"].items():
            for value, attributes in values.items():
                told = ", ".join(
                    f"{name} {_told(each)}" for name, each in attributes.items() if each is not None
                )
                if told:
                    lines.append(harmless(f"{self._title(enum, value)}: {told}"))
        told = ", ".join(
            f"{name} {_told(each)}" for name, each in self.view["variables"].items() if each is not None
        )
        return [*lines, harmless(told)] if told else lines


def _layout(grid: GridData) -> GridLayout:
    return GridLayout(
        shape="hex" if grid.shape == "hex" else "square",
        orientation="flat" if grid.orientation == "flat" else "pointy",
        shifted="odd" if grid.shifted == "odd" else "even",
    )


def _plotted(layout: GridLayout, spaces: list[SpaceData], width: int) -> list[list[tuple[int, str]]]:
    """The spaces line by line, each with the column of text it begins at."""
    flat = layout.shape == "hex" and layout.orientation == "flat"
    half = layout.shape == "hex" and not flat
    rows: dict[int, list[tuple[int, str]]] = {}
    for space in spaces:
        along, across = position(layout, space.row, space.column)
        line, at = (along, across * 2) if flat else (across, along if half else along * 2)
        rows.setdefault(line, []).append((at, space.id))
    left = min(at for row in rows.values() for at, _ in row)
    # A hex takes two half steps, so an odd width would not stay in line.
    step = (width + 1) // 2
    return [sorted(((at - left) * step, ident) for at, ident in row) for _, row in sorted(rows.items())]


def _row(cells: list[tuple[int, Label]], colour: bool) -> str:
    text, length = "", 0
    for at, label in cells:
        text += " " * (at - length) + _styled(label, colour)
        length = at + display_width(label.text)
    return text


def _headings(spaces: list[SpaceData]) -> tuple[dict[int, str], dict[int, str]] | None:
    """What the names of all spaces of a column and of a row have in common, if names are made of the two."""
    columns: dict[int, str] = {}
    rows: dict[int, str] = {}
    for number in {space.row for space in spaces}:
        backwards = [space.id[::-1] for space in spaces if space.row == number]
        rows[number] = commonprefix(backwards)[::-1]
    for space in spaces:
        head = space.id.removesuffix(rows[space.row])
        if not rows[space.row] or columns.setdefault(space.column, head) != head:
            return None
    return columns, rows


def _with_headings(
    lines: list[str], headings: tuple[dict[int, str], dict[int, str]], spaces: list[SpaceData], width: int
) -> list[str]:
    columns, rows = headings
    step = 2 * ((width + 1) // 2)
    margin = max(display_width(head) for head in rows.values()) + 1
    first = min(columns)
    top = _row([((number - first) * step, Label(head)) for number, head in sorted(columns.items())], False)
    sides = [rows[number] for number in sorted({space.row for space in spaces})]
    body = [f"{side:>{margin - 1}} {line}" for side, line in zip(sides, lines, strict=True)]
    return [(" " * margin + top).rstrip(), *body] if top.strip() else body


def _styled(label: Label, colour: bool) -> str:
    text = harmless(label.text)
    if not colour or label.owner < 0:
        return text
    return click.style(text, fg=_COLOURS[label.owner % len(_COLOURS)], bold=True)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"


def _told(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return str(value)


def piece_lines(game: Game, view: Mapping[str, Any], language: str) -> list[str]:
    """Every piece that can be seen, with what can be seen of it, and how many there are of the others."""
    lines = []
    for ident, values in view["pieces"].items():
        name = game.names.title(f"piece {ident}", ident)
        lines.append(harmless(f"{name if name == ident else f'{ident} ({name})'}: {_attributes(values)}"))
    for text, count in view["unknown"].items():
        lines.append(harmless(f"{count} {text} ({phrase(language, 'hidden')})"))
    return lines or [phrase(language, "no pieces")]


def thing_lines(game: Game, view: Mapping[str, Any], name: str) -> list[str]:
    """Everything a seat sees of one piece, space or pile; nothing if it sees no such thing."""
    if name in view["pieces"]:
        return [harmless(f"{name}: {_attributes(view['pieces'][name])}")]
    here = ", ".join(label.text for label in Drawing(game, view).labels(name))
    if name in view["spaces"]:
        return [
            harmless(f"{name}: {_attributes(view['spaces'][name])}".rstrip(": ")),
            *([here] if here else []),
        ]
    if name in view["piles"]:
        content = view["piles"][name]
        return [harmless(f"{name}: {_told(content)}")]
    return []


def _attributes(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_told(value)}" for name, value in values.items() if value is not None)
