"""The state of a game: values, chance, and where execution stands, all of it data.

`GameState`, which the generated code defines, adds a slot for each column. A state is advanced by `apply` and
copied by `copy`; nothing outside it changes when it does.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, cast

from interpreter.failures import BadChoice, BadState
from interpreter.machine.choice import Choice, Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter import ir
    from interpreter.machine.game import Game
    from interpreter.machine.reasons import Refusal
    from interpreter.telling.facts import Journal
    from interpreter.telling.journal import Entry

Past = tuple[int, "Past"] | None  # a list that grows at its head and is shared by copies


class State:
    """One position of a game. Made by `Game.start`, `copy` and `Game.from_json`."""

    __slots__ = (
        "turn", "rng", "phase", "result", "player", "ask", "options", "answer", "leaving", "fuel",
        "script", "happened", "past", "count", "given", "stack",
    )  # fmt: skip

    COLUMNS: tuple[str, ...] = ()
    VARIABLES: tuple[str, ...] = ()
    MEMORIES: tuple[str, ...] = ()

    game: Game  # of the class: each game has its own
    turn: int
    rng: int
    phase: str
    result: tuple[int, int, tuple[Any, ...]] | None  # winners, number of the ending, values in its sentence
    player: int
    ask: int
    options: list[Any]
    answer: Any
    leaving: bool
    fuel: int
    script: tuple[tuple[Any, ir.Type, bool], ...]  # of an example: values, and whether dice show them
    happened: Journal  # newest first
    past: Past
    count: int
    given: Any  # the result of the procedure that was just left
    stack: list[list[Any]]
    # Columns that every game has; the others are known only to the generated code.
    at: list[int]
    inside: list[int]
    order: list[tuple[int, ...]]

    @property
    def depth(self) -> int:
        """How many procedures are under way."""
        return len(self.stack)

    def copy(self) -> State:
        """An independent copy, in the time it takes to copy a few lists."""
        raise NotImplementedError  # the generated class has it

    # ------------------------------------------------------------ playing

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def choice(self) -> Choice | None:
        """What is asked now; None when the game is over."""
        return None if self.result is not None else Choice(self)

    def apply(self, option: Option | int | str) -> State:
        """Takes one of the options on offer: the option, its number, or its key. Returns the state itself."""
        if self.result is not None:
            raise BadChoice("the game is over")
        index = option if type(option) is int else self._number(cast("Option | str", option))
        if not 0 <= index < len(self.options):
            raise BadChoice(f"there is no option {index}; there are {len(self.options)}")
        self.take(index)
        return self

    def _number(self, option: Option | str) -> int:
        if isinstance(option, Option):
            if option.offer.made_in(self):
                return option.index
            raise BadChoice(f"`{option.label}` is not on offer")
        index = self.game.find_option(self, option)
        if index is None:
            raise BadChoice(f"`{option}` is not on offer")
        return index

    def take(self, index: int) -> None:
        """Takes the option with this number, which must exist, and goes on to the next choice."""
        raise NotImplementedError  # the generated class has it

    def _finish(self) -> None:
        self.stack.clear()
        self.options = []
        self.player = -1
        self.ask = -1

    # ------------------------------------------------------------ looking

    @property
    def winners(self) -> tuple[str, ...]:
        return self.game.result_names(self)

    @property
    def lost(self) -> bool:
        """Whether the game is over and all have lost."""
        return self.game.all_lost(self)

    @property
    def ranking(self) -> tuple[tuple[str, int], ...]:
        """The players with their points, the best first, where the game ended with a rank."""
        return self.game.ranking(self)

    @property
    def ending(self) -> str:
        """The sentence of the rule that ended the game; empty where none did."""
        return self.game.ending(self)

    def why_not(self, action: str, *arguments: object, player: str | None = None) -> Refusal | None:
        """The first condition of an action that fails, with its rule numbers; None if it is allowed."""
        return self.game.why_not(self, action, arguments, player)

    @property
    def journal(self) -> Sequence[Entry]:
        """What happened, oldest first: every change with its rule; empty for games without a journal."""
        return self.game.entries(self)

    def entries(self) -> Sequence[Entry]:
        """The journal, oldest first."""
        return self.game.entries(self)

    def why(self, thing: str) -> Sequence[Entry]:
        """The history of one piece or space: every change, with the rule that made it."""
        return self.game.history(self, thing)

    def view(self, seat: str | None) -> dict[str, Any]:
        """What a seat may see, by name; None sees everything."""
        return self.game.view(self, seat)

    @property
    def choices(self) -> list[int]:
        """The numbers of the options taken so far, oldest first."""
        found: list[int] = []
        link = self.past
        while link is not None:
            found.append(link[0])
            link = link[1]
        return found[::-1]

    # ------------------------------------------------------------ data

    def data(self) -> dict[str, Any]:
        """Everything that is this position, as plain data; the journal and the way here are not in it."""
        return {
            "program": self.game.program.hash,
            "scenario": self.game.scenario.hash,
            "options": sorted(self.game.options),
            "turn": self.turn,
            "rng": self.rng,
            "phase": self.phase,
            "result": list(self.result) if self.result is not None else None,
            "ask": self.ask,
            "player": self.player,
            "offered": self.options,
            "leaving": self.leaving,
            "stack": self.stack,
            "columns": {name: getattr(self, name) for name in self.COLUMNS},
            "variables": {name: getattr(self, name) for name in self.VARIABLES},
        }

    def to_json(self) -> str:
        """The position, and the way to it, as JSON that another process can go on from."""
        return json.dumps({"ddob": "state", **self.data(), "choices": self.choices}, separators=(",", ":"))

    def hash(self) -> str:
        """The same for equal positions, on any machine."""
        text = json.dumps(self.data(), separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.data() == other.data()

    def __hash__(self) -> int:
        return int(self.hash()[:15], 16)


def restore(state: State, data: dict[str, Any]) -> None:
    """Fills a state from what `data` gave; lists inside lists come back as the tuples they were."""
    try:
        state.turn, state.rng, state.phase = int(data["turn"]), int(data["rng"]), str(data["phase"])
        result = data["result"]
        state.result = (int(result[0]), int(result[1]), frozen(result[2])) if result is not None else None
        state.ask, state.player, state.leaving = int(data["ask"]), int(data["player"]), bool(data["leaving"])
        state.options = [frozen(item) for item in data["offered"]]
        state.stack = [[frozen(item) for item in frame] for frame in data["stack"]]
        for name in state.COLUMNS:
            setattr(state, name, [frozen(item) for item in data["columns"][name]])
        for name in state.VARIABLES:
            setattr(state, name, frozen(data["variables"][name]))
        for name in state.MEMORIES:
            setattr(state, name, None)
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise BadState("this is not a complete state of a game") from problem


def frozen(item: Any) -> Any:
    return tuple(frozen(part) for part in item) if isinstance(item, list) else item
