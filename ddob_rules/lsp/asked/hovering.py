"""What is told of a word under the cursor: its type, where it comes from, who amends it, the rule's sentence.

The sentence is told in the language of the rules and in every other that a catalogue has it in.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from ddob_rules.check.scope import Meaning, Signature, Vocabulary
from ddob_rules.check.values.builtins import BUILTINS, Builtin
from ddob_rules.index import Index, Spot
from ddob_rules.stack.book import Book, RuleBlock
from ddob_rules.syntax.drafts import draft_of
from ddob_rules.syntax.words import languages
from ddob_rules.translations.catalogue import Catalogue, catalogue_path, read_catalogue
from interpreter.telling.sentences import sentence

# A declaration may be a whole table; its first line says what it is.
_LONGEST = 160

_SAID = {
    "en": {"rule": "rule", "in": "in", "amended": "amended by", "when": "when", "local": "of this rule"},
    "fr": {"rule": "règle", "in": "dans", "amended": "amendée par", "when": "quand", "local": "d'ici"},
}  # fmt: skip


def told_of(index: Index, spot: Spot, language: str = "en") -> str:
    """Markdown for the word at a spot."""
    said = _SAID.get(language, _SAID["en"])
    parts = [f"```ddob\n{_headline(index, spot)}\n```"]
    if spot.meaning.space == "library":
        builtin = BUILTINS.get(spot.meaning.name)
        parts += [builtin.explanation] if builtin is not None else []
    elif spot.meaning.space == "local":
        parts.append(said["local"])
    for block in _blocks(index, spot):
        parts.append(told_of_rule(index, block, said))
    return "\n\n".join(parts)


def told_of_rule(index: Index, block: RuleBlock, said: dict[str, str]) -> str:
    """A rule: its number, title, sentences, place, and every amendment in force."""
    place = f"{block.span.source.path}:{block.span.line}"
    lines = [f"{said['rule']} **{block.id}** {block.title} ({said['in']} `{place}`)"]
    lines += [f"> {text}" for text in sentences(index, block)]
    for other in index.checked.merged.amended.get(block.id, []):
        condition = other.amendment.condition if other.amendment is not None else None
        under = f" {said['when']} `{condition.span.text}`" if condition is not None else ""
        lines.append(f"{said['amended']} **{other.id}** {other.title} (`{other.ruleset}`){under}")
        lines += [f"> {text}" for text in sentences(index, other)]
    return "  \n".join(lines)


def sentences(index: Index, block: RuleBlock) -> list[str]:
    """The sentence of a rule, as it is written and as catalogues have it."""
    found = [_worded(index, block.text, block.language)] if block.text else []
    for book in index.checked.books:
        for language in languages():
            title = _catalogue(book, language).titles.get(f"rule {block.id} text")
            if title is not None and title.translation and title.source == block.text:
                found.append(f"*{language}*: {_worded(index, title.translation, language)}")
    return found


def _worded(index: Index, text: str, language: str) -> str:
    """A sentence with the numbers that values state, while there is a program that says them."""
    program = index.checked.program
    return sentence(text, program, language) if program is not None else text


def signature_of(signature: Signature) -> str:
    parameters = ", ".join(f"{parameter.name}: {parameter.type}" for parameter in signature.parameters)
    brackets = f"({parameters})" if parameters else ""
    kind = "" if str(signature.type) == "effect" else f": {signature.type}"
    return f"{signature.sort} {signature.name}{brackets}{kind}"


def library_signature(name: str, builtin: Builtin) -> str:
    more = ", ..." if builtin.more else ""
    return f"{name}({', '.join(str(one) for one in builtin.parameters)}{more}): {builtin.result}"


def described(meaning: Meaning, words: Vocabulary) -> str:
    """What a word is, in a line that looks like its declaration."""
    name = meaning.name
    match meaning.space:
        case "local" | "id":
            return f"{name}: {meaning.type}" if meaning.type is not None else name
        case "value":
            return f"{meaning.of}: {name}"
        case "attribute":
            attribute = words.attributes.get((meaning.of, name))
            return (
                f"{meaning.of.removeprefix('enum ')}.{name}: {attribute.type if attribute else meaning.type}"
            )
        case "library":
            return library_signature(name, BUILTINS[name]) if name in BUILTINS else name
        case "phase" | "option" | "rule":
            return f"{meaning.space} {name}"
        case "action":
            return signature_of(words.actions[name]) if name in words.actions else f"action {name}"
        case _:
            return _named(name, words)


def _named(name: str, words: Vocabulary) -> str:
    for known in (words.functions, words.procedures, words.priorities):
        if name in known:
            return signature_of(known[name])
    if name in words.variables:
        return f"variable {name}: {words.variables[name].type}"
    if name in words.kinds and words.kinds[name].owner != "enum":
        return f"{words.kinds[name].owner} {name}"
    if name in words.dice:
        return f"dice {name}: {words.dice[name].type}"
    if name in words.enums:
        return f"enum {name}: {', '.join(words.enums[name].values)}"
    return name


def _headline(index: Index, spot: Spot) -> str:
    told = described(spot.meaning, index.checked.words)
    return told if len(told) <= _LONGEST else told[: _LONGEST - 1] + "…"


def _blocks(index: Index, spot: Spot) -> list[RuleBlock]:
    """The rules that declare what a word stands for; those that only amend it are told with the first."""
    if spot.meaning.space == "rule":
        block = index.checked.merged.rules.get(spot.meaning.name)
        return [block] if block is not None else []
    if spot.meaning.space in ("local", "library", "id"):
        return []
    places = [declared.span for declared in index.declarations(spot.key)]
    found = {block.id: block for place in places if (block := index.block_of(place)) is not None}
    first = [block for block in found.values() if block.amendment is None]
    return first or list(found.values())[:1]


def _catalogue(book: Book, language: str) -> Catalogue:
    path = catalogue_path(book.folder, language)
    return _read(str(path), _stamp(path), language)


@lru_cache(maxsize=40)
def _read(path: str, stamp: object, language: str) -> Catalogue:
    return read_catalogue(Path(path), language)[0] if stamp is not None else Catalogue()


def _stamp(path: Path) -> object:
    draft = draft_of(path)
    if draft is not None:
        return draft
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
