"""Turn grids of numbered spaces, and links between spaces, into one board that answers questions of geometry.

All spaces of a game share the numbers 0 to count - 1, whatever grid, network or box they belong to.
"Nothing" is -1 and may be passed wherever a space may: nothing is near it, next to it or in sight of it.
A set of spaces is an integer with bit i set for space i; an ordered answer is a tuple. The lists have
one element more than there are spaces, so that index -1 finds the answer for nothing.

A board never changes once it is built; what is costly is worked out when first asked and remembered.

Left out: terrain, cost and movement (`paths`), and everything that changes in play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from interpreter.geometry.grids import (
    ALL_DIRECTIONS,
    Grid,
    GridLayout,
    Position,
    adjacent_directions,
    directions,
    plane_distance,
    position,
)
from interpreter.geometry.sight import Steps, crossed

__all__ = ["Board", "Grid", "GridLayout", "board_of"]


#: Bytes, roughly, for what a board remembers; of a word, and of a step of a line.
_ROOM = 200_000_000
_WORD = 8
_OF_A_STEP = 64
#: So many boards are shared by the games that are played on them.
_SHARED = 8


class Board:
    """The spaces of a game and how they lie to each other."""

    __slots__ = (
        "DIRECTIONS",
        "_distances",
        "layouts",
        "_barriers",
        "_lines",
        "positions",
        "_rays",
        "_rings",
        "_room",
        "_spaces_at",
        "_withins",
        "count",
        "edge_count",
        "edge_ends",
        "edge_index",
        "grid_of",
        "neighbour_list",
        "neighbours",
        "step",
    )

    def __init__(self, count: int, grids: Sequence[Grid], links: Sequence[tuple[int, int]]) -> None:
        """Build a board of `count` spaces.

        Args:
            links: further adjacencies, both ways; repeating one, or one that a grid makes, does no harm.

        Raises:
            ValueError: a space number is out of range, a space or a place on a grid is used twice, or a
                space is linked to itself.
        """
        self.count = count
        self.layouts = tuple(grid.layout for grid in grids)
        self.grid_of: list[int] = [-1] * (count + 1)
        """The number of the grid a space lies on; -1 for a space on none."""
        self.positions: list[Position] = [(0, 0)] * (count + 1)
        self._spaces_at: tuple[dict[Position, int], ...] = tuple({} for _ in grids)
        for number, grid in enumerate(grids):
            self._place(number, grid)
        self.step: dict[str, list[int]] = self._steps()
        """By direction, then space: the next space, or -1. Has all eight names, on every board."""
        used = dict.fromkeys(name for layout in self.layouts for name in directions(layout))
        self.DIRECTIONS: tuple[str, ...] = tuple(used)
        """The direction names that the grids use, in the order of the grids."""
        self.neighbour_list: list[tuple[int, ...]] = self._adjacent(links)
        """By space: its neighbours, ascending."""
        self.neighbours: list[int] = [_mask(spaces) for spaces in self.neighbour_list]
        """By space: its neighbours, as a set."""
        self.edge_ends: list[tuple[int, int]] = [
            (low, high) for low in range(count) for high in self.neighbour_list[low] if low < high
        ]
        """By edge: the two adjacent spaces it joins, lower first. Edges are numbered in ascending order."""
        self.edge_index: dict[tuple[int, int], int] = {ends: i for i, ends in enumerate(self.edge_ends)}
        """The number of the edge between two adjacent spaces, lower first."""
        self.edge_count = len(self.edge_ends)
        self._distances: list[list[int] | None] = [None] * count + [[-1] * (count + 1)]
        self._rings: list[list[int] | None] = [None] * count
        self._withins: list[list[int] | None] = [None] * count
        self._rays: dict[tuple[int, str], tuple[int, ...]] = {}
        self._barriers: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}
        self._lines: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}
        self._room = _ROOM

    def _place(self, number: int, grid: Grid) -> None:
        spaces_at = self._spaces_at[number]
        for space, (row, column) in grid.cells.items():
            self._require(space)
            if self.grid_of[space] >= 0:
                raise ValueError(f"space {space} lies on two grids")
            place = position(grid.layout, row, column)
            if place in spaces_at:
                raise ValueError(
                    f"spaces {spaces_at[place]} and {space} are both at row {row}, column {column}"
                )
            self.grid_of[space] = number
            self.positions[space] = place
            spaces_at[place] = space

    def _require(self, space: int) -> None:
        if not 0 <= space < self.count:
            raise ValueError(f"space {space} is not one of the {self.count} spaces")

    def _steps(self) -> dict[str, list[int]]:
        step = {name: [-1] * (self.count + 1) for name in ALL_DIRECTIONS}
        for layout, spaces_at in zip(self.layouts, self._spaces_at, strict=True):
            for name, (along, across) in directions(layout).items():
                following = step[name]
                for place, space in spaces_at.items():
                    following[space] = spaces_at.get((place[0] + along, place[1] + across), -1)
        return step

    def _adjacent(self, links: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
        adjacent: list[set[int]] = [set() for _ in range(self.count + 1)]
        for layout, spaces_at in zip(self.layouts, self._spaces_at, strict=True):
            for name in adjacent_directions(layout):
                following = self.step[name]
                for space in spaces_at.values():
                    if following[space] >= 0:
                        adjacent[space].add(following[space])
        for first, second in links:
            self._require(first)
            self._require(second)
            if first == second:
                raise ValueError(f"space {first} is linked to itself")
            adjacent[first].add(second)
            adjacent[second].add(first)
        return [tuple(sorted(spaces)) for spaces in adjacent]

    def pair(self, first: int, second: int) -> int:
        """One number for two different spaces in either order, adjacent or not; -1 for the same or nothing.

        The numbers are dense: 0 to count * (count - 1) / 2 - 1.
        """
        if first < 0 or second < 0 or first == second:
            return -1
        low, high = (first, second) if first < second else (second, first)
        return high * (high - 1) // 2 + low

    def edge_of(self, first: int, second: int) -> int:
        """The number of the edge between two spaces, in either order; -1 if they are not adjacent."""
        return self.edge_index.get((first, second) if first < second else (second, first), -1)

    def _make_room(self, size: int) -> None:
        """Of a large board not everything can be remembered: when there is no room, it starts afresh."""
        self._room -= size
        if self._room < 0:
            self._room = _ROOM - size
            self._distances[:-1] = [None] * self.count
            self._rings = [None] * self.count
            self._withins = [None] * self.count
            self._rays.clear()
            self._barriers.clear()
            self._lines.clear()

    def distance(self, first: int, second: int) -> int:
        """How many steps apart two spaces are; -1 if one cannot be reached from the other.

        On one grid this is the distance as printed, which passes over holes and takes no links. Between
        spaces that do not share a grid it is the fewest steps from neighbour to neighbour.
        """
        return self._row(first)[second]

    def _row(self, space: int) -> list[int]:
        """How far all spaces are from one, and nothing behind them."""
        row = self._distances[space]
        if row is None:
            row = self._distances_from(space)
            self._make_room(_WORD * self.count)
            self._distances[space] = row
        return row

    def _distances_from(self, start: int) -> list[int]:
        row = [-1] * (self.count + 1)
        number = self.grid_of[start]
        on_grid = self._spaces_at[number] if number >= 0 else {}
        # A board that is one grid needs no search.
        if len(on_grid) < self.count:
            self._search_from(start, row)
        for place, space in on_grid.items():
            row[space] = plane_distance(self.layouts[number], self.positions[start], place)
        return row

    def _search_from(self, start: int, row: list[int]) -> None:
        row[start] = 0
        queue = [start]
        for here in queue:
            for space in self.neighbour_list[here]:
                if row[space] < 0:
                    row[space] = row[here] + 1
                    queue.append(space)

    def within(self, space: int, limit: int) -> int:
        """The set of spaces at most `limit` away, with the space itself."""
        if space < 0 or limit < 0:
            return 0
        areas = self._withins[space]
        if areas is None:
            areas = []
            for ring in self._rings_around(space):
                areas.append(ring | areas[-1] if areas else ring)
            self._make_room(len(areas) * self.count // _WORD)
            self._withins[space] = areas
        return areas[limit] if limit < len(areas) else areas[-1]

    def ring(self, space: int, radius: int) -> int:
        """The set of spaces exactly `radius` away."""
        if space < 0 or radius < 0:
            return 0
        rings = self._rings_around(space)
        return rings[radius] if radius < len(rings) else 0

    def _rings_around(self, space: int) -> list[int]:
        rings = self._rings[space]
        if rings is None:
            away = self._row(space)
            rings = [0] * (max(away) + 1)
            for other, distance in enumerate(away):
                if distance >= 0:
                    rings[distance] |= 1 << other
            self._make_room(len(rings) * self.count // _WORD)
            self._rings[space] = rings
        return rings

    def ray(self, space: int, direction: str) -> tuple[int, ...]:
        """All spaces in one direction, nearest first, up to the end of the board or a hole in it."""
        found = self._rays.get((space, direction))
        if found is None:
            following = self.step[direction]
            spaces: list[int] = []
            here = following[space]
            while here >= 0:
                spaces.append(here)
                here = following[here]
            found = tuple(spaces)
            self._make_room(_WORD * (len(found) + 20))
            self._rays[space, direction] = found
        return found

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Every straight run of `length` spaces on the grids, each once, from its lower end, ascending.

        Runs of squares go along the diagonals too, whether or not such squares are adjacent.
        """
        if length < 1:
            return ()
        runs: set[tuple[int, ...]] = set()
        for layout, spaces_at in zip(self.layouts, self._spaces_at, strict=True):
            for space in spaces_at.values():
                for name in directions(layout):
                    run = (space, *self.ray(space, name)[: length - 1])
                    if len(run) == length and run[0] <= run[-1]:
                        runs.add(run)
        return tuple(sorted(runs))

    def steps_between(self, first: int, second: int) -> int:
        """How long the line between two spaces of one grid is, without looking where it goes."""
        number = self.grid_of[first]
        if number < 0 or self.grid_of[second] != number:
            return 0
        return plane_distance(self.layouts[number], self.positions[first], self.positions[second])

    def line(self, first: int, second: int) -> tuple[tuple[int, ...], ...]:
        """The spaces strictly between two spaces of one grid, along the straight line between their centres.

        Each step is the one space the line crosses next, or the two, ascending, on either side of an edge
        that it runs along. Places off the board are left out, so a step may be empty. Where a line of squares
        passes exactly through a corner there is no step. Spaces that do not share a grid have no line: the
        answer is ().
        """
        found = self._lines.get((first, second))
        if found is None:
            found = self._line(first, second)
            self._make_room(_OF_A_STEP * (len(found) + 2))
            self._lines[first, second] = found
        return found

    def _line(self, first: int, second: int) -> tuple[tuple[int, ...], ...]:
        number = self.grid_of[first]
        if number < 0 or self.grid_of[second] != number:
            return ()
        along, across = self.positions[first]
        spaces_at: Mapping[Position, int] = self._spaces_at[number]
        steps = []
        for step in self._crossed(first, second):
            places = [(along + place[0], across + place[1]) for place in step]
            steps.append(tuple(sorted(spaces_at[place] for place in places if place in spaces_at)))
        return tuple(steps)

    def _crossed(self, first: int, second: int) -> Steps:
        (along, across), end = self.positions[first], self.positions[second]
        return crossed(self.layouts[self.grid_of[first]].shape, (end[0] - along, end[1] - across))

    def barriers_between(self, first: int, second: int) -> tuple[tuple[int, ...], ...]:
        """The steps of a line that can block it: off the board nothing does, not even half of a step."""
        steps = zip(self.line(first, second), self._crossed(first, second), strict=True)
        return tuple(spaces for spaces, places in steps if len(spaces) == len(places))

    def sight(self, first: int, second: int, blocks: Callable[[int], bool]) -> bool:
        """Whether the straight line between two spaces of one grid is free; the two themselves never block.

        A line along an edge is blocked only if the spaces on both sides block; so along the edge of the board
        nothing blocks it. Spaces that do not share a grid do not see each other.
        """
        if first == second:
            return first >= 0
        number = self.grid_of[first]
        if number < 0 or self.grid_of[second] != number:
            return False
        barriers = self._barriers.get((first, second))
        if barriers is None:
            barriers = self.barriers_between(first, second)
            self._make_room(_OF_A_STEP * (len(barriers) + 2))
            self._barriers[first, second] = barriers
        return not any(all(blocks(space) for space in step) for step in barriers)


def _mask(spaces: Sequence[int]) -> int:
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


def board_of(count: int, grids: Sequence[Grid], links: Sequence[tuple[int, int]]) -> Board:
    """A board, with what it has worked out for other games: under all options and overlays it is the same."""
    printed = tuple((grid.layout, tuple(grid.cells.items())) for grid in grids)
    return _shared_board(count, printed, tuple(links))


@lru_cache(maxsize=_SHARED)
def _shared_board(
    count: int,
    grids: tuple[tuple[GridLayout, tuple[tuple[int, tuple[int, int]], ...]], ...],
    links: tuple[tuple[int, int], ...],
) -> Board:
    return Board(count, [Grid(layout, dict(cells)) for layout, cells in grids], links)
