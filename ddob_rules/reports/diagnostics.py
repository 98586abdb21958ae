"""From the code of a mistake, its places and its arguments to a diagnostic: what every stage returns.

The sentences are in `grammar/messages.yaml`, in each language, so that this module holds none. How a
diagnostic looks on a screen is left to `render`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from ddob_rules.resources import grammar_table

if TYPE_CHECKING:
    # Reading a source reports diagnostics, so at run time the import goes the other way only.
    from ddob_rules.syntax.source import Span

Severity = Literal["error", "warning", "hint"]

_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "hint": "hint"}
# A name, or a name with two forms of words, for one and for several; `#` is the number in them.
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)(?:\|([^{}|]*)\|([^{}|]*))?\}")
# What counts as one: French has no plural for nothing, either.
_SINGULAR = {"en": ("1",), "fr": ("0", "1")}


@dataclass(frozen=True, slots=True)
class Label:
    """A place that a diagnostic points at, with what is to be said about it.

    `origin` says whose text it is when that is not plain from the path, such as "errata 2, amends rule 9.2".
    """

    span: Span
    text: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One mistake; the first of its spans is where it is, the others are what it conflicts with."""

    code: str
    severity: Severity
    message: str
    spans: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    rule: str = ""
    arguments: tuple[tuple[str, str], ...] = ()

    @property
    def primary(self) -> Span | None:
        return self.spans[0].span if self.spans else None

    def argument(self, name: str) -> str:
        """The text that stands for a placeholder of the message."""
        return dict(self.arguments)[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the catalogue says about a code; `help` may be empty."""

    code: str
    severity: Severity
    title_en: str
    title_fr: str
    message_en: str
    message_fr: str
    help_en: str = ""
    help_fr: str = ""

    def title(self, language: str) -> str:
        return self.title_fr if language == "fr" else self.title_en

    def message(self, language: str) -> str:
        return self.message_fr if language == "fr" else self.message_en

    def help(self, language: str) -> str:
        return self.help_fr if language == "fr" else self.help_en


@cache
def catalogue() -> Mapping[str, Entry]:
    """Every code there is, read once, when the first mistake is found."""
    records = grammar_table("messages.yaml")
    return MappingProxyType({code: _entry(code, record) for code, record in records.items()})


def _entry(code: str, record: Mapping[str, Mapping[str, str]]) -> Entry:
    title, message, advice = record["title"], record["message"], record.get("help", {})
    return Entry(
        code=code,
        severity=_SEVERITIES[str(record["severity"])],
        title_en=title["en"],
        title_fr=title["fr"],
        message_en=message["en"],
        message_fr=message["fr"],
        help_en=advice.get("en", ""),
        help_fr=advice.get("fr", ""),
    )


def report(
    code: str,
    /,
    *places: Span | Label,
    language: str = "en",
    notes: Iterable[str] = (),
    rule: str = "",
    help: str | None = None,
    **arguments: object,
) -> Diagnostic:
    """Make the diagnostic of a code; `help` replaces the catalogue's own advice, and may be empty."""
    entry = catalogue()[code]
    texts = {name: str(value) for name, value in arguments.items()}
    return Diagnostic(
        code=code,
        severity=entry.severity,
        message=fill(entry.message(language), texts, language),
        spans=tuple(place if isinstance(place, Label) else Label(place) for place in places),
        notes=tuple(notes),
        help=fill(entry.help(language), texts, language) if help is None else help,
        rule=rule,
        arguments=tuple(texts.items()),
    )


def fill(template: str, arguments: Mapping[str, str], language: str = "en") -> str:
    """Put the arguments in the place of `{name}`, in one pass, so that braces in an argument are safe.

    `{count|# line|# lines}` is the first form if the argument is one, otherwise the second.
    """

    def put(match: re.Match[str]) -> str:
        name, one, several = match.groups()
        value = arguments[name]
        if one is None:
            return value
        return (one if value in _SINGULAR.get(language, ("1",)) else several).replace("#", value)

    return _PLACEHOLDER.sub(put, template)


def placeholders(template: str) -> frozenset[str]:
    """The names that a template wants."""
    return frozenset(name for name, _, _ in _PLACEHOLDER.findall(template))


def reading_order(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """The key that sorts diagnostics by path, line, column and code; those without a place come first."""
    span = diagnostic.primary
    if span is None:
        return ("", 0, 0, diagnostic.code)
    line, column = span.source.position(span.start)
    return (span.source.path, line, column, diagnostic.code)


@dataclass(slots=True)
class Problems:
    """Collects diagnostics in any order and gives them back in reading order, each once."""

    _found: dict[Diagnostic, None] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found, key=reading_order))

    def __getitem__(self, index: int) -> Diagnostic:
        return list(self)[index]

    @property
    def errors(self) -> list[Diagnostic]:
        return [diagnostic for diagnostic in self if diagnostic.severity == "error"]

    @property
    def warnings(self) -> list[Diagnostic]:
        return [diagnostic for diagnostic in self if diagnostic.severity == "warning"]

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self._found)
