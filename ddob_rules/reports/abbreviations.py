"""From names that are too long for their place to shorter ones, of which no two are alike.

A name is cut at its end. Where that would leave two names alike, each keeps its end as well, and if that does
not tell them apart either, it has a number.
"""

from __future__ import annotations

from collections.abc import Iterable

from ddob_rules.reports.render import display_width

_CUT = "…"


def abbreviated(texts: Iterable[str], longest: int) -> dict[str, str]:
    """What stands for each of these texts, no wider than `longest`; what fits stands for itself."""
    whole = list(dict.fromkeys(texts))
    found = {text: text for text in whole if display_width(text) <= longest}
    alike: dict[str, list[str]] = {}
    for text in whole:
        if text not in found:
            alike.setdefault(_beginning(text, longest - 1), []).append(text)
    for beginning, names in alike.items():
        found |= {names[0]: f"{beginning}{_CUT}"} if len(names) == 1 else _told_apart(names, longest)
    return found


def _told_apart(names: list[str], longest: int) -> dict[str, str]:
    """Names that begin alike: with as much of their ends as it takes."""
    for length in range(1, longest - 1):
        found = {name: _both_ends(name, name[-length:].strip(), longest) for name in names}
        if len(set(found.values())) == len(names):
            return found
    return {name: _both_ends(name, str(number), longest) for number, name in enumerate(names, 1)}


def _both_ends(text: str, end: str, longest: int) -> str:
    return f"{_beginning(text, longest - 1 - display_width(end))}{_CUT}{end}"


def _beginning(text: str, longest: int) -> str:
    while display_width(text) > max(0, longest):
        text = text[:-1]
    return text.rstrip()
