"""The book of a game: all that never changes and everybody may read, so that a table need not repeat it.

Boards with the places of their spaces, what is printed on pieces, rules, and a briefing. The same for every
seat, so it is made from what a bystander sees before the first choice.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.table.aims import Fixed, come_to, fixed_in, rules_that_end
from interpreter.table.seen import Seen, is_empty, title_of
from interpreter.table.shapes import Shape, as_network, in_rows, on_grid
from interpreter.telling.names import in_words
from interpreter.telling.sentences import sentence

if TYPE_CHECKING:
    from interpreter.machine.game import Game

VERSION = 1
# How the procedure of a phase is called.
_PHASE = "phase "
# What is defined as `worth_of(u)` is called the worth.
_OF = re.compile("_(of|de|du)$")
# Names of so many words are told from each other by any of them.
_ENOUGH = 2


def book_of(game: Game, language: str = "") -> dict[str, Any]:
    """The book, with its own hash under `book`."""
    seen = Seen(game.opening(0))
    data: dict[str, Any] = {
        "v": VERSION,
        "title": game.names.scenario_title(),
        "game": game.names.title("ruleset title", game.program.title),
        "language": language or game.program.language,
        "players": _players(game),
        "brief": _brief(game),
        "boards": [board for board in (_board(seen, kind) for kind in _space_kinds(game)) if board["ids"]],
        **_between(seen),
        "reach": _reach(seen),
        "legend": _legend(game),
        "kinds": _kinds(game),
        "prints": _prints(seen),
    }
    # A rule that reads otherwise makes another book, though its text is asked for when somebody wants it.
    text = json.dumps([data, rules_of(game)], separators=(",", ":"), sort_keys=True)
    return {**data, "book": hashlib.sha256(text.encode()).hexdigest()[:16]}


def _players(game: Game) -> list[dict[str, Any]]:
    return [
        {
            "id": player.name,
            "title": game.names.shown(game.players.index(player.name), ir.PLAYER),
            **({"automated": True} if player.automated else {}),
        }
        for player in game.program.players
        if player.name in game.seats
    ]


def _brief(game: Game) -> dict[str, Any]:
    names = game.names
    scenario = game.scenario
    rules = {rule.id: rule for rule in game.program.rules}
    aim = [
        [_sentence(game, rules[rule]), rule]
        for rule in rules_that_end(game)
        if rule in rules and rules[rule].text
    ]
    return {
        "text": names.title(f"scenario {scenario.name} description", scenario.description),
        "aim": aim,
        "turn": _steps(game, "turn", fixed_in(game)),
        "turns": scenario.turns - scenario.first_turn + 1 if scenario.turns else 0,
    }


def _steps(game: Game, procedure: str, fixed: Fixed) -> list[list[Any]]:
    """The titles of the phases that a procedure goes through, each with those within it."""
    bodies = {entry.name: entry.body for entry in game.program.procedures}
    found: list[list[Any]] = []
    for part in reversed(list(come_to(bodies.get(procedure, ()), fixed))):
        if isinstance(part, ir.Perform) and part.name.startswith(_PHASE):
            title = game.names.phase_title(part.name.removeprefix(_PHASE))
            step = [title, _steps(game, part.name, fixed)]
            if step not in found:
                found.append(step)
    return found


def _legend(game: Game) -> list[str]:
    """What the rules that say how things look say of it in words."""
    sites = [kind.look.site.rule for kind in game.program.kinds if kind.look is not None]
    texts = {rule.id: game.names.title(f"rule {rule.id} text", rule.text) for rule in game.program.rules}
    return [texts[rule] for rule in dict.fromkeys(sites) if texts.get(rule)]


# ---------------------------------------------------------------- boards


def _space_kinds(game: Game) -> list[ir.Kind]:
    """Grids first: they are what a table is looked at for."""
    kinds = [kind for kind in game.program.kinds if kind.owner == "space"]
    return sorted(kinds, key=lambda kind: kind.board not in ("hex", "square", "network"))


def _board(seen: Seen, kind: ir.Kind) -> dict[str, Any]:
    game = seen.game
    spaces = [number for number, space in enumerate(game.spaces) if space.kind == kind.name]
    shape = _shape(game, kind, spaces)
    grounds: list[dict[str, str]] = []
    found = []
    for number in spaces:
        ground = ground_of(seen, number)
        if ground not in grounds:
            grounds.append(ground)
        found.append(grounds.index(ground))
    ids = [game.place_ids[number] for number in spaces]
    titles = [game.names.place_title(ident) for ident in ids]
    inside = {number: index for index, number in enumerate(spaces)}
    links = [
        [inside[low], inside[high]]
        for low, high in game.board.edge_ends
        if kind.board not in ("hex", "square") and low in inside and high in inside
    ]
    return {
        "id": kind.name,
        "title": title_of(game.names.kind_title(kind.name)),
        "kind": kind.board,
        "cell": shape.cell,
        "step": list(shape.step),
        "ids": ids,
        **({"titles": titles} if titles != ids else {}),
        "x": list(shape.x),
        "y": list(shape.y),
        "ground": found,
        "grounds": grounds,
        "facts": _columns(seen, "space", kind.name, spaces),
        **({"links": links} if links else {}),
        **_near(seen, spaces),
    }


def _near(seen: Seen, spaces: list[int]) -> dict[str, list[str]]:
    """For boxes, the space of a grid that each refers to, or that refers to it; nothing if there is none."""
    game = seen.game
    gridded = {grid.kind for grid in game.scenario.grids}
    if not spaces or game.spaces[spaces[0]].kind in gridded:
        return {}
    found = dict.fromkeys(spaces, "")
    for number, space in enumerate(game.spaces):
        for column in seen.columns("space", space.kind, printed=True):
            other = seen.value(column, number) if column.type.tag == "space" else -1
            if not 0 <= other < len(game.spaces):
                continue
            if number in found and game.spaces[other].kind in gridded:
                found[number] = game.place_ids[other]
            elif found.get(other) == "" and space.kind in gridded:
                found[other] = space.id
    return {"near": list(found.values())} if any(found.values()) else {}


def _shape(game: Game, kind: ir.Kind, spaces: list[int]) -> Shape:
    grid = next((grid for grid in game.scenario.grids if grid.kind == kind.name), None)
    if grid is not None:
        return on_grid(grid.layout, [(game.spaces[n].row, game.spaces[n].column) for n in spaces])
    if kind.board == "network":
        return as_network(game.board, spaces)
    return in_rows(len(spaces), kind.board == "track")


def ground_of(seen: Seen, number: int) -> dict[str, str]:
    """How a space looks under everything: its sign and tint if the rules say them, and what it is called."""
    kind = seen.game.spaces[number].kind
    named = next(
        (
            seen.words(seen.value(column, number), column.type)
            for column in seen.columns("space", kind, printed=True)
            if column.type.tag == "enum" and not is_empty(column.type, seen.value(column, number))
        ),
        "",
    )
    return looks_of(seen, number, named)


def looks_of(seen: Seen, number: int, named: str) -> dict[str, str]:
    """The same of a space of which it is known what it is called."""
    text, tint = seen.showing.space(number), seen.showing.space_colour(number)
    sign, _, label = (text or "").strip().partition(" ")
    found = {"name": named, "sign": sign, "label": label.strip(), "tint": tint or ""}
    drawn = seen.showing.drawn(seen.game.spaces[number].kind, number)
    found |= {part: str(value) for part, value in drawn if part in ("pattern", "label")}
    return {key: value for key, value in found.items() if value}


def _columns(seen: Seen, owner: str, kind: str, numbers: list[int]) -> list[dict[str, Any]]:
    """What is printed on things: for each attribute the values there are, and which of them a thing has."""
    found = []
    for column in seen.columns(owner, kind, printed=True):
        if owner == "space" and is_reach(column.type):
            continue  # told as such
        values: list[str] = []
        of = []
        for number in numbers:
            value = seen.value(column, number)
            if is_empty(column.type, value):
                of.append(-1)
                continue
            text = "" if value is True else seen.words(value, column.type)
            if text not in values:
                values.append(text)
            of.append(values.index(text))
        if values:
            title = seen.game.names.attribute_title(column.attribute)
            found.append({"title": title, "values": values, "of": of})
    return found


def is_reach(kind: ir.Type) -> bool:
    """Whether values of a type refer to several spaces."""
    return kind.tag in ("set", "list") and kind.element is not None and kind.element.tag == "space"


def _reach(seen: Seen) -> dict[str, dict[str, list[int]]]:
    """The spaces of grids that other spaces refer to, each by the step from the one before."""
    game, places = seen.game, _places(seen.game)
    gridded = {grid.kind for grid in game.scenario.grids}
    found: dict[str, dict[str, list[int]]] = {}
    for number, space in enumerate(game.spaces):
        for column in seen.columns("space", space.kind, printed=True):
            if not is_reach(column.type):
                continue
            value = seen.value(column, number)
            members = game.items(value, column.type)
            reached = sorted(places[member] for member in members if game.spaces[member].kind in gridded)
            if reached:
                steps = [one - before for before, one in zip([0, *reached], reached, strict=False)]
                found.setdefault(space.id, {})[game.names.attribute_title(column.attribute)] = steps
    return found


# ---------------------------------------------------------------- edges


def _between(seen: Seen) -> dict[str, Any]:
    """What lies between spaces: each sort of line once, and for each of them the pairs of spaces."""
    lines: list[dict[str, str]] = []
    found: list[list[tuple[int, int]]] = []
    places = _places(seen.game)
    for line, (one, other) in _drawn_between(seen):
        if line not in lines:
            lines.append(line)
            found.append([])
        found[lines.index(line)].append((places[one], places[other]))
    return {"lines": lines, "edges": [_in_steps(sorted(pairs)) for pairs in found]}


def _places(game: Game) -> dict[int, int]:
    """The number that a space has in a book: all spaces of all boards, one board after the other."""
    order = [
        n for kind in _space_kinds(game) for n, space in enumerate(game.spaces) if space.kind == kind.name
    ]
    return {space: number for number, space in enumerate(order)}


def _in_steps(pairs: list[tuple[int, int]]) -> list[int]:
    """Pairs in few small numbers: from the first of the pair before, and from there to the second."""
    firsts = [0, *(one for one, _ in pairs)]
    return [
        step
        for before, (one, other) in zip(firsts, pairs, strict=False)
        for step in (one - before, other - one)
    ]


def _drawn_between(seen: Seen) -> Iterator[tuple[dict[str, str], tuple[int, int]]]:
    """As the rules say; of a kind of edge of which they say nothing, all that is printed on it."""
    game = seen.game
    edges = list(enumerate(game.board.edge_ends))
    for kind in [kind for kind in game.program.kinds if kind.owner == "edge"]:
        for number, part in enumerate(kind.drawn):
            of = kind.name if part.value.type == ir.FLAG else ""
            for edge, ends in edges:
                value = seen.showing.drawn_value(kind.name, number, edge)
                for name in _names_of(game, part.value.type, value, of):
                    yield (
                        {"name": name, "of": kind.name, "as": "way" if part.part == "roads" else "side"},
                        ends,
                    )
    yield from _limits(seen)
    told = {kind.name for kind in game.program.kinds if kind.owner == "edge" and kind.drawn}
    for column in game.code.layout.attributes:
        if column.owner != "edge" or not column.fixed or " " in column.attribute or told & set(column.kinds):
            continue
        title = game.names.attribute_title(column.attribute)
        for edge, ends in edges:
            for name in _names_of(game, column.type, game.fixed(column.name)[edge], title):
                yield {"name": name, "of": title, "as": "side"}, ends


def _limits(seen: Seen) -> Iterator[tuple[dict[str, str], tuple[int, int]]]:
    """Where one region ends and another begins."""
    game = seen.game
    for kind in [kind for kind in game.program.kinds if kind.owner == "space"]:
        for number, part in enumerate(kind.drawn):
            if part.part != "region":
                continue
            of = part.value.type.element or part.value.type
            line = {"name": game.names.kind_title(str(of)), "of": kind.name, "as": "limit"}
            for ends in game.board.edge_ends:
                if all(game.spaces[end].kind == kind.name for end in ends):
                    one, other = (seen.showing.drawn_value(kind.name, number, end) for end in ends)
                    if one != other:
                        yield line, ends


def _names_of(game: Game, kind: ir.Type, value: Any, flagged: str) -> list[str]:
    """What a value says lies there; a flag that holds, `flagged`."""
    if is_empty(kind, value):
        return []
    if kind.tag == "flag":
        return [flagged]
    if kind.tag in ("set", "list") and kind.element is not None:
        return [game.names.shown(member, kind.element) for member in game.items(value, kind)]
    return [game.names.shown(value, kind)]


# ---------------------------------------------------------------- pieces and rules


def _kinds(game: Game) -> dict[str, dict[str, Any]]:
    """The kinds of pieces; `shape` tells them apart where nobody owns them."""
    kinds = [kind for kind in game.program.kinds if kind.owner in ("piece", "card")]
    found = {
        kind.name: {"title": title_of(game.names.kind_title(kind.name)), "as": kind.owner, "shape": number}
        for number, kind in enumerate(kinds)
    }
    for kind in kinds:
        numbers = "".join(_meant(game, kind, part.value) for part in kind.drawn if part.part == "numbers")
        if numbers:
            found[kind.name]["numbers"] = numbers
    return found


def _meant(game: Game, kind: ir.Kind, value: ir.Expression) -> str:
    """What the numbers on a counter stand for, as far as that has a name: an attribute or a definition."""
    match value:
        case ir.Format(parts=parts):
            meant = [part if isinstance(part, str) else _meant(game, kind, part) for part in parts]
            return "".join(meant) if all(meant) else ""
        case ir.Get(attribute=attribute):
            return game.names.attribute_title(attribute)
        case ir.Call(name=name):
            short = _OF.sub("", name)
            alike = (entry.name for entry in kind.attributes if entry.name.startswith(short))
            # Definitions have no titles of their own.
            return game.names.title(f"attribute {next(alike, short)}", "") or in_words(short)
        case _:
            return ""


def _prints(seen: Seen) -> dict[str, dict[str, Any]]:
    """What is printed on pieces for everybody to read, by kind; of those with a secret nothing.

    A kind that lies nowhere when the game begins may never lie anywhere: tables tell it if it does.
    """
    game = seen.game
    found = {}
    for kind in [kind.name for kind in game.program.kinds if kind.owner in ("piece", "card")]:
        numbers = [number for number, of in enumerate(game.piece_kind) if of == kind]
        if (
            all(seen.state.at[number] < 0 for number in numbers)
            or kind in game.faced
            or kind in seen.sight.kinds
        ):
            continue
        ids = [game.piece_ids[number] for number in numbers]
        titles = [game.names.piece_title(ident) for ident in ids]
        symbols = [str(dict(seen.showing.drawn(kind, number)).get("symbol", "")) for number in numbers]
        found[kind] = {
            "ids": ids,
            **({"names": titles} if titles != ids else {}),
            **({"symbols": symbols} if any(symbols) else {}),
            **_explained(game, kind, numbers),
            "facts": _columns(seen, "piece", kind, numbers),
        }
    return found


def _explained(game: Game, kind: str, numbers: list[int]) -> dict[str, Any]:
    """What cards do: the sentence of the rule that has the name of the card, or of a value printed on it."""
    if kind not in game.names.cards:
        return {}
    rules = {frozenset(_letters(rule.title)): rule for rule in game.program.rules if rule.text}
    columns = [
        column
        for column in game.code.layout.attributes
        if column.owner == "piece" and kind in column.kinds and column.fixed and column.type.tag == "enum"
    ]
    texts: list[str] = []
    for number in numbers:
        printed = [game.names.id(game.fixed(column.name)[number], column.type) for column in columns]
        called = [_letters(str(name)) for name in (game.piece_ids[number].partition("#")[0], *printed)]
        meant = (_rule_called(rules, words) for words in called)
        rule = next((rule for rule in meant if rule is not None), None)
        texts.append(_sentence(game, rule) if rule is not None else "")
    values = sorted(set(filter(None, texts)))
    if not values:
        return {}
    return {"texts": {"values": values, "of": [values.index(text) if text else -1 for text in texts]}}


def card_text(game: Game, piece: int) -> str:
    """What a card does, if the rules have a sentence for it; empty for everything else."""
    found = _explained(game, game.piece_kind[piece], [piece])
    return found["texts"]["values"][0] if found else ""


def _letters(name: str) -> list[str]:
    return re.findall(r"\w+", in_words(name).casefold())


def _rule_called(rules: dict[frozenset[str], ir.Rule], words: list[str]) -> ir.Rule | None:
    """The rule with these words for a title; with several words, one more in the title does not matter."""
    exact = rules.get(frozenset(words))
    if exact is not None or len(words) < _ENOUGH:
        return exact
    longer = [rule for title, rule in rules.items() if set(words) < title and len(title) == len(words) + 1]
    return longer[0] if len(longer) == 1 else None


def _sentence(game: Game, rule: ir.Rule) -> str:
    text = game.names.title(f"rule {rule.id} text", rule.text)
    return sentence(text, game.program, game.program.language)


def rules_of(game: Game) -> dict[str, dict[str, Any]]:
    """Title and text of each rule, the ruleset it stands in, and what it amends."""
    names = game.names
    return {
        rule.id: {
            "title": names.title(f"rule {rule.id}", rule.title),
            "text": _sentence(game, rule),
            "from": rule.ruleset,
            **({"amends": list(rule.amends)} if rule.amends else {}),
        }
        for rule in game.program.rules
    }
