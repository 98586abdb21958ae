"""From a question about a game to its answer: why things are so, why an action is refused, what a rule says.

Answers are those that one seat may have. Nothing here changes the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from ddob_rules.cli.answers import Refused, handles, numbered
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
from ddob_rules.cli.terminal.naming import Naming
from ddob_rules.cli.terminal.preview import would_do
from ddob_rules.cli.terminal.refusals import Refusals
from ddob_rules.cli.terminal.story import Story, entries_since, place_of
from ddob_rules.reports.spelling import did_you_mean
from interpreter.table.asking import asked_next
from interpreter.table.looking import piece_look, space_look
from interpreter.table.seen import Seen
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
class Enquiry(Naming):
    """One seat, asking about one position."""

    opened: Opened
    refusals: Refusals

    def pieces(self, everything: bool) -> None:
        """What lies where; if asked, or where rules do not say how things look, all that is seen of each."""
        game = self.game
        view, showing = game.view(self.state, self.seat), Showing(game, self.state, self.seat)
        if everything or not showing.kinds:
            lines = every_piece_line(game, view, self.language)
        else:
            lines = piece_lines(Drawing(game, view, language=self.language, showing=showing))
        tell("\n".join(lines))

    def _say(self, text: str) -> None:
        tell(harmless(text))

    def why(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        if not rest:
            self._why_asked()
        elif first.casefold() in NOT_WORDS:
            self.refusals.why_not(more)
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
        thing = self.visible(name)
        discretion = Discretion(self.game, self.state, self.seat)
        seats = (self.seat,) if self.seat is not None else None
        history = self.game.history(self.state, thing, seats)
        found = [(entry, discretion.text(entry)) for entry in history]
        lines = [
            f"{text} [{entry.rule}]  {place_of(entry.site)}" if entry.site is not None else text
            for entry, text in found
            if text
        ]
        for line in lines or [phrase(self.language, "no history", name=self.title(thing))]:
            self._say(line)

    def look(self, rest: str) -> None:
        """What a player wants to know of a thing; with `all` behind its name, whatever can be seen of it."""
        first, _, last = rest.rpartition(" ")
        whole = bool(first) and last.casefold() in ALL_WORDS and not self.found(rest)
        view = self.game.view(self.state, self.seat)
        thing = self._in_play(first.strip() if whole else rest, view)
        lines = thing_lines(self.game, view, thing) if whole else self._look_lines(view, thing)
        for line in lines:
            self._say(line)
        others = [self.named(one) for one in self.alike(rest) if one != thing]
        if others and not whole:
            self._say(phrase(self.language, "called alike", names=", ".join(others)))

    def _in_play(self, name: str, view: Mapping[str, Any]) -> str:
        """The thing of this name; not one that lies nowhere if another is called so, too."""
        thing = self.visible(name)
        if thing in view["pieces"] and view["pieces"][thing]["at"] in (None, "nothing"):
            others = [one for one in self.alike(name, placed=True) if one != thing]
            return others[0] if len(others) == 1 else thing
        return thing

    def _look_lines(self, view: Mapping[str, Any], thing: str) -> list[str]:
        game, seen = self.game, Seen(self.state.copy(), self.seat or BYSTANDER)
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
        game = self.game
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
                    self.language, "may go nowhere" if piece else "reaches nothing", name=self.title(thing)
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
        named = self.title(found)
        self._say(phrase(self.language, "reaches", name=named, legend=legend))

    def _to_show(self, name: str) -> str:
        """What is to be shown: of things with one name, one that is a space or lies on one."""
        try:
            return self.visible(name, placed=True)
        except Refused:
            return self.visible(name)

    def _places_of(self, thing: str) -> list[str]:
        """The space of a piece."""
        pieces = self.game.view(self.state, self.seat)["pieces"]
        return [str(pieces[thing]["at"])] if thing in pieces else []

    def _open_to(self, piece: str) -> list[str]:
        """The spaces of a board that can be chosen now with a piece, or when it has begun to act."""
        choice = self.state.choice
        if choice is None or choice.player != self.seat:
            return []
        if choice.sort != "offer":
            acts = piece_of_last_act(self.game, self.state, self.seat)
            return spaces_of(self.game, choice) if acts == piece else []
        found: list[str] = []
        for option in choice.options:
            if piece not in map(str, option.arguments):
                continue
            here = spaces_of(self.game, choice, [option])
            after = None if here else asked_next(Seen(self.state.copy(), self.seat or ""), option.index)
            asked = after.choice if after is not None else None
            if asked is not None and asked.player == self.seat and asked.sort != "offer":
                here = spaces_of(self.game, asked)
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
            for line in would_do(self.game, self.state, self.seat, option.index, self.language):
                self._say(f"     {line}")

    def _rule_title(self, number: str) -> str:
        rule = next((rule for rule in self.game.program.rules if rule.id == number), None)
        return self.game.names.title(f"rule {number}", rule.title) if rule is not None else ""

    def rule(self, number: str) -> None:
        """One rule by its number, and `all` of it as it is written; by words, those with such titles."""
        rules = {rule.id: rule for rule in self.game.program.rules}
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
        names = self.game.names
        place = f"{rule.file}:{rule.line}"
        title = names.title(f"rule {rule.id}", rule.title)
        self._say(phrase(self.language, "rule place", rule=rule.id, title=title, place=place))
        program = self.game.program
        text = sentence(names.title(f"rule {rule.id} text", rule.text), program, program.language)
        if text:
            self._say(f"  {text}")
        if self._has_tables(rule.id):
            self._say(phrase(self.language, "rule more", rule=rule.id))

    def _has_tables(self, rule: str) -> bool:
        """Whether a rule has tables or charts: its sentence only says what they are for."""
        program = self.game.program
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
        story = Story(self.game, self.language)
        lines = list(story.lines(entries_since(self.state, 0, self.seat), self.state, self.seat))
        for line in lines[-count:] or [phrase(self.language, "no log")]:
            tell(line)
