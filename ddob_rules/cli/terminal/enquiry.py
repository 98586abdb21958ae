"""From a question about a game to its answer: why things are so, why an action is refused, what a rule says.

Answers are those that one seat may have. Nothing here changes the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from ddob_rules.cli.answers import Refused, chosen, handles, none_of, not_among, numbered, words
from ddob_rules.cli.games import Opened
from ddob_rules.cli.output import harmless, in_colour, tell
from ddob_rules.cli.phrases import ALL_WORDS, NOT_WORDS, phrase
from ddob_rules.cli.terminal.board import (
    Drawing,
    every_piece_line,
    look_lines,
    piece_lines,
    thing_lines,
    things_on,
)
from ddob_rules.cli.terminal.focus import on_grid, piece_of_last_act, reach_of, spaces_of
from ddob_rules.cli.terminal.orders import Orders
from ddob_rules.cli.terminal.preview import would_do
from ddob_rules.cli.terminal.story import Story, entries_since, place_of
from ddob_rules.reports.spelling import did_you_mean
from interpreter.ir import Type
from interpreter.machine.choice import Choice, Option
from interpreter.machine.state import State
from interpreter.table.asking import asked_next, not_offered, refusal, why_not
from interpreter.table.looking import piece_look, space_look
from interpreter.table.seen import Seen
from interpreter.table.typed import (
    ASKED_BACK,
    PART,
    SAME,
    Meaning,
    NotUnderstood,
    Play,
    Select,
    WhyNot,
    fitting,
    like,
    understood,
)
from interpreter.telling.sentences import sentence
from interpreter.telling.showing import Showing
from interpreter.telling.story import Discretion
from interpreter.telling.views import BYSTANDER

# One for each attribute of a thing that refers to spaces.
_SIGNS = "*+-@%&"
# What more options would do nobody reads at once.
_MOST_TRIED = 20
# So many rules are listed that have a word in their titles.
_MOST_RULES = 15


@dataclass(frozen=True, slots=True)
class Begun:
    """An action that a line begins with, what it asks then, and what the rest of the line says to that."""

    option: Option
    unnamed: bool  # the line names the act alone, and not who does it
    after: State
    asked: Choice
    rest: list[str]
    answer: Meaning


def meant(words: list[str], there: Orders) -> Meaning:
    """What words mean as an answer to what is asked somewhere."""
    return understood(there.question, there.names, there.known(), " ".join(words))


@dataclass(frozen=True, slots=True)
class Enquiry:
    """One seat, asking about one position."""

    opened: Opened
    state: State
    seat: str | None
    language: str
    orders: Callable[[State], Orders]  # what a position asks, as it is typed
    place_names: Mapping[str, str] = field(init=False)  # what spaces are called on the map

    def __post_init__(self) -> None:
        object.__setattr__(self, "place_names", Seen(self.state, self.seat or BYSTANDER).place_names)

    def pieces(self, everything: bool) -> None:
        """What lies where; if asked, or where rules do not say how things look, all that is seen of each."""
        game = self.opened.game
        view, showing = game.view(self.state, self.seat), Showing(game, self.state, self.seat)
        if everything or not showing.kinds:
            lines = every_piece_line(game, view, self.language)
        else:
            lines = piece_lines(Drawing(game, view, language=self.language, showing=showing))
        tell("\n".join(lines))

    def example(self) -> str:
        """An action, as it is asked about."""
        game = self.opened.game
        group = game.code.asks[self.state.ask].group if self.state.ask >= 0 else ""
        actions = sorted(game.program.actions, key=lambda action: group not in action.groups)
        if not actions:
            return "ACTION"
        kinds = (game.names.type_title(parameter.type) for parameter in actions[0].parameters)
        return " ".join([game.names.action_title(actions[0]).lower(), *(kind.upper() for kind in kinds)])

    def _say(self, text: str) -> None:
        tell(harmless(text))

    def why(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        if not rest:
            self._why_asked()
        elif first.casefold() in NOT_WORDS:
            self._why_not(more)
        else:
            self._history(rest)

    def _why_asked(self) -> None:
        choice = self.state.choice
        if choice is None:
            raise Refused(phrase(self.language, "finished"))
        title = self._rule_title(choice.rule)
        place = place_of(choice.site)
        self._say(phrase(self.language, "asked by", rule=choice.rule, title=title, place=place))

    def _history(self, name: str) -> None:
        thing = self._visible(name)
        discretion = Discretion(self.opened.game, self.state, self.seat)
        seats = (self.seat,) if self.seat is not None else None
        history = self.opened.game.history(self.state, thing, seats)
        found = [(entry, discretion.text(entry)) for entry in history]
        lines = [
            f"{text} [{entry.rule}]  {place_of(entry.site)}" if entry.site is not None else text
            for entry, text in found
            if text
        ]
        for line in lines or [phrase(self.language, "no history", name=self._title(thing))]:
            self._say(line)

    def _title(self, thing: str) -> str:
        game, names = self.opened.game, self.opened.game.names
        if thing in game.place_number:
            return names.place_title(thing)
        if any(variable.name == thing for variable in game.program.variables):
            return names.variable_title(thing)
        for enum, values in game.enums.items():
            if thing in values.values and thing not in game.piece_number:
                return names.shown_id(thing, Type("enum", (enum,)))
        return names.title_of_key(thing)

    def thing(self, name: str, placed: bool = False) -> str:
        """The thing of this name that the seat can see; with `placed`, one that is a space or lies on one."""
        return self._visible(name, placed)

    def _visible(self, name: str, placed: bool = False) -> str:
        """The thing of this name that the seat can see; a part of the name will do if it fits one thing."""
        alike = self._found(name, placed)
        if len(alike) > 1:
            raise Refused(self._several(name, alike))
        if alike:
            return alike[0]
        known = self._known(placed, told=True)
        best, fit = fitting(name, known, self._names)
        if best >= PART and len(fit) == 1:
            return fit[0]
        if best >= PART:
            raise Refused(self._several(name, fit[:ASKED_BACK]))
        advice = did_you_mean(name, map(self._title, known), self.language)
        told = phrase(self.language, "no thing", name=name[:200])
        raise Refused(f"{told}; {advice}" if advice else told)

    def _several(self, name: str, things: list[str]) -> str:
        """Asks back; things that have the same name are told with what each goes by in the rules."""
        titles = [self._named(thing) for thing in things]
        told = [
            phrase(self.language, "goes by", name=title, ident=thing) if titles.count(title) > 1 else title
            for title, thing in zip(titles, things, strict=True)
        ]
        return phrase(self.language, "several fit", word=name[:200], names=", ".join(dict.fromkeys(told)))

    def _named(self, thing: str) -> str:
        """The title of a thing, of a space with its name on the map."""
        return " ".join(dict.fromkeys(self._names(thing).split("\n")))

    def _names(self, thing: str) -> str:
        """All that a thing may be called, one name a line."""
        return "\n".join(filter(None, (self._title(thing), self.place_names.get(thing, ""))))

    def _found(self, name: str, placed: bool = False) -> list[str]:
        """What is called exactly so: what goes by it in the rules, else all that have the name."""
        known, wanted = self._known(placed), name.casefold()
        for thing in known:
            if thing.casefold() == wanted:
                return [thing]
        alike = self._alike(name, placed)
        key = self._key(name)
        if key in known and key not in alike:
            alike = [key, *alike]
        # Copies of a card have one name: any of them will do.
        return alike[:1] if len({self._title(thing) for thing in alike}) == 1 else alike

    def _alike(self, name: str, placed: bool = False) -> list[str]:
        """All that have a name, or are called so on the map."""
        wanted = name.casefold()
        return [one for one in self._known(placed) if wanted in self._names(one).casefold().split("\n")]

    def _known(self, placed: bool = False, told: bool = False) -> list[str]:
        """Whatever the seat can see and ask about; what is `told` is no bookkeeping."""
        view = self.opened.game.view(self.state, self.seat)
        if placed:
            pieces = [name for name, values in view["pieces"].items() if values["at"] in view["spaces"]]
            return [*pieces, *view["spaces"]]
        program = self.opened.game.program
        kinds = {kind.name for kind in program.kinds if kind.untold}
        untold = kinds | {one.name for one in program.variables if one.untold} if told else set()
        counted_things = [str(value) for values in view["each"].values() for value in values]
        counts = [name for name in (*view["piles"], *view["variables"]) if name.split("(")[0] not in untold]
        return [*view["pieces"], *view["spaces"], *counts, *counted_things]

    def _key(self, name: str) -> str:
        """What a thing goes by in the seat's view, from what somebody types."""
        game = self.opened.game
        callings = game.callings(self.state, self.seat) if self.seat is not None else None
        piece = callings.piece(name) if callings is not None else None
        return game.names.ident(name) if callings is None or piece is None else callings.key(piece)

    def look(self, rest: str) -> None:
        """What a player wants to know of a thing; with `all` behind its name, whatever can be seen of it."""
        first, _, last = rest.rpartition(" ")
        whole = bool(first) and last.casefold() in ALL_WORDS and not self._found(rest)
        view = self.opened.game.view(self.state, self.seat)
        thing = self._in_play(first.strip() if whole else rest, view)
        lines = thing_lines(self.opened.game, view, thing) if whole else self._look_lines(view, thing)
        for line in lines:
            self._say(line)
        others = [self._named(one) for one in self._alike(rest) if one != thing]
        if others and not whole:
            self._say(phrase(self.language, "called alike", names=", ".join(others)))

    def _in_play(self, name: str, view: Mapping[str, Any]) -> str:
        """The thing of this name; not one that lies nowhere if another is called so, too."""
        thing = self._visible(name)
        if thing in view["pieces"] and view["pieces"][thing]["at"] in (None, "nothing"):
            others = [one for one in self._alike(name, placed=True) if one != thing]
            return others[0] if len(others) == 1 else thing
        return thing

    def _look_lines(self, view: Mapping[str, Any], thing: str) -> list[str]:
        game, seen = self.opened.game, Seen(self.state.copy(), self.seat or BYSTANDER)
        if thing in view["pieces"]:
            look = piece_look(seen, seen.showing.number(thing))
        elif thing in view["spaces"]:
            look = space_look(seen, game.place_number[thing])
        else:
            return thing_lines(game, view, thing)
        return look_lines(look, things_on(game, view, thing), self.language)

    def show(self, name: str, width: int) -> None:
        """The board with the spaces that a thing refers to, a sign for each attribute; else with those
        where it could go, or with where it is.
        """
        game = self.opened.game
        view = game.view(self.state, self.seat)
        thing = self._to_show(name)
        found, spaces = reach_of(game, view, thing)
        signs = dict(zip(spaces, cycle(_SIGNS), strict=False))
        marks = {space: signs[attribute] for attribute, each in spaces.items() for space in each}
        legend = ", ".join(f"{sign} {game.names.attribute_title(name)}" for name, sign in signs.items())
        if not spaces:
            marks = dict.fromkeys(self._open_to(thing), _SIGNS[0])
            legend = phrase(self.language, "may go", sign=_SIGNS[0])
            if not marks:
                piece = thing in view["pieces"]
                told = phrase(
                    self.language, "may go nowhere" if piece else "reaches nothing", name=self._title(thing)
                )
                place = str(view["pieces"][thing]["at"]) if piece else thing
                if not on_grid(game, view, [place]):
                    raise Refused(told)
                marks = {place: _SIGNS[0]}
                where = phrase(self.language, "is here", sign=_SIGNS[0])
                legend = "; ".join([where, told] if piece else [where])
        showing = Showing(game, self.state, self.seat)
        drawing = Drawing(
            game, view, width, in_colour(), self.language, showing,
            about=frozenset((*marks, *self._places_of(thing))), marks=marks,
        )  # fmt: skip
        for grid in game.scenario.grids:
            for line in drawing.grid(grid):
                tell(line, painted=in_colour())
        named = self._title(found)
        self._say(phrase(self.language, "reaches", name=named, legend=legend))

    def _to_show(self, name: str) -> str:
        """What is to be shown: of things with one name, one that is a space or lies on one."""
        try:
            return self._visible(name, placed=True)
        except Refused:
            return self._visible(name)

    def _places_of(self, thing: str) -> list[str]:
        """The space of a piece."""
        pieces = self.opened.game.view(self.state, self.seat)["pieces"]
        return [str(pieces[thing]["at"])] if thing in pieces else []

    def _open_to(self, piece: str) -> list[str]:
        """The spaces of a board that can be chosen now with a piece, or when it has begun to act."""
        choice = self.state.choice
        if choice is None or choice.player != self.seat:
            return []
        if choice.sort != "offer":
            acts = piece_of_last_act(self.opened.game, self.state, self.seat)
            return spaces_of(self.opened.game, choice) if acts == piece else []
        found: list[str] = []
        for option in choice.options:
            if piece not in map(str, option.arguments):
                continue
            here = spaces_of(self.opened.game, choice, [option])
            after = None if here else asked_next(Seen(self.state.copy(), self.seat or ""), option.index)
            asked = after.choice if after is not None else None
            if asked is not None and asked.player == self.seat and asked.sort != "offer":
                here = spaces_of(self.opened.game, asked)
            found += here
        return list(dict.fromkeys(found))

    def try_out(self, number: str) -> None:
        """What an option would do at once; without a number, what each of them would do."""
        choice = self.state.choice
        if choice is None:
            raise Refused(phrase(self.language, "finished"))
        count = len(choice)
        one = numbered(choice, number) if number else None
        if number and one is None:
            wrong = "no option" if number.isdigit() and len(number) < 10 else "not a number"
            raise Refused(phrase(self.language, wrong, number=number, word=number[:40], count=count))
        if one is None and count > _MOST_TRIED:
            raise Refused(phrase(self.language, "too many to try", count=count))
        for option in [one] if one is not None else choice.options:
            self._say(f"{handles(choice)[option.index]}) {option.label}")
            for line in would_do(self.opened.game, self.state, self.seat, option.index, self.language):
                self._say(f"     {line}")

    # ------------------------------------------------------------ why not

    def _why_not(self, rest: str) -> None:
        named = words(rest)
        if not named:
            what = phrase(self.language, "an action", example=self.example())
            raise Refused(phrase(self.language, "needs", command=phrase(self.language, "why not"), what=what))
        choice = self.state.choice
        if choice is not None and choice.sort != "offer" and choice.player == self.seat:
            answer = chosen(choice, named[-1]) or self._answer(self.state, named)
            self._say(phrase(self.language, "allowed") if answer else self.no_answer(choice, named))
            return
        titles = self._act_titles()
        action, typed = self._action(named, titles)
        if action not in titles and self._told_of_things(named):
            return
        if action not in titles:
            told = str(self.state.why_not(action, player=self.seat))
            advice = did_you_mean(action, [title.lower() for title in titles.values()], self.language)
            self._say("; ".join(filter(None, (told, advice))))
            return
        action, things, later = self._meant_with(action, named[: len(named) - len(typed)], typed)
        discretion = Discretion(self.opened.game, self.state, self.seat)
        for thing in things:
            # Whether something face down is seen or not is no more to be told than which it is.
            number = self.opened.game.piece_number.get(self._key(thing), -1)
            if not self._may_be_face_down(thing) and not discretion.sees_piece(number):
                raise Refused(phrase(self.language, "not seen", name=thing))
        told = refusal(Seen(self.state.copy(), self.seat or ""), action, things)
        self._say(told or self._possible(action, things, later))

    def _act_titles(self) -> dict[str, str]:
        """What actions are called, by their names in the rules."""
        game = self.opened.game
        return {action.name: game.names.action_title(action) for action in game.program.actions}

    def acts(self) -> list[str]:
        """What actions are called, as one types it."""
        return [title.lower() for title in self._act_titles().values()]

    def told_of_act(self, line: str) -> bool:
        """Why an action with which a line begins is not on offer; false if it begins with none."""
        named = words(line)
        begins = [
            name
            for name, title in self._act_titles().items()
            if named
            and any(like(" ".join(named[:count]), title) == SAME for count in range(1, len(named) + 1))
        ]
        choice = self.state.choice
        if not begins or any(option.action in begins for option in (choice.options if choice else ())):
            return False
        if " ".join(named).casefold() in self.acts():
            self._say(self._only_in(begins))
        else:
            self._why_not(line)
        return True

    def _told_of_things(self, named: list[str]) -> bool:
        """Whether things could do something now that were named without it, or why not; false if there are no
        such things."""
        begun = self.begun(named)
        if begun is not None and not isinstance(begun.answer, NotUnderstood):
            done = isinstance(begun.answer, Play | Select)
            told = "" if done else self.no_answer(begun.asked, begun.rest, begun.after)
            self._say(told or phrase(self.language, "allowed"))
            return True
        match meant(named, self.orders(self.state)):
            case Play() | Select():
                self._say(phrase(self.language, "allowed"))
            case WhyNot(things, act):
                for line in self.reasons(list(things), act) or [phrase(self.language, "no reason")]:
                    self._say(line)
            case _:
                return False
        return True

    def reasons(self, things: list[str], act: str) -> list[str]:
        """Why actions with these things are refused; those that are refused alike in one line."""
        found = why_not(Seen(self.state.copy(), self.seat or ""), things, act)
        titles: dict[tuple[str, str], list[str]] = {}
        for one in found:
            titles.setdefault((one.text, one.rule), []).append(one.title)
        return [
            phrase(
                self.language,
                "reason" if any(acts) else "bare reason",
                title=", ".join(dict.fromkeys(acts)),
                text=text,
                rule=rule,
            )
            for (text, rule), acts in titles.items()
        ]

    def begun(self, named: list[str]) -> Begun | None:
        """The action that the first words are, as many of them as can be, if it is sure what it asks then."""
        choice, orders = self.state.choice, self.orders(self.state)
        if choice is None or choice.sort != "offer" or choice.player != self.seat:
            return None
        for count in range(len(named) - 1, 0, -1):
            first = meant(named[:count], orders)
            if not isinstance(first, Play):
                continue
            option = choice.options[first.o]
            after = asked_next(Seen(self.state.copy(), self.seat or ""), option.index)
            asked = after.choice if after is not None else None
            if after is None or asked is None or asked.player != self.seat:
                return None
            title = self._act_titles().get(option.action or "", "")
            unnamed = like(" ".join(named[:count]), title) >= PART
            return Begun(
                option, unnamed, after, asked, named[count:], meant(named[count:], self.orders(after))
            )
        return None

    def _possible(self, action: str, things: list[str], later: list[str]) -> str:
        """Of an action that can be taken: whether what it asks then can be answered so."""
        if not later:
            return phrase(self.language, "allowed")
        unsure = phrase(self.language, "asked later", words=" ".join(later))
        choice, keys = self.state.choice, [self._key(thing) for thing in things]
        for option in choice.options if choice is not None else ():
            if option.action != action or [str(one) for one in option.arguments] not in (things, keys):
                continue
            after = asked_next(Seen(self.state.copy(), self.seat or ""), option.index)
            asked = after.choice if after is not None else None
            if after is None or asked is None or asked.player != self.seat or asked.sort == "offer":
                return unsure
            if chosen(asked, " ".join(later)) or self._answer(after, later):
                return phrase(self.language, "allowed")
            word, place = " ".join(later), self._place(later)
            told = self._reason(after, later)
            return told or not_among(word, asked, self.language, self.opened.game, place)
        return unsure

    def _answer(self, state: State, named: list[str]) -> bool:
        """Whether what was named is an answer to a question."""
        orders = self.orders(state)
        return isinstance(
            understood(orders.question, orders.names, orders.known(), " ".join(named)), Play | Select
        )

    def no_answer(self, choice: Choice, named: list[str], state: State | None = None) -> str:
        """Why what was named is no answer to a question of now, or of a state that is looked at."""
        told = self._reason(state or self.state, named)
        return told or none_of(choice, self.language, self.opened.game, self._place(named))

    def _place(self, named: list[str]) -> str:
        """The space that the last words name, or that of a piece; nothing if they name none."""
        for start in range(len(named)):
            try:
                thing = self._visible(" ".join(named[start:]), placed=True)
            except Refused:
                continue
            pieces = self.opened.game.view(self.state, self.seat)["pieces"]
            return str(pieces[thing]["at"]) if thing in pieces else thing
        return ""

    def _reason(self, state: State, named: list[str]) -> str:
        """What the rules say of why a question does not offer what was named; nothing if they say nothing."""
        seen = Seen(state.copy(), self.seat or BYSTANDER)
        found = not_offered(seen, [self._thing_of(seen, name) for name in (" ".join(named), named[-1])])
        return phrase(self.language, "bare reason", text=found.text, rule=found.rule) if found else ""

    def _thing_of(self, seen: Seen, name: str) -> str:
        """What a thing is called on its way to the seat, from a name that somebody types, or a part of it."""
        try:
            known = self._visible(name)
        except Refused:
            return name  # somebody may know the id of a piece, and must not learn from it where that is
        piece = seen.callings.piece(known) if seen.callings is not None else seen.game.piece_number.get(known)
        return seen.thing(piece) if piece is not None else known

    def _action(self, named: list[str], titles: dict[str, str]) -> tuple[str, list[str]]:
        """The action that the first words name, by its name or title or a part of it, and the words left."""
        for count in range(len(named), 0, -1):
            wanted = " ".join(named[:count]).casefold()
            for name in titles:
                if wanted == name.casefold():
                    return name, named[count:]
            alike = [name for name, title in titles.items() if wanted == title.casefold()]
            if alike:
                return self._meant_now(alike), named[count:]
        for count in range(len(named), 0, -1):
            word = " ".join(named[:count])
            best, fit = fitting(word, list(dict.fromkeys(titles.values())), str)
            if best >= PART and len(fit) == 1:
                return self._meant_now([name for name in titles if titles[name] == fit[0]]), named[count:]
            if best >= PART:
                raise Refused(phrase(self.language, "several fit", word=word[:200], names=", ".join(fit)))
        return named[0], named[1:]

    def _meant_now(self, alike: list[str]) -> str:
        """Of actions with the same title the one that can be taken in the phase one is in."""
        if len(alike) == 1:
            return alike[0]
        game, ask = self.opened.game, self.state.ask
        group = game.code.asks[ask].group if ask >= 0 else ""
        for action in game.program.actions:
            if action.name in alike and group in action.groups:
                return action.name
        raise Refused(self._only_in(alike))

    def _only_in(self, names: list[str]) -> str:
        """In which phases actions can be taken."""
        game = self.opened.game
        groups = [group for action in game.program.actions if action.name in names for group in action.groups]
        phases = ", ".join(dict.fromkeys(map(game.names.phase_title, groups)))
        return game.names.text("not now").format(phases=phases)

    def _may_be_face_down(self, name: str) -> bool:
        number = self.opened.game.piece_number.get(self.opened.game.names.ident(name), -1)
        return number >= 0 and self.opened.game.piece_kind[number] in self.opened.game.faced

    def _meant_with(
        self, action: str, title: list[str], typed: list[str]
    ) -> tuple[str, list[str], list[str]]:
        """An action with its things; another one with such a title if that one takes what was typed."""
        names = [name for name, of in self._act_titles().items() if like(" ".join(title), of) >= PART]
        for name in (action, *names):
            found = self._things(name, typed)
            if found is not None:
                return name, *found
        return action, typed, []

    def _things(self, action: str, typed: list[str]) -> tuple[list[str], list[str]] | None:
        """The things that an action is of; some have names of several words. And words that are left over.

        Where a piece goes, say, may be asked for when its move has begun. None if it takes no such things.
        """
        found = next((one for one in self.opened.game.program.actions if one.name == action), None)
        if found is None:
            return None
        kinds = [parameter.type for parameter in found.parameters]
        for called in (self._exactly, self._partly):
            for count in range(len(typed), len(kinds) - 1, -1):
                for things in self._divided(typed[:count], kinds, called):
                    return things, typed[count:]
        return None

    def _divided(
        self, typed: list[str], kinds: list[Type], called: Callable[[str, Type], str | None]
    ) -> Iterator[list[str]]:
        """Every way to read the words as one thing for each type."""
        if not kinds:
            yield from [] if typed else [[]]
            return
        for count in range(1, len(typed) - len(kinds) + 2):
            thing = called(" ".join(typed[:count]), kinds[0])
            if thing is not None:
                for rest in self._divided(typed[count:], kinds[1:], called):
                    yield [thing, *rest]

    def _exactly(self, name: str, kind: Type) -> str | None:
        """What the seat calls so, if it is of this type."""
        game = self.opened.game
        callings = game.callings(self.state, self.seat) if self.seat is not None else None
        if callings is not None and kind.tag == "piece":
            number = callings.piece(name)
        else:
            number = game.names.number_of(name, kind)
        if kind.tag == "piece" and number is not None and kind.names:
            return name if game.piece_kind[number] in kind.names else None
        return name if number is not None else None

    def _partly(self, name: str, kind: Type) -> str | None:
        """The one thing of this type that the seat can see with such a part in its name."""
        game, view = self.opened.game, self.opened.game.view(self.state, self.seat)
        if kind.tag == "piece":
            kinds = {each: values["kind"] for each, values in view["pieces"].items()}
            known = [each for each in kinds if not kind.names or kinds[each] in kind.names]
        elif kind.tag == "space":
            of = {space.id: space.kind for space in game.spaces}
            known = [each for each in view["spaces"] if not kind.names or of.get(each) in kind.names]
        else:
            known = [*game.enums[kind.names[0]].values] if kind.tag == "enum" else []
        best, fit = fitting(name, known, self._names)
        if best >= PART and len(fit) > 1:
            raise Refused(self._several(name, fit[:ASKED_BACK]))
        return fit[0] if best >= PART else None

    def _rule_title(self, number: str) -> str:
        rule = next((rule for rule in self.opened.game.program.rules if rule.id == number), None)
        return self.opened.game.names.title(f"rule {number}", rule.title) if rule is not None else ""

    def rule(self, number: str) -> None:
        """One rule by its number, and `all` of it as it is written; by words, those with such titles."""
        rules = {rule.id: rule for rule in self.opened.game.program.rules}
        first, _, last = number.rpartition(" ")
        if first in rules and last.casefold() in ALL_WORDS:
            self._rule_as_written(first)
            return
        rule = rules.get(number)
        if rule is None:
            titles = {ident: self._rule_title(ident) for ident in rules}
            wanted = number.casefold().split()
            found = [one for one in titles if all(word in titles[one].casefold() for word in wanted)]
            if len(found) != 1:
                self._rules(number, found, titles)
                return
            rule = rules[found[0]]
        names = self.opened.game.names
        place = f"{rule.file}:{rule.line}"
        title = names.title(f"rule {rule.id}", rule.title)
        self._say(phrase(self.language, "rule place", rule=rule.id, title=title, place=place))
        program = self.opened.game.program
        text = sentence(names.title(f"rule {rule.id} text", rule.text), program, program.language)
        if text:
            self._say(f"  {text}")
        if self._has_tables(rule.id):
            self._say(phrase(self.language, "rule more", rule=rule.id))

    def _has_tables(self, rule: str) -> bool:
        """Whether a rule has tables or charts: its sentence only says what they are for."""
        program = self.opened.game.program
        charts = [one for kind in program.kinds if kind.owner == "enum" for one in kind.attributes]
        sites = [table.site for table in program.tables] + [one.site for one in charts if one.constants]
        return any(site.rule == rule for site in sites)

    def _rule_as_written(self, number: str) -> None:
        """A rule with its mechanism, and with the rules that amend it."""
        # The rules are read again for it: whoever plays without asking does not wait for that.
        from ddob_rules.cli.rulebook import rule_lines

        checked = self.opened.loaded.checked
        block = checked.merged.rules.get(number) if checked is not None else None
        if checked is None or block is None:
            raise Refused(phrase(self.language, "no rule", rule=number))
        for line in rule_lines(checked.merged, block, self.language):
            tell(line)

    def _rules(self, word: str, found: list[str], titles: Mapping[str, str]) -> None:
        if not found:
            told = phrase(self.language, "no rule", rule=word[:40])
            advice = did_you_mean(word, titles, self.language)
            raise Refused(f"{told}; {advice}" if advice else told)
        for ident in found[:_MOST_RULES]:
            self._say(phrase(self.language, "rule title", rule=ident, title=titles[ident]))
        if len(found) > _MOST_RULES:
            self._say(phrase(self.language, "more rules", count=len(found) - _MOST_RULES))

    def log(self, count: int) -> None:
        story = Story(self.opened.game, self.language)
        lines = list(story.lines(entries_since(self.state, 0, self.seat), self.state, self.seat))
        for line in lines[-count:] or [phrase(self.language, "no log")]:
            tell(line)
