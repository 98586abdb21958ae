"""Word lists: which words of a language stand for which terminals of the grammar.

A word is a keyword only where the grammar accepts one, so authors may use most words as names too. The lists
are text in `grammar/keywords/`; adding a language is adding a file there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ddob_rules.resources import grammar_file, grammar_table


@dataclass(frozen=True, slots=True)
class Words:
    language: str
    spellings: dict[str, tuple[str, ...]]  # terminal -> phrases, the one `translate` writes first
    canonical: dict[tuple[str, str], str]  # terminal and phrase -> the English phrase for it
    names: dict[str, str]  # word in this language -> built-in name
    builtin: dict[str, str]  # built-in name -> word in this language
    first_words: frozenset[str]  # of all phrases
    twins: dict[str, tuple[str, ...]]  # terminal -> itself and those that are spelled alike, in their order
    roles: dict[str, dict[str, str]]  # node -> terminal that it begins with -> how it is written there
    elided: dict[str, str]  # phrase -> how it is written before a vowel

    def spelling(self, terminal: str) -> str:
        """How a person writes the terminal, for messages."""
        if terminal in self.spellings:
            return f"`{self.spellings[terminal][0]}`"
        return _SHOWN.get(terminal, {}).get(self.language, f"`{_SYMBOLS.get(terminal, terminal)}`")


PUNCTUATION: dict[str, tuple[str, ...]] = {
    "..": ("_DOTDOT",),
    "->": ("_ARROW",),
    "<=": ("LESS_EQUAL",),
    ">=": ("MORE_EQUAL",),
    "!=": ("NOT_EQUAL",),
    "≤": ("LESS_EQUAL",),
    "≥": ("MORE_EQUAL",),
    "≠": ("NOT_EQUAL",),
    "=": ("_EQUAL", "EQUAL"),
    "<": ("LESS",),
    ">": ("MORE",),
    "+": ("PLUS",),
    "-": ("MINUS",),
    "*": ("STAR",),
    "/": ("_SLASH",),
    "(": ("_LPAR",),
    ")": ("_RPAR",),
    "{": ("_LBRACE",),
    "}": ("_RBRACE",),
    "[": ("_LSQB",),
    "]": ("_RSQB",),
    ",": ("_COMMA",),
    ".": ("_DOT",),
    ":": ("_COLON",),
    "|": ("_BAR",),
}

_SYMBOLS = {terminal: text for text, terminals in reversed(PUNCTUATION.items()) for terminal in terminals}
_SHOWN = {
    "NAME": {"en": "a name", "fr": "un nom"},
    "NUMBER": {"en": "a number", "fr": "un nombre"},
    "RATIO": {"en": "a ratio", "fr": "un rapport"},
    "STRING": {"en": 'a text in "quotes"', "fr": 'un texte entre "guillemets"'},
    "RULE_ID": {"en": "a rule number", "fr": "un numéro de règle"},
    "_NEWLINE": {"en": "the end of the line", "fr": "la fin de la ligne"},
    "_INDENT": {"en": "an indented block", "fr": "un bloc en retrait"},
    "_DEDENT": {"en": "the end of the block", "fr": "la fin du bloc"},
    "$END": {"en": "the end of the rule", "fr": "la fin de la règle"},
}


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _folder().glob("*.yaml")))


@cache
def words(language: str) -> Words:
    """The word list of a language; KeyError if there is none."""
    raw = _read(language)
    english = _read("en")
    canonical: dict[tuple[str, str], str] = {}
    terminals: dict[str, dict[str, None]] = {}
    for terminal, spellings in raw["keywords"].items():
        for spelling, meant in zip(spellings, english["keywords"][terminal], strict=True):
            canonical[terminal, spelling] = meant
            terminals.setdefault(spelling, {})[terminal] = None
    spellings_of = {terminal: tuple(spellings) for terminal, spellings in raw["keywords"].items()}
    builtin = {str(name): str(word) for name, word in raw["names"].items()}
    return Words(
        language,
        spellings_of,
        canonical,
        {word: name for name, word in builtin.items()},
        builtin,
        frozenset(spelling.split()[0] for spelling in terminals),
        {name: tuple(group) for group in terminals.values() if len(group) > 1 for name in group},
        raw.get("roles", {}),
        raw.get("elided", {}),
    )


@cache
def _read(language: str) -> dict[str, Any]:
    if not (_folder() / f"{language}.yaml").is_file():
        raise KeyError(language)
    raw: dict[str, Any] = grammar_table(f"keywords/{language}.yaml")
    return raw


def _folder() -> Path:
    return grammar_file("keywords")
