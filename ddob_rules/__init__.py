"""From text to a checked ruleset, and the tools for rule authors.

The stages, each importing earlier ones only: reports, syntax (text to trees), stack (rulesets laid on one
another), check (trees to the typed form), library (what lies where), scenarios, translations. `loading` ties
them together and hands the result to `interpreter`, which plays it and knows nothing of this package. On top
stand examples, compare and the commands in cli.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ddob_rules.loading import RulesProblem, load

__all__ = ["RulesProblem", "load"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What is exported, loaded when it is asked for: so the command can begin before all of it is there."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ddob_rules import loading

    return getattr(loading, name)
