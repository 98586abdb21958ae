"""What a player is asked: who, what, by which rule, and the options with readable labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.ir import Site

if TYPE_CHECKING:
    from interpreter.state import State


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen. `key` is the same in all languages; `arguments` are ids and values."""

    index: int
    key: str
    label: str
    action: str  # name of the action, or ""
    arguments: tuple[object, ...]
    rule: str

    def __str__(self) -> str:
        return self.label


class Choice:
    """A question of the rules. Texts are made when somebody looks."""

    def __init__(self, state: State) -> None:
        self._state = state

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

    @cached_property
    def options(self) -> tuple[Option, ...]:
        return self._state.game.option_list(self._state)

    def __len__(self) -> int:
        return len(self._state.options)

    def __repr__(self) -> str:
        return f"<choice of {self.player}: {self.prompt} ({len(self)} options, rule {self.rule})>"

    def find(self, text: str) -> Any:
        """The option with this key or label, or None."""
        return next((option for option in self.options if text in (option.key, option.label)), None)
