"""From the journal of a game to its story: turn by turn, phase by phase, with the numbers of the rules.

A seat is told only what it may see. How the position looks now is left to `board`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from interpreter.emit import type_key
from interpreter.game import Game
from interpreter.ir import Site
from interpreter.journal import Entry
from interpreter.state import State
from interpreter.views import Sight

_PIECES = ("piece", "set piece", "list piece")


def entries_since(state: State, count: int) -> list[Entry]:
    """The journal from its entry number `count` on."""
    raw: list[Any] = []
    link = state.happened
    while link is not None:
        raw.append(link[0])
        link = link[1]
    fresh = raw[: max(0, len(raw) - count)]
    return [state.game.names.entry(count + number, item) for number, item in enumerate(reversed(fresh))]


def place_of(site: Site) -> str:
    return f"{site.file}:{site.line}"


@dataclass(slots=True)
class Story:
    """Tells entries as they come. Headings are held back until something happens below them."""

    game: Game
    language: str = "en"
    _turn: str | None = None
    _phase: str | None = None
    _told_turn: str | None = None
    _told_phase: str | None = None
    _acting: bool = False
    _begun: bool = False

    def lines(self, entries: Iterable[Entry], state: State, seat: str | None = None) -> Iterator[str]:
        """What to print for these entries; with a seat, as far as it may see."""
        discretion = Discretion(self.game, state, seat)
        for entry in entries:
            if entry.what == "turn":
                self._turn, self._phase, self._acting = entry.text, None, False
            elif entry.what == "phase":
                self._phase, self._acting = entry.text, False
            else:
                text = discretion.text(entry)
                if text:
                    yield from self._headings()
                    yield self._line(entry, text, state)

    def _headings(self) -> Iterator[str]:
        turn = self._turn or phrase(self.language, "setup")
        if turn != self._told_turn:
            if self._begun:
                yield ""
            yield _capital(harmless(turn))
            self._told_turn, self._told_phase = turn, None
        if self._phase is not None and self._phase != self._told_phase:
            yield f"  {_capital(harmless(self._phase))}"
            self._told_phase = self._phase
        self._begun = True

    def _line(self, entry: Entry, text: str, state: State) -> str:
        if entry.what == "action":
            self._acting = True
        if entry.what == "over" and state.result is not None and state.result[1]:
            text = f"{text}: {state.result[1]}"
        deeper = self._acting and entry.what not in ("action", "over")
        rule = f" [{entry.rule}]" if entry.rule else ""
        return f"{'      ' if deeper else '    '}{harmless(text)}{rule}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def trace_line(entry: Entry) -> str:
    """One entry with all that is known of it: number, rule, place, and the ruleset it came from."""
    line = f"{entry.number:>5}  {entry.what}: {entry.text}"
    if entry.site is not None and entry.site.rule:
        line += f"  [{entry.site.rule}]  {place_of(entry.site)}  ({entry.site.ruleset})"
    return harmless(line)


def trace_record(entry: Entry) -> dict[str, object]:
    """The same for programs."""
    site = entry.site
    found: dict[str, object] = {
        "number": entry.number,
        "what": entry.what,
        "thing": entry.thing,
        "text": entry.text,
    }
    if site is not None:
        found |= {"rule": site.rule, "file": site.file, "line": site.line, "ruleset": site.ruleset}
    return found


def has_secrets(game: Game) -> bool:
    """Whether there is anything that not every seat sees."""
    return any(
        rule.seers != "everyone" or rule.condition is not None for rule, _ in game.code.layout.visibility
    )


@dataclass(slots=True)
class Discretion:
    """What a seat may be told of an entry: all of it, all but which piece it was, or nothing."""

    game: Game
    state: State
    seat: str | None
    _sight: Sight | None = field(init=False)

    def __post_init__(self) -> None:
        watched = self.seat is not None and has_secrets(self.game)
        self._sight = Sight(self.game, self.state, self.seat) if watched else None

    def text(self, entry: Entry) -> str:
        """The text to tell; empty if there is nothing to tell."""
        if self._sight is None:
            return entry.text
        match entry.what.split(" "):
            case ["place"]:
                return entry.text if self.sees_piece(entry.thing) else self._moved(entry)
            case ["action"]:
                return self._action(entry)
            case ["variable", name]:
                seen = self._sight.sees(self._sight.variables.get(name), -1, None)
                return entry.text if seen else ""
            case ["enum", enum, attribute]:
                return entry.text if self._sees("enum", enum, attribute, entry.thing) else ""
            case ["piece" | "space" as owner, attribute]:
                return entry.text if self._sees(owner, "", attribute, entry.thing) else ""
            case _:
                return entry.text

    def sees_piece(self, ident: str) -> bool:
        number = self.game.piece_number.get(ident)
        return self._sight is None or number is None or self._sight.piece(number)

    def _sees(self, owner: str, enum: str, attribute: str, thing: str) -> bool:
        assert self._sight is not None
        numbers = {"piece": self.game.piece_number, "space": self.game.place_number}
        index = (
            self.game.enums[enum].values.index(thing) if owner == "enum" else numbers[owner].get(thing, -1)
        )
        for column in self.game.code.layout.attributes:
            if (column.owner, column.enum, column.attribute) == (owner, enum, attribute):
                return index < 0 or self._sight.attribute(column, index)
        return True

    def _moved(self, entry: Entry) -> str:
        old, new = int(str(entry.old)), int(str(entry.new))
        names = self.game.names
        key = "moves" if old >= 0 and new >= 0 else "placed" if new >= 0 else "removed"
        thing = self._unknown(self.game.piece_number[entry.thing])
        return names.text(key).format(
            thing=thing, old=names.shown(old, "space"), new=names.shown(new, "space")
        )

    def _action(self, entry: Entry) -> str:
        """An action of another seat, with unknown pieces named by their kind only."""
        assert self._sight is not None
        action = next((action for action in self.game.program.actions if action.site == entry.site), None)
        values = entry.new
        if action is None or not isinstance(values, tuple) or entry.old == self._sight.number:
            return entry.text
        shown = [
            self._argument(value, type_key(parameter.type))
            for value, parameter in zip(values, action.parameters, strict=True)
        ]
        names = self.game.names
        label = " ".join([names.action_title(action), *shown])
        return names.text("acts").format(player=names.shown(entry.old, "enum player"), label=label)

    def _argument(self, value: Any, key: str) -> str:
        names = self.game.names
        if key not in _PIECES or self._sight is None:
            return names.shown(value, key)
        members = self.game.namespace["bits"](value) if key.startswith("set") else value
        pieces: Iterable[int] = [value] if key == "piece" else members
        known = self._sight.piece
        return ", ".join(
            names.shown(piece, "piece") if piece < 0 or known(piece) else self._unknown(piece)
            for piece in pieces
        )

    def _unknown(self, piece: int) -> str:
        return f"{self.game.piece_kind[piece].replace('_', ' ')} ?"
