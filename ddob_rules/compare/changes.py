"""A difference of two rulesets, as data: what `diff` finds, and what is made into sentences or JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from ddob_rules.compare.details import Place

Sort = Literal[
    "rule added", "rule removed", "rule replaced", "rule amended",
    "added", "removed", "changed", "moved", "reordered", "dropped",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference.

    `kind` and `subject` name the declaration (define hit_limit), `noun` and `name` the part of it
    (condition, cell). `by` is the rule that amends, `condition` and the turns `first` to `last` say when.
    "dropped" is what an amendment did that is no longer there. `words` marks what only people read.
    `title` is that of the rule; for a rule that comes or amends, `text` is its sentence, and `was` that of
    the rule that is amended or goes; `said_in` is the number of the rule that `was` is from, if another.
    """

    rule: str
    sort: Sort
    kind: str = ""
    subject: str = ""
    noun: str = ""
    name: str = ""
    old: str = ""
    new: str = ""
    place: Place = ""
    target: str = ""
    by: str = ""
    condition: str = ""
    first: int | None = None
    last: int | None = None
    words: bool = False
    title: str = ""
    text: str = ""
    was: str = ""
    said_in: str = ""
    file: str = ""
    line: int = 0

    def as_dict(self) -> dict[str, object]:
        """For programs: what is empty is left out."""
        return {key: value for key, value in asdict(self).items() if value not in ("", None, False)}


def changes_as_data(changes: Iterable[Change]) -> list[dict[str, object]]:
    """For programs: a plain record for each change."""
    return [change.as_dict() for change in changes]
