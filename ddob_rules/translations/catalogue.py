"""From a checked ruleset to what players read in it, and to the same ruleset in another language.

Each ruleset folder may hold `locale/<language>.yaml`. Its `titles` have a key, the text they were translated
from and the translation; its `texts` are prompts, labels, reasons and reports, each known by its own words,
with `{...}` where a value goes; a translation may put these in another order. What is missing, or was
translated from words that have changed since, is shown in the source language. Pieces, spaces and scenarios
are data and stay as they are unless the catalogue names them; bookkeeping that is not told may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from ddob_rules.check.program import Checked, check
from ddob_rules.check.scope import FACE_UP
from ddob_rules.library.yamldoc import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    entries_of,
    first_line,
    read_yaml,
    text_of,
)
from ddob_rules.reports.diagnostics import Diagnostic, report
from ddob_rules.reports.spelling import did_you_mean
from ddob_rules.resources import grammar_file, is_inside
from ddob_rules.scenarios.schema_problems import type_words, wrong_type
from ddob_rules.syntax.source import read_source, whole_file
from ddob_rules.translations.shown_texts import PLACEHOLDER, shown_texts, with_texts
from interpreter import ir
from interpreter.ir.seats import count_of
from interpreter.telling.names import in_words

#: How a text, as opposed to a title, is known beside the titles.
TEXT = "text "
# Who sees these: the enum of players has titles of its own, and directions are our words.
_OWN_ENUMS = ("player", "direction")
# Names of data: a catalogue may have them, and whether they are right is not known without a scenario.
_OF_DATA = ("piece ", "space ", "scenario ", "campaign ")
_LISTED = ("scenario ", "campaign ")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_WORD = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A translated title. `before` is the translation of what it said earlier, kept for the translator."""

    source: str
    translation: str
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The texts of one file."""

    titles: dict[str, Title] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What is left to do: keys without a translation, with a changed text, and no longer there."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def stale(self) -> tuple[str, ...]:
        return (*self.changed, *self.unused)


# ---------------------------------------------------------------- what there is to translate


def texts_of(program: ir.Program) -> dict[str, str]:
    """Every text that players see, by key: titles in the order of the rulebook, then the texts."""
    found: dict[str, str] = {}
    for player in program.players:
        found[f"player {player.name}"] = player.title
    for enum in program.enums:
        if enum.name not in _OWN_ENUMS:
            titles = dict(enum.titles)
            found.update(
                {f"value {enum.name} {value}": titles.get(value) or in_words(value) for value in enum.values}
            )
    titles = {f"kind {kind.name}": kind.title for kind in program.kinds if kind.title}
    found.update({key: titles.get(key, in_words(name)) for key, name, _ in _declared(program)})
    found.update({f"phase {name}": title for name, title in program.phases})
    found.update({f"action {action.name}": action.title for action in program.actions})
    for option in program.options:
        if count_of(option.name) is not None:
            continue  # no text of the author's
        found[f"option {option.name}"] = option.title
        found[f"option {option.name} reason"] = option.reason
    for rule in program.rules:
        found[f"rule {rule.id}"] = rule.title
        found[f"rule {rule.id} text"] = rule.text
    found.update({TEXT + text: text for text in shown_texts(program)})
    return {key: text for key, text in found.items() if text.strip()}


def _declared(program: ir.Program) -> Iterator[tuple[str, str, bool]]:
    """The names that players read of kinds, attributes, piles, variables, dice, and whether they are told."""
    for kind in program.kinds:
        if kind.owner == "pile":
            yield f"place {kind.name}", kind.name, not kind.untold
        elif kind.owner != "enum":
            yield f"kind {kind.name}", kind.name, not kind.untold
        for attribute in kind.attributes:
            # Columns of charts are never told of anything; names with blanks are our own, and so is the face.
            if not attribute.constants and " " not in attribute.name and attribute.name != FACE_UP:
                name = attribute.given_as
                yield f"attribute {name}", name, not (attribute.untold or kind.untold)
    for variable in program.variables:
        if " " not in variable.name:
            yield f"variable {variable.name}", variable.name, not variable.untold
    for dice in program.dice:
        yield f"dice {dice.name}", dice.name, True


def _optional(program: ir.Program) -> set[str]:
    """The keys of what needs no translation: bookkeeping that no story tells, and texts without a word."""
    told = {key for key, _, is_told in _declared(program) if is_told}
    signs = {TEXT + text for text in shown_texts(program) if not _WORD.search(PLACEHOLDER.sub("", text))}
    return {key for key, _, _ in _declared(program)} - told | signs


# ---------------------------------------------------------------- catalogues


def catalogue_path(folder: Path, language: str) -> Path:
    return folder / "locale" / f"{language}.yaml"


@cache
def titles_of_data(folder: Path, language: str) -> Mapping[str, str]:
    """What a catalogue calls scenarios and campaigns, without anything else of the ruleset: for lists."""
    if not _LANGUAGE.fullmatch(language):
        return {}
    titles = read_catalogue(catalogue_path(folder, language))[0].titles
    return {key: title.translation for key, title in titles.items() if key.startswith(_LISTED)}


def catalogue_for(checked: Checked, language: str) -> dict[str, str]:
    """The translations in force, by key, with our own words; what is not in it keeps its source text."""
    if checked.program is None:
        return {}
    translated = dict(own_words(language))
    texts = texts_of(checked.program)
    for catalogue, _ in _stack(checked, language):
        translated.update(_current(catalogue, texts))
    return translated


def review(checked: Checked, language: str) -> Review:
    """What is left to translate for a ruleset, and what is stale in its own catalogue."""
    texts = texts_of(checked.program) if checked.program is not None else {}
    optional = _optional(checked.program) if checked.program is not None else set()
    stack = [catalogue for catalogue, _ in _stack(checked, language)]
    done: dict[str, str] = {}
    for catalogue in stack:
        done.update(_current(catalogue, texts))
    own = stack[-1]
    changed = [
        key
        for key, title in own.titles.items()
        if key in texts and (title.before or (title.translation and title.source != texts[key]))
    ]
    keys = [*own.titles, *(TEXT + text for text in own.texts)]
    settled = {*done, *changed, *optional}
    missing = [key for key in texts if key not in settled]
    below = _of_those_below(checked, texts) if missing else set()  # which takes another check
    return Review(
        missing=tuple(key for key in missing if key not in below),
        changed=tuple(key for key in changed if key not in done),
        unused=tuple(key for key in keys if key not in texts and not key.startswith(_OF_DATA)),
    )


def _of_those_below(checked: Checked, texts: Mapping[str, str]) -> set[str]:
    """The texts that a ruleset has from those it extends: to translate them is the business of these."""
    below = check(list(checked.books[:-1])).program if len(checked.books) > 1 else None
    if below is None:
        return set()
    return {key for key, source in texts_of(below).items() if texts.get(key) == source}


def catalogue_problems(checked: Checked, language: str) -> list[Diagnostic]:
    """What is wrong in the catalogues of a ruleset and those it extends."""
    return [problem for _, problems in _stack(checked, language) for problem in problems]


def renewed(checked: Checked, language: str) -> Catalogue:
    """The ruleset's own catalogue with what is missing added; nothing that was translated is thrown away."""
    assert checked.program is not None
    texts = texts_of(checked.program)
    *below, (own, _) = _stack(checked, language)
    elsewhere = {key for catalogue, _ in below for key in _current(catalogue, texts)}
    elsewhere |= _optional(checked.program) | _of_those_below(checked, texts)
    titles: dict[str, Title] = {}
    said: dict[str, str] = {}
    for key, source in texts.items():
        if key.startswith(TEXT):
            if source in own.texts or key not in elsewhere:
                said[source] = own.texts.get(source, "")
        elif key in own.titles or key not in elsewhere:
            titles[key] = _renewed(own.titles.get(key), source)
    return Catalogue(titles=_in_place(own.titles, titles), texts=_in_place(own.texts, said))


def _in_place(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What was there stays where it was; what is added stands behind what comes before it in the rules."""
    places = {key: (place, 0) for place, key in enumerate(old)}
    last, added = -1, 0
    for key in new:
        if key in places:
            last, added = places[key][0], 0
        else:
            added += 1
            places[key] = (last, added)
    return {key: new[key] if key in new else old[key] for key in sorted(places, key=places.__getitem__)}


def _renewed(old: Title | None, source: str) -> Title:
    if old is None or old.source == source:
        return old or Title(source=source, translation="")
    return Title(source=source, translation="", before=old.translation or old.before)


def _current(catalogue: Catalogue, texts: Mapping[str, str]) -> dict[str, str]:
    titles = {
        key: title.translation
        for key, title in catalogue.titles.items()
        if title.translation and (texts.get(key) == title.source or key.startswith(_OF_DATA))
    }
    said = {TEXT + text: there for text, there in catalogue.texts.items() if there}
    return titles | {key: there for key, there in said.items() if key in texts}


def _stack(checked: Checked, language: str) -> list[tuple[Catalogue, list[Diagnostic]]]:
    return [read_catalogue(catalogue_path(book.folder, language)) for book in checked.books]


@cache
def own_words(language: str) -> Mapping[str, str]:
    """The words that the interpreter itself says, such as `pass`, as keys of `interpreter.names`."""
    if not _LANGUAGE.fullmatch(language):
        return {}
    catalogue, _ = read_catalogue(grammar_file(f"locale/{language}.yaml"))
    return {key: title.translation for key, title in catalogue.titles.items()}


def read_catalogue(path: Path, language: str = "en") -> tuple[Catalogue, list[Diagnostic]]:
    """The catalogue at a path, empty if there is none; parts with mistakes are left out and told."""
    if not path.exists():
        return Catalogue(), []
    if not is_inside(path, path.absolute().parent.parent):
        return Catalogue(), [report("E0646", whole_file(str(path)), language=language, path=path.name)]
    source, problems = read_source(path, language=language)
    if source is None:
        return Catalogue(), problems
    root, more = read_yaml(source, language=language)
    problems.extend(more)
    if root is None:
        return Catalogue(), problems
    reader = _Reader(problems, language)
    sections = reader.mapping(root, ("titles", "texts"))
    titles, texts = (sections[name].value if name in sections else None for name in ("titles", "texts"))
    catalogue = Catalogue(
        titles={
            key: title for key, entry in reader.mapping(titles).items() if (title := reader.title(entry))
        },
        texts={key: text for key, entry in reader.mapping(texts).items() if (text := reader.said(entry))},
    )
    return catalogue, problems


@dataclass(slots=True)
class _Reader:
    problems: list[Diagnostic]
    language: str

    def mapping(self, node: Node | None, known: tuple[str, ...] = ()) -> Mapping[str, Entry]:
        if node is not None and not isinstance(node, MappingNode) and not _is_empty(node):
            self._wrong(node, "object")
        for key, entry in entries_of(node).items() if known else ():
            if key not in known:
                advice = did_you_mean(key, known, self.language)
                place = entry.key.span
                self.problems.append(report("E0612", place, language=self.language, key=key, help=advice))
        return entries_of(node)

    def title(self, entry: Entry) -> Title | None:
        names = ("source", "translation", "before")
        parts = self.mapping(entry.value, names)
        if not parts or None in [self._text(part) for part in parts.values()]:
            return None
        source, translation, before = (text_of(parts[name].value) if name in parts else "" for name in names)
        return Title(source=source, translation=translation, before=before)

    def said(self, entry: Entry) -> str | None:
        """A translation may only name values that the text has."""
        text = self._text(entry)
        known = PLACEHOLDER.findall(entry.key.text)
        for name in PLACEHOLDER.findall(text or ""):
            if name not in known:
                place = first_line(entry.value.span)
                advice = did_you_mean(name, known, self.language) or None
                self.problems.append(report("E0643", place, language=self.language, name=name, help=advice))
                return None
        return text

    def _text(self, entry: Entry) -> str | None:
        if isinstance(entry.value, ScalarNode):
            return entry.value.text
        self._wrong(entry.value, "string")
        return None

    def _wrong(self, node: Node, expected: str) -> None:
        words = type_words(expected, self.language)
        self.problems.append(wrong_type(node, first_line(node.span), words, self.language))


def _is_empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.plain and not node.text


def translated_program(program: ir.Program, catalogue: Mapping[str, str], language: str = "") -> ir.Program:
    """The program with prompts, labels, reasons and reports translated; what it does, and its hash, stay."""
    done = with_texts(program, lambda text: catalogue.get(TEXT + text, text))
    return replace(done, language=language or program.language)
