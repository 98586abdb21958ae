"""Where things come from, and the types of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Site:
    """The place in the rules that an effect cites."""

    rule: str
    file: str
    line: int
    column: int
    ruleset: str


NOWHERE = Site("", "", 0, 0, "")


Tag = Literal[
    "number", "flag", "text", "enum", "piece", "space", "edge", "pile", "set", "list", "nothing", "effect"
]


@dataclass(frozen=True, slots=True)
class Type:
    """A type. `names` holds the enum's name, or the kinds a piece or space may be of (none means any)."""

    tag: Tag
    names: tuple[str, ...] = ()
    element: Type | None = None

    def __str__(self) -> str:
        if self.tag in ("set", "list"):
            return f"{self.tag} of {self.element}"
        return " or ".join(self.names) if self.names else self.tag

    @property
    def names_pieces(self) -> bool:
        """Whether values of the type name pieces; the language has no sets of sets."""
        return self.tag == "piece" or (self.element is not None and self.element.tag == "piece")

    def alike(self, other: Type) -> bool:
        """Whether equal values of both types are the same thing, whatever kinds of things they admit."""
        if self.element is not None and other.element is not None:
            return self.tag == other.tag and self.element.alike(other.element)
        same = self.tag == other.tag or {self.tag, other.tag} == {"space", "pile"}
        return same and (self.tag != "enum" or self.names == other.names)


NUMBER = Type("number")
FLAG = Type("flag")
TEXT = Type("text")
NOTHING = Type("nothing")
EFFECT = Type("effect")
PIECE = Type("piece")
SPACE = Type("space")
EDGE = Type("edge")
PLAYER = Type("enum", ("player",))
DIRECTION = Type("enum", ("direction",))


def enum_type(name: str) -> Type:
    return Type("enum", (name,))


def set_of(element: Type) -> Type:
    return Type("set", (), element)


def list_of(element: Type) -> Type:
    return Type("list", (), element)


#: What has attributes.
Owner = Literal["piece", "card", "space", "edge", "enum", "pile"]
