"""From what a seat may see to a drawing in plain text: grids of squares and hexes, other places as lists.

It draws a view, never a state, so that nothing hidden can get in. Where the rules say how a space looks, the
grid is drawn as a map, of a big one only what matters now. Otherwise what cannot change, such as terrain, is
left out; `look` tells it place by place. Colours are laid on top of a drawing that can be read without them:
things that read alike whosever they are have the letter of their side, which stands for too wide names, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os.path import commonprefix
from typing import Any

import click

from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from ddob_rules.cli.terminal.focus import on_grid
from ddob_rules.cli.terminal.palette import Tint, other_tint, side_signs, tint
from ddob_rules.cli.terminal.tiles import WIDEST, Tile, Written, cut_names, drawn, half_steps
from ddob_rules.reports.abbreviations import abbreviated
from ddob_rules.reports.render import display_width
from interpreter.geometry.boards import GridLayout
from interpreter.geometry.grids import position
from interpreter.ir import PLAYER, Kind, Type
from interpreter.machine.game import Game
from interpreter.machine.scenario import GridData, SpaceData
from interpreter.table.looking import Look
from interpreter.telling.showing import UNSEEN, Showing

# Longer labels would make a board of ten columns wider than a terminal.
_LONGEST_LABEL = 8
# Beside a board there is room for a whole name.
_IN_A_LIST = 40
# Places that are told one by one when they are empty, too.
_FEW = 24
_EMPTY_CELL = "·"
# A part of a map is at least so large: less would not show where it lies.
_FEWEST_COLUMNS, _FEWEST_ROWS = 8, 5
_NARROWEST_PART = 3
# Around a block of spaces so many half steps to each side: two are a column or a row of most maps.
_MARGIN = 2
# Values that need no telling: nothing is there.
_NOTHING: tuple[object, ...] = ("nothing", "", 0, None)


@dataclass(frozen=True, slots=True)
class Label:
    """What lies on a place, in a few letters."""

    text: str
    tint: Tint | None = None
    sign: str = ""  # the letter of its side
    worded: bool = False  # by the rules, who know how long it may be

    @property
    def short(self) -> str:
        """One letter for it, where there is no room for more."""
        return self.sign or self.text[:1].upper()


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws one view. With `about`, only the part that shows these places, and no bookkeeping.

    `showing` says how things look, if the rules do. `marks` are signs for spaces.
    """

    game: Game
    view: Mapping[str, Any]
    width: int = 100
    colour: bool = False
    language: str = "en"
    showing: Showing | None = None
    about: frozenset[str] | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    room: int = 0  # lines for a whole map, where no part of it is asked about
    tight: bool = False  # of a part, nothing around the places that it is about
    widest: int = WIDEST  # no space of a map holds more letters
    near: frozenset[str] | None = None  # of maps, only what lies around these places, with all bookkeeping

    def lines(self) -> list[str]:
        """The status, the boards, the other places, the piles, and what is counted."""
        status = [harmless(line) for line in self.showing.status()] if self.showing is not None else []
        found = [" | ".join(status)] if self._brief and status else status
        gridded = {grid.kind for grid in self.game.scenario.grids}
        for grid in self.game.scenario.grids:
            found += self.grid(grid)
        found += self._beside([space for space in self.game.spaces if space.kind not in gridded])
        return [*found, *self._piles(), *self._counts()]

    def grid(self, grid: GridData) -> list[str]:
        """One board: a map, or a plain grid with names or, where these are too wide for the screen, signs.

        What is still too wide is cut into strips, one below the other; on the narrowest screens it is a list.
        """
        spaces = self._spaces(grid)
        if self._mapped(grid.kind):
            return self._map(grid, spaces)
        lines = self._grid(grid, spaces)
        if self._fits(lines):
            return lines
        strips = self._strips(grid, spaces)
        return [line for strip in strips for line in ("", *strip)][1:] if strips else self._list(spaces)

    def _spaces(self, grid: GridData) -> list[SpaceData]:
        return [space for space in self.game.spaces if space.kind == grid.kind]

    def _fits(self, lines: list[str]) -> bool:
        return max((display_width(click.unstyle(line)) for line in lines), default=0) <= self.width

    def sides(self) -> list[tuple[str, str]]:
        """The letters of the sides with their names, if the drawing has them."""
        plain = [grid for grid in self.game.scenario.grids if not self._mapped(grid.kind)]
        too_wide = any(not self._fits(self._grid(grid, self._spaces(grid))) for grid in plain)
        return list(zip(self._signs, self._sides, strict=True)) if self._alike or too_wide else []

    def cut_names(self) -> list[tuple[str, str]]:
        """What has no room on the boards, with the letters that stand for it there."""
        found: dict[str, str] = {}
        for grid in self.game.scenario.grids:
            spaces = self._spaces(grid)
            if self._mapped(grid.kind):
                found |= cut_names(self._shown_tiles(grid, spaces), self.width, self.widest)
            else:
                labels = (label for space in spaces for label in self.labels(space.id) if not label.worded)
                found |= abbreviated([label.text for label in labels], _LONGEST_LABEL)
        return sorted((short, whole) for whole, short in found.items() if short != whole)

    @property
    def _sides(self) -> list[str]:
        return [self.game.names.shown(number, PLAYER) for number in range(len(self.game.players))]

    @property
    def _signs(self) -> list[str]:
        return side_signs(self._sides)

    @property
    def _alike(self) -> frozenset[str]:
        """The kinds of pieces that read alike, whosever they are, unless somebody plays alone."""
        if self.showing is None or len(self.game.seats) < 2:
            return frozenset()
        return self.showing.alike

    def _mapped(self, kind: str) -> bool:
        return self.showing is not None and kind in self.showing.kinds

    @property
    def _brief(self) -> bool:
        """Whether to leave out what does not matter now: only where there is a map to see instead."""
        return self.about is not None and any(self._mapped(grid.kind) for grid in self.game.scenario.grids)

    # ------------------------------------------------------------ what lies where

    def _within(self, longest: int, spaces: list[SpaceData]) -> dict[str, list[Label]]:
        """What lies on spaces, by their names, no longer than that and so that different things read so."""
        found = {space.id: self.labels(space.id) for space in spaces}
        long = [label.text for labels in found.values() for label in labels if not label.worded]
        short = abbreviated(long, longest)
        return {
            name: [replace(label, text=short.get(label.text, label.text)) for label in labels]
            for name, labels in found.items()
        }

    def labels(self, place: str) -> list[Label]:
        """Pieces that can be told apart, pieces that cannot, then the values of the place worth telling."""
        return [*self.pieces(place), *self._values(place)]

    def pieces(self, place: str) -> list[Label]:
        found = [
            self._piece(ident, values)
            for ident, values in self.view["pieces"].items()
            if values["at"] == place
        ]
        for text, count in self.view["unknown"].items():
            if text.partition(" at ")[2] == place:
                found.append(Label("?" if count == 1 else f"{count}?"))
        return found

    def _piece(self, ident: str, values: Mapping[str, Any]) -> Label:
        number = self.showing.number(ident) if self.showing is not None else -1
        text = self.showing.piece(number) if self.showing is not None else None
        owner = self._number(values.get("owner"))
        sign = self._signs[owner] if owner >= 0 else ""
        if text is not None and self.showing is not None:
            kind = self.game.piece_kind[number]
            told = f"{sign}:{text}" if sign and kind in self._alike else text
            return Label(told, self._tint(kind, self.showing.piece_colour(number)), sign, worded=True)
        known = ident in self.game.piece_number
        title = self.game.names.piece_title(ident) if known else UNSEEN
        return Label(title, other_tint(owner) if owner >= 0 else None, sign)

    def _tint(self, kind: str, name: str | None) -> Tint | None:
        """The colour of a thing of a kind; `name` is what the rules colour it by."""
        look = self.showing.kinds[kind].look if self.showing is not None else None
        of = look.colour.type if look is not None and look.colour is not None else None
        values = self.game.enums[of.names[0]].values if of is not None and of.tag == "enum" else ()
        return tint(name, values)

    def _values(self, place: str) -> Iterator[Label]:
        number = self.game.place_number.get(place, -1)
        if 0 <= number < len(self.game.spaces) and self._mapped(self.game.spaces[number].kind):
            return  # the rules say how it looks
        values = self.view["spaces"].get(place, {})
        names = self.game.names
        for column in self.game.code.layout.attributes:
            value = values.get(column.attribute) if column.owner == "space" and not column.fixed else None
            if value in _NOTHING or value == [] or column.attribute in self._untold("space"):
                continue
            if column.type.tag == "enum":
                owner = self._number(value) if column.type.names[0] == "player" else -1
                shown = names.shown_id(value, column.type)
                yield Label(shown, *((other_tint(owner), self._signs[owner]) if owner >= 0 else ()))
            else:
                title = names.attribute_title(column.attribute)
                yield Label(title if value is True else f"{title} {names.shown_id(value, column.type)}")

    def _untold(self, owner: str) -> frozenset[str]:
        """The attributes of spaces, or of the values of enums, that are bookkeeping."""
        return frozenset(
            entry.name
            for kind in self.game.program.kinds
            if kind.owner == owner
            for entry in kind.attributes
            if entry.untold
        )

    def _number(self, player: object) -> int:
        return self.game.players.index(str(player)) if player in self.game.players else -1

    # ------------------------------------------------------------ maps

    def _map(self, grid: GridData, spaces: list[SpaceData]) -> list[str]:
        tiles = self._shown_tiles(grid, spaces)
        if tiles:
            return drawn(tiles, self.width, self.colour, self.widest)
        whole = drawn(self._tiles(_places(grid, spaces)), self.width, self.colour) if self.room else []
        return whole if 0 < len(whole) <= self.room else [f"({phrase(self.language, 'no part')})"]

    def _shown_tiles(self, grid: GridData, spaces: list[SpaceData]) -> list[Tile]:
        places = _places(grid, spaces)
        return self._part(places) if self.about is not None else self._tiles(self._around(places))

    def _around(self, places: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
        """Of the spaces of a map those in one block with what it is to show; all if that is not said."""
        wanted = [places[name] for name in self.near or () if name in places]
        if not wanted:
            return places
        first, last = (edge([across for across, _ in wanted]) for edge in (min, max))
        top, bottom = (edge([down for _, down in wanted]) for edge in (min, max))
        return {
            name: (across, down)
            for name, (across, down) in places.items()
            if first - _MARGIN <= across <= last + _MARGIN and top - _MARGIN <= down <= bottom + _MARGIN
        }

    def shows_all(self) -> bool:
        """Whether no map has spaces that are not drawn."""
        grids = [grid for grid in self.game.scenario.grids if self._mapped(grid.kind)]
        return all(
            len(self._around(_places(grid, self._spaces(grid)))) == len(self._spaces(grid)) for grid in grids
        )

    def _tiles(self, places: dict[str, tuple[int, int]]) -> list[Tile]:
        return [self._tile(name, *place) for name, place in places.items()]

    def _tile(self, name: str, across: int, down: int) -> Tile:
        assert self.showing is not None
        number = self.game.place_number[name]
        kind = self.game.spaces[number].kind
        mark = self.marks.get(name, "")
        text = f"{self.game.names.place_title(name)}{self.showing.space(number)}{mark and ' '}{mark}"
        below = self._tint(kind, self.showing.space_colour(number))
        things = tuple(Written(label.text, label.tint) for label in self.labels(name))
        return Tile(across, down, Written(text, below, bool(mark)), things)

    def _part(self, places: dict[str, tuple[int, int]]) -> list[Tile]:
        """The part of a map that shows the places it is about, and some spaces around them."""
        wanted = self._wanted(places)
        if not wanted:
            return []
        rows = (0, 0) if self.tight else (_FEWEST_ROWS, 1)
        top, bottom = _range([down for _, down in wanted], *rows)
        near = self._tiles({name: place for name, place in places.items() if top <= place[1] <= bottom})
        fitting = half_steps(near, self.width, self.widest)
        left, right = self._columns([across for across, _ in wanted], fitting)
        return [tile for tile in near if left <= tile.across <= right]

    def _wanted(self, places: dict[str, tuple[int, int]]) -> list[tuple[int, int]]:
        return [places[name] for name in on_grid(self.game, self.view, self.about or ()) if name in places]

    def holds(self, about: frozenset[str]) -> bool:
        """Whether places are in the part of the maps that is drawn, as far as they are on a map at all."""
        for grid in self.game.scenario.grids:
            if not self._mapped(grid.kind):
                continue
            spaces = self._spaces(grid)
            shown = {(tile.across, tile.down) for tile in self._shown_tiles(grid, spaces)}
            if not shown.issuperset(replace(self, about=about)._wanted(_places(grid, spaces))):
                return False
        return True

    def _columns(self, wanted: list[int], most: int) -> tuple[int, int]:
        """From where to where, in half steps: as much as fits the screen side by side, if that can be."""
        fitting = max(2 * _NARROWEST_PART, most)
        least = min(2 * _FEWEST_COLUMNS, fitting - 1)
        for margin in (2, 0):
            left, right = _range(wanted, least, margin)
            if right - left < fitting:
                return left, right
        middle = sorted(wanted)[len(wanted) // 2]
        return middle - fitting // 2, middle - fitting // 2 + fitting - 1

    # ------------------------------------------------------------ grids

    def _strips(self, grid: GridData, spaces: list[SpaceData]) -> list[list[str]]:
        """A grid with signs, in as few parts of equal width as fit the screen; none if that cannot be."""
        across = {space.id: _half_steps(grid.layout, space)[0] for space in spaces}
        first, last = min(across.values()), max(across.values())
        for count in range(1, (last - first) // (2 * _NARROWEST_PART) + 2):
            share = -(-(last + 1 - first) // count)
            share += share % 2
            parts = [
                [space for space in spaces if start <= across[space.id] < start + share]
                for start in range(first, last + 1, share)
            ]
            strips = [self._grid(grid, part, short=True) for part in parts]
            if all(map(self._fits, strips)):
                return strips
        return []

    def _grid(self, grid: GridData, spaces: list[SpaceData], *, short: bool = False) -> list[str]:
        if not spaces:
            return []
        square = grid.shape == "square"
        headings = _headings(spaces) if square else None
        labels = self._within(_LONGEST_LABEL, spaces)
        cells = {name: self._cell(name, each, headings is not None, short) for name, each in labels.items()}
        widest = max(display_width(cell.text) for cell in cells.values())
        if headings is not None:
            widest = max(widest, *(display_width(head) for head in headings[0].values()))
        rows = _plotted(grid.layout, spaces, widest + 1)
        lines = [_row([(at, cells[ident]) for at, ident in row], self.colour) for row in rows]
        return (
            _with_headings(grid.layout, lines, headings, spaces, widest + 1)
            if headings is not None
            else lines
        )

    def _cell(self, place: str, labels: list[Label], headed: bool, short: bool) -> Label:
        """What is drawn for a space. Where no headings name it, an empty one shows its own name."""
        mark = self.marks.get(place, "")
        if not labels:
            named = " ".join(filter(None, (self.game.names.place_title(place), mark)))
            return Label(mark or _EMPTY_CELL if headed else named)
        more = f"+{len(labels) - 1}" if len(labels) > 1 else ""
        text = (labels[0].short if short else labels[0].text) + more + mark
        return Label(text if headed else f"[{text}]", labels[0].tint)

    # ------------------------------------------------------------ lists

    def _list(self, spaces: list[SpaceData]) -> list[str]:
        lines = []
        empty = 0
        found = self._within(_IN_A_LIST, spaces)
        for space in spaces:
            labels = found[space.id]
            empty += not labels
            if labels or len(spaces) <= _FEW:
                lines.append(self._place_line(space, labels))
        if empty and len(spaces) > _FEW:
            lines.append(f"({phrase(self.language, 'empty', count=empty)})")
        return lines

    def _place_line(self, space: SpaceData, labels: Iterable[Label]) -> str:
        mark = self.marks.get(space.id, "")
        name = f"{self.game.names.place_title(space.id)}{mark and ' '}{mark}"
        return phrase(self.language, "of", name=harmless(name), told=self._joined(labels)).rstrip()

    def _beside(self, spaces: list[SpaceData]) -> list[str]:
        """Places beside the boards: all, or those of the kinds that matter now, the others only counted."""
        if not self._brief:
            return self._list(spaces)
        about, found = self.about or frozenset(), self._within(_IN_A_LIST, spaces)
        involved = {space.kind for space in spaces if space.id in about}
        lines: list[str] = []
        others: list[str] = []
        for kind in dict.fromkeys(space.kind for space in spaces):
            labelled = [(space, found[space.id]) for space in spaces if space.kind == kind]
            filled = [(space, labels) for space, labels in labelled if labels]
            if kind in involved:
                lines += [self._place_line(space, labels) for space, labels in labelled if labels]
            elif filled:
                title = self.game.names.kind_title(kind)
                others.append(f"{title} {sum(len(labels) for _, labels in filled)}")
        if others:
            lines.append(harmless(phrase(self.language, "elsewhere", kinds=", ".join(others))))
        return lines

    def _line(self, name: str, told: str) -> str:
        return harmless(phrase(self.language, "of", name=name, told=told))

    def _joined(self, labels: Iterable[Label]) -> str:
        return ", ".join(_styled(label, self.colour) for label in labels)

    def _piles(self) -> list[str]:
        lines = []
        for name, content in self.view["piles"].items():
            kind = self.game.pile_kind[self.game.place_number[name]]
            if not content or (self._brief and (kind.untold or not self._is_hand(kind))):
                continue
            shown = str(content)
            if isinstance(content, list):
                names = [self._card(item) if item is not None else "?" for item in content]
                shown = f"{len(names)}: {', '.join(names)}" if names else "0"
            lines.append(self._line(self.game.names.place_title(name), shown))
        return lines

    def _is_hand(self, kind: Kind) -> bool:
        """Whether somebody holds what lies there: of other piles only `board` tells."""
        return kind.seen is not None and any(grant.seers in ("owner", "team") for grant in kind.seen.grants)

    def _card(self, ident: str) -> str:
        text = self.showing.piece(self.showing.number(ident)) if self.showing is not None else None
        return text or self.game.names.title_of_key(ident)

    def _counts(self) -> list[str]:
        """Variables, and what each player or other value has."""
        lines = []
        names = self.game.names
        if self.about is not None and self.game.program.status:
            return []  # the rules say what there is to tell
        left_out = self._untold("enum")
        for enum, values in self.view["each"].items():
            for value, attributes in values.items():
                told = ", ".join(
                    f"{names.attribute_title(name)} {self._shown('enum', name, each)}"
                    for name, each in attributes.items()
                    if each is not None and name not in left_out
                )
                if told:
                    lines.append(self._line(names.shown_id(value, Type("enum", (enum,))), told))
        kinds = {variable.name: variable for variable in self.game.program.variables}
        told = ", ".join(
            f"{names.variable_title(name)} {names.shown_id(each, kinds[name].type)}"
            for name, each in self.view["variables"].items()
            if each is not None and each != [] and not kinds[name].untold
        )
        return [*lines, harmless(told)] if told else lines

    def _shown(self, owner: str, attribute: str, value: object) -> str:
        return _shown(self.game, owner, attribute, value)


def _shown(game: Game, owner: str, attribute: str, value: object) -> str:
    """A value of a view in words."""
    for column in game.code.layout.attributes:
        if (column.owner, column.attribute) == (owner, attribute):
            return game.names.shown_id(value, column.type)
    return game.names.place_title(str(value)) if attribute == "at" else str(value)


def _places(grid: GridData, spaces: list[SpaceData]) -> dict[str, tuple[int, int]]:
    return {space.id: _half_steps(grid.layout, space) for space in spaces}


def _half_steps(layout: GridLayout, space: SpaceData) -> tuple[int, int]:
    """Where a space lies: half steps across, rows down."""
    along, across = position(layout, space.row, space.column)
    if layout.shape == "square":
        return along * 2, across
    return (across * 2, along) if layout.orientation == "flat" else (along, across)


def _range(values: list[int], least: int, margin: int) -> tuple[int, int]:
    """From the lowest to the highest value, with a margin, and not too narrow."""
    low, high = min(values) - margin, max(values) + margin
    more = max(0, least - (high - low))
    return low - more // 2, high + (more + 1) // 2


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
    layout: GridLayout,
    lines: list[str],
    headings: tuple[dict[int, str], dict[int, str]],
    spaces: list[SpaceData],
    width: int,
) -> list[str]:
    columns, rows = headings
    step = 2 * ((width + 1) // 2)
    margin = max(display_width(head) for head in rows.values()) + 1
    across = {_half_steps(layout, space)[0] // 2: columns[space.column] for space in spaces}
    first = min(across)
    top = _row([((place - first) * step, Label(head)) for place, head in sorted(across.items())], False)
    sides = [rows[number] for number in sorted({space.row for space in spaces})]
    body = [f"{side:>{margin - 1}} {line}" for side, line in zip(sides, lines, strict=True)]
    return [(" " * margin + top).rstrip(), *body] if top.strip() else body


def _styled(label: Label, colour: bool) -> str:
    text = harmless(label.text)
    if not colour or label.tint is None:
        return text
    return click.style(text, fg=label.tint.text, bold=True)


def places_of_pieces(view: Mapping[str, Any]) -> frozenset[str]:
    """The spaces on which something lies."""
    return frozenset(str(one["at"]) for one in view["pieces"].values() if one["at"] in view["spaces"])


def piece_lines(drawing: Drawing) -> list[str]:
    """What lies where, place by place, and how many pieces lie nowhere."""
    game, view = drawing.game, drawing.view
    told = [name for name in view["piles"] if not game.pile_kind[game.place_number[name]].untold]
    lines = []
    for place in (*view["spaces"], *told):
        names = ", ".join(label.text for label in drawing.pieces(place))
        if names:
            title = game.names.place_title(place)
            lines.append(harmless(phrase(drawing.language, "of", name=title, told=names)))
    records = {kind.name for kind in game.program.kinds if kind.record}
    kinds = [values["kind"] for values in view["pieces"].values() if values["at"] in (None, "nothing")]
    nowhere = sum(kind not in records for kind in kinds)
    if nowhere:
        lines.append(f"({phrase(drawing.language, 'nowhere', count=nowhere)})")
    return lines or [phrase(drawing.language, "no pieces")]


def every_piece_line(game: Game, view: Mapping[str, Any], language: str) -> list[str]:
    """Every piece that can be seen, with what can be seen of it, and how many there are of the others."""
    lines = []
    for ident, values in view["pieces"].items():
        name = game.names.title_of_key(ident)
        told = _attributes(game, "piece", values)
        whole = f"{ident} ({name})" if name != ident and ident in game.piece_number else name
        lines.append(harmless(f"{whole}: {told}"))
    for text, count in view["unknown"].items():
        lines.append(harmless(f"{count} {text} ({phrase(language, 'hidden')})"))
    return lines or [phrase(language, "no pieces")]


def look_lines(look: Look, here: str, language: str) -> list[str]:
    """What a player wants to know of a thing: where it is, how it stands, what is printed on it."""
    head = phrase(language, "looked at", name=look.name, kind=look.kind)
    if look.place:
        head = phrase(language, "in place", name=head, place=look.place)
    told = {
        "reads": _read(look, language),
        "here": here,
        "now": ", ".join(_standing(look, language)),
        "printed": ", ".join(_told(look.printed)),
    }
    lines = [phrase(language, f"look {key}", told=text) for key, text in told.items() if text]
    more = phrase(language, "look more and show" if look.reaches else "look more", name=look.name)
    return [harmless(line) for line in (head, *lines, *([look.text] if look.text else []), more)]


def _read(look: Look, language: str) -> str:
    """What stands on a counter, with what signs on it mean."""
    if look.reads == look.name:
        return ""
    signs = "; ".join(phrase(language, "of", name=sign, told=told) for sign, told in look.signs)
    return phrase(language, "with signs", text=look.reads, signs=signs) if signs else look.reads


def _standing(look: Look, language: str) -> list[str]:
    """How a thing stands; its steps with how many there are, first if some are lost."""
    if look.steps is None:
        return _told(look.now)
    count, full = look.steps
    steps = phrase(language, "steps", count=count, of=full)
    others = _told(fact for fact in look.now if fact[0] != phrase(language, "step title"))
    return [steps, *others] if count < full else [*others, steps]


def _told(facts: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{title} {value}".strip() for title, value in facts]


def things_on(game: Game, view: Mapping[str, Any], place: str) -> str:
    """The pieces on a place, by name."""
    return ", ".join(label.text for label in Drawing(game, view).pieces(place))


def thing_lines(game: Game, view: Mapping[str, Any], name: str) -> list[str]:
    """Everything a seat sees of one piece, space or pile; nothing if it sees no such thing."""
    if name in view["pieces"]:
        title = game.names.title_of_key(name)
        return [harmless(f"{title}: {_attributes(game, 'piece', view['pieces'][name])}")]
    here = ", ".join(label.text for label in Drawing(game, view).labels(name))
    title = game.names.place_title(name)
    if name in view["spaces"]:
        return [
            harmless(f"{title}: {_attributes(game, 'space', view['spaces'][name])}".rstrip(": ")),
            *([here] if here else []),
        ]
    if name in view["piles"]:
        content = view["piles"][name]
        told = str(content)
        if isinstance(content, list):
            told = ", ".join(UNSEEN if item is None else game.names.title_of_key(item) for item in content)
        return [harmless(f"{title}: {told or '-'}")]
    return _counted(game, view, name)


def _counted(game: Game, view: Mapping[str, Any], name: str) -> list[str]:
    """What a player or another value has, or what a variable is."""
    for enum, values in view["each"].items():
        if name in values:
            title = game.names.shown_id(name, Type("enum", (enum,)))
            told = {attribute: each for attribute, each in values[name].items() if each is not None}
            shown = (f"{game.names.attribute_title(a)} {_shown(game, 'enum', a, v)}" for a, v in told.items())
            return [harmless(f"{title}: {', '.join(shown)}")]
    kinds = {variable.name: variable.type for variable in game.program.variables}
    value = view["variables"].get(name)
    if value is None:
        return []
    return [harmless(f"{game.names.variable_title(name)}: {game.names.shown_id(value, kinds[name])}")]


def _attributes(game: Game, owner: str, values: Mapping[str, Any]) -> str:
    told = []
    for name, value in values.items():
        if name == "kind":
            told.append(f"{game.names.attribute_title(name)} {game.names.kind_title(str(value))}")
        elif value is not None:
            told.append(f"{game.names.attribute_title(name)} {_shown(game, owner, name, value)}")
    return ", ".join(told)
