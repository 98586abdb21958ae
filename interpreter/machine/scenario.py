"""What a scenario hands over to the interpreter: boards, pieces and start values, checked and encoded.

Plain data, made by the author tools from YAML. Values are encoded by type: a number is an int, a flag a
bool, a text a str, an enum value its index, a set of enum values a bit mask; a piece, space or pile is its
id, a set of those a tuple of ids, a list a tuple of values, an edge `first|second`. An attribute that the
scenario does not mention is left out, so that its start value in the rules holds. Numbering pieces and
spaces is left to the game that is built from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.geometry.grids import GridLayout

Value = int | bool | str | tuple["Value", ...]
Values = tuple[tuple[str, Value], ...]
"""Attribute name and value, in the order in which the kind declares its attributes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridData:
    """How the spaces of a kind are laid out; the words are those of `GridLayout`."""

    kind: str
    shape: str
    orientation: str
    shifted: str
    adjacency: str
    columns: str = "rightward"

    @property
    def layout(self) -> GridLayout:
        """The geometry's own view of it."""
        return GridLayout(
            shape="square" if self.shape == "square" else "hex",
            orientation="flat" if self.orientation == "flat" else "pointy",
            shifted="odd" if self.shifted == "odd" else "even",
            adjacency="all" if self.adjacency == "all" else "orthogonal",
            columns="leftward" if self.columns == "leftward" else "rightward",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceData:
    """A space. `row` and `column` are the printed ones on a grid, and 0 elsewhere."""

    id: str
    kind: str
    row: int = 0
    column: int = 0
    values: Values = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceData:
    """A piece or card. `at` is the id of a space or pile, empty for a piece that is out of play."""

    id: str
    kind: str
    at: str = ""
    values: Values = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeData:
    """What is known of the edge between two adjacent spaces, the one that comes first named first."""

    kind: str
    first: str
    second: str
    values: Values = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A whole set-up. `hash` covers what the game depends on, not its name or the texts about it."""

    name: str
    title: str
    description: str
    ruleset: str
    options: tuple[str, ...]
    overlays: tuple[str, ...]
    turns: int | None  # the last one
    first_turn: int
    players: tuple[str, ...]
    grids: tuple[GridData, ...]
    spaces: tuple[SpaceData, ...]
    links: tuple[tuple[str, str], ...]
    edges: tuple[EdgeData, ...]
    pieces: tuple[PieceData, ...]
    piles: tuple[tuple[str, tuple[str, ...]], ...]  # pile id, then what lies in it, top first
    each: tuple[tuple[str, str, str, Value], ...]  # enum, name of its value, attribute, value
    variables: Values
    hash: str
    file: str
    number: tuple[int, int] | None = None  # how many may play, if the scenario says; else the ruleset does
