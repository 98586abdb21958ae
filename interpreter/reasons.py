"""Why an action is not allowed."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.ir import Site


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first condition that fails: its words, the rule numbers it cites, and where it stands."""

    text: str
    rules: tuple[str, ...]
    site: Site | None = None

    def __str__(self) -> str:
        return f"{self.text} ({', '.join(self.rules)})" if self.rules else self.text
