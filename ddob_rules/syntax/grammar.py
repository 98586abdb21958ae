"""The grammar files and the words of a language, handed to lark: one parser a language.

Lark's contextual lexer looks only for the terminals that can come next, so a word is a keyword only where the
grammar accepts one, and otherwise a name. The grammar is LALR(1) without conflicts, as a test has lark's
strict mode prove.
"""

from __future__ import annotations

import io
import re
from functools import cache

from lark import Lark
from lark import __version__ as lark_version

from ddob_rules.cache_folder import keep, recall
from ddob_rules.resources import grammar_file
from ddob_rules.syntax.layout import Layout
from ddob_rules.syntax.words import PUNCTUATION, words

FILES = ("rules", "overlay", "tables", "effects", "expr")
#: What can be read: an item of a file, or an expression between the braces of a text.
STARTS = ["start", "embedded"]
# They give nothing back: a long word, or a million backslashes without an end, would be tried in many ways.
NAME = r"[^\W\d]\w*+(?:['’][^\W\d]\w*+)*+"
STRING = r'"(?:[^"\\\n]|\\[^\n])*+"'
_APOSTROPHE = "['’]"
_WORD_END = r"(?![\w'’])"
_BLANKS = r"(?:\s|#[^\n]*\n)+"
# Layout tokens are made by `Layout`; line ends that no code follows, blanks and comments are nobody's.
_TERMINALS = rf"""
NAME: /{NAME}/
STRING: /{STRING}/
NUMBER: /[0-9]+(?!\w)/
RATIO.2: /[0-9]+:[0-9]+(?!\w)/
RULE_ID.99999: /\w+(?:[.\-]\w+)*/
_NEWLINE: /\n[ \t]*(?=[^ \t\n#])/
_BLANK: /(?:[ \t]+|#[^\n]*|\n(?![ \t]*[^ \t\n#]))+/
%ignore _BLANK
%declare _INDENT _DEDENT
"""


def text() -> str:
    """All grammar files as one."""
    return "\n".join(grammar_file(f"{name}.lark").read_text("utf-8") for name in FILES)


def whole(language: str) -> str:
    """The grammar with the terminals of a language."""
    return "\n".join([text(), _TERMINALS, *_symbols(), *_keywords(language), ""])


@cache
def parser(language: str) -> Lark:
    """The parser for a language. Making it takes longer than reading a rulebook, so it is kept on disk.

    Lark writes and reads it. That is a pickle: it stands in an entry of our own cache, which is read only if
    nobody else can have written it.
    """
    key = (lark_version, whole(language))
    found = recall("grammar", key)
    if isinstance(found, bytes):
        return Lark.load(io.BytesIO(found))
    made = Lark(
        whole(language),
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        start=STARTS,
    )
    written = io.BytesIO()
    made.save(written)
    keep("grammar", key, written.getvalue())
    return made


def _symbols() -> list[str]:
    """Signs; one that begins a longer one is not read where the longer one stands."""
    spellings: dict[str, list[str]] = {}
    for symbol, terminals in PUNCTUATION.items():
        longer = [re.escape(other[len(symbol) :]) for other in PUNCTUATION if _begins(symbol, other)]
        pattern = re.escape(symbol) + (f"(?!{'|'.join(longer)})" if longer else "")
        for terminal in terminals:
            spellings.setdefault(terminal, []).append(pattern.replace("/", r"\/"))
    return [f"{terminal}: /{'|'.join(patterns)}/" for terminal, patterns in spellings.items()]


def _begins(symbol: str, other: str) -> bool:
    return other != symbol and other.startswith(symbol)


def _keywords(language: str) -> list[str]:
    """Long phrases are looked for first; words of the same length in the order of the list."""
    spellings = words(language).spellings
    lines = []
    for place, (terminal, phrases) in enumerate(spellings.items()):
        priority = len(spellings) * (len(phrases[0].split()) + 1) - place
        lines.append(f"{terminal}.{priority}: /{_phrases(phrases)}/")
    # In `{x in S}` the name is that of a new thing, and in `{x + 1}` it is not: that is seen one word later.
    lines.append(f"BOUND_NAME.99999: /{NAME}(?={_BLANKS}{_phrases(spellings['_EACH_IN'])})/")
    return lines


def _phrases(phrases: tuple[str, ...]) -> str:
    """A regular expression for any of the phrases, however they are spaced; an elided one needs no blank."""
    pattern = "|".join(_phrase(phrase) for phrase in dict.fromkeys(phrases))
    return f"(?:{pattern})" if "|" in pattern else pattern


def _phrase(phrase: str) -> str:
    words_of_it = " +".join(re.escape(word) for word in phrase.split()).replace("'", _APOSTROPHE)
    return words_of_it + ("" if phrase.endswith("'") else _WORD_END)
