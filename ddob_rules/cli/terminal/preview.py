"""From an option to what it would do at once, as far as that is certain for the one who is asked.

The option is taken in several positions that the seat cannot tell from the present one, with other chances to
come; what happens in all of them alike is told. So a look ahead gives away neither dice nor secrets.
"""

from __future__ import annotations

from itertools import takewhile

from ddob_rules.cli.phrases import phrase
from ddob_rules.cli.terminal.story import Story, entries_since
from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.players.determinize import Secrets
from interpreter.telling.facts import PhaseBegan, TurnBegan

# Enough that two of them hardly ever agree on what is left to chance.
_WORLDS = 6


def would_do(game: Game, state: State, seat: str | None, index: int, language: str) -> list[str]:
    """The lines of the story that taking an option is sure to bring, and whether chance decides the rest."""
    secrets = Secrets(game, state, seat)
    chance = Chance(index)
    worlds = [_lines(game, secrets.draw(chance), seat, index, language) for _ in range(_WORLDS)]
    alike = takewhile(lambda told: len(set(told)) == 1, zip(*worlds, strict=False))
    sure = [told[0] for told in alike]
    if any(len(world) > len(sure) for world in worlds):
        return [*sure, phrase(language, "then chance")]
    return sure or [phrase(language, "changes nothing")]


def _lines(game: Game, world: State, seat: str | None, index: int, language: str) -> list[str]:
    """What is told of taking the option in one world, without headings; up to the next question."""
    before = len(entries_since(world, 0))
    try:
        world.take(index)
    except RuleFailure as failure:
        return [str(failure)]
    entries = entries_since(world, before, seat)
    entries = [entry for entry in entries if not isinstance(entry.fact, TurnBegan | PhaseBegan)]
    story = Story(game, language)
    return [line.strip() for line in story.lines(entries, world, seat) if line.startswith("   ")]
