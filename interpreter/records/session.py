"""A game in progress that can go back and forth: the choices made, with copies of the state kept on the way.

Going back is taking a copy and making the last few choices again, so dice fall as they fell. Left out:
saving, which needs only the seed and the choices.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.failures import BadChoice
from interpreter.machine.choice import Option
from interpreter.machine.game import Game
from interpreter.machine.state import State

# A copy is kept at every so many choices: undoing plays at most this many again.
_EVERY = 16
# More copies than this are thinned out, the older ones first, so that a long game does not fill the memory.
_MOST = 64


class Session:
    """One game with its history. `state` is the position now; use `apply` to change it."""

    def __init__(
        self, game: Game, seed: int, choices: Iterable[int] = (), undone: Iterable[int] = ()
    ) -> None:
        """A game after `choices`; `undone` are those that can be made again, the next one last."""
        self.game = game
        self.seed = seed
        self.state = game.start(seed)
        self._made: list[int] = []
        self._undone: list[int] = []
        self._kept: dict[int, State] = {0: self.state.copy()}
        for index in choices:
            self.apply(index)
        self._undone.extend(undone)

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers of the options taken, oldest first."""
        return tuple(self._made)

    @property
    def undone(self) -> int:
        """How many choices can be made again."""
        return len(self._undone)

    @property
    def next_undone(self) -> int:
        """The choice that `redo` would make."""
        return self._undone[-1]

    def apply(self, option: Option | int | str) -> State:
        """Takes an option; what was undone is forgotten. If the rules fail, the session is back before it."""
        self._advance(option)
        self._undone.clear()
        return self.state

    def undo(self, n: int = 1) -> State:
        """Goes back n choices.

        Raises:
            BadChoice: there are not so many.
        """
        if not 0 <= n <= len(self._made):
            raise BadChoice(f"{n} choices cannot be undone; {len(self._made)} were made")
        number = len(self._made) - n
        self.state = self.at(number)
        self._undone.extend(reversed(self._made[number:]))
        del self._made[number:]
        self._kept = {kept: state for kept, state in self._kept.items() if kept <= number}
        return self.state

    def redo(self, n: int = 1) -> State:
        """Makes the last n undone choices again.

        Raises:
            BadChoice: there are not so many.
        """
        if not 0 <= n <= len(self._undone):
            raise BadChoice(f"{n} choices cannot be made again; {len(self._undone)} were undone")
        for _ in range(n):
            self._advance(self._undone[-1])
            self._undone.pop()
        return self.state

    def at(self, choice_number: int) -> State:
        """A copy of the position after so many choices; 0 is the beginning."""
        if not 0 <= choice_number <= len(self._made):
            raise BadChoice(f"there is no choice {choice_number}; {len(self._made)} were made")
        nearest = max(kept for kept in self._kept if kept <= choice_number)
        state = self._kept[nearest].copy()
        for index in self._made[nearest:choice_number]:
            state.take(index)
        return state

    def _advance(self, option: Option | int | str) -> None:
        try:
            self.state.apply(option)
        except BadChoice:
            raise  # nothing has happened
        except BaseException:
            self.state = self.at(len(self._made))
            raise
        past = self.state.past
        assert past is not None
        self._made.append(past[0])
        if len(self._made) % _EVERY == 0:
            self._kept[len(self._made)] = self.state.copy()
            self._thin()

    def _thin(self) -> None:
        """Drops every second copy of the older half; the first one stays."""
        numbers = sorted(self._kept)
        if len(numbers) > _MOST:
            for number in numbers[1 : _MOST // 2 : 2]:
                del self._kept[number]
