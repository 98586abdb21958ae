"""What a page asks about a table: why, why not, rules, hints, what an answer would do."""

from __future__ import annotations

from typing import Any

from ddob_rules.serve.playing import No, Playing
from ddob_rules.serve.words import word
from interpreter.machine.state import State
from interpreter.table.asking import causes_of, hints, history_of, leading, why_not, would_do
from interpreter.table.book import rules_of
from interpreter.table.question import option_number
from interpreter.table.seen import Seen
from interpreter.table.story import story_of


def replied(playing: Playing, state: State, seat: str, message: dict[str, Any]) -> dict[str, Any]:
    """The reply to an `ask` about a copy of the position, as the seat may have it."""
    seen = Seen(state, seat)
    things = [str(thing) for thing in message.get("things", ())]
    match message["about"]:
        case "why-not":
            found = why_not(seen, things, str(message.get("act", "")))
            return {"reasons": [{"title": one.title, "text": one.text, "rule": one.rule} for one in found]}
        case "history":
            return {"lines": history_of(seen, things[0]) if things else []}
        case "why":
            return _why(playing, seen, int(message.get("o", 0)))
        case "rule":
            return _rule(playing, str(message.get("rule", "")))
        case "leads":
            return _leads(playing, seen, things[:-1], things[-1]) if things else {"leads": []}
        case "hint":
            return {"best": hints(seen)}
        case "try":
            option = option_number(seen, int(message.get("o", -1)))
            if option is None or state.choice is None or state.choice.player != seat:
                return {"lines": []}  # it was on offer when the pointer came to rest on it
            return {"lines": [{"text": line} for line in would_do(seen, option)]}
        case _:
            return {"lines": story_of(seen)}


def _why(playing: Playing, seen: Seen, line: int) -> dict[str, Any]:
    """What led to a line of the story, and how many choices lay before it."""
    choice = next(
        (number for number, step in enumerate(playing.steps) if step.length >= line), len(playing.steps)
    )
    since = playing.steps[choice - 1].length if choice > 0 else 0
    return {"lines": causes_of(seen, line, since), "choice": choice}


def _leads(playing: Playing, seen: Seen, things: list[str], place: str) -> dict[str, Any]:
    """The answers after which things can go to a place, and which ask where to but do not lead there."""
    there, elsewhere = leading(seen, things, place)
    choice, names = seen.state.choice, seen.game.names
    options = [] if choice is None else [choice.options[number] for number in elsewhere]
    text = word(playing.opened.language, "leads elsewhere").format(place=names.place_title(place))
    reasons = {}
    for option in options:
        action = option.offer.action(option.index)
        title = names.action_title(action) if action is not None else ""
        reasons[title] = {"title": title, "text": text, "rule": option.rule}
    return {"leads": there, "reasons": list(reasons.values())}


def _rule(playing: Playing, number: str) -> dict[str, Any]:
    book = rules_of(playing.opened.game)
    rule = book.get(number)
    if rule is None:
        raise No(word(playing.opened.language, "not understood"))
    amended = [
        {"by": f"{other['from']} {name}", "text": other["text"] or other["title"]}
        for name, other in book.items()
        if number in other.get("amends", ())
    ]
    return {"title": rule["title"], "text": rule["text"], "from": rule["from"], "amendments": amended}
