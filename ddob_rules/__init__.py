"""From text to a checked ruleset, and the tools for rule authors.

The stages, each importing only earlier ones: source -> lexer -> parse -> book -> overlay -> vocabulary,
behaviour, phases (with expressions, statements, tables) -> checks -> program; beside them yamldoc -> schema
-> scenario. `loading` ties them together and hands the result to `interpreter`, which plays it and knows
nothing of this package.
"""

from ddob_rules.loading import RulesProblem, load

__all__ = ["RulesProblem", "load"]
__version__ = "0.1.0"
