"""What a seat may ask about a position: why not, what became of a thing, what an answer would do, a hint.

What rests on things that the seat cannot see is not told. To find out, the same is asked in several positions
that the seat cannot tell from this one: only what is the same in all of them is an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from interpreter.failures import RuleFailure
from interpreter.machine.chance import Chance
from interpreter.players.determinize import Secrets, Worlds
from interpreter.players.foresight import ranked, step_ahead
from interpreter.players.sides import Sides
from interpreter.table.question import answers_naming
from interpreter.table.seen import Seen
from interpreter.table.story import story_of
from interpreter.telling.facts import Moved, Rolled, Shuffled, newest_first
from interpreter.telling.story import Discretion

if TYPE_CHECKING:
    from interpreter import ir
    from interpreter.machine.state import State

# Enough that two of them hardly ever agree on what is left to chance, or to what is not seen.
_WORLDS = 5
# More things than these are not tried for what was left open.
_MOST_TRIED = 800
# Options of which each is looked at more closely for a hint.
_BEST = 3
_SAMPLES = 4


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action cannot be done: its title, the words, and the rule."""

    title: str
    text: str
    rule: str


def _worlds(seen: Seen, count: int = _WORLDS) -> list[State]:
    """Positions that the seat cannot tell from this one; only this one if it knows everything."""
    if not seen.seat:
        return [seen.state]
    secrets = Secrets(seen.game, seen.state, seen.seat)
    if secrets.none:
        return [seen.state]
    chance = Chance(seen.state.count)
    return [secrets.draw(chance) for _ in range(count)]


# ---------------------------------------------------------------- why not


def why_not(seen: Seen, things: list[str], act: str = "") -> list[Reason]:
    """For each action that takes all these things, why it is not possible; nothing for those that are.

    Of what the phase has, and of what only waits for its phase, if there is any; else of everything. What no
    action takes together is asked about without its last thing: an action may ask for that later.
    """
    choice = seen.state.choice
    if choice is not None and choice.player == seen.seat and choice.sort != "offer":
        key = "is an answer" if _is_offered(seen, things) else "asked now"
        text = seen.game.names.text(key).format(prompt=choice.prompt)
        return [not_offered(seen, things) or Reason("", text, choice.rule)]
    rest: list[Reason] = []
    for count in range(len(things), 0, -1):
        timely, others = _reasons(seen, things[:count], act)
        if timely:
            return timely
        rest = rest or others
    return rest


def _reasons(seen: Seen, things: list[str], act: str) -> tuple[list[Reason], list[Reason]]:
    """Why actions that take these things are refused: those of this phase or of no fault but the time, and
    those that could not be done in their own phase either."""
    views: list[Seen] | None = None
    timely: list[Reason] = []
    others: list[Reason] = []
    ask = seen.state.ask
    group = seen.game.code.asks[ask].group if ask >= 0 else ""
    for number, action in enumerate(seen.game.program.actions):
        if act not in ("", action.name):
            continue
        real = _refused(seen, number, action, things)
        if not real:
            continue  # it takes no such things, or it can be done
        views = [Seen(world, seen.seat) for world in _worlds(seen)] if views is None else views
        told = {_refused(view, number, action, things) for view in views}
        # Not compared with what holds here: were it another, even that it rests on something would tell.
        said = {_said(one) for one in told}
        sure = said.pop() if len(said) == 1 else None
        text, rule = sure or (seen.game.names.text("rests on unseen"), action.site.rule)
        met = {one[0] for one in told if one}
        now = group in action.groups or (bool(sure) and met == {len(action.conditions)})
        reason = Reason(seen.game.names.action_title(action), text, rule)
        (timely if now else others).append(reason)
    return timely, others


def refusal(seen: Seen, action: str, things: list[str]) -> str:
    """Why an action cannot be done with things by name, as far as the seat may know; empty if it can."""
    if not _refusal(seen, seen.state, action, things):
        return ""
    told = {_refusal(seen, world, action, things) for world in _worlds(seen)}
    sure = told.pop() if len(told) == 1 else ""
    return sure or seen.game.names.text("rests on unseen")


def _refusal(seen: Seen, state: State, action: str, things: list[str]) -> str:
    try:
        found = state.why_not(action, *things, player=seen.seat or None)
    except RuleFailure:
        return seen.game.names.text("a condition fails")
    return str(found) if found is not None else ""


def _is_offered(seen: Seen, things: list[str]) -> bool:
    """Whether the thing that was named last is an answer to the question that is asked."""
    value = _asked_about(seen, things)
    return value is not None and value in seen.state.options


def not_offered(seen: Seen, things: list[str]) -> Reason | None:
    """Why the question that is asked does not offer a thing, if its rule says so of things like it.

    It is worked out only in positions that the seat cannot tell from this one, and not in this one: were it
    another here than there, even that it rests on something would tell.
    """
    if not seen.game.code.asks[seen.state.ask].reasons or _is_offered(seen, things):
        return None
    told = {_kept_out(Seen(world, seen.seat), things) for world in _worlds(seen)}
    if len(told) > 1:
        rule = seen.game.code.asks[seen.state.ask].site.rule
        return Reason("", seen.game.names.text("rests on unseen"), rule)
    return told.pop()


def _kept_out(seen: Seen, things: list[str]) -> Reason | None:
    value = _asked_about(seen, things)
    try:
        refusal = seen.game.kept_out(seen.state, value) if value is not None else None
    except RuleFailure:
        return None  # a reason that does not fit this thing tells nothing of it
    if refusal is None:
        return None
    return Reason("", seen.game.names.spoken(refusal.text, seen.callings), refusal.rules[0])


def _asked_about(seen: Seen, things: list[str]) -> int | None:
    """The last of these things that is of the sort that is asked for, as a value; None if there is none."""
    kind = seen.game.code.asks[seen.state.ask].type
    found = (_value_for(seen, kind, thing) for thing in reversed(things))
    return next((value for value in found if value is not None), None)


def _refused(
    seen: Seen, number: int, action: ir.Action, things: list[str]
) -> tuple[int, str, str] | tuple[()] | None:
    """How many of its conditions an action meets, and the words and the rule by which it is refused; empty if
    it is not; None if it takes no such things.

    What is left open is filled in every way, and the way that comes nearest tells: most ways fail for reasons
    that nobody has asked about.
    """
    filled = _filled(seen, action, things)
    if filled is None:
        return None
    player = seen.game.players.index(seen.seat) if seen.seat else seen.state.player
    counted: Counter[tuple[int, str, str]] = Counter()
    for values in _completed(seen, action, filled):
        try:
            refused = seen.game.why_not_raw(seen.state, player, (number, *values))
        except RuleFailure:
            counted[-1, seen.game.names.text("a condition fails"), action.site.rule] += 1
            continue
        if refused is None:
            return ()
        counted[
            refused.met,
            seen.game.names.spoken(refused.text, seen.callings),
            next(iter(refused.rules), action.site.rule),
        ] += 1
    nearest = max((met for met, _, _ in counted), default=0)
    found = Counter({one: times for one, times in counted.items() if one[0] == nearest})
    return found.most_common(1)[0][0] if found else None


def _said(refused: tuple[int, str, str] | tuple[()] | None) -> tuple[str, str] | None:
    """What of a refusal is told."""
    return refused[1:] if refused else None


def _filled(seen: Seen, action: ir.Action, things: list[str]) -> list[int | None] | None:
    """The things as the action takes them, the rest left open; None if it does not take all of them."""
    found: list[int | None] = [None] * len(action.parameters)
    for thing in things:
        for place, parameter in enumerate(action.parameters):
            if found[place] is None:
                value = _value_for(seen, parameter.type, thing)
                if value is not None and value not in found:
                    found[place] = value
                    break
        else:
            return None
    return found


def _value_for(seen: Seen, kind: ir.Type, thing: str) -> int | None:
    """A thing as a value of a type; a piece may stand for its space."""
    game = seen.game
    if kind.tag == "piece":
        piece = seen.piece(thing)
        return piece if piece is not None and _is_of(kind, game.piece_kind[piece]) else None
    if kind.tag == "space":
        piece = seen.piece(thing)
        place = seen.state.at[piece] if piece is not None else game.place_number.get(thing, -1)
        return place if 0 <= place < len(game.spaces) and _is_of(kind, game.spaces[place].kind) else None
    value = game.names.number_of(thing, kind)
    return int(value) if isinstance(value, int) else None


def _is_of(kind: ir.Type, name: str) -> bool:
    return not kind.names or name in kind.names


def _completed(seen: Seen, action: ir.Action, filled: list[int | None]) -> Iterator[tuple[int, ...]]:
    """Every way to fill what was left open, as long as that is one thing."""
    open_places = [place for place, value in enumerate(filled) if value is None]
    if not open_places:
        yield tuple(value for value in filled if value is not None)
    if len(open_places) != 1:
        return
    place = open_places[0]
    for member in _members(seen, action.parameters[place].type)[:_MOST_TRIED]:
        yield tuple(member if value is None else value for value in filled)


def _members(seen: Seen, kind: ir.Type) -> list[int]:
    game = seen.game
    if kind.tag == "piece":
        return [n for n, name in enumerate(game.piece_kind) if _is_of(kind, name) and seen.state.at[n] >= 0]
    if kind.tag == "space":
        return [n for n, space in enumerate(game.spaces) if _is_of(kind, space.kind)]
    if kind.tag == "enum":
        return list(game.of_kind(kind.names[0]))
    return []


# ---------------------------------------------------------------- what happened


def history_of(seen: Seen, thing: str) -> list[dict[str, str]]:
    """What became of a thing, with rules, as far as the seat may know."""
    game, state = seen.game, seen.state
    piece = seen.piece(thing)
    if piece is not None:
        key = seen.callings.key(piece) if seen.callings is not None else game.piece_ids[piece]
    elif thing in game.place_number:
        key = thing
    else:
        return []
    discretion = Discretion(game, state, seen.seat)
    told = [(discretion.text(entry), entry.rule) for entry in game.history(state, key, (seen.seat,))]
    return [{"text": text, "rule": rule} for text, rule in told if text]


def causes_of(seen: Seen, line: int, since: int) -> list[dict[str, str]]:
    """All that happened from an entry of the journal up to a line of the story, bookkeeping too."""
    discretion = Discretion(seen.game, seen.state, seen.seat)
    entries = seen.game.entries(seen.state, (seen.seat,), since)
    told = [(discretion.text(entry), entry.rule) for entry in entries if entry.number < line]
    return [{"text": text, "rule": rule} for text, rule in told if text]


# ---------------------------------------------------------------- what would happen


def would_do(seen: Seen, option: int) -> list[str]:
    """The lines of the story that an option is sure to bring, and whether chance decides the rest."""
    names = seen.game.names
    secrets = Secrets(seen.game, seen.state, seen.seat or None)
    chance = Chance(option)
    worlds = [_lines(seen, secrets.draw(chance), option) for _ in range(_WORLDS)]
    sure = [told[0] for told in takewhile(lambda told: len(set(told)) == 1, zip(*worlds, strict=False))]
    if any(len(world) > len(sure) for world in worlds):
        return [*sure, names.text("then chance")]
    return sure or [names.text("changes nothing")]


def _lines(seen: Seen, world: State, option: int) -> list[str]:
    before = length_of(world)
    try:
        world.take(option)
    except RuleFailure as failure:
        return [str(failure)]
    lines = story_of(Seen(world, seen.seat), before)
    told = [line for line in lines if line["what"] not in ("turn", "phase")]
    return [f"{line['text']} [{line['rule']}]" if "rule" in line else line["text"] for line in told]


def asked_next(seen: Seen, option: int) -> State | None:
    """A position in which an option has been taken, if what is asked then is sure: no chance is in it, and it
    is the same wherever what the seat cannot see lies."""
    secrets = Secrets(seen.game, seen.state, seen.seat or None)
    found: State | None = None
    for number in range(1 if secrets.none else _WORLDS):
        world = secrets.draw(Chance(number))
        after = world.copy()
        try:
            after.take(option)
        except RuleFailure:
            return None
        if after.rng != world.rng or after.choice is None:
            return None
        if found is not None and _question(found) != _question(after):
            return None
        found = after
    return found


def leading(seen: Seen, things: list[str], place: str) -> tuple[list[int], list[int]]:
    """Of the answers that name one of these things alone, those after which the seat is sure to be asked for
    this place, and those after which it is asked for others."""
    choice, found = seen.state.choice, (list[int](), list[int]())
    if choice is None or choice.player != seen.seat:
        return found
    for number in (number for thing in things for number in answers_naming(seen, thing)):
        after = asked_next(seen, choice.options[number].index)
        then = after.choice if after is not None else None
        # What is on offer next is another action: nothing that has been begun leads there.
        if after is None or then is None or (then.player, then.sort) != (seen.seat, "one"):
            continue
        if answers_naming(Seen(after, seen.seat), place):
            found[0].append(number)
        elif seen.game.code.asks[after.ask].type.tag == "space":
            found[1].append(number)
    return found


def _question(state: State) -> tuple[str, str, tuple[str, ...]]:
    choice = state.choice
    assert choice is not None
    return choice.player, choice.prompt, tuple(option.key for option in choice.options)


def lost_by(seen: Seen, option: int) -> list[str]:
    """The pieces that are sure to leave the board when an option is taken, before chance has a say."""
    lost: set[str] | None = None
    secrets = Secrets(seen.game, seen.state, seen.seat or None)
    for number in range(_WORLDS):
        world = secrets.draw(Chance(number))  # with luck of its own: who is picked at random is chance, too
        before = Seen(world, seen.seat)
        after = world.copy()
        try:
            after.take(option)
        except RuleFailure:
            return []
        gone = {before.name(piece) for piece in _taken_off(seen, world, after)}
        lost = gone if lost is None else lost & gone
    return sorted(lost or ())


def _taken_off(seen: Seen, before: State, after: State) -> set[int]:
    """The pieces that left the board until dice were rolled, or something was shuffled, and stayed away."""
    spaces, gone = len(seen.game.spaces), set[int]()
    for fact in reversed(list(newest_first(after.happened, before.happened))):
        if isinstance(fact, Rolled | Shuffled):
            break
        if isinstance(fact, Moved):
            if not 0 <= fact.new < spaces and 0 <= before.at[fact.piece] < spaces:
                gone.add(fact.piece)
            elif 0 <= fact.new < spaces:
                gone.discard(fact.piece)
    return gone


def length_of(state: State) -> int:
    """How many entries the journal has."""
    count, link = 0, state.happened
    while link is not None:
        count, link = count + 1, link[1]
    return count


def hints(seen: Seen) -> list[dict[str, Any]]:
    """The best answers by the rules' own score, one step ahead, each with what it is worth."""
    state, game = seen.state, seen.game
    choice = state.choice
    if choice is None or choice.player != seen.seat:
        return []
    secrets = Secrets(game, state, seen.seat)
    chance = Chance(state.count)
    worlds, sides = Worlds(secrets, _SAMPLES), Sides(game, state)
    best = ranked(worlds, sides, _SAMPLES, chance, most=len(state.options))[:_BEST]
    numbers = {option.index: number for number, option in enumerate(choice.options)}
    has_score = game.score(state, state.player) is not None
    found: list[tuple[tuple[float, float], dict[str, Any]]] = []
    for option in best:
        values = []
        for _ in range(_SAMPLES):
            try:
                after = step_ahead(worlds.next(chance), option, sides, chance.word())
            except RuleFailure:
                continue
            worth = after.game.score(after, state.player) or 0  # which may be a glance of the fast engine
            values.append((sides.fate(after, state.player) - 1, worth))
        ends, score = (sum(value[side] for value in values) / max(1, len(values)) for side in (0, 1))
        why = ""
        if ends:
            why = game.names.text("hint wins" if ends > 0 else "hint loses")
        elif has_score:
            # What the score is worth only its author knows; what an answer adds to it says something.
            gained = round(score - (game.score(state, state.player) or 0))
            why = game.names.text("hint score" if gained else "hint even").format(by=f"{gained:+}")
        label = choice.options[numbers[option]].label
        found.append(((ends, score), {"o": numbers[option], "text": label, "why": why}))
    # By what is told: those that look alike stay in the order in which the computer would take them.
    return [hint for _, hint in sorted(found, key=lambda one: one[0], reverse=True)]
