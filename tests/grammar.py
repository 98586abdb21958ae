"""The grammar as tests look at it."""

from __future__ import annotations

from ddob_rules.syntax import grammar


def nodes_of_the_grammar() -> set[str]:
    """Every node that the parser can make: a rule marked `?` makes one only where it has several items."""
    found: set[str] = set()
    for rule in grammar.parser("en").rules:
        kept = [symbol for symbol in rule.expansion if not symbol.is_term or symbol.name[0] != "_"]
        if rule.alias or not rule.options.expand1 or len(kept) > 1:
            found.add(str(rule.alias or rule.origin.name))
    return {name for name in found if not name.startswith("_")}
