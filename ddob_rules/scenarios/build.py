"""From the merged tree of a scenario to its checked parts: spaces, edges, pieces, piles, start values.

Everything that refers to something else is checked here. A part that has the wrong form was told by the
schema and is passed over, so that one mistake is told once. Reading files and putting the parts together is
left to `scenario`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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
from ddob_rules.reports.diagnostics import Label
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.scenarios.maps import MOST_SPACES, REMARKS, Cell, DrawnBoard, draw_board, grid_neighbours
from ddob_rules.scenarios.merge import copied, used_twice
from ddob_rules.scenarios.schema import MOST_COPIES, is_required
from ddob_rules.scenarios.values import Encoder
from ddob_rules.syntax.source import Span
from interpreter.ir import Attribute, Kind
from interpreter.machine.scenario import EdgeData, GridData, PieceData, SpaceData, Value, Values

# The largest counter mixes have some two thousand pieces.
MOST_PIECES = 20_000
# The place of a piece that is left out of the game.
NOWHERE = "nothing"
# What is said of a board may only follow from a misspelt key that the schema has told: a missing drawing,
# an id that a numbering would have made.
_MAY_FOLLOW = ("E0613", "E0622", "E0634")


@dataclass(slots=True, kw_only=True)
class _Piece:
    """A piece before its values are known."""

    id: str
    kind: Kind
    node: MappingNode
    place: Span
    at: str = ""
    at_span: Span | None = None
    nowhere: bool = False


@dataclass(slots=True, kw_only=True)
class Built:
    """The parts of a scenario that come from its data."""

    grids: list[GridData] = field(default_factory=list)
    spaces: list[SpaceData] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    edges: list[EdgeData] = field(default_factory=list)
    pieces: list[PieceData] = field(default_factory=list)
    piles: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    each: list[tuple[str, str, str, Value]] = field(default_factory=list)
    variables: Values = ()


def build(
    root: MappingNode, encoder: Encoder, players: tuple[str, ...], base: MappingNode | None = None
) -> Built:
    """Build all parts; mistakes are left with the encoder. `base` is the data of what this is based on."""
    return _Builder(root, encoder, players, base).build()


class _Builder:
    def __init__(
        self, root: MappingNode, encoder: Encoder, players: tuple[str, ...], base: MappingNode | None
    ) -> None:
        self.root = root
        self.base = base
        self.encoder = encoder
        self.players = players
        self.built = Built()
        self.boards: list[DrawnBoard] = []
        self.cells: dict[str, tuple[DrawnBoard, Cell]] = {}
        self.order: dict[str, int] = {}
        self.linked: set[tuple[str, str]] = set()
        self.pieces: dict[str, _Piece] = {}
        self.copies: dict[str, list[str]] = {}

    def build(self) -> Built:
        # Ids first, then what refers to them.
        self._draw()
        self._gather_pieces()
        self._spaces()
        self._links()
        self._edges()
        self._place_pieces()
        self._each()
        variables = entries_of(self.root.get("variables"))
        declared = tuple(
            Attribute(name=item.name, type=item.type, start=item.start, bounds=item.bounds)
            for item in self.encoder.program.variables
        )
        self.built.variables = self.encoder.attributes(declared, _values(variables))
        return self.built

    # ------------------------------------------------------------ spaces

    def _draw(self) -> None:
        boards = entries_of(self.root.get("boards"))
        room, known = MOST_SPACES, self.encoder.spaces_known
        for kind in self._kinds("space"):
            entry = boards.get(kind.name)
            if entry is None or not isinstance(entry.value, MappingNode):
                continue
            language = self.encoder.language
            board = draw_board(kind, entry.value, entry.key.span, room=room, language=language)
            room -= len(board.cells)
            self.boards.append(board)
            told = [item for item in board.diagnostics if known or item.code not in _MAY_FOLLOW]
            self.encoder.diagnostics.extend(told)
            if board.diagnostics:
                # Spaces may be missing for the reason just told; references to them are not to blame.
                self.encoder.spaces_known = False
            self._know(board)

    def _know(self, board: DrawnBoard) -> None:
        for cell in board.cells:
            known = self.cells.get(cell.id)
            if known is not None:
                if self.encoder.spaces_known:
                    twice = used_twice(cell.id, cell.place, known[1].place, self.encoder.language)
                    self.encoder.diagnostics.append(twice)
                # All that follow clash as well if two boards are numbered alike; that is one mistake.
                return
            if cell.id in self.encoder.piles:
                self.encoder.report("E0621", cell.place, id=cell.id)
            self.cells[cell.id] = (board, cell)
            self.order[cell.id] = len(self.order)
            self.encoder.spaces[cell.id] = board.kind

    def _spaces(self) -> None:
        for board in self.boards:
            if board.grid is not None:
                self.built.grids.append(board.grid)
            told: set[tuple[Span, str]] = set()
            for cell in board.cells:
                values = self.encoder.attributes(board.kind.attributes, cell.attributes)
                for attribute in board.kind.attributes:
                    name = attribute.given_as
                    key = (cell.origin, name)
                    # A legend entry that lacks something lacks it for every space it draws: tell it once.
                    if is_required(attribute) and name not in cell.attributes and key not in told:
                        told.add(key)
                        advice = self._meant(cell.id, self._spaces_of_base(board.kind))
                        self._missing(cell.origin, name, cell.id, self.encoder.spaces_known, advice)
                space = SpaceData(
                    id=cell.id, kind=board.kind.name, row=cell.row, column=cell.column, values=values
                )
                self.built.spaces.append(space)

    def _missing(self, place: Span, attribute: str, owner: str, known: bool, help: str | None = None) -> None:
        # If something near was misspelt, it may be just this.
        if known:
            self.encoder.report("E0628", first_line(place), help=help, attribute=attribute, owner=owner)

    def _meant(self, name: str, known: Collection[str]) -> str | None:
        """A question about what was to be changed, if this is not a thing of the base but nearly."""
        return None if name in known else did_you_mean(name, known, self.encoder.language) or None

    def _spaces_of_base(self, kind: Kind) -> Collection[str]:
        boards = entries_of(self.base.get("boards") if self.base is not None else None)
        board = boards.get(kind.name)
        spaces = entries_of(board.value).get("spaces") if board is not None else None
        return [*entries_of(spaces.value)] if spaces is not None else []

    def _pieces_of_base(self) -> Collection[str]:
        kinds = entries_of(self.base.get("pieces") if self.base is not None else None)
        items = (item for kind in kinds.values() for item in items_of(kind.value))
        return [text_of(item.get("id")) for item in items if isinstance(item, MappingNode)]

    def _links(self) -> None:
        for board in self.boards:
            if board.kind.board == "track":
                names = [cell.id for cell in board.cells]
                for first, second in zip(names, names[1:], strict=False):
                    self._link(first, second)
            for one, other in board.links:
                if one.text == other.text:
                    self.encoder.report("E0638", one.span.to(other.span), id=one.text)
                elif all([self._is_space(one), self._is_space(other)]):
                    self._link(one.text, other.text)

    def _link(self, first: str, second: str) -> None:
        pair = self._ordered(first, second)
        if pair not in self.linked:
            self.linked.add(pair)
            self.built.links.append(pair)

    def _is_space(self, node: ScalarNode) -> bool:
        if node.text in self.cells:
            return True
        if self.encoder.spaces_known:
            self.encoder.unknown(node, "space", self.cells)
        return False

    def _ordered(self, first: str, second: str) -> tuple[str, str]:
        in_order = self.order.get(first, 0) <= self.order.get(second, 0)
        return (first, second) if in_order else (second, first)

    # ------------------------------------------------------------ edges

    def _edges(self) -> None:
        edges = entries_of(self.root.get("edges"))
        for kind in self._kinds("edge"):
            entry = edges.get(kind.name)
            found: dict[tuple[str, str], dict[str, tuple[Value, Span]]] = {}
            for pair, attribute, value, place in self._edge_values(kind, entry):
                self._give(found.setdefault(pair, {}), attribute, value, place)
            for pair in sorted(found, key=lambda ends: (self.order[ends[0]], self.order[ends[1]])):
                given = found[pair]
                names = [attribute.name for attribute in kind.attributes if attribute.name in given]
                values = tuple((name, given[name][0]) for name in names)
                self.built.edges.append(
                    EdgeData(kind=kind.name, first=pair[0], second=pair[1], values=values)
                )

    def _give(
        self, given: dict[str, tuple[Value, Span]], attribute: Attribute, value: Value, place: Span
    ) -> None:
        known = given.get(attribute.name)
        if known is None:
            given[attribute.name] = (value, place)
        elif attribute.type.tag != "set":
            first = "d'abord ici" if self.encoder.language == "fr" else "first given here"
            self.encoder.report("E0607", place, Label(known[1], first), key=attribute.name)
        elif isinstance(value, int) and isinstance(known[0], int):
            given[attribute.name] = (known[0] | value, place)
        elif isinstance(value, tuple) and isinstance(known[0], tuple):
            given[attribute.name] = (tuple(dict.fromkeys((*known[0], *value))), place)

    def _edge_values(
        self, kind: Kind, entry: Entry | None
    ) -> Iterator[tuple[tuple[str, str], Attribute, Value, Span]]:
        """Each value of each edge, from both ways to write them."""
        for key, single in entries_of(entry.value if entry is not None else None).items():
            if key in REMARKS:
                continue
            if key == "by":
                yield from self._edge_lists(kind, single.value)
                continue
            pair = self._pair(kind, single.key)
            values = self.encoder.attributes(kind.attributes, _values(entries_of(single.value)))
            if pair is not None:
                for attribute in kind.attributes:
                    for value in [value for name, value in values if name == attribute.name]:
                        yield pair, attribute, value, single.key.span

    def _edge_lists(self, kind: Kind, node: Node) -> Iterator[tuple[tuple[str, str], Attribute, Value, Span]]:
        lists = entries_of(node)
        for attribute in kind.attributes:
            listed = lists.get(attribute.name)
            for key, entry in entries_of(listed.value if listed is not None else None).items():
                if key in REMARKS:
                    continue
                value = self.encoder.value(attribute.type, entry.key)
                for item in items_of(entry.value):
                    pair = self._pair(kind, item) if isinstance(item, ScalarNode) else None
                    if pair is not None and value is not None:
                        yield pair, attribute, value, first_line(item.span)

    def _pair(self, kind: Kind, node: ScalarNode) -> tuple[str, str] | None:
        ends = [end.strip() for end in node.text.split("|")]
        place = first_line(node.span)
        if len(ends) != 2 or not all(ends):
            self.encoder.report("E0627", place, text=node.text)
            return None
        nodes = [ScalarNode(span=place, text=end) for end in ends]
        if not all([self._is_space(end) for end in nodes]):
            return None
        for end in ends:
            found = self.cells[end][0].kind.name
            if kind.of and found not in kind.of:
                joins = " | ".join(kind.of)
                if not self.encoder.spaces_known:
                    return None
                self.encoder.report("E0626", place, kind=kind.name, joins=joins, id=end, found=found)
                return None
        if not self._adjacent(*ends):
            if self.encoder.spaces_known:
                self.encoder.report("E0625", place, first=ends[0], second=ends[1])
            return None
        return self._ordered(*ends)

    def _adjacent(self, first: str, second: str) -> bool:
        if self._ordered(first, second) in self.linked:
            return True
        (board, one), (other_board, other) = self.cells[first], self.cells[second]
        return (
            board is other_board
            and board.grid is not None
            and grid_neighbours(board.grid, (one.row, one.column), (other.row, other.column))
        )

    # ------------------------------------------------------------ pieces and piles

    def _gather_pieces(self) -> None:
        pieces = entries_of(self.root.get("pieces"))
        for kind in self._kinds("piece", "card"):
            entry = pieces.get(kind.name)
            for node in items_of(entry.value if entry is not None else None):
                name = entries_of(node).get("id")
                if isinstance(node, MappingNode) and name is not None and text_of(name.value):
                    for piece in self._pieces(kind, node, text_of(name.value), name.value.span):
                        if not self._add(piece):
                            break

    def _pieces(self, kind: Kind, node: MappingNode, name: str, place: Span) -> Iterator[_Piece]:
        count = node.get("count")
        if count is None:
            if copied(name):
                self.copies.setdefault(copied(name), []).append(name)
            yield _Piece(id=name, kind=kind, node=node, place=place)
            return
        number = plain_value(count)
        if isinstance(number, int) and 1 <= number <= MOST_COPIES:
            self.copies.setdefault(name, []).extend(f"{name}#{index + 1}" for index in range(number))
            for index in range(number):
                yield _Piece(id=f"{name}#{index + 1}", kind=kind, node=node, place=place)

    def _add(self, piece: _Piece) -> bool:
        known = self.pieces.get(piece.id)
        if known is not None:
            twice = used_twice(piece.id, piece.place, known.place, self.encoder.language)
            self.encoder.diagnostics.append(twice)
            # The other copies of the two entries clash as well; that is one mistake.
            return False
        if len(self.pieces) >= MOST_PIECES:
            if self.encoder.pieces_known:
                large = too_large(first_line(piece.place), MOST_PIECES, "pieces", self.encoder.language)
                self.encoder.diagnostics.append(large)
            self.encoder.pieces_known = False
            return False
        self.pieces[piece.id] = piece
        self.encoder.pieces[piece.id] = piece.kind
        return True

    def _place_pieces(self) -> None:
        known: dict[int, Values] = {}
        for piece in self.pieces.values():
            if id(piece.node) not in known:
                # Copies share their values, and their mistakes.
                known[id(piece.node)] = self.encoder.attributes(
                    piece.kind.attributes, _values(piece.node.entries)
                )
                self._check_complete(piece)
                self._find_place(piece)
            else:
                self._find_place(piece, quiet=True)
        self._piles()
        for piece in self.pieces.values():
            values = known[id(piece.node)]
            self.built.pieces.append(PieceData(id=piece.id, kind=piece.kind.name, at=piece.at, values=values))

    def _check_complete(self, piece: _Piece) -> None:
        """Of a scenario that stands alone the schema has told it; of another it takes all files to know."""
        needed = [item.given_as for item in piece.kind.attributes if is_required(item)]
        missing = list(dict.fromkeys(name for name in needed if name not in piece.node.entries))
        if missing and (self.base is not None or "like" in piece.node.entries):
            advice = self._meant(piece.id, self._pieces_of_base())
            self._missing(piece.place, ", ".join(missing), piece.id, self.encoder.pieces_known, advice)

    def _find_place(self, piece: _Piece, quiet: bool = False) -> None:
        node = piece.node.get("at")
        if not isinstance(node, ScalarNode) or not node.text:
            return
        if node.text == NOWHERE and NOWHERE not in self.cells:
            piece.nowhere = True
            return
        if not quiet:
            self._check_holds(self.encoder.place(node), node, piece)
        piece.at, piece.at_span = node.text, first_line(node.span)

    def _check_holds(self, pile: Kind | None, node: ScalarNode, piece: _Piece) -> None:
        if pile is not None and pile.owner == "pile" and pile.of and piece.kind.name not in pile.of:
            expected = " | ".join(pile.of)
            place = first_line(node.span)
            self.encoder.report("E0623", place, id=piece.id, kind=piece.kind.name, expected=expected)

    def _piles(self) -> None:
        listed: dict[str, tuple[ScalarNode, str]] = {}
        orders = entries_of(self.root.get("piles"))
        contents: dict[str, list[str]] = {}
        for pile in self.encoder.piles:
            if pile in orders:
                contents[pile] = self._ordered_pile(pile, orders[pile], listed)
        for piece in self.pieces.values():
            if piece.at not in self.encoder.piles or piece.id in listed:
                self._check_card(piece)
            elif piece.at not in orders:
                contents.setdefault(piece.at, []).append(piece.id)
            else:
                label = Label(orders[piece.at].key.span)
                place = piece.at_span or piece.place
                self.encoder.report("E0635", place, label, id=piece.id, place=piece.at, pile=piece.at)
        for pile in self.encoder.piles:
            if contents.get(pile):
                self.built.piles.append((pile, tuple(contents[pile])))

    def _ordered_pile(self, pile: str, entry: Entry, listed: dict[str, tuple[ScalarNode, str]]) -> list[str]:
        names: list[str] = []
        for node in items_of(entry.value):
            if not isinstance(node, ScalarNode):
                continue
            alone = [node.text]
            several = alone if node.text in self.pieces else self.copies.get(node.text, alone)
            if several[0] not in self.pieces:
                if self.encoder.pieces_known:
                    self.encoder.unknown(node, "piece", self.pieces)
                continue
            self._check_holds(self.encoder.piles[pile], node, self.pieces[several[0]])
            for name in several:
                if name in listed:
                    self.encoder.listed_twice(node, listed[name][0])
                    break
                listed[name] = (node, pile)
                if name in self.pieces:
                    self._put(self.pieces[name], pile, node)
                    names.append(name)
        return names

    def _put(self, piece: _Piece, pile: str, node: ScalarNode) -> None:
        at = NOWHERE if piece.nowhere else piece.at
        if at and at != pile:
            label = Label(piece.at_span or piece.place)
            place = first_line(node.span)
            self.encoder.report("E0635", place, label, id=piece.id, place=at, pile=pile)
        piece.at = pile

    def _check_card(self, piece: _Piece) -> None:
        holders = (pile for pile in self.encoder.piles.values() if piece.kind.name in pile.of)
        if piece.kind.owner == "card" and not (piece.at or piece.nowhere) and any(holders):
            self.encoder.report("E0624", first_line(piece.place), id=piece.id)

    # ------------------------------------------------------------ start values

    def _each(self) -> None:
        each = self.root.entries.get("each")
        enums = entries_of(each.value if each is not None else None)
        for kind in self._kinds("enum"):
            entry = enums.get(kind.name)
            given = entries_of(entry.value if entry is not None else None)
            head = next((item.key.span for item in (entry, each) if item is not None), None)
            missing: dict[str, list[str]] = {}
            for value in self.encoder.names(kind.name):
                own = _values(entries_of(given[value].value)) if value in given else {}
                for name, encoded in self.encoder.attributes(kind.attributes, own):
                    self.built.each.append((kind.name, value, name, encoded))
                needed = dict.fromkeys(item.given_as for item in kind.attributes if is_required(item))
                for name in needed:
                    if name not in own and self._takes_part(kind, value):
                        missing.setdefault(name, []).append(value)
            for name, values in missing.items():
                place = given[values[0]].key.span if values[0] in given else head
                place = place or first_line(self.root.span)
                self._missing(place, name, ", ".join(values), self.encoder.pieces_known)

    def _takes_part(self, kind: Kind, value: str) -> bool:
        return kind.name != "player" or value in self.players

    def _kinds(self, *owners: str) -> list[Kind]:
        return [kind for kind in self.encoder.program.kinds if kind.owner in owners]


def _values(entries: Mapping[str, Entry]) -> dict[str, Node]:
    return {key: entry.value for key, entry in entries.items()}
