"""From columns and definitions that do not change to what the compiled code looks values up in.

They are filled as they are asked for. Which definitions become tables is decided by the compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.passes.analysis import identifier

if TYPE_CHECKING:
    from interpreter import ir
    from interpreter.machine.game import Game


class _Sets(dict[Any, int]):
    """The things that have a value, as a set; none for a value that nobody has."""

    def __missing__(self, value: Any) -> int:
        return 0


def by_value(column: list[Any]) -> _Sets:
    sets = _Sets()
    for index, value in enumerate(column):
        sets[value] = sets.get(value, 0) | 1 << index
    return sets


class DefinitionTable:
    """A definition as nested look-ups, one level for each parameter; -1 is nothing."""

    def __init__(self, game: Game, name: str, kinds: tuple[ir.Type, ...], result: str) -> None:
        self.game = game
        self.name = name
        self.kinds = kinds
        self.result = result
        self.function = game.namespace[identifier("d", name)]

    def lazy(self, arguments: tuple[int, ...], as_list: bool = False) -> Any:
        return _Lazy(self, arguments, as_list)


class _Lazy(dict[int, Any]):
    """A level of a table."""

    def __init__(self, table: DefinitionTable, arguments: tuple[int, ...], as_list: bool) -> None:
        super().__init__()
        self.table = table
        self.arguments = arguments
        self.as_list = as_list

    def __missing__(self, index: int) -> Any:
        arguments = (*self.arguments, index)
        value: Any
        if len(arguments) == len(self.table.kinds):
            value = self.table.function(self.table.game.no_state, *arguments)
            if self.as_list and self.table.result == "set":
                value = self.table.game.namespace["bits"](value)
        else:
            value = _Lazy(self.table, arguments, self.as_list)
        self[index] = value
        return value


class NoState:
    """Stands in for the state in definitions that read none; what they remember holds for the whole game."""

    fuel = 0  # as many as a state has; whoever goes on with a game fills both up

    def __init__(self, game: Game) -> None:
        self.game = game

    def __getattr__(self, name: str) -> None:
        return None  # nothing is remembered yet
