"""From a ruleset's vocabulary to the JSON Schema of its scenarios.

It is the base schema of the grammar folder, with the general definitions replaced by what the vocabulary
allows: kinds, attributes, enum values. Editors can use it as it is. What a schema cannot say (ids that must
exist, edges that must join neighbours) is left to `scenario`; how mistakes are worded is in
`schema_problems`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ddob_rules.library.yamldoc import plain_scalar
from ddob_rules.resources import grammar_file
from ddob_rules.scenarios.schema_problems import problems
from interpreter.geometry.grids import ALL_DIRECTIONS
from interpreter.ir import Attribute, Kind, Program, Type

__all__ = [
    "base_schema",
    "derive_schema",
    "enum_values",
    "incomplete_schema",
    "is_required",
    "part_schema",
    "pile_ids",
    "problems",
]

Schema = dict[str, Any]

# What only the scenario itself may say; included files bring the rest.
_HEADER = (
    "scenario",
    "title",
    "ruleset",
    "based_on",
    "description",
    "options",
    "overlays",
    "turns",
    "players",
    "rules",
)
_REMARKS = {"provenance": {"$ref": "#/$defs/provenance"}, "note": {"$ref": "#/$defs/note"}}
# Room for any counter mix, and small enough to be made in no time.
MOST_COPIES = 1000


@cache
def _base_text() -> str:
    return grammar_file("scenario.schema.json").read_text(encoding="utf-8")


def base_schema() -> Schema:
    """The schema of any scenario, whatever its ruleset."""
    schema: Schema = json.loads(_base_text())
    return schema


def derive_schema(program: Program, *others: Program) -> Schema:
    """The schema of the scenarios of a ruleset.

    `others` are what it becomes under the rules that some scenarios bring: one schema then serves all of
    them, and takes a word in any scenario that one of them may say. Whose word it is, is left to `scenario`.
    """
    schema = _schema_of(program)
    for other in others:
        schema = _either(schema, _schema_of(other))
    schema["title"] = f"Scenario for {program.title or program.name}"
    schema["$defs"]["complete"] = _complete((program, *others))
    return schema


def _either(one: Any, other: Any) -> Any:
    """A schema that takes what either takes, for two that are made in the same way."""
    if one == other:
        return one
    if isinstance(one, dict) and isinstance(other, dict):
        if "$ref" in one or "$ref" in other:
            return {"anyOf": [one, other]}
        # What only one of them wants is not wanted.
        keys = [key for key in {**one, **other} if key != "required" or (key in one and key in other)]
        return {key: _merged(key, one, other) for key in keys}
    return one


def _merged(key: str, one: Schema, other: Schema) -> Any:
    if key not in one or key not in other:
        return one.get(key, other.get(key))
    first, second = one[key], other[key]
    match key:
        case "required":
            return [name for name in first if name in second]
        case "type":
            return _union(first if isinstance(first, list) else [first], second)
        case "enum" | "anyOf":
            return _union(first, second)
        case _:
            return _either(first, second)


def _union(first: list[Any], second: Any) -> list[Any]:
    more = second if isinstance(second, list) else [second]
    # `true` is not 1 here.
    known = {json.dumps(item, sort_keys=True) for item in first}
    return [*first, *(item for item in more if json.dumps(item, sort_keys=True) not in known)]


def _schema_of(program: Program) -> Schema:
    schema = base_schema()
    definitions = schema["$defs"]
    definitions["option"] = _one_of("option", tuple(option.name for option in program.options))
    definitions["player"] = _one_of("player", tuple(player.name for player in program.players))
    for name in _enum_names(program):
        definitions[f"enum.{name}"] = _one_of(name, enum_values(program, name))
    for kind in program.kinds:
        definitions[_definition(kind)] = _kind_schema(kind, definitions)
    definitions["boards"] = _keyed(program, "space", "The boards, by kind of space.", _board)
    definitions["edges"] = _keyed(program, "edge", "What is known of edges, by kind of edge.", _edges)
    pieces = _keyed(program, "piece", "The pieces and cards, by kind.", _pieces)
    pieces["properties"].update(_keyed(program, "card", "", _pieces)["properties"])
    definitions["pieces"] = pieces
    definitions["templates"] = _templates(program)
    # A scenario that is based on another need only say of a piece what it changes.
    schema["if"], schema["else"] = {"required": ["based_on"]}, {"$ref": "#/$defs/complete"}
    definitions["piles"] = _piles(program)
    definitions["each"] = _each(program)
    definitions["variables"] = _object(
        {
            variable.name: {**_within(variable.bounds, variable.type), "description": f"{variable.type}"}
            for variable in program.variables
        }
    )
    return schema


def incomplete_schema(schema: Schema) -> Schema:
    """The same schema for a file whose pieces another file may complete."""
    return {key: value for key, value in schema.items() if key not in ("if", "else")}


def part_schema(schema: Schema) -> Schema:
    """The schema of a file that a scenario includes: the data, without the header."""
    part = {key: value for key, value in schema.items() if key != "anyOf"}
    part["required"] = []
    part["properties"] = {key: value for key, value in schema["properties"].items() if key not in _HEADER}
    return part


def enum_values(program: Program, name: str) -> tuple[str, ...]:
    """The values of an enum; players and directions are enums too, even if the ruleset does not list them."""
    for enum in program.enums:
        if enum.name == name:
            return enum.values
    if name == "player":
        return tuple(player.name for player in program.players)
    return ALL_DIRECTIONS if name == "direction" else ()


def is_required(attribute: Attribute) -> bool:
    """Whether the scenario must give this attribute a value, since nothing else does."""
    return attribute.start is None and not attribute.optional and not attribute.constants


def _enum_names(program: Program) -> list[str]:
    return list(dict.fromkeys([*(enum.name for enum in program.enums), "player", "direction"]))


def _one_of(title: str, values: tuple[str, ...]) -> Schema:
    # `true` as an enum's value reaches an editor as a boolean; both readings are the same name.
    choices = list(dict.fromkeys([*values, *(plain_scalar(value) for value in values)]))
    types = sorted({_json_type(choice) for choice in choices}) or ["string"]
    return {"title": title, "type": types if len(types) > 1 else types[0], "enum": choices}


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def _of_type(wanted: Type) -> Schema:
    match wanted.tag:
        case "number" | "flag" | "text":
            return {"$ref": f"#/$defs/{wanted.tag}"}
        case "enum":
            return {"$ref": f"#/$defs/enum.{wanted.names[0]}"}
        case "set" | "list":
            element = _of_type(wanted.element) if wanted.element is not None else {}
            several = {"type": "array", "items": element}
            return several if wanted.tag == "list" else {"anyOf": [element, several]}
        case "nothing":
            return {}  # a type that the rules have wrong, and that is told there
        case _:
            return {"$ref": "#/$defs/id"}


def _attribute(attribute: Attribute) -> Schema:
    schema = _within(attribute.bounds, attribute.type)
    if attribute.optional:
        schema = {"anyOf": [{"type": ["string", "null"], "enum": ["none", None]}, schema]}
    rule = f", rule {attribute.site.rule}" if attribute.site.rule else ""
    return {**schema, "description": f"{attribute.name}: {attribute.type}{rule}"}


def _within(bounds: tuple[int, int] | None, wanted: Type) -> Schema:
    """The schema of a type, with the ends at which a number stops."""
    if bounds is None:
        return _of_type(wanted)
    return {"type": "integer", "minimum": bounds[0], "maximum": bounds[1]}


def _attributes(attributes: Iterable[Attribute]) -> Schema:
    """The properties of a kind; what it has for each value of an enum is an object by those values."""
    found: Schema = {}
    families: dict[str, list[Attribute]] = {}
    for attribute in attributes:
        if attribute.family:
            families.setdefault(attribute.family, []).append(attribute)
            found.setdefault(attribute.family, {})
        else:
            found[attribute.name] = _attribute(attribute)
    for name, members in families.items():
        needed = tuple(member.key for member in members if is_required(member))
        found[name] = _object({member.key: _attribute(member) for member in members}, needed)
    return found


def _object(properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    schema: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {**_REMARKS, **properties},
    }
    return {**schema, "required": list(required)} if required else schema


def _kind_schema(kind: Kind, definitions: Schema) -> Schema:
    properties = _attributes(kind.attributes)
    if kind.owner in ("piece", "card"):
        for attribute in kind.attributes:
            if attribute.type.tag == "enum" and not attribute.family:
                gap = {"type": "string", "enum": [f"{{{attribute.type.names[0]}}}"]}
                properties[attribute.name] = {"anyOf": [gap, properties[attribute.name]]}
    if kind.owner not in ("piece", "card"):
        # Several places may each give a part of the attributes, so none is required in any one of them.
        return {**_object(properties), "type": ["object", "null"]}
    place = {
        "$ref": "#/$defs/id",
        "description": "The space or pile where it starts; `nothing` leaves it out.",
    }
    copies = {"type": "integer", "minimum": 1, "maximum": MOST_COPIES, "description": "Makes id#1, id#2, ..."}
    like = {
        "$ref": "#/$defs/id",
        "description": "A piece of this kind, or a template, whose values it has too.",
    }
    enums = [name.removeprefix("enum.") for name in definitions if name.startswith("enum.")]
    each = {
        **_one_of("enum", tuple(enums)),
        "description": "One for each value of this enum, whose name `{player}` stands for.",
    }
    own = {"id": definitions["id"], "count": copies, "like": like, "for": each}
    if not kind.record:
        own["at"] = place
    return _object({**properties, **own}, ("id",))


def _complete(programs: tuple[Program, ...]) -> Schema:
    """What must be said of every piece, since nothing else does, in whichever program."""
    needed: dict[str, list[str]] = {}
    for kind in (kind for program in programs for kind in program.kinds if kind.owner in ("piece", "card")):
        names = list(dict.fromkeys(item.given_as for item in kind.attributes if is_required(item)))
        needed[kind.name] = [name for name in needed.get(kind.name, names) if name in names]
    kinds = {
        kind: {"items": {"anyOf": [{"required": ["like"]}, {"required": names}]}}
        for kind, names in needed.items()
        if names
    }
    return {"properties": {"pieces": {"properties": kinds}}}


def _definition(kind: Kind) -> str:
    # An enum's values are defined under its own name, so its attributes need another.
    return f"each.{kind.name}" if kind.owner == "enum" else f"{kind.owner}.{kind.name}"


def _keyed(program: Program, owner: str, description: str, make: Callable[[Program, Kind], Schema]) -> Schema:
    """One key for each kind of an owner."""
    kinds = [kind for kind in program.kinds if kind.owner == owner]
    return {**_object({kind.name: make(program, kind) for kind in kinds}), "description": description}


def _board(program: Program, kind: Kind) -> Schema:
    board: Schema = copy.deepcopy(base_schema()["$defs"]["board"])
    attributes = {"$ref": f"#/$defs/space.{kind.name}"}
    properties = board["properties"]
    properties["legend"] = {
        "type": "object",
        "properties": dict(_REMARKS),
        "additionalProperties": {"anyOf": [{"type": "string", "enum": ["none"]}, attributes]},
        "description": properties["legend"]["description"],
    }
    ids = {"type": "array", "items": {"$ref": "#/$defs/id"}}
    single = {"type": "object", "properties": dict(_REMARKS), "additionalProperties": attributes}
    properties["spaces"] = {"anyOf": [ids, single], "description": properties["spaces"]["description"]}
    board["description"] = f"{kind.name}: {kind.board or 'box'}"
    return board


def _edges(program: Program, kind: Kind) -> Schema:
    path = {"type": "array", "items": {"$ref": "#/$defs/id"}}
    pairs = {"type": "array", "items": {"anyOf": [path, {"$ref": "#/$defs/text"}]}}
    compact = {}
    for attribute in (item for item in kind.attributes if not item.family):
        values = _value_names(program, attribute.type)
        known = {value: pairs for value in values}
        compact[attribute.name] = (
            _object(known)
            if values
            else {"type": "object", "properties": dict(_REMARKS), "additionalProperties": pairs}
        )
    return {
        "type": "object",
        "properties": {
            **_REMARKS,
            "by": {**_object(compact), "description": "attribute, value, list of `a|b` or of paths"},
        },
        "additionalProperties": {"$ref": f"#/$defs/edge.{kind.name}"},
    }


def _value_names(program: Program, wanted: Type) -> tuple[str, ...]:
    """The keys under which the compact form lists edges, where the type has few enough values to name."""
    if wanted.tag == "set" and wanted.element is not None:
        return _value_names(program, wanted.element)
    if wanted.tag == "flag":
        return ("yes", "no", "true", "false", "on", "off")
    return enum_values(program, wanted.names[0]) if wanted.tag == "enum" else ()


def _pieces(program: Program, kind: Kind) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/$defs/{kind.owner}.{kind.name}"}}


def _templates(program: Program) -> Schema:
    kinds: Schema = {}
    for kind in program.kinds:
        if kind.owner in ("piece", "card"):
            attributes = {attribute.name: _attribute(attribute) for attribute in kind.attributes}
            template = _object({**attributes, "like": {"$ref": "#/$defs/id"}})
            named = {"type": "object", "properties": dict(_REMARKS), "additionalProperties": template}
            kinds[kind.name] = named
    return {**_object(kinds), "description": "Values that pieces may be `like`, by kind and name."}


def _piles(program: Program) -> Schema:
    order = {"type": "array", "items": {"$ref": "#/$defs/id"}}
    piles = {pile: order for pile in pile_ids(program)}
    return {**_object(piles), "description": "What lies in a pile, top first."}


def pile_ids(program: Program) -> dict[str, Kind]:
    """Every pile by id: `name`, or `name(value)` where there is one for each value of an enum."""
    piles: dict[str, Kind] = {}
    for kind in program.kinds:
        if kind.owner == "pile":
            values = enum_values(program, kind.each) if kind.each else ()
            piles.update(
                {f"{kind.name}({value})": kind for value in values} if kind.each else {kind.name: kind}
            )
    return piles


def _each(program: Program) -> Schema:
    enums = {}
    for kind in program.kinds:
        if kind.owner == "enum":
            attributes = {"$ref": f"#/$defs/{_definition(kind)}"}
            enums[kind.name] = _object({value: attributes for value in enum_values(program, kind.name)})
    return {**_object(enums), "description": "Start values of what each player (or other enum value) has."}
