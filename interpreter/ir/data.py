"""The typed form as JSON, and back: a contract between author tools and engines in any language.

A node is an object with its class under `is` and its fields by name; fields that have their usual value are
left out. Places in the rules and types, of which a program has thousands, are written once, in lists of their
own, and named by number. What is read is checked: unknown nodes, missing fields and wrong values are refused.
docs/how-it-runs.md describes it for whoever writes an engine.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from interpreter.ir import expressions, program, statements
from interpreter.ir.program import Program
from interpreter.ir.types import Site, Type

#: Rises when something that was there is gone or means something else.
VERSION = 1


class BadData(ValueError):
    """Not a program of this version."""


def written(value: Program) -> str:
    """The JSON of a program."""
    writer = _Writer()
    tree = writer.node(value)
    return json.dumps(
        {"ddob": "ir", "version": VERSION, "sites": writer.sites, "types": writer.types, "program": tree},
        separators=(",", ":"), ensure_ascii=False,
    )  # fmt: skip


def read(text: str) -> Program:
    """The program that `written` wrote, equal in every part."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadData("this is not JSON") from problem
    if not isinstance(data, dict) or data.get("ddob") != "ir":
        raise BadData("this is not a program")
    if data.get("version") != VERSION:
        raise BadData(f"this is version {data.get('version')} of the form; known is {VERSION}")
    try:
        reader = _Reader(data["sites"], data["types"])
        found = reader.value(data["program"], Program)
    except (KeyError, IndexError, TypeError, AttributeError, RecursionError) as problem:
        raise BadData("this is not a whole program") from problem
    assert isinstance(found, Program)
    return found


class _Writer:
    def __init__(self) -> None:
        self.sites: list[list[Any]] = []
        self.types: list[list[Any]] = []
        self._site_numbers: dict[Site, int] = {}
        self._type_numbers: dict[Type, int] = {}

    def node(self, value: Any) -> Any:
        if isinstance(value, Site):
            return self._site(value)
        if isinstance(value, Type):
            return self._type(value)
        if isinstance(value, tuple):
            return [self.node(item) for item in value]
        if not is_dataclass(value):
            return value
        result: dict[str, Any] = {"is": type(value).__name__}
        for entry in fields(value):
            inner = getattr(value, entry.name)
            if inner != _usual(entry):
                result[entry.name] = self.node(inner)
        return result

    def _site(self, site: Site) -> int:
        if site not in self._site_numbers:
            self._site_numbers[site] = len(self.sites)
            self.sites.append([site.rule, site.file, site.line, site.column, site.ruleset])
        return self._site_numbers[site]

    def _type(self, kind: Type) -> int:
        if kind not in self._type_numbers:
            inner = [] if kind.element is None else [self._type(kind.element)]
            self._type_numbers[kind] = len(self.types)
            self.types.append([kind.tag, list(kind.names), *inner])
        return self._type_numbers[kind]


class _Reader:
    def __init__(self, sites: list[list[Any]], kinds: list[list[Any]]) -> None:
        self.sites = [Site(str(r), str(f), int(line), int(column), str(s)) for r, f, line, column, s in sites]
        self.types: list[Type] = []
        for tag, names, *inner in kinds:
            if tag not in get_args(get_type_hints(Type)["tag"]):
                raise BadData(f"there is no type `{tag}`")
            element = self.types[inner[0]] if inner else None
            self.types.append(Type(tag, tuple(map(str, names)), element))

    def value(self, data: Any, expected: Any) -> Any:
        """What the data stands for where a value of this type is expected."""
        if expected is Site:
            return self.sites[_number(data)]
        if expected is Type:
            return self.types[_number(data)]
        if expected in (int, str, bool):
            if type(data) is not expected:
                raise BadData(f"`{data}` stands where a value of another sort is expected")
            return data
        origin = get_origin(expected)
        if origin is Literal:
            if data not in get_args(expected):
                raise BadData(f"`{data}` is none of {', '.join(map(str, get_args(expected)))}")
            return data
        if origin is tuple:
            return self._tuple(data, get_args(expected))
        if origin in (Union, types.UnionType):
            return self._one_of(data, get_args(expected))
        return self._node(data, (expected,))

    def _tuple(self, data: Any, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        if not isinstance(data, list):
            raise BadData(f"`{data}` stands where a list is expected")
        if len(parts) == 2 and parts[1] is Ellipsis:
            return tuple(self.value(item, parts[0]) for item in data)
        if len(parts) != len(data):
            raise BadData("a list has not as many entries as it should")
        return tuple(self.value(item, part) for item, part in zip(data, parts, strict=True))

    def _one_of(self, data: Any, members: tuple[Any, ...]) -> Any:
        if data is None and type(None) in members:
            return None
        if isinstance(data, dict):
            return self._node(data, tuple(member for member in members if is_dataclass(member)))
        if isinstance(data, list):
            return self.value(data, next(member for member in members if get_origin(member) is tuple))
        for member in members:
            if member in (Site, Type):
                return self.value(data, member)
            if member in (bool, int, str) and type(data) is member:
                return data
            if get_origin(member) is Literal and data in get_args(member):
                return data
        raise BadData(f"`{data}` stands where something else is expected")

    def _node(self, data: Any, members: tuple[Any, ...]) -> Any:
        kind = _classes().get(data["is"]) if isinstance(data, dict) else None
        if kind is None or kind not in members:
            raise BadData(f"there is no such node here: `{data['is'] if isinstance(data, dict) else data}`")
        hints = _hints(kind)
        given = {name: self.value(inner, hints[name]) for name, inner in data.items() if name != "is"}
        missing = [
            entry.name for entry in fields(kind) if entry.name not in given and _usual(entry) is MISSING
        ]
        if missing:
            raise BadData(f"`{kind.__name__}` lacks `{missing[0]}`")
        return kind(**given)


def _number(data: Any) -> int:
    if type(data) is not int or data < 0:
        raise BadData(f"`{data}` is no number of an entry")
    return data


def _usual(entry: Field[Any]) -> Any:
    """The value that a field has if nobody says otherwise; MISSING if somebody must."""
    return entry.default_factory() if entry.default_factory is not MISSING else entry.default


@cache
def _classes() -> Mapping[str, type]:
    found: dict[str, type] = {}
    for module in (expressions, statements, program):
        for value in vars(module).values():
            if isinstance(value, type) and is_dataclass(value) and value.__module__ == module.__name__:
                found[value.__name__] = value
    return found


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, vars(sys.modules[kind.__module__]), dict(_classes()))
