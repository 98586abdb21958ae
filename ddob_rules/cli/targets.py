"""From words on the command line to rulesets and scenarios: names, paths, and stacks such as `base+errata`.

Names that are not there are told as diagnostics, with what was probably meant. Nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from ddob_rules.check.program import Checked, check
from ddob_rules.cli.output import FINDINGS, print_diagnostics
from ddob_rules.library.finding import find_ruleset, find_scenario
from ddob_rules.library.headers import ScenarioHeader
from ddob_rules.loading import FROM_DISK, Loaded, load_ruleset
from ddob_rules.scenarios.reading import read_header
from ddob_rules.stack.book import normal
from ddob_rules.syntax.words import languages
from interpreter.ir import Program

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A ruleset with what is laid over it; `extra` is the rules file that a scenario brings."""

    name: str
    overlays: tuple[str, ...] = ()
    extra: tuple[Path, ...] = ()
    of_scenario: bool = False


def parts_of(word: str) -> tuple[str, tuple[str, ...]]:
    """A word such as `base+errata`: what is named, and what is laid over it. A path may have a `+` in it."""
    name, *above = [word] if Path(word).exists() else word.split("+")
    return name, tuple(above)


def stack_of(word: str, overlays: tuple[str, ...] = ()) -> Stack:
    """What a word names: a ruleset, or the rules that a scenario is played by; `+` lays overlays over it."""
    name, more = parts_of(word)
    above = (*more, *overlays)
    if Path(name).suffix not in (".yaml", ".yml") and find_ruleset(name) is not None:
        return Stack(name=name, overlays=above)
    scenario = find_scenario(name)
    header = read_header(scenario.path) if scenario is not None else None
    if header is None:
        return Stack(name=name, overlays=above)
    return replace(_stack_for(header, above), of_scenario=True)


def _stack_for(header: ScenarioHeader, above: tuple[str, ...]) -> Stack:
    extra = (header.rules,) if header.rules is not None and header.rules.is_file() else ()
    return Stack(name=header.ruleset, overlays=(*header.overlays, *above), extra=extra)


def load_stack(word: str, overlays: tuple[str, ...] = (), language: str = "en") -> Loaded:
    stack = stack_of(word, overlays)
    return load_ruleset(stack.name, stack.overlays, stack.extra, language)


def readable(word: str, overlays: tuple[str, ...] = (), language: str = "en") -> Checked:
    """The stack, even if it has mistakes in it; ends the command if nothing of it can be read."""
    loaded = load_stack(word, overlays, language)
    if loaded.checked is None:
        print_diagnostics(loaded.problems, language=language, error=True)
        raise click.exceptions.Exit(FINDINGS)
    if loaded.program is None:
        # The mistakes are the business of `ddob check`; here they only explain what may look odd.
        errors = [problem for problem in loaded.problems if problem.severity == "error"]
        print_diagnostics(errors, "gnu", language, error=True)
    return loaded.checked


def playable(word: str, overlays: tuple[str, ...] = (), language: str = "en") -> tuple[Checked, Program]:
    """The stack and its program; ends the command if there are errors."""
    return _sound(load_stack(word, overlays, language), language)


def printable(
    word: str, overlays: tuple[str, ...] = (), language: str = "en"
) -> tuple[Checked, Program, Stack]:
    """The stack, with what every word in it stands for; ends the command if there are errors."""
    stack = stack_of(word, overlays)
    noting = replace(FROM_DISK, check=partial(check, noting=True))
    loaded = load_ruleset(stack.name, stack.overlays, stack.extra, language, reading=noting)
    checked, program = _sound(loaded, language)
    return checked, program, stack


def _sound(loaded: Loaded, language: str) -> tuple[Checked, Program]:
    if loaded.checked is None or loaded.program is None:
        print_diagnostics(loaded.problems, language=language, error=True)
        raise click.exceptions.Exit(FINDINGS)
    return loaded.checked, loaded.program


def scenario_programs(word: str, overlays: tuple[str, ...] = ()) -> list[Program]:
    """What a ruleset becomes for scenarios of its folder that bring rules; none if a scenario is named.

    Rules with errors are left out: they are the business of `ddob check`.
    """
    stack = stack_of(word, overlays)
    entry = find_ruleset(stack.name)
    if entry is None or stack.of_scenario:
        return []
    headers = [read_header(path) for path in sorted((entry.folder / "scenarios").glob("*.yaml"))]
    stacks = [_stack_for(header, stack.overlays) for header in headers if header is not None]
    plain = Stack(name=entry.name, overlays=stack.overlays)
    loaded = [
        load_ruleset(one.name, one.overlays, one.extra, near=entry.folder)
        for one in dict.fromkeys(replace(one, name=normal(one.name)) for one in stacks)
        if one != plain
    ]
    return [one.program for one in loaded if one.program is not None]


def overlay_option(command: _F) -> _F:
    add = click.option(
        "overlays", "--overlay", "-o", multiple=True, metavar="NAME",
        help="Lay this ruleset on top; may be repeated.",
    )  # fmt: skip
    return add(command)


def language_option(command: _F) -> _F:
    add = click.option(
        "language", "--lang", type=click.Choice(languages()), default="en", envvar="DDOB_LANG",
        help="The language ddob speaks. Mistakes in a file are told in the language of that file.",
    )  # fmt: skip
    return add(command)
