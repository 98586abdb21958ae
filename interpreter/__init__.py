"""From a checked ruleset to a running game. Knows no game, and nothing of the author tools.

The stages: ir (the typed form that comes in) -> analysis -> emit, effects, blocks -> compile (Python source)
-> game (with a scenario's data) -> state. Beside them stand the libraries that rules may use (geometry,
paths, matching, randomness) and what plays games: players, simulation, saves.
"""

from interpreter.choice import Choice, Option
from interpreter.failures import BadChoice, BadState, Limits, RuleFailure
from interpreter.game import Game
from interpreter.reasons import Refusal
from interpreter.state import State

__all__ = ["BadChoice", "BadState", "Choice", "Game", "Limits", "Option", "Refusal", "RuleFailure", "State"]
