"""What a player is asked: who, what, by which rule, and the options with readable labels.

Nothing is worded before somebody reads it. So that it can be read after the game has gone on, the options
keep a copy of the position they belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from interpreter.compiler.blocks import DONE, PASS
from interpreter.ir import Site
from interpreter.telling.exchange import offered_pieces
from interpreter.telling.showing import Showing

if TYPE_CHECKING:
    from interpreter import ir
    from interpreter.compiler.blocks import Ask
    from interpreter.machine.game import Game
    from interpreter.machine.state import State
    from interpreter.telling.names import Callings


class Option:
    """One thing that can be chosen, taken by `State.apply`; equal to another that reads the same."""

    def __init__(self, offer: Offer, index: int) -> None:
        self.offer = offer
        self.index = index

    @cached_property
    def key(self) -> str:
        """The same in all languages."""
        return self.offer.key(self.index)

    @cached_property
    def label(self) -> str:
        """In words, for the one who is asked."""
        return self.offer.label(self.index)

    @property
    def name(self) -> str:
        """The label, without how a thing looks now."""
        return self.offer.name(self.index)

    @property
    def action(self) -> str:
        """The name of the action; empty for other answers."""
        action = self.offer.action(self.index)
        return action.name if action is not None else ""

    @cached_property
    def arguments(self) -> tuple[object, ...]:
        """What the action is done with, or the answer: ids and values."""
        return self.offer.arguments(self.index)

    @property
    def rule(self) -> str:
        action = self.offer.action(self.index)
        return action.site.rule if action is not None else self.offer.ask.site.rule

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Option):
            return NotImplemented
        return (self.index, self.key, self.label) == (other.index, other.key, other.label)

    def __hash__(self) -> int:
        return hash((self.index, self.key))

    def __str__(self) -> str:
        return self.label

    def __repr__(self) -> str:
        return f"<option {self.index}: {self.key}>"


class Offer:
    """All that is on offer at one choice, by number, in the words of the one who is asked."""

    def __init__(self, state: State) -> None:
        self.state = state.copy()
        self.values = state.options  # shared by the copies of a position: whoever has it has this choice
        self.count = state.count

    def made_in(self, state: State) -> bool:
        """Whether this choice is the one of a state: the state it was made of, a copy, or the same again."""
        if self.count != state.count:
            return False
        if self.values is state.options:
            return True
        own = self.state
        return own.game.program.hash == state.game.program.hash and (
            (own.ask, own.player, self.values) == (state.ask, state.player, state.options)
        )

    @property
    def game(self) -> Game:
        return self.state.game

    @cached_property
    def ask(self) -> Ask:
        return self.game.code.asks[self.state.ask]

    @cached_property
    def callings(self) -> Callings | None:
        return self.game.callings_of_asked(self.state)

    def action(self, index: int) -> ir.Action | None:
        value = self.values[index]
        return self.game.program.actions[value[0]] if self.ask.sort == "offer" and value != PASS else None

    def key(self, index: int) -> str:
        action, value = self.action(index), self.values[index]
        if action is not None:
            return f"{action.name}({', '.join(map(str, self.arguments(index)))})"
        if self.ask.sort == "menu":
            return f"case {value + 1}"
        if self._is_end(value):
            return "pass" if self.ask.sort == "offer" else "done"
        return str(self._ident(value, self.ask.type))

    def label(self, index: int) -> str:
        """In words; with how a piece looks that lies on no board, where the code knows how things look."""
        value = self.values[index]
        piece = self.ask.type.tag == "piece" and self.action(index) is None and not self._is_end(value)
        name = self.name(index)
        return self._showing.called(value, name) if piece and self.game.code.journal else name

    def name(self, index: int) -> str:
        """The same, as it is known at all times."""
        names, value, callings = self.game.names, self.values[index], self.callings
        self.game.refuel(self.state)
        if self.action(index) is not None:
            return names.action_label(self.state, value, callings)
        if self.ask.sort == "menu":
            text = self.game.namespace["LABELS"][self.state.ask][value](self.state, self.state.stack[-1])
            return names.spoken(str(text), callings)
        if self._is_end(value):
            only = self.ask.sort == "offer" and len(self.values) == 1
            return names.text("pass" if only else "none" if self.ask.sort == "one" else "done")
        return names.spoken(names.writer()(value, self.ask.type), callings)

    @cached_property
    def _showing(self) -> Showing:
        return Showing(self.game, self.state, self.game.player_name(self.state.player) or None)

    def arguments(self, index: int) -> tuple[object, ...]:
        action, value = self.action(index), self.values[index]
        if action is not None:
            pairs = zip(value[1:], action.parameters, strict=True)
            return tuple(self._ident(item, parameter.type) for item, parameter in pairs)
        if self.ask.sort == "menu":
            return (self.label(index),)
        return () if self._is_end(value) else (self._ident(value, self.ask.type),)

    def _is_end(self, value: Any) -> bool:
        """Whether this is to pass, or to choose no more."""
        if self.ask.sort == "offer":
            return bool(value == PASS)
        return bool(value == DONE) and self.ask.sort in ("one", "some", "order")

    def _ident(self, value: Any, kind: ir.Type) -> object:
        if kind.tag == "piece" and self.callings is not None:
            return self.callings.key(value)
        return self.game.names.id(value, kind)

    def order_to_read(self) -> Sequence[int]:
        """The numbers in an order that tells nothing of pieces that the one who is asked cannot know."""
        numbers = range(len(self.values))
        callings = self.callings if self.state.game.faced else None
        if callings is None or all(map(callings.known, offered_pieces(self.game, self.state))):
            return numbers
        return sorted(numbers, key=lambda index: self._rank(index, callings))

    def _rank(self, index: int, callings: Callings) -> tuple[Any, ...]:
        value, action = self.values[index], self.action(index)
        if value in (PASS, DONE):
            return (True,)
        if action is None:
            return False, callings.rank(value)
        ranks = [
            callings.rank(item) if parameter.type.tag == "piece" else (0, item)
            for item, parameter in zip(value[1:], action.parameters, strict=True)
        ]
        return False, value[0], ranks


class Options(Sequence[Option]):
    """The options of a choice, each made when it is looked at; the number to take one by is its `index`."""

    __slots__ = ("_offer", "_order")

    def __init__(self, offer: Offer, order: Sequence[int]) -> None:
        self._offer = offer
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, position: int) -> Option: ...
    @overload
    def __getitem__(self, position: slice) -> tuple[Option, ...]: ...
    def __getitem__(self, position: int | slice) -> Option | tuple[Option, ...]:
        if isinstance(position, slice):
            return tuple(Option(self._offer, index) for index in self._order[position])
        return Option(self._offer, self._order[position])

    def __iter__(self) -> Iterator[Option]:
        return (Option(self._offer, index) for index in self._order)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Choice:
    """A question of the rules. Texts are made when somebody looks."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._options: Options | None = None

    @property
    def player(self) -> str:
        return self._state.game.player_name(self._state.player)

    @property
    def sort(self) -> str:
        """What is asked for: one, some, number, order, yes, menu, offer or tie."""
        return self._state.game.code.asks[self._state.ask].sort

    @property
    def site(self) -> Site:
        return self._state.game.code.asks[self._state.ask].site

    @property
    def rule(self) -> str:
        return self.site.rule

    @cached_property
    def prompt(self) -> str:
        return self._state.game.prompt(self._state)

    @property
    def options(self) -> Options:
        """In the order to read them; the number by which an option is taken is its `index`."""
        if self._options is None:
            self._options = self._state.game.options_to_read(self._state)
        return self._options

    def __len__(self) -> int:
        return len(self._state.options)

    def __repr__(self) -> str:
        return f"<choice of {self.player}: {self.prompt} ({len(self)} options, rule {self.rule})>"

    def find(self, text: str) -> Option | None:
        """The option with this key or label, or None."""
        return next((option for option in self.options if text in (option.key, option.label)), None)
