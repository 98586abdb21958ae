"""From a board as an author draws it to its spaces: ids, printed rows and columns, attributes as written.

A grid is drawn with a legend or given as a rectangle, and its spaces are numbered by a pattern; other
boards list their spaces. Which attributes a space must have, and what their values mean, is left to
`scenario_build`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ddob_rules.library.yamldoc import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    entries_of,
    first_line,
    items_of,
    plain_value,
    text_of,
    too_large,
)
from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.schema_problems import type_words
from ddob_rules.syntax.source import Span
from interpreter.geometry.grids import adjacent_directions, directions, position
from interpreter.ir import Kind
from interpreter.machine.scenario import GridData

# The largest printed maps have some five thousand spaces.
MOST_SPACES = 20_000
REMARKS = ("provenance", "note")
GRIDS = ("hex", "square")

_DEFAULT_NUMBERING = "{row:02}{column:02}"
_FIELD = re.compile(r"\{(row|column|letter|Letter)(?::0([1-9]))?\}")
_GRID_KEYS = ("layout", "first", "numbering", "legend", "rows", "size")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A space before its values are known; `origin` gave it its attributes: a legend entry, the size."""

    id: str
    row: int
    column: int
    place: Span
    origin: Span
    attributes: dict[str, Node]


@dataclass(slots=True, kw_only=True)
class DrawnBoard:
    """The spaces of a kind in their order, and the links that its board adds."""

    kind: Kind
    grid: GridData | None = None
    cells: list[Cell] = field(default_factory=list)
    links: list[tuple[ScalarNode, ScalarNode]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def draw_board(
    kind: Kind, board: MappingNode, head: Span, *, room: int = MOST_SPACES, language: str = "en"
) -> DrawnBoard:
    """Make the spaces of a board of a kind, at most `room` of them; `head` is the key that announces it."""
    drawn = DrawnBoard(kind=kind)
    drawer = _Drawer(drawn, board, head, room, language)
    if kind.board in GRIDS:
        drawer.draw_grid()
    else:
        drawer.list_spaces()
    drawn.links = list(_links(board.get("links")))
    return drawn


def grid_neighbours(grid: GridData, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether two cells of a grid, by printed row and column, are adjacent."""
    layout = grid.layout
    start, end = position(layout, *first), position(layout, *second)
    step = (end[0] - start[0], end[1] - start[1])
    steps = directions(layout)
    return any(steps[name] == step for name in adjacent_directions(layout))


def space_id(numbering: str, row: int, column: int) -> str | None:
    """The id of a cell; None if the numbering cannot name it."""
    if re.search(r"[{}]", _FIELD.sub("", numbering)) or not _FIELD.search(numbering):
        return None
    texts = {
        "row": str(row),
        "column": str(column),
        "letter": _letters(column),
        "Letter": _letters(column).upper(),
    }
    if not texts["letter"] and re.search(r"\{letter", numbering, re.IGNORECASE):
        return None
    return _FIELD.sub(lambda match: texts[match[1]].zfill(int(match[2] or 0)), numbering)


def _letters(column: int) -> str:
    """A column as a, b, ... z, aa, ab, ...; empty before the first."""
    letters = ""
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


class _Drawer:
    """Fills one drawn board; a mistake ends the drawing, since all that follows would be guesses."""

    def __init__(self, drawn: DrawnBoard, board: MappingNode, head: Span, room: int, language: str) -> None:
        self.drawn = drawn
        self.board = board
        self.head = head
        self.room = room
        self.language = language
        self.single = entries_of(board.get("spaces"))

    def draw_grid(self) -> None:
        self.drawn.grid = self._grid()
        rows, size = self.board.entries.get("rows"), self.board.entries.get("size")
        other = rows or self.board.entries.get("legend")
        if size is not None and other is not None:
            self._report("E0631", size.key.span, Label(other.key.span), key="size", other=other.key.text)
        elif size is not None:
            self._rectangle(size.value)
        elif rows is None:
            self._report("E0613", self.head, key="rows")
        elif "legend" not in self.board.entries:
            self._report("E0613", self.head, key="legend")
        else:
            self._drawing(items_of(rows.value), entries_of(self.board.get("legend")))

    def list_spaces(self) -> None:
        for key in _GRID_KEYS:
            if key in self.board.entries:
                self._meaningless(key, self.board.entries[key].key.span)
        for key, entry in self.single.items():
            if key not in REMARKS and self._has_room(entry.key.span):
                attributes = _attributes(entry.value)
                place = entry.key.span
                cell = Cell(id=key, row=0, column=0, place=place, origin=place, attributes=attributes)
                self.drawn.cells.append(cell)

    def _grid(self) -> GridData:
        board = self.drawn.kind.board
        layout = entries_of(self.board.get("layout"))
        shape = layout.get("shape")
        if shape is not None and text_of(shape.value) in GRIDS and text_of(shape.value) != board:
            arguments = {"kind": self.drawn.kind.name, "board": board, "shape": text_of(shape.value)}
            self._report("E0630", shape.value.span, **arguments)
        for key in ("orientation", "shifted") if board == "square" else ("adjacency",):
            if key in layout:
                self._meaningless(key, layout[key].key.span)

        def value(key: str) -> str:
            return text_of(layout[key].value) if key in layout else ""

        return GridData(
            kind=self.drawn.kind.name,
            shape=board,
            orientation=value("orientation") or "pointy",
            shifted=value("shifted") or "even",
            adjacency=value("adjacency") or "orthogonal",
            columns=value("columns") or "rightward",
        )

    def _rectangle(self, size: Node) -> None:
        numbers = _integers(size)
        if len(numbers) != 2:
            return
        height, width = numbers
        if height * width > self.room:
            self.drawn.diagnostics.append(
                too_large(first_line(size.span), MOST_SPACES, "spaces", self.language)
            )
            return
        places = ((row, column) for row in range(height) for column in range(width))
        self._number(
            (row, column, first_line(size.span), first_line(size.span), {}) for row, column in places
        )

    def _drawing(self, rows: tuple[Node, ...], legend: Mapping[str, Entry]) -> None:
        self._number(self._drawn_cells(rows, legend))

    def _drawn_cells(
        self, rows: tuple[Node, ...], legend: Mapping[str, Entry]
    ) -> Iterator[tuple[int, int, Span, Span, dict[str, Node]]]:
        texts = [row.text if isinstance(row, ScalarNode) else "" for row in rows]
        signs = [sign for sign in legend if sign not in REMARKS]
        apart = not any(re.search(r"\S\S", text) for text in texts)
        unknown: set[str] = set()
        for row, text in enumerate(texts):
            for column, sign, offset in _signs(text, signs, apart):
                place = _part(rows[row], offset, len(sign))
                entry = legend.get(sign)
                if column < 0:
                    self._report("E0639", place)
                    return
                if entry is None or sign in REMARKS:
                    if sign not in unknown:
                        unknown.add(sign)
                        advice = did_you_mean(sign, signs, self.language)
                        self._report("E0629", place, help=advice, sign=sign)
                elif text_of(entry.value) != "none":
                    yield row, column, place, entry.key.span, _attributes(entry.value)

    def _number(self, cells: Iterator[tuple[int, int, Span, Span, dict[str, Node]]]) -> None:
        """Give the cells, counted from 0, their printed numbers and ids."""
        numbers = [
            number
            for number in map(plain_value, items_of(self.board.get("first")))
            if isinstance(number, int)
        ]
        first = numbers if len(numbers) == 2 else [1, 1]
        node = self.board.get("numbering")
        numbering = text_of(node) or _DEFAULT_NUMBERING
        place_of_numbering = first_line(node.span) if node is not None else self.head
        leftward = self.drawn.grid is not None and self.drawn.grid.columns == "leftward"
        known: dict[str, Cell] = {}
        for row, column, place, origin, attributes in cells:
            row, column = row + first[0], first[1] + (-column if leftward else column)
            name = space_id(numbering, row, column)
            if name is None:
                shown = {"row": "{row}", "column": "{column}", "letter": "{letter}"}
                self._report("E0633", place_of_numbering, text=numbering, **shown)
                return
            if name in known:
                self._report("E0634", place_of_numbering, id=name)
                return
            if not self._has_room(place):
                return
            given = {**attributes, **_attributes(self.single[name].value if name in self.single else None)}
            cell = Cell(id=name, row=row, column=column, place=place, origin=origin, attributes=given)
            known[name] = cell
            self.drawn.cells.append(cell)
        # Whichever way the numbers run on the map, spaces come in the order of their numbers.
        self.drawn.cells.sort(key=lambda cell: (cell.row, cell.column))
        self._check_single_spaces(known)

    def _check_single_spaces(self, known: dict[str, Cell]) -> None:
        if self.drawn.diagnostics:
            return
        for key, entry in self.single.items():
            if key not in known and key not in REMARKS:
                expected = type_words("space", self.language)
                advice = did_you_mean(key, known, self.language)
                self._report("E0622", entry.key.span, help=advice, id=key, expected=expected)

    def _has_room(self, place: Span) -> bool:
        if len(self.drawn.cells) < self.room:
            return True
        if not self.drawn.diagnostics:
            self.drawn.diagnostics.append(too_large(place, MOST_SPACES, "spaces", self.language))
        return False

    def _meaningless(self, key: str, place: Span) -> None:
        self._report("E0632", place, key=key, board=self.drawn.kind.board or "box")

    def _report(self, code: str, *places: Span | Label, help: str | None = None, **arguments: str) -> None:
        diagnostic = report(code, *places, language=self.language, help=help, **arguments)
        self.drawn.diagnostics.append(diagnostic)


def _signs(text: str, signs: list[str], apart: bool) -> Iterator[tuple[int, str, int]]:
    """The column (from 0), sign and offset of each cell of a row; column -1 for one that is out of line."""
    if any(len(sign) != 1 for sign in signs):
        found = [(match[0], match.start()) for match in re.finditer(r"\S+", text)]
    elif " " not in signs:
        found = [(match[0], match.start()) for match in re.finditer(r"\S", text)]
    elif not apart:
        found = [(sign, offset) for offset, sign in enumerate(text)]
    else:
        # A blank is a sign here, so the blanks between cells must be told from it: every other character is a
        # cell, and one blank before the first is the half-hex indent.
        start = (len(text) - len(text.lstrip())) % 2
        for offset in range(len(text)):
            if (offset - start) % 2 == 0:
                yield (offset - start) // 2, text[offset], offset
            elif not text[offset].isspace():
                yield -1, text[offset], offset
        return
    for column, (sign, offset) in enumerate(found):
        yield column, sign, offset


def _part(node: Node, offset: int, length: int) -> Span:
    """The place of a part of a scalar's text, if the text stands in the file as it is."""
    span = node.span
    for quotation in (0, 1):
        inner = Span(span.source, span.start + quotation, span.end - quotation)
        if isinstance(node, ScalarNode) and inner.text == node.text:
            return Span(span.source, inner.start + offset, inner.start + offset + length)
    return first_line(span)


def _links(node: Node | None) -> Iterator[tuple[ScalarNode, ScalarNode]]:
    for pair in items_of(node):
        match items_of(pair):
            case (ScalarNode() as first, ScalarNode() as second):
                yield first, second


def _integers(node: Node | None) -> list[int]:
    return [number for number in map(plain_value, items_of(node)) if isinstance(number, int)]


def _attributes(node: Node | None) -> dict[str, Node]:
    return {key: entry.value for key, entry in entries_of(node).items()}
