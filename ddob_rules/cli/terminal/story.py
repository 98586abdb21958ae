"""From the journal of a game to its story: turn by turn, phase by phase, with the numbers of the rules.

Bookkeeping is left out: what the rules call untold, what goes back to its start by itself, and shuffling. A
seat is told only what it may see. How the position looks now is left to `board`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from textwrap import wrap

from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import phrase
from interpreter import ir
from interpreter.ir import Site
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.telling.facts import (
    Acted,
    Ended,
    Fact,
    Moved,
    PhaseBegan,
    Rolled,
    Said,
    TurnBegan,
)
from interpreter.telling.journal import Entry
from interpreter.telling.story import Discretion, Telling

# What follows from an action ends here.
_BORDERS = (Acted, PhaseBegan, TurnBegan)
# A blank at which no line is broken.
_TIGHT = "\N{NO-BREAK SPACE}"


def entries_since(state: State, count: int, seat: str | None = None) -> list[Entry]:
    """The journal from its entry number `count` on, as a seat is told it; without one, as all of them are."""
    return state.game.entries(state, (seat,) if seat is not None else onlookers(state.game), count)


def onlookers(game: Game) -> tuple[str, ...]:
    """Who watches a game that is told to nobody in particular: the seats that people may take."""
    return tuple(player.name for player in game.program.players if not player.automated)


def place_of(site: Site) -> str:
    return f"{site.file}:{site.line}"


@dataclass(slots=True)
class Story:
    """Tells entries as they come. Headings are held back until something happens below them, and so is a run
    of like changes by one line of a rule, which is told in one line."""

    game: Game
    language: str = "en"
    width: int = 100
    short: bool = False  # actions of others of which nothing came but moves are told by these alone
    _turn: str | None = None
    _phase: str | None = None
    _told_turn: str | None = None
    _told_phase: str | None = None
    _acting: bool = False
    _begun: bool = False
    _run: list[Entry] = field(default_factory=list)
    _said: dict[type[Fact], Entry] = field(default_factory=dict)  # the last sentence, and the last action

    def in_short(self) -> Story:
        """Another one that goes on where this one stands, and leaves out what is but a move."""
        return replace(self, short=True, _run=[*self._run], _said={**self._said})

    def lines(
        self, entries: Iterable[Entry], state: State, seat: str | None = None, more: bool = False
    ) -> Iterator[str]:
        """What to print for these entries; with a seat, as far as it may see.

        With `more`, other entries may follow in the same run: the last ones wait for them, or for `rest`.
        """
        telling = Telling(self.game, Discretion(self.game, state, seat))
        for entry in _in_short(list(entries), telling, seat) if self.short else entries:
            if self._run and not telling.alike(self._run[-1], entry):
                yield from self._flush(telling, state)
            if isinstance(entry.fact, TurnBegan):
                self._turn, self._phase, self._acting, self._said = entry.text, None, False, {}
            elif isinstance(entry.fact, PhaseBegan):
                self._phase, self._acting, self._said = entry.text, False, {}
            elif telling.told(entry) and not any(telling.repeats(entry, s) for s in self._said.values()):
                self._run.append(entry)
                if isinstance(entry.fact, Said | Acted | Rolled):
                    self._said[type(entry.fact)] = entry
        if not more:
            yield from self._flush(telling, state)

    def rest(self, state: State, seat: str | None = None) -> Iterator[str]:
        """What was held back."""
        yield from self._flush(Telling(self.game, Discretion(self.game, state, seat)), state)

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
        if isinstance(entry.fact, Acted):
            self._acting = True
        if isinstance(entry.fact, Ended) and state.ending:
            text = f"{text}: {state.ending}"
        deeper = self._acting and not isinstance(entry.fact, Acted | Ended)
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


def _in_short(entries: list[Entry], telling: Telling, seat: str | None) -> Iterator[Entry]:
    """Leaves out the actions of others that were but moves, and those of which nothing is told.

    One that has only begun stays.
    """
    for number, entry in enumerate(entries):
        if isinstance(entry.fact, Acted) and telling.game.player_name(entry.fact.player) != seat:
            ends = (isinstance(later.fact, _BORDERS) for later in entries[number + 1 :])
            count = next((n for n, ended in enumerate(ends) if ended), None)
            came = entries[number + 1 : None if count is None else number + 1 + count]
            told = [later for later in came if telling.told(later)]
            if all(isinstance(later.fact, Moved) for later in told) and (told or count is not None):
                continue
        yield entry


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


def ranking_lines(game: Game, state: State) -> list[str]:
    """The players with their points, where the game ended with a rank; who has as many has the same place."""
    ranking = state.ranking
    shown = [game.names.shown(game.players.index(name), ir.PLAYER) for name, _ in ranking]
    places = [1 + sum(other > points for _, other in ranking) for _, points in ranking]
    return [
        f"{place}. {name}: {points}" for place, name, (_, points) in zip(places, shown, ranking, strict=True)
    ]
