"""From a position to how it looks to a seat, as the rules say it: things in a few letters, and the status.

What the seat may not see reads `?`. Where a thing is drawn, and in what colour of a terminal, is left to
those who draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from interpreter import ir
from interpreter.compiler.compile import parts_of_text
from interpreter.failures import RuleFailure
from interpreter.passes.analysis import Analysis, expression_facts, identifier, read_by
from interpreter.telling.views import Sight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game
    from interpreter.machine.state import State

UNSEEN = "?"


Stretches = list[tuple[str, tuple["Column", ...]]]
"""Of a text, the function for each stretch, and the attributes of the thing that may be hidden from it."""


class Plan:
    """What the rules of a game say of looks, and what a seat must see for each part; the same for all."""

    def __init__(self, game: Game) -> None:
        kinds = game.program.kinds
        self.kinds = {kind.name: kind for kind in kinds if kind.look is not None}
        self.drawings = {kind.name: kind.drawn for kind in kinds if kind.drawn}
        self.stretches: dict[str, Stretches] = {}
        self.tints: dict[str, tuple[Column, ...]] = {}
        self.drawing: dict[str, list[tuple[ir.Drawn, Stretches]]] = {}
        for kind in kinds:
            if kind.look is not None:
                made = identifier("look", kind.name)
                self.stretches[kind.name] = _stretches(game, kind, made, kind.look.text)
                tint = kind.look.colour
                self.tints[kind.name] = hidden_in(game, kind, (tint,))[0] if tint is not None else ()
            made = identifier("drawn", kind.name)
            self.drawing[kind.name] = [
                (drawn, _stretches(game, kind, f"{made}_{number}", drawn.value))
                for number, drawn in enumerate(kind.drawn)
                if drawn.part != "name"
            ]
        #: Kinds of pieces that belong to players, and that read alike whoever they belong to.
        self.alike = frozenset(name for name, kind in self.kinds.items() if _reads_alike(game, kind))
        #: Of each line of the status, the variables that each stretch of it reads, and those of its numbers.
        self.status = [
            (
                [_globals(part, game) for part in parts_of_text(line.text)],
                _globals((line.value, line.of), game),
            )
            for line in game.program.status
        ]


def _reads_alike(game: Game, kind: ir.Kind) -> bool:
    """Whether a piece reads neither by owner nor by name, so that only its colour tells its side."""
    owned = any(entry.name == "owner" and entry.type.names == ("player",) for entry in kind.attributes)
    if not owned or kind.look is None or names_pieces(game, kind.look.text):
        return False
    return "owner" not in _read_of_it(kind.look.text, game)


def _stretches(game: Game, kind: ir.Kind, made: str, text: ir.Expression) -> Stretches:
    hidden = hidden_in(game, kind, parts_of_text(text))
    return [(f"{made}_{number}", needed) for number, needed in enumerate(hidden)]


_PLANS: WeakKeyDictionary[Game, Plan] = WeakKeyDictionary()


class Showing:
    """How one position looks to one seat; without a seat, to somebody who sees everything."""

    def __init__(self, game: Game, state: State, seat: str | None) -> None:
        self.game = game
        # What definitions remember or spend while they are looked up is no part of the game.
        self.state = state.copy()
        self.sight = Sight(game, state, seat)
        self.callings = game.callings(self.state, seat) if seat is not None else None
        plan = _PLANS.get(game)
        if plan is None:
            plan = _PLANS[game] = Plan(game)
        self.kinds, self.drawings, self.alike = plan.kinds, plan.drawings, plan.alike
        self._stretches, self._tints, self._drawing = plan.stretches, plan.tints, plan.drawing
        self._status = plan.status

    def number(self, key: str) -> int:
        """The piece that has this key in a view of the seat."""
        found = self.callings.piece(key) if self.callings is not None else self.game.piece_number.get(key)
        assert found is not None, key
        return found

    def piece(self, number: int) -> str | None:
        """How a piece reads; None if the rules do not say."""
        return self._text(self.game.piece_kind[number], number)

    def signs(self, number: int) -> list[tuple[str, list[str]]]:
        """The signs in how a piece reads, such as `!`, each with the attributes that it is made of."""
        kind = self.game.piece_kind[number]
        if kind not in self.kinds:
            return []
        look = self.kinds[kind].look
        assert look is not None
        found = []
        for part, (name, needed) in zip(parts_of_text(look.text), self._stretches[kind], strict=True):
            text = str(self._call(name, number)).strip() if self._sees(needed, number) else ""
            read = _read_of_it(part, self.game)
            if text and read and not any(letter.isalnum() for letter in text):
                found.append((text, read))
        return found

    def attributes_read(self, kind: str) -> list[str]:
        """The attributes that the counter of a kind is made of, in the order in which they stand there."""
        look = self.kinds[kind].look if kind in self.kinds else None
        gets = _gets(look.text, self.game) if look is not None else ()
        return list(dict.fromkeys(part.attribute for part, local in gets if local == "it"))

    def called(self, number: int, name: str) -> str:
        """The name of a piece; if it lies nowhere, where it could be seen, with how it reads."""
        look = self.piece(number) if self.state.at[number] < 0 else None
        if not look or look in name:
            return name
        return look if name in look else f"{name}: {look}"

    def space(self, number: int) -> str | None:
        return self._text(self.game.spaces[number].kind, number)

    def piece_colour(self, number: int) -> str | None:
        """The name of what colours a piece: a value of an enum, or a text."""
        return self._colour(self.game.piece_kind[number], number)

    def space_colour(self, number: int) -> str | None:
        return self._colour(self.game.spaces[number].kind, number)

    def drawn(self, kind: str, it: int) -> list[tuple[str, Any]]:
        """What a drawing of a thing shows, as far as the seat may see it; enums by ids."""
        found: list[tuple[str, Any]] = []
        for drawn, stretches in self._drawing.get(kind, ()):
            if drawn.value.type == ir.TEXT:
                text = "".join(
                    str(self._call(name, it)) if not needed or self._sees(needed, it) else UNSEEN
                    for name, needed in stretches
                )
                found.append((drawn.part, self.game.names.spoken(text, self.callings, UNSEEN)))
            elif all(not needed or self._sees(needed, it) for _, needed in stretches):
                value = self._call(stretches[0][0], it)
                if value != UNSEEN:
                    found.append((drawn.part, self._id(value, drawn.value.type)))
            else:
                found.append((drawn.part, UNSEEN))
        return [(part, value) for part, value in found if value not in ("", UNSEEN) or part == "numbers"]

    def drawn_value(self, kind: str, number: int, it: int) -> Any:
        """The plain value of one part of a drawing that everybody may see."""
        return self._call(f"{identifier('drawn', kind)}_{number}_0", it)

    def _id(self, value: Any, kind: ir.Type) -> Any:
        if kind.tag == "enum":
            return str(self.game.names.id(value, kind)) if value >= 0 else ""
        return value

    def status(self) -> list[str]:
        """The lines above the board."""
        return [
            line["text"] if "value" not in line else f"{line['text']} {_amount(line)}"
            for line in self.status_lines()
        ]

    def status_lines(self) -> list[dict[str, Any]]:
        """The same with their numbers apart: `value`, and `of` how many."""
        found: list[dict[str, Any]] = []
        for number, (stretches, amounts) in enumerate(self._status):
            if self._call(f"status_{number}"):
                line = "".join(
                    str(self._call(f"status_{number}_{index}"))
                    if all(map(self._sees_variable, variables))
                    else UNSEEN
                    for index, variables in enumerate(stretches)
                )
                text = self.game.names.spoken(line, self.callings)
                found.append({"text": text, **self._amounts(number, amounts)})
        return [line for line in found if line["text"].strip()]

    def _amounts(self, number: int, variables: list[str]) -> dict[str, int]:
        if not all(map(self._sees_variable, variables)):
            return {}
        status = self.game.program.status[number]
        amounts = {"value": status.value, "of": status.of}
        worked_out = {
            word: self._call(f"status_{number}_{word}")
            for word, amount in amounts.items()
            if amount is not None
        }
        return {} if UNSEEN in worked_out.values() else worked_out

    # ------------------------------------------------------------ one thing

    def _text(self, kind: str, it: int) -> str | None:
        if kind not in self.kinds:
            return None
        text = "".join(
            str(self._call(name, it)) if not columns or self._sees(columns, it) else UNSEEN
            for name, columns in self._stretches[kind]
        )
        return self.game.names.spoken(text, self.callings, UNSEEN)

    def _colour(self, kind: str, it: int) -> str | None:
        look = self.kinds[kind].look if kind in self.kinds else None
        if look is None or look.colour is None or not self._sees(self._tints[kind], it):
            return None
        value = self._call(identifier("tint", kind), it)
        return str(self.game.names.id(value, look.colour.type)) if value != "" else None

    def _sees(self, columns: tuple[Column, ...], it: int) -> bool:
        return all(self.sight.attribute(column, it) for column in columns)

    def _call(self, function: str, *arguments: int) -> Any:
        try:
            return self.game.namespace[function](self.state, *arguments)
        except (RuleFailure, ArithmeticError):
            return UNSEEN  # a look that cannot be worked out must not end a game

    def _sees_variable(self, name: str) -> bool:
        return self.sight.sees(self.sight.variables.get(name), -1, None)


def hidden_in(game: Game, kind: ir.Kind, parts: tuple[ir.Expression, ...]) -> list[tuple[Column, ...]]:
    """For each expression, the attributes of the thing that it reads and that may be hidden."""
    owner = "piece" if kind.owner == "card" else kind.owner
    hidden = {
        column.attribute: column
        for column in game.code.layout.attributes
        if column.owner == owner and kind.name in dict(column.seen)
    }
    return [tuple(hidden[name] for name in _read_of_it(part, game) if name in hidden) for part in parts]


def label_attributes(game: Game, kind: ir.Kind) -> frozenset[str]:
    """The attributes of a space that its label on the map is made of."""
    labels = [drawn.value for drawn in kind.drawn if drawn.part == "label"]
    return frozenset(name for label in labels for name in _read_of_it(label, game))


def namings(game: Game) -> dict[str, list[tuple[str, tuple[Column, ...]]]]:
    """By kind whose things the rules name: the functions that make a name, and what each needs to be seen."""
    found = {}
    for kind in game.program.kinds:
        for number, drawn in enumerate(kind.drawn):
            if drawn.part == "name":
                hidden = hidden_in(game, kind, parts_of_text(drawn.value))
                made = f"{identifier('drawn', kind.name)}_{number}"
                found[kind.name] = [(f"{made}_{index}", needed) for index, needed in enumerate(hidden)]
    return found


def _amount(line: dict[str, Any]) -> str:
    return f"{line['value']}/{line['of']}" if "of" in line else str(line["value"])


def may_read(sight: Sight, expression: object, values: Mapping[str, int]) -> bool:
    """Whether a seat may see all that an expression reads; `values` are those of its locals.

    In doubt it may not: what lies in piles, and things that no local stands for, are not looked into.
    """
    game = sight.game
    columns = [column for column in game.code.layout.attributes if column.seen]
    for part, names in _parts(expression, game, {name: name for name in values}, ()):
        local = part.subject if isinstance(part, ir.Get) else part
        value = values.get(names.get(local.name, "")) if isinstance(local, ir.Local) else None
        match part:
            case ir.Get(owner=owner, attribute=attribute, enum=enum):
                wanted = (owner, attribute, enum)
                hidden = [c for c in columns if (c.owner, c.attribute, c.enum) == wanted]
                if part.type.tag == "piece" or (hidden and value is None):
                    return False
                if value is not None and value >= 0 and not all(sight.attribute(c, value) for c in hidden):
                    return False
            case ir.Local(type=ir.Type(tag="piece")):
                if value is None or (value >= 0 and not sight.piece(value)):
                    return False
            case ir.Global(builtin=False, name=name):
                if not sight.sees(sight.variables.get(name), -1, None):
                    return False
            case ir.Builtin(name="contents" | "top"):
                return False
            case ir.Extent(kind=kind) if kind in sight.kinds:
                return False
    return True


def _read_of_it(expression: object, game: Game) -> list[str]:
    """The attributes of `it` that an expression reads, itself or in a definition that it is handed to."""
    return sorted({part.attribute for part, local in _gets(expression, game) if local == "it"})


def reads_of(expression: object, game: Game) -> tuple[frozenset[str], frozenset[str]]:
    """The columns and variables that an expression reads: those of `it` alone, and those of anything else.

    What is in a space is the space's own, `inside`.
    """
    bodies: dict[str, object] = {table.name: table.rows for table in game.program.tables}
    bodies |= {definition.name: definition.body for definition in game.program.definitions}
    tables, analysis = {table.name for table in game.program.tables}, Analysis()
    own, wide = set[str](), set[str]()
    for part, names in _parts(expression, game, {"it": "it"}, ()):
        read = read_by(part)
        if read and names.get(_subject(part)) == "it":
            own.add("inside" if isinstance(part, ir.Builtin) and part.name == "contents" else read)
        elif read:
            wide.add(read)
        if isinstance(part, ir.Call) and part.name in tables:
            wide |= expression_facts(bodies[part.name], bodies, analysis).reads
    return frozenset(own), frozenset(wide)


def _subject(part: object) -> str:
    """The local of which a part reads something; empty if it is none."""
    match part:
        case ir.Get(subject=ir.Local(name=name)):
            return name
        case ir.Builtin(name="place_of" | "contents", arguments=(ir.Local(name=name),)):
            return name
    return ""


def names_pieces(game: Game, expression: object) -> bool:
    """Whether a text may have the name of a piece in it, itself or in a definition that it asks."""
    texts = [part for part, _ in _parts(expression, game, {}, ()) if isinstance(part, ir.Format)]
    return any(not isinstance(part, str) and part.type.names_pieces for text in texts for part in text.parts)


def _globals(expression: object, game: Game) -> list[str]:
    """The variables that an expression reads, in definitions too."""
    return sorted({part.name for part, _ in _parts(expression, game, {}, ()) if isinstance(part, ir.Global)})


def _gets(expression: object, game: Game) -> Iterator[tuple[ir.Get, str]]:
    for part, names in _parts(expression, game, {"it": "it"}, ()):
        if isinstance(part, ir.Get) and isinstance(part.subject, ir.Local):
            yield part, names.get(part.subject.name, "")


def _parts(
    item: object, game: Game, names: dict[str, str], inside: tuple[str, ...]
) -> Iterator[tuple[Any, dict[str, str]]]:
    """Every part of an expression, with the names that `it` goes by there; definitions are looked into."""
    if isinstance(item, tuple):
        for member in item:
            yield from _parts(member, game, names, inside)
        return
    if not hasattr(item, "__dataclass_fields__") or isinstance(item, ir.Site | ir.Type):
        return
    yield item, names
    for field in item.__dataclass_fields__:
        yield from _parts(getattr(item, field), game, names, inside)
    if isinstance(item, ir.Call) and item.name not in inside:
        called = next((d for d in game.program.definitions if d.name == item.name), None)
        if called is not None:
            handed = zip(called.parameters, item.arguments, strict=False)
            own = {
                parameter.name: names[argument.name]
                for parameter, argument in handed
                if isinstance(argument, ir.Local) and argument.name in names
            }
            yield from _parts(called.body, game, own, (*inside, item.name))
