"""From a checked ruleset to a running game. Knows no game, and nothing of the author tools.

The stages, each importing earlier ones only: ir (the typed form that comes in), geometry, compiler (Python
source), telling (what people read), machine (what runs), records (games on disk), players, trials (many
games).
"""

from interpreter.failures import BadChoice, BadState, Limits, RuleFailure
from interpreter.machine.choice import Choice, Option
from interpreter.machine.game import Game
from interpreter.machine.reasons import Refusal
from interpreter.machine.state import State

__all__ = ["BadChoice", "BadState", "Choice", "Game", "Limits", "Option", "Refusal", "RuleFailure", "State"]
