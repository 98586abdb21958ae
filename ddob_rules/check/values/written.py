"""What the author wrote: a stretch of it for a message, and the values in the brackets of a call."""

from __future__ import annotations

from ddob_rules.syntax.nodes import Tree
from ddob_rules.syntax.nodes import expressions as nodes


def shown(place: Tree) -> str:
    """The author's text, short enough for a message."""
    text = " ".join(place.span.text.split())
    return text if len(text) <= 50 else text[:47] + "..."


def in_brackets(arguments: nodes.Arguments | None) -> tuple[nodes.Expression, ...]:
    return arguments.values if arguments is not None else ()
