"""What can go wrong while rules run, told at the line of the rule that was running."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.ir import Site


class GameOver(Exception):
    """Not a failure: leaves whatever was being resolved when the game ends."""


class RuleFailure(Exception):
    """A rule could not be carried out. `site` is its place; `values` what was known there."""

    def __init__(self, code: str, site: Site | None = None, **arguments: object) -> None:
        super().__init__(code)
        self.code = code
        self.site = site
        self.arguments = arguments

    def __str__(self) -> str:
        place = f"{self.site.file}:{self.site.line}: rule {self.site.rule}: " if self.site is not None else ""
        return place + MESSAGES[self.code].format(**{**{"text": ""}, **self.arguments})


#: The rules themselves say that scenario, options and overlays do not go together.
REFUSED = "E0709"


class BadChoice(ValueError):
    """A choice that is not on offer."""


class BadState(ValueError):
    """Data that is not a state of this game."""


#: Short forms for Python users; the command shows the catalogue's texts for the same codes.
MESSAGES = {
    "E0701": "a number was divided by zero",
    "E0702": "the rules did not come to a choice within {limit} steps",
    "E0703": "the game did not end within {limit} choices",
    "E0704": "no row of the table matches {values}",
    "E0705": "a number became larger than {limit}",
    "E0706": "a collection became larger than {limit}",
    "E0707": "the example cannot take this action: {text}",
    "E0708": "the rules failed here: {text}",
    "E0718": "a text became longer than {limit} letters",
    "E0719": "the dice cannot show {shown}: this die has {faces}",
    "E0709": "this cannot be played: {text}",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets; reaching one names the rule that was running."""

    steps: int = 2_000_000  # between two choices; a long automatic turn takes some tens of thousands
    choices: int = 100_000  # in a game
    collection: int = 100_000  # numbers in a list, repetitions
    number: int = 10**15
    text: int = 10_000  # letters
