"""From facts to what people read of them: what happened, by which rule, at which line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from interpreter import ir
from interpreter.telling.facts import (
    Acted,
    Changed,
    Ended,
    Fact,
    Moved,
    PhaseBegan,
    Rolled,
    Said,
    Shuffled,
    TurnBegan,
    Unwritten,
    VariableChanged,
    newest_first,
)

if TYPE_CHECKING:
    from interpreter.compiler.layout import Column
    from interpreter.machine.game import Game
    from interpreter.machine.state import State
    from interpreter.telling.names import Callings, Names


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact in words. `thing` is the id of what has changed, or the name of the variable."""

    number: int
    fact: Fact
    what: str
    thing: str
    text: str
    site: ir.Site | None
    called: str = ""  # the piece, or the plain action, in the words of somebody who may not know every piece
    known: bool = True  # whether they knew then which piece it was that moved or changed

    @property
    def rule(self) -> str:
        return self.site.rule if self.site is not None else ""

    def __str__(self) -> str:
        return f"{self.text}  [{self.rule}]" if self.rule else self.text


# Of these types a value can be missing: where there was none before, only the new one is told.
_NOTHING_BEFORE = ("enum", "piece", "space", "pile")


def entry_of(game: Game, number: int, fact: Fact, callings: Callings | None = None) -> Entry:
    """A fact in words; with callings, those of somebody who cannot tell every piece.

    Of a piece that is turned the callings are those from before.
    """
    thing, text = _told(game, fact, callings)
    called, known = "", True
    if callings is not None:
        match fact:
            case Acted(action=action, arguments=arguments):
                called = game.names.plain_label(action, arguments, callings)
            case Moved(piece=piece) if piece >= 0:
                called, known = callings.mover(piece), callings.known(piece)
            case Changed(column=name, thing=piece) if piece >= 0 and game.columns[name].owner == "piece":
                called, known = callings.title(piece), callings.known(piece)
    text = game.names.spoken(text, callings)
    return Entry(number, fact, what_is(game, fact), thing, text, site_of(game, fact), called, known)


def site_of(game: Game, fact: Fact) -> ir.Site | None:
    """The place in the rules that a fact cites."""
    match fact:
        case TurnBegan():
            return None
        case Acted():
            return game.program.actions[fact.action].site
        case _:
            return game.code.sites[fact.site] if fact.site >= 0 else None


def what_is(game: Game, fact: Fact) -> str:
    """What has happened, in a word that programs can rely on, and of some facts what it happened with."""
    match fact:
        case Changed():
            column = game.columns[fact.column]
            return " ".join(filter(None, (sort_of(game, fact), column.enum, column.attribute)))
        case VariableChanged():
            return f"{sort_of(game, fact)} {fact.variable}"
        case Rolled():
            return f"{sort_of(game, fact)} {fact.dice}"
        case _:
            return sort_of(game, fact)


def sort_of(game: Game, fact: Fact) -> str:
    """What has happened, in one word; of a change, whose it is."""
    match fact:
        case TurnBegan():
            return "turn"
        case PhaseBegan():
            return "phase"
        case Acted():
            return "action"
        case Moved():
            return "place"
        case Changed():
            return game.columns[fact.column].owner
        case VariableChanged():
            return "variable"
        case Rolled():
            return "roll"
        case Shuffled():
            return "shuffled"
        case Said():
            return "say"
        case Unwritten():
            return "todo"
        case Ended():
            return "over"
        case _:
            assert_never(fact)


def thing_type(column: Column) -> ir.Type:
    """Of what type the things are that have an attribute."""
    match column.owner:
        case "enum":
            return ir.enum_type(column.enum)
        case "piece":
            return ir.PIECE
        case "edge":
            return ir.EDGE
        case _:
            return ir.SPACE


def dice_type(program: ir.Program, fact: Rolled) -> ir.Type:
    kind = next(dice.type for dice in program.dice if dice.name == fact.dice)
    return ir.list_of(kind) if isinstance(fact.result, tuple) else kind


def variable_type(program: ir.Program, name: str) -> ir.Type:
    return next(variable.type for variable in program.variables if variable.name == name)


def form_of_move(old: int, new: int) -> str:
    """The text for a move: between places, onto the board, or off it."""
    return "moves" if old >= 0 and new >= 0 else "placed" if new >= 0 else "removed"


def _told(game: Game, fact: Fact, callings: Callings | None) -> tuple[str, str]:
    """The thing that has changed, and the sentence."""
    names = game.names
    match fact:
        case TurnBegan():
            return "", names.text("turn").format(new=fact.turn)
        case PhaseBegan():
            return "", _phase(names, fact)
        case Acted():
            label = names.spoken(fact.label, callings)
            return "", names.acts(
                fact.player, label or names.plain_label(fact.action, fact.arguments, callings)
            )
        case Moved():
            return _move(game, fact, callings)
        case Changed():
            return _change(game, fact, callings)
        case VariableChanged():
            kind = variable_type(game.program, fact.variable)
            return fact.variable, _becomes(names, names.variable_title(fact.variable), "", fact, kind)
        case Rolled():
            what = fact.title or names.dice_title(fact.dice)
            if fact.piece >= 0:
                faced = game.piece_kind[fact.piece] in game.faced
                what = names.shown(fact.piece, ir.PIECE) if not faced else what
            result = names.shown(fact.result, dice_type(game.program, fact))
            return "", names.text("rolls").format(what=what, new=result)
        case Shuffled():
            return "", names.text("shuffled")
        case Said():
            return "", fact.text
        case Unwritten():
            return "", names.text("todo").format(new=fact.text)
        case Ended():
            return "", names.outcome(fact.winners & game.present, fact.lost)
        case _:
            assert_never(fact)


def phase_now(game: Game, state: State, callings: Callings | None = None) -> str:
    """The phase that goes on and for what it is gone through; for which player, that is told anyway."""
    began = next((fact for fact in newest_first(state.happened) if isinstance(fact, PhaseBegan)), None)
    if began is None or began.phase != state.phase:
        return game.names.phase_title(state.phase) if state.phase else ""
    each = tuple((kind, value) for kind, value in began.each if kind != ir.PLAYER)
    return game.names.spoken(_phase(game.names, replace(began, each=each)), callings)


def _phase(names: Names, fact: PhaseBegan) -> str:
    """The title of a phase, and for whom or what it is gone through."""
    title = names.text("phase").format(new=names.phase_title(fact.phase))
    if not fact.each:
        return title
    written = names.writer()
    things = ", ".join(written(value, kind) for kind, value in fact.each)
    return names.text("phase of").format(phase=title, each=things)


def _move(game: Game, fact: Moved, callings: Callings | None) -> tuple[str, str]:
    names = game.names
    thing = callings.mover(fact.piece) if callings is not None else names.shown(fact.piece, ir.PIECE)
    old, new = names.shown(fact.old, ir.SPACE), names.shown(fact.new, ir.SPACE)
    text = names.text(form_of_move(fact.old, fact.new)).format(thing=thing, old=old, new=new)
    return game.piece_ids[fact.piece] if fact.piece >= 0 else "", text


def _change(game: Game, fact: Changed, callings: Callings | None) -> tuple[str, str]:
    names, column = game.names, game.columns[fact.column]
    kind = thing_type(column)
    thing = names.writer()(fact.thing, kind)
    ident = str(names.id(fact.thing, kind))
    if is_turn_of_piece(game, fact) and callings is not None and fact.thing >= 0:
        return ident, _turned(names, fact.thing, bool(fact.new), callings)
    return ident, _becomes(names, thing, names.attribute_title(column.attribute), fact, column.type)


def is_turn_of_piece(game: Game, fact: Fact) -> bool:
    """Whether a piece was turned over."""
    if not isinstance(fact, Changed):
        return False
    column = game.columns[fact.column]
    return column.owner == "piece" and column.attribute == "face_up"


def _turned(names: Names, piece: int, up: bool, callings: Callings) -> str:
    """A piece that is turned; who did not know it is told what it is."""
    thing = callings.title(piece)
    if not up or callings.known(piece):
        return names.text("shows" if up else "turned down").format(thing=thing)
    told = [names.text("turned up").format(thing=thing, name=names.shown(piece, ir.PIECE))]
    for entry in callings.hidden_side(piece):
        value, title = callings.value(entry, piece), names.attribute_title(entry.attribute)
        if entry.type.tag != "flag" and value not in ((), "", -1) and (value or entry.type.tag != "set"):
            told.append(f"{title} {names.shown(value, entry.type)}")
        elif entry.type.tag == "flag" and value:
            told.append(title)
    return ", ".join(told)


def _becomes(names: Names, thing: str, what: str, fact: Changed | VariableChanged, kind: ir.Type) -> str:
    shown = names.writer()
    before, after, form = fact.old, fact.new, "becomes"
    if kind.tag == "set":
        before, after = before & ~after, after & ~before  # what left it, and what came
        form = "gains and gives up" if before and after else "gains" if after else "gives up"
    elif kind.tag in _NOTHING_BEFORE and before < 0 <= after:
        form = "becomes first"
    old, new = shown(before, kind), shown(after, kind)
    return " ".join(names.text(form).format(thing=thing, what=what, old=old, new=new).split())
