"""From something that cannot be done to the reason: of an action, of things, of an answer to a question.

Only what the seat may know is told, and nothing here changes the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ddob_rules.cli.answers import Refused, chosen, none_of, not_among, words
from ddob_rules.cli.output import harmless, tell
from ddob_rules.cli.phrases import phrase
from ddob_rules.cli.terminal.focus import last_action
from ddob_rules.cli.terminal.naming import Naming
from ddob_rules.cli.terminal.orders import Orders
from ddob_rules.reports.spelling import did_you_mean
from interpreter.ir import Type
from interpreter.machine.choice import Choice, Option
from interpreter.machine.state import State
from interpreter.table.asking import asked_next, not_offered, refusal, why_not
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
from interpreter.telling.story import Discretion
from interpreter.telling.views import BYSTANDER


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
class Refusals(Naming):
    """Why not, for one seat in one position."""

    orders: Callable[[State], Orders]  # what a position asks, as it is typed

    def _say(self, text: str) -> None:
        tell(harmless(text))

    def example(self) -> str:
        """An action, as it is asked about."""
        game = self.game
        group = game.code.asks[self.state.ask].group if self.state.ask >= 0 else ""
        actions = sorted(game.program.actions, key=lambda action: group not in action.groups)
        if not actions:
            return "ACTION"
        kinds = (game.names.type_title(parameter.type) for parameter in actions[0].parameters)
        return " ".join([game.names.action_title(actions[0]).lower(), *(kind.upper() for kind in kinds)])

    def why_not(self, rest: str) -> None:
        named = words(rest)
        if not named:
            what = phrase(self.language, "an action", example=self.example())
            raise Refused(phrase(self.language, "needs", command=phrase(self.language, "why not"), what=what))
        choice = self.state.choice
        asked = choice is not None and choice.sort != "offer" and choice.player == self.seat
        if choice is not None and asked and not self._names_another_act(named):
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
        discretion = Discretion(self.game, self.state, self.seat)
        for thing in things:
            # Whether something face down is seen or not is no more to be told than which it is.
            number = self.game.piece_number.get(self.key(thing), -1)
            if not self._may_be_face_down(thing) and not discretion.sees_piece(number):
                raise Refused(phrase(self.language, "not seen", name=thing))
        told = refusal(Seen(self.state.copy(), self.seat or ""), action, things)
        self._say(told or self._possible(action, things, later))

    def _names_another_act(self, named: list[str]) -> bool:
        """Whether words begin with an action, in full, and not the one that the question comes from."""
        last = last_action(self.game, self.state, self.seat)
        begun = [" ".join(named[:count]) for count in range(1, len(named) + 1)]
        acts = {
            name
            for name, title in self._act_titles().items()
            if any(like(one, title) == SAME for one in begun)
        }
        return bool(acts) and last not in acts

    def _act_titles(self) -> dict[str, str]:
        """What actions are called, by their names in the rules."""
        game = self.game
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
            self.why_not(line)
        return True

    def _told_of_things(self, named: list[str]) -> bool:
        """Whether things could do something now that were named without it, or why not; false if there are no
        such things."""
        begun = self.begun(named)
        answers = begun is not None and begun.asked.sort != "offer"  # or it is another action of its own
        if begun is not None and answers and not isinstance(begun.answer, NotUnderstood):
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
        choice, keys = self.state.choice, [self.key(thing) for thing in things]
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
            return told or not_among(word, asked, self.language, self.game, place)
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
        return told or none_of(choice, self.language, self.game, self._place(named))

    def _place(self, named: list[str]) -> str:
        """The space that the last words name, or that of a piece; nothing if they name none."""
        for start in range(len(named)):
            try:
                thing = self.visible(" ".join(named[start:]), placed=True)
            except Refused:
                continue
            pieces = self.game.view(self.state, self.seat)["pieces"]
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
            known = self.visible(name)
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
        game, ask = self.game, self.state.ask
        group = game.code.asks[ask].group if ask >= 0 else ""
        for action in game.program.actions:
            if action.name in alike and group in action.groups:
                return action.name
        raise Refused(self._only_in(alike))

    def _only_in(self, names: list[str]) -> str:
        """In which phases actions can be taken."""
        game = self.game
        groups = [group for action in game.program.actions if action.name in names for group in action.groups]
        phases = ", ".join(dict.fromkeys(map(game.names.phase_title, groups)))
        return game.names.text("not now").format(phases=phases)

    def _may_be_face_down(self, name: str) -> bool:
        number = self.game.piece_number.get(self.game.names.ident(name), -1)
        return number >= 0 and self.game.piece_kind[number] in self.game.faced

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
        found = next((one for one in self.game.program.actions if one.name == action), None)
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
        game = self.game
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
        game, view = self.game, self.game.view(self.state, self.seat)
        if kind.tag == "piece":
            kinds = {each: values["kind"] for each, values in view["pieces"].items()}
            known = [each for each in kinds if not kind.names or kinds[each] in kind.names]
        elif kind.tag == "space":
            of = {space.id: space.kind for space in game.spaces}
            known = [each for each in view["spaces"] if not kind.names or of.get(each) in kind.names]
        else:
            known = [*game.enums[kind.names[0]].values] if kind.tag == "enum" else []
        best, fit = fitting(name, known, self.all_of)
        if best >= PART and len(fit) > 1:
            raise Refused(self.several(name, fit[:ASKED_BACK]))
        return fit[0] if best >= PART else None
