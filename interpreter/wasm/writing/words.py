"""Sets while code is written: for each word a piece of text, so that joining and cutting sets needs no
memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.wasm.shapes import Span
from interpreter.wasm.writing.wat import Function, add, constant, get, i32, i64

_SHORT = ("(local.get ", "(i64.const ")


@dataclass(frozen=True, slots=True)
class Words:
    """A set. `address`, if there is one, is where its words lie; `has` tests a number (a short text)."""

    span: Span
    word: Callable[[int], str]
    has: Callable[[str], str]
    address: str = ""

    def words(self) -> list[str]:
        return [self.word(number) for number in range(self.span.low, self.span.high)]

    def at(self, number: int) -> str:
        """The text of a word, whether the set can have it or not."""
        return self.word(number) if self.span.low <= number < self.span.high else i64(0)

    @property
    def cheap(self) -> bool:
        """Whether its words may be written more than once."""
        return bool(self.address) or all(word.startswith(_SHORT) for word in self.words())


def nothing() -> Words:
    return Words(Span(0, 0), lambda number: i64(0), lambda element: i32(0))


def one_word(text: str, span: Span) -> Words:
    """A set that is one word; the text must be short if it is used more than once."""
    assert span.words == 1

    def has(element: str) -> str:
        place = add(element, -64 * span.low)
        shifted = f"(i64.shr_u {text} (i64.extend_i32_u {place}))"
        bit = f"(i32.and (i32.wrap_i64 {shifted}) (i32.const 1))"
        known = constant(element)
        if known is not None:
            return bit if 0 <= known - 64 * span.low < 64 else i32(0)
        return f"(i32.and {bit} (i32.lt_u {place} (i32.const 64)))"

    return Words(span, lambda number: text, has)


def in_memory(address: str, span: Span) -> Words:
    """A set that lies at an address, which must be short."""
    if not span.words:
        return nothing()

    def word(number: int) -> str:
        offset = 8 * (number - span.low)
        known = constant(address)
        if known is not None:
            return f"(i64.load (i32.const {known + offset}))"
        return f"(i64.load offset={offset} {address})" if offset else f"(i64.load {address})"

    def has(element: str) -> str:
        place = add(element, -64 * span.low)
        if span.words == 1:
            inner = one_word(word(span.low), span).has(element)
            return inner
        spot = f"(i32.shl (i32.shr_u {place} (i32.const 6)) (i32.const 3))"
        bit = f"(i64.shr_u (i64.load {add(address, spot)}) (i64.extend_i32_u {place}))"
        test = f"(i32.lt_u {place} {i32(64 * span.words)})"
        return (
            f"(if (result i32) {test} (then (i32.and (i32.wrap_i64 {bit}) (i32.const 1)))"
            " (else (i32.const 0)))"
        )

    return Words(span, word, has, address)


def fixed(mask: int, span: Span) -> Words:
    """A set that is known when the code is written."""

    def has(element: str) -> str:
        known = constant(element)
        if known is not None:
            return i32(known >= 0 and mask >> known & 1)
        if mask.bit_count() == 1:
            return f"(i32.eq {element} {i32(mask.bit_length() - 1)})"
        first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
        if mask.bit_count() == last - first + 1:
            return f"(i32.lt_u {add(element, -first)} {i32(mask.bit_count())})"
        tests = [
            one_word(i64(mask >> 64 * number), Span(number, number + 1)).has(element)
            for number in range(span.low, span.high)
            if mask >> 64 * number & (1 << 64) - 1
        ]
        return joined("i32.or", tests, i32(0))

    return Words(span, lambda number: i64(mask >> 64 * number), has)


def joined(operator: str, texts: list[str], empty: str) -> str:
    """Texts joined by an operator, the first innermost."""
    if not texts:
        return empty
    result = texts[0]
    for text in texts[1:]:
        result = f"({operator} {result} {text})"
    return result


def union(left: Words, right: Words) -> Words:
    span = left.span.joined(right.span)

    def word(number: int) -> str:
        parts = [one.word(number) for one in (left, right) if one.span.low <= number < one.span.high]
        return joined("i64.or", parts, i64(0))

    return Words(span, word, lambda element: f"(i32.or {left.has(element)} {right.has(element)})")


def in_locals(f: Function, group: Words) -> Words:
    """The same set with each of its words in a local."""
    names = {number: f.fresh("i64", "word") for number in range(group.span.low, group.span.high)}
    for number, name in names.items():
        f.set(name, group.word(number))
    return Words(group.span, lambda number: get(names[number]), group.has, group.address)


def both(left: Words, right: Words) -> Words:
    span = left.span.common(right.span)
    return Words(
        span,
        lambda number: f"(i64.and {left.word(number)} {right.word(number)})",
        lambda element: f"(i32.and {left.has(element)} {right.has(element)})",
    )


def minus(left: Words, right: Words) -> Words:
    def word(number: int) -> str:
        if not right.span.low <= number < right.span.high:
            return left.word(number)
        return f"(i64.and {left.word(number)} (i64.xor {right.word(number)} (i64.const -1)))"

    return Words(
        left.span,
        word,
        lambda element: f"(i32.and {left.has(element)} (i32.eqz {right.has(element)}))",
    )


def is_empty(group: Words) -> str:
    return f"(i64.eqz {joined('i64.or', group.words(), i64(0))})"


def size(group: Words) -> str:
    return joined("i64.add", [f"(i64.popcnt {word})" for word in group.words()], i64(0))


def equal(left: Words, right: Words) -> str:
    span = left.span.joined(right.span)
    tests = [f"(i64.xor {left.at(number)} {right.at(number)})" for number in range(span.low, span.high)]
    return f"(i64.eqz {joined('i64.or', tests, i64(0))})"


def held(f: Function, group: Words) -> Words:
    """The same set, which can be used more than once."""
    if group.cheap:
        return group
    if group.span.words == 1:
        return one_word(f.held(group.word(group.span.low), "i64", "set"), group.span)
    return placed(f, group, f.room(group.span.size), group.span)


def placed(f: Function, group: Words, address: str, span: Span) -> Words:
    """The set, copied to an address; of another span, what fits into that."""
    store(f, group, address, span)
    return in_memory(address, span)


def store(f: Function, group: Words, address: str, span: Span) -> None:
    address = f.held(address, "i32", "to")
    if group.address and group.span == span and span.words > 2:
        f.copy(address, group.address, span.size)
        return
    for number in range(span.low, span.high):
        offset = 8 * (number - span.low)
        f.line(f"(i64.store offset={offset} {address} {group.at(number)})")


def as_memory(f: Function, group: Words, span: Span) -> str:
    """The address at which a set of this span lies."""
    if group.address and group.span == span:
        return group.address
    room = f.held(f.room(span.size), "i32", "set")
    store(f, group, room, span)
    return room


def first(f: Function, group: Words) -> str:
    """The lowest member, or -1."""
    group = held(f, group)
    result = i32(-1)
    for number in reversed(range(group.span.low, group.span.high)):
        lowest = f"(i32.wrap_i64 (i64.ctz {group.word(number)}))"
        lowest = add(lowest, 64 * number)
        result = f"(if (result i32) (i64.eqz {group.word(number)}) (then {result}) (else {lowest}))"
    return result


__all__ = [
    "Words", "as_memory", "both", "equal", "first", "fixed", "get", "held", "in_memory", "is_empty", "joined",
    "minus", "nothing", "one_word", "placed", "size", "store", "union",
]  # fmt: skip
