"""From a question about a game to its answer: why things are so, why an action is refused, what a rule says.

Answers are those that one seat may have. Nothing here changes the game.
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from ddob_rules.cli.answers import Refused, words
from ddob_rules.cli.board import piece_lines, thing_lines
from ddob_rules.cli.games import Opened
from ddob_rules.cli.output import harmless
from ddob_rules.cli.phrases import NOT_WORDS, phrase
from ddob_rules.cli.story import Discretion, Story, entries_since, place_of
from ddob_rules.spelling import did_you_mean
from interpreter.state import State


@dataclass(frozen=True, slots=True)
class Enquiry:
    """One seat, asking about one position."""

    opened: Opened
    state: State
    seat: str | None
    language: str

    def pieces(self) -> None:
        view = self.opened.game.view(self.state, self.seat)
        click.echo("\n".join(piece_lines(self.opened.game, view, self.language)))

    def example(self) -> str:
        """An action, as it is asked about."""
        action = next(iter(self.opened.game.program.actions), None)
        if action is None:
            return "ACTION"
        return " ".join([action.name, *(parameter.name for parameter in action.parameters)])

    def _say(self, text: str) -> None:
        click.echo(harmless(text))

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
        found = [(entry, discretion.text(entry)) for entry in self.state.why(thing)]
        lines = [
            f"{text} [{entry.rule}]  {place_of(entry.site)}" if entry.site is not None else text
            for entry, text in found
            if text
        ]
        for line in lines or [phrase(self.language, "no history", name=thing)]:
            self._say(line)

    def _visible(self, name: str) -> str:
        """The thing of this name that the seat can see."""
        view = self.opened.game.view(self.state, self.seat)
        counted_things = [value for values in view["each"].values() for value in values]
        known = [*view["pieces"], *view["spaces"], *view["piles"], *view["variables"], *counted_things]
        for thing in known:
            if thing.casefold() == name.casefold():
                return str(thing)
        advice = did_you_mean(name, known, self.language)
        told = phrase(self.language, "no thing", name=name[:200])
        raise Refused(f"{told}; {advice}" if advice else told)

    def look(self, name: str) -> None:
        view = self.opened.game.view(self.state, self.seat)
        for line in thing_lines(self.opened.game, view, self._visible(name)):
            self._say(line)

    def _why_not(self, rest: str) -> None:
        named = words(rest)
        if not named:
            raise Refused(phrase(self.language, "needs", command="why not", what=self.example()))
        wanted = named[0].casefold()
        actions = self.opened.game.program.actions
        titles = {action.name: self.opened.game.names.action_title(action) for action in actions}
        action = next(
            (n for n, title in titles.items() if wanted in (n.casefold(), title.casefold())), named[0]
        )
        discretion = Discretion(self.opened.game, self.state, self.seat)
        for word in named[1:]:
            if not discretion.sees_piece(word):
                raise Refused(phrase(self.language, "not seen", name=word))
        refusal = self.state.why_not(action, *named[1:], player=self.seat)
        told = str(refusal) if refusal is not None else phrase(self.language, "allowed")
        if action not in titles:
            told = "; ".join(filter(None, (told, did_you_mean(action, titles, self.language))))
        self._say(told)

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
        text = names.title(f"rule {rule.id} text", rule.text)
        if text:
            self._say(f"  {text}")

    def log(self, count: int) -> None:
        story = Story(self.opened.game, self.language)
        lines = list(story.lines(entries_since(self.state, 0), self.state, self.seat))
        for line in lines[-count:] or [phrase(self.language, "no log")]:
            click.echo(line)
