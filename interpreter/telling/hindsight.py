"""From the journal to what seats could read of it when it happened: a piece is named if it was known then.

The journal holds the changes themselves. So the position is taken back change by change, from the newest to
the oldest, and each is put into the words of that moment. Left out: who could see what by `seen by` then;
`openness` says that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.telling.facts import Changed, Fact, Moved
from interpreter.telling.journal import Entry, entry_of, is_turn_of_piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.machine.game import Game
    from interpreter.machine.state import State


def in_hindsight(
    game: Game, state: State, newest_first: Sequence[Fact], since: int, seats: Sequence[str]
) -> list[Entry]:
    """The entries, oldest first; the oldest has the number `since`."""
    past = state.copy()
    callings = game.callings(past, *seats, moving=True)
    assert callings is not None
    found: list[Entry] = []
    last = since + len(newest_first) - 1
    for age, fact in enumerate(newest_first):
        # A piece that is turned is told as what it was before; one that moves, as soon as it is known.
        before = is_turn_of_piece(game, fact) or (isinstance(fact, Moved) and not callings.known(fact.piece))
        if before:
            _take_back(past, fact)
        found.append(entry_of(game, last - age, fact, callings))
        if not before:
            _take_back(past, fact)
    return found[::-1]


def followed(history: Sequence[Entry], known: bool, spaces: int) -> list[Entry]:
    """What of the history of a piece somebody could follow who does, or does not, know it now.

    What comes out of a bag, or from nowhere, may be any piece. From there on it can be followed, and if it
    was known at any time, that was it all the way. Of one that is not known now, what was done with it by
    name was done with another, for all they know.
    """
    ways: list[list[Entry]] = [[]]
    for entry in history:
        if isinstance(entry.fact, Moved) and not 0 <= entry.fact.old < spaces:
            ways.append([])
        ways[-1].append(entry)
    *earlier, now = ways
    if not known:
        named = [number for number, entry in enumerate(now, 1) if entry.known]
        return now[max(named, default=0) :]
    return [entry for way in earlier if any(one.known for one in way) for entry in way] + now


def _take_back(past: State, fact: Fact) -> None:
    """Undoes a change of a piece; nothing else decides what a piece is called."""
    match fact:
        case Moved():
            past.at[fact.piece] = fact.old
        case Changed() if past.game.columns[fact.column].owner == "piece" and fact.thing >= 0:
            getattr(past, fact.column)[fact.thing] = fact.old
