"""What people see for the numbers inside: ids, labels, journal lines; a catalogue may bring other words.

Names that rules are written in are read as words: `hits_left` as `hits left`. Ids of data stay as they are.
"""

from __future__ import annotations

import hashlib
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.failures import RuleFailure
from interpreter.passes.analysis import identifier
from interpreter.telling.showing import namings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from interpreter.compiler.blocks import Ask
    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game
    from interpreter.machine.scenario import Scenario
    from interpreter.machine.state import State
    from interpreter.telling.views import Sight

#: A whole number as people type it; longer ones are nothing that a game counts.
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_TEXTS = {
    "pass": "pass",
    "done": "done",
    "none": "none",
    "yes": "yes",
    "no": "no",
    "nothing": "nothing",
    "no such action": "there is no action `{action}`",
    "stands alone": "`{action}` stands alone",
    "needs": "`{action}` needs: {things}",
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
    "becomes first": "{thing}: {what} {new}",
    "gains": "{thing}: {what} + {new}",
    "gives up": "{thing}: {what} - {old}",
    "gains and gives up": "{thing}: {what} + {new}, - {old}",
    "removed": "{thing} leaves {old}",
    "placed": "{thing} is placed on {new}",
    "rolls": "{what}: {new}",
    "turn": "turn {new}",
    "phase": "{new}",
    "phase of": "{phase}: {each}",
    "acts": "{player}: {label}",
    "wins": "{new} wins",
    "win": "{new} win",
    "nobody wins": "the game ends without a winner",
    "all lose": "everybody has lost",
    "todo": "not written yet: {new}",
    "shuffled": "a pile is shuffled",
    "at": "at",
    "kind": "kind",
    "face_up": "face up",
    "face down": "{kind} in {place}",
    "face down nowhere": "{kind}",
    "turned up": "{thing} is {name}",
    "shows": "{thing} is turned face up",
    "turned down": "{thing} is turned face down",
    "flag yes": "{thing}: {what}",
    "flag no": "{thing}: no longer {what}",
    "several": "{title}: {things}",
    "rests on unseen": "that rests on something that you cannot see",
    "chosen already": "that has been chosen already",
    "is an answer": "that is one of the answers to: {prompt}",
    "asked now": "what is asked now is something else: {prompt}",
    "then chance": "then chance decides",
    "changes nothing": "nothing changes at once",
    "hint wins": "wins",
    "hint loses": "may lose",
    "hint score": "score {by}",
    "hint even": "the score stays as it is",
}

# In texts that the rules make, pieces with a hidden side stand as numbers between these: what they are called
# depends on who reads it, and when. Private characters, so that no author writes them by accident.
_OPEN, _CLOSE = "\ue000", "\ue001"
# A name of the data that is no name of the game: words in small letters, joined by hyphens.
_SLUG = re.compile(r"[^\W\d_A-Z]+(?:[-_'’][^\W_A-Z]+)+")
_PLAIN = re.compile(r"[^\W\d_A-Z]+")
# Words written together, each with a capital, and perhaps a number: BigName6, but not T1 or ER6.
_JOINED = re.compile(r"(?:[A-Z][a-z]{2,})+\d*")
# Short words within the name of a place stay small: de, of, le.
_LONG = 3
_WRITTEN = re.compile(f"{_OPEN}([0-9]+(?:,[0-9]+)*){_CLOSE}")


def in_words(name: str) -> str:
    """A name of the rules as people read it."""
    return name.replace("_", " ")


def as_read(ident: str, copied: bool = False) -> str:
    """A name of the data as people read it: `some-thing#2` is Some thing, A/1 stays what it is.

    Of several alike, `copied` leaves out the number: which of them it is does not matter.
    """
    name, sign, number = ident.rpartition("#")
    if not (sign and number.isdecimal() and name):
        name, sign = ident, ""
    if _SLUG.fullmatch(name) or (sign and _PLAIN.fullmatch(name)):
        name = re.sub(r"[-_]", " ", name)
        name = name[:1].upper() + name[1:]
    return name if copied or not sign else f"{name} {number}"


def place_as_read(ident: str) -> str:
    """A place of the data as people read it: `le_mans` is Le Mans, `BigName6` Big Name 6; 0712, T1 stay."""
    if _JOINED.fullmatch(ident):
        return re.sub(r"(?<=[a-z])(?=[A-Z\d])", " ", ident)
    if not (_SLUG.fullmatch(ident) or (_PLAIN.fullmatch(ident) and len(ident) >= _LONG)):
        return ident
    words = re.split(r"[-_]", ident)
    return " ".join(
        word[:1].upper() + word[1:] if not number or len(word) >= _LONG else word
        for number, word in enumerate(words)
    )


class Names:
    """Names of one game. `texts` overrides both our own words and titles of the ruleset (keys: `titles`)."""

    def __init__(
        self, program: ir.Program, scenario: Scenario, game: Game, texts: Mapping[str, str] | None = None
    ) -> None:
        self.program = program
        self.game = game
        self.texts = dict(texts or {})
        self.value_titles = {
            (enum.name, value): title for enum in program.enums for value, title in enum.titles
        }
        self.enums = {
            enum.name: tuple(self._value_title(enum.name, value) for value in enum.values)
            for enum in program.enums
        }
        self.phases = dict(program.phases)
        self.cards = frozenset(kind.name for kind in program.kinds if kind.owner == "card")
        self.kinds = {kind.name: kind.title for kind in program.kinds if kind.title}
        self.pieces: dict[str, str] = {}
        self.spaces: dict[str, str] = {}

    def text(self, key: str) -> str:
        return self.texts.get(f"our {key}", _TEXTS[key])

    def title(self, key: str, default: str) -> str:
        return self.texts.get(key, default)

    def _value_title(self, enum: str, value: str) -> str:
        if enum == "player":
            player = next((p for p in self.program.players if p.name == value), None)
            return self.title(f"player {value}", player.title if player is not None else value)
        return self.title(f"value {enum} {value}", self.value_titles.get((enum, value)) or in_words(value))

    def attribute_title(self, name: str) -> str:
        if name in ("at", "kind", "face_up"):  # those that pieces have by themselves
            return self.text(name)
        family, bracket, key = name.partition("(")  # of one that has a value for each value of an enum
        title = self.title(f"attribute {family}", in_words(family))
        return f"{title} ({self._key_title(key[:-1])})" if bracket else title

    def _key_title(self, value: str) -> str:
        enums = [enum.name for enum in self.program.enums if value in enum.values]
        return self._value_title(enums[0], value) if enums else value

    def variable_title(self, name: str) -> str:
        return self.title(f"variable {name}", in_words(name))

    def dice_title(self, name: str) -> str:
        return self.title(f"dice {name}", in_words(name))

    def kind_title(self, name: str) -> str:
        """What a piece, space or edge of a kind is called when it is not named itself."""
        return self.title(f"kind {name}", self.kinds.get(name) or in_words(name))

    def type_title(self, kind: ir.Type) -> str:
        """What something of a type is called."""
        return " / ".join(map(self.kind_title, kind.names)) if kind.names else self.kind_title(str(kind))

    def piece_title(self, ident: str) -> str:
        """The one name of a piece for people; copies of a card share theirs."""
        known = self.pieces.get(ident)
        if known is None:
            number = self.game.piece_number.get(ident, -1)
            kind = self.game.piece_kind[number] if number >= 0 else ""
            # What may lie face down is named where it lies: see Callings.
            said = self.said(self._before, kind, number) if kind not in self.game.faced else ""
            read = as_read(self.title(f"piece {ident}", ident), kind in self.cards)
            known = self.pieces[ident] = self.title(f"piece {ident}", said) if said else read
        return known

    @cached_property
    def namings(self) -> dict[str, list[tuple[str, tuple[Column, ...]]]]:
        """The kinds of which the rules say what their things are called."""
        return namings(self.game)

    @cached_property
    def _before(self) -> State:
        """The position before anything has happened: what is printed can be read in it."""
        return self.game.template.copy()

    def said(self, state: State, kind: str, number: int, sight: Sight | None = None) -> str:
        """What the rules call a thing; empty if they do not say, or would tell what is not seen."""
        parts = self.namings.get(kind, [])
        needed = [column for _, columns in parts for column in columns] if sight is not None else []
        if sight is not None and not all(sight.attribute(column, number) for column in needed):
            return ""
        self.game.refuel(state)
        try:
            text = "".join(str(self.game.namespace[function](state, number)) for function, _ in parts)
        except (RuleFailure, ArithmeticError):
            return ""  # a name that cannot be worked out must not end a game
        return "" if _OPEN in text else text.strip()

    def place_title(self, ident: str) -> str:
        """A space by its id, a pile by its name, with the value that it is for."""
        kind = self.game.pile_kind.get(self.game.place_number.get(ident, -1))
        if kind is None:
            return self._space_title(ident)
        name = self.title(f"place {kind.name}", in_words(kind.name))
        value = ident.removeprefix(f"{kind.name}(").removesuffix(")")
        return f"{name} ({self._value_title(kind.each, value)})" if kind.each else name

    def _space_title(self, ident: str) -> str:
        known = self.spaces.get(ident)
        if known is None:
            number = self.game.place_number.get(ident, -1)
            said = self.said(self._before, self.game.spaces[number].kind, number) if number >= 0 else ""
            known = self.spaces[ident] = self.title(f"space {ident}", said or place_as_read(ident))
        return known

    def scenario_title(self) -> str:
        scenario = self.game.scenario
        return self.title(f"scenario {scenario.name}", scenario.title)

    # ------------------------------------------------------------ values

    def outcome(self, winners: int, lost: bool) -> str:
        """Who has won, from a set; if nobody has, whether all have lost."""
        if not winners:
            return self.text("all lose" if lost else "nobody wins")
        several = winners & (winners - 1)
        return self.text("win" if several else "wins").format(new=self.shown(winners, ir.set_of(ir.PLAYER)))

    def shown(self, value: Any, kind: ir.Type) -> str:
        """The text for a value of a type."""
        match kind:
            case ir.Type(tag="enum", names=(enum, *_)):
                names = self.enums[enum]
                found = names[value] if 0 <= value < len(names) else ""
            case ir.Type(tag="set" | "list", element=ir.Type() as element):
                items = self.game.items(value, kind)
                found = ", ".join(self.shown(item, element) for item in items)
            case ir.Type(tag="piece"):
                found = self.piece_title(self.game.piece_ids[value]) if value >= 0 else ""
            case ir.Type(tag="space" | "pile"):
                found = self.place_title(self.game.place_ids[value]) if value >= 0 else ""
            case ir.Type(tag="edge"):
                ends = self.game.board.edge_ends[value] if value >= 0 else ()
                found = "|".join(self.shown(end, ir.SPACE) for end in ends)
            case ir.Type(tag="flag"):
                return self.text("yes" if value else "no")
            case ir.Type(tag="nothing"):
                found = ""
            case _:
                return str(value)
        return found or self.text("nothing")

    def writer(self) -> Callable[[Any, ir.Type], str]:
        """What the rules put into their texts for a value: `shown`, but for pieces with a hidden side."""
        return self._written if self.game.faced else self.shown

    def _written(self, value: Any, kind: ir.Type) -> str:
        if not kind.names_pieces:
            return self.shown(value, kind)
        pieces = self.pieces_in(value, kind)
        hiding = [piece for piece in pieces if piece >= 0 and self.game.piece_kind[piece] in self.game.faced]
        if not hiding:
            return self.shown(value, kind)
        if kind.tag != "list":  # the order of a set must not tell anything
            others = [self.shown(piece, ir.PIECE) for piece in pieces if piece not in hiding]
            return ", ".join([*others, _marked(hiding)])
        return ", ".join(
            _marked([piece]) if piece in hiding else self.shown(piece, ir.PIECE) for piece in pieces
        )

    def pieces_in(self, value: Any, kind: ir.Type) -> list[int]:
        """The pieces that a value of a type names."""
        if not kind.names_pieces:
            return []
        if kind.tag == "piece":
            return [value]
        return list(self.game.items(value, kind))

    def written_out(self, text: str) -> str:
        """What stands in a text of the rules letter by letter, without the pieces that may lie face down."""
        return _WRITTEN.sub("", text)

    def spoken(self, text: str, callings: Callings | None = None, unknown: str = "") -> str:
        """A text of the rules as somebody reads it; without callings, somebody who sees everything.

        What lies face down is called by kind and place, or reads `unknown` where there is no room for that.
        """
        if _OPEN not in text:
            return text

        def call(match: re.Match[str]) -> str:
            pieces = [int(number) for number in match[1].split(",")]
            if max(pieces) >= len(self.game.piece_ids):
                return ""
            if callings is None:
                return ", ".join(self.shown(piece, ir.PIECE) for piece in pieces)
            if len(pieces) == 1 and _says_again(text[match.end() :], callings, pieces[0]):
                return callings.mover(pieces[0])
            return ", ".join(
                unknown if unknown and not callings.known(piece) else callings.title(piece)
                for piece in sorted(pieces, key=callings.rank)
            )

        return _WRITTEN.sub(call, text)

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
            return self.title_of_key(str(value))
        return self.place_title(str(value)) if kind.tag in ("space", "pile") else str(value)

    def title_of_key(self, key: str) -> str:
        """A piece in words, by the key that it has in a view: its id, or kind, place and number."""
        if key in self.game.piece_number or not self.game.faced:
            return self.piece_title(key)
        for kind in self.game.faced:
            found = re.fullmatch(rf"{re.escape(kind)}(?: at (.*?))?(?: \(([0-9]+)\))?", key)
            if found is not None and (found[1] is None or found[1] in self.game.place_number):
                return self.nameless(kind, found[1] or "", int(found[2] or 1))
        return key

    def nameless(self, kind: str, place: str, number: int) -> str:
        """What a piece is called that lies face down: it has no name but its kind and its place."""
        form = self.text("face down" if place else "face down nowhere")
        title = form.format(kind=self.kind_title(kind), place=self.place_title(place))
        return f"{title[:1].upper()}{title[1:]}{f' ({number})' if number > 1 else ''}"

    def id(self, value: Any, kind: ir.Type) -> object:
        """What stays the same in any language: ids, names of values, numbers."""
        if kind.tag == "enum":
            values = self.game.enums[kind.names[0]].values
            return values[value] if 0 <= value < len(values) else "nothing"
        if kind.tag == "piece":
            return self.game.piece_ids[value] if value >= 0 else "nothing"
        if kind.tag in ("space", "pile"):
            return self.game.place_ids[value] if value >= 0 else "nothing"
        if kind.tag == "flag":
            return "yes" if value else "no"
        return value

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
            return argument if isinstance(argument, int) else (int(text) if _WHOLE.fullmatch(text) else None)
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
        written = self.writer()
        return [written(value, p.type) for value, p in zip(values, action.parameters, strict=True)]

    def action_label(self, state: Any, option: tuple[Any, ...], callings: Callings | None = None) -> str:
        own = self.spoken(self.own_label(state, state.player, option), callings)
        return own or self.plain_label(option[0], option[1:], callings)

    def own_label(self, state: Any, player: int, option: tuple[Any, ...]) -> str:
        """How the rules say that an option reads; empty if they do not."""
        action = self.program.actions[option[0]]
        function = self.game.namespace.get(identifier("label", action.name))
        return str(function(state, player, *option[1:])) if function is not None else ""

    # ------------------------------------------------------------ actions

    def acts(self, player: int, label: str) -> str:
        return self.text("acts").format(player=self.shown(player, ir.PLAYER), label=label)

    def plain_label(self, index: int, values: tuple[Any, ...], callings: Callings | None = None) -> str:
        """An action by its title and what it is done with."""
        action = self.program.actions[index]
        label = " ".join([self.action_title(action), *self._shown_arguments(action, values)])
        return self.spoken(label, callings)


def _bare(text: str) -> str:
    """A name as it is compared with what somebody types: without brackets and capitals."""
    return " ".join(re.sub(r"[(),]", " ", text).split()).casefold()


def _says_again(rest: str, callings: Callings, piece: int) -> bool:
    """Whether the place of a nameless piece is told by the rules' own words right after it."""
    place = callings.title(piece).removeprefix(callings.mover(piece))
    return place != "" and re.match(rf"{re.escape(place)}(?!\w)", rest) is not None


def _marked(pieces: Iterable[int]) -> str:
    return f"{_OPEN}{','.join(map(str, pieces))}{_CLOSE}"


class Callings:
    """What the pieces of one position are called by somebody who may not know all of them.

    A piece that lies face down has no name: it is called as the rules say, or else by its kind and place,
    with a number if there are several. The numbers go by what can be seen of the pieces, and where that is
    the same by an order that has nothing to do with which pieces they are. `moving` is a position that will
    change under our eyes.
    """

    def __init__(self, names: Names, state: Any, sight: Sight, moving: bool = False) -> None:
        self.names = names
        self.state = state
        self.sight = sight
        self.game = names.game
        self.moving = moving
        self._orders: dict[tuple[str, int], list[int]] = {}  # of those that are called alike
        self._said: dict[int, str] = {}

    def known(self, piece: int) -> bool:
        """Whether the reader knows which piece this is."""
        return piece < 0 or self.sight.face(piece)

    def key(self, piece: int) -> str:
        """The same in all languages: the id, or kind and place."""
        if piece < 0:
            return "nothing"
        if self.known(piece):
            return self.game.piece_ids[piece]
        place = self.state.at[piece]
        number = self._number(piece)
        at = f" at {self.game.place_ids[place]}" if place >= 0 else ""
        return f"{self.game.piece_kind[piece]}{at}{f' ({number})' if number > 1 else ''}"

    def title(self, piece: int) -> str:
        """In words."""
        said = self._of_the_rules(piece) if piece >= 0 else ""
        if said:
            return said
        if piece < 0 or self.known(piece):
            return self.names.shown(piece, ir.PIECE)
        place = self.state.at[piece]
        spot = self.game.place_ids[place] if place >= 0 else ""
        # Of what is nowhere, or in a bag, nobody could say which is the second.
        number = self._number(piece) if spot and self.sight.piece(piece) else 1
        return self.names.nameless(self.game.piece_kind[piece], spot, number)

    def _of_the_rules(self, piece: int) -> str:
        """What the rules call a piece with a hidden side where it is now; empty if they do not say."""
        kind, place = self.game.piece_kind[piece], self.state.at[piece]
        if kind not in self.names.namings or kind not in self.game.faced or not self.sight.piece(piece):
            return ""
        if self.moving:
            for memory in self.state.MEMORIES:  # what definitions remember is of another moment
                setattr(self.state, memory, None)
        elif piece in self._said:
            return self._said[piece]
        said = self.names.said(self.state, kind, piece, self.sight)
        if said and self.known(piece):
            alone = sum(self.state.at[other] == place for other in self.game.of_kind(kind)) == 1
            said = said if alone else ""
        elif said:
            number = self._number(piece)
            said = f"{said} ({number})" if number > 1 else said
        self._said[piece] = said
        return said

    def mover(self, piece: int) -> str:
        """In words, where its place is told anyway."""
        if piece < 0 or self.known(piece):
            return self.names.shown(piece, ir.PIECE)
        return self.names.nameless(self.game.piece_kind[piece], "", 1)

    def piece(self, text: str) -> int | None:
        """The piece that is called so, by key or in words; the name of one that is not known says nothing."""
        ident = self.names.ident(text)
        number = self.game.piece_number.get(ident)
        if number is not None and self.known(number):
            return number
        wanted = _bare(text)
        for piece, kind in enumerate(self.game.piece_kind):
            if kind in self.game.faced and (kind in self.names.namings or not self.known(piece)):
                if wanted in (_bare(self.key(piece)), _bare(self.title(piece))):
                    return piece
        return None

    def rank(self, piece: int) -> tuple[Any, ...]:
        """By this pieces are put in an order that does not tell which they are: the known ones first."""
        if piece < 0 or self.known(piece):
            return 0, piece
        return 1, self.state.at[piece], self.game.piece_kind[piece], self._number(piece)

    def hidden_side(self, piece: int) -> list[Any]:
        """The attributes that stand there."""
        kind, rules = self.game.piece_kind[piece], self.game.code.layout.visibility
        return [
            entry
            for entry in self.game.code.layout.attributes
            if entry.owner == "piece" and any(k == kind and rules[r].faced for k, r in entry.seen)
        ]

    def value(self, entry: Any, piece: int) -> Any:
        column = self.game.values(self.state, entry)
        return column[piece]

    def _number(self, piece: int) -> int:
        """Which of those it is that are called alike; 1 if it is the only one."""
        kind, place = self.game.piece_kind[piece], self.state.at[piece]
        order = None if self.moving else self._orders.get((kind, place))
        if order is None:
            kin = self.game.of_kind(kind)
            alike = [other for other in kin if self.state.at[other] == place and not self.known(other)]
            order = self._orders[kind, place] = sorted(alike, key=self._sorting)
        return order.index(piece) + 1

    def _sorting(self, piece: int) -> tuple[Any, ...]:
        return *self.looks(piece), self.salt(piece)

    def looks(self, piece: int) -> tuple[Any, ...]:
        """All that can be seen of a piece that lies face down."""
        kind = self.game.piece_kind[piece]
        seen = [
            self.value(entry, piece)
            for entry in self.game.code.layout.attributes
            if entry.owner == "piece" and kind in entry.kinds and self.sight.attribute(entry, piece)
        ]
        return kind, self.state.at[piece], *seen

    def salt(self, piece: int) -> str:
        """Something of a piece that tells nothing of it."""
        text = f"{self.game.scenario.hash} {self.game.piece_ids[piece]}"
        return hashlib.sha256(text.encode()).hexdigest()
