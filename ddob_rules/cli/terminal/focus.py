"""From a question, or from a thing, to the places it is about, so that a big board can be shown in part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from ddob_rules.cli.terminal.tiles import SPACIOUS, WIDEST
from interpreter.machine.choice import Choice, Option
from interpreter.machine.game import Game
from interpreter.machine.state import State
from interpreter.telling.facts import Acted, PhaseBegan, newest_first

if TYPE_CHECKING:
    from ddob_rules.cli.terminal.board import Drawing


def places_asked_about(view: Mapping[str, Any], choice: Choice | None) -> frozenset[str]:
    """The places that options name, or where the pieces are that they name; else those in the question."""
    if choice is None:
        return frozenset()
    named = {str(argument) for option in choice.options for argument in _flat(option.arguments)}
    found = frozenset(place for name in named for place in _places(view, name))
    asked = (word.strip("?!.,:;()") for word in choice.prompt.split())
    return found or frozenset(place for name in asked for place in _places(view, name))


def busiest_place(view: Mapping[str, Any], choice: Choice | None) -> str:
    """The place that most of the options are about; empty if they are about none."""
    options = choice.options if choice is not None else ()
    found = Counter(
        place for option in options for name in _flat(option.arguments) for place in _places(view, str(name))
    )
    return next((place for place, _ in found.most_common(1)), "")


def pieces_asked_about(game: Game, choice: Choice) -> frozenset[str]:
    """The pieces with which options begin: those that would act."""
    first = (next(_flat(option.arguments), "") for option in choice.options)
    return frozenset(str(name) for name in first if str(name) in game.piece_number)


def numbers_of_places(game: Game, choice: Choice, options: Iterable[int]) -> dict[str, str]:
    """By space of a grid: what is typed for those of these options that lead there."""
    gridded = {grid.kind for grid in game.scenario.grids}
    # What is called like a piece stands for the piece.
    spaces = {one.id for one in game.spaces if one.kind in gridded and one.id not in game.piece_number}
    found: dict[str, list[str]] = {}
    for number in options:
        for name in {str(each) for each in _flat(choice.options[number].arguments)} & spaces:
            found.setdefault(name, []).append(str(number + 1))
    return {name: ",".join(numbers) + ")" for name, numbers in found.items()}


def spaces_of(game: Game, choice: Choice, options: Iterable[Option] | None = None) -> list[str]:
    """The spaces of grids that options name."""
    gridded = {grid.kind for grid in game.scenario.grids}
    kinds = {space.id: space.kind for space in game.spaces if space.id not in game.piece_number}
    named = [str(one) for each in (options or choice.options) for one in _flat(each.arguments)]
    return [name for name in dict.fromkeys(named) if kinds.get(name) in gridded]


def piece_of_last_act(game: Game, state: State, seat: str | None) -> str:
    """The piece with which a seat has acted last in this phase; empty if there is none."""
    return next((game.piece_ids[value] for tag, value in _last_act(game, state, seat) if tag == "piece"), "")


def place_of_last_act(game: Game, state: State, seat: str | None) -> str:
    """Where the thing is with which a seat has acted last in this phase; empty if it has not."""
    for tag, value in _last_act(game, state, seat):
        place = state.at[value] if tag == "piece" else value
        if tag in ("piece", "space") and 0 <= place < len(game.spaces):
            return game.place_ids[place]
    return ""


def last_action(game: Game, state: State, seat: str | None) -> str:
    """The action that a seat has taken last in this phase; empty if it has taken none."""
    acted = _acted(game, state, seat)
    return game.program.actions[acted.action].name if acted is not None else ""


def _last_act(game: Game, state: State, seat: str | None) -> list[tuple[str, int]]:
    """What a seat has acted with last in this phase, each with the sort of its type."""
    acted = _acted(game, state, seat)
    if acted is None:
        return []
    parameters = game.program.actions[acted.action].parameters
    return [(one.type.tag, value) for one, value in zip(parameters, acted.arguments, strict=True)]


def _acted(game: Game, state: State, seat: str | None) -> Acted | None:
    for fact in newest_first(state.happened):
        if isinstance(fact, PhaseBegan):
            break
        if isinstance(fact, Acted) and game.player_name(fact.player) == seat:
            return fact
    return None


def nearest_first(game: Game, places: Iterable[str], centre: str) -> list[str]:
    """Spaces by their distance from one; what cannot be got to from there is last."""
    spaces = len(game.spaces)
    here = game.place_number.get(centre, spaces)
    found = list(places)
    if here >= spaces:
        return found

    def far(place: str) -> int:
        there = game.place_number.get(place, spaces)
        steps = game.board.distance(here, there) if there < spaces else -1
        return steps if steps >= 0 else spaces

    return sorted(found, key=far)


def _flat(values: object) -> Iterator[object]:
    if isinstance(values, list | tuple | set | frozenset):
        for value in values:
            yield from _flat(value)
    else:
        yield values


def _places(view: Mapping[str, Any], name: str) -> Iterator[str]:
    if name in view["pieces"]:
        yield str(view["pieces"][name]["at"])
    elif name in view["spaces"]:
        yield name


def on_grid(game: Game, view: Mapping[str, Any], places: Iterable[str]) -> frozenset[str]:
    """The spaces of grids among these, and for those that lie beside a grid the ones that they refer to."""
    gridded = {grid.kind for grid in game.scenario.grids}
    kinds = {space.id: space.kind for space in game.spaces}
    found: set[str] = set()
    for place in places:
        if kinds.get(place) in gridded:
            found.add(place)
        elif place in kinds:
            found |= {name for names in reach(game, view, place).values() for name in names}
    return frozenset(found)


def reach(game: Game, view: Mapping[str, Any], place: str) -> dict[str, list[str]]:
    """For each attribute of a space that holds spaces of a grid: which ones."""
    gridded = {grid.kind for grid in game.scenario.grids}
    kinds = {space.id: space.kind for space in game.spaces}
    found: dict[str, list[str]] = {}
    for name, value in view["spaces"].get(place, {}).items():
        spaces = [str(each) for each in _flat(value) if kinds.get(str(each)) in gridded]
        if spaces:
            found[name] = spaces
    return found


def reach_of(game: Game, view: Mapping[str, Any], thing: str) -> tuple[str, dict[str, list[str]]]:
    """The same for any thing; if it reaches nowhere itself, for its place or what its place refers to."""
    waiting = [thing]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        if name in view["pieces"]:
            waiting.append(str(view["pieces"][name]["at"]))
            continue
        found = reach(game, view, name)
        if found:
            return name, found
        values = view["spaces"].get(name, {}).values()
        waiting += [str(value) for value in _flat(list(values)) if str(value) in view["spaces"]]
    return thing, {}


# ---------------------------------------------------------------- a part of a map


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a map as it was drawn."""

    part: Drawing
    lines: list[str]
    about: frozenset[str]  # what it was to show, whether there was room for it or not


def window(whole: Drawing, about: Iterable[str], centre: str, room: int) -> Window:
    """The part that holds the most of these places in so many lines. What is nearest to the centre stays."""
    order = nearest_first(whole.game, sorted(about), centre)
    found: tuple[int, Window] | None = None
    for tight, widest in product((False, True), (WIDEST, SPACIOUS)):
        held, one = _largest(replace(whole, tight=tight, widest=widest), order, room)
        if found is None or held > found[0]:
            found = held, one
        if held == len(order):
            break
    assert found is not None
    return found[1]


def _largest(whole: Drawing, order: list[str], room: int) -> tuple[int, Window]:
    """The longest beginning of a list of places that fits, and its drawing; 0 if not even the first does."""

    def drawn(count: int) -> tuple[bool, Window]:
        part = replace(whole, about=frozenset(order[:count]))
        lines = part.lines()
        fits = len(lines) <= room and part.holds(frozenset(order[:count]))
        return fits, Window(part, lines, frozenset(order))

    fits, best = drawn(len(order))
    if fits or len(order) < 2:
        return (len(order) if fits else 0), best
    fits, best = drawn(1)
    if not fits:
        return 0, best
    low, high = 1, len(order)  # the first fits, all of them do not
    while high - low > 1:
        middle = (low + high) // 2
        fits, one = drawn(middle)
        low, high, best = (middle, high, one) if fits else (low, middle, best)
    return low, best


def unchanged(before: Window, whole: Drawing, about: frozenset[str]) -> bool:
    """Whether a window shows these places as they are now, or those of them that had room in it."""
    part = before.part
    again = replace(whole, about=part.about, tight=part.tight, widest=part.widest, room=part.room)
    beside = {place for place in about if not on_grid(whole.game, whole.view, [place])}
    shown = before.part.about or frozenset()
    if not beside <= shown or again.lines() != before.lines:
        return False
    return again.holds(about) or (about <= before.about and bool((about - beside) & shown))
