"""From a saved game to an example that plays it again: the seed, the answers, and what they lead to.

The text is in the language of the ruleset. Where it belongs in the rules is left to the author.
"""

from __future__ import annotations

from collections.abc import Sequence

from ddob_rules.syntax.source import Source
from ddob_rules.syntax.translate import translate_source
from interpreter.ir import rule_order
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.records.saves import Save
from interpreter.telling.trail import option_keys

# An example cannot say more digits.
_LARGEST_SEED = 10**18
# More rules than this would say nothing about what the example is an example of.
_MOST_RULES = 12


class CannotRecord(ValueError):
    """The game cannot be said as an example; the text says why."""


def example_of(game: Game, save: Save, title: str) -> str:
    """The example of a save that was proven under the rules of `game`."""
    if not 0 <= save.seed < _LARGEST_SEED:
        raise CannotRecord(f"an example cannot have the seed {save.seed}")
    state = game.start(save.seed)
    answers = []
    for taken in save.choices:
        index = option_keys(state).index(taken.key)
        answers.append(_answer(state, index))
        state.take(index)
    lines = [
        f"example {_quoted(title)}{_rules(state)}:",
        f"  given {_quoted(save.scenario)}{_set_up(game, save)}",
    ]
    lines += ["  when:", *(f"    answer {_quoted(answer)}" for answer in answers), "    play"]
    lines += [f"  expect {expected}" for expected in _expectations(state)]
    return _in_language("\n".join(lines) + "\n", game.program.language)


def _answer(state: State, index: int) -> str:
    """The words that mean this option and no other."""
    options = state.game.option_list(state)
    for texts in ([option.key for option in options], [option.label for option in options]):
        if texts.count(texts[index]) == 1:
            return texts[index]
    raise CannotRecord(f"two options have the same name, `{options[index].key}`")


def _rules(state: State) -> str:
    """The rules that were at work."""
    outline = state.game.program.outline
    numbers = {entry.rule for entry in state.entries() if entry.rule}
    found = sorted(numbers, key=lambda number: rule_order(number, outline))
    return f" of {', '.join(found)}" if 0 < len(found) <= _MOST_RULES else ""


def _set_up(game: Game, save: Save) -> str:
    options = sorted(set(game.options) - set(game.scenario.options))
    chosen = f" with {', '.join(options)}" if options else ""
    return f"{chosen} seed {save.seed}"


def _expectations(state: State) -> Sequence[str]:
    if not state.over:
        return "not game_over", f"turn = {state.turn}"
    return "game_over", f"winners = {{{', '.join(state.winners)}}}", f"turn = {state.turn}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _in_language(text: str, language: str) -> str:
    if language == "en":
        return text
    translated, problems = translate_source(Source("example", text), language)
    # The file that it is put into says which language it is in.
    return text if problems else translated.partition("\n\n")[2]
