"""From what is asked to a tree of answers: by act, then by the things that it is done with, to a number.

Answers are numbered in the order in which they are read, which tells nothing of pieces that lie face down;
the numbers inside do not travel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.compiler.blocks import DONE, PASS
from interpreter.passes.analysis import identifier
from interpreter.telling.journal import phase_now

if TYPE_CHECKING:
    from interpreter.machine.choice import Choice, Option
    from interpreter.table.seen import Seen

Tree = dict[str, Any]


def question_of(seen: Seen) -> dict[str, Any] | None:
    """What the seat is asked; None if it is not."""
    choice = seen.state.choice
    if choice is None or choice.player != seen.seat:
        return None
    data: dict[str, Any] = {
        "q": seen.state.count,
        "sort": choice.sort,
        "text": _text(seen, choice),
        "rule": choice.rule,
        "acts": _acts(seen, choice),
        "labels": [option.label for option in choice.options],
    }
    data |= _bounds(seen, choice)
    words = _words(seen, choice)
    return {**data, "words": words} if words else data


def _text(seen: Seen, choice: Choice) -> str:
    """The words of the question; what is offered in a phase is offered for what the phase is gone through."""
    game, state = seen.game, seen.state
    ask = game.code.asks[state.ask]
    if choice.sort == "offer" and not ask.prompt and ask.group == state.phase:
        return phase_now(game, state, seen.callings)
    return choice.prompt


def _bounds(seen: Seen, choice: Choice) -> dict[str, int]:
    """How many more may be chosen, if not all that are there, and how many must be."""
    state = seen.state
    ask = seen.game.code.asks[state.ask]
    if not ask.bounds or choice.sort == "order":
        return {}
    least, most = (seen.game.namespace[name](state, state.stack[-1]) for name in ask.bounds)
    things = sum(value != DONE for value in state.options)
    found = {"least": least} if least > 0 else {}
    return {**found, "most": most} if most < things or found else found


def option_number(seen: Seen, answer: int) -> int | None:
    """The number inside for the number of an answer; None if there is no such answer."""
    choice = seen.state.choice
    if choice is None or not 0 <= answer < len(choice.options):
        return None
    return choice.options[answer].index


def answers_naming(seen: Seen, thing: str) -> list[int]:
    """The numbers of the answers that name this thing and nothing else."""
    choice = seen.state.choice
    options = [] if choice is None else choice.options
    return [
        number
        for number, option in enumerate(options)
        if choice is not None and [called for _, called in _parts(seen, choice, option)[2]] == [thing]
    ]


def _acts(seen: Seen, choice: Choice) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, option in enumerate(choice.options):
        name, title, arguments = _parts(seen, choice, option)
        act = found.get(name)
        if act is None:
            act = found[name] = {"act": name, "title": title, "rule": option.rule, "tree": {}}
            if name == "done":
                # Whoever ends something while there is something left to do may have meant something else.
                act["ends"] = len(choice.options) > 1
            kinds = [kind for kind, _ in arguments]
            if kinds:
                act["takes"] = [kind.tag for kind in kinds]
        _add_starters(seen, option, act, arguments)
        if not arguments:
            act["tree"] = number
        elif isinstance(act["tree"], dict):
            _put(act["tree"], [called for _, called in arguments], number)
    return list(found.values())


def _add_starters(
    seen: Seen, option: Option, act: dict[str, Any], arguments: list[tuple[ir.Type, str]]
) -> None:
    """The pieces that do an act which does not name them, by the first thing that it names."""
    game, state = seen.game, seen.state
    value = state.options[option.index]
    function = game.namespace.get(identifier("started", act["act"]))
    if function is None or not arguments or not isinstance(value, tuple):
        return
    pieces = game.items(function(state, state.player, *value[1:]), ir.set_of(ir.PIECE))
    by = act.setdefault("by", {}).setdefault(arguments[0][1], [])
    by += [name for name in (seen.thing(piece) for piece in pieces if seen.knows(piece)) if name not in by]


def _parts(seen: Seen, choice: Choice, option: Option) -> tuple[str, str, list[tuple[ir.Type, str]]]:
    """The name and title of what an option does, and the types and names of what it does it with."""
    game, state = seen.game, seen.state
    value, ask = state.options[option.index], game.code.asks[state.ask]
    if choice.sort == "offer":
        if value == PASS:
            return "done", option.label, []
        action = game.program.actions[value[0]]
        kinds = [parameter.type for parameter in action.parameters]
        called = [(kind, seen.calling(item, kind)) for item, kind in zip(value[1:], kinds, strict=True)]
        return f"{action.name}", game.names.action_title(action), called
    if choice.sort == "menu":
        return f"case {value + 1}", option.label, []
    if value == DONE and choice.sort in ("one", "some", "order"):
        return "done", option.label, []
    return "choose", choice.prompt, [(ask.type, seen.calling(value, ask.type))]


def _put(tree: Tree, path: list[str], number: int) -> None:
    """Hangs an answer into a tree; of two with one name the second gets a number."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    last, count = path[-1], 1
    while last in tree:
        count += 1
        last = f"{path[-1]} #{count}"
    tree[last] = number


def _words(seen: Seen, choice: Choice) -> dict[str, str]:
    """How answers read that are no things on the table: values of enums, sets, yes and no, other pieces."""
    game, state = seen.game, seen.state
    ask = game.code.asks[state.ask]
    found: dict[str, str] = {}
    for option in choice.options:
        value = state.options[option.index]
        if choice.sort == "offer":
            parameters = game.program.actions[value[0]].parameters if value != PASS else ()
            typed = [(item, entry.type) for item, entry in zip(value[1:], parameters, strict=False)]
        else:
            typed = [] if choice.sort == "menu" or value == DONE else [(value, ask.type)]
        for item, kind in typed:
            if kind.tag not in ("piece", "space", "pile", "number"):
                found[seen.calling(item, kind)] = seen.words(item, kind)
            elif kind.tag == "piece" and item >= 0 and state.at[item] < 0:
                found[seen.calling(item, kind)] = seen.showing.called(item, seen.name(item))
    return found
