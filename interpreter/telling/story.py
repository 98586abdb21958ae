"""From entries of the journal to what a seat is told of them: all, all but which piece it was, or nothing.

Bookkeeping is left out, and like changes are put together. Headings, lines and widths are left to those who
show the story.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.compiler.compile import parts_of_text
from interpreter.ir import Site
from interpreter.telling.facts import (
    Acted,
    Change,
    Changed,
    Moved,
    Rolled,
    Shuffled,
    VariableChanged,
)
from interpreter.telling.journal import Entry, form_of_move, is_turn_of_piece, thing_type
from interpreter.telling.openness import Openness
from interpreter.telling.showing import may_read
from interpreter.telling.views import Sight

if TYPE_CHECKING:
    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game
    from interpreter.machine.state import State


@dataclass(slots=True)
class Telling:
    """What is told of entries, and how: bookkeeping is left out, like changes are put together."""

    game: Game
    discretion: Discretion
    _untold: frozenset[tuple[str, ...]] = field(init=False)
    _renewals: frozenset[Site] = field(init=False)

    def __post_init__(self) -> None:
        program = self.game.program
        untold: set[tuple[str, ...]] = {
            ("variable", entry.name) for entry in program.variables if entry.untold
        }
        for kind in program.kinds:
            if kind.untold:
                untold.add((kind.name,))
            untold |= {(kind.name, entry.name) for entry in kind.attributes if entry.untold}
        self._untold = frozenset(untold)
        # Only what goes back to its start by itself cites the line where an attribute is declared.
        self._renewals = frozenset(entry.site for kind in program.kinds for entry in kind.attributes)

    def told(self, entry: Entry) -> bool:
        """Whether there is anything to tell of an entry."""
        if entry.site in self._renewals or not self.discretion.text(entry):
            return False
        match entry.fact:
            case Moved():
                return self._moves(entry.fact)
            case Shuffled():
                return False
            case VariableChanged(variable=name):
                return ("variable", name) not in self._untold
            case Changed(column=name, thing=thing):
                column = self.game.columns[name]
                return (self._kind(column, thing), column.attribute) not in self._untold
        return True

    def _moves(self, fact: Moved) -> bool:
        """Where a piece goes, unless it goes into an untold pile, or is only taken out of one."""
        if fact.piece >= 0 and (self.game.piece_kind[fact.piece],) in self._untold:
            return False
        into_pile = fact.new >= 0 and self._place(fact.new) < 0
        return not into_pile and (self._place(fact.old) >= 0 or self._place(fact.new) >= 0)

    def _kind(self, column: Column, thing: int) -> str:
        """The kind of a thing that has an attribute, as far as kinds can leave it untold."""
        if column.owner == "enum":
            return column.enum
        if column.owner == "piece" and thing >= 0:
            return self.game.piece_kind[thing]
        places = len(self.game.spaces)
        return self.game.spaces[thing].kind if column.owner == "space" and 0 <= thing < places else ""

    def _place(self, number: int) -> int:
        """A place; for the story an untold pile is nowhere."""
        pile = self.game.pile_kind.get(number)
        return -1 if pile is not None and pile.untold else number

    def repeats(self, entry: Entry, said: Entry) -> bool:
        """Whether the sentence before has told this already: it names what changes, and what comes of it.

        Of an action only where pieces go is such a repetition, and only if the rules say how it reads.
        """
        if not isinstance(entry.fact, Change):
            return False
        if isinstance(said.fact, Rolled):
            match entry.fact:
                case Changed(column=column, thing=thing):
                    return (column, thing, entry.site) == (said.fact.column, said.fact.piece, said.site)
            return False
        if isinstance(said.fact, Acted):
            worded = self.game.program.actions[said.fact.action].label is not None
            if not isinstance(entry.fact, Moved) or not worded:
                return False
        elif said.rule != entry.rule:
            return False
        text = self.discretion.text(said)
        return all(_mentions(text, name) for name in (self._name(entry), self._value(entry)))

    def _value(self, entry: Entry) -> str:
        """What an entry changes something to."""
        if isinstance(entry.fact, Moved):
            place = self._place(entry.fact.new)
            return self.game.names.shown(place, ir.SPACE) if place >= 0 else ""
        _, arrow, new = self.discretion.text(entry).rpartition("-> ")
        fact = entry.fact
        if not arrow and isinstance(fact, Changed):
            return self.game.names.shown(fact.new, self.game.columns[fact.column].type)
        return new

    # ------------------------------------------------------------ runs

    def alike(self, first: Entry, second: Entry) -> bool:
        """Whether two entries may be told in one line: moves, or the same change of several things."""
        if isinstance(second.fact, Change | Rolled | Shuffled) and not self.told(second):
            return True  # nothing stands between them
        if isinstance(first.fact, Rolled) and self.repeats(second, first):
            return True  # a die that is a piece has told it
        rolled = isinstance(first.fact, Rolled)
        if first.site != second.site or (first.thing == second.thing and not rolled):
            return False
        match first.fact, second.fact:
            case Moved() as one, Moved() as other:
                return self._form(one) == self._form(other)
            case Rolled(piece=one), Rolled(piece=other):
                return one >= 0 and other >= 0
            case Changed() as one, Changed() as other:
                # A piece that is turned is told with what it turns out to be, each by itself.
                return not is_turn_of_piece(self.game, one) and (
                    (one.column, one.old, one.new) == (other.column, other.old, other.new)
                )
        return False

    def _form(self, fact: Moved) -> str:
        return form_of_move(self._place(fact.old), self._place(fact.new))

    def text(self, run: list[Entry]) -> str:
        """One line for a run of like entries."""
        moves = [(entry, entry.fact) for entry in run if isinstance(entry.fact, Moved)]
        if moves:
            return self._places(moves)
        first = self._change(run[0])
        if len(run) == 1:
            return first
        if isinstance(run[0].fact, Rolled):
            return ", ".join(map(self._change, run))
        name = self._name(run[0])
        others = ", ".join(self._names(run))
        return first.replace(name, others, 1) if first.startswith(name) else first

    def _change(self, entry: Entry) -> str:
        """One change; a flag reads better as what has become of the thing."""
        fact = entry.fact
        if not isinstance(fact, Changed) or not isinstance(fact.new, bool):
            return self.discretion.text(entry)
        column = self.game.columns[fact.column]
        if column.owner == "edge" or is_turn_of_piece(self.game, fact):
            return self.discretion.text(entry)
        key = "flag yes" if fact.new else "flag no"
        what = self.game.names.attribute_title(column.attribute)
        return self.game.names.text(key).format(thing=self._name(entry), what=what)

    def _names(self, run: list[Entry]) -> list[str]:
        """Of pieces that are not known, in an order that does not tell which they are."""
        found = list(map(self._name, run))
        known = all(entry.called in ("", self.game.names.title_of_key(entry.thing)) for entry in run)
        return found if known else sorted(found)

    def _name(self, entry: Entry) -> str:
        match entry.fact:
            case Moved(piece=piece):
                return self._piece_name(entry, piece)
            case Changed(column=name, thing=thing):
                column = self.game.columns[name]
                if column.owner == "piece":
                    return self._piece_name(entry, thing)
                if column.owner != "edge":
                    return self.game.names.shown(thing, thing_type(column))
        return entry.thing

    def _piece_name(self, entry: Entry, piece: int) -> str:
        if entry.called and self.discretion.saw(entry, piece):
            return entry.called
        return self.discretion.piece_name(entry, piece)

    def _places(self, run: list[tuple[Entry, Moved]]) -> str:
        names = self.game.names
        form = self._form(run[0][1])
        shown = [
            (
                self._name(entry),
                names.shown(self._place(move.old), ir.SPACE),
                names.shown(self._place(move.new), ir.SPACE),
            )
            for entry, move in run
        ]
        ends = {(old, new) for _, old, new in shown}
        if len(run) == 1 or len(ends) == 1:
            old, new = next(iter(ends))
            return names.text(form).format(thing=", ".join(name for name, _, _ in shown), old=old, new=new)
        if form == "removed":
            return ", ".join(names.text(form).format(thing=name, old=old, new="") for name, old, _ in shown)
        rule = next((rule for rule in self.game.program.rules if rule.id == run[0][0].rule), None)
        title = names.title(f"rule {rule.id}", rule.title) if rule is not None else ""
        goals: dict[str, list[str]] = {}
        for name, _, new in shown:
            goals.setdefault(name, []).append(new)  # pieces that nobody can tell apart are named once
        places = ", ".join(f"{name} -> {', '.join(news)}" for name, news in goals.items())
        return self.game.names.text("several").format(title=title, things=places) if title else places


def _mentions(text: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def has_secrets(game: Game) -> bool:
    """Whether there is anything that not every seat sees."""
    open_to_all = ir.Grant()
    return any(open_to_all not in rule.grants for rule in game.code.layout.visibility)


def _named(part: ir.Expression) -> str:
    """The name of a parameter that stands by itself in a text."""
    match part:
        case ir.Format(parts=(ir.Local(name=name),)):
            return name
        case _:
            return ""


def _worded(part: ir.Expression, shown: dict[str, str]) -> str:
    return str(part.value) if isinstance(part, ir.Const) else shown[_named(part)]


@dataclass(slots=True)
class Discretion:
    """What a seat may be told of an entry: all of it, all but which piece it was, or nothing.

    Which piece it was is told to whoever may see the piece now, or saw it then.
    """

    game: Game
    state: State
    seat: str | None
    _sight: Sight | None = field(init=False)
    _openness: Openness | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        watched = self.seat is not None and has_secrets(self.game)
        self._sight = Sight(self.game, self.state, self.seat) if watched else None

    def saw(self, entry: Entry, piece: int) -> bool:
        """Whether the seat sees a piece of an entry, or saw it when that happened."""
        if self._sight is None or self.sees_piece(piece):
            return True
        if self._openness is None:
            self._openness = Openness(self.game, self.state, self._sight)
        if isinstance(entry.fact, Moved):
            return self._openness.moved(entry.fact)
        return piece in self._openness.at(entry.number)

    def text(self, entry: Entry) -> str:
        """The text to tell; empty if there is nothing to tell."""
        if self._sight is None:
            return entry.text
        match entry.fact:
            case Moved() as move:
                return entry.text if self.saw(entry, move.piece) else self._moved(move)
            case Acted() as acted:
                return self._action(entry, acted)
            case VariableChanged(variable=name):
                seen = self._sight.sees(self._sight.variables.get(name), -1, None)
                return entry.text if seen else ""
            case Rolled(piece=piece, column=name) if piece >= 0:
                return entry.text if self._changes(entry, name, piece) else ""
            case Changed(column=name, thing=thing):
                seen = thing < 0 or self._changes(entry, name, thing)
                return entry.text if seen else ""
            case _:
                return entry.text

    def _changes(self, entry: Entry, name: str, thing: int) -> bool:
        """Whether the seat sees, or saw, an attribute of a thing change."""
        assert self._sight is not None
        column = self.game.columns[name]
        if not entry.known and self._is_hidden_side(column, thing):
            return False  # it may be read now, but what it was before nobody could know
        if column.owner == "edge" or self._sight.attribute(column, thing):
            return True
        return column.owner == "piece" and not self.sees_piece(thing) and self.saw(entry, thing)

    def _is_hidden_side(self, column: Column, piece: int) -> bool:
        assert self._sight is not None
        rule = dict(column.seen).get(self.game.piece_kind[piece])
        return column.owner == "piece" and rule is not None and self._sight.rules[rule].faced

    def sees_piece(self, piece: int) -> bool:
        return self._sight is None or piece < 0 or self._sight.piece(piece)

    def piece_name(self, entry: Entry, piece: int) -> str:
        """The name of a piece of an entry, or of its kind if that is all the seat may know."""
        return self.game.names.shown(piece, ir.PIECE) if self.saw(entry, piece) else self._unknown(piece)

    def _moved(self, fact: Moved) -> str:
        names = self.game.names
        old, new = names.shown(fact.old, ir.SPACE), names.shown(fact.new, ir.SPACE)
        form = names.text(form_of_move(fact.old, fact.new))
        return form.format(thing=self._unknown(fact.piece), old=old, new=new)

    def _action(self, entry: Entry, fact: Acted) -> str:
        """An action of another seat, as the rules say it if that gives nothing away.

        Otherwise unknown pieces are named by their kind, in the rules' words if these only name things.
        """
        assert self._sight is not None
        action, player = self.game.program.actions[fact.action], fact.player
        if player == self._sight.number:
            return entry.text
        kinds = {parameter.name: parameter.type for parameter in action.parameters}
        given = dict(zip(kinds, fact.arguments, strict=True))
        shown = {name: self._argument(entry, value, kinds[name]) for name, value in given.items()}
        pieces = (p for name, value in given.items() for p in self.game.names.pieces_in(value, kinds[name]))
        if entry.called and all(self.saw(entry, piece) for piece in pieces):
            # Made when it was done: what lay face down has no name in it.
            return self.game.names.acts(player, entry.called)
        if action.label is not None:
            if may_read(self._sight, action.label, {action.actor: player, **given}):
                return self.game.names.acts(player, entry.called) if entry.called else entry.text
            stretches = list(parts_of_text(action.label))
            if all(isinstance(part, ir.Const) or _named(part) in shown for part in stretches):
                return self.game.names.acts(player, "".join(_worded(part, shown) for part in stretches))
        label = " ".join([self.game.names.action_title(action), *shown.values()])
        return self.game.names.acts(player, label)

    def _argument(self, entry: Entry, value: Any, kind: ir.Type) -> str:
        names = self.game.names
        if not kind.names_pieces or self._sight is None:
            return names.shown(value, kind)
        return ", ".join(
            names.shown(piece, ir.PIECE) if piece < 0 or self._knows(entry, piece) else self._unknown(piece)
            for piece in names.pieces_in(value, kind)
        )

    def _knows(self, entry: Entry, piece: int) -> bool:
        """Whether the seat knows a piece now, or saw one without a hidden side then."""
        if self._sight is None or (self._sight.piece(piece) and self._sight.face(piece)):
            return True
        return self.game.piece_kind[piece] not in self.game.faced and self.saw(entry, piece)

    def _unknown(self, piece: int) -> str:
        return f"{self.game.names.kind_title(self.game.piece_kind[piece])} ?"
