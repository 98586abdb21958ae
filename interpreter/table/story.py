"""The story for a seat, line by line, with the rule of each line and the things that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.telling.facts import Acted, Changed, Ended, Fact, Moved, PhaseBegan, Rolled, Said, TurnBegan
from interpreter.telling.journal import sort_of
from interpreter.telling.story import Discretion, Telling

if TYPE_CHECKING:
    from interpreter.table.seen import Seen
    from interpreter.telling.facts import Journal
    from interpreter.telling.journal import Entry


def story_of(seen: Seen, since: int = 0, after: Journal = None) -> list[dict[str, Any]]:
    """What happened from an entry of the journal on; `n` is the number of the entry after a line.

    `after` is the journal when it had so many entries, if somebody has kept it: then it is not counted.
    """
    state, game = seen.state, seen.game
    telling = Telling(game, Discretion(game, state, seen.seat))
    lines: list[dict[str, Any]] = []
    run: list[Entry] = []
    said: dict[type[Fact], Entry] = {}
    acting = False
    end = since  # behind what has been gone through, told or not: a change that a line has told belongs to it

    def flush() -> None:
        nonlocal acting
        if run:
            first = run[0]
            acting = acting or isinstance(first.fact, Acted)
            text = telling.text(run)
            if isinstance(first.fact, Ended) and state.ending:
                text = f"{text}: {state.ending}"
            line: dict[str, Any] = {
                "n": end,
                "what": sort_of(game, first.fact),
                "text": text,
            }
            if first.rule:
                line["rule"] = first.rule
            if acting and not isinstance(first.fact, Acted | Ended):
                line["deep"] = True
            things = [thing for entry in run for thing in _things(seen, entry)]
            if things:
                line["things"] = list(dict.fromkeys(things))
            lines.append(line)
            run.clear()

    for entry in game.entries(state, (seen.seat,), since, after):
        if run and not telling.alike(run[-1], entry):
            flush()
        if isinstance(entry.fact, TurnBegan | PhaseBegan):
            acting, said = False, {}
            lines.append({"n": entry.number + 1, "what": entry.what, "text": entry.text})
        elif telling.told(entry) and not any(telling.repeats(entry, one) for one in said.values()):
            run.append(entry)
            if isinstance(entry.fact, Said | Acted | Rolled):
                said[type(entry.fact)] = entry
        end = entry.number + 1
    flush()
    if lines:
        lines[-1]["n"] = max(lines[-1]["n"], end)
    return _without_empty(lines)


def _without_empty(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Headings only where something stands below them; the last ones stay, for what comes."""
    kept = []
    for number, line in enumerate(lines):
        following = lines[number + 1]["what"] if number + 1 < len(lines) else ""
        if line["what"] == "phase" and following in ("phase", "turn"):
            continue
        kept.append(line)
    return kept


def _things(seen: Seen, entry: Entry) -> list[str]:
    """The things of an entry, if they were known by name when it happened; of the others, their places."""
    game = seen.game

    def named(piece: int) -> list[str]:
        title = game.names.piece_title(entry.thing)
        known = piece >= 0 and entry.called in ("", title) and seen.sight.piece(piece)
        return [entry.thing] if known and seen.knows(piece) else []

    match entry.fact:
        case Moved(piece=piece, new=place):
            places = [game.place_ids[place]] if 0 <= place < len(game.spaces) else []
            return [*named(piece), *places]
        case Changed(column=name, thing=thing) if game.columns[name].owner == "piece":
            return named(thing)
        case Changed(column=name, thing=thing) if game.columns[name].owner == "space" and thing >= 0:
            return [entry.thing]
    return []
