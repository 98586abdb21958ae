"""From a question about a game to its answer: why things are so, why an action is refused, what a rule says.

Answers are those that one seat may have. Nothing here changes the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from ddob_rules.cli.answers import Refused, chosen, handles, none_of, numbered, words
from ddob_rules.cli.board import Drawing, look_lines, piece_lines, thing_lines, things_on
from ddob_rules.cli.focus import reach_of
from ddob_rules.cli.games import Opened
from ddob_rules.cli.output import harmless, in_colour, tell
from ddob_rules.cli.phrases import ALL_WORDS, NOT_WORDS, phrase
from ddob_rules.cli.preview import would_do
from ddob_rules.cli.story import Story, entries_since, place_of
from ddob_rules.reports.spelling import did_you_mean
from interpreter.ir import Type
from interpreter.machine.choice import Choice
from interpreter.machine.state import State
from interpreter.table.asking import asked_next, not_offered
from interpreter.table.looking import piece_look, space_look
from interpreter.table.seen import Seen
from interpreter.table.typed import ASKED_BACK, PART, fitting
from interpreter.telling.sentences import sentence
from interpreter.telling.showing import Showing
from interpreter.telling.story import Discretion
from interpreter.telling.views import BYSTANDER

# One for each attribute of a thing that refers to spaces.
_SIGNS = "*+-@%&"
# What more options would do nobody reads at once.
_MOST_TRIED = 20


@dataclass(frozen=True, slots=True)
class Enquiry:
    """One seat, asking about one position."""

    opened: Opened
    state: State
    seat: str | None
    language: str

    def pieces(self) -> None:
        view = self.opened.game.view(self.state, self.seat)
        tell("\n".join(piece_lines(self.opened.game, view, self.language)))

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
        return names.title_of_key(thing)

    def thing(self, name: str) -> str:
        """The thing of this name that the seat can see."""
        return self._visible(name)

    def _visible(self, name: str) -> str:
        """The thing of this name that the seat can see; a part of the name will do if it fits one thing."""
        found = self._found(name)
        if found is not None:
            return found
        known = self._known()
        best, fit = fitting(name, known, self._title)
        titles = list(dict.fromkeys(map(self._title, fit)))
        if best >= PART and len(fit) == 1:
            return fit[0]
        if best >= PART:
            told = ", ".join(titles[:ASKED_BACK])
            raise Refused(phrase(self.language, "several fit", word=name[:200], names=told))
        advice = did_you_mean(name, map(self._title, known), self.language)
        told = phrase(self.language, "no thing", name=name[:200])
        raise Refused(f"{told}; {advice}" if advice else told)

    def _found(self, name: str) -> str | None:
        """What goes by exactly this name, or has it in the seat's view."""
        known = self._known()
        for wanted, title_of in ((self._key(name), str), (name, self._title)):
            for thing in known:
                if title_of(thing).casefold() == wanted.casefold():
                    return thing
        return None

    def _known(self) -> list[str]:
        """Whatever the seat can see and ask about."""
        view = self.opened.game.view(self.state, self.seat)
        counted_things = [str(value) for values in view["each"].values() for value in values]
        return [*view["pieces"], *view["spaces"], *view["piles"], *view["variables"], *counted_things]

    def _key(self, name: str) -> str:
        """What a thing goes by in the seat's view, from what somebody types."""
        game = self.opened.game
        callings = game.callings(self.state, self.seat) if self.seat is not None else None
        piece = callings.piece(name) if callings is not None else None
        return game.names.ident(name) if callings is None or piece is None else callings.key(piece)

    def look(self, rest: str) -> None:
        """What a player wants to know of a thing; with `all` behind its name, whatever can be seen of it."""
        first, _, last = rest.rpartition(" ")
        whole = bool(first) and last.casefold() in ALL_WORDS and self._found(rest) is None
        thing = self._visible(first.strip() if whole else rest)
        view = self.opened.game.view(self.state, self.seat)
        lines = thing_lines(self.opened.game, view, thing) if whole else self._look_lines(view, thing)
        for line in lines:
            self._say(line)

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
        """The board with the spaces that a thing refers to, a sign for each of its attributes."""
        game = self.opened.game
        view = game.view(self.state, self.seat)
        found, spaces = reach_of(game, view, self._visible(name))
        if not spaces:
            raise Refused(phrase(self.language, "reaches nothing", name=name))
        signs = dict(zip(spaces, cycle(_SIGNS), strict=False))
        marks = {space: signs[attribute] for attribute, each in spaces.items() for space in each}
        legend = ", ".join(f"{sign} {game.names.attribute_title(name)}" for name, sign in signs.items())
        showing = Showing(game, self.state, self.seat)
        drawing = Drawing(
            game, view, width, in_colour(), self.language, showing, about=frozenset(marks), marks=marks
        )
        for grid in game.scenario.grids:
            for line in drawing.grid(grid):
                tell(line, painted=in_colour())
        self._say(phrase(self.language, "reaches", name=game.names.place_title(found), legend=legend))

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

    def _why_not(self, rest: str) -> None:
        named = words(rest)
        if not named:
            what = phrase(self.language, "an action", example=self.example())
            raise Refused(phrase(self.language, "needs", command="why not", what=what))
        choice = self.state.choice
        if choice is not None and choice.sort != "offer" and choice.player == self.seat:
            answer = chosen(choice, named[-1]) or chosen(choice, rest)
            self._say(phrase(self.language, "allowed") if answer else self._not_offered(choice, named))
            return
        actions = self.opened.game.program.actions
        titles = {action.name: self.opened.game.names.action_title(action) for action in actions}
        action, typed = self._action(named, titles)
        things, later = self._things(action, typed)
        discretion = Discretion(self.opened.game, self.state, self.seat)
        for thing in things:
            # Whether something face down is seen or not is no more to be told than which it is.
            number = self.opened.game.piece_number.get(self._key(thing), -1)
            if not self._may_be_face_down(thing) and not discretion.sees_piece(number):
                raise Refused(phrase(self.language, "not seen", name=thing))
        refusal = self.state.why_not(action, *things, player=self.seat)
        told = str(refusal) if refusal is not None else phrase(self.language, "allowed")
        if refusal is None and later:
            told = self._asked_then(action, things, later)
        if action not in titles:
            told = "; ".join(filter(None, (told, did_you_mean(action, titles, self.language))))
        self._say(told)

    def _not_offered(self, choice: Choice, named: list[str]) -> str:
        """Why a question does not offer what was named, or that it is none of the answers."""
        seen = Seen(self.state.copy(), self.seat or BYSTANDER)
        things = [self._thing_of(seen, name) for name in (" ".join(named), named[-1])]
        found = not_offered(seen, things)
        if found is None:
            return none_of(choice, self.language)
        return phrase(self.language, "bare reason", text=found.text, rule=found.rule)

    def _asked_then(self, action: str, things: list[str], later: list[str]) -> str:
        """Why what follows an action in the same line is no answer to what is asked then."""
        choice, keys = self.state.choice, [self._key(thing) for thing in things]
        begun = [
            option
            for option in (choice.options if choice is not None and choice.player == self.seat else ())
            if option.action == action and list(map(str, option.arguments)) == keys
        ]
        after = asked_next(Seen(self.state.copy(), self.seat or BYSTANDER), begun[0].index) if begun else None
        asked = after.choice if after is not None else None
        if after is None or asked is None or asked.sort == "offer" or asked.player != self.seat:
            return phrase(self.language, "asked later", words=" ".join(later))
        if chosen(asked, " ".join(later)) is not None:
            return phrase(self.language, "allowed")
        return replace(self, state=after)._not_offered(asked, later)

    def _thing_of(self, seen: Seen, name: str) -> str:
        """What a thing is called on its way to the seat, from a name that somebody types, or a part of it."""
        known = self._found(name)
        if known is None:
            best, fit = fitting(name, self._known(), self._title)
            known = fit[0] if best >= PART and len(fit) == 1 else name
        piece = seen.callings.piece(known) if seen.callings is not None else seen.game.piece_number.get(known)
        return seen.thing(piece) if piece is not None else known

    def _action(self, named: list[str], titles: dict[str, str]) -> tuple[str, list[str]]:
        """The action that the first words name, by its name or title, and the words that are left."""
        for count in range(len(named), 0, -1):
            wanted = " ".join(named[:count]).casefold()
            for name in titles:
                if wanted == name.casefold():
                    return name, named[count:]
            alike = [name for name, title in titles.items() if wanted == title.casefold()]
            if alike:
                return self._meant_now(alike), named[count:]
        return named[0], named[1:]

    def _meant_now(self, alike: list[str]) -> str:
        """Of actions with the same title the one that can be taken in the phase one is in."""
        if len(alike) == 1:
            return alike[0]
        game, ask = self.opened.game, self.state.ask
        actions = [action for action in game.program.actions if action.name in alike]
        group = game.code.asks[ask].group if ask >= 0 else ""
        for action in actions:
            if group in action.groups:
                return action.name
        groups = dict.fromkeys(game.names.phase_title(group) for action in actions for group in action.groups)
        raise Refused(game.names.text("not now").format(phases=", ".join(groups)))

    def _may_be_face_down(self, name: str) -> bool:
        number = self.opened.game.piece_number.get(self.opened.game.names.ident(name), -1)
        return number >= 0 and self.opened.game.piece_kind[number] in self.opened.game.faced

    def _things(self, action: str, typed: list[str]) -> tuple[list[str], list[str]]:
        """The things that an action is of; some have names of several words. And words that are left over.

        Where a piece goes, say, may be asked for when its move has begun.
        """
        found = next((one for one in self.opened.game.program.actions if one.name == action), None)
        if found is None or len(typed) <= len(found.parameters):
            return typed, []
        kinds = [parameter.type for parameter in found.parameters]
        for count in range(len(typed), len(kinds) - 1, -1):
            for things in self._divided(typed[:count], kinds):
                return things, typed[count:]
        return typed, []

    def _divided(self, typed: list[str], kinds: list[Type]) -> Iterator[list[str]]:
        """Every way to read the words as one thing for each type."""
        if not kinds:
            yield from [] if typed else [[]]
            return
        for count in range(1, len(typed) - len(kinds) + 2):
            name = " ".join(typed[:count])
            if self._is(name, kinds[0]):
                for rest in self._divided(typed[count:], kinds[1:]):
                    yield [name, *rest]

    def _is(self, name: str, kind: Type) -> bool:
        """Whether the seat calls something of this type so."""
        game = self.opened.game
        callings = game.callings(self.state, self.seat) if self.seat is not None else None
        if callings is not None and kind.tag == "piece":
            return callings.piece(name) is not None
        return game.names.number_of(name, kind) is not None

    def _rule_title(self, number: str) -> str:
        rule = next((rule for rule in self.opened.game.program.rules if rule.id == number), None)
        return self.opened.game.names.title(f"rule {number}", rule.title) if rule is not None else ""

    def rule(self, number: str) -> None:
        rules = {rule.id: rule for rule in self.opened.game.program.rules}
        rule = rules.get(number)
        if rule is None:
            told, advice = (
                phrase(self.language, "no rule", rule=number[:40]),
                did_you_mean(number, rules, self.language),
            )
            raise Refused(f"{told}; {advice}" if advice else told)
        names = self.opened.game.names
        place = f"{rule.file}:{rule.line}"
        title = names.title(f"rule {rule.id}", rule.title)
        self._say(phrase(self.language, "rule place", rule=rule.id, title=title, place=place))
        program = self.opened.game.program
        text = sentence(names.title(f"rule {rule.id} text", rule.text), program, program.language)
        if text:
            self._say(f"  {text}")

    def log(self, count: int) -> None:
        story = Story(self.opened.game, self.language)
        lines = list(story.lines(entries_since(self.state, 0, self.seat), self.state, self.seat))
        for line in lines[-count:] or [phrase(self.language, "no log")]:
            tell(line)
