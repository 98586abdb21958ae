"""From line ends to the layout that the grammar knows: ends of lines, blocks that open and close.

Blocks are opened by a colon at the end of a line and made of deeper indented lines; a deeper indented line
after any other line continues it, and so does every line inside brackets. What is too deep or too long for a
person to read is refused here, before later stages meet it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

# Deeper nesting than a person can read; it also keeps every later stage's recursion bounded.
MAXIMUM_INDENTATION = 24
MAXIMUM_BRACKETS = 40
MAXIMUM_LINE_TOKENS = 2_000

OPENING = ("_LPAR", "_LSQB", "_LBRACE")
CLOSING = ("_RPAR", "_RSQB", "_RBRACE")


class LayoutMistake(Exception):
    """A finding about the layout, at a place in the text that is read."""

    def __init__(self, code: str, start: int, end: int, limit: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.start = start
        self.end = end
        self.limit = limit


class Layout(PostLex):
    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels = [0]
        brackets: list[Token] = []
        count = 0
        opened = False  # the last token of the line before was a colon outside brackets
        last = 0  # the end of the last token, where its line and the blocks after it end
        for token in stream:
            if token.type != "_NEWLINE":
                count += 1
                if count > MAXIMUM_LINE_TOKENS:
                    raise _mistake("E0107", token, MAXIMUM_LINE_TOKENS)
                if token.type in OPENING:
                    brackets.append(token)
                    if len(brackets) > MAXIMUM_BRACKETS:
                        raise _mistake("E0108", token, MAXIMUM_BRACKETS)
                elif token.type in CLOSING and brackets:
                    brackets.pop()
                opened = token.type == "_COLON" and not brackets
                assert token.end_pos is not None
                last = token.end_pos
                yield token
                continue
            if "\t" in token:
                raise _mistake("E0102", token)
            width = len(token) - 1
            if brackets or (width > levels[-1] and not opened):
                continue  # a continued line
            count = 0
            yield _made("_NEWLINE", last)
            if width > levels[-1]:
                if len(levels) > MAXIMUM_INDENTATION:
                    raise _mistake("E0106", token)
                levels.append(width)
                assert token.end_pos is not None
                yield _made("_INDENT", token.end_pos)
            while width < levels[-1]:
                levels.pop()
                yield _made("_DEDENT", last)
            if width != levels[-1]:
                raise _mistake("E0103", token)
            opened = False
        if brackets:
            raise _mistake("E0105", brackets[-1])
        yield _made("_NEWLINE", last)
        for _ in levels[1:]:
            yield _made("_DEDENT", last)


def _made(terminal: str, place: int) -> Token:
    return Token(terminal, "", place, end_pos=place)


def _mistake(code: str, token: Token, limit: int | None = None) -> LayoutMistake:
    assert token.start_pos is not None and token.end_pos is not None
    start = token.start_pos + (1 if token.type == "_NEWLINE" else 0)
    return LayoutMistake(code, start, token.end_pos, limit)
