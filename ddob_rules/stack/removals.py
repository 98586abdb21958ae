"""Names that are missing because a rule was taken away: told once, at the rule that takes it away.

Rules that use such a name are often those of another author, who made no mistake. So what the checker says of
them becomes one finding for each name, with the places that still use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddob_rules.reports.diagnostics import Diagnostic, Label, report
from ddob_rules.stack.overlay import Merged, Removal

#: The findings about names that are not there, and the argument that has the name.
_MISSED = {"E0201": "name", "E0204": "attribute", "E0220": "name", "E0411": "text"}
# More places than this would bury the rest; the next run shows those that are left.
_MOST_PLACES = 4


def explained(problems: Iterable[Diagnostic], merged: Merged) -> list[Diagnostic]:
    """The same findings; those that follow from a removal are told as such."""
    found: list[Diagnostic] = []
    uses: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        name = _missed(problem)
        if name in merged.removed:
            uses.setdefault(name, []).append(problem)
        else:
            found.append(problem)
    return [*found, *(_told(name, merged.removed[name], using) for name, using in uses.items())]


def _missed(problem: Diagnostic) -> str:
    text = dict(problem.arguments).get(_MISSED.get(problem.code, ""), "")
    name = re.match(r"\w+", text)
    return name[0] if name is not None else ""


def _told(name: str, removal: Removal, using: list[Diagnostic]) -> Diagnostic:
    labels = [
        Label(problem.primary, f"rule {problem.rule} needs `{name}`" if problem.rule else f"needs `{name}`")
        for problem in using[:_MOST_PLACES]
        if problem.primary is not None
    ]
    declared = Label(removal.declaration.span, f"declared in rule {removal.declaration.rule.id}")
    taker = removal.taker
    return report(
        "E0516",
        removal.place,
        *labels,
        declared,
        language=taker.language,
        rule=taker.id,
        name=name,
        number=removal.declaration.rule.id,
        taker=taker.id,
    )
