"""A small invented game's vocabulary, with every kind of thing and of type, for tests of scenario data."""

from __future__ import annotations

from interpreter.ir import (
    FLAG,
    NUMBER,
    PLAYER,
    TEXT,
    Attribute,
    Const,
    Enum,
    Kind,
    Option,
    Player,
    Program,
    Type,
    Variable,
    enum_type,
    list_of,
    set_of,
)

NO = Const(value=False, type=FLAG)
ZERO = Const(value=0, type=NUMBER)
SPACE = Type("space")


def fixed(name: str, type: Type, *, optional: bool = False) -> Attribute:
    return Attribute(name=name, type=type, optional=optional)


def changing(name: str, type: Type, start: Const) -> Attribute:
    return Attribute(name=name, type=type, start=start)


KINDS = (
    Kind(
        name="hex",
        owner="space",
        board="hex",
        attributes=(
            fixed("terrain", enum_type("terrain")),
            changing("objective", FLAG, NO),
            fixed("seen_from", set_of(SPACE), optional=True),
        ),
    ),
    Kind(name="field", owner="space", board="square", attributes=(changing("height", NUMBER, ZERO),)),
    Kind(name="town", owner="space", board="network", attributes=(changing("size", NUMBER, ZERO),)),
    Kind(name="turn_track", owner="space", board="track"),
    Kind(name="reserve_box", owner="space", board="box"),
    Kind(
        name="hexside",
        owner="edge",
        of=("hex",),
        attributes=(
            changing("road", FLAG, NO),
            fixed("side", enum_type("side"), optional=True),
            fixed("crossings", set_of(enum_type("weapon")), optional=True),
        ),
    ),
    Kind(
        name="infantry",
        owner="piece",
        attributes=(
            fixed("owner", PLAYER),
            fixed("steps", NUMBER),
            fixed("weapons", set_of(enum_type("weapon")), optional=True),
            fixed("leader", Type("piece", ("leader",)), optional=True),
            fixed("title", TEXT, optional=True),
            fixed("route", list_of(Type("space", ("hex", "reserve_box"))), optional=True),
            fixed("draws", Type("pile"), optional=True),
            changing("spent", FLAG, NO),
        ),
    ),
    Kind(name="leader", owner="piece"),
    Kind(name="order", owner="card", attributes=(fixed("answer", enum_type("answer"), optional=True),)),
    Kind(name="deck", owner="pile", board="deck", of=("order",)),
    Kind(name="hand", owner="pile", board="pile", of=("order",), each="player"),
    Kind(name="cup", owner="pile", board="bag", of=("infantry", "leader")),
    Kind(
        name="player",
        owner="enum",
        attributes=(
            fixed("quota", NUMBER),
            changing("score", NUMBER, ZERO),
            Attribute(name="rank", type=NUMBER, constants=(("red", ZERO), ("blue", ZERO))),
        ),
    ),
)

PROGRAM = Program(
    name="skirmish",
    title="Skirmish",
    edition="1",
    language="en",
    stack=("skirmish",),
    players=(Player(name="red", title="Red"), Player(name="blue", title="Blue")),
    enums=(
        Enum(name="player", values=("red", "blue")),
        Enum(name="terrain", values=("sea", "beach", "woods")),
        Enum(name="side", values=("shingle", "bluff")),
        Enum(name="weapon", values=("rifle", "mortar", "gun")),
        Enum(name="answer", values=("yes", "no", "true")),
    ),
    kinds=KINDS,
    variables=(Variable(name="storm", type=FLAG, start=NO), Variable(name="wind", type=NUMBER, start=ZERO)),
    dice=(),
    options=(
        Option(name="night", title="Night"),
        Option(name="full_moon", title="Full moon", conflicts=("night",), reason="both change the sight"),
        Option(name="mist", title="Mist"),
    ),
    definitions=(),
    tables=(),
    priorities=(),
    procedures=(),
    actions=(),
    victories=(),
    phases=(),
    score=None,
    rules=(),
)
