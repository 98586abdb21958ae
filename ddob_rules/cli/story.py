"""From the journal of a game to its story: turn by turn, phase by phase, with the numbers of the rules.

Bookkeeping is left out: what the rules call untold, what goes back to its start by itself, and shuffling. A
seat is told only what it may see. How the position looks now is left to `board`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import wrap
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
# Entries that change a thing, by the first word of what they are.
_CHANGES = ("place", "piece", "space", "edge", "enum", "variable")
# A blank at which no line is broken.
_TIGHT = "\N{NO-BREAK SPACE}"


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
    """Tells entries as they come. Headings are held back until something happens below them, and so is a run
    of like changes by one line of a rule, which is told in one line."""

    game: Game
    language: str = "en"
    width: int = 100
    _turn: str | None = None
    _phase: str | None = None
    _told_turn: str | None = None
    _told_phase: str | None = None
    _acting: bool = False
    _begun: bool = False
    _run: list[Entry] = field(default_factory=list)
    _said: dict[str, Entry] = field(default_factory=dict)  # the last sentence, and the last action

    def lines(
        self, entries: Iterable[Entry], state: State, seat: str | None = None, more: bool = False
    ) -> Iterator[str]:
        """What to print for these entries; with a seat, as far as it may see.

        With `more`, other entries may follow in the same run: the last ones wait for them, or for `rest`.
        """
        telling = Telling(self.game, Discretion(self.game, state, seat), self.language)
        for entry in entries:
            if self._run and not telling.alike(self._run[-1], entry):
                yield from self._flush(telling, state)
            if entry.what == "turn":
                self._turn, self._phase, self._acting, self._said = entry.text, None, False, {}
            elif entry.what == "phase":
                self._phase, self._acting, self._said = entry.text, False, {}
            elif telling.told(entry) and not any(telling.repeats(entry, s) for s in self._said.values()):
                self._run.append(entry)
                if entry.what in ("say", "action"):
                    self._said[entry.what] = entry
        if not more:
            yield from self._flush(telling, state)

    def rest(self, state: State, seat: str | None = None) -> Iterator[str]:
        """What was held back."""
        yield from self._flush(Telling(self.game, Discretion(self.game, state, seat), self.language), state)

    def _flush(self, telling: Telling, state: State) -> Iterator[str]:
        run, self._run = self._run, []
        if run:
            yield from self._headings()
            yield from self._line(run[0], telling.text(run), state)

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

    def _line(self, entry: Entry, text: str, state: State) -> Iterator[str]:
        if entry.what == "action":
            self._acting = True
        if entry.what == "over" and state.result is not None and state.result[1]:
            text = f"{text}: {state.result[1]}"
        deeper = self._acting and entry.what not in ("action", "over")
        rule = f" [{entry.rule}]" if entry.rule else ""
        margin = "      " if deeper else "    "
        # Only a long list is broken: a sentence stays on the line that it can be searched by.
        if len(text) <= self.width or ", " not in text:
            yield f"{margin}{harmless(text)}{rule}"
            return
        # What belongs together stays on a line: only after a comma is there a place to break.
        kept = harmless(text).replace(" ", _TIGHT).replace(f",{_TIGHT}", ", ")
        for line in wrap(
            f"{kept}{rule.replace(' ', _TIGHT)}",
            width=self.width,
            initial_indent=margin,
            subsequent_indent=f"{margin}  ",
            break_long_words=False,
            break_on_hyphens=False,
        ):
            yield line.replace(_TIGHT, " ")


@dataclass(slots=True)
class Telling:
    """What is told of entries, and how: bookkeeping is left out, like changes are put together."""

    game: Game
    discretion: Discretion
    language: str
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
        match entry.what.split(" "):
            case ["place"]:
                return self._moves(entry)
            case ["shuffled"]:
                return False
            case ["variable", name]:
                return ("variable", name) not in self._untold
            case ["enum", enum, attribute]:
                return (enum, attribute) not in self._untold
            case ["piece" | "space" | "edge" as owner, attribute]:
                return (self._kind(owner, entry.thing), attribute) not in self._untold
        return True

    def _moves(self, entry: Entry) -> bool:
        """Where a piece goes, unless it goes into an untold pile, or is only taken out of one."""
        if (self._kind("piece", entry.thing),) in self._untold:
            return False
        into_pile = int(str(entry.new)) >= 0 and self._place(entry.new) < 0
        return not into_pile and (self._place(entry.old) >= 0 or self._place(entry.new) >= 0)

    def _kind(self, owner: str, thing: str) -> str:
        if owner == "piece":
            number = self.game.piece_number.get(thing, -1)
            return self.game.piece_kind[number] if number >= 0 else ""
        number = self.game.place_number.get(thing, -1)
        return self.game.spaces[number].kind if 0 <= number < len(self.game.spaces) else ""

    def _place(self, value: object) -> int:
        """A place; for the story an untold pile is nowhere."""
        number = int(str(value))
        pile = self.game.pile_kind.get(number)
        return -1 if pile is not None and pile.untold else number

    def repeats(self, entry: Entry, said: Entry) -> bool:
        """Whether the sentence before has told this already: it names what changes, and what comes of it.

        Of an action only where pieces go is such a repetition, and only if the rules say how it reads.
        """
        if entry.what.split(" ")[0] not in _CHANGES:
            return False
        if said.what == "action":
            actions = self.game.program.actions
            worded = any(action.site == said.site and action.label is not None for action in actions)
            if entry.what != "place" or not worded:
                return False
        elif said.rule != entry.rule:
            return False
        text = self.discretion.text(said)
        return all(_mentions(text, name) for name in (self._name(entry), self._value(entry)))

    def _value(self, entry: Entry) -> str:
        """What an entry changes something to."""
        if entry.what == "place":
            return (
                self.game.names.shown(self._place(entry.new), "space") if self._place(entry.new) >= 0 else ""
            )
        return self.discretion.text(entry).rpartition("-> ")[2]

    # ------------------------------------------------------------ runs

    def alike(self, first: Entry, second: Entry) -> bool:
        """Whether two entries may be told in one line: moves, or the same change of several things."""
        if second.what not in ("turn", "phase", "say", "action", "over", "todo") and not self.told(second):
            return True  # nothing stands between them
        if first.what != second.what or first.site != second.site or first.thing == second.thing:
            return False
        if first.what == "place":
            return self._form(first) == self._form(second)
        changes = first.what.split(" ")[0] in ("piece", "space", "edge", "enum")
        return changes and (first.old, first.new) == (second.old, second.new)

    def _form(self, entry: Entry) -> str:
        old, new = self._place(entry.old), self._place(entry.new)
        return "moves" if old >= 0 and new >= 0 else "placed" if new >= 0 else "removed"

    def text(self, run: list[Entry]) -> str:
        """One line for a run of like entries."""
        if run[0].what == "place":
            return self._places(run)
        first = self._change(run[0])
        if len(run) == 1:
            return first
        name = self._name(run[0])
        others = ", ".join(map(self._name, run))
        return first.replace(name, others, 1) if first.startswith(name) else first

    def _change(self, entry: Entry) -> str:
        """One change; a flag reads better as what has become of the thing."""
        words = entry.what.split(" ")
        if not isinstance(entry.new, bool) or words[0] not in ("piece", "space", "enum"):
            return self.discretion.text(entry)
        key = "flag yes" if entry.new else "flag no"
        what = self.game.names.attribute_title(words[-1])
        return phrase(self.language, key, thing=self._name(entry), what=what)

    def _name(self, entry: Entry) -> str:
        names = self.game.names
        match entry.what.split(" "):
            case ["enum", enum, _]:
                return names.shown(self.game.enums[enum].values.index(entry.thing), f"enum {enum}")
            case ["piece" | "place", *_]:
                return self.discretion.piece_name(entry.thing)
            case ["space", _]:
                return names.shown(self.game.place_number[entry.thing], "space")
        return entry.thing

    def _places(self, run: list[Entry]) -> str:
        names = self.game.names
        form = self._form(run[0])
        shown = [
            (self._name(entry), names.shown(self._place(entry.old), "space"),
             names.shown(self._place(entry.new), "space"))
            for entry in run
        ]  # fmt: skip
        ends = {(old, new) for _, old, new in shown}
        if len(run) == 1 or len(ends) == 1:
            old, new = next(iter(ends))
            return names.text(form).format(thing=", ".join(name for name, _, _ in shown), old=old, new=new)
        if form == "removed":
            return ", ".join(names.text(form).format(thing=name, old=old, new="") for name, old, _ in shown)
        rule = next((rule for rule in self.game.program.rules if rule.id == run[0].rule), None)
        title = names.title(f"rule {rule.id}", rule.title) if rule is not None else ""
        places = ", ".join(f"{name} -> {new}" for name, _, new in shown)
        return phrase(self.language, "several", title=title, things=places) if title else places


def _mentions(text: str, name: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


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

    def piece_name(self, ident: str) -> str:
        """The name of a piece, or of its kind if that is all the seat may know."""
        number = self.game.piece_number[ident]
        return self.game.names.shown(number, "piece") if self.sees_piece(ident) else self._unknown(number)

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
        label = " ".join([self.game.names.action_title(action), *shown])
        return self.game.names.acts(int(str(entry.old)), label)

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
        return f"{self.game.names.kind_title(self.game.piece_kind[piece])} ?"
