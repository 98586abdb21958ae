"""What people see for the numbers inside: ids, labels, journal lines; a catalogue may bring other words.

Names that rules are written in are read as words: `hits_left` as `hits left`. Ids of data stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.analysis import identifier
from interpreter.emit import type_key
from interpreter.journal import Entry
from interpreter.scenario import Scenario

if TYPE_CHECKING:
    from interpreter.blocks import Ask
    from interpreter.game import Game

_TEXTS = {
    "pass": "pass",
    "done": "done",
    "none": "none",
    "yes": "yes",
    "no": "no",
    "nothing": "nothing",
    "no such action": "there is no action `{action}`",
    "wrong arguments": "`{action}` needs {count} things to be named",
    "no such thing": "`{name}` is not a {kind} of this game",
    "not this player": "this player may not do that",
    "a condition fails": "a condition of the rule fails",
    "not now": "only possible in: {phases}",
    "choose": "choose",
    "choose number": "choose a number",
    "choose order": "choose the next in order",
    "choose some": "choose one more, or done",
    "choose yes": "yes or no",
    "choose action": "choose an action",
    "moves": "{thing}: {old} -> {new}",
    "becomes": "{thing}: {what} {old} -> {new}",
    "removed": "{thing} leaves {old}",
    "placed": "{thing} is placed on {new}",
    "rolls": "{what}: {new}",
    "turn": "turn {new}",
    "phase": "{new}",
    "phase of": "{phase}: {each}",
    "acts": "{player}: {label}",
    "wins": "{new} wins",
    "nobody wins": "the game ends without a winner",
    "todo": "not written yet: {new}",
    "shuffled": "a pile is shuffled",
    "at": "at",
    "kind": "kind",
}


def in_words(name: str) -> str:
    """A name of the rules as people read it."""
    return name.replace("_", " ")


class Names:
    """Names of one game. `texts` overrides both our own words and titles of the ruleset (keys: `titles`)."""

    def __init__(
        self, program: ir.Program, scenario: Scenario, game: Game, texts: Mapping[str, str] | None = None
    ) -> None:
        self.program = program
        self.game = game
        self.texts = dict(texts or {})
        self.enums = {
            enum.name: tuple(self._value_title(enum.name, value) for value in enum.values)
            for enum in program.enums
        }
        self.phases = dict(program.phases)

    def text(self, key: str) -> str:
        return self.texts.get(f"our {key}", _TEXTS[key])

    def title(self, key: str, default: str) -> str:
        return self.texts.get(key, default)

    def _value_title(self, enum: str, value: str) -> str:
        if enum == "player":
            player = next((p for p in self.program.players if p.name == value), None)
            return self.title(f"player {value}", player.title if player is not None else value)
        return self.title(f"value {enum} {value}", in_words(value))

    def attribute_title(self, name: str) -> str:
        if name in ("at", "kind"):  # those that every piece has
            return self.text(name)
        return self.title(f"attribute {name}", in_words(name))

    def variable_title(self, name: str) -> str:
        return self.title(f"variable {name}", in_words(name))

    def kind_title(self, name: str) -> str:
        """What a piece, space or edge of a kind is called when it is not named itself."""
        return self.title(f"kind {name}", in_words(name))

    def type_title(self, kind: ir.Type) -> str:
        """What something of a type is called."""
        return " / ".join(map(self.kind_title, kind.names)) if kind.names else self.kind_title(str(kind))

    def piece_title(self, ident: str) -> str:
        return self.title(f"piece {ident}", ident)

    def place_title(self, ident: str) -> str:
        """A space by its id, a pile by its name, with the value that it is for."""
        kind = self.game.pile_kind.get(self.game.place_number.get(ident, -1))
        if kind is None:
            return self.title(f"space {ident}", ident)
        name = self.title(f"place {kind.name}", in_words(kind.name))
        value = ident.removeprefix(f"{kind.name}(").removesuffix(")")
        return f"{name} ({self._value_title(kind.each, value)})" if kind.each else name

    def scenario_title(self) -> str:
        scenario = self.game.scenario
        return self.title(f"scenario {scenario.name}", scenario.title)

    # ------------------------------------------------------------ values

    def shown(self, value: Any, key: str) -> str:
        """The text for a value of the type known by `key`."""
        if key.startswith("enum "):
            names = self.enums[key.removeprefix("enum ")]
            return names[value] if 0 <= value < len(names) else self.text("nothing")
        if key.startswith("set "):
            return ", ".join(
                self.shown(item, key.removeprefix("set ")) for item in self.game.namespace["bits"](value)
            ) or self.text("nothing")
        if key.startswith("list "):
            return ", ".join(self.shown(item, key.removeprefix("list ")) for item in value) or self.text(
                "nothing"
            )
        if key == "piece":
            return self.piece_title(self.game.piece_ids[value]) if value >= 0 else self.text("nothing")
        if key in ("space", "pile"):
            return self.place_title(self.game.place_ids[value]) if value >= 0 else self.text("nothing")
        if key == "flag":
            return self.text("yes") if value else self.text("no")
        if key == "edge":
            ends = self.game.board.edge_ends[value] if value >= 0 else ()
            return "|".join(self.shown(end, "space") for end in ends) or self.text("nothing")
        return self.text("nothing") if key == "nothing" else str(value)

    def shown_id(self, value: object, kind: ir.Type) -> str:
        """The text for what stands in a view: ids, names of values, numbers, lists of them."""
        if isinstance(value, list):
            element = kind.element or kind
            return ", ".join(self.shown_id(item, element) for item in value) or self.text("nothing")
        if isinstance(value, bool):
            return self.text("yes" if value else "no")
        if value == "nothing":
            return self.text("nothing")
        if kind.tag == "enum":
            return self._value_title(kind.names[0], str(value))
        if kind.tag == "piece":
            return self.piece_title(str(value))
        return self.place_title(str(value)) if kind.tag in ("space", "pile") else str(value)

    def id_by_key(self, value: Any, key: str) -> object:
        """What stays the same in any language: ids, names of values, numbers."""
        if key.startswith("enum "):
            values = self.game.enums[key.removeprefix("enum ")].values
            return values[value] if 0 <= value < len(values) else "nothing"
        if key == "piece":
            return self.game.piece_ids[value] if value >= 0 else "nothing"
        if key in ("space", "pile"):
            return self.game.place_ids[value] if value >= 0 else "nothing"
        if key == "flag":
            return "yes" if value else "no"
        return value

    def id(self, value: Any, kind: ir.Type) -> object:
        return self.id_by_key(value, type_key(kind))

    def ident(self, text: str) -> str:
        """The id of the piece, space or pile that is shown as a text; the text itself if there is none."""
        if text in self.game.piece_number or text in self.game.place_number:
            return text
        titles = [(self.piece_title(ident), ident) for ident in self.game.piece_ids]
        titles += [(self.place_title(ident), ident) for ident in self.game.place_ids]
        return next((ident for title, ident in titles if title.casefold() == text.casefold()), text)

    def number_of(self, argument: object, kind: ir.Type) -> Any:
        """The number inside for an id or value that a person gives; None if there is none."""
        text = str(argument)
        if kind.tag == "enum":
            values = self.game.enums[kind.names[0]].values
            return values.index(text) if text in values else None
        if kind.tag == "piece":
            return self.game.piece_number.get(self.ident(text))
        if kind.tag in ("space", "pile"):
            return self.game.place_number.get(self.ident(text))
        if kind == ir.FLAG:
            return argument if isinstance(argument, bool) else {"yes": True, "no": False}.get(text)
        if kind == ir.NUMBER:
            return (
                argument if isinstance(argument, int) else (int(text) if text.lstrip("-").isdigit() else None)
            )
        return None

    # ------------------------------------------------------------ questions

    def default_prompt(self, ask: Ask) -> str:
        if ask.sort == "offer":
            return self.phase_title(ask.group)
        return self.text(
            {"one": "choose", "tie": "choose", "menu": "choose"}.get(ask.sort, f"choose {ask.sort}")
        )

    def phase_title(self, name: str) -> str:
        return self.title(f"phase {name}", self.phases.get(name, name.replace("_", " ")))

    def action_title(self, action: ir.Action) -> str:
        return self.title(f"action {action.name}", action.title)

    def _shown_arguments(self, action: ir.Action, values: tuple[Any, ...]) -> list[str]:
        return [
            self.shown(value, type_key(p.type)) for value, p in zip(values, action.parameters, strict=True)
        ]

    def action_label(self, state: Any, option: tuple[Any, ...]) -> str:
        return self.own_label(state, state.player, option) or self.plain_label(option[0], option[1:])

    def own_label(self, state: Any, player: int, option: tuple[Any, ...]) -> str:
        """How the rules say that an option reads; empty if they do not."""
        action = self.program.actions[option[0]]
        function = self.game.namespace.get(f"label_{identifier(action.name)}")
        return str(function(state, player, *option[1:])) if function is not None else ""

    # ------------------------------------------------------------ the journal

    def entry(self, number: int, raw: tuple[Any, ...]) -> Entry:
        site_number, what, index, old, new = raw
        if what == "action":
            text = self.acts(old, site_number or self.plain_label(index, new))
            return Entry(number, what, "", old, new, text, self.program.actions[index].site)
        site = self.game.code.sites[site_number] if site_number >= 0 else None
        thing, text = self._told(what, index, old, new)
        return Entry(number, what, thing, old, new, text, site)

    def acts(self, player: int, label: str) -> str:
        return self.text("acts").format(player=self.shown(player, "enum player"), label=label)

    def plain_label(self, index: int, values: tuple[Any, ...]) -> str:
        """An action by its title and what it is done with."""
        action = self.program.actions[index]
        return " ".join([self.action_title(action), *self._shown_arguments(action, values)])

    def _phase(self, name: str, each: Any) -> str:
        """The title of a phase, and for whom or what it is gone through."""
        title = self.text("phase").format(new=self.phase_title(name))
        if not isinstance(each, tuple):
            return title
        things = ", ".join(self.shown(value, key) for key, value in each)
        return self.text("phase of").format(phase=title, each=things)

    def _told(self, what: str, index: int, old: Any, new: Any) -> tuple[str, str]:
        match what.split(" "):
            case ["turn"]:
                return "", self.text("turn").format(new=new)
            case ["phase"]:
                return "", self._phase(new, index)
            case ["say"]:
                return "", str(new)
            case ["todo"]:
                return "", self.text("todo").format(new=new)
            case ["shuffled"]:
                return "", self.text("shuffled")
            case ["over"]:
                who = self.shown(new, "set enum player")
                return "", self.text("wins").format(new=who) if new else self.text("nobody wins")
            case ["place"]:
                thing = self.shown(index, "piece")
                key = "moves" if old >= 0 and new >= 0 else "placed" if new >= 0 else "removed"
                return self.game.piece_ids[index] if index >= 0 else "", self.text(key).format(
                    thing=thing, old=self.shown(old, "space"), new=self.shown(new, "space")
                )
            case ["roll", dice]:
                kind = next(d.type for d in self.program.dice if d.name == dice)
                key = f"list {type_key(kind)}" if isinstance(new, tuple) else type_key(kind)
                what = self.title(f"dice {dice}", in_words(dice))
                return "", self.text("rolls").format(what=what, new=self.shown(new, key))
            case ["variable", name]:
                kind = next(v.type for v in self.program.variables if v.name == name)
                return name, self._becomes(self.variable_title(name), "", old, new, type_key(kind))
            case ["enum", enum, attribute]:
                thing = self.shown(index, f"enum {enum}")
                return self.game.enums[enum].values[index], self._becomes(
                    thing,
                    self.attribute_title(attribute),
                    old,
                    new,
                    self._attribute_key("enum", attribute, enum),
                )
            case [owner, attribute]:
                key = "edge" if owner == "edge" else owner
                thing = self.shown(index, key)
                return str(self.id_by_key(index, key)), self._becomes(
                    thing,
                    self.attribute_title(attribute),
                    old,
                    new,
                    self._attribute_key(owner, attribute, ""),
                )
        return "", what

    def _attribute_key(self, owner: str, attribute: str, enum: str) -> str:
        for entry in self.game.code.layout.attributes:
            if entry.owner == owner and entry.attribute == attribute and entry.enum == enum:
                return type_key(entry.type)
        return "number"

    def _becomes(self, thing: str, what: str, old: Any, new: Any, key: str) -> str:
        text = self.text("becomes").format(
            thing=thing, what=what, old=self.shown(old, key), new=self.shown(new, key)
        )
        return " ".join(text.split())
