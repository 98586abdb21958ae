"""From a scenario file to a checked scenario: reading, including, the schema, references, and a hash.

The ruleset is asked for by name, so this module does not know how rulesets are compiled. A rules file that
the scenario brings is only looked for; whoever compiles rulesets finds it in the header.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from ddob_rules.library.cache import load_stored_scenario, store_scenario
from ddob_rules.library.finding import read_chain, read_header
from ddob_rules.library.headers import ScenarioFile, ScenarioHeader, read_scenario_file, texts, whole_head
from ddob_rules.library.yamldoc import (
    MOST_DIAGNOSTICS,
    MappingNode,
    Node,
    ScalarNode,
    first_line,
    items_of,
    plain_value,
    text_of,
)
from ddob_rules.reports.diagnostics import Diagnostic, Label, Problems
from ddob_rules.scenarios.bases import chain_problems, foreign_bases
from ddob_rules.scenarios.build import Built, build
from ddob_rules.scenarios.changes import merge_levels
from ddob_rules.scenarios.expand import for_each, like_others
from ddob_rules.scenarios.merge import Parts, read_parts
from ddob_rules.scenarios.schema import (
    Schema,
    base_schema,
    derive_schema,
    incomplete_schema,
    part_schema,
    problems,
)
from ddob_rules.scenarios.schema_problems import type_words, wrong_type
from ddob_rules.scenarios.values import Encoder
from interpreter.ir import Program
from interpreter.machine.scenario import Scenario

__all__ = ["ScenarioHeader", "load_scenario", "read_header", "scenario_hash"]

ProgramFor = Callable[[str, tuple[str, ...]], tuple[Program | None, list[Diagnostic]]]

# A mistake in one of these cannot hide a space; a mistake anywhere else might.
_AFTER_THE_BOARDS = ("edges", "pieces", "piles", "each", "variables")
# `3`, or `2 to 4`, in both languages.
_NUMBER_OF_PLAYERS = re.compile(r"([0-9]{1,3})(?:\s+(?:to|à)\s+([0-9]{1,3}))?")
# What the game does not depend on.
_NOT_HASHED = ("name", "title", "description", "file", "hash")


def load_scenario(
    path: Path, program_for: ProgramFor, shown: str | None = None, *, language: str = "en"
) -> tuple[Scenario | None, list[Diagnostic]]:
    """Read and check a scenario; there is none if anything in it is wrong."""
    file = read_scenario_file(path, str(path) if shown is None else shown, language=language)
    found = Problems()
    found.extend(file.diagnostics)
    scenario = None
    if file.root is not None:
        scenario = _load(file, file.root, program_for, found, language)
    elif file.node is not None:
        expected = type_words("object", language)
        found.add(wrong_type(file.node, first_line(file.node.span), expected, language))
    return (None if found.has_errors else scenario), list(found)[:MOST_DIAGNOSTICS]


def _load(
    file: ScenarioFile, root: MappingNode, program_for: ProgramFor, found: Problems, language: str
) -> Scenario | None:
    chain = read_chain(file, language=language)
    head = whole_head([each.root for each in chain if each.root is not None])
    found.extend(chain_problems(chain, language=language))
    program = None
    ruleset = text_of(head.get("ruleset"))
    if ruleset:
        program, diagnostics = program_for(ruleset, texts(head.get("overlays")))
        found.extend(diagnostics)
    # What a name means depends on the current folder.
    places = (str(file.path.resolve()), file.shown, str(Path.cwd()))
    key = (*places, *(program.stack if program else ()), program.hash if program else "")
    kept = None if program is None or list(found) else load_stored_scenario(key)
    if kept is not None:
        return kept
    parts = read_parts(chain, language=language)
    parts.complete &= chain[-1].base is None
    if program is not None:
        takes_part = _players(head, program)
        parts.levels = [[for_each(part, program, takes_part) for part in level] for level in parts.levels]
    found.extend(parts.diagnostics)
    formal = _formal(parts, base_schema() if program is None else derive_schema(program), language)
    found.extend(formal)
    base, merged, conflicts = merge_levels(parts.levels, language=language)
    found.extend(conflicts)
    merged, unlike = like_others(merged, language)
    found.extend(unlike)
    if program is None:
        return None
    found.extend(foreign_bases(chain, ruleset, program.stack, language=language))
    encoder = Encoder(program=program, language=language)
    encoder.pieces_known = not found.has_errors
    encoder.spaces_known = parts.complete and not any(_may_hide_spaces(item, parts) for item in formal)
    scenario = _assemble(head, merged, base, encoder, found, file.shown)
    if scenario is not None and not list(found):
        store_scenario(key, parts.files, scenario)
    return scenario


def _players(head: MappingNode, program: Program) -> tuple[str, ...]:
    """Who takes part, in the ruleset's order."""
    chosen = texts(head.get("players"))
    return tuple(player.name for player in program.players if player.name in chosen or not chosen)


def _formal(parts: Parts, schema: Schema, language: str) -> list[Diagnostic]:
    """What the schema says of each file. Only a scenario that stands alone must be complete file by file."""
    whole = schema if len(parts.levels) == 1 else incomplete_schema(schema)
    found: list[Diagnostic] = []
    for level in parts.levels:
        for part in level[:-1]:
            found += problems(part_schema(whole), part, language=language)
        found += problems(whole, level[-1], language=language)
    return found


def _may_hide_spaces(diagnostic: Diagnostic, parts: Parts) -> bool:
    span = diagnostic.spans[0].span
    for part in parts.nodes:
        if part.span.source is span.source:
            values = [part.get(key) for key in _AFTER_THE_BOARDS]
            return not any(
                node is not None and node.span.start <= span.start <= node.span.end for node in values
            )
    return True


def _assemble(
    root: MappingNode,
    merged: MappingNode,
    base: MappingNode | None,
    encoder: Encoder,
    found: Problems,
    shown: str,
) -> Scenario | None:
    program = encoder.program
    options = _known(root.get("options"), tuple(option.name for option in program.options), encoder)
    chosen = _known(root.get("players"), tuple(player.name for player in program.players), encoder)
    _known(root.get("overlays"), (), encoder)
    _check_conflicts(root.get("options"), encoder)
    _check_turns(root.get("turns"), encoder)
    players = chosen or tuple(player.name for player in program.players)
    number = player_number(root.get("players"), players, encoder)
    built = build(merged, encoder, players, base)
    found.extend(encoder.diagnostics)
    if not found.has_errors and encoder.passed_over:
        # The schema should have told this; should it ever not, a wrong value must still not pass.
        node = encoder.passed_over[0]
        found.add(
            wrong_type(node, first_line(node.span), type_words("id", encoder.language), encoder.language)
        )
    if found.has_errors:
        return None
    return _scenario(root, built, options, players, number, shown)


def _scenario(
    root: MappingNode,
    built: Built,
    options: tuple[str, ...],
    players: tuple[str, ...],
    number: tuple[int, int] | None,
    shown: str,
) -> Scenario:
    first, last = _turns(root.get("turns"))
    name = text_of(root.get("scenario"))
    scenario = Scenario(
        name=name,
        title=text_of(root.get("title")) or name,
        description=text_of(root.get("description")),
        ruleset=text_of(root.get("ruleset")),
        options=options,
        overlays=texts(root.get("overlays")),
        turns=last,
        first_turn=first,
        players=players,
        number=number,
        grids=tuple(built.grids),
        spaces=tuple(built.spaces),
        links=tuple(built.links),
        edges=tuple(built.edges),
        pieces=tuple(built.pieces),
        piles=tuple(built.piles),
        each=tuple(built.each),
        variables=built.variables,
        hash="",
        file=shown,
    )
    return replace(scenario, hash=scenario_hash(scenario))


def player_number(node: Node | None, players: tuple[str, ...], encoder: Encoder) -> tuple[int, int] | None:
    """How many may play, from a list of names, `3` or `2 to 4`; None if the ruleset alone decides."""
    program = encoder.program
    people = sum(not player.automated for player in program.players if player.name in players)
    if node is None:
        return None
    if not isinstance(node, ScalarNode):
        return (people, people) if program.fewest else None
    found = _NUMBER_OF_PLAYERS.fullmatch(node.text.strip())
    if found is None:
        return None  # the schema has told it
    fewest = int(found[1])
    most = int(found[2] or fewest)
    if not max(program.fewest, 1) <= fewest <= most <= people or not program.fewest:
        low, high = str(program.fewest or people), str(people)
        encoder.report("E0660", first_line(node.span), said=node.text, fewest=low, most=high)
    return fewest, most


def _turns(node: Node | None) -> tuple[int, int | None]:
    """The first and the last turn; one number alone is the last."""
    if isinstance(node, MappingNode):
        first, last = _turn(node.get("first")), _turn(node.get("last"))
        return 1 if first is None else first, last
    return 1, _turn(node)


def _turn(node: Node | None) -> int | None:
    value = plain_value(node) if node is not None else None
    return value if isinstance(value, int) else None


def scenario_hash(scenario: Scenario) -> str:
    """A hash of all that the game depends on: equal for scenarios that differ only in names and remarks."""
    data = {key: value for key, value in asdict(scenario).items() if key not in _NOT_HASHED}
    if scenario.number is None:
        del data["number"]  # scenarios from before there was a choice keep their hash
    for grid in data["grids"]:
        if grid["columns"] == "rightward":
            del grid["columns"]  # hashes are in saves that were made when there was no other way
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _known(node: Node | None, names: tuple[str, ...], encoder: Encoder) -> tuple[str, ...]:
    """The names that a list of the header gives, in the ruleset's own order; each may be given once."""
    given: dict[str, ScalarNode] = {}
    for item in items_of(node):
        if isinstance(item, ScalarNode) and given.setdefault(item.text, item) is not item:
            encoder.listed_twice(item, given[item.text])
    return tuple(name for name in names if name in given)


def _check_conflicts(node: Node | None, encoder: Encoder) -> None:
    given = {item.text: item for item in items_of(node) if isinstance(item, ScalarNode)}
    for option in encoder.program.options:
        for other in option.conflicts:
            # Both may name each other; what stands later in the list is told once.
            if option.name in given and other in given and _is_first(option.name, other, encoder):
                places = sorted((given[option.name].span, given[other].span), key=lambda span: -span.start)
                names = {"first": option.name, "second": other}
                notes = (option.reason,) if option.reason else ()
                encoder.report("E0637", *map(Label, places), notes=notes, **names)


def _check_turns(node: Node | None, encoder: Encoder) -> None:
    first, last = _turns(node)
    if node is not None and last is not None and 0 < last < first:
        encoder.report("E0650", Label(first_line(node.span)), first=str(first), last=str(last))


def _is_first(name: str, other: str, encoder: Encoder) -> bool:
    """Whether this option is the one of the pair to tell the conflict: the first that names the other."""
    for option in encoder.program.options:
        if option.name == name:
            return True
        if option.name == other and name in option.conflicts:
            return False
    return True
