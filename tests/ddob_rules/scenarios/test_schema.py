"""The schema that follows from a vocabulary, and one diagnostic for each mistake against it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ddob_rules.library.yamldoc import read_yaml
from ddob_rules.reports.diagnostics import Diagnostic
from ddob_rules.scenarios import schema_problems
from ddob_rules.scenarios.schema import base_schema, derive_schema, part_schema, problems
from ddob_rules.syntax.source import Source
from tests.ddob_rules.small_vocabulary import PROGRAM

HEADER = "scenario: small\nruleset: skirmish\n"
SCHEMA = derive_schema(PROGRAM)


def check(text: str, schema: dict[str, Any] = SCHEMA, language: str = "en") -> list[Diagnostic]:
    node, diagnostics = read_yaml(Source("small.yaml", HEADER + text))
    assert node is not None and diagnostics == []
    return problems(schema, node, language=language)


def test_the_schemas_are_valid_schemas_and_plain_json() -> None:
    for schema in (base_schema(), SCHEMA, part_schema(SCHEMA)):
        Draft202012Validator.check_schema(json.loads(json.dumps(schema)))


def test_deriving_twice_gives_the_same_and_leaves_the_base_alone() -> None:
    assert derive_schema(PROGRAM) == SCHEMA
    assert base_schema()["$defs"]["option"] == {"type": "string"}


def test_enum_values_are_listed_for_editors() -> None:
    assert SCHEMA["$defs"]["enum.terrain"]["enum"] == ["sea", "beach", "woods"]
    assert SCHEMA["$defs"]["option"]["enum"] == ["night", "full_moon", "mist"]
    # An editor reads `true` as a boolean, which here is an enum's value.
    assert SCHEMA["$defs"]["enum.answer"]["enum"] == ["yes", "no", "true", True]


def test_fixed_attributes_of_pieces_are_required() -> None:
    pieces = SCHEMA["$defs"]["complete"]["properties"]["pieces"]["properties"]
    assert pieces["infantry"]["items"]["anyOf"][1]["required"] == ["owner", "steps"]
    assert SCHEMA["$defs"]["piece.leader"]["required"] == ["id"] and "leader" not in pieces


def test_a_scenario_that_is_based_on_another_need_not_complete_its_pieces() -> None:
    assert [item.code for item in check("pieces: {infantry: [{id: A, steps: 2}]}")] == ["E0613"]
    assert check("based_on: other\npieces: {infantry: [{id: A, steps: 2}]}") == []


def test_included_files_have_no_header() -> None:
    part = part_schema(SCHEMA)
    assert part["required"] == [] and "boards" in part["properties"] and "title" not in part["properties"]
    assert "title" in SCHEMA["properties"]


@pytest.mark.parametrize(
    "text",
    [
        "variables: {storm: yes}",
        "variables: {storm: Off}",
        "variables: {storm: true}",
        "boards: {hex: {spaces: {0101: {terrain: sea, seen_from: 0102}}}}",
        "boards: {hex: {spaces: {0101: {seen_from: [0102, 12]}}}}",
        "boards: {hex: {spaces: {0101: {seen_from: none}}}}",
        "pieces: {order: [{id: 1, at: deck, answer: no}, {id: b, answer: true}]}",
        "pieces: {infantry: [{id: A, owner: red, steps: 1, title: 1944, provenance: guess, note: no}]}",
        "edges: {hexside: {by: {road: {yes: [a|b], note: x}}, note: y}}",
        "each: {player: {red: {score: 1}, note: z}}",
        "piles: {hand(red): [c1], deck: []}",
    ],
)
def test_what_is_right_passes(text: str) -> None:
    assert check(text) == []


INFANTRY = "pieces:\n  infantry:\n    - {id: A, owner: red, steps: 1}\n    - "


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "help"),
    [
        ("turn: 3", "E0612", 3, 1, "did you mean `turns`?"),
        ("boards:\n  hexx: {}", "E0612", 4, 3, "did you mean `hex`?"),
        ("boards:\n  hex: {row: []}", "E0612", 4, 9, "did you mean `rows`?"),
        (INFANTRY + "{id: B, owner: red, step: 2, steps: 2}", "E0612", 6, 27, None),
        (INFANTRY + "{id: B, owner: red}", "E0613", 6, 7, None),
        (INFANTRY + "{id: B, owner: rod, steps: 1}", "E0615", 6, 22, "did you mean `red`?"),
        (INFANTRY + "{id: B, owner: [red], steps: 1}", "E0614", 6, 22, None),
        (INFANTRY + "{id: B, owner: red, steps: '1'}", "E0614", 6, 34, None),
        (INFANTRY + "{id: B, owner: red, steps: 1.0}", "E0614", 6, 34, None),
        (INFANTRY + "{id: B, owner: red, steps: 1000000000001}", "E0616", 6, 34, None),
        (INFANTRY + "{id: B, owner: red, steps: }", "E0614", 6, 27, None),
        (INFANTRY + "{id: B, owner: red, steps: 1, weapons: [gun, rifel]}", "E0615", 6, 52, None),
        (INFANTRY + "{id: B, owner: red, steps: 1, weapons: gnu}", "E0615", 6, 46, "did you mean `gun`?"),
        (INFANTRY + "{id: B, owner: red, steps: 1, weapons: {gun: 1}}", "E0614", 6, 46, None),
        (INFANTRY + "{id: B, owner: red, steps: 1, spent: maybe}", "E0614", 6, 44, None),
        (INFANTRY + "{id: B, owner: red, steps: 1, count: 0}", "E0616", 6, 44, None),
        (INFANTRY + "B", "E0614", 6, 7, None),
        ("boards: {hex: {legend: {a: nne}}}", "E0615", 3, 28, "did you mean `none`?"),
        ("boards: {hex: {legend: {a: {terrain: se}}}}", "E0615", 3, 38, "did you mean `sea`?"),
        ("boards: {hex: {layout: {shape: cube}}}", "E0615", 3, 32, "use one of `hex`, `square`"),
        ("boards: {town: {links: [[a]]}}", "E0618", 3, 25, None),
        ("boards: {town: {spaces: 3}}", "E0614", 3, 25, None),
        ("boards: {town: {spaces: {a: {sise: 3}}}}", "E0612", 3, 30, "did you mean `size`?"),
        ("options: [nigth]", "E0615", 3, 11, "did you mean `night`?"),
        ("options: night", "E0614", 3, 10, None),
        ("overlays: ['a b']", "E0617", 3, 12, None),
        ("edges: {hexside: {by: {side: {shingel: [a|b]}}}}", "E0612", 3, 31, "did you mean `shingle`?"),
        ("piles: {hand: []}", "E0612", 3, 9, None),
        ("each: {player: {green: {}}}", "E0612", 3, 17, None),
        ("variables: {storm: 3}", "E0614", 3, 20, None),
        ("note: {a: 1}", "E0614", 3, 7, None),
    ],
)
def test_one_mistake_gives_one_diagnostic_at_its_place(
    text: str, code: str, line: int, column: int, help: str | None
) -> None:
    found = check(text)
    assert [item.code for item in found] == [code]
    span = found[0].spans[0].span
    assert (span.line, span.column) == (line, column)
    assert help is None or found[0].help == help


def test_each_unknown_key_and_each_wrong_item_is_told() -> None:
    text = INFANTRY + "{id: B, owner: red, steps: 1, weapons: [gnu, rifel], spend: no, sped: no}"
    assert [item.code for item in check(text)] == ["E0615", "E0615", "E0612", "E0612"]


def test_types_are_named_in_plain_words() -> None:
    message = check("turns: [8]")[0].message
    assert message == "a whole number or a mapping (`key: value`) is expected here, and this is a list"
    message = check("boards: {town: {spaces: 3}}")[0].message
    assert message == "a list or a mapping (`key: value`) is expected here, and this is `3`"
    message = check("turns: x", language="fr")[0].message
    assert message == "il faut ici un nombre entier ou une table (`clé : valeur`), et ceci est `x`"


def test_the_base_schema_alone_checks_the_header_and_the_boards() -> None:
    assert check("boards: {anything: {size: [1, 1]}}\npieces: {any: [1]}", base_schema()) == []
    assert [item.code for item in check("turns: 0\nboards: {b: {sise: 1}}", base_schema())] == [
        "E0616",
        "E0612",
    ]


def test_the_number_of_diagnostics_is_bounded() -> None:
    assert len(check("options: [" + ", ".join(f"o{index}" for index in range(500)) + "]")) == 100


def test_a_schema_for_several_programs_takes_what_one_of_them_may_say() -> None:
    unit = next(kind for kind in PROGRAM.kinds if kind.name == "infantry")
    leader = next(kind for kind in PROGRAM.kinds if kind.name == "leader")
    more = replace(leader, attributes=tuple(replace(item, name="rank") for item in unit.attributes[:1]))
    variable = replace(PROGRAM.variables[0], name="snow")
    other = replace(
        PROGRAM,
        enums=tuple(
            replace(enum, values=(*enum.values, "ice")) if enum.name == "terrain" else enum
            for enum in PROGRAM.enums
        ),
        kinds=tuple(more if kind is leader else kind for kind in PROGRAM.kinds),
        variables=(variable,),
    )
    schema = derive_schema(PROGRAM, other)
    Draft202012Validator.check_schema(json.loads(json.dumps(schema)))
    assert schema["title"] == SCHEMA["title"]
    assert schema["$defs"]["enum.terrain"]["enum"] == ["sea", "beach", "woods", "ice"]
    assert {"snow", PROGRAM.variables[0].name} <= set(schema["$defs"]["variables"]["properties"])
    assert "rank" in schema["$defs"]["piece.leader"]["properties"]
    # What is wanted under one program only is wanted nowhere.
    pieces = schema["$defs"]["complete"]["properties"]["pieces"]["properties"]
    assert "leader" not in pieces and pieces["infantry"]["items"]["anyOf"][1]["required"] == [
        "owner",
        "steps",
    ]


def test_what_fits_is_validated_once_and_what_does_not_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DDOB_CACHE", str(tmp_path))
    validated: list[object] = []
    usual = schema_problems._validated

    def counted(schema: dict[str, Any], value: object, *more: Any) -> list[Diagnostic]:
        validated.append(value)
        return usual(schema, value, *more)

    monkeypatch.setattr(schema_problems, "_validated", counted)
    for text, times in (("turns: 5\n", 1), ("turns: 6\n", 1), ("turns: '5'\n", 2)):
        validated.clear()
        assert check(text) == check(text)
        assert len(validated) == times
    # The same value by other rules is another question.
    assert check("turns: 5\n") == [] != check("turns: 5\n", {"properties": {"turns": {"type": "string"}}})
