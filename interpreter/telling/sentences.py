"""The sentence of a rule as it is in force: numbers that a value states stand in it by the value's name.

`{limit} pieces at most` says what `value limit = 8` says, in letters up to twelve, in the language of the
sentence: "Eight pieces at most". A value that has had several numbers is told with all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from interpreter import ir

BRACES = re.compile(r"\{\s*([^{}\s]*)\s*\}")
_LETTERS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve".split(),
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze".split(),
}
_OR = {"en": "or", "fr": "ou"}
# Values may be made of values; more steps than this are a circle, which is told elsewhere.
_DEEPEST = 20


def sentence(text: str, program: ir.Program, language: str) -> str:
    """The text with the numbers of the program in the place of `{name}`; what is no number stays."""
    if "{" not in text:
        return text
    bodies = {each.name: each.body for each in program.definitions if not each.parameters}

    def worded(found: re.Match[str]) -> str:
        numbers = numbers_of(bodies, found[1])
        if not numbers:
            return found[0]
        told = f" {_OR.get(language, 'or')} ".join(_in_letters(number, language) for number in numbers)
        begins = not found.string[: found.start()].rstrip(' "«“') or bool(
            re.search(r"[.!?:]\s+$", found.string[: found.start()])
        )
        return told[:1].upper() + told[1:] if begins else told

    return BRACES.sub(worded, text)


def numbers_of(bodies: Mapping[str, ir.Expression], name: str) -> list[int]:
    """The numbers that a value can be, in the order of the rules; none if it is no such value."""
    found = _constants(bodies.get(name), bodies, _DEEPEST)
    return list(dict.fromkeys(found)) if found is not None else []


def _constants(
    body: ir.Expression | None, bodies: Mapping[str, ir.Expression], depth: int
) -> list[int] | None:
    match body:
        case ir.Const(value=int(value), type=ir.NUMBER):
            return [value]
        case ir.Conditional(then=then, otherwise=otherwise):
            first, second = _constants(then, bodies, depth), _constants(otherwise, bodies, depth)
            return None if first is None or second is None else [*first, *second]
        case ir.Call(name=name, arguments=()) if depth:
            return _constants(bodies.get(name), bodies, depth - 1)
        case _:
            return None


def _in_letters(number: int, language: str) -> str:
    letters = _LETTERS.get(language, _LETTERS["en"])
    return letters[number] if 0 <= number < len(letters) else str(number)
