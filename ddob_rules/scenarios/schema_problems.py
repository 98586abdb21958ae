"""From a schema and a scenario's tree to diagnostics: one for each mistake, at its own line and column.

The jsonschema library finds what does not fit; here its findings are led back to the tree and put in plain
words. Only the keywords that our own schemas use are worded; which data is right is left to those schemas.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ddob_rules.cache_folder import keep, own_code, recall
from ddob_rules.library.yamldoc import (
    MOST_DIAGNOSTICS,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    first_line,
    plain_value,
)
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean, suggest
from ddob_rules.syntax.mending import missing_colon
from ddob_rules.syntax.source import Span

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Path = tuple[str | int, ...]

# Longer lists of what is allowed are not read.
_MOST_CHOICES = 12

_WORDS = {
    "object": ("a mapping (`key: value`)", "une table (`clé : valeur`)"),
    "array": ("a list", "une liste"),
    "integer": ("a whole number", "un nombre entier"),
    "number": ("a number", "un nombre"),
    "string": ("a text", "un texte"),
    "boolean": ("`yes` or `no`", "`yes` ou `no`"),
    "null": ("nothing", "rien"),
    "id": ("an id", "un identifiant"),
    "piece": ("a piece", "une pièce"),
    "space": ("a space", "une case"),
    "pile": ("a pile", "une pile"),
    "place": ("a space or a pile", "une case ou une pile"),
    "edge": ("an edge (`a|b`)", "un côté (`a|b`)"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """What the library found: the keyword of the schema that was broken, and where in the data."""

    keyword: str
    value: Any
    schema: Mapping[str, Any]
    path: Path
    branch: str | int | None
    causes: tuple[_Finding, ...]


def _finding(error: ValidationError) -> _Finding:
    return _Finding(
        keyword=str(error.validator),
        value=error.validator_value,
        schema=error.schema if isinstance(error.schema, Mapping) else {},
        path=tuple(error.absolute_path),
        branch=error.relative_schema_path[0] if error.relative_schema_path else None,
        causes=tuple(_finding(cause) for cause in error.context or ()),
    )


def type_words(name: str, language: str) -> str:
    """A type, with its article, as a diagnostic speaks of it."""
    return _WORDS[name][1 if language == "fr" else 0]


def problems(schema: dict[str, Any], node: Node, *, language: str = "en") -> list[Diagnostic]:
    """What does not fit the schema, in the order of the file.

    That a value fits is kept: most files of a scenario are as they were, and validating them takes long.
    """
    value = plain_value(node)
    written = json.dumps([schema, value])
    key = (own_code(), hashlib.sha256(written.encode()).hexdigest())
    if recall("fitting", key):
        return []
    found = _validated(schema, value, node, language)
    if not found:
        keep("fitting", key, True)
    return found


def _validated(schema: dict[str, Any], value: Any, node: Node, language: str) -> list[Diagnostic]:
    # The library takes longer to import than a small scenario takes to load, and most commands load none.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # To JSON Schema 1.0 is an integer; to an author it is not what `steps: 1` means.
    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    validator = extend(Draft202012Validator, type_checker=checker)(schema)  # type: ignore[no-untyped-call]
    found: dict[tuple[Path, str], Diagnostic] = {}
    errors = islice(validator.iter_errors(value), MOST_DIAGNOSTICS)
    for error in _without_echoes(_innermost(map(_finding, errors))):
        for key, diagnostic in _diagnose(error, node, language):
            found.setdefault((error.path, key), diagnostic)
    _drop_misspelt(found)
    return sorted(found.values(), key=lambda item: item.spans[0].span.start)[:MOST_DIAGNOSTICS]


def _drop_misspelt(found: dict[tuple[Path, str], Diagnostic]) -> None:
    """A key that is missing since it was misspelt is one mistake, not two."""
    missing: dict[Path, list[str]] = {}
    for (path, key), item in found.items():
        if item.code == "E0613":
            missing.setdefault(path, []).append(key)
    slips = [place for place, item in found.items() if item.code in ("E0612", "E0117")]
    for path, key in [place for place in slips if place[0] in missing]:
        meant = _first_of(key, missing[path]) or suggest(key, missing[path])
        if meant is not None:
            missing[path].remove(meant)
            del found[path, meant]


def _first_of(key: str, missing: list[str]) -> str | None:
    """The missing key that this one begins with: only the colon behind it is not there."""
    return next((name for name in missing if key.split()[0] == name), None)


def _innermost(errors: Iterable[_Finding]) -> Iterator[_Finding]:
    """Replace "none of these alternatives" by what is wrong with the alternative that was meant."""
    for error in errors:
        if error.keyword != "anyOf":
            yield error
            continue
        branches: dict[object, list[_Finding]] = {}
        for cause in error.causes:
            branches.setdefault(cause.branch, []).append(cause)
        # Whoever wrote a value did not mean "no value".
        several = [causes for causes in branches.values() if not _is_nothing(causes)]
        meant = [causes for causes in several if not any(_of_wrong_type(cause, error) for cause in causes)]
        if len(several) == 1:
            yield from _innermost(several[0])
        elif meant:
            # The general alternative stands last in our schemas.
            yield from _innermost(meant[-1])
        else:
            yield error


def _is_nothing(causes: Iterable[_Finding]) -> bool:
    return any(cause.keyword == "enum" and None in cause.value for cause in causes)


def _of_wrong_type(cause: _Finding, error: _Finding) -> bool:
    """Whether an alternative fails by its type as a whole, and not by some part of it."""
    if cause.path != error.path:
        return False
    return cause.keyword == "type" or (cause.keyword == "anyOf" and [*_innermost([cause])] == [cause])


def _without_echoes(errors: Iterable[_Finding]) -> list[_Finding]:
    """A value of the wrong type breaks other conditions as well; only the type is worth telling."""
    kept = list(errors)
    wrong = {error.path for error in kept if error.keyword == "type"}
    return [error for error in kept if error.keyword == "type" or error.path not in wrong]


def _diagnose(error: _Finding, root: Node, language: str) -> Iterator[tuple[str, Diagnostic]]:
    """The diagnostics of one finding, each with a key that tells it from others at the same place."""
    path = error.path
    node = _at(root, path)
    place = _place(root, path)
    match error.keyword:
        case "additionalProperties":
            yield from _unknown_keys(error, node, language)
        case "required":
            for key in error.value:
                if isinstance(node, MappingNode) and key not in node.entries:
                    yield key, report("E0613", _head(root, path), language=language, key=key)
        case "enum":
            yield "", _unknown_value(error, node, place, language)
        case "minimum" | "maximum":
            low = _bound(error.schema, "minimum")
            high = _bound(error.schema, "maximum")
            yield "", report("E0616", place, language=language, value=_text(node), low=low, high=high)
        case "pattern":
            yield "", report("E0617", place, language=language, value=_text(node))
        case "minItems" | "maxItems":
            wanted, count = error.value, len(node.items) if isinstance(node, SequenceNode) else 0
            yield "", report("E0618", place, language=language, wanted=wanted, count=count)
        case _:
            yield "", wrong_type(node, place, _expected(error, language), language)


def wrong_type(node: Node, place: Span, expected: str, language: str) -> Diagnostic:
    """The diagnostic for a value of another type than the one expected."""
    return report("E0614", place, language=language, expected=expected, found=_found(node, language))


def _unknown_keys(error: _Finding, node: Node, language: str) -> Iterator[tuple[str, Diagnostic]]:
    known = list(error.schema.get("properties", ()))
    if not isinstance(node, MappingNode):
        return
    unknown = (item for item in node.entries.items() if item[0] not in known)
    # A mapping with more unknown keys is a mistake as a whole.
    for key, entry in islice(unknown, MOST_DIAGNOSTICS):
        unused = [name for name in known if name not in node.entries]
        first, blank, _ = key.partition(" ")
        if blank and first in unused and entry.key.plain:
            place = entry.key.span
            yield key, missing_colon(place.source, place.start + len(first), language)
            continue
        advice = did_you_mean(key, unused, language) or _choices(
            [name for name in known if name not in ("provenance", "note")], language
        )
        yield key, report("E0612", entry.key.span, language=language, key=key, help=advice)


def _unknown_value(error: _Finding, node: Node, place: Span, language: str) -> Diagnostic:
    choices = [choice for choice in error.value if isinstance(choice, str)]
    if True in error.value and "yes" in choices:
        return wrong_type(node, place, type_words("boolean", language), language)
    advice = did_you_mean(_text(node), choices, language) or _choices(choices, language)
    what = error.schema.get("title", "value")
    return report("E0615", place, language=language, what=what, value=_text(node), help=advice)


def _choices(names: list[str], language: str) -> str:
    if not names:
        return "rien n'est attendu ici" if language == "fr" else "nothing is expected here"
    shown = ", ".join(f"`{name}`" for name in names[:_MOST_CHOICES])
    more = ", ..." if len(names) > _MOST_CHOICES else ""
    return f"ce qui est possible : {shown}{more}" if language == "fr" else f"use one of {shown}{more}"


def _expected(error: _Finding, language: str) -> str:
    types = [error.value] if isinstance(error.value, str) else error.value
    if error.keyword == "anyOf":
        types = _alternative_types(error)
    if "object" in types:
        types = [name for name in types if name != "null"]
    if "string" in types:
        # Where text is allowed, what looks like a number or a flag is text too.
        types = [name for name in types if name not in ("number", "boolean", "null")]
    joint = " ou " if language == "fr" else " or "
    return joint.join(type_words(name, language) for name in types)


def _alternative_types(error: _Finding) -> list[str]:
    names: list[str] = []
    for cause in error.causes:
        if cause.keyword == "anyOf":
            names += _alternative_types(cause)
        elif cause.keyword == "type":
            value = cause.value
            names += [value] if isinstance(value, str) else value
        elif cause.keyword == "enum" and True in cause.value:
            names.append("boolean")
    return list(dict.fromkeys(names))


def _bound(schema: Any, keyword: str) -> str:
    return str(schema[keyword]) if keyword in schema else "..."


def _found(node: Node, language: str) -> str:
    match node:
        case MappingNode():
            return type_words("object", language)
        case SequenceNode():
            return type_words("array", language)
        case ScalarNode():
            return f"`{_text(node)}`" if node.text else type_words("null", language)


def _text(node: Node) -> str:
    text = node.text if isinstance(node, ScalarNode) else node.span.text
    line = text.split("\n", 1)[0]
    return line if len(line) <= 60 else line[:59] + "…"


def _at(root: Node, path: Path) -> Node:
    node = root
    for step in path:
        if isinstance(node, MappingNode):
            node = node.entries[str(step)].value
        elif isinstance(node, SequenceNode):
            node = node.items[int(step)]
    return node


def _place(root: Node, path: Path) -> Span:
    """Where a value stands; for an empty one, the key it belongs to."""
    span = _at(root, path).span
    if span.start < span.end or not path:
        return first_line(span)
    parent = _at(root, path[:-1])
    return parent.entries[str(path[-1])].key.span if isinstance(parent, MappingNode) else parent.span


def _head(root: Node, path: Path) -> Span:
    """Where to say that a mapping lacks something: the key that announces it, or its own first line."""
    parent = _at(root, path[:-1]) if path else None
    if isinstance(parent, MappingNode):
        return parent.entries[str(path[-1])].key.span
    return first_line(_at(root, path).span)
