"""The journal: what happened, by which rule, at which line; made readable only when somebody looks."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.ir import Site


@dataclass(frozen=True, slots=True)
class Entry:
    """One change. `what`: place, an attribute, variable, roll, say, phase, turn, action, over or todo."""

    number: int
    what: str
    thing: str
    old: object
    new: object
    text: str
    site: Site | None

    @property
    def rule(self) -> str:
        return self.site.rule if self.site is not None else ""

    def __str__(self) -> str:
        return f"{self.text}  [{self.rule}]" if self.rule else self.text
