"""Shipped rulesets, read and checked once for all tests that run in a process; nobody may change them."""

from __future__ import annotations

from functools import cache

from ddob_rules.check.program import Checked
from ddob_rules.library.finding import rulesets
from ddob_rules.loading import Loaded, load_ruleset
from ddob_rules.resources import rulesets_folder
from interpreter.ir import Program


@cache
def _folders() -> dict[str, str]:
    return {entry.name: str(entry.folder) for entry in rulesets(rulesets_folder())}


@cache
def shipped_ruleset(name: str) -> Loaded:
    return load_ruleset(_folders()[name])


def shipped_rules(name: str) -> Checked:
    found = shipped_ruleset(name).checked
    assert found is not None, f"{name} does not check"
    return found


def shipped_program(name: str) -> Program:
    found = shipped_ruleset(name).program
    assert found is not None, f"{name} does not check"
    return found
