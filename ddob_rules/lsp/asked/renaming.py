"""From a word and its new name to the edits that change it everywhere: rules, examples, overlays, data.

The new texts are checked before anybody sees them. A name that would mean something else is refused.
"""

from __future__ import annotations

import re
from pathlib import Path

from ddob_rules.index import Index, Spot
from ddob_rules.lsp.asked.links import definitions, references
from ddob_rules.lsp.desk import Desk, Stack
from ddob_rules.lsp.positions import file_of
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.syntax import drafts, grammar
from ddob_rules.syntax.source import Span

_NAME = re.compile(grammar.NAME)
_NUMBER = re.compile(r"\w+(?:[.\-]\w+)*")
#: What is not the author's: the library, and pieces and spaces, whose ids are data.
_FIXED = ("library", "id")

_SAID = {
    "en": {
        "fixed": "`{name}` is a word of the language, or of data, and keeps its name",
        "name": "`{name}` cannot be a name: letters, digits and `_`, and a letter first",
        "clash": "`{name}` would not work: {message} ({path}:{line})",
    },
    "fr": {
        "fixed": "`{name}` est un mot de la langue, ou des données, et garde son nom",
        "name": "`{name}` ne peut pas être un nom : lettres, chiffres et `_`, une lettre d'abord",
        "clash": "`{name}` n'irait pas : {message} ({path}:{line})",
    },
}


class Refused(Exception):
    """Why a word keeps its name."""


def renamed(desk: Desk, index: Index, spot: Spot, name: str) -> dict[Path, list[Span]]:
    """The places that get the new name, by file.

    Raises:
        Refused: the word is not the author's, or the name would not work.
    """
    said = _SAID.get(desk.language, _SAID["en"])
    if not may_rename(spot):
        raise Refused(said["fixed"].format(name=spot.meaning.name))
    pattern = _NUMBER if spot.meaning.space == "rule" else _NAME
    if not pattern.fullmatch(name):
        raise Refused(said["name"].format(name=name))
    places: dict[Path, list[Span]] = {}
    home = home_of(desk, index, spot)
    for span in references(desk, home, spot, thorough=True):
        places.setdefault(file_of(span.source.path), []).append(span)
    if name != spot.meaning.name:
        texts = {path: _edited(spans, name) for path, spans in places.items()}
        clash = _clash(desk, desk.related_stacks(home, (spot.meaning.name, name)), texts)
        if clash is not None and clash.primary is not None:
            path, line = clash.primary.source.path, clash.primary.line
            raise Refused(said["clash"].format(name=name, message=clash.message, path=path, line=line))
    return places


def may_rename(spot: Spot) -> bool:
    return spot.meaning.space not in _FIXED and spot.meaning.name != "it"


def home_of(desk: Desk, index: Index, spot: Spot) -> Path:
    """The file that declares a word first: the stacks that this file is part of all know the word."""
    places = definitions(index, spot)
    return file_of((places[0] if places else spot.span).source.path)


def _edited(spans: list[Span], name: str) -> str:
    """The text of a file with the new name in its places."""
    path = file_of(spans[0].source.path)
    lines = drafts.contents(path).decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    for span in sorted(spans, key=lambda one: (one.line, one.column), reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + name + line[span.end_column - 1 :]
    return "\n".join(lines)


def _clash(desk: Desk, stacks: list[Stack], texts: dict[Path, str]) -> Diagnostic | None:
    """A finding that the new texts would bring, and that is not there now."""
    before = {_mark(one) for stack in stacks for one in desk.check(stack).problems}
    try:
        for path, text in texts.items():
            drafts.hold(path, text)
        desk.edition += 1
        after = [one for stack in stacks for one in desk.check(stack).problems]
    finally:
        for path in texts:
            desk.put_back(path)
        desk.edition += 1
    return next((one for one in after if one.severity == "error" and _mark(one) not in before), None)


def _mark(finding: Diagnostic) -> tuple[object, ...]:
    """What a finding is known by while names, and so columns and words, change."""
    place = finding.primary
    return finding.code, place.source.path if place else "", place.line if place else 0
