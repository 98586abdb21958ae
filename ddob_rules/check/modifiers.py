"""Whether the modifiers of a declaration go with it, and with one another.

The grammar takes all of them everywhere and in any order, so that an author need not remember where each
may stand; what does not make sense is said here. What they mean is the business of those who ask for them.
"""

from __future__ import annotations

from typing import Literal, assert_never

from ddob_rules.check.scope import Here
from ddob_rules.reports.diagnostics import Label
from ddob_rules.syntax.nodes import Leaf, rules

Modified = Literal["attribute", "record", "piece", "pile", "variable"]
_FITTING: dict[Modified, frozenset[str]] = {
    "attribute": frozenset({"each", "optional", "hidden", "carried", "seen by", "telling"}),
    "record": frozenset({"optional"}),
    "piece": frozenset({"seen by", "telling"}),
    "pile": frozenset({"refilled from", "seen by", "telling"}),
    "variable": frozenset({"each", "carried", "seen by", "telling"}),
}


def check_modifiers(here: Here, modifiers: rules.Modifiers, of: Modified) -> None:
    """Reports what does not go with the declaration, and what is said twice."""
    said: dict[str, rules.Modifier] = {}
    for word in modifiers.words:
        sort = _sort(word)
        if sort not in _FITTING[of]:
            here.error("E0271", word, word=" ".join(word.span.text.split()))
        elif sort in said and sort != "seen by":
            here.error("E0270", word, Label(said[sort].span, "said here already"))
        said.setdefault(sort, word)


def _sort(word: rules.Modifier) -> str:
    """What a modifier speaks of; two that speak of the same thing contradict each other or say it twice."""
    match word:
        case rules.EachTurn() | rules.EachPhase() | rules.UntilEnd():
            return "each"
        case rules.Refilled():
            return "refilled from"
        case rules.Seen():
            return "seen by"
        case Leaf():
            return "telling" if word.terminal in ("TOLD", "UNTOLD") else word.terminal.lower()
        case _:
            assert_never(word)
