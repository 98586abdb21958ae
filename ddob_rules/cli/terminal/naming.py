"""What somebody types, as the things that he can see: by what they go by, by a name, or a part of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ddob_rules.cli.answers import Refused
from ddob_rules.cli.phrases import phrase
from ddob_rules.reports.spelling import did_you_mean
from interpreter.ir import Type
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.table.seen import Seen
from interpreter.table.typed import ASKED_BACK, PART, fitting
from interpreter.telling.views import BYSTANDER


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of things in one position, for one seat."""

    game: Game
    state: State
    seat: str | None
    language: str
    place_names: Mapping[str, str] = field(init=False)  # what spaces are called on the map

    def __post_init__(self) -> None:
        object.__setattr__(self, "place_names", Seen(self.state, self.seat or BYSTANDER).place_names)

    def title(self, thing: str) -> str:
        game, names = self.game, self.game.names
        if thing in game.place_number:
            return names.place_title(thing)
        if any(variable.name == thing for variable in game.program.variables):
            return names.variable_title(thing)
        for enum, values in game.enums.items():
            if thing in values.values and thing not in game.piece_number:
                return names.shown_id(thing, Type("enum", (enum,)))
        return names.title_of_key(thing)

    def visible(self, name: str, placed: bool = False) -> str:
        """The thing of this name that the seat can see; a part of the name will do if it fits one thing."""
        alike = self.found(name, placed)
        if len(alike) > 1:
            raise Refused(self.several(name, alike))
        if alike:
            return alike[0]
        known = self.known(placed, told=True)
        best, fit = fitting(name, known, self.all_of)
        if best >= PART and len(fit) == 1:
            return fit[0]
        if best >= PART:
            raise Refused(self.several(name, fit[:ASKED_BACK]))
        advice = did_you_mean(name, map(self.title, known), self.language)
        told = phrase(self.language, "no thing", name=name[:200])
        raise Refused(f"{told}; {advice}" if advice else told)

    def several(self, name: str, things: list[str]) -> str:
        """Asks back; things that have the same name are told with what each goes by in the rules."""
        titles = [self.named(thing) for thing in things]
        told = [
            phrase(self.language, "goes by", name=title, ident=thing) if titles.count(title) > 1 else title
            for title, thing in zip(titles, things, strict=True)
        ]
        return phrase(self.language, "several fit", word=name[:200], names=", ".join(dict.fromkeys(told)))

    def named(self, thing: str) -> str:
        """The title of a thing, of a space with its name on the map."""
        return " ".join(dict.fromkeys(self.all_of(thing).split("\n")))

    def all_of(self, thing: str) -> str:
        """All that a thing may be called, one name a line."""
        return "\n".join(filter(None, (self.title(thing), self.place_names.get(thing, ""))))

    def found(self, name: str, placed: bool = False) -> list[str]:
        """What is called exactly so: what goes by it in the rules, else all that have the name."""
        known, wanted = self.known(placed), name.casefold()
        for thing in known:
            if thing.casefold() == wanted:
                return [thing]
        alike = self.alike(name, placed)
        key = self.key(name)
        if key in known and key not in alike:
            alike = [key, *alike]
        # Copies of a card have one name: any of them will do.
        return alike[:1] if len({self.title(thing) for thing in alike}) == 1 else alike

    def alike(self, name: str, placed: bool = False) -> list[str]:
        """All that have a name, or are called so on the map."""
        wanted = name.casefold()
        return [one for one in self.known(placed) if wanted in self.all_of(one).casefold().split("\n")]

    def known(self, placed: bool = False, told: bool = False) -> list[str]:
        """Whatever the seat can see and ask about; what is `told` is no bookkeeping."""
        view = self.game.view(self.state, self.seat)
        if placed:
            pieces = [name for name, values in view["pieces"].items() if values["at"] in view["spaces"]]
            return [*pieces, *view["spaces"]]
        program = self.game.program
        kinds = {kind.name for kind in program.kinds if kind.untold}
        untold = kinds | {one.name for one in program.variables if one.untold} if told else set()
        counted_things = [str(value) for values in view["each"].values() for value in values]
        counts = [name for name in (*view["piles"], *view["variables"]) if name.split("(")[0] not in untold]
        return [*view["pieces"], *view["spaces"], *counts, *counted_things]

    def key(self, name: str) -> str:
        """What a thing goes by in the seat's view, from what somebody types."""
        game = self.game
        callings = game.callings(self.state, self.seat) if self.seat is not None else None
        piece = callings.piece(name) if callings is not None else None
        return game.names.ident(name) if callings is None or piece is None else callings.key(piece)
